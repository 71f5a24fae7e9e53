//! Explains failures of Bedrock in sentences that say what to do.

use super::events::Unreadable;
use super::stream::Exchange;
use crate::http::cause;
use crate::llm::http::{Failure, ServerError, asked_wait, is_about_length, is_passing, quote};
use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value as Json;
use std::error::Error as StdError;
use std::time::Duration;

/// Bytes of an error's description that are read for a message.
const LONGEST_LOOK: usize = 64 << 10;

/// Codes of refused credentials.
const CREDENTIALS: [&str; 6] = [
    "UnrecognizedClientException",
    "InvalidSignatureException",
    "IncompleteSignatureException",
    "ExpiredTokenException",
    "MissingAuthenticationTokenException",
    "InvalidClientTokenId",
];

/// The service's own description of a failure.
struct Refusal<'a> {
    status: u16,
    code: &'a str,
    message: &'a str,
    asked: Option<Duration>,
}

impl Exchange<'_> {
    /// Explains an answer that is not a stream of events.
    pub(super) async fn refusal(&self, mut response: Response, limit: usize) -> Failure {
        let (status, headers) = (response.status(), response.headers().clone());
        let mut body = Vec::new();
        while let Ok(Ok(Some(chunk))) = self.in_time(response.chunk()).await {
            body.extend_from_slice(&chunk);
            if body.len() > limit {
                return self.too_long();
            }
        }
        let (code, message) = described(&headers, &body);
        let body = body.get(..LONGEST_LOOK).unwrap_or(&body);
        if status.is_success() {
            return self.foreign(&headers, body, &code, &message);
        }
        let message = if message.is_empty() {
            ServerError::read(body).message
        } else {
            message
        };
        self.refused(&Refusal {
            status: status.as_u16(),
            code: &code,
            message: &message,
            asked: asked_wait(|name| headers.get(name)?.to_str().ok()),
        })
    }

    /// Explains a failure inside a stream that began well. The statuses are those of the
    /// API reference.
    pub(super) fn exception(&self, code: &str, message: &str) -> Failure {
        let status = match code {
            "ThrottlingException" => 429,
            "ValidationException" => 400,
            "ServiceUnavailableException" => 503,
            "ModelStreamErrorException" => 424,
            _ => 500,
        };
        self.refused(&Refusal {
            status,
            code,
            message,
            asked: None,
        })
    }

    pub(super) fn unreadable(&self, problem: &Unreadable) -> Failure {
        match problem {
            Unreadable::NotUtf8 => self.not_utf8(),
            Unreadable::Damaged(why) => self.broken_off(&self.quoted(why)),
        }
    }

    pub(super) fn broken_off(&self, why: &str) -> Failure {
        let place = &self.service.place;
        Failure::passing(format!("{place} broke off its answer: {why}"))
    }

    pub(super) fn too_long(&self) -> Failure {
        Failure::Final(format!(
            "{} answered with more than {} bytes, and the rest was not read. A model that does not end needs a stop sequence or fewer tokens",
            self.service.place, self.config.max_answer_bytes
        ))
    }

    pub(super) fn unsendable(&self, error: &(dyn StdError + 'static)) -> Failure {
        let why = self.quoted(&crate::error::innermost(error));
        let place = &self.service.place;
        Failure::Final(format!("{place}: the request cannot be made: {why}"))
    }

    /// Explains that no answer came.
    pub(super) fn unreachable(&self, error: &reqwest::Error) -> Failure {
        let why = self.quoted(&cause(error));
        Failure::Passing {
            reason: format!("{}: no answer: {why}", self.service.place),
            asked: None,
            hint: Some(
                "Check the region (AWS_REGION), the endpoint (--base-url, AWS_ENDPOINT_URL_BEDROCK_RUNTIME) and the network"
                    .to_owned(),
            ),
        }
    }

    fn refused(&self, refusal: &Refusal<'_>) -> Failure {
        let Refusal {
            status,
            code,
            message,
            asked,
        } = *refusal;
        let server = &self.service.place;
        let model = &self.config.model;
        let place = match code {
            "" => status.to_string(),
            code => format!("{status}, {code}"),
        };
        let place = self.quoted(&place);
        let words = match self.quoted(message) {
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
                self.service.region
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

    /// Explains a successful answer that is not a stream of events.
    fn foreign(&self, headers: &HeaderMap, body: &[u8], code: &str, message: &str) -> Failure {
        let place = &self.service.place;
        if body.trim_ascii().is_empty() {
            return Failure::passing(format!("{place} answered nothing"));
        }
        if std::str::from_utf8(body).is_err_and(|error| error.error_len().is_some()) {
            return self.not_utf8();
        }
        let text = match (code, message) {
            ("", "") => ServerError::read(body).message,
            ("", message) => message.to_owned(),
            (code, message) => format!("{code}: {message}"),
        };
        let words = match self.quoted(&text) {
            words if words.is_empty() => words,
            words => format!(": {}", words.trim_end_matches('.')),
        };
        let kind = headers.get(CONTENT_TYPE).map(|kind| kind.as_bytes());
        let kind = match quote(&String::from_utf8_lossy(kind.unwrap_or_default()), &[]) {
            kind if kind.is_empty() => "no content type".to_owned(),
            kind => kind,
        };
        Failure::Final(format!(
            "{place} answered with {kind}, which is no event stream of Bedrock{words}. Check --base-url and AWS_ENDPOINT_URL_BEDROCK_RUNTIME"
        ))
    }

    fn not_utf8(&self) -> Failure {
        let place = &self.service.place;
        Failure::Final(format!("{place} answered with bytes that are not UTF-8"))
    }

    /// The service's words, cleaned for use in a sentence.
    fn quoted(&self, text: &str) -> String {
        quote(text, &self.access.secrets())
    }
}

/// The code and the message of an error in the JSON protocol of AWS: the code is in a header
/// or in the body, with a namespace before `#` or a URI after `:`.
fn described(headers: &HeaderMap, body: &[u8]) -> (String, String) {
    let body: Json = serde_json::from_slice(body).unwrap_or_default();
    let text = |names: [&str; 2]| {
        let mut found = names.iter().filter_map(|name| body.get(name)?.as_str());
        found.next().unwrap_or_default()
    };
    let header = headers.get("x-amzn-errortype");
    let code = header.and_then(|value| value.to_str().ok());
    let code = code.unwrap_or_else(|| text(["__type", "code"]));
    let code = code.split(':').next().unwrap_or_default();
    let code = code.rsplit('#').next().unwrap_or_default();
    (code.to_owned(), text(["message", "Message"]).to_owned())
}

/// Advice for a request that was refused, if any is known.
fn advice(message: &str) -> &'static str {
    let says = |words: &str| message.contains(words);
    if says("on-demand throughput") {
        ". Name an inference profile instead: --model bedrock:us.MODEL_ID"
    } else if says("model identifier") {
        ". Check --model bedrock:MODEL_ID; `aws bedrock list-foundation-models` names the models"
    } else if says("too long") || says("context") {
        ". Ask for less (--setting b), or use a model with a longer context"
    } else if says("cach") {
        ". To stop marking prompts for the cache, set omit = [\"cachePoint\"] under [model] in the config file"
    } else if says("temperature") {
        ". To leave the field out, set omit = [\"temperature\"] under [model] in the config file"
    } else {
        ""
    }
}
