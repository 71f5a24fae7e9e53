//! Bookings, against what programs did.

use serde_json::{Map, Value as Json};

use super::Judge;
use crate::analysis::{Name, Said};
use crate::claim::ClaimRule;

impl Judge<'_> {
    /// Whether an outcome has the reference or made the booking, or refused it in the last program.
    /// Name and time in the clause of a booking are that booking's.
    pub(super) fn booking(&self, said: &Said) -> ClaimRule {
        let Some(evidence) = self.evidence else {
            return ClaimRule::Exempt;
        };
        let outcome = |is: bool| {
            if is {
                ClaimRule::Outcome
            } else {
                ClaimRule::NoOutcome
            }
        };
        match said {
            Said::Ref(value) => outcome(evidence.names(value)),
            Said::Booked { done: false, .. } => outcome(evidence.refused()),
            Said::Booked { who, times, .. } => {
                let fits = |booking: &Map<String, Json>| self.names(booking, who, times);
                match evidence.bookings().map(fits).max() {
                    None => ClaimRule::NoOutcome,
                    Some(false) => ClaimRule::OtherDetails,
                    Some(true) => ClaimRule::Outcome,
                }
            }
            _ => ClaimRule::Exempt,
        }
    }

    fn names(&self, booking: &Map<String, Json>, who: &[Name], times: &[String]) -> bool {
        let text = |slot: &str| booking.get(slot).and_then(Json::as_str);
        let named = |name: &str| {
            let rows = self.rows(who);
            let mut names = rows.iter().map(|row| self.catalogue.name(*row));
            who.is_empty() || names.any(|other| other.eq_ignore_ascii_case(name))
        };
        text("name").is_none_or(named)
            && text("time").is_none_or(|time| times.iter().all(|said| said == time))
    }
}
