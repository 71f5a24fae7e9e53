//! The effects of writes on places, and their totals.

use super::Back;
use super::provenance::{Provenance, source};
use crate::domain::{Mark, Place, Touched, Write};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// The effect of all writes of a plan on one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// The kind of effect.
    pub effect: EffectKind,
    /// The place.
    pub place: Place,
    /// Its mark now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Mark>,
    /// Its mark afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Mark>,
    /// The place in the world that its content is copied from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied_from: Option<Place>,
    /// Whether others can see it afterwards, or it is sent elsewhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shares: bool,
    /// How its content changes, in lines for people; empty where nothing is known of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// What people must know before they agree, in sentences without an end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How many contents the plan copies here, one over the other; 0 if it is not several.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub merged: usize,
    /// Whether what was there is at another place afterwards: the plan moves it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub moved: bool,
    /// Whether what was there, or what the plan itself has made and then hidden, stays as a version.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kept: bool,
    /// Whether what is there afterwards is an older version, which shows again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uncovered: bool,
    /// Whether its content is nowhere afterwards, although the plan copies it or to it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_lost: bool,
    /// By what an undo brings back what was there; none where nothing was, or where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<Back>,
}

/// Whether serde leaves a number out.
pub(crate) fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// How grave an effect is. The gravest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gravity {
    /// It lets others in, sends something elsewhere, or does what people must know of.
    Shares,
    /// It removes something.
    Destroys,
    /// It changes a setting.
    Settings,
    /// It overwrites something, or is a call whose effect is not known.
    Changes,
    /// It only makes something new.
    Adds,
}

impl Effect {
    /// How grave it is.
    pub fn gravity(&self) -> Gravity {
        match self.effect {
            _ if self.shares || !self.warnings.is_empty() => Gravity::Shares,
            EffectKind::Delete => Gravity::Destroys,
            _ if self.is_lost || self.merged > 0 => Gravity::Destroys,
            _ if self.place.setting().is_some() => Gravity::Settings,
            EffectKind::Create if !self.is_call() => Gravity::Adds,
            _ => Gravity::Changes,
        }
    }

    /// Whether it is a call whose effect nobody can look at beforehand.
    pub fn is_call(&self) -> bool {
        let mark = self.after.as_ref().or(self.before.as_ref());
        mark.is_some_and(Mark::is_unknown)
    }
}

/// Whether a write is a call whose effect nobody can look at beforehand.
pub(crate) fn is_call(write: &Write) -> bool {
    let is_unknown = |touched: &Touched| {
        let mark = touched.after.as_ref().or(touched.before.as_ref());
        mark.is_some_and(Mark::is_unknown)
    };
    write.touched.iter().any(is_unknown)
}

/// A kind of effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EffectKind {
    /// Something new is made.
    Create,
    /// It gets another content, or is written again.
    Overwrite,
    /// It is removed.
    Delete,
}

/// The effects of writes, in the order in which they first touch each place. A thing that is
/// made and removed again has none, unless a version of it stays. The settings of a container that
/// is removed go with it.
pub fn effects(writes: &[Write]) -> Vec<Effect> {
    let mut numbers: HashMap<&Place, usize> = HashMap::new();
    let mut all: Vec<Net<'_>> = Vec::new();
    for write in writes {
        let source = source(write);
        for touched in write.touched.iter().filter(|touched| touched.changed) {
            let number = *numbers.entry(&touched.place).or_insert(all.len());
            let made = (touched.made.as_ref()).map(|id| (id, touched.after.is_some()));
            match all.get_mut(number) {
                Some(net) => {
                    (net.after, net.source) = (touched.after.as_ref(), source);
                    // Changes of a content do not matter once it is gone.
                    if touched.after.is_none() {
                        net.lines.clear();
                        net.made_again = false;
                    }
                    net.lines.extend(&touched.lines);
                    net.made_again |= touched.made_again;
                    net.made.extend(made);
                    net.unmade.extend(&touched.unmade);
                    net.uncovers = touched.uncovers;
                    net.warnings.extend(&touched.warnings);
                    net.shares |= touched.shares;
                }
                None => all.push(Net {
                    place: &touched.place,
                    before: match &touched.first {
                        Some(first) => first.mark.as_ref(),
                        None => touched.before.as_ref(),
                    },
                    found: touched.before.as_ref(),
                    after: touched.after.as_ref(),
                    source,
                    shares: touched.shares,
                    made_again: touched.made_again,
                    made: made.into_iter().collect(),
                    unmade: touched.unmade.iter().collect(),
                    uncovers: touched.uncovers,
                    kept: kept(touched),
                    lines: touched.lines.iter().collect(),
                    warnings: touched.warnings.iter().collect(),
                }),
            }
        }
    }
    for write in writes {
        for touched in write.touched.iter().filter(|it| is_taken(it)) {
            all.iter_mut()
                .filter(|net| net.kept.as_ref() == Some(&touched.place))
                .for_each(|net| net.kept = None);
        }
    }
    drop_versions(&mut all);
    drop_settings(&mut all);
    let provenance = Provenance::of(writes);
    let (lost, moved) = (provenance.lost(), provenance.moved());
    let effect = |net: Net<'_>| {
        let place = net.place;
        // Where a copy comes from in the end, if it was made over several places.
        let source = net
            .source
            .map(|source| provenance.held_alone(place).unwrap_or(source));
        let mut effect = net.effect()?;
        effect.copied_from = source
            .filter(|source| effect.after.is_some() && **source != effect.place)
            .cloned();
        effect.is_lost = lost.contains(place);
        effect.moved = !effect.kept && moved.contains(place);
        let keeps = |mark: &Mark| mark.version.as_deref().is_some_and(|it| it != "null");
        if effect.after.as_ref().is_some_and(|mark| !keeps(mark)) {
            effect.merged = Some(provenance.merged(place))
                .filter(|it| *it > 1)
                .unwrap_or(0);
        }
        Some(effect)
    };
    all.into_iter().filter_map(effect).collect()
}

