//! The restaurants of MultiWOZ: schema, 110 rows, and lexica in English, German and Italian.

use std::sync::OnceLock;

use serde_json::Value as Json;

use crate::dialogues::{self, Dialogue};
use crate::{Error, Lexicon, Row, Schema, languages};

/// The languages that have a lexicon.
pub const LANGUAGES: [&str; 3] = ["en", "de", "it"];

/// The schema.
pub fn schema() -> Result<Schema, Error> {
    Schema::parse(include_str!("../data/restaurant/schema.toml"))
}

/// The lexicon of a language.
pub fn lexicon(language: &str, schema: &Schema) -> Result<Lexicon, Error> {
    let domain = match language {
        "en" => include_str!("../data/restaurant/en.toml"),
        "de" => include_str!("../data/restaurant/de.toml"),
        "it" => include_str!("../data/restaurant/it.toml"),
        other => return Err(Error::Language(other.to_owned())),
    };
    Lexicon::parse(languages::text(language)?, domain, schema)
}

/// Schema and lexicon of a language, read once in a process.
pub(crate) fn shared(language: &str) -> Result<&'static (Schema, Lexicon), Error> {
    static READ: [OnceLock<(Schema, Lexicon)>; LANGUAGES.len()] =
        [const { OnceLock::new() }; LANGUAGES.len()];
    let at = LANGUAGES.iter().position(|known| *known == language);
    let cell = at
        .and_then(|at| READ.get(at))
        .ok_or_else(|| Error::Language(language.to_owned()))?;
    if let Some(read) = cell.get() {
        return Ok(read);
    }
    let schema = schema()?;
    let lexicon = lexicon(language, &schema)?;
    Ok(cell.get_or_init(|| (schema, lexicon)))
}

/// Recorded dialogues about them, each with the goal of its user. It fails only by a fault of this
/// crate.
pub fn dialogues() -> Result<Vec<Dialogue>, Error> {
    dialogues::read(include_str!("../data/restaurant/dialogues.jsonl"))
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
