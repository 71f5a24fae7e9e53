//! Turns the answer to a call into a value or a refusal.

use super::tool::{INVALID_PARAMS, PROTOCOL_ERROR, TOOL_ERROR};
use crate::domain::{Answer, Map, Refusal, StateValue, Value};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value as Json;

/// How servers made with the TypeScript SDK report a call with wrong arguments.
const INVALID: &str = "MCP error -32602: ";

/// Turns a result of `tools/call` into an answer.
///
/// - `isError` is a refusal with the code [`TOOL_ERROR`]; its message is the text.
/// - `structuredContent` is the value, unchanged.
/// - A single text is parsed if it is JSON, and else stays a text.
/// - A single image or other content is a dict (see [`block`]); several contents are a list.
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
    if result.get("isError") == Some(&Json::Bool(true)) {
        return Err(tool_error(&content, structured));
    }
    if let Some(structured) = structured {
        return Ok(value(&structured));
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
    let details = structured.map(|structured| ("Structured".into(), value(&structured)));
    Refusal {
        details: details.into_iter().collect(),
        ..refusal(TOOL_ERROR, &message)
    }
}

/// One content. A text is parsed if it is JSON. Everything else is a dict as it was sent, in
/// which the Base64 of `data` or `blob` became bytes under `data`.
fn block(block: Json) -> Value {
    let Json::Object(mut block) = block else {
        return value(&block);
    };
    if block.get("type").and_then(Json::as_str) == Some("text")
        && let Some(Json::String(text)) = block.get_mut("text")
    {
        let text = std::mem::take(text);
        return match serde_json::from_str::<Json>(&text) {
            Ok(json) => value(&json),
            Err(_) => Value::Str(text),
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
            None => (name.into(), value(&json)),
        }
    });
    Value::Map(pairs.collect())
}

/// JSON as a value. Integers beyond 64 bits become floats.
fn value(json: &Json) -> Value {
    StateValue::from_json(json).to_value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
            Ok(Value::List(vec!["a".into(), Value::Int(1)]))
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
