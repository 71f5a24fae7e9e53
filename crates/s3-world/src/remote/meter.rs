//! What the answers of S3 count for.

use crate::domain::{Map, Meter, Value};

/// The parts of a listing's answer that are names.
const LISTED: [&str; 6] = [
    "Contents",
    "CommonPrefixes",
    "Versions",
    "DeleteMarkers",
    "Uploads",
    "Buckets",
];

/// Counts an answer with these fields.
pub(super) fn count(meter: &Meter, fields: &Map) {
    for (name, value) in fields {
        match value {
            Value::List(names) if LISTED.contains(&&**name) => meter.listed(names.len()),
            Value::Bytes(body) if &**name == "Body" => meter.read(body.len()),
            _ => {}
        }
    }
}
