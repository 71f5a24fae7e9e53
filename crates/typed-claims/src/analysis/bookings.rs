//! What a clause says about a booking.

use super::{Analysis, Said};
use crate::clause::Clause;
use crate::lexicon::Cue;

impl Analysis<'_, '_> {
    pub(super) fn bookings(&mut self, clause: &Clause) {
        if clause.question || clause.hypothesis {
            return;
        }
        let refused = self.reading.within(Cue::Refused, &clause.tokens).first();
        let booked = self.reading.within(Cue::Booked, &clause.tokens).first();
        let denied = self.reader.about_seats(self.reading, clause);
        let (hit, done) = match (refused, booked) {
            (Some(hit), _) => (hit.start..hit.end, false),
            (None, _) if denied => (clause.tokens.clone(), false),
            (None, Some(hit)) => (hit.start..hit.end, !clause.denies),
            (None, None) => return,
        };
        self.draft(Said::Booked(done), hit);
    }
}
