//! `dialog2api claims --judge`: a model as the judge, beside the checker.

use super::{CheckArgs, read};
use crate::cli::model::opened;
use crate::cli::{Exit, terminal};
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::eval::judge::{
    Agreements, Flips, Judge, JudgeSettings, JudgedTurn, Judgement, PROMPT, Per, Planted,
    RowChoice, differing,
};
use crate::llm::{Prices, Usage};
use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use typed_claims::{Agreement, Flags, Knowledge, Verdict, rows_of_lines};

/// How a model is asked that judges.
#[derive(Debug, Args)]
#[command(next_help_heading = "Judge")]
pub struct JudgeOptions {
    /// The exchanges before a turn that the judge sees, of the same `dialogue`
    #[arg(long, value_name = "N", default_value_t = 0)]
    history: usize,

    /// The rows that the judge sees: `relevant` are those that a turn names, or two of whose
    /// values it has
    #[arg(long, value_name = "ROWS", value_enum, default_value_t)]
    shown: ShownRows,

    /// What one request is about
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    per: PerWhat,

    /// Asks everything so many times, with seeds of their own: how often does the judge change
    /// its mind?
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=100))]
    repeat: u64,

    /// Writes the turns on which judge and checker differ, with the reasons of both: JSON Lines
    #[arg(long, value_name = "FILE")]
    disagreements: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ShownRows {
    #[default]
    All,
    Relevant,
    None,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum PerWhat {
    #[default]
    Turn,
    Sentence,
    Dialogue,
}

impl JudgeOptions {
    /// An option that says something else than the usual.
    pub fn named(&self) -> Option<&'static str> {
        let named = [
            ("--history", self.history > 0),
            ("--shown", !matches!(self.shown, ShownRows::All)),
            ("--per", !matches!(self.per, PerWhat::Turn)),
            ("--repeat", self.repeat > 1),
            ("--disagreements", self.disagreements.is_some()),
        ];
        let named = named.into_iter().find(|(_, is_named)| *is_named);
        named.map(|(option, _)| option)
    }

    fn asking(&self) -> JudgeSettings {
        JudgeSettings {
            per: match self.per {
                PerWhat::Turn => Per::Turn,
                PerWhat::Sentence => Per::Sentence,
                PerWhat::Dialogue => Per::Dialogue,
            },
            history: self.history,
            shown: match self.shown {
                ShownRows::All => RowChoice::All,
                ShownRows::Relevant => RowChoice::Relevant,
                ShownRows::None => RowChoice::None,
            },
        }
    }

    fn told(&self) -> Json {
        let name = |value: Option<clap::builder::PossibleValue>| {
            value.map(|value| value.get_name().to_owned())
        };
        json!({
            "prompt": PROMPT,
            "history": self.history,
            "shown": name(self.shown.to_possible_value()),
            "per": name(self.per.to_possible_value()),
            "repeat": self.repeat,
        })
    }
}

/// A turn with what the judge says each time, and what the checker says.
struct Both<'t> {
    turn: &'t JudgedTurn,
    judge: Vec<Judgement>,
    checker: Verdict,
}

impl Both<'_> {
    /// What the judge says the first time, and the flags of the checker.
    fn pair(&self) -> Option<(&Judgement, &Flags)> {
        Some((self.judge.first()?, &self.checker.flags))
    }
}

/// Judges turns by a model and by the checker, and says how far they agree.
pub async fn judged(args: &CheckArgs, turns: &Path, domain: &Domain, quiet: bool) -> Result<Exit> {
    let rows = args.rows()?;
    let known = knowledge(args, &rows)?;
    let turns = turns_of(turns)?;
    let choice = args
        .model
        .spec()
        .resolve(&|name: &str| std::env::var(name).ok())?;
    let model = opened(args.model.adapter.applied(choice, domain)?, quiet).await?;
    let text = String::from_utf8_lossy(&rows);
    let judge = Judge::new(&*model, &text, known.key(), args.judging.asking())?;
    let start = Instant::now();
    let mut all = Vec::new();
    for dialogue in dialogues(&turns) {
        let mut heard = checked(&known, dialogue);
        for seed in 0..args.judging.repeat {
            let judgements = judge.dialogue(dialogue, seed).await?.into_iter().flatten();
            for (both, judgement) in heard.iter_mut().zip(judgements) {
                both.judge.push(judgement);
            }
        }
        all.extend(heard);
    }
    let seconds = start.elapsed().as_secs_f64();
    if let Some(path) = &args.judging.disagreements {
        disagreements(&all, path)?;
    }
    let mut told = report(args, &all);
    let mut usage = Usage::default();
    let each = || all.iter().flat_map(|both| &both.judge);
    each().for_each(|judge| usage += judge.usage);
    let cost = Prices::of_user(None)?.cost(model.name(), usage);
    #[expect(clippy::cast_precision_loss, reason = "counts of turns")]
    let a_turn = |whole: f64| (!all.is_empty()).then(|| whole / all.len() as f64);
    told["model"] = json!(model.name());
    told["requests"] = json!(each().map(|judge| judge.requests).sum::<usize>());
    told["usage"] = json!(usage);
    told["dollars"] = json!(cost.map(|cost| cost.0));
    told["dollars_a_turn"] = json!(cost.and_then(|cost| a_turn(cost.0)));
    told["seconds_a_turn"] = json!(a_turn(seconds));
    terminal::print_json(&told)?;
    Ok(Exit::Done)
}

