//! The body of a request, and the events of an answer.

use crate::llm::http::{Answer, cut};
use crate::llm::turns::turns;
use crate::llm::{Completion, Request, Role, Usage};
use serde_json::{Map, Value as Json, json};

/// The field that marks a block as the end of a cacheable prefix.
const CACHE: &str = "cache_control";

/// The body of a request. `extra` adds and replaces fields; a `null` in it removes one.
pub(super) fn body(model: &str, request: &Request, extra: &Map<String, Json>) -> Json {
    let (system, turns) = turns(&request.messages);
    let last = turns.len().saturating_sub(1);
    let cached = extra.get(CACHE) != Some(&Json::Null);
    let blocks = |texts: &[&str], mark: bool| {
        let mut blocks: Vec<Json> = texts
            .iter()
            .map(|text| json!({"type": "text", "text": text}))
            .collect();
        if let Some(Json::Object(end)) = blocks.last_mut().filter(|_| mark && cached) {
            end.insert(CACHE.to_owned(), json!({"type": "ephemeral"}));
        }
        Json::Array(blocks)
    };
    let mut body = Map::new();
    let mut set = |name: &str, value: Json| body.insert(name.to_owned(), value);
    set("model", json!(model));
    set("max_tokens", json!(request.max_tokens));
    if !system.is_empty() {
        set("system", blocks(&system, true));
    }
    let messages: Vec<Json> = turns
        .iter()
        .enumerate()
        .map(|(index, turn)| {
            let role = match turn.role {
                Role::Assistant => "assistant",
                Role::User | Role::System | Role::Text => "user",
            };
            // The messages before the last one are the examples, which stay the same.
            json!({"role": role, "content": blocks(&turn.texts, index + 1 == last)})
        })
        .collect();
    set("messages", Json::Array(messages));
    set("stream", json!(true));
    // Converted through text: a direct conversion would show the rounding of the shorter
    // float.
    let temperature = request.temperature.to_string().parse::<f64>();
    set("temperature", json!(temperature.unwrap_or_default()));
    // The service refuses blank stop sequences. The answer is cut at stop sequences here
    // as well.
    let stop = request.stop.iter().filter(|stop| !stop.trim().is_empty());
    let stop: Vec<&String> = stop.collect();
    if !stop.is_empty() {
        set("stop_sequences", json!(stop));
    }
    for (name, value) in extra.iter().filter(|(name, _)| *name != CACHE) {
        match value {
            Json::Null => body.shift_remove(name),
            value => body.insert(name.clone(), value.clone()),
        };
    }
    Json::Object(body)
}

/// The part of an answer that has arrived.
#[derive(Debug, Default)]
pub(super) struct Message {
    text: String,
    finish: Option<String>,
    input: u64,
    read: u64,
    written: u64,
    output: u64,
    begun: bool,
    done: bool,
}

impl Message {
    /// Reads the token counts. `input_tokens` leaves out the tokens in the cache. Later
    /// counts include earlier ones.
    fn count(&mut self, usage: Option<&Json>) {
        let Some(usage) = usage else { return };
        let take = |name: &str, count: &mut u64| {
            *count = usage.get(name).and_then(Json::as_u64).unwrap_or(*count);
        };
        take("input_tokens", &mut self.input);
        take("cache_read_input_tokens", &mut self.read);
        take("cache_creation_input_tokens", &mut self.written);
        take("output_tokens", &mut self.output);
    }

    fn end_with(&mut self, reason: Option<&Json>) {
        if let Some(reason) = reason.and_then(Json::as_str) {
            self.finish = Some(
                match reason {
                    "end_turn" | "stop_sequence" => "stop",
                    "max_tokens" | "model_context_window_exceeded" => "length",
                    other => other,
                }
                .to_owned(),
            );
        }
    }

    fn say(&mut self, text: Option<&Json>) {
        self.text
            .push_str(text.and_then(Json::as_str).unwrap_or_default());
    }
}

impl Answer for Message {
    fn is_part(object: &Json) -> bool {
        object
            .get("type")
            .and_then(Json::as_str)
            .is_some_and(|kind| {
                kind == "ping" || kind.starts_with("message") || kind.starts_with("content_block")
            })
    }

    fn absorb(&mut self, object: &Json) -> &str {
        let before = self.text.len();
        match object
            .get("type")
            .and_then(Json::as_str)
            .unwrap_or_default()
        {
            "message_start" => {
                self.begun = true;
                self.count(object.pointer("/message/usage"));
            }
            "content_block_start" => self.say(object.pointer("/content_block/text")),
            "content_block_delta" => self.say(object.pointer("/delta/text")),
            "message_delta" => {
                self.end_with(object.pointer("/delta/stop_reason"));
                self.count(object.get("usage"));
            }
            "message_stop" => self.done = true,
            // Servers that do not stream send this.
            "message" => {
                self.begun = true;
                let blocks = object.get("content").and_then(Json::as_array);
                for block in blocks.into_iter().flatten() {
                    self.say(block.get("text"));
                }
                self.end_with(object.get("stop_reason"));
                self.count(object.get("usage"));
            }
            _ => {}
        }
        self.text.get(before..).unwrap_or_default()
    }

    fn end(&mut self) {
        self.done = true;
    }

    fn is_whole(&self) -> bool {
        self.begun && (self.done || self.finish.is_some())
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn len(&self) -> usize {
        self.text.len()
    }

    fn into_completion(mut self, stop: &[String]) -> Completion {
        if cut(&mut self.text, stop) {
            self.finish = Some("stop".to_owned());
        }
        let Message {
            input,
            read,
            written,
            ..
        } = self;
        Completion {
            text: self.text,
            finish: self.finish,
            usage: Usage {
                prompt_tokens: input.saturating_add(read).saturating_add(written),
                cached_tokens: read,
                cache_write_tokens: written,
                completion_tokens: self.output,
            },
        }
    }
}
