//! What a program passes, as the SDK's builders want it.

use super::answers::to_sdk_time;
use super::errors::Trouble;
use crate::domain::{Refusal, Value};
use aws_sdk_s3::primitives::{ByteStream, DateTime};
use std::collections::HashMap;

/// The parameters of one call. A parameter that is taken is removed, so that
/// [`Params::finish`] knows those that nobody asked for.
pub(super) struct Params<'a> {
    left: Vec<(&'a str, &'a Value)>,
    refused: Option<Refusal>,
}

impl<'a> Params<'a> {
    /// The pairs of a map; anything else has none.
    pub fn new(params: &'a Value) -> Self {
        let left = match params {
            Value::Map(pairs) => pairs.iter().map(|(k, v)| (&**k, v)).collect(),
            _ => Vec::new(),
        };
        Params {
            left,
            refused: None,
        }
    }

    /// The value of `name`; Python's `None` counts as absent.
    pub fn take(&mut self, name: &str) -> Option<&'a Value> {
        let at = self.left.iter().position(|(key, _)| *key == name)?;
        let (_, value) = self.left.swap_remove(at);
        (*value != Value::Null).then_some(value)
    }

    fn converted<T>(
        &mut self,
        name: &str,
        convert: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.take(name)?;
        let converted = convert(value);
        if converted.is_none() {
            self.refuse(name);
        }
        converted
    }

    /// Marks the call as refused: the value of `name` is not what S3 takes.
    pub fn refuse(&mut self, name: &str) {
        let message = match name {
            "MaxKeys" => "Argument maxKeys must be an integer between 0 and 2147483647".to_owned(),
            _ => format!("Argument {name} has a value of the wrong type or out of range"),
        };
        self.refused
            .get_or_insert_with(|| refusal("InvalidArgument", 400, message));
    }

    pub fn text(&mut self, name: &str) -> Option<String> {
        self.converted(name, |value| value.as_str().map(str::to_owned))
    }

    /// An enumeration of the SDK, all of which take any text.
    pub fn choice<T: for<'t> From<&'t str>>(&mut self, name: &str) -> Option<T> {
        self.converted(name, |value| value.as_str().map(T::from))
    }

    pub fn truth(&mut self, name: &str) -> Option<bool> {
        self.converted(name, Value::as_bool)
    }

    pub fn int<T: TryFrom<i64>>(&mut self, name: &str) -> Option<T> {
        self.converted(name, |value| T::try_from(value.as_int()?).ok())
    }

    pub fn time(&mut self, name: &str) -> Option<DateTime> {
        self.converted(name, |value| match value {
            Value::Time(time) => Some(to_sdk_time(*time)),
            _ => None,
        })
    }

    pub fn texts(&mut self, name: &str) -> Option<HashMap<String, String>> {
        self.converted(name, |value| match value {
            Value::Map(pairs) => pairs
                .iter()
                .map(|(key, value)| Some((key.to_string(), value.as_str()?.to_owned())))
                .collect(),
            _ => None,
        })
    }

    pub fn body(&mut self, name: &str) -> Option<ByteStream> {
        self.converted(name, |value| match value {
            Value::Bytes(bytes) => Some(ByteStream::from(bytes.clone())),
            Value::Str(text) => Some(ByteStream::from(text.clone().into_bytes())),
            _ => None,
        })
    }

    /// To be called before anything is sent.
    ///
    /// # Errors
    /// When a value was not what S3 takes, or a parameter would have no effect
    /// here: doing the call without it could do harm.
    pub fn finish(&mut self) -> Result<(), Trouble> {
        if let Some(refused) = self.refused.take() {
            return Err(Trouble::Refused(refused));
        }
        match self.left.iter().find(|(_, value)| **value != Value::Null) {
            None => Ok(()),
            Some((name, _)) => Err(Trouble::Refused(refusal(
                "NotImplemented",
                501,
                format!("The parameter {name} implies functionality that is not implemented"),
            ))),
        }
    }
}

/// A refusal without details.
pub(super) fn refusal(code: &str, status: u16, message: impl Into<String>) -> Refusal {
    Refusal {
        code: code.to_owned(),
        message: message.into(),
        status,
        details: Vec::new(),
    }
}
