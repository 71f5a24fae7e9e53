//! Programs in the sandbox, held to a policy.

use super::policy;
use crate::support;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::World;
use dialog2api::domain::s3::S3;
use dialog2api::exec::{Limits, Seed};
use dialog2api::policy::Guard;
use expect_test::{Expect, expect};
use std::sync::Arc;

/// Runs a program in the zoology world, and shows its outcome and its calls.
async fn check(text: &str, program: &str, expected: Expect) {
    let world = S3.initial_world("zoology").expect("a world");
    let guarded: Arc<dyn World> = Arc::new(Guard::new(world, &S3, Arc::new(policy(text))));
    let engine = support::sandbox().await;
    let (limits, seed) = (Limits::default(), Seed::default());
    let ran = engine.run(program, &guarded, &limits, &seed).await;
    let ran = ran.expect("the sandbox works");
    let outcome = match &ran.outcome {
        Outcome::Result(json) => format!("result {json}"),
        Outcome::Error(error) => format!("{}: {}", error.error, error.message),
    };
    let calls: Vec<String> = (ran.calls.iter())
        .map(|call| match &call.error {
            Some(code) => format!("{} → {code}", call.operation),
            None => call.operation.clone(),
        })
        .collect();
    expected.assert_eq(&format!("{outcome}\n{}", calls.join(", ")));
}

const SEA: &str = "[[rule]]\nname = \"leave the sea alone\"\neffect = \"deny\"\n\
                   access = [\"delete\"]\nkeys = [\"sea_animals/**\"]";

#[tokio::test]
async fn the_outcome_names_the_rule() {
    check(
        SEA,
        "s3.delete_object(Bucket='zoology-bucket', Key='sea_animals/orca.txt')",
        expect![[r#"
            AccessDenied: An error occurred (AccessDenied) when calling the DeleteObject operation: The policy does not allow this: rule "leave the sea alone" denies delete_object on zoology-bucket/sea_animals/orca.txt.
            delete_object → AccessDenied"#]],
    )
    .await;
}

#[tokio::test]
async fn a_program_can_catch_it_and_go_on() {
    check(
        SEA,
        "from botocore.exceptions import ClientError\n\
         kept = []\n\
         for o in s3.list_objects_v2(Bucket='zoology-bucket')['Contents']:\n    \
             try:\n        \
                 s3.delete_object(Bucket='zoology-bucket', Key=o['Key'])\n    \
             except ClientError as e:\n        \
                 error = e.response['Error']\n        \
                 status = e.response['ResponseMetadata']['HTTPStatusCode']\n        \
                 kept.append([o['Key'], error['Code'], error['Policy'], status])\n\
         return kept",
        expect![[r#"
            result [["sea_animals/dolphin.txt","AccessDenied","rule \"leave the sea alone\"",403],["sea_animals/orca.txt","AccessDenied","rule \"leave the sea alone\"",403],["sea_animals/otter.txt","AccessDenied","rule \"leave the sea alone\"",403],["sea_animals/seahorse.txt","AccessDenied","rule \"leave the sea alone\"",403]]
            list_objects_v2, delete_object, delete_object, delete_object, delete_object, delete_object, delete_object, delete_object → AccessDenied, delete_object → AccessDenied, delete_object → AccessDenied, delete_object → AccessDenied, delete_object"#]],
    )
    .await;
}

#[tokio::test]
async fn the_policy_is_not_within_reach_of_a_program() {
    check(
        "mode = \"read-only\"",
        "import boto3, _host\n\
         tried = []\n\
         for call in [\n    \
             lambda: boto3.client('s3').put_object(Bucket='zoology-bucket', Key='x', Body=b''),\n    \
             lambda: boto3.client('s3').upload_fileobj(__import__('io').BytesIO(b'x'), 'zoology-bucket', 'x'),\n    \
             lambda: s3._make_api_call('DeleteBucket', {'Bucket': 'zoology-bucket'}),\n\
         ]:\n    \
             try:\n        call()\n        tried.append('done')\n    \
             except Exception as e:\n        tried.append(type(e).__name__)\n\
         return tried",
        expect![[r#"
            result ["AccessDenied","AccessDenied","AttributeError"]
            put_object → AccessDenied, put_object → AccessDenied"#]],
    )
    .await;
}

#[tokio::test]
async fn a_ceiling_stops_a_program_that_goes_too_far() {
    check(
        "[ceilings]\nobjects_written = 3\nbytes_written = \"1 KiB\"",
        "for i in range(10):\n    s3.put_object(Bucket='zoology-bucket', Key=str(i), Body=b'x')",
        expect![[r#"
            AccessDenied: An error occurred (AccessDenied) when calling the PutObject operation: The policy does not allow this: with this put_object the program would come to 4, and the ceiling is objects_written = 3 of one program.
            put_object, put_object, put_object, put_object → AccessDenied"#]],
    )
    .await;
    check(
        "[ceilings]\nbytes_written = \"1 KiB\"",
        "s3.put_object(Bucket='zoology-bucket', Key='x', Body=b'x' * 1025)",
        expect![[r#"
            AccessDenied: An error occurred (AccessDenied) when calling the PutObject operation: The policy does not allow this: with this put_object the program would come to 1025 B, and the ceiling is bytes_written = 1 KiB of one program.
            put_object → AccessDenied"#]],
    )
    .await;
}
