//! One try: sends the request and reads the events of the answer.

use super::account::{Access, Service};
use super::events::{Event, Frames};
use super::{BedrockConfig, wire};
use crate::http::cause;
use crate::llm::http::{Failure, cut};
use crate::llm::secret::without_own;
use crate::llm::{Completion, Request, Usage};
use reqwest::Response;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use std::borrow::Cow;

const EVENT_STREAM: &str = "application/vnd.amazon.eventstream";

/// Bytes of frames allowed for each token, beside the text.
const FRAMING: usize = 1024;

/// The service, and the credentials of the current request.
pub(super) struct Exchange<'a> {
    pub config: &'a BedrockConfig,
    pub service: &'a Service,
    pub access: &'a Access,
}

/// The part of an answer that has arrived.
#[derive(Debug, Default)]
struct Answer {
    text: String,
    finish: Option<String>,
    usage: Option<Usage>,
}

impl Answer {
    /// The counts are the last event.
    fn is_done(&self) -> bool {
        self.finish.is_some() && self.usage.is_some()
    }

    /// Whether all text has arrived. The counts may be missing.
    fn is_whole(&self) -> bool {
        self.finish.is_some()
    }

    fn into_completion(mut self, stop: &[String], secrets: &[&str]) -> Completion {
        if cut(&mut self.text, stop) {
            self.finish = Some("stop".to_owned());
        }
        if let Cow::Owned(clean) = without_own(&self.text, secrets) {
            self.text = clean;
        }
        Completion {
            text: self.text,
            finish: self.finish,
            usage: self.usage.unwrap_or_default(),
        }
    }
}

impl Exchange<'_> {
    pub(super) async fn run(
        &self,
        request: &Request,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<Completion, Failure> {
        let body = wire::body(&self.config.model, request, &self.config.extra).to_string();
        let headers = self
            .access
            .headers(self.service, body.as_bytes())
            .map_err(|error| self.unsendable(&*error))?;
        let post = self.service.client.post(self.service.url.clone());
        let post = post.headers(headers).header(ACCEPT, EVENT_STREAM);
        let sent = self.in_time(post.body(body).send()).await?;
        let response = sent.map_err(|error| self.unreachable(&error))?;
        let tokens = usize::try_from(request.max_tokens).unwrap_or(usize::MAX);
        let limit = tokens
            .saturating_mul(FRAMING)
            .saturating_add(self.config.max_answer_bytes);
        let kind = response.headers().get(CONTENT_TYPE);
        let is_stream =
            kind.is_some_and(|kind| kind.as_bytes().starts_with(EVENT_STREAM.as_bytes()));
        if !response.status().is_success() || !is_stream {
            return Err(self.refusal(response, limit).await);
        }
        let answer = self.read(response, limit, say).await?;
        Ok(answer.into_completion(&request.stop, &self.access.secrets()))
    }

    async fn read(
        &self,
        mut response: Response,
        limit: usize,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<Answer, Failure> {
        let mut answer = Answer::default();
        let mut frames = Frames::default();
        let mut received = 0usize;
        loop {
            while let Some(event) = frames.next().transpose() {
                match event {
                    Ok(event) => self.absorb(&mut answer, event, say)?,
                    Err(_) if answer.is_whole() => return Ok(answer),
                    Err(problem) => return Err(self.unreadable(&problem)),
                }
            }
            if answer.is_done() {
                return Ok(answer);
            }
            let broken = match self.in_time(response.chunk()).await {
                Ok(Ok(Some(chunk))) => {
                    received = received.saturating_add(chunk.len());
                    if received > limit {
                        return Err(self.too_long());
                    }
                    frames.push(&chunk);
                    continue;
                }
                Ok(Ok(None)) if frames.is_cut_off() => self.broken_off("unexpected end of stream"),
                Ok(Ok(None)) => self.broken_off("the stream ended too early"),
                Ok(Err(error)) => self.broken_off(&cause(&error)),
                Err(silence) => silence,
            };
            return if answer.is_whole() {
                Ok(answer)
            } else {
                Err(broken)
            };
        }
    }

    fn absorb(
        &self,
        answer: &mut Answer,
        event: Event,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<(), Failure> {
        match event {
            Event::Text(text) if !text.is_empty() => {
                say(&without_own(&text, &self.access.secrets()));
                answer.text.push_str(&text);
                if answer.text.len() > self.config.max_answer_bytes {
                    return Err(self.too_long());
                }
            }
            Event::Stop(reason) => answer.finish = Some(finish(reason)),
            Event::Usage(usage) => answer.usage = Some(usage),
            Event::Exception { code, message } if !answer.is_whole() => {
                return Err(self.exception(&code, &message));
            }
            _ => {}
        }
        Ok(())
    }

    /// Waits no longer than the longest allowed silence.
    pub(super) async fn in_time<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        let idle = self.config.idle_timeout;
        let place = &self.service.place;
        tokio::time::timeout(idle, work)
            .await
            .map_err(|_| Failure::passing(format!("{place} was silent for {idle:?}")))
    }
}

/// Bedrock's reason for the end of an answer, in the words that all providers share.
fn finish(reason: String) -> String {
    match reason.as_str() {
        "end_turn" | "stop_sequence" => "stop".to_owned(),
        "max_tokens" | "model_context_window_exceeded" => "length".to_owned(),
        _ => reason,
    }
}
