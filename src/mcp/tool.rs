//! The tools of a server: their descriptions, and their names in Python.

use super::inputs::Inputs;
use super::stub;
use crate::error::{Error, Result};
use crate::files::{self, Readers};
use crate::mcp::Client;
use crate::stubs::in_python;
use serde_json::{Map as JsonMap, Value as Json, json};
use std::collections::{BTreeMap, HashSet};
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
    /// Whether others are claimed. A server that says nothing of the world means that its tool
    /// reaches it, and folders that were made earlier have nothing of it.
    fn differ(&self, other: &Hints) -> bool {
        let opens = self.open_world == Some(false) && other.open_world != Some(false);
        let rest = |it: &Hints| (it.read_only, it.destructive, it.idempotent);
        opens || rest(self) != rest(other)
    }
}

impl Tools {
    /// The tools of a server.
    ///
    /// # Errors
    /// The server does not answer, or not with a list of tools.
    pub async fn list(client: &Client) -> Result<Self> {
        let tools = client.tools().await?;
        Tools::of(&tools).map_err(|problem| {
            Error::World(format!("the MCP server `{}`: {problem}", client.server()))
        })
    }

    /// Reads descriptions of tools as a server sends them: an array, or the result of
    /// `tools/list`. Entries without a name are left out; of two with the same name the first
    /// counts.
    ///
    /// # Errors
    /// A clause: it is neither, or it has no tool.
    pub fn parse(text: &str) -> Result<Self, String> {
        let json: Json = serde_json::from_str(text)
            .map_err(|error| format!("line {}: {error}", error.line()))?;
        let list = json.get("tools").unwrap_or(&json).as_array();
        let list = list.ok_or("is not a list of tools: {\"tools\": [{\"name\": …}]}")?;
        Tools::of(list)
    }

    /// Reads the file that [`save`](Self::save) has written.
    ///
    /// # Errors
    /// It cannot be read, or has no list of tools.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?;
        Tools::parse(&text).map_err(|problem| Error::Content {
            path: path.to_owned(),
            problem,
        })
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
        let tools: Vec<Json> = self.tools.iter().map(Tool::to_json).collect();
        let text = serde_json::to_string_pretty(&json!({ "tools": tools }));
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

    /// The tools that are others in `now`, by their names in Python, with what differs. A tool
    /// that is not in `now` is none of them: its server says so when it is called.
    pub fn changed(&self, now: &Tools) -> BTreeMap<String, String> {
        let differs = |tool: &Tool| {
            let is = now.tools.iter().find(|it| it.wire == tool.wire)?;
            Some((tool.name.clone(), tool.difference(is)?))
        };
        self.tools.iter().filter_map(differs).collect()
    }

    fn of(list: &[Json]) -> Result<Self, String> {
        let (mut seen, mut notes) = (HashSet::new(), Vec::new());
        let mut named = Vec::new();
        for tool in list {
            let name = tool.get("name").and_then(Json::as_str);
            let name = name.filter(|name| !name.is_empty());
            let tasks = tool
                .pointer("/execution/taskSupport")
                .and_then(Json::as_str);
            match name {
                Some(name) if tasks == Some("required") => notes.push(format!(
                    "{name}: it runs only as a task, which this program cannot follow; it is left out"
                )),
                Some(name) if seen.insert(name) => named.push((name, tool)),
                Some(name) => notes.push(format!(
                    "{name}: the server has another tool of this name before it, which counts"
                )),
                None => notes.push("a tool without a name is left out".to_owned()),
            }
        }
        let (wire, list): (Vec<&str>, Vec<&Json>) = named.into_iter().unzip();
        if wire.is_empty() {
            return Err("has no tools: each has a name".to_owned());
        }
        let taken = ERRORS.map(|(name, _)| name);
        let names = in_python(&wire, "tool", &taken, true);
        let tools = names.into_iter().zip(wire).zip(list);
        let tools = tools.map(|((name, wire), tool)| Tool::of(name, wire, tool));
        Ok(Tools {
            tools: tools.collect(),
            notes,
        })
    }
}

impl Tool {
    fn of(name: String, wire: &str, json: &Json) -> Self {
        let text = |name: &str| json.get(name).and_then(Json::as_str).map(str::to_owned);
        let annotations = json.get("annotations");
        let hint = |name: &str| annotations.and_then(|it| it.get(name)?.as_bool());
        let title = annotations.and_then(|it| it.get("title")?.as_str());
        let input_schema = json.get("inputSchema").cloned().unwrap_or(Json::Null);
        let output_schema = json.get("outputSchema").filter(|it| !it.is_null());
        Tool {
            name,
            wire: wire.to_owned(),
            title: text("title").or_else(|| title.map(str::to_owned)),
            description: text("description").unwrap_or_default(),
            inputs: Inputs::of(&input_schema),
            input_schema,
            output_schema: output_schema.cloned(),
            hints: Hints {
                read_only: hint("readOnlyHint"),
                destructive: hint("destructiveHint"),
                idempotent: hint("idempotentHint"),
                open_world: hint("openWorldHint"),
            },
        }
    }

    /// What differs in another description of this tool, as the subject of a sentence.
    fn difference(&self, other: &Tool) -> Option<String> {
        let parts = [
            ("title", self.title != other.title),
            ("description", self.description != other.description),
            ("arguments", self.input_schema != other.input_schema),
            ("result", self.output_schema != other.output_schema),
            ("hints", self.hints.differ(&other.hints)),
        ];
        let parts = parts.into_iter().filter(|(_, differs)| *differs);
        let parts: Vec<String> = parts.map(|(name, _)| format!("its {name}")).collect();
        match parts.split_last() {
            None => None,
            Some((last, [])) => Some(last.clone()),
            Some((last, first)) => Some(format!("{} and {last}", first.join(", "))),
        }
    }

    /// The names of the parameters in Python, each with its name on the wire. A parameter
    /// without one holds all arguments.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let inputs = self.inputs.parameters.iter();
        inputs.map(|input| (&*input.name, input.wire.as_deref()))
    }

    /// The parts of the server's description that are used here.
    fn to_json(&self) -> Json {
        let hints = [
            ("readOnlyHint", self.hints.read_only),
            ("destructiveHint", self.hints.destructive),
            ("idempotentHint", self.hints.idempotent),
            ("openWorldHint", self.hints.open_world),
        ];
        let hints = hints.into_iter().filter_map(|(name, hint)| {
            let hint = hint?;
            Some((name.to_owned(), Json::Bool(hint)))
        });
        let hints: JsonMap<String, Json> = hints.collect();
        let mut tool = JsonMap::new();
        let mut add = |name: &str, value: Json| tool.insert(name.to_owned(), value);
        add("name", self.wire.as_str().into());
        if let Some(title) = &self.title {
            add("title", title.as_str().into());
        }
        if !self.description.is_empty() {
            add("description", self.description.as_str().into());
        }
        add("inputSchema", self.input_schema.clone());
        if let Some(schema) = &self.output_schema {
            add("outputSchema", schema.clone());
        }
        if !hints.is_empty() {
            add("annotations", Json::Object(hints));
        }
        Json::Object(tool)
    }
}
