//! A caller's schema: slots, and words for them in some languages, in one file.

use indexmap::IndexMap;
use serde::Deserialize;

use crate::lexicon::DomainFile;
use crate::{Error, Lexicon, Row, Schema, languages, restaurant};

/// A file of a schema as a caller writes it: the schema's fields, and under `lexicon.LANGUAGE` the
/// domain's words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Rows of a kind that is known: `restaurants`.
    #[serde(default)]
    like: Option<String>,
    #[serde(default)]
    key: String,
    #[serde(default)]
    names: crate::schema::Names,
    #[serde(default)]
    holder: Option<String>,
    #[serde(default)]
    holds: Option<String>,
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
    if let Some(like) = &file.like {
        return match like.as_str() {
            "restaurants" if file.key.is_empty() && file.slots.is_empty() => {
                let schema = restaurant::schema()?;
                let lexicon = restaurant::lexicon(language, &schema)?;
                Ok((schema, lexicon))
            }
            "restaurants" => Err(Error::Schema(
                "`like` brings key and slots, so that there can be no others".to_owned(),
            )),
            other => Err(Error::Schema(format!(
                "no rows like `{other}` are known; there are `restaurants`"
            ))),
        };
    }
    if file.key.is_empty() {
        return Err(Error::Schema(
            "it has no `key`, the slot that names a row".to_owned(),
        ));
    }
    let words = file.lexicon.shift_remove(language).unwrap_or_default();
    let schema = Schema {
        key: file.key,
        names: file.names,
        holder: file.holder,
        holds: file.holds,
        slots: file.slots,
    }
    .checked()?;
    let mut lexicon = Lexicon::of(languages::text(language)?, &words, &schema)?;
    lexicon.learn(rows, &schema).map_err(Error::Lexicon)?;
    Ok((schema, lexicon))
}
