//! `dialog2api session undo`: what was undone in part, and what nobody answered.

use crate::journal::chats::{Home, goal, reply};
use expect_test::{Expect, expect};

#[track_caller]
fn check(home: &Home, words: &str, input: &str, expected: Expect) {
    expected.assert_eq(&home.seen(words, input));
}

#[test]
fn an_undo_in_part_says_so_and_goes_on_when_nothing_stands_in_its_way() {
    let home = Home::new();
    let put = |key: &str, body: &str| {
        format!("s3.put_object(Bucket='zoology-bucket', Key='{key}', Body='{body}')\n")
    };
    let answers = [
        goal(1, "final", &(put("a.txt", "one") + &put("b.txt", "one"))),
        reply("Done."),
        goal(2, "final", &put("b.txt", "other")),
        reply("Done."),
    ];
    let input =
        "make a.txt and b.txt in zoology-bucket\nyes\nmake b.txt in zoology-bucket other\nyes\n";
    let said = home.chat("--session it", &answers, input);
    assert!(said.ends_with("Agent: Done.\n\n-- exit 0 --\n"), "{said}");
    check(
        &home,
        "session undo it --plan 1 --yes",
        "",
        expect![[r#"
              zoology-bucket/b.txt does not come back, because it has changed since

            Undoing the program of goal 1 (turn 1) would change this:
              - zoology-bucket/a.txt  3 B  comes back by our journal
              1 deleted; 3 B destroyed
              An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
            Undone in part: one place has changed since, and was left alone.
            -- exit 1 --
        "#]],
    );
    // Those that are whole come first.
    check(
        &home,
        "session undo it --yes",
        "",
        expect![[r#"

            Undoing the program of goal 2 (turn 2) would change this:
              ~ zoology-bucket/b.txt  5 B → 3 B  comes back by our journal
              1 overwritten; 3 B written; 5 B destroyed
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

            Undoing the program of goal 1 (turn 1) would change this:
              - zoology-bucket/b.txt  3 B  comes back by our journal
              1 deleted; 3 B destroyed
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
}

#[test]
fn an_undo_without_an_answer_is_not_done_and_says_so() {
    let home = Home::new();
    let answers = [
        goal(1, "final", "s3.create_bucket(Bucket='zoology-attic')"),
        reply("Done."),
    ];
    home.chat("--session it", &answers, "make zoology-attic\nyes\n");
    check(
        &home,
        "session undo it",
        "",
        expect![[r#"

            Undoing the program of goal 1 (turn 1) would change this:
              - zoology-attic/  comes back by our journal
              1 bucket deleted
              An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
            Do it? [y/N] (no answer)
            Nothing is changed.
            error: there was no answer, and nothing was changed; --yes undoes without asking
            -- exit 2 --
        "#]],
    );
}

/// What cannot be taken back at all is said, and nobody is asked about it.
#[test]
fn an_undo_that_could_change_nothing_is_not_offered() {
    let home = Home::new();
    let answers = [
        goal(
            1,
            "final",
            "s3.put_bucket_accelerate_configuration(Bucket='zoology-bucket', \
             AccelerateConfiguration={'Status': 'Suspended'})",
        ),
        reply("Suspended."),
    ];
    home.chat("--session it", &answers, "suspend acceleration\nyes\n");
    let said = home.seen("session undo it", "yes\n");
    for part in [
        "zoology-bucket/ (acceleration) does not come back, because acceleration can only be \
         suspended",
        "there is nothing that can be brought back",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(
        !said.contains("Do it?") && !said.contains("Undone"),
        "{said}"
    );
}
