//! What a user's yes is for (section 13.4).

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use crate::program::Called;
use crate::sheets::Sheets;
use crate::state::State;

/// The values that a user sees of a record that is called: all of its effective values.
pub(crate) fn values(sheets: &Sheets, state: &State, record: &str) -> Json {
    crate::plain::record(sheets, state, record)
}

/// The SHA-256 of what a yes to a record is for: its backend cell, its values, and the call with
/// its arguments, wherever these stand. A host that keeps the digest of what it showed to the user
/// can refuse a call with another one. Nothing if only Python can tell the arguments: a yes is
/// never for such a call.
///
/// ```
/// use serde_json::json;
/// use worksheets::{Format, State, consent_digest, read};
///
/// let csv = "WS Name,Kind,Type,Name\nA,task,,book(prefs.people)\nPrefs,task,,\n,input,int,people\n";
/// let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
/// let digest = |people: u64| {
///     let prefs = json!({"var": "prefs", "sheet": "Prefs", "fields": {"people": {"value": people}}});
///     let records = json!([{"var": "a", "sheet": "A", "fields": {}}, prefs]);
///     consent_digest(&sheets, &State::of(&json!({"turn": 1, "records": records})).unwrap(), "a")
/// };
/// assert!(digest(6).is_some());
/// assert_ne!(digest(6), digest(7));
/// ```
pub fn digest(sheets: &Sheets, state: &State, record: &str) -> Option<String> {
    let (_, task) = state.task(record)?;
    let code = sheets.get(&task.sheet)?.backend.as_str();
    let called = Called::of(sheets, state, record, code).ok()?;
    let values = values(sheets, state, record);
    let call = json!({ "call": code, "values": values, "called": called.to_string() });
    // What RFC 8785 cannot write is written as it is: the digest only has to be the same.
    let text = serde_json_canonicalizer::to_string(&call).unwrap_or_else(|_| call.to_string());
    Some(crate::canonical::hex(&Sha256::digest(text)))
}
