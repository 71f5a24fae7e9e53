//! Uploads in progress in a world on disk.

use super::disk::folder;
use crate::value::{show, value};
use expect_test::{Expect, expect};
use s3_world::clock::Clock;
use s3_world::domain::Value;
use s3_world::world::{DiskLimits, DiskWorld};
use std::fs;
use std::path::Path;

/// The id of the first upload to the key `k`.
const ID: &str = "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux";

const LIMITS: DiskLimits = DiskLimits {
    bytes: 10,
    objects: 3,
    log_bytes: 0,
};

fn open(root: &Path) -> DiskWorld {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    DiskWorld::open_with(root, Clock::Steps(start), LIMITS).expect("a world")
}

/// Makes calls, each in a world that is opened for it. `{AT}` stands for the upload.
fn check(root: &Path, calls: &str, expected: Expect) {
    let at = format!(r#""Bucket":"alpha","Key":"k","UploadId":"{ID}""#);
    let mut shown = String::new();
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let line = line.replace("{AT}", &at);
        let (operation, params) = line.split_once(' ').expect("an operation");
        let params = value(&serde_json::from_str(params).expect("JSON"));
        let answer = open(root).perform(operation, &params);
        shown += &match answer.expect("a working disk") {
            Ok(answer) => show(&answer, |_, _| None),
            Err(refusal) => format!("! {} {}", refusal.status, refusal.code),
        };
        shown.push('\n');
    }
    expected.assert_eq(&shown);
}

