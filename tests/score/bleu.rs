//! BLEU against what sacrebleu said of the same texts (`bleu.py` recorded it).

use dialog2api::eval::score::metrics::bleu::{BleuCounts, tokenize};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A pair of texts, and what sacrebleu says of it alone.
#[derive(Deserialize)]
struct Pair {
    group: String,
    hypothesis: String,
    reference: String,
    tokens: Vec<String>,
    bleu: f64,
}

#[derive(Deserialize)]
struct Recorded {
    groups: BTreeMap<String, f64>,
}

fn pairs() -> Vec<Pair> {
    let lines = include_str!("bleu.jsonl").lines();
    let pairs = lines.map(|line| serde_json::from_str(line).expect("a pair"));
    pairs.collect()
}

fn corpus<'a>(pairs: impl Iterator<Item = &'a Pair>) -> f64 {
    let mut counts = BleuCounts::default();
    for pair in pairs {
        counts.add(&BleuCounts::of(&pair.hypothesis, &pair.reference));
    }
    counts.bleu()
}

#[test]
fn tokens_are_those_of_sacrebleu() {
    for pair in pairs() {
        assert_eq!(
            tokenize(&pair.hypothesis),
            pair.tokens,
            "{:?}",
            pair.hypothesis
        );
    }
}

#[test]
fn every_pair_alone_has_the_figure_of_sacrebleu() {
    let pairs = pairs();
    assert_eq!(pairs.len(), 200);
    for pair in &pairs {
        let bleu = corpus([pair].into_iter());
        let texts = (&pair.hypothesis, &pair.reference);
        assert!(
            (bleu - pair.bleu).abs() < 1e-6,
            "{texts:?}: {bleu}, not {}",
            pair.bleu
        );
    }
    let distinct = pairs
        .iter()
        .filter(|pair| pair.bleu > 0.0 && pair.bleu < 99.0);
    assert!(distinct.count() > 100, "too many pairs are all or nothing");
}

#[test]
fn every_corpus_has_the_figure_of_sacrebleu() {
    let pairs = pairs();
    let recorded: Recorded =
        serde_json::from_str(include_str!("bleu-groups.json")).expect("the figures");
    assert!(recorded.groups.len() > 8);
    for (group, expected) in recorded.groups {
        let bleu = match group.as_str() {
            "all" => corpus(pairs.iter()),
            "every third" => corpus(pairs.iter().step_by(3)),
            _ => corpus(pairs.iter().filter(|pair| pair.group == group)),
        };
        assert!(
            (bleu - expected).abs() < 1e-6,
            "{group}: {bleu}, not {expected}"
        );
    }
}
