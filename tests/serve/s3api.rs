//! `aws s3api`: the commands as people type them.

use super::clients::{command, said};
use crate::serve::support::{serve, world};
use crate::support::tools::{AWS, needs};
use expect_test::{Expect, expect};
use std::collections::BTreeSet;
use std::fs;

/// Runs commands, one a line, and compares what they print. `id := command` keeps what a command
/// prints, which is different in every run, for `$id` in later ones.
async fn check(commands: &str, least: usize, expected: Expect) {
    let server = serve(world()).await;
    let home = tempfile::tempdir().expect("a folder");
    let aws = AWS.path();
    for (name, content) in [
        ("one.txt", "one"),
        ("three.txt", "three"),
        (
            "lifecycle.json",
            r#"{"Rules": [{"ID": "old", "Status": "Enabled", "Filter": {"Prefix": "logs/"}, "Expiration": {"Days": 30}}]}"#,
        ),
        (
            "cors.json",
            r#"{"CORSRules": [{"AllowedMethods": ["GET"], "AllowedOrigins": ["https://example.org"]}]}"#,
        ),
    ] {
        fs::write(home.path().join(name), content).expect("a file");
    }
    let mut text = String::new();
    let mut kept: Vec<(String, String)> = Vec::new();
    let mut operations = BTreeSet::new();
    for line in commands
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let (name, words) = match line.split_once(" := ") {
            Some((name, words)) => (Some(name), words),
            None => (None, line),
        };
        let known = kept.iter();
        let full = known.fold(words.to_owned(), |full, (name, value)| {
            full.replace(&format!("${name}"), value)
        });
        operations.extend(words.split(' ').next());
        let mut command = command(&aws, &server, home.path());
        command
            .args(["s3api", "--output", "json"])
            .args(full.split(' '));
        let answer = said(command).await;
        match name {
            Some(name) => kept.push((name.to_owned(), answer.trim().trim_matches('"').to_owned())),
            None => {
                let json = serde_json::from_str::<serde_json::Value>(&answer);
                let answer = json.map_or(answer, |json| json.to_string());
                text += &format!("{line}\n");
                if !answer.trim().is_empty() {
                    text += &format!("    {}\n", answer.trim());
                }
            }
        }
    }
    expected.assert_eq(&text);
    assert!(operations.len() >= least, "{} operations", operations.len());
    server.stop().await;
}

