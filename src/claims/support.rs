//! The rules of support, in the order of the module's page.

use super::evidence::{Evidence, Sentence};
use super::names;
use super::number::Number;
use super::prose::{counts_named, is_dated, says_total, sentence};
use super::tokens::{Token, TokenKind, items};
use super::values::Entry;
use std::ops::Range;

impl Evidence {
    /// Whether anything supports this token of a reply.
    pub(super) fn supports(&self, reply: &str, token: &Token) -> bool {
        let text = reply.get(token.range.clone()).unwrap_or_default();
        match &token.kind {
            TokenKind::Ordinal(_) => true,
            TokenKind::No => !self.last.result || self.last.nothing,
            TokenKind::Name | TokenKind::Quoted => self.has_name(text),
            TokenKind::Number(number) => match self.entries(reply, token).as_slice() {
                [] => self.has_number(reply, token, number),
                entries => {
                    let mut numbers = entries.iter().flat_map(|entry| &entry.numbers);
                    numbers.any(|fact| number.states(fact))
                }
            },
        }
    }

    /// Rules 1 to 3.
    fn has_name(&self, name: &str) -> bool {
        self.texts().any(|text| names::stands_in(name, text))
            || self.is_composed(name)
            || self.has_whole_date(name)
            || names::address(name).is_some_and(|(root, rest)| self.has_address(root, rest))
    }

    /// Rules 2 and 3.
    fn is_composed(&self, name: &str) -> bool {
        let mut programs = self.programs.iter();
        let said = |value: f64| self.said.iter().any(|number| number.is(value));
        programs.any(|literals| names::is_made_of(name, literals))
            || (self.texts.iter()).any(|text| names::is_of_series(name, text, said))
    }

    /// The address of rule 1. Its parts are whole names, unlike those that people say.
    fn has_address(&self, root: &str, rest: &str) -> bool {
        let stands = |name: &str| self.texts().any(|text| names::stands_whole(name, text));
        let is_known = |name: &str| stands(name) || self.is_composed(name);
        let rest = rest.trim_end_matches('*');
        let is_rest =
            || is_known(rest) || is_known(&format!("{rest}/")) || stands(&format!("{root}/{rest}"));
        is_known(root) && (rest.is_empty() || is_rest())
    }

    /// Rules 4 to 8, and 11.
    fn has_number(&self, reply: &str, token: &Token, number: &Number) -> bool {
        let sentence = sentence(reply, token.range.start);
        let known = |facts: &[Number]| facts.iter().any(|fact| number.states(fact));
        self.last.general
            || known(&self.values.numbers)
            || known(&self.said)
            || known(&self.written)
            || (says_total(sentence) && known(&self.values.totals))
            || counts_named(reply, token.range.start, number)
            || self.has_date(reply, token, number)
            || (self.last.failed && {
                let sentence = Sentence::of(sentence);
                self.facts.iter().any(|fact| fact.supports(&sentence))
            })
    }

    /// The dates of rule 1.
    fn has_whole_date(&self, text: &str) -> bool {
        names::dates(text).any(|date| self.texts().any(|text| text.contains(&date)))
    }

    /// Rule 8.
    pub(super) fn has_date(&self, reply: &str, token: &Token, number: &Number) -> bool {
        self.has_whole_date(reply.get(token.range.clone()).unwrap_or_default())
            || is_dated(reply, &token.range)
                && self.texts().any(|text| {
                    let mut runs = text.split(|c: char| !c.is_ascii_digit());
                    runs.any(|run| run.parse().is_ok_and(|value| number.is(value)))
                })
    }

    /// Rule 9: the entries of results that the item of a list is about.
    fn entries(&self, reply: &str, token: &Token) -> Vec<&Entry> {
        let here = |(start, item): &(usize, &str)| {
            (*start..start + item.len()).contains(&token.range.start)
        };
        let Some((_, item)) = items(reply).find(here) else {
            return Vec::new();
        };
        let item = item.trim_start_matches(['"', '`', '*', '“', '\'']);
        // An address is about what it names last.
        let inner = names::address(item).map_or("", |(root, rest)| {
            let is_name = |c: char| c.is_alphanumeric() || "._-".contains(c);
            match rest.starts_with(is_name) {
                true => rest,
                false => root,
            }
        });
        let begins = |name: &&str| {
            let texts = [item, inner].into_iter();
            let mut rests = texts.filter_map(|text| text.strip_prefix(*name));
            !name.is_empty() && rests.any(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        let names = self.values.entries.iter().flat_map(|entry| &entry.names);
        let names = names.map(String::as_str).filter(begins);
        let Some(longest) = names.max_by_key(|name| name.len()) else {
            return Vec::new();
        };
        let entries = self.values.entries.iter();
        entries
            .filter(|entry| entry.names.iter().any(|name| name == longest))
            .collect()
    }

    /// Rule 10: where the reply has whole lines of results, word for word.
    pub(super) fn verbatim(&self, reply: &str) -> Vec<Range<usize>> {
        let lines = self.values.texts.iter().flat_map(|text| text.lines());
        let lines = lines.map(str::trim).filter(|line| line.contains(' '));
        lines
            .flat_map(|line| {
                let places = reply.match_indices(line);
                places.map(|(at, line)| at..at + line.len())
            })
            .collect()
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        let literals = self.programs.iter().flatten();
        let texts = self.texts.iter().chain(&self.values.texts).chain(literals);
        texts.map(String::as_str)
    }
}
