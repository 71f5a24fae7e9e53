//! Whether a call may be made. Pure, and fast beside any call.

use super::paths::{Globs, Paths};
use super::{Ceiling, Count, Denied, Glob, Mode, Policy, Rule, RuleEffect, Spelling, Why, reading};
use crate::domain::{Access, Domain, Place, Touch, Value, Write};
use std::collections::BTreeSet;

/// The longest path that is judged as it is, in bytes; S3's keys have at most 1024. It bounds the
/// time that a judgement takes.
const LONGEST_PATH: usize = 8 << 10;
/// The longest path of what a place may be in. What contains it is judged as well, of which there
/// may be as many as its path has bytes.
const LONGEST_ANCESTOR: usize = 2 << 10;

/// What a world says of the places that a call names.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The containers that belong to others: to write there is to send something to them.
    pub foreign: BTreeSet<String>,
    /// The bytes that the call writes and does not bring, such as those of a copy.
    pub bytes: u64,
}

impl Policy {
    /// Whether a call may be made by a program that has done what `count` says. Adds the
    /// call to `count` if so.
    ///
    /// A call is judged by the places that it names, so one that writes and names none to
    /// write to is denied, whatever the mode and the rules.
    ///
    /// # Errors
    /// Why it may not be made.
    pub fn judge(
        &self,
        domain: &Domain,
        operation: &str,
        params: &Value,
        count: &mut Count,
    ) -> Result<(), Denied> {
        self.judge_knowing(domain, operation, params, &Found::default(), count)
    }

    /// As [`judge`](Self::judge), with what the world says of the places that the call names.
    pub(super) fn judge_knowing(
        &self,
        domain: &Domain,
        operation: &str,
        params: &Value,
        found: &Found,
        count: &mut Count,
    ) -> Result<(), Denied> {
        let denied = |why, touch: Option<&Touch>| Denied {
            why,
            operation: operation.to_owned(),
            touch: touch.cloned().map(Box::new),
            spelling: Spelling::of(&domain.words),
            accounts: Vec::new(),
            is_foreign: false,
        };
        let Some(known) = domain.judged(operation) else {
            return Err(denied(Why::NoOperation, None));
        };
        if domain.is_void(operation, params) {
            return Ok(());
        }
        let mut touches = domain.touches_owning(operation, params, &self.own_accounts);
        let changes = touches.iter().any(|touch| touch.access != Access::Read);
        if known.effect != Access::Read && !changes {
            return Err(denied(Why::NoPlace(known.effect), None));
        }
        if touches.is_empty() {
            touches.push(Touch::new(Access::Read, Place::default()));
        }
        // Some operations share whatever they say.
        if self.keeps_within(domain, operation, params) {
            for touch in touches.iter_mut().filter(|it| it.access == Access::Share) {
                touch.access = Access::Write;
            }
        }
        for touch in &mut touches {
            if touch.access == Access::Write && found.foreign.contains(touch.place.root()) {
                touch.access = Access::Share;
            }
        }
        let paths = Paths::of(domain);
        for touch in &touches {
            self.judge_touch(operation, touch, paths).map_err(|why| {
                let named = match (touch.access, &domain.effects.touches) {
                    (Access::Share, Some(touches)) => {
                        touches.named_accounts(operation, params, &self.own_accounts)
                    }
                    _ => Vec::new(),
                };
                Denied {
                    accounts: named,
                    is_foreign: found.foreign.contains(touch.place.root()),
                    ..denied(why, Some(touch))
                }
            })?;
        }
        let mut then = *count;
        if let Some(grant) = domain.grant(operation, params) {
            if grant.lasts > self.longest_link.unsigned_abs() {
                return Err(denied(Why::LongLink(self.longest_link), touches.first()));
            }
            // Whoever has the link makes the call for the program.
            self.judge(domain, grant.operation, grant.params, &mut then)?;
        }
        let then = then.plus(Count::of(&touches).with_bytes(found.bytes));
        self.judge_count(*count, then)
            .map_err(|why| denied(why, None))?;
        *count = then;
        Ok(())
    }

    /// Whether a call shares with nobody but the accounts that are one's own.
    fn keeps_within(&self, domain: &Domain, operation: &str, params: &Value) -> bool {
        let Some(touches) = domain
            .effects
            .touches
            .as_ref()
            .filter(|_| !self.own_accounts.is_empty())
        else {
            return false;
        };
        let shares = |own: &[String]| {
            let targets = touches.targets_owning(operation, params, own);
            targets.iter().any(|target| target.shares)
        };
        shares(&[]) && !shares(&self.own_accounts)
    }

    /// Whether all these writes may be made by one program.
    ///
    /// # Errors
    /// Why the first denied write may not be made.
    pub fn judge_all(&self, domain: &Domain, writes: &[Write]) -> Result<(), Denied> {
        let mut count = Count::default();
        let mut writes = writes.iter();
        writes.try_for_each(|write| self.judge(domain, &write.operation, &write.params, &mut count))
    }

