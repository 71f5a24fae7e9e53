//! Names that are longer than any that S3 has: S3 refuses them, unless the policy denies what they begin
//! with.

use super::{call, policy};
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Answer, Value, World};
use dialog2api::policy::Guard;
use expect_test::{Expect, expect};
use std::sync::Arc;

/// The calls on the zoology world, in which `LONG` stands for 6,000 letters in folders and `HUGE` for
/// more than are judged.
async fn check(text: &str, calls: &str, expected: Expect) {
    let world = S3.initial_world("zoology").expect("a world");
    let guard = Guard::new(world, &S3, Arc::new(policy(text)));
    let mut said = String::new();
    for line in calls.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let whole = line.replace("LONG", &"a/".repeat(3_000));
        let whole = whole.replace("HUGE", &"a/".repeat(500_000));
        let (operation, params) = call(&whole);
        let answer = guard.call(operation, &params).await.expect("an answer");
        said += &format!("{line}\n    {}\n", outcome(answer));
    }
    expected.assert_eq(&said);
}

fn outcome(answer: Answer) -> String {
    match answer {
        Ok(value) => match value.get("Errors").and_then(Value::as_list) {
            Some(errors) => {
                let codes = errors.iter().filter_map(|it| it.get("Code")?.as_str());
                format!("{} errors: {:?}", errors.len(), codes.collect::<Vec<_>>())
            }
            None => "done".to_owned(),
        },
        Err(refusal) => {
            let message: String = refusal.message.chars().take(90).collect();
            format!("{}: {message}", refusal.code)
        }
    }
}

const CALLS: &str = r#"
    put_object {"Bucket": "zoology-bucket", "Key": "LONG", "Body": "x"}
    put_object {"Bucket": "zoology-bucket", "Key": "HUGE", "Body": "x"}
    put_object {"Bucket": "zoology-bucket", "Key": "", "Body": "x"}
    get_object {"Bucket": "zoology-bucket", "Key": "LONG"}
    head_object {"Bucket": "zoology-bucket", "Key": "HUGE"}
    delete_object {"Bucket": "zoology-bucket", "Key": "LONG"}
    copy_object {"Bucket": "zoology-bucket", "Key": "new", "CopySource": "zoology-bucket/LONG"}
    copy_object {"Bucket": "zoology-bucket", "Key": "LONG", "CopySource": "zoology-bucket/LONG"}
    delete_objects {"Bucket": "zoology-bucket", "Delete": {"Objects": [{"Key": "LONG"}, {"Key": "none"}]}}
    put_object_tagging {"Bucket": "zoology-bucket", "Key": "LONG", "Tagging": {"TagSet": []}}
    create_multipart_upload {"Bucket": "zoology-bucket", "Key": "LONG"}
    upload_part {"Bucket": "zoology-bucket", "Key": "LONG", "UploadId": "u", "PartNumber": 1}
    list_objects_v2 {"Bucket": "zoology-bucket", "Prefix": "LONG"}
    put_object {"Bucket": "LONG", "Key": "k"}
    create_bucket {"Bucket": "LONG"}
"#;

