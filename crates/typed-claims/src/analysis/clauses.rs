//! What one clause says.

use super::{Analysis, Context, Count, Group, Head, HeadKind, Placed, Said, Value, constraints};
use crate::claim::Constraints;
use crate::clause::Clause;
use crate::lexicon::{Cue, List};
use crate::spans::{Reader, Reading, What};

impl Analysis<'_, '_> {
    pub(super) fn clause(&mut self, clause: &Clause) {
        let groups = self.reader.groups(self.reading, clause);
        let mut heads = self.reader.heads(self.reading, clause, &groups);
        if !clause.item && !clause.tokens.is_empty() {
            self.list = None;
        }
        self.entities(clause, &groups);
        self.values(clause, &groups, &mut heads);
        self.codes(clause, &groups);
        self.properties(clause, &groups);
        self.bookings(clause);
        self.pass_on(clause, &groups, &heads);
        self.settle(clause, heads);
    }

    /// Names, and denials that a name is known.
    fn entities(&mut self, clause: &Clause, groups: &[Group]) {
        let reading = self.reading;
        for group in groups {
            let unknown = reading
                .within(Cue::Unknown, &clause.tokens)
                .any(|cue| self.reader.leads(reading, cue.end, group.tokens.start));
            let missing = reading
                .within(Cue::Missing, &clause.tokens)
                .any(|cue| group.tokens.end <= cue.start && cue.start <= group.tokens.end + 2);
            let absent = (unknown || missing) && !clause.question && !clause.hypothesis;
            for (name, place) in group.members.iter().zip(&group.places) {
                let said = if absent {
                    Said::Absent(name.clone())
                } else {
                    Said::Entity(name.clone())
                };
                self.draft(said, place.clone());
                self.names.push((name.clone(), place.start, place.end));
            }
        }
    }

