//! The Python type that a schema of a document describes.

use super::document::{Document, Target, items, pairs, truth};
use super::model::PythonType;
use super::pages::{Path, prefer};
use super::schema::{has_properties, is_binary, is_object, wide};
use crate::stubs::Type;
use serde_json::Value;
use std::collections::BTreeSet;

/// The depth to which lists and unions are read.
const MAX_DEPTH: usize = 6;
/// The most parts of a union that are looked at.
const MAX_PARTS: usize = 24;
/// The most fields that the description of a dict names.
const MAX_FIELDS: usize = 20;
/// The longest description of a dict. A longer one leaves out the dicts within.
const MAX_DOC: usize = 400;
/// How deep the description of a dict goes.
const MAX_SHAPE_DEPTH: usize = 2;
/// The most field names of a result that search uses.
const MAX_SEARCHED: usize = 60;
/// The most schemas that are looked at for one type.
const MAX_SCHEMAS: usize = 400;

/// Reads types out of the schemas of a document.
pub(super) struct Types<'d> {
    document: &'d Document,
    left: usize,
    /// The schemas that are being read, from the outside in.
    within: Vec<&'d Value>,
    /// Whether a reference leads out of the document.
    pub leaves: bool,
}

/// The properties of an object, whose references and `allOf` are followed.
#[derive(Default)]
pub(super) struct Properties<'d> {
    pub pairs: Vec<(&'d str, &'d Value)>,
    pub required: BTreeSet<&'d str>,
}

