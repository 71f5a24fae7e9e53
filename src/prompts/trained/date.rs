//! The date, for models that learned from dialogues without one.
//!
//! A sentence that training never showed can change any answer. So these models are told the
//! date only in a turn whose words ask for it. All other prompts are as in training.

use crate::llm::Message;
use crate::prompts::date::sentence;
use jiff::civil::Date;

/// The words, beside the names of days and months and spans as `30d`, that only a date gives a
/// meaning. `now`, `day`, `date` and `old` mostly say something else in the dialogues.
const WORDS: &[&str] = &[
    "ago",
    "days",
    "expired",
    "expiring",
    "fortnight",
    "hours",
    "lately",
    "minutes",
    "month",
    "months",
    "newer",
    "older",
    "overdue",
    "quarter",
    "recent",
    "recently",
    "stale",
    "today",
    "tomorrow",
    "tonight",
    "week",
    "weekend",
    "weeks",
    "year",
    "years",
    "yesterday",
];

/// Without May, which is also a verb.
const NAMES: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Adds the date to the user's words, if they ask for it.
pub(crate) fn tell_date(asked: &mut Message, today: Date) {
    if asks(&asked.content) {
        asked.content = format!("{}\n({})", asked.content, sentence(today));
    }
}

fn asks(words: &str) -> bool {
    let words = words.to_lowercase();
    words.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let word = word.strip_suffix("'s").unwrap_or(word);
        // `30-day` and `2h` are spans. Other words that are not plain name a key or a bucket.
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_span = unit.len() < word.len();
        let word = unit.strip_prefix('-').filter(|_| is_span).unwrap_or(unit);
        let singular = word.strip_suffix('s').unwrap_or(word);
        is_span && ["d", "h", "w", "y", "day", "hour"].contains(&word)
            || WORDS.contains(&word)
            || NAMES.contains(&singular)
    })
}
