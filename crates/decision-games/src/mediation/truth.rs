//! Whether meetings that were taken from talk are in the calendars.

use std::collections::BTreeMap;

use serde_json::Value;

use super::MediationWorld;
use super::solver::Fact;
use crate::extraction::{Extraction, FactCount};

/// How far an importance may be from the true one, of ten.
const NEAR: f64 = 2.0;

/// Judges the last fact about each meeting: its importance, if there is such a meeting, and
/// whether the private ones are where they were said to be.
pub(super) fn judge(world: &MediationWorld, facts: &[Value]) -> Extraction {
    let (mut importances, mut private) = (BTreeMap::new(), BTreeMap::new());
    let known = |user: usize, events: fn(&super::User) -> &Vec<super::Event>, start, end| {
        let events = world.users.get(user).map(events);
        let mut events = events.into_iter().flatten();
        events.find(|event| event.start == start && event.end == end)
    };
    for fact in facts {
        let (user, start, end, said) = match serde_json::from_value(fact.clone()) {
            Ok(Fact::Meeting {
                user,
                start,
                end,
                importance,
            }) => {
                if known(user, |it| &it.shared, start, end).is_none() {
                    let found = known(user, |it| &it.private, start, end).is_some();
                    private.insert((user, start, end), found);
                }
                (user, start, end, importance)
            }
            Ok(Fact::Importance {
                user,
                event,
                importance,
            }) => match world.users.get(user).and_then(|it| it.shared.get(event)) {
                Some(event) => (user, event.start, event.end, importance),
                None => continue,
            },
            _ => continue,
        };
        if let Some(event) = known(user, |it| &it.calendar, start, end) {
            let near = (event.importance as f64 - said).abs() <= NEAR;
            importances.insert((user, start, end), near);
        }
    }
    let right = |(meeting, right): ((usize, _, _), bool)| right.then_some(meeting);
    let all = |events: fn(&super::User) -> &Vec<super::Event>| -> usize {
        world.users.iter().map(|user| events(user).len()).sum()
    };
    Extraction::new([
        (
            "importances",
            FactCount::of(importances.into_iter().map(right), all(|it| &it.calendar)),
        ),
        (
            "private meetings",
            FactCount::of(private.into_iter().map(right), all(|it| &it.private)),
        ),
    ])
}
