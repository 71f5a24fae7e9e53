//! The open goals that a prompt shows when it has no room for all of them.

use crate::dialogue::Program;
use std::collections::BTreeSet;

/// The `most` open goals that matter most: the one at the top of the stack, then those that
/// `said` names, then the latest. `open` begins with the top.
///
/// A goal is named by its number, or by a text in its program.
pub(super) fn kept<'p>(
    open: impl Iterator<Item = (u32, Option<&'p Program>)>,
    said: &str,
    most: usize,
) -> BTreeSet<u32> {
    let open: Vec<(u32, Option<&Program>)> = open.collect();
    if open.len() <= most {
        return open.into_iter().map(|(uid, _)| uid).collect();
    }
    let words = words(said);
    let ranked = open.into_iter().enumerate().map(|(age, (uid, program))| {
        let is_first = age == 0 || is_named(uid, program, &words);
        (!is_first, uid)
    });
    let mut ranked: Vec<(bool, u32)> = ranked.collect();
    // Goals of one rank stay in their order.
    ranked.sort_by_key(|(is_later, _)| *is_later);
    ranked.into_iter().take(most).map(|(_, uid)| uid).collect()
}

fn is_named(uid: u32, program: Option<&Program>, words: &BTreeSet<String>) -> bool {
    // People name a file without its folders, too.
    let is_word = |text: &str| {
        let last = text.rsplit('/').next().unwrap_or_default();
        words.contains(text) || words.contains(last)
    };
    let texts = program.map(Program::literals).unwrap_or_default();
    words.contains(&uid.to_string()) || texts.iter().any(|text| is_word(&word(text)))
}

/// The words of a text that can be names.
fn words(text: &str) -> BTreeSet<String> {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let words = text.split(|c| !is_of_name(c)).map(word);
    words.filter(|word| !word.is_empty()).collect()
}

fn word(text: &str) -> String {
    text.trim_matches(['-', '.', '/']).to_lowercase()
}
