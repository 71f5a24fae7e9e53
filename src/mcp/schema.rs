//! Turns JSON schemas into Python types.
//!
//! Schemas come in every dialect and with every mistake. None is refused: a part that cannot
//! be read becomes `Any`, and a schema that refers to itself ends as `dict` or `list`.

use crate::stubs::{MEMBERS, Type, python};
use serde_json::{Map as JsonMap, Value as Json};
use std::cell::Cell;

/// The depth to which schemas are read, through `$ref`, lists, unions and objects.
pub(super) const DEPTH: usize = 5;
/// The most schemas that are read for one tool.
const BUDGET: usize = 2_000;
/// The most parts of a union that are looked at, and the properties of a shape.
const PARTS: usize = 24;
const PROPERTIES: usize = 24;

/// Reads the schemas of one document, in which references are looked up.
pub struct Reader<'a> {
    root: &'a Json,
    left: Cell<usize>,
}

/// The properties of an object.
#[derive(Default)]
pub struct Properties<'a> {
    /// Names and schemas, in their order.
    pub all: Vec<(&'a str, &'a Json)>,
    /// The names of those that must be there.
    pub required: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    /// Reads a document that is a schema.
    pub fn new(root: &'a Json) -> Self {
        Reader {
            root,
            left: Cell::new(BUDGET),
        }
    }

    /// The schema behind a reference. `None` if it cannot be found.
    pub fn resolved(&self, mut schema: &'a Json) -> Option<&'a Json> {
        for _ in 0..=DEPTH {
            self.left.set(self.left.get().checked_sub(1)?);
            let Some(reference) = schema.get("$ref").and_then(Json::as_str) else {
                return Some(schema);
            };
            let pointer = reference.strip_prefix('#')?;
            let pointer = percent_encoding::percent_decode_str(pointer).decode_utf8();
            schema = self.root.pointer(&pointer.ok()?)?;
        }
        None
    }

    pub fn type_of(&self, schema: &'a Json, depth: usize) -> Type {
        let Some(schema) = self.resolved(schema) else {
            // It refers to itself, or to a missing schema.
            return Type::one(if self.left.get() == 0 { "dict" } else { "Any" });
        };
        let Json::Object(object) = schema else {
            return Type::any();
        };
        let mut found = self.of_object(object, depth).or_any();
        found.is_nullable |= object.get("nullable") == Some(&Json::Bool(true));
        found
    }

    fn of_object(&self, schema: &'a JsonMap<String, Json>, depth: usize) -> Type {
        if let Some(only) = schema.get("const") {
            return Type::of_values(std::slice::from_ref(only));
        }
        if let Some(Json::Array(values)) = schema.get("enum") {
            return Type::of_values(values);
        }
        match schema.get("type") {
            Some(Json::String(name)) => return self.named(name, schema, depth),
            Some(Json::Array(names)) => {
                let mut all = Type::default();
                for name in names.iter().filter_map(Json::as_str) {
                    all.add(self.named(name, schema, depth));
                }
                return all;
            }
            _ => {}
        }
        for union in ["anyOf", "oneOf"] {
            if let Some(Json::Array(parts)) = schema.get(union) {
                let mut all = Type::default();
                for part in parts.iter().take(PARTS) {
                    all.add(match depth.checked_sub(1) {
                        Some(depth) => self.type_of(part, depth),
                        None => Type::any(),
                    });
                }
                return all;
            }
        }
        if let (Some(Json::Array(parts)), Some(depth)) = (schema.get("allOf"), depth.checked_sub(1))
        {
            let mut types = parts.iter().map(|part| self.type_of(part, depth));
            if let Some(first) = types.find(|it| !it.is_any()) {
                return first;
            }
        }
        let has = |names: [&str; 3]| names.iter().any(|name| schema.contains_key(*name));
        if has(["properties", "additionalProperties", "patternProperties"]) {
            return self.named("object", schema, depth);
        }
        if has(["items", "prefixItems", "minItems"]) {
            return self.named("array", schema, depth);
        }
        Type::default()
    }

    /// The type that the keyword `type` names.
    fn named(&self, name: &str, schema: &'a JsonMap<String, Json>, depth: usize) -> Type {
        Type::one(match name {
            "string" if is_binary(schema) => "bytes",
            "string" => "str",
            "integer" => "int",
            "number" => "float",
            "boolean" => "bool",
            "null" => return Type::null(),
            "array" => return Type::one(self.container("list", schema.get("items"), depth)),
            "object" if schema.contains_key("properties") => "dict",
            "object" => {
                let values = schema.get("additionalProperties");
                return Type::one(self.container("dict", values, depth));
            }
            _ => "Any",
        })
    }

    /// A list or dict, with the type of its items if that is known.
    fn container(&self, name: &str, inner: Option<&'a Json>, depth: usize) -> String {
        let inner = inner.filter(|inner| inner.is_object());
        let (Some(inner), Some(depth)) = (inner, depth.checked_sub(1)) else {
            return name.to_owned();
        };
        self.type_of(inner, depth).within(name)
    }

    /// The properties of an object, with those that its parts have.
    pub fn properties(&self, schema: &'a Json, depth: usize) -> Properties<'a> {
        let mut found = Properties::default();
        self.collect(schema, depth, true, &mut found);
        found
    }

    fn collect(
        &self,
        schema: &'a Json,
        depth: usize,
        is_certain: bool,
        found: &mut Properties<'a>,
    ) {
        let Some(schema) = self.resolved(schema) else {
            return;
        };
        if let Some(Json::Object(properties)) = schema.get("properties") {
            for (name, schema) in properties {
                if !found.all.iter().any(|(known, _)| known == name) {
                    found.all.push((name, schema));
                }
            }
        }
        if let (true, Some(Json::Array(names))) = (is_certain, schema.get("required")) {
            found.required.extend(names.iter().filter_map(Json::as_str));
        }
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        for (parts, certain) in [("allOf", true), ("anyOf", false), ("oneOf", false)] {
            let parts = schema.get(parts).and_then(Json::as_array);
            for part in parts.into_iter().flatten() {
                self.collect(part, depth, is_certain && certain, found);
            }
        }
    }

    /// The fields of objects in a schema: `{"name": str, "tags"?: list[str]}`. `None` if the
    /// type already says it.
    pub fn shape(&self, schema: &'a Json, depth: usize) -> Option<String> {
        let schema = self.resolved(schema)?;
        let inner = depth.checked_sub(1)?;
        let union = ["anyOf", "oneOf"]
            .iter()
            .find_map(|name| schema.get(name)?.as_array());
        if let (Some(parts), None) = (union, schema.get("properties")) {
            let shapes = parts.iter().filter_map(|part| self.shape(part, inner));
            let shapes: Vec<String> = shapes.take(MEMBERS).collect();
            return (!shapes.is_empty()).then(|| shapes.join(" or "));
        }
        if let Some(items) = schema.get("items") {
            return Some(format!("[{}, …]", self.shape(items, inner)?));
        }
        let Properties { all, required } = self.properties(schema, inner);
        if all.is_empty() {
            let values = schema.get("additionalProperties")?;
            return Some(format!("{{…: {}}}", self.shape(values, inner)?));
        }
        let pairs = all.iter().take(PROPERTIES).map(|(name, schema)| {
            let mark = if required.contains(name) { "" } else { "?" };
            let value = self.shape(schema, inner);
            let value = value.unwrap_or_else(|| self.type_of(schema, inner).text(false));
            format!("{}{mark}: {value}", python(&Json::from(*name)))
        });
        let pairs: Vec<String> = pairs.collect();
        let more = if all.len() > PROPERTIES { ", …" } else { "" };
        Some(format!("{{{}{more}}}", pairs.join(", ")))
    }
}

fn is_binary(schema: &JsonMap<String, Json>) -> bool {
    let is = |name: &str, value: &str| schema.get(name).and_then(Json::as_str) == Some(value);
    is("contentEncoding", "base64") || is("format", "byte") || is("format", "binary")
}
