use crate::support::{BUCKETS, check};
use expect_test::expect;

#[test]
fn put_get_head() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"alpha","Key":"k","Body":{"@bytes":"hello"}}
        get_object {"Bucket":"alpha","Key":"k"}
        head_object {"Bucket":"alpha","Key":"k"}
        head_object {"Bucket":"alpha","Key":"k","ChecksumMode":"ENABLED"}
        get_object {"Bucket":"alpha","Key":"src"}
        put_object {"Bucket":"alpha","Key":"k"}
        get_object {"Bucket":"alpha","Key":"k"}
        put_object {"Bucket":"alpha","Key":"sum","Body":"x","ChecksumAlgorithm":"SHA256"}
        "#,
        expect![[r#""#]],
    );
}

#[test]
fn what_is_missing() {
    check(
        BUCKETS,
        r#"
        get_object {"Bucket":"alpha","Key":"nope"}
        head_object {"Bucket":"alpha","Key":"nope"}
        get_object {"Bucket":"nope-bucket","Key":"k"}
        head_object {"Bucket":"nope-bucket","Key":"k"}
        put_object {"Bucket":"nope-bucket","Key":"k","Body":"x"}
        delete_object {"Bucket":"nope-bucket","Key":"k"}
        delete_objects {"Bucket":"nope-bucket","Delete":{"Objects":[{"Key":"k"}]}}
        list_objects {"Bucket":"nope-bucket"}
        list_objects_v2 {"Bucket":"nope-bucket"}
        copy_object {"Bucket":"beta","Key":"k","CopySource":"nope-bucket/src"}
        copy_object {"Bucket":"nope-bucket","Key":"k","CopySource":"alpha/src"}
        copy_object {"Bucket":"beta","Key":"k","CopySource":"alpha/nope"}
        get_object {"Bucket":"alpha","Key":"src","VersionId":"abc"}
        "#,
        expect![[r#""#]],
    );
}

#[test]
fn headers_are_kept() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"beta","Key":"k","Body":"x","CacheControl":"no-cache","ContentDisposition":"inline","Expires":{"@time":"2030-01-02T03:04:05Z"},"StorageClass":"STANDARD_IA"}
        head_object {"Bucket":"beta","Key":"k"}
        get_object {"Bucket":"beta","Key":"k","ResponseContentType":"text/html","ResponseCacheControl":"private"}
        put_object {"Bucket":"beta","Key":"cold","Body":"x","StorageClass":"GLACIER"}
        get_object {"Bucket":"beta","Key":"cold"}
        put_object {"Bucket":"beta","Key":"k","StorageClass":"WARM"}
        put_object {"Bucket":"beta","Key":"k","ACL":"public-read"}
        put_object {"Bucket":"beta","Key":"k","Tagging":"a=b"}
        put_object {"Bucket":"beta","Key":"k","Metadata":{"a":{"@text":["x",2048]}}}
        "#,
        expect![[r#""#]],
    );
}

#[test]
fn limits() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"beta","Key":{"@text":["é",512]},"Body":"x"}
        put_object {"Bucket":"beta","Key":{"@text":["é",513]},"Body":"x"}
        head_object {"Bucket":"beta","Key":{"@text":["k",1025]}}
        put_object {"Bucket":"beta","Key":"k","Body":{"@zeros":67108865}}
        "#,
        expect![[r#""#]],
    );
}

#[test]
fn digests_are_checked() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"beta","Key":"k","Body":"hello","ContentMD5":"XUFAKrxLKna5cZ2REBfFkg=="}
        put_object {"Bucket":"beta","Key":"k","Body":"hullo","ContentMD5":"XUFAKrxLKna5cZ2REBfFkg=="}
        put_object {"Bucket":"beta","Key":"k","Body":"hello","ContentMD5":"?"}
        put_object {"Bucket":"beta","Key":"k","Body":"hello","ChecksumCRC32":"NhCmhg=="}
        put_object {"Bucket":"beta","Key":"k","Body":"hullo","ChecksumCRC32":"NhCmhg=="}
        "#,
        expect![[r#""#]],
    );
}

