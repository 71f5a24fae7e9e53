//! What a user's yes is for (section 13.4).

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use crate::sheets::Sheets;
use crate::state::State;

/// The values that a backend call of a record reads: all of its effective values.
pub(crate) fn values(sheets: &Sheets, state: &State, record: &str) -> Json {
    crate::plain::record(sheets, state, record)
}

/// The SHA-256 of a call's expression and values. A host that keeps the digest of what it
/// showed to the user can refuse a call with another one.
///
/// ```
/// use serde_json::json;
/// use worksheets::consent_digest;
///
/// let shown = consent_digest("book(self.people)", &json!({"people": 6}));
/// assert_ne!(shown, consent_digest("book(self.people)", &json!({"people": 7})));
/// ```
pub fn digest(code: &str, values: &Json) -> String {
    let call = json!({ "call": code, "values": values });
    // What RFC 8785 cannot write is written as it is: the digest only has to be the same.
    let text = serde_json_canonicalizer::to_string(&call).unwrap_or_else(|_| call.to_string());
    crate::canonical::hex(&Sha256::digest(text))
}
