//! Whether a call may be made. Pure, and fast beside any call.

use super::{Ceiling, Count, Denied, Effect, Glob, Mode, Policy, Rule, Spelling, Why, reading};
use crate::domain::{Access, Domain, Place, Touch, Value, Write};

/// The longest path that is judged, in bytes; S3's keys have at most 1024. It bounds the
/// time that a judgement takes.
const LONGEST_PATH: usize = 4096;

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
        let denied = |why, touch: Option<&Touch>| Denied {
            why,
            operation: operation.to_owned(),
            touch: touch.cloned().map(Box::new),
            spelling: Spelling::of(&domain.words),
        };
        let Some(known) = domain.judged(operation) else {
            return Err(denied(Why::NoOperation, None));
        };
        let mut touches = domain.touches(operation, params);
        let changes = touches.iter().any(|touch| touch.access != Access::Read);
        if known.effect != Access::Read && !changes {
            return Err(denied(Why::NoPlace(known.effect), None));
        }
        if touches.is_empty() {
            touches.push(Touch {
                access: Access::Read,
                place: Place::default(),
                prefix: false,
                bytes: 0,
            });
        }
        let touched = domain.touches.as_ref();
        let reaches_below = touched.is_some_and(|touches| touches.reaches_below());
        for touch in &touches {
            self.judge_touch(operation, touch, reaches_below)
                .map_err(|why| denied(why, Some(touch)))?;
        }
        if let Some(grant) = domain.grant(operation, params) {
            if grant.lasts > self.longest_link.unsigned_abs() {
                return Err(denied(Why::LongLink(self.longest_link), touches.first()));
            }
            self.judge(domain, grant.operation, grant.params, &mut count.clone())?;
        }
        let then = count.plus(Count::of(&touches));
        self.judge_count(*count, then)
            .map_err(|why| denied(why, None))?;
        *count = then;
        Ok(())
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

    /// Everything but the ceilings, for one touch in both its readings. `reaches_below` says
    /// whether a write changes what is below its place, too.
    fn judge_touch(&self, operation: &str, touch: &Touch, reaches_below: bool) -> Result<(), Why> {
        let segments = touch.place.segments().iter();
        if segments.map(String::len).sum::<usize>() > LONGEST_PATH {
            return Err(Why::TooLong);
        }
        let other = reading::as_files(touch);
        for touch in [Some(touch), other.as_ref()].into_iter().flatten() {
            self.judge_reading(operation, touch, reaches_below)?;
        }
        Ok(())
    }

    fn judge_reading(
        &self,
        operation: &str,
        touch: &Touch,
        reaches_below: bool,
    ) -> Result<(), Why> {
        if touch.access != Access::Read {
            if self.mode == Mode::ReadOnly {
                return Err(Why::ReadOnly);
            }
            if let Some(protected) = self.protects(&touch.place, reaches_below) {
                return Err(protected);
            }
        }
        let of = |effect| move |rule: &&Rule| rule.effect == effect;
        let is_about = |rule: &Rule| rule.is_about(operation, touch, reaches_below);
        let mut denying = self.rules.iter().filter(of(Effect::Deny));
        if let Some(rule) = denying.find(|rule| is_about(rule)) {
            return Err(Why::Rule(rule.name.clone()));
        }
        let allowing = || self.rules.iter().filter(of(Effect::Allow));
        if allowing().any(|rule| rule.speaks_of(touch.access)) && !allowing().any(is_about) {
            return Err(Why::NotAllowed);
        }
        Ok(())
    }

    /// Why nothing is written at a place, if it is protected: its outermost container is,
    /// or its path up to any segment. Where a write reaches below its place, something below
    /// that is protected is a reason as well.
    fn protects(&self, place: &Place, reaches_below: bool) -> Option<Why> {
        let holds_all = reaches_below && place.segments().is_empty();
        let mut containers = self.protected.iter();
        if let Some(glob) = containers.find(|glob| holds_all || glob.matches(place.root())) {
            return Some(Why::Protected(glob.to_string()));
        }
        let mut paths = self.protected_paths.iter();
        let segments = place.segments();
        let ancestors = || (1..=segments.len()).filter_map(|end| segments.get(..end));
        let is_in = |glob: &Glob| ancestors().any(|segments| glob.matches(&segments.join("/")));
        let below = reaches_below.then(|| start_of_paths_in(place));
        let is_around = |glob: &Glob| below.as_ref().is_some_and(|start| glob.may_begin(start));
        let glob = paths.find(|glob| is_in(glob) || is_around(glob))?;
        Some(Why::ProtectedPath(glob.to_string()))
    }
}

/// What the path of everything below a place begins with; nothing for the world as a whole,
/// which has all paths.
fn start_of_paths_in(place: &Place) -> String {
    let mut path = place.path();
    if !place.segments().is_empty() {
        path.push('/');
    }
    path
}
