//! Patterns over tokens, as the lexica write them.
//!
//! A pattern is a sequence of elements with blanks between them: `a|b` is either word, `x?` may
//! be missing, `stem~` takes the endings of the language, `stem*` any ending, `_3` up to three
//! words, `<n>` a number, `<noun>` a noun of the domain, `<value>` a value of the lexicon.

use std::collections::HashMap;

use super::token::{Token, tokens};

/// What stands at a token, found before the patterns run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Number,
    Noun,
    Value,
}

/// For each token, where the class that begins there ends; 0 where none does.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    pub numbers: Vec<usize>,
    pub nouns: Vec<usize>,
    pub values: Vec<usize>,
}

impl Classes {
    fn end(&self, class: Class, at: usize) -> Option<usize> {
        let ends = match class {
            Class::Number => &self.numbers,
            Class::Noun => &self.nouns,
            Class::Value => &self.values,
        };
        ends.get(at).copied().filter(|end| *end > 0)
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Ending {
    Exact,
    Inflected,
    Any,
}

#[derive(Debug, Clone)]
enum Element {
    Words(Vec<(String, Ending)>),
    Class(Class),
    Gap(usize),
}

type Sequence = Vec<(Element, bool)>;

/// Where a pattern stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hit {
    /// What the pattern was added with.
    pub tag: usize,
    /// The first token.
    pub start: usize,
    /// The token behind the last one.
    pub end: usize,
}

/// Many patterns, found in one pass.
#[derive(Debug, Default)]
pub(crate) struct Set {
    patterns: Vec<(usize, Sequence)>,
    exact: HashMap<String, Vec<usize>>,
    stems: HashMap<char, Vec<usize>>,
    others: Vec<usize>,
    endings: Vec<String>,
}

impl Set {
    pub fn new(endings: &[String]) -> Self {
        Set {
            endings: endings.to_vec(),
            ..Set::default()
        }
    }

    /// Adds a pattern; an error says what is wrong with it.
    pub fn add(&mut self, tag: usize, pattern: &str) -> Result<(), String> {
        let mut sequence = parse(pattern)?;
        if sequence.iter().all(|(_, optional)| *optional) {
            return Err(format!("the pattern `{pattern}` can match nothing"));
        }
        loop {
            let optional = sequence.first().is_some_and(|(_, optional)| *optional);
            let rest = sequence.get(1..).unwrap_or_default().to_vec();
            if let Some(first) = sequence.first_mut() {
                first.1 = false;
            }
            self.index(tag, sequence);
            if !optional {
                return Ok(());
            }
            sequence = rest;
        }
    }

    fn index(&mut self, tag: usize, sequence: Sequence) {
        let at = self.patterns.len();
        match sequence.first() {
            Some((Element::Words(words), _)) => {
                for (word, ending) in words {
                    if *ending == Ending::Exact {
                        self.exact.entry(word.clone()).or_default().push(at);
                    } else if let Some(first) = word.chars().next() {
                        let list = self.stems.entry(first).or_default();
                        if list.last() != Some(&at) {
                            list.push(at);
                        }
                    }
                }
            }
            _ => self.others.push(at),
        }
        self.patterns.push((tag, sequence));
    }

