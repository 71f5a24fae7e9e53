//! Nothing of the world that a seat may not know reaches it.
//!
//! Two worlds that differ only in what is hidden from a seat read the same to it, whatever
//! legal or illegal turns are made, until a scorecard shows something.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use decision_games::play::{Act, Pages};
use decision_games::programs::Party;
use decision_games::reading::Reading;
use decision_games::{Chance, Game, Manner, Play, Rules, Table};
use serde_json::{Value, json};
use std::sync::Arc;

#[path = "games/own.rs"]
mod own;

fn generate(game: &str, seed: u64) -> Value {
    own::kinds().generate(game, seed, Rules::default()).unwrap()
}

fn open(game: &str, world: &Value) -> Arc<dyn Game> {
    own::kinds().open(game, world, Rules::default()).unwrap()
}

/// Everything that a seat reads in a random game: views, answers, refusals.
fn heard(game: &str, world: &Value, seat: usize, seed: u64) -> Vec<String> {
    let game = open(game, world);
    let mut chance = Chance::new(seed);
    let mut heard = vec![game.view(seat)];
    let mut table = Table::new(game.clone(), Rules::default(), Play::Strict);
    let turns = [
        "[message] hello",
        "0: [message] hello",
        "1: [message] hello",
        "[think] hm",
        "[accept]",
        "[reject] no",
        "[propose] nonsense",
        "all: [propose] user 0: id 99, user 1: id 0",
        "[propose] [Mad Soul, Nowhere, NULL]",
        "[tool] Search(fields=[name, price, info], sort_by=[-rating], limit=5)",
        "[tool] Search(filters=[price <= 40 OR viewpoint])",
        "[tool] Search(fields=[secret])",
        "nothing",
    ];
    for _ in 0..40 {
        let who = chance.below(game.seats().len());
        let turn = chance.pick(&turns);
        match table.turn(who, turn) {
            Ok(seen) => heard.push(seen[seat].clone()),
            Err(illegal) if who == seat => heard.push(illegal.to_string()),
            Err(_) => {}
        }
    }
    heard
}

/// Everything that is made for a seat from its view and from talk: its picture, the instructions for
/// models, and the moves of solvers and players.
fn made(game: &str, world: &Value, seat: usize) -> Vec<String> {
    let game = open(game, world);
    let mut made = vec![game.picture(seat)];
    made.push(serde_json::to_string(&game.board(seat)).unwrap());
    made.push(game.about(seat, &vec![Some(0), Some(1), Some(2)]));
    made.extend(
        game.solver(seat)
            .map(|solver| format!("{:?}", solver.suggest(&[], 3))),
    );
    let asked = |reading: Reading| format!("{} {:?}", reading.guide(), reading.example());
    made.extend(Reading::of(game.as_ref(), seat).map(asked));
    let fixed = Manner::ALL.map(|(_, manner)| game.partner(seat, manner, 1));
    for mut player in fixed.into_iter().chain([game.agent(seat)]).flatten() {
        for news in [
            "Partner: [message] Ava Li: BLEU great, GLUE poor. How is Noah Wilson for SWAG?",
            "User: [message] family trip. keep budget below $60. go to at least one park",
            "User 0: [message] I have 5/31 8 PM - 10 PM (high), 6/1 9 AM - 11 AM (low).",
            "Agent: [message] Do you have a budget? What is at 5/31 9 AM - 6/1 9 PM?",
            "Partner: [message] I wish food pasta 3, option Saigon 7. What about Luigi?",
        ] {
            made.push(player.turn(news).unwrap());
        }
    }
    made
}