#[tokio::test]
async fn buckets_and_objects_from_the_command_line() {
    needs!(AWS);
    let commands = "
        create-bucket --bucket alpha
        head-bucket --bucket alpha
        list-buckets --query Buckets[].Name
        get-bucket-location --bucket alpha
        put-object --bucket alpha --key a --body one.txt --content-type text/plain --metadata who=me
        head-object --bucket alpha --key a --query [ContentLength,ContentType,Metadata,ETag]
        get-object --bucket alpha --key a --range bytes=1-2 part.txt --query [ContentLength,ContentRange]
        get-object-attributes --bucket alpha --key a --object-attributes ETag ObjectSize
        copy-object --bucket alpha --key b --copy-source alpha/a --query CopyObjectResult.ETag
        list-objects-v2 --bucket alpha --query Contents[].[Key,Size]
        list-objects --bucket alpha --max-items 1 --query Contents[].Key
        put-object-tagging --bucket alpha --key a --tagging TagSet=[{Key=team,Value=finance}]
        get-object-tagging --bucket alpha --key a
        delete-object-tagging --bucket alpha --key a
        delete-object --bucket alpha --key b
        delete-objects --bucket alpha --delete Objects=[{Key=a},{Key=none}]
        delete-bucket --bucket alpha
        list-buckets --query Buckets
    ";
    check(commands, 16, expect![[r#"
        create-bucket --bucket alpha
            {"Location":"/alpha"}
        head-bucket --bucket alpha
            {"BucketRegion":"us-east-1","AccessPointAlias":false}
        list-buckets --query Buckets[].Name
            ["alpha"]
        get-bucket-location --bucket alpha
            {"LocationConstraint":null}
        put-object --bucket alpha --key a --body one.txt --content-type text/plain --metadata who=me
            {"ETag":"\"f97c5d29941bfb1b2fdab0874906ab82\"","ChecksumCRC32":"emyG8Q==","ChecksumType":"FULL_OBJECT","ServerSideEncryption":"AES256"}
        head-object --bucket alpha --key a --query [ContentLength,ContentType,Metadata,ETag]
            [3,"text/plain",{"who":"me"},"\"f97c5d29941bfb1b2fdab0874906ab82\""]
        get-object --bucket alpha --key a --range bytes=1-2 part.txt --query [ContentLength,ContentRange]
            [2,"bytes 1-2/3"]
        get-object-attributes --bucket alpha --key a --object-attributes ETag ObjectSize
            {"LastModified":"Mon, 01 Jan 2024 00:00:01 GMT","ETag":"f97c5d29941bfb1b2fdab0874906ab82","ObjectSize":3}
        copy-object --bucket alpha --key b --copy-source alpha/a --query CopyObjectResult.ETag
            "\"f97c5d29941bfb1b2fdab0874906ab82\""
        list-objects-v2 --bucket alpha --query Contents[].[Key,Size]
            [["a",3],["b",3]]
        list-objects --bucket alpha --max-items 1 --query Contents[].Key
            ["a"]
        put-object-tagging --bucket alpha --key a --tagging TagSet=[{Key=team,Value=finance}]
        get-object-tagging --bucket alpha --key a
            {"TagSet":[{"Key":"team","Value":"finance"}]}
        delete-object-tagging --bucket alpha --key a
        delete-object --bucket alpha --key b
        delete-objects --bucket alpha --delete Objects=[{Key=a},{Key=none}]
            {"Deleted":[{"Key":"a"},{"Key":"none"}]}
        delete-bucket --bucket alpha
        list-buckets --query Buckets
            []
    "#]]).await;
}

#[tokio::test]
async fn versions_settings_and_uploads_from_the_command_line() {
    needs!(AWS);
    let commands = "
        create-bucket --bucket alpha
        put-bucket-versioning --bucket alpha --versioning-configuration Status=Enabled
        get-bucket-versioning --bucket alpha
        first := put-object --bucket alpha --key a --body one.txt --query VersionId
        put-object --bucket alpha --key a --body three.txt --query ETag
        list-object-versions --bucket alpha --query Versions[].[Key,Size,IsLatest]
        get-object --bucket alpha --key a --version-id $first old.txt --query ContentLength
        marker := delete-object --bucket alpha --key a --query VersionId
        list-object-versions --bucket alpha --query DeleteMarkers[].[Key,IsLatest]
        delete-object --bucket alpha --key a --version-id $marker --query DeleteMarker
        put-bucket-lifecycle-configuration --bucket alpha --lifecycle-configuration file://lifecycle.json --query TransitionDefaultMinimumObjectSize
        get-bucket-lifecycle-configuration --bucket alpha --query Rules
        delete-bucket-lifecycle --bucket alpha
        put-bucket-cors --bucket alpha --cors-configuration file://cors.json
        get-bucket-cors --bucket alpha
        put-bucket-tagging --bucket alpha --tagging TagSet=[{Key=team,Value=finance}]
        get-bucket-tagging --bucket alpha
        get-bucket-encryption --bucket alpha --query ServerSideEncryptionConfiguration.Rules[].ApplyServerSideEncryptionByDefault
        get-public-access-block --bucket alpha
        upload := create-multipart-upload --bucket alpha --key parts --query UploadId
        tag := upload-part --bucket alpha --key parts --part-number 1 --upload-id $upload --body three.txt --query ETag
        list-parts --bucket alpha --key parts --upload-id $upload --query Parts[].[PartNumber,Size]
        list-multipart-uploads --bucket alpha --query Uploads[].Key
        complete-multipart-upload --bucket alpha --key parts --upload-id $upload --multipart-upload Parts=[{PartNumber=1,ETag=35d6d33467aae9a2e3dccb4b6b027878}] --query Key
        other := create-multipart-upload --bucket alpha --key other --query UploadId
        abort-multipart-upload --bucket alpha --key other --upload-id $other
        list-multipart-uploads --bucket alpha --query Uploads
    ";
    check(commands, 18, expect![[r#"
        create-bucket --bucket alpha
            {"Location":"/alpha"}
        put-bucket-versioning --bucket alpha --versioning-configuration Status=Enabled
        get-bucket-versioning --bucket alpha
            {"Status":"Enabled"}
        put-object --bucket alpha --key a --body three.txt --query ETag
            "\"35d6d33467aae9a2e3dccb4b6b027878\""
        list-object-versions --bucket alpha --query Versions[].[Key,Size,IsLatest]
            [["a",5,true],["a",3,false]]
        get-object --bucket alpha --key a --version-id $first old.txt --query ContentLength
            3
        list-object-versions --bucket alpha --query DeleteMarkers[].[Key,IsLatest]
            [["a",true]]
        delete-object --bucket alpha --key a --version-id $marker --query DeleteMarker
            true
        put-bucket-lifecycle-configuration --bucket alpha --lifecycle-configuration file://lifecycle.json --query TransitionDefaultMinimumObjectSize
            "all_storage_classes_128K"
        get-bucket-lifecycle-configuration --bucket alpha --query Rules
            [{"Expiration":{"Days":30},"ID":"old","Filter":{"Prefix":"logs/"},"Status":"Enabled"}]
        delete-bucket-lifecycle --bucket alpha
        put-bucket-cors --bucket alpha --cors-configuration file://cors.json
        get-bucket-cors --bucket alpha
            {"CORSRules":[{"AllowedMethods":["GET"],"AllowedOrigins":["https://example.org"]}]}
        put-bucket-tagging --bucket alpha --tagging TagSet=[{Key=team,Value=finance}]
        get-bucket-tagging --bucket alpha
            {"TagSet":[{"Key":"team","Value":"finance"}]}
        get-bucket-encryption --bucket alpha --query ServerSideEncryptionConfiguration.Rules[].ApplyServerSideEncryptionByDefault
            [{"SSEAlgorithm":"AES256"}]
        get-public-access-block --bucket alpha
            {"PublicAccessBlockConfiguration":{"BlockPublicAcls":true,"IgnorePublicAcls":true,"BlockPublicPolicy":true,"RestrictPublicBuckets":true}}
        list-parts --bucket alpha --key parts --upload-id $upload --query Parts[].[PartNumber,Size]
            [[1,5]]
        list-multipart-uploads --bucket alpha --query Uploads[].Key
            ["parts"]
        complete-multipart-upload --bucket alpha --key parts --upload-id $upload --multipart-upload Parts=[{PartNumber=1,ETag=35d6d33467aae9a2e3dccb4b6b027878}] --query Key
            "parts"
        abort-multipart-upload --bucket alpha --key other --upload-id $other
        list-multipart-uploads --bucket alpha --query Uploads
            null
    "#]]).await;
}
