//! Games that are played without a model, and what is reached in them.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod games;

use std::sync::Arc;

use decision_games::measure::Rows;
use decision_games::play::{Ended, Person, agent_among, between, person};
use decision_games::{
    End, Kinds, Language, Limits, Manner, Mind, Play, Recorded, Rules, Table, declared, generate,
    open, speaking,
};
use serde_json::{Value, json};

fn table(game: &str, seed: u64) -> (Table, Value) {
    let world = generate(game, seed).unwrap();
    let game = open(game, &world, Rules::default()).unwrap();
    let limits = Limits::usual(game.as_ref());
    let table = Table::new(game, Rules::default(), Play::Strict).with_limits(limits);
    (table, world)
}

#[test]
fn players_without_a_model_reach_the_goals_on_the_worlds_of_people() {
    let mut rows = Rows::default();
    for recorded in games::all()
        .iter()
        .filter(|recorded| recorded.index % 3 == 2)
    {
        rows.played(recorded, "scripted", Manner::Scripted).unwrap();
        rows.forced(recorded).unwrap();
    }
    let mut wrong = Vec::new();
    // Readers of words have floors below what they reach; players have the goals.
    for (game, way, least) in [
        ("optimization", "with scripted", 0.98),
        ("planning", "with scripted", 0.93),
        ("mediation", "with scripted", 0.985),
        ("optimization", "forced end", 0.92),
        ("planning", "forced end", 0.86),
        ("mediation", "forced end", 0.975),
    ] {
        let summary = rows.all[&(game.to_owned(), way.to_owned())].summary();
        if summary.norm < least || summary.failed > 0 {
            wrong.push(format!(
                "{game} {way}: {:.4}, {} failed",
                summary.norm, summary.failed
            ));
        }
    }
    assert!(wrong.is_empty(), "{}\n{rows}", wrong.join("\n"));
}