    /// Whether a call stays below the ceilings. A ceiling that was passed before does not
    /// concern a call that adds nothing to it.
    fn judge_count(&self, before: Count, after: Count) -> Result<(), Why> {
        for ceiling in Ceiling::ALL {
            let reached = after.get(ceiling);
            match self.ceilings.get(ceiling) {
                Some(most) if reached > most && reached > before.get(ceiling) => {
                    return Err(Why::Ceiling {
                        ceiling,
                        most,
                        reached,
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Everything but the ceilings, for one touch in all its readings.
    fn judge_touch(&self, operation: &str, touch: &Touch, paths: Paths) -> Result<(), Why> {
        let shortened = shortened(touch);
        let touch = shortened.as_ref().unwrap_or(touch);
        let others = [
            reading::as_files(touch),
            paths
                .are_whole
                .then(|| reading::without_end(touch))
                .flatten(),
        ];
        for touch in [Some(touch)]
            .into_iter()
            .chain(others.each_ref().map(Option::as_ref))
            .flatten()
        {
            self.judge_reading(operation, touch, paths)?;
        }
        Ok(())
    }

    fn judge_reading(&self, operation: &str, touch: &Touch, paths: Paths) -> Result<(), Why> {
        if touch.access != Access::Read {
            if self.mode == Mode::ReadOnly {
                return Err(Why::ReadOnly);
            }
            if let Some(protected) = self.protects(touch, paths) {
                return Err(protected);
            }
        }
        let of = |effect| move |rule: &&Rule| rule.effect == effect;
        let is_about = |rule: &Rule| rule.is_about(operation, touch, paths);
        let mut denying = self.rules.iter().filter(of(RuleEffect::Deny));
        if let Some(rule) = denying.find(|rule| is_about(rule)) {
            return Err(Why::Rule(rule.name.clone()));
        }
        let allowing = || self.rules.iter().filter(of(RuleEffect::Allow));
        if allowing().any(|rule| rule.speaks_of(touch.access)) && !allowing().any(is_about) {
            return Err(Why::NotAllowed);
        }
        Ok(())
    }

    /// Why nothing is written at a place, if it is protected: its outermost container is,
    /// or its path up to any segment. Where a write reaches below its place, or anywhere,
    /// something protected that it may reach is a reason as well.
    fn protects(&self, touch: &Touch, paths: Paths) -> Option<Why> {
        let place = &touch.place;
        let holds_all = paths.reach_below && place.segments().is_empty();
        let mut containers = self.protected.iter();
        let is_container = |glob: &&Glob| {
            let is_beside = Paths::may_be_beside(touch, glob, Globs::Containers);
            holds_all || is_beside || glob.matches(place.root())
        };
        if let Some(glob) = containers.find(is_container) {
            return Some(Why::Protected(glob.to_string()));
        }
        let views = paths.views(place);
        let is_in = |glob: &Glob| views.iter().any(|view| is_within(glob, view, paths));
        let below = start_of_paths_in(touch, paths);
        let is_around = |glob: &Glob| below.as_ref().is_some_and(|start| glob.may_begin(start));
        let may_be = |glob: &Glob| Paths::may_be_beside(touch, glob, Globs::Paths);
        let mut globs = self.protected_paths.iter();
        let glob = globs.find(|glob| is_in(glob) || is_around(glob) || may_be(glob))?;
        Some(Why::ProtectedPath(glob.to_string()))
    }
}

/// A touch of a name that is longer than any that exists, if it is one. It is judged by what the name
/// begins with, like a touch of all that begins so: what nothing denies goes on to the environment,
/// which says that there is no such name.
fn shortened(touch: &Touch) -> Option<Touch> {
    let mut left = LONGEST_PATH;
    let mut is_short = true;
    let segments = touch.place.segments().iter().map_while(|segment| {
        let end = segment.floor_char_boundary(left);
        let begin = segment.get(..end).filter(|_| is_short)?;
        is_short = begin.len() == segment.len();
        left -= begin.len();
        Some(begin.to_owned())
    });
    let place = Place::new(segments.collect::<Vec<_>>());
    (!is_short).then(|| Touch {
        place,
        prefix: true,
        ..touch.clone()
    })
}

/// Whether a glob matches a place or what contains it. What is one value is not split. People write
/// `zoo/keep/` for what lies in it, too, so a container is tried as the glob ends.
fn is_within(glob: &Glob, place: &Place, paths: Paths) -> bool {
    let slash = if glob.ends_with_slash() { "/" } else { "" };
    if paths.are_whole {
        let segments = place.segments();
        let mut ancestors = (1..=segments.len()).filter_map(|end| segments.get(..end));
        return ancestors.any(|segments| glob.matches(&(segments.join("/") + slash)));
    }
    let path = place.path();
    let ends = path.match_indices('/').map(|(end, _)| end + slash.len());
    let ends = ends.take_while(|end| *end <= LONGEST_ANCESTOR);
    let mut ancestors = ends.chain([path.len()]).filter_map(|end| path.get(..end));
    ancestors.any(|ancestor| glob.matches(ancestor))
}

/// What the path of everything begins with that a touch may reach; nothing for the world as a
/// whole, which has all paths. `None` if it is about its place alone.
fn start_of_paths_in(touch: &Touch, paths: Paths) -> Option<String> {
    let place = &touch.place;
    match (touch.prefix, paths.reach_below) {
        (true, _) if !place.is_container() => Some(place.path()),
        (false, false) => None,
        _ if place.segments().is_empty() => Some(String::new()),
        _ => Some(format!("{}/", place.path())),
    }
}