/// Everything that programs of a seat are answered in a random game: results, refusals, states.
fn called(game: &str, world: &Value, seat: usize, seed: u64) -> Vec<String> {
    let game = open(game, world);
    let mut chance = Chance::new(seed);
    let mut table = Table::new(game.clone(), Rules::default(), Play::Strict);
    let mut party = Party::new(table.clone(), seat);
    let (mut answers, mut news) = (Vec::new(), game.view(seat));
    let calls = [
        ("view", json!({})),
        ("history", json!({})),
        ("suggest", json!({"k": 2})),
        ("accept", json!({})),
        ("reject", json!({})),
        ("say", json!({"text": "hello", "to": 0})),
        ("propose", json!({"decision": "nonsense"})),
        ("propose", json!({"decision": ["Mad Seoul", null, 7]})),
        ("propose", json!({"decision": [99, 0]})),
        ("weigh", json!({"decision": [0, 0]})),
        ("wish", json!({"budget": 60})),
        ("wish", json!({"visit": ["Nowhere"]})),
        (
            "claim",
            json!({"reviewer": "Ava Li", "paper": "GLUE", "number": 300}),
        ),
        (
            "importance",
            json!({"user": 0, "event": 0, "importance": "high"}),
        ),
        (
            "meeting",
            json!({"user": 1, "times": "6/1 8 PM - 10 PM", "importance": 9}),
        ),
        ("price", json!({"user": 1, "price": 20})),
        ("exclude", json!({"user": 0, "exclude": 99})),
        ("facts", json!({})),
        ("forget", json!({"n": 0})),
        ("sites", json!({})),
        (
            "search",
            json!({"query": "Search(fields=[name, price], limit=3)"}),
        ),
        ("distance", json!({"a": "Mad Seoul", "b": "Nowhere"})),
        ("best", json!({"scores": {"Mad Seoul": 2.5}, "travel": 1})),
        ("scores", json!({})),
        ("best", json!({"scores": {"Ava Li": {"BLEU": 3}}})),
        ("flights", json!({"user": 0})),
        ("calendar", json!({"user": 1})),
        ("table", json!({})),
        ("options", json!({})),
        ("wish", json!({"attribute": "option", "value": "Saigon"})),
    ];
    for _ in 0..30 {
        party.sit(table.clone(), &std::mem::take(&mut news));
        for _ in 0..4 {
            let (name, arguments) = chance.pick(&calls);
            answers.push(format!("{:?}", party.call(name, arguments)));
        }
        if chance.below(3) == 0 && party.made().is_none() {
            let best = party.call("suggest", &json!({"k": 1}));
            let best = best.map(|best| party.call("propose", &json!({"decision": best[0]})));
            answers.push(format!("{best:?}"));
        }
        answers.push(format!("{} {:?}", party.state(), party.facts()));
        let others = ["[message] I like parks", "[reject] no", "0: [message] Hi"];
        let who = chance.below(game.seats().len());
        let turn = match who == seat {
            true => party.turn("Some words"),
            false => chance.pick(&others).to_string(),
        };
        match table.turn(who, &turn) {
            Ok(seen) => news.clone_from(&seen[seat]),
            Err(illegal) if who == seat => answers.push(illegal.to_string()),
            Err(_) => {}
        }
    }
    answers
}

/// Everything that the page of a seat is told in a random game of people, up to its end.
fn at_pages(game: &str, world: &Value, seat: usize, seed: u64) -> Vec<String> {
    let game = open(game, world);
    let mut chance = Chance::new(seed);
    let table = Table::new(game.clone(), Rules::default(), Play::Free);
    let players = game.seats().iter().map(|_| None).collect();
    let mut pages = Pages::new(table, players, false);
    let mut told = vec![pages.opening(seat).to_string()];
    let acts = [
        json!({"act": "message", "text": "hello", "to": 0}),
        json!({"act": "message", "text": "hello", "to": 1}),
        json!({"act": "message", "text": ""}),
        json!({"act": "reject", "text": "no"}),
        json!({"act": "accept", "proposal": 1}),
        json!({"act": "propose", "picks": [99]}),
        json!({"act": "propose", "text": "nonsense"}),
        json!({"act": "search", "query": "Search(fields=[name, price], limit=3)"}),
        json!({"act": "about", "picks": [0, 1, 2]}),
        json!({"act": "suggest"}),
    ];
    for _ in 0..40 {
        let who = chance.below(game.seats().len());
        let act: Act = serde_json::from_value(chance.pick(&acts).clone()).unwrap();
        let answer = pages.act(who, &act);
        if who == seat {
            told.push(format!("{answer:?}"));
        }
        told.extend(pages.told(seat).map(|told| told.to_string()));
    }
    told
}

