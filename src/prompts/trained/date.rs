//! The date, for models that learned from dialogues without one.
//!
//! A sentence that training never showed can change any answer. So these models are told the
//! date only in a turn whose words ask for it. All other prompts are as in training.

use crate::llm::Message;
use crate::prompts::date::sentence;
use jiff::civil::Date;

/// The words that only a date gives a meaning.
const WORDS: &[&str] = &[
    "ago",
    "expiring",
    "fortnight",
    "lately",
    "overdue",
    "recent",
    "recently",
    "stale",
    "today",
    "tomorrow",
    "yesterday",
];

/// Units that a date gives a meaning behind one of [`BEFORE_UNITS`]: *the last 30 days*, but not
/// *by month* and *keep it for 90 days*.
const UNITS: &[&str] = &[
    "minutes", "hours", "days", "week", "weeks", "weekend", "month", "months", "quarter", "year",
    "years",
];

/// Units behind a number without a space.
const SPANS: &[&str] = &["d", "h", "w", "y", "day", "hour"];

const BEFORE_UNITS: &[&str] = &[
    "last", "next", "past", "previous", "since", "than", "this", "within",
];

/// What is before a day or a month that something is compared with: *since Monday*, *of 2 March*.
const BEFORE_NAMES: &[&str] = &[
    "after", "before", "by", "during", "from", "in", "last", "of", "on", "since", "this", "till",
    "until",
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
    let words: Vec<&str> = words.split_whitespace().map(bare).collect();
    let is_before = |at: usize, far: usize, list: &[&str]| {
        let before = words.iter().take(at).rev();
        before.take(far).any(|word| list.contains(word))
    };
    words.iter().enumerate().any(|(at, word)| {
        // `30-day` and `2h` are spans. Other words that are not plain name a key or a bucket.
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_span = unit.len() < word.len();
        let unit = unit.strip_prefix('-').unwrap_or(unit);
        let singular = word.strip_suffix('s').unwrap_or(word);
        is_span && (UNITS.contains(&unit) || SPANS.contains(&unit))
            // "Not today" and "that is all for today" say nothing of a time.
            || WORDS.contains(word) && !is_before(at, 1, &["for", "not"])
            || UNITS.contains(word) && is_before(at, 2, BEFORE_UNITS)
            || NAMES.contains(&singular) && is_before(at, 2, BEFORE_NAMES)
    })
}

/// A word without what stands around it.
fn bare(word: &str) -> &str {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.strip_suffix("'s").unwrap_or(word)
}
