//! What a plan counts as created, hidden, destroyed, kept and shared: every kind of change in
//! buckets that keep versions, that do not any more, and that never did; and of its undo.

use crate::plan::lab::{applied, block_on, planning};
use crate::plan::undo_table::{run, served};
use dialog2api::dialogue::Outcome;
use dialog2api::domain::World;
use dialog2api::domain::s3::S3;
use dialog2api::domain::s3::world::{self, memory};
use dialog2api::plan::{Draft, Keeping, Plan, Totals, undo};
use expect_test::{Expect, expect};
use serde_json::Value as Json;
use std::fmt::Write;
use std::sync::Arc;

/// The world: a bucket of each kind, with `old` of two versions where there are versions, an
/// object that everybody reads, and settings.
const SETUP: [&str; 21] = [
    r#"create_bucket {"Bucket": "nev"}"#,
    r#"create_bucket {"Bucket": "ver"}"#,
    r#"create_bucket {"Bucket": "sus"}"#,
    r#"create_bucket {"Bucket": "acl", "ObjectOwnership": "ObjectWriter"}"#,
    r#"delete_public_access_block {"Bucket": "acl"}"#,
    r#"put_bucket_versioning {"Bucket": "ver", "VersioningConfiguration": {"Status": "Enabled"}}"#,
    r#"put_bucket_versioning {"Bucket": "sus", "VersioningConfiguration": {"Status": "Enabled"}}"#,
    r#"put_object {"Bucket": "nev", "Key": "old", "Body": "22"}"#,
    r#"put_object {"Bucket": "ver", "Key": "old", "Body": "1"}"#,
    r#"put_object {"Bucket": "ver", "Key": "old", "Body": "22"}"#,
    r#"put_object {"Bucket": "sus", "Key": "old", "Body": "1"}"#,
    r#"put_object {"Bucket": "sus", "Key": "old", "Body": "22"}"#,
    r#"put_bucket_versioning {"Bucket": "sus", "VersioningConfiguration": {"Status": "Suspended"}}"#,
    r#"put_object {"Bucket": "sus", "Key": "null", "Body": "22"}"#,
    r#"put_object {"Bucket": "ver", "Key": "gone", "Body": "4444"}"#,
    r#"delete_object {"Bucket": "ver", "Key": "gone"}"#,
    r#"put_object {"Bucket": "acl", "Key": "pub", "Body": "public", "ACL": "public-read"}"#,
    r#"put_object {"Bucket": "acl", "Key": "priv", "Body": "private"}"#,
    r#"put_bucket_notification_configuration {"Bucket": "acl", "NotificationConfiguration": {"EventBridgeConfiguration": {}}}"#,
    r#"put_bucket_policy {"Bucket": "acl", "Policy": "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Sid\":\"a\",\"Effect\":\"Allow\",\"Principal\":{\"AWS\":\"999999999999\"},\"Action\":\"s3:GetObject\",\"Resource\":\"arn:aws:s3:::acl/*\"},{\"Sid\":\"b\",\"Effect\":\"Allow\",\"Principal\":{\"AWS\":\"888888888888\"},\"Action\":\"s3:GetObject\",\"Resource\":\"arn:aws:s3:::acl/*\"}]}"}"#,
    r#"put_bucket_acl {"Bucket": "acl", "ACL": "public-read"}"#,
];

/// The counts that are not zero.
fn counts(totals: Totals) -> String {
    let all = serde_json::to_value(totals).unwrap();
    let all = all.as_object().unwrap().iter();
    let each = all.filter(|(_, count)| count.as_u64() != Some(0));
    let each: Vec<String> = each
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    each.join(", ")
}

/// What the plan of each call counts, and that of its undo.
fn check(calls: &[&str], worlds: &mut dyn FnMut() -> Arc<dyn World>, expected: &Expect) {
    let mut text = String::new();
    for line in calls {
        let world = worlds();
        let draft = Draft::of(&world, &S3).unwrap();
        run(&*draft, &[line]).unwrap_or_else(|why| panic!("{line}: {why}"));
        let nothing = Outcome::Result(Json::Null);
        let keeping = Keeping::default();
        let plan = Plan::new(
            Some(planning()),
            draft.writes(),
            Vec::new(),
            nothing,
            keeping,
        );
        let done = applied(&*world, &plan.writes);
        assert!(done.is_whole(), "{line}: {:?}", done.end);
        let back = undo(planning(), &plan.writes, &done.steps, keeping);
        let back = block_on(back.still(planning(), &*world, keeping)).unwrap();
        let short = line.split("\"Policy\"").next().unwrap_or_default();
        let _ = writeln!(text, "{short}\n    {}", counts(plan.totals()));
        let _ = writeln!(text, "    undo: {}", counts(back.plan.totals()));
    }
    expected.assert_eq(&text);
}

