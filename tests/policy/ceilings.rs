//! How much one program may do.

use crate::policy::{call, check, policy};
use dialog2api::domain::s3::S3;
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::{Value, World};
use dialog2api::policy::{Ceiling, Guard};
use expect_test::expect;
use std::fmt::Write;
use std::sync::Arc;

#[test]
fn a_ceiling_is_reached_and_not_passed() {
    check(
        "[ceilings]\nobjects_written = 2\nobjects_deleted = 3\nbuckets_created = 1\n\
         buckets_deleted = 0\nbytes_written = \"10 B\"",
        r#"
            put_object {"Bucket": "a", "Key": "x", "Body": "123456"}
            put_object {"Bucket": "a", "Key": "y", "Body": "12345"}
            put_object {"Bucket": "a", "Key": "y", "Body": "1234"}
            copy_object {"Bucket": "a", "Key": "z", "CopySource": "a/x"}
            get_object {"Bucket": "a", "Key": "x"}
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "1"}, {"Key": "2"}]}}
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "1"}, {"Key": "2"}]}}
            delete_object {"Bucket": "a", "Key": "3"}
            delete_object {"Bucket": "a", "Key": "4"}
            create_bucket {"Bucket": "b"}
            create_bucket {"Bucket": "c"}
            delete_bucket {"Bucket": "b"}
        "#,
        expect![[r#"
            put_object {"Bucket": "a", "Key": "x", "Body": "123456"}
                allowed
            put_object {"Bucket": "a", "Key": "y", "Body": "12345"}
                with this put_object the program would come to 11 B, and the ceiling is bytes_written = 10 B of one program.
            put_object {"Bucket": "a", "Key": "y", "Body": "1234"}
                allowed
            copy_object {"Bucket": "a", "Key": "z", "CopySource": "a/x"}
                with this copy_object the program would come to 3, and the ceiling is objects_written = 2 of one program.
            get_object {"Bucket": "a", "Key": "x"}
                allowed
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "1"}, {"Key": "2"}]}}
                allowed
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "1"}, {"Key": "2"}]}}
                with this delete_objects the program would come to 4, and the ceiling is objects_deleted = 3 of one program.
            delete_object {"Bucket": "a", "Key": "3"}
                allowed
            delete_object {"Bucket": "a", "Key": "4"}
                with this delete_object the program would come to 4, and the ceiling is objects_deleted = 3 of one program.
            create_bucket {"Bucket": "b"}
                allowed
            create_bucket {"Bucket": "c"}
                with this create_bucket the program would come to 2, and the ceiling is buckets_created = 1 of one program.
            delete_bucket {"Bucket": "b"}
                with this delete_bucket the program would come to 1, and the ceiling is buckets_deleted = 0 of one program.
        "#]],
    );
}

#[test]
fn without_ceilings_a_program_goes_on() {
    let calls = r#"put_object {"Bucket": "a", "Key": "x"}"#;
    let calls = format!("{calls}\n").repeat(3);
    check(
        "[ceilings]\nobjects_written = \"unlimited\"",
        &calls,
        expect![[r#"
            put_object {"Bucket": "a", "Key": "x"}
                allowed
            put_object {"Bucket": "a", "Key": "x"}
                allowed
            put_object {"Bucket": "a", "Key": "x"}
                allowed
        "#]],
    );
}

/// What each call counts for, once for each time that it is made. `UPLOAD` has one part of 11 bytes
/// that another program wrote, and `OWN` is begun here.
const TABLE: &str = r#"
    put_object {"Bucket": "zoo", "Key": "n", "Body": "12345"}
    put_object_tagging {"Bucket": "zoo", "Key": "k", "Tagging": {"TagSet": []}}
    copy_object {"Bucket": "zoo", "Key": "c", "CopySource": "zoo/k"}
    copy_object {"Bucket": "zoo", "Key": "c", "CopySource": "zoo/nothing"}
    create_multipart_upload {"Bucket": "zoo", "Key": "m"}
    upload_part {"Bucket": "zoo", "Key": "m", "UploadId": "OWN", "PartNumber": 1, "Body": "123"}
    upload_part_copy {"Bucket": "zoo", "Key": "m", "UploadId": "OWN", "PartNumber": 1, "CopySource": "zoo/k"}
    upload_part_copy {"Bucket": "zoo", "Key": "m", "UploadId": "OWN", "PartNumber": 1, "CopySource": "zoo/k", "CopySourceRange": "bytes=2-5"}
    complete_multipart_upload {"Bucket": "zoo", "Key": "m", "UploadId": "OWN", "MultipartUpload": {"Parts": [{"PartNumber": 1, "ETag": "MADE"}]}}
    complete_multipart_upload {"Bucket": "zoo", "Key": "u", "UploadId": "UPLOAD", "MultipartUpload": {"Parts": [{"PartNumber": 1, "ETag": "TAG"}]}}
    delete_object {"Bucket": "zoo", "Key": "nothing"}
    delete_objects {"Bucket": "zoo", "Delete": {"Objects": [{"Key": "a"}, {"Key": "b"}]}}
    generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "zoo", "Key": "k"}}
    generate_presigned_url {"ClientMethod": "put_object", "Params": {"Bucket": "zoo", "Key": "k"}}
    generate_presigned_url {"ClientMethod": "delete_object", "Params": {"Bucket": "zoo", "Key": "k"}}
    generate_presigned_post {"Bucket": "zoo", "Key": "k"}
    create_bucket {"Bucket": "another"}
    delete_bucket {"Bucket": "another"}
    put_bucket_lifecycle_configuration {"Bucket": "zoo", "LifecycleConfiguration": {"Rules": [{"Status": "Enabled", "Filter": {"Prefix": "a/"}, "Expiration": {"Days": 1}}]}}
    get_object {"Bucket": "zoo", "Key": "k"}
