//! The restaurants of MultiWOZ: schema, 110 rows, and lexica in English and German.

use serde_json::Value as Json;

use crate::{Error, Lexicon, Row, Schema};

/// The languages that have a lexicon.
pub const LANGUAGES: [&str; 2] = ["en", "de"];

/// The schema.
pub fn schema() -> Result<Schema, Error> {
    Schema::parse(include_str!("../data/restaurant/schema.toml"))
}

/// The lexicon of a language.
pub fn lexicon(language: &str, schema: &Schema) -> Result<Lexicon, Error> {
    let (general, domain) = match language {
        "en" => (
            include_str!("../data/languages/en.toml"),
            include_str!("../data/restaurant/en.toml"),
        ),
        "de" => (
            include_str!("../data/languages/de.toml"),
            include_str!("../data/restaurant/de.toml"),
        ),
        other => return Err(Error::Language(other.to_owned())),
    };
    Lexicon::parse(general, domain, schema)
}

/// The 110 rows, in the database's order. Slots that are no text, as places on the map, are left
/// out.
pub fn rows() -> Result<Vec<Row>, Error> {
    let text = include_str!("../data/restaurant/rows.json");
    let rows: Vec<indexmap::IndexMap<String, Json>> =
        serde_json::from_str(text).map_err(|error| Error::Row {
            line: error.line(),
            problem: error.to_string(),
        })?;
    let texts = |row: indexmap::IndexMap<String, Json>| {
        let texts = row
            .into_iter()
            .filter_map(|(slot, value)| value.as_str().map(|value| (slot, value.to_owned())));
        texts.filter(|(_, value)| !value.is_empty()).collect()
    };
    Ok(rows.into_iter().map(texts).collect())
}