/// In memory, in a folder, and on a server.
fn check_everywhere(calls: &[&str], expected: Expect) {
    let store = memory("empty").unwrap();
    run(&store, &SETUP).unwrap();
    check(calls, &mut || Arc::new(store.fork()), &expected);
    check(calls, &mut || served(Arc::new(store.fork())), &expected);
    let folders = tempfile::tempdir().unwrap();
    let mut number = 0;
    let mut folder = || {
        number += 1;
        let folder = folders.path().join(number.to_string());
        let folder = world::open(&folder.display().to_string()).unwrap().world;
        run(&*folder, &SETUP).unwrap();
        folder
    };
    check(calls, &mut folder, &expected);
}

#[test]
fn contents() {
    check_everywhere(
        &[
            r#"put_object {"Bucket": "nev", "Key": "old", "Body": "333"}"#,
            r#"put_object {"Bucket": "ver", "Key": "old", "Body": "333"}"#,
            r#"put_object {"Bucket": "sus", "Key": "old", "Body": "333"}"#,
            r#"put_object {"Bucket": "sus", "Key": "null", "Body": "333"}"#,
            r#"copy_object {"Bucket": "ver", "Key": "old", "CopySource": "nev/old"}"#,
            r#"delete_object {"Bucket": "nev", "Key": "old"}"#,
            r#"delete_object {"Bucket": "ver", "Key": "old"}"#,
            r#"delete_object {"Bucket": "sus", "Key": "old"}"#,
            r#"delete_object {"Bucket": "sus", "Key": "null"}"#,
            r#"delete_objects {"Bucket": "ver", "Delete": {"Objects": [{"Key": "old"}, {"Key": "nothing"}]}}"#,
            r#"delete_object {"Bucket": "ver", "Key": "nothing"}"#,
            r#"delete_object {"Bucket": "ver", "Key": "old", "VersionId": "{{version ver old 0}}"}"#,
            r#"delete_object {"Bucket": "ver", "Key": "old", "VersionId": "{{version ver old 1}}"}"#,
            r#"delete_object {"Bucket": "ver", "Key": "gone", "VersionId": "{{version ver gone 0}}"}"#,
        ],
        expect![[r#"
            put_object {"Bucket": "nev", "Key": "old", "Body": "333"}
                overwritten 1, bytes_written 3, bytes_destroyed 2
                undo: overwritten 1, bytes_written 2, bytes_destroyed 3
            put_object {"Bucket": "ver", "Key": "old", "Body": "333"}
                overwritten 1, bytes_written 3, bytes_kept 2
                undo: uncovered 1, bytes_destroyed 3
            put_object {"Bucket": "sus", "Key": "old", "Body": "333"}
                overwritten 1, bytes_written 3, bytes_kept 2
                undo: uncovered 1, bytes_destroyed 3
            put_object {"Bucket": "sus", "Key": "null", "Body": "333"}
                overwritten 1, bytes_written 3, bytes_destroyed 2
                undo: overwritten 1, bytes_written 2, bytes_destroyed 3
            copy_object {"Bucket": "ver", "Key": "old", "CopySource": "nev/old"}
                overwritten 1, copied 1, bytes_written 2, bytes_kept 2
                undo: uncovered 1, bytes_destroyed 2
            delete_object {"Bucket": "nev", "Key": "old"}
                deleted 1, bytes_destroyed 2
                undo: created 1, bytes_written 2
            delete_object {"Bucket": "ver", "Key": "old"}
                hidden 1, bytes_kept 2
                undo: uncovered 1
            delete_object {"Bucket": "sus", "Key": "old"}
                hidden 1, bytes_kept 2
                undo: uncovered 1
            delete_object {"Bucket": "sus", "Key": "null"}
                deleted 1, bytes_destroyed 2
                undo: created 1, bytes_written 2
            delete_objects {"Bucket": "ver", "Delete": {"Objects": [{"Key": "old"}, {"Key": "nothing"}]}}
                hidden 1, markers 1, bytes_kept 2
                undo: uncovered 1, versions_deleted 1
            delete_object {"Bucket": "ver", "Key": "nothing"}
                markers 1
                undo: versions_deleted 1
            delete_object {"Bucket": "ver", "Key": "old", "VersionId": "{{version ver old 0}}"}
                uncovered 1, versions_deleted 1, bytes_destroyed 2
                undo: overwritten 1, bytes_written 2, bytes_kept 1
            delete_object {"Bucket": "ver", "Key": "old", "VersionId": "{{version ver old 1}}"}
                versions_deleted 1
                undo: 
            delete_object {"Bucket": "ver", "Key": "gone", "VersionId": "{{version ver gone 0}}"}
                uncovered 1, versions_deleted 1
                undo: hidden 1, bytes_kept 4
        "#]],
    );
}

#[test]
fn shared() {
    let policy = |ids: &str| {
        let each = ids.split(' ').map(|id| format!(r#"{{\"Sid\":\"{}\",\"Effect\":\"Allow\",\"Principal\":{{\"AWS\":\"{id}\"}},\"Action\":\"s3:GetObject\",\"Resource\":\"arn:aws:s3:::acl/*\"}}"#, if id.starts_with('9') { 'a' } else { 'b' }));
        let each: Vec<String> = each.collect();
        format!(
            r#"put_bucket_policy {{"Bucket": "acl", "Policy": "{{\"Version\":\"2012-10-17\",\"Statement\":[{}]}}"}}"#,
            each.join(",")
        )
    };
    let (fewer, another) = (policy("999999999999"), policy("999999999999 777777777777"));
    check_everywhere(
        &[
            r#"put_object_acl {"Bucket": "acl", "Key": "pub", "ACL": "private"}"#,
            r#"put_object_acl {"Bucket": "acl", "Key": "priv", "ACL": "public-read"}"#,
            r#"put_bucket_acl {"Bucket": "acl", "ACL": "private"}"#,
            r#"put_bucket_acl {"Bucket": "acl", "ACL": "public-read-write"}"#,
            r#"put_bucket_notification_configuration {"Bucket": "acl", "NotificationConfiguration": {}}"#,
            r#"put_bucket_notification_configuration {"Bucket": "nev", "NotificationConfiguration": {"EventBridgeConfiguration": {}}}"#,
            &fewer,
            &another,
            r#"delete_bucket_policy {"Bucket": "acl"}"#,
            r#"put_public_access_block {"Bucket": "acl", "PublicAccessBlockConfiguration": {"BlockPublicAcls": true, "IgnorePublicAcls": false, "BlockPublicPolicy": false, "RestrictPublicBuckets": false}}"#,
            r#"put_public_access_block {"Bucket": "nev", "PublicAccessBlockConfiguration": {"BlockPublicAcls": true, "IgnorePublicAcls": false, "BlockPublicPolicy": false, "RestrictPublicBuckets": false}}"#,
            r#"delete_public_access_block {"Bucket": "nev"}"#,
            r#"put_bucket_ownership_controls {"Bucket": "acl", "OwnershipControls": {"Rules": [{"ObjectOwnership": "BucketOwnerPreferred"}]}}"#,
            r#"put_bucket_ownership_controls {"Bucket": "nev", "OwnershipControls": {"Rules": [{"ObjectOwnership": "ObjectWriter"}]}}"#,
        ],
        expect![[r#"
            put_object_acl {"Bucket": "acl", "Key": "pub", "ACL": "private"}
                settings 1
                undo: shared 1
            put_object_acl {"Bucket": "acl", "Key": "priv", "ACL": "public-read"}
                shared 1
                undo: settings 1
            put_bucket_acl {"Bucket": "acl", "ACL": "private"}
                settings 1
                undo: shared 1
            put_bucket_acl {"Bucket": "acl", "ACL": "public-read-write"}
                shared 1
                undo: shared 1
            put_bucket_notification_configuration {"Bucket": "acl", "NotificationConfiguration": {}}
                settings 1
                undo: shared 1
            put_bucket_notification_configuration {"Bucket": "nev", "NotificationConfiguration": {"EventBridgeConfiguration": {}}}
                shared 1
                undo: settings 1
            put_bucket_policy {"Bucket": "acl", 
                settings 1
                undo: shared 1
            put_bucket_policy {"Bucket": "acl", 
                shared 1
                undo: shared 1
            delete_bucket_policy {"Bucket": "acl"}
                settings 1
                undo: shared 1
            put_public_access_block {"Bucket": "acl", "PublicAccessBlockConfiguration": {"BlockPublicAcls": true, "IgnorePublicAcls": false, "BlockPublicPolicy": false, "RestrictPublicBuckets": false}}
                settings 1
                undo: shared 1
            put_public_access_block {"Bucket": "nev", "PublicAccessBlockConfiguration": {"BlockPublicAcls": true, "IgnorePublicAcls": false, "BlockPublicPolicy": false, "RestrictPublicBuckets": false}}
                shared 1
                undo: settings 1
            delete_public_access_block {"Bucket": "nev"}
                shared 1
                undo: settings 1
            put_bucket_ownership_controls {"Bucket": "acl", "OwnershipControls": {"Rules": [{"ObjectOwnership": "BucketOwnerPreferred"}]}}
                settings 1
                undo: settings 1
            put_bucket_ownership_controls {"Bucket": "nev", "OwnershipControls": {"Rules": [{"ObjectOwnership": "ObjectWriter"}]}}
                shared 1
                undo: settings 1
        "#]],
    );
}
