//! The policy that `session undo` is held to.

use crate::journal::chats::{Home, goal, reply};
use expect_test::{Expect, expect};

#[track_caller]
fn check(home: &Home, words: &str, expected: Expect) {
    expected.assert_eq(&home.seen(words, ""));
}

#[test]
fn the_policy_of_the_session_holds_for_its_undo() {
    let home = Home::new();
    let policy = "version = 1\n[ceilings]\nobjects_written = 1500\nobjects_deleted = 1500\n";
    home.write("policy.toml", policy);
    let many = "for n in range(1001):\n    s3.put_object(Bucket='zoology-bucket', Key=f'many/{n}', Body='x')";
    // The first one is sent back once, because nobody has named the objects.
    let answers = [
        goal(1, "final", many),
        goal(1, "final", many),
        reply("Done."),
    ];
    let said = home.chat(
        "--session it --policy policy.toml",
        &answers,
        "make many\nyes\n",
    );
    assert!(said.ends_with("Agent: Done.\n\n-- exit 0 --\n"), "{said}");
    // Another policy takes its place, such as the one that comes with the program.
    home.write("usual.toml", "version = 1\n");
    check(
        &home,
        "session undo it --yes --policy usual.toml",
        expect![[r#"
            The policy does not allow this: with this delete_object the program would come to 1001, and the ceiling is objects_deleted = 1000 of one program.
            -- exit 3 --
        "#]],
    );
    check(
        &home,
        "session undo it --yes",
        expect![[r#"

            Undoing the program of goal 1 (turn 1) would change this:
              zoology-bucket/many/  1001 deleted; 1001 B destroyed
              the largest:
              - zoology-bucket/many/1000  1 B  comes back by our journal
              - zoology-bucket/many/999   1 B  comes back by our journal
              - zoology-bucket/many/998   1 B  comes back by our journal
              - zoology-bucket/many/997   1 B  comes back by our journal
              - zoology-bucket/many/996   1 B  comes back by our journal
              all 1001 lines are in HOME/state/sessions/it/plan-2.tsv
              1001 deleted; 1001 B destroyed
              An undo can take all of it back, as long as nobody changes it meanwhile; 1001 come back by our journal.
              (the answer `all` shows everything, and asks again)
            Undone.
            -- exit 0 --
        "#]],
    );
}
