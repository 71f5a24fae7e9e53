//! The tools of a server: their descriptions, and their names in Python.

use super::change::{Documents, ToolChange, is_task_only, name_of};
use super::inputs::Inputs;
use super::stub;
use crate::error::{Error, Result};
use crate::files::{self, Readers};
use crate::mcp::Client;
use crate::stubs::in_python;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The exception with which a tool reports that it failed: see
/// [`McpWorld`](super::McpWorld).
pub const TOOL_ERROR: &str = "ToolError";
/// The exception for invalid arguments: an unknown parameter, or a value of the wrong type.
pub const INVALID_PARAMS: &str = "InvalidParams";
/// The exception for any other call that the server cannot carry out.
pub const PROTOCOL_ERROR: &str = "ProtocolError";

/// The exception for a tool that is another one now than when it was approved.
pub const TOOL_CHANGED: &str = "ToolChanged";

/// The member of a saved file that says that its descriptions have all that the server said.
const WHOLE: &str = "whole";

/// The exceptions of every server, with what they mean.
pub const ERRORS: [(&str, &str); 3] = [
    (
        TOOL_ERROR,
        "A tool reports that it failed. The message says why.",
    ),
    (
        INVALID_PARAMS,
        "The server does not accept the arguments of a call.",
    ),
    (PROTOCOL_ERROR, "The server cannot carry out a call."),
];

/// The tools of a server, in its order.
#[derive(Debug, Clone, PartialEq)]
pub struct Tools {
    tools: Vec<Tool>,
    documents: Documents,
    /// Descriptions that could not be read fully, a sentence each.
    pub notes: Vec<String>,
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name on the wire.
    pub wire: String,
    /// Its name in Python: the operation.
    pub name: String,
    /// A title for people, if the server gives one.
    pub title: Option<String>,
    /// Its description, in the server's words.
    pub description: String,
    /// The JSON schema of its arguments.
    pub input_schema: Json,
    /// The JSON schema of its structured result, if it has one.
    pub output_schema: Option<Json>,
    /// Its effect, according to the server.
    pub hints: Hints,
    pub(super) inputs: Inputs,
}

/// The effect of a tool, according to the server. `None` if it does not say.
///
/// These are claims of the server, and may be wrong.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hints {
    /// The tool changes nothing.
    pub read_only: Option<bool>,
    /// The tool may change or remove existing things, and not only add new ones.
    pub destructive: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// The tool reaches things that the server does not know beforehand, such as the web.
    pub open_world: Option<bool>,
}

impl Hints {
    fn of(document: &Json) -> Self {
        let hint = |name: &str| document.get("annotations")?.get(name)?.as_bool();
        Hints {
            read_only: hint("readOnlyHint"),
            destructive: hint("destructiveHint"),
            idempotent: hint("idempotentHint"),
            open_world: hint("openWorldHint"),
        }
    }

    /// What is true of a tool that is one of two.
    fn worse(self, other: Hints) -> Hints {
        let all = |one: Option<bool>, other: Option<bool>| match (one, other) {
            (Some(true), other) => other,
            (one, _) => one,
        };
        let any = |one: Option<bool>, other: Option<bool>| match (one, other) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), other) => other,
            (None, _) => None,
        };
        Hints {
            read_only: all(self.read_only, other.read_only),
            destructive: any(self.destructive, other.destructive),
            idempotent: all(self.idempotent, other.idempotent),
            open_world: any(self.open_world, other.open_world),
        }
    }
}

impl Tools {
    /// The tools of a server.
    ///
    /// # Errors
    /// The server does not answer, or not with a list of tools.
    pub async fn list(client: &Client) -> Result<Self> {
        let tools = client.tools().await?;
        Ok(Tools::of(tools, client.name()))
    }

    /// Reads descriptions of tools as a server sends them: an array, or the result of
    /// `tools/list`. Entries without a name are left out; of two with the same name the first
    /// is called, and both are compared.
    ///
    /// # Errors
    /// A clause: it is neither, or it has no tool.
    pub fn parse(text: &str) -> Result<Self, String> {
        let json: Json = serde_json::from_str(text)
            .map_err(|error| format!("line {}: {error}", error.line()))?;
        let list = json.get("tools").unwrap_or(&json).as_array();
        let list = list.ok_or("is not a list of tools: {\"tools\": [{\"name\": …}]}")?;
        let server = json.get("server").and_then(Json::as_str);
        let tools = Tools::of(list.clone(), server.map(str::to_owned));
        match tools.documents.listed.is_empty() {
            true => Err("has no tools: each has a name".to_owned()),
            false => Ok(tools),
        }
    }

