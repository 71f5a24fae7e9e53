//! Names and aliases of rows, found over tokens.

use std::collections::HashMap;

use super::letters::Letters;
use crate::Lexicon;
use crate::lexicon::List;
use crate::text::{Shape, Token, key, tokens};

/// How sure a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sure {
    /// The whole name.
    Full,
    /// The beginning of one.
    Alias,
    /// A beginning of one short word, which needs a capital.
    Short,
}

#[derive(Debug, Default)]
struct Node {
    next: HashMap<String, usize>,
    full: Vec<usize>,
    alias: Vec<usize>,
    short: bool,
}

/// A name that a typo may hide.
#[derive(Debug)]
pub(crate) struct Known {
    pub name: String,
    pub letters: Letters,
    pub rows: Vec<usize>,
}

/// The names of rows as a tree over words.
#[derive(Debug)]
pub(crate) struct Trie {
    nodes: Vec<Node>,
    /// The keys of names and of long aliases, for names with a typo.
    pub keys: Vec<Known>,
}

/// The least length of a one-word alias that may stand without a capital.
const LONG: usize = 8;

/// The most words of a name that are looked at: a longer one is told by its beginning.
const WORDS: usize = 64;

impl Trie {
    pub fn new(names: &[String], lexicon: &Lexicon) -> Self {
        let mut trie = Trie {
            nodes: vec![Node::default()],
            keys: Vec::new(),
        };
        let mut aliases: Vec<(Vec<String>, usize)> = Vec::new();
        let keys = names.iter().map(|name| name_key(name)).collect::<Vec<_>>();
        for (row, words) in keys.iter().enumerate() {
            // A name of signs alone has no word by which it could be found.
            if words.is_empty() {
                continue;
            }
            let node = trie.insert(words);
            trie.nodes[node].full.push(row);
            let head = words
                .first()
                .is_some_and(|word| lexicon.has(List::Head, word));
            if head {
                // A name that is nothing but *restaurant* has no other.
                let rest = words.get(1..).filter(|rest| !rest.is_empty());
                aliases.extend(rest.map(|rest| (rest.to_vec(), row)));
                continue;
            }
            for length in 1..words.len() {
                let (alias, rest) = words.split_at(length);
                let generic = |word: &String| lexicon.has(List::Generic, word);
                let named = alias
                    .last()
                    .is_some_and(|word| !lexicon.has(List::Joint, word) && !generic(word));
                let ordinary = alias
                    .first()
                    .is_some_and(|word| lexicon.has(List::Ordinary, word));
                if named && (length > 1 || (rest.iter().all(generic) && !ordinary)) {
                    aliases.push((alias.to_vec(), row));
                }
            }
        }
        // A full name that begins another means both.
        for (row, words) in keys.iter().enumerate() {
            for length in 1..words.len() {
                if let Some(node) = trie
                    .find(&words[..length])
                    .filter(|node| !trie.nodes[*node].full.is_empty())
                {
                    trie.nodes[node].full.push(row);
                }
            }
        }
        for (words, row) in aliases {
            let node = trie.insert(&words);
            trie.nodes[node].alias.push(row);
            trie.nodes[node].short =
                matches!(words.as_slice(), [word] if word.chars().count() < LONG);
        }
        trie.collect(0, &mut String::new());
        trie.keys.sort_by(|a, b| a.name.cmp(&b.name));
        trie
    }

    fn insert(&mut self, words: &[String]) -> usize {
        let mut node = 0;
        for word in words {
            node = match self.nodes[node].next.get(word) {
                Some(next) => *next,
                None => {
                    self.nodes.push(Node::default());
                    let next = self.nodes.len() - 1;
                    self.nodes[node].next.insert(word.clone(), next);
                    next
                }
            };
        }
        node
    }

    fn find(&self, words: &[String]) -> Option<usize> {
        words.iter().try_fold(0, |node, word| {
            self.nodes.get(node)?.next.get(word).copied()
        })
    }

