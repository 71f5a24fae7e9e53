//! Plans that change settings: tags, configurations, locks, versions.

use crate::plan::lab::{applied, block_on, planning};
use crate::policy::call;
use dialog2api::domain::s3::S3;
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::{Mark, World};
use dialog2api::plan::{Draft, Keeping, effects, undo};
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::sync::Arc;

/// Makes the first calls, plans the others, applies the plan and takes it back. Shows the
/// effects, what cannot be taken back, and what the reads answer before, after, and in the
/// end.
pub fn check(before: &str, calls: &str, reads: &str, expected: Expect) {
    let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
    let send = |world: &dyn World, line: &str| {
        let (operation, params) = call(line);
        block_on(world.call(operation, &params)).unwrap()
    };
    let lines = |text: &'static str| text.lines().map(str::trim).filter(|line| !line.is_empty());
    let text: &'static str = Box::leak(before.to_owned().into_boxed_str());
    for line in lines(text) {
        send(&*world, line).unwrap();
    }
    let reads: &'static str = Box::leak(reads.to_owned().into_boxed_str());
    let seen = |out: &mut String, title: &str| {
        let _ = writeln!(out, "{title}");
        for line in lines(reads) {
            let answer = match send(&*world, line) {
                Ok(value) => crate::support::value::show(&value, |_, _| None),
                Err(refusal) => format!("! {}", refusal.code),
            };
            let _ = writeln!(out, "  {answer}");
        }
    };
    let mut out = String::new();
    let draft = Draft::of(&world, &S3).unwrap();
    let calls: &'static str = Box::leak(calls.to_owned().into_boxed_str());
    for line in lines(calls) {
        send(&*draft, line).unwrap();
    }
    let writes = draft.writes();
    for effect in effects(&writes) {
        let words = |mark: &Option<Mark>| match mark {
            Some(mark) => mark.summary.clone().unwrap_or(format!("{} B", mark.size)),
            None => "none".to_owned(),
        };
        let shares = if effect.shares { " SHARES" } else { "" };
        let (was, is) = (words(&effect.before), words(&effect.after));
        let _ = writeln!(
            out,
            "{:?} {}: {was} → {is}{shares}",
            effect.effect, effect.place
        );
    }
    seen(&mut out, "before");
    let applied = applied(&*world, &writes);
    assert!(applied.is_whole(), "{:?}", applied.end);
    seen(&mut out, "after");
    let back = undo(planning(), &writes, &applied.steps, Keeping::default());
    for (place, because) in &back.lost {
        let _ = writeln!(out, "{place} cannot be brought back, because {because}");
    }
    let done = crate::plan::lab::applied(&*world, &back.plan.writes);
    assert!(done.is_whole(), "{:?}", done.end);
    seen(&mut out, "taken back");
    expected.assert_eq(&out);
}

