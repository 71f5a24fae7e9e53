//! Uploads in parts: their checksums, their parts afterwards, copied ranges, and completions
//! that come twice.

use crate::support::{BUCKETS, check};
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
        expect![[r#"
            {Bucket: "alpha", Key: "k", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", ServerSideEncryption: "AES256", ChecksumAlgorithm: "SHA256", ChecksumType: "COMPOSITE"}
            {ServerSideEncryption: "AES256", ETag: '"5f363e0e58a95f06cbe9bbc662c5dfb6"', ChecksumSHA256: "wDbLt1U6kJ+LiHfURhkkMH8n7LZs/5KO7q/VacOIfik="}
            {ServerSideEncryption: "AES256", ETag: '"7f021a1415b86f2d013b2618fb31ae53"', ChecksumSHA256: "Nh5I0DCPIOMtul+1Yyi68Y1y7wzLQ7hPXCYtKmofxsg="}
            ! 400 InvalidRequest: Checksum Type mismatch occurred, expected checksum Type: sha256, actual checksum Type: crc32
            ! 400 BadDigest: The CRC32 you specified did not match the calculated checksum.
            {Bucket: "alpha", Key: "k", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", PartNumberMarker: 0, NextPartNumberMarker: 1, MaxParts: 1, IsTruncated: True, Parts: [{PartNumber: 1, LastModified: 2024-01-01T00:00:04Z, ETag: '"5f363e0e58a95f06cbe9bbc662c5dfb6"', Size: 5242880, ChecksumSHA256: "wDbLt1U6kJ+LiHfURhkkMH8n7LZs/5KO7q/VacOIfik="}], Initiator: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, StorageClass: "STANDARD", ChecksumAlgorithm: "SHA256", ChecksumType: "COMPOSITE"}
            ! 400 InvalidRequest: The upload was created using a sha256 checksum. The complete request must include the checksum for each part. It was missing for part 1 in the request.
            ! 400 InvalidPart: One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag. {PartNumber: "3", ETag: "7f021a1415b86f2d013b2618fb31ae53", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux"}
            ! 400 BadDigest: The sha256 you specified did not match the calculated checksum.
            {Location: "https://alpha.s3.amazonaws.com/k", Bucket: "alpha", Key: "k", ETag: '"76b2438ee89d0d54dbb3eb6005874976-2"', ChecksumSHA256: "xiYtHgAzdfvXcr5VSjBUL06UmE66g34EUf1qZzi3Cm4=-2", ChecksumType: "COMPOSITE", ServerSideEncryption: "AES256"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:06Z, ContentLength: 5242883, ChecksumSHA256: "xiYtHgAzdfvXcr5VSjBUL06UmE66g34EUf1qZzi3Cm4=-2", ChecksumType: "COMPOSITE", ETag: '"76b2438ee89d0d54dbb3eb6005874976-2"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:06Z, ContentLength: 3, ChecksumSHA256: "Nh5I0DCPIOMtul+1Yyi68Y1y7wzLQ7hPXCYtKmofxsg=", ChecksumType: "COMPOSITE", ETag: '"76b2438ee89d0d54dbb3eb6005874976-2"', ContentType: "binary/octet-stream", ContentRange: "bytes 5242880-5242882/5242883", ServerSideEncryption: "AES256", Metadata: {}, PartsCount: 2}
            {LastModified: 2024-01-01T00:00:06Z, Checksum: {ChecksumSHA256: "xiYtHgAzdfvXcr5VSjBUL06UmE66g34EUf1qZzi3Cm4=", ChecksumType: "COMPOSITE"}, ObjectParts: {TotalPartsCount: 2, PartNumberMarker: 0, NextPartNumberMarker: 2, MaxParts: 1000, IsTruncated: False, Parts: [{PartNumber: 1, Size: 5242880, ChecksumSHA256: "wDbLt1U6kJ+LiHfURhkkMH8n7LZs/5KO7q/VacOIfik="}, {PartNumber: 2, Size: 3, ChecksumSHA256: "Nh5I0DCPIOMtul+1Yyi68Y1y7wzLQ7hPXCYtKmofxsg="}]}}
            {LastModified: 2024-01-01T00:00:06Z, ObjectParts: {TotalPartsCount: 2, PartNumberMarker: 0, NextPartNumberMarker: 1, MaxParts: 1, IsTruncated: True, Parts: [{PartNumber: 1, Size: 5242880, ChecksumSHA256: "wDbLt1U6kJ+LiHfURhkkMH8n7LZs/5KO7q/VacOIfik="}]}}
            {LastModified: 2024-01-01T00:00:06Z, ObjectParts: {TotalPartsCount: 2, PartNumberMarker: 1, NextPartNumberMarker: 2, MaxParts: 1, IsTruncated: False, Parts: [{PartNumber: 2, Size: 3, ChecksumSHA256: "Nh5I0DCPIOMtul+1Yyi68Y1y7wzLQ7hPXCYtKmofxsg="}]}}
            {IsTruncated: False, Contents: [{Key: "k", LastModified: 2024-01-01T00:00:06Z, ETag: '"76b2438ee89d0d54dbb3eb6005874976-2"', ChecksumAlgorithm: ["SHA256"], ChecksumType: "COMPOSITE", Size: 5242883, StorageClass: "STANDARD"}], Name: "alpha", Prefix: "k", MaxKeys: 1000, EncodingType: "url", KeyCount: 1}
            {ServerSideEncryption: "AES256", CopyObjectResult: {ETag: '"9f8ab100b0dcaa5badbc65d4eab0a1cf"', LastModified: 2024-01-01T00:00:07Z, ChecksumType: "FULL_OBJECT", ChecksumSHA256: "KhJFB3+r7CWZpevMkAl9VnLv29m3sYiwCS8IkiApIDM="}}
        "#]],
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
        expect![[r#"
            {Bucket: "alpha", Key: "k", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", ServerSideEncryption: "AES256", ChecksumAlgorithm: "CRC32", ChecksumType: "FULL_OBJECT"}
            {ServerSideEncryption: "AES256", ETag: '"5d41402abc4b2a76b9719d911017c592"', ChecksumCRC32: "NhCmhg=="}
            {Bucket: "alpha", KeyMarker: "", UploadIdMarker: "", NextKeyMarker: "k", NextUploadIdMarker: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", MaxUploads: 1000, IsTruncated: False, Uploads: [{UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", Key: "k", Initiated: 2024-01-01T00:00:03Z, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Initiator: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, ChecksumAlgorithm: "CRC32", ChecksumType: "FULL_OBJECT"}]}
            ! 400 BadDigest: The crc32 you specified did not match the calculated checksum.
            {Location: "https://alpha.s3.amazonaws.com/k", Bucket: "alpha", Key: "k", ETag: '"62109206880d38a4010a98e11243924a-1"', ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:05Z, ContentLength: 5, ETag: '"62109206880d38a4010a98e11243924a-1"', ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}, Body: b"hello"}
        "#]],
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
    check(
        BUCKETS,
        &calls.concat(),
        expect![[r#"
            ! 400 InvalidRequest: The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.
            ! 400 InvalidRequest: The FULL_OBJECT checksum type cannot be used with the sha256 checksum algorithm.
            ! 400 InvalidRequest: The COMPOSITE checksum type cannot be used with the crc64nvme checksum algorithm.
            {Bucket: "alpha", Key: "k", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", ServerSideEncryption: "AES256", ChecksumAlgorithm: "CRC64NVME", ChecksumType: "FULL_OBJECT"}
            {Bucket: "alpha", Key: "k", UploadId: "ckKQTGxdE4LDGP0StoZTQR9gTdlszhwxZa4hYq7fqGguQsiivOua31IZ41fwH40L", ServerSideEncryption: "AES256", ChecksumAlgorithm: "CRC32C", ChecksumType: "COMPOSITE"}
            ! 400 InvalidRequest: Value for x-amz-checksum-type header is invalid: HALF
            ! 400 InvalidRequest: Checksum algorithm provided is unsupported. Please try again with any of the valid types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256]
        "#]],
    );
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
        expect![[r#"
            {Bucket: "alpha", Key: "k", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", ServerSideEncryption: "AES256"}
            {ServerSideEncryption: "AES256", ETag: '"5d41402abc4b2a76b9719d911017c592"', ChecksumCRC32: "NhCmhg=="}
            {Location: "https://alpha.s3.amazonaws.com/k", Bucket: "alpha", Key: "k", ETag: '"62109206880d38a4010a98e11243924a-1"', ChecksumCRC64NVME: "M3eFcAZSQlc=", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {ETag: '"c18788c2f274c779da72d9854ea4bfbf"', ChecksumCRC32: "7AOySQ==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {Location: "https://alpha.s3.amazonaws.com/k", Bucket: "alpha", Key: "k", ETag: '"62109206880d38a4010a98e11243924a-1"', ChecksumCRC64NVME: "M3eFcAZSQlc=", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            {AcceptRanges: "bytes", LastModified: 2024-01-01T00:00:06Z, ContentLength: 5, ETag: '"c18788c2f274c779da72d9854ea4bfbf"', ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
            ! 404 NoSuchUpload: The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed. {UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux"}
        "#]],
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
    upload(
        "",
        &(calls.concat() + listed),
        expect![[r#"
            {Bucket: "alpha", Key: "k", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", ServerSideEncryption: "AES256"}
            {CopyPartResult: {ETag: '"5d41402abc4b2a76b9719d911017c592"', LastModified: 2024-01-01T00:00:05Z}, ServerSideEncryption: "AES256"}
            {CopyPartResult: {ETag: '"d95679752134a2d9eb61dbd7b91c4bcc"', LastModified: 2024-01-01T00:00:06Z}, ServerSideEncryption: "AES256"}
            ! 400 InvalidArgument: Range specified is not valid for source object of size: 5 {ArgumentName: "x-amz-copy-source-range", ArgumentValue: "bytes=0-5"}
            ! 400 InvalidRequest: The specified copy range is invalid for the source object size
            ! 400 InvalidArgument: Range specified is not valid for source object of size: 5 {ArgumentName: "x-amz-copy-source-range", ArgumentValue: "bytes=0-99999999999999999999"}
            ! 400 InvalidArgument: The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy {ArgumentName: "x-amz-copy-source-range", ArgumentValue: "bytes=3-2"}
            ! 400 InvalidArgument: The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy {ArgumentName: "x-amz-copy-source-range", ArgumentValue: "bytes=1-"}
            ! 400 InvalidArgument: The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy {ArgumentName: "x-amz-copy-source-range", ArgumentValue: "bytes=-1"}
            ! 400 InvalidArgument: The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy {ArgumentName: "x-amz-copy-source-range", ArgumentValue: "bytes=0-1,3-4"}
            ! 400 InvalidArgument: The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy {ArgumentName: "x-amz-copy-source-range", ArgumentValue: "0-4"}
            {Bucket: "alpha", Key: "k", UploadId: "APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux", PartNumberMarker: 0, NextPartNumberMarker: 1, MaxParts: 1000, IsTruncated: False, Parts: [{PartNumber: 1, LastModified: 2024-01-01T00:00:05Z, ETag: '"d95679752134a2d9eb61dbd7b91c4bcc"', Size: 1}], Initiator: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}, StorageClass: "STANDARD"}
        "#]],
    );
}
