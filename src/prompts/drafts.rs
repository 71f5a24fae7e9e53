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
    let said = words(said);
    let ranked = open.into_iter().enumerate().map(|(age, (uid, program))| {
        let is_first = age == 0 || is_named(uid, program, &said);
        (!is_first, uid)
    });
    let mut ranked: Vec<(bool, u32)> = ranked.collect();
    // Goals of one rank stay in their order.
    ranked.sort_by_key(|(is_later, _)| *is_later);
    ranked.into_iter().take(most).map(|(_, uid)| uid).collect()
}

/// Whether the number of a goal, or a text in its program, is among these words.
fn is_named(uid: u32, program: Option<&Program>, said: &str) -> bool {
    let is_said = |text: &str| {
        let name = words(text);
        name != NO_WORDS && said.contains(&name)
    };
    let texts = program.map(Program::literals).unwrap_or_default();
    is_said(&uid.to_string())
        || texts.iter().any(|text| {
            // People name a file without its folders, too.
            let path = text.trim_end_matches('/');
            let (_, last) = path.rsplit_once('/').unwrap_or_default();
            is_said(text) || is_said(last)
        })
}

/// The words of an empty text.
const NO_WORDS: &str = " ";

/// The words of a text, with a space before and after each: a name of several words is in a text
/// if its words are.
fn words(text: &str) -> String {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let mut words = NO_WORDS.to_owned();
    for word in text.split(|c| !is_of_name(c)) {
        let word = word.trim_matches(['-', '.', '/']);
        if !word.is_empty() {
            words.push_str(&word.to_lowercase());
            words.push(' ');
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_several_words_is_a_name() {
        let draft = |text: &str| Program::new(&format!("get(\"{text}\")"));
        let (top, other, named) = (draft("top"), draft("key"), draft("docs/Spare key.txt"));
        let open = [(3, Some(&top)), (2, Some(&other)), (1, Some(&named))];
        let kept = |said: &str| kept(open.into_iter(), said, 2);
        assert_eq!(kept("the spare key.txt, please"), BTreeSet::from([1, 3]));
        assert_eq!(kept("docs/spare key.txt?"), BTreeSet::from([1, 3]));
        assert_eq!(kept("a key.txt for the spare"), BTreeSet::from([2, 3]));
        assert_eq!(kept("1"), BTreeSet::from([1, 3]));
        assert_eq!(kept(""), BTreeSet::from([2, 3]));
    }
}
