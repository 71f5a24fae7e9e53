//! Uploads in parts: their checksums, their parts afterwards, copied ranges, and completions
//! that come twice.

use crate::s3::support::{BUCKETS, check};
use expect_test::{Expect, expect};

/// The id of the first upload to the key `k`.
const ID: &str = "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux";

/// Begins an upload to the key `k` with these parameters, and makes the calls, in which `{AT}`
/// stands for the upload, and `{MIB5}` for the content of a part.
fn upload(parameters: &str, calls: &str, expected: Expect) {
    let begin = format!(r#"create_multipart_upload {{"Bucket":"alpha","Key":"k"{parameters}}}"#);
    let at = format!(r#""Bucket":"alpha","Key":"k","UploadId":"{ID}""#);
    let calls = format!("{begin}\n{calls}")
        .replace("{AT}", &at)
        .replace("{MIB5}", r#"{"@zeros":5242880}"#);
    check(BUCKETS, &calls, expected);
}

#[test]
fn a_checksum_of_parts_is_made_of_theirs() {
    upload(
        r#","ChecksumAlgorithm":"SHA256""#,
        r#"
        upload_part {{AT},"PartNumber":1,"Body":{MIB5},"ChecksumAlgorithm":"SHA256"}
        upload_part {{AT},"PartNumber":3,"Body":"end","ChecksumAlgorithm":"SHA256"}
        upload_part {{AT},"PartNumber":4,"Body":"end","ChecksumAlgorithm":"CRC32"}
        upload_part {{AT},"PartNumber":4,"Body":"end","ChecksumCRC32":"AAAAAA=="}
        list_parts {{AT},"MaxParts":1}
        complete_multipart_upload {{AT},"MultipartUpload":{"Parts":[{"PartNumber":1,"ETag":"5f363e0e58a95f06cbe9bbc662c5dfb6"},{"PartNumber":3,"ETag":"7f021a1415b86f2d013b2618fb31ae53"}]}}
        complete_multipart_upload {{AT},"MultipartUpload":{"Parts":[{"PartNumber":1,"ETag":"5f363e0e58a95f06cbe9bbc662c5dfb6","ChecksumSHA256":"wDbLt1U6kJ+LiHfURhkkMH8n7LZs/5KO7q/VacOIfik="},{"PartNumber":3,"ETag":"7f021a1415b86f2d013b2618fb31ae53","ChecksumSHA256":"wDbLt1U6kJ+LiHfURhkkMH8n7LZs/5KO7q/VacOIfik="}]}}
        complete_multipart_upload {{AT},"ChecksumSHA256":"AAAA-2","MultipartUpload":{"Parts":[{"PartNumber":1,"ETag":"5f363e0e58a95f06cbe9bbc662c5dfb6","ChecksumSHA256":"wDbLt1U6kJ+LiHfURhkkMH8n7LZs/5KO7q/VacOIfik="},{"PartNumber":3,"ETag":"7f021a1415b86f2d013b2618fb31ae53","ChecksumSHA256":"{END}"}]}}
        complete_multipart_upload {{AT},"MultipartUpload":{"Parts":[{"PartNumber":1,"ETag":"5f363e0e58a95f06cbe9bbc662c5dfb6","ChecksumSHA256":"wDbLt1U6kJ+LiHfURhkkMH8n7LZs/5KO7q/VacOIfik="},{"PartNumber":3,"ETag":"7f021a1415b86f2d013b2618fb31ae53","ChecksumSHA256":"{END}"}]}}
        head_object {"Bucket":"alpha","Key":"k","ChecksumMode":"ENABLED"}
        head_object {"Bucket":"alpha","Key":"k","ChecksumMode":"ENABLED","PartNumber":2}
        get_object_attributes {"Bucket":"alpha","Key":"k","ObjectAttributes":["Checksum","ObjectParts"]}
        get_object_attributes {"Bucket":"alpha","Key":"k","ObjectAttributes":["ObjectParts"],"MaxParts":1}
        get_object_attributes {"Bucket":"alpha","Key":"k","ObjectAttributes":["ObjectParts"],"MaxParts":1,"PartNumberMarker":1}
        list_objects_v2 {"Bucket":"alpha","Prefix":"k"}
        copy_object {"Bucket":"alpha","Key":"copy","CopySource":"alpha/k"}
        "#
        .replace("{END}", "Nh5I0DCPIOMtul+1Yyi68Y1y7wzLQ7hPXCYtKmofxsg=")
        .as_str(),
        expect![[""]],
    );
}

#[test]
fn a_checksum_of_the_whole_needs_none_of_the_parts() {
    upload(
        r#","ChecksumAlgorithm":"crc32","ChecksumType":"FULL_OBJECT""#,
        r#"
        upload_part {{AT},"PartNumber":1,"Body":"hello"}
        list_multipart_uploads {"Bucket":"alpha"}
        complete_multipart_upload {{AT},"ChecksumCRC32":"AAAAAA==","MultipartUpload":{"Parts":[{"PartNumber":1,"ETag":"5d41402abc4b2a76b9719d911017c592"}]}}
        complete_multipart_upload {{AT},"ChecksumCRC32":"NhCmhg==","MultipartUpload":{"Parts":[{"PartNumber":1,"ETag":"5d41402abc4b2a76b9719d911017c592"}]}}
        get_object {"Bucket":"alpha","Key":"k"}
        "#,
        expect![[""]],
    );
}

#[test]
fn types_of_checksums_go_with_algorithms() {
    let kinds = [
        r#","ChecksumType":"COMPOSITE""#,
        r#","ChecksumAlgorithm":"SHA256","ChecksumType":"FULL_OBJECT""#,
        r#","ChecksumAlgorithm":"CRC64NVME","ChecksumType":"COMPOSITE""#,
        r#","ChecksumAlgorithm":"CRC64NVME""#,
        r#","ChecksumAlgorithm":"CRC32C""#,
        r#","ChecksumAlgorithm":"CRC32","ChecksumType":"HALF""#,
        r#","ChecksumAlgorithm":"CRC31""#,
    ];
    let calls = kinds.map(|kind| {
        format!("create_multipart_upload {{\"Bucket\":\"alpha\",\"Key\":\"k\"{kind}}}\n")
    });
    check(BUCKETS, &calls.concat(), expect![[""]]);
}

#[test]
fn a_completion_that_comes_twice_is_answered_twice() {
    upload(
        "",
        r#"
        upload_part {{AT},"PartNumber":1,"Body":"hello"}
        complete_multipart_upload {{AT},"MultipartUpload":{"Parts":[{"PartNumber":1,"ETag":"5d41402abc4b2a76b9719d911017c592"}]}}
        put_object {"Bucket":"alpha","Key":"k","Body":"later"}
        complete_multipart_upload {{AT},"MultipartUpload":{"Parts":[{"PartNumber":1,"ETag":"5d41402abc4b2a76b9719d911017c592"}]}}
        head_object {"Bucket":"alpha","Key":"k"}
        upload_part {{AT},"PartNumber":1,"Body":"hello"}
        "#,
        expect![[""]],
    );
}

#[test]
fn a_copied_range_is_within_its_source() {
    let ranges = [
        "bytes=0-4",
        "bytes=4-4",
        "bytes=0-5",
        "bytes=5-5",
        "bytes=0-99999999999999999999",
        "bytes=3-2",
        "bytes=1-",
        "bytes=-1",
        "bytes=0-1,3-4",
        "0-4",
    ];
    let calls = ranges.map(|range| {
        format!(
            "upload_part_copy {{{{AT}},\"PartNumber\":1,\"CopySource\":\"alpha/src\",\
             \"CopySourceRange\":\"{range}\"}}\n"
        )
    });
    let listed = "list_parts {{AT}}";
    upload("", &(calls.concat() + listed), expect![[""]]);
}
