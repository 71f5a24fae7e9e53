//! A session is bound to its world: another one is refused, and the own one is found again
//! from everywhere.

use crate::journal::chats::{Home, goal, reply, text};
use crate::plan::lab::block_on;
use dialog2api::domain::{Domain, NamedWorld, Opened, Opening, WorldKind};
use dialog2api::exec::Cache;
use dialog2api::folder;
use dialog2api::journal::{Begin, SessionStore};
use dialog2api::service::{Start, StoredSession, own_world};
use expect_test::expect;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::Arc;

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
    let store = SessionStore::at(home.path("state/sessions"));
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

/// A home with a bucket in a folder, and two folders of the same name.
fn with_folders() -> Home {
    let home = Home::new();
    for folder in ["world/album", "a/photos", "b/photos"] {
        fs::create_dir_all(home.path(folder)).unwrap();
    }
    home.write("world/album/new.txt", "fresh");
    home
}

/// A chat with the folder `a/photos`, in which one program runs.
fn with_photos(home: &Home, words: &str, program: &str, said: &str) {
    let answers = [goal(1, "final", program), reply("Done.")];
    let words = format!("--session it --files a/photos:rw {words}");
    let said = home.chat(&words, &answers, &format!("{said}\nyes\n"));
    assert!(said.ends_with("Agent: Done.\n\n-- exit 0 --\n"), "{said}");
}

