//! The best assignment by what one player sees and by what it was told.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Optimization, OptimizationWorld, proposal, rows};
use crate::game::Decision;
use crate::illegal::{Code, Illegal};
use crate::mind::{self, Reason, Suggestion};
use crate::solve::assign_several;

/// A player's view: the names, and the cells that it sees.
#[derive(Clone)]
pub(super) struct View {
    /// A world that has nothing but names.
    pub names: OptimizationWorld,
    pub seen: Vec<Vec<Option<i64>>>,
}

impl View {
    pub fn of(game: &Optimization, seat: usize) -> Option<View> {
        let OptimizationWorld {
            reviewers, papers, ..
        } = game.world();
        (seat < 2).then(|| View {
            names: OptimizationWorld {
                reviewers: reviewers.clone(),
                papers: papers.clone(),
                table: Vec::new(),
                known: [Vec::new(), Vec::new()],
                scales: [0.0; 2],
            },
            seen: game.world().seen(seat),
        })
    }

    /// The greatest value that it sees.
    pub fn greatest(&self) -> i64 {
        rows::greatest(&self.seen)
    }

    /// All cells: row and column.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let n = self.seen.len();
        (0..n).flat_map(move |row| (0..n).map(move |column| (row, column)))
    }
}

pub(super) fn of(game: &Optimization, seat: usize) -> Option<Box<dyn mind::Solver>> {
    Some(Box::new(Solver(View::of(game, seat)?)))
}

/// What the partner said about a cell.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    pub reviewer: String,
    pub paper: String,
    /// From 1, terrible, to 5, great.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<i64>,
    /// In the partner's own scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
}

struct Solver(View);

/// What is known of a cell.
#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Unknown,
    Seen(i64),
    Level(i64),
    Number(i64),
}

/// Whole numbers for all cells, and how many of them make a point of the table.
struct Values {
    cells: Vec<Vec<i64>>,
    unit: f64,
    known: Vec<Vec<Cell>>,
}

impl Solver {
    fn read(&self, fact: &Value) -> Result<(Claim, usize, usize), Illegal> {
        const FORMS: &str = r#"{"reviewer": …, "paper": …, "level": 1 to 5} and {"reviewer": …, "paper": …, "number": …}"#;
        let mut claim: Claim = mind::read_fact(fact, FORMS)?;
        let row = proposal::find_reviewer(&self.0.names, &claim.reviewer)?;
        let column = proposal::find_paper(&self.0.names, &claim.paper)?;
        let good = match (claim.level, claim.number) {
            (Some(level), None) => (1..=5).contains(&level),
            (None, Some(number)) => (0..=1_000_000).contains(&number),
            _ => false,
        };
        if !good {
            return Err(Code::BadQuery.because("Give a level from 1 to 5, or a number from 0."));
        }
        claim.reviewer.clone_from(&self.0.names.reviewers[row]);
        claim.paper.clone_from(&self.0.names.papers[column]);
        Ok((claim, row, column))
    }

