//! The courses that a generated dialogue can take, each made certain by the odds.

use super::replayer;
use dialog2api::dataset::generate::{Generator, Templates};
use dialog2api::domain::s3::S3;
use std::sync::Arc;

const WORLD: &str = r#"
description = "Two buckets."
clock = 2024-05-01T09:00:00Z

[[bucket]]
name = "attic"

[[bucket.object]]
key = "old/a.txt"
text = "one"

[[bucket.object]]
key = "old/b.txt"
text = "two"

[[bucket]]
name = "cellar"
"#;

const TALK: &str = r#"
greeting = ["Hello."]
yes = ["yes"]
no = ["no"]
kept = ["Kept."]
drop = ["drop it"]
dropped = ["Dropped."]
repair = ["i meant {{ value }}"]
before = []
after = []
joins = [" and "]
there = ["in there"]

[errors]
NoSuchBucket = ["There is no {{ wrong }}."]
NoSuchKey = ["It is gone."]

[kinds]
plain = 1

[words]

[slot.bucket]
value = "'attic'"
ask = ["Which bucket?"]
answer = ["{{ bucket }}"]
"#;

const MOVE: &str = r#"
[[goal]]
id = "move"
kind = "plain"
say = ["move {{ key }}"]
program = ['''
free = str(s3.list_objects_v2(Bucket="cellar")["KeyCount"])
s3.copy_object(Bucket="cellar", CopySource={"Bucket": {{ bucket }}, "Key": {{ key }}}, Key={{ under or '""' }} + {{ key }} + free)
{% if not copied %}
s3.delete_object(Bucket={{ bucket }}, Key={{ key }})
{% endif %}
''']
confirm = ["Move {{ key }}{{ ' to ' ~ under if under }}?"]
reply = ["{{ 'Copied' if copied else 'Moved' }}."]
slot = [
  { name = "bucket", like = "bucket" },
  { name = "key", value = "'old/a.txt'" },
  { name = "under", option = true, value = "'new/'", beside = ["put it under {{ under }}"] },
  { name = "copied", option = true, harmless = true, value = "'copied'", revise = ["copy it only"] },
]
[[goal.look]]
say = ["what is there?"]
program = 'return [obj["Key"] for obj in s3.list_objects_v2(Bucket={{ bucket }})["Contents"]]'
reply = ["{{ result | join(', ') }}."]
[[goal.detour]]
say = ["tidy up"]
raises = "AmbiguousRequestError"
reply = ["What shall I do?"]
then = ["move {{ key }}, i mean"]
"#;

/// The turns after the greeting of generated dialogues. All odds but these are 0.
async fn said(goals: &str, odds: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let generator = folder.path().join("generator");
    std::fs::create_dir_all(generator.join("goals")).expect("a folder");
    let none = "wrong repair follow_up missing aside revise drop any_order refuse change polite typo lower end";
    let named = |odd: &&str| !odds.contains(&format!("{odd} ="));
    let none: Vec<String> = none
        .split(' ')
        .filter(named)
        .map(|odd| format!("{odd} = 0\n"))
        .collect();
    let (head, slots) = TALK.split_once("[kinds]").expect("kinds");
    let talk = format!("{head}[odds]\n{}{odds}\n[kinds]{slots}", none.concat());
    for (file, text) in [
        ("world.toml.j2", WORLD),
        ("talk.toml", &talk),
        ("goals/all.toml", goals),
    ] {
        std::fs::write(generator.join(file), text).expect("a file");
    }
    let templates = Templates::read(folder.path()).expect("templates");
    let generator = Arc::new(Generator::new(templates, &[], replayer().await, &S3));
    let generated = generator.generate(1, 1, |_| ()).await.expect("a dialogue");
    let (_, text) = (generated.files.iter())
        .find(|(path, _)| path.starts_with("train"))
        .expect("a dialogue");
    let turns = text.lines().filter_map(|line| line.strip_prefix("<turn>"));
    let said = turns.map(|turn| turn.trim_end_matches("</turn>").to_owned());
    said.skip(1).collect()
}

