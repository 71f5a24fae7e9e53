//! Turns the answer to a call into a value or a refusal.

use super::tool::{INVALID_PARAMS, PROTOCOL_ERROR, TOOL_ERROR};
use crate::domain::{Answer, Map, Refusal, Value, lenient_json};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value as Json;

/// How servers made with the TypeScript SDK report a call with wrong arguments.
const INVALID: &str = "MCP error -32602: ";

/// Turns a result of `tools/call` into an answer.
///
/// - `isError` is a refusal with the code [`TOOL_ERROR`]; its message is the text.
/// - `structuredContent` is the value, unchanged.
/// - A single text that is a JSON object or array is parsed. Every other text stays a text, also
///   one that looks like a number.
/// - A single image or other content is a dict (see [`block`]); several contents are a list.
/// - A content of a type that the protocol does not have is no result, whatever `isError` says:
///   servers report failures so.
pub fn answer(result: Json) -> Answer {
    let Json::Object(mut result) = result else {
        return Err(refusal(PROTOCOL_ERROR, "the server sent no result"));
    };
    match result.get("resultType").and_then(Json::as_str) {
        None | Some("complete") => {}
        Some("input_required") => {
            return Err(refusal(
                PROTOCOL_ERROR,
                "the tool wants to ask the user something, which a program cannot answer; pass \
                 everything in the arguments",
            ));
        }
        Some(other) => {
            let problem = format!("the tool answers with a result of the kind {other:?}");
            return Err(refusal(PROTOCOL_ERROR, &problem));
        }
    }
    let structured = result.remove("structuredContent");
    let structured = structured.filter(|json| !json.is_null());
    let content = match result.remove("content") {
        Some(Json::Array(content)) => content,
        _ => Vec::new(),
    };
    let failed = |flag: &Json| matches!(flag, Json::Bool(true)) || flag.as_str() == Some("true");
    if result.get("isError").is_some_and(failed) {
        return Err(tool_error(&content, structured));
    }
    if let Some(structured) = structured {
        return Ok(Value::from_json(structured));
    }
    if let Some(problem) = content.iter().find_map(foreign) {
        return Err(problem);
    }
    let mut values: Vec<Value> = content.into_iter().map(block).collect();
    Ok(match values.len() {
        0 => Value::Null,
        1 => values.remove(0),
        _ => Value::List(values),
    })
}

/// Turns an error of the protocol into a refusal.
pub fn refused(code: i32, message: &str) -> Refusal {
    let name = match code {
        -32602 => INVALID_PARAMS,
        _ => PROTOCOL_ERROR,
    };
    let details = vec![("Code".into(), Value::Int(code.into()))];
    Refusal {
        details,
        ..refusal(name, message)
    }
}

/// A refusal without details.
pub fn refusal(code: &str, message: &str) -> Refusal {
    Refusal {
        code: code.to_owned(),
        message: message.to_owned(),
        status: 0,
        details: Map::new(),
    }
}

fn tool_error(content: &[Json], structured: Option<Json>) -> Refusal {
    let texts = content
        .iter()
        .filter_map(|block| block.get("text")?.as_str());
    let texts: Vec<&str> = texts.collect();
    let message = match (texts.join("\n").trim(), &structured) {
        ("", Some(structured)) => structured.to_string(),
        ("", None) => "the tool failed and did not say why".to_owned(),
        (text, _) => text.to_owned(),
    };
    if let Some(message) = message.strip_prefix(INVALID) {
        return refusal(INVALID_PARAMS, message);
    }
    let details = structured.map(|json| ("Structured".into(), Value::from_json(json)));
    Refusal {
        details: details.into_iter().collect(),
        ..refusal(TOOL_ERROR, &message)
    }
}

/// The refusal of a content whose type the protocol does not have, with its words.
fn foreign(block: &Json) -> Option<Refusal> {
    const TYPES: [&str; 5] = ["text", "image", "audio", "resource", "resource_link"];
    let kind = match block.get("type") {
        None => return None,
        Some(kind) => kind.as_str().unwrap_or_default(),
    };
    if TYPES.contains(&kind) {
        return None;
    }
    let mut names = ["text", "message", "error", "data"].iter();
    let words = names.find_map(|name| block.get(*name));
    let words = words.map(|words| match words.as_str() {
        Some(text) => text.to_owned(),
        None => words.to_string(),
    });
    let said = words.filter(|it| !it.trim().is_empty());
    let is_failure = kind.to_ascii_lowercase().contains("err");
    Some(match (said, is_failure) {
        (Some(said), true) => refusal(TOOL_ERROR, said.trim()),
        (said, _) => {
            let said = said
                .map(|said| format!(": {}", said.trim()))
                .unwrap_or_default();
            let problem = format!(
                "the tool answers with a content of the type {kind:?}, which the protocol does not \
                 have, so it is not known whether it succeeded{said}"
            );
            refusal(PROTOCOL_ERROR, &problem)
        }
    })
}