    /// All hits, by start; of one tag and start the longest.
    pub fn hits(&self, tokens: &[Token<'_>], classes: &Classes) -> Vec<Hit> {
        let mut hits: Vec<Hit> = Vec::new();
        for (start, token) in tokens.iter().enumerate() {
            let first = hits.len();
            let exact = self.exact.get(&token.low).into_iter().flatten();
            let stems = token.low.chars().next().and_then(|c| self.stems.get(&c));
            for at in exact.chain(stems.into_iter().flatten()).chain(&self.others) {
                crate::steps::count(1);
                let Some((tag, sequence)) = self.patterns.get(*at) else {
                    continue;
                };
                let Some(end) = self.matched(sequence, tokens, start, classes) else {
                    continue;
                };
                let same = hits.iter_mut().skip(first).find(|hit| hit.tag == *tag);
                match same {
                    Some(hit) => hit.end = hit.end.max(end),
                    None => hits.push(Hit {
                        tag: *tag,
                        start,
                        end,
                    }),
                }
            }
        }
        hits
    }

    /// Whether a hit of the tag begins exactly here; gives its end.
    fn matched(
        &self,
        sequence: &[(Element, bool)],
        tokens: &[Token<'_>],
        at: usize,
        classes: &Classes,
    ) -> Option<usize> {
        let Some(((element, optional), rest)) = sequence.split_first() else {
            return Some(at);
        };
        let stepped = match element {
            Element::Words(words) => {
                let token = tokens.get(at);
                let fits =
                    token.is_some_and(|token| words.iter().any(|word| self.fits(word, &token.low)));
                fits.then_some(at + 1)
            }
            Element::Class(class) => classes.end(*class, at),
            Element::Gap(most) => return self.gap(*most, rest, tokens, at, classes),
        };
        let taken = stepped.and_then(|next| self.matched(rest, tokens, next, classes));
        match taken {
            None if *optional => self.matched(rest, tokens, at, classes),
            taken => taken,
        }
    }

    fn gap(
        &self,
        most: usize,
        rest: &[(Element, bool)],
        tokens: &[Token<'_>],
        at: usize,
        classes: &Classes,
    ) -> Option<usize> {
        for skipped in 0..=most {
            if let Some(end) = self.matched(rest, tokens, at + skipped, classes) {
                return Some(end);
            }
            let token = tokens.get(at + skipped)?;
            if !(token.solid() || token.glued && token.is("-")) {
                return None;
            }
        }
        None
    }

    fn fits(&self, (word, ending): &(String, Ending), low: &str) -> bool {
        match ending {
            Ending::Exact => word == low,
            Ending::Any => low.starts_with(word.as_str()),
            Ending::Inflected => low.strip_prefix(word.as_str()).is_some_and(|rest| {
                rest.is_empty() || self.endings.iter().any(|ending| ending == rest)
            }),
        }
    }
}

fn parse(pattern: &str) -> Result<Sequence, String> {
    let mut sequence = Vec::new();
    for part in pattern.split_whitespace() {
        let (part, optional) = match part.strip_suffix('?') {
            Some(rest) if !rest.is_empty() => (rest, true),
            _ => (part, false),
        };
        let class = match part {
            "<n>" => Some(Class::Number),
            "<noun>" => Some(Class::Noun),
            "<value>" => Some(Class::Value),
            _ => None,
        };
        if let Some(class) = class {
            sequence.push((Element::Class(class), optional));
        } else if let Some(most) = part.strip_prefix('_').and_then(|most| most.parse().ok()) {
            sequence.push((Element::Gap(most), optional));
        } else if part.starts_with('<') && part.len() > 1 {
            return Err(format!(
                "`{part}` in the pattern `{pattern}` is no class: <n>, <noun> or <value>"
            ));
        } else if part.contains('|') && part.len() > 1 {
            let words = part.split('|').filter(|word| !word.is_empty());
            let words = words.map(ended).collect::<Vec<_>>();
            if words.is_empty() {
                return Err(format!("`{part}` in the pattern `{pattern}` has no word"));
            }
            sequence.push((Element::Words(words), optional));
        } else {
            // One word may be several tokens: `don't`, `north-east`.
            let (stem, ending) = ended(part);
            let parts = tokens(&stem);
            let last = parts.len().saturating_sub(1);
            for (at, token) in parts.iter().enumerate() {
                let ending = if at == last {
                    ending.clone()
                } else {
                    Ending::Exact
                };
                sequence.push((Element::Words(vec![(token.low.clone(), ending)]), optional));
            }
        }
    }
    Ok(sequence)
}

fn ended(word: &str) -> (String, Ending) {
    let (stem, ending) = match word {
        word if word.len() > 1 && word.ends_with('~') => {
            (&word[..word.len() - 1], Ending::Inflected)
        }
        word if word.len() > 1 && word.ends_with('*') => (&word[..word.len() - 1], Ending::Any),
        word => (word, Ending::Exact),
    };
    (stem.to_lowercase(), ending)
}
