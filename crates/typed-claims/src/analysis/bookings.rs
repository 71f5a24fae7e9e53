//! What a clause says about a booking.

use super::{Analysis, Group, Said};
use crate::clause::Clause;
use crate::lexicon::Cue;
use crate::text::Shape;

impl Analysis<'_, '_> {
    pub(super) fn bookings(&mut self, clause: &Clause, groups: &[Group]) {
        if clause.question || clause.hypothesis {
            return;
        }
        // "The phone number of X is not available" refuses no table.
        let of_part = groups.iter().any(|group| {
            let part = self.part_of(clause, group);
            part.is_some_and(|part| !self.reading.any(Cue::Seats, &part))
        });
        let missing = |tokens: std::ops::Range<usize>| {
            of_part
                && self
                    .reading
                    .cues
                    .touching(Cue::Missing, &tokens)
                    .next()
                    .is_some()
        };
        let mut refused = self.reading.within(Cue::Refused, &clause.tokens).iter();
        let refused = refused.find(|hit| !missing(hit.start..hit.end));
        let booked = self.reading.within(Cue::Booked, &clause.tokens).first();
        let denied = self.reader.about_seats(self.reading, clause);
        let (hit, done) = match (refused, booked) {
            (Some(hit), _) => (hit.start..hit.end, false),
            (None, _) if denied => (clause.tokens.clone(), false),
            (None, Some(hit)) => (hit.start..hit.end, !clause.denies),
            (None, None) => return,
        };
        let names = self.names_in(&clause.tokens).iter();
        let who = names.map(|(name, ..)| name.clone()).collect();
        let times = self.times(clause);
        self.draft(Said::Booked { done, who, times }, hit);
    }

    fn times(&self, clause: &Clause) -> Vec<String> {
        let reading = self.reading;
        let digits = |at: usize| {
            let token = reading.tokens.get(at)?;
            (token.shape == Shape::Number && token.low.len() <= 2).then_some(token.low.as_str())
        };
        let times = clause.tokens.clone().filter_map(|at| {
            let (hour, minute) = (digits(at)?, digits(at + 2)?);
            (reading.low(at + 1) == ":").then(|| format!("{hour:0>2}:{minute}"))
        });
        times.collect()
    }
}
