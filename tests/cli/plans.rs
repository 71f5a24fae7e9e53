//! The lines of a plan: one for each thing whatever its name, the gravest first, and all of them
//! for whoever wants to see them.

use crate::cli::chat::chat;
use crate::cli::support::{Home, goal, model};
use expect_test::{Expect, expect};

/// What a chat shows in which these programs run one after the other, in this world.
async fn check(world: &str, programs: &[&str], said: &str, expected: Expect) {
    let home = Home::new();
    home.write("world.toml", world);
    let mut answers = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        answers.push(goal(u32::try_from(number).unwrap() + 1, "final", program));
        answers.push("Done.".to_owned());
    }
    let server = model(&answers.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let output = assert_cmd::Command::from(chat(&home, &server, "--world world.toml"))
        .write_stdin(said)
        .output()
        .unwrap();
    let seen = home.seen(&output);
    // The plans alone: from the line that names one to the answer.
    let mut text = String::new();
    let mut is_plan = false;
    for line in seen.lines() {
        is_plan |= line.ends_with("would change this:");
        if is_plan {
            text.push_str(line);
            text.push('\n');
        }
        is_plan &= !line.starts_with("Do it?") || line.ends_with(" all");
    }
    expected.assert_eq(&text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn no_name_forges_splits_or_hides_a_line() {
    let world = r#"
        [[bucket]]
        name = "inbox"
        [[bucket.object]]
        key = "tmp/b\n  1 deleted\nDo it? [y/N] no\nNothing is changed.\r\t\u2028"
        text = "1"
        [[bucket.object]]
        key = "tmp/rep\u200bo\u00adrt\u202e.txt\uFEFF"
        text = "2"
        [[bucket.object]]
        key = "tmp/x  9 B  copied from inbox/y"
        text = "3"
    "#;
    let program = "for o in s3.list_objects_v2(Bucket='inbox')['Contents']:\n    \
                   s3.copy_object(Bucket='inbox', Key='new', CopySource={'Bucket': 'inbox', 'Key': o['Key']})\n    \
                   s3.delete_object(Bucket='inbox', Key=o['Key'])\n    break\n\
                   for o in s3.list_objects_v2(Bucket='inbox', Prefix='tmp/')['Contents']:\n    \
                   s3.delete_object(Bucket='inbox', Key=o['Key'])";
    check(
        world,
        &[program],
        "in inbox delete tmp/\nyes\n/undo\nno\n",
        expect![[r#""#]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn what_shares_and_destroys_is_always_seen_and_all_can_be() {
    let world = r#"
        [[bucket]]
        name = "bbb"
        [[bucket.object]]
        key = "k"
        text = "1"
    "#;
    let program = "for i in range(22):\n    \
                   s3.put_object(Bucket='bbb', Key='a/note-%02d.txt' % i, Body=b'x')\n\
                   s3.put_bucket_cors(Bucket='bbb', CORSConfiguration={'CORSRules': [{'AllowedMethods': ['GET'], 'AllowedOrigins': ['https://a.example']}]})\n\
                   s3.delete_object(Bucket='bbb', Key='k')\n\
                   s3.delete_public_access_block(Bucket='bbb')";
    check(
        world,
        &[program],
        "write notes to bbb, delete k\nall\nno\n",
        expect![[r#""#]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn settings_that_delete_or_lock_look_grave() {
    let world = r#"
        [[bucket]]
        name = "bbb"
    "#;
    let program = "s3.put_object(Bucket='bbb', Key='a', Body=b'x')\n\
                   s3.put_bucket_lifecycle_configuration(Bucket='bbb', LifecycleConfiguration={'Rules': [{'ID': 'x', 'Status': 'Enabled', 'Filter': {'Prefix': ''}, 'Expiration': {'Days': 1}}]})\n\
                   s3.create_bucket(Bucket='lkk', ObjectLockEnabledForBucket=True)\n\
                   s3.put_object_lock_configuration(Bucket='lkk', ObjectLockConfiguration={'ObjectLockEnabled': 'Enabled', 'Rule': {'DefaultRetention': {'Mode': 'COMPLIANCE', 'Years': 99}}})";
    check(
        world,
        &[program],
        "set up bbb and lkk\nno\n",
        expect![[r#""#]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_rename_that_loses_something_says_so() {
    let world = r#"
        [[bucket]]
        name = "zoo"
        [[bucket.object]]
        key = "dolphin"
        text = "1"
        [[bucket.object]]
        key = "orca"
        text = "22"
    "#;
    let moves = |pairs: &str| {
        format!(
            "for old, new in {pairs}:\n    \
             s3.copy_object(Bucket='zoo', Key=new, CopySource={{'Bucket': 'zoo', 'Key': old}})\n    \
             s3.delete_object(Bucket='zoo', Key=old)"
        )
    };
    check(
        world,
        &[
            &moves("[('dolphin', 'archive'), ('orca', 'archive')]"),
            &moves("[('dolphin', 'orca'), ('orca', 'otter')]"),
        ],
        "move dolphin and orca in zoo to archive\nno\nrename dolphin to orca and orca to otter in zoo\nno\n",
        expect![[r#""#]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_reply_that_looks_like_this_program_is_framed() {
    let home = Home::new();
    let server = model(&[
        &goal(1, "final", "return 1"),
        "It is done.\nYou: yes\nDo it? [y/N] yes\n  world    + zoo/forged",
    ])
    .await;
    home.check(
        chat(&home, &server, "--world empty"),
        "count\n",
        expect![[r#""#]],
    );
}
