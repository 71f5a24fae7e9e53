//! What the SDK's errors mean for people.

use super::watch::Watch;
use super::{Bedrock, Service};
use crate::aws::cause;
use crate::llm::http::{Failure, ServerError, asked_wait, is_about_length, is_passing, quote};
use aws_sdk_bedrockruntime::config::http::HttpResponse;
use aws_sdk_bedrockruntime::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_bedrockruntime::types::error::ConverseStreamOutputError;
use aws_smithy_types::event_stream::RawMessage;
use http_body_util::LengthLimitError;
use std::error::Error as StdError;
use std::time::Duration;

/// Bytes of a body that is no answer that are looked at.
const LONGEST_LOOK: usize = 64 << 10;

/// Codes that say that the credentials are no good.
const CREDENTIALS: [&str; 6] = [
    "UnrecognizedClientException",
    "InvalidSignatureException",
    "IncompleteSignatureException",
    "ExpiredTokenException",
    "MissingAuthenticationTokenException",
    "InvalidClientTokenId",
];

/// What a failure says of itself.
struct Said<'a> {
    status: u16,
    code: &'a str,
    message: &'a str,
    asked: Option<Duration>,
}

impl Bedrock {
    /// The call came to no stream of events.
    pub(super) fn not_sent<E>(
        &self,
        service: &Service,
        error: &SdkError<E, HttpResponse>,
        watch: &Watch,
    ) -> Failure
    where
        E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
    {
        if is_too_long(error) {
            return self.too_long(service);
        }
        let (raw, meta) = match error {
            SdkError::ServiceError(answer) => (answer.raw(), Some(answer.err().meta())),
            SdkError::ResponseError(answer) => (answer.raw(), None),
            SdkError::ConstructionFailure(_) => {
                let why = quote(&cause(error), &secrets(service));
                return Failure::Final(format!(
                    "{}: the request cannot be made: {why}",
                    service.place
                ));
            }
            _ => return unreachable(service, error),
        };
        let body = raw.body().bytes().unwrap_or_default();
        let body = body.get(..LONGEST_LOOK).unwrap_or(body);
        let code = meta.and_then(|meta| meta.code()).unwrap_or_default();
        let message = meta.and_then(|meta| meta.message()).unwrap_or_default();
        if let Some(kind) = watch.foreign.get() {
            return self.foreign(service, kind, body, code, message);
        }
        let plain = ServerError::read(body).message;
        self.judge(
            service,
            &Said {
                status: raw.status().as_u16(),
                code,
                message: match message.is_empty() {
                    true => &plain,
                    false => message,
                },
                asked: asked_wait(|name| raw.headers().get(name)),
            },
        )
    }

    /// The stream of events broke, or had a failure in it.
    pub(super) fn broken(
        &self,
        service: &Service,
        error: &SdkError<ConverseStreamOutputError, RawMessage>,
    ) -> Failure {
        if is_too_long(error) {
            return self.too_long(service);
        }
        let SdkError::ServiceError(answer) = error else {
            let cause = cause(error);
            let why = quote(&cause, &secrets(service));
            return match cause.to_lowercase().contains("utf-8") {
                true => Failure::Final(format!(
                    "{} answered with bytes that are not UTF-8",
                    service.place
                )),
                false => Failure::passing(format!("{} broke off its answer: {why}", service.place)),
            };
        };
        let failure = answer.err();
        // The statuses that the API reference gives to the failures of a stream.
        let (status, code) = match failure {
            ConverseStreamOutputError::ThrottlingException(_) => (429, "ThrottlingException"),
            ConverseStreamOutputError::ValidationException(_) => (400, "ValidationException"),
            ConverseStreamOutputError::ServiceUnavailableException(_) => {
                (503, "ServiceUnavailableException")
            }
            ConverseStreamOutputError::ModelStreamErrorException(_) => {
                (424, "ModelStreamErrorException")
            }
            _ => (500, failure.code().unwrap_or("InternalServerException")),
        };
        let said = Said {
            status,
            code,
            message: failure.message().unwrap_or_default(),
            asked: None,
        };
        self.judge(service, &said)
    }

    pub(super) fn too_long(&self, service: &Service) -> Failure {
        Failure::Final(format!(
            "{} answered with more than {} bytes, and the rest was not read. A model that does not end needs a stop sequence or fewer tokens",
            service.place, self.config.max_answer_bytes
        ))
    }

