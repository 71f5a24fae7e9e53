//! The words of each language that every domain uses.

use crate::Error;

/// The file of a language.
pub(crate) fn text(language: &str) -> Result<&'static str, Error> {
    match language {
        "en" => Ok(include_str!("../data/languages/en.toml")),
        "de" => Ok(include_str!("../data/languages/de.toml")),
        "it" => Ok(include_str!("../data/languages/it.toml")),
        other => Err(Error::Language(other.to_owned())),
    }
}
