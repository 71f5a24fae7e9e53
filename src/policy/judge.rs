//! Whether a call may happen. Pure, and fast beside any call.

use super::{Ceiling, Count, Denied, Effect, Mode, Policy, Rule, Why, reading};
use crate::domain::{Access, Domain, Place, Touch, Value, Write};

/// The longest name that is judged, in bytes; S3's keys have at most 1024. It bounds the
/// time that a judgement takes.
const LONGEST: usize = 4096;

impl Policy {
    /// Whether a call may happen, after what `count` says was done; counts it if so.
    ///
    /// # Errors
    /// Why it may not.
    pub fn judge(
        &self,
        domain: &Domain,
        operation: &str,
        params: &Value,
        count: &mut Count,
    ) -> Result<(), Denied> {
        let denied = |why, touch: Option<&Touch>| {
            Err(Denied {
                why,
                operation: operation.to_owned(),
                touch: touch.cloned().map(Box::new),
            })
        };
        if domain.operation(operation).is_none() {
            return denied(Why::NoOperation, None);
        }
        let mut touches = domain.touches(operation, params);
        if touches.is_empty() {
            touches.push(Touch {
                access: Access::Read,
                place: Place::container(""),
                prefix: false,
                bytes: 0,
            });
        }
        for touch in &touches {
            if let Err(why) = self.judge_touch(operation, touch) {
                return denied(why, Some(touch));
            }
        }
        let then = count.plus(Count::of(&touches));
        for ceiling in Ceiling::ALL {
            let reached = then.get(ceiling);
            match self.ceilings.get(ceiling) {
                // What a call does not add to is not its fault.
                Some(most) if reached > most && reached > count.get(ceiling) => {
                    return denied(
                        Why::Ceiling {
                            ceiling,
                            most,
                            reached,
                        },
                        None,
                    );
                }
                _ => {}
            }
        }
        *count = then;
        Ok(())
    }

    /// Whether all these writes may happen, as those of one program.
    ///
    /// # Errors
    /// Why the first that may not, may not.
    pub fn judge_all(&self, domain: &Domain, writes: &[Write]) -> Result<(), Denied> {
        let mut count = Count::default();
        let mut writes = writes.iter();
        writes.try_for_each(|write| self.judge(domain, &write.operation, &write.params, &mut count))
    }

    /// Everything but the ceilings, of one touch in all its readings.
    fn judge_touch(&self, operation: &str, touch: &Touch) -> Result<(), Why> {
        let Place { container, name } = &touch.place;
        if container.len() + name.as_ref().map_or(0, String::len) > LONGEST {
            return Err(Why::TooLong);
        }
        let other = reading::as_files(touch);
        for touch in [Some(touch), other.as_ref()].into_iter().flatten() {
            self.judge_reading(operation, touch)?;
        }
        Ok(())
    }

    fn judge_reading(&self, operation: &str, touch: &Touch) -> Result<(), Why> {
        if touch.access != Access::Read {
            if self.mode == Mode::ReadOnly {
                return Err(Why::ReadOnly);
            }
            let container = &touch.place.container;
            let mut protected = self.protected.iter();
            if let Some(glob) = protected.find(|glob| glob.matches(container)) {
                return Err(Why::Protected(glob.to_string()));
            }
        }
        let of = |effect| move |rule: &&Rule| rule.effect == effect;
        let is_about = |rule: &Rule| rule.is_about(operation, touch);
        let mut denying = self.rules.iter().filter(of(Effect::Deny));
        if let Some(rule) = denying.find(|rule| is_about(rule)) {
            return Err(Why::Rule(rule.name.clone()));
        }
        let allowing = || self.rules.iter().filter(of(Effect::Allow));
        let must = allowing().any(|rule| rule.speaks_of(touch.access));
        match must && !allowing().any(is_about) {
            true => Err(Why::NotAllowed),
            false => Ok(()),
        }
    }
}
