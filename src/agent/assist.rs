//! The aids of an agent: corrections and checks of a model's answers.
//!
//! A turn has phases, and each phase is a list of aids. *Normalizers* correct the form of a
//! prediction whose meaning is clear. *Repair* asks again when an answer cannot be used.
//! *Lints* send a valid prediction back if it is probably a mistake. The *dry run* sends a
//! prediction back if its program would end by accident. A model that is told why has one
//! more try; a trained model, which draws another answer, has three. *Confirmation* makes
//! the user confirm a program that destroys something or writes where the user did not say,
//! and runs other complete drafts. *Reply checks* send a reply back once if nothing
//! supports its statements. A reply about a listing that was not read to its end says so
//! (`unread-listing`).
//!
//! Aids help users, and hide what a model can do alone. So evaluations record which aids were
//! on, and how each turn would have been without them.

use super::confirmation::UNCONFIRMED;
use super::dry_run::DRY_RUN;
use super::unread::UNREAD_LISTING;
use super::{lint, normalize, reply_check};
use crate::error::{Error, Result};
use crate::retrieval::Task;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// Asking a model again when its answer cannot be read, breaks a rule or is not valid Python.
pub(super) const REPAIR: &str = "repair";

/// Every aid, in the order of the phases.
///
/// ```
/// let aids = dialog2api::agent::aids();
/// assert_eq!(aids.first(), Some(&"quoted-placeholder"));
/// assert!(aids.contains(&"repair"));
/// ```
pub fn aids() -> Vec<&'static str> {
    let normalizers = normalize::normalizers().into_iter().map(|one| one.name());
    let lints = lint::lints().into_iter().map(|one| one.name());
    let checks = reply_check::reply_checks()
        .into_iter()
        .map(|one| one.name());
    normalizers
        .chain([REPAIR])
        .chain(lints)
        .chain([DRY_RUN, UNCONFIRMED])
        .chain(checks)
        .chain([UNREAD_LISTING])
        .collect()
}

/// The aids that are switched on.
///
/// ```
/// use dialog2api::agent::Assist;
///
/// let assist: Assist = "repair,unknown-call".parse()?;
/// assert!(assist.has("repair") && !assist.has("ungiven-name"));
/// assert_eq!("none".parse::<Assist>()?, Assist::none());
/// assert!("proofreading".parse::<Assist>().is_err());
/// # Ok::<(), dialog2api::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Assist(BTreeSet<String>);

impl Assist {
    /// None of them: the first answer of the model counts.
    pub fn none() -> Self {
        Assist(BTreeSet::new())
    }

    /// All of them: for people.
    pub fn all() -> Self {
        Self::of(aids())
    }

    /// Those that look nothing up in the dialogue. They are the default of evaluations, and of
    /// runs that did not record their aids.
    pub fn usual() -> Self {
        let looked_up = [
            normalize::INVENTED_NAME,
            lint::UNGIVEN_NAME,
            lint::OPEN_QUESTION,
            reply_check::UNSUPPORTED_CLAIM,
        ];
        Self::of(aids().into_iter().filter(|name| !looked_up.contains(name)))
    }

    fn of(names: impl IntoIterator<Item = &'static str>) -> Self {
        Assist(names.into_iter().map(str::to_owned).collect())
    }

    /// Whether this aid is on.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// The names, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl Default for Assist {
    fn default() -> Self {
        Self::usual()
    }
}

impl FromStr for Assist {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "none" => return Ok(Assist::none()),
            "usual" => return Ok(Assist::usual()),
            "all" => return Ok(Assist::all()),
            _ => {}
        }
        let known = aids();
        let names = text.split(',').map(|name| {
            let name = name.trim();
            let found = known.iter().find(|known| **known == name);
            found.copied().ok_or_else(|| {
                Error::usage(format!(
                    "there is no aid {name:?}; there are none, usual, all, or a list of {}",
                    known.join(", ")
                ))
            })
        });
        Ok(Assist::of(names.collect::<Result<Vec<_>>>()?))
    }
}

/// The text that [`FromStr`] reads as these aids.
impl fmt::Display for Assist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Assist::none() {
            f.write_str("none")
        } else if *self == Assist::usual() {
            f.write_str("usual")
        } else if *self == Assist::all() {
            f.write_str("all")
        } else {
            let names: Vec<&str> = self.names().collect();
            f.write_str(&names.join(","))
        }
    }
}

/// An aid that changed the course of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aided {
    /// Its name.
    pub aid: String,
    /// The request whose answer it changed or sent back.
    pub task: Task,
}