/// What is said of the turns, but for what it took.
fn report(args: &CheckArgs, all: &[Both<'_>]) -> Json {
    let pairs: Vec<(&Judgement, &Flags)> = all.iter().filter_map(Both::pair).collect();
    let agreements = Agreements::of(pairs.iter().copied());
    let agreement =
        |it: Agreement| json!({"table": it.table, "raw": it.raw(), "kappa": it.kappa()});
    let turns = all.iter().filter_map(|both| {
        let (judge, flags) = both.pair()?;
        let mut told = json!({"judge": judge, "checker": flags});
        if both.judge.len() > 1 {
            let bits = |it: &Judgement| json!([it.refers, it.aligned, it.grounded]);
            told["repeats"] = both.judge.iter().map(bits).collect();
        }
        Some(told)
    });
    let mut told = json!({
        "version": 1,
        "model": null,
        "asked": args.judging.told(),
        "turns": turns.collect::<Vec<_>>(),
        "agreement": {
            "refers": agreement(agreements.refers),
            "aligned": agreement(agreements.aligned),
            "grounded": agreement(agreements.grounded),
            "correct": agreement(agreements.correct),
        },
        "unreadable": agreements.unreadable,
    });
    if args.judging.repeat > 1 {
        let repeats: Vec<Vec<Judgement>> = all.iter().map(|both| both.judge.clone()).collect();
        told["flips"] = json!(Flips::of(&repeats));
    }
    let labelled = all.iter().filter_map(|both| {
        let (judge, flags) = both.pair()?;
        Some((
            both.turn.operator.as_deref(),
            both.turn.label?,
            judge,
            flags,
        ))
    });
    let labelled: Vec<_> = labelled.collect();
    if !labelled.is_empty() {
        told["planted"] = json!(Planted::of(labelled));
    }
    told
}

/// Follows a dialogue with the checker: what it says of each turn that is judged.
fn checked<'t>(known: &Knowledge, dialogue: &'t [JudgedTurn]) -> Vec<Both<'t>> {
    let mut tracker = known.tracker();
    let mut heard = Vec::new();
    for turn in dialogue {
        tracker.hear(&turn.user);
        let checker = tracker.check(&turn.reply, None);
        if !turn.context {
            heard.push(Both {
                turn,
                judge: Vec::new(),
                checker,
            });
        }
    }
    heard
}

/// Writes the turns on which judge and checker differ.
fn disagreements(all: &[Both<'_>], path: &Path) -> Result<()> {
    let mut text = String::new();
    for both in all {
        let Some((judge, flags)) = both.pair() else {
            continue;
        };
        let differing = differing(judge, flags);
        if differing.is_empty() {
            continue;
        }
        let claims = both.checker.claims.iter().map(|claim| {
            json!({
                "said": both.turn.reply.get(claim.range.clone()),
                "kind": claim.kind.name(),
                "verdict": claim.verdict(),
                "known": claim.in_kb,
                "row": claim.rows,
                "rule": claim.rule,
            })
        });
        let line = json!({
            "on": differing,
            "turn": both.turn,
            "judge": judge,
            "checker": {"flags": flags, "claims": claims.collect::<Vec<_>>()},
        });
        text += &format!("{line}\n");
    }
    std::fs::write(path, text).map_err(Error::file("cannot write", path))
}

fn knowledge(args: &CheckArgs, rows: &[u8]) -> Result<Knowledge> {
    let wrong = |error: typed_claims::Error| Error::usage(error.to_string());
    let rows = rows_of_lines(rows).map_err(wrong)?;
    let known = match &args.schema {
        None => Knowledge::restaurants(&args.language, rows),
        Some(schema) => {
            let schema = String::from_utf8_lossy(&read(schema)?).into_owned();
            Knowledge::read(&schema, &args.language, rows)
        }
    };
    known.map_err(wrong)
}

/// The turns of each dialogue: those in a row with the same name. One without a name is alone.
fn dialogues(turns: &[JudgedTurn]) -> impl Iterator<Item = &[JudgedTurn]> {
    turns.chunk_by(|one, next| one.dialogue.is_some() && one.dialogue == next.dialogue)
}

fn turns_of(path: &Path) -> Result<Vec<JudgedTurn>> {
    let text = String::from_utf8_lossy(&read(path)?).into_owned();
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let turns = lines.map(|(at, line)| {
        serde_json::from_str(line).map_err(|error| Error::Content {
            path: path.to_owned(),
            problem: format!("line {}: {error}", at + 1),
        })
    });
    turns.collect()
}
