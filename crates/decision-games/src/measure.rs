//! Figures of readers and players without a model, beside those of people and of silence.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::extraction::{Extraction, FactRates};
use crate::figures::{gain, interval, mean};
use crate::forced::{CUTS, situations};
use crate::play::{agent_among, between};
use crate::player::Manner;
use crate::recorded::Recorded;
use crate::rows::proposers;
use crate::rules::Rules;
use crate::table::{Limits, Play, Table};
use crate::talk::TalkCount;

/// A game, or a forced proposal, of one seat.
#[derive(Clone, Debug)]
pub struct MeasuredGame {
    /// The scaled score; none without a decision.
    pub norm: Option<f64>,
    /// That of people in the same game; none for a game that they did not finish.
    pub people: Option<f64>,
    /// What the seat reaches without a word.
    pub silent: f64,
    /// What was said.
    pub talk: TalkCount,
    /// The facts that were taken, where they are judged.
    pub extraction: Extraction,
}

/// What was reached in games of one kind, in one way.
#[derive(Clone, Debug, Default)]
pub struct MeasuredRow(pub Vec<MeasuredGame>);

/// The figures of a row. Means are over its games; `difference` is to people, in pairs.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The mean score, silence where there is no decision.
    pub norm: f64,
    /// Its standard error.
    pub sem: f64,
    /// How many games or seats.
    pub count: usize,
    /// How many ended with a best decision.
    pub perfect: usize,
    /// The mean score where those without a decision count 0.
    pub failed_as_zero: f64,
    /// The mean score where there is a decision; games without one are left out.
    pub finished: Option<f64>,
    /// The mean score of people in the games that they finished.
    pub people: Option<f64>,
    /// How far what people accepted is from the best decisions.
    pub gap: Option<f64>,
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
    /// Moves a game.
    pub moves: f64,
    /// The share of messages that say numbers; none without a message.
    pub numbers: Option<f64>,
    /// Questions a game.
    pub questions: f64,
    /// Games without a decision.
    pub failed: usize,
    /// How well facts were taken from the talk, by sort.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extraction: BTreeMap<String, FactRates>,
}

impl MeasuredRow {
    fn each(&self, value: impl Fn(&MeasuredGame) -> f64) -> Vec<f64> {
        self.0.iter().map(value).collect()
    }

    fn some(&self, value: impl Fn(&MeasuredGame) -> Option<f64>) -> Vec<f64> {
        self.0.iter().filter_map(value).collect()
    }

    /// The figures.
    pub fn summary(&self) -> Summary {
        let norms = self.each(MeasuredGame::counted);
        let silent = self.each(|game| game.silent);
        let differences = self.some(|game| Some(game.counted() - game.people?));
        let some = |values: &[f64]| (!values.is_empty()).then(|| mean(values).mean);
        let finished = self.some(|game| game.norm);
        let people = some(&self.some(|game| game.people));
        let talk = |value: fn(&TalkCount) -> usize| self.each(|game| value(&game.talk) as f64);
        let messages: f64 = talk(|talk| talk.messages).iter().sum();
        let numbers: f64 = talk(|talk| talk.numbers).iter().sum();
        let norm = mean(&norms);
        let mut facts = Extraction::default();
        self.0.iter().for_each(|game| facts += &game.extraction);
        Summary {
            norm: norm.mean,
            sem: norm.error,
            count: norm.count,
            perfect: finished.iter().filter(|norm| **norm >= 1.0).count(),
            failed_as_zero: mean(&self.each(|game| game.norm.unwrap_or(0.0))).mean,
            finished: some(&finished),
            people,
            gap: people.map(|people| 1.0 - people),
            difference: some(&differences),
            interval: interval(&differences),
            silent: mean(&silent).mean,
            gain: gain(&norms, &silent),
            words: mean(&talk(|talk| talk.words)).mean,
            moves: mean(&talk(|talk| talk.moves)).mean,
            numbers: (messages > 0.0).then(|| numbers / messages),
            questions: mean(&talk(|talk| talk.questions)).mean,
            failed: norm.count - finished.len(),
            extraction: facts.rates(),
        }
    }
}

impl MeasuredGame {
    /// The score that counts: that of silence where there is no decision.
    pub fn counted(&self) -> f64 {
        self.norm.unwrap_or(self.silent)
    }
}

/// Rows by kind of game and way of playing, such as `forced 50`.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// The rules by which it is played and scored.
    pub rules: Rules,
    /// The rows.
    pub all: BTreeMap<(String, String), MeasuredRow>,
}

impl Rows {
    fn row(&mut self, recorded: &Recorded, way: String) -> &mut MeasuredRow {
        self.all.entry((recorded.game.clone(), way)).or_default()
    }

