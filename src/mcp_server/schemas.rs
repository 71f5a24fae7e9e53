//! The schemas of what tools answer, in the dialect of the protocol (2020-12), which they need not
//! name: some clients refuse a name that they do not know.
//!
//! Any tool can be refused. A refusal is a report that failed, so every schema has its fields, and only
//! that of a report, which has a status always, requires one.

use rmcp::model::JsonObject;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// The schema of the answers of a tool.
pub fn of(tool: &str) -> Arc<JsonObject> {
    let text = || json!({"type": "string"});
    let mut fields = match tool {
        "search_api" => json!({"api": text()}),
        "policy" => json!({
            "policy": text(),
            "calls": list(json!({
                "line": {"type": "integer"},
                "operation": text(),
                "said": text(),
            })),
        }),
        "sessions" => json!({"sessions": list(json!({
            "session": text(),
            "turns": {"type": "integer"},
            "last": {"type": ["string", "null"]},
            "state": text(),
        }))}),
        "session" => json!({
            "session": text(),
            "turns": list(json!({
                "turn": {"type": "integer"},
                "purpose": text(),
                "programs": {"type": "array", "items": text()},
                "outcomes": {"type": "array", "items": {"type": "object"}},
            })),
            "plans": list(json!({
                "plan_id": text(),
                "state": text(),
                "totals": {"type": "object"},
            })),
        }),
        "replay" => json!({
            "path": text(),
            "uid": text(),
            "goal": {"type": ["string", "null"]},
            "world": {"type": ["string", "null"]},
            "matches": {"type": "boolean"},
            "programs": {"type": "integer"},
            "differences": {"type": "array", "items": text()},
            "signature": text(),
            "recorded_signature": {"type": ["string", "null"]},
            "turns": list(json!({
                "user": text(),
                "goals": {"type": "array", "items": {"type": "object"}},
                "changes": {"type": "array"},
                "signature": text(),
                "differences": {"type": "array", "items": text()},
                "response": {"type": ["string", "null"]},
            })),
        }),
        _ => return report(),
    };
    fields["status"] = json!({"enum": ["failed"]});
    fields["error"] = error();
    object(json!({"type": "object", "properties": fields, "additionalProperties": false}))
}

fn list(fields: Json) -> Json {
    json!({"type": "array", "items": {"type": "object", "properties": fields}})
}

fn error() -> Json {
    json!({
        "type": "object",
        "properties": {
            "error": {"type": "string"},
            "message": {"type": "string"},
            "line": {"type": "integer"},
            "traceback": {"type": "string"},
        },
        "required": ["error", "message"],
    })
}

/// The schema of a report on a program, a plan or an undo.
fn report() -> Arc<JsonObject> {
    let texts = || json!({"type": "array", "items": {"type": "string"}});
    object(json!({
        "type": "object",
        "properties": {
            "status": {"enum": ["done", "failed", "waiting", "declined", "nothing"]},
            "session": {"type": "string"},
            "plan_id": {"type": "string"},
            "result": {"description": "What the program returned"},
            "error": error(),
            "output": {"type": "string"},
            "message": {"type": "string"},
            "forms": {"type": "string", "description": "The worksheets as they are now, for people"},
            "notes": texts(),
            "links": texts(),
            "unread": texts(),
            "calls": {"type": "array", "items": {"type": "object"}},
            "changes": {"type": "array", "items": {"type": "object"}},
            "plan": {"type": "object"},
            "left_out": {"type": "integer"},
        },
        "required": ["status"],
    }))
}

/// An object as the SDK takes it.
pub fn object(schema: Json) -> Arc<JsonObject> {
    match schema {
        Json::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}
