//! The body of a request, in the shape of Converse.

use crate::llm::turns::turns;
use crate::llm::{Request, Role};
use serde_json::{Map, Value as Json, json};

/// The option that says whether prompts are marked for the cache.
const CACHE_POINT: &str = "cachePoint";
/// Standard fields that `extra` can change; all its other fields go to the model.
const STANDARD: [&str; 4] = ["temperature", "maxTokens", "stopSequences", CACHE_POINT];

/// Models that do not accept cache marks, although others of their families do.
const TOO_OLD: [&str; 6] = [
    "claude-v2",
    "claude-instant",
    "claude-3-haiku",
    "claude-3-sonnet",
    "claude-3-opus",
    "claude-3-5-sonnet-20240620",
];

/// The body of a request for `model`. A `null` in `extra` removes a standard field; other
/// fields of it go to the model as they are.
pub(super) fn body(model: &str, request: &Request, extra: &Map<String, Json>) -> Json {
    let mark = match extra.get(CACHE_POINT) {
        Some(Json::Bool(mark)) => *mark,
        Some(_) => false,
        None => takes_marks(model),
    };
    let cache_point = json!({"cachePoint": {"type": "default"}});
    let text = |text: &str| json!({"text": text});
    let (system, turns) = turns(&request.messages);
    let mut system: Vec<Json> = system.into_iter().map(text).collect();
    if mark && !system.is_empty() {
        system.push(cache_point.clone());
    }
    let last = turns.len().saturating_sub(1);
    let messages = turns.into_iter().enumerate().map(|(index, turn)| {
        let mut content: Vec<Json> = turn.texts.into_iter().map(text).collect();
        // The messages before the last one are the examples, which stay the same.
        if mark && index + 1 == last {
            content.push(cache_point.clone());
        }
        let role = match turn.role {
            Role::Assistant => "assistant",
            Role::User | Role::System | Role::Text => "user",
        };
        json!({"role": role, "content": content})
    });
    let messages: Vec<Json> = messages.collect();
    let own: Map<String, Json> = extra
        .iter()
        .filter(|(name, value)| !STANDARD.contains(&name.as_str()) && !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let mut body = Map::new();
    let mut set = |name: &str, value: Json| body.insert(name.to_owned(), value);
    if !own.is_empty() {
        set("additionalModelRequestFields", Json::Object(own));
    }
    set("inferenceConfig", Json::Object(inference(request, extra)));
    set("messages", Json::Array(messages));
    if !system.is_empty() {
        set("system", Json::Array(system));
    }
    Json::Object(body)
}

fn inference(request: &Request, extra: &Map<String, Json>) -> Map<String, Json> {
    let mut settings = Map::new();
    let mut set = |name: &str, value: Json| {
        if extra.get(name) != Some(&Json::Null) {
            settings.insert(name.to_owned(), value);
        }
    };
    // The service reads a signed integer of 32 bits.
    let most = i32::MAX.unsigned_abs();
    set("maxTokens", json!(request.max_tokens.min(most)));
    // Converted through text: a direct conversion would show the rounding of the shorter
    // float.
    let temperature = request.temperature.to_string().parse::<f64>();
    set("temperature", json!(temperature.unwrap_or_default()));
    // The service refuses blank stop sequences. The answer is cut at stop sequences here
    // as well.
    let stops = request.stop.iter().filter(|stop| !stop.trim().is_empty());
    let stops: Vec<&String> = stops.collect();
    if !stops.is_empty() {
        set("stopSequences", json!(stops));
    }
    settings
}

/// Whether a model is known to accept marks for the prompt cache. Other models refuse
/// them.
fn takes_marks(model: &str) -> bool {
    let family = model.contains("anthropic.claude") || model.contains("amazon.nova");
    family && !TOO_OLD.iter().any(|old| model.contains(old))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_for_models_that_take_them() {
        for model in [
            "us.anthropic.claude-sonnet-4-20250514-v1:0",
            "amazon.nova-lite-v1:0",
            "anthropic.claude-3-5-sonnet-20241022-v2:0",
        ] {
            assert!(takes_marks(model), "{model}");
        }
        for model in [
            "anthropic.claude-3-haiku-20240307-v1:0",
            "meta.llama3-1-8b-instruct-v1:0",
            "arn:aws:bedrock:us-east-1:1:application-inference-profile/x",
        ] {
            assert!(!takes_marks(model), "{model}");
        }
    }
}
