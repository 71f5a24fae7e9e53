//! Rows that cost nothing, over many games.

use serde::Serialize;
use std::fmt;

use crate::figures::{gain, mean};
use crate::rows::{Row, SILENT};

/// The rows of games of several kinds, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct RowTable(Vec<Column>);

#[derive(Clone, Debug)]
struct Column {
    game: String,
    row: &'static str,
    norms: Vec<f64>,
    /// What silence reaches in the game of each of them.
    silent: Vec<f64>,
}

/// A row over all games of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowMean {
    /// The kind of game.
    pub game: String,
    /// The name of the row.
    pub row: &'static str,
    /// How many games, or seats of games.
    pub count: usize,
    /// The mean score.
    pub mean: f64,
    /// Its standard error.
    pub sem: f64,
    /// How many are perfect.
    pub perfect: usize,
    /// [`gain`] over silence in the same games.
    pub gain: f64,
    /// How far the mean is from the best decisions.
    pub gap: f64,
}

impl RowTable {
    /// Adds all rows of one game.
    pub fn add(&mut self, game: &str, rows: Vec<Row>) {
        let silent = rows.iter().filter(|row| row.name == SILENT);
        let silent = mean(&silent.map(|row| row.norm).collect::<Vec<_>>()).mean;
        for Row { name, norm } in rows {
            let known = |column: &Column| column.game == game && column.row == name;
            let place = self.0.iter().position(known).unwrap_or_else(|| {
                self.0.push(Column {
                    game: game.to_owned(),
                    row: name,
                    norms: Vec::new(),
                    silent: Vec::new(),
                });
                self.0.len() - 1
            });
            self.0[place].norms.push(norm);
            self.0[place].silent.push(silent);
        }
    }

    /// The means, row by row.
    pub fn means(&self) -> Vec<RowMean> {
        let row = |column: &Column| {
            let norm = mean(&column.norms);
            RowMean {
                game: column.game.clone(),
                row: column.row,
                count: norm.count,
                mean: norm.mean,
                sem: norm.error,
                perfect: column.norms.iter().filter(|norm| **norm >= 1.0).count(),
                gain: gain(&column.norms, &column.silent),
                gap: 1.0 - norm.mean,
            }
        };
        self.0.iter().map(row).collect()
    }
}

impl fmt::Display for RowTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = String::new();
        for row in self.means() {
            if row.game != last {
                writeln!(f, "{}", row.game)?;
                last.clone_from(&row.game);
            }
            writeln!(f, "  {row}")?;
        }
        Ok(())
    }
}

impl fmt::Display for RowMean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let perfect = format!("{} of {} perfect", self.perfect, self.count);
        write!(
            f,
            "{:<12} {:.4} ± {:.4}  {perfect:<18}  gain {:+.2}, gap {:.4}",
            self.row,
            self.mean,
            self.sem,
            // No minus before what rounds to zero.
            (100.0 * self.gain).round() / 100.0 + 0.0,
            self.gap
        )
    }
}
