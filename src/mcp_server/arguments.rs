//! The arguments of the tools. An argument that a tool does not have is refused, so that no model
//! believes that it said something.

use rmcp::model::JsonObject;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The arguments of `search_api`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchApi {
    pub query: String,
}

/// The arguments of `run`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    pub program: String,
    pub session: Option<String>,
    pub purpose: Option<String>,
}

/// The arguments of `apply` and `discard`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfPlan {
    pub plan_id: String,
}

/// The arguments of `undo` and `session`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfSession {
    pub session: Option<String>,
}

/// The arguments of `policy`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfPolicy {
    pub program: Option<String>,
}

/// The arguments of `replay`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfReplay {
    pub dataset: String,
    pub dialogue: String,
}

/// The arguments of `sessions`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Reads the arguments of a tool. The error is a sentence for the model.
pub fn read<T: DeserializeOwned>(tool: &str, arguments: Option<JsonObject>) -> Result<T, String> {
    let arguments = serde_json::Value::Object(arguments.unwrap_or_default());
    serde_json::from_value(arguments)
        .map_err(|error| format!("{tool} cannot be called like this: {error}"))
}
