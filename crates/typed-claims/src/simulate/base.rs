//! The rows that the desk of a dialogue has.

use crate::Row;
use crate::chance::Chance;

/// So many rows, drawn anew for each dialogue (the paper draws 70 of the 110): a partial shuffle
/// of the rows in order of their `id`.
pub fn drawn(rows: &[Row], count: usize, seed: u64, dialogue: &str) -> Vec<Row> {
    let mut chance = Chance::new("trust-kb/1", seed, dialogue);
    let mut rows = rows.to_vec();
    rows.sort_by(|one, other| one.get("id").cmp(&other.get("id")));
    chance.shuffle(&mut rows);
    rows.truncate(count);
    rows
}
