//! `dataset export` and `dataset import`: dialogues for other programs, and back.

use crate::cli::support::Home;
use expect_test::expect;

const ONE: &str = r#"<conversation uid="one" goal="g" world="zoology">
<turns>
<turn>User: is there a bucket?</turn>
<goal uid="1" status="final">
<program>
return bool(s3.list_buckets()["Buckets"])
</program>
<result>true</result>
<error/>
<signature>0123abcd</signature>
</goal>
<turn>Agent: Yes.</turn>
</turns>
</conversation>
"#;

/// A home with a dataset of three dialogues.
fn home() -> Home {
    let home = Home::new();
    for folder in ["set/train", "set/test", "set/recordings"] {
        std::fs::create_dir_all(home.path(folder)).expect("a folder");
    }
    home.write("set/train/one.xml", ONE);
    home.write("set/train/two.xml", &ONE.replace("\"one\"", "\"two\""));
    home.write("set/test/three.xml", &ONE.replace("\"one\"", "\"three\""));
    home.write("set/recordings/not.xml", "no dialogue");
    home
}

#[test]
fn a_dataset_is_exported_and_imported_again() {
    let home = home();
    home.check(
        home.command("dataset export set -o rows.jsonl"),
        "",
        expect![[r#"
            -- stderr --
            3 lines of 3 dialogues in rows.jsonl
            -- exit 0 --
        "#]],
    );
    home.check(
        home.command("dataset import rows.jsonl copy"),
        "",
        expect![[r#"
            3 dialogues in copy: 3 new
            -- exit 0 --
        "#]],
    );
    assert_eq!(home.read("copy/train/one.xml"), ONE);
    assert!(home.path("copy/test/three.xml").exists());
    home.check(
        home.command("dataset import - copy"),
        &home.read("rows.jsonl"),
        expect![[r#"
            3 dialogues in copy: 3 there already
            -- exit 0 --
        "#]],
    );
}

#[test]
fn other_content_is_replaced_only_by_force_and_then_all_of_it() {
    let home = home();
    let rows = home.command("dataset export set --split train -o rows.jsonl -q");
    home.check(rows, "", expect!["-- exit 0 --\n"]);
    home.check(
        home.command("dataset import rows.jsonl copy -q"),
        "",
        expect!["-- exit 0 --\n"],
    );
    std::fs::remove_file(home.path("copy/train/one.xml")).expect("removed");
    home.write("copy/train/two.xml", "mine");
    home.check(
        home.command("dataset import rows.jsonl copy"),
        "",
        expect![[r#"
            -- stderr --
            error: nothing was written, because other content would be lost: copy/train/two.xml; --force replaces it
            -- exit 2 --
        "#]],
    );
    assert_eq!(home.read("copy/train/two.xml"), "mine");
    assert!(!home.path("copy/train/one.xml").exists());
    home.check(
        home.command("dataset import rows.jsonl copy --force"),
        "",
        expect![[r#"
            2 dialogues in copy: 1 new, 1 replaced
            -- exit 0 --
        "#]],
    );
    let left: Vec<_> = std::fs::read_dir(home.path("copy/train"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(left.len(), 2, "nothing unfinished lies there: {left:?}");
    // What was exported is content as well.
    home.check(
        home.command("dataset export set -o rows.jsonl"),
        "",
        expect![[r#"
            -- stderr --
            error: nothing was written, because other content would be lost: rows.jsonl; --force replaces it
            -- exit 2 --
        "#]],
    );
}

#[test]
fn a_failure_on_the_way_changes_nothing() {
    let home = home();
    let rows = home.command("dataset export set -o rows.jsonl -q");
    home.check(rows, "", expect!["-- exit 0 --\n"]);
    // The folder of the second part cannot be made.
    std::fs::create_dir(home.path("copy")).expect("a folder");
    home.write("copy/train", "a file");
    home.check(
        home.command("dataset import rows.jsonl copy"),
        "",
        expect![[r#"
            -- stderr --
            error: cannot read copy/train/one.xml: Not a directory (os error 20)
            -- exit 1 --
        "#]],
    );
    assert!(!home.path("copy/test/three.xml").exists());
}

#[test]
fn chats_are_of_the_training_dialogues_unless_asked_otherwise() {
    let home = home();
    let lines = |words: &str| {
        let output = home.command(words).output().expect("it starts");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{told}");
        String::from_utf8_lossy(&output.stdout).lines().count()
    };
    assert_eq!(lines("dataset export set --format chat"), 2);
    assert_eq!(lines("dataset export set --format chat --split test"), 1);
    assert_eq!(lines("dataset export set/train/one.xml --format chat"), 1);
    assert_eq!(lines("dataset export set --format trained"), 2);
    assert_eq!(lines("dataset export set"), 3);
    home.check(
        home.command("dataset export set/test --format chat"),
        "",
        expect![[r#"
            -- stderr --
            error: set/test: has no dialogues in a folder train
            -- exit 1 --
        "#]],
    );
    home.check(
        home.command("dataset export set --no-api"),
        "",
        expect![[r#"
            -- stderr --
            error: --no-api is for --format chat: the others have no API document
            -- exit 2 --
        "#]],
    );
}

#[test]
fn what_is_no_dataset_is_said() {
    let home = home();
    home.check(
        home.command("dataset export"),
        "",
        expect![[r#"
            -- stderr --
            error: cannot read datasets/s3: No such file or directory (os error 2)
            -- exit 1 --
        "#]],
    );
    home.write("bad.jsonl", "{}\n");
    home.check(
        home.command("dataset import bad.jsonl copy"),
        "",
        expect![[r#"
            -- stderr --
            error: bad.jsonl: line 1: no row of a dialogue: missing field `dialogue`, column 2
            -- exit 1 --
        "#]],
    );
    home.write(
        "set/test/three.xml",
        &ONE.replace("<turns>\n", "<turns>\n\n"),
    );
    home.check(
        home.command("dataset export set"),
        "",
        expect![[r#"
            -- stderr --
            error: set/test/three.xml: line 3: white space, a comment or an order that rows would not keep; `dialog2api dataset annotate --write` writes it as it should be
            -- exit 1 --
        "#]],
    );
}
