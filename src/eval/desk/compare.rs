//! Two runs of the same goals, in pairs.

use super::log::UserKind;
use super::score::{RecordedDesk, SHARES, counts, intervals, share};
use super::table::percent;
use crate::domain::counted;
use crate::error::{Error, Result};
use crate::eval::folder::fields_differ;
use serde::Serialize;
use serde_json::json;
use std::fmt;

/// The difference of two runs in one figure.
#[derive(Debug, Clone, Serialize)]
pub struct DeskDifference {
    /// The figure.
    pub name: &'static str,
    /// Its value in A.
    pub a: Option<f64>,
    /// Its value in B.
    pub b: Option<f64>,
    /// B minus A.
    pub difference: Option<f64>,
    /// The 95 % interval of that, over pairs of dialogues.
    pub interval: Option<(f64, f64)>,
}

/// Two runs. `Display` is a table.
#[derive(Debug, Clone, Serialize)]
pub struct DeskComparison {
    /// The folder of A, and who answers.
    pub a: String,
    /// The same of B.
    pub b: String,
    /// Dialogues that both have.
    pub count: usize,
    /// Dialogues that one of them has.
    pub left_out: usize,
    /// The differences.
    pub figures: Vec<DeskDifference>,
}

/// Compares two runs in the dialogues that both have.
///
/// # Errors
/// They are not about the same goals, rows or users.
pub fn compare(a: &RecordedDesk, b: &RecordedDesk) -> Result<DeskComparison> {
    // A model that talks for users makes them other users.
    let about = |it: &RecordedDesk| {
        let run = &it.run;
        json!({
            "goals": run.dialogues,
            "rows": run.rows,
            "seed": run.seed,
            "user": run.user,
            "language": run.language,
            "model": run.model.as_ref().filter(|_| run.user == UserKind::Model),
        })
    };
    let folders = || (a.folder.display(), b.folder.display());
    let differences = fields_differ(&about(b), &about(a));
    if !differences.is_empty() {
        let (one, other) = folders();
        return Err(Error::usage(format!(
            "{other} cannot be compared with {one}: {}",
            differences.join("; ")
        )));
    }
    let pairs = a.dialogues.iter();
    let pairs = pairs.filter_map(|(name, turns)| Some((turns, b.dialogues.get(name)?)));
    let pairs: Vec<_> = pairs.collect();
    if pairs.is_empty() {
        let (one, other) = folders();
        return Err(Error::usage(format!(
            "{one} and {other} have no dialogue in common that is done"
        )));
    }
    let ours = counts(pairs.iter().map(|(turns, _)| *turns));
    let theirs = counts(pairs.iter().map(|(_, turns)| *turns));
    let difference = |at: usize, times: &[f64]| {
        let share = |counts: &[Vec<(usize, usize)>]| share(counts.get(at)?, times);
        let (a, b) = (share(&ours), share(&theirs));
        (a, b, b.zip(a).map(|(b, a)| b - a))
    };
    let intervals = intervals(pairs.len(), |at, times| difference(at, times).2);
    let once = vec![1.0; pairs.len()];
    let figures = SHARES.iter().zip(intervals).enumerate();
    let figures = figures.map(|(at, ((name, _), interval))| {
        let (a, b, difference) = difference(at, &once);
        DeskDifference {
            name,
            a,
            b,
            difference,
            interval,
        }
    });
    let who = |it: &RecordedDesk| match &it.run.model {
        Some(model) => format!("{}: {} by {model}", it.folder.display(), it.run.assistant),
        None => format!("{}: {}", it.folder.display(), it.run.assistant),
    };
    Ok(DeskComparison {
        a: who(a),
        b: who(b),
        count: pairs.len(),
        left_out: a.dialogues.len() + b.dialogues.len() - 2 * pairs.len(),
        figures: figures.collect(),
    })
}

impl fmt::Display for DeskComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "A {}\nB {}", self.a, self.b)?;
        write!(f, "{}", counted(self.count, "dialogue"))?;
        if self.left_out > 0 {
            write!(f, " in pairs; {} in one run alone", self.left_out)?;
        }
        writeln!(f, "\n  {:<32} {:>6} {:>6}  B - A", "", "A", "B")?;
        for figure in &self.figures {
            let difference = percent(figure.difference, figure.interval);
            let share = |value: Option<f64>| match value {
                Some(value) => format!("{:.1}", 100.0 * value),
                None => "-".to_owned(),
            };
            let (a, b) = (share(figure.a), share(figure.b));
            writeln!(f, "  {:<32} {a:>6} {b:>6}  {difference}", figure.name)?;
        }
        Ok(())
    }
}
