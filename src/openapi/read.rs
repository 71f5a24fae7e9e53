//! The operations of a document.

use super::body;
use super::document::{Document, OpenapiVersion, items, text, truth};
use super::model::{HttpOperation, Method, Parameter, ParameterLocation, PythonType};
use super::names;
use super::pages::{self, Paging};
use super::parameters::{self, Written};
use super::prose;
use super::security;
use super::types::Types;
use crate::stubs::Names;
use serde_json::Value;
use std::collections::HashSet;

/// The most operations that are read.
const MAX_OPERATIONS: usize = 10_000;
/// The longest summary, in characters.
const MAX_SUMMARY: usize = 200;
/// The longest description that is kept, in characters.
const MAX_DESCRIPTION: usize = 1200;

/// The operations that were read, with notes.
#[derive(Default)]
pub(super) struct Read {
    pub operations: Vec<HttpOperation>,
    pub notes: Vec<String>,
}

/// Reads all operations, in the order of the document.
pub(super) fn operations(document: &Document) -> Result<Read, String> {
    let mut read = Read::default();
    let mut taken = Names::default();
    let mut ids = HashSet::new();
    for (path, item) in document.pairs(&["paths"]) {
        if !path.starts_with('/') {
            // `x-` is an extension, and no path.
            continue;
        }
        let Some(item) = document.here(item) else {
            read.note(format!(
                "{path} has a reference that this document does not resolve, and is left out"
            ));
            continue;
        };
        for (key, operation) in item.as_object().into_iter().flatten() {
            let Some(method) = Method::read(key).filter(|_| operation.is_object()) else {
                continue;
            };
            let Some(operation) = document.here(operation) else {
                read.note(format!(
                    "{} {path} has a reference that this document does not resolve, and is left out",
                    method.as_str()
                ));
                continue;
            };
            if read.operations.len() == MAX_OPERATIONS {
                return Err(format!(
                    "the document has more than {MAX_OPERATIONS} operations; name those that \
                     matter in a document of their own"
                ));
            }
            let one = One {
                document,
                method,
                path,
                item,
                operation,
            };
            let operation = one.read(&mut taken, &mut read);
            if let Some(id) = operation.id.as_deref()
                && !ids.insert(id.to_owned())
            {
                let HttpOperation { name, .. } = &operation;
                read.note(format!(
                    "{name}: its operationId is that of another operation, {id}"
                ));
            }
            read.operations.push(operation);
        }
    }
    Ok(read)
}

impl Read {
    /// Keeps a note, up to a limit: a document may have a mistake in every line.
    pub(super) fn note(&mut self, note: String) {
        if self.notes.len() < 100 {
            self.notes.push(note);
        }
    }
}

/// One operation, as it is written.
struct One<'d> {
    document: &'d Document,
    method: Method,
    path: &'d str,
    item: &'d Value,
    operation: &'d Value,
}

impl<'d> One<'d> {
    fn read(&self, taken: &mut Names, read: &mut Read) -> HttpOperation {
        let id = text(self.operation, "operationId").filter(|id| !id.trim().is_empty());
        let name = id.and_then(names::operation);
        let name = name.unwrap_or_else(|| names::of_path(self.method.as_str(), self.path));
        let name = taken.take(name);
        let mut types = Types::new(self.document);
        let written = parameters::written(self.document, self.item, self.operation, self.path);
        if written.has_strangers {
            read.note(format!(
                "{name}: a parameter has a reference that this document does not resolve, and is left out"
            ));
        }
        let body = self.operation.get("requestBody");
        if body.is_some_and(|body| self.document.here(body).is_none()) {
            read.note(format!(
                "{name}: its body has a reference that this document does not resolve, and is left out"
            ));
        }
        if let Some(body) = body.and_then(|body| self.document.here(body)) {
            let method = self.method.as_str();
            if !body::may_have_body(self.method) {
                read.note(format!(
                    "{name}: its body is left out, since requests of {method} have none; what it \
                     would select by is not sent"
                ));
            } else if let Some(first) = body::left_out(self.document, body).first() {
                let used = body::preferred(body).map_or("", |(used, _)| used);
                read.note(format!(
                    "{name}: its body is sent as {used}; what only {first} takes cannot be passed"
                ));
            }
        }
        let firsts = self.firsts(&written);
        let secrets = written.secrets.clone();
        let (parameters, body) = self.inputs(&mut types, written);
        let result = self.result(&mut types);
        if types.leaves {
            read.note(format!(
                "{name}: a type refers to what this document does not have, and is `Any`"
            ));
        }
        let first = |parameter: &Parameter| {
            let mut firsts = firsts.iter();
            let first = firsts.find(|(wire, _)| *wire == parameter.wire);
            first.map(|(_, first)| *first)
        };
        let pages = Paging::of(self.method, &parameters, &result, self.links(), &first);
        let (summary, mut description) = self.words();
        if !body::may_have_body(self.method) && self.operation.get("requestBody").is_some() {
            description = format!("The body that the document gives it is not sent. {description}");
        }
        HttpOperation {
            name,
            id: id.map(str::to_owned),
            method: self.method,
            path: self.path.to_owned(),
            summary,
            description,
            tags: (items(self.operation, "tags").iter())
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            parameters,
            secrets,
            body,
            result,
            pages,
            security: security::of_operation(self.document, self.operation),
            server: security::own_server(self.operation)
                .or_else(|| security::own_server(self.item)),
            is_deprecated: truth(self.operation, "deprecated"),
        }
    }

