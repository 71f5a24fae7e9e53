//! A player's table for a page.

use serde_json::{Value, json};

use super::{Optimization, OptimizationWorld};
use crate::board::{Board, BoardRow, Part, Picks};

pub(super) fn of(world: &OptimizationWorld, seat: usize) -> Board {
    if seat >= world.known.len() {
        return Board::default();
    }
    let shown = |cell: &Option<i64>| cell.map(|value| value.to_string());
    let rows = world.reviewers.iter().zip(world.seen(seat));
    let rows = rows.map(|(name, cells)| BoardRow {
        name: name.clone(),
        cells: cells.iter().map(shown).collect(),
    });
    Board {
        parts: vec![Part::Table {
            title: "How well each reviewer fits each paper, on a scale of your own".to_owned(),
            columns: world.papers.clone(),
            rows: rows.collect(),
        }],
        slots: world.reviewers.clone(),
        distinct: true,
    }
}

pub(super) fn picked(picks: &Picks) -> Value {
    let pairs = picks.iter().enumerate();
    pairs
        .filter_map(|(row, column)| Some(json!([row, (*column)?])))
        .collect()
}

pub(super) fn picks(world: &OptimizationWorld, decision: &Value) -> Picks {
    let mut picks = vec![None; world.reviewers.len()];
    for (row, column) in Optimization::cells(decision) {
        if let Some(pick) = picks.get_mut(row) {
            *pick = Some(column);
        }
    }
    picks
}
