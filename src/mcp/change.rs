//! What has become of a tool since it was approved.
//!
//! All that a server says of a tool is compared, not only what is used here: its owner has read
//! it, and a part that means nothing today can decide tomorrow what a call does.

use serde_json::{Map as JsonMap, Value as Json};
use std::collections::BTreeMap;
use std::fmt;

/// The parts of a description, and what they are called in a sentence. `annotations` without
/// their title are the hints.
const PARTS: [(&str, &str); 8] = [
    ("title", "title"),
    ("description", "description"),
    ("inputSchema", "arguments"),
    ("outputSchema", "result"),
    ("annotations", "hints"),
    ("execution", "way to run"),
    ("icons", "icons"),
    ("_meta", "metadata"),
];
/// The hints that earlier versions of this program kept.
const HINTS: [&str; 4] = [
    "readOnlyHint",
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
];

/// What has become of a tool since it was approved.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolChange {
    /// The server describes it in another way. The parts that differ, as people call them.
    Parts(Vec<String>),
    /// The server no longer lists it.
    Gone,
    /// The server lists these descriptions under its name, and other ones were approved. Nobody
    /// can tell which of the tools a call would reach.
    Several(Vec<Json>),
    /// It runs only as a task.
    TaskOnly,
    /// The server calls itself by another name.
    Server,
}

impl ToolChange {
    /// The parts that differ, as the object of a sentence: `its title and its hints`.
    pub fn parts(&self) -> String {
        let ToolChange::Parts(parts) = self else {
            return String::new();
        };
        let parts: Vec<String> = parts.iter().map(|part| format!("its {part}")).collect();
        match parts.split_last() {
            None => String::new(),
            Some((last, [])) => last.clone(),
            Some((last, first)) => format!("{} and {last}", first.join(", ")),
        }
    }
}

/// The sentence of a refusal, after the name of the tool. It has no words of the server, which
/// nobody has read yet.
impl fmt::Display for ToolChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolChange::Parts(_) => write!(
                f,
                "is another tool than the one that was approved: its server has changed {}",
                self.parts()
            ),
            ToolChange::Gone => f.write_str("is gone: its server no longer lists it"),
            ToolChange::Several(now) => write!(
                f,
                "is no longer one tool: its server lists {} different tools of this name, and not \
                 all of them were approved",
                now.len()
            ),
            ToolChange::TaskOnly => {
                f.write_str("runs only as a task now, which this program cannot follow")
            }
            ToolChange::Server => f.write_str(
                "is a tool of another server than the one that was approved: the server calls \
                 itself by another name",
            ),
        }
    }
}

/// All that a server says of its tools.
#[derive(Debug, Clone, PartialEq)]
pub struct Documents {
    /// The descriptions, in the server's order. Each has a name.
    pub listed: Vec<Json>,
    /// What the server calls itself, if it says so.
    pub server: Option<String>,
    /// Whether they have all that the server said. Earlier versions of this program kept the
    /// parts that they used.
    pub is_whole: bool,
}

/// The descriptions by name, each different one once.
type ByName<'a> = BTreeMap<&'a str, Vec<Json>>;

impl Documents {
    /// What has become of the tools with these names on the wire.
    pub fn changes<'a>(
        &self,
        now: &Documents,
        names: impl Iterator<Item = &'a str>,
    ) -> Vec<(&'a str, ToolChange)> {
        let (was, is) = (self.by_name(), now.by_name());
        let is_other = match (&self.server, &now.server) {
            (Some(was), Some(is)) => was != is,
            _ => false,
        };
        names
            .filter_map(|name| {
                let change = match is_other {
                    true => Some(ToolChange::Server),
                    false => self.change(was.get(name)?, is.get(name)),
                };
                Some((name, change?))
            })
            .collect()
    }

    fn change(&self, was: &[Json], is: Option<&Vec<Json>>) -> Option<ToolChange> {
        match (was, is.map(Vec::as_slice)) {
            (_, None | Some([])) => Some(ToolChange::Gone),
            (_, Some(is)) if is.iter().all(is_task_only) => Some(ToolChange::TaskOnly),
            ([was], Some([is])) => {
                let parts = self.differing(was, is);
                (!parts.is_empty()).then_some(ToolChange::Parts(parts))
            }
            (was, Some(is)) if was == is => None,
            // One of them is left, which may be any.
            ([was, ..], Some([is])) => {
                let mut parts = self.differing(was, is);
                if parts.is_empty() {
                    parts.push("number of tools of this name".to_owned());
                }
                Some(ToolChange::Parts(parts))
            }
            (_, Some(is)) => Some(ToolChange::Several(is.to_vec())),
        }
    }

    fn by_name(&self) -> ByName<'_> {
        let mut found = ByName::new();
        for document in &self.listed {
            let Some(name) = name_of(document) else {
                continue;
            };
            let canonical = canonical(document);
            let of_name = found.entry(name).or_default();
            if !of_name.contains(&canonical) {
                of_name.push(canonical);
            }
        }
        found
    }

    /// The parts in which two canonical descriptions differ.
    fn differing(&self, was: &Json, is: &Json) -> Vec<String> {
        let is = match self.is_whole {
            true => is.clone(),
            false => kept(is, was),
        };
        let empty = JsonMap::new();
        let (was, is) = (was.as_object(), is.as_object());
        let (was, is) = (was.unwrap_or(&empty), is.unwrap_or(&empty));
        let mut parts = Vec::new();
        for (key, part) in PARTS {
            if was.get(key) != is.get(key) {
                parts.push(part.to_owned());
            }
        }
        let known = |key: &str| key == "name" || PARTS.iter().any(|(it, _)| *it == key);
        let mut others = was.keys().chain(is.keys()).filter(|key| !known(key));
        if others.any(|key| was.get(key) != is.get(key)) {
            parts.push("further description".to_owned());
        }
        parts
    }
}

