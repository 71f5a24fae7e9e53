//! Rules: what is allowed and what is denied.

use super::Glob;
use super::paths::{Globs, Paths};
use crate::domain::{Access, Beside, Place, Touch};
use serde::{Deserialize, Serialize};

/// Whether a rule allows or denies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleEffect {
    /// The calls may be made, unless something else denies them.
    Allow,
    /// The calls may not be made, whatever other rules say.
    Deny,
}

/// One rule. It applies to a touch if all of its parts do; a part that is left out applies
/// to every touch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The name that people and models are told when the rule denies a call.
    pub name: String,
    /// Whether it allows or denies.
    pub effect: RuleEffect,
    /// The operations: names, or globs such as `delete_*`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations: Option<Several<Glob>>,
    /// The accesses to the place that the rule is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<Several<Access>>,
    /// The paths of places, from the outermost container on: `home/garden/*`. A listing
    /// has every path that begins as it says: a rule that denies one of them denies it,
    /// and only a rule that allows all of them allows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<Several<Glob>>,
    /// The first segment of paths: for S3 the bucket. A call that names none, as listing
    /// the containers does, is in none.
    #[serde(alias = "buckets")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub containers: Option<Several<Glob>>,
    /// The rest of paths: for S3 the key. A container itself has none. A listing is
    /// treated as under [`paths`](Self::paths).
    #[serde(alias = "keys")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<Several<Glob>>,
}

/// A list with at least one item. An empty one is refused, since some would read it as
/// "none" and others as "all".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<T>", into = "Vec<T>")]
#[serde(bound(serialize = "T: Serialize + Clone"))]
pub struct Several<T>(Vec<T>);

impl<T> TryFrom<Vec<T>> for Several<T> {
    type Error = &'static str;

    fn try_from(list: Vec<T>) -> Result<Self, Self::Error> {
        if list.is_empty() {
            return Err("an empty list means nothing: leave it out to mean all");
        }
        Ok(Several(list))
    }
}

impl<T> From<Several<T>> for Vec<T> {
    fn from(several: Several<T>) -> Vec<T> {
        several.0
    }
}

impl<T> Several<T> {
    /// The items.
    pub fn list(&self) -> &[T] {
        &self.0
    }
}

/// Whether any item satisfies `is`; `true` if the list is left out.
fn any<T>(several: Option<&Several<T>>, is: impl Fn(&T) -> bool) -> bool {
    several.is_none_or(|several| several.0.iter().any(is))
}

impl Rule {
    /// Whether it limits this kind of access: denies some of it, or allows only some.
    /// A rule about writes limits sharing, too, so that a policy that does not know of
    /// sharing protects from it.
    pub fn speaks_of(&self, access: Access) -> bool {
        let shares = access == Access::Share;
        any(self.access.as_ref(), |known| {
            *known == access || shares && *known == Access::Write
        })
    }

    /// Whether it applies to some places only.
    pub fn is_about_places(&self) -> bool {
        self.paths.is_some() || self.containers.is_some() || self.names.is_some()
    }

    /// Whether it applies to a touch of an operation. A rule that denies anything that a write
    /// may reach denies the write.
    pub fn is_about(&self, operation: &str, touch: &Touch, paths: Paths) -> bool {
        let is_about_access = match self.effect {
            RuleEffect::Deny => self.speaks_of(touch.access),
            RuleEffect::Allow => any(self.access.as_ref(), |known| *known == touch.access),
        };
        is_about_access
            && any(self.operations.as_ref(), |glob| glob.matches(operation))
            && (self.is_about_any_view(touch, paths)
                || paths.reach_below && self.denies_below(touch)
                || self.denies_beside(touch))
    }

    /// Whether it applies to the place of a touch. Where a `/` is in a value, a rule that denies
    /// may see a separator in it or not, and one that allows sees one only where it writes it.
    fn is_about_any_view(&self, touch: &Touch, paths: Paths) -> bool {
        match paths.whole(&touch.place) {
            None => self.is_about_place(touch),
            Some(place) => {
                let is_spelled = self.effect == RuleEffect::Deny || self.is_literal();
                let whole = Touch {
                    place,
                    ..touch.clone()
                };
                self.is_about_place(&whole) || is_spelled && self.is_about_place(touch)
            }
        }
    }

    fn is_literal(&self) -> bool {
        let globs = [&self.paths, &self.containers, &self.names];
        let mut globs = globs.into_iter().flatten().flat_map(Several::list);
        globs.all(Glob::is_literal)
    }

    /// Whether it denies something that a call may change without naming it.
    fn denies_beside(&self, touch: &Touch) -> bool {
        if self.effect == RuleEffect::Allow || touch.access == Access::Read {
            return false;
        }
        let is_beside = |globs: &Option<Several<Glob>>, of| {
            let mut globs = globs.iter().flat_map(Several::list);
            globs.any(|glob| Paths::may_be_beside(touch, glob, of))
        };
        is_beside(&self.paths, Globs::Paths)
            || is_beside(&self.containers, Globs::Containers)
            || touch.beside == Beside::Anything && self.names.is_some()
    }

    /// Whether it applies to the place of a touch.
    fn is_about_place(&self, touch: &Touch) -> bool {
        let place = &touch.place;
        let is_in = |glob: &Glob| !place.root().is_empty() && glob.matches(place.root());
        let is_named = |glob: &Glob| match place.name().as_deref() {
            Some(name) => self.means(glob, name, touch),
            None => touch.prefix && self.means(glob, "", touch),
        };
        let is_at = |glob: &Glob| {
            let mut path = place.path();
            if touch.prefix && place.is_container() {
                path.push('/');
            }
            !path.is_empty() && self.means(glob, &path, touch)
        };
        any(self.containers.as_ref(), is_in)
            && any(self.names.as_ref(), is_named)
            && any(self.paths.as_ref(), is_at)
    }

    /// Whether it denies something below the place of a write, that is, something that a listing
    /// of the place would show.
    fn denies_below(&self, touch: &Touch) -> bool {
        if self.effect == RuleEffect::Allow || touch.access == Access::Read {
            return false;
        }
        let segments = touch.place.segments();
        // Every place lies below the world as a whole.
        if segments.is_empty() {
            return true;
        }
        // The path of a listing within a container ends with `/`.
        let end = (segments.len() > 1).then(String::new);
        self.is_about_place(&Touch {
            place: Place::new(segments.iter().cloned().chain(end)),
            prefix: true,
            ..touch.clone()
        })
    }

    /// Whether a glob means a text, or for a listing what begins with the text.
    fn means(&self, glob: &Glob, text: &str, touch: &Touch) -> bool {
        match (touch.prefix, self.effect) {
            (false, _) => glob.matches(text),
            (true, RuleEffect::Deny) => glob.may_begin(text),
            (true, RuleEffect::Allow) => glob.covers(text),
        }
    }
}