"#;

#[tokio::test]
async fn each_call_counts_for_what_it_writes() {
    let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
    let sent = async |world: &dyn World, line: &str| {
        let (operation, params) = call(line);
        world.call(operation, &params).await.unwrap()
    };
    let told = |answer: &Value, name: &str| answer.get(name).unwrap().as_str().unwrap().to_owned();
    sent(&*world, r#"create_bucket {"Bucket": "zoo"}"#)
        .await
        .unwrap();
    let put = r#"put_object {"Bucket": "zoo", "Key": "k", "Body": "eleven text"}"#;
    sent(&*world, put).await.unwrap();
    let begin = r#"create_multipart_upload {"Bucket": "zoo", "Key": "u"}"#;
    let id = told(&sent(&*world, begin).await.unwrap(), "UploadId");
    let part = r#"upload_part {"Bucket": "zoo", "Key": "u", "UploadId": "UPLOAD", "PartNumber": 1, "Body": "eleven text"}"#;
    let tag = told(
        &sent(&*world, &part.replace("UPLOAD", &id)).await.unwrap(),
        "ETag",
    );
    let guard = Guard::new(world, &S3, Arc::new(policy("")));
    let (mut own, mut own_tag) = (String::new(), String::new());
    let (mut table, mut before) = (String::new(), guard.count());
    for line in TABLE.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let quoted = |tag: &str| tag.replace('"', "\\\"");
        let made = line.replace("UPLOAD", &id).replace("OWN", &own);
        let made = made.replace("\"TAG\"", &format!("\"{}\"", quoted(&tag)));
        let made = made.replace("MADE", &quoted(&own_tag));
        let answer = sent(&guard, &made).await;
        if let Ok(answer) = &answer {
            let copied = answer.get("CopyPartResult").unwrap_or(answer);
            if line.starts_with("create_multipart") {
                own = told(answer, "UploadId");
            } else if line.starts_with("upload_part") {
                own_tag = told(copied, "ETag");
            }
        }
        let count = guard.count().less(before);
        before = guard.count();
        let counts = Ceiling::ALL.map(|it| count.get(it).to_string()).join(" ");
        let refused = answer
            .err()
            .map_or(String::new(), |it| format!(", {}", it.code));
        let _ = writeln!(table, "{counts}{refused}  {line}");
    }
    expect![[r#"
        1 0 5 0 0  put_object {"Bucket": "zoo", "Key": "n", "Body": "12345"}
        1 0 0 0 0  put_object_tagging {"Bucket": "zoo", "Key": "k", "Tagging": {"TagSet": []}}
        1 0 11 0 0  copy_object {"Bucket": "zoo", "Key": "c", "CopySource": "zoo/k"}
        0 0 0 0 0, NoSuchKey  copy_object {"Bucket": "zoo", "Key": "c", "CopySource": "zoo/nothing"}
        0 0 0 0 0  create_multipart_upload {"Bucket": "zoo", "Key": "m"}
        0 0 3 0 0  upload_part {"Bucket": "zoo", "Key": "m", "UploadId": "OWN", "PartNumber": 1, "Body": "123"}
        0 0 11 0 0  upload_part_copy {"Bucket": "zoo", "Key": "m", "UploadId": "OWN", "PartNumber": 1, "CopySource": "zoo/k"}
        0 0 4 0 0  upload_part_copy {"Bucket": "zoo", "Key": "m", "UploadId": "OWN", "PartNumber": 1, "CopySource": "zoo/k", "CopySourceRange": "bytes=2-5"}
        1 0 0 0 0  complete_multipart_upload {"Bucket": "zoo", "Key": "m", "UploadId": "OWN", "MultipartUpload": {"Parts": [{"PartNumber": 1, "ETag": "MADE"}]}}
        1 0 11 0 0  complete_multipart_upload {"Bucket": "zoo", "Key": "u", "UploadId": "UPLOAD", "MultipartUpload": {"Parts": [{"PartNumber": 1, "ETag": "TAG"}]}}
        0 1 0 0 0  delete_object {"Bucket": "zoo", "Key": "nothing"}
        0 2 0 0 0  delete_objects {"Bucket": "zoo", "Delete": {"Objects": [{"Key": "a"}, {"Key": "b"}]}}
        0 0 0 0 0  generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "zoo", "Key": "k"}}
        1 0 0 0 0  generate_presigned_url {"ClientMethod": "put_object", "Params": {"Bucket": "zoo", "Key": "k"}}
        0 1 0 0 0  generate_presigned_url {"ClientMethod": "delete_object", "Params": {"Bucket": "zoo", "Key": "k"}}
        1 0 0 0 0  generate_presigned_post {"Bucket": "zoo", "Key": "k"}
        0 0 0 1 0  create_bucket {"Bucket": "another"}
        0 0 0 0 1  delete_bucket {"Bucket": "another"}
        0 1 0 0 0  put_bucket_lifecycle_configuration {"Bucket": "zoo", "LifecycleConfiguration": {"Rules": [{"Status": "Enabled", "Filter": {"Prefix": "a/"}, "Expiration": {"Days": 1}}]}}
        0 0 0 0 0  get_object {"Bucket": "zoo", "Key": "k"}
    "#]].assert_eq(&table);
}

