//! Days and hours as people name them: `Friday after 12:30`, `wed or thurs mornings`, `6/1`.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::super::Time;

/// The hours that parts of a day have.
const PARTS: [(&str, i64, i64); 6] = [
    ("morning", 5, 12),
    ("midday", 11, 14),
    ("afternoon", 12, 17),
    ("evening", 17, 21),
    ("night", 20, 28),
    ("redeye", 21, 32),
];

const EARLY: Hours = Hours::of(0, 9);
const LATE: Hours = Hours::of(19, 28);
const WHOLE: Hours = Hours::of(0, 24);

/// A stretch of time that somebody named.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    pub start: Time,
    pub end: Time,
    /// Both ends were said: `3 to 7`.
    pub exact: bool,
    /// A time was said: `at 9am`.
    pub point: bool,
}

/// Minutes from midnight.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Hours {
    from: i64,
    to: i64,
    exact: bool,
    point: bool,
}

impl Hours {
    const fn of(from: i64, to: i64) -> Hours {
        Hours {
            from: from * 60,
            to: to * 60,
            exact: false,
            point: false,
        }
    }

    fn on(self, day: Date) -> Window {
        let at = |minutes: i64| Time(day.at(0, 0, 0, 0).saturating_add(minutes.minutes()));
        Window {
            start: at(self.from),
            end: at(self.to),
            exact: self.exact,
            point: self.point,
        }
    }
}

enum Item {
    Day(Date),
    Hours(Hours),
}

/// The windows that words name. Hours without a day are on one of `usual`.
pub(super) fn windows(words: &[String], days: &[Date], usual: &[Date]) -> Vec<Window> {
    let items = items(words, days);
    let (mut found, mut open, mut hours, mut last) =
        (Vec::new(), Vec::new(), Vec::<Hours>::new(), None);
    for (at, (place, item)) in items.iter().enumerate() {
        match item {
            Item::Day(day) if hours.is_empty() => open.push(*day),
            Item::Day(day) => {
                found.extend(hours.drain(..).map(|hours| hours.on(*day)));
                last = Some(*day);
            }
            Item::Hours(own) => {
                let next = items
                    .get(at + 1)
                    .filter(|(_, next)| matches!(next, Item::Day(_)));
                let belongs = next.is_some_and(|(next, _)| {
                    let between = &words[place + 1..*next];
                    between.iter().all(|word| is_within(word))
                        && (open.is_empty() || !between.is_empty())
                });
                if belongs {
                    hours.push(*own);
                } else if let Some(day) = open.last() {
                    last = Some(*day);
                    found.extend(open.drain(..).map(|day| own.on(day)));
                } else if let Some(day) = last {
                    found.push(own.on(day));
                } else {
                    hours.push(*own);
                }
            }
        }
    }
    // Who names all days wants none of them more than others.
    if days.iter().any(|day| !open.contains(day)) {
        found.extend(open.iter().map(|day| WHOLE.on(*day)));
    }
    for own in hours {
        found.extend(usual.iter().map(|day| own.on(*day)));
    }
    found
}

fn is_within(word: &str) -> bool {
    matches!(word, "on" | "of" | "this" | "the" | "in")
}

fn items(words: &[String], days: &[Date]) -> Vec<(usize, Item)> {
    let (mut items, mut place) = (Vec::new(), 0);
    while place < words.len() {
        if let Some((day, used)) = day(&words[place..], days) {
            let within = place > 0 && words[place - 1] == "between";
            let range = within && words.get(place + used).is_some_and(|word| word == "and");
            let second = words
                .get(place + used + 1..)
                .and_then(|rest| self::day(rest, days));
            match second.filter(|_| range) {
                Some((_, more)) => place += used + 1 + more,
                None => {
                    items.push((place, Item::Day(day)));
                    place += used;
                }
            }
        } else if let Some((hours, used)) = hours(words, place, days) {
            items.push((place + used - 1, Item::Hours(hours)));
            place += used;
        } else {
            place += 1;
        }
    }
    items
}

