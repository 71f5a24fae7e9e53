//! Reads `s3.json`, the operations and shapes that `generate_table.py` takes from botocore.

use super::{
    ApiOperation, ChecksumRule, Level, Location, Member, Pagination, Shape, Structure, TimeFormat,
};
use crate::domain::Access;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Every operation, in the order of `operations.py`.
pub fn operations() -> &'static [ApiOperation] {
    &TABLE.operations
}

/// The operation with this name in boto3.
pub fn operation(name: &str) -> Option<&'static ApiOperation> {
    TABLE.operations.get(*TABLE.by_name.get(name)?)
}

struct Table {
    operations: Vec<ApiOperation>,
    by_name: HashMap<&'static str, usize>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    #[allow(
        clippy::expect_used,
        reason = "the file is part of the program, and a test reads it"
    )]
    let file: File<'static> =
        serde_json::from_str(include_str!("s3.json")).expect("the table is valid");
    table(file)
});

/// The file as it is written. Texts are borrowed from it.
#[derive(Deserialize)]
struct File<'t> {
    #[serde(borrow)]
    shapes: Vec<WrittenShape<'t>>,
    #[serde(borrow)]
    operations: Vec<WrittenOperation<'t>>,
}

#[derive(Deserialize)]
struct WrittenShape<'t> {
    name: &'t str,
    kind: &'t str,
    #[serde(borrow, default)]
    members: Vec<WrittenMember<'t>>,
    #[serde(borrow, default)]
    required: Vec<&'t str>,
    #[serde(borrow, default)]
    item: Option<WrittenMember<'t>>,
    #[serde(borrow, default)]
    choices: Vec<&'t str>,
}

#[derive(Deserialize)]
struct WrittenMember<'t> {
    #[serde(default)]
    name: &'t str,
    shape: &'t str,
    #[serde(default)]
    at: Option<Location>,
    #[serde(borrow, default)]
    wire: Option<&'t str>,
    #[serde(default)]
    flattened: bool,
    #[serde(default)]
    attribute: bool,
    #[serde(borrow, default)]
    namespace: Option<&'t str>,
    #[serde(borrow, default)]
    prefix: Option<&'t str>,
    #[serde(default)]
    format: TimeFormat,
    #[serde(default)]
    min: Option<i64>,
}

#[derive(Deserialize)]
struct WrittenOperation<'t> {
    name: &'t str,
    api_name: &'t str,
    effect: Access,
    method: &'t str,
    path: &'t str,
    #[serde(borrow, default)]
    query: Option<(&'t str, &'t str)>,
    #[serde(default)]
    status: Option<u16>,
    input: &'t str,
    #[serde(borrow, default)]
    output: Option<&'t str>,
    #[serde(borrow, default)]
    root: Option<&'t str>,
    #[serde(borrow, default)]
    errors: Vec<&'t str>,
    #[serde(borrow, default)]
    checksum: Option<&'t str>,
    #[serde(borrow, default)]
    pages: Option<WrittenPages<'t>>,
}

#[derive(Deserialize)]
struct WrittenPages<'t> {
    #[serde(borrow)]
    input: Vec<&'t str>,
    #[serde(borrow)]
    output: Vec<&'t str>,
    #[serde(default)]
    more: Option<&'t str>,
    #[serde(default)]
    size: Option<&'t str>,
    #[serde(borrow)]
    results: Vec<&'t str>,
}

static TEXT: Shape = Shape::Text;
static INT: Shape = Shape::Int;
static BOOL: Shape = Shape::Bool;
static TIME: Shape = Shape::Time;
static BYTES: Shape = Shape::Bytes;
static NOTHING: LazyLock<Structure> = LazyLock::new(|| structure("", Vec::new(), Vec::new()));

type Shapes = HashMap<&'static str, &'static Shape>;

