//! Simulated users come to an end, and what the desk without a model says is right in all figures.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use typed_claims::dialogues::{self, Dialogue};
use typed_claims::simulate::{Act, Outcome, Run, User, Words, drawn, run};
use typed_claims::{Catalogue, Figures, Lexicon, Row, Schema, Tracker, restaurant};

const DIALOGUES: &str = include_str!("../data/restaurant/dialogues.jsonl");

struct World {
    schema: Schema,
    lexicon: Lexicon,
    catalogue: Catalogue,
    words: Words,
    dialogues: Vec<Dialogue>,
}

fn world(language: &str) -> World {
    let schema = restaurant::schema().unwrap();
    let lexicon = restaurant::lexicon(language, &schema).unwrap();
    World {
        catalogue: Catalogue::new(restaurant::rows().unwrap(), &schema, &lexicon).unwrap(),
        words: Words::of(language).unwrap(),
        dialogues: dialogues::read(DIALOGUES).unwrap(),
        schema,
        lexicon,
    }
}

impl World {
    fn run(&self, dialogue: &Dialogue, rows: &[Row], seed: u64) -> Run {
        run(
            dialogue,
            &self.words,
            &self.schema,
            &self.lexicon,
            &self.catalogue,
            rows,
            seed,
        )
        .unwrap()
    }

    fn tracker(&self) -> Tracker<'_> {
        Tracker::new(
            &self.schema,
            &self.lexicon,
            &self.catalogue,
            self.catalogue.full(),
        )
    }
}

/// Whether a row has what the goal wants: first, or in the end.
fn fits(row: &Row, dialogue: &Dialogue) -> bool {
    let goal = &dialogue.goal;
    let mut wants = [&goal.fail_info, &goal.info].into_iter();
    wants.any(|wants| {
        let mut wants = wants.iter();
        wants.len() > 0 && wants.all(|(slot, value)| row.get(slot) == Some(value))
    })
}

#[test]
fn the_desk_without_a_model_is_right_in_all_figures() {
    for (language, count) in [("en", 110), ("en", 70), ("de", 110), ("de", 70)] {
        let (world, seed) = (world(language), 0);
        let mut flags = Vec::new();
        for dialogue in &world.dialogues {
            let rows = drawn(world.catalogue.rows(), count, seed, &dialogue.id);
            let run = world.run(dialogue, &rows, seed);
            for exchange in &run.exchanges {
                let found = exchange.verdict.flags;
                let right = found.consistent && found.complete && found.booking == Some(true);
                let supported = found.evidenced != Some(false);
                let strict = found.strict && found.correct();
                assert!(
                    right && supported && strict,
                    "{}: {exchange:#?}",
                    dialogue.id
                );
            }
            match run.outcome {
                Outcome::Done => {}
                Outcome::Failed => {
                    let some = rows.iter().any(|row| fits(row, dialogue));
                    assert!(!some, "{} failed, but need not have", dialogue.id);
                }
                outcome => panic!("{}: {outcome:?}", dialogue.id),
            }
            let turns = run.exchanges.iter().map(|exchange| exchange.verdict.flags);
            flags.push(turns.collect::<Vec<_>>());
        }
        let figures = Figures::of(flags.iter().map(Vec::as_slice));
        assert_eq!(figures.correct_turns(), Some(1.0));
        assert_eq!(figures.correct_dialogues(), Some(1.0));
        assert!(figures.referring > 300, "{figures:?}");
    }
}

#[test]
fn the_user_gets_what_the_goal_wants() {
    let world = world("en");
    let rows = world.catalogue.rows();
    let mut booked = 0;
    for dialogue in &world.dialogues {
        let run = world.run(dialogue, rows, 2);
        let acts = run
            .exchanges
            .iter()
            .flat_map(|exchange| &exchange.user.acts);
        for act in acts {
            let (Act::Book { name, .. } | Act::Request(name, _)) = act else {
                continue;
            };
            let row = rows.iter().find(|row| row["name"] == *name).unwrap();
            let some = rows.iter().any(|row| fits(row, dialogue));
            assert!(!some || fits(row, dialogue), "{}: {name}", dialogue.id);
            booked += 1;
        }
    }
    assert!(booked > 100, "{booked}");
}

#[test]
fn the_same_seed_gives_the_same_dialogue() {
    let world = world("en");
    let dialogue = &world.dialogues[0];
    let text = |seed| format!("{:?}", world.run(dialogue, world.catalogue.rows(), seed));
    assert_eq!(text(5), text(5));
    assert!((0..5).any(|seed| text(seed) != text(5)));
}

#[test]
fn seventy_rows_are_drawn_anew_for_each_dialogue() {
    let rows = restaurant::rows().unwrap();
    let (one, two) = (drawn(&rows, 70, 0, "a"), drawn(&rows, 70, 0, "b"));
    assert_eq!((one.len(), two.len()), (70, 70));
    assert_ne!(one, two);
    assert_eq!(one, drawn(&rows, 70, 0, "a"));
    let mut names = one.iter().map(|row| &row["name"]).collect::<Vec<_>>();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 70);
}

#[test]
fn what_the_user_says_is_what_is_heard() {
    for language in ["en", "de"] {
        let world = world(language);
        let rows = world.catalogue.rows();
        let known =
            |slot: &str, value: &String| rows.iter().any(|row| row.get(slot) == Some(value));
        let mut heard = 0;
        let runs = world
            .dialogues
            .iter()
            .map(|dialogue| world.run(dialogue, rows, 3));
        for exchange in runs.flat_map(|run| run.exchanges) {
            let mut tracker = world.tracker();
            tracker.hear(match language {
                "en" => "I'm looking for a cheap Indian restaurant in the west.",
                _ => "Ich suche ein billiges indisches Restaurant im Westen.",
            });
            assert_eq!(tracker.wishes().len(), 3);
            let text = &exchange.user.text;
            tracker.hear(text);
            let wishes = tracker.wishes();
            for act in &exchange.user.acts {
                match act {
                    Act::Inform(slot, value) if known(slot, value) && slot != "name" => {
                        // "European" may be modern European, too.
                        assert!(wishes[slot].contains(value), "{text}: {wishes:?}");
                        heard += 1;
                    }
                    Act::Careless(slot) => {
                        assert!(!wishes.contains_key(slot), "{text}: {wishes:?}");
                        heard += 1;
                    }
                    _ => {}
                }
            }
        }
        assert!(heard > 250, "{language}: {heard}");
        assert!(
            world
                .words
                .user
                .values()
                .all(|templates| templates.len() >= 3)
        );
    }
}

#[test]
fn a_desk_that_says_nothing_is_left_after_three_times() {
    let world = world("en");
    let mut user = User::new(&world.dialogues[0], &world.words, 0);
    user.open();
    let mut turns = 0;
    while user.outcome().is_none() {
        let verdict = world.tracker().check("Hello there!", None);
        user.hear(&verdict, &[]);
        turns += 1;
        assert!(turns < 12);
    }
    assert_eq!(user.outcome(), Some(Outcome::Stuck));
}
