//! A session is bound to its world: another one is refused, and the own one is found again
//! from everywhere.

use crate::journal::chats::{Home, goal, reply, text};
use dialog2api::journal::{Begin, Store};
use expect_test::expect;
use std::fs;

/// A chat in this world in which `new.txt` is put into the bucket `attic`.
fn put(home: &Home, world: &str) {
    let answers = [
        goal(
            1,
            "final",
            "s3.put_object(Bucket='attic', Key='new.txt', Body='fresh')",
        ),
        reply("Done."),
    ];
    let said = home.chat(
        &format!("--session it --world {world}"),
        &answers,
        "put new.txt in attic\nyes\n",
    );
    assert!(said.ends_with("Agent: Done.\n\n-- exit 0 --\n"), "{said}");
}

#[test]
fn a_relative_folder_is_the_same_one_from_another_working_directory() {
    let home = Home::new();
    fs::create_dir_all(home.path("world/attic")).unwrap();
    fs::create_dir_all(home.path("elsewhere/world")).unwrap();
    put(&home, "world");
    let elsewhere = |words: &str| {
        let mut command = home.command(words);
        command.current_dir(home.path("elsewhere"));
        let home = home.path("").canonicalize().unwrap();
        text(&command.output().unwrap()).replace(&home.display().to_string(), "HOME")
    };
    expect![[r#"
        error: the session it is one with the world HOME/world, not HOME/elsewhere/world: name that one with --world, or begin another session
        -- exit 2 --
    "#]].assert_eq(&elsewhere("session undo it --yes --world world"));
    let undone = elsewhere("session undo it --yes");
    assert!(undone.ends_with("Undone.\n-- exit 0 --\n"), "{undone}");
    assert!(!home.path("world/attic/new.txt").exists());
    assert!(!home.path("elsewhere/world/attic").exists());
}

#[test]
fn a_session_follows_its_folder_when_told_where_it_is() {
    let home = Home::new();
    fs::create_dir_all(home.path("world/attic")).unwrap();
    put(&home, "world");
    expect![[r#"
        error: the world of the session it is still at HOME/world: move it first
        -- exit 2 --
    "#]]
    .assert_eq(&home.seen("session move it elsewhere", ""));
    fs::rename(home.path("world"), home.path("elsewhere")).unwrap();
    let gone = expect![[r#"
        error: the world of the session it was HOME/world, and nothing is there: if it was moved, `dialog2api session move it WORLD` takes the session along
        -- exit 2 --
    "#]];
    gone.assert_eq(&home.seen("session undo it --yes", ""));
    gone.assert_eq(&home.seen("session undo it --yes --world elsewhere", ""));
    assert!(!home.path("world").exists(), "no empty world is made");
    expect![[r#"
        error: there is no folder or file nowhere
        -- exit 2 --
    "#]]
    .assert_eq(&home.seen("session move it nowhere", ""));
    expect![[r#"
        The session it goes on in elsewhere.
        -- exit 0 --
    "#]]
    .assert_eq(&home.seen("session move it elsewhere", ""));
    let shown = home.seen("session show it", "");
    assert!(
        shown.contains("the world is now at HOME/elsewhere"),
        "{shown}"
    );
    let undone = home.seen("session undo it --yes", "");
    assert!(undone.ends_with("Undone.\n-- exit 0 --\n"), "{undone}");
    assert!(!home.path("elsewhere/attic/new.txt").exists());
}

#[test]
fn only_a_folder_or_a_file_is_moved() {
    let home = Home::new();
    home.chat("--session it --world zoology", &[], "/world\n");
    expect![[r#"
        error: the world of the session it is not a folder or file that could be moved
        -- exit 2 --
    "#]]
    .assert_eq(&home.seen("session move it zoology", ""));
    let unknown = home.seen("session move other zoology", "");
    assert!(unknown.contains("there is no session other"), "{unknown}");
}

#[test]
fn a_session_of_one_server_is_not_taken_to_another() {
    let home = Home::new();
    let connect = |words: &str| {
        let mut command = home.command(words);
        command
            .env("AWS_ACCESS_KEY_ID", "minioadmin")
            .env("AWS_SECRET_ACCESS_KEY", "minioadmin")
            .env("AWS_REGION", "eu-west-1");
        text(&command.output().unwrap())
    };
    // Nothing is sent: the identity is known when a server is connected.
    let store = Store::at(home.path("state/sessions"));
    let mut begin = Begin::new("s3", "script");
    begin.identity = Some(
        "S3 at http://127.0.0.1:9 in eu-west-1, access key with the fingerprint ad985811".into(),
    );
    drop(store.begin(Some("it"), begin).unwrap());
    let before = store.read("it").unwrap().lines.len();
    let chat = "chat --model replay:none.jsonl --session it";
    home.write(
        "none.jsonl",
        "{\"recording\":\"dialog2api\",\"version\":1}\n",
    );
    expect![[r#"
        error: the session it is one with the world S3 at http://127.0.0.1:9 in eu-west-1, access key with the fingerprint ad985811, not S3 at http://127.0.0.1:10 in eu-west-1, access key with the fingerprint ad985811: reach that one with --endpoint-url, --profile and --region, or begin another session
        -- exit 2 --
    "#]].assert_eq(&connect(&format!("{chat} --endpoint-url http://127.0.0.1:10")));
    let region = connect(&format!(
        "{chat} --endpoint-url http://127.0.0.1:9 --region us-east-1"
    ));
    assert!(
        region.contains("not S3 at http://127.0.0.1:9 in us-east-1"),
        "{region}"
    );
    let embedded = connect(&format!("{chat} --world zoology"));
    assert!(
        embedded.contains("not zoology: name that one with --world"),
        "{embedded}"
    );
    assert_eq!(store.read("it").unwrap().lines.len(), before);
    // The same server is the same world.
    let same = connect(&format!(
        "{chat} --endpoint-url http://127.0.0.1:9/ --quiet"
    ));
    assert!(same.ends_with("-- exit 0 --\n"), "{same}");
}

#[test]
fn a_folder_whose_name_ends_in_toml_keeps_its_writes_itself() {
    let home = Home::new();
    fs::create_dir_all(home.path("x.toml/attic")).unwrap();
    put(&home, "x.toml");
    fs::remove_file(home.path("x.toml/attic/new.txt")).unwrap();
    home.chat("--session it --world x.toml", &[], "/world\n");
    assert!(
        !home.path("x.toml/attic/new.txt").exists(),
        "the write was made a second time"
    );
}

#[test]
fn a_description_of_any_name_is_rebuilt_when_its_session_goes_on() {
    let home = Home::new();
    home.write("description", "[[bucket]]\nname = \"attic\"\n");
    put(&home, "description");
    let seen = home.chat("--session it", &[], "/world\n");
    assert!(seen.contains("5  new.txt"), "{seen}");
    let replayed = home.seen("session replay it", "");
    assert!(
        replayed.contains("1 program, all as in the session"),
        "{replayed}"
    );
}
