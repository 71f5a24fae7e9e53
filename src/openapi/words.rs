//! Reduces the words of questions and documents to stems, so that they can be compared.

use super::names;

/// Words that say nothing about which operation is meant.
const STOP: &str = " a about all also am an and any are as at be been being but by can could did do \
    does for from had has have he her here him his i if in into is it its just let like many me \
    more most much my need not of on one only or our out please s she so some such t than that \
    the their them then there these they this those to up us use using via want was we were what \
    when where which who whom whose why will with would you your api rest endpoint given \
    information details ";

/// The stems of the words of a text, without those that say nothing.
pub(super) fn stems(text: &str) -> Vec<String> {
    let words = names::words(text).into_iter();
    let words = words.filter(|word| !STOP.contains(&format!(" {word} ")));
    words.map(|word| stem(&word)).collect()
}

/// A word without the endings of English: `movies`, `followed` and `following` are `movi`
/// and `follow`. Both sides are cut in the same way, so the rest need not be a word.
pub(super) fn stem(word: &str) -> String {
    let mut stem = word;
    let long = |rest: &str, least: usize| rest.len() >= least;
    if let Some(rest) = stem.strip_suffix("ies").filter(|rest| long(rest, 2)) {
        return format!("{rest}i");
    }
    if let Some(rest) = stem.strip_suffix("sses") {
        return format!("{rest}ss");
    }
    let is_plural = stem.ends_with('s') && !stem.ends_with("ss") && !stem.ends_with("us");
    if is_plural && stem.len() > 3 {
        stem = stem.strip_suffix('s').unwrap_or(stem);
    }
    for ending in ["ing", "ed", "er", "or"] {
        if let Some(rest) = stem.strip_suffix(ending) {
            let has_vowel = rest.contains(['a', 'e', 'i', 'o', 'u', 'y']);
            if long(rest, 4) && has_vowel {
                stem = rest;
                break;
            }
        }
    }
    let doubled = stem.as_bytes();
    if let [.., a, b] = doubled
        && a == b
        && !b"lsz".contains(a)
        && stem.len() < word.len()
        && stem.len() > 3
    {
        stem = stem.get(..stem.len() - 1).unwrap_or(stem);
    }
    let stem = match stem.strip_suffix('e') {
        Some(rest) if long(rest, 3) => rest,
        _ => stem,
    };
    match stem.strip_suffix('y') {
        Some(rest) if long(rest, 2) => format!("{rest}i"),
        _ => stem.to_owned(),
    }
}
