//! Figures of readers and players without a model, beside those of people and of silence.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::figures::{gain, interval, mean};
use crate::forced::{CUTS, situations};
use crate::play::{agent_among, between};
use crate::player::Manner;
use crate::recorded::Recorded;
use crate::rows::proposers;
use crate::rules::Rules;
use crate::table::{Limits, Play, Table};

/// What was reached in games of one kind, in one way.
#[derive(Clone, Debug, Default)]
pub struct MeasuredRow {
    /// The scaled scores; that of silence where there is no decision.
    pub norms: Vec<f64>,
    /// The scores of people in the same games; `None` for a game that they did not finish.
    pub people: Vec<Option<f64>>,
    /// What silence reaches in the same games.
    pub silent: Vec<f64>,
    /// The words that were said.
    pub words: Vec<f64>,
    /// The questions that the seat asked.
    pub questions: Vec<f64>,
    /// How many proposals or decisions there were none of; they count as silence in `norms`.
    pub failed: usize,
    /// The silent scores that stand in `norms` for those.
    fallbacks: Vec<f64>,
}

/// The figures of a row. Means are over its games; `difference` is to people, in pairs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Summary {
    /// The mean score.
    pub norm: f64,
    /// Its standard error.
    pub sem: f64,
    /// How many games or seats.
    pub count: usize,
    /// How many are perfect.
    pub perfect: usize,
    /// The mean score where those without a decision count 0.
    pub failed_as_zero: f64,
    /// The mean score where there is a decision; games without one are left out.
    pub finished: Option<f64>,
    /// The mean score of people in the games that they finished.
    pub people: Option<f64>,
    /// How much better than people, in the same games.
    pub difference: Option<f64>,
    /// The 95 % interval of that.
    pub interval: Option<(f64, f64)>,
    /// What silence reaches.
    pub silent: f64,
    /// [`gain`] over silence.
    pub gain: f64,
    /// Words a game.
    pub words: f64,
    /// Questions a game.
    pub questions: f64,
    /// Games without a decision.
    pub failed: usize,
}

impl MeasuredRow {
    /// The figures.
    pub fn summary(&self) -> Summary {
        let norm = mean(&self.norms);
        let pairs = self.norms.iter().zip(&self.people);
        let differences: Vec<f64> = pairs
            .filter_map(|(norm, people)| Some(norm - (*people)?))
            .collect();
        let people: Vec<f64> = self.people.iter().flatten().copied().collect();
        let some = |values: &[f64]| (!values.is_empty()).then(|| mean(values).mean);
        let failed: f64 = self.fallbacks.iter().sum();
        Summary {
            norm: norm.mean,
            sem: norm.error,
            count: norm.count,
            perfect: self.norms.iter().filter(|norm| **norm >= 1.0).count(),
            failed_as_zero: norm.mean - failed / norm.count.max(1) as f64,
            finished: (norm.count > self.failed).then(|| {
                (norm.mean * norm.count as f64 - failed) / (norm.count - self.failed) as f64
            }),
            people: some(&people),
            difference: some(&differences),
            interval: interval(&differences),
            silent: mean(&self.silent).mean,
            gain: gain(&self.norms, &self.silent),
            words: mean(&self.words).mean,
            questions: mean(&self.questions).mean,
            failed: self.failed,
        }
    }

    /// Adds a game, or a forced proposal, of a seat that reaches `silent` without a word. Without
    /// a decision there is no `norm`.
    pub fn add(
        &mut self,
        norm: Option<f64>,
        people: Option<f64>,
        silent: f64,
        (words, questions): (usize, usize),
    ) {
        self.norms.push(norm.unwrap_or(silent));
        if norm.is_none() {
            self.failed += 1;
            self.fallbacks.push(silent);
        }
        self.people.push(people);
        self.silent.push(silent);
        self.words.push(words as f64);
        self.questions.push(questions as f64);
    }
}

/// Rows by kind of game and way of playing, such as `planning` and `forced 50`.
#[derive(Clone, Debug, Default)]
pub struct Rows(pub BTreeMap<(String, String), MeasuredRow>);

impl Rows {
    fn row(&mut self, recorded: &Recorded, way: String) -> &mut MeasuredRow {
        self.0.entry((recorded.game.clone(), way)).or_default()
    }

    /// Forces proposals at all cuts, with the reader of words.
    ///
    /// # Errors
    /// The world or a turn cannot be read.
    pub fn forced(&mut self, recorded: &Recorded) -> Result<(), String> {
        for cut in CUTS {
            for situation in situations(recorded, cut)? {
                let mut words = situation.words().ok_or("the seat has no reader of words")?;
                let forced = situation.propose(words.as_mut())?;
                let norm = forced.failed.is_none().then_some(forced.norm);
                let said = recorded.words(cut.turns(recorded));
                let row = self.row(recorded, format!("forced {}", cut.name()));
                row.add(norm, people(recorded), forced.silent, (said, 0));
            }
        }
        Ok(())
    }

    /// Plays the world of a recorded game anew: the player without a model in each seat that may
    /// propose, a fixed party of this manner in the others.
    ///
    /// # Errors
    /// The world cannot be read, or the game has no such players.
    pub fn played(
        &mut self,
        recorded: &Recorded,
        name: &str,
        manner: Manner,
    ) -> Result<(), String> {
        let game = recorded.open(Rules::default())?;
        for seat in proposers(game.as_ref()) {
            let players = agent_among(game.as_ref(), seat, manner, u64::from(recorded.index));
            let mut players = players.ok_or("the game has no players without a model")?;
            let limits = Limits::usual(game.as_ref());
            let table = Table::new(game.clone(), Rules::default(), Play::Strict);
            let played = between(&mut table.with_limits(limits), &mut players)?;
            let silent = game.points(&game.silent(seat)).norm();
            let said = (played.record.words(), played.record.questions(seat));
            let row = self.row(recorded, format!("with {name}"));
            row.add(played.norm, people(recorded), silent, said);
        }
        Ok(())
    }
}

fn people(recorded: &Recorded) -> Option<f64> {
    recorded.recorded.as_ref().map(|figures| figures.norm)
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = "";
        for ((game, way), row) in &self.0 {
            if game != last {
                writeln!(f, "{game}")?;
                last = game;
            }
            writeln!(f, "  {way:<14} {}", row.summary())?;
        }
        Ok(())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.4} ± {:.4} of {:<3} ",
            self.norm, self.sem, self.count
        )?;
        match (self.people, self.difference, self.interval) {
            (Some(people), Some(difference), Some((low, high))) => write!(
                f,
                "people {people:.4} ({difference:+.4}, {low:+.4} to {high:+.4})"
            )?,
            _ => write!(f, "no people")?,
        }
        write!(
            f,
            "  silent {:.4}, gain {:.2}  {:.0} words, {:.1} questions, {} failed",
            self.silent,
            self.gain,
            self.words,
            self.questions.abs(),
            self.failed
        )
    }
}