#[test]
fn a_played_game_is_a_recorded_game_and_replays_to_its_score() {
    for game in Kinds::default().names() {
        for (_, manner) in Manner::ALL {
            let (mut table, world) = table(game, 3);
            let seat = table
                .game()
                .seats()
                .iter()
                .rposition(|seat| seat.may_propose)
                .unwrap();
            let mut players = agent_among(table.game().as_ref(), seat, manner, 3).unwrap();
            let played = between(&mut table, &mut players).unwrap();
            assert!(
                matches!(played.end, Some(End::Accepted(_))),
                "{game} {manner:?}"
            );
            assert_eq!(played.refused, 0, "{game} {manner:?}");
            let line = serde_json::to_string(&played.record.line(&table, &world, 3)).unwrap();
            let again: Recorded = Recorded::read(&line).unwrap().remove(0);
            let replay = again.replay(again.open(Rules::default()).unwrap()).unwrap();
            assert_eq!(replay.decision, table.points(), "{game} {manner:?}");
            assert_eq!(again.words(again.turns.len()), played.record.words());
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    for game in Kinds::default().names() {
        let play = || {
            let (mut table, world) = table(game, 5);
            let seat = table
                .game()
                .seats()
                .iter()
                .rposition(|seat| seat.may_propose)
                .unwrap();
            let mut players = agent_among(table.game().as_ref(), seat, Manner::Shy, 5).unwrap();
            let played = between(&mut table, &mut players).unwrap();
            serde_json::to_string(&played.record.line(&table, &world, 5)).unwrap()
        };
        assert_eq!(play(), play());
    }
}

#[test]
fn a_shy_party_says_nothing_that_it_was_not_asked_for() {
    for game in Kinds::default().names() {
        let (table, _) = table(game, 1);
        for seat in 0..table.game().seats().len() {
            let Some(mut shy) = table.game().partner(seat, Manner::Shy, 1) else {
                continue;
            };
            let first = shy.turn(&table.game().view(seat)).unwrap();
            assert!(first.len() < 60, "{game}, seat {seat}: {first}");
        }
    }
    let (table, _) = table("planning", 1);
    let mut shy = table.game().partner(0, Manner::Shy, 1).unwrap();
    shy.turn("").unwrap();
    let answer = shy
        .turn("Agent: [message] Should the ways be short?")
        .unwrap();
    assert_eq!(answer, "[message] minimize travel distance");
}

/// However it is asked: this user wants a museum, and has heard of BAMPFA.
#[test]
fn a_shy_user_tells_a_wish_by_any_name_that_the_wish_has() {
    let (table, _) = table("planning", 7);
    for (question, told) in [
        ("Do you like museums?", "go to at least one museum"),
        ("Should there be a museum?", "go to at least one museum"),
        ("Which types of places?", "go to at least one museum"),
        ("Was BAMPFA recommended?", "heard good things about BAMPFA"),
        ("Shall we see BAMPFA?", "heard good things about BAMPFA"),
        ("Should all be close by?", "minimize travel distance"),
        ("Do you like bowling?", "I do not mind."),
    ] {
        let mut shy = table.game().partner(0, Manner::Shy, 1).unwrap();
        shy.turn("").unwrap();
        let answer = shy.turn(&format!("Agent: [message] {question}")).unwrap();
        assert!(answer.contains(told), "{question} {answer}");
    }
    for (language, question, told) in [
        (Language::German, "Soll ein Museum dabei sein?", "Museum"),
        (Language::German, "Sollen die Wege kurz sein?", "kurze Wege"),
        (Language::Italian, "Le piacciono i musei?", "museo"),
        (
            Language::Italian,
            "I percorsi devono essere brevi?",
            "tragitti",
        ),
    ] {
        let shy = table.game().partner(0, Manner::Shy, 1).unwrap();
        let mut shy = speaking(shy, language);
        shy.turn("").unwrap();
        let answer = shy.turn(&format!("Agent: [message] {question}")).unwrap();
        assert!(answer.contains(told), "{question} {answer}");
    }
}

/// Plays at a terminal; gives the output, the record and how it ended.
fn terminal(
    game: &str,
    seat: usize,
    partner: Option<Manner>,
    lines: &str,
) -> (String, Recorded, Ended) {
    let (mut table, world) = table(game, 2);
    let players = (0..table.game().seats().len())
        .map(|other| (other != seat).then_some(other))
        .map(|other| {
            table
                .game()
                .partner(other?, partner?, 1)
                .or_else(|| table.game().agent(other?))
        })
        .collect();
    let (mut input, mut output) = (lines.as_bytes(), Vec::new());
    let mut with = Person {
        players,
        suggest: true,
        hands_over: false,
        input: &mut input,
        output: &mut output,
        watch: &mut |_, _| {},
    };
    let (record, ended) = person(&mut table, &mut with).unwrap();
    let record = record.line(&table, &world, 2);
    (String::from_utf8(output).unwrap(), record, ended)
}

#[test]
fn a_person_plays_against_a_fixed_party() {
    let lines = "What do you want?\n/propose [Nowhere, A, B]\n/search Search(fields=[name], limit=1)\n\
        /suggest\n/nonsense\n/propose [Atlas Park, Mad Seoul, The Tower]\n\
        /score\n/propose [Atlas Park, Mad Seoul, The Tower]\n/propose [Atlas Park, Mad Seoul, The Tower]\n";
    let (output, record, ended) = terminal("planning", 1, Some(Manner::Scripted), lines);
    for expected in [
        "=== agent",
        "User: ",
        "! There is no site",
        "Search Results (1):",
        "worth about",
        "/search Q    ask a query",
        "User: reject",
        "Agreed: ",
        "Without a word, agent",
    ] {
        assert!(output.contains(expected), "{expected} is not in\n{output}");
    }
    assert!(matches!(ended, Ended::Game(End::Accepted(_))));
    let replay = record
        .replay(record.open(Rules::default()).unwrap())
        .unwrap();
    assert_eq!(
        replay.decision.unwrap().score,
        record.recorded.unwrap().score
    );
}

#[test]
fn a_person_answers_the_player_without_a_model() {
    let asked = "what do you suggest?\nhm\n/quit\n";
    let (output, ..) = terminal("planning", 0, Some(Manner::Scripted), asked);
    // Who is asked for a proposal does not ask back.
    assert!(output.contains("Agent proposes:\n["), "{output}");
    assert!(
        output.contains("! You must answer: /accept or /reject"),
        "{output}"
    );
    let wishes = "family trip, keep budget below $60, go to at least one park\n";
    let lines = format!("{wishes}no\nno\nno\nno\nno\nno\n/accept\n/accept\n/accept\n");
    let (output, _, ended) = terminal("planning", 0, Some(Manner::Scripted), &lines);
    assert!(
        output.contains("Agent proposes:\n[") && output.contains("TOTAL SCORE"),
        "{output}"
    );
    assert!(
        matches!(ended, Ended::Game(End::Accepted(_))),
        "{ended:?}\n{output}"
    );
}

#[test]
fn two_people_play_at_one_terminal_and_one_leaves() {
    let lines = "hello\n/view\nhi there\n/quit\n";
    let (output, record, ended) = terminal("optimization", 0, None, lines);
    assert!(
        output.contains("=== player-1") && output.contains("=== player-2"),
        "{output}"
    );
    assert!(output.contains("Partner: hello"), "{output}");
    assert_eq!((record.turns.len(), ended), (2, Ended::Left));
    // The end of the input is leaving, too.
    assert_eq!(
        terminal("mediation", 2, Some(Manner::Shy), "").2,
        Ended::Left
    );
}

#[test]
fn what_others_write_cannot_steer_a_terminal() {
    let (output, ..) = terminal("optimization", 0, None, "\u{1b}[2Jhello\n/quit\n");
    assert!(output.contains("[2Jhello") && !output.contains('\u{1b}'));
}

#[test]
fn facts_that_cannot_be_read_are_refused_and_change_nothing() {
    for (game, seat, fact, code) in [
        (
            "optimization",
            0,
            json!({"reviewer": "Ava Li", "paper": "BLEU", "level": 6}),
            "bad-query",
        ),
        (
            "optimization",
            0,
            json!({"reviewer": "Nobody", "paper": "BLEU", "level": 2}),
            "unknown-reviewer",
        ),
        (
            "optimization",
            1,
            json!({"reviewer": "Ava", "paper": "Blah", "level": 2}),
            "unknown-paper",
        ),
        ("optimization", 1, json!("Ava"), "bad-query"),
        ("planning", 1, json!({"visit": ["Nowhere"]}), "unknown-site"),
        ("planning", 1, json!({"category": "zoo"}), "unknown-field"),
        (
            "planning",
            1,
            json!({"budget": 60, "weight": 1e300}),
            "bad-query",
        ),
        ("mediation", 2, json!({"user": 2, "price": 3}), "bad-query"),
        (
            "mediation",
            2,
            json!({"user": 0, "exclude": 99}),
            "bad-query",
        ),
        ("mediation", 2, json!({"rejected": [0, 99]}), "bad-query"),
    ] {
        let (table, _) = table(game, 1);
        let mut mind = Mind::new(table.game().solver(seat).unwrap());
        assert_eq!(mind.learn(&fact).unwrap_err().code.name(), code, "{fact}");
        assert!(mind.facts().is_empty() && mind.forget(0).is_err());
    }
}

#[test]
fn suggestions_are_legal_and_worth_the_sum_of_their_reasons() {
    for (game, facts) in [
        (
            "optimization",
            json!([{"reviewer": "Ava Li", "paper": "BLEU", "level": 5}, {"reviewer": "Noah Wilson", "paper": "SWAG", "number": 300}]),
        ),
        (
            "planning",
            json!([{"budget": 60}, {"feature": "has wifi", "like": [true]}, {"travel": 9}]),
        ),
        (
            "mediation",
            json!([{"user": 0, "event": 0, "importance": 9}, {"user": 1, "price": 20}, {"arrival": 9}]),
        ),
    ] {
        let (table, _) = table(game, 4);
        let seat = table
            .game()
            .seats()
            .iter()
            .rposition(|seat| seat.may_propose)
            .unwrap();
        let mut mind = Mind::new(table.game().solver(seat).unwrap());
        facts
            .as_array()
            .unwrap()
            .iter()
            .for_each(|fact| mind.learn(fact).unwrap());
        let found = mind.suggest(5);
        assert_eq!(found.len(), 5, "{game}");
        assert!(
            found.is_sorted_by(|a, b| a.value >= b.value - 1e-9),
            "{game}"
        );
        let solver = table.game().solver(seat).unwrap();
        for one in &found {
            assert_eq!(table.game().check(&one.decision).unwrap(), one.decision);
            let sum: f64 = one.reasons.iter().map(|reason| reason.points).sum();
            assert!((sum - one.value).abs() < 1e-6, "{game}: {one:?}");
            let weighed = solver.weigh(mind.facts(), &one.decision).unwrap();
            assert!((weighed.value - one.value).abs() < 1e-6, "{game}");
        }
    }
}

#[test]
fn a_game_of_a_user_is_drawn_played_and_served() {
    let definition = r#"{"name": "restaurant", "options": ["Luigi", "Saigon", "Zur Post", "Curry 36"],
        "attributes": {"food": ["pasta", "noodles", "schnitzel"], "price": ["cheap", "dear"], "terrace": ["open", "closed"]}}"#;
    let kinds = Kinds::default()
        .with(declared::read(definition).unwrap())
        .unwrap();
    let (mut sum, mut silent) = (0.0, 0.0);
    for seed in 0..50 {
        let world = kinds
            .generate("restaurant", seed, Rules::default())
            .unwrap();
        let game = kinds.open("restaurant", &world, Rules::default()).unwrap();
        silent += game.points(&game.silent(0)).norm();
        for (_, manner) in Manner::ALL {
            let table = Table::new(Arc::clone(&game), Rules::default(), Play::Strict);
            let mut table = table.with_limits(Limits::usual(game.as_ref()));
            let played = between(
                &mut table,
                &mut agent_among(game.as_ref(), 0, manner, seed).unwrap(),
            )
            .unwrap();
            // Its world has all that its replay needs.
            let record = played.record.line(&table, &world, 1);
            let replay = record.replay(record.open(Rules::default()).unwrap());
            assert_eq!(replay.unwrap().decision, table.points());
            assert!(
                matches!(played.end, Some(End::Accepted(_))),
                "{seed} {manner:?}: {played:?}"
            );
            if manner == Manner::Scripted {
                sum += played.norm.unwrap();
            }
        }
    }
    assert!(
        sum / 50.0 > 0.99 && silent / 50.0 < sum / 50.0,
        "{sum} {silent}"
    );
    let mut server = decision_games::serve::Server::of(kinds);
    let begun = server.answer(r#"{"op": "reset", "game": "restaurant", "seed": 1}"#);
    assert_eq!(begun["seats"], json!(["first", "second"]));
    for (wrong, expected) in [
        ("{}", "missing field"),
        (
            r#"{"name": "x", "options": [], "attributes": {}}"#,
            "it needs a name",
        ),
        (
            r#"{"name": "x", "options": ["A", "a"], "attributes": {}}"#,
            "two options are called \"a\"",
        ),
        (
            r#"{"name": "x", "options": ["A", "B"], "attributes": {"f": ["u"], "F": ["v"]}}"#,
            "two attributes are called \"f\"",
        ),
        (
            r#"{"name": "x", "options": ["A", "B"], "attributes": {"f": ["u", "v", "U"]}}"#,
            "two values of f are called \"U\"",
        ),
        (
            r#"{"name": "x", "options": ["A"], "attributes": {"f": ["u"]}}"#,
            "two options or more",
        ),
        (
            r#"{"name": "x", "options": ["A", "B"], "attributes": {}}"#,
            "an attribute by which they differ",
        ),
        (
            r#"{"name": "x", "options": ["A", "B"], "attributes": {"option": ["u", "v"]}}"#,
            "no attribute is called \"option\"",
        ),
    ] {
        let error = declared::read(wrong).err().unwrap();
        assert!(error.contains(expected), "{error}");
    }
}
