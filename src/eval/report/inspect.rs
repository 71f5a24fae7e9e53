//! A run as an eval log of inspect_ai, which its viewer and its `read_eval_log` take.
//!
//! A dialogue in an epoch is a sample: its input is what the user says, its target what
//! truly should be predicted, its messages are the dialogue as it went, its scores are
//! `emr`, `complete`, `turn_match` and `state_emr`. Dialogues that did not end have an
//! error instead of scores, as inspect has it. The prompts are not in it: `log.jsonl` has
//! them.
//!
//! The fields are those of version 2 of the log
//! (<https://inspect.aisi.org.uk/reference/inspect_ai.log.html>).

use super::Shown;
use crate::dataset::rows::RowGoal;
use crate::dialogue::{Update, write_updates};
use crate::error::{Error, Result};
use crate::eval::log::{EvalMode, TurnLog};
use crate::eval::score::sheet::{Pass, Sheet};
use crate::eval::score::{ErrorClass, classes, turn};
use crate::llm::Usage;
use serde_json::{Map, Value as Json, json};

/// The scores of a sample: the names of our metrics.
const SCORES: [&str; 4] = ["emr", "complete", "turn_match", "state_emr"];

/// The log. `created` is when the run was made, which a run itself does not say.
///
/// # Errors
/// The log contradicts itself.
pub fn inspect(shown: &Shown, created: jiff::Timestamp) -> Result<Json> {
    let (run, score) = (&shown.log.run, &shown.score);
    let sheet = Sheet::new(run, &shown.log.turns, shown.domain.as_ref()).map_err(|problem| {
        Error::Content {
            path: shown.folder.join("log.jsonl"),
            problem,
        }
    })?;
    let mut samples = Vec::new();
    for pass in sheet.passes() {
        samples.push(sample(pass, &run.model, None));
    }
    for (cut, turns) in sheet.cut_short.iter().zip(&sheet.cut_turns) {
        let pass = Pass {
            epoch: cut.epoch,
            turns: turns.clone(),
        };
        samples.push(sample(&pass, &run.model, Some(&cut.message)));
    }
    let ids: Vec<&Json> = samples
        .iter()
        .filter_map(|sample| sample.get("id"))
        .collect();
    let mut unique = ids.clone();
    unique.dedup();
    let setting = run.settings.setting;
    let is_whole = !score.coverage.partial && score.coverage.cut_short.is_empty();
    // An RFC 3339 time with its offset, as inspect requires it.
    let created = created.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string();
    let split = run.dataset.split.map(|split| split.to_string());
    let usage = usages(&run.model, score.tokens.all.usage);
    Ok(json!({
        "version": 2,
        "status": if is_whole { "success" } else { "cancelled" },
        "eval": {
            "created": created,
            "task": format!("dialog2api-{}", run.domain),
            "task_version": score.definitions,
            "task_args": {"mode": run.mode, "setting": setting, "k": run.settings.k},
            "dataset": {
                "name": split.as_ref().map_or(run.domain.clone(), |s| format!("{}/{s}", run.domain)),
                "samples": run.dataset.dialogues,
                "sample_ids": unique,
                "shuffled": false,
            },
            "model": run.model,
            "model_generate_config": {
                "temperature": run.settings.temperature,
                "max_tokens": run.settings.program_tokens,
            },
            "config": {"epochs": run.epochs, "epochs_reducer": ["mean"]},
            "packages": {"dialog2api": run.dialog2api},
            "metadata": {"run": run, "nothing": score.nothing},
            "scorers": SCORES.map(|name| json!({"name": name, "metrics": [{"name": "mean"}]})),
        },
        "plan": {
            "name": "dialog2api",
            "steps": [{"solver": solver(run.mode), "params": {"setting": setting}}],
            "config": {"temperature": run.settings.temperature},
        },
        "results": {
            "total_samples": score.coverage.expected,
            "completed_samples": score.coverage.scored,
            "scores": scores(shown),
        },
        "stats": {"started_at": created, "completed_at": created, "model_usage": usage},
        "samples": samples,
    }))
}

fn solver(mode: EvalMode) -> &'static str {
    match mode {
        EvalMode::EndToEnd => "dialog2api/end-to-end",
        EvalMode::TeacherForced => "dialog2api/teacher-forced",
    }
}

/// The figures of the whole run, each with its interval.
fn scores(shown: &Shown) -> Vec<Json> {
    let known = SCORES.iter().filter_map(|name| shown.score.figure(name));
    let scores = known.filter_map(|figure| {
        let value = figure.value?;
        let mut metrics = Map::new();
        for (name, value) in [
            ("mean", Some(value)),
            ("low", figure.low),
            ("high", figure.high),
        ] {
            if let Some(value) = value {
                metrics.insert(name.to_owned(), json!({"name": name, "value": value}));
            }
        }
        Some(json!({
            "name": figure.name,
            "scorer": figure.name,
            "reducer": "mean",
            "scored_samples": shown.score.coverage.scored,
            "unscored_samples": shown.score.coverage.cut_short.len(),
            "metrics": metrics,
        }))
    });
    scores.collect()
}