/// The name on the wire.
pub fn name_of(document: &Json) -> Option<&str> {
    let name = document.get("name").and_then(Json::as_str);
    name.filter(|name| !name.is_empty())
}

/// Whether a tool can be called only as a task.
pub fn is_task_only(document: &Json) -> bool {
    let tasks = document.pointer("/execution/taskSupport");
    tasks.and_then(Json::as_str) == Some("required")
}

/// A description without what is known to say nothing: members that are null, empty or say what
/// holds without them. The title of the annotations is another place for the title.
fn canonical(document: &Json) -> Json {
    let mut parts = document.as_object().cloned().unwrap_or_default();
    let mut annotations = inner(&mut parts, "annotations");
    let title = annotations.remove("title").filter(|it| !is_nothing(it));
    if annotations.get("openWorldHint") == Some(&Json::Bool(true)) {
        annotations.remove("openWorldHint");
    }
    let mut execution = inner(&mut parts, "execution");
    if execution.get("taskSupport").and_then(Json::as_str) == Some("forbidden") {
        execution.remove("taskSupport");
    }
    for (key, rest) in [("annotations", annotations), ("execution", execution)] {
        if !rest.is_empty() {
            parts.insert(key.to_owned(), Json::Object(rest));
        }
    }
    parts.retain(|_, part| !is_nothing(part));
    // Both titles count, and where they are the same it does not matter which one is there.
    let shown = parts.remove("title");
    let titles: Vec<Json> = match (shown, title) {
        (Some(shown), Some(title)) if shown != title => vec![shown, title],
        (shown, title) => shown.or(title).into_iter().collect(),
    };
    if !titles.is_empty() {
        parts.insert("title".to_owned(), Json::Array(titles));
    }
    Json::Object(parts)
}

/// Takes out the members of an object. What is none stays where it is.
fn inner(parts: &mut JsonMap<String, Json>, key: &str) -> JsonMap<String, Json> {
    match parts.get_mut(key).map(Json::take) {
        Some(Json::Object(mut inner)) => {
            inner.retain(|_, part| !part.is_null());
            inner
        }
        Some(other) => {
            parts.insert(key.to_owned(), other);
            JsonMap::new()
        }
        None => JsonMap::new(),
    }
}

fn is_nothing(part: &Json) -> bool {
    match part {
        Json::Null => true,
        Json::String(text) => text.is_empty(),
        Json::Array(list) => list.is_empty(),
        Json::Object(_) | Json::Bool(_) | Json::Number(_) => false,
    }
}

/// The parts of a canonical description that earlier versions of this program kept.
fn kept(document: &Json, was: &Json) -> Json {
    let mut parts = document.as_object().cloned().unwrap_or_default();
    parts.retain(|key, _| {
        [
            "name",
            "title",
            "description",
            "inputSchema",
            "outputSchema",
            "annotations",
        ]
        .contains(&&**key)
    });
    if let Some(Json::Array(titles)) = parts.get_mut("title") {
        titles.truncate(1);
    }
    if let Some(Json::Object(hints)) = parts.get_mut("annotations") {
        let is_known = was.pointer("/annotations/openWorldHint").is_some();
        hints.retain(|name, hint| {
            let is_kept = HINTS.contains(&&**name) && hint.is_boolean();
            is_kept && (is_known || name != "openWorldHint")
        });
        if hints.is_empty() {
            parts.remove("annotations");
        }
    }
    Json::Object(parts)
}