/// Drops the settings of containers that are removed: they go with them.
fn drop_settings(all: &mut Vec<Net<'_>>) {
    let removed: HashSet<&str> = (all.iter())
        .filter(|net| net.place.is_container() && net.after.is_none())
        .map(|net| net.place.root())
        .collect();
    let is_with_it = |net: &Net<'_>| {
        net.place.is_of_container() && !net.shares && removed.contains(net.place.root())
    };
    all.retain(|net| !is_with_it(net));
}

/// Drops the versions that the writes make and take away again.
fn drop_versions(all: &mut Vec<Net<'_>>) {
    let made: HashSet<Place> = (all.iter())
        .flat_map(|net| (net.made.iter()).map(|(id, _)| net.place.clone().with_version(id)))
        .collect();
    let taken: HashSet<Place> = (all.iter())
        .filter(|net| net.after.is_none() && made.contains(net.place))
        .map(|net| net.place.clone())
        .collect();
    all.retain(|net| !taken.contains(net.place));
    for net in all {
        net.made.sort();
        net.made.dedup();
        (net.made).retain(|(id, _)| !taken.contains(&net.place.clone().with_version(id)));
    }
}

/// The effects on a place so far.
struct Net<'a> {
    place: &'a Place,
    before: Option<&'a Mark>,
    /// What its first write found, which an earlier one may have made.
    found: Option<&'a Mark>,
    after: Option<&'a Mark>,
    /// The source of the last copy to it.
    source: Option<&'a Place>,
    /// Whether one of the writes lets others see it.
    shares: bool,
    /// Whether it is a container that is removed and made again.
    made_again: bool,
    /// The ids of what the writes make beside what was there, and whether it is a version; else it
    /// is a delete marker.
    made: Vec<(&'a String, bool)>,
    /// The ids of what was made so before, and is taken away.
    unmade: Vec<&'a String>,
    /// Whether the last write left what lay below what it took away.
    uncovers: bool,
    /// The version as which what was there stays.
    kept: Option<Place>,
    /// The changes of its content, write by write.
    lines: Vec<&'a String>,
    /// The warnings of the writes.
    warnings: Vec<&'a String>,
}

impl Net<'_> {
    /// How many versions the writes make that stay.
    fn versions(&self) -> usize {
        let versions = self.made.iter().filter(|(_, is_version)| *is_version);
        versions.count()
    }

    /// The effect at a place where nothing was to be seen and nothing is: what hid it goes.
    fn unmade(&self) -> Option<Effect> {
        let id = self.unmade.first()?;
        Some(Effect {
            effect: EffectKind::Delete,
            place: self.place.clone().with_version(id),
            before: Some(Mark {
                tag: String::new(),
                size: 0,
                version: None,
                summary: Some("made before".to_owned()),
            }),
            after: None,
            shares: self.shares,
            copied_from: None,
            lines: Vec::new(),
            warnings: Vec::new(),
            merged: 0,
            moved: false,
            kept: false,
            uncovered: false,
            is_lost: false,
            back: None,
        })
    }

    /// The effect of all writes, if there is one.
    fn effect(self) -> Option<Effect> {
        let mut lines: Vec<String> = self.lines.iter().copied().cloned().collect();
        let effect = match (self.before, self.after) {
            (None, None) if self.made.is_empty() => return self.unmade(),
            (None, None) => {
                lines.push(match self.versions() {
                    0 => "nothing is there, and a delete marker is made".to_owned(),
                    1 => "it is hidden; one version of it stays".to_owned(),
                    many => format!("it is hidden; {many} versions of it stay"),
                });
                EffectKind::Create
            }
            (None, Some(_)) => EffectKind::Create,
            (Some(_), Some(_)) if self.made_again => {
                lines.push("it is removed and made again".to_owned());
                EffectKind::Overwrite
            }
            // A container has no content to overwrite, and a setting that stays is no change.
            (before, after)
                if (self.place.is_container() || self.place.setting().is_some())
                    && Mark::same(before, after)
                    && Mark::same(self.found, after) =>
            {
                return None;
            }
            (Some(_), Some(_)) => EffectKind::Overwrite,
            (Some(_), None) => EffectKind::Delete,
        };
        let is_nothing = self.before.is_none() && self.after.is_none();
        let kept = self.kept.is_some() || is_nothing && self.versions() > 0;
        let uncovered = self.uncovers && self.after.is_some();
        match (kept, self.after) {
            (true, None) if self.before.is_none() => {}
            (true, None) => lines.push("it is hidden; what it holds stays as a version".to_owned()),
            (true, Some(_)) => lines.push("what it holds stays as an old version".to_owned()),
            (false, _) => {}
        }
        if uncovered {
            lines.push("an older version of it shows again".to_owned());
        }
        Some(Effect {
            effect,
            moved: false,
            kept,
            uncovered,
            place: self.place.clone(),
            before: self.before.cloned(),
            after: self.after.cloned(),
            shares: self.shares,
            copied_from: None,
            lines,
            warnings: each_once(self.warnings),
            merged: 0,
            is_lost: false,
            back: None,
        })
    }
}

