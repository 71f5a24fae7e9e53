//! Two runs beside each other: the same dialogues, a paired bootstrap.

use super::bootstrap::{Bootstrap, Table, interval};
use super::metrics::{Unit, metrics};
use super::sheet::{Runs, Sheet};
use super::{DEFINITIONS_VERSION, Options, incomplete};
use crate::eval::log::{Run, TurnLog};
use serde::Serialize;

/// The differences between two runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// [`DEFINITIONS_VERSION`].
    pub definitions: u32,
    /// The first run.
    pub a: Side,
    /// The second run.
    pub b: Side,
    /// Dialogues that are finished in both, and compared.
    pub dialogues: usize,
    /// The dialogues that only one run has finished. They are left out.
    pub left_out: Vec<String>,
    /// The settings that differ, as `name: one / other`.
    pub settings: Vec<String>,
    /// The metrics.
    pub metrics: Vec<MetricDifference>,
    /// How the intervals were drawn.
    pub bootstrap: Bootstrap,
}

/// One of two runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// The settings of the run.
    pub run: Run,
    /// How many of its passes are finished.
    pub finished: usize,
    /// How many passes the run should have.
    pub expected: u64,
}

/// A metric in two runs, over the dialogues that both have finished.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricDifference {
    /// Its key.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The unit of the figure.
    pub unit: Unit,
    /// In the first run.
    pub a: Option<f64>,
    /// In the second run.
    pub b: Option<f64>,
    /// `b - a`.
    pub difference: Option<f64>,
    /// The lower end of the difference's 95 % interval.
    pub low: Option<f64>,
    /// The upper end of the difference's 95 % interval.
    pub high: Option<f64>,
    /// The two-sided bootstrap p-value; see `definitions.md`.
    pub p: Option<f64>,
}

/// Compares two runs over the dialogues that both have finished.
///
/// # Errors
/// A sentence that names what differs: they have not the same dialogues or mode, or one
/// is not complete and [`Options::partial`] is not set.
pub fn compare(
    a: (&Run, &[TurnLog]),
    b: (&Run, &[TurnLog]),
    options: &Options,
) -> Result<Comparison, String> {
    comparable(a.0, b.0)?;
    let own = options.domain.as_ref();
    let of = |name: &'static str| move |problem: String| format!("the {name} run: {problem}");
    let first = Sheet::new(a.0, a.1, own).map_err(of("first"))?;
    let second = Sheet::new(b.0, b.1, own).map_err(of("second"))?;
    for (name, sheet) in [("first", &first), ("second", &second)] {
        match incomplete(sheet) {
            Some(problem) if !options.partial => return Err(format!("the {name} run: {problem}")),
            _ => {}
        }
    }
    let (pairs, left_out) = pairs(&first, &second)?;
    if pairs.is_empty() {
        return Err("no dialogue is finished in both runs".to_owned());
    }
    let side = |sheet: &Sheet<'_>| Side {
        run: sheet.run.clone(),
        finished: sheet.finished(),
        expected: sheet.expected(),
    };
    Ok(Comparison {
        definitions: DEFINITIONS_VERSION,
        a: side(&first),
        b: side(&second),
        dialogues: pairs.len(),
        left_out,
        settings: different_settings(a.0, b.0),
        metrics: differences(a.0, b.0, &pairs, &options.bootstrap),
        bootstrap: options.bootstrap,
    })
}

/// Whether two runs asked the same questions.
fn comparable(a: &Run, b: &Run) -> Result<(), String> {
    let text = |value: &dyn std::fmt::Debug| format!("{value:?}");
    let split = |run: &Run| {
        run.dataset
            .split
            .map_or("no split".to_owned(), |s| s.to_string())
    };
    let facts = [
        ("domains", a.domain.clone(), b.domain.clone()),
        (
            "versions of the signature",
            text(&a.signature),
            text(&b.signature),
        ),
        ("splits of the dataset", split(a), split(b)),
        (
            "numbers of dialogues",
            text(&a.dataset.dialogues),
            text(&b.dataset.dialogues),
        ),
        (
            "datasets (by their digests)",
            a.dataset.digest.clone(),
            b.dataset.digest.clone(),
        ),
        ("modes", text(&a.mode), text(&b.mode)),
    ];
    let differing: Vec<String> = facts
        .into_iter()
        .filter(|(_, one, other)| one != other)
        .map(|(what, one, other)| format!("their {what} are {one} and {other}"))
        .collect();
    if differing.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "the two runs did not answer the same questions: {}",
            differing.join("; ")
        ))
    }
}

