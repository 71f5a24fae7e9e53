//! The tools, and how they are described to models.

use super::schemas::{self, object};
use super::{ServerParts, app};
use crate::domain::WorldKind;
use crate::policy::Mode;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value as Json, json};

/// Every tool, in the order of the list.
pub const NAMES: [&str; 9] = [
    "search_api",
    "run",
    "apply",
    "discard",
    "undo",
    "sessions",
    "session",
    "policy",
    "replay",
];

/// Those that wait until the sandbox is prepared, before they look at their arguments.
pub const RUN: [&str; 5] = ["run", "apply", "discard", "undo", "replay"];

/// The error of a call that could not be carried out.
pub const REFUSED: &str = "Refused";

/// What the server says about itself.
pub fn instructions(parts: &ServerParts) -> String {
    let domain = &parts.domain;
    let handle = match &domain.api.handle {
        Some(handle) => format!(" It calls the API on `{}`.", handle.name),
        None => String::new(),
    };
    format!(
        "Works on {} by Python programs in a sandbox. A program is a Python module in which \
         `return` at the top gives the result, as JSON.{handle} search_api has the API. run tries \
         a program on a copy of the world: one that only reads has its result at once; of one that \
         writes you get a plan, and nothing is changed. Show the plan to the user and call apply: \
         the user is asked there. Do the whole task in one program, so that the user is asked once.",
        domain.name
    )
}

/// The tools of a server. What they promise depends on its policy and its world.
pub fn list(parts: &ServerParts) -> Vec<Tool> {
    let mode = parts.settings.policy.as_ref().map(|policy| policy.mode);
    let is_auto = mode == Some(Mode::Auto);
    let is_open = parts.kind == WorldKind::Remote;
    let reads = |title: &str| ToolAnnotations::with_title(title).read_only(true);
    let writes = |title: &str, destroys: bool| {
        let hints = ToolAnnotations::with_title(title).read_only(false);
        hints.destructive(destroys)
    };
    // Without a person's consent they change nothing, unless the policy asks for none.
    let plans = |title: &str| match is_auto {
        true => writes(title, true).idempotent(false),
        false => reads(title).idempotent(true),
    };
    let session = json!({
        "type": "string",
        "description": "The name of a session; the one of this connection if it is left out",
    });
    let plan = json!({"type": "string", "description": "As run or undo gave it"});
    let tools = [
        tool(
            "search_api",
            "Describes the operations of the API that match a query, as Python stubs.",
            json!({"query": {"type": "string", "description": "What is to be done, in words"}}),
            &["query"],
            reads("Search the API"),
        ),
        tool(
            "run",
            "Runs a Python program on a draft copy of the world. If it only reads, the result \
             comes at once. If it writes, nothing is changed: the answer has a plan_id and what \
             would change. The same program, while its plan waits, gives the same plan.",
            json!({
                "program": {"type": "string", "description": "A Python module with `return` at its top"},
                "purpose": {
                    "type": "string",
                    "description": "What the user wants, in a sentence, for the record",
                },
                "session": session,
            }),
            &["program"],
            plans("Run a program"),
        ),
        tool(
            "apply",
            "Carries out a plan exactly as it was shown, after the user has agreed. The user is \
             asked by the client or in a terminal; no argument can agree. A plan that has ended \
             gives its outcome again.",
            json!({"plan_id": plan}),
            &["plan_id"],
            writes("Apply a plan", true).idempotent(true),
        ),
        tool(
            "discard",
            "Drops a plan that waits. Nothing is changed.",
            json!({"plan_id": plan}),
            &["plan_id"],
            writes("Discard a plan", false).idempotent(true),
        ),
        tool(
            "undo",
            "Plans to take back the last program of a session that changed something. Nothing is \
             changed: the answer has a plan_id for apply.",
            json!({"session": session}),
            &[],
            plans("Undo the last program"),
        ),
        tool(
            "sessions",
            "Lists the sessions with this world.",
            json!({}),
            &[],
            reads("List sessions"),
        ),
        tool(
            "session",
            "Shows the programs, outcomes and plans of a session.",
            json!({"session": session}),
            &[],
            reads("Show a session"),
        ),
        tool(
            "policy",
            "Shows what programs may do; with a program, which of its calls would be refused, \
             and why.",
            json!({"program": {"type": "string"}}),
            &[],
            reads("Explain the policy"),
        ),
        tool(
            "replay",
            "Runs the programs of a recorded dialogue again, in its own world in memory, and says \
             what differs from the record. Nothing is kept.",
            json!({
                "dataset": {"type": "string", "description": "The path of a folder with dialogues"},
                "dialogue": {
                    "type": "string",
                    "description": "The name of a dialogue in it, without .xml",
                },
            }),
            &["dataset", "dialogue"],
            reads("Replay a dialogue"),
        ),
    ];
    let tools = tools.into_iter();
    tools
        .map(|(tool, hints)| {
            let schema = schemas::of(&tool.name);
            let tool = tool.with_raw_output_schema(schema);
            let tool = match SHOWN.contains(&&*tool.name) {
                true => tool.with_meta(app::of_tool()),
                false => tool,
            };
            tool.with_annotations(hints.open_world(is_open))
        })
        .collect()
}

/// The tools whose answer may be a plan that waits, which a view shows.
const SHOWN: [&str; 3] = ["run", "apply", "undo"];

fn tool(
    name: &'static str,
    description: &'static str,
    properties: Json,
    required: &[&str],
    hints: ToolAnnotations,
) -> (Tool, ToolAnnotations) {
    let schema = object(json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }));
    let title = hints.title.clone().unwrap_or_default();
    (
        Tool::new(name, description, schema).with_title(title),
        hints,
    )
}
