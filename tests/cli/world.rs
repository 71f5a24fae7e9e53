//! `dialog2api world`.

use crate::cli::support::Home;
use expect_test::{Expect, expect};
use sha2::Digest as _;

fn check(home: &Home, words: &str, expected: Expect) {
    home.check(home.command(words), "", expected);
}

#[test]
fn a_world_is_shown_with_its_buckets_and_keys() {
    check(
        &Home::new(),
        "world show",
        expect![[r#"
        zoology (embedded S3, in memory)
        zoology-archive  us-west-2, 1 object
          3120  2022/report.txt
        zoology-bucket  us-east-1, 11 objects
          1551  land_animals/mammals/bat.txt
           402  land_animals/mammals/deer.txt
           878  land_animals/mammals/pika.txt
          1204  land_animals/pinniped.txt
          2310  land_animals/primate.txt
           125  photos/otter.jpg
          1733  sea_animals/dolphin.txt
           640  sea_animals/orca.txt
           955  sea_animals/otter.txt
           310  sea_animals/seahorse.txt
           191  sightings.csv
        -- exit 0 --
    "#]],
    );
    check(
        &Home::new(),
        "world show --world empty",
        expect![[r#"
        empty (embedded S3, in memory)
        no buckets
        -- exit 0 --
    "#]],
    );
}

#[test]
fn scripts_get_json() {
    let home = Home::new();
    std::fs::create_dir_all(home.path("files/letters")).expect("a folder");
    home.write("files/letters/a\u{1b}[2Jb.txt", "x");
    let shown = home
        .command("world show --json --world files")
        .output()
        .expect("it starts");
    let json: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    assert_eq!(json["buckets"][0]["name"], "letters");
    assert_eq!(json["buckets"][0]["objects"][0]["key"], "a\u{1b}[2Jb.txt");
    assert!(!shown.stdout.contains(&0x1b));
    check(
        &home,
        "world signature --json",
        expect![[r#"
        {
          "signature": "42ac7332"
        }
        -- exit 0 --
    "#]],
    );
}

#[test]
fn the_signature_is_that_of_the_state() {
    check(
        &Home::new(),
        "world signature",
        expect![[r#"
        42ac7332
        -- exit 0 --
    "#]],
    );
    check(
        &Home::new(),
        "world signature --world empty",
        expect![[r#"
        e3b0c442
        -- exit 0 --
    "#]],
    );
}

#[test]
fn the_worlds_are_listed() {
    check(
        &Home::new(),
        "world list",
        expect![[r#"
            zoology        A zoologist's account, after the example dialogues of the paper (appendix D).
            empty          An account without buckets.
            backups        A joinery's backups: dumps, mail, machines, manifests, a mirror and notes.
            data-lake      A grocery chain's data lake: raw and curated partitions, and a sandbox.
            fresh-account  An account opened two days ago: one bucket with two small texts.
            photo-archive  A photographer's archive: albums by month, uploads, prints, empty buckets.
            web-logs       A web shop's logs: a bucket for each service, an archive, an empty one.
            website        A pottery studio's web site: live, staging, raw media, an empty bucket.
            FILE.toml      a world described in a file, in memory
            DIR            a folder: its subfolders are buckets; what programs change is kept there
            s3             the account that the AWS configuration names, or the server of --endpoint-url
            -- exit 0 --
        "#]],
    );
    check(
        &Home::new(),
        "world list --json",
        expect![[r#"
            [
              {
                "name": "zoology",
                "description": "A zoologist's account, after the example dialogues of the paper (appendix D).",
                "buckets": 2,
                "objects": 12,
                "signature": "42ac7332"
              },
              {
                "name": "empty",
                "description": "An account without buckets.",
                "buckets": 0,
                "objects": 0,
                "signature": "e3b0c442"
              },
              {
                "name": "backups",
                "description": "A joinery's backups: dumps, mail, machines, manifests, a mirror and notes.",
                "buckets": 5,
                "objects": 42,
                "signature": "6aeacce9"
              },
              {
                "name": "data-lake",
                "description": "A grocery chain's data lake: raw and curated partitions, and a sandbox.",
                "buckets": 4,
                "objects": 1053,
                "signature": "481f2990"
              },
              {
                "name": "fresh-account",
                "description": "An account opened two days ago: one bucket with two small texts.",
                "buckets": 1,
                "objects": 2,
                "signature": "9df6200a"
              },
              {
                "name": "photo-archive",
                "description": "A photographer's archive: albums by month, uploads, prints, empty buckets.",
                "buckets": 5,
                "objects": 1053,
                "signature": "a1530364"
              },
              {
                "name": "web-logs",
                "description": "A web shop's logs: a bucket for each service, an archive, an empty one.",
                "buckets": 5,
                "objects": 41,
                "signature": "753f97a9"
              },
              {
                "name": "website",
                "description": "A pottery studio's web site: live, staging, raw media, an empty bucket.",
                "buckets": 4,
                "objects": 44,
                "signature": "9ca6db1c"
              }
            ]
            -- exit 0 --
        "#]],
    );
}

#[test]
fn looking_creates_nothing() {
    let home = Home::new();
    check(
        &home,
        "world show --world nowhere",
        expect![[r#"
        -- stderr --
        error: nowhere: there is no such world; `dialog2api world list` names those there are, and `chat` and `run` make a folder that is missing where they may write
        -- exit 1 --
    "#]],
    );
    assert!(!home.path("nowhere").exists());
}

#[test]
fn what_programs_do_not_see_of_a_folder_is_said() {
    let home = Home::new();
    std::fs::create_dir_all(home.path("photos/My Photos")).expect("a folder");
    home.write("photos/otter.jpg", "x");
    home.write("photos/.hidden", "x");
    check(
        &home,
        "world show --world photos",
        expect![[r#"
            photos (embedded S3, kept in this folder)
            my-photos  us-east-1, 0 objects
            -- stderr --
            note: in photos the folder "My Photos" is the bucket my-photos: programs write that name, because a bucket's name has no other characters than a-z, A-Z, 0-9, '.', '-' and '_'
            note: of photos programs do not see 1 file that lies in no subfolder (subfolders are buckets: with --world HOME they are in the bucket photos); 1 hidden file or folder at the top
            -- exit 0 --
        "#]],
    );
    home.write(
        "program.py",
        "return [it['Name'] for it in s3.list_buckets()['Buckets']]",
    );
    for options in ["", " --read-only", " --overlay"] {
        let run = format!("run program.py --world photos{options}");
        let run = home.command(&run).output().expect("it starts");
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.success(), "{said}");
        assert_eq!(said.matches("programs do not see").count(), 1, "{said}");
    }
    let hidden = home.path("photos/.dialog2api");
    assert!(!hidden.exists(), "what is only read is not written");
}

/// The name of a bucket whose folder has another one is said, and plans and undos name it so.
#[test]
fn a_folder_of_any_name_is_a_bucket() {
    let home = Home::new();
    std::fs::create_dir_all(home.path("photos/My Photos")).expect("a folder");
    home.write("photos/My Photos/otter.jpg", "x");
    home.write(
        "program.py",
        "s3.delete_object(Bucket='my-photos', Key='otter.jpg')",
    );
    let overlaid = home.command("run program.py --world photos --overlay");
    home.check(overlaid, "", expect![[r#"
        result     null
        calls      delete_object
        changes    - my-photos/otter.jpg (1 byte)
        signature  cd8a2f47
        elapsed    TIME
        -- stderr --
        note: in photos the folder "My Photos" is the bucket my-photos: programs write that name, because a bucket's name has no other characters than a-z, A-Z, 0-9, '.', '-' and '_'
        -- exit 0 --
    "#]]);
    home.write("answers.txt", "<goal uid=\"1\" status=\"final\"><program>\ns3.delete_object(Bucket='my-photos', Key='otter.jpg')\n</program></goal>\n---\n<turn>Agent: It is gone.</turn>\n---\n<turn>Agent: It is gone.</turn>\n");
    home.write("script.txt", "delete the otter\nyes\n/undo\nyes\n");
    let words = "chat --world photos --model script:answers.txt --script script.txt";
    let chat = home.command(words);
    home.check(chat, "", expect![[r#"
        Agent: How can I help you?

        You: delete the otter

        The program of goal 1 would change this:
          - my-photos/otter.jpg  1 B  comes back by our journal
          1 deleted; 1 B destroyed
          calls delete_object
          An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
        The program:
            s3.delete_object(Bucket='my-photos', Key='otter.jpg')
        Do it? [y/N] yes

          goal 1  final · TIME
          │ s3.delete_object(Bucket='my-photos', Key='otter.jpg')
          result   null

          world    - my-photos/otter.jpg (1 byte)

        Agent: It is gone.

        You: /undo

        Undoing the program of goal 1 (turn 1) would change this:
          + my-photos/otter.jpg  1 B
          1 created; 1 B written
          An undo can take all of it back, as long as nobody changes it meanwhile.
        Do it? [y/N] yes
          world    + my-photos/otter.jpg (1 byte)
        Undone.

        -- stderr --
        note: in photos the folder "My Photos" is the bucket my-photos: programs write that name, because a bucket's name has no other characters than a-z, A-Z, 0-9, '.', '-' and '_'
        -- exit 0 --
    "#]]);
    assert_eq!(home.read("photos/My Photos/otter.jpg"), "x");
    assert!(!home.path("photos/my-photos").exists());
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let home = Home::new();
    let mut command = home.command("world show");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    command.stdout(writer);
    let status = command.status().expect("it starts");
    assert_eq!(status.code(), Some(0));
}

/// What the cache says of a folder is believed while its files are as they were: here it says
/// something else than the file, and the signature follows it.
#[test]
fn a_large_folder_that_is_only_read_is_read_once() {
    let home = Home::new();
    std::fs::create_dir_all(home.path("pictures/birds")).expect("a folder");
    let picture = std::fs::File::create(home.path("pictures/birds/owl.raw")).expect("a file");
    let at = |seconds| std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    picture.set_len(33 << 20).expect("a sparse file");
    picture.set_modified(at(1_700_000_001)).expect("a time");
    let signature = || {
        let mut command = home.command("world signature --world pictures");
        command.env("DIALOG2API_CACHE_DIR", home.path("cache"));
        home.seen(&command.output().expect("it starts"))
    };
    let read = signature();
    assert!(!home.path("pictures/.dialog2api").exists());
    let folders = std::fs::read_dir(home.path("cache/folders")).expect("a cache");
    let index = folders.map(|entry| entry.expect("an entry").path());
    let index = index.collect::<Vec<_>>();
    let [index] = &index[..] else {
        panic!("{index:?}")
    };
    let text = std::fs::read_to_string(index).expect("an index");
    let (_, lines) = text.split_once('\n').expect("a first line");
    let sha256 = lines.split(' ').nth(4).expect("a checksum");
    let lines = lines.replace(sha256, &"5".repeat(64));
    let sum = const_hex::encode(sha2::Sha256::digest(lines.as_bytes()));
    std::fs::write(index, format!("files 1 {sum}\n{lines}")).expect("a file");
    assert_ne!(signature(), read, "the file was read again");
    picture.set_modified(at(1_700_000_002)).expect("a time");
    picture.set_modified(at(1_700_000_001)).expect("a time");
    assert_eq!(signature(), read, "a file that was touched is read");
}

/// A name with a slip of the pen makes no folder where nothing may be written, and is told where
/// one is made.
#[test]
fn a_folder_that_is_missing_is_made_and_told() {
    let home = Home::new();
    let run = |options: &str, expected| {
        let words = format!("run - --world ./typo{options}");
        home.check(
            home.ready(&words),
            "return s3.list_buckets()['Buckets']",
            expected,
        );
    };
    run(
        " --read-only",
        expect![[r#"
        -- stderr --
        error: ./typo: there is no such world; `dialog2api world list` names those there are, and `chat` and `run` make a folder that is missing where they may write
        -- exit 1 --
    "#]],
    );
    assert!(!home.path("typo").exists());
    run(
        "",
        expect![[r#"
        result     []
        calls      list_buckets
        signature  07c73684
        elapsed    TIME
        -- stderr --
        note: there was no folder ./typo, so it is made
        -- exit 0 --
    "#]],
    );
    assert!(home.path("typo").exists());
}
