//! Code edit distance: how many tokens a person would have to change in the predicted
//! code of a turn to have the true one.

mod tokens;

pub use tokens::{DEDENT, INDENT, NEWLINE, tokens};

use super::{Metric, Sums, Unit};
use crate::dataset::rows::RowGoal;
use crate::dialogue::Program;
use crate::eval::log::EvalMode;
use crate::eval::score::sheet::Runs;

/// The mean distance over turns with a true program, in tokens. Teacher-forced runs only.
pub struct Edits;

impl Metric for Edits {
    fn name(&self) -> String {
        "code_edits".to_owned()
    }

    fn title(&self) -> String {
        "code edit distance".to_owned()
    }

    fn unit(&self) -> Unit {
        Unit::Tokens
    }

    fn applies(&self, mode: EvalMode) -> bool {
        mode == EvalMode::TeacherForced
    }

    fn parts(&self, runs: &Runs<'_>) -> Option<Sums> {
        let with_program = |goals: &[RowGoal]| goals.iter().any(|goal| goal.program.is_some());
        let turns = runs.turns();
        let turns = turns.filter(|log| with_program(&log.truth.programs));
        let distances = turns.map(|log| distance(&log.programs, &log.truth.programs) as f64);
        let (sum, count) = distances.fold((0.0, 0.0), |(sum, count), one| (sum + one, count + 1.0));
        (count > 0.0).then(|| vec![sum, count])
    }
}

/// The token-level Levenshtein distance between the programs of two lists of goals, each
/// list read as one text: the programs in their order. A goal without a program of its own
/// adds nothing.
pub fn distance(predicted: &[RowGoal], truth: &[RowGoal]) -> usize {
    let programs = |goals: &[RowGoal]| -> Vec<Program> {
        let texts = goals.iter().filter_map(|goal| goal.program.clone());
        texts.map(Program::from_text).collect()
    };
    let (predicted, truth) = (programs(predicted), programs(truth));
    if predicted == truth {
        return 0;
    }
    levenshtein(&in_order(&predicted), &in_order(&truth))
}

fn in_order(programs: &[Program]) -> Vec<&str> {
    let programs = programs.iter();
    programs
        .flat_map(|program| tokens(program.code()))
        .collect()
}

/// The fewest insertions, deletions and replacements that make one list the other.
fn levenshtein(one: &[&str], other: &[&str]) -> usize {
    // A common beginning and a common end cost nothing. Most programs differ in a few places.
    let same = |(a, b): &(&&str, &&str)| a == b;
    let start = one.iter().zip(other).take_while(same).count();
    let (one, other) = (&one[start..], &other[start..]);
    let end = (one.iter().rev().zip(other.iter().rev()))
        .take_while(same)
        .count();
    let (one, other) = (&one[..one.len() - end], &other[..other.len() - end]);
    // The distances from what was read of `one` to each beginning of `other`.
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, a) in one.iter().enumerate() {
        let mut diagonal = index;
        let mut left = index + 1;
        let mut next = vec![left];
        for (b, above) in other.iter().zip(row.iter().skip(1)) {
            let replaced = diagonal + usize::from(a != b);
            left = replaced.min(left + 1).min(above + 1);
            next.push(left);
            diagonal = *above;
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}