    /// Own cells count as they are seen; claims fill those that the view lacks.
    fn values(&self, facts: &[Value]) -> Values {
        let seen = &self.0.seen;
        let cell = |cell: &Option<i64>| cell.map_or(Cell::Unknown, Cell::Seen);
        let mut known: Vec<Vec<Cell>> = seen
            .iter()
            .map(|row| row.iter().map(cell).collect())
            .collect();
        let (mut mine, mut theirs, mut numbers) = (0i64, 0i64, Vec::new());
        for (claim, row, column) in facts.iter().filter_map(|fact| self.read(fact).ok()) {
            if let (Some(own), Some(number)) = (seen[row][column], claim.number) {
                (mine, theirs) = (mine + own, theirs + number);
            }
            numbers.extend(claim.number);
            if seen[row][column].is_none() {
                known[row][column] = match (claim.level, claim.number) {
                    (Some(level), _) => Cell::Level(level),
                    (_, Some(number)) => Cell::Number(number),
                    _ => continue,
                };
            }
        }
        let own: Vec<i64> = seen.iter().flatten().flatten().copied().collect();
        if !numbers.is_empty() && (mine == 0 || theirs == 0) {
            // Without a common cell the means give the ratio of the scales.
            let sum = |values: &[i64]| values.iter().sum::<i64>();
            mine = (sum(&own) * numbers.len() as i64).max(1);
            theirs = (sum(&numbers) * own.len().max(1) as i64).max(1);
        } else if numbers.is_empty() {
            (mine, theirs) = (1, 1);
        }
        let greatest = i128::from(self.0.greatest());
        let (mine, theirs) = (i128::from(mine), i128::from(theirs));
        let value = |cell: &Cell| -> Option<i128> {
            Some(match cell {
                Cell::Seen(value) => 990 * i128::from(*value) * theirs,
                Cell::Number(value) => 990 * i128::from(*value) * mine,
                Cell::Level(level) => (198 * i128::from(*level) - 99) * greatest * theirs,
                Cell::Unknown => return None,
            })
        };
        let all: Vec<i128> = known.iter().flatten().filter_map(value).collect();
        let count = all.len().max(1) as i128;
        let levels = known
            .iter()
            .flatten()
            .any(|cell| matches!(cell, Cell::Level(_)));
        // Words have a known middle. Without words, the mean of what is known is the best guess.
        let unknown = match levels {
            true => 495 * greatest * theirs * count,
            false => all.iter().sum(),
        };
        let whole: Vec<Vec<i128>> = known
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| value(cell).map_or(unknown, |v| v * count))
                    .collect()
            })
            .collect();
        // Sums of whole numbers stay far below the limit of the solver.
        let most = whole
            .iter()
            .flatten()
            .map(|value| value.abs())
            .max()
            .unwrap_or(0);
        let divisor = (most >> 38) + 1;
        Values {
            cells: whole
                .iter()
                .map(|row| row.iter().map(|value| (value / divisor) as i64).collect())
                .collect(),
            unit: (10 * greatest * theirs * count) as f64 / divisor as f64,
            known,
        }
    }

    fn explain(&self, values: &Values, columns: &[usize]) -> Suggestion {
        let reason = |(row, column): (usize, &usize)| {
            let how = match values.known[row][*column] {
                Cell::Seen(_) => "seen",
                Cell::Level(_) | Cell::Number(_) => "told",
                Cell::Unknown => "unknown",
            };
            let (paper, reviewer) = (&self.0.names.papers[*column], &self.0.names.reviewers[row]);
            Reason {
                what: format!("{paper}: {reviewer} ({how})"),
                points: values.cells[row][*column] as f64 / values.unit,
            }
        };
        let reasons: Vec<Reason> = columns.iter().enumerate().map(reason).collect();
        Suggestion {
            decision: Optimization::decision(columns),
            value: reasons.iter().map(|reason| reason.points).sum(),
            reasons,
        }
    }
}

impl mind::Solver for Solver {
    fn check(&self, fact: &Value) -> Result<Value, Illegal> {
        let (claim, ..) = self.read(fact)?;
        Ok(json!(claim))
    }

    fn suggest(&self, facts: &[Value], count: usize) -> Vec<Suggestion> {
        let values = self.values(facts);
        let found = assign_several(&values.cells, count);
        found
            .iter()
            .map(|found| self.explain(&values, &found.columns))
            .collect()
    }

    fn weigh(&self, facts: &[Value], decision: &Decision) -> Option<Suggestion> {
        let decision = proposal::check(&self.0.names, decision).ok()?;
        let columns: Vec<usize> = Optimization::cells(&decision)
            .into_iter()
            .map(|(_, column)| column)
            .collect();
        (columns.len() == self.0.seen.len()).then(|| self.explain(&self.values(facts), &columns))
    }
}
