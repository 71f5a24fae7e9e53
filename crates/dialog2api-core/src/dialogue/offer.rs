//! Which operations a dialogue offers, where a model is to know only some of an API.

use super::Transcript;
use std::collections::{BTreeMap, BTreeSet};

/// The operations that the turns of a dialogue offer. Two attributes of a dialogue say so, each
/// a list of names with spaces between them: `offered` holds from the first turn on, and
/// `offered-from-3` adds names from the third turn on. A dialogue without them offers all
/// operations of its domain.
///
/// ```
/// use dialog2api_core::dialogue::Offer;
///
/// let offer = Offer::read([("goal", "tidy"), ("offered", "ls cd"), ("offered-from-2", "rm")])?;
/// assert_eq!(Vec::from_iter(offer.in_turn(1).unwrap()), ["cd", "ls"]);
/// assert_eq!(Vec::from_iter(offer.in_turn(2).unwrap()), ["cd", "ls", "rm"]);
/// assert_eq!(Offer::read([("goal", "tidy")])?.in_turn(1), None);
/// # Ok::<(), (&str, String)>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offer(BTreeMap<usize, Vec<String>>);

/// The attribute with the operations that the first turn offers.
const OFFERED: &str = "offered";

impl Offer {
    /// Reads the attributes of a dialogue.
    ///
    /// # Errors
    /// The name of an attribute that cannot be understood, and why.
    pub fn read<'a>(
        attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, (&'a str, String)> {
        let mut offer = Offer::default();
        let mut later = None;
        for (name, names) in attributes {
            let Some(from) = name.strip_prefix(OFFERED) else {
                continue;
            };
            let turn = match from.strip_prefix("-from-") {
                Some(number) => {
                    later = Some(name);
                    let parsed = number.parse().ok().filter(|turn: &usize| *turn > 1);
                    parsed.filter(|turn| turn.to_string() == number)
                }
                None if from.is_empty() => Some(1),
                None => continue,
            };
            let Some(turn) = turn else {
                let problem = "expected the number of a turn after the first, as in offered-from-2";
                return Err((name, problem.to_owned()));
            };
            let names = names.split_whitespace().map(str::to_owned);
            offer.0.insert(turn, names.collect());
        }
        match later {
            Some(name) if !offer.0.contains_key(&1) => {
                let problem = "expected the attribute offered beside it: without that, the first \
                               turn offers every operation";
                Err((name, problem.to_owned()))
            }
            _ => Ok(offer),
        }
    }

    /// The operations that programs of a turn, counted from 1, may call; `None` for all.
    pub fn in_turn(&self, turn: usize) -> Option<BTreeSet<&str>> {
        let known = self.0.range(..=turn).flat_map(|(_, names)| names);
        (!self.0.is_empty()).then(|| known.map(String::as_str).collect())
    }

    /// All operations that some turn offers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.values().flatten().map(String::as_str)
    }
}

impl Transcript {
    /// The operations that its turns offer. Attributes that cannot be understood, which a file
    /// cannot have, count as none.
    pub fn offer(&self) -> Offer {
        let attributes = self.attributes.iter();
        let attributes = attributes.map(|(name, value)| (name.as_str(), value.as_str()));
        Offer::read(attributes).unwrap_or_default()
    }
}
