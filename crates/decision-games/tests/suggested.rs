//! Who asks for a suggestion that it cannot have reads why.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use decision_games::play::{Act, Pages, Person, person};
use decision_games::{Play, Rules, Table, generate, open};

fn table() -> Table {
    let world = generate("planning", 7).unwrap();
    let game = open("planning", &world, Rules::default()).unwrap();
    Table::new(game, Rules::default(), Play::Strict)
}

/// What both seats, people at one terminal, are answered when they ask.
fn at_the_terminal(suggest: bool) -> Vec<String> {
    let (mut input, mut output) = (&b"/suggest\nhi\n/suggest\n/quit\n"[..], Vec::new());
    let mut with = Person {
        players: vec![None, None],
        suggest,
        hands_over: false,
        input: &mut input,
        output: &mut output,
        watch: &mut |_, _| {},
    };
    person(&mut table(), &mut with).unwrap();
    let text = String::from_utf8(output).unwrap();
    let answers = text.lines().filter_map(|line| line.split_once("> ! "));
    answers.map(|(_, answer)| answer.to_owned()).collect()
}

#[test]
fn people_at_one_terminal_do_not_see_what_another_one_saw() {
    let (mut input, mut output) = (&b"hi\n\n/quit\n"[..], Vec::new());
    let mut with = Person {
        players: vec![None, None],
        suggest: false,
        hands_over: true,
        input: &mut input,
        output: &mut output,
        watch: &mut |_, _| {},
    };
    person(&mut table(), &mut with).unwrap();
    let text = String::from_utf8(output).unwrap();
    let views: Vec<&str> = text.split("\x1b[H\x1b[2J\x1b[3J").collect();
    let [user, between, agent] = views[..] else {
        panic!("{text}");
    };
    assert!(user.contains("=== user\n"), "{user}");
    assert_eq!(
        between,
        "It is agent's turn. Press Enter when nobody else looks. "
    );
    assert!(agent.contains("=== agent\n") && agent.contains("User: hi"));
}

#[test]
fn suggestions_that_are_off_name_the_option_that_allows_them() {
    const NONE: &str = "There are no suggestions in this game for this seat.";
    const OFF: &str = "Suggestions are off: begin the game with --suggest.";
    assert_eq!(at_the_terminal(false), [NONE, OFF]);
    assert_eq!(at_the_terminal(true), [NONE]);
    let mut pages = Pages::new(table(), vec![None, None], false);
    let refused = [0, 1].map(|seat| pages.act(seat, &Act::Suggest).unwrap_err().text);
    assert_eq!(refused, [NONE, OFF]);
}
