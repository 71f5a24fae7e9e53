//! A reply's claims as JSON of a stable form.

use serde::Serialize;

use crate::restaurant;
use crate::{Catalogue, Error, Flags, Kind, Row, Rule, Tracker};

/// One claim.
#[derive(Serialize)]
struct Span<'a> {
    start: usize,
    end: usize,
    kind: &'static str,
    about: Option<String>,
    verdict: &'static str,
    row: &'a [String],
    rule: Rule,
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
/// `true`, `false`, `unknown` or, for lists, `incomplete`.
///
/// ```
/// let rows = br#"{"name": "royal spice", "area": "north", "food": "indian"}"#;
/// let json = typed_claims::report(rows, b"Royal Spice is in the south.", "en").unwrap();
/// let json = String::from_utf8(json).unwrap();
/// assert!(json.contains("\"verdict\":\"false\""));
/// ```
pub fn report(rows: &[u8], reply: &[u8], language: &str) -> Result<Vec<u8>, Error> {
    let text = |bytes| {
        std::str::from_utf8(bytes)
            .map_err(|error: std::str::Utf8Error| Error::Reply(error.valid_up_to()))
    };
    let mut read: Vec<Row> = Vec::new();
    for (at, line) in text(rows)?
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let row = serde_json::from_str(line).map_err(|error| Error::Row {
            line: at + 1,
            problem: error.to_string(),
        })?;
        read.push(row);
    }
    let schema = restaurant::schema()?;
    let lexicon = restaurant::lexicon(language, &schema)?;
    let catalogue = Catalogue::new(read, &schema, &lexicon)?;
    let verdict =
        Tracker::new(&schema, &lexicon, &catalogue, catalogue.full()).check(text(reply)?, None);
    let claims = verdict.claims.iter().map(|claim| Span {
        start: claim.range.start,
        end: claim.range.end,
        kind: claim.kind.name(),
        about: claim.kind.subject().map(ToString::to_string),
        verdict: match (claim.truth, &claim.kind) {
            (Some(true), _) => "true",
            (Some(false), Kind::All { .. }) => "incomplete",
            (Some(false), _) => "false",
            (None, _) => "unknown",
        },
        row: &claim.rows,
        rule: claim.rule,
    });
    let report = Report {
        version: 1,
        claims: claims.collect(),
        flags: verdict.flags,
    };
    serde_json::to_vec(&report).map_err(|error| Error::Row {
        line: 0,
        problem: error.to_string(),
    })
}
