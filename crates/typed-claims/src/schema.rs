//! What rows have: the slots of a domain and how their values are compared.

use indexmap::IndexMap;
use serde::Deserialize;

use crate::Error;

/// The slots of a domain's rows.
///
/// ```
/// use typed_claims::Schema;
///
/// let schema = Schema::parse("key = 'name'\n[slots]\ncolour = { kind = 'value' }").unwrap();
/// assert_eq!(schema.key, "name");
/// ```
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// The slot that names a row.
    pub key: String,
    /// How rows are named.
    #[serde(default)]
    pub names: Names,
    /// The slot with the name of the row that holds a row, as a bucket its objects; for names
    /// that are exact.
    #[serde(default)]
    pub holder: Option<String>,
    /// The slot with the number of rows that a row holds.
    #[serde(default)]
    pub holds: Option<String>,
    /// The other slots, in the order in which people say them.
    #[serde(default)]
    pub slots: IndexMap<String, Slot>,
}

/// How rows are named in a reply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Names {
    /// As people name things: in any case, shortened, with a typo.
    #[default]
    Words,
    /// As they are spelt: keys, paths, numbers of orders.
    Exact,
}

/// One slot of a row.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// How its values are found and compared.
    pub kind: SlotKind,
    /// The unit of a quantity.
    #[serde(default)]
    pub unit: Option<Unit>,
    /// The letters with which a postcode begins.
    #[serde(default)]
    pub prefix: String,
    /// The slot is a place: "close to the centre" and "anywhere" are said of it.
    #[serde(default)]
    pub place: bool,
    /// A wish that denies a value wishes for the other ones ("not expensive").
    #[serde(default)]
    pub others: bool,
    /// Values that a row has by the words of another slot, too.
    #[serde(default)]
    pub also: Vec<Also>,
}

/// A value that a row has, too, if another slot says so.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Also {
    /// The value.
    pub value: String,
    /// The slot that says so.
    pub slot: String,
    /// The words, in lower case, that it has then.
    pub contains: String,
}

/// How the values of a slot are found in a reply and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SlotKind {
    /// One of a few values, which the lexicon has words for.
    Value,
    /// Nine to twelve digits.
    Phone,
    /// A prefix, digits, and two letters.
    Postcode,
    /// A street, a number, a place: every said word stands in the row's.
    Address,
    /// Free text, which supports open properties.
    Text,
    /// A number with a unit.
    Quantity,
}

/// What a quantity measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Bytes, said in units of 1000 or 1024.
    Bytes,
    /// Seconds, said as durations.
    Seconds,
    /// A day, as `2026-11-28`, said as a date or relative to today.
    Date,
    /// An amount of money.
    Money,
    /// A bare number.
    Number,
}

impl Schema {
    /// Reads a schema from TOML.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let schema: Schema =
            toml::from_str(text).map_err(|error| Error::Schema(error.to_string()))?;
        schema.checked()
    }

    /// The schema, unless its slots do not fit each other.
    pub(crate) fn checked(self) -> Result<Self, Error> {
        let schema = self;
        for (field, slot) in [("holder", &schema.holder), ("holds", &schema.holds)] {
            if let Some(slot) = slot
                .as_ref()
                .filter(|slot| !schema.slots.contains_key(*slot))
            {
                return Err(Error::Schema(format!(
                    "`{field}` names the slot `{slot}`, which is not there"
                )));
            }
        }
        for (name, slot) in &schema.slots {
            if slot.kind == SlotKind::Quantity && slot.unit.is_none() {
                return Err(Error::Schema(format!(
                    "the quantity `{name}` has no `unit`"
                )));
            }
            if let Some(also) = slot
                .also
                .iter()
                .find(|also| !schema.slots.contains_key(&also.slot))
            {
                return Err(Error::Schema(format!(
                    "`{name}.also` names the slot `{}`, which is not there",
                    also.slot
                )));
            }
        }
        Ok(schema)
    }

    pub(crate) fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.get(name)
    }

    pub(crate) fn of(&self, kind: SlotKind) -> impl Iterator<Item = (&str, &Slot)> {
        let slots = self.slots.iter().filter(move |(_, slot)| slot.kind == kind);
        slots.map(|(name, slot)| (name.as_str(), slot))
    }
}
