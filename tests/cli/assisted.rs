//! What a chat does beside running what a model says: it tells what a program did not read,
//! and has a program written again that would end by accident.

use crate::cli::chat::chat;
use crate::cli::support::{Home, goal, model};
use expect_test::expect;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_listing_that_was_not_read_to_its_end_is_said() {
    let home = Home::new();
    let paged = "pages = s3.get_paginator('list_objects_v2').paginate(Bucket='zoo-photos')\n\
                 return sum(len(page['Contents']) for page in pages)";
    let server = model(&[
        &goal(
            1,
            "final",
            "return len(s3.list_objects(Bucket='zoo-photos')['Contents'])",
        ),
        "There are at least 1000 objects.",
        &goal(2, "final", paged),
        "There are 1205 objects.",
        &goal(
            3,
            "final",
            "return len(s3.list_objects(Bucket='zoo-photos', MaxKeys=5)['Contents'])",
        ),
        "Here are 5.",
        &goal(
            4,
            "final",
            "return len(s3.list_objects(Bucket='zoo-photos', MaxKeys=1000)['Contents'])",
        ),
        "There are at least 1000 objects.",
    ])
    .await;
    home.write(
        "script.txt",
        "count zoo-photos\nall of zoo-photos\n5 of zoo-photos\nagain: zoo-photos\n",
    );
    let world = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/datasets/s3-everyday/worlds/zoo.toml"
    );
    home.check(
        chat(
            &home,
            &server,
            &format!("--script script.txt --world {world}"),
        ),
        "",
        expect![[r#"
            Agent: How can I help you?

            You: count zoo-photos

              goal 1  final · TIME
              │ return len(s3.list_objects(Bucket='zoo-photos')['Contents'])
              result   1000

            Agent: There are at least 1000 objects.
            Only the first 1000 objects of "zoo-photos" were read; there are more.

            You: all of zoo-photos

              goal 2  final · TIME
              │ pages = s3.get_paginator('list_objects_v2').paginate(Bucket='zoo-photos')
              │ return sum(len(page['Contents']) for page in pages)
              result   1205

            Agent: There are 1205 objects.

            You: 5 of zoo-photos

              goal 3  final · TIME
              │ return len(s3.list_objects(Bucket='zoo-photos', MaxKeys=5)['Contents'])
              result   5

            Agent: Here are 5.

            You: again: zoo-photos

              goal 4  final · TIME
              │ return len(s3.list_objects(Bucket='zoo-photos', MaxKeys=1000)['Contents'])
              result   1000

            Agent: There are at least 1000 objects.
            Only the first 1000 objects of "zoo-photos" were read; there are more.

            -- exit 0 --
        "#]],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_program_that_would_end_by_accident_is_written_again() {
    let home = Home::new();
    let server = model(&[
        &goal(1, "final", "return s3.list_buckets()['Buckets']"),
        &goal(
            1,
            "final",
            "return [b['Name'] for b in s3.list_buckets()['Buckets']]",
        ),
        "zoology-archive and zoology-bucket.",
        &goal(2, "final", "s3.create_bucket(Bucket='otters')\nreturn b"),
        &goal(2, "final", "s3.create_bucket(Bucket='otters')\nreturn c"),
        "That did not work.",
    ])
    .await;
    home.write("script.txt", "my buckets\nmake otters\n");
    home.check(
        chat(&home, &server, "--script script.txt"),
        "",
        expect![[r#"
            Agent: How can I help you?

            You: my buckets

              goal 1  final · TIME
              │ return [b['Name'] for b in s3.list_buckets()['Buckets']]
              result   ["zoology-archive", "zoology-bucket"]

            Agent: zoology-archive and zoology-bucket.

            You: make otters

              goal 2  final · TIME
              │ s3.create_bucket(Bucket='otters')
              │ return b
              error    NameError (line 2): name 'b' is not defined

            Agent: That did not work.

            -- stderr --
            The program of goal 2 failed: its write is not made.
            -- exit 0 --
        "#]],
    );
}
