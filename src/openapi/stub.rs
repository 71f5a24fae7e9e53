//! Writes `api.pyi`, the text that models read about an API.

use super::model::{HttpOperation, Media, Method, Parameter, ParameterLocation};
use super::pages::ALL_PAGES;
use super::{Api, Paging, prose, words};
use crate::stubs;
use std::fmt::Write as _;

/// The longest description, in characters.
const MAX_DESCRIPTION: usize = 300;
/// The most parameters that a docstring describes.
const MAX_EXPLAINED: usize = 30;
/// The longest line on a parameter.
const MAX_LINE: usize = 320;
/// The most parameters in a stub of one line. The required ones come first.
const MAX_SHORT: usize = 12;

impl Api {
    /// The text of `api.pyi`: a function for each operation. Programs call them as methods of
    /// the object `handle`.
    ///
    /// ```
    /// use dialog2api::openapi::Api;
    ///
    /// let api = Api::read(r#"{"swagger": "2.0", "info": {"title": "Pets"}, "paths": {"/pets/{id}":
    ///     {"get": {"operationId": "getPet", "parameters": [{"name": "id", "in": "path", "type":
    ///     "integer"}], "responses": {"200": {"schema": {"type": "object"}}}}}}}"#)?;
    /// assert_eq!(
    ///     api.stub("pets"),
    ///     "# Pets. Programs call these as `pets.NAME(…)`, with keyword arguments.\n\n\
    ///      def get_pet(*, id: int) -> dict:\n    \"\"\"GET /pets/{id}\"\"\"\n"
    /// );
    /// # Ok::<(), String>(())
    /// ```
    pub fn stub(&self, handle: &str) -> String {
        let title = prose::sentence(&self.title, 100);
        let title = title.trim_end_matches('.');
        let mut out = format!(
            "# {title}. Programs call these as `{handle}.NAME(…)`, with keyword arguments.\n"
        );
        for operation in &self.operations {
            out.push('\n');
            out.push_str(&operation.stub());
        }
        out
    }
}

impl HttpOperation {
    /// The function of this operation in [`Api::stub`].
    pub fn stub(&self) -> String {
        let mut parameters: Vec<String> = self.parameters.iter().map(argument).collect();
        if self.has_all_pages() {
            parameters.push(format!("{ALL_PAGES}: bool = False"));
        }
        if !parameters.is_empty() {
            parameters.insert(0, "*".to_owned());
        }
        let line = parameters.join(", ");
        let arguments = match line.len() > 100 {
            true => format!("\n    {},\n", parameters.join(",\n    ")),
            false => line,
        };
        let mut out = format!("def {}({arguments}) -> {}:\n", self.name, self.result.text);
        let mut lines = self.paragraphs();
        // One line, or the lines with the closing quotes on one of their own.
        let only = lines.len() == 1;
        let _ = write!(out, "    \"\"\"{}", lines.remove(0));
        for line in &lines {
            out.push('\n');
            if !line.is_empty() {
                let _ = write!(out, "    {line}");
            }
        }
        out.push_str(if only { "\"\"\"\n" } else { "\n    \"\"\"\n" });
        out
    }

    /// The function on one line, with the names of its parameters and its first sentence.
    pub fn short_stub(&self) -> String {
        let parameters = self.parameters.iter().map(|it| match it.is_required {
            true => it.name.clone(),
            false => format!("{}=None", it.name),
        });
        let pages = self.has_all_pages().then(|| format!("{ALL_PAGES}=False"));
        let parameters: Vec<String> = parameters.take(MAX_SHORT).chain(pages).collect();
        let parameters = parameters.join(", ");
        let star = if parameters.is_empty() { "" } else { "*, " };
        let about = match self.summary.trim() {
            "" => format!("{} {}", self.method.as_str(), self.path),
            summary => prose::sentence(summary, 80),
        };
        let body = match self.is_said_by_name(&about) {
            true => "...".to_owned(),
            false => format!("\"\"\"{}\"\"\"", docstring(&about)),
        };
        format!("def {}({star}{parameters}): {body}\n", self.name)
    }

    /// Whether the words of a text are in the name, as far as they say anything:
    /// `List repository tags.` in `repos_list_tags`.
    fn is_said_by_name(&self, text: &str) -> bool {
        let name = words::stems(&self.name);
        let is_said = |word: &String| {
            let mut words = name.iter();
            words.any(|known| word.starts_with(known.as_str()) || known.starts_with(word.as_str()))
        };
        words::stems(text).iter().all(is_said)
    }