/// Puts shapes in the place of their names. Each shape follows those of its members, so
/// one pass is enough.
fn table(file: File<'static>) -> Table {
    let mut shapes = Shapes::from([
        ("text", &TEXT),
        ("int", &INT),
        ("bool", &BOOL),
        ("time", &TIME),
        ("bytes", &BYTES),
    ]);
    for written in file.shapes {
        let shape = match (written.kind, written.item) {
            ("list", Some(item)) => Shape::List(member(item, &shapes)),
            ("structure", _) => {
                let members = written.members.into_iter();
                let members = members.map(|each| member(each, &shapes)).collect();
                Shape::Structure(structure(written.name, members, written.required))
            }
            ("choice", _) => Shape::Choice(written.choices),
            ("map", _) => Shape::Map,
            _ => Shape::Text,
        };
        // There is one table, and it lives as long as the program.
        shapes.insert(written.name, Box::leak(Box::new(shape)));
    }
    let operations: Vec<_> = (file.operations.into_iter())
        .map(|written| operation_of(written, &shapes))
        .collect();
    let by_name = operations.iter().enumerate();
    let by_name = by_name.map(|(at, each)| (each.name, at)).collect();
    Table {
        operations,
        by_name,
    }
}

fn member(written: WrittenMember<'static>, shapes: &Shapes) -> Member {
    let namespace = written.namespace;
    Member {
        name: written.name,
        wire: written.wire.unwrap_or(written.name),
        place: written.at.unwrap_or(Location::Body),
        shape: shapes.get(written.shape).copied().unwrap_or(&TEXT),
        flattened: written.flattened,
        attribute: written.attribute,
        namespace: namespace.map(|namespace| (namespace, written.prefix.unwrap_or_default())),
        format: written.format,
        min: written.min,
    }
}

fn structure(name: &'static str, members: Vec<Member>, required: Vec<&'static str>) -> Structure {
    let mut by_name = HashMap::with_capacity(members.len());
    let mut by_element = HashMap::new();
    for (at, member) in members.iter().enumerate() {
        by_name.insert(member.name, at);
        if member.place == Location::Body {
            by_element.insert(member.wire, at);
        }
    }
    Structure {
        name,
        members,
        required,
        by_name,
        by_element,
    }
}

fn operation_of(written: WrittenOperation<'static>, shapes: &Shapes) -> ApiOperation {
    let structure = |name: &str| match shapes.get(name).copied() {
        Some(Shape::Structure(structure)) => Some(structure),
        _ => None,
    };
    ApiOperation {
        name: written.name,
        api_name: written.api_name,
        effect: written.effect,
        method: written.method,
        level: match written.path {
            "/" => Level::Service,
            "/{Bucket}" => Level::Bucket,
            _ => Level::Object,
        },
        query: written.query,
        status: written.status.unwrap_or(200),
        input: structure(written.input).unwrap_or(&NOTHING),
        output: written.output.and_then(structure),
        root: written.root,
        errors: written.errors,
        checksum: match written.checksum {
            Some("required") => ChecksumRule::Required,
            Some(_) => ChecksumRule::Optional,
            None => ChecksumRule::None,
        },
        pages: written.pages.map(|pages| Pagination {
            input: pages.input,
            output: pages.output,
            more: pages.more,
            size: pages.size,
            results: pages.results,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ChecksumRule, Level, Location, Shape};
    use super::{operation, operations};

    #[test]
    fn the_table_has_every_operation_with_its_members() {
        let members = operations().iter().map(|each| each.input.members.len());
        assert_eq!((operations().len(), members.sum::<usize>()), (90, 605));
        let put = operation("put_bucket_lifecycle_configuration").expect("it is known");
        assert_eq!(
            (put.level, put.query),
            (Level::Bucket, Some(("lifecycle", "")))
        );
        assert_eq!(put.checksum, ChecksumRule::Required);
        let payload = put.input.payload().expect("it has a document");
        assert_eq!(payload.wire, "LifecycleConfiguration");
        let Shape::Structure(configuration) = payload.shape else {
            panic!("the configuration is a structure");
        };
        let rules = configuration.element("Rule").expect("it has rules");
        assert!(rules.flattened && rules.place == Location::Body);
        // Every shape that a member names was found.
        let texts = |name: &str| matches!(name, "Key" | "Bucket" | "VersionId" | "Policy");
        for member in operations().iter().flat_map(|each| &each.input.members) {
            let is_text = matches!(member.shape, Shape::Text | Shape::Choice(_));
            assert!(is_text || !texts(member.name), "{}", member.name);
        }
    }
}