/// Checks that a change of the world is not heard by a seat.
fn hidden(game: &str, seat: usize, change: impl Fn(&mut Value, &mut Chance)) {
    for seed in 0..20 {
        let world = generate(game, seed);
        let mut other = world.clone();
        change(&mut other, &mut Chance::new(seed + 1));
        assert_ne!(world, other);
        let (a, b) = (
            heard(game, &world, seat, seed),
            heard(game, &other, seat, seed),
        );
        assert_eq!(a, b, "{game}, seat {seat}, seed {seed}");
        let (a, b) = (
            called(game, &world, seat, seed),
            called(game, &other, seat, seed),
        );
        assert_eq!(a, b, "{game}, seat {seat}, seed {seed}");
        let (a, b) = (
            at_pages(game, &world, seat, seed),
            at_pages(game, &other, seat, seed),
        );
        assert_eq!(a, b, "{game}, seat {seat}, seed {seed}");
        let (a, b) = (made(game, &world, seat), made(game, &other, seat));
        assert_eq!(a, b, "{game}, seat {seat}, seed {seed}");
    }
}

#[test]
fn a_player_hears_nothing_of_cells_that_it_does_not_see() {
    for seat in 0..2 {
        hidden("optimization", seat, |world, chance| {
            world["scales"][1 - seat] = json!(1.5);
            for row in 0..8 {
                for column in 0..8 {
                    world["known"][1 - seat][row][column] = json!(chance.below(2));
                    if world["known"][seat][row][column] == 0 {
                        world["table"][row][column] = json!(chance.below(100));
                    }
                }
            }
        });
    }
}

#[test]
fn the_agent_of_planning_hears_nothing_of_preferences() {
    hidden("planning", 1, |world, chance| {
        let preferences = world["preferences"].as_array_mut().unwrap();
        preferences.remove(chance.below(preferences.len() - 1));
        preferences[0]["weight"] = json!(10);
        preferences[1]["text"] = json!("something else");
    });
}

#[test]
fn the_user_of_planning_hears_nothing_of_sites_and_weights() {
    hidden("planning", 0, |world, chance| {
        for preference in world["preferences"].as_array_mut().unwrap() {
            preference["weight"] = json!(chance.between(1, 10));
        }
        for site in world["sites"].as_array_mut().unwrap() {
            site["price"] = json!(chance.between(0, 100));
            site["features"] = json!({"rating": 3});
        }
    });
}

#[test]
fn the_agent_of_mediation_hears_nothing_private() {
    hidden("mediation", 2, |world, chance| {
        world["arrival_weight"] = json!(11);
        for user in 0..2 {
            let user = &mut world["users"][user];
            user["private"] = json!([]);
            user["price_weight"] = json!(25);
            user["mean_price"] = json!(500);
            for event in user["shared"].as_array_mut().unwrap() {
                event["importance"] = json!(chance.between(1, 10));
            }
            user["calendar"] = user["shared"].clone();
        }
    });
}

#[test]
fn a_traveller_hears_nothing_of_the_other_and_of_weights() {
    for seat in 0..2 {
        hidden("mediation", seat, |world, _| {
            let other = generate("mediation", 1_000);
            // Flights are named by number: a proposal in the random game names the first one.
            world["users"][1 - seat] = other["users"][1 - seat].clone();
            world["users"][seat]["price_weight"] = json!(25);
            world["users"][seat]["mean_price"] = json!(500);
            world["arrival_weight"] = json!(11);
        });
    }
}

#[test]
fn a_seat_of_a_declared_game_hears_nothing_of_the_wishes_of_the_other() {
    for seat in 0..2 {
        hidden("restaurant", seat, |world, chance| {
            for wish in world["wishes"][1 - seat].as_array_mut().unwrap() {
                wish["points"] = json!(chance.between(11, 20));
            }
        });
    }
}

#[test]
fn a_seat_of_a_drawn_game_hears_nothing_of_the_points_of_the_other() {
    for seat in 0..2 {
        hidden("seen", seat, |world, chance| {
            let other = 1 - seat;
            for option in 0..world["options"].as_array().unwrap().len() {
                let points = json!(chance.between(11, 20));
                world["points"][other][option] = points.clone();
                world["wishes"][other][option]["points"] = points;
            }
            world["views"][other] = json!("I know something else");
            world["scores"][0] = json!(chance.between(-9, 9));
            world["scores"][1] = json!(1_000);
        });
    }
}
