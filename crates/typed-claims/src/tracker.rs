//! One dialogue: what it is about, what the user wishes, what the desk said.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::analysis::{Analysis, MOST, Name, Said, Value};
use crate::catalogue::{Base, Catalogue};
use crate::claim::{Claim, ClaimRule, Flags, Kind, Verdict};
use crate::lexicon::{Cue, List};
use crate::schema::Names;
use crate::spans::{Reader, Reading, What};
use crate::verdict::{Judge, distinct};
use crate::{Evidence, Lexicon, Schema, exact};

/// The state of one dialogue. Utterances are given in order: [`Tracker::hear`] those of the user,
/// [`Tracker::check`] those of the desk.
#[derive(Clone)]
pub struct Tracker<'a> {
    schema: &'a Schema,
    lexicon: &'a Lexicon,
    catalogue: &'a Catalogue,
    base: Base,
    today: Option<jiff::civil::Date>,
    focus: Vec<Name>,
    wishes: BTreeMap<String, Vec<String>>,
    typed: bool,
    heard: String,
    mentioned: HashSet<Name>,
    said: HashMap<(usize, String), HashSet<String>>,
    references: HashSet<String>,
    /// What the user said since the last reply that was no question.
    asked: Vec<String>,
}

impl<'a> Tracker<'a> {
    /// The start of a dialogue whose replies are judged by a base.
    pub fn new(
        schema: &'a Schema,
        lexicon: &'a Lexicon,
        catalogue: &'a Catalogue,
        base: Base,
    ) -> Self {
        Tracker {
            schema,
            lexicon,
            catalogue,
            base,
            today: None,
            focus: Vec::new(),
            wishes: BTreeMap::new(),
            typed: false,
            heard: String::new(),
            mentioned: HashSet::new(),
            said: HashMap::new(),
            references: HashSet::new(),
            asked: Vec::new(),
        }
    }

    /// The day on which the next replies are given, for *yesterday* and *three days ago*.
    pub fn on(&mut self, day: jiff::civil::Date) {
        self.today = Some(day);
    }

    /// A wish of the user that is known; no values take it back. From the first one on the
    /// user's words are not read for wishes.
    pub fn wish(&mut self, slot: &str, values: &[&str]) {
        if !self.typed {
            self.wishes.clear();
        }
        self.typed = true;
        if values.is_empty() {
            self.wishes.remove(slot);
        } else {
            self.wishes.insert(
                slot.to_owned(),
                values.iter().map(|value| (*value).to_owned()).collect(),
            );
        }
    }