#[test]
fn an_upload_is_there_whenever_the_folder_is_opened() {
    let folder = folder();
    check(
        folder.path(),
        r#"
        create_bucket {"Bucket":"alpha"}
        create_multipart_upload {"Bucket":"alpha","Key":"k","ContentType":"text/x","Tagging":"a=b","ChecksumAlgorithm":"SHA256"}
        upload_part {{AT},"PartNumber":1,"Body":"12345"}
        upload_part {{AT},"PartNumber":1,"Body":"123"}
        list_parts {{AT}}
        complete_multipart_upload {{AT},"MultipartUpload":{"Parts":[{"PartNumber":1,"ETag":"202cb962ac59075b964b07152d234b70","ChecksumSHA256":"pmWkWSBCL51Bfkhn79xPuKBKHz//H6B+mY6G9/eieuM="}]}}
        get_object {"Bucket":"alpha","Key":"k","ChecksumMode":"ENABLED"}
        get_object_tagging {"Bucket":"alpha","Key":"k"}
        list_multipart_uploads {"Bucket":"alpha"}
        "#,
        expect![[r#"
            {Location: "/alpha"}
            {Bucket: "alpha", Key: "k", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", ServerSideEncryption: "AES256", ChecksumAlgorithm: "SHA256", ChecksumType: "COMPOSITE"}
            {ServerSideEncryption: "AES256", ETag: "\"827ccb0eea8a706c4c34a16891f84e7b\"", ChecksumSHA256: "WZRHGrsBESr8wYFZ9sx0tPURuZgG2lmzyvWpwXPKz8U="}
            {ServerSideEncryption: "AES256", ETag: "\"202cb962ac59075b964b07152d234b70\"", ChecksumSHA256: "pmWkWSBCL51Bfkhn79xPuKBKHz//H6B+mY6G9/eieuM="}
            {Bucket: "alpha", Key: "k", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", PartNumberMarker: 0, NextPartNumberMarker: 1, MaxParts: 1000, IsTruncated: false, Parts: [{PartNumber: 1, LastModified: 2024-01-01T00:00:00Z, ETag: "\"202cb962ac59075b964b07152d234b70\"", Size: 3, ChecksumSHA256: "pmWkWSBCL51Bfkhn79xPuKBKHz//H6B+mY6G9/eieuM="}], Initiator: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, StorageClass: "STANDARD", ChecksumAlgorithm: "SHA256", ChecksumType: "COMPOSITE"}
            {Location: "https://alpha.s3.amazonaws.com/k", Bucket: "alpha", Key: "k", ETag: "\"d022646351048ac0ba397d12dfafa304-1\"", ChecksumSHA256: "WnfR6WEtNQs3NPYoIlm3/wo/h9Ys/vXzXpGlYEwEkKM=-1", ChecksumType: "COMPOSITE", ServerSideEncryption: "AES256"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:00Z, ContentLength: 3, ETag: "\"d022646351048ac0ba397d12dfafa304-1\"", ChecksumSHA256: "WnfR6WEtNQs3NPYoIlm3/wo/h9Ys/vXzXpGlYEwEkKM=-1", ChecksumType: "COMPOSITE", ContentType: "text/x", ServerSideEncryption: "AES256", Metadata: {}, TagCount: 1, Body: b"123"}
            {TagSet: [{Key: "a", Value: "b"}]}
            {Bucket: "alpha", KeyMarker: "", UploadIdMarker: "", NextKeyMarker: "", NextUploadIdMarker: "", MaxUploads: 1000, IsTruncated: false}
        "#]],
    );
    let bodies = fs::read_dir(folder.path().join(".dialog2api/versions"));
    assert_eq!(bodies.expect("a folder").count(), 0);
}

#[test]
fn parts_count_towards_the_limit() {
    let folder = folder();
    check(
        folder.path(),
        r#"
        create_bucket {"Bucket":"alpha"}
        create_multipart_upload {"Bucket":"alpha","Key":"k"}
        upload_part {{AT},"PartNumber":1,"Body":"12345"}
        upload_part {{AT},"PartNumber":2,"Body":"123456"}
        upload_part {{AT},"PartNumber":1,"Body":"1234"}
        upload_part {{AT},"PartNumber":2,"Body":"123456"}
        put_object {"Bucket":"alpha","Key":"a","Body":"1"}
        abort_multipart_upload {{AT}}
        put_object {"Bucket":"alpha","Key":"a","Body":"0123456789"}
        "#,
        expect![[r#"
            {Location: "/alpha"}
            {Bucket: "alpha", Key: "k", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", ServerSideEncryption: "AES256"}
            {ServerSideEncryption: "AES256", ETag: "\"827ccb0eea8a706c4c34a16891f84e7b\"", ChecksumCRC32: "y/U6HA=="}
            ! 507 InsufficientStorage
            {ServerSideEncryption: "AES256", ETag: "\"81dc9bdb52d04dc20036dbd8313ed055\"", ChecksumCRC32: "m+Pgow=="}
            {ServerSideEncryption: "AES256", ETag: "\"e10adc3949ba59abbe56e057f20f883e\"", ChecksumCRC32: "CXLTYQ=="}
            ! 507 InsufficientStorage
            {}
            {ETag: "\"781e5e245d69b566979b86e28d23f2c7\"", ChecksumCRC32: "poTHxg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        "#]],
    );
}

#[test]
fn a_part_that_somebody_has_changed_is_damage() {
    let folder = folder();
    check(
        folder.path(),
        r#"
        create_bucket {"Bucket":"alpha"}
        create_multipart_upload {"Bucket":"alpha","Key":"k"}
        upload_part {{AT},"PartNumber":1,"Body":"12345"}
        "#,
        expect![[r#"
            {Location: "/alpha"}
            {Bucket: "alpha", Key: "k", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", ServerSideEncryption: "AES256"}
            {ServerSideEncryption: "AES256", ETag: "\"827ccb0eea8a706c4c34a16891f84e7b\"", ChecksumCRC32: "y/U6HA=="}
        "#]],
    );
    let bodies = fs::read_dir(folder.path().join(".dialog2api/versions"));
    let body = bodies
        .expect("a folder")
        .next()
        .expect("a part")
        .expect("a file");
    fs::write(body.path(), "54321").expect("a file");
    let error = DiskWorld::open(folder.path(), Clock::System).err();
    let error = error.map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("damaged: it should hold part 1"), "{error}");
}

/// The parameters of a call about the upload.
fn of_upload(more: &str) -> Value {
    let text = format!(r#"{{"Bucket":"alpha","Key":"k","UploadId":"{ID}"{more}}}"#);
    value(&serde_json::from_str(&text).expect("JSON"))
}

/// What completes the upload with its part `12345`.
fn completion() -> Value {
    of_upload(
        r#","MultipartUpload":{"Parts":[{"PartNumber":1,"ETag":"827ccb0eea8a706c4c34a16891f84e7b"}]}"#,
    )
}

/// A world that stays open, with an upload that has the part `12345`.
fn with_part(root: &Path) -> DiskWorld {
    let world = open(root);
    let bucket = value(&serde_json::json!({"Bucket": "alpha"}));
    let object = value(&serde_json::json!({"Bucket": "alpha", "Key": "k"}));
    let part = of_upload(r#","PartNumber":1,"Body":"12345""#);
    for (operation, params) in [
        ("create_bucket", &bucket),
        ("create_multipart_upload", &object),
        ("upload_part", &part),
    ] {
        let answer = world.perform(operation, params).expect("a working disk");
        assert!(answer.is_ok(), "{answer:?}");
    }
    world
}

#[test]
fn the_content_of_a_part_is_in_its_file_alone() {
    let folder = folder();
    let world = with_part(folder.path());
    let bodies = fs::read_dir(folder.path().join(".dialog2api/versions"));
    let mut bodies = bodies.expect("a folder").map(|it| it.expect("a file"));
    fs::write(bodies.next().expect("a part").path(), "54321").expect("a file");
    let error = world.perform("complete_multipart_upload", &completion());
    let error = error.expect_err("another content").to_string();
    assert!(
        error.contains("another program has changed this file"),
        "{error}"
    );
}

#[test]
fn a_fork_keeps_the_parts_of_an_upload_that_ends() {
    for end in ["abort_multipart_upload", "complete_multipart_upload"] {
        let folder = folder();
        let world = with_part(folder.path());
        let fork = world.fork();
        let ended = world.perform(end, &completion()).expect("a working disk");
        assert!(ended.is_ok(), "{ended:?}");
        let bodies = fs::read_dir(folder.path().join(".dialog2api/versions"));
        assert_eq!(bodies.expect("a folder").count(), 0, "{end}");
        let completed = fork.perform("complete_multipart_upload", &completion());
        assert!(completed.is_ok(), "{end}: {completed:?}");
        let object = value(&serde_json::json!({"Bucket": "alpha", "Key": "k"}));
        let read = fork.perform("get_object", &object).expect("an object");
        assert_eq!(read.get("Body"), Some(&Value::Bytes("12345".into())));
        drop(fork);
        let aside = fs::read_dir(folder.path().join(".dialog2api/replaced"));
        assert_eq!(aside.expect("a folder").count(), 0, "{end}");
    }
}
