//! Properties of the scores of every log.

use crate::score::logs::{options, run_of, turns};
use dialog2api::eval::score::metrics::Unit;
use dialog2api::eval::score::{Bootstrap, Options, score};
use proptest::prelude::*;

/// What a turn truly does, and what the model does.
fn turn() -> impl Strategy<Value = (String, String)> {
    let done = prop_oneof![
        (0..3u8).prop_map(|s| format!("draft:S{s}")),
        (0..3u8, 0..3u8).prop_map(|(s, v)| format!("run:S{s}:v{v}")),
        (0..3u8).prop_map(|s| format!("run:S{s}:!NoSuchKey")),
    ];
    let model = prop_oneof![
        6 => done.clone().prop_map(Some),
        6 => Just(None),
        1 => (0..3u8).prop_map(|s| Some(format!("fail:programs:S{s} garbage"))),
        1 => (0..3u8).prop_map(|s| Some(format!("fail:response:S{s}"))),
    ];
    // None does what is true.
    (done, model).prop_map(|(truth, model)| (truth.clone(), model.unwrap_or(truth)))
}

/// Dialogues with several epochs, as a text.
fn log() -> impl Strategy<Value = String> {
    let dialogue = prop::collection::vec(turn(), 1..6);
    (prop::collection::vec(dialogue, 1..8), 1..4u32).prop_map(|(dialogues, epochs)| {
        let mut text = String::new();
        for (index, turns) in dialogues.iter().enumerate() {
            for epoch in 1..=epochs {
                for (turn, (truth, model)) in turns.iter().enumerate() {
                    // Epochs differ in some turns.
                    let same = (turn + index) % 3 != 0 || epoch == 1;
                    let model = if same { model } else { truth };
                    text.push_str(&format!("d{index} {epoch}  {truth} | {model}\n"));
                }
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn figures_are_in_their_ranges_and_intervals_hold_them(text in log()) {
        let log = turns(&text);
        let score = score(&run_of(&log), &log, &options()).unwrap();
        for figure in &score.metrics {
            let most = if figure.unit == Unit::Share { 1.0 } else { 100.0 };
            let value = figure.value.unwrap_or(0.0);
            prop_assert!((-1e-9..=most + 1e-9).contains(&value), "{figure:?}");
            // Means and shares only: a percentile interval of BLEU need not hold the figure.
            if figure.unit == Unit::Share && figure.value.is_some() {
                let (low, high) = (figure.low.unwrap(), figure.high.unwrap());
                prop_assert!(low <= value + 1e-9 && value <= high + 1e-9, "{figure:?}");
            }
        }
        let value = |name: &str| score.figure(name).and_then(|figure| figure.value).unwrap();
        prop_assert!(value("complete") <= value("emr") + 1e-9);
        prop_assert!(value("emr") <= value("state_emr") + 1e-9);
        for k in 2..=score.run.epochs {
            let before = if k == 2 { "emr".to_owned() } else { format!("emr^{}", k - 1) };
            let now = format!("emr^{k}");
            prop_assert!(value(&now) <= value(&before) + 1e-9);
        }
    }

    #[test]
    fn the_order_of_the_log_does_not_matter(text in log(), seed in any::<u64>()) {
        let log = turns(&text);
        let mut shuffled = log.clone();
        // An order that depends on the seed: by a hash of the place.
        shuffled.sort_by_key(|log| {
            let place = format!("{seed}{}{}{}", log.truth.dialogue, log.epoch, log.truth.turn);
            place.bytes().fold(seed, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
        });
        let run = run_of(&log);
        let one = score(&run, &log, &options()).unwrap();
        let other = score(&run, &shuffled, &options()).unwrap();
        prop_assert_eq!(one, other);
    }

    #[test]
    fn the_truth_is_right(text in log()) {
        let truth = text.lines().map(|line| {
            let (place, _) = line.split_once(" | ").unwrap();
            let (_, done) = place.split_once("  ").unwrap();
            format!("{place} | {done}\n")
        });
        let log = turns(&truth.collect::<String>());
        let score = score(&run_of(&log), &log, &options()).unwrap();
        prop_assert_eq!(score.emr, Some(1.0));
        for name in ["complete", "turn_match", "state_emr"] {
            prop_assert_eq!(score.figure(name).unwrap().value, Some(1.0));
        }
        prop_assert_eq!(score.errors.all.values().sum::<usize>(), 0);
    }
}

#[test]
fn the_seed_alone_decides_the_intervals() {
    let text: String = (0..30)
        .map(|index| format!("d{index} 1  run:S1:v0 | run:S1:v{}\n", index % 2))
        .collect();
    let log = turns(&text);
    let low = |seed| {
        let bootstrap = Bootstrap {
            resamples: 2000,
            seed,
        };
        let options = Options {
            partial: false,
            bootstrap,
            domain: None,
        };
        let score = score(&run_of(&log), &log, &options).unwrap();
        let emr = score.figure("emr").unwrap();
        (emr.low.unwrap(), emr.high.unwrap())
    };
    assert_eq!(low(0), low(0));
    // The share of 30 coins: 0.5 ± 1.96 · 0.5 / √30 = 0.32 to 0.68, in steps of 1/30.
    for seed in [0, 1] {
        let (low, high) = low(seed);
        assert!(
            (low - 0.333).abs() < 0.035 && (high - 0.667).abs() < 0.035,
            "{low} {high}"
        );
    }
}