/// The version as which what was at a place stays beside what a write makes there.
pub(super) fn kept(touched: &Touched) -> Option<Place> {
    let before = touched.before.as_ref()?.version.as_deref();
    let id = before.unwrap_or("null");
    let after = touched
        .after
        .as_ref()
        .and_then(|mark| mark.version.as_deref());
    let is_beside = match &touched.made {
        Some(made) => made != id,
        // What has an id stays, unless it is taken away itself.
        None => id != "null" && after != Some(id) && touched.unmade.as_deref() != Some(id),
    };
    is_beside.then(|| touched.place.clone().with_version(id))
}

/// Whether a version is taken away, or replaced.
fn is_taken(touched: &Touched) -> bool {
    touched.changed && touched.place.is_version() && touched.before.is_some()
}

fn each_once(texts: Vec<&String>) -> Vec<String> {
    let mut seen = HashSet::new();
    let texts = texts.into_iter().filter(|text| seen.insert(*text));
    texts.cloned().collect()
}

/// The totals of a plan: things and bytes by kind of effect. Containers are counted separately.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Containers made.
    pub containers_created: u64,
    /// Containers removed.
    pub containers_deleted: u64,
    /// Things made.
    pub created: u64,
    /// Things written again.
    pub overwritten: u64,
    /// Things of these two kinds that are copies inside the world.
    pub copied: u64,
    /// Things removed.
    pub deleted: u64,
    /// Things of which nothing is to be seen afterwards, and that stay as versions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hidden: u64,
    /// Places where nothing was, and that are marked as deleted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub markers: u64,
    /// Things of which an older version shows again.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub uncovered: u64,
    /// Versions removed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub versions_deleted: u64,
    /// Settings changed.
    #[serde(default)]
    pub settings: u64,
    /// Settings and links that let others see something which they could not see before.
    #[serde(default)]
    pub shared: u64,
    /// Bytes of things made or written again, copies included.
    pub bytes_written: u64,
    /// Bytes of things removed or overwritten, which are nowhere afterwards: moved ones are not
    /// among them.
    pub bytes_destroyed: u64,
    /// Bytes of things removed or overwritten that stay as old versions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bytes_kept: u64,
}

impl Totals {
    /// Adds up effects.
    pub fn of(effects: &[Effect]) -> Totals {
        Totals::of_each(effects)
    }

    /// Adds up some of the effects.
    pub(super) fn of_each<'e>(effects: impl IntoIterator<Item = &'e Effect>) -> Totals {
        let mut totals = Totals::default();
        for effect in effects {
            if effect.place.setting().is_some() {
                let is_gone = effect.place.is_version() && effect.before.is_some();
                match effect.shares {
                    true => totals.shared += 1,
                    false if is_gone => totals.versions_deleted += 1,
                    false => totals.settings += 1,
                }
                continue;
            }
            let size = |mark: &Option<Mark>| mark.as_ref().map_or(0, |mark| mark.size);
            // A container with a content of its own, such as a value at the top of a state, is
            // counted as a thing.
            let content = size(&effect.before).max(size(&effect.after));
            let is_thing = !effect.place.is_container() || content > 0;
            let is_nothing = effect.after.is_none() && effect.before.is_none();
            let is_hidden = effect.after.is_none() && effect.kept;
            let count = match (effect.effect, is_thing) {
                (_, true) if is_hidden => &mut totals.hidden,
                (_, true) if is_nothing => &mut totals.markers,
                (_, true) if effect.uncovered => &mut totals.uncovered,
                (EffectKind::Create, false) => &mut totals.containers_created,
                (EffectKind::Delete, false) => &mut totals.containers_deleted,
                (EffectKind::Create, true) => &mut totals.created,
                (EffectKind::Overwrite, _) => &mut totals.overwritten,
                (EffectKind::Delete, true) => &mut totals.deleted,
            };
            *count += 1;
            totals.copied += u64::from(effect.copied_from.is_some());
            if !effect.uncovered {
                totals.bytes_written += size(&effect.after);
            }
            match (effect.kept, effect.moved) {
                (true, _) => totals.bytes_kept += size(&effect.before),
                (false, true) => {}
                (false, false) => totals.bytes_destroyed += size(&effect.before),
            }
        }
        totals
    }
}
