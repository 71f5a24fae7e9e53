//! Makes Python names of the names in a document.

use crate::stubs::identifier;
use unicode_ident::is_xid_continue;

/// The longest name of an operation, in characters.
const MOST: usize = 80;

/// The name of an operation: `repos/list-for-org` and `reposListForOrg` are both
/// `repos_list_for_org`. `None` if the text has no letter to begin with.
pub(super) fn operation(text: &str) -> Option<String> {
    let mut words = words(text);
    let length = |words: &[String]| words.iter().map(|it| it.chars().count() + 1).sum::<usize>();
    // The end of a path tells operations apart, not its beginning.
    while words.len() > 2 && length(&words) > MOST {
        words.remove(1);
    }
    let name = words.join("_");
    (!name.is_empty()).then(|| python(&name, "do", true))
}

/// The name of an operation that has no id: `get_pets_by_pet_id`.
pub(super) fn of_path(method: &str, path: &str) -> String {
    let mut parts = vec![method.to_ascii_lowercase()];
    for segment in path.split('/') {
        match segment
            .strip_prefix('{')
            .and_then(|it| it.strip_suffix('}'))
        {
            Some(parameter) => parts.extend(["by".to_owned(), parameter.to_owned()]),
            None => parts.push(segment.to_owned()),
        }
    }
    operation(&parts.join("_")).unwrap_or_else(|| "call".to_owned())
}

/// The name of a parameter. It is kept if Python allows it, because answers have the same
/// names.
pub(super) fn parameter(wire: &str) -> String {
    python(wire, "arg", false)
}

/// A valid Python name other than `self`.
fn python(name: &str, other: &str, is_public: bool) -> String {
    match name {
        "self" => "self_".to_owned(),
        _ => identifier(name, other, is_public),
    }
}

/// The words of a text in lower case. Words end at other characters and in camel case.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let letters: Vec<char> = text.chars().collect();
    for (index, &letter) in letters.iter().enumerate() {
        if letter == '_' || !is_xid_continue(letter) {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            continue;
        }
        let before = index.checked_sub(1).and_then(|it| letters.get(it));
        let after = letters.get(index + 1);
        let is_lower = |c: Option<&char>| c.is_some_and(|c| c.is_lowercase());
        let is_digit = before.is_some_and(char::is_ascii_digit);
        // `listPets`, `v2Pets` and `HTTPServer`, but not the `s` in `listIDs`.
        let begins = letter.is_uppercase()
            && (is_lower(before) || is_digit || is_lower(after) && !plural(&letters, index));
        if begins && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.extend(letter.to_lowercase());
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// Whether the capital ends an abbreviation in the plural, as the `D` of `IDs` does.
fn plural(letters: &[char], index: usize) -> bool {
    let ends = |c: Option<&char>| c.is_none_or(|c| !c.is_ascii_lowercase());
    letters.get(index + 1) == Some(&'s') && ends(letters.get(index + 2))
}