impl<'d> Types<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Types {
            document,
            left: MAX_SCHEMAS,
            within: Vec::new(),
            leaves: false,
        }
    }

    /// The type of a schema, and the fields of its dicts.
    pub(super) fn shape(&mut self, schema: &'d Value) -> PythonType {
        let text = self.text(schema);
        let mut doc = self.fields(schema, MAX_SHAPE_DEPTH);
        if doc.len() > MAX_DOC {
            doc = self.fields(schema, 1);
        }
        let mut fields = Vec::new();
        if let Some(schema) = self.dict(schema, 0) {
            let properties = self.properties(schema);
            fields = (properties.pairs.iter())
                .flat_map(|(name, schema)| {
                    let inner = self.dict(schema, 0).map(|it| self.properties(it));
                    let inner = inner.into_iter().flat_map(|it| it.pairs);
                    std::iter::once(*name).chain(inner.map(|(name, _)| name))
                })
                .take(MAX_SEARCHED)
                .map(str::to_owned)
                .collect();
        }
        let lists = self.lists(schema, 1);
        self.left = MAX_SCHEMAS;
        PythonType {
            text,
            doc,
            fields,
            lists,
        }
    }

    /// The lists in a dict, or else in the dicts in it.
    fn lists(&mut self, schema: &'d Value, depth: usize) -> Vec<Path> {
        let Some(schema) = self.look(schema) else {
            return Vec::new();
        };
        let (mut own, mut inner) = (Vec::new(), Vec::new());
        for (name, property) in self.properties(schema).pairs {
            let Some(schema) = self.look(property) else {
                continue;
            };
            let kind = schema.get("type");
            let is_list = |kind: &Value| kind.as_str() == Some("array");
            let kinds = kind.and_then(Value::as_array);
            if kind.is_some_and(is_list) || kinds.is_some_and(|it| it.iter().any(is_list)) {
                own.push(vec![name.to_owned()]);
            } else if depth > 0 {
                let lists = self.lists(schema, depth - 1).into_iter();
                inner.extend(lists.map(|path| [vec![name.to_owned()], path].concat()));
            }
        }
        prefer(own, inner)
    }

    /// The Python type.
    pub(super) fn text(&mut self, schema: &'d Value) -> String {
        self.union(schema, 0).text(false)
    }

    /// The schema behind the references. `None` if it is not in the document, or if the limit
    /// is reached.
    fn look(&mut self, schema: &'d Value) -> Option<&'d Value> {
        self.left = self.left.checked_sub(1)?;
        match self.document.resolve(schema) {
            Target::Here(schema) => Some(schema),
            Target::Elsewhere => {
                self.leaves = true;
                None
            }
        }
    }

    fn union(&mut self, schema: &'d Value, depth: usize) -> Type {
        if depth > MAX_DEPTH || self.left == 0 {
            return wide(schema);
        }
        let Some(schema) = self.look(schema) else {
            return Type::any();
        };
        if self.within.iter().any(|outer| std::ptr::eq(*outer, schema)) {
            return wide(schema);
        }
        self.within.push(schema);
        let mut found = self.members(schema, depth).or_any();
        self.within.pop();
        found.is_nullable |= truth(schema, "nullable") || truth(schema, "x-nullable");
        found
    }

    fn members(&mut self, schema: &'d Value, depth: usize) -> Type {
        if let Some(constant) = schema.get("const") {
            return Type::of_values(std::slice::from_ref(constant));
        }
        let values = items(schema, "enum");
        if !values.is_empty() {
            return Type::of_values(values);
        }
        for key in ["oneOf", "anyOf"] {
            let alternatives = items(schema, key);
            if !alternatives.is_empty() && !is_object(schema) {
                let mut found = Type::default();
                for alternative in alternatives.iter().take(MAX_PARTS) {
                    found.add(self.union(alternative, depth + 1));
                }
                if alternatives.len() > MAX_PARTS {
                    found.add(Type::any());
                }
                return found;
            }
        }
        let parts = items(schema, "allOf");
        if !parts.is_empty() && schema.get("type").is_none() {
            return self.intersection(parts, depth);
        }
        match schema.get("type") {
            Some(Value::String(name)) => self.named(name, schema, depth),
            Some(Value::Array(names)) => {
                let mut found = Type::default();
                for name in names.iter().filter_map(Value::as_str) {
                    found.add(self.named(name, schema, depth));
                }
                found
            }
            _ if is_object(schema) => self.named("object", schema, depth),
            _ if schema.get("items").is_some() => self.named("array", schema, depth),
            _ => Type::any(),
        }
    }

    /// The type of a value that fits all parts: the first one that is more than `Any`.
    fn intersection(&mut self, parts: &'d [Value], depth: usize) -> Type {
        let read = parts.iter().take(MAX_PARTS);
        let mut types = read.map(|it| self.union(it, depth + 1));
        types.find(|it| !it.is_any()).unwrap_or_else(Type::any)
    }

    fn named(&mut self, name: &str, schema: &'d Value, depth: usize) -> Type {
        Type::one(match name {
            "string" if is_binary(schema) => "bytes",
            "file" => "bytes",
            "string" => "str",
            "integer" => "int",
            "number" => "float",
            "boolean" => "bool",
            "null" => return Type::null(),
            "array" => return self.container("list", schema.get("items"), depth),
            "object" if has_properties(schema) => "dict",
            "object" => {
                let values = schema.get("additionalProperties");
                return self.container("dict", values, depth);
            }
            _ => "Any",
        })
    }

    /// A list or dict, with the type of its items if that is known.
    fn container(&mut self, name: &str, inner: Option<&'d Value>, depth: usize) -> Type {
        Type::one(match inner.filter(|inner| inner.is_object()) {
            Some(inner) => self.union(inner, depth + 1).within(name),
            None => name.to_owned(),
        })
    }

    /// The schema of the dicts in a type: of itself, or of the items of a list.
    fn dict(&mut self, schema: &'d Value, depth: usize) -> Option<&'d Value> {
        let schema = self.look(schema)?;
        match schema.get("items").filter(|it| it.is_object()) {
            Some(inner) if depth < 3 => self.dict(inner, depth + 1),
            _ => Some(schema),
        }
    }

    /// The properties of an object.
    pub(super) fn properties(&mut self, schema: &'d Value) -> Properties<'d> {
        let mut found = Properties::default();
        self.collect(schema, 0, &mut found);
        found
    }

    fn collect(&mut self, schema: &'d Value, depth: usize, found: &mut Properties<'d>) {
        if depth > MAX_DEPTH || self.left == 0 {
            return;
        }
        let Some(schema) = self.look(schema) else {
            return;
        };
        for (name, property) in pairs(schema, "properties") {
            match found.pairs.iter_mut().find(|(known, _)| known == name) {
                // Later ones are closer to the schema itself.
                Some(known) => known.1 = property,
                None => found.pairs.push((name, property)),
            }
        }
        let required = items(schema, "required");
        found
            .required
            .extend(required.iter().filter_map(Value::as_str));
        for part in items(schema, "allOf") {
            self.collect(part, depth + 1, found);
        }
    }

    /// The fields of a type's dicts: `{id: int, owner: {name: str}}`.
    fn fields(&mut self, schema: &'d Value, depth: usize) -> String {
        let Some(schema) = self.dict(schema, 0).filter(|_| depth > 0) else {
            return String::new();
        };
        let properties = self.properties(schema);
        let mut parts = Vec::new();
        for (name, property) in properties.pairs.iter().take(MAX_FIELDS) {
            let name: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
            let inner = self.fields(property, depth - 1);
            let kind = self.text(property);
            let kind = match inner.is_empty() {
                true => kind,
                false if kind.starts_with("list") => format!("[{inner}]"),
                false => inner,
            };
            parts.push(match kind.as_str() {
                "Any" => name,
                _ => format!("{name}: {kind}"),
            });
        }
        if properties.pairs.len() > MAX_FIELDS {
            parts.push("…".to_owned());
        }
        match parts.is_empty() {
            true => String::new(),
            false => format!("{{{}}}", parts.join(", ")),
        }
    }
}
