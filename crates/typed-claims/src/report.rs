//! A reply's claims as JSON of a stable form.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;

use crate::{Catalogue, Claim, ClaimRule, Error, Flags, Kind, Knowledge, Row, Tracker, restaurant};

/// One claim.
#[derive(Serialize)]
struct Span<'a> {
    start: usize,
    end: usize,
    kind: &'static str,
    about: Option<String>,
    /// What a slot claim says; absent from other kinds.
    #[serde(flatten)]
    slot: Option<Slot<'a>>,
    verdict: &'static str,
    row: &'a [String],
    rule: ClaimRule,
}

/// The slot that a claim is about, the values it is said to have, and whether it has them not.
#[derive(Serialize)]
struct Slot<'a> {
    slot: &'a str,
    values: &'a [String],
    negated: bool,
}

impl<'a> Slot<'a> {
    fn of(kind: &'a Kind) -> Option<Self> {
        match kind {
            Kind::Slot {
                slot,
                value,
                negated,
                ..
            } => Some(Slot {
                slot,
                values: value,
                negated: *negated,
            }),
            _ => None,
        }
    }
}

impl<'a> Span<'a> {
    fn of(claim: &'a Claim) -> Self {
        Span {
            start: claim.range.start,
            end: claim.range.end,
            kind: claim.kind.name(),
            about: claim.kind.subject().map(ToString::to_string),
            slot: Slot::of(&claim.kind),
            verdict: claim.verdict(),
            row: &claim.rows,
            rule: claim.rule,
        }
    }
}

/// A claim in the form of [`report`].
impl Serialize for Claim {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Span::of(self).serialize(serializer)
    }
}

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    claims: Vec<Span<'a>>,
    flags: Flags,
}

/// The claims of a reply about rows of the restaurants' schema, as JSON: bytes in, bytes out.
///
/// Rows are lines of JSON objects. The form: `{"version": 1, "claims": [{"start", "end", "kind",
/// "about", "verdict", "row", "rule"}], "flags": {…}}`; places are bytes of the reply, verdicts
/// `true`, `false`, `unknown` or, for lists, `incomplete`. `about` is the entity. A claim of the
/// kind `slot` also has the keys `slot`, `values` (the reply means one of them) and
/// `negated`.
///
/// ```
/// let rows = br#"{"name": "royal spice", "area": "north", "food": "indian"}"#;
/// let json = typed_claims::report(rows, b"Royal Spice is in the south.", "en").unwrap();
/// let json = String::from_utf8(json).unwrap();
/// assert!(json.contains("\"verdict\":\"false\""));
/// ```
pub fn report(rows: &[u8], reply: &[u8], language: &str) -> Result<Vec<u8>, Error> {
    let rows = rows_of_lines(rows)?;
    let (schema, lexicon) = restaurant::shared(language)?;
    let catalogue = Catalogue::new(rows, schema, lexicon)?;
    let base = catalogue.full();
    write(reply, &mut Tracker::new(schema, lexicon, &catalogue, base))
}

/// As [`report`], by a schema of the caller's, so that any agent's replies can be checked.
///
/// The schema is TOML, or JSON of the same shape: `key` is the slot that names a row; `slots` has
/// each other slot with its `kind` (`value`, `phone`, `postcode`, `address`, `text`, or `quantity`
/// with a `unit`: `bytes`, `seconds`, `date`, `money`, `number`); `lexicon.LANGUAGE` may have the
/// domain's words, as the files of the restaurants do. Values of rows without words are found as
/// they are spelt, slots by their names.
///
/// ```
/// let rows = br#"{"name": "atlas", "status": "archived"}
/// {"name": "borealis", "status": "active"}"#;
/// let schema = b"key = 'name'\n[slots]\nstatus = { kind = 'value' }";
/// let json = typed_claims::report_with(rows, b"Atlas is active.", "en", schema).unwrap();
/// assert!(String::from_utf8(json).unwrap().contains("\"verdict\":\"false\""));
/// ```
pub fn report_with(
    rows: &[u8],
    reply: &[u8],
    language: &str,
    schema: &[u8],
) -> Result<Vec<u8>, Error> {
    let rows = rows_of_lines(rows)?;
    let schema = std::str::from_utf8(schema).map_err(|error| Error::Schema(error.to_string()))?;
    write(
        reply,
        &mut Knowledge::read(schema, language, rows)?.tracker(),
    )
}

/// Rows that are lines of JSON objects. A number is the text that it is written as, `null` is a slot
/// without a value, and a byte order mark is none of the text.
///
/// # Errors
/// A line is none, or a value has parts; its number is said.
pub fn rows_of_lines(rows: &[u8]) -> Result<Vec<Row>, Error> {
    let rows = rows.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rows);
    let mut read: Vec<Row> = Vec::new();
    for (at, line) in rows
        .split(|byte| *byte == b'\n')
        .enumerate()
        .filter(|(_, line)| !line.trim_ascii().is_empty())
    {
        let wrong = |problem: String| Error::Row {
            line: at + 1,
            problem,
        };
        let slots: IndexMap<String, Value> =
            serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
        let mut row = Row::new();
        for (slot, value) in slots {
            let text = match value {
                Value::Null => continue,
                Value::String(text) => text,
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                Value::Array(_) | Value::Object(_) => {
                    return Err(wrong(format!("{slot} has parts: write them as one text")));
                }
            };
            row.insert(slot, text);
        }
        read.push(row);
    }
    Ok(read)
}

fn write(reply: &[u8], tracker: &mut Tracker<'_>) -> Result<Vec<u8>, Error> {
    let reply = std::str::from_utf8(reply).map_err(|error| Error::Reply(error.valid_up_to()))?;
    let verdict = tracker.check(reply, None);
    let report = Report {
        version: 1,
        claims: verdict.claims.iter().map(Span::of).collect(),
        flags: verdict.flags,
    };
    serde_json::to_vec(&report).map_err(|error| Error::Row {
        line: 0,
        problem: error.to_string(),
    })
}
