//! The arguments of a call: as JSON for the server, and as lines for people.

use super::answer::refusal;
use super::tool::{INVALID_PARAMS, Tool, Tools};
use crate::domain::{Refusal, Value, counted};
use crate::stubs::{plain, python};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map as JsonMap, Number, Value as Json};

/// The most lines of a call that are shown, and the most characters of a value.
const LINES: usize = 12;
const SHOWN: usize = 80;

/// The arguments of a call with their names on the wire.
///
/// `None` is left out if the parameter cannot be null. Unknown arguments are passed on, so
/// that the server explains what is wrong with them.
///
/// # Errors
/// A value cannot be written as JSON.
pub fn arguments(tool: &Tool, params: &Value) -> Result<JsonMap<String, Json>, Refusal> {
    let mut arguments = JsonMap::new();
    let Value::Map(pairs) = params else {
        return Ok(arguments);
    };
    for (name, value) in pairs {
        let wrong = |problem: &str| refusal(INVALID_PARAMS, &format!("{name}: {problem}"));
        let input = tool.inputs.parameters.iter().find(|it| it.name == *name);
        if *value == Value::Null && input.is_some_and(|input| !input.is_nullable) {
            continue;
        }
        let json = json(value).map_err(wrong)?;
        match (input, json) {
            (None, json) => {
                arguments.insert(name.clone().into_owned(), json);
            }
            (Some(input), json) => match (&input.wire, json) {
                (Some(wire), json) => {
                    arguments.insert(wire.clone(), json);
                }
                (None, Json::Object(all)) => arguments.extend(all),
                (None, _) => return Err(wrong("must be a dict with the arguments")),
            },
        }
    }
    Ok(arguments)
}

/// A value as JSON: bytes in Base64, a time as RFC 3339.
fn json(value: &Value) -> Result<Json, &'static str> {
    Ok(match value {
        Value::Null | Value::File(_) => Json::Null,
        Value::Bool(truth) => Json::Bool(*truth),
        Value::Int(int) => Json::from(*int),
        Value::BigInt(digits) => match digits.parse::<u64>() {
            Ok(large) => Json::from(large),
            Err(_) => return Err("an integer of more than 64 bits cannot be sent; a text can"),
        },
        Value::Float(float) => {
            let number = Number::from_f64(*float);
            Json::Number(number.ok_or("a number must be finite")?)
        }
        Value::Str(text) => Json::from(text.as_str()),
        Value::Bytes(bytes) => Json::from(STANDARD.encode(bytes)),
        Value::Time(time) => Json::from(time.to_string()),
        Value::List(items) => Json::Array(items.iter().map(json).collect::<Result<_, _>>()?),
        Value::Map(pairs) => {
            let pairs = pairs.iter();
            let pairs =
                pairs.map(|(key, value)| Ok::<_, &'static str>((key.to_string(), json(value)?)));
            Json::Object(pairs.collect::<Result<_, _>>()?)
        }
    })
}

impl Tools {
    /// A call in lines for people: the name of the tool, then each argument. The server does
    /// not say what a call would change, so this is all that a plan can show.
    ///
    /// ```
    /// use dialog2api::domain::Value;
    /// use dialog2api::mcp::Tools;
    ///
    /// let tools = Tools::parse(r#"[{"name": "add-note", "title": "Add a note"}]"#)?;
    /// let params = Value::Map(vec![("text".into(), "Buy milk".into())]);
    /// let lines = tools.lines("add_note", &params);
    /// assert_eq!(lines, ["Add a note (add-note)", "text: \"Buy milk\""]);
    /// # Ok::<(), String>(())
    /// ```
    pub fn lines(&self, operation: &str, params: &Value) -> Vec<String> {
        let title = self.tool(operation).map(|tool| match &tool.title {
            Some(title) if *title != tool.wire => format!("{title} ({})", tool.wire),
            _ => tool.wire.clone(),
        });
        let title = title.unwrap_or_else(|| operation.to_owned());
        // Only what is claimed: by the protocol, a tool of which nothing is said may as well.
        let hint = self.tool(operation).and_then(|tool| tool.hints.open_world);
        let reaches = match hint {
            Some(true) => ", which the server says reaches others (openWorldHint)",
            _ => "",
        };
        let mut lines = vec![format!("{}{reaches}", plain(&title))];
        let pairs = match params {
            Value::Map(pairs) => pairs.as_slice(),
            _ => &[],
        };
        let shown = pairs.iter().take(LINES);
        lines.extend(shown.map(|(name, value)| format!("{name}: {}", shown_value(value))));
        if let Some(more) = pairs.len().checked_sub(LINES).filter(|more| *more > 0) {
            lines.push(format!("… and {more} more"));
        }
        lines
    }
}

/// A value on one line, cut to a length that people can read.
fn shown_value(value: &Value) -> String {
    if let Value::Bytes(bytes) = value {
        return counted(bytes.len(), "byte");
    }
    let text = match json(value) {
        Ok(json) => python(&json),
        Err(problem) => format!("({problem})"),
    };
    let whole = value.as_str().unwrap_or(&text);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], whole.chars().count()),
        None => text,
    }
}
