//! Explains servers' refusals to users.

use super::failure::{Failure, Refused, ServerError, has_lost_the_user, is_about_length};
use super::{Server, is_passing};
use std::time::Duration;

/// One provider's terms in messages to users.
#[derive(Debug)]
pub(in crate::llm) struct Words {
    /// The prefix of its models' names, before the colon: `openai`.
    pub scheme: &'static str,
    /// The environment variable for the base URL.
    pub url_variable: &'static str,
    /// The environment variable for the key.
    pub key_variable: &'static str,
    /// A noun for an answer, in the singular: `chat completion`.
    pub answer: &'static str,
    /// Examples of valid base URLs.
    pub urls: &'static str,
    /// The form of a base URL, to follow "Check --base-url".
    pub url_hint: &'static str,
    /// The path of requests, after the base URL.
    pub path: &'static str,
    /// Paths that users append to a base URL by mistake.
    pub path_ends: &'static [&'static str],
    /// The usual command that starts a server, in brackets; may be empty.
    pub start: &'static str,
    /// Advice for a prompt that is too long.
    pub too_long: &'static str,
    /// Finds the parameter that an error refuses and that requests can do without.
    pub refused: fn(&ServerError) -> Option<Refused>,
}

impl Server {
    /// Explains a failure that a server describes. `place` is shown in brackets: the
    /// status `code`, or "inside its answer" if the answer's status was success.
    pub(super) fn judge(
        &self,
        code: u16,
        place: &str,
        error: &ServerError,
        asked: Option<Duration>,
    ) -> Failure {
        if matches!(code, 400 | 422)
            && let Some(refused) = (self.words.refused)(error)
        {
            return Failure::Dialect(refused);
        }
        let Words {
            scheme,
            key_variable,
            answer,
            url_hint,
            ..
        } = self.words;
        let server = &self.shown;
        let said = format!(" ({place}){}", self.quoted(&error.message));
        let model = &self.model;
        let asked = asked.or(error.wait);
        let is_lost = has_lost_the_user(&error.message);
        let passing = |reason| Failure::Passing {
            reason,
            asked,
            hint: None,
        };
        Failure::Final(match code {
            401 if self.key.is_none() => format!(
                "{server} wants an API key{said}. Set DIALOG2API_API_KEY or {key_variable}, or api_key_file under [model] in the config file"
            ),
            401 => format!(
                "{server} does not accept the API key{said}. Check DIALOG2API_API_KEY, {key_variable}, or the key that the config file names"
            ),
            403 => format!(
                "{server} forbids this{said}. The key may lack the right to use model `{model}`; name another with --model {scheme}:NAME"
            ),
            404 => format!(
                "{server} has no model `{model}`, or no {answer}s at this address{said}. Check --model {scheme}:NAME and --base-url{url_hint}"
            ),
            402 | 429 if code == 402 || error.is_out_of_quota() => format!(
                "{server} says that the account's quota is used up{said}. Add credit, or use another server or model with --base-url and --model"
            ),
            429 | 529 => return passing(format!("{server} is busy{said}")),
            _ if is_passing(code) && !is_lost => return passing(format!("{server} failed{said}")),
            _ if is_lost || is_about_length(&error.message) => {
                let way_out = self.words.too_long;
                let sentence = format!("{server} refuses the request{said}{way_out}");
                return Failure::PromptTooLong(sentence);
            }
            _ => format!("{server} refuses the request{said}{}", advice(error)),
        })
    }
}

/// Advice for a refused request; empty if none is known.
fn advice(error: &ServerError) -> String {
    /// The fields of requests that a server can do without.
    const FIELDS: [&str; 8] = [
        "temperature",
        "seed",
        "stop",
        "stream_options",
        "max_completion_tokens",
        "max_tokens",
        "grammar",
        "stream",
    ];
    let mut fields = FIELDS.into_iter();
    let field = match error.param.as_str() {
        "" => fields.find(|field| error.names(field)),
        param => Some(param),
    };
    field.map_or_else(String::new, |field| OMIT.replace("FIELD", field))
}

const OMIT: &str = ". To leave out a field that the server does not accept, set omit = [\"FIELD\"] under [model] in the config file";
