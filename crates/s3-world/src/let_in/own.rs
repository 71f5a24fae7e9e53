//! Accounts that are one's own, beside that of the world.

use super::elsewhere::destinations;
use super::{Party, who_is_let_in};
use crate::domain::Value;

/// Those whom a call lets in, or sends something to, beside these own accounts.
pub fn others(operation: &str, params: &Value, own: &[String]) -> Vec<Party> {
    let mut found = who_is_let_in(operation, params);
    found.retain(|party| party.is_other() && !is_of(party, own));
    if !own.is_empty() {
        // A bucket says nothing of its owner, and the setting does.
        let own_places: Vec<&str> = destinations(operation, params)
            .into_iter()
            .filter(|it| it.account.is_some_and(|account| is_own(account, own)))
            .map(|it| it.bucket)
            .collect();
        found.retain(|party| match party {
            Party::Place(name) => !own_places.contains(&name.as_str()),
            _ => true,
        });
    }
    found
}

/// The accounts among them that the call names.
pub fn accounts(operation: &str, params: &Value, own: &[String]) -> Vec<String> {
    let others = others(operation, params, own).into_iter();
    let named = others.filter_map(|party| match party {
        Party::Account(name) | Party::Key(name) | Party::Place(name) => {
            let number = number(&name);
            let is_one = number.len() == 12 && number.bytes().all(|it| it.is_ascii_digit());
            let is_canonical = name.len() == 64 && name.bytes().all(|it| it.is_ascii_hexdigit());
            (is_one || is_canonical).then(|| number.to_owned())
        }
        _ => None,
    });
    let mut named: Vec<String> = named.collect();
    named.sort();
    named.dedup();
    named
}

/// Whether somebody is one of these own accounts.
pub fn is_of(party: &Party, own: &[String]) -> bool {
    match party {
        Party::Account(name) | Party::Key(name) | Party::Place(name) => is_own(name, own),
        _ => false,
    }
}

fn is_own(name: &str, own: &[String]) -> bool {
    own.iter().any(|it| it == number(name))
}

/// The number in an ARN; otherwise the name itself.
fn number(name: &str) -> &str {
    match name.strip_prefix("arn:") {
        Some(rest) => rest.split(':').nth(3).unwrap_or_default(),
        None => name,
    }
}
