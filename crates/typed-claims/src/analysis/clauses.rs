//! What one clause says.

use super::{Analysis, Context, Count, Group, Head, HeadKind, Placed, Said, Value};
use super::{constraints, once};
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
        self.bookings(clause, &groups);
        self.pass_on(clause, &groups, &heads);
        self.settle(clause, &groups, heads);
    }

    /// Names, and denials that a name is known.
    fn entities(&mut self, clause: &Clause, groups: &[Group]) {
        let reading = self.reading;
        for group in groups {
            let start = self.reader.led(reading, group.tokens.start);
            let unknown = reading
                .cues
                .ending(Cue::Unknown, &(start..group.tokens.start + 1))
                .iter()
                // To know nothing *more* of it is to know something.
                .any(|cue| {
                    clause.tokens.contains(&cue.start)
                        && !reading.any(Cue::More, &(cue.start..cue.end))
                });
            // "X's menu": what is not known is something of it.
            let unknown = unknown && reading.low(group.tokens.end) != "'s";
            let part = self.part_of(clause, group);
            let end = clause.tokens.end.min(group.tokens.end + 3);
            let around = |hit: crate::text::Hit| {
                hit.start < group.tokens.start && group.tokens.end < hit.end
            };
            let missing = reading.any(Cue::Missing, &(group.tokens.end..end))
                || reading
                    .cues
                    .touching(Cue::Missing, &group.tokens)
                    .any(around);
            let missing = missing && part.is_none();
            if let Some(part) = part.filter(|_| !clause.question && !clause.hypothesis) {
                self.lacks(clause, group, &part);
            }
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
        let counts = heads
            .iter()
            .filter(|head| matches!(head.kind, HeadKind::Count { .. } | HeadKind::Exists))
            .map(|head| (head, once(&head.values)))
            .collect::<Vec<_>>();
        let only = counts
            .iter()
            .find(|(head, _)| matches!(head.kind, HeadKind::Count { only: true, .. }));
        for (at, group) in groups.iter().enumerate() {
            let before = self.reader.skipped(reading, group.tokens.start);
            let ends = |cue: Cue| {
                [group.tokens.start, before].into_iter().any(|end| {
                    let hits = reading.cues.ending(cue, &(end..end + 1));
                    hits.iter().any(|hit| clause.tokens.contains(&hit.start))
                })
            };
            let left = counts.partition_point(|(head, _)| head.tokens.end <= group.tokens.start);
            let left = left.checked_sub(1).and_then(|left| counts.get(left));
            let named = ends(Cue::Naming);
            if let Some((_, values)) = left.filter(|(_, values)| named && !values.is_empty()) {
                let values = values
                    .iter()
                    .filter(|value| value.tokens.end <= group.tokens.start);
                passed.push((at, values.cloned().collect()));
            } else if ends(Cue::Identify) && left.is_none_or(|(_, values)| values.is_empty()) {
                passed.extend(self.last.clone().map(|values| (at, values)));
            }
            if let Some((_, values)) = only.filter(|(head, _)| {
                group.tokens.end <= head.tokens.start && head.tokens.start <= group.tokens.end + 3
            }) {
                passed.push((at, values.clone()));
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
    fn settle(&mut self, clause: &Clause, groups: &[Group], heads: Vec<Head>) {
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
                    let mut said = said;
                    if n > 1
                        && let Some(names) = self.called(groups, &head)
                    {
                        said.insert(self.reader.schema.key.clone(), names);
                    }
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
            let values = once(&head.values);
            if clause.announces {
                self.list = Some(values.clone());
            }
            self.last = Some(values);
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
        let named_item = |clause: &Clause| {
            let end = clause.tokens.end.min(clause.tokens.start + 6);
            clause.item_start && !self.names_in(&(clause.tokens.start..end)).is_empty()
        };
        // Per clause, the items with a name in the list that begins with it.
        let mut listed = vec![0; self.clauses.len() + 1];
        for (at, clause) in self.clauses.iter().enumerate().rev() {
            let behind = listed.get(at + 1).copied().unwrap_or_default();
            if let Some(items) = listed.get_mut(at).filter(|_| clause.item) {
                *items = behind + usize::from(named_item(clause));
            }
        }
        let named = self.clauses.iter().enumerate().map(|(at, clause)| {
            let items = listed.get(at + 1).copied().unwrap_or_default();
            if clause.announces && items > 0 {
                items
            } else {
                self.names_in(&clause.tokens).len()
            }
        });
        let named = named.collect::<Vec<_>>();
        for draft in &mut self.drafts {
            if let (Said::Count(count), Some(named)) = (&mut draft.said, named.get(draft.clause)) {
                count.named = *named;
            }
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
        end <= start && self.led(reading, start) <= end
    }

    /// The token before quotes and articles that stand between words and a name.
    pub(crate) fn led(&self, reading: &Reading<'_>, start: usize) -> usize {
        let mut at = start;
        while at > 0
            && reading.tokens.get(at - 1).is_some_and(|token| {
                matches!(token.low.as_str(), "\"" | "'" | "*" | "an" | "a" | "the")
                    || self.has(List::Article, token)
            })
        {
            at -= 1;
        }
        at
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