#[tokio::test]
async fn an_option_is_said_beside_an_answer() {
    let said = said(MOVE, "missing = 100\noption = 100").await;
    assert_eq!(
        said[..6],
        [
            "User: move old/a.txt",
            "Agent: Which bucket?",
            "User: attic and put it under new/",
            "Agent: Move old/a.txt to new/?",
            "User: copy it only",
            "Agent: Copied.",
        ]
    );
}

#[tokio::test]
async fn a_user_looks_before_they_agree() {
    let said = said(MOVE, "missing = 100\nlook = 100").await;
    assert_eq!(
        said[2..8],
        [
            "User: attic",
            "Agent: Move old/a.txt?",
            "User: what is there?",
            "Agent: old/a.txt, old/b.txt. Move old/a.txt?",
            "User: yes",
            "Agent: Moved.",
        ]
    );
}

#[tokio::test]
async fn a_user_who_always_changes_a_value_comes_to_an_end() {
    let goal = MOVE.replace(
        "value = \"'old/a.txt'\"",
        "value = \"'old/a.txt'\", other = \"'old/b.txt' if key == 'old/a.txt' else 'old/a.txt'\", \
         revise = [\"no, {{ key }}\"]",
    );
    let said = said(&goal, "missing = 100\nrevise = 100").await;
    assert_eq!(
        said[..9],
        [
            "User: move old/a.txt",
            "Agent: Which bucket?",
            "User: no, old/b.txt",
            "Agent: Which bucket?",
            "User: no, old/a.txt",
            "Agent: Which bucket?",
            "User: no, old/b.txt",
            "Agent: Which bucket?",
            "User: attic",
        ]
    );
}

#[tokio::test]
async fn a_detour_leads_to_the_request() {
    let said = said(MOVE, "detour = 100\nmissing = 100").await;
    assert_eq!(
        said[..4],
        [
            "User: tidy up",
            "Agent: What shall I do?",
            "User: move old/a.txt, i mean",
            "Agent: Which bucket?",
        ]
    );
}

const COUNT: &str = r#"
[[goal]]
id = "count"
kind = "plain"
say = ["count {{ bucket }}", "count the files"]
program = ['return len(s3.list_objects_v2(Bucket={{ bucket }}{% if prefix %}, Prefix={{ prefix }}{% endif %})["Contents"])']
reply = ["{{ result }}{{ ' under ' ~ prefix if prefix }}."]
slot = [
  { name = "bucket", like = "bucket", wrong = "it ~ 's'" },
  { name = "prefix", option = true, value = "'old/'", beside = ["only {{ prefix }}"], again = ["now only {{ prefix }}"] },
]
[[goal]]
id = "names"
kind = "plain"
finds = "bucket"
say = ["what are they called?"]
program = ['return [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]]']
reply = ["They are:\n{{ result | bullets }}"]
"#;

#[tokio::test]
async fn the_same_is_asked_again_with_an_option() {
    let said = said(COUNT, "again = 100").await;
    assert_eq!(
        said[..4],
        [
            "User: count attic",
            "Agent: 2.",
            "User: now only old/",
            "Agent: 2 under old/."
        ]
    );
}

#[tokio::test]
async fn a_value_is_found_before_it_is_said() {
    let said = said(COUNT, "missing = 100\nfind = 100").await;
    assert_eq!(
        said[..4],
        [
            "User: count the files",
            "Agent: Which bucket?",
            "User: what are they called?",
            "Agent: They are:",
        ]
    );
}

#[tokio::test]
async fn an_error_names_what_was_wrong() {
    let said = said(COUNT, "wrong = 100\nrepair = 100\noption = 100").await;
    assert_eq!(
        said[..4],
        [
            "User: count attics",
            "Agent: There is no attics.",
            "User: i meant attic and only old/",
            "Agent: 2 under old/.",
        ]
    );
}
