//! Proposals of mediation, as text and as numbers.

use super::{Mediation, MediationWorld};
use crate::game::Decision;
use crate::illegal::{Code, Illegal};

/// Reads `user 0: id A, user 1: id B`; the word id may be left out.
pub(super) fn read(world: &MediationWorld, text: &str) -> Result<Decision, Illegal> {
    let wrong =
        || Code::BadProposal.because("Propose \"user 0: id A, user 1: id B\", always for both.");
    let parts: Vec<&str> = text
        .split([',', '\n'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let mut flights = [None, None];
    for part in parts {
        let (who, id) = part.split_once(':').ok_or_else(wrong)?;
        let who = who.trim().to_lowercase();
        let user = match who.split_whitespace().collect::<Vec<_>>()[..] {
            ["user", "0"] => 0,
            ["user", "1"] => 1,
            _ => return Err(wrong()),
        };
        let id = id.trim().to_lowercase();
        let number = id.strip_prefix("id").unwrap_or(&id).trim();
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        // A number that is too long for us is no flight, either.
        let number = number.parse().unwrap_or(u64::MAX);
        if flights[user].replace(number).is_some() {
            return Err(wrong());
        }
    }
    let [Some(a), Some(b)] = flights else {
        return Err(wrong());
    };
    known(world, [a, b])
}

/// Checks a list of two numbers of flights.
pub(super) fn check(world: &MediationWorld, decision: &Decision) -> Result<Decision, Illegal> {
    let pair = decision.as_array().map(Vec::as_slice);
    let numbers = match pair {
        Some([a, b]) => a.as_u64().zip(b.as_u64()),
        _ => None,
    };
    let (a, b) = numbers.ok_or_else(|| {
        Code::BadProposal
            .because("A proposal is a list of two numbers of flights, one for each user.")
    })?;
    known(world, [a, b])
}

fn known(world: &MediationWorld, flights: [u64; 2]) -> Result<Decision, Illegal> {
    for (which, (flight, user)) in flights.iter().zip(&world.users).enumerate() {
        let last = user.flights.len() - 1;
        if *flight > last as u64 {
            return Err(Code::UnknownFlight
                .because(format!("The flights of user {which} are 0 to {last}.")));
        }
    }
    Ok(Mediation::decision(flights.map(|flight| flight as usize)))
}
