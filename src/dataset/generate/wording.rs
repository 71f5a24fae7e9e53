//! Turns a phrasing into the words of one user.

use super::chance::Chance;
use super::talk::Talk;

/// How one user types.
pub struct Manner {
    lower: bool,
}

impl Manner {
    /// The manner of a dialogue's user.
    pub fn drawn(chance: &Chance, talk: &Talk) -> Self {
        Manner {
            lower: chance.percent(talk.odds.lower),
        }
    }

    /// Changes the words of a template, and leaves alone what it fills in.
    pub fn typed(&self, template: &str, chance: &Chance, talk: &Talk) -> String {
        let mut wrong = chance.percent(talk.odds.typo);
        let mut typed = String::new();
        for part in parts(template) {
            if part.starts_with("{{") || part.starts_with("{%") {
                typed.push_str(part);
                continue;
            }
            let words = if self.lower {
                part.to_lowercase()
            } else {
                part.to_owned()
            };
            match mistyped(&words, chance).filter(|_| wrong) {
                Some(words) => {
                    wrong = false;
                    typed.push_str(&words);
                }
                None => typed.push_str(&words),
            }
        }
        typed
    }
}

/// A request with the words that some people put around it.
pub fn polite(request: &str, chance: &Chance, talk: &Talk) -> String {
    if !chance.percent(talk.odds.polite) {
        return request.to_owned();
    }
    let (before, after) = (chance.pick(&talk.before), chance.pick(&talk.after));
    match (chance.percent(50), before, after) {
        (true, Some(before), _) => format!("{before} {request}"),
        (false, _, Some(after)) => format!("{}{after}", request.trim_end_matches(['?', '!'])),
        _ => request.to_owned(),
    }
}

/// A request with the reason for it.
pub fn reasoned(request: &str, chance: &Chance, talk: &Talk) -> String {
    let (lead, trail) = (chance.pick(&talk.lead), chance.pick(&talk.trail));
    match (chance.percent(50), lead, trail) {
        (true, Some(lead), _) => format!("{} {request}", chosen(lead, chance)),
        (false, _, Some(trail)) => {
            let request = request.trim_end_matches(['.', '!']);
            format!("{request}{}", chosen(trail, chance))
        }
        _ => request.to_owned(),
    }
}

/// Chooses one of each `<this|that>`.
pub fn chosen(phrasing: &str, chance: &Chance) -> String {
    let mut text = String::new();
    let mut rest = phrasing;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let Some((choices, after)) = after.split_once('>') else {
            text.push('<');
            rest = after;
            continue;
        };
        let choices: Vec<&str> = choices.split('|').collect();
        text.push_str(chance.pick(&choices).copied().unwrap_or_default());
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Literal text and tags, alternately.
fn parts(template: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find("{{").into_iter().chain(rest.find("{%")).min() {
        let (before, tag) = rest.split_at(at);
        let ends = tag.find("}}").into_iter().chain(tag.find("%}")).min();
        let (tag, after) = tag.split_at(ends.map_or(tag.len(), |end| end + 2));
        parts.extend([before, tag]);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// The text with two letters of one longer word exchanged; `None` if it has no such word.
fn mistyped(text: &str, chance: &Chance) -> Option<String> {
    let is_long = |word: &&str| word.len() > 4 && word.bytes().all(|b| b.is_ascii_lowercase());
    let words: Vec<&str> = text.split(' ').filter(is_long).collect();
    let word = *chance.pick(&words)?;
    let at = 1 + chance.below(word.len() - 3);
    let mut letters: Vec<char> = word.chars().collect();
    letters.swap(at, at + 1);
    Some(text.replacen(word, &letters.into_iter().collect::<String>(), 1))
}
