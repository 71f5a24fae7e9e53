//! One try: the request goes out, the answer is read.

use super::failure::{Failure, ServerError, quote, root_cause};
use super::reading::Reading;
use super::{OpenAi, is_loopback, retry, wire};
use crate::llm::{ApiKey, Completion, Request};
use reqwest::Response;
use reqwest::header::{self, HeaderMap};
use std::time::Duration;

/// Bytes read of the description of an error.
const LONGEST_ERROR: usize = 64 << 10;

impl OpenAi {
    pub(super) async fn exchange(
        &self,
        request: &Request,
        progress: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Completion, Failure> {
        let config = &self.config;
        let dialect = *self.lock_dialect();
        let body = wire::body(&config.model, request, dialect, &config.extra);
        let mut post = self
            .client
            .post(self.address(request))
            .header(header::ACCEPT, "text/event-stream, application/json")
            .json(&body);
        if let Some(key) = &config.api_key {
            let value = key
                .header()
                .map_err(|error| Failure::Final(error.to_string()))?;
            post = post.header(header::AUTHORIZATION, value);
        }
        let sent = self.in_time(post.send()).await?;
        let mut response = sent.map_err(|error| self.unreachable(&error))?;
        if !response.status().is_success() {
            return Err(self.refusal(response).await);
        }
        let mut reading = Reading::new(self, response.headers());
        while !reading.is_done() {
            match self.in_time(response.chunk()).await? {
                Ok(Some(chunk)) => reading.feed(&chunk, progress)?,
                Ok(None) => break,
                Err(error) => {
                    reading.interrupted(&root_cause(&error))?;
                    break;
                }
            }
        }
        let answer = reading.finish(progress)?;
        Ok(answer.into_completion(&request.stop))
    }

    /// Waits no longer than the longest allowed silence.
    async fn in_time<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        let idle = self.config.idle_timeout;
        tokio::time::timeout(idle, work)
            .await
            .map_err(|_| Failure::passing(format!("{} was silent for {idle:?}", self.server)))
    }

    /// A server's words, fit for a sentence; empty when there are none.
    pub(super) fn quoted(&self, text: &str) -> String {
        let key = self.config.api_key.as_ref().map(ApiKey::expose);
        match quote(text, key) {
            quoted if quoted.is_empty() => quoted,
            quoted => format!(": {}", quoted.trim_end_matches('.')),
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> Failure {
        let server = &self.server;
        let cause = root_cause(error);
        if !error.is_connect() {
            return Failure::passing(format!("{server} closed the connection: {cause}"));
        }
        let hint = if is_loopback(&self.endpoint) {
            let port = self.endpoint.port_or_known_default().unwrap_or(80);
            format!(
                "Start a server there (llama-server -m MODEL.gguf --host 127.0.0.1 --port {port}), or name another with --base-url or OPENAI_BASE_URL"
            )
        } else {
            "Check the address (--base-url, OPENAI_BASE_URL) and the network".to_owned()
        };
        Failure::Passing {
            reason: format!("cannot connect to {server}: {cause}"),
            asked: None,
            hint: Some(hint),
        }
    }

    /// What an answer with a status other than success means.
    async fn refusal(&self, mut response: Response) -> Failure {
        let status = response.status();
        let asked = asked_wait(response.headers());
        let location = response.headers().get(header::LOCATION);
        let location = location.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let mut body = Vec::new();
        while let Ok(Ok(Some(chunk))) = self.in_time(response.chunk()).await {
            body.extend_from_slice(&chunk);
            if body.len() > LONGEST_ERROR {
                break;
            }
        }
        if status.is_redirection() {
            let to = self.quoted(&location.unwrap_or_default());
            return Failure::Final(format!(
                "{} redirects ({status}){to}. Set --base-url or OPENAI_BASE_URL to where the server is",
                self.server
            ));
        }
        let error = ServerError::read(&body);
        self.judge(status.as_u16(), status.as_str(), &error, asked)
    }

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
            && let Some(refused) = error.refused()
        {
            return Failure::Dialect(refused);
        }
        let server = &self.server;
        let said = format!(" ({place}){}", self.quoted(&error.message));
        let model = &self.config.model;
        let passing = |reason| Failure::Passing {
            reason,
            asked,
            hint: None,
        };
        Failure::Final(match code {
            401 if self.config.api_key.is_none() => format!(
                "{server} wants an API key{said}. Set DIALOG2API_API_KEY or OPENAI_API_KEY, or api_key_file under [model] in the config file"
            ),
            401 => format!(
                "{server} does not accept the API key{said}. Check DIALOG2API_API_KEY, OPENAI_API_KEY, or the key that the config file names"
            ),
            403 => format!(
                "{server} forbids this{said}. The key may lack the right to use model `{model}`; name another with --model openai:NAME"
            ),
            404 => format!(
                "{server} has no model `{model}`, or no chat completions at this address{said}. Check --model openai:NAME and --base-url, which mostly ends in /v1"
            ),
            429 if error.is_out_of_quota() => format!(
                "{server} says that the account's quota is used up{said}. Add credit, or use another server or model with --base-url and --model"
            ),
            429 => return passing(format!("{server} is busy{said}")),
            _ if retry::is_passing(code) => return passing(format!("{server} failed{said}")),
            _ => format!("{server} refuses the request{said}{}", error.advice()),
        })
    }
}

/// The wait that the headers ask for.
fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(wait) = text("retry-after-ms").and_then(|value| value.trim().parse().ok()) {
        return Some(Duration::from_millis(wait));
    }
    retry::retry_after(text("retry-after")?, jiff::Timestamp::now())
}
