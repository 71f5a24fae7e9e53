//! What a domain of the caller's knows, ready to judge replies.

use crate::spans::Reader;
use crate::{Catalogue, Done, Error, Lexicon, Row, Schema, Tracker, domain, exact, restaurant};

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

    /// The words of a language without any rows.
    ///
    /// # Errors
    /// The language is not known.
    pub fn nothing(language: &str) -> Result<Self, Error> {
        Knowledge::read("key = 'name'\nnames = 'exact'", language, Vec::new())
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

    /// What a reply says was done, whatever it was done with. No row decides whether it was: who ran
    /// the programs knows.
    ///
    /// ```
    /// use typed_claims::{Deed, Knowledge};
    ///
    /// let known = Knowledge::nothing("en")?;
    /// let done = known.done("All right, I've deleted them. The rest is still there.");
    /// assert_eq!(done.len(), 1);
    /// assert_eq!(done[0].deed, Deed::Gone);
    /// assert!(known.done("I haven't deleted them. Shall I?").is_empty());
    /// # Ok::<(), typed_claims::Error>(())
    /// ```
    pub fn done(&self, reply: &str) -> Vec<Done> {
        exact::told(&self.reader(), reply)
    }

    /// Whether a text speaks of what was done: *which files were deleted?*
    pub fn names_deeds(&self, text: &str) -> bool {
        exact::names_deeds(&self.reader(), text)
    }

    fn reader(&self) -> Reader<'_> {
        Reader {
            schema: &self.schema,
            lexicon: &self.lexicon,
            catalogue: &self.catalogue,
            today: None,
        }
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
