//! Effects that the marks of a place do not tell alone: a bucket that is made again, versions that
//! stay hidden, and metadata over the same content.

use crate::plan::lab::block_on;
use crate::policy::call;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::s3::S3;
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::{Mark, World};
use dialog2api::plan::{Draft, Keeping, Plan};
use expect_test::{Expect, expect};
use std::sync::Arc;

async fn run(world: &dyn World, calls: &str) {
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (operation, params) = call(line);
        world.call(operation, &params).await.unwrap().unwrap();
    }
}

/// The effects of calls on a world that other calls have made, with their lines.
#[track_caller]
fn check(made: &str, calls: &str, expected: Expect) {
    let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
    block_on(run(&*world, made));
    let draft = Draft::of(&world, &S3).unwrap();
    block_on(run(&*draft, calls));
    let outcome = Outcome::Result(serde_json::Value::Null);
    let plan = Plan::new(
        S3.effects.planning.as_deref(),
        draft.writes(),
        Vec::new(),
        outcome,
        Keeping::default(),
    );
    let words = |mark: &Option<Mark>| match mark {
        Some(mark) if mark.size > 0 => format!("{} B", mark.size),
        Some(mark) => mark.summary.clone().unwrap_or_else(|| "there".to_owned()),
        None => "none".to_owned(),
    };
    let mut text = String::new();
    for effect in plan.effects.iter() {
        let (before, after) = (words(&effect.before), words(&effect.after));
        text += &format!("{}: {before} → {after}\n", effect.place);
        for line in effect.lines.iter().chain(&effect.warnings) {
            text += &format!("  {line}\n");
        }
    }
    for (place, because) in &plan.lasting {
        text += &format!("{place} cannot be brought back, because {because}\n");
    }
    expected.assert_eq(&text);
}

const SETTINGS: &str = r#"
    create_bucket {"Bucket": "reports"}
    put_bucket_tagging {"Bucket": "reports", "Tagging": {"TagSet": [{"Key": "team", "Value": "x"}]}}
    put_bucket_versioning {"Bucket": "reports", "VersioningConfiguration": {"Status": "Enabled"}}
    delete_public_access_block {"Bucket": "reports"}
"#;

#[test]
fn a_bucket_that_is_deleted_and_made_again_has_the_settings_of_a_new_one() {
    check(
        SETTINGS,
        r#"
        delete_bucket {"Bucket": "reports"}
        create_bucket {"Bucket": "reports"}
        "#,
        expect![[r#"
            reports/: there → there
              it is removed and made again
            reports/ (public access block): none → the public is kept out
            reports/ (versioning): Enabled → never set
            reports/ (tags): team=x → none
        "#]],
    );
}

#[test]
fn the_settings_of_a_deleted_bucket_go_with_it() {
    check(
        SETTINGS,
        r#"delete_bucket {"Bucket": "reports"}"#,
        expect![[r#"
            reports/: there → none
        "#]],
    );
}

#[test]
fn a_bucket_that_gets_its_settings_again_shows_those_that_it_does_not() {
    check(
        SETTINGS,
        r#"
        delete_bucket {"Bucket": "reports"}
        create_bucket {"Bucket": "reports"}
        put_bucket_tagging {"Bucket": "reports", "Tagging": {"TagSet": [{"Key": "team", "Value": "x"}]}}
        put_bucket_versioning {"Bucket": "reports", "VersioningConfiguration": {"Status": "Enabled"}}
        "#,
        expect![[r#"
            reports/: there → there
              it is removed and made again
            reports/ (public access block): none → the public is kept out
        "#]],
    );
}

const VERSIONS: &str = r#"
    create_bucket {"Bucket": "reports"}
    put_bucket_versioning {"Bucket": "reports", "VersioningConfiguration": {"Status": "Enabled"}}
    put_object {"Bucket": "reports", "Key": "a", "Body": "one"}
    put_object {"Bucket": "reports", "Key": "a", "Body": "other"}
"#;

#[test]
fn what_is_made_and_deleted_leaves_its_versions() {
    check(
        VERSIONS,
        r#"
        put_object {"Bucket": "reports", "Key": "new", "Body": "1"}
        delete_object {"Bucket": "reports", "Key": "new"}
        delete_object {"Bucket": "reports", "Key": "absent"}
        "#,
        expect![[r#"
            reports/new: none → none
              it is hidden; one version of it stays
            reports/absent: none → none
              nothing is there, and a delete marker is made
        "#]],
    );
}

/// The id of the oldest version of `VERSIONS`, which is the same each time.
fn oldest() -> String {
    let world = memory("empty").unwrap();
    block_on(run(&world, VERSIONS));
    let (operation, params) = call(r#"list_object_versions {"Bucket": "reports"}"#);
    let listed = block_on(world.call(operation, &params)).unwrap().unwrap();
    let versions = listed.get("Versions").and_then(|it| it.as_list()).unwrap();
    let oldest = versions.last().and_then(|it| it.get("VersionId"));
    oldest.and_then(|it| it.as_str()).unwrap().to_owned()
}

#[test]
fn the_deletion_of_an_old_version_leaves_the_latest_alone() {
    let id = oldest();
    check(
        VERSIONS,
        &format!(r#"delete_object {{"Bucket": "reports", "Key": "a", "VersionId": "{id}"}}"#),
        expect![[r#"
            reports/a (version JWGJEjs9PmnG2B0R430TZ0B1XX_5aGXT): a version → none
            reports/a (version JWGJEjs9PmnG2B0R430TZ0B1XX_5aGXT) cannot be brought back, because a deleted version is gone
        "#]],
    );
}

#[test]
fn other_metadata_over_the_same_content_is_named() {
    check(
        r#"
        create_bucket {"Bucket": "reports"}
        put_object {"Bucket": "reports", "Key": "a", "Body": "one", "Metadata": {"m": "1"}}
        put_object {"Bucket": "reports", "Key": "b", "Body": "two", "Metadata": {"m": "1"}}
        put_object {"Bucket": "reports", "Key": "c", "Body": "six"}
        "#,
        r#"
        put_object {"Bucket": "reports", "Key": "a", "Body": "one", "Metadata": {"m": "2", "n": "3"}, "ContentType": "text/plain"}
        put_object {"Bucket": "reports", "Key": "b", "Body": "two"}
        copy_object {"Bucket": "reports", "Key": "c", "CopySource": "reports/c", "StorageClass": "STANDARD_IA"}
        "#,
        expect![[r#"
            reports/a: 3 B → 3 B
              the content stays, with
              ContentType: text/plain
              Metadata: m=2, n=3
            reports/b: 3 B → 3 B
              the content stays, and has no metadata
            reports/c: 3 B → 3 B
              the content and its metadata stay
              StorageClass: STANDARD_IA
        "#]],
    );
}

#[test]
fn a_redirect_to_another_site_is_shared_and_one_within_the_site_is_not() {
    check(
        r#"create_bucket {"Bucket": "reports"}"#,
        r#"
        put_object {"Bucket": "reports", "Key": "a", "Body": "one", "WebsiteRedirectLocation": "https://elsewhere.example/"}
        put_object {"Bucket": "reports", "Key": "b", "Body": "one", "WebsiteRedirectLocation": "/a"}
        "#,
        expect![[r#"
            reports/a: none → 3 B
              lets others in, or sends something to them: https://elsewhere.example/
            reports/b: none → 3 B
        "#]],
    );
}