#[test]
fn a_download_is_taken_back_in_its_own_folder_alone() {
    let home = with_folders();
    with_photos(
        &home,
        "--world world",
        "s3.download_file('album', 'new.txt', 'a/photos/new.txt')",
        "download new.txt from album to a/photos/new.txt",
    );
    let (own, other) = (home.path("a/photos/new.txt"), home.path("b/photos/new.txt"));
    let store = SessionStore::at(home.path("state/sessions"));
    let plan = store.read("it").unwrap().state.plans.remove(0).planned;
    let params = plan.writes[0].params.json().unwrap();
    let named = params["Filename"].as_str();
    assert_eq!(named.map(Path::new), Some(&*own.canonicalize().unwrap()));
    // Nothing that a plan looks at tells the files apart.
    fs::copy(&own, &other).unwrap();
    let modified = fs::metadata(&own).unwrap().modified().unwrap();
    let file = fs::File::options().write(true).open(&other).unwrap();
    file.set_modified(modified).unwrap();
    expect![[r#"
        error: the session it is one with the folder HOME/a/photos, not HOME/b/photos: grant that one, or begin another session
        -- exit 2 --
    "#]].assert_eq(&home.seen("session undo it --yes --files b/photos:rw", ""));
    expect![[r#"
        error: file:photos/new.txt is in a folder that is not granted: name it with --files
        -- exit 2 --
    "#]]
    .assert_eq(&home.seen("session undo it --yes", ""));
    assert!(own.exists() && other.exists());
    let undone = home.seen("session undo it --yes --files a/photos:rw", "");
    assert!(undone.ends_with("Undone.\n-- exit 0 --\n"), "{undone}");
    assert!(!own.exists() && other.exists());
}

#[test]
fn an_upload_is_made_again_from_its_own_folder_alone() {
    let home = with_folders();
    home.write("a/photos/cat.txt", "meow");
    with_photos(
        &home,
        "--world zoology",
        "s3.upload_file('a/photos/cat.txt', 'zoology-bucket', 'cat.txt')",
        "upload a/photos/cat.txt to zoology-bucket as cat.txt",
    );
    expect![[r#"
        error: the session it makes its writes again, and some need the folder HOME/a/photos: grant that one, or begin another session
        -- exit 2 --
    "#]].assert_eq(&home.seen("session undo it --yes", ""));
    let mut elsewhere = home.command("session undo it --yes --files ../a/photos");
    elsewhere.current_dir(home.path("b"));
    let undone = text(&elsewhere.output().unwrap());
    assert!(undone.ends_with("Undone.\n-- exit 0 --\n"), "{undone}");
}

#[test]
fn a_folder_that_no_plan_has_named_may_be_another_one() {
    let home = with_folders();
    let look = |words: &str| {
        let seen = home.chat(&format!("--session it {words}"), &[], "/world\n");
        assert!(seen.ends_with("-- exit 0 --\n"), "{seen}");
    };
    look("--world world");
    look("--files a/photos:rw");
    look("--files b/photos");
    look("--files b/photos");
    let shown = home.seen("session show it", "");
    let granted = shown.lines().filter_map(|line| line.get(10..));
    let granted = granted.filter(|line| line.contains("is now the folder"));
    let granted: Vec<&str> = granted.collect();
    expect![[r#"
        file:photos is now the folder HOME/a/photos
        file:photos is now the folder HOME/b/photos"#]]
    .assert_eq(&granted.join("\n"));
}

/// The document of an API with one operation.
fn document(url: &str) -> String {
    let get = json!({"operationId": "getThing", "responses": {"200": {"description": "ok"}}});
    let document = json!({
        "openapi": "3.0.3",
        "info": {"title": "Things", "version": "1"},
        "servers": [{"url": url}],
        "paths": {"/thing": {"get": get}},
    });
    document.to_string()
}

/// The domain of an API at this address, and its world. Nothing is sent.
fn api(place: &Path, url: &str) -> (Arc<Domain>, Opened) {
    fs::create_dir_all(place).unwrap();
    let source = place.join("things.json");
    fs::write(&source, document(url)).unwrap();
    let path = place.join("things");
    block_on(folder::create_openapi(&path, source.to_str().unwrap())).unwrap();
    let cache = Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox"));
    let domain = folder::load(&path, &cache).unwrap();
    let opening = async {
        let worlds = domain.worlds().unwrap();
        worlds
            .open(&NamedWorld::default(), Opening::default())
            .await
    };
    let opened = block_on(opening).unwrap();
    (domain, opened)
}

#[test]
fn a_session_of_one_api_is_not_taken_to_another() {
    let place = tempfile::tempdir().unwrap();
    let store = SessionStore::at(place.path().join("sessions"));
    let start = Start {
        world: "server",
        model: "script",
        policy: "",
        signature: None,
    };
    let open = |(domain, world): &(Arc<Domain>, Opened)| {
        let stored = StoredSession::find(store.clone(), Some("it")).unwrap();
        let opened = block_on(stored.open(world, &start, domain));
        opened.map(drop).map_err(|error| error.to_string())
    };
    let one = api(&place.path().join("one"), "http://127.0.0.1:9");
    assert_eq!(open(&one), Ok(()));
    assert_eq!(open(&one), Ok(()));
    let begin = store.read("it").unwrap().state.begin.unwrap();
    assert_eq!(begin.kind, Some(WorldKind::Remote));
    assert_eq!(own_world(&begin, str::to_owned), None, "it is no name");
    let other = api(&place.path().join("other"), "http://127.0.0.1:10");
    expect!["the session it is one with the world Things at http://127.0.0.1:9, not Things at http://127.0.0.1:10: set its address or command in domain.toml, and its credentials, as they were, or begin another session"]
        .assert_eq(&open(&other).unwrap_err());
}

#[test]
fn a_session_of_a_test_key_is_not_taken_to_another_key() {
    let home = Home::new();
    home.write("things.json", &document("http://127.0.0.1:9"));
    let made = home.seen("domain new things --openapi things.json", "");
    assert!(made.ends_with("-- exit 0 --\n"), "{made}");
    home.write(
        "none.jsonl",
        "{\"recording\":\"dialog2api\",\"version\":1}\n",
    );
    let chat = |key: &str| {
        let words = "chat --domain ./things --model replay:none.jsonl --session it --quiet";
        let mut command = home.command(words);
        command.env("THINGS_TOKEN", key);
        text(&command.output().unwrap())
    };
    let begun = chat("sk-test");
    assert!(begun.ends_with("-- exit 0 --\n"), "{begun}");
    let refused = chat("sk-live");
    let own = "the session it is one with the world Things at http://127.0.0.1:9, credential with \
               the fingerprint ";
    assert!(refused.contains(own), "{refused}");
    assert!(refused.ends_with("-- exit 2 --\n"), "{refused}");
    let same = chat("sk-test");
    assert!(same.ends_with("-- exit 0 --\n"), "{same}");
    let journal = fs::read_to_string(home.path("state/sessions/it/journal.jsonl")).unwrap();
    for key in ["sk-test", "sk-live"] {
        assert!(!refused.contains(key) && !journal.contains(key));
    }
}

#[test]
fn a_journal_without_the_kind_of_its_world_is_read() {
    let begin = |world: &str| {
        let begin = json!({"version": 1, "dialog2api": "0.1.0", "world": world, "model": "script"});
        serde_json::from_value::<Begin>(begin).unwrap()
    };
    assert!(begin("s3").is_remote() && !begin("zoology").is_remote());
    assert!(begin("s3").folders.is_empty());
    // The account was no part of the identity of some servers.
    let place = tempfile::tempdir().unwrap();
    let store = SessionStore::at(place.path().join("sessions"));
    let mut old = begin("server");
    old.identity = Some("Things at http://127.0.0.1:9".to_owned());
    drop(store.begin(Some("it"), old).unwrap());
    let (domain, _) = api(place.path(), "http://127.0.0.1:9");
    let stored = StoredSession::find(store, Some("it")).unwrap();
    let check = |identity: &str| {
        let server = ("server", WorldKind::Remote);
        stored.check(&domain, server, Some(identity)).is_ok()
    };
    assert!(check("Things at http://127.0.0.1:9"));
    assert!(check(
        "Things at http://127.0.0.1:9, credential with the fingerprint 0a1b2c3d"
    ));
    assert!(!check("Things at http://127.0.0.1:90"));
}
