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
        expect![[r#"
            output     not-your-turn
            result     [
                         "[Moabit Garden, El Toro Steakhouse, Atlas Park]",
                         {
                           "what": "at least one park",
                           "points": 11.0
                         }
                       ]
            calls      wish × 2, suggest, propose, say → not-your-turn
            signature  5d305932
            elapsed    TIME
            -- exit 0 --
        "#]],
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
        expect![[r#"
            result     [
                         {
                           "name": "Luigi",
                           "values": {
                             "food": "noodles"
                           }
                         },
                         {
                           "name": "Saigon",
                           "values": {
                             "food": "pasta"
                           }
                         }
                       ]
            calls      suggest, propose, options
            signature  c31481b4
            elapsed    TIME
            -- exit 0 --
        "#]],
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
        expect![[r#"

            === user

            Travel preferences:
              - prefer just eating takeout
              - COVID conscious, outdoor seating places would be best
              - heard these bars were good: Kozy Kar
              - group of 7, best if we could go to places good for groups
              - generally like eating vegetarian options
              - go to at least one restaurant
              - hidden spots much better than tourist traps
              - keep budget below $30
              - prefer places rated above 3 stars
              - renting a car so preferably places with parking, but street parking also ok
              - minimize travel distance

            A line is a message. Commands:
              /accept      accept the proposal that waits
              /reject      reject it; text behind it is said, too
              /view        show your view again
              /score       show the last proposal as you read it
              /quit        leave
            user> Agent: What is your budget?
            user> Agent proposes:
            [BAMPFA, Garden of Wonders, A-Trane]
            Proposal Score:
            1) (score: -2) BAMPFA
            price: 0
            good for groups: True
            good for kids: True
            open late: True
            rating: 2
            touristy: True
            2) (score: -1) Travel from BAMPFA to Garden of Wonders, 0.5mi
            3) (score: 4) Garden of Wonders
            price: 0
            good for groups: True
            good for kids: False
            rating: 1.5
            touristy: False
            viewpoint: True
            4) (score: 0) Travel from Garden of Wonders to A-Trane, 0.1mi
            5) (score: 8) A-Trane
            price: 50
            ambience: divey
            has parking: False
            outdoor seating: True
            rating: 4.5
            touristy: True

            Overall Checklist:
            YES (score: 0) heard these bars were good: Kozy Kar
            NO (score: -9) go to at least one restaurant
            NO (score: -2) keep budget below $30
            TOTAL PRICE: 50
            TOTAL SCORE: -2-1+4+0+8+0-9-2=-2
            Agent: Three stops, one of them a park.
            user> 
            Agreed: -2 of 61 points (worst -61), 0.484.
            A best decision:
            [City Museum of Art, Asha Tea House, Cookies Cream]
            Proposal Score:
            1) (score: 27) City Museum of Art
            price: 20
            good for groups: True
            good for kids: False
            has parking: True
            rating: 3.5
            touristy: False
            2) (score: -1) Travel from City Museum of Art to Asha Tea House, 0.8mi
            3) (score: 13) Asha Tea House
            price: 15
            ambience: hipster
            good for groups: True
            good for kids: True
            has parking: True
            outdoor seating: False
            4) (score: -1) Travel from Asha Tea House to Cookies Cream, 0.9mi
            5) (score: 16) Cookies Cream
            price: 130
            accepts reservations: False
            has parking: True
            live music: False
            rating: 5
            vegan options: False

            Overall Checklist:
            YES (score: 0) heard these bars were good: Kozy Kar
            YES (score: 9) go to at least one restaurant
            NO (score: -2) keep budget below $30
            TOTAL PRICE: 165
            TOTAL SCORE: +27-1+13-1+16+0+9-2=61
            Without a word, agent would have reached 0.844.
            accepted, 16 words
            script: 4 requests, 0 tokens
            -- exit 0 --
        "#]],
    );
}

const POLICY: &str = "version = 1\n\n[[rule]]\nname = \"only-talk\"\neffect = \"deny\"\n\
    operations = [\"propose\", \"accept\"]\npaths = [\"game\"]\n";

