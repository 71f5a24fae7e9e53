//! What people say about time: how important it is to them, and what displeases them.

use crate::text;

/// What meetings count that are called so, from 1 to 10.
pub(super) const HIGH: f64 = 9.0;
pub(super) const LOW: f64 = 2.0;
/// What a meeting counts without a word about it, or by a word such as medium.
pub(super) const USUAL: f64 = 5.5;

/// How the importance of a meeting is named behind its hours.
const NAMES: [(&str, f64); 12] = [
    ("not important", LOW),
    ("not very important", LOW),
    ("low", LOW),
    ("unimportant", LOW),
    ("can skip", LOW),
    ("medium", USUAL),
    ("somewhat important", USUAL),
    ("high", HIGH),
    ("very important", HIGH),
    ("really important", HIGH),
    ("can't miss", HIGH),
    ("important", HIGH),
];

/// The importance that is named in the words behind the hours of a meeting.
pub(super) fn of_name(behind: &str) -> Option<f64> {
    let behind = behind.to_lowercase();
    let named = NAMES.iter().find(|(name, _)| behind.contains(name));
    named.map(|(_, importance)| *importance)
}

/// The words of a sentence; a dash between hours is `to`.
pub(super) fn words(sentence: &str) -> Vec<String> {
    let lower = sentence.to_lowercase().replace("(+1)", " ");
    let lower = lower
        .replace("p.m", "pm")
        .replace("a.m", "am")
        .replace("mid day", "midday");
    let lower = lower
        .replace("mid-day", "midday")
        .replace("red eye", "redeye")
        .replace("red-eye", "redeye");
    let chars: Vec<char> = lower.chars().collect();
    let mut plain = String::new();
    for (place, c) in chars.iter().enumerate() {
        if !matches!(c, '-' | '–' | '—') {
            plain.push(*c);
            continue;
        }
        let solid = |c: &&char| **c != ' ';
        let before = chars[..place].iter().rev().find(solid);
        let hour = before.is_some_and(|c| c.is_ascii_digit() || *c == 'm');
        let after = chars[place + 1..]
            .iter()
            .find(solid)
            .is_some_and(char::is_ascii_digit);
        plain += if hour && after { " to " } else { " " };
    }
    text::words(&plain)
}

/// The parts of a sentence that are said of different times.
pub(super) fn clauses(words: &[String]) -> Vec<&[String]> {
    let ends = |word: &String| {
        matches!(
            word.as_str(),
            "but" | "although" | "though" | "unless" | "however" | "since" | "because"
        )
    };
    words.split(ends).filter(|part| !part.is_empty()).collect()
}

const NOT: [&str; 19] = [
    "no", "not", "don't", "dont", "isn't", "aren't", "arent", "isnt", "can't", "cannot", "cant",
    "won't", "wont", "never", "without", "avoid", "nothing", "rather", "couldn't",
];

fn near(words: &[String], place: usize, reach: usize, wanted: &[&str]) -> bool {
    words[place.saturating_sub(reach)..place]
        .iter()
        .any(|word| wanted.contains(&word.as_str()))
}

/// How important the meetings are that words are about; none if they do not say it.
pub(super) fn importance(words: &[String]) -> Option<f64> {
    for (place, word) in words.iter().enumerate() {
        let (denied, mild) = (
            near(words, place, 4, &NOT),
            near(
                words,
                place,
                3,
                &[
                    "mildly",
                    "somewhat",
                    "medium",
                    "moderately",
                    "fairly",
                    "semi",
                ],
            ),
        );
        let little = near(words, place, 3, &["low", "lowest", "least", "less"]);
        match word.as_str() {
            "skip" | "skipped" | "miss" | "missed" | "missing" | "overlap" => {
                let may = [
                    "can", "could", "gotta", "afford", "able", "mind", "willing", "fine", "ok",
                    "okay", "may",
                ];
                if denied {
                    return Some(HIGH);
                }
                if near(words, place, 4, &may) {
                    return Some(LOW);
                }
            }
            "important" | "imporant" | "importance" | "priority" if denied || little => {
                return Some(LOW);
            }
            "important" | "imporant" | "importance" | "priority" if mild => return Some(USUAL),
            "important" | "imporant" | "crucial" | "critical" => return Some(HIGH),
            "unimportant" => return Some(LOW),
            "high" if denied => return Some(LOW),
            "high" => return Some(HIGH),
            "medium" => return Some(USUAL),
            "low" => return Some(LOW),
            "attend" | "avoid" | "avoids" => return Some(HIGH),
            _ => {}
        }
    }
    None
}

/// Whether words speak against the time that they name.
pub(super) fn is_bad(words: &[String]) -> bool {
    const BAD: [&str; 22] = [
        "avoid",
        "rough",
        "bad",
        "busy",
        "booked",
        "full",
        "packed",
        "terrible",
        "can't",
        "cannot",
        "cant",
        "won't work",
        "wont work",
        "not work",
        "not going to work",
        "doesn't work",
        "isn't good",
        "not good",
        "no good",
        "conflict*",
        "tough",
        "hard",
    ];
    text::any(words, &BAD)
}

/// Whether words are about meetings.
pub(super) fn of_meetings(words: &[String]) -> bool {
    text::any(
        words,
        &[
            "meeting*",
            "meeeting*",
            "event*",
            "appointment*",
            "something",
            "stuff",
            "call",
        ],
    )
}

/// Whether words say that a flight meets something.
pub(super) fn conflicts(words: &[String]) -> bool {
    text::any(
        words,
        &[
            "miss*",
            "overlap*",
            "conflict*",
            "run* into",
            "runs into",
            "cuts into",
            "cut* in*",
            "clip*",
            "middle of",
            "went through",
            "have something",
            "something important",
            "meeting*",
            "at that time",
            "important",
        ],
    )
}

/// Whether words are about a flight that was shown.
pub(super) fn of_flight(words: &[String]) -> bool {
    text::any(words, &["flight", "one"])
}