    fn reader(&self) -> Reader<'a> {
        Reader {
            schema: self.schema,
            lexicon: self.lexicon,
            catalogue: self.catalogue,
            today: self.today,
        }
    }

    /// The wishes of the user, slot to values.
    pub fn wishes(&self) -> &BTreeMap<String, Vec<String>> {
        &self.wishes
    }

    /// The slots that the questions of a reply name.
    pub fn asked(&self, reply: &str) -> Vec<String> {
        let reader = self.reader();
        let reading = reader.read(reply, true);
        let clauses = reader.clauses(&reading).into_iter();
        let questions = clauses
            .filter(|clause| clause.question && reading.low(clause.tokens.end) == "?")
            .collect::<Vec<_>>();
        let slots = self.lexicon.slots.iter().enumerate();
        let asked = slots.filter(|(tag, _)| {
            let mut clauses = questions.iter();
            clauses.any(|clause| reading.slots.any(*tag, &clause.tokens))
        });
        asked.map(|(_, slot)| slot.clone()).collect()
    }

    /// Takes in what the user says.
    pub fn hear(&mut self, user: &str) {
        self.asked.push(user.to_owned());
        if self.schema.names == Names::Exact {
            return;
        }
        let reader = self.reader();
        let reading = reader.read(user, false);
        self.heard.push_str(&user.to_lowercase());
        self.heard.push('\n');
        self.refocus(&reader, &reading);
        if !self.typed {
            self.wishes_of(&reader, &reading);
        }
    }

    fn refocus(&mut self, reader: &Reader<'_>, reading: &Reading<'_>) {
        let names = reading.spans.iter().filter_map(|span| match &span.what {
            What::Name(rows) => Some(Name::Rows(rows.clone())),
            _ => None,
        });
        let names = names.take(MOST).collect::<Vec<_>>();
        if !names.is_empty() {
            self.focus = names;
            return;
        }
        let all = 0..reading.tokens.len();
        let places = [
            (Cue::First, 0),
            (Cue::Second, 1),
            (Cue::Third, 2),
            (Cue::Last, self.focus.len().saturating_sub(1)),
        ];
        let place = places
            .iter()
            .find(|(cue, _)| reading.any(*cue, &all))
            .map(|(_, place)| *place);
        if let Some(name) = place.and_then(|place| self.focus.get(place)) {
            self.focus = vec![name.clone()];
            return;
        }
        let values = reading
            .spans
            .iter()
            .filter_map(|span| reader.placed(span))
            .collect::<Vec<_>>();
        if values.is_empty() {
            return;
        }
        if reading.any(Cue::Pick, &all) && !self.focus.is_empty() {
            let fits = |row: &usize| {
                values.iter().all(|value| {
                    self.catalogue
                        .with(&self.base, &value.slot, &value.values)
                        .get(*row)
                        == Some(&true)
                })
            };
            let fitting = self
                .focus
                .iter()
                .filter(|name| matches!(name, Name::Rows(rows) if rows.iter().any(fits)))
                .cloned()
                .collect::<Vec<_>>();
            let all = (0..self.catalogue.rows().len())
                .filter(fits)
                .map(|row| Name::Rows(vec![row]));
            self.focus = if fitting.is_empty() {
                all.collect()
            } else {
                fitting
            };
        } else if !reading.any(Cue::Pronoun, &all) {
            self.focus.clear();
        }
    }

    fn wishes_of(&mut self, reader: &Reader<'_>, reading: &Reading<'_>) {
        let all = 0..reading.tokens.len();
        if reading.any(Cue::Careless, &all) {
            for (tag, slot) in self.lexicon.slots.iter().enumerate() {
                if reading.slots.any(tag, &all) {
                    self.wishes.remove(slot);
                }
            }
        }
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for value in reading.spans.iter().filter_map(|span| reader.placed(span)) {
            let from = value.tokens.start.saturating_sub(3);
            let denied = (from..value.tokens.start).any(|at| {
                reading
                    .tokens
                    .get(at)
                    .is_some_and(|token| reader.has(List::Negation, token))
            });
            let others = self
                .schema
                .slot(&value.slot)
                .is_some_and(|slot| slot.others);
            let values = match (denied, others) {
                (true, true) => self
                    .catalogue
                    .values(&value.slot)
                    .into_iter()
                    .filter(|other| !value.values.contains(other))
                    .collect(),
                (true, false) => continue,
                (false, _) => value.values,
            };
            found.entry(value.slot).or_default().extend(values);
        }
        for at in 1..reading.tokens.len() {
            let kind = reading
                .tokens
                .get(at)
                .is_some_and(|token| reader.has(List::Kind, token));
            let before = reading
                .tokens
                .get(at - 1)
                .filter(|token| token.solid() && !reading.owned(at - 1));
            if let Some(word) = before.filter(|token| {
                kind && !reader.has(List::Vague, token) && !found.contains_key("food")
            }) && self.schema.slot("food").is_some()
            {
                found.insert("food".into(), vec![word.low.clone()]);
            }
        }
        for values in found.values_mut() {
            let mut seen = HashSet::new();
            values.retain(|value| seen.insert(value.clone()));
        }
        self.wishes.extend(found);
    }

    /// Finds and judges the claims of a reply. Evidence is that of the whole dialogue.
    pub fn check(&mut self, reply: &str, evidence: Option<&Evidence>) -> Verdict {
        let reader = self.reader();
        let asked = std::mem::take(&mut self.asked);
        if self.schema.names == Names::Exact {
            let claims = exact::check(&reader, &self.base, &asked, reply);
            if reply.trim_end().ends_with('?') {
                self.asked = asked;
            }
            return Verdict {
                flags: flags(&claims, true, false),
                claims,
            };
        }
        let reading = reader.read(reply, true);
        let (focus, heard) = (self.focus.clone(), self.heard.clone());
        let analysis = Analysis::of(&reader, &reading, &focus, &heard);
        for (name, ..) in &analysis.names {
            self.mentioned.insert(name.clone());
        }
        let judge = Judge {
            schema: self.schema,
            catalogue: self.catalogue,
            base: &self.base,
            wishes: &self.wishes,
            mentioned: self.mentioned.len(),
            evidence,
            heard: &self.heard,
        };
        let claims = distinct(
            analysis
                .drafts
                .iter()
                .map(|draft| judge.judge(draft, &reading))
                .collect(),
        );
        let consistent = self.remember(&analysis, &reading);
        if !analysis.names.is_empty() {
            self.focus = first(analysis.names.iter().map(|(name, ..)| name));
        }
        Verdict {
            flags: flags(&claims, consistent, evidence.is_some()),
            claims,
        }
    }

    /// Remembers what is said of definite rows; says whether it contradicts earlier turns.
    fn remember(&mut self, analysis: &Analysis<'_, '_>, reading: &Reading<'_>) -> bool {
        let all = 0..reading.tokens.len();
        let retracts = reading.any(Cue::Retract, &all);
        let mut now: HashMap<(usize, String), HashSet<String>> = HashMap::new();
        let mut consistent = true;
        let mut booked = false;
        let mut references = Vec::new();
        for draft in &analysis.drafts {
            match &draft.said {
                Said::Slot {
                    who,
                    slot,
                    value,
                    negated: false,
                } if !matches!(value, Value::Address(_)) => {
                    let [Name::Rows(rows)] = who.as_slice() else {
                        continue;
                    };
                    let [row] = rows.as_slice() else { continue };
                    now.entry((*row, slot.clone()))
                        .or_default()
                        .extend(value.spelt().into_iter().filter(|value| value != "?"));
                }
                Said::Booked { done: true, .. } => booked = true,
                Said::Ref(value) => references.push(value.clone()),
                _ => {}
            }
        }
        for (key, values) in now {
            let before = self.said.entry(key).or_default();
            consistent &=
                before.is_empty() || values.is_empty() || !before.is_disjoint(&values) || retracts;
            if retracts {
                before.clear();
            }
            before.extend(values);
        }
        let second = references
            .iter()
            .any(|value| !self.references.is_empty() && !self.references.contains(value));
        self.references.extend(references);
        consistent && (!second || booked || retracts)
    }
}