    /// The numbers with which parameters of the query that count pages or items begin.
    fn firsts(&self, written: &Written<'d>) -> Vec<(&'d str, i64)> {
        let query = written.parameters.iter();
        let query = query.filter(|one| one.place == ParameterLocation::Query);
        query
            .filter_map(|one| {
                let part = one.part?;
                let schema = part.get("schema");
                let schema = schema.and_then(|schema| self.document.here(schema));
                let schema = schema.unwrap_or(part);
                let words = [part, schema].map(|it| text(it, "description").unwrap_or_default());
                let first = pages::first(one.wire, schema, &words.join(" "))?;
                Some((one.wire, first))
            })
            .collect()
    }

    /// The parameters, those of the body among them: the required ones first.
    fn inputs(
        &self,
        types: &mut Types<'d>,
        written: Written<'d>,
    ) -> (Vec<Parameter>, Option<super::model::Body>) {
        let mut names = Names::default();
        let mut all: Vec<Parameter> = (written.parameters.iter())
            .map(|one| parameters::parameter(self.document, types, one, &mut names))
            .collect();
        let read = match self.document.version {
            OpenapiVersion::V2 => {
                body::of_v2(self.document, types, self.operation, &written, &mut names)
            }
            _ => body::of_v3(
                self.document,
                types,
                self.operation,
                self.method,
                &mut names,
            ),
        };
        let (body, of_body) = match read {
            Some((body, parameters)) => (Some(body), parameters),
            None => (None, Vec::new()),
        };
        all.extend(of_body);
        all.sort_by_key(|parameter| !parameter.is_required);
        (all, body)
    }

    /// The answer of a call that succeeds, and its status: the lowest of 2xx, or else the
    /// default.
    fn answer(&self) -> Option<(&'d str, &'d Value)> {
        let answers = self.operation.get("responses")?.as_object()?;
        let mut good: Vec<&String> = answers.keys().filter(|it| it.starts_with('2')).collect();
        good.sort();
        let status = good.first().map_or("default", |status| status.as_str());
        Some((status, self.document.here(answers.get(status)?)?))
    }

    fn result(&self, types: &mut Types<'d>) -> PythonType {
        let Some((status, answer)) = self.answer() else {
            return shape_of("Any");
        };
        let schema = match self.document.version {
            OpenapiVersion::V2 => answer.get("schema"),
            _ => match body::preferred(answer) {
                Some((_, media)) if media.get("schema").is_some() => media.get("schema"),
                Some(_) => return shape_of("Any"),
                None => None,
            },
        };
        match schema {
            Some(schema) => types.shape(schema),
            // Many documents do not describe their answers. These statuses have no content.
            None if matches!(status, "204" | "205") => shape_of("None"),
            None => shape_of("Any"),
        }
    }

    /// Whether the answer has a header `Link`, which names the next page (RFC 5988).
    fn links(&self) -> bool {
        let headers = self.answer().and_then(|(_, answer)| answer.get("headers"));
        let headers = headers.and_then(Value::as_object);
        headers.is_some_and(|it| it.keys().any(|key| key.eq_ignore_ascii_case("link")))
    }

    fn words(&self) -> (String, String) {
        let of = |key| text(self.operation, key).or_else(|| text(self.item, key));
        let description = of("description").unwrap_or_default();
        let summary = of("summary").filter(|it| !it.trim().is_empty());
        let summary = match summary {
            Some(summary) => prose::sentences(summary, MAX_SUMMARY),
            None => prose::sentence(description, MAX_SUMMARY),
        };
        (summary, prose::sentences(description, MAX_DESCRIPTION))
    }
}

/// The type of values that the document does not describe.
fn shape_of(text: &str) -> PythonType {
    PythonType {
        text: text.to_owned(),
        ..PythonType::default()
    }
}

/// The placeholders of a path: `petId` of `/pets/{petId}`.
pub(super) fn placeholders(path: &str) -> Vec<&str> {
    let after = path.split('{').skip(1);
    after
        .filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
        .collect()
}
