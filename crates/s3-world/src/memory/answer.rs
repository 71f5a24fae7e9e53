//! Builds answers in the shape of boto3's dicts.

use super::state::Object;
use crate::domain::{Map, Value};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The canonical user id of the account that owns every bucket here.
pub const OWNER_ID: &str = "d1a10902a9100000000000000000000000000000000000000000000000000001";

/// The account number of the owner, for `ExpectedBucketOwner`.
pub const ACCOUNT: &str = "123456789012";

/// Builds a dict. Fields come in the order of botocore's model.
#[derive(Default)]
pub struct Dict(Map);

impl Dict {
    /// An empty dict with capacity for `fields` fields.
    pub fn with_capacity(fields: usize) -> Self {
        Dict(Vec::with_capacity(fields))
    }

    /// Appends a field.
    pub fn field(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.0.push((name.into(), value.into()));
        self
    }

    /// Appends a field if there is a value; boto3 leaves out fields that the server does not
    /// send.
    pub fn maybe(self, name: &'static str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.field(name, value),
            None => self,
        }
    }

    /// Appends a list, unless it is empty: XML answers cannot express an empty list.
    pub fn list(self, name: &'static str, items: Vec<Value>) -> Self {
        if items.is_empty() {
            return self;
        }
        self.field(name, Value::List(items))
    }
}

impl From<Dict> for Value {
    fn from(dict: Dict) -> Self {
        Value::Map(dict.0)
    }
}

/// The owner in listings. AWS no longer sends a `DisplayName`.
pub fn owner() -> Dict {
    Dict::with_capacity(1).field("ID", OWNER_ID)
}

/// The CRC-32 if it is known, as S3 writes checksums: big-endian, in base64.
pub fn crc32(object: &Object) -> Option<String> {
    let crc32 = object.crc32()?;
    Some(STANDARD.encode(crc32.to_be_bytes()))
}

/// A size or a count.
pub fn count(number: usize) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}
