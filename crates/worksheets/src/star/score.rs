use std::collections::{BTreeMap, BTreeSet};

use super::OTHERS;

/// What an agent does in a turn, beside what the wizard did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The number of the dialogue.
    pub dialogue: usize,
    /// The wizard's label.
    pub gold: String,
    /// The one label that counts strictly.
    pub strict: String,
    /// The labels that count leniently: each is right.
    pub lenient: Vec<String>,
}

impl Prediction {
    /// Whether it is right when counted leniently.
    pub fn is_right(&self) -> bool {
        let (gold, found) = lenient(self);
        gold == found
    }
}

/// A figure with its 95 % interval, from resampled dialogues.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The figure on all dialogues.
    pub value: f64,
    /// 2.5 % of the samples lie below.
    pub low: f64,
    /// 2.5 % of the samples lie above.
    pub high: f64,
}

/// One way to count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The share of turns whose label is right.
    pub accuracy: Interval,
    /// The F1 of every label, weighted by how often the wizard used it.
    pub f1: Interval,
}

/// Both ways to count, which are always given together (section 6.5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// How many turns are scored.
    pub turns: usize,
    /// One label a turn.
    pub strict: Score,
    /// Sets of labels; taking leave, small talk and what is out of scope are always right.
    pub lenient: Score,
}

/// Labels that count as one leniently, and as right whatever the agent does.
const FREE: [&str; 4] = ["goodbye_1", "goodbye_2", "out_of_scope", "anything_else"];

/// How many samples an interval is made of.
const SAMPLES: usize = 500;

/// Scores predictions, of which there is one for each turn with a label.
///
/// ```
/// use worksheets::star::{Prediction, scores};
///
/// let of = |gold: &str, strict: &str| Prediction {
///     dialogue: 0,
///     gold: gold.into(),
///     strict: strict.into(),
///     lenient: vec![strict.into(), "hello".into()],
/// };
/// let all = scores(&[of("hello", "ask_name"), of("ask_name", "ask_name"), of("goodbye_1", "ask_name")]);
/// assert_eq!(all.lenient.accuracy.value, 1.0);
/// assert!((all.strict.accuracy.value - 1.0 / 3.0).abs() < 1e-9);
/// // Only ask_name has an F1: 2 · 1 / (1 + 3), and a third of the weight.
/// assert!((all.strict.f1.value - 0.5 / 3.0).abs() < 1e-9);
/// ```
pub fn scores(predictions: &[Prediction]) -> Scores {
    let strict = |one: &Prediction| (one.gold.clone(), one.strict.clone());
    Scores {
        turns: predictions.len(),
        strict: score(predictions, &strict),
        lenient: score(predictions, &lenient),
    }
}

fn lenient(one: &Prediction) -> (String, String) {
    if FREE.contains(&one.gold.as_str()) {
        return (OTHERS.to_owned(), OTHERS.to_owned());
    }
    let first = one.lenient.first().cloned().unwrap_or_default();
    let found = match one.lenient.contains(&one.gold) {
        true => one.gold.clone(),
        false if FREE.contains(&first.as_str()) => OTHERS.to_owned(),
        false => first,
    };
    (one.gold.clone(), found)
}

fn score(predictions: &[Prediction], pair: &dyn Fn(&Prediction) -> (String, String)) -> Score {
    let mut by_dialogue: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    let mut labels = BTreeSet::new();
    let pairs: Vec<_> = predictions
        .iter()
        .map(|one| (one.dialogue, pair(one)))
        .collect();
    for (_, (gold, found)) in &pairs {
        labels.extend([gold.as_str(), found.as_str()]);
    }
    let number: BTreeMap<&str, usize> = labels.iter().zip(0..).map(|(&l, at)| (l, at)).collect();
    for (dialogue, (gold, found)) in &pairs {
        let pair = (number[gold.as_str()], number[found.as_str()]);
        by_dialogue.entry(*dialogue).or_default().push(pair);
    }
    let groups: Vec<Vec<(usize, usize)>> = by_dialogue.into_values().collect();
    let all: Vec<usize> = (0..groups.len()).collect();
    let (accuracy, f1) = figures(&groups, &all, labels.len());
    let mut seed = 1;
    let mut samples: (Vec<f64>, Vec<f64>) = (0..SAMPLES)
        .map(|_| {
            let drawn: Vec<usize> = all.iter().map(|_| draw(&mut seed, groups.len())).collect();
            figures(&groups, &drawn, labels.len())
        })
        .unzip();
    Score {
        accuracy: interval(accuracy, &mut samples.0),
        f1: interval(f1, &mut samples.1),
    }
}

/// Accuracy and weighted F1 of the drawn dialogues.
fn figures(groups: &[Vec<(usize, usize)>], drawn: &[usize], labels: usize) -> (f64, f64) {
    let (mut right, mut gold, mut found) =
        (vec![0.0; labels], vec![0.0; labels], vec![0.0; labels]);
    let mut count = 0.0;
    for (wanted, given) in drawn.iter().flat_map(|&at| &groups[at]) {
        count += 1.0;
        gold[*wanted] += 1.0;
        found[*given] += 1.0;
        if wanted == given {
            right[*wanted] += 1.0;
        }
    }
    if count == 0.0 {
        return (0.0, 0.0);
    }
    let f1 = (0..labels).filter(|&at| right[at] > 0.0).map(|at| {
        let f1 = 2.0 * right[at] / (gold[at] + found[at]);
        f1 * gold[at] / count
    });
    (right.iter().sum::<f64>() / count, f1.sum())
}

fn interval(value: f64, samples: &mut [f64]) -> Interval {
    samples.sort_by(f64::total_cmp);
    let cut = samples.len() / 40;
    let low = samples.get(cut).copied().unwrap_or(value);
    let high = samples.iter().rev().nth(cut).copied().unwrap_or(value);
    Interval { value, low, high }
}

/// A number below a limit, the same from run to run (SplitMix64).
fn draw(seed: &mut u64, limit: usize) -> usize {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *seed;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let limit = u64::try_from(limit.max(1)).unwrap_or(1);
    usize::try_from((mixed ^ (mixed >> 31)) % limit).unwrap_or(0)
}