    /// The constraints that names have from elsewhere: *It is called X*, `…: X`, items of lists.
    fn pass_on(&mut self, clause: &Clause, groups: &[Group], heads: &[Head]) {
        let reading = self.reading;
        let mut passed: Vec<(usize, Vec<Placed>)> = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            let before = self.reader.skipped(reading, group.tokens.start);
            let ends = |cue: Cue| {
                reading
                    .within(cue, &clause.tokens)
                    .any(|hit| hit.end == group.tokens.start || hit.end == before)
            };
            let left = heads.iter().rfind(|head| {
                head.tokens.end <= group.tokens.start
                    && matches!(head.kind, HeadKind::Count { .. } | HeadKind::Exists)
            });
            let named = ends(Cue::Naming);
            if let Some(head) = left.filter(|head| named && !head.values.is_empty()) {
                let values = head
                    .values
                    .iter()
                    .filter(|value| value.tokens.end <= group.tokens.start);
                passed.push((at, values.cloned().collect()));
            } else if ends(Cue::Identify) && left.is_none_or(|head| head.values.is_empty()) {
                passed.extend(self.last.clone().map(|values| (at, values)));
            }
            let only = heads
                .iter()
                .find(|head| matches!(head.kind, HeadKind::Count { only: true, .. }));
            if let Some(head) = only.filter(|head| {
                group.tokens.end <= head.tokens.start && head.tokens.start <= group.tokens.end + 3
            }) {
                passed.push((at, head.values.clone()));
            }
            let first =
                at == 0 && clause.item_start && group.tokens.start <= clause.tokens.start + 5;
            if let Some(values) = self.list.clone().filter(|_| first) {
                passed.push((at, values));
            }
        }
        for (at, values) in passed {
            let Some(group) = groups.get(at) else {
                continue;
            };
            for name in &group.members {
                for value in &values {
                    let said = Said::Slot {
                        who: vec![name.clone()],
                        slot: value.slot.clone(),
                        value: Value::Words(value.values.clone()),
                        negated: false,
                    };
                    self.draft(said, group.tokens.clone());
                }
            }
        }
    }

    /// The claims of denials, counts and assertions, and what later clauses have from them.
    fn settle(&mut self, clause: &Clause, heads: Vec<Head>) {
        for head in heads {
            let said = constraints(&head.values);
            let end = head.values.last().map_or(head.tokens.end, |value| {
                value.tokens.end.max(head.tokens.end)
            });
            let start = head.values.first().map_or(head.tokens.start, |value| {
                value.tokens.start.min(head.tokens.start)
            });
            let context = Context {
                last: self.last_count.clone(),
                anywhere: self.reading.any(Cue::Anywhere, &clause.tokens),
                more: self.reading.any(Cue::More, &clause.tokens),
            };
            match head.kind {
                HeadKind::Group(_) => continue,
                HeadKind::None { unknown } => {
                    self.draft(
                        Said::None {
                            constraints: said,
                            context,
                            unknown,
                        },
                        start..end,
                    );
                    continue;
                }
                HeadKind::Count { n: 0, .. } => {
                    self.draft(
                        Said::None {
                            constraints: said,
                            context,
                            unknown: false,
                        },
                        start..end,
                    );
                    continue;
                }
                HeadKind::Count { n, at_least, only } => {
                    self.last_count.extend(said.clone());
                    let count = Count {
                        n,
                        at_least,
                        only,
                        constraints: said,
                        context,
                        named: 0,
                    };
                    self.draft(Said::Count(count), start..end);
                }
                HeadKind::Exists => self.exist(&head.values, start..end),
            }
            if clause.announces {
                self.list = Some(head.values.clone());
            }
            self.last = Some(head.values);
        }
    }

    /// One assertion; of several values of one slot one each.
    pub(super) fn exist(&mut self, values: &[Placed], tokens: std::ops::Range<usize>) {
        let mut slots: Vec<(&str, Vec<&Placed>)> = Vec::new();
        for value in values {
            match slots.iter_mut().find(|(slot, _)| *slot == value.slot) {
                Some((_, list)) => list.push(value),
                None => slots.push((&value.slot, vec![value])),
            }
        }
        let single = slots
            .iter()
            .filter(|(_, list)| list.len() == 1)
            .flat_map(|(_, list)| list.iter().copied());
        let single = constraints(single);
        let many = slots
            .iter()
            .filter(|(_, list)| list.len() > 1)
            .collect::<Vec<_>>();
        if many.is_empty() && !single.is_empty() {
            self.draft(Said::Exists(single.clone()), tokens.clone());
        }
        for value in many.into_iter().flat_map(|(_, list)| list) {
            let mut each: Constraints = single.clone();
            each.extend(constraints([*value]));
            self.draft(Said::Exists(each), tokens.clone());
        }
    }

    /// How many names stand in the clause of each count, or in the list that it announces.
    pub(super) fn count_named(&mut self) {
        let names = &self.names;
        for draft in &mut self.drafts {
            let Said::Count(count) = &mut draft.said else {
                continue;
            };
            let Some(clause) = self.clauses.get(draft.clause) else {
                continue;
            };
            let within = names
                .iter()
                .filter(|(_, start, _)| clause.tokens.contains(start))
                .count();
            let items = self
                .clauses
                .iter()
                .skip(draft.clause + 1)
                .take_while(|clause| clause.item);
            let first = |clause: &Clause| {
                names.iter().any(|(_, start, _)| {
                    clause.tokens.contains(start) && *start <= clause.tokens.start + 5
                })
            };
            let listed = items
                .filter(|clause| clause.item_start && first(clause))
                .count();
            count.named = if clause.announces && listed > 0 {
                listed
            } else {
                within
            };
        }
    }
}

impl Reader<'_> {
    /// The token before quotes and articles that stand before a token.
    pub(crate) fn skipped(&self, reading: &Reading<'_>, start: usize) -> usize {
        let mut at = start;
        while at > 0
            && reading.tokens.get(at - 1).is_some_and(|token| {
                matches!(token.low.as_str(), "\"" | "'" | "*" | ":")
                    || self.has(List::Article, token)
            })
        {
            at -= 1;
        }
        at
    }

    /// Whether what ends at one token leads to what begins at another.
    pub(crate) fn leads(&self, reading: &Reading<'_>, end: usize, start: usize) -> bool {
        end <= start
            && (end..start).all(|at| {
                reading.tokens.get(at).is_some_and(|token| {
                    matches!(token.low.as_str(), "\"" | "'" | "*" | "an" | "a" | "the")
                        || self.has(List::Article, token)
                })
            })
    }

    /// The value of a slot at a span.
    pub(crate) fn placed(&self, span: &crate::spans::Span) -> Option<Placed> {
        let What::Value(entry) = span.what else {
            return None;
        };
        let (slot, values) = self.lexicon.values.get(entry)?;
        Some(Placed {
            slot: slot.clone(),
            values: values.clone(),
            tokens: span.tokens.clone(),
        })
    }
}