#[test]
fn ranges() {
    check(
        BUCKETS,
        r#"
        get_object {"Bucket":"alpha","Key":"src","Range":"bytes=1-3"}
        get_object {"Bucket":"alpha","Key":"src","Range":"bytes=-2"}
        head_object {"Bucket":"alpha","Key":"src","Range":"bytes=3-"}
        get_object {"Bucket":"alpha","Key":"src","Range":"bytes=5-"}
        head_object {"Bucket":"alpha","Key":"src","Range":"bytes=5-"}
        "#,
        expect![[r#""#]],
    );
}

#[test]
fn conditional_reads() {
    check(
        BUCKETS,
        r#"
        get_object {"Bucket":"alpha","Key":"src","IfMatch":"nope"}
        head_object {"Bucket":"alpha","Key":"src","IfMatch":"nope"}
        head_object {"Bucket":"alpha","Key":"src","IfMatch":"\"5d41402abc4b2a76b9719d911017c592\""}
        get_object {"Bucket":"alpha","Key":"src","IfNoneMatch":"5d41402abc4b2a76b9719d911017c592"}
        head_object {"Bucket":"alpha","Key":"src","IfNoneMatch":"*"}
        get_object {"Bucket":"alpha","Key":"src","IfModifiedSince":{"@time":"2024-01-01T00:00:02Z"}}
        head_object {"Bucket":"alpha","Key":"src","IfModifiedSince":{"@time":"2024-01-01T00:00:01Z"}}
        get_object {"Bucket":"alpha","Key":"src","IfUnmodifiedSince":{"@time":"2024-01-01T00:00:01Z"}}
        head_object {"Bucket":"alpha","Key":"src","IfMatch":"*","IfUnmodifiedSince":{"@time":"2024-01-01T00:00:01Z"}}
        "#,
        expect![[r#""#]],
    );
}

#[test]
fn conditional_writes() {
    check(
        BUCKETS,
        r#"
        put_object {"Bucket":"alpha","Key":"src","Body":"x","IfNoneMatch":"*"}
        put_object {"Bucket":"alpha","Key":"new","Body":"x","IfNoneMatch":"*"}
        put_object {"Bucket":"alpha","Key":"src","Body":"x","IfMatch":"nope"}
        put_object {"Bucket":"alpha","Key":"none","Body":"x","IfMatch":"nope"}
        put_object {"Bucket":"alpha","Key":"src","Body":"y","IfMatch":"5d41402abc4b2a76b9719d911017c592"}
        delete_object {"Bucket":"alpha","Key":"src","IfMatch":"5d41402abc4b2a76b9719d911017c592"}
        copy_object {"Bucket":"beta","Key":"k","CopySource":"alpha/src","CopySourceIfMatch":"nope"}
        copy_object {"Bucket":"beta","Key":"k","CopySource":"alpha/src","CopySourceIfNoneMatch":"*"}
        delete_object {"Bucket":"alpha","Key":"src","IfMatch":"415290769594460e2e485922904f345d"}
        "#,
        expect![[r#""#]],
    );
}

#[test]
fn copying() {
    check(
        BUCKETS,
        r#"
        copy_object {"Bucket":"beta","Key":"dst","CopySource":"alpha/src"}
        head_object {"Bucket":"beta","Key":"dst"}
        copy_object {"Bucket":"beta","Key":"ü +.txt","CopySource":{"Bucket":"alpha","Key":"src"}}
        copy_object {"Bucket":"beta","Key":"dst2","CopySource":"/beta/ü +.txt"}
        copy_object {"Bucket":"alpha","Key":"src","CopySource":"alpha/src"}
        copy_object {"Bucket":"alpha","Key":"src","CopySource":"alpha/src?versionId=null","MetadataDirective":"REPLACE","Metadata":{"n":"2"}}
        head_object {"Bucket":"alpha","Key":"src"}
        copy_object {"Bucket":"alpha","Key":"src","CopySource":"alpha/src","MetadataDirective":"MOVE"}
        copy_object {"Bucket":"alpha","Key":"x","CopySource":"alpha"}
        "#,
        expect![[r#""#]],
    );
}

#[test]
fn deleting() {
    check(
        BUCKETS,
        r#"
        delete_object {"Bucket":"alpha","Key":"nope"}
        put_object {"Bucket":"alpha","Key":"a","Body":"x"}
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[{"Key":"nope"},{"Key":"a"}]}}
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[{"Key":"src","VersionId":"v1"},{"Key":"src","ETag":"nope"}]}}
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[{"Key":"src"}],"Quiet":true}}
        delete_objects {"Bucket":"alpha","Delete":{"Objects":[]}}
        list_objects_v2 {"Bucket":"alpha"}
        "#,
        expect![[r#""#]],
    );
}

#[test]
fn at_most_a_thousand_keys_are_deleted_at_once() {
    let objects = |count: usize| vec![r#"{"Key":"k"}"#; count].join(",");
    let call = |count| {
        let objects = objects(count);
        format!(r#"delete_objects {{"Bucket":"alpha","Delete":{{"Quiet":true,"Objects":[{objects}]}}}}"#)
    };
    check(
        BUCKETS,
        &format!("{}\n{}", call(1000), call(1001)),
        expect![[r#""#]],
    );
}
