//! Converts the SDK's answers to boto3's shape.

use super::table::answered;
use crate::domain::{Map, Value};
use aws_sdk_s3::primitives::{DateTime, DateTimeFormat};
use aws_sdk_s3::types::Owner;

/// Collects the fields of an answer. Fields without a value are left out, as in boto3.
#[derive(Default)]
pub(super) struct Fields(Map);

impl Fields {
    pub fn put(mut self, name: &'static str, value: Option<impl Into<Value>>) -> Self {
        if let Some(value) = value {
            self.0.push((name.into(), value.into()));
        }
        self
    }

    /// A value of one of the SDK's enumerations, as sent by the server.
    pub fn choice(self, name: &'static str, value: Option<&impl AsRef<str>>) -> Self {
        self.put(name, value.map(AsRef::as_ref))
    }

    /// Several such values. boto3 leaves out an empty list.
    pub fn choices(self, name: &'static str, values: &[impl AsRef<str>]) -> Self {
        let values: Vec<Value> = values.iter().map(|v| Value::from(v.as_ref())).collect();
        self.put(name, (!values.is_empty()).then_some(Value::List(values)))
    }

    pub fn int(self, name: &'static str, value: Option<impl Into<i64>>) -> Self {
        self.put(name, value.map(|int| Value::Int(int.into())))
    }

    pub fn time(self, name: &'static str, value: Option<&DateTime>) -> Self {
        self.put(name, value.and_then(from_sdk_time))
    }

    /// The header `Expires`, if it is a date.
    pub fn expires(self, name: &'static str, header: Option<&str>) -> Self {
        let date = header.and_then(|text| DateTime::from_str(text, DateTimeFormat::HttpDate).ok());
        self.time(name, date.as_ref())
    }

    /// A list. boto3 leaves out an empty one.
    pub fn list(self, name: &'static str, items: impl IntoIterator<Item = Map>) -> Self {
        let items: Vec<Value> = items.into_iter().map(Value::Map).collect();
        self.put(name, (!items.is_empty()).then_some(Value::List(items)))
    }

    pub fn map(self, name: &'static str, fields: Option<Map>) -> Self {
        self.put(name, fields.map(Value::Map))
    }

    pub fn owner(self, name: &'static str, owner: Option<&Owner>) -> Self {
        let owner = owner.map(|owner| {
            answered!(Fields::default(), owner;
                "DisplayName" put display_name,
                "ID" put id,
            )
            .done()
        });
        self.map(name, owner)
    }

    pub fn done(self) -> Map {
        self.0
    }
}

fn from_sdk_time(time: &DateTime) -> Option<Value> {
    jiff::Timestamp::from_nanosecond(time.as_nanos())
        .ok()
        .map(Value::Time)
}

pub(super) fn to_sdk_time(time: jiff::Timestamp) -> DateTime {
    // For times before 1970 as well, nanoseconds count forward.
    let nanoseconds = time.as_nanosecond();
    let second = nanoseconds.div_euclid(1_000_000_000);
    let rest = nanoseconds.rem_euclid(1_000_000_000);
    DateTime::from_secs_and_nanos(second as i64, rest as u32)
}
