//! Where the contents of a plan's places end: which place holds what another one held before,
//! and which contents are nowhere afterwards.

use crate::domain::{Mark, Place, Touched, Write};
use std::collections::{HashMap, HashSet};

/// The contents after some writes. A content is named by the place that held it before them.
#[derive(Default)]
pub(super) struct Provenance<'a> {
    /// What each changed thing holds now; `None` for a new content, and for nothing.
    now: HashMap<&'a Place, Option<&'a Place>>,
    /// What each thing held before.
    first: HashMap<&'a Place, Option<&'a Mark>>,
    /// The contents that stay as old versions.
    kept: HashSet<&'a Place>,
    /// The contents that were copied to each place.
    arrived: HashMap<&'a Place, HashSet<Option<&'a Place>>>,
    /// The sources and targets of copies.
    involved: HashSet<&'a Place>,
}

impl<'a> Provenance<'a> {
    /// Follows the contents through these writes.
    pub fn of(writes: &'a [Write]) -> Self {
        let mut all = Provenance::default();
        let touched = || writes.iter().flat_map(|write| &write.touched);
        for touched in touched().filter(|it| is_thing(&it.place)) {
            let before = touched.before.as_ref();
            all.first.entry(&touched.place).or_insert(before);
        }
        let mut by_content = HashMap::new();
        for (place, mark) in &all.first {
            let content = mark.and_then(content);
            by_content.extend(content.map(|content| (content, *place)));
        }
        let gone: HashSet<&Place> = touched()
            .filter(|it| it.changed && it.after.is_none())
            .map(|it| &it.place)
            .collect();
        for write in writes {
            let source = source(write);
            for touched in write.touched.iter().filter(|it| it.changed) {
                if !is_thing(&touched.place) {
                    continue;
                }
                all.note_version(touched, &gone);
                let copied = match (source, touched.after.as_ref()) {
                    (_, None) => None,
                    (Some(source), Some(_)) => Some((source, all.held(source))),
                    // What was read at one place and is written at another is a copy, too.
                    (None, Some(after)) => {
                        let from = content(after).and_then(|content| by_content.get(&content));
                        from.map(|from| (*from, Some(*from)))
                    }
                };
                let place = &touched.place;
                if let Some((source, content)) = copied.filter(|(source, _)| *source != place) {
                    all.involved.extend([source, place]);
                    all.arrived.entry(place).or_default().insert(content);
                }
                let content = copied.and_then(|(_, content)| content);
                all.now.insert(place, content);
            }
        }
        all
    }

    /// What a place holds now, by the place that held it before.
    pub fn held(&self, place: &'a Place) -> Option<&'a Place> {
        self.now.get(place).copied().unwrap_or(Some(place))
    }

    /// How many contents were copied to a place, one over the other.
    pub fn merged(&self, place: &Place) -> usize {
        self.arrived.get(place).map_or(0, HashSet::len)
    }

    /// The places whose contents are nowhere afterwards, among those that are copied from or to.
    /// That a plan deletes or overwrites something else is seen at its place.
    pub fn lost(&self) -> HashSet<&'a Place> {
        let untouched = self
            .first
            .keys()
            .filter(|place| !self.now.contains_key(*place));
        let now = self.now.values().flatten();
        let alive: HashSet<&Place> = now.chain(&self.kept).chain(untouched).copied().collect();
        let of = |place: &Place| self.first.get(place).copied().flatten().and_then(content);
        let contents: HashSet<_> = alive.iter().filter_map(|place| of(place)).collect();
        let is_lost = |place: &&&Place| {
            let known = self.first.get(**place).is_some_and(Option::is_some);
            let elsewhere = of(place).is_some_and(|content| contents.contains(&content));
            known && !alive.contains(**place) && !elsewhere
        };
        self.involved.iter().filter(is_lost).copied().collect()
    }

    /// Notes that what a thing holds stays as an old version, if it does.
    fn note_version(&mut self, touched: &'a Touched, gone: &HashSet<&Place>) {
        let version = touched
            .before
            .as_ref()
            .and_then(|mark| mark.version.as_deref());
        let Some(version) = version.filter(|version| *version != "null") else {
            return;
        };
        let place = touched
            .place
            .clone()
            .with_setting(format!("version {version}"));
        if !gone.contains(&place) {
            self.kept.extend(self.held(&touched.place));
        }
    }
}

/// The thing that a write copies from.
pub(super) fn source(write: &Write) -> Option<&Place> {
    let mut all = write.touched.iter();
    let source = all.find(|touched| !touched.changed)?;
    Some(&source.place)
}

fn is_thing(place: &Place) -> bool {
    place.segments().len() > 1 && place.setting().is_none()
}

/// What tells contents apart. Nothing is alike that is empty, or that nobody can look at.
fn content(mark: &Mark) -> Option<(&str, u64)> {
    (mark.size > 0 && !mark.is_unknown()).then_some((mark.tag.as_str(), mark.size))
}
