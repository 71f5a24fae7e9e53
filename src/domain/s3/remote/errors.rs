//! Two levels of failure: S3 has refused, or there was no answer of S3.

use super::call::Call;
use super::tries::tries;
use super::xml::details;
use super::{Remote, regions};
pub(super) use crate::aws::cause;
use crate::domain::{Name, Refusal, Value};
use crate::error::Error;
use aws_sdk_s3::config::http::HttpResponse;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use std::error::Error as StdError;

/// Why a call has no result.
pub(super) enum Trouble {
    /// S3 refused: the program's to handle.
    Refused(Box<Refused>),
    /// There was no answer of S3: ours.
    Failed(Error),
}

/// A refusal of S3, and the rest of its answer.
pub(super) struct Refused {
    pub refusal: Refusal,
    /// The status of the answer; 0 if no request was sent.
    pub status: u16,
    /// The region of the bucket, if the answer names it.
    pub region: Option<String>,
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Trouble::Failed(error)
    }
}

impl From<Refusal> for Trouble {
    /// A refusal of ours: nothing was sent.
    fn from(refusal: Refusal) -> Self {
        Trouble::Refused(Box::new(Refused {
            refusal,
            status: 0,
            region: None,
        }))
    }
}

/// Codes that mean that *our* credentials are wrong, whatever the program does.
const CREDENTIALS: &[&str] = &[
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "ExpiredToken",
    "InvalidToken",
    "TokenRefreshRequired",
];

/// The statuses after which a call is tried again.
const TRANSIENT: &[u16] = &[429, 500, 502, 503, 504];

impl Call<'_> {
    /// Sorts an error of the SDK into the two levels.
    pub fn trouble<E>(&self, error: SdkError<E, HttpResponse>) -> Trouble
    where
        E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
    {
        self.remote.trouble(error)
    }
}

impl Remote {
    /// Sorts an error of the SDK into the two levels.
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
            SdkError::ConstructionFailure(_) => Refusal::new(
                400,
                "InvalidArgument",
                format!("The request cannot be made: {}", cause(&error)),
            )
            .into(),
            SdkError::ServiceError(_) | SdkError::ResponseError(_) => Trouble::Failed(Error::World(format!(
                "{}: the answer is not one of S3 ({}); is this the port of its S3 service?",
                self.place(),
                cause(&error)
            ))),
            _ => Trouble::Failed(Error::World(format!(
                "{}: no answer ({}); check that the server runs and that the endpoint is right",
                self.place(),
                cause(&error)
            ))),
        }
    }

    fn refused(&self, code: Option<&str>, message: Option<&str>, raw: &HttpResponse) -> Trouble {
        let status = match raw.status() {
            // As botocore: an error in the body of a success is one of the server's.
            fine if fine.is_success() => 500,
            bad => bad.as_u16(),
        };
        let body = String::from_utf8_lossy(raw.body().bytes().unwrap_or_default());
        let message = self.without_key(message.unwrap_or_default());
        let mut refusal = match code.filter(|_| !body.is_empty()) {
            // Without a body that botocore can read, as for every HEAD, the status is the code.
            None => Refusal::of_status(status),
            Some(code) if CREDENTIALS.contains(&code) => {
                return Trouble::Failed(Error::World(format!(
                    "{}: the credentials were not accepted ({code}: {message}); check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name another profile",
                    self.place()
                )));
            }
            Some(code) => {
                let mut refusal = Refusal::new(status, code, message);
                refusal.details = details(&body);
                for (_, value) in &mut refusal.details {
                    if let Value::Str(text) = value {
                        *text = self.without_key(text);
                    }
                }
                refusal
            }
        };
        let named = raw.headers().get(regions::HEADER).map(str::to_owned);
        let region = named.or_else(|| {
            let region = refusal.details.iter().find(|(name, _)| name == "Region")?;
            region.1.as_str().map(str::to_owned)
        });
        if tries() >= self.limits().tries && TRANSIENT.contains(&status) {
            refusal.details.push(retried(tries().saturating_sub(1)));
        }
        Trouble::Refused(Box::new(Refused {
            refusal,
            status,
            region,
        }))
    }

    /// A text of the server without the public half of our credentials.
    fn without_key(&self, text: &str) -> String {
        match self.0.key_id.as_str() {
            "" => text.to_owned(),
            id => text.replace(id, "…"),
        }
    }
}

/// What botocore reports of a call that used up its tries. The programs' client moves it from
/// the error to where botocore has it.
fn retried(retries: u32) -> (Name, Value) {
    let said = vec![
        ("MaxAttemptsReached".into(), Value::Bool(true)),
        ("RetryAttempts".into(), Value::Int(retries.into())),
    ];
    ("ResponseMetadata".into(), Value::Map(said))
}
