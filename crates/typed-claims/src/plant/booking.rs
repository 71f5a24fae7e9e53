//! Bookings that the programs did not make: `ref_invented`, `booked_false`.

use serde_json::json;

use super::edit::replace;
use super::{Label, Planted, Site};
use crate::chance::Chance;

pub(super) fn plant(site: &Site<'_>, chance: &mut Chance) -> Vec<Planted> {
    let references = site.turn.values(&["Booking-Book"], "ref");
    let [reference] = references.as_slice() else {
        return Vec::new();
    };
    let reference = reference.to_uppercase();
    let made = json!({"reference": reference});
    let mut label = Label::of(true, Some(true));
    label.booking = false;
    let mut planted = Vec::new();
    let other = another(&reference, chance);
    if let Some(reply) = replace(&site.turn.text, &reference, &other) {
        planted.push(Planted {
            operator: "ref_invented",
            reply,
            label,
            results: Some((made.clone(), made.clone())),
        });
    }
    planted.push(Planted {
        operator: "booked_false",
        reply: site.turn.text.clone(),
        label,
        results: Some((made, json!({"error": "NotAvailable"}))),
    });
    planted
}

/// A reference with another letter or digit.
fn another(reference: &str, chance: &mut Chance) -> String {
    let at = chance.below(reference.len());
    let letters = reference
        .chars()
        .enumerate()
        .map(|(place, letter)| match letter {
            _ if place != at => letter,
            '9' => '2',
            'Z' => 'B',
            letter => char::from_u32(letter as u32 + 1).unwrap_or('A'),
        });
    letters.collect()
}
