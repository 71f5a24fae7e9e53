//! The clients that people have: boto3, aws-cli, rclone, each as it comes from PyPI.

use crate::serve::support::{key, serve, system_world, world};
use crate::support::tools::{AWS, BOTO3, RCLONE, needs};
use dialog2api::domain::s3::serve::S3Server;
use dialog2api::domain::{Map, Name, Value};
use expect_test::{Expect, expect};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, UNIX_EPOCH};

/// What a command printed. It must end well. The server runs on beside it.
pub async fn said(mut command: Command) -> String {
    let shown = format!("{command:?}");
    let output = tokio::task::spawn_blocking(move || command.output());
    let Output {
        status,
        stdout,
        stderr,
    } = output
        .await
        .expect("no panic")
        .unwrap_or_else(|problem| panic!("{shown} does not start: {problem}"));
    let (said, told) = (
        String::from_utf8_lossy(&stdout).into_owned(),
        String::from_utf8_lossy(&stderr).into_owned(),
    );
    assert!(status.success(), "{shown} failed:\n{said}{told}");
    said + &told
}

/// A command that knows the server, and nothing of whoever runs the tests.
pub fn command(program: &Path, server: &S3Server, home: &Path) -> Command {
    let mut command = Command::new(program);
    let (endpoint, key) = (server.endpoint(), key());
    command
        .env_clear()
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("AWS_ENDPOINT_URL", &endpoint)
        .env("AWS_ACCESS_KEY_ID", &key.id)
        .env("AWS_SECRET_ACCESS_KEY", &key.secret)
        .env("AWS_DEFAULT_REGION", "us-east-1")
        .env("AWS_EC2_METADATA_DISABLED", "true")
        .env("RCLONE_CONFIG", "/dev/null")
        .env("RCLONE_CONFIG_WORLD_TYPE", "s3")
        .env("RCLONE_CONFIG_WORLD_PROVIDER", "Other")
        .env("RCLONE_CONFIG_WORLD_ENDPOINT", &endpoint)
        .env("RCLONE_CONFIG_WORLD_ACCESS_KEY_ID", &key.id)
        .env("RCLONE_CONFIG_WORLD_SECRET_ACCESS_KEY", &key.secret)
        .current_dir(home);
    command
}

/// Runs a case of a script beside this file; answers what it printed.
pub async fn python(script: &str, case: &str, server: &S3Server) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/serve")
        .join(script);
    command_of(&BOTO3.path(), &script, case, server).await
}

/// Runs a case of a script with this Python; answers what it printed.
pub async fn command_of(python: &Path, script: &Path, case: &str, server: &S3Server) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let key = key();
    let mut command = command(python, server, folder.path());
    command
        .arg(script)
        .args([case, &server.endpoint(), &key.id, &key.secret]);
    said(command).await.replace(&server.endpoint(), "ENDPOINT")
}

/// Runs a case of `boto.py`, and compares what it printed.
async fn check(case: &str, expected: Expect) {
    let server = serve(world()).await;
    expected.assert_eq(&python("boto.py", case, &server).await);
    server.stop().await;
}

