//! A request in the words of Converse.

use crate::llm::turns::turns;
use crate::llm::{Request, Role};
use aws_sdk_bedrockruntime::error::BuildError;
use aws_sdk_bedrockruntime::operation::converse_stream::builders::ConverseStreamInputBuilder;
use aws_sdk_bedrockruntime::types::{
    CachePointBlock, CachePointType, ContentBlock, ConversationRole, InferenceConfiguration,
    Message, SystemContentBlock,
};
use aws_smithy_types::{Document, Number};
use serde_json::{Map, Value as Json};

/// Whether, and where, the prompt is marked for the cache.
const CACHE_POINT: &str = "cachePoint";
/// The fields of ours that `extra` may take out.
const OURS: [&str; 4] = ["temperature", "maxTokens", "stopSequences", CACHE_POINT];

/// Models of families that take marks, and are too old for them.
const TOO_OLD: [&str; 6] = [
    "claude-v2",
    "claude-instant",
    "claude-3-haiku",
    "claude-3-sonnet",
    "claude-3-opus",
    "claude-3-5-sonnet-20240620",
];

/// The input of a call.
pub(super) fn input(
    model: &str,
    request: &Request,
    extra: &Map<String, Json>,
) -> Result<ConverseStreamInputBuilder, BuildError> {
    let wants = |field: &str| extra.get(field) != Some(&Json::Null);
    let (system, turns) = turns(&request.messages);
    let mark = match extra.get(CACHE_POINT) {
        Some(Json::Bool(mark)) => *mark,
        Some(_) => false,
        None => takes_marks(model),
    };
    let mut settings = InferenceConfiguration::builder();
    if wants("maxTokens") {
        settings = settings.max_tokens(i32::try_from(request.max_tokens).unwrap_or(i32::MAX));
    }
    if wants("temperature") {
        settings = settings.temperature(request.temperature);
    }
    // Sequences of nothing but blanks are refused; the text is cut here as well.
    let stops = request.stop.iter().filter(|stop| !stop.trim().is_empty());
    let stops: Vec<String> = stops.cloned().collect();
    if wants("stopSequences") && !stops.is_empty() {
        settings = settings.set_stop_sequences(Some(stops));
    }
    let mut input = ConverseStreamInputBuilder::default()
        .model_id(model)
        .inference_config(settings.build());
    let instructed = !system.is_empty();
    for text in system {
        input = input.system(SystemContentBlock::Text(text.to_owned()));
    }
    if mark && instructed {
        input = input.system(SystemContentBlock::CachePoint(cache_point()?));
    }
    let last = turns.len().saturating_sub(1);
    for (index, turn) in turns.into_iter().enumerate() {
        let mut message = Message::builder().role(match turn.role {
            Role::Assistant => ConversationRole::Assistant,
            Role::User | Role::System | Role::Text => ConversationRole::User,
        });
        for text in turn.texts {
            message = message.content(ContentBlock::Text(text.to_owned()));
        }
        // What stands before the last message are the examples, and the turn for a response.
        if mark && index + 1 == last {
            message = message.content(ContentBlock::CachePoint(cache_point()?));
        }
        input = input.messages(message.build()?);
    }
    let own = extra
        .iter()
        .filter(|(name, value)| !OURS.contains(&name.as_str()) && !value.is_null());
    let own: std::collections::HashMap<String, Document> = own
        .map(|(name, value)| (name.clone(), document(value)))
        .collect();
    if !own.is_empty() {
        input = input.additional_model_request_fields(Document::Object(own));
    }
    Ok(input)
}

/// Whether a model is known to take marks for the prompt cache; others refuse them.
fn takes_marks(model: &str) -> bool {
    let family = model.contains("anthropic.claude") || model.contains("amazon.nova");
    family && !TOO_OLD.iter().any(|old| model.contains(old))
}

fn cache_point() -> Result<CachePointBlock, BuildError> {
    CachePointBlock::builder()
        .r#type(CachePointType::Default)
        .build()
}

/// JSON as the SDK has it.
fn document(json: &Json) -> Document {
    match json {
        Json::Null => Document::Null,
        Json::Bool(value) => Document::Bool(*value),
        Json::String(text) => Document::String(text.clone()),
        Json::Array(values) => Document::Array(values.iter().map(document).collect()),
        Json::Object(fields) => Document::Object(
            fields
                .iter()
                .map(|(name, value)| (name.clone(), document(value)))
                .collect(),
        ),
        Json::Number(number) => Document::Number(match (number.as_u64(), number.as_i64()) {
            (Some(whole), _) => Number::PosInt(whole),
            (None, Some(whole)) => Number::NegInt(whole),
            (None, None) => Number::Float(number.as_f64().unwrap_or_default()),
        }),
    }
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
