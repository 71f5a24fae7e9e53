//! `dialog2api session undo`: what a session did, taken back from the command line.

use crate::journal::chats::{Home, goal, reply};
use crate::support::command::kill;
use expect_test::{Expect, expect};
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

/// Three programs: one writes, one is declined, one deletes and overwrites.
fn session(home: &Home, words: &str) {
    let program = |uid, code: &str| goal(uid, "final", code);
    let answers = [
        program(
            1,
            "s3.put_object(Bucket='zoology-bucket', Key='new.txt', Body='fresh')",
        ),
        reply("Done."),
        program(
            2,
            "s3.create_bucket(Bucket='zoology-attic')\n\
             s3.delete_object(Bucket='zoology-bucket', Key='new.txt')",
        ),
        reply("Then not."),
        program(
            3,
            "s3.delete_object(Bucket='zoology-bucket', Key='sea_animals/orca.txt')\n\
             s3.put_object(Bucket='zoology-bucket', Key='new.txt', Body='newer still')",
        ),
        reply("Gone."),
    ];
    let input = "make new.txt in zoology-bucket\nyes\nthrow it in the zoology-attic\nno\ndelete sea_animals/orca.txt\nyes\n";
    let said = home.chat(&format!("--session it {words}"), &answers, input);
    assert!(said.ends_with("Agent: Gone.\n\n-- exit 0 --\n"), "{said}");
}

#[track_caller]
fn check(home: &Home, words: &str, input: &str, expected: Expect) {
    expected.assert_eq(&home.seen(words, input));
}

