//! Rule 12: whose number it is.

use super::evidence::Evidence;
use super::names::address;
use super::number::Number;
use super::prose::{counts_named, says_total, sentence};
use super::tokens::{Token, TokenKind, tokens};
use super::values::Entry;

/// The most names and numbers that a clause has.
const SHOWN: usize = 3;

impl Evidence {
    /// What the results have instead, where a number belongs to another entry than the one that
    /// its sentence names. The number is supported, as far as no rule asks whose it is.
    pub(super) fn of_another(&self, reply: &str, token: &Token) -> Option<String> {
        let TokenKind::Number(number) = &token.kind else {
            return None;
        };
        let has = |entry: &&Entry| entry.numbers.iter().any(|fact| number.states(fact));
        let sentence = sentence(reply, token.range.start);
        let named = named(sentence);
        let is_named = |entry: &&Entry| {
            let mut names = entry.names.iter();
            entry.of.is_some() && names.any(|name| named.contains(&name.as_str()))
        };
        let entries = &self.values.entries;
        let meant: Vec<&Entry> = entries.iter().filter(is_named).collect();
        if meant.is_empty() || meant.iter().any(has) {
            return None;
        }
        let is_beside = |entry: &&Entry| meant.iter().any(|meant| meant.of == entry.of);
        let others = entries.iter().filter(has).filter(|entry| !is_named(entry));
        let others: Vec<&Entry> = others.filter(is_beside).collect();
        let values = &self.values;
        let totals: &[Number] = match says_total(sentence) {
            true => &values.totals,
            false => &[],
        };
        let mut elsewhere = [&*self.said, &*self.written, &*values.lengths, totals]
            .into_iter()
            .flatten();
        if others.is_empty()
            || elsewhere.any(|fact| number.states(fact))
            || counts_named(reply, token.range.start, number)
            || self.has_date(reply, token, number)
        {
            return None;
        }
        let names = |entries: &[&Entry]| {
            let names = entries.iter().filter_map(|entry| entry.names.first());
            names.take(SHOWN).cloned().collect::<Vec<_>>().join(", ")
        };
        Some(format!(
            "a result has it for {}, not for {}",
            names(&others),
            names(&meant)
        ))
    }
}

/// The names in a sentence, and those in its addresses.
fn named(sentence: &str) -> Vec<&str> {
    let tokens = tokens(sentence).into_iter();
    let names = tokens.filter(|it| matches!(it.kind, TokenKind::Name | TokenKind::Quoted));
    let names = names.filter_map(|it| sentence.get(it.range));
    names
        .flat_map(|name| match address(name) {
            Some((root, "")) => vec![name, root],
            Some((_, rest)) => vec![name, rest],
            None => vec![name],
        })
        .collect()
}
