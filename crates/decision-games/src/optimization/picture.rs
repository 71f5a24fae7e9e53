//! A player's table, aligned for the eyes.

use super::OptimizationWorld;

pub(super) fn draw(world: &OptimizationWorld, seat: usize) -> String {
    if seat >= 2 {
        return String::new();
    }
    let seen = world.seen(seat);
    let first = world
        .reviewers
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    let cell = |cell: &Option<i64>| cell.map_or_else(|| "·".to_owned(), |value| value.to_string());
    let widths: Vec<usize> = world
        .papers
        .iter()
        .enumerate()
        .map(|(column, paper)| {
            let widest = seen
                .iter()
                .map(|row| cell(&row[column]).chars().count())
                .max();
            paper.chars().count().max(widest.unwrap_or(0))
        })
        .collect();
    let line = |name: &str, cells: Vec<String>| {
        let cells = cells.iter().zip(&widths);
        cells.fold(format!("{name:<first$}"), |line, (cell, width)| {
            format!("{line}  {cell:>width$}")
        })
    };
    let mut lines = vec![line("", world.papers.clone())];
    for (reviewer, row) in world.reviewers.iter().zip(&seen) {
        lines.push(line(reviewer, row.iter().map(cell).collect()));
    }
    lines.push(
        "How well each reviewer fits each paper, on a scale of your own; · is unknown to you."
            .to_owned(),
    );
    lines.join("\n")
}
