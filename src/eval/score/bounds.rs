//! The range of the EMR if no provider had failed.

use super::sheet::Sheet;
use super::turn;
use serde::Serialize;

/// The range of the EMR if every pass had been finished.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    /// If all turns without an answer were wrong.
    pub low: f64,
    /// If all of them were right.
    pub high: f64,
}

impl Bounds {
    /// `None` if no pass was cut short, or if some are missing.
    pub fn of(sheet: &Sheet<'_>) -> Option<Self> {
        if sheet.cut_short.is_empty() || !sheet.missing.is_nothing() {
            return None;
        }
        let finished: f64 = sheet.passes().filter_map(|pass| pass.emr()).sum();
        let (mut low, mut high) = (finished, finished);
        for (cut, turns) in sheet.cut_short.iter().zip(&sheet.cut_turns) {
            // A failed turn is not right, so that the last of these ends what was kept.
            let kept = turn::kept(turns.iter().copied(), turn::matches);
            let is_open = turns.get(kept).is_none_or(|log| turn::is_cut_short(log));
            let share = kept as f64 / f64::from(cut.turns.max(1));
            low += share;
            high += if is_open { 1.0 } else { share };
        }
        let all = sheet.finished() + sheet.cut_short.len();
        Some(Bounds {
            low: low / all as f64,
            high: high / all as f64,
        })
    }
}
