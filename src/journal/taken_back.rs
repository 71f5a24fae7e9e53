//! What undos took back of what plans did, as far as the slate does not say so yet.

use super::entry::Origin;
use super::state::{PlanState, SessionState};
use crate::agent::TakenBack;
use std::collections::{BTreeSet, HashMap};

/// The places that undos have written, by the plans that they take back.
type Undone = HashMap<u64, BTreeSet<String>>;

impl SessionState {
    /// What was taken back, as a whole or in part, of which the slate still says that it was
    /// carried out.
    pub fn taken_back(&self) -> Vec<TakenBack> {
        let undone = self.undone_places();
        let plans = self.plans.iter();
        let taken = plans.filter_map(|known| {
            let noted = known.noted.clone()?;
            let (back, left) = parts(&undone, known);
            let is_new = known.undone || back.len() > known.told;
            is_new.then(|| TakenBack {
                noted,
                is_whole: known.undone,
                is_more: known.told > 0,
                back: back.into_iter().collect(),
                left: left.into_iter().collect(),
            })
        });
        taken.collect()
    }

    fn undone_places(&self) -> Undone {
        let mut undone = Undone::new();
        for known in &self.plans {
            if let Origin::Undo { of } = known.planned.origin {
                undone.entry(of).or_default().extend(changed(known));
            }
        }
        undone
    }

    /// The slate says now what was taken back so far.
    pub(super) fn slate_is_kept(&mut self) {
        let undone = self.undone_places();
        for known in &mut self.plans {
            known.told = parts(&undone, known).0.len();
            if known.undone {
                known.noted = None;
            }
        }
    }
}

/// The places that a plan changed: those that undos have written since, and the others. Of a plan
/// that none took back there are none.
fn parts(undone: &Undone, of: &PlanState) -> (BTreeSet<String>, BTreeSet<String>) {
    match undone.get(&of.planned.id) {
        Some(back) => changed(of).partition(|place| back.contains(place)),
        None => Default::default(),
    }
}

/// The places that the writes of a plan changed, which were made.
fn changed(known: &PlanState) -> impl Iterator<Item = String> {
    let made = known.made.keys();
    let writes = made.filter_map(|number| known.planned.writes.get(*number));
    let touched = writes.flat_map(|write| write.touched.iter());
    let changed = touched.filter(|touched| touched.changed);
    changed.map(|touched| touched.place.to_string().trim_end_matches('/').to_owned())
}
