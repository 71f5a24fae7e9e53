//! Games of a user's own in Python, at the command line. The game is that of `games.md`.

use crate::cli::support::Home;
use expect_test::expect;
use std::fs;

/// The file of the page.
fn page() -> &'static str {
    let page = include_str!("../../src/documentation/games.md");
    let (_, block) = page.split_once("```python\n# game.py\n").expect("a block");
    block.split_once("```").expect("its end").0
}

/// A home with the folder `restaurant`, in which this is the game.
fn home(game: &str) -> Home {
    let home = Home::new();
    fs::create_dir(home.path("restaurant")).expect("a folder");
    home.write("restaurant/game.py", game);
    home.ready("prepare --domain planning");
    home
}

/// What a command shows, with this input.
fn seen(home: &Home, words: &str, input: &str) -> String {
    let output = assert_cmd::Command::from(home.command(words))
        .write_stdin(input)
        .output()
        .expect("it starts");
    home.seen(&output)
}

#[test]
fn a_game_in_python_is_played_and_replayed_without_it() {
    let home = home(page());
    let drawn = seen(&home, "game generate restaurant --seed 7", "");
    assert_eq!(
        drawn,
        seen(&home, "game generate restaurant/game.py --seed 7", "")
    );
    assert_ne!(drawn, seen(&home, "game generate restaurant --seed 8", ""));
    home.check(
        home.command("play ./restaurant --seed 7 --partner shy --record games.jsonl"),
        "What about Saigon?\n/propose Luigi\n/propose Luigi\n",
        expect![[r#"

            === first

            Options:
            Luigi | food: noodles, your points: -3
            Saigon | food: pasta, your points: 7
            Zur Post | food: schnitzel, your points: -2

            A line is a message. Commands:
              /propose P   make a proposal; several lines of it are separated by " / "
              /accept      accept the proposal that waits
              /reject      reject it; text behind it is said, too
              /view        show your view again
              /score       show the last proposal as you read it
              /quit        leave
            first> Partner: I wish option Saigon 10.
            first> Partner: reject
            Partner: I hoped for more.
            first> Partner: accept 

            Agreed: 2 of 17 points (worst -4), 0.286.
            A best decision:
            Saigon
            Your points: 7
            Without a word, first would have reached 1.000, second 1.000.
            accepted, 12 words
            -- exit 0 --
        "#]],
    );
    fs::remove_dir_all(home.path("restaurant")).expect("the folder is gone");
    home.check(
        home.command("game replay games.jsonl"),
        "",
        expect![[r#"
            restaurant 7: 0.2857, 2 full proposals
            1 game, 2 full proposals, all match, TIME
            -- exit 0 --
        "#]],
    );
    home.check(
        home.command("game rows games.jsonl"),
        "",
        expect![[r#"
            restaurant
              optimum      1.0000 ± 0.0000  1 of 1 perfect      gain +0.00, gap 0.0000
              silent       1.0000 ± 0.0000  2 of 2 perfect      gain +0.00, gap 0.0000
              human first  0.2857 ± 0.0000  0 of 1 perfect      gain +0.00, gap 0.7143
              human final  0.2857 ± 0.0000  0 of 1 perfect      gain +0.00, gap 0.7143
            -- exit 0 --
        "#]],
    );
    for words in [
        "game show games.jsonl 7",
        "game figures games.jsonl",
        "game eval --model words --out run games.jsonl",
    ] {
        let seen = seen(&home, words, "");
        assert!(seen.ends_with("-- exit 0 --\n"), "{words}: {seen}");
    }
}

#[test]
fn a_game_in_python_is_served_and_played_by_programs() {
    let home = home(page());
    let requests = r#"{"op": "reset", "game": "restaurant", "seed": 7}
{"op": "step", "seat": "first", "text": "[propose] Luigi"}
{"op": "step", "seat": "second", "text": "[accept]"}
"#;
    home.check(
        home.command("game serve restaurant"),
        requests,
        expect![[r#"
            {"seats":["first","second"],"observation":{"first":"Options:\nLuigi | food: noodles, your points: -3\nSaigon | food: pasta, your points: 7\nZur Post | food: schnitzel, your points: -2","second":"Options:\nLuigi | food: noodles, your points: 5\nSaigon | food: pasta, your points: 10\nZur Post | food: schnitzel, your points: -2"},"movers":["first"],"id":1}
            {"observation":{"first":"You: [propose] Luigi\nYour points: -3","second":"Partner: [propose] Luigi\nYour points: 5\nYou must answer: [accept] or [reject]"},"movers":["second"],"done":false,"info":{"moves":1,"words":0}}
            {"observation":{"first":"Partner: [accept]","second":"You: [accept]"},"movers":[],"done":true,"info":{"moves":2,"words":0,"end":"accepted","score":2,"best":17,"worst":-4,"norm":0.2857142857142857}}
            -- exit 0 --
        "#]],
    );
    home.write(
        "own.py",
        "game.propose(game.suggest()[0])\nreturn game.wishes(), game.options()\n",
    );
    home.check(
        home.command("run --domain ./restaurant --world seed:7 own.py"),
        "",
        expect![[r#"
            result     [
                         [],
                         [
                           {
                             "name": "Luigi",
                             "values": {
                               "food": "noodles"
                             },
                             "points": -3
                           },
                           {
                             "name": "Saigon",
                             "values": {
                               "food": "pasta"
                             },
                             "points": 7
                           },
                           {
                             "name": "Zur Post",
                             "values": {
                               "food": "schnitzel"
                             },
                             "points": -2
                           }
                         ]
                       ]
            calls      suggest, propose, wishes, options
            signature  c98fa82f
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
}

#[test]
fn what_is_wrong_in_the_file_is_said_with_its_line() {
    let with = |more: &str| format!("{}\n{more}\n", page());
    let instead = |part: &str, other: &str| {
        assert!(page().contains(part), "{part}");
        page().replace(part, other)
    };
    let files = [
        "def draw(:\n".to_owned(),
        "import numpy\n".to_owned(),
        "raise SystemExit(3)\n".to_owned(),
        instead("def points", "def worth"),
        with("score = 3"),
        with("NAME = 'a|b'"),
        with("SEATS = ['host', 'guest']"),
        with("SEATS = [{'name': 'host', 'proposes': True}, {'name': 'guest'}]"),
        with("SEATS = [{'name': 'a b', 'proposes': True}, {'name': 'c', 'answers': True}]"),
        instead("\"likes\": likes", "\"like\": likes"),
        instead("(world, option, seat)", "(world, option)"),
        instead("return world[\"likes\"]", "return 0.5 + world[\"likes\"]"),
        instead("\"Zur Post\"", "\"LUIGI\""),
        instead("\"Zur Post\"", "\"a | b\""),
        instead("for place in PLACES]", "for place in PLACES[:1]]"),
        with("def score(world, option):\n    return 2 ** 70"),
        with("def view(world, seat):\n    return 7"),
        with("def wishes(world, seat):\n    return [('food', 'soup', 3)]"),
        with("def wishes(world, seat):\n    return 7"),
        instead(
            "    food = random",
            "    while True: pass\n    food = random",
        ),
    ];
    let home = home("");
    let mut said = String::new();
    for file in files {
        home.write("restaurant/game.py", &file);
        let seen = seen(&home, "game generate restaurant", "");
        let error = seen.strip_prefix("-- stderr --\nerror: restaurant/game.py");
        let error = error.and_then(|error| error.strip_suffix("-- exit 2 --\n"));
        said += error.unwrap_or(&seen);
    }
    expect![[r#"
        , line 1: this is no Python: '(' was never closed
        , line 1: ModuleNotFoundError: No module named 'numpy'
        , line 1: SystemExit: 3
        : there is no function points: write `def points(world, option, seat):`
        : score is no function: write `def score(world, option):`
        : NAME is 'a|b': a name has something in it, no blanks around it, and none of [, ], | and line breaks
        : SEATS is ['host', 'guest']: write two seats, such as [{"name": "host", "proposes": True}, {"name": "guest", "answers": True}]
        : no game can end with these seats: one of them has to propose, and where one proposes the other has to answer
        : "a b" is no name of a seat: it has letters, digits, - and _, 40 at most
        , line 13: points(world, 'Luigi', 0) raised KeyError: 'likes'
        , line 12: points(world, 'Luigi', 0) raised TypeError: points() takes 2 positional arguments but 3 were given
        , line 12: points(world, 'Luigi', 0) gave 5.5: give a whole number from -1,000,000 to 1,000,000
        , line 9: options(world) gave [{'name': 'Luigi', 'food': 'noodles'}, {'name': 'Saigon', 'f…: two options are called 'LUIGI'
        , line 9: options(world) gave {'name': 'a | b', 'food': 'pasta'}: each option has a name, and a name has something in it, no blanks around it, and none of [, ], | and line breaks
        , line 9: options(world) gave [{'name': 'Luigi', 'food': 'noodles'}]: give a list of 2 to 1,000 names, or dicts with a name
        , line 15: score(world, 'Luigi') gave 1180591620717411303424: give a whole number from -1,000,000 to 1,000,000
        , line 15: view(world, 0) gave 7: give a text of letters and line breaks
        , line 15: wishes(world, 0) gave ('food', 'soup', 3): no option has this attribute with this value
        , line 15: wishes(world, 0) gave 7: give a list of (attribute, value, points), such as ('food', 'pasta', 7)
        : the world of seed 0 takes too much: FuelExhausted: the program did more than 20000000000 steps of work. Look for a loop that does not end, and for large worlds
    "#]]
    .assert_eq(&said);
    // A request that fails does not end the server.
    home.write(
        "restaurant/game.py",
        &instead("\"likes\": likes", "\"like\": likes"),
    );
    let reset = r#"{"op": "reset", "game": "restaurant", "seed": 7}"#;
    let served = seen(
        &home,
        "game serve restaurant",
        &format!("{reset}\n{reset}\n"),
    );
    assert_eq!(
        served.matches("raised KeyError: 'likes'").count(),
        2,
        "{served}"
    );
    home.write("restaurant/game.json", "{}");
    let seen = seen(&home, "game generate restaurant", "");
    assert!(seen.contains("has a game.py and a game.json"), "{seen}");
}
