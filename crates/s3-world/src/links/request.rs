//! The request of a program for a signed link.

use super::SETTING;
use super::url::{Endpoint, Version};
use crate::api::{self, ApiOperation, Level};
use crate::caller::text;
use crate::domain::{Access, Mark, Place, Refusal, Touched, Value, counted};
use crate::params::Params;
use crate::refusal;
use jiff::Timestamp;
use std::time::Duration;

/// How long a link is valid if a program does not say it: as long as botocore's.
pub(super) const USUAL_SECONDS: i64 = 3600;

/// The setting of a place that stands for forms to write it.
pub(super) const SETTING_OF_FORMS: &str = "form";

/// A call of `generate_presigned_url`.
pub struct LinkRequest<'a> {
    /// The operation that the link carries out.
    pub operation: &'static ApiOperation,
    /// The parameters of that operation.
    pub params: &'a Value,
    /// How long the link is valid. botocore signs links of any length; S3 refuses those of
    /// less than a second or more than a week when they are used.
    pub seconds: i64,
    /// The version of the signature.
    pub version: Option<Version>,
}

impl<'a> LinkRequest<'a> {
    /// Reads the parameters that the client sends to the host.
    ///
    /// # Errors
    /// Refuses operations that S3 does not have here, and a method that would turn the link
    /// into one for another operation.
    pub fn new(params: Params<'a>) -> Result<Self, Refusal> {
        let name = params.text("ClientMethod")?;
        let Some(operation) = api::operation(name) else {
            return Err(refusal::malformed("ClientMethod", "an operation of S3"));
        };
        match params.optional("HttpMethod")? {
            Some(method) if !method.eq_ignore_ascii_case(operation.method) => {
                let expected = format!("{} for {name}", operation.method);
                return Err(refusal::malformed("HttpMethod", &expected));
            }
            _ => {}
        }
        let seconds = params.get("ExpiresIn").and_then(Value::as_int);
        Ok(LinkRequest {
            operation,
            params: params.get("Params").unwrap_or(&Value::Null),
            seconds: seconds.unwrap_or(USUAL_SECONDS),
            version: params
                .optional("SignatureVersion")?
                .and_then(Version::named),
        })
    }

    /// How long the link is valid; no time at all where S3 refuses it.
    pub fn lasts(&self) -> Duration {
        Duration::from_secs(u64::try_from(self.seconds).unwrap_or_default())
    }

    /// The bucket or object that the link is about; the world if it is about neither.
    pub fn thing(&self) -> Place {
        let named = |name| text(self.params, name);
        match (self.operation.level, named("Bucket"), named("Key")) {
            (Level::Object, Some(bucket), Some(key)) => Place::thing(bucket, key),
            (_, Some(bucket), _) => Place::container(bucket),
            _ => Place::default(),
        }
    }

    /// The place that stands for all links to the thing.
    pub fn place(&self) -> Place {
        self.thing().with_setting(SETTING)
    }

    /// The value that a program gets.
    pub fn answer(&self, endpoint: &Endpoint<'_>, now: Timestamp, is_served: bool) -> Value {
        Value::Map(vec![
            ("Url".into(), self.url(endpoint, now).into()),
            ("Served".into(), is_served.into()),
        ])
    }

    /// The description of the link in a plan.
    pub fn touched(&self, is_served: bool) -> Touched {
        let setting = format!("{SETTING} to {} for {}", self.deed(), period(self.seconds));
        shared(self.thing().with_setting(setting), is_served)
    }

    /// The permission that the link gives, in words: `read it`.
    pub fn deed(&self) -> String {
        match (self.operation.name, self.operation.effect) {
            ("get_object" | "head_object", _) => "read it".to_owned(),
            ("put_object", _) => "write it".to_owned(),
            ("delete_object", _) => "delete it".to_owned(),
            ("list_objects" | "list_objects_v2", _) => "list it".to_owned(),
            (name, Access::Read) => format!("ask {name}"),
            (name, _) => format!("call {name}"),
        }
    }
}

/// The description of something that is shared, in a plan.
pub(super) fn shared(place: Place, is_served: bool) -> Touched {
    let who = match is_served {
        true => "anybody who has it",
        false => "nobody, because no server answers it here",
    };
    Touched {
        place,
        before: None,
        after: Some(Mark {
            tag: SETTING.to_owned(),
            size: 0,
            version: None,
            summary: Some(who.to_owned()),
        }),
        changed: true,
        shares: is_served,
        ..Touched::default()
    }
}

/// A time in the largest unit that says it exactly: `7 days`.
pub(super) fn period(seconds: i64) -> String {
    const UNITS: [(i64, &str); 4] = [
        (86_400, "day"),
        (3600, "hour"),
        (60, "minute"),
        (1, "second"),
    ];
    let exact = |(unit, _): &&(i64, &str)| seconds > 0 && seconds % unit == 0;
    let (unit, name) = UNITS.iter().find(exact).unwrap_or(&(1, "second"));
    counted(seconds / unit, name)
}
