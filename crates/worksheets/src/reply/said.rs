use serde_json::Value as Json;

/// Whether a reply has a value, in one of the ways in which people write it.
///
/// ```
/// use serde_json::json;
/// use worksheets::is_said;
///
/// assert!(is_said("A table for two at 7:30 pm", &json!([2, "19:30"])));
/// assert!(is_said("on 5 December", &json!("2026-12-05")));
/// assert!(!is_said("a table for three", &json!(13)));
/// ```
pub fn is_said(reply: &str, value: &Json) -> bool {
    let reply_folded = folded(reply);
    match value {
        Json::Null | Json::Bool(_) => true,
        Json::Array(items) => items.iter().all(|item| is_said(reply, item)),
        Json::Object(row) => {
            let columns = row.values();
            let mut columns = columns.filter(|it| !it.is_null() && !it.is_boolean());
            let first = columns.next();
            first.is_none_or(|first| is_said(reply, first))
                || columns.any(|column| is_said(reply, column))
        }
        Json::Number(number) => {
            let digits = number.to_string();
            let mut numbers = reply.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-');
            numbers.any(|it| it.trim_end_matches('.') == digits) || spelled(number, &reply_folded)
        }
        Json::String(text) if text == "NA" => true,
        Json::String(text) => {
            reply_folded.contains(&folded(text))
                || is_date_said(text, reply)
                || is_time_said(text, reply)
        }
    }
}

/// The words of a text that is retold rather than cited, from this many on.
const PROSE: usize = 8;

/// Whether a reply speaks of a value: it has something of it. Names are often shortened to their
/// beginning, and of prose a word is enough.
pub(super) fn is_told(reply: &str, value: &Json) -> bool {
    told(reply, value) != Some(false)
}

/// Nothing where there is nothing to tell: no row is told by the `null` in it.
fn told(reply: &str, value: &Json) -> Option<bool> {
    let any = |mut all: Box<dyn Iterator<Item = &Json> + '_>| {
        let first = all.find_map(|item| told(reply, item))?;
        Some(first || all.any(|item| told(reply, item) == Some(true)))
    };
    match value {
        Json::Null | Json::Bool(_) => None,
        Json::Array(items) => any(Box::new(items.iter())),
        Json::Object(map) => any(Box::new(map.values())),
        Json::Number(_) => Some(is_said(reply, value)),
        Json::String(text) if text == "NA" => None,
        Json::String(text) => {
            let is_prose = text.split_whitespace().count() >= PROSE;
            let (short, count) = if is_prose { (4, usize::MAX) } else { (3, 1) };
            let reply_words: Vec<String> = words(reply).collect();
            let own = words(text).filter(|word| word.chars().count() > short);
            let mut own = own.take(count);
            Some(is_said(reply, value) || own.any(|word| reply_words.contains(&word)))
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.map(str::to_lowercase)
}

fn folded(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// The small numbers as people write them.
const SMALL: [&str; 21] = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

fn spelled(number: &serde_json::Number, reply: &str) -> bool {
    let small = number.as_u64().and_then(|it| usize::try_from(it).ok());
    let word = small.and_then(|number| SMALL.get(number));
    word.is_some_and(|word| reply.contains(word))
}

/// `2026-12-05` as "5 December" or "December 5th".
fn is_date_said(text: &str, reply: &str) -> bool {
    let Ok(date) = text.parse::<jiff::civil::Date>() else {
        return false;
    };
    let day = date.day().to_string();
    let mut numbers = reply.split(|c: char| !c.is_ascii_digit());
    let month = date.strftime("%b").to_string().to_lowercase();
    numbers.any(|it| it.trim_start_matches('0') == day) && reply.to_lowercase().contains(&month)
}

/// `19:30` as "7:30 pm".
fn is_time_said(text: &str, reply: &str) -> bool {
    let Ok(time) = text.parse::<jiff::civil::Time>() else {
        return false;
    };
    if text.len() > 8 || !text.contains(':') {
        return false;
    }
    let hour = (time.hour() + 11) % 12 + 1;
    let mut numbers = reply.split(|c: char| !c.is_ascii_digit());
    numbers.any(|it| it.trim_start_matches('0') == hour.to_string())
        && (time.minute() == 0 || reply.contains(&format!("{:02}", time.minute())))
}