#[tokio::test]
async fn s3_refuses_them() {
    check("", CALLS, expect![[r#"
        put_object {"Bucket": "zoology-bucket", "Key": "LONG", "Body": "x"}
            KeyTooLongError: Your key is too long
        put_object {"Bucket": "zoology-bucket", "Key": "HUGE", "Body": "x"}
            KeyTooLongError: Your key is too long
        put_object {"Bucket": "zoology-bucket", "Key": "", "Body": "x"}
            InvalidArgument: Parameter Key must be at least one character long
        get_object {"Bucket": "zoology-bucket", "Key": "LONG"}
            KeyTooLongError: Your key is too long
        head_object {"Bucket": "zoology-bucket", "Key": "HUGE"}
            400: Bad Request
        delete_object {"Bucket": "zoology-bucket", "Key": "LONG"}
            KeyTooLongError: Your key is too long
        copy_object {"Bucket": "zoology-bucket", "Key": "new", "CopySource": "zoology-bucket/LONG"}
            NoSuchKey: The specified key does not exist.
        copy_object {"Bucket": "zoology-bucket", "Key": "LONG", "CopySource": "zoology-bucket/LONG"}
            KeyTooLongError: Your key is too long
        delete_objects {"Bucket": "zoology-bucket", "Delete": {"Objects": [{"Key": "LONG"}, {"Key": "none"}]}}
            1 errors: ["KeyTooLongError"]
        put_object_tagging {"Bucket": "zoology-bucket", "Key": "LONG", "Tagging": {"TagSet": []}}
            KeyTooLongError: Your key is too long
        create_multipart_upload {"Bucket": "zoology-bucket", "Key": "LONG"}
            KeyTooLongError: Your key is too long
        upload_part {"Bucket": "zoology-bucket", "Key": "LONG", "UploadId": "u", "PartNumber": 1}
            KeyTooLongError: Your key is too long
        list_objects_v2 {"Bucket": "zoology-bucket", "Prefix": "LONG"}
            done
        put_object {"Bucket": "LONG", "Key": "k"}
            InvalidBucketName: The specified bucket is not valid.
        create_bucket {"Bucket": "LONG"}
            InvalidBucketName: The specified bucket is not valid.
    "#]]).await;
}

/// The policy is asked first, as it is for every name.
#[tokio::test]
async fn what_they_begin_with_is_denied() {
    let denied = |begin: &str| {
        CALLS
            .lines()
            .filter(|line| line.contains("_object {") && !line.contains("\"\""))
            .map(|line| {
                let line = line.replace("LONG", &format!("{begin}LONG"));
                line.replace("HUGE", &format!("{begin}HUGE")) + "\n"
            })
            .collect::<String>()
    };
    check(
        "protected_paths = [\"zoology-bucket/kept\"]",
        &denied("kept/"),
        expect![[r#"
            put_object {"Bucket": "zoology-bucket", "Key": "kept/LONG", "Body": "x"}
                AccessDenied: The policy does not allow this: protected_paths has "zoology-bucket/kept", which denies pu
            put_object {"Bucket": "zoology-bucket", "Key": "kept/HUGE", "Body": "x"}
                AccessDenied: The policy does not allow this: protected_paths has "zoology-bucket/kept", which denies pu
            get_object {"Bucket": "zoology-bucket", "Key": "kept/LONG"}
                KeyTooLongError: Your key is too long
            head_object {"Bucket": "zoology-bucket", "Key": "kept/HUGE"}
                400: Bad Request
            delete_object {"Bucket": "zoology-bucket", "Key": "kept/LONG"}
                AccessDenied: The policy does not allow this: protected_paths has "zoology-bucket/kept", which denies de
            copy_object {"Bucket": "zoology-bucket", "Key": "new", "CopySource": "zoology-bucket/kept/LONG"}
                NoSuchKey: The specified key does not exist.
            copy_object {"Bucket": "zoology-bucket", "Key": "kept/LONG", "CopySource": "zoology-bucket/kept/LONG"}
                AccessDenied: The policy does not allow this: protected_paths has "zoology-bucket/kept", which denies co
            put_object {"Bucket": "kept/LONG", "Key": "k"}
                InvalidBucketName: The specified bucket is not valid.
        "#]],
    )
    .await;
    let rule = "[[rule]]\nname = \"r\"\neffect = \"deny\"\nkeys = [\"secret/**\"]";
    check(rule, &denied("secret/"), expect![[r#"
        put_object {"Bucket": "zoology-bucket", "Key": "secret/LONG", "Body": "x"}
            AccessDenied: The policy does not allow this: rule "r" denies put_object on zoology-bucket/secret/a/a/a/
        put_object {"Bucket": "zoology-bucket", "Key": "secret/HUGE", "Body": "x"}
            AccessDenied: The policy does not allow this: rule "r" denies put_object on zoology-bucket/secret/a/a/a/
        get_object {"Bucket": "zoology-bucket", "Key": "secret/LONG"}
            AccessDenied: The policy does not allow this: rule "r" denies get_object on zoology-bucket/secret/a/a/a/
        head_object {"Bucket": "zoology-bucket", "Key": "secret/HUGE"}
            AccessDenied: The policy does not allow this: rule "r" denies head_object on zoology-bucket/secret/a/a/a
        delete_object {"Bucket": "zoology-bucket", "Key": "secret/LONG"}
            AccessDenied: The policy does not allow this: rule "r" denies delete_object on zoology-bucket/secret/a/a
        copy_object {"Bucket": "zoology-bucket", "Key": "new", "CopySource": "zoology-bucket/secret/LONG"}
            AccessDenied: The policy does not allow this: rule "r" denies copy_object on zoology-bucket/secret/a/a/a
        copy_object {"Bucket": "zoology-bucket", "Key": "secret/LONG", "CopySource": "zoology-bucket/secret/LONG"}
            AccessDenied: The policy does not allow this: rule "r" denies copy_object on zoology-bucket/secret/a/a/a
        put_object {"Bucket": "secret/LONG", "Key": "k"}
            InvalidBucketName: The specified bucket is not valid.
    "#]]).await;
    // A rule that the whole name does not match denies it only where nobody reads the whole name.
    let rule = "[[rule]]\nname = \"r\"\neffect = \"deny\"\nkeys = [\"**.csv\"]";
    check(rule, &denied(""), expect![[r#"
        put_object {"Bucket": "zoology-bucket", "Key": "LONG", "Body": "x"}
            KeyTooLongError: Your key is too long
        put_object {"Bucket": "zoology-bucket", "Key": "HUGE", "Body": "x"}
            AccessDenied: The policy does not allow this: rule "r" denies put_object on zoology-bucket/a/a/a/a/a/a/a
        get_object {"Bucket": "zoology-bucket", "Key": "LONG"}
            KeyTooLongError: Your key is too long
        head_object {"Bucket": "zoology-bucket", "Key": "HUGE"}
            AccessDenied: The policy does not allow this: rule "r" denies head_object on zoology-bucket/a/a/a/a/a/a/
        delete_object {"Bucket": "zoology-bucket", "Key": "LONG"}
            KeyTooLongError: Your key is too long
        copy_object {"Bucket": "zoology-bucket", "Key": "new", "CopySource": "zoology-bucket/LONG"}
            NoSuchKey: The specified key does not exist.
        copy_object {"Bucket": "zoology-bucket", "Key": "LONG", "CopySource": "zoology-bucket/LONG"}
            KeyTooLongError: Your key is too long
        put_object {"Bucket": "LONG", "Key": "k"}
            InvalidBucketName: The specified bucket is not valid.
    "#]]).await;
    let rule = "[[rule]]\nname = \"r\"\neffect = \"allow\"\nkeys = [\"public/**\", \"new\"]";
    check(rule, &denied("public/"), expect![[r#"
        put_object {"Bucket": "zoology-bucket", "Key": "public/LONG", "Body": "x"}
            KeyTooLongError: Your key is too long
        put_object {"Bucket": "zoology-bucket", "Key": "public/HUGE", "Body": "x"}
            KeyTooLongError: Your key is too long
        get_object {"Bucket": "zoology-bucket", "Key": "public/LONG"}
            KeyTooLongError: Your key is too long
        head_object {"Bucket": "zoology-bucket", "Key": "public/HUGE"}
            400: Bad Request
        delete_object {"Bucket": "zoology-bucket", "Key": "public/LONG"}
            KeyTooLongError: Your key is too long
        copy_object {"Bucket": "zoology-bucket", "Key": "new", "CopySource": "zoology-bucket/public/LONG"}
            NoSuchKey: The specified key does not exist.
        copy_object {"Bucket": "zoology-bucket", "Key": "public/LONG", "CopySource": "zoology-bucket/public/LONG"}
            KeyTooLongError: Your key is too long
        put_object {"Bucket": "public/LONG", "Key": "k"}
            AccessDenied: The policy does not allow this: no rule allows put_object on public/a/a/a/a/a/a/a/a/a/a/a/
    "#]]).await;
    check(rule, &denied("other/"), expect![[r#"
        put_object {"Bucket": "zoology-bucket", "Key": "other/LONG", "Body": "x"}
            AccessDenied: The policy does not allow this: no rule allows put_object on zoology-bucket/other/a/a/a/a/
        put_object {"Bucket": "zoology-bucket", "Key": "other/HUGE", "Body": "x"}
            AccessDenied: The policy does not allow this: no rule allows put_object on zoology-bucket/other/a/a/a/a/
        get_object {"Bucket": "zoology-bucket", "Key": "other/LONG"}
            AccessDenied: The policy does not allow this: no rule allows get_object on zoology-bucket/other/a/a/a/a/
        head_object {"Bucket": "zoology-bucket", "Key": "other/HUGE"}
            AccessDenied: The policy does not allow this: no rule allows head_object on zoology-bucket/other/a/a/a/a
        delete_object {"Bucket": "zoology-bucket", "Key": "other/LONG"}
            AccessDenied: The policy does not allow this: no rule allows delete_object on zoology-bucket/other/a/a/a
        copy_object {"Bucket": "zoology-bucket", "Key": "new", "CopySource": "zoology-bucket/other/LONG"}
            AccessDenied: The policy does not allow this: no rule allows copy_object on zoology-bucket/other/a/a/a/a
        copy_object {"Bucket": "zoology-bucket", "Key": "other/LONG", "CopySource": "zoology-bucket/other/LONG"}
            AccessDenied: The policy does not allow this: no rule allows copy_object on zoology-bucket/other/a/a/a/a
        put_object {"Bucket": "other/LONG", "Key": "k"}
            AccessDenied: The policy does not allow this: no rule allows put_object on other/a/a/a/a/a/a/a/a/a/a/a/a
    "#]]).await;
}