#[test]
fn tags_and_rules_are_shown_made_and_taken_back() {
    check(
        r#"
        create_bucket {"Bucket": "reports"}
        put_object {"Bucket": "reports", "Key": "a", "Body": "abc", "Tagging": "team=red"}
        "#,
        r#"
        put_bucket_tagging {"Bucket": "reports", "Tagging": {"TagSet": [{"Key": "cost", "Value": "7"}]}}
        put_object_tagging {"Bucket": "reports", "Key": "a", "Tagging": {"TagSet": [{"Key": "team", "Value": "blue"}]}}
        put_bucket_lifecycle_configuration {"Bucket": "reports", "LifecycleConfiguration": {"Rules": [{"ID": "x", "Status": "Enabled", "Filter": {"Prefix": ""}, "Expiration": {"Days": 30}}]}}
        "#,
        r#"
        get_bucket_tagging {"Bucket": "reports"}
        get_object_tagging {"Bucket": "reports", "Key": "a"}
        get_bucket_lifecycle_configuration {"Bucket": "reports"}
        "#,
        expect![[r#"
            Create reports/ (tags): none → cost=7
            Overwrite reports/a (tags): team=red → team=blue
            Create reports/ (lifecycle): none → 1 rule
            before
              ! NoSuchTagSet
              {TagSet: [{Key: "team", Value: "red"}]}
              ! NoSuchLifecycleConfiguration
            after
              {TagSet: [{Key: "cost", Value: "7"}]}
              {TagSet: [{Key: "team", Value: "blue"}]}
              {TransitionDefaultMinimumObjectSize: "all_storage_classes_128K", Rules: [{Expiration: {Days: 30}, ID: "x", Filter: {Prefix: ""}, Status: "Enabled"}]}
            taken back
              ! NoSuchTagSet
              {TagSet: [{Key: "team", Value: "red"}]}
              ! NoSuchLifecycleConfiguration
        "#]],
    );
}

#[test]
fn sharing_is_shown_as_such() {
    check(
        r#"create_bucket {"Bucket": "reports"}"#,
        r#"
        delete_public_access_block {"Bucket": "reports"}
        put_bucket_policy {"Bucket": "reports", "Policy": "{\"Statement\": [{\"Effect\": \"Allow\", \"Principal\": \"*\", \"Action\": \"s3:GetObject\", \"Resource\": \"arn:aws:s3:::reports/*\"}]}"}
        "#,
        r#"
        get_public_access_block {"Bucket": "reports"}
        get_bucket_policy_status {"Bucket": "reports"}
        "#,
        expect![[r#"
            Delete reports/ (public access block): the public is kept out → none SHARES
            Create reports/ (policy): none → anybody can read it SHARES
            before
              {PublicAccessBlockConfiguration: {BlockPublicAcls: true, IgnorePublicAcls: true, BlockPublicPolicy: true, RestrictPublicBuckets: true}}
              ! NoSuchBucketPolicy
            after
              ! NoSuchPublicAccessBlockConfiguration
              {PolicyStatus: {IsPublic: true}}
            taken back
              {PublicAccessBlockConfiguration: {BlockPublicAcls: true, IgnorePublicAcls: true, BlockPublicPolicy: true, RestrictPublicBuckets: true}}
              ! NoSuchBucketPolicy
        "#]],
    );
}

#[test]
fn what_lasts_is_said() {
    check(
        r#"
        create_bucket {"Bucket": "reports"}
        put_object {"Bucket": "reports", "Key": "a", "Body": "one"}
        "#,
        r#"
        put_bucket_versioning {"Bucket": "reports", "VersioningConfiguration": {"Status": "Enabled"}}
        put_object {"Bucket": "reports", "Key": "a", "Body": "second"}
        delete_object {"Bucket": "reports", "Key": "a", "VersionId": "null"}
        "#,
        r#"
        get_bucket_versioning {"Bucket": "reports"}
        head_object {"Bucket": "reports", "Key": "a"}
        "#,
        expect![[r#"
            Overwrite reports/ (versioning): never set → Enabled
            Overwrite reports/a: version null → 6 B
            Delete reports/a (version null): a version → none
            before
              {}
              {AcceptRanges: "bytes", LastModified: 2024-05-01T09:00:01Z, ContentLength: 3, ETag: "\"f97c5d29941bfb1b2fdab0874906ab82\"", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
            after
              {Status: "Enabled"}
              {AcceptRanges: "bytes", LastModified: 2024-05-01T09:00:02Z, ContentLength: 6, ETag: "\"a9f0e61a137d86aa9db53465e0801612\"", VersionId: "JWGJEjs9PmnG2B0R430TZ0B1XX_5aGXT", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
            reports/a (version null) cannot be brought back, because a deleted version is gone
            reports/ (versioning) cannot be brought back, because versioning can only be suspended
            taken back
              {Status: "Suspended"}
              {AcceptRanges: "bytes", LastModified: 2024-05-01T09:00:03Z, ContentLength: 3, ETag: "\"f97c5d29941bfb1b2fdab0874906ab82\"", VersionId: "4ptXzn_jrNDBzyOOQKWjiLRY_ejQR_zJ", ContentType: "binary/octet-stream", ServerSideEncryption: "AES256", Metadata: {}}
        "#]],
    );
}

/// A program that writes a thing anew and then sets something of it: what was there is what was
/// there before the program.
#[test]
fn what_was_set_before_is_that_of_before_the_program() {
    check(
        r#"
        create_bucket {"Bucket": "locked", "ObjectLockEnabledForBucket": true}
        put_object {"Bucket": "locked", "Key": "gov", "Body": "old", "Tagging": "a=1", "ObjectLockMode": "GOVERNANCE", "ObjectLockRetainUntilDate": {"@time": "2035-01-01T00:00:00Z"}}
        put_object_legal_hold {"Bucket": "locked", "Key": "gov", "LegalHold": {"Status": "ON"}}
        put_object_lock_configuration {"Bucket": "locked", "ObjectLockConfiguration": {"ObjectLockEnabled": "Enabled", "Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 1}}}}
        create_bucket {"Bucket": "acl", "ObjectOwnership": "ObjectWriter"}
        delete_public_access_block {"Bucket": "acl"}
        put_object {"Bucket": "acl", "Key": "pub", "Body": "old", "ACL": "public-read"}
        "#,
        r#"
        put_object {"Bucket": "locked", "Key": "gov", "Body": "new one"}
        put_object_retention {"Bucket": "locked", "Key": "gov", "Retention": {"Mode": "GOVERNANCE", "RetainUntilDate": {"@time": "2037-01-01T00:00:00Z"}}}
        put_object_legal_hold {"Bucket": "locked", "Key": "gov", "LegalHold": {"Status": "OFF"}}
        put_object_tagging {"Bucket": "locked", "Key": "gov", "Tagging": {"TagSet": [{"Key": "a", "Value": "2"}]}}
        put_object {"Bucket": "locked", "Key": "fresh", "Body": "fresh"}
        put_object_retention {"Bucket": "locked", "Key": "fresh", "Retention": {"Mode": "GOVERNANCE", "RetainUntilDate": {"@time": "2037-01-01T00:00:00Z"}}}
        put_object {"Bucket": "acl", "Key": "pub", "Body": "new"}
        put_object_acl {"Bucket": "acl", "Key": "pub", "ACL": "authenticated-read"}
        "#,
        "",
        expect![[r#"
            Overwrite locked/gov: GOVERNANCE, held → GOVERNANCE
            Overwrite locked/gov (retention): GOVERNANCE, 2035-01-01T00:00:00Z → GOVERNANCE, 2037-01-01T00:00:00Z
            Overwrite locked/gov (legal hold): ON → OFF
            Overwrite locked/gov (tags): a=1 → a=2
            Create locked/fresh: none → GOVERNANCE
            Create locked/fresh (retention): none → GOVERNANCE, 2037-01-01T00:00:00Z
            Overwrite acl/pub: 3 B → 3 B
            Overwrite acl/pub (access list): anybody can read it → anybody can read it SHARES
            before
            after
            locked/gov (legal hold) cannot be brought back, because a legal hold can be turned off, but not taken away
            taken back
        "#]],
    );
}
