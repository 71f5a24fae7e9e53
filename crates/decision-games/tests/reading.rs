//! The questions that a model is asked about talk, and the facts that its answers give.

#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use decision_games::reading::Reading;
use decision_games::{Rules, generate, open};
use std::fmt::Write;

/// Lets a seat read, with these answers of a model. Shows questions, problems and facts.
fn read(game: &str, seat: usize, talk: &[(&str, &str)]) -> String {
    let world = generate(game, 2).unwrap();
    let game = open(game, &world, Rules::default()).unwrap();
    let mut reading = Reading::of(game.as_ref(), seat).unwrap();
    let (mut read, mut shown) = (String::new(), String::new());
    for (news, answer) in talk {
        read += &format!("{}{news}", if read.is_empty() { "" } else { "\n" });
        match reading.ask(&read) {
            None => shown += "(not asked)\n",
            Some(question) => {
                let problems = reading.take(answer);
                _ = write!(shown, "{question}\n> {}\n", answer.replace('\n', "\n> "));
                problems
                    .iter()
                    .for_each(|problem| _ = writeln!(shown, "! {problem}"));
            }
        }
    }
    for fact in reading.facts(&read) {
        _ = writeln!(shown, "= {fact}");
    }
    shown
}

fn check(game: &str, seat: usize, talk: &[(&str, &str)], expected: &str) {
    let shown = read(game, seat, talk);
    assert_eq!(shown.trim(), expected.trim(), "\n{shown}");
}

#[test]
fn facts_add_up_over_a_talk_and_the_last_word_counts() {
    let talk = [
        ("You: [message] Do you come with kids?", ""),
        (
            "User: [message] yes\nand we can spend 60",
            "wish(feature=\"good_for_kids\", like=\"yes\", dislike=[False])\nwish(budget=60)",
        ),
        (
            "User: [message] Make it 80, and no kids. I like thai food.",
            "wish(budget=80)\nforget(0)\ngame.wish(feature=\"cuisine\", like=[\"Thai\"])",
        ),
        ("User: [accept]", ""),
    ];
    check(
        "planning",
        1,
        &talk,
        r#"
(not asked)
The talk:
You: Do you come with kids?
User: yes and we can spend 60

The new facts:
> wish(feature="good_for_kids", like="yes", dislike=[False])
> wish(budget=60)
Facts so far:
0: wish(feature="good for kids", like=[True], dislike=[False])
1: wish(budget=60)

The talk:
User: Make it 80, and no kids. I like thai food.

The new facts:
> wish(budget=80)
> forget(0)
> game.wish(feature="cuisine", like=["Thai"])
(not asked)
= {"budget":80,"weight":null}
= {"feature":"cuisine","like":["thai"],"dislike":[],"weight":null}
"#,
    );
}

#[test]
fn what_cannot_be_used_is_said_and_the_rest_is_taken() {
    let answer = "The user wants:\nwish(visit=[\"Nowhere\"])\nwish(feature=\"quiet\", like=[True])\n\
        wish(feature=\"has wifi\")\nhope(1)\nwish(3)\nwish(feature=\"rating\", at_least=4.5)\nforget(7)";
    let shown = read("planning", 1, &[("User: [message] hi", answer)]);
    for problem in [
        "! There is no site",
        "! There is no property \"quiet\", only accepts reservations,",
        "! Name values to like",
        "! there is no call hope; there are wish",
        "! wish takes 0 arguments",
        "! forget takes the number of a fact",
        "= {\"feature\":\"rating\",\"like\":[4.5,5.0],\"dislike\":[1.0,1.5,2.0,2.5],\"weight\":null}",
    ] {
        assert!(shown.contains(problem), "{problem} is not in\n{shown}");
    }
    let nothing = read("planning", 1, &[("User: [message] hi", "I cannot say.")]);
    assert!(
        nothing.ends_with("! there is no call in the answer\n"),
        "{nothing}"
    );
}

#[test]
fn claims_are_levels_words_or_numbers_and_proposals_need_no_model() {
    let answer = "claim(\"Ava\", \"bleu\", 4)\nclaim(\"Ethan Smith\", \"GLUE\", 337)\nclaim(\"Ava Li\", \"BLEU\", \"great\")";
    let talk = [("Partner: [message] Ava is good for BLEU.", answer)];
    let shown = read("optimization", 0, &talk);
    assert!(
        shown.contains("= {\"reviewer\":\"Ava Li\",\"paper\":\"BLEU\",\"level\":5}"),
        "{shown}"
    );
    assert!(
        shown.contains("\"paper\":\"GLUE\",\"number\":337}"),
        "{shown}"
    );

    let world = generate("optimization", 2).unwrap();
    let game = open("optimization", &world, Rules::default()).unwrap();
    let proposal = format!("Partner: [propose] {}", game.show(&game.best(), 0, 1));
    assert_eq!(
        read("optimization", 0, &[(&proposal, "")])
            .matches("= {")
            .count(),
        8
    );
}

#[test]
fn meetings_are_named_by_number_or_time() {
    let answer = "importance(0, 0, \"high\")\nmeeting(1, \"6/1 8 PM - 10 PM\", 3)\nprice(1, 15)\n\
        importance(2, 0, 4)\nmeeting(0, \"noon\", 3)\nexclude(0, 1)";
    let shown = read(
        "mediation",
        2,
        &[("User 0: [message] The first one is important", answer)],
    );
    for line in [
        "= {\"user\":0,\"event\":0,\"importance\":9.0}",
        "= {\"user\":1,\"start\":\"2023-06-01T20:00\",\"end\":\"2023-06-01T22:00\",\"importance\":3.0}",
        "= {\"user\":1,\"price\":15.0}",
        "= {\"user\":0,\"exclude\":1}",
        "! Users are 0 and 1",
        "! \"noon\" is no time",
    ] {
        assert!(shown.contains(line), "{line} is not in\n{shown}");
    }
}
