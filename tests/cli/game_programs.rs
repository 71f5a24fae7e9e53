//! Programs of seats at the command line, and models that play by them.

use crate::cli::support::Home;
use expect_test::expect;

const FIRST: &str = r#"game.wish(budget=60)
game.wish(category="park", must=True)
best = game.suggest()[0]
game.propose(best)
try:
    game.say("Well?")
except Exception as error:
    print(error.code)
return best["text"], best["reasons"][0]
"#;

/// Answers of a model: a program, then the words, for each turn.
const ANSWERS: &str = "game.wish(category=\"park\")\n---\nWhat is your budget?\n---\n\
    game.wish(budget=60)\ngame.propose(game.suggest()[0])\n---\nThree stops, one of them a park.\n";

/// A game of a user's own.
const OWN: &str = r#"{"name": "restaurant", "options": ["Luigi", "Saigon"],
    "attributes": {"food": ["pasta", "noodles"]}}"#;

#[test]
fn a_program_plays_a_seat() {
    let home = Home::new();
    home.write("first.py", FIRST);
    home.check(
        home.ready("run --domain planning --world seed:7 --seat agent first.py"),
        "",
        expect![[r#""#]],
    );
    std::fs::create_dir_all(home.path("restaurant")).expect("a folder");
    home.write("restaurant/game.json", OWN);
    home.write(
        "own.py",
        "game.propose(game.suggest()[0])\nreturn game.options()\n",
    );
    home.check(
        home.ready("run --domain ./restaurant --world seed:7 own.py"),
        "",
        expect![[r#""#]],
    );
    for words in [
        "run --domain planning --seat guide first.py",
        "run --domain planning --world moon first.py",
        "run --domain planning --overlay first.py",
        "run --seat agent first.py",
    ] {
        let output = home.command(words).output().expect("it starts");
        assert_eq!(
            output.status.code(),
            Some(2),
            "{words}: {}",
            home.seen(&output)
        );
    }
}

#[test]
fn a_model_plays_by_programs() {
    let home = Home::new();
    home.write("answers", ANSWERS);
    home.ready("prepare --domain planning");
    let words = "play planning --seat user --seed 3 --partner agent --model script:answers --agent programs";
    home.check(
        home.command(words),
        "hi there\nabout 60 dollars\n/accept\n",
        expect![[r#""#]],
    );
}
