//! One try: the request goes out, the events of the answer come in.

use super::watch::Watch;
use super::{Bedrock, Service, wire};
use crate::aws::cause;
use crate::llm::http::{Failure, cut};
use crate::llm::secret::without_own;
use crate::llm::{Completion, Request, Usage};
use aws_sdk_bedrockruntime::types::{
    ContentBlockDelta, ConverseStreamOutput, StopReason, TokenUsage,
};
use std::borrow::Cow;
use std::sync::Arc;

/// Bytes of frames allowed for each token, beside the text.
const FRAMING: usize = 1024;

/// An answer as far as it has come.
#[derive(Debug, Default)]
struct Answer {
    text: String,
    finish: Option<String>,
    usage: Option<Usage>,
}

impl Answer {
    /// Takes an event and gives the text that it adds.
    fn absorb(&mut self, event: ConverseStreamOutput) -> &str {
        let before = self.text.len();
        match event {
            ConverseStreamOutput::ContentBlockDelta(event) => {
                if let Some(ContentBlockDelta::Text(text)) = event.delta {
                    self.text.push_str(&text);
                }
            }
            ConverseStreamOutput::MessageStop(event) => {
                self.finish = Some(finish(&event.stop_reason).to_owned());
            }
            ConverseStreamOutput::Metadata(event) => {
                self.usage = event.usage.as_ref().map(usage);
            }
            _ => {}
        }
        self.text.get(before..).unwrap_or_default()
    }

    /// The counts are the last event.
    fn is_done(&self) -> bool {
        self.finish.is_some() && self.usage.is_some()
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

impl Bedrock {
    pub(super) async fn exchange(
        &self,
        service: &Service,
        request: &Request,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<Completion, Failure> {
        let config = &self.config;
        let input = wire::input(&config.model, request, &config.extra)
            .map_err(|error| Failure::Final(format!("{}: {}", service.place, cause(&error))))?;
        let tokens = usize::try_from(request.max_tokens).unwrap_or(usize::MAX);
        let watch = Watch {
            limit: tokens
                .saturating_mul(FRAMING)
                .saturating_add(config.max_answer_bytes),
            foreign: Arc::default(),
        };
        let call = service.client.converse_stream();
        let call = call
            .set_model_id(input.get_model_id().clone())
            .set_system(input.get_system().clone())
            .set_messages(input.get_messages().clone())
            .set_inference_config(input.get_inference_config().clone())
            .set_additional_model_request_fields(
                input.get_additional_model_request_fields().clone(),
            );
        let send = call.customize().interceptor(watch.clone()).send();
        let sent = self.in_time(service, send).await?;
        let mut events = match sent {
            Ok(output) => output.stream,
            Err(error) => return Err(self.not_sent(service, &error, &watch)),
        };
        let secrets: Vec<&str> = service.secrets.iter().map(String::as_str).collect();
        let mut answer = Answer::default();
        while !answer.is_done() {
            let event = self.in_time(service, events.recv()).await;
            let whole = answer.finish.is_some();
            match event {
                Ok(Ok(Some(event))) => {
                    let text = answer.absorb(event);
                    if !text.is_empty() {
                        say(&without_own(text, &secrets));
                    }
                    if answer.text.len() > config.max_answer_bytes {
                        return Err(self.too_long(service));
                    }
                }
                Ok(Ok(None)) if whole => break,
                Ok(Ok(None)) => {
                    return Err(Failure::passing(format!(
                        "{} broke off its answer: the stream ended too early",
                        service.place
                    )));
                }
                // Only the counts are missing.
                Ok(Err(_)) | Err(_) if whole => break,
                Ok(Err(error)) => return Err(self.broken(service, &error)),
                Err(silence) => return Err(silence),
            }
        }
        Ok(answer.into_completion(&request.stop, &secrets))
    }

    /// Waits no longer than the longest allowed silence.
    async fn in_time<T>(
        &self,
        service: &Service,
        work: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        let idle = self.config.idle_timeout;
        tokio::time::timeout(idle, work)
            .await
            .map_err(|_| Failure::passing(format!("{} was silent for {idle:?}", service.place)))
    }
}

fn finish(reason: &StopReason) -> &str {
    match reason {
        StopReason::EndTurn | StopReason::StopSequence => "stop",
        StopReason::MaxTokens | StopReason::ModelContextWindowExceeded => "length",
        other => other.as_str(),
    }
}

/// `inputTokens` leaves out what has to do with the cache.
fn usage(usage: &TokenUsage) -> Usage {
    let count = |tokens: i32| u64::try_from(tokens).unwrap_or(0);
    let read = count(usage.cache_read_input_tokens.unwrap_or(0));
    let written = count(usage.cache_write_input_tokens.unwrap_or(0));
    Usage {
        prompt_tokens: count(usage.input_tokens) + read + written,
        cached_tokens: read,
        completion_tokens: count(usage.output_tokens),
        cache_write_tokens: written,
    }
}
