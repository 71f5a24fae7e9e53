//! Prints the figures of players and readers without a model on recorded games:
//! `cargo run -p decision-games --example figures -- SPLIT datasets/*/games.jsonl`, where SPLIT
//! is 1 (games for tuning), 2 (games for figures) or all.
#![allow(clippy::print_stdout, reason = "the figures are the output")]

use std::collections::BTreeMap;
use std::time::Instant;

use decision_games::figures::{gain, interval, mean};
use decision_games::forced::{CUTS, situations};
use decision_games::play::{agent_among, between};
use decision_games::{Limits, Manner, Play, Recorded, Rules, Table};

/// Values of games: what was reached, what people and silence reach, words, questions, ends.
#[derive(Default)]
struct Row {
    norms: Vec<f64>,
    human: Vec<f64>,
    silent: Vec<f64>,
    words: Vec<f64>,
    questions: Vec<f64>,
    failed: usize,
}

impl Row {
    fn print(&self, name: &str) {
        let (norm, human, silent) = (mean(&self.norms), mean(&self.human), mean(&self.silent));
        let pairs = self.norms.iter().zip(&self.human);
        let differences: Vec<f64> = pairs.map(|(norm, human)| norm - human).collect();
        let (low, high) = interval(&differences).unwrap_or_default();
        println!(
            "{name:<24} {:.4} ± {:.4} of {}; people {:.4}, difference {:+.4} [{low:+.4}, {high:+.4}]; \
             silent {:.4}, gain {:.3}; words {:.1}, questions {:.1}; failed {}",
            norm.mean,
            norm.error,
            norm.count,
            human.mean,
            norm.mean - human.mean,
            silent.mean,
            gain(&self.norms, &self.silent),
            mean(&self.words).mean,
            mean(&self.questions).mean,
            self.failed,
        );
    }
}

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let split = arguments.next().unwrap_or_default();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let started = Instant::now();
    for path in arguments {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        for recorded in Recorded::read(&text)? {
            if split == "all" || (recorded.index % 3).to_string() == split {
                forced(&recorded, &mut rows)?;
                scripted(&recorded, &mut rows)?;
            }
        }
    }
    for (name, row) in rows {
        row.print(&name);
    }
    println!("{:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

fn human(recorded: &Recorded) -> f64 {
    recorded.recorded.map_or(0.0, |figures| figures.norm)
}

fn forced(recorded: &Recorded, rows: &mut BTreeMap<String, Row>) -> Result<(), String> {
    for cut in CUTS {
        for situation in situations(recorded, cut)? {
            let mut words = situation.words().ok_or("no reader of words")?;
            let forced = situation.propose(words.as_mut());
            let row = rows
                .entry(format!("{} forced {}", recorded.game, cut.name()))
                .or_default();
            row.norms.push(forced.norm);
            row.human.push(human(recorded));
            row.silent.push(forced.silent);
            row.words.push(recorded.words(cut.turns(recorded)) as f64);
            row.failed += usize::from(forced.failed.is_some());
        }
    }
    Ok(())
}

fn scripted(recorded: &Recorded, rows: &mut BTreeMap<String, Row>) -> Result<(), String> {
    let game = recorded.open(Rules::default())?;
    for (name, manner) in Manner::ALL {
        for seat in (0..game.seats().len()).filter(|seat| game.seats()[*seat].may_propose) {
            let players = agent_among(game.as_ref(), seat, manner, u64::from(recorded.index));
            let mut players = players.ok_or("no player")?;
            let limits = Limits::usual(game.as_ref());
            let table = Table::new(game.clone(), Rules::default(), Play::Strict);
            let mut table = table.with_limits(limits);
            let played = between(&mut table, &mut players);
            let silent = game.points(&game.silent(seat)).norm();
            let row = rows
                .entry(format!("{} with {name}", recorded.game))
                .or_default();
            row.norms.push(played.norm.unwrap_or(silent));
            row.human.push(human(recorded));
            row.silent.push(silent);
            row.words.push(played.record.words() as f64);
            row.questions.push(played.record.questions(seat) as f64);
            row.failed += usize::from(played.norm.is_none());
            if std::env::var_os("SHOW").is_some_and(|wanted| {
                wanted.to_string_lossy() == format!("{} {}", recorded.game, recorded.index)
            }) {
                println!(
                    "--- {name} {seat} {:?} refused {}",
                    played.norm, played.refused
                );
                for turn in &played.record.turns {
                    println!("{}", serde_json::to_string(turn).unwrap_or_default());
                }
            }
        }
    }
    Ok(())
}