#[tokio::test]
async fn boto3_sees_what_a_program_sees() {
    needs!(BOTO3);
    check("basics", expect![[r#"
        location: 200 {'Location': '/alpha'}
        west: 200 {'Location': 'http://west.s3.amazonaws.com/'}
        where: 200 {'LocationConstraint': None}
        where: 200 {'LocationConstraint': 'us-west-2'}
        head: 200 {'BucketRegion': 'us-west-2'}
        put: 200 {'ETag': '"5d41402abc4b2a76b9719d911017c592"', 'ChecksumCRC32': 'NhCmhg==', 'ChecksumType': 'FULL_OBJECT', 'ServerSideEncryption': 'AES256'}
        get: 200 {'AcceptRanges': 'bytes', 'LastModified': datetime.datetime(2024, 1, 1, 0, 0, 2, tzinfo=tzutc()), 'ContentLength': 5, 'ETag': '"5d41402abc4b2a76b9719d911017c592"', 'ChecksumCRC32': 'NhCmhg==', 'ChecksumType': 'FULL_OBJECT', 'CacheControl': 'no-cache', 'ContentType': 'text/plain', 'ServerSideEncryption': 'AES256', 'Metadata': {'who': 'me'}, 'Body': b'hello'}
        part: 206 {'AcceptRanges': 'bytes', 'LastModified': datetime.datetime(2024, 1, 1, 0, 0, 2, tzinfo=tzutc()), 'ContentLength': 2, 'ETag': '"5d41402abc4b2a76b9719d911017c592"', 'CacheControl': 'no-cache', 'ContentRange': 'bytes 1-2/5', 'ContentType': 'text/plain', 'ServerSideEncryption': 'AES256', 'Metadata': {'who': 'me'}, 'Body': b'el'}
        head: 200 {'AcceptRanges': 'bytes', 'LastModified': datetime.datetime(2024, 1, 1, 0, 0, 2, tzinfo=tzutc()), 'ContentLength': 5, 'ETag': '"5d41402abc4b2a76b9719d911017c592"', 'CacheControl': 'no-cache', 'ContentType': 'text/plain', 'ServerSideEncryption': 'AES256', 'Metadata': {'who': 'me'}}
        buckets: 200 {'Buckets': [{'Name': 'alpha', 'CreationDate': datetime.datetime(2024, 1, 1, 0, 0, tzinfo=tzlocal())}, {'Name': 'west', 'CreationDate': datetime.datetime(2024, 1, 1, 0, 0, 1, tzinfo=tzlocal())}], 'Owner': {'ID': 'd1a10902a9100000000000000000000000000000000000000000000000000001'}}
        delete: 204 {}
        delete: 204 {}
    "#]]).await;
}

#[tokio::test]
async fn boto3_reads_every_refusal() {
    needs!(BOTO3);
    check("refusals", expect![[r#"
        get: 404 An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist. {'Key': 'nope'}
        head: 404 An error occurred (404) when calling the HeadObject operation: Not Found
        bucket: 404 An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist {'BucketName': 'nope'}
        head: 404 An error occurred (404) when calling the HeadBucket operation: Not Found
        name: 400 An error occurred (InvalidBucketName) when calling the CreateBucket operation: The specified bucket is not valid. {'BucketName': 'Bad_Name'}
        region: 400 An error occurred (IllegalLocationConstraintException) when calling the CreateBucket operation: The unspecified location constraint is incompatible for the region specific endpoint this request was sent to.
        region: 400 An error occurred (IllegalLocationConstraintException) when calling the CreateBucket operation: The us-west-2 location constraint is incompatible for the region specific endpoint this request was sent to.
        region: 200 {'Location': 'http://beta.s3.amazonaws.com/'}
        long: 400 An error occurred (KeyTooLongError) when calling the PutObject operation: Your key is too long {'Size': '1025', 'MaxSizeAllowed': '1024'}
        keys: 400 An error occurred (InvalidArgument) when calling the ListObjectsV2 operation: Provided max-keys not an integer or within integer range {'ArgumentName': 'max-keys', 'ArgumentValue': 'True'}
        keys: 400 An error occurred (InvalidArgument) when calling the ListObjects operation: Argument maxKeys must be an integer between 0 and 2147483647 {'ArgumentName': 'maxKeys', 'ArgumentValue': '-1'}
        token: 400 An error occurred (InvalidArgument) when calling the ListObjectsV2 operation: The continuation token provided is incorrect {'ArgumentName': 'continuation-token', 'ArgumentValue': 'x'}
        empty: 400 An error occurred (MalformedXML) when calling the DeleteObjects operation: The XML you provided was not well-formed or did not validate against our published schema
        many: 400 An error occurred (MalformedXML) when calling the DeleteObjects operation: The XML you provided was not well-formed or did not validate against our published schema
        full: 409 An error occurred (BucketNotEmpty) when calling the DeleteBucket operation: The bucket you tried to delete is not empty {'BucketName': 'alpha'}
        same: 304 An error occurred (304) when calling the GetObject operation: Not Modified
        other: 412 An error occurred (PreconditionFailed) when calling the GetObject operation: At least one of the pre-conditions you specified did not hold {'Condition': 'If-Match'}
        there: 412 An error occurred (PreconditionFailed) when calling the PutObject operation: At least one of the pre-conditions you specified did not hold {'Condition': 'If-None-Match'}
        range: 416 An error occurred (InvalidRange) when calling the GetObject operation: The requested range is not satisfiable {'RangeRequested': 'bytes=9-', 'ActualObjectSize': '1'}
        digest: 400 An error occurred (BadDigest) when calling the PutObject operation: The CRC32 you specified did not match the calculated checksum.
        owner: 403 An error occurred (403) when calling the HeadBucket operation: Forbidden
        versions: 200 {'IsTruncated': False, 'KeyMarker': '', 'VersionIdMarker': '', 'Versions': [{'ETag': '"9dd4e461268c8034f5c8564e155c67a6"', 'ChecksumAlgorithm': ['CRC32'], 'ChecksumType': 'FULL_OBJECT', 'Size': 1, 'StorageClass': 'STANDARD', 'Key': 'k', 'VersionId': 'null', 'IsLatest': True, 'LastModified': datetime.datetime(2024, 1, 1, 0, 0, 2, tzinfo=tzlocal()), 'Owner': {'ID': 'd1a10902a9100000000000000000000000000000000000000000000000000001'}}], 'Name': 'alpha', 'Prefix': '', 'MaxKeys': 1000, 'EncodingType': 'url'}
        policy: 400 An error occurred (MalformedPolicy) when calling the PutBucketPolicy operation: Missing required field Statement
        large: 400 An error occurred (EntityTooLarge) when calling the PutObject operation: Your proposed upload exceeds the maximum allowed size {'ProposedSize': '68157440', 'MaxSizeAllowed': '67108864'}
        left: 200 {'EncodingType': 'url', 'KeyCount': 1}
    "#]]).await;
}

#[tokio::test]
async fn what_clients_ask_for_by_habit_is_answered() {
    needs!(BOTO3);
    check("habits", expect![[r#"
        versioning: 200 {}
        acl: 200 {'Owner': {'ID': 'd1a10902a9100000000000000000000000000000000000000000000000000001'}, 'Grants': [{'Grantee': {'ID': 'd1a10902a9100000000000000000000000000000000000000000000000000001', 'Type': 'CanonicalUser'}, 'Permission': 'FULL_CONTROL'}]}
        acl: 200 {'Owner': {'ID': 'd1a10902a9100000000000000000000000000000000000000000000000000001'}, 'Grants': [{'Grantee': {'ID': 'd1a10902a9100000000000000000000000000000000000000000000000000001', 'Type': 'CanonicalUser'}, 'Permission': 'FULL_CONTROL'}]}
        acl: 404 An error occurred (NoSuchKey) when calling the GetObjectAcl operation: The specified key does not exist. {'Key': 'nope'}
        tags: 404 An error occurred (NoSuchTagSet) when calling the GetBucketTagging operation: The TagSet does not exist {'BucketName': 'alpha'}
        tags: 200 {'TagSet': []}
        policy: 404 An error occurred (NoSuchBucketPolicy) when calling the GetBucketPolicy operation: The bucket policy does not exist {'BucketName': 'alpha'}
        policy: 404 An error occurred (NoSuchBucket) when calling the GetBucketPolicy operation: The specified bucket does not exist {'BucketName': 'nope'}
        encryption: 200 {'ServerSideEncryptionConfiguration': {'Rules': [{'ApplyServerSideEncryptionByDefault': {'SSEAlgorithm': 'AES256'}, 'BucketKeyEnabled': False}]}}
        ownership: 200 {'OwnershipControls': {'Rules': [{'ObjectOwnership': 'BucketOwnerEnforced'}]}}
        cors: 404 An error occurred (NoSuchCORSConfiguration) when calling the GetBucketCors operation: The CORS configuration does not exist {'BucketName': 'alpha'}
        block: 200 {'PublicAccessBlockConfiguration': {'BlockPublicAcls': True, 'IgnorePublicAcls': True, 'BlockPublicPolicy': True, 'RestrictPublicBuckets': True}}
    "#]]).await;
}

#[tokio::test]
async fn keys_stay_what_they_are() {
    needs!(BOTO3);
    check("keys", expect![[r#"
        [' lead', '#?;=', '.', '//', '/x', 'a', 'a b', 'a/', 'a//b', 'a/b', 'copy of  lead', 'copy of #?;=', 'copy of .', 'copy of //', 'copy of /x', 'copy of a', 'copy of a b', 'copy of a/', 'copy of a//b', 'copy of a/b', 'copy of dir/', 'copy of tab\tline\n', 'copy of é +%41&<', 'copy of 日本/🐘', 'dir/', 'tab\tline\n', 'é +%41&<', '日本/🐘']
        ['a', 'a b'] [{'Prefix': 'a/'}]
        [{'Prefix': 'é +%'}]  +% z
        left: 200 {'KeyCount': 0}
    "#]]).await;
}

#[tokio::test]
async fn pages_follow_each_other() {
    needs!(BOTO3);
    let world = world();
    let text = |name: &'static str, text: String| (Name::from(name), Value::Str(text));
    let bucket = || text("Bucket", "alpha".to_owned());
    let put = |operation: &str, arguments: Map| {
        let answer = world.perform(operation, &Value::Map(arguments));
        answer.expect("there is room");
    };
    put("create_bucket", vec![bucket()]);
    for number in 0..2500 {
        put(
            "put_object",
            vec![bucket(), text("Key", format!("k/{number:04}"))],
        );
    }
    let server = serve(world).await;
    expect![[r#"
        list_objects [1000, 1000, 500] True
        list_objects_v2 [1000, 1000, 500] True
        left: 200 {'KeyCount': 0}
    "#]]
    .assert_eq(&python("boto.py", "pages", &server).await);
    server.stop().await;
}

#[tokio::test]
async fn large_files_go_up_and_down_and_are_copied() {
    needs!(BOTO3);
    check("files", expect![[r#"
        the same: True
        20971520 x/y {'who': 'me'}
        the copy: True
        uploads: 200 {'Bucket': 'alpha', 'KeyMarker': '', 'UploadIdMarker': '', 'NextKeyMarker': '', 'NextUploadIdMarker': '', 'MaxUploads': 1000, 'IsTruncated': False}
    "#]]).await;
}

#[tokio::test]
async fn presigned_urls_open_what_they_name() {
    needs!(BOTO3);
    check("url", expect![[r#"
        GET 200 b'hello'
        GET 200 b'hello'
        GET 400 <Code>AuthorizationQueryParametersError</Code><Message>Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.
        GET 403 <Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the signature you provided. Check your key and signing method.
        GET 200 b'hello'
        GET 400 <Code>AuthorizationQueryParametersError</Code><Message>X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds
        GET 400 <Code>AuthorizationQueryParametersError</Code><Message>X-Amz-Expires must be non-negative
        GET 400 <Code>AuthorizationQueryParametersError</Code><Message>X-Amz-Expires should be a number
        GET 403 <Code>AccessDenied</Code><Message>Access Denied
        OPTIONS 400 <Code>BadRequest</Code><Message>Insufficient information. Origin request header needed.
        PUT 200 b''
        put: 200 {'ContentType': 'application/x-www-form-urlencoded', 'Body': b'by URL'}
    "#]]).await;
}

#[tokio::test]
async fn checksums_are_checked() {
    needs!(BOTO3);
    check("checksums", expect![[r#"
        put: 200 {'ETag': '"5d41402abc4b2a76b9719d911017c592"', 'ChecksumCRC32': 'NhCmhg==', 'ChecksumType': 'FULL_OBJECT', 'ServerSideEncryption': 'AES256'}
        put: 200 {'ETag': '"5d41402abc4b2a76b9719d911017c592"', 'ChecksumSHA256': 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=', 'ChecksumType': 'FULL_OBJECT', 'ServerSideEncryption': 'AES256'}
        put: 200 {'ETag': '"5d41402abc4b2a76b9719d911017c592"', 'ChecksumSHA1': 'qvTGHdzF6KLavt4PO0gs2a6pQ00=', 'ChecksumType': 'FULL_OBJECT', 'ServerSideEncryption': 'AES256'}
        put: 200 {'ETag': '"5d41402abc4b2a76b9719d911017c592"', 'ChecksumCRC32C': 'mnG7TA==', 'ChecksumType': 'FULL_OBJECT', 'ServerSideEncryption': 'AES256'}
        put: 400 An error occurred (BadDigest) when calling the PutObject operation: The CRC32C you specified did not match the calculated checksum.
        put: 200 {'ETag': '"5d41402abc4b2a76b9719d911017c592"', 'ChecksumCRC64NVME': 'M3eFcAZSQlc=', 'ChecksumType': 'FULL_OBJECT', 'ServerSideEncryption': 'AES256'}
        put: 400 An error occurred (BadDigest) when calling the PutObject operation: The CRC64NVME you specified did not match the calculated checksum.
        stream: 200 {'ETag': '"606f13738af0ec6803648885295c6915"', 'ChecksumCRC32': 'iqPsDA==', 'ChecksumType': 'FULL_OBJECT', 'ServerSideEncryption': 'AES256'}
        md5: 200 {'ETag': '"5d41402abc4b2a76b9719d911017c592"'}
        md5: 400 An error occurred (BadDigest) when calling the PutObject operation: The Content-MD5 you specified did not match what we received. {'ExpectedDigest': 'XUFAKrxLKna5cZ2REBfFkg==', 'CalculatedDigest': 'eV8yArF8trw9S3cdjGyerw=='}
    "#]]).await;
}

#[tokio::test]
async fn uploads_in_parts_follow_s3s_rules() {
    needs!(BOTO3);
    check("parts", expect![[r#"
        create: 404 An error occurred (NoSuchBucket) when calling the CreateMultipartUpload operation: The specified bucket does not exist {'BucketName': 'nope'}
        [(1, 5242880), (2, 3)] False
        [1] 1 True
        ['k'] True
        number: 400 An error occurred (InvalidArgument) when calling the UploadPart operation: Part number must be an integer between 1 and 10000, inclusive {'ArgumentName': 'partNumber', 'ArgumentValue': '10001'}
        digest: 400 An error occurred (BadDigest) when calling the UploadPart operation: The CRC32 you specified did not match the calculated checksum.
        order: 400 An error occurred (InvalidPartOrder) when calling the CompleteMultipartUpload operation: The list of parts was not in ascending order. Parts must be ordered by part number. {'UploadId': 'APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux'}
        missing: 400 An error occurred (InvalidPart) when calling the CompleteMultipartUpload operation: One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag. {'PartNumber': '3', 'ETag': '7f021a1415b86f2d013b2618fb31ae53', 'UploadId': 'APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux'}
        other: 400 An error occurred (InvalidPart) when calling the CompleteMultipartUpload operation: One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag. {'PartNumber': '1', 'ETag': '7f021a1415b86f2d013b2618fb31ae53', 'UploadId': 'APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux'}
        none: 400 An error occurred (MalformedXML) when calling the CompleteMultipartUpload operation: The XML you provided was not well-formed or did not validate against our published schema
        small: 400 An error occurred (EntityTooSmall) when calling the CompleteMultipartUpload operation: Your proposed upload is smaller than the minimum allowed size {'PartNumber': '1', 'MinSizeAllowed': '5242880', 'ProposedSize': '5', 'ETag': 'eb5c1399a871211c7e7ed732d15e3a8b'}
        done: 200 {'ServerSideEncryption': 'AES256', 'Location': 'ENDPOINT/alpha/k', 'Bucket': 'alpha', 'Key': 'k', 'ETag': '"1f95a52e099ae838e97d33e0956bf137-2"', 'ChecksumCRC64NVME': 'AiNnp/HpNNw=', 'ChecksumType': 'FULL_OBJECT'}
        again: 200 {'ServerSideEncryption': 'AES256', 'Location': 'ENDPOINT/alpha/k', 'Bucket': 'alpha', 'Key': 'k', 'ETag': '"1f95a52e099ae838e97d33e0956bf137-2"', 'ChecksumCRC64NVME': 'AiNnp/HpNNw=', 'ChecksumType': 'FULL_OBJECT'}
        head: 200 {'ContentLength': 5242883, 'ETag': '"1f95a52e099ae838e97d33e0956bf137-2"'}
        abort: 204 {}
        abort: 404 An error occurred (NoSuchUpload) when calling the AbortMultipartUpload operation: The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed. {'UploadId': 'ckKQTGxdE4LDGP0StoZTQR9gTdlszhwxZa4hYq7fqGguQsiivOua31IZ41fwH40L'}
        copied: 200 {'ServerSideEncryption': 'AES256', 'Location': 'ENDPOINT/alpha/k', 'Bucket': 'alpha', 'Key': 'k', 'ETag': '"b61e785deb2c2c636ef22b9c8479f145-1"', 'ChecksumCRC64NVME': '7IgNexLbqUQ=', 'ChecksumType': 'FULL_OBJECT'}
        get: 200 {'Body': b'5555'}
    "#]]).await;
}

#[tokio::test]
async fn buckets_can_be_in_the_host() {
    needs!(BOTO3);
    check(
        "virtual",
        expect![[r#"
        create: 200 {'Location': '/alpha'}
        put: 200 {'ETag': '"9dd4e461268c8034f5c8564e155c67a6"'}
        get: 200 {'Body': b'x'}
        list: 200 {'Name': 'alpha', 'KeyCount': 1}
        http://alpha.localhost:PORT/a/b
    "#]],
    )
    .await;
}

/// Names that have been trouble to some client or server.
const ODD: &[&str] = &[
    "é +%41&<>",
    "日本/🐘.txt",
    "#?;=@:,",
    "[brackets]*/~tilde!",
    "'quotes' \"too\"",
    " lead and trail ",
    "a/b/c/d/e/f",
    "a.b",
    "a-b",
    "..dots..",
    "%2F%2f",
    "a+b c",
];

/// Writes 200 files, from empty to more than one part, all long ago: a client must not
/// take them for newer than what it has sent.
fn fill(folder: &Path) {
    let names = ODD.iter().map(|name| (*name).to_owned());
    let plain = (0..200 - ODD.len()).map(|n| format!("plain/{}/{n:03}.bin", n % 7));
    for (number, name) in names.chain(plain).enumerate() {
        let size = match number {
            20 => (8 << 20) + 1,
            21 => (12 << 20) + 345,
            22 => 8 << 20,
            _ => number * number % 5000,
        };
        let content: Vec<u8> = (0..size).map(|at| (at * 31 + number) as u8).collect();
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, content).expect("a file");
        let file = fs::File::options().write(true).open(&path).expect("a file");
        let then = UNIX_EPOCH + Duration::from_secs(1_500_000_000);
        file.set_modified(then).expect("its time");
    }
}

/// The files of a folder with their contents, by path.
fn content(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let relative = path.strip_prefix(folder).expect("it is inside");
                found.push((relative.to_owned(), fs::read(&path).expect("a file")));
            }
        }
    }
    found.sort();
    found
}

fn assert_same(up: &Path, down: &Path) {
    let (up, down) = (content(up), content(down));
    assert_eq!(up.len(), 200);
    let names =
        |files: &[(PathBuf, Vec<u8>)]| files.iter().map(|f| f.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&up), names(&down));
    let other: Vec<_> = up
        .iter()
        .zip(&down)
        .filter(|(one, other)| one != other)
        .collect();
    assert!(
        other.is_empty(),
        "{} files differ, the first is {:?}",
        other.len(),
        other.first().map(|f| &f.0.0)
    );
}

#[tokio::test]
async fn aws_cli_syncs_a_folder_up_and_down() {
    needs!(AWS);
    let server = serve(system_world()).await;
    let home = tempfile::tempdir().expect("a folder");
    let aws = AWS.path();
    let run = async |words: &str| {
        let mut command = command(&aws, &server, home.path());
        command.args(words.split(' '));
        said(command).await
    };
    fill(&home.path().join("up"));
    run("s3 mb s3://alpha").await;
    let up = run("s3 sync --no-progress up s3://alpha").await;
    assert_eq!(
        up.lines()
            .filter(|line| line.starts_with("upload:"))
            .count(),
        200,
        "{up}"
    );
    assert_eq!(
        run("s3 sync up s3://alpha").await,
        "",
        "nothing has changed"
    );
    run("s3 sync --no-progress s3://alpha down").await;
    assert_same(&home.path().join("up"), &home.path().join("down"));
    assert_eq!(
        run("s3 sync s3://alpha down").await,
        "",
        "nothing has changed"
    );
    let removed = run("s3 rb --force s3://alpha").await;
    assert!(removed.contains("remove_bucket: alpha"), "{removed}");
    assert_eq!(run("s3 ls").await, "");
    server.stop().await;
}

#[tokio::test]
async fn rclone_syncs_a_folder_up_and_down() {
    needs!(RCLONE);
    let server = serve(system_world()).await;
    let home = tempfile::tempdir().expect("a folder");
    let rclone = RCLONE.path();
    let parts = ["--s3-upload-cutoff=8M", "--s3-chunk-size=5M", "--retries=1"];
    let run = async |words: &str| {
        let mut command = command(&rclone, &server, home.path());
        command.args(words.split(' ')).args(parts);
        said(command).await
    };
    fill(&home.path().join("up"));
    run("mkdir world:alpha").await;
    run("sync up world:alpha").await;
    let again = run("sync -v up world:alpha").await;
    assert!(again.contains("There was nothing to transfer"), "{again}");
    let checked = run("check --download up world:alpha").await;
    assert!(checked.contains("0 differences found"), "{checked}");
    run("sync world:alpha down").await;
    assert_same(&home.path().join("up"), &home.path().join("down"));
    let again = run("sync -v world:alpha down").await;
    assert!(again.contains("There was nothing to transfer"), "{again}");
    run("copy world:alpha/plain world:alpha/copied").await;
    run("purge world:alpha").await;
    assert_eq!(run("lsd world:").await, "");
    server.stop().await;
}
