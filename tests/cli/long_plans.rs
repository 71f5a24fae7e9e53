//! Plans that are too long to be read line by line: what is shown of them, and where the lines are.

use crate::cli::chat::chat;
use crate::cli::support::{Home, goal, model};
use expect_test::expect;

/// A bucket with 1,200 small objects and a larger one.
fn world() -> String {
    let object = |key: String, size: usize| {
        let text = "x".repeat(size);
        format!("[[bucket.object]]\nkey = '{key}'\ntext = '{text}'\n")
    };
    let small = (0..1_200).map(|number| object(format!("in/2024/{number:04}.txt"), number % 7 + 1));
    let objects = small.chain([object("in/2023/big".to_owned(), 5_000)]);
    let bucket = "[[bucket]]\nname = 'archive'\n".to_owned();
    [bucket].into_iter().chain(objects).collect()
}

const MOVES: &str = "    for page in s3.get_paginator(\"list_objects_v2\").paginate(Bucket=\"archive\", Prefix=\"in/2024/\"):
        for o in page[\"Contents\"]:
            s3.copy_object(Bucket=\"archive\", Key=\"out/\" + o[\"Key\"][3:], CopySource={\"Bucket\": \"archive\", \"Key\": o[\"Key\"]})
            s3.delete_object(Bucket=\"archive\", Key=o[\"Key\"])
    s3.delete_object(Bucket=\"archive\", Key=\"in/2023/big\")
    s3.put_bucket_policy(Bucket=\"archive\", Policy='{\"Version\": \"2012-10-17\", \"Statement\": [{\"Effect\": \"Allow\", \"Principal\": {\"AWS\": \"arn:aws:iam::222222222222:root\"}, \"Action\": \"s3:GetObject\", \"Resource\": \"arn:aws:s3:::archive/out/*\"}]}')";

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_long_plan_is_told_by_folders_and_all_its_lines_are_in_a_file() {
    let home = Home::new();
    home.write(
        "policy.toml",
        "version = 1\n[ceilings]\nobjects_written = 10000\nobjects_deleted = 10000\n",
    );
    home.write("world.toml", &world());
    let server = model(&[&goal(1, "final", MOVES), "It is as you said."]).await;
    let words = "--world world.toml --policy policy.toml --session long";
    let output = assert_cmd::Command::from(chat(&home, &server, words))
        .write_stdin(
            "in archive move in/2024/ to out/, delete in/2023/big, let 222222222222 read out/\nno\n",
        )
        .output()
        .unwrap();
    let seen = home.seen(&output);
    let from = seen
        .find("The program of goal 1")
        .unwrap_or_else(|| panic!("{seen}"));
    let until = seen[from..]
        .find("  calls")
        .unwrap_or_else(|| panic!("{seen}"));
    let shown = &seen[from..][..until];
    let (_, file) = shown
        .rsplit_once("are in ")
        .unwrap_or_else(|| panic!("{seen}"));
    let name = file.split_whitespace().next().unwrap();
    assert!(name.ends_with("plan-1.tsv"), "{name}");
    expect![[r#"
        The program of goal 1 would change this:
          archive/in/2024/   1200 deleted
          archive/out/2024/  1200 created (1200 copied); 4.68 KiB written
          archive/           1 shared
          archive/in/2023/   1 deleted; 4.88 KiB destroyed
          the largest:
          - archive/in/2023/big        4.88 KiB  comes back by our journal
          + archive/out/2024/0006.txt  7 B  copied from archive/in/2024/0006.txt
          - archive/in/2024/0006.txt   7 B  comes back from where it went
          + archive/out/2024/0013.txt  7 B  copied from archive/in/2024/0013.txt
          - archive/in/2024/0013.txt   7 B  comes back from where it went
          what stands out:
          ! archive/ (policy)  none → set, not public
              lets others in, or sends something to them: the account arn:aws:iam::222222222222:root
          all 2402 lines are in FILE
          1200 created, 1201 deleted, 1 shared (1200 copied); 4.68 KiB written; 4.88 KiB destroyed
    "#]]
    .assert_eq(&shown.replace(name, "FILE"));
    // Nothing else of the session has the name.
    let found = find(home.path("").as_path(), "plan-1.tsv").expect("the file");
    let text = std::fs::read_to_string(found).unwrap();
    assert_eq!(text.lines().count(), 1 + 2_402);
    assert!(text.contains("share\tarchive/ (policy)"), "{text}");
}

/// A file of this name below a folder.
fn find(folder: &std::path::Path, name: &str) -> Option<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    entries.flatten().find_map(|entry| match entry.path() {
        path if path.is_dir() => find(&path, name),
        path => path.ends_with(name).then_some(path),
    })
}
