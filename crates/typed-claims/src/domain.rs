//! A caller's schema: slots, and words for them in some languages, in one file.

use indexmap::IndexMap;
use serde::Deserialize;

use crate::lexicon::DomainFile;
use crate::{Error, Lexicon, Row, Schema, languages};

/// A file of a schema as a caller writes it: the schema's fields, and under `lexicon.LANGUAGE` the
/// domain's words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    key: String,
    #[serde(default)]
    slots: IndexMap<String, crate::Slot>,
    #[serde(default)]
    lexicon: IndexMap<String, DomainFile>,
}

/// Reads a caller's schema, TOML or JSON, with its lexicon of a language. Values of rows that the
/// lexicon has no words for are found as they are spelt, slots by their names.
pub(crate) fn read(text: &str, language: &str, rows: &[Row]) -> Result<(Schema, Lexicon), Error> {
    let mut file: File = if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|error| Error::Schema(error.to_string()))?
    } else {
        toml::from_str(text).map_err(|error| Error::Schema(error.to_string()))?
    };
    let words = file.lexicon.shift_remove(language).unwrap_or_default();
    let schema = Schema {
        key: file.key,
        slots: file.slots,
    }
    .checked()?;
    let mut lexicon = Lexicon::of(languages::text(language)?, &words, &schema)?;
    lexicon.learn(rows, &schema).map_err(Error::Lexicon)?;
    Ok((schema, lexicon))
}
