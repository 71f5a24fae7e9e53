//! The figures as a table for other programs and for texts.

use super::{Report, Shown, paper};
use crate::domain::{counted, plural};
use crate::error::{Error, Result};
use crate::eval::log::EvalMode;
use crate::eval::score::metrics::Unit;
use crate::eval::score::{Figure, Score};
use serde::Serialize;
use std::fmt::Write;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One object: every figure of every run, and the paper's.
    Json,
    /// A line for each run and each row of the paper; shares are 0 to 1.
    Csv,
    /// The main figures beside the paper's; shares are per cent.
    Markdown,
}

/// The figures of a report.
///
/// # Errors
/// None that a user can cause.
pub fn table(report: &Report, format: Format) -> Result<String> {
    match format {
        Format::Json => json(report),
        Format::Csv => Ok(csv(report)),
        Format::Markdown => Ok(markdown(report)),
    }
}

#[derive(Serialize)]
struct Json<'a> {
    runs: Vec<JsonRun<'a>>,
    paper: Vec<paper::Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    datasets_differ: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonRun<'a> {
    label: &'a str,
    #[serde(flatten)]
    score: &'a Score,
}

fn json(report: &Report) -> Result<String> {
    let runs = report.runs.iter().map(|shown| JsonRun {
        label: &shown.label,
        score: &shown.score,
    });
    let paper = paper::rows(report);
    let all = Json {
        runs: runs.collect(),
        datasets_differ: paper::caution(&paper),
        paper,
    };
    let text = serde_json::to_string_pretty(&all)
        .map_err(Error::bug("an output cannot be written as JSON"))?;
    Ok(text + "\n")
}

fn mode(shown: &Shown) -> &'static str {
    match shown.log.run.mode {
        EvalMode::EndToEnd => "end-to-end",
        EvalMode::TeacherForced => "teacher-forced",
    }
}

fn csv(report: &Report) -> String {
    let columns = paper::columns(report);
    let mut header = vec![
        "source".to_owned(),
        "model".to_owned(),
        "setting".to_owned(),
        "mode".to_owned(),
        "dialogues".to_owned(),
        "expected".to_owned(),
        "turns".to_owned(),
    ];
    for column in &columns {
        let name = &column.name;
        header.extend([name.clone(), format!("{name}_low"), format!("{name}_high")]);
    }
    let mut text = csv_line(&header);
    for shown in &report.runs {
        let (run, score) = (&shown.log.run, &shown.score);
        let mut line = vec![
            "run".to_owned(),
            run.model.clone(),
            run.settings.setting.to_string(),
            mode(shown).to_owned(),
            score.coverage.scored.to_string(),
            score.coverage.expected.to_string(),
            score.coverage.turns.to_string(),
        ];
        for column in &columns {
            let figure = score.figure(&column.name);
            let number = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
            line.extend([
                number(figure.and_then(|figure| figure.value)),
                number(figure.and_then(|figure| figure.low)),
                number(figure.and_then(|figure| figure.high)),
            ]);
        }
        text.push_str(&csv_line(&line));
    }
    for row in paper::rows(report) {
        let mut line = vec![
            "paper".to_owned(),
            row.model.to_owned(),
            row.setting.to_string(),
        ];
        line.extend(["end-to-end", "", "", ""].map(str::to_owned));
        for column in &columns {
            let value = row.figure(&column.name);
            let value = value.map_or_else(String::new, |value| value.to_string());
            line.extend([value, String::new(), String::new()]);
        }
        text.push_str(&csv_line(&line));
    }
    text
}

/// A line as RFC 4180 has it, but for the line end.
fn csv_line(fields: &[String]) -> String {
    let fields = fields.iter().map(|field| {
        if field.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.clone()
        }
    });
    fields.collect::<Vec<_>>().join(",") + "\n"
}

fn markdown(report: &Report) -> String {
    let columns = paper::columns(report);
    let mut text = String::from("| model | setting |");
    for column in &columns {
        let unit = if column.unit == Unit::Share {
            ", %"
        } else {
            ""
        };
        let _ = write!(text, " {}{unit} |", plain(&column.title));
    }
    let _ = writeln!(text, "\n|---|---|{}", "---:|".repeat(columns.len()));
    for shown in &report.runs {
        let run = &shown.log.run;
        let forced = match run.mode {
            EvalMode::EndToEnd => "",
            EvalMode::TeacherForced => ", teacher-forced",
        };
        let _ = write!(
            text,
            "| {} | ({}){forced} |",
            plain(&run.model),
            run.settings.setting
        );
        for column in &columns {
            let figure = shown.score.figure(&column.name);
            let _ = write!(
                text,
                " {} |",
                figure.map_or_else(|| "–".to_owned(), with_interval)
            );
        }
        text.push('\n');
    }
    let beside = paper::rows(report);
    for row in &beside {
        let _ = write!(text, "| *{}* (paper) | ({}) |", row.model, row.setting);
        for column in &columns {
            let value = row.figure(&column.name);
            let value = value.map_or_else(|| "–".to_owned(), |value| number(column.unit, value));
            let _ = write!(text, " {value} |");
        }
        text.push('\n');
    }
    text.push('\n');
    if let Some(caution) = paper::caution(&beside) {
        let _ = write!(text, "{caution} ");
    }
    text.push_str("In brackets: 95 % intervals (bootstrap by dialogue).\n");
    for shown in &report.runs {
        let coverage = &shown.score.coverage;
        if (coverage.scored as u64) < coverage.expected {
            let (label, scored) = (plain(&shown.label), coverage.scored);
            let expected = counted(coverage.expected, "dialogue");
            let are = plural(coverage.expected, "is", "are");
            let _ = writeln!(text, "\n{label}: {scored} of {expected} {are} scored.");
        }
    }
    text
}

fn with_interval(figure: &Figure) -> String {
    let Some(value) = figure.value else {
        return "–".to_owned();
    };
    let value = number(figure.unit, value);
    match figure.low.zip(figure.high) {
        Some((low, high)) => {
            let (low, high) = (number(figure.unit, low), number(figure.unit, high));
            format!("{value} ({low} – {high})")
        }
        None => value,
    }
}

/// A figure with one digit behind the point; a share as per cent.
pub(super) fn number(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Share => format!("{:.1}", value * 100.0),
        Unit::Points | Unit::Tokens => format!("{value:.1}"),
    }
}

/// Text in a cell of a Markdown table: nothing in it is markup.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => plain.push(' '),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '#' | '~' => {
                plain.push('\\');
                plain.push(c);
            }
            _ => plain.push(c),
        }
    }
    plain
}
