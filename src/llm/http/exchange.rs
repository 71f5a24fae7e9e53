//! One try: sends the request and reads the answer.

use super::failure::{Failure, ServerError};
use super::reading::Reading;
use super::{Answer, Server, asked_wait};
use crate::http::cause;
use crate::llm::Completion;
use reqwest::Response;
use reqwest::header;
use serde_json::Value as Json;
use std::borrow::Cow;

/// The longest description of an error that is read, in bytes.
const LONGEST_ERROR: usize = 64 << 10;

impl Server {
    /// Posts a body and reads the answer; passes text on to `say` as it arrives.
    pub(in crate::llm) async fn exchange<A: Answer>(
        &self,
        body: &Json,
        stop: &[String],
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<Completion, Failure> {
        let post = self
            .client
            .post(self.endpoint.clone())
            .header(header::ACCEPT, "text/event-stream, application/json")
            .headers(self.headers.clone())
            .json(body);
        let sent = self.in_time(post.send()).await?;
        let mut response = sent.map_err(|error| self.unreachable(&error))?;
        if !response.status().is_success() {
            return Err(self.refusal(response).await);
        }
        let say = &mut |text: &str| say(&self.clean(text));
        let mut reading = Reading::<A>::new(self, response.headers());
        while !reading.is_done() {
            match self.in_time(response.chunk()).await? {
                Ok(Some(chunk)) => reading.feed(&chunk, say)?,
                Ok(None) => break,
                Err(error) => {
                    reading.interrupted(&cause(&error))?;
                    break;
                }
            }
        }
        let answer = reading.finish(say)?;
        let mut completion = answer.into_completion(stop);
        if let Cow::Owned(clean) = self.clean(&completion.text) {
            completion.text = clean;
        }
        Ok(completion)
    }

    /// Waits no longer than the longest allowed silence.
    async fn in_time<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        let idle = self.idle_timeout;
        tokio::time::timeout(idle, work)
            .await
            .map_err(|_| Failure::passing(format!("{} was silent for {idle:?}", self.shown)))
    }

    fn unreachable(&self, error: &reqwest::Error) -> Failure {
        let server = &self.shown;
        let cause = cause(error);
        if !error.is_connect() {
            return Failure::passing(format!("{server} closed the connection: {cause}"));
        }
        let variable = self.words.url_variable;
        let hint = if self.is_loopback() {
            let port = self.endpoint.port_or_known_default().unwrap_or(80);
            let start = self.words.start.replace("PORT", &port.to_string());
            format!("Start a server there{start}, or name another with --base-url or {variable}")
        } else {
            format!("Check the address (--base-url, {variable}) and the network")
        };
        Failure::Passing {
            reason: format!("cannot connect to {server}: {cause}"),
            asked: None,
            hint: Some(hint),
        }
    }

    /// Explains an answer with a status other than success.
    async fn refusal(&self, mut response: Response) -> Failure {
        let status = response.status();
        let asked = asked_wait(|name| response.headers().get(name)?.to_str().ok());
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
                "{} redirects ({status}){to}. Set --base-url or {} to where the server is",
                self.shown, self.words.url_variable
            ));
        }
        let error = ServerError::read(&body);
        self.judge(status.as_u16(), status.as_str(), &error, asked)
    }
}