type Pair<'s, 'a> = (&'s Runs<'a>, &'s Runs<'a>);

/// The dialogues that both have finished, and the names of those that one has alone.
#[allow(clippy::type_complexity, reason = "a pair of lists")]
fn pairs<'s, 'a>(
    first: &'s Sheet<'a>,
    second: &'s Sheet<'a>,
) -> Result<(Vec<Pair<'s, 'a>>, Vec<String>), String> {
    let mut pairs = Vec::new();
    let mut left_out = Vec::new();
    for runs in &first.dialogues {
        match second.dialogues.iter().find(|other| other.uid == runs.uid) {
            Some(other) if other.truth != runs.truth => {
                let uid = runs.uid;
                return Err(format!(
                    "the truth of {uid} is not the same in the two runs"
                ));
            }
            Some(other) => pairs.push((runs, other)),
            None => left_out.push(runs.uid.to_owned()),
        }
    }
    let known = |uid: &str| first.dialogues.iter().any(|runs| runs.uid == uid);
    let others = second.dialogues.iter().filter(|runs| !known(runs.uid));
    left_out.extend(others.map(|runs| runs.uid.to_owned()));
    left_out.sort();
    Ok((pairs, left_out))
}

fn differences(
    a: &Run,
    b: &Run,
    pairs: &[Pair<'_, '_>],
    bootstrap: &Bootstrap,
) -> Vec<MetricDifference> {
    let fewer = if a.epochs < b.epochs { a } else { b };
    let metrics = metrics(fewer);
    let (one, other): (Vec<&Runs<'_>>, Vec<&Runs<'_>>) = pairs.iter().copied().unzip();
    let (one, other) = (Table::of(&metrics, &one), Table::of(&metrics, &other));
    let mut resampled = vec![Vec::new(); metrics.len()];
    let (mut sums, mut others) = (Vec::new(), Vec::new());
    bootstrap.each(pairs.len(), |times| {
        let both = one.resampled(times, &mut sums);
        let both = both.zip(other.resampled(times, &mut others));
        for (differences, (a, b)) in resampled.iter_mut().zip(both) {
            differences.extend(a.zip(b).map(|(a, b)| b - a));
        }
    });
    let both = one.figures().into_iter().zip(other.figures());
    let all = metrics.iter().zip(both).zip(resampled);
    let differences = all.map(|((metric, (a, b)), resampled)| {
        let p = p(&resampled);
        let interval = interval(resampled);
        MetricDifference {
            name: metric.name(),
            title: metric.title(),
            unit: metric.unit(),
            a,
            b,
            difference: a.zip(b).map(|(a, b)| b - a),
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            p,
        }
    });
    differences.collect()
}

/// The two-sided p-value: twice the share of resampled differences on the rarer side of 0. A
/// difference of 0 counts on both sides. One is added to numerator and denominator, so that p
/// is never 0.
fn p(differences: &[f64]) -> Option<f64> {
    if differences.is_empty() {
        return None;
    }
    let below = differences.iter().filter(|one| **one <= 0.0).count();
    let above = differences.iter().filter(|one| **one >= 0.0).count();
    let rarer = below.min(above);
    Some((2.0 * (rarer + 1) as f64 / (differences.len() + 1) as f64).min(1.0))
}

/// The settings that differ, and so may be why the figures do.
fn different_settings(a: &Run, b: &Run) -> Vec<String> {
    let json = |run: &Run| {
        let mut run = serde_json::to_value(run).unwrap_or_default();
        let settings = run["settings"].take();
        let mut fields = settings.as_object().cloned().unwrap_or_default();
        for name in ["model", "epochs", "dialog2api", "revision"] {
            fields.insert(name.to_owned(), run[name].take());
        }
        let examples = run["dataset"]["examples_digest"].take();
        fields.insert("examples_digest".to_owned(), examples);
        fields
    };
    let (mut one, mut other) = (json(a), json(b));
    if a.dataset.examples_digest != b.dataset.examples_digest {
        for (fields, run) in [(&mut one, a), (&mut other, b)] {
            fields.insert("examples".to_owned(), run.dataset.examples.clone().into());
        }
    }
    let differing = one
        .iter()
        .filter(|(name, value)| other.get(*name) != Some(value));
    let said = differing.map(|(name, value)| {
        let other = other.get(name).cloned().unwrap_or_default();
        format!("{name}: {} / {}", plain(value), plain(&other))
    });
    said.collect()
}

fn plain(value: &serde_json::Value) -> String {
    match value.as_str() {
        Some(text) => text.to_owned(),
        None => value.to_string(),
    }
}
