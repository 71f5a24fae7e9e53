//! `dialog2api session`: what people and scripts see of sessions.

use crate::journal::lab::{clock, whole};
use dialog2api::journal::SessionStore;
use expect_test::{Expect, expect};
use std::path::Path;
use std::process::Command;

/// Runs `dialog2api session` with these words where one session was held and one was cut
/// off in the middle of a line.
#[track_caller]
fn check(words: &str, expected: Expect) {
    let state = tempfile::tempdir().unwrap();
    let store = SessionStore::at(state.path().join("sessions")).with_clock(clock());
    whole(&store, "first");
    cut_off(&store, "second");
    expected.assert_eq(&seen(words, state.path()));
}

/// A session that ends within a line, while a plan is applied.
fn cut_off(store: &SessionStore, name: &str) {
    whole(store, name);
    let path = store.folder().join(name).join("journal.jsonl");
    let bytes = std::fs::read(&path).unwrap();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let mut kept = lines.get(..9).unwrap().concat();
    kept.extend_from_slice(lines.get(9).unwrap().get(..20).unwrap());
    std::fs::write(&path, kept).unwrap();
}

fn seen(words: &str, state: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_dialog2api"))
        .env_clear()
        .env("HOME", state)
        .env("DIALOG2API_STATE_DIR", state)
        .current_dir(state)
        .arg("session")
        .args(words.split_whitespace())
        .output()
        .unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    text.push_str(&format!("-- exit {} --\n", output.status.code().unwrap()));
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines
        .join("\n")
        .replace(&state.display().to_string(), "STATE")
}

