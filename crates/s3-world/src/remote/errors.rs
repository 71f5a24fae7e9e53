//! Two levels of failure: S3 refused the call, or S3 did not answer.

use super::call::Call;
use super::carrier::RawAnswer;
use super::tries::tries;
use super::xml::details;
use super::{Remote, regions};
use crate::domain::{Name, Refusal, Value};
use crate::error::Error;
pub(super) use crate::error::innermost;
use aws_sdk_s3::config::http::HttpResponse;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use std::error::Error as StdError;

/// Why a call has no result.
pub(super) enum Trouble {
    /// S3 refused the call; the program handles it.
    Refused(Box<Refused>),
    /// S3 did not answer; that is an error of this program.
    Failed(Error),
}

/// A refusal by S3, with the rest of its answer.
pub(super) struct Refused {
    pub refusal: Refusal,
    /// The status of the answer; 0 if no request was sent.
    pub status: u16,
    /// The region of the bucket, if the answer contains it.
    pub region: Option<String>,
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Trouble::Failed(error)
    }
}

impl From<Refusal> for Trouble {
    /// A refusal made here: nothing was sent.
    fn from(refusal: Refusal) -> Self {
        Trouble::Refused(Box::new(Refused {
            refusal,
            status: 0,
            region: None,
        }))
    }
}

/// Codes for wrong credentials of this process. The program cannot do anything about
/// them.
const CREDENTIALS: &[&str] = &[
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "ExpiredToken",
    "InvalidToken",
    "TokenRefreshRequired",
];

/// The statuses after which a call is retried.
const TRANSIENT: &[u16] = &[429, 500, 502, 503, 504];

impl Call<'_> {
    /// Decides to which of the two levels an error of the SDK belongs.
    pub fn trouble<E>(&self, error: SdkError<E, HttpResponse>) -> Trouble
    where
        E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
    {
        self.remote.trouble(error)
    }
}

impl Remote {
    /// Decides to which of the two levels an error of the SDK belongs.
    pub(super) fn trouble<E>(&self, error: SdkError<E, HttpResponse>) -> Trouble
    where
        E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
    {
        match &error {
            SdkError::ServiceError(answer)
                // A copy can fail with the status 200 and an error in the body. Without a
                // code, it is an answer that the SDK did not understand.
                if answer.err().code().is_some() || !answer.raw().status().is_success() =>
            {
                let meta = answer.err().meta();
                self.refused(meta.code(), meta.message(), &RawAnswer::of(answer.raw()))
            }
            SdkError::ResponseError(answer) if !answer.raw().status().is_success() => {
                self.refused(None, None, &RawAnswer::of(answer.raw()))
            }
            SdkError::ConstructionFailure(_) => Refusal::new(
                400,
                "InvalidArgument",
                format!("The request cannot be made: {}", innermost(&error)),
            )
            .into(),
            SdkError::ServiceError(_) | SdkError::ResponseError(_) => Trouble::Failed(Error::world(format!(
                "{}: the answer is not one of S3 ({}); is this the port of its S3 service?",
                self.place(),
                innermost(&error)
            ))),
            _ => Trouble::Failed(Error::world(format!(
                "{}: no answer ({}); check that the server runs and that the endpoint is right",
                self.place(),
                innermost(&error)
            ))),
        }
    }

    /// The refusal in an answer, with the code and message of its body.
    pub(super) fn refused(
        &self,
        code: Option<&str>,
        message: Option<&str>,
        raw: &RawAnswer,
    ) -> Trouble {
        let status = match raw.status {
            // Like botocore: an error in the body of a success counts as a server error.
            200..300 => 500,
            bad => bad,
        };
        let body = String::from_utf8_lossy(&raw.body);
        let message = self.without_key(message.unwrap_or_default());
        let mut refusal = match code.filter(|_| !body.is_empty()) {
            // If botocore cannot read a body, as with every HEAD, the status serves as
            // the code.
            None => Refusal::of_status(status),
            Some(code) if CREDENTIALS.contains(&code) => {
                return Trouble::Failed(Error::world(format!(
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
        let named = raw.header(regions::HEADER);
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

    /// Removes the access key's ID from a server's text.
    fn without_key(&self, text: &str) -> String {
        match self.0.key_id.as_str() {
            "" => text.to_owned(),
            id => text.replace(id, "…"),
        }
    }
}

/// The fields that botocore adds after its last retry. The programs' client moves them
/// from the error to botocore's place for them.
fn retried(retries: u32) -> (Name, Value) {
    let said = vec![
        ("MaxAttemptsReached".into(), Value::Bool(true)),
        ("RetryAttempts".into(), Value::Int(retries.into())),
    ];
    ("ResponseMetadata".into(), Value::Map(said))
}
