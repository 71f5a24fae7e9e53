//! What a goal must be, so that a user can follow it.

use super::WISHES;
use crate::dialogues::Dialogue;

/// What can be asked of a restaurant.
const REQUESTS: [&str; 6] = ["address", "area", "food", "phone", "postcode", "pricerange"];

/// What a booking needs.
const BOOKING: [&str; 3] = ["day", "time", "people"];

/// Why no user can follow the goal of a dialogue, as a sentence; none if one can.
pub fn problem_of(dialogue: &Dialogue) -> Option<String> {
    let goal = &dialogue.goal;
    let known = |slot: &String| slot == "name" || WISHES.contains(&slot.as_str());
    let mut wishes = goal.info.keys().chain(goal.fail_info.keys());
    if let Some(slot) = wishes.find(|slot| !known(slot)) {
        return Some(format!(
            "nobody can wish for {slot}: {} or name is expected",
            WISHES.join(", ")
        ));
    }
    let mut requests = goal.reqt.iter();
    if let Some(slot) = requests.find(|slot| !REQUESTS.contains(&slot.as_str())) {
        return Some(format!(
            "nobody can ask for {slot}: one of {} is expected",
            REQUESTS.join(", ")
        ));
    }
    if goal.info.is_empty() {
        return Some("info has no wish".to_owned());
    }
    let book = goal.book();
    let missing = BOOKING.iter().find(|slot| !book.contains_key(**slot));
    missing
        .filter(|_| goal.is_booking())
        .map(|slot| format!("book has no {slot} as a text"))
}