#[test]
fn sessions_are_listed() {
    check(
        "list",
        expect![[r#"
        second  2023-11-14 22:14:41  letters    0 turns  cut off
        first   2023-11-14 22:14:32  letters    6 turns  ended
        -- exit 0 --"#]],
    );
    check(
        "list --json",
        expect![[r#"
        [
          {
            "name": "second",
            "last": "2023-11-14T22:14:41Z",
            "turns": 0,
            "world": "letters",
            "state": "cut-off"
          },
          {
            "name": "first",
            "last": "2023-11-14T22:14:32Z",
            "turns": 6,
            "world": "letters",
            "state": "ended"
          }
        ]
        -- exit 0 --"#]],
    );
}

#[test]
fn a_session_is_shown() {
    check(
        "show first",
        expect![[r#"
            first · letters · script · dialog2api 0.1.0

            2023-11-14 (UTC)
            22:13:20  the session begins
            22:13:21  1 You: make new things
            22:13:23  goal 1  final
                      │ put a/new fresh
                      │ copy a/x b/copy
                      │ delete a/y
                      │ return 3

                      goal 8  final
                      │ put b/eight 8
                      │ copy b/eight a/eight
            22:13:24  plan 1 of goal 1: 3 writes
                        - bucket-a/y     3 B  comes back by our journal
                        + bucket-a/new   5 B
                        + bucket-b/copy  3 B  copied from bucket-a/x
                        2 created, 1 deleted (1 copied); 8 B written; 3 B destroyed
                        returns 3
                        calls put_object, copy_object, delete_object
                        An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
            22:13:25  plan 1: agreed to by the policy
            22:13:27  plan 1: write 1 is made
            22:13:29  plan 1: write 2 is made
            22:13:31  plan 1: write 3 is made
            22:13:32  plan 1: applied
            22:13:33  goal 1 has run in 1.2 ms
                        result   3
            22:13:34  plan 2 of goal 8: 2 writes
                        + bucket-b/eight  1 B
                        + bucket-a/eight  1 B  copied from bucket-b/eight
                        2 created (1 copied); 2 B written
                        calls put_object, copy_object
                        An undo can take all of it back, as long as nobody changes it meanwhile.
            22:13:35  plan 2: agreed to by the policy
            22:13:37  plan 2: write 1 is made
            22:13:39  plan 2: write 2 is made
            22:13:40  plan 2: applied
            22:13:41  goal 8 has run in 1.2 ms
                        result   null
            22:13:43  Agent: Five things are done.
            22:13:44  2 You: prepare another
            22:13:47  goal 2  drafting
                      │ put a/late ?1
            22:13:49  Agent: What is to be in it?
            22:13:50  3 You: "decline" it, and look
            22:13:52  goal 2  final
                      │ put a/late declined

                      goal 3  final
                      │ list a
                      │ return [1, 2.5, "<b>"]
            22:13:53  plan 3 of goal 2: 1 write
                        + bucket-a/late  8 B
                        1 created; 8 B written
                        calls put_object
                        An undo can take all of it back, as long as nobody changes it meanwhile.
            22:13:54  plan 3: declined by the user: The user said no.
            22:13:55  goal 2 has run in 1.2 ms
                        error    Declined: The user said no.
            22:13:56  goal 3 has run in 1.2 ms
                        result   [1, 2.5, "<b>"]
            22:13:58  Agent: I did not.
            22:13:59  4 You: fail
            22:14:01  goal 4  final
                      │ put a/lost x
                      │ raise KeyError
            22:14:02  goal 4 has run in 1.2 ms
                        error    KeyError: it was told to
            22:14:04  Agent: That failed.
            22:14:05  5 You: nobody understands
            22:14:08  Agent: Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `nonsense`. Nothing was changed; please try again.
            22:14:09  plan 4 to undo plan 1: 3 writes
                        - bucket-b/copy  3 B  comes back by our journal
                        - bucket-a/new   5 B  comes back by our journal
                        + bucket-a/y     3 B
                        1 created, 2 deleted; 3 B written; 8 B destroyed
                        An undo can take all of it back, as long as nobody changes it meanwhile; 2 come back by our journal.
            22:14:10  plan 4: agreed to by the user
            22:14:12  plan 4: write 1 is made
            22:14:14  plan 4: write 2 is made
            22:14:16  plan 4: write 3 is made
            22:14:17  plan 4: applied
            22:14:18  plan 1 is undone
            22:14:19  6 You: and one more
            22:14:21  goal 6  final
                      │ put a/x over
                      │ delete b/x
            22:14:22  plan 5 of goal 6: 2 writes
                        - bucket-b/x  4 B  comes back by our journal
                        ~ bucket-a/x  3 B → 4 B  comes back by our journal
                        1 overwritten, 1 deleted; 4 B written; 7 B destroyed
                        calls put_object, delete_object
                        An undo can take all of it back, as long as nobody changes it meanwhile; 2 come back by our journal.
            22:14:23  plan 5: agreed to by the policy
            22:14:25  plan 5: write 1 is made
            22:14:27  plan 5: write 2 is made
            22:14:28  plan 5: applied
            22:14:29  goal 6 has run in 1.2 ms
                        result   null
            22:14:31  Agent: Done &amp; done.
            22:14:32  the session ends
            -- exit 0 --"#]],
    );
    check(
        "show second",
        expect![[r#"
            second · letters · script · dialog2api 0.1.0

            2023-11-14 (UTC)
            22:14:33  the session begins
            22:14:34  1 You: make new things
            22:14:36  goal 1  final
                      │ put a/new fresh
                      │ copy a/x b/copy
                      │ delete a/y
                      │ return 3

                      goal 8  final
                      │ put b/eight 8
                      │ copy b/eight a/eight
            22:14:37  plan 1 of goal 1: 3 writes
                        - bucket-a/y     3 B  comes back by our journal
                        + bucket-a/new   5 B
                        + bucket-b/copy  3 B  copied from bucket-a/x
                        2 created, 1 deleted (1 copied); 8 B written; 3 B destroyed
                        returns 3
                        calls put_object, copy_object, delete_object
                        An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
            22:14:38  plan 1: agreed to by the policy
            22:14:40  plan 1: write 1 is made

            The last turn did not end: `dialog2api chat --session` goes on with it.

            Plan 1 was cut off after 1 of 3 writes, and one more may have been made.

            The last line of the journal (20 bytes) is incomplete, because writing it was interrupted. It is ignored.
            -- exit 0 --"#]],
    );
    check(
        "show none",
        expect![[r#"
        error: there is no session none; `dialog2api session list` names those there are
        -- exit 2 --"#]],
    );
}

#[test]
fn a_session_is_exported() {
    check(
        "export first",
        expect![[r#"
        <conversation uid="first" world="letters">
        <turns>
        <turn>Agent: How can I help you?</turn>
        <turn>User: make new things</turn>
        <goal uid="1" status="final">
        <program>put a/new fresh
        copy a/x b/copy
        delete a/y
        return 3</program>
        <result>3</result>
        <error/>
        <signature>5b54b417</signature>
        </goal>
        <goal uid="8" status="final">
        <program>put b/eight 8
        copy b/eight a/eight</program>
        <result>null</result>
        <error/>
        <signature>045165c7</signature>
        </goal>
        <turn>Agent: Five things are done.</turn>
        <turn>User: prepare another</turn>
        <goal uid="2" status="drafting">
        <program>put a/late ?1</program>
        </goal>
        <turn>Agent: What is to be in it?</turn>
        <turn>User: "decline" it, and look</turn>
        <goal uid="2" status="final">
        <program>put a/late declined</program>
        <result>null</result>
        <error>{"error": "Declined", "message": "The user said no."}</error>
        <signature>18dc18b2</signature>
        </goal>
        <goal uid="3" status="final">
        <program>list a
        return [1, 2.5, "<b>"]</program>
        <result>[1, 2.5, "<b>"]</result>
        <error/>
        <signature>049ec551</signature>
        </goal>
        <turn>Agent: I did not.</turn>
        <turn>User: fail</turn>
        <goal uid="4" status="final">
        <program>put a/lost x
        raise KeyError</program>
        <result>null</result>
        <error>{"error": "KeyError", "message": "it was told to"}</error>
        <signature>fd24cd7d</signature>
        </goal>
        <turn>Agent: That failed.</turn>
        <turn>User: nobody understands</turn>
        <turn>Agent: Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <\goal uid="1" status="drafting"> with its <program>, found `nonsense`. Nothing was changed; please try again.</turn>
        <turn>User: and one more</turn>
        <goal uid="6" status="final">
        <program>put a/x over
        delete b/x</program>
        <result>null</result>
        <error/>
        <signature>dd87d523</signature>
        </goal>
        <turn>Agent: Done &amp; done.</turn>
        </turns>
        </conversation>
        -- exit 0 --"#]],
    );
    check(
        "export first -o first.xml",
        expect![[r#"
        the session is in first.xml
        -- exit 0 --"#]],
    );
}

#[test]
fn what_has_no_fresh_copy_is_not_replayed() {
    check(
        "replay first",
        expect![[r#"
        error: the session first cannot be replayed: its world letters still has the session's changes, and there is no fresh copy
        -- exit 2 --"#]],
    );
}

#[test]
fn a_session_is_exported_with_every_entry() {
    let state = tempfile::tempdir().unwrap();
    let store = SessionStore::at(state.path().join("sessions")).with_clock(clock());
    cut_off(&store, "second");
    let text = seen("export second --format json", state.path());
    let json = text.strip_suffix("\n-- exit 0 --").unwrap();
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    let entries = json["entries"].as_array().unwrap();
    let lines = store.read("second").unwrap().lines;
    assert_eq!(entries.len(), lines.len());
    for (entry, line) in entries.iter().zip(&lines) {
        assert_eq!(entry["n"], line.number);
        assert_eq!(entry["entry"], serde_json::to_value(&line.entry).unwrap());
    }
}
