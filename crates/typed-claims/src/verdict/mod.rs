//! Judges drafts against the base and the evidence.

mod booking;
mod count;
mod slot;

use std::collections::{BTreeMap, HashSet};

use crate::analysis::{Draft, Name, Said, Value};
use crate::catalogue::{Base, Catalogue};
use crate::claim::{Claim, ClaimRule, Constraints, Kind, Subject};
use crate::spans::Reading;
use crate::{Evidence, Schema, SlotKind};

/// What judging needs.
pub(crate) struct Judge<'a> {
    pub schema: &'a Schema,
    pub catalogue: &'a Catalogue,
    pub base: &'a Base,
    pub wishes: &'a BTreeMap<String, Vec<String>>,
    /// How many names the desk has said.
    pub mentioned: usize,
    pub evidence: Option<&'a Evidence>,
    /// What the user has said, in lower case.
    pub heard: &'a str,
}

/// Truth, whether the base has the words, the rule, and the rows that decide.
pub(crate) struct Ruling {
    pub truth: Option<bool>,
    pub in_kb: bool,
    pub rule: ClaimRule,
    pub rows: Vec<usize>,
}

/// The most rows that a claim names as its reason.
const SHOWN: usize = 10;

impl Judge<'_> {
    pub fn judge(&self, draft: &Draft, reading: &Reading<'_>) -> Claim {
        let ruling = self.rule(&draft.said);
        let kind = self.kind(&draft.said);
        let constraints =
            matches!(&kind, Kind::None(c) | Kind::Count { constraints: c, .. } if c.is_empty());
        Claim {
            evidenced: self
                .evidence
                .map(|evidence| self.supported(evidence, &draft.said)),
            elliptic: constraints && !self.wishes.is_empty(),
            range: reading.bytes(&draft.tokens),
            kind,
            truth: ruling.truth,
            in_kb: ruling.in_kb,
            rule: ruling.rule,
            rows: ruling
                .rows
                .iter()
                .take(SHOWN)
                .map(|row| self.catalogue.name(*row).to_owned())
                .collect(),
        }
    }

    fn rule(&self, said: &Said) -> Ruling {
        match said {
            Said::Entity(name) => self.named(name),
            Said::Absent(name) => {
                let known = self.rows(std::slice::from_ref(name));
                let rule = if known.is_empty() {
                    ClaimRule::NoRow
                } else {
                    ClaimRule::SomeRow
                };
                Ruling {
                    truth: Some(known.is_empty()),
                    in_kb: true,
                    rule,
                    rows: known,
                }
            }
            Said::Slot {
                who,
                slot,
                value,
                negated,
            } => self.slot(who, slot, value, *negated),
            Said::Count(count) => self.count(count),
            Said::None {
                constraints,
                context,
                unknown,
            } => self.none(constraints, context, *unknown),
            Said::Exists(constraints) => {
                let rows = self.fitting(constraints);
                let rule = if rows.is_empty() {
                    ClaimRule::NoRow
                } else {
                    ClaimRule::SomeRow
                };
                Ruling {
                    truth: Some(!rows.is_empty()),
                    in_kb: self.known(constraints),
                    rule,
                    rows,
                }
            }
            Said::Open { who, words, .. } => {
                let has = |row: &usize| {
                    self.catalogue.texts.get(*row).is_some_and(|text| {
                        self.texts_known() && words.iter().any(|word| text.contains(word))
                    })
                };
                let rows = self.rows(who).into_iter().filter(has).collect::<Vec<_>>();
                let truth = (!rows.is_empty()).then_some(true);
                Ruling {
                    truth,
                    in_kb: truth.is_some(),
                    rule: if truth.is_some() {
                        ClaimRule::InText
                    } else {
                        ClaimRule::NotInText
                    },
                    rows,
                }
            }
            Said::Ref(_) | Said::Booked { .. } => Ruling {
                truth: None,
                in_kb: true,
                rule: self.booking(said),
                rows: Vec::new(),
            },
            Said::All {
                constraints,
                named,
                context,
            } => self.all(constraints, named, context),
        }
    }

    fn texts_known(&self) -> bool {
        self.schema
            .of(SlotKind::Text)
            .any(|(slot, _)| self.base.knows(slot))
    }

    fn named(&self, name: &Name) -> Ruling {
        let rows = self.rows(std::slice::from_ref(name));
        let known = !rows.is_empty();
        let rule = match name {
            Name::New(_) => ClaimRule::NewName,
            Name::Rows(_) if known => ClaimRule::Named,
            Name::Rows(_) => ClaimRule::OutsideBase,
        };
        Ruling {
            truth: known.then_some(true),
            in_kb: known,
            rule,
            rows,
        }
    }

    /// The rows of the base that any of the names has.
    pub fn rows(&self, who: &[Name]) -> Vec<usize> {
        crate::steps::count(who.len());
        let rows = who.iter().flat_map(|name| match name {
            Name::Rows(rows) => rows.as_slice(),
            Name::New(_) => &[],
        });
        rows.copied().filter(|row| self.base.has(*row)).collect()
    }

    fn subject(&self, who: &[Name]) -> Subject {
        let mut members = Vec::new();
        for name in who {
            match name {
                Name::New(name) => return Subject::New(name.clone()),
                Name::Rows(rows) => {
                    let mut names = rows
                        .iter()
                        .map(|row| self.catalogue.name(*row).to_owned())
                        .collect::<Vec<_>>();
                    names.sort();
                    members.push(names);
                }
            }
        }
        Subject::Rows(members)
    }

    fn kind(&self, said: &Said) -> Kind {
        match said {
            Said::Entity(name) => Kind::Entity(self.subject(std::slice::from_ref(name))),
            Said::Absent(name) => Kind::Absent(self.subject(std::slice::from_ref(name))),
            Said::Slot {
                who,
                slot,
                value,
                negated,
            } => Kind::Slot {
                subject: self.subject(who),
                slot: slot.clone(),
                value: value.spelt(),
                negated: *negated,
            },
            Said::Count(count) => Kind::Count {
                n: count.n,
                at_least: count.at_least,
                constraints: count.constraints.clone(),
            },
            Said::None { constraints, .. } => Kind::None(constraints.clone()),
            Said::Exists(constraints) => Kind::Exists(constraints.clone()),
            Said::Open { who, category, .. } => Kind::Open {
                subject: self.subject(who),
                category: category.clone(),
            },
            Said::Ref(value) => Kind::Ref(value.clone()),
            Said::Booked { done, .. } => Kind::Booked(*done),
            Said::All {
                constraints, named, ..
            } => {
                let named = named
                    .iter()
                    .map(|name| self.subject(std::slice::from_ref(name)).to_string());
                Kind::All {
                    constraints: constraints.clone(),
                    named: named.collect(),
                }
            }
        }
    }

    fn supported(&self, evidence: &Evidence, said: &Said) -> bool {
        let named = |row: &usize| evidence.names(self.catalogue.name(*row));
        let heard = |name: &str| self.heard.contains(&name.to_lowercase());
        match said {
            Said::Entity(Name::Rows(rows)) => rows
                .iter()
                .any(|row| named(row) || heard(self.catalogue.name(*row))),
            Said::Entity(Name::New(name)) => evidence.names(name) || heard(name),
            Said::Absent(_) => true,
            Said::Slot {
                who,
                slot,
                value,
                negated,
            } => {
                let rows = who.iter().flat_map(|name| match name {
                    Name::Rows(rows) => rows.clone(),
                    Name::New(_) => Vec::new(),
                });
                let fits = |text: &str| self.says(slot, value, &text.to_lowercase());
                *negated
                    || rows
                        .into_iter()
                        .any(|row| evidence.value(self.catalogue.name(row), slot, &fits))
            }
            Said::Count(count) => {
                evidence.count(count.n, count.at_least)
                    || (!count.only && usize::try_from(count.n) == Ok(count.named))
            }
            Said::None { .. } => evidence.nothing(),
            Said::Exists(constraints) => evidence.exists(constraints),
            Said::Open { words, .. } => words.iter().any(|word| evidence.word(word)),
            Said::Ref(value) => evidence.names(value),
            Said::Booked { .. } | Said::All { .. } => true,
        }
    }

    /// Whether every value occurs in the base.
    pub fn known(&self, constraints: &Constraints) -> bool {
        constraints
            .iter()
            .all(|(slot, values)| self.vocabulary(slot, &Value::Words(values.clone())))
    }

    /// The rows that have all values; if there are none, also by the words of other slots.
    fn fitting(&self, constraints: &Constraints) -> Vec<usize> {
        let rows = self.having(constraints);
        if !rows.is_empty() {
            return rows;
        }
        let values = constraints.iter();
        let values = values.map(|(slot, values)| (slot, Value::Words(values.clone())));
        let values = values.collect::<Vec<_>>();
        let rows = 0..self.catalogue.rows().len();
        rows.filter(|row| {
            values
                .iter()
                .all(|(slot, value)| self.has(*row, slot, value))
        })
        .collect()
    }

    /// The rows of the base that have all values.
    pub fn having(&self, constraints: &Constraints) -> Vec<usize> {
        let sets = constraints
            .iter()
            .map(|(slot, values)| self.catalogue.with(self.base, slot, values))
            .collect::<Vec<_>>();
        let rows = 0..self.catalogue.rows().len();
        rows.filter(|row| {
            self.base.has(*row) && sets.iter().all(|set| set.get(*row) == Some(&true))
        })
        .collect()
    }
}

/// The claims, each once, by place.
pub(crate) fn distinct(mut claims: Vec<Claim>) -> Vec<Claim> {
    claims.sort_by(|a, b| {
        (a.range.start, a.range.end, &a.kind).cmp(&(b.range.start, b.range.end, &b.kind))
    });
    // A property counts as supported if one mention of it is.
    let open = |claim: &Claim| matches!(claim.kind, Kind::Open { .. });
    claims.sort_by_key(|claim| open(claim) && claim.truth.is_none());
    let mut seen = HashSet::new();
    claims.retain(|claim| seen.insert(claim.kind.clone()));
    claims.sort_by_key(|claim| (claim.range.start, claim.range.end));
    claims
}
