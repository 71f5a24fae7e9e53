//! What a server's refusal means for people.

use super::failure::{Failure, Refused, ServerError, is_about_length};
use super::{Server, is_passing};
use std::time::Duration;

/// What people are told about one provider.
#[derive(Debug)]
pub(in crate::llm) struct Words {
    /// What stands before the colon in the name of a model: `openai`.
    pub scheme: &'static str,
    /// The variable with the base URL.
    pub url_variable: &'static str,
    /// The variable with the key.
    pub key_variable: &'static str,
    /// What is asked for, one of them: `chat completion`.
    pub answer: &'static str,
    /// Base URLs as they should be.
    pub urls: &'static str,
    /// How a base URL should look, after "Check --base-url".
    pub url_hint: &'static str,
    /// Where requests go, behind the base URL.
    pub path: &'static str,
    /// What people write at the end of a base URL that is not part of it.
    pub path_ends: &'static [&'static str],
    /// How to start a server on this machine, in brackets, if there is a usual way.
    pub start: &'static str,
    /// What to do when a prompt is too long.
    pub too_long: &'static str,
    /// The parameter that an error refuses and the request can do without.
    pub refused: fn(&ServerError) -> Option<Refused>,
}

impl Server {
    /// The failure that a server describes, with the status `code` or, where it
    /// began with success, `inside` its answer.
    pub(super) fn judge(
        &self,
        code: u16,
        place: &str,
        error: &ServerError,
        asked: Option<Duration>,
    ) -> Failure {
        if code == 400
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
            _ if is_passing(code) => return passing(format!("{server} failed{said}")),
            _ if is_about_length(&error.message) => {
                let way_out = self.words.too_long;
                let sentence = format!("{server} refuses the request{said}{way_out}");
                return Failure::PromptTooLong(sentence);
            }
            _ => format!("{server} refuses the request{said}{}", advice(error)),
        })
    }
}

/// What to do about a request that is not accepted, if anything is known.
fn advice(error: &ServerError) -> String {
    if !error.param.is_empty() {
        OMIT.replace("FIELD", &error.param)
    } else if error.message.contains("temperature") {
        OMIT.replace("FIELD", "temperature")
    } else {
        String::new()
    }
}

const OMIT: &str = ". A field that a server does not take is left out with omit = [\"FIELD\"] under [model] in the config file";