    /// The lines of the docstring; there is at least one.
    fn paragraphs(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let summary = self.summary.trim();
        let mut first = summary.to_owned();
        if self.is_deprecated {
            first = format!("Deprecated. {first}");
        }
        let request = format!("{} {}", self.method.as_str(), self.path);
        match first.trim().is_empty() {
            true => lines.push(docstring(&request)),
            false => {
                let ends = first.ends_with(['.', '!', '?', '…']);
                let point = if ends { "" } else { "." };
                lines.push(docstring(&format!("{first}{point} {request}")));
            }
        }
        let more = prose::sentences(&self.description, MAX_DESCRIPTION);
        let known = more.trim_end_matches('.') == summary.trim_end_matches('.');
        let rest = more.strip_prefix(summary).map_or(&*more, str::trim_start);
        let rest = rest.trim_start_matches('.').trim();
        if !known && !rest.is_empty() {
            lines.push(String::new());
            lines.push(docstring(rest));
        }
        let mut ends: Vec<String> = (self.parameters.iter())
            .filter_map(|it| explained(it, self.method))
            .take(MAX_EXPLAINED)
            .collect();
        ends.extend(self.body_note());
        if !self.result.doc.is_empty() {
            let many = self.result.text.starts_with("list");
            let what = if many { "a list of " } else { "" };
            ends.push(format!("Returns {what}{}", self.result.doc));
        }
        ends.extend(self.pages_note());
        if !ends.is_empty() {
            lines.push(String::new());
            lines.extend(ends.iter().map(|line| docstring(line)));
        }
        lines
    }

    fn body_note(&self) -> Option<String> {
        let body = self.body.as_ref()?;
        (body.media == Media::Other).then(|| format!("The body is {}.", body.media_type))
    }

    fn pages_note(&self) -> Option<String> {
        let by = match self.pages.as_ref()? {
            Paging::Link => String::new(),
            Paging::Page { page: by, .. }
            | Paging::Cursor { cursor: by }
            | Paging::Offset { offset: by, .. } => format!(": {by}"),
        };
        let all = match self.has_all_pages() {
            true => format!(" With {ALL_PAGES}=True it is one list of the items of all pages."),
            false => String::new(),
        };
        Some(format!("The result comes in pages{by}.{all}"))
    }
}

/// A parameter in the list of a function.
fn argument(parameter: &Parameter) -> String {
    let Parameter { name, shape, .. } = parameter;
    let kind = &shape.text;
    let is_open = kind == "Any" || kind == "None" || kind.ends_with("| None");
    match (parameter.is_required, is_open) {
        (true, _) => format!("{name}: {kind}"),
        (false, true) => format!("{name}: {kind} = None"),
        (false, false) => format!("{name}: {kind} | None = None"),
    }
}

/// The line about a parameter, if there is more to say than its name and type.
fn explained(parameter: &Parameter, method: Method) -> Option<String> {
    let wire = &parameter.wire;
    let is_whole = parameter.place == ParameterLocation::Body && wire == "body";
    let place = match parameter.place {
        ParameterLocation::Path => "path",
        ParameterLocation::Query => "query",
        ParameterLocation::Header => "header",
        ParameterLocation::Cookie => "cookie",
        ParameterLocation::Body => "body",
    };
    let of_wire = format!("`{wire}` in the {place}.");
    let mut words: Vec<&str> = Vec::new();
    let doc = parameter.doc.trim();
    // `pet_id: The pet id.` says nothing.
    let said = |text: &str| {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|c| c.to_ascii_lowercase()).collect::<String>()
    };
    let (about, name) = (said(doc), said(&parameter.name));
    let about = about.strip_prefix("the").unwrap_or(&about);
    let after = about.strip_prefix(name.as_str());
    let is_known = matches!(after, Some("" | "parameter")) || about == "parameter";
    if !doc.is_empty() && !is_known {
        words.push(doc);
    }
    if !is_whole && stubs::differs(wire, &parameter.name) {
        words.insert(0, &of_wire);
    }
    let has_fields = parameter.place == ParameterLocation::Body && !method.is_safe();
    if has_fields && !parameter.shape.doc.is_empty() {
        words.push(&parameter.shape.doc);
    }
    (!words.is_empty()).then(|| {
        let line = format!("{}: {}", parameter.name, words.join(" "));
        prose::sentences(&line, MAX_LINE)
    })
}

/// A text as a line of a docstring.
fn docstring(text: &str) -> String {
    stubs::docstring(&stubs::plain(text), usize::MAX, "")
}