#[test]
fn a_policy_denies_a_move_of_a_seat() {
    let home = Home::new();
    home.write("policy.toml", POLICY);
    home.write("wrong.toml", &POLICY.replace("accept", "acept"));
    home.write(
        "idle.toml",
        "version = 1\n\n[[rule]]\nname = \"r\"\neffect = \"deny\"\noperations = [\"accept\"]\n\
         access = [\"read\"]\n",
    );
    home.write("propose.py", "game.propose(game.suggest()[0])\n");
    home.write(
        "accept.py",
        "try:\n    game.accept()\nexcept Exception as error:\n    return str(error)\n",
    );
    let seen = |words: &str| {
        let output = home.ready(words).output().expect("it starts");
        format!("$ {words}\n{}", home.seen(&output))
    };
    let shown = [
        "policy check --domain planning policy.toml",
        "policy check --domain planning wrong.toml",
        "policy check --domain planning idle.toml",
        "policy explain --domain planning policy.toml acept",
        "policy explain --domain planning policy.toml accept",
        "policy explain --domain planning policy.toml suggest",
        "run --domain planning --world seed:7 --seat agent --policy policy.toml propose.py",
        "run --domain planning --world seed:7 --seat user --policy policy.toml accept.py",
        "run --domain mediation --world seed:7 --read-only propose.py",
    ]
    .map(seen);
    expect![[r#"
        $ policy check --domain planning policy.toml
        ok policy.toml
        -- exit 0 --
        $ policy check --domain planning wrong.toml
        wrong.toml: line 6: rule "only-talk": no operation is "acept"; there are view, history, say, propose, suggest, weigh, forget, wish, wishes, sites, search, distance, best, accept, reject
        -- exit 3 --
        $ policy check --domain planning idle.toml
        idle.toml: line 4: rule "r" can match nothing: none of its operations has such an access
        -- exit 3 --
        $ policy explain --domain planning policy.toml acept
        -- stderr --
        error: there is no operation acept; there are view, history, say, propose, suggest, weigh, forget, wish, wishes, sites, search, distance, best, accept, reject
        -- exit 2 --
        $ policy explain --domain planning policy.toml accept
        The policy does not allow this: rule "only-talk" denies accept on game/.
        -- exit 3 --
        $ policy explain --domain planning policy.toml suggest
        The policy allows this.
        -- exit 0 --
        $ run --domain planning --world seed:7 --seat agent --policy policy.toml propose.py
        error      AccessDenied (line 1): The policy does not allow this: rule "only-talk" denies propose on game/.
        traceback  File "program.py", line 1, in program
                     game.propose(game.suggest()[0])
        calls      suggest, propose → AccessDenied
        signature  fd7c7e67
        elapsed    TIME
        -- exit 3 --
        $ run --domain planning --world seed:7 --seat user --policy policy.toml accept.py
        result     "The policy does not allow this: rule \"only-talk\" denies accept on game/."
        calls      accept → AccessDenied
        signature  0bb25c45
        elapsed    TIME
        -- exit 0 --
        $ run --domain mediation --world seed:7 --read-only propose.py
        error      AccessDenied (line 1): The policy does not allow this: the mode is read-only, which denies propose on game/.
        traceback  File "program.py", line 1, in program
                     game.propose(game.suggest()[0])
        calls      suggest, propose → AccessDenied
        signature  8d113076
        elapsed    TIME
        -- exit 3 --
    "#]].assert_eq(&shown.concat());
}

/// A program that may not propose, the second try, and the words; then all of it again.
const DENIED: &str = "game.propose(game.suggest()[0])\n---\npass\n---\nI may not propose.\n---\n\
    pass\n---\nI can only talk.\n";

#[test]
fn a_model_that_a_policy_denies_a_move_says_so() {
    let home = Home::new();
    home.write("policy.toml", POLICY);
    home.write("answers", DENIED);
    home.ready("prepare --domain planning");
    let words = "play planning --seed 3 --partner agent --model script:answers --agent programs";
    let command = home.command(&format!(
        "{words} --policy policy.toml --record games.jsonl"
    ));
    let output = assert_cmd::Command::from(command)
        .write_stdin("hi there\nwhat do you propose?\n/quit\n")
        .output()
        .expect("it starts");
    let seen = home.seen(&output);
    for expected in [
        "Agent: I may not propose.",
        "Agent: I can only talk.",
        "script: 5 requests",
    ] {
        assert!(seen.contains(expected), "{expected} is not in {seen}");
    }
    assert!(!home.read("games.jsonl").contains("proposal"));
    for (words, expected) in [
        (
            "play planning --policy policy.toml",
            "a policy is for --agent programs",
        ),
        ("play planning --json", "--web"),
        (
            "play planning --record answers",
            "has no games to add one to",
        ),
        (
            "play planning --record no/games.jsonl",
            "there is no folder no",
        ),
        ("play planning --language fr", "there is no language"),
    ] {
        let output = home.command(words).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{words}");
        let seen = home.seen(&output);
        assert!(seen.contains(expected), "{words}: {seen}");
    }
}

#[test]
fn partners_speak_other_languages_and_own_games_are_served() {
    let home = Home::new();
    let words = "play planning --seat agent --seed 7 --language it";
    let output = assert_cmd::Command::from(home.command(words))
        .write_stdin("/quit\n")
        .output();
    let seen = home.seen(&output.expect("it starts"));
    assert!(seen.contains("il budget resta sotto $60"), "{seen}");
    std::fs::create_dir_all(home.path("restaurant")).expect("a folder");
    home.write("restaurant/game.json", OWN);
    // A folder that only has the name of a game is none, and the file of a game is one.
    std::fs::create_dir_all(home.path("planning")).expect("a folder");
    let drawn = |words: &str| home.seen(&home.command(words).output().expect("it starts"));
    for words in [
        "game generate restaurant",
        "game generate restaurant/game.json",
        "game generate planning",
    ] {
        let seen = drawn(words);
        assert!(seen.ends_with("-- exit 0 --\n"), "{words}: {seen}");
    }
    let seen = drawn("policy explain --domain restaurant restaurant/game.json say");
    assert!(!seen.contains("there is no domain"), "{seen}");
    let request = r#"{"op": "reset", "game": "restaurant", "seed": 1}"#;
    let served = assert_cmd::Command::from(home.command("game serve restaurant"))
        .write_stdin(request)
        .output()
        .expect("it starts");
    let seen = home.seen(&served);
    assert!(seen.contains(r#""seats":["first","second"]"#), "{seen}");
}