    /// Reads the file that [`save`](Self::save) has written.
    ///
    /// # Errors
    /// It cannot be read, or has no list of tools.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?;
        let tools = Tools::parse(&text);
        let mut tools = tools.map_err(|problem| Error::Content {
            path: path.to_owned(),
            problem,
        })?;
        let json: Json = serde_json::from_str(&text).unwrap_or_default();
        tools.documents.is_whole = json.get(WHOLE) == Some(&Json::Bool(true));
        Ok(tools)
    }

    /// Writes the tools to a file, so that they are known while the server does not run.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        files::replace(path, self.to_json().as_bytes(), Readers::Umask)
    }

    /// The text that [`save`](Self::save) writes: JSON for people, with a line break at its end.
    pub fn to_json(&self) -> String {
        let mut json = json!({ WHOLE: true, "tools": self.documents.listed });
        if let (Json::Object(parts), Some(server)) = (&mut json, &self.documents.server) {
            parts.insert("server".to_owned(), server.as_str().into());
        }
        let text = serde_json::to_string_pretty(&json);
        text.unwrap_or_default() + "\n"
    }

    /// `api.pyi`: the tools as Python stubs, and the exceptions of a call.
    pub fn stub(&self) -> String {
        stub::text(self)
    }

    /// The tools, in the server's order.
    pub fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter()
    }

    /// The tool of this name in Python.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// The names in Python of the tools that change nothing, as the server says.
    pub fn reads(&self) -> Vec<&str> {
        self.named(|hints| hints.read_only == Some(true))
    }

    /// The names in Python of the tools that destroy something, according to the server. By
    /// the protocol, a tool without the hint may destroy; here it only writes.
    pub fn destroys(&self) -> Vec<&str> {
        self.named(|hints| hints.read_only != Some(true) && hints.destructive == Some(true))
    }

    fn named(&self, is_wanted: impl Fn(&Hints) -> bool) -> Vec<&str> {
        let wanted = self.tools.iter().filter(|tool| is_wanted(&tool.hints));
        wanted.map(|tool| &*tool.name).collect()
    }

    /// The tool of these that has the wire name of one in `other`.
    pub fn by_wire(&self, other: &Tools, name: &str) -> Option<&Tool> {
        let wire = &other.tool(name)?.wire;
        self.tools.iter().find(|tool| tool.wire == *wire)
    }

    /// The tools that are others in `now`, or are not there, by their names in Python.
    pub fn changed(&self, now: &Tools) -> BTreeMap<String, ToolChange> {
        let names: BTreeMap<&str, &str> = self
            .tools
            .iter()
            .map(|tool| (&*tool.wire, &*tool.name))
            .collect();
        let changes = self
            .documents
            .changes(&now.documents, names.keys().copied());
        let named = changes.into_iter().filter_map(|(wire, change)| {
            let name = names.get(wire)?;
            Some(((*name).to_owned(), change))
        });
        named.collect()
    }

    fn of(list: Vec<Json>, server: Option<String>) -> Self {
        let mut notes = Vec::new();
        let mut named: Vec<(&str, Vec<&Json>)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for tool in &list {
            let Some(name) = name_of(tool) else {
                notes.push("a tool without a name is left out".to_owned());
                continue;
            };
            match places.get(name).and_then(|place| named.get_mut(*place)) {
                _ if is_task_only(tool) => notes.push(format!(
                    "{name}: it runs only as a task, which this program cannot follow; it is left out"
                )),
                Some((_, documents)) => {
                    documents.push(tool);
                    notes.push(format!(
                        "{name}: the server has another tool of this name before it, which counts"
                    ));
                }
                None => {
                    places.insert(name, named.len());
                    named.push((name, vec![tool]));
                }
            }
        }
        let wire: Vec<&str> = named.iter().map(|(wire, _)| *wire).collect();
        let taken = ERRORS.map(|(name, _)| name);
        let names = in_python(&wire, "tool", &taken, true);
        let tools = names.into_iter().zip(named);
        let tools = tools.filter_map(|(name, (wire, documents))| Tool::of(name, wire, &documents));
        Tools {
            tools: tools.collect(),
            notes,
            documents: Documents {
                listed: list
                    .iter()
                    .filter(|it| name_of(it).is_some())
                    .cloned()
                    .collect(),
                server,
                is_whole: true,
            },
        }
    }
}

impl Tool {
    /// The tool that the first of these descriptions has. It only reads if all of them say so, and
    /// destroys if one does: nobody knows which of them the server means.
    fn of(name: String, wire: &str, documents: &[&Json]) -> Option<Self> {
        let json = *documents.first()?;
        let text = |name: &str| json.get(name).and_then(Json::as_str).map(str::to_owned);
        let title = json.pointer("/annotations/title").and_then(Json::as_str);
        let input_schema = json.get("inputSchema").cloned().unwrap_or(Json::Null);
        let output_schema = json.get("outputSchema").filter(|it| !it.is_null());
        let hints = documents.iter().map(|it| Hints::of(it));
        Some(Tool {
            name,
            wire: wire.to_owned(),
            title: text("title").or_else(|| title.map(str::to_owned)),
            description: text("description").unwrap_or_default(),
            inputs: Inputs::of(&input_schema),
            input_schema,
            output_schema: output_schema.cloned(),
            hints: hints.reduce(Hints::worse).unwrap_or_default(),
        })
    }

    /// The names of the parameters in Python, each with its name on the wire. A parameter
    /// without one holds all arguments.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let inputs = self.inputs.parameters.iter();
        inputs.map(|input| (&*input.name, input.wire.as_deref()))
    }
}
