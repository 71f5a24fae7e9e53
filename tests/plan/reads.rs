//! What a program only read, and what of it has changed when its plan is carried out.

use super::lab::{apply, block_on, call_all, end, world};
use crate::policy::call;
use dialog2api::domain::World;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::{AheadLimits, Overlay, S3};
use dialog2api::plan::{Draft, Unrecorded};
use expect_test::expect;
use std::fmt::Write;
use std::sync::Arc;

/// Runs `calls` on a draft; `meanwhile` somebody else makes calls. How the apply ends.
fn outcome(world: &Arc<dyn World>, calls: &str, meanwhile: &str) -> String {
    let draft = Draft::of(world, &S3).unwrap();
    make(&*draft, calls);
    make(&**world, meanwhile);
    let writes = draft.writes();
    let reads = draft.reads();
    let unchecked = reads.unchecked();
    let mut apply = apply(&**world, &writes);
    apply.reads = reads;
    let applied = block_on(apply.run(&mut Unrecorded, &mut |_| ()));
    let end = end(&applied, writes.len());
    match unchecked {
        0 => end,
        many => format!("{end} ({many} not compared)"),
    }
}

/// Makes calls in short, or as `operation {parameters}`.
fn make(world: &dyn World, calls: &str) {
    for line in calls.split("; ") {
        match line.contains('{') {
            true => {
                let (operation, params) = call(line);
                let _ = block_on(world.call(operation, &params)).unwrap();
            }
            false => block_on(call_all(world, line)),
        }
    }
}

const CASES: [(&str, &str); 16] = [
    ("get b/x; delete a/x", ""),
    ("get b/x; delete a/x", "put b/x other"),
    ("get b/x; delete a/x", "delete b/x"),
    ("get b/nothing; delete a/x", "put b/nothing now"),
    ("list a; delete a/x", "put a/y other"),
    ("list a; delete a/x", "delete a/dir/z"),
    // What is new is no reason to stop.
    ("list a; delete a/x", "put a/new more"),
    ("list a/none/; delete a/x", "put a/none/x first"),
    // An apply looks at what the writes depend on by itself.
    ("get a/x; delete a/x", "put a/x other"),
    ("put a/n new; get a/n; list a; delete a/n", ""),
    ("delete a/y; list a/dir/; delete a/x", "put a/dir/z other"),
    (
        r#"get_object_tagging {"Bucket": "bucket-b", "Key": "x"}; delete a/x"#,
        r#"put_object_tagging {"Bucket": "bucket-b", "Key": "x", "Tagging": {"TagSet": [{"Key": "k", "Value": "v"}]}}"#,
    ),
    (
        r#"get_bucket_versioning {"Bucket": "bucket-b"}; delete a/x"#,
        r#"put_bucket_versioning {"Bucket": "bucket-b", "VersioningConfiguration": {"Status": "Enabled"}}"#,
    ),
    (
        "list_buckets {}; delete a/x",
        r#"create_bucket {"Bucket": "bucket-c"}"#,
    ),
    (
        r#"head_object {"Bucket": "bucket-b", "Key": "x"}; make c"#,
        "put b/x other",
    ),
    (
        r#"list_object_versions {"Bucket": "bucket-a", "MaxKeys": 1}; delete b/x"#,
        "put a/y other",
    ),
];

#[test]
fn a_plan_is_not_carried_out_once_what_its_program_read_has_changed() {
    let mut shown = [String::new(), String::new()];
    for (calls, meanwhile) in CASES {
        let near = world();
        let far = world();
        let far: Arc<dyn World> = Arc::new({
            let (region, ahead) = ("us-east-1", AheadLimits::default());
            Overlay::for_program(far, Clock::System, region, ahead)
        });
        for (shown, world) in shown.iter_mut().zip([near, far]) {
            let outcome = outcome(&world, calls, meanwhile);
            writeln!(shown, "{calls} | {meanwhile}\n    {outcome}").unwrap();
        }
    }
    expect![[r#"
        get b/x; delete a/x | 
            all 1 writes are made
        get b/x; delete a/x | put b/x other
            PlanOutdated: Nothing was changed: bucket-b/x, which the program read, has changed since this was planned.
        get b/x; delete a/x | delete b/x
            PlanOutdated: Nothing was changed: bucket-b/x, which the program read, is gone, and was there when this was planned.
        get b/nothing; delete a/x | put b/nothing now
            PlanOutdated: Nothing was changed: bucket-b/nothing, which the program read, is there now, and was not when this was planned.
        list a; delete a/x | put a/y other
            PlanOutdated: Nothing was changed: bucket-a/y, which the program read, has changed since this was planned.
        list a; delete a/x | delete a/dir/z
            PlanOutdated: Nothing was changed: bucket-a/dir/z, which the program read, is gone, and was there when this was planned.
        list a; delete a/x | put a/new more
            all 1 writes are made
        list a/none/; delete a/x | put a/none/x first
            PlanOutdated: Nothing was changed: bucket-a/, which the program read, has changed since this was planned.
        get a/x; delete a/x | put a/x other
            PlanOutdated: Nothing was changed: bucket-a/x has changed since this was planned.
        put a/n new; get a/n; list a; delete a/n | 
            all 2 writes are made
        delete a/y; list a/dir/; delete a/x | put a/dir/z other
            PlanOutdated: Nothing was changed: bucket-a/dir/z, which the program read, has changed since this was planned.
        get_object_tagging {"Bucket": "bucket-b", "Key": "x"}; delete a/x | put_object_tagging {"Bucket": "bucket-b", "Key": "x", "Tagging": {"TagSet": [{"Key": "k", "Value": "v"}]}}
            PlanOutdated: Nothing was changed: bucket-b/x, which the program read, has changed since this was planned.
        get_bucket_versioning {"Bucket": "bucket-b"}; delete a/x | put_bucket_versioning {"Bucket": "bucket-b", "VersioningConfiguration": {"Status": "Enabled"}}
            PlanOutdated: Nothing was changed: bucket-b/, which the program read, has changed since this was planned.
        list_buckets {}; delete a/x | create_bucket {"Bucket": "bucket-c"}
            PlanOutdated: Nothing was changed: what the program listed has changed since this was planned.
        head_object {"Bucket": "bucket-b", "Key": "x"}; make c | put b/x other
            PlanOutdated: Nothing was changed: bucket-b/x, which the program read, has changed since this was planned.
        list_object_versions {"Bucket": "bucket-a", "MaxKeys": 1}; delete b/x | put a/y other
            all 1 writes are made (1 not compared)
    "#]].assert_eq(&shown[0]);
    assert_eq!(shown[0], shown[1]);
}