/// One content. A text is parsed if it is a JSON object or array. Everything else is a dict as it was sent, in
/// which the Base64 of `data` or `blob` became bytes under `data`.
fn block(block: Json) -> Value {
    let Json::Object(mut block) = block else {
        return Value::from_json(block);
    };
    if block.get("type").and_then(Json::as_str) == Some("text")
        && let Some(Json::String(text)) = block.get_mut("text")
    {
        let text = std::mem::take(text);
        let is_container = text.trim_start().starts_with(['{', '[']);
        return match lenient_json(&text) {
            Ok(json) if is_container => Value::from_json(json),
            _ => Value::Str(text),
        };
    }
    // The description of an embedded resource becomes part of the resource.
    if let Some(Json::Object(resource)) = block.remove("resource") {
        block.extend(resource);
    }
    // Annotations are for people and mean nothing to a program.
    block.retain(|name, json| !json.is_null() && name != "annotations" && name != "_meta");
    let pairs = block.into_iter().map(|(name, json)| {
        let bytes = match (&*name, &json) {
            ("data" | "blob", Json::String(text)) => STANDARD.decode(text).ok(),
            _ => None,
        };
        match bytes {
            Some(bytes) => ("data".into(), Value::Bytes(bytes.into())),
            None => (name.into(), Value::from_json(json)),
        }
    });
    Value::Map(pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value(json: &Json) -> Value {
        Value::from_json(json.clone())
    }

    #[test]
    fn texts_stay_texts() {
        let text = |text: &str| json!({"type": "text", "text": text});
        for words in [
            "1234e5",
            "1.10",
            "20240000000000000001",
            "true",
            "null",
            " 10115 ",
            "\"a\"",
            "NaN",
        ] {
            let result = answer(json!({"content": [text(words)]}));
            assert_eq!(result, Ok(words.into()));
        }
        let large = Value::BigInt("18446744073709551615".to_owned());
        let result = answer(json!({"content": [text("[18446744073709551615]")]}));
        assert_eq!(result, Ok(Value::List(vec![large.clone()])));
        let result = answer(json!({"content": [], "structuredContent": {"a": u64::MAX}}));
        assert_eq!(result, Ok(Value::Map(vec![("a".into(), large)])));
    }

    #[test]
    fn a_content_of_another_type_is_no_success() {
        let failed = |block: Json| {
            let refusal = answer(json!({ "content": [block] })).expect_err("a refusal");
            format!("{}: {}", refusal.code, refusal.message)
        };
        let said = failed(json!({"type": "error", "text": "Invalid number"}));
        assert_eq!(said, "ToolError: Invalid number");
        let said = failed(json!({"type": "json", "data": {"a": 1}}));
        assert_eq!(
            said,
            "ProtocolError: the tool answers with a content of the type \"json\", which the protocol \
             does not have, so it is not known whether it succeeded: {\"a\":1}"
        );
    }

    #[test]
    fn results_become_values() {
        let text = |text: &str| json!({"type": "text", "text": text});
        let one = |block: Json| answer(json!({ "content": [block] }));
        assert_eq!(one(text("hello")), Ok("hello".into()));
        assert_eq!(one(text("[1, 2.5]")), Ok(value(&json!([1, 2.5]))));
        assert_eq!(answer(json!({"content": []})), Ok(Value::Null));
        assert_eq!(
            answer(json!({"content": [text("ignored")], "structuredContent": {"a": 1}})),
            Ok(value(&json!({"a": 1})))
        );
        assert_eq!(
            answer(json!({"content": [text("a"), text("1")]})),
            Ok(Value::List(vec!["a".into(), "1".into()]))
        );
        let image = json!({"type": "image", "mimeType": "image/png", "data": "AAEC"});
        let expected = Value::Map(vec![
            ("type".into(), "image".into()),
            ("mimeType".into(), "image/png".into()),
            ("data".into(), Value::Bytes(vec![0, 1, 2].into())),
        ]);
        assert_eq!(one(image), Ok(expected));
        let resource = json!({"uri": "demo://1", "mimeType": "text/plain", "blob": "!!"});
        let expected = json!({
            "type": "resource", "uri": "demo://1", "mimeType": "text/plain", "blob": "!!"
        });
        let embedded = json!({"type": "resource", "resource": resource, "annotations": {}});
        assert_eq!(one(embedded), Ok(value(&expected)));
    }

    #[test]
    fn failures_become_refusals() {
        let failed = |result: Json| {
            let refusal = answer(result).expect_err("a refusal");
            format!("{}: {}", refusal.code, refusal.message)
        };
        let text =
            |text: &str| json!({"isError": true, "content": [{"type": "text", "text": text}]});
        assert_eq!(failed(text("no such list")), "ToolError: no such list");
        assert_eq!(
            failed(text("MCP error -32602: Tool x not found")),
            "InvalidParams: Tool x not found"
        );
        assert_eq!(
            failed(json!({"isError": true})),
            "ToolError: the tool failed and did not say why"
        );
        assert_eq!(
            failed(json!({"resultType": "task", "taskId": "1"})),
            "ProtocolError: the tool answers with a result of the kind \"task\""
        );
        assert_eq!(failed(json!(1)), "ProtocolError: the server sent no result");
    }
}