/// A day and how many words name it.
fn day(words: &[String], days: &[Date]) -> Option<(Date, usize)> {
    let first = words.first()?;
    if let Some((month, day)) = first.split_once('/') {
        let (month, day): (i8, i8) = (month.parse().ok()?, day.parse().ok()?);
        let known = days
            .iter()
            .find(|known| known.month() == month && known.day() == day);
        return Some((*known?, 1));
    }
    let name = first.strip_suffix('s').unwrap_or(first);
    let weekday = match name {
        "mon" | "monday" => Weekday::Monday,
        "tue" | "tues" | "tuesday" => Weekday::Tuesday,
        "wed" | "weds" | "wednesday" | "wendesday" | "wensday" | "wednsday" => Weekday::Wednesday,
        "thu" | "thur" | "thursday" => Weekday::Thursday,
        "fri" | "friday" => Weekday::Friday,
        "sat" | "saturday" => Weekday::Saturday,
        "sun" | "sunday" => Weekday::Sunday,
        _ => {
            let number = |word: &str| {
                let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
                digits.parse::<i8>().ok()
            };
            let month = |word: &str| ["may", "june", "july"].iter().position(|m| *m == word);
            let second = words.get(1)?;
            let (month, day) = match (month(first), month(second)) {
                (Some(month), None) => (month, number(second)?),
                (None, Some(month)) => (month, number(first)?),
                _ => return None,
            };
            let fits = |known: &&Date| {
                usize::from(known.month().unsigned_abs()) == month + 5 && known.day() == day
            };
            return Some((*days.iter().find(fits)?, 2));
        }
    };
    let known = days.iter().find(|day| day.weekday() == weekday);
    Some((*known?, 1))
}

/// Hours and how many words name them.
fn hours(words: &[String], place: usize, days: &[Date]) -> Option<(Hours, usize)> {
    let rest = &words[place..];
    let before = place
        .checked_sub(1)
        .map(|place| words[place].as_str())
        .unwrap_or_default();
    let word = rest[0].as_str();
    let part = |word: &str| {
        let stem = word.strip_suffix('s').unwrap_or(word);
        PARTS
            .iter()
            .find(|(name, ..)| *name == stem)
            .map(|(_, from, to)| Hours::of(*from, *to))
    };
    let next = rest.get(1).map(String::as_str).unwrap_or_default();
    match word {
        "early" | "late" => {
            let by = day(&rest[1..], days).is_some();
            let own = if word == "early" { EARLY } else { LATE };
            let used = match part(next) {
                Some(_) => 2,
                None if by
                    || next == "at"
                    || place > 0 && day(&words[place - 1..], days).is_some() =>
                {
                    1
                }
                None => return None,
            };
            return Some((own, used));
        }
        "later" if next == "in" => return Some((Hours::of(15, 28), 1)),
        _ => {}
    }
    if let Some(hours) = part(word) {
        return Some((hours, 1));
    }
    let (first, half, used) = clock(rest)?;
    let joins = |word: &String| matches!(word.as_str(), "to" | "until" | "till" | "and");
    let joined = rest
        .get(used)
        .filter(|word| joins(word) && (*word != "and" || before == "between"));
    if let Some((second, later, more)) = joined.and_then(|_| clock(&rest[used + 1..])) {
        let (from, to) = span((first, half), (second, later));
        let exact = Hours {
            from,
            to,
            exact: true,
            point: false,
        };
        return Some((exact, used + 1 + more));
    }
    let leads = [
        "after", "past", "before", "by", "until", "till", "at", "around", "from", "since",
    ];
    if half.is_none() && !rest[0].contains(':') && !(leads.contains(&before) && first < 13 * 60) {
        return None;
    }
    let at = single(first, half);
    let hours = match before {
        "after" | "past" | "since" | "from" => Hours {
            from: at,
            to: 28 * 60,
            exact: false,
            point: false,
        },
        "before" | "by" | "until" | "till" => Hours {
            from: 0,
            to: at,
            exact: false,
            point: false,
        },
        _ => Hours {
            from: at,
            to: at + 60,
            exact: false,
            point: true,
        },
    };
    Some((hours, used))
}

