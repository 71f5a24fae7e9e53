//! Runs of games: every way of playing, resumed wherever they were cut.

use crate::games::lab::{Fake, easy, folder, games, play, score, wanted};
use decision_games::forced::Cut;
use decision_games::turn::{self, Move};
use decision_games::{Order, Recorded, Rules};
use dialog2api::eval::log::Shard;
use dialog2api::eval::reward::{self, GameMode, GameTurn};
use dialog2api::llm::Prices;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn all() -> Vec<Recorded> {
    ["optimization", "planning", "mediation"]
        .iter()
        .flat_map(|kind| games(kind, 1))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn games_come_to_a_decision_in_every_way_of_playing() {
    for (mode, users, ways) in [
        (GameMode::Scripted, "", 3),
        (GameMode::Shy, "", 3),
        (GameMode::SelfPlay, "model", 3),
        (GameMode::SelfPlay, "shy", 3),
        (GameMode::Psp, "model", 9),
        (GameMode::Psp, "scripted", 9),
    ] {
        let (_home, folder) = folder();
        let model = Fake::new(easy);
        let tally = play(&folder, all(), Some(model.clone()), &wanted(mode, users))
            .await
            .unwrap();
        assert!(
            tally.failed.is_empty() && tally.done == tally.units,
            "{mode} {users}"
        );
        let score = score(&folder);
        assert_eq!(score.rows.len(), ways, "{mode} {users}\n{score}");
        assert!(score.to_string().contains("gain"), "{score}");
        for row in &score.rows {
            let accepted = row.ended.get("accepted").copied().unwrap_or_default();
            assert_eq!(
                accepted as usize, row.figures.count,
                "{mode} {users}: {row:?}"
            );
        }
        let (sum, asked): (u32, usize) = (
            score.rows.iter().map(|row| row.requests).sum(),
            model.asked(),
        );
        // Equal questions of two games are asked once.
        assert!(
            sum as usize >= asked && asked > 0,
            "{sum} requests, {asked} asked"
        );
    }
}

/// A user who accepts before anything was proposed.
fn hasty(role: &str, _: &str) -> String {
    match role.starts_with("You are ") {
        true => "[accept]".to_owned(),
        false => "none()".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_get_stuck_say_so_and_what_was_refused() {
    let (_home, folder) = folder();
    let planned = wanted(GameMode::SelfPlay, "model");
    let model = Some(Fake::new(hasty));
    play(&folder, games("planning", 2), model, &planned)
        .await
        .unwrap();
    let text = score(&folder).to_string();
    for part in [
        "2 failed (0.0000 with 0 for them)",
        "0 words, 0.0 moves, 0.0 questions; 2 stuck; refused: 6 nothing-to-answer; ",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let table = reward::csv(&[score(&folder)]);
    assert!(table.contains(",0,2,6 nothing-to-answer,"), "{table}");
}

/// A user who talks, and accepts nothing.
fn stubborn(role: &str, said: &str) -> String {
    let last = said.trim_end_matches("Your turn:").trim_end();
    match role.starts_with("You are ") {
        false => "none()".to_owned(),
        true if last.ends_with("You must answer: [accept] or [reject]") => {
            "[reject] Not these ones, I want others.".to_owned()
        }
        true => "[message] I like parks, and mornings, and whatever you like.".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_budget_of_words_ends_what_people_began() {
    let (_home, folder) = folder();
    let kinds = ["optimization", "planning", "mediation"];
    let games: Vec<Recorded> = kinds.iter().flat_map(|kind| games(kind, 3)).collect();
    let model = Fake::new(stubborn);
    let planned = wanted(GameMode::Psp, "model");
    play(&folder, games.clone(), Some(model), &planned)
        .await
        .unwrap();
    let run = reward::read(&folder).unwrap();
    let mut called = BTreeSet::new();
    for (place, end) in &run.units {
        // Nobody has to be content: the last proposal is accepted without being asked about.
        assert_eq!(end.ended, "accepted", "{place}");
        let same = |game: &&Recorded| game.game == place.game && game.index == place.index;
        let recorded = games.iter().find(same).unwrap();
        let cut = place.cut.as_deref().unwrap();
        let begun = Cut::named(cut).unwrap().turns(recorded);
        let whole = recorded.words(recorded.turns.len());
        let (mut words, mut last) = (recorded.words(begun), false);
        let lines = run.turns.iter().filter(|line| line.unit == *place);
        for turn in lines.filter_map(|line| line.turn.as_ref()) {
            let (proposes, speaks) = (turn.text.contains("[propose]"), said(recorded, turn));
            let may_propose = !turn.seat.starts_with("user");
            if last {
                assert_eq!(turn.text, "[accept]", "{place}");
            } else if may_propose && (cut == "end" || words + 25 > whole) {
                // An answer to the proposal of another player comes first.
                let answers =
                    turn.text.starts_with("[accept]") || turn.text.starts_with("[reject]");
                assert!(proposes || answers, "{place}: {}", turn.text);
                last = proposes;
                if last {
                    called.insert((place.game.as_str(), cut));
                }
            }
            words += speaks;
        }
        assert_eq!(words, end.talk.words, "{place}");
    }
    assert_eq!(
        called.len(),
        9,
        "each cut of each game has a last call: {called:?}"
    );
}

/// The words of the messages of a turn.
fn said(recorded: &Recorded, made: &GameTurn) -> usize {
    let game = recorded.open(Rules::default()).unwrap();
    let seats = game.seats();
    let seat = seats.iter().find(|seat| seat.name == made.seat).unwrap();
    let mediates = game.order() == Order::Rooms && made.seat == "agent";
    let rooms = if mediates { seats.len() - 1 } else { 0 };
    let moves = turn::read(&made.text, seat, rooms).unwrap();
    let words = |made: &Move| match made {
        Move::Message(_, text) => text.split(' ').count(),
        _ => 0,
    };
    moves.iter().map(words).sum()
}

fn bytes(folder: &Path) -> (Vec<u8>, Vec<u8>) {
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    (read("run.json"), read("log.jsonl"))
}

#[tokio::test(flavor = "multi_thread")]
async fn wherever_the_log_is_cut_the_run_ends_with_the_same_bytes_and_pays_nothing_twice() {
    let (_home, whole) = folder();
    let planned = wanted(GameMode::Scripted, "");
    play(&whole, all(), Some(Fake::new(easy)), &planned)
        .await
        .unwrap();
    let expected = bytes(&whole);
    let length = expected.1.len();
    for at in [0, 1, length / 7, length / 3, length / 2, length - 2, length] {
        let (_home, folder) = folder();
        fs::create_dir(&folder).unwrap();
        for name in ["run.json", "log.jsonl", "responses.jsonl"] {
            fs::copy(whole.join(name), folder.join(name)).unwrap();
        }
        fs::write(folder.join("log.jsonl"), &expected.1[..at]).unwrap();
        let dead = Fake::failing(easy, 0);
        let tally = play(&folder, all(), Some(dead.clone()), &planned)
            .await
            .unwrap();
        assert_eq!((tally.done, dead.asked()), (tally.units, 0), "cut at {at}");
        assert_eq!(bytes(&folder), expected, "cut at {at}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_provider_is_no_sample_and_the_run_goes_on_later() {
    let (_home, folder) = folder();
    let planned = wanted(GameMode::Scripted, "");
    let dying = Fake::failing(easy, 2);
    let tally = play(&folder, all(), Some(dying), &planned).await.unwrap();
    assert!(!tally.failed.is_empty() && tally.done < tally.units);
    assert!(
        tally.failed[0].1.contains("the server is gone"),
        "{:?}",
        tally.failed
    );
    let first = score(&folder);
    assert_eq!(first.ours, tally.failed.len());
    assert_eq!(
        first
            .rows
            .iter()
            .map(|row| row.figures.count)
            .sum::<usize>(),
        tally.done
    );

    let (whole, alive) = (self::folder(), Fake::new(easy));
    play(&whole.1, all(), Some(alive.clone()), &planned)
        .await
        .unwrap();
    let again = Fake::new(easy);
    play(&folder, all(), Some(again.clone()), &planned)
        .await
        .unwrap();
    assert_eq!(bytes(&folder), bytes(&whole.1));
    assert_eq!(again.asked() + 2, alive.asked());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_holds_one_run_and_shards_divide_its_games() {
    let (_home, folder) = folder();
    play(&folder, all(), None, &wanted(GameMode::Forced, ""))
        .await
        .unwrap();
    let other = play(&folder, all(), None, &wanted(GameMode::Shy, ""))
        .await
        .unwrap_err();
    assert!(other.to_string().contains("is another one"), "{other}");
    let (mut units, mut shards, mut homes) = (0, Vec::new(), Vec::new());
    for index in 1..=2 {
        let mut planned = wanted(GameMode::Forced, "");
        planned.shard = Some(Shard { index, of: 2 });
        let (home, folder) = self::folder();
        units += play(&folder, all(), None, &planned).await.unwrap().done;
        shards.push(folder);
        homes.push(home);
    }
    assert_eq!(units, score(&folder).done);
    // Joined, in any order, they are the whole run byte for byte.
    let (_home, joined) = self::folder();
    shards.reverse();
    reward::merge(&joined, &shards).unwrap();
    assert_eq!(bytes(&joined), bytes(&folder));
    let refused =
        |out: &Path, shards: &[PathBuf]| reward::merge(out, shards).unwrap_err().to_string();
    assert!(refused(&joined, &shards).contains("has a run already"));
    let (_home, other) = self::folder();
    let one = refused(&other, &shards[..1]);
    assert!(one.contains("one is missing: 1/2"), "{one}");
    let whole = refused(&other, &[folder]);
    assert!(whole.contains("no shard"), "{whole}");
    fs::write(shards[0].join("log.jsonl"), "").unwrap();
    let lacking = refused(&other, &shards);
    assert!(lacking.contains("units are done: go on"), "{lacking}");
    assert!(!other.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_runs_are_compared_in_pairs() {
    let planned = wanted(GameMode::Forced, "");
    let runs = [folder(), folder(), folder()];
    for ((_, folder), model) in runs.iter().zip([None, None, Some(Fake::new(easy))]) {
        play(folder, games("planning", 6), model, &planned)
            .await
            .unwrap();
    }
    let [a, same, silent] = runs.map(|(_home, folder)| reward::read(&folder).unwrap());
    let equal = reward::compare(&a, &same, &Prices::default()).unwrap();
    assert!(
        equal
            .rows
            .iter()
            .all(|row| row.difference == 0.0 && row.count == 6)
    );
    let comparison = reward::compare(&silent, &a, &Prices::default()).unwrap();
    let end = comparison
        .rows
        .iter()
        .find(|row| row.way == "forced end")
        .unwrap();
    let ends = silent
        .units
        .iter()
        .filter(|(place, _)| place.cut.as_deref() == Some("end"));
    let mean = ends.map(|(_, end)| end.silent).sum::<f64>() / 6.0;
    // Who reads nothing proposes as silence does.
    assert!(
        (end.a - mean).abs() < 1e-9 && end.difference > 0.0,
        "{comparison}"
    );
    assert!(end.interval.unwrap().0 <= end.difference);
    assert_eq!((end.tokens.1, end.tokens.0 > 100.0), (0.0, true));
    assert!((end.silent - mean).abs() < 1e-9 && end.gain.0.abs() < 1e-9);
    assert!(end.gain.1 > 0.0 && end.moves.0 > 1.0, "{comparison}");
    assert_eq!((end.failed, &end.cost), ((0, 0), &(None, None)));
    let (nothing, words) = end.extraction["wishes"];
    assert_eq!((nothing.precision, nothing.recall), (None, Some(0.0)));
    assert!(words.precision > Some(0.5) && words.recall > Some(0.2));
    let (_home, folder) = folder();
    play(&folder, games("planning", 5), None, &planned)
        .await
        .unwrap();
    let other = reward::read(&folder).unwrap();
    let wrong = reward::compare(&a, &other, &Prices::default()).unwrap_err();
    assert!(wrong.to_string().contains("not about the same games"));
}
