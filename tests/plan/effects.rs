//! The effects of writes in a plan.

use crate::plan::lab::{content, plan, signature, world};
use dialog2api::domain::World;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::{Overlay, world as worlds};
use dialog2api::plan::{EffectKind, Keeping};
use expect_test::{Expect, expect};
use std::sync::Arc;

/// What these calls come to, on the world of the lab, which stays as it is.
#[track_caller]
fn check(calls: &str, expected: Expect) {
    check_on(&world(), calls, expected);
}

#[track_caller]
fn check_on(world: &Arc<dyn World>, calls: &str, expected: Expect) {
    let before = signature(&**world);
    let plan = plan(world, calls, Keeping::default());
    assert_eq!(signature(&**world), before, "a draft changes nothing");
    let lines = plan.effects.iter().map(|effect| {
        let sign = match effect.effect {
            EffectKind::Create => "+",
            EffectKind::Overwrite => "~",
            EffectKind::Delete => "-",
        };
        let size = |mark: &Option<dialog2api::domain::Mark>| {
            mark.as_ref()
                .map_or("-".to_owned(), |mark| mark.size.to_string())
        };
        let (before, after) = (size(&effect.before), size(&effect.after));
        let from = effect.copied_from.as_ref();
        let from = from.map_or(String::new(), |place| format!(" from {place}"));
        format!("{sign} {} {before} -> {after}{from}\n", effect.place)
    });
    let writes = plan.writes.len();
    let text: String = lines.collect();
    expected.assert_eq(&format!("{text}{writes} writes"));
}

#[test]
fn reads_are_no_part_of_a_plan() {
    check("get a/x; list a; get a/nothing", expect!["0 writes"]);
}

#[test]
fn what_is_made_written_again_copied_and_deleted_is_told_apart() {
    check(
        "put a/new fresh; put a/x other; copy b/x a/copy; delete a/y; make c; put c/k v",
        expect![[r#"
            + bucket-a/new - -> 5
            ~ bucket-a/x 3 -> 5
            + bucket-a/copy - -> 4 from bucket-b/x
            - bucket-a/y 3 -> -
            + bucket-c/ - -> 0
            + bucket-c/k - -> 1
            6 writes"#]],
    );
}

#[test]
fn what_is_made_and_taken_away_again_has_no_effect() {
    check(
        "put a/t temp; delete a/t; make c; remove c",
        expect!["4 writes"],
    );
}

#[test]
fn a_rename_is_a_copy_and_a_deletion() {
    check(
        "copy a/x a/renamed; delete a/x",
        expect![[r#"
        + bucket-a/renamed - -> 3 from bucket-a/x
        - bucket-a/x 3 -> -
        2 writes"#]],
    );
}

#[test]
fn a_bucket_is_emptied_and_removed() {
    check(
        "delete-all b x; remove b",
        expect![[r#"
        - bucket-b/x 4 -> -
        - bucket-b/ 0 -> -
        2 writes"#]],
    );
}

#[test]
fn refused_writes_are_no_part_of_a_plan() {
    check(
        "remove a; make a; put nowhere/x y; copy a/none a/z",
        expect!["1 writes"],
    );
}

#[test]
fn what_cannot_be_kept_is_said_before() {
    let world = world();
    let keeping = Keeping {
        most_bytes: 4,
        most_bytes_in_all: 6,
    };
    let plan = plan(
        &world,
        "delete a/x; delete a/y; delete a/dir/z; put b/x four",
        keeping,
    );
    let lasting = plan.lasting.iter();
    let lines: Vec<String> = lasting
        .map(|(place, why)| format!("{place}: {why}\n"))
        .collect();
    expect![[r#"
        bucket-a/dir/z: it has 5 bytes, and up to 4 are kept
        bucket-b/x: the plan destroys more than the 6 bytes that are kept
    "#]]
    .assert_eq(&lines.concat());
}

#[test]
fn a_plan_is_json_for_programs() {
    let plan = plan(
        &world(),
        "copy a/x a/renamed; delete a/x; make c",
        Keeping::default(),
    );
    expect![[r#"
        {
          "version": 1,
          "effects": [
            {
              "effect": "create",
              "place": {
                "container": "bucket-a",
                "name": "renamed"
              },
              "after": {
                "tag": "f97c5d29941bfb1b2fdab0874906ab82",
                "size": 3
              },
              "copied_from": {
                "container": "bucket-a",
                "name": "x"
              }
            },
            {
              "effect": "delete",
              "place": {
                "container": "bucket-a",
                "name": "x"
              },
              "before": {
                "tag": "f97c5d29941bfb1b2fdab0874906ab82",
                "size": 3
              },
              "moved": true,
              "back": "comes back from where it went"
            },
            {
              "effect": "create",
              "place": {
                "container": "bucket-c"
              },
              "after": {
                "tag": "bucket",
                "size": 0
              }
            }
          ],
          "totals": {
            "containers_created": 1,
            "containers_deleted": 0,
            "created": 1,
            "overwritten": 0,
            "copied": 1,
            "deleted": 1,
            "settings": 0,
            "shared": 0,
            "bytes_written": 3,
            "bytes_destroyed": 0
          },
          "outcome": {
            "result": null
          },
          "calls": [],
          "cannot_be_undone": []
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&plan.json()).unwrap());
    expect![[r#"
        + bucket-a/
        + bucket-a/dir/z (5 bytes)
        + bucket-a/x (3 bytes)
        + bucket-a/y (3 bytes)
        + bucket-b/
        + bucket-b/x (4 bytes)
    "#]]
    .assert_eq(&content(&*world()));
}

#[test]
fn a_folder_of_any_name_is_a_bucket_for_plans() {
    let folder = tempfile::tempdir().unwrap();
    for bucket in ["bb", "-c", "Up"] {
        std::fs::create_dir(folder.path().join(bucket)).unwrap();
    }
    std::fs::write(folder.path().join("bb/old"), "precious").unwrap();
    std::fs::write(folder.path().join("bb/over"), "before").unwrap();
    let world = worlds::open(&folder.path().display().to_string())
        .unwrap()
        .world;
    let overlay = Overlay::over(world.clone(), Clock::System, "us-east-1");
    let overlay: Arc<dyn World> = Arc::new(overlay);
    for world in [world, overlay] {
        check_on(
            &world,
            "copy bb/over -c/copy; put bb/over now; delete bb/old; put Up/new it; put zz/no it",
            expect![[r#"
                + -c/copy - -> 6 from bb/over
                ~ bb/over 6 -> 3
                - bb/old 8 -> -
                + Up/new - -> 2
                4 writes"#]],
        );
    }
}
