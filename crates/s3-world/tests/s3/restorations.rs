//! Archived objects that are brought back for a time.

use crate::support::{empty, run};
use expect_test::{Expect, expect};
use s3_world::clock::Clock;

/// Makes calls. A line with a time sets the clock, which stands still then.
fn check(calls: &str, expected: Expect) {
    let world = empty();
    let mut answers = String::new();
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        answers += &match line.parse() {
            Ok(time) => {
                let mut store = world.snapshot();
                store.clock = Clock::Stands(time);
                world.restore(store);
                format!("{line}\n")
            }
            Err(_) => run(line, |operation, params| world.perform(operation, params)),
        };
    }
    expected.assert_eq(&answers);
}

const ARCHIVED: &str = r#"
    2024-03-01T10:00:00Z
    create_bucket {"Bucket":"alpha"}
    put_object {"Bucket":"alpha","Key":"cold","Body":"ice","StorageClass":"GLACIER"}
    put_object {"Bucket":"alpha","Key":"deep","Body":"ice","StorageClass":"DEEP_ARCHIVE"}
"#;

#[test]
fn an_object_comes_back_for_its_days() {
    let calls = r#"
        restore_object {"Bucket":"alpha","Key":"cold","RestoreRequest":{"Days":2}}
        head_object {"Bucket":"alpha","Key":"cold"}
        2024-03-01T14:59:59Z
        restore_object {"Bucket":"alpha","Key":"cold","RestoreRequest":{"Days":2}}
        get_object {"Bucket":"alpha","Key":"cold"}
        copy_object {"Bucket":"alpha","Key":"warm","CopySource":"alpha/cold"}
        2024-03-01T15:00:00Z
        head_object {"Bucket":"alpha","Key":"cold"}
        get_object {"Bucket":"alpha","Key":"cold"}
        copy_object {"Bucket":"alpha","Key":"warm","CopySource":"alpha/cold"}
        get_object {"Bucket":"alpha","Key":"warm"}
        2024-03-03T23:59:59Z
        get_object {"Bucket":"alpha","Key":"cold","Range":"bytes=0-0"}
        2024-03-04T00:00:00Z
        get_object {"Bucket":"alpha","Key":"cold"}
        head_object {"Bucket":"alpha","Key":"cold"}
    "#;
    check(
        &format!("{ARCHIVED}{calls}"),
        expect![[r#"
        2024-03-01T10:00:00Z
        {Location: "/alpha"}
        {ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ChecksumCRC32: "y0+EDg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        {ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ChecksumCRC32: "y0+EDg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        {}
        {AcceptRanges: "bytes", Restore: 'ongoing-request="true"', LastModified: 2024-03-01T10:00:00Z, ContentLength: 3, ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, StorageClass: "GLACIER"}
        2024-03-01T14:59:59Z
        ! 409 RestoreAlreadyInProgress: Object restore is already in progress
        ! 403 InvalidObjectState: The operation is not valid for the object's storage class {StorageClass: "GLACIER"}
        ! 403 ObjectNotInActiveTierError: The source object of the COPY action is not in the active tier and is only stored in Amazon Glacier.
        2024-03-01T15:00:00Z
        {AcceptRanges: "bytes", Restore: 'ongoing-request="false", expiry-date="Mon, 04 Mar 2024 00:00:00 GMT"', LastModified: 2024-03-01T10:00:00Z, ContentLength: 3, ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, StorageClass: "GLACIER"}
        {AcceptRanges: "bytes", Restore: 'ongoing-request="false", expiry-date="Mon, 04 Mar 2024 00:00:00 GMT"', LastModified: 2024-03-01T10:00:00Z, ContentLength: 3, ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ChecksumCRC32: "y0+EDg==", ChecksumType: "FULL_OBJECT", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, StorageClass: "GLACIER", Body: b"ice"}
        {ServerSideEncryption: "AES256", CopyObjectResult: {ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', LastModified: 2024-03-01T15:00:00Z, ChecksumType: "FULL_OBJECT", ChecksumCRC32: "y0+EDg=="}}
        {AcceptRanges: "bytes", LastModified: 2024-03-01T15:00:00Z, ContentLength: 3, ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ChecksumCRC32: "y0+EDg==", ChecksumType: "FULL_OBJECT", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, Body: b"ice"}
        2024-03-03T23:59:59Z
        {AcceptRanges: "bytes", Restore: 'ongoing-request="false", expiry-date="Mon, 04 Mar 2024 00:00:00 GMT"', LastModified: 2024-03-01T10:00:00Z, ContentLength: 1, ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ContentRange: "bytes 0-0/3", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, StorageClass: "GLACIER", Body: b"i"}
        2024-03-04T00:00:00Z
        ! 403 InvalidObjectState: The operation is not valid for the object's storage class {StorageClass: "GLACIER"}
        {AcceptRanges: "bytes", LastModified: 2024-03-01T10:00:00Z, ContentLength: 3, ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, StorageClass: "GLACIER"}
    "#]],
    );
}

#[test]
fn what_is_back_stays_longer_if_that_is_asked() {
    let calls = r#"
        restore_object {"Bucket":"alpha","Key":"cold","RestoreRequest":{"Days":1}}
        2024-03-02T12:00:00Z
        head_object {"Bucket":"alpha","Key":"cold"}
        restore_object {"Bucket":"alpha","Key":"cold","RestoreRequest":{"Days":9}}
        head_object {"Bucket":"alpha","Key":"cold"}
        put_object {"Bucket":"alpha","Key":"cold","Body":"new","StorageClass":"GLACIER"}
        head_object {"Bucket":"alpha","Key":"cold"}
    "#;
    check(
        &format!("{ARCHIVED}{calls}"),
        expect![[r#"
        2024-03-01T10:00:00Z
        {Location: "/alpha"}
        {ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ChecksumCRC32: "y0+EDg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        {ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ChecksumCRC32: "y0+EDg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        {}
        2024-03-02T12:00:00Z
        {AcceptRanges: "bytes", Restore: 'ongoing-request="false", expiry-date="Sun, 03 Mar 2024 00:00:00 GMT"', LastModified: 2024-03-01T10:00:00Z, ContentLength: 3, ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, StorageClass: "GLACIER"}
        {}
        {AcceptRanges: "bytes", Restore: 'ongoing-request="false", expiry-date="Tue, 12 Mar 2024 00:00:00 GMT"', LastModified: 2024-03-01T10:00:00Z, ContentLength: 3, ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, StorageClass: "GLACIER"}
        {ETag: '"22af645d1859cb5ca6da0c484f1f37ea"', ChecksumCRC32: "a+NERQ==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        {AcceptRanges: "bytes", LastModified: 2024-03-02T12:00:00Z, ContentLength: 3, ETag: '"22af645d1859cb5ca6da0c484f1f37ea"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, StorageClass: "GLACIER"}
    "#]],
    );
}

#[test]
fn tiers_take_their_times() {
    for (key, tier, earlier, then) in [
        (
            "cold",
            "Expedited",
            "2024-03-01T10:04:59Z",
            "2024-03-01T10:05:00Z",
        ),
        (
            "cold",
            "Bulk",
            "2024-03-01T21:59:59Z",
            "2024-03-01T22:00:00Z",
        ),
        (
            "deep",
            "Standard",
            "2024-03-01T21:59:59Z",
            "2024-03-01T22:00:00Z",
        ),
        (
            "deep",
            "Bulk",
            "2024-03-03T09:59:59Z",
            "2024-03-03T10:00:00Z",
        ),
    ] {
        let world = empty();
        let at = |time: &str| {
            let mut store = world.snapshot();
            store.clock = Clock::Stands(time.parse().expect("a time"));
            world.restore(store);
        };
        let made = |calls: &str| run(calls, |operation, params| world.perform(operation, params));
        at("2024-03-01T10:00:00Z");
        made(ARCHIVED.split_once("Z\n").expect("a time").1);
        let job = format!(r#"{{"Days":1,"GlacierJobParameters":{{"Tier":"{tier}"}}}}"#);
        let restored = made(&format!(
            r#"restore_object {{"Bucket":"alpha","Key":"{key}","RestoreRequest":{job}}}"#
        ));
        assert_eq!(restored, "{}\n", "{key} {tier}");
        let get = format!(r#"get_object {{"Bucket":"alpha","Key":"{key}"}}"#);
        at(earlier);
        assert!(
            made(&get).starts_with("! 403 InvalidObjectState"),
            "{key} {tier}"
        );
        at(then);
        assert!(made(&get).contains(r#"Body: b"ice""#), "{key} {tier}");
    }
}

#[test]
fn some_tiers_are_refused() {
    let calls = r#"
        restore_object {"Bucket":"alpha","Key":"deep","RestoreRequest":{"Days":1,"GlacierJobParameters":{"Tier":"Expedited"}}}
        restore_object {"Bucket":"alpha","Key":"deep","RestoreRequest":{"Days":1,"Tier":"Slow"}}
        restore_object {"Bucket":"alpha","Key":"deep","RestoreRequest":{"Days":1,"Tier":"Bulk"}}
    "#;
    check(
        &format!("{ARCHIVED}{calls}"),
        expect![[r#"
        2024-03-01T10:00:00Z
        {Location: "/alpha"}
        {ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ChecksumCRC32: "y0+EDg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        {ETag: '"7bdff76536f12a7c5ffde207e72cfe3a"', ChecksumCRC32: "y0+EDg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        ! 400 InvalidArgument: Retrieval option is not supported by this storage class
        ! 400 MalformedXML: The XML you provided was not well-formed or did not validate against our published schema
        {}
    "#]],
    );
}
