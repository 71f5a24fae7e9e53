//! The API of S3 as data: every operation that programs have, with the shapes of its request
//! and its answer.
//!
//! `table.json` is made by `generate.py` from botocore's service model, and from
//! `operations.py`, which lists the operations and what each does to the world. What follows
//! from the API alone is read from this table: names, parameters, effects, and how requests
//! and answers travel over HTTP.

mod canonical;
mod read;
mod shape;

pub use canonical::canonical;
pub use shape::{Location, Member, Shape, Structure};

use crate::domain::Access;
use read::Pairs;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::LazyLock;

/// One operation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// The name in S3's API: `PutObject`.
    #[serde(rename = "name")]
    pub api_name: String,
    /// What a call does to the world, at least. Parameters and the state may make it more.
    pub effect: Access,
    /// The HTTP method.
    pub method: String,
    /// The path, with the parameters that are parts of it in braces: `/{Bucket}/{Key+}`.
    pub path: String,
    /// What the query always has: `tagging`, `list-type=2`. Empty for most.
    #[serde(default)]
    pub query: String,
    /// The status of a successful answer, if it is not 200.
    #[serde(default)]
    pub status: Option<u16>,
    /// The name of the request's shape, if it has parameters.
    #[serde(default)]
    pub input: Option<String>,
    /// The name of the answer's shape, if it has fields.
    #[serde(default)]
    pub output: Option<String>,
    /// Whether a request must have a checksum of its body.
    #[serde(default)]
    pub checksum: bool,
    /// Whether boto3 has a paginator for it.
    #[serde(default)]
    pub pages: bool,
    /// The codes of the errors that the model names.
    #[serde(default)]
    pub errors: Vec<String>,
}

/// All operations and shapes.
#[derive(Debug, Default)]
pub struct Table {
    operations: HashMap<String, Operation>,
    shapes: HashMap<String, Shape>,
    names: Vec<String>,
}

/// The table. It is read at its first use.
pub static TABLE: LazyLock<Table> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct Written {
        operations: Pairs<Operation>,
        shapes: Pairs<Shape>,
    }
    // A table that cannot be read fails the tests, which count its operations.
    serde_json::from_str(include_str!("table.json"))
        .map(|written: Written| Table {
            names: written
                .operations
                .0
                .iter()
                .map(|(name, _)| name.clone())
                .collect(),
            operations: written.operations.0.into_iter().collect(),
            shapes: written.shapes.0.into_iter().collect(),
        })
        .unwrap_or_default()
});

impl Table {
    /// The names of the operations, as programs spell them, in the order of the list.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The operation of this name.
    ///
    /// ```
    /// use dialog2api::domain::s3::api::TABLE;
    ///
    /// let tagging = TABLE.operation("put_object_tagging").ok_or("no such operation")?;
    /// assert_eq!((&*tagging.method, &*tagging.query), ("PUT", "tagging"));
    /// assert_eq!(TABLE.input(tagging).required, ["Bucket", "Key", "Tagging"]);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn operation(&self, name: &str) -> Option<&Operation> {
        self.operations.get(name)
    }

    /// The shape of this name.
    pub fn shape(&self, name: &str) -> Option<&Shape> {
        self.shapes.get(name)
    }

    /// The shape of a request; one without members if it has no parameters.
    pub fn input(&self, operation: &Operation) -> &Structure {
        self.structure(operation.input.as_deref())
    }

    /// The shape of an answer; one without members if it has no fields.
    pub fn output(&self, operation: &Operation) -> &Structure {
        self.structure(operation.output.as_deref())
    }

    fn structure(&self, name: Option<&str>) -> &Structure {
        static NONE: Structure = Structure::NONE;
        match name.and_then(|name| self.shape(name)) {
            Some(Shape::Structure(structure)) => structure,
            _ => &NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_its_shapes_and_every_shape_its_parts() {
        assert_eq!(TABLE.names().len(), 90);
        for name in TABLE.names() {
            let operation = TABLE.operation(name).expect("it is listed");
            for shape in operation.input.iter().chain(&operation.output) {
                assert!(TABLE.shape(shape).is_some(), "{name}: {shape}");
            }
        }
        for (name, shape) in &TABLE.shapes {
            for part in shape.parts() {
                assert!(TABLE.shape(part).is_some(), "{name}: {part}");
            }
        }
    }
}
