//! What the SDK answers, in boto3's shape.

use crate::domain::{Map, Value};
use aws_sdk_s3::primitives::{DateTime, DateTimeFormat};
use aws_sdk_s3::types::{Owner, RequestCharged};

/// Collects the fields of an answer; a field without a value is left out, as
/// boto3 does.
#[derive(Default)]
pub(super) struct Fields(Map);

impl Fields {
    pub fn put(mut self, name: &'static str, value: Option<impl Into<Value>>) -> Self {
        if let Some(value) = value {
            self.0.push((name.into(), value.into()));
        }
        self
    }

    pub fn int(self, name: &'static str, value: Option<impl Into<i64>>) -> Self {
        self.put(name, value.map(|int| Value::Int(int.into())))
    }

    pub fn time(self, name: &'static str, value: Option<&DateTime>) -> Self {
        self.put(name, value.and_then(from_sdk_time))
    }

    /// A list, which boto3 leaves out when it is empty.
    pub fn list(self, name: &'static str, items: impl IntoIterator<Item = Map>) -> Self {
        let items: Vec<Value> = items.into_iter().map(Value::Map).collect();
        self.put(name, (!items.is_empty()).then_some(Value::List(items)))
    }

    pub fn owner(self, owner: Option<&Owner>) -> Self {
        let owner = owner.map(|owner| {
            let fields = Fields::default()
                .put("DisplayName", owner.display_name())
                .put("ID", owner.id());
            Value::Map(fields.done())
        });
        self.put("Owner", owner)
    }

    pub fn charged(self, charged: Option<&RequestCharged>) -> Self {
        self.put("RequestCharged", charged.map(RequestCharged::as_str))
    }

    /// The header `Expires`, as it was sent and, where it is one, as a date.
    pub fn expires(self, header: Option<&str>) -> Self {
        let date = header.and_then(|text| DateTime::from_str(text, DateTimeFormat::HttpDate).ok());
        self.time("Expires", date.as_ref())
            .put("ExpiresString", header)
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
    // In this form the nanoseconds of a time before 1970 count forward too.
    let nanoseconds = time.as_nanosecond();
    let second = nanoseconds.div_euclid(1_000_000_000);
    let rest = nanoseconds.rem_euclid(1_000_000_000);
    DateTime::from_secs_and_nanos(second as i64, rest as u32)
}
