//! Two levels of failure: what S3 refused, and what never came to an answer.

use super::Remote;
use super::params::refusal;
use crate::domain::{Map, Refusal, Value};
use crate::error::Error;
use aws_sdk_s3::config::http::HttpResponse;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use std::error::Error as StdError;

/// Why a call has no result.
pub(super) enum Trouble {
    /// S3 refused: the program's to handle.
    Refused(Refusal),
    /// There was no answer of S3: ours.
    Failed(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Trouble::Failed(error)
    }
}

/// Codes that say that *our* credentials are no good, whatever the program does.
const CREDENTIALS: &[&str] = &[
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "ExpiredToken",
    "InvalidToken",
    "TokenRefreshRequired",
];

impl Remote {
    /// What an error of the SDK means.
    pub(super) fn trouble<E>(&self, error: SdkError<E, HttpResponse>) -> Trouble
    where
        E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
    {
        match &error {
            SdkError::ServiceError(answer)
                // A copy can fail with an error in the body and the status 200; without
                // a code it is an answer that the SDK did not understand.
                if answer.err().code().is_some() || !answer.raw().status().is_success() =>
            {
                let meta = answer.err().meta();
                self.refused(meta.code(), meta.message(), answer.raw())
            }
            SdkError::ResponseError(answer) if !answer.raw().status().is_success() => {
                self.refused(None, None, answer.raw())
            }
            SdkError::ConstructionFailure(_) => Trouble::Refused(refusal(
                "InvalidArgument",
                400,
                format!("The request cannot be made: {}", cause(&error)),
            )),
            SdkError::ServiceError(_) | SdkError::ResponseError(_) => Trouble::Failed(Error::World(format!(
                "{}: the answer is not one of S3 ({}); is this the port of its S3 service?",
                self.place,
                cause(&error)
            ))),
            _ => Trouble::Failed(Error::World(format!(
                "{}: no answer ({}); check that the server runs and that the endpoint is right",
                self.place,
                cause(&error)
            ))),
        }
    }

    fn refused(&self, code: Option<&str>, message: Option<&str>, raw: &HttpResponse) -> Trouble {
        let status = raw.status().as_u16();
        let body = raw.body().bytes().unwrap_or_default();
        if body.is_empty() {
            // As botocore: without a body, as for every HEAD, the status is the code.
            let reason = reqwest::StatusCode::from_u16(status)
                .ok()
                .and_then(|status| status.canonical_reason())
                .unwrap_or("");
            return Trouble::Refused(refusal(&status.to_string(), status, reason));
        }
        let code = code.unwrap_or("Unknown");
        let message = message.unwrap_or("");
        if CREDENTIALS.contains(&code) {
            return Trouble::Failed(Error::World(format!(
                "{}: the credentials were not accepted ({code}: {message}); check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name another profile",
                self.place
            )));
        }
        let mut refused = refusal(code, status, message);
        refused.details = details(&String::from_utf8_lossy(body));
        Trouble::Refused(refused)
    }
}

/// The innermost reason, which is the one that says something.
pub(super) fn cause(error: &(dyn StdError + 'static)) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}

/// The other elements of `<Error>`, which botocore puts beside code and message.
fn details(xml: &str) -> Map {
    let mut found = Map::new();
    let Some((_, mut rest)) = xml.split_once("<Error") else {
        return found;
    };
    while let Some((name, text, after)) = element(rest) {
        if !matches!(name, "Code" | "Message" | "RequestId" | "HostId") {
            found.push((name.to_owned().into(), Value::Str(unescaped(text))));
        }
        rest = after;
    }
    found
}

/// The next element without children: its name, its text and what follows.
fn element(xml: &str) -> Option<(&str, &str, &str)> {
    let (_, from_name) = xml.split_once('<')?;
    let (name, rest) = from_name.split_once('>')?;
    let (text, after) = rest.split_once('<')?;
    match after.strip_prefix('/').and_then(|s| s.strip_prefix(name)) {
        Some(after) => Some((name, text, after.strip_prefix('>')?)),
        // An empty, closing or enclosing tag: go on behind it.
        None => element(rest),
    }
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#34;", "\"")
        .replace("&apos;", "'")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

/// The text of the first `<name>` in an answer, where the SDK did not understand it.
pub(super) fn text_of<'a>(xml: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = xml.split_once(&format!("<{name}"))?;
    let (attributes, rest) = rest.split_once('>')?;
    if attributes.ends_with('/') {
        return Some("");
    }
    rest.split_once('<').map(|(text, _)| text)
}
