//! What the parts of a world may be.
//!
//! Scores are whole numbers that must not overflow, and names are read back from the talk.

use std::collections::HashSet;
use std::fmt::Display;

use crate::names;

/// The most points that a weight or a table may have.
pub(crate) const POINTS: i64 = 1_000_000;

/// The greatest price in dollars.
pub(crate) const PRICE: i64 = 1_000_000_000;

/// The most that a world may have of one kind of thing: solvers look at pairs of them.
const MANY: usize = 1_000;

/// Refuses what lies outside.
pub(crate) fn within<T>(what: &str, value: T, least: T, most: T) -> Result<(), String>
where
    T: PartialOrd + Display,
{
    match (&least..=&most).contains(&&value) {
        true => Ok(()),
        false => Err(format!(
            "{what} is {value}: it must be from {least} to {most}"
        )),
    }
}

/// Refuses too few and too many things.
pub(crate) fn count(what: &str, count: usize, least: usize) -> Result<(), String> {
    match (least..=MANY).contains(&count) {
        true => Ok(()),
        false => Err(format!(
            "the world has {count} {what}: it needs at least {least} {what} and at most {MANY}"
        )),
    }
}

/// Refuses a text that seats could not read as one line.
pub(crate) fn line(what: &str, text: &str) -> Result<(), String> {
    match text.chars().any(char::is_control) {
        true => Err(format!("{what} {text:?} must be one line")),
        false => Ok(()),
    }
}

/// Refuses names that a proposal could not have, where these marks part names, or that could not
/// be told apart.
pub(crate) fn named<'n>(
    what: &str,
    all: impl IntoIterator<Item = &'n String>,
    marks: &[&str],
) -> Result<(), String> {
    let mut known = HashSet::new();
    for name in all {
        line(what, name)?;
        let written = names::written(name);
        if written != name.to_lowercase() || !name.chars().any(char::is_alphanumeric) {
            return Err(format!(
                "{what} {name:?} must have a letter or a digit, and no quotes or blanks around it"
            ));
        }
        if let Some(mark) = marks.iter().find(|mark| name.contains(**mark)) {
            return Err(format!("{what} {name:?} must not have {mark:?} in it"));
        }
        if !known.insert(written) {
            return Err(format!("there are two of {what} {name:?}"));
        }
    }
    Ok(())
}