    fn judge(&self, service: &Service, said: &Said<'_>) -> Failure {
        let Said {
            status,
            code,
            message,
            asked,
        } = *said;
        let server = &service.place;
        let model = &self.config.model;
        let place = match code {
            "" => status.to_string(),
            code => format!("{status}, {code}"),
        };
        let place = quote(&place, &secrets(service));
        let words = match quote(message, &secrets(service)) {
            words if words.is_empty() => format!(" ({place})"),
            words => format!(" ({place}): {}", words.trim_end_matches('.')),
        };
        let passing = |reason| Failure::Passing {
            reason,
            asked,
            hint: None,
        };
        Failure::Final(match status {
            _ if CREDENTIALS.contains(&code) || status == 401 => format!(
                "{server} does not accept the credentials{words}. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the profile (AWS_PROFILE), or sign in again"
            ),
            403 => format!(
                "{server} forbids this{words}. Ask for access to `{model}` in the Bedrock console, and for the permission bedrock:InvokeModelWithResponseStream"
            ),
            404 => format!(
                "{server} has no model `{model}`{words}. Check --model bedrock:MODEL_ID and the region (AWS_REGION, now {}); `aws bedrock list-foundation-models` names the models",
                service.region
            ),
            429 => return passing(format!("{server} is busy{words}")),
            // ModelErrorException and ModelStreamErrorException: "retry your request".
            424 => return passing(format!("{server} failed{words}")),
            _ if is_passing(status) => return passing(format!("{server} failed{words}")),
            _ if is_about_length(message) => {
                let advice = advice(message);
                let sentence = format!("{server} refuses the request{words}{advice}");
                return Failure::PromptTooLong(sentence);
            }
            _ => format!("{server} refuses the request{words}{}", advice(message)),
        })
    }

    /// A success that is no stream of events.
    fn foreign(
        &self,
        service: &Service,
        kind: &str,
        body: &[u8],
        code: &str,
        message: &str,
    ) -> Failure {
        if body.trim_ascii().is_empty() {
            return Failure::passing(format!("{} answered nothing", service.place));
        }
        if std::str::from_utf8(body).is_err_and(|error| error.error_len().is_some()) {
            return Failure::Final(format!(
                "{} answered with bytes that are not UTF-8",
                service.place
            ));
        }
        let text = match (code, message) {
            ("", "") => ServerError::read(body).message,
            ("", message) => message.to_owned(),
            (code, message) => format!("{code}: {message}"),
        };
        let words = match quote(&text, &secrets(service)) {
            words if words.is_empty() => words,
            words => format!(": {}", words.trim_end_matches('.')),
        };
        let kind = match quote(kind, &[]) {
            kind if kind.is_empty() => "no content type".to_owned(),
            kind => kind,
        };
        Failure::Final(format!(
            "{} answered with {kind}, which is no event stream of Bedrock{words}. Check --base-url and AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
            service.place
        ))
    }
}

/// Nobody answered.
fn unreachable<E, R>(service: &Service, error: &SdkError<E, R>) -> Failure
where
    E: StdError + Send + Sync + 'static,
    R: std::fmt::Debug + Send + Sync + 'static,
{
    let why = quote(&cause(error), &secrets(service));
    Failure::Passing {
        reason: format!("{}: no answer: {why}", service.place),
        asked: None,
        hint: Some(
            "Check the region (AWS_REGION), the endpoint (--base-url, AWS_ENDPOINT_URL_BEDROCK_RUNTIME) and the network"
                .to_owned(),
        ),
    }
}

fn secrets(service: &Service) -> Vec<&str> {
    service.secrets.iter().map(String::as_str).collect()
}

/// What to do about a request that is not accepted, if anything is known.
fn advice(message: &str) -> &'static str {
    let says = |words: &str| message.contains(words);
    if says("on-demand throughput") {
        ". Name an inference profile instead: --model bedrock:us.MODEL_ID"
    } else if says("model identifier") {
        ". Check --model bedrock:MODEL_ID; `aws bedrock list-foundation-models` names the models"
    } else if says("too long") || says("context") {
        ". Ask for less (--setting b), or use a model with a longer context"
    } else if says("cach") {
        ". Prompts are not marked for the cache with omit = [\"cachePoint\"] under [model] in the config file"
    } else if says("temperature") {
        ". The field is left out with omit = [\"temperature\"] under [model] in the config file"
    } else {
        ""
    }
}

/// Whether more came than is read.
fn is_too_long(error: &(dyn StdError + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if error.is::<LengthLimitError>() {
            return true;
        }
        next = error.source();
    }
    false
}
