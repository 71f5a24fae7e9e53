//! Coordinates of charts.

use super::{percent, whole_percent};
use crate::eval::log::EvalMode;
use crate::eval::report::{Report, Shown};
use serde::Serialize;

/// The bars of one model.
#[derive(Debug, Serialize)]
pub struct Group {
    model: String,
    bars: Vec<Bar>,
}

/// EMR of a run. Places are per cent of the width.
#[derive(Debug, Serialize)]
struct Bar {
    name: String,
    label: String,
    value: f64,
    low: f64,
    high: f64,
    text: String,
    interval: String,
}

/// EMR by model and setting.
pub fn bars(report: &Report) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for shown in &report.runs {
        let run = &shown.log.run;
        let Some(bar) = bar(shown) else { continue };
        match groups.iter_mut().find(|group| group.model == run.model) {
            Some(group) => group.bars.push(bar),
            None => groups.push(Group {
                model: run.model.clone(),
                bars: vec![bar],
            }),
        }
    }
    groups
}

fn bar(shown: &Shown) -> Option<Bar> {
    let figure = shown.score.figure("emr")?;
    let value = figure.value?;
    let (low, high) = (figure.low.unwrap_or(value), figure.high.unwrap_or(value));
    let run = &shown.log.run;
    let mode = match run.mode {
        EvalMode::EndToEnd => "",
        EvalMode::TeacherForced => " teacher-forced",
    };
    Some(Bar {
        // What the label says beside the model.
        name: format!("({}){mode}", run.settings.asked()),
        label: shown.label.clone(),
        value: value * 100.0,
        low: low * 100.0,
        high: high * 100.0,
        text: percent(value),
        interval: format!("{} – {}", percent(low), percent(high)),
    })
}

/// The right turns of a run by their position.
#[derive(Debug, Serialize)]
pub struct Positions {
    label: String,
    points: Vec<Point>,
    /// The corners of the line of turn match, as SVG has them.
    matched: String,
    /// Those of the line of turns up to which all is right.
    kept: String,
    /// The width of the drawing.
    width: usize,
}

#[derive(Debug, Serialize)]
struct Point {
    turn: usize,
    turns: usize,
    matched: String,
    kept: String,
    x: usize,
    matched_y: f64,
    kept_y: f64,
}

/// Units of the drawing from one turn to the next, and from 0 to 100 %.
const STEP: usize = 28;
const HEIGHT: f64 = 80.0;

/// The right turns of a run by their position.
pub fn positions(shown: &Shown) -> Positions {
    let points: Vec<Point> = (shown.score.by_turn.iter())
        .filter_map(|row| {
            let (matched, kept) = (row.tally.turn_match()?, row.tally.kept_share()?);
            Some(Point {
                turn: row.turn,
                turns: row.tally.turns,
                matched: whole_percent(matched),
                kept: whole_percent(kept),
                x: row.turn.saturating_sub(1) * STEP,
                matched_y: HEIGHT * (1.0 - matched),
                kept_y: HEIGHT * (1.0 - kept),
            })
        })
        .collect();
    let line = |y: fn(&Point) -> f64| {
        let corners = points
            .iter()
            .map(|point| format!("{},{:.1}", point.x, y(point)));
        corners.collect::<Vec<_>>().join(" ")
    };
    Positions {
        label: shown.label.clone(),
        matched: line(|point| point.matched_y),
        kept: line(|point| point.kept_y),
        width: points.last().map_or(0, |point| point.x),
        points,
    }
}