    /// Forces proposals at all cuts, with the reader of words.
    ///
    /// # Errors
    /// The world or a turn cannot be read.
    pub fn forced(&mut self, recorded: &Recorded) -> Result<(), String> {
        let people = recorded.people(self.rules)?;
        for cut in CUTS {
            for situation in situations(recorded, cut, self.rules)? {
                let mut words = situation.words().ok_or("the seat has no reader of words")?;
                let forced = situation.propose(words.as_mut())?;
                let row = self.row(recorded, format!("forced {}", cut.name()));
                row.0.push(MeasuredGame {
                    norm: forced.failed.is_none().then_some(forced.norm),
                    people,
                    silent: forced.silent,
                    talk: situation.talk(),
                    extraction: forced.extraction,
                });
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
        let game = recorded.open(self.rules)?;
        let people = recorded.people(self.rules)?;
        for seat in proposers(game.as_ref()) {
            let players = agent_among(game.as_ref(), seat, manner, u64::from(recorded.index));
            let mut players = players.ok_or("the game has no players without a model")?;
            let limits = Limits::usual(game.as_ref());
            let table = Table::new(game.clone(), self.rules, Play::Strict);
            let played = between(&mut table.with_limits(limits), &mut players)?;
            let row = self.row(recorded, format!("with {name}"));
            row.0.push(MeasuredGame {
                norm: played.norm,
                people,
                silent: game.silence(seat).norm(),
                talk: played.record.talk(game.as_ref(), &[seat]),
                extraction: Extraction::default(),
            });
        }
        Ok(())
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = "";
        for ((game, way), row) in &self.all {
            if game != last {
                writeln!(f, "{game}")?;
                last = game;
            }
            let figures = row.summary();
            writeln!(f, "  {way:<14} {figures}")?;
            for more in figures.more() {
                writeln!(f, "{:17}{more}", "")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = percent(self.perfect as f64 / self.count.max(1) as f64);
        let perfect = format!("{share} perfect");
        write!(
            f,
            "{:.4} ± {:.4} of {:<3} {perfect:<13}  ",
            self.norm, self.sem, self.count
        )?;
        match (self.people, self.difference, self.interval, self.gap) {
            (Some(people), Some(difference), Some((low, high)), Some(gap)) => write!(
                f,
                "people {people:.4} ({difference:+.4}, {low:+.4} to {high:+.4}), gap {gap:.4}"
            )?,
            _ => write!(f, "no people")?,
        }
        write!(f, "  silent {:.4}, gain {:.2}", self.silent, self.gain)?;
        match (self.failed, self.finished) {
            (0, _) => write!(f, "  0 failed"),
            (failed, finished) => {
                let without = finished.map_or_else(String::new, |finished| {
                    format!(", {finished:.4} without them")
                });
                let zero = self.failed_as_zero;
                write!(f, "  {failed} failed ({zero:.4} with 0 for them{without})")
            }
        }
    }
}

impl Summary {
    /// The lines below the figures: counts of the talk, and how many facts the reader took rightly.
    pub fn more(&self) -> Vec<String> {
        let facts = self.extraction.iter();
        let facts: Vec<String> = facts
            .map(|(sort, rates)| format!("{sort}: {rates}"))
            .collect();
        let facts = (!facts.is_empty()).then(|| facts.join("; "));
        std::iter::once(self.talk()).chain(facts).collect()
    }

    fn talk(&self) -> String {
        let (words, moves, questions) = (self.words, self.moves, self.questions.abs());
        let numbers = self.numbers.map_or_else(String::new, |numbers| {
            format!("{} of messages with numbers, ", percent(numbers))
        });
        format!("{words:.0} words, {moves:.1} moves, {numbers}{questions:.1} questions")
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extraction::FactCount;

    fn row(norms: &[Option<f64>]) -> Summary {
        let game = |norm: &Option<f64>| MeasuredGame {
            norm: *norm,
            people: Some(0.9),
            silent: 0.6,
            talk: TalkCount {
                words: 10,
                moves: 3,
                messages: 2,
                numbers: 1,
                questions: 1,
            },
            extraction: Extraction::new([(
                "wishes",
                FactCount::of([Some(1), Some(1), None].into_iter(), 4),
            )]),
        };
        MeasuredRow(norms.iter().map(game).collect()).summary()
    }

    #[test]
    fn the_text_has_every_figure() {
        let text = |figures: Summary| format!("{figures}\n{}", figures.more().join("\n"));
        assert_eq!(
            text(row(&[Some(1.0), Some(0.8)])),
            "0.9000 ± 0.1000 of 2   50 % perfect   people 0.9000 (+0.0000, -0.1000 to +0.1000), \
             gap 0.1000  silent 0.6000, gain 0.75  0 failed\n\
             10 words, 3.0 moves, 50 % of messages with numbers, 1.0 questions\n\
             wishes: precision 0.667 of 6, recall 0.250 of 8"
        );
        let failed = text(row(&[Some(1.0), None]));
        assert!(
            failed.contains("0.8000 ± ")
                && failed.contains("1 failed (0.5000 with 0 for them, 1.0000 without them)"),
            "{failed}"
        );
        assert!(text(row(&[None])).contains("1 failed (0.0000 with 0 for them)"));
        assert!(text(row(&[])).contains("0.0000 ± 0.0000 of 0"));
    }
}
