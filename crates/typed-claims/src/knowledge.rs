//! What a domain of the caller's knows, ready to judge replies.

use crate::{Catalogue, Error, Lexicon, Row, Schema, Tracker, domain, restaurant};

/// Schema, words and rows of a domain.
///
/// ```
/// use typed_claims::{Knowledge, Row};
///
/// let schema = "key = 'name'\n[slots]\nstatus = { kind = 'value' }";
/// let row = |name: &str, status: &str| -> Row {
///     [("name", name), ("status", status)].map(|(slot, value)| (slot.into(), value.into())).into()
/// };
/// let rows = vec![row("atlas", "archived"), row("borealis", "active")];
/// let known = Knowledge::read(schema, "en", rows)?;
/// let verdict = known.tracker().check("Atlas is active.", None);
/// assert!(!verdict.flags.aligned);
/// assert_eq!(known.values("atlas", "status"), ["archived"]);
/// # Ok::<(), typed_claims::Error>(())
/// ```
#[derive(Debug)]
pub struct Knowledge {
    schema: Schema,
    lexicon: Lexicon,
    catalogue: Catalogue,
}

impl Knowledge {
    /// Reads a schema as `dialog2api claims` takes it, with its lexicon of a language, and rows.
    ///
    /// # Errors
    /// The schema, its lexicon or a row cannot be used, or the language is not known.
    pub fn read(schema: &str, language: &str, rows: Vec<Row>) -> Result<Self, Error> {
        let (schema, lexicon) = domain::read(schema, language, &rows)?;
        Ok(Knowledge {
            catalogue: Catalogue::new(rows, &schema, &lexicon)?,
            schema,
            lexicon,
        })
    }

    /// Rows of the restaurants' schema, with its lexicon of a language.
    ///
    /// # Errors
    /// A row cannot be used, or the language is not known.
    pub fn restaurants(language: &str, rows: Vec<Row>) -> Result<Self, Error> {
        let schema = restaurant::schema()?;
        let lexicon = restaurant::lexicon(language, &schema)?;
        Ok(Knowledge {
            catalogue: Catalogue::new(rows, &schema, &lexicon)?,
            schema,
            lexicon,
        })
    }

    /// The slot that names a row.
    pub fn key(&self) -> &str {
        &self.schema.key
    }

    /// The start of a dialogue whose replies are judged by all rows.
    pub fn tracker(&self) -> Tracker<'_> {
        let base = self.catalogue.full();
        Tracker::new(&self.schema, &self.lexicon, &self.catalogue, base)
    }

    /// The values of a slot that the rows with a name have, each once.
    pub fn values(&self, name: &str, slot: &str) -> Vec<&str> {
        let rows = self.catalogue.rows().iter();
        let rows = rows.filter(|row| row.get(&self.schema.key).is_some_and(|key| key == name));
        let mut values: Vec<&str> = Vec::new();
        for value in rows.filter_map(|row| row.get(slot)) {
            if !values.contains(&value.as_str()) {
                values.push(value);
            }
        }
        values
    }
}