fn sample(pass: &Pass<'_>, model: &str, error: Option<&str>) -> Json {
    let classes = classes(pass);
    let first = pass.turns.first().map(|log| &log.truth);
    let usage = pass.turns.iter().flat_map(|log| &log.exchanges);
    let usage = usage.fold(Usage::default(), |mut sum, exchange| {
        sum += exchange.usage;
        sum
    });
    let said = |log: &&TurnLog| message("user", &log.truth.utterance);
    let last = pass.turns.last().map_or("", |log| log.response.as_str());
    let mut sample = json!({
        "id": first.map_or("", |row| row.dialogue.as_str()),
        "epoch": pass.epoch,
        "input": pass.turns.iter().map(said).collect::<Vec<_>>(),
        "target": pass.turns.iter().map(|log| target(log)).collect::<Vec<_>>(),
        "messages": messages(pass),
        "output": {
            "model": model,
            "choices": [{"message": message("assistant", last), "stop_reason": "stop"}],
            "usage": of_usage(usage),
        },
        "metadata": {
            "goal": first.and_then(|row| row.goal.as_ref()),
            "world": first.and_then(|row| row.world.as_ref()),
            "turns": pass.turns.iter().zip(&classes)
                .map(|(log, class)| of_turn(log, *class)).collect::<Vec<_>>(),
        },
        "model_usage": usages(model, usage),
    });
    let more = match error {
        Some(problem) => (
            "error",
            json!({
                "message": problem, "traceback": problem, "traceback_ansi": problem,
            }),
        ),
        None => ("scores", sample_scores(pass, &classes)),
    };
    if let Json::Object(fields) = &mut sample {
        fields.insert(more.0.to_owned(), more.1);
    }
    sample
}

fn sample_scores(pass: &Pass<'_>, classes: &[Option<ErrorClass>]) -> Json {
    let turns = || pass.turns.iter().copied();
    let right = turns().filter(|log| turn::matches(log)).count();
    let wrong = classes.iter().position(Option::is_some);
    let explanation = match wrong.and_then(|index| Some((index, (*classes.get(index)?)?))) {
        Some((index, class)) => format!("turn {} is wrong: {}", index + 1, class.title()),
        None => "every turn is right".to_owned(),
    };
    json!({
        "emr": {"value": pass.emr().unwrap_or(0.0), "explanation": explanation},
        "complete": {"value": if pass.is_complete() { 1.0 } else { 0.0 }},
        "turn_match": {"value": right as f64 / pass.turns.len().max(1) as f64},
        "state_emr": {"value": turn::prefix(turns(), turn::state_matches).unwrap_or(0.0)},
    })
}

/// The dialogue as it went: what the agent says follows the programs that it ran.
fn messages(pass: &Pass<'_>) -> Vec<Json> {
    let mut messages = Vec::new();
    for log in &pass.turns {
        messages.push(message("user", &log.truth.utterance));
        let programs = programs(&log.programs);
        let text = if programs.is_empty() {
            log.response.clone()
        } else {
            format!("{programs}\n{}", log.response)
        };
        messages.push(message("assistant", &text));
    }
    messages
}

fn message(role: &str, content: &str) -> Json {
    json!({"role": role, "content": content})
}

/// The true programs and the true reply of a turn.
fn target(log: &TurnLog) -> String {
    let programs = programs(&log.truth.programs);
    let response = log.truth.response.as_deref().unwrap_or_default();
    if programs.is_empty() {
        response.to_owned()
    } else {
        format!("{programs}\n{response}")
    }
}

fn programs(goals: &[RowGoal]) -> String {
    let updates: Vec<Update> = (goals.iter())
        .filter_map(|goal| Some(goal.record().ok()?.update()))
        .collect();
    write_updates(&updates).trim_end().to_owned()
}

fn of_turn(log: &TurnLog, class: Option<ErrorClass>) -> Json {
    json!({
        "turn": log.truth.turn,
        "right": turn::matches(log),
        "state_right": turn::state_matches(log),
        "error": class,
        "signature": log.signature,
        "truth_signature": log.truth_signature,
        "calls": log.calls,
        "outcomes": log.programs.iter().map(|goal| json!({
            "uid": goal.uid, "status": goal.status, "result": goal.result,
            "error": goal.error, "message": goal.message,
        })).collect::<Vec<_>>(),
    })
}

fn of_usage(usage: Usage) -> Json {
    json!({
        "input_tokens": usage.prompt_tokens,
        "output_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens.saturating_add(usage.completion_tokens),
        "input_tokens_cache_read": usage.cached_tokens,
    })
}

fn usages(model: &str, usage: Usage) -> Json {
    let mut usages = Map::new();
    usages.insert(model.to_owned(), of_usage(usage));
    Json::Object(usages)
}
