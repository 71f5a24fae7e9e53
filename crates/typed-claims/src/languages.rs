//! The words of each language that every domain uses.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::restaurant::LANGUAGES;
use crate::text::tokens;
use crate::{Error, Lexicon};

/// The file of a language.
pub(crate) fn text(language: &str) -> Result<&'static str, Error> {
    match language {
        "en" => Ok(include_str!("../data/languages/en.toml")),
        "de" => Ok(include_str!("../data/languages/de.toml")),
        "it" => Ok(include_str!("../data/languages/it.toml")),
        other => Err(Error::Language(other.to_owned())),
    }
}

/// The language of a text, by its words: of those that replies are checked in, the one with the
/// most. English if no language has more.
///
/// ```
/// assert_eq!(typed_claims::language_of("Es gibt drei Objekte in dem Bucket."), "de");
/// assert_eq!(typed_claims::language_of("Ci sono tre oggetti nel bucket."), "it");
/// assert_eq!(typed_claims::language_of("Eliminazione completata."), "it");
/// assert_eq!(typed_claims::language_of("a.txt"), "en");
/// ```
pub fn language_of(text: &str) -> &'static str {
    static WORDS: LazyLock<Vec<(&'static str, HashSet<String>)>> = LazyLock::new(|| {
        let of =
            |language: &&'static str| Some((*language, Lexicon::small_words(text_of(language)?)));
        LANGUAGES.iter().filter_map(of).collect()
    });
    let words = tokens(text);
    let mut best = ("en", 0);
    for (language, known) in WORDS.iter() {
        let count = words
            .iter()
            .filter(|word| known.contains(&word.low))
            .count();
        if count > best.1 {
            best = (language, count);
        }
    }
    best.0
}

fn text_of(language: &str) -> Option<&'static str> {
    text(language).ok()
}
