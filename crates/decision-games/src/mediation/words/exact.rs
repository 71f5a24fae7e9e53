//! Times as the game shows them: `5/31 8 PM - 10:30 PM (+1)`.

use jiff::ToSpan;
use jiff::civil::DateTime;

use super::super::Time;

/// A time that was said: from when to when, and the words behind it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::mediation) struct Said {
    pub start: Time,
    pub end: Time,
    pub behind: String,
}

/// The times `M/D h[:mm] AM - h[:mm] PM [(+1)]` in a text, in this year.
pub(in crate::mediation) fn times(text: &str, year: i16) -> Vec<Said> {
    let spaced = text
        .replace(['–', '—'], "-")
        .replace('-', " - ")
        .replace(',', " , ");
    let spaced = spaced.replace("(+1)", " +1 ").replace(['(', ')', ';'], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (mut found, mut place, mut day): (Vec<Said>, usize, Option<DateTime>) =
        (Vec::new(), 0, None);
    while place < words.len() {
        if let Some(new) = month_day(words[place], year) {
            day = Some(new);
            place += 1;
            continue;
        }
        let span = day.and_then(|day| span(&words[place..], day));
        match (span, found.last_mut()) {
            (Some((start, end, used)), _) => {
                let behind = String::new();
                found.push(Said {
                    start: Time(start),
                    end: Time(end),
                    behind,
                });
                place += used;
            }
            (None, Some(last)) => {
                last.behind += words[place].trim_end_matches(['.', '!', '?']);
                last.behind.push(' ');
                place += 1;
            }
            (None, None) => place += 1,
        }
    }
    found
}

fn month_day(word: &str, year: i16) -> Option<DateTime> {
    let (month, day) = word
        .trim_matches(|c: char| !c.is_ascii_digit())
        .split_once('/')?;
    let day = jiff::civil::Date::new(year, month.parse().ok()?, day.parse().ok()?).ok()?;
    Some(day.at(0, 0, 0, 0))
}

/// Start, end and how many words they take.
fn span(words: &[&str], day: DateTime) -> Option<(DateTime, DateTime, usize)> {
    let (start, first) = clock(words)?;
    let rest = words.get(first..)?;
    if !matches!(*rest.first()?, "-" | "to" | "until") {
        return None;
    }
    let (end, second) = clock(rest.get(1..)?)?;
    let used = first + 1 + second;
    let later = words.get(used).is_some_and(|word| *word == "+1");
    let at = |minutes: i64| day.saturating_add(minutes.minutes());
    let overnight = if later || end < start { 1440 } else { 0 };
    Some((at(start), at(end + overnight), used + usize::from(later)))
}

/// Minutes of the day, and how many words say it: `8 PM`, `8:30PM`.
fn clock(words: &[&str]) -> Option<(i64, usize)> {
    let first = words.first()?.to_lowercase();
    let first = first.trim_end_matches(['.', '!', '?']);
    let (digits, half, used) = match first
        .strip_suffix("am")
        .or_else(|| first.strip_suffix("pm"))
    {
        Some(digits) => (digits, &first[digits.len()..], 1),
        None => (first, words.get(1)?.trim_end_matches(['.', '!', '?']), 2),
    };
    let (hour, minute) = digits.split_once(':').unwrap_or((digits, "0"));
    let (hour, minute): (i64, i64) = (hour.parse().ok()?, minute.parse().ok()?);
    let half = half.to_lowercase();
    let noon = match half.as_str() {
        "am" => 0,
        "pm" => 12,
        _ => return None,
    };
    let legal = (1..=12).contains(&hour) && (0..60).contains(&minute);
    legal.then_some((60 * (hour % 12 + noon) + minute, used))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn times_are_read_as_they_are_shown() {
        let found = times(
            "I have 5/31 8 PM - 10:30 PM (high), 6/1 11PM to 1 AM low",
            2023,
        );
        assert_eq!(found.len(), 2);
        assert_eq!(json!(found[0].end), json!("2023-05-31T22:30"));
        assert_eq!(
            (found[0].behind.trim(), found[1].behind.trim()),
            ("high ,", "low")
        );
        assert_eq!(json!(found[1].end), json!("2023-06-02T01:00"));
    }
}
