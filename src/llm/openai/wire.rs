//! The body of a request, and the parts of an answer.

use crate::llm::http::{Answer, Refused, ServerError, cut};
use crate::llm::{Completion, Request, Role, Usage};
use serde_json::{Map, Value as Json, json};

/// OpenAI accepts at most this many. The answer is cut at all stop sequences here as
/// well.
const MOST_STOPS: usize = 4;

/// Parameters that the server has turned out not to understand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Dialect {
    completion_tokens: bool,
    no_stream_options: bool,
    no_stop: bool,
    no_seed: bool,
}

impl Dialect {
    /// Whether requests in this dialect leave a parameter out.
    pub(super) fn avoids(mut self, refused: Refused) -> bool {
        *self.flag(refused)
    }

    /// Leaves a parameter out from now on.
    pub(super) fn avoid(&mut self, refused: Refused) {
        *self.flag(refused) = true;
    }

    fn flag(&mut self, refused: Refused) -> &mut bool {
        match refused {
            Refused::MaxTokens => &mut self.completion_tokens,
            Refused::StreamOptions => &mut self.no_stream_options,
            Refused::Stop => &mut self.no_stop,
            Refused::Seed => &mut self.no_seed,
        }
    }
}

/// Whether the request is a text to be continued, and not a chat.
pub(crate) fn is_text(request: &Request) -> bool {
    matches!(request.messages.as_slice(), [text] if text.role == Role::Text)
}

/// The body of a request. `extra` adds and replaces fields; a `null` in it removes one.
pub(super) fn body(
    model: &str,
    request: &Request,
    dialect: Dialect,
    extra: &Map<String, Json>,
) -> Json {
    let mut body = Map::new();
    let mut set = |name: &str, value: Json| body.insert(name.to_owned(), value);
    set("model", json!(model));
    match request.messages.first() {
        Some(text) if is_text(request) => set("prompt", json!(text.content)),
        _ => set("messages", json!(request.messages)),
    };
    set("stream", json!(true));
    if !dialect.no_stream_options {
        set("stream_options", json!({"include_usage": true}));
    }
    let limit = match dialect.completion_tokens {
        true => "max_completion_tokens",
        false => "max_tokens",
    };
    set(limit, json!(request.max_tokens));
    // Converted through text: a direct conversion would show the rounding of the shorter
    // float.
    let temperature = request.temperature.to_string().parse::<f64>();
    set("temperature", json!(temperature.unwrap_or_default()));
    if !request.stop.is_empty() && !dialect.no_stop {
        let first: Vec<_> = request.stop.iter().take(MOST_STOPS).collect();
        set("stop", json!(first));
    }
    if let Some(seed) = request.seed.filter(|_| !dialect.no_seed) {
        set("seed", json!(seed));
    }
    if let Some(grammar) = &request.grammar {
        set("grammar", json!(grammar));
    }
    for (name, value) in extra {
        match value {
            Json::Null => body.shift_remove(name),
            value => body.insert(name.clone(), value.clone()),
        };
    }
    Json::Object(body)
}

/// The parameter that a server refused, if requests can do without it.
pub(super) fn refused(error: &ServerError) -> Option<Refused> {
    let ServerError { message, param, .. } = error;
    let about = |name: &str| param == name || (param.is_empty() && message.contains(name));
    if about("max_tokens") && message.contains("max_completion_tokens") {
        Some(Refused::MaxTokens)
    } else if about("stream_options") {
        Some(Refused::StreamOptions)
    } else if (param == "stop" || param.is_empty() && error.names("stop")) && error.refuses() {
        Some(Refused::Stop)
    } else if (param == "seed" || param.is_empty() && error.names("seed")) && error.refuses() {
        Some(Refused::Seed)
    } else {
        None
    }
}

/// The part of an answer that has arrived.
#[derive(Debug, Default)]
pub(super) struct Chat {
    text: String,
    finish: Option<String>,
    usage: Usage,
    done: bool,
    refused: bool,
    choices: usize,
}

impl Chat {
    /// Appends a text, or the list of parts that some servers send instead.
    fn say(&mut self, content: Option<&Json>) {
        match content {
            Some(Json::String(text)) => self.text.push_str(text),
            Some(Json::Array(parts)) => {
                for part in parts {
                    if let Some(text) = part.get("text").and_then(Json::as_str) {
                        self.text.push_str(text);
                    }
                }
            }
            _ => {}
        }
    }

    /// Reads the token counts, under the names of OpenAI, DeepSeek or llama.cpp.
    fn count(&mut self, object: &Json) {
        let first = |paths: &[&str]| {
            let mut found = paths.iter().filter_map(|path| object.pointer(path));
            found.find_map(Json::as_u64)
        };
        let cached = first(&[
            "/usage/prompt_tokens_details/cached_tokens",
            "/usage/prompt_cache_hit_tokens",
            "/timings/cache_n",
            "/tokens_cached",
        ]);
        let read = first(&["/timings/prompt_n"]);
        let prompt = first(&["/usage/prompt_tokens"])
            .or_else(|| Some(read?.saturating_add(first(&["/timings/cache_n"]).unwrap_or(0))));
        let completion = first(&["/usage/completion_tokens", "/timings/predicted_n"]);
        let usage = &mut self.usage;
        usage.prompt_tokens = prompt.unwrap_or(usage.prompt_tokens);
        usage.completion_tokens = completion.unwrap_or(usage.completion_tokens);
        // llama.cpp's `tokens_cached` includes the answer.
        usage.cached_tokens = cached
            .unwrap_or(usage.cached_tokens)
            .min(usage.prompt_tokens);
    }
}

impl Answer for Chat {
    fn is_part(object: &Json) -> bool {
        object.get("choices").is_some()
    }

    fn absorb(&mut self, object: &Json) -> &str {
        let before = self.text.len();
        if let Some(choice) = object.pointer("/choices/0") {
            self.choices += 1;
            let said = choice.get("delta").or_else(|| choice.get("message"));
            if let Some(said) = said {
                self.say(said.get("content"));
                let refusal = said.get("refusal");
                self.refused |= refusal
                    .and_then(Json::as_str)
                    .is_some_and(|it| !it.is_empty());
                self.say(refusal);
            } else {
                self.say(choice.get("text"));
            }
            if let Some(finish) = choice.get("finish_reason").and_then(Json::as_str) {
                self.finish = Some(finish.to_owned());
            }
        }
        self.count(object);
        self.text.get(before..).unwrap_or_default()
    }

    fn end(&mut self) {
        self.done = true;
    }

    fn is_whole(&self) -> bool {
        self.choices > 0 && (self.done || self.finish.is_some())
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
        // A refusal has a field of its own, and ends like an answer.
        if self.refused {
            self.finish = Some("refusal".to_owned());
        }
        Completion {
            text: self.text,
            finish: self.finish,
            usage: self.usage,
        }
    }
}