#[test]
fn the_last_program_is_taken_back_then_the_one_before() {
    let home = Home::new();
    session(&home, "");
    check(
        &home,
        "session undo it",
        "no\n",
        expect![[r#"

            Undoing the program of goal 3 (turn 3) would change this:
              ~ zoology-bucket/new.txt               11 B → 5 B  comes back by our journal
              + zoology-bucket/sea_animals/orca.txt  640 B
              1 created, 1 overwritten; 645 B written; 11 B destroyed
              An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
            Do it? [y/N] no
            Nothing is changed.
            -- exit 0 --
        "#]],
    );
    check(
        &home,
        "session undo it",
        "yes\n",
        expect![[r#"

            Undoing the program of goal 3 (turn 3) would change this:
              ~ zoology-bucket/new.txt               11 B → 5 B  comes back by our journal
              + zoology-bucket/sea_animals/orca.txt  640 B
              1 created, 1 overwritten; 645 B written; 11 B destroyed
              An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
            Do it? [y/N] yes
            Undone.
            -- exit 0 --
        "#]],
    );
    check(
        &home,
        "session undo it --yes",
        "",
        expect![[r#"

            Undoing the program of goal 1 (turn 1) would change this:
              - zoology-bucket/new.txt  5 B  comes back by our journal
              1 deleted; 5 B destroyed
              An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
            Undone.
            -- exit 0 --
        "#]],
    );
    check(
        &home,
        "session undo it --yes",
        "",
        expect![[r#"
        error: there is nothing to undo: no program has changed the world
        -- exit 2 --
    "#]],
    );
    // The journal has it, and the chat goes on with the world as it is now.
    let shown = home.seen("session show it", "");
    let (_, after) = shown.split_once("Agent: Gone.").unwrap();
    let lines = after.lines().filter_map(|line| line.get(10..));
    let lines: Vec<&str> = lines.collect();
    expect![[r#"
        the session ends
        the session is resumed
        plan 4 to undo plan 3: 2 writes
          ~ zoology-bucket/new.txt               11 B → 5 B  comes back by our journal
          + zoology-bucket/sea_animals/orca.txt  640 B
          1 created, 1 overwritten; 645 B written; 11 B destroyed
          An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
        plan 4: declined by the user: Nothing was changed: the user was shown what this would change, and said no.
        the session ends
        the session is resumed
        plan 5 to undo plan 3: 2 writes
          ~ zoology-bucket/new.txt               11 B → 5 B  comes back by our journal
          + zoology-bucket/sea_animals/orca.txt  640 B
          1 created, 1 overwritten; 645 B written; 11 B destroyed
          An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
        plan 5: agreed to by the user
        plan 5: write 1 is made
        plan 5: write 2 is made
        plan 5: applied
        plan 3 is undone
        the session ends
        the session is resumed
        plan 6 to undo plan 1: 1 write
          - zoology-bucket/new.txt  5 B  comes back by our journal
          1 deleted; 5 B destroyed
          An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
        plan 6: agreed to by the user
        plan 6: write 1 is made
        plan 6: applied
        plan 1 is undone
        the session ends
        --"#]].assert_eq(&lines.join("\n"));
    let said = home.chat("--session it", &[], "/undo\n/world\n");
    expect![[r#"
        Agent: Gone.

        (The session it goes on after 3 turns.)

        You: /undo
        There is nothing to undo: no program has changed the world.

        You: /world
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
    "#]]
    .assert_eq(&said);
}

/// The answer is read from a pipe that stays open: only the signal ends the command.
#[test]
fn ctrl_c_at_the_question_undoes_nothing() {
    let home = Home::new();
    session(&home, "");
    let mut undo = home
        .command("session undo it")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(undo.stdout.take().unwrap());
    let mut said = String::new();
    // The last line of the plan is printed just before the answer is read.
    while !said.contains("1 created") {
        let read = output.read_line(&mut said).unwrap();
        assert!(read > 0, "it ended after {said}");
    }
    kill("-INT", undo.id());
    output.read_to_string(&mut said).unwrap();
    let mut errors = undo.stderr.take().unwrap();
    errors.read_to_string(&mut said).unwrap();
    let code = undo.wait().unwrap().code();
    let lines: Vec<&str> = said.lines().map(str::trim_end).collect();
    expect![[r#"

        Undoing the program of goal 3 (turn 3) would change this:
          ~ zoology-bucket/new.txt               11 B → 5 B  comes back by our journal
          + zoology-bucket/sea_animals/orca.txt  640 B
          1 created, 1 overwritten; 645 B written; 11 B destroyed
          An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
        Do it? [y/N] (no answer)
        Nothing is changed.
        error: interrupted before the answer; nothing was changed"#]]
    .assert_eq(&lines.join("\n"));
    assert_eq!(code, Some(1));
    let shown = home.seen("session show it", "");
    assert!(shown.contains("plan 4: declined by the user"), "{shown}");
    // The session is as it was: the undo can be asked for again.
    let undone = home.seen("session undo it --yes", "");
    assert!(undone.ends_with("Undone.\n-- exit 0 --\n"), "{undone}");
}

#[test]
fn a_plan_is_named_and_what_cannot_be_taken_back_is_said() {
    let home = Home::new();
    session(&home, "");
    // What has changed since is left alone.
    check(
        &home,
        "session undo it --plan 1 --yes",
        "",
        expect![[r#"
          zoology-bucket/new.txt does not come back, because it has changed since
        error: there is nothing that can be brought back
        -- exit 2 --
    "#]],
    );
    check(
        &home,
        "session undo it --plan 2",
        "",
        expect![[r#"
        error: plan 2 cannot be undone: it changed nothing. What can be: 1, 3
        -- exit 2 --
    "#]],
    );
    check(
        &home,
        "session undo it --plan 9",
        "",
        expect![[r#"
        error: plan 9 cannot be undone: there is no plan with this number. What can be: 1, 3
        -- exit 2 --
    "#]],
    );
    check(
        &home,
        "session undo it --yes --quiet",
        "",
        expect![[r#"

            Undoing the program of goal 3 (turn 3) would change this:
              ~ zoology-bucket/new.txt               11 B → 5 B  comes back by our journal
              + zoology-bucket/sea_animals/orca.txt  640 B
              1 created, 1 overwritten; 645 B written; 11 B destroyed
              An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
            Undone.
            -- exit 0 --
        "#]],
    );
    check(
        &home,
        "session undo it --plan 3",
        "",
        expect![[r#"
        error: plan 3 cannot be undone: it is undone already. What can be: 1
        -- exit 2 --
    "#]],
    );
    check(
        &home,
        "session undo it --plan 4",
        "",
        expect![[r#"
        error: plan 4 cannot be undone: it is an undo itself. What can be: 1
        -- exit 2 --
    "#]],
    );
    check(
        &home,
        "session undo none",
        "",
        expect![[r#"
        error: there is no session none; `dialog2api session list` names those there are
        -- exit 2 --
    "#]],
    );
    check(
        &home,
        "session undo it --world empty",
        "",
        expect![[r#"
        error: the session it is one with the world zoology, not empty: name that one with --world, or begin another session
        -- exit 2 --
    "#]],
    );
    check(
        &home,
        "session undo it --read-only",
        "",
        expect![[r#"
            The policy does not allow this: the mode is read-only, which denies delete_object on zoology-bucket/new.txt.
            -- exit 3 --
        "#]],
    );
}

#[test]
fn programs_read_it_as_json() {
    let home = Home::new();
    session(&home, "");
    let state = |home: &Home| home.seen("session show it", "");
    let before = state(&home);
    check(
        &home,
        "session undo it --json",
        "",
        expect![[r#"
            {
              "undoes": 3,
              "plan": {
                "version": 1,
                "effects": [
                  {
                    "effect": "overwrite",
                    "place": {
                      "container": "zoology-bucket",
                      "name": "new.txt"
                    },
                    "before": {
                      "tag": "b954118b1a0268046bddbf8c3d138c3a",
                      "size": 11
                    },
                    "after": {
                      "tag": "76010858c8362d7302ef5f9436aa6639",
                      "size": 5
                    },
                    "back": "comes back by our journal"
                  },
                  {
                    "effect": "create",
                    "place": {
                      "container": "zoology-bucket",
                      "name": "sea_animals/orca.txt"
                    },
                    "after": {
                      "tag": "8c893fb000d84eaf8f6cb2d6098ebe82",
                      "size": 640
                    }
                  }
                ],
                "totals": {
                  "containers_created": 0,
                  "containers_deleted": 0,
                  "created": 1,
                  "overwritten": 1,
                  "copied": 0,
                  "deleted": 0,
                  "settings": 0,
                  "shared": 0,
                  "bytes_written": 645,
                  "bytes_destroyed": 11
                },
                "outcome": {
                  "result": null
                },
                "calls": [],
                "cannot_be_undone": []
              },
              "cannot_be_brought_back": [],
              "done": null
            }
            -- exit 0 --
        "#]],
    );
    assert_eq!(state(&home), before, "nothing was done");
    check(
        &home,
        "session undo it --json --yes",
        "",
        expect![[r#"
            {
              "undoes": 3,
              "plan": {
                "version": 1,
                "effects": [
                  {
                    "effect": "overwrite",
                    "place": {
                      "container": "zoology-bucket",
                      "name": "new.txt"
                    },
                    "before": {
                      "tag": "b954118b1a0268046bddbf8c3d138c3a",
                      "size": 11
                    },
                    "after": {
                      "tag": "76010858c8362d7302ef5f9436aa6639",
                      "size": 5
                    },
                    "back": "comes back by our journal"
                  },
                  {
                    "effect": "create",
                    "place": {
                      "container": "zoology-bucket",
                      "name": "sea_animals/orca.txt"
                    },
                    "after": {
                      "tag": "8c893fb000d84eaf8f6cb2d6098ebe82",
                      "size": 640
                    }
                  }
                ],
                "totals": {
                  "containers_created": 0,
                  "containers_deleted": 0,
                  "created": 1,
                  "overwritten": 1,
                  "copied": 0,
                  "deleted": 0,
                  "settings": 0,
                  "shared": 0,
                  "bytes_written": 645,
                  "bytes_destroyed": 11
                },
                "outcome": {
                  "result": null
                },
                "calls": [],
                "cannot_be_undone": []
              },
              "cannot_be_brought_back": [],
              "done": {
                "made": 2,
                "of": 2,
                "sentence": "Undone."
              }
            }
            -- exit 0 --
        "#]],
    );
    assert_ne!(state(&home), before);
}

#[test]
fn a_deleted_bucket_comes_back_with_its_tags_and_rules() {
    let home = Home::new();
    let program = |uid, code: &str| goal(uid, "final", code);
    let answers = [
        program(
            1,
            "s3.create_bucket(Bucket='zoology-attic')\n\
             s3.put_bucket_tagging(Bucket='zoology-attic', Tagging={'TagSet': [{'Key': 'team', 'Value': 'red'}]})\n\
             s3.put_bucket_versioning(Bucket='zoology-attic', VersioningConfiguration={'Status': 'Enabled'})\n\
             s3.delete_public_access_block(Bucket='zoology-attic')",
        ),
        reply("Done."),
        program(2, "s3.delete_bucket(Bucket='zoology-attic')"),
        reply("Gone."),
    ];
    let said = home.chat(
        "--session it",
        &answers,
        "make the bucket zoology-attic with team red, versions and no block\nyes\nthrow zoology-attic away\nyes\n",
    );
    assert!(said.ends_with("Agent: Gone.\n\n-- exit 0 --\n"), "{said}");
    check(
        &home,
        "session undo it",
        "yes\n",
        expect![[r#"

            Undoing the program of goal 2 (turn 2) would change this:
              ! zoology-attic/
              1 bucket created
              An undo can take all of it back, as long as nobody changes it meanwhile.
            Do it? [y/N] yes
            Undone.
            -- exit 0 --
        "#]],
    );
    // What was made by itself goes by itself: with the bucket go its settings.
    check(
        &home,
        "session undo it",
        "yes\n",
        expect![[r#"

            Undoing the program of goal 1 (turn 1) would change this:
              - zoology-attic/  comes back by our journal
              1 bucket deleted
              An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
            Do it? [y/N] yes
            Undone.
            -- exit 0 --
        "#]],
    );
}