/// The first names, each once.
fn first<'n>(names: impl Iterator<Item = &'n Name>) -> Vec<Name> {
    let mut seen = HashSet::new();
    let names = names.filter(|name| seen.insert(*name));
    names.take(MOST).cloned().collect()
}

/// Whether bookings and references are those of the outcomes, if there are outcomes.
fn booking(claims: &[Claim], evidenced: bool) -> Option<bool> {
    evidenced.then(|| {
        let wrong =
            |claim: &Claim| matches!(claim.rule, ClaimRule::NoOutcome | ClaimRule::OtherDetails);
        !claims.iter().any(wrong)
    })
}

fn flags(claims: &[Claim], consistent: bool, evidenced: bool) -> Flags {
    let judged = claims
        .iter()
        .filter(|claim| claim.kind.judged())
        .collect::<Vec<_>>();
    let supported = judged.iter().map(|claim| claim.evidenced);
    Flags {
        refers: !judged.is_empty(),
        aligned: judged.iter().all(|claim| claim.truth != Some(false)),
        grounded: judged.iter().all(|claim| claim.in_kb),
        strict: judged.iter().all(|claim| claim.truth == Some(true)),
        evidenced: supported.fold(
            claims
                .first()
                .and_then(|claim| claim.evidenced)
                .map(|_| true),
            |all, one| Some(all? && one?),
        ),
        consistent,
        complete: claims
            .iter()
            .all(|claim| !matches!(claim.kind, Kind::All { .. }) || claim.truth != Some(false)),
        booking: booking(claims, evidenced),
    }
}
