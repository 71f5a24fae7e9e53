//! From clauses to claims that are not judged yet.

mod attach;
mod bookings;
mod clauses;
mod codes;
mod heads;
mod lacks;
mod listing;
mod properties;
mod rows;
mod subject;

use std::collections::HashSet;
use std::ops::Range;

pub(crate) use heads::{Group, Head, HeadKind, MOST};

use crate::claim::Constraints;
use crate::clause::Clause;
use crate::spans::{Quantity, Reader, Reading, within};

/// A name in a text: of rows, or of no row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Name {
    Rows(Vec<usize>),
    New(String),
}

/// A value as a reply says it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Words(Vec<String>),
    Phone(String),
    Postcode(String),
    Address(Vec<String>),
    Quantity(Quantity),
}

impl Value {
    /// As claims spell it.
    pub fn spelt(&self) -> Vec<String> {
        match self {
            Value::Words(values) => values.clone(),
            Value::Phone(code) | Value::Postcode(code) => vec![code.clone()],
            Value::Address(words) => vec![words.join(" ")],
            Value::Quantity(quantity) => vec![quantity.said.clone()],
        }
    }
}

/// A value of a slot at its place.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub slot: String,
    pub values: Vec<String>,
    pub tokens: Range<usize>,
}

/// What is claimed, before it is judged.
#[derive(Debug, Clone)]
pub(crate) enum Said {
    Entity(Name),
    Absent(Name),
    Slot {
        who: Vec<Name>,
        slot: String,
        value: Value,
        negated: bool,
    },
    Count(Count),
    None {
        constraints: Constraints,
        context: Context,
        unknown: bool,
    },
    Exists(Constraints),
    Open {
        who: Vec<Name>,
        category: String,
        words: Vec<String>,
    },
    Ref(String),
    Booked {
        done: bool,
        /// The names in its clause.
        who: Vec<Name>,
        /// The times in its clause, as `14:00`.
        times: Vec<String>,
    },
    All {
        constraints: Constraints,
        named: Vec<Name>,
        context: Context,
    },
}

/// A count, and what its readings need.
#[derive(Debug, Clone)]
pub(crate) struct Count {
    pub n: u32,
    pub at_least: bool,
    pub only: bool,
    pub constraints: Constraints,
    pub context: Context,
    /// How many names its clause or its list has.
    pub named: usize,
}

/// What else a denial or count may mean.
#[derive(Debug, Clone, Default)]
pub(crate) struct Context {
    /// The constraints of the last count of the reply.
    pub last: Constraints,
    /// The slots of places are left out: *anywhere*.
    pub anywhere: bool,
    /// Rows that were named before may be left out: *another*.
    pub more: bool,
}

/// A claim at its place.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub said: Said,
    pub tokens: Range<usize>,
    /// The clause in which it stands.
    pub clause: usize,
}

/// A reply as it is taken apart.
pub(crate) struct Analysis<'r, 't> {
    pub reader: &'r Reader<'r>,
    pub reading: &'r Reading<'t>,
    pub focus: &'r [Name],
    /// What the user has said, in lower case.
    pub heard: &'r str,
    pub clauses: Vec<Clause>,
    pub drafts: Vec<Draft>,
    /// The names so far, by place, with their first token and the token behind them.
    pub names: Vec<(Name, usize, usize)>,
    /// The values of the last count or assertion that rows exist.
    pub last: Option<Vec<Placed>>,
    pub last_count: Constraints,
    /// The values that the items of a list have from the clause above it.
    pub list: Option<Vec<Placed>>,
    at: usize,
}

impl<'r, 't> Analysis<'r, 't> {
    /// Takes a reply apart.
    pub fn of(
        reader: &'r Reader<'r>,
        reading: &'r Reading<'t>,
        focus: &'r [Name],
        heard: &'r str,
    ) -> Self {
        let clauses = reader.clauses(reading);
        let mut analysis = Analysis {
            reader,
            reading,
            focus,
            heard,
            clauses,
            drafts: Vec::new(),
            names: Vec::new(),
            last: None,
            last_count: Constraints::new(),
            list: None,
            at: 0,
        };
        for at in 0..analysis.clauses.len() {
            analysis.at = at;
            if let Some(clause) = analysis.clauses.get(at).cloned() {
                analysis.clause(&clause);
            }
        }
        analysis.count_named();
        analysis.listings();
        analysis
    }

    /// The names that begin within tokens.
    pub(crate) fn names_in(&self, range: &Range<usize>) -> &[(Name, usize, usize)] {
        within(&self.names, range, |(_, start, _)| *start)
    }

    pub(crate) fn draft(&mut self, said: Said, tokens: Range<usize>) {
        crate::steps::count(1);
        let clause = self.at;
        self.drafts.push(Draft {
            said,
            tokens,
            clause,
        });
    }
}

/// The values, each once.
pub(crate) fn once(values: &[Placed]) -> Vec<Placed> {
    let mut seen = HashSet::new();
    let first = values
        .iter()
        .filter(|value| seen.insert((&value.slot, &value.values)));
    first.cloned().collect()
}

/// Constraints of values: several of one slot are any of them.
pub(crate) fn constraints<'a>(values: impl IntoIterator<Item = &'a Placed>) -> Constraints {
    let mut found = Constraints::new();
    for placed in values {
        let entry = found.entry(placed.slot.clone()).or_default();
        entry.extend(placed.values.iter().cloned());
    }
    for values in found.values_mut() {
        values.sort();
        values.dedup();
    }
    found
}
