//! Plans that are too long to be read line by line: what is shown of them, and where the lines are.

use crate::cli::chat::chat;
use crate::cli::support::{Home, goal, model};
use expect_test::expect;

const MAKES: &str = "    s3.create_bucket(Bucket=\"archive\")
    for n in range(1200):
        s3.put_object(Bucket=\"archive\", Key=f\"in/2024/{n:04}.txt\", Body=\"x\" * (n % 7 + 1))
    s3.put_object(Bucket=\"archive\", Key=\"in/2023/big\", Body=\"x\" * 5000)";

const MOVES: &str = "    for page in s3.get_paginator(\"list_objects_v2\").paginate(Bucket=\"archive\", Prefix=\"in/2024/\"):
        for o in page[\"Contents\"]:
            s3.copy_object(Bucket=\"archive\", Key=\"out/\" + o[\"Key\"][3:], CopySource={\"Bucket\": \"archive\", \"Key\": o[\"Key\"]})
            s3.delete_object(Bucket=\"archive\", Key=o[\"Key\"])
    s3.delete_object(Bucket=\"archive\", Key=\"in/2023/big\")
    s3.put_bucket_policy(Bucket=\"archive\", Policy='{\"Version\": \"2012-10-17\", \"Statement\": [{\"Effect\": \"Allow\", \"Principal\": \"*\", \"Action\": \"s3:GetObject\", \"Resource\": \"arn:aws:s3:::archive/out/*\"}]}')";

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_long_plan_is_told_by_folders_and_all_its_lines_are_in_a_file() {
    let home = Home::new();
    home.write("policy.toml", "version = 1\n[ceilings]\nwrites = 10000\n");
    let server = model(&[
        &goal(1, "final", MAKES),
        "They are made.",
        &goal(2, "final", MOVES),
        "I moved them.",
    ])
    .await;
    let words = "--world empty --policy policy.toml --session long";
    let output = assert_cmd::Command::from(chat(&home, &server, words))
        .write_stdin("make objects\nyes\nmove in/2024 to out/ in archive\nno\n")
        .output()
        .unwrap();
    let seen = home.seen(&output);
    let from = seen
        .find("The program of goal 2")
        .unwrap_or_else(|| panic!("{seen}"));
    let until = seen[from..]
        .find("  calls")
        .unwrap_or_else(|| panic!("{seen}"));
    let shown = &seen[from..][..until];
    let (_, file) = shown
        .rsplit_once("are in ")
        .unwrap_or_else(|| panic!("{seen}"));
    let name = file.split_whitespace().next().unwrap();
    assert!(name.ends_with("plan-2.tsv"), "{name}");
    expect![[]].assert_eq(&shown.replace(name, "FILE"));
    // Nothing else of the session has the name.
    let found = find(home.path("").as_path(), "plan-2.tsv").expect("the file");
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
