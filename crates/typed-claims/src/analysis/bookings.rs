//! What a clause says about a booking.

use super::{Analysis, Details, Group, Said};
use crate::clause::Clause;
use crate::lexicon::Cue;
use crate::spans::What;
use crate::text::Shape;

impl Analysis<'_, '_> {
    pub(super) fn bookings(&mut self, clause: &Clause, groups: &[Group]) {
        if clause.question || clause.hypothesis {
            return;
        }
        let refused = self.reading.within(Cue::Refused, &clause.tokens).next();
        let booked = self.reading.within(Cue::Booked, &clause.tokens).next();
        let denied = self.reader.about_seats(self.reading, clause);
        let (hit, done) = match (refused, booked) {
            (Some(hit), _) => (hit.start..hit.end, false),
            (None, _) if denied => (clause.tokens.clone(), false),
            (None, Some(hit)) => (hit.start..hit.end, !clause.denies),
            (None, None) => return,
        };
        let details = self.details(clause, groups);
        self.draft(Said::Booked(done, details), hit);
    }

    fn details(&self, clause: &Clause, groups: &[Group]) -> Details {
        let mut details = Details {
            names: groups
                .iter()
                .flat_map(|group| group.members.clone())
                .collect(),
            ..Details::default()
        };
        let masks =
            self.reading.spans.iter().filter(|span| {
                span.what == What::Mask && clause.tokens.contains(&span.tokens.start)
            });
        for span in masks {
            let tokens = self
                .reading
                .tokens
                .get(span.tokens.clone())
                .unwrap_or_default();
            let digits = tokens
                .iter()
                .filter(|token| token.shape == Shape::Number)
                .map(|token| token.low.as_str())
                .collect::<Vec<_>>();
            let colon = tokens.iter().any(|token| token.is(":"));
            match digits.as_slice() {
                [hour, minute] if colon => details.times.push(format!("{hour:0>2}:{minute}")),
                [] if tokens.len() == 1 => details
                    .days
                    .extend(tokens.iter().map(|token| token.low.clone())),
                _ => {
                    let numbers = span
                        .tokens
                        .clone()
                        .filter_map(|at| self.reading.numbers.get(at).copied().flatten());
                    details.people.extend(numbers.take(1).filter(|_| !colon));
                }
            }
        }
        details
    }
}
