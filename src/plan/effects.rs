//! The effect of writes on each place, and the sums of that.

use crate::domain::{Mark, Place, Write};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What all writes of a plan together do to one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// What is done.
    pub effect: Kind,
    /// To what.
    pub place: Place,
    /// What is there now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Mark>,
    /// What will be there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Mark>,
    /// What its content is copied from, inside the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied_from: Option<Place>,
    /// Whether others can see it then, or it is sent elsewhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shares: bool,
    /// How its content changes, in lines for people; empty where nothing is known of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

impl Effect {
    /// Whether it is a call whose effect nobody can look at beforehand.
    pub fn is_call(&self) -> bool {
        let mark = self.after.as_ref().or(self.before.as_ref());
        mark.is_some_and(Mark::is_unknown)
    }
}

/// What is done to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Something is made where nothing was.
    Create,
    /// What was there gets another content, or is written again.
    Overwrite,
    /// What was there is gone.
    Delete,
}

/// The effects of writes, in the order in which they first touch each place. What is made
/// and taken away again has none.
pub fn effects(writes: &[Write]) -> Vec<Effect> {
    let mut numbers: HashMap<&Place, usize> = HashMap::new();
    let mut all: Vec<Net<'_>> = Vec::new();
    for write in writes {
        let source = write.touched.iter().find(|touched| !touched.changed);
        for touched in write.touched.iter().filter(|touched| touched.changed) {
            let number = *numbers.entry(&touched.place).or_insert(all.len());
            let source = source.map(|source| &source.place);
            match all.get_mut(number) {
                Some(net) => {
                    (net.after, net.source) = (touched.after.as_ref(), source);
                    // How a content changed says nothing once it is gone.
                    if touched.after.is_none() {
                        net.lines.clear();
                    }
                    net.lines.extend(&touched.lines);
                    net.shares |= touched.shares;
                }
                None => all.push(Net {
                    place: &touched.place,
                    before: touched.before.as_ref(),
                    after: touched.after.as_ref(),
                    source,
                    shares: touched.shares,
                    lines: touched.lines.iter().collect(),
                }),
            }
        }
    }
    all.into_iter().filter_map(Net::effect).collect()
}

/// What became of a place so far.
struct Net<'a> {
    place: &'a Place,
    before: Option<&'a Mark>,
    after: Option<&'a Mark>,
    /// What the last write copied there.
    source: Option<&'a Place>,
    /// Whether one of the writes lets others see it.
    shares: bool,
    /// How its content was changed, write by write.
    lines: Vec<&'a String>,
}

impl Net<'_> {
    /// What is left of it in the end.
    fn effect(self) -> Option<Effect> {
        let effect = match (self.before, self.after) {
            (None, None) => return None,
            (None, Some(_)) => Kind::Create,
            // A container has no content to overwrite, and a setting that stays is no change.
            (before, after)
                if (self.place.is_container() || self.place.setting().is_some())
                    && Mark::same(before, after) =>
            {
                return None;
            }
            (Some(_), Some(_)) => Kind::Overwrite,
            (Some(_), None) => Kind::Delete,
        };
        Some(Effect {
            effect,
            place: self.place.clone(),
            before: self.before.cloned(),
            after: self.after.cloned(),
            shares: self.shares,
            copied_from: self.source.filter(|_| self.after.is_some()).cloned(),
            lines: self.lines.into_iter().cloned().collect(),
        })
    }
}

/// How much a plan does: things and bytes by what is done to them. Containers are counted
/// apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Containers made.
    pub containers_created: u64,
    /// Containers taken away.
    pub containers_deleted: u64,
    /// Things made.
    pub created: u64,
    /// Things written again.
    pub overwritten: u64,
    /// Of these two, those that are copies inside the world.
    pub copied: u64,
    /// Things taken away.
    pub deleted: u64,
    /// Settings changed.
    #[serde(default)]
    pub settings: u64,
    /// Settings and links that let others see something.
    #[serde(default)]
    pub shared: u64,
    /// Bytes of things made or written again, copies included.
    pub bytes_written: u64,
    /// Bytes of things taken away or written over.
    pub bytes_destroyed: u64,
}

impl Totals {
    /// Adds up effects.
    pub fn of(effects: &[Effect]) -> Totals {
        let mut totals = Totals::default();
        for effect in effects {
            if effect.place.setting().is_some() {
                match effect.shares {
                    true => totals.shared += 1,
                    false => totals.settings += 1,
                }
                continue;
            }
            let size = |mark: &Option<Mark>| mark.as_ref().map_or(0, |mark| mark.size);
            // A container with a content of its own, such as a value at the top of a state, is
            // counted as a thing.
            let content = size(&effect.before).max(size(&effect.after));
            let is_thing = !effect.place.is_container() || content > 0;
            let count = match (effect.effect, is_thing) {
                (Kind::Create, false) => &mut totals.containers_created,
                (Kind::Delete, false) => &mut totals.containers_deleted,
                (Kind::Create, true) => &mut totals.created,
                (Kind::Overwrite, _) => &mut totals.overwritten,
                (Kind::Delete, true) => &mut totals.deleted,
            };
            *count += 1;
            totals.copied += u64::from(effect.copied_from.is_some());
            totals.bytes_written += size(&effect.after);
            totals.bytes_destroyed += size(&effect.before);
        }
        totals
    }
}