    fn collect(&mut self, node: usize, path: &mut String) {
        let next = self.nodes[node]
            .next
            .iter()
            .map(|(word, at)| (word.clone(), *at));
        for (word, at) in next.collect::<Vec<_>>() {
            let length = path.len();
            if !path.is_empty() {
                path.push(' ');
            }
            path.push_str(&word);
            let Node { full, alias, .. } = &self.nodes[at];
            let rows = if full.is_empty() { alias } else { full };
            if !rows.is_empty() {
                self.keys.push(Known {
                    letters: Letters::of(path),
                    name: path.clone(),
                    rows: rows.clone(),
                });
            }
            self.collect(at, path);
            path.truncate(length);
        }
    }

    /// The longest full name, or alias if there is none, that begins at a token: its rows, the
    /// token behind it, and how sure it is.
    pub fn longest(
        &self,
        tokens: &[Token<'_>],
        start: usize,
        full: bool,
    ) -> Option<(&[usize], usize, Sure)> {
        let mut best = None;
        let first = tokens.get(start)?;
        if !first.solid() {
            return None;
        }
        self.walk(tokens, start, 0, full, &mut best);
        best
    }

    fn walk<'a>(
        &'a self,
        tokens: &[Token<'_>],
        at: usize,
        node: usize,
        full: bool,
        best: &mut Option<(&'a [usize], usize, Sure)>,
    ) {
        crate::steps::count(1);
        let Some(here) = self.nodes.get(node) else {
            return;
        };
        let rows = if full { &here.full } else { &here.alias };
        if !rows.is_empty() && best.is_none_or(|(_, end, _)| at > end) {
            let sure = match (full, here.short) {
                (true, _) => Sure::Full,
                (false, false) => Sure::Alias,
                (false, true) => Sure::Short,
            };
            *best = Some((rows, at, sure));
        }
        let mut next = at;
        if node > 0 {
            // Within a name: a hyphen, or the point of an abbreviation.
            while tokens.get(next).is_some_and(|token| {
                token.is("-") || token.is("'") || (token.is(".") && abbreviates(tokens, next))
            }) {
                next += 1;
            }
        }
        let Some(token) = tokens
            .get(next)
            .filter(|token| token.solid() || token.is("&") || glued(tokens, next))
        else {
            return;
        };
        let word = key(&token.low);
        if tokens.get(next + 1).is_some_and(|suffix| suffix.is("'s"))
            && let Some(child) = here.next.get(&format!("{word}s"))
        {
            self.walk(tokens, next + 2, *child, full, best);
        }
        if let Some(child) = here.next.get(&word) {
            self.walk(tokens, next + 1, *child, full, best);
        }
    }
}

/// Whether a sign joins the words around it, as in `report.csv`.
fn glued(tokens: &[Token<'_>], at: usize) -> bool {
    let inner = |token: &Token<'_>| {
        token.shape == Shape::Mark
            && matches!(token.low.as_str(), "." | "_" | "/" | ":" | "+" | "#" | "@")
    };
    tokens
        .get(at)
        .is_some_and(|token| inner(token) && token.glued)
        && tokens
            .get(at + 1)
            .is_some_and(|next| next.glued && next.solid())
}

fn abbreviates(tokens: &[Token<'_>], at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|token| token.is("st"))
}

/// The words of a name, without *the* before them.
fn name_key(name: &str) -> Vec<String> {
    let parts = tokens(name);
    let mut words: Vec<String> = Vec::new();
    for (at, token) in parts.iter().enumerate() {
        if token.is("'s") && !words.is_empty() {
            if let Some(last) = words.last_mut() {
                last.push('s');
            }
        } else if token.solid() || token.is("&") || glued(&parts, at) {
            words.push(key(&token.low));
        }
    }
    if words.len() > 1 && words.first().is_some_and(|word| word == "the") {
        words.remove(0);
    }
    words.truncate(WORDS);
    words
}