#[tokio::test]
async fn links_and_copies_come_to_a_ceiling_together() {
    let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
    for line in [
        r#"create_bucket {"Bucket": "zoo"}"#,
        r#"put_object {"Bucket": "zoo", "Key": "k", "Body": "eleven text"}"#,
    ] {
        let (operation, params) = call(line);
        world.call(operation, &params).await.unwrap().unwrap();
    }
    let link = |method: &str| {
        format!(
            r#"generate_presigned_url {{"ClientMethod": "{method}", "Params": {{"Bucket": "zoo", "Key": "k"}}}}"#
        )
    };
    let form = r#"generate_presigned_post {"Bucket": "zoo", "Key": "k"}"#.to_owned();
    let copy = r#"copy_object {"Bucket": "zoo", "Key": "c", "CopySource": "zoo/k"}"#.to_owned();
    let mut said = String::new();
    for (ceilings, line) in [
        ("objects_deleted = 1", link("delete_object")),
        ("objects_written = 2", link("put_object")),
        ("objects_written = 2", form),
        ("bytes_written = \"50B\"", copy),
    ] {
        let guard = Guard::new(
            world.clone(),
            &S3,
            Arc::new(policy(&format!("[ceilings]\n{ceilings}"))),
        );
        let mut allowed = 0;
        for _ in 0..9 {
            let (operation, params) = call(&line);
            let answer = guard.call(operation, &params).await.unwrap();
            allowed += usize::from(!answer.is_err_and(|it| it.code == "AccessDenied"));
        }
        let _ = writeln!(said, "{ceilings}: {allowed} of 9");
    }
    expect![[r#"
        objects_deleted = 1: 1 of 9
        objects_written = 2: 2 of 9
        objects_written = 2: 2 of 9
        bytes_written = "50B": 4 of 9
    "#]]
    .assert_eq(&said);
}
