//! Whether claims that were taken from talk are what the partner sees.

use std::collections::BTreeMap;

use serde_json::Value;

use super::solver::Claim;
use super::{OptimizationWorld, rows};
use crate::extraction::{Extraction, FactCount};

/// The words for a cell, from terrible to great.
const LEVELS: i64 = 5;

/// Judges the last claim about each cell: it may be one level of five beside what the partner
/// sees there.
pub(super) fn judge(world: &OptimizationWorld, seat: usize, facts: &[Value]) -> Extraction {
    let seen = world.seen(1 - seat.min(1));
    let greatest = rows::greatest(&seen);
    let level = |value: i64| (value.saturating_mul(LEVELS) / greatest).min(LEVELS - 1) + 1;
    let mut claims = BTreeMap::new();
    for fact in facts {
        let Ok(claim) = serde_json::from_value::<Claim>(fact.clone()) else {
            continue;
        };
        let row = world.reviewers.iter().position(|it| *it == claim.reviewer);
        let column = world.papers.iter().position(|it| *it == claim.paper);
        let said = claim.level.or(claim.number.map(level));
        claims.extend(row.zip(column).zip(said));
    }
    let found = claims.into_iter().map(|((row, column), said)| {
        let truth = seen[row][column].map(level);
        truth
            .is_some_and(|truth| truth.abs_diff(said) <= 1)
            .then_some((row, column))
    });
    let count = FactCount::of(found, seen.iter().flatten().flatten().count());
    Extraction::new([("claims", count)])
}