/// A time of the clock in minutes, whether it is after noon if that was said, and how many words.
fn clock(words: &[String]) -> Option<(i64, Option<bool>, usize)> {
    let first = words.first()?.as_str();
    if first == "noon" {
        return Some((720, Some(true), 1));
    }
    let (digits, half) = match first.strip_suffix("pm") {
        Some(digits) => (digits, Some(true)),
        None => match first.strip_suffix("am") {
            Some(digits) => (digits, Some(false)),
            None => (first, None),
        },
    };
    let (hour, minute): (i64, i64) = match digits.split_once(':') {
        Some((hour, minute)) => (hour.parse().ok()?, minute.parse().ok()?),
        None => match digits.parse::<i64>().ok()? {
            // `830` is half past eight.
            whole @ 100..=1259 => (whole / 100, whole % 100),
            whole => (whole, 0),
        },
    };
    if !(1..=12).contains(&hour) || !(0..60).contains(&minute) {
        return None;
    }
    let (half, used) = match (half, words.get(1).map(String::as_str)) {
        (None, Some("pm")) => (Some(true), 2),
        (None, Some("am")) => (Some(false), 2),
        _ => (half, 1),
    };
    Some((60 * (hour % 12) + minute, half, used))
}

/// Without `am` and `pm`, hours of the usual day.
fn single(clock: i64, half: Option<bool>) -> i64 {
    let later = half.unwrap_or(clock < 8 * 60);
    clock + if later { 720 } else { 0 }
}

fn span(first: (i64, Option<bool>), second: (i64, Option<bool>)) -> (i64, i64) {
    let from = match (first, second) {
        ((clock, None), (other, Some(half))) => {
            // `11 to 1 pm` begins in the morning.
            single(clock, Some(half == (clock < other)))
        }
        ((clock, half), _) => single(clock, half),
    };
    let to = match second {
        (clock, Some(half)) => single(clock, Some(half)),
        (clock, None) if clock > from % 720 => from - from % 720 + clock,
        (clock, None) => from - from % 720 + 720 + clock,
    };
    (from, if to <= from { to + 1440 } else { to })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> String {
        let days = [31, 1, 2].map(|day| Date::constant(2023, if day > 9 { 5 } else { 6 }, day));
        let found = windows(&super::super::tone::words(text), &days, &days[2..]);
        let show = |window: &Window| {
            let (start, end) = (window.start.0, window.end.0);
            let mark = if window.exact {
                "!"
            } else if window.point {
                "."
            } else {
                ""
            };
            format!(
                "{}{mark}",
                [start.strftime("%a %-H:%M"), end.strftime("%-H:%M")]
                    .map(|t| t.to_string())
                    .join("-")
            )
        };
        found.iter().map(show).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn days_and_hours_are_read_as_people_name_them() {
        for (text, expected) in [
            (
                "Friday afternoon, or super early Thursday morning",
                "Fri 12:00-17:00, Thu 0:00-9:00, Thu 5:00-12:00",
            ),
            (
                "Wed. and Thursday mornings look good",
                "Wed 5:00-12:00, Thu 5:00-12:00",
            ),
            (
                "after 6 PM on Thursday or before 10 AM on Wednesday",
                "Thu 18:00-4:00, Wed 0:00-10:00",
            ),
            (
                "my 3 to 7 meeting on Friday and my 830 to 9 on Thursday",
                "Fri 15:00-19:00!, Thu 8:30-9:00!",
            ),
            (
                "low from 11-3 on Thursday, before 1 PM on Friday",
                "Thu 11:00-15:00!, Fri 0:00-13:00",
            ),
            ("Friday from 1:30 - 5:30 PM", "Fri 13:30-17:30!"),
            ("11 AM until 3:30 PM", "Fri 11:00-15:30!"),
            ("between 5/31 and 6/2 for 300 or 2 meetings", ""),
            ("that meeting at 9am on 2nd June", "Fri 9:00-10:00."),
            ("late 6/1 or early 6/2", "Thu 19:00-4:00, Fri 0:00-9:00"),
            ("6/4 is bad", ""),
            ("Wednesday, Thursday or Friday", ""),
        ] {
            assert_eq!(named(text), expected, "{text}");
        }
    }
}
