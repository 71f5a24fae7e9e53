//! What the paths of a domain's places mean to a policy.

use super::Glob;
use crate::domain::{Beside, Domain, Place, Touch};

/// Stands for a `/` within a value, which separates nothing. Unicode assigns it to no character.
const NO_SLASH: &str = "\u{ffff}";

/// What the paths of a domain's places mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Paths {
    /// Whether a write may change what lies below its place: [`Touches::reaches_below()`].
    ///
    /// [`Touches::reaches_below()`]: crate::domain::Touches::reaches_below
    pub reach_below: bool,
    /// Whether a segment is one value: [`Touches::has_whole_segments()`].
    ///
    /// [`Touches::has_whole_segments()`]: crate::domain::Touches::has_whole_segments
    pub are_whole: bool,
}

impl Paths {
    pub fn of(domain: &Domain) -> Paths {
        let touches = domain.effects.touches.as_ref();
        Paths {
            reach_below: touches.is_some_and(|touches| touches.reaches_below()),
            are_whole: touches.is_some_and(|touches| touches.has_whole_segments()),
        }
    }

    /// The place, and if a `/` is in one of its values, the place with that as a character
    /// like any other, so that `items/*` matches it too.
    pub fn views(self, place: &Place) -> Vec<Place> {
        let whole = self.whole(place);
        [Some(place.clone()), whole].into_iter().flatten().collect()
    }

    /// The place with each `/` in a value as a character like any other, if there is one.
    pub fn whole(self, place: &Place) -> Option<Place> {
        let segments = place.segments();
        let has_slash = segments.iter().any(|segment| segment.contains('/'));
        let whole = || Place::new(segments.iter().map(|it| it.replace('/', NO_SLASH)));
        (self.are_whole && has_slash).then(whole)
    }

    /// Whether what globs are about may be among what a call changes without naming it. The
    /// globs are of whole paths, or of containers.
    pub fn may_be_beside(touch: &Touch, glob: &Glob, of: Globs) -> bool {
        let root = touch.place.root();
        let may_be_within = match of {
            Globs::Paths => glob.may_begin(&format!("{root}/")),
            Globs::Containers => glob.matches(root),
        };
        match touch.beside {
            Beside::Nothing => false,
            Beside::Strangers => !may_be_within,
            Beside::Anything => !(may_be_within && glob.is_within(root)),
        }
    }
}

/// What globs match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Globs {
    /// Whole paths.
    Paths,
    /// Outermost containers.
    Containers,
}
