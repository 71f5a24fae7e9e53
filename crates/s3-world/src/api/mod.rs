//! The table of S3's API: its operations, and how each parameter and each field of an
//! answer travels over HTTP.
//!
//! `s3.json` is made by `generate_table.py` from botocore's service model (Apache License
//! 2.0) for the operations in `operations.py`. Its fields:
//!
//! - A shape has a `name` and a `kind`: `structure` (with `members`, and `required` names),
//!   `list` (with its `item`), `map` (of text to text) or `choice` (a text with known
//!   `choices`). Other scalars are written as their type: `text`, `int`, `bool`, `time`,
//!   `bytes`.
//! - A member has a `name` in boto3 and a `shape`. `at` is its place (see [`Location`]), absent
//!   for an element of a document. `wire` is its name there, if it differs. `flattened`,
//!   `attribute`, `namespace` and `prefix` are details of XML; `format` is that of a time.
//! - An operation has a `name` in boto3, the `api_name`, the `effect`, the HTTP `method`, the
//!   `path`, a fixed `query` parameter, the `status` of an answer without content, the shapes
//!   `input` and `output`, the `root` element of answers, its documented `errors`, whether a
//!   `checksum` of the body must be sent, and how its answers are split into `pages`.
//!
//! `table.rs` reads the file into these types, once. [`request`] and [`answer`] are the
//! codecs: both directions of a request, and both of an answer. `xml/` reads and writes
//! documents, `scalars.rs` the texts of single values.

pub mod answer;
mod canonical;
pub mod request;
pub(super) mod scalars;
mod table;
pub mod xml;

pub use canonical::{canonical, canonical_parameter};
pub use table::{operation, operations};

use crate::domain::Access;
use std::collections::HashMap;

/// One operation of the API.
#[derive(Debug)]
pub struct ApiOperation {
    /// The name in boto3: `list_buckets`.
    pub name: &'static str,
    /// The name in the API: `ListBuckets`.
    pub api_name: &'static str,
    /// The least that a call can do to the world.
    pub effect: Access,
    /// The HTTP method.
    pub method: &'static str,
    /// The kind of thing that the path names.
    pub level: Level,
    /// The query parameter that every request of the operation has, and its value.
    pub query: Option<(&'static str, &'static str)>,
    /// The status of an answer.
    pub status: u16,
    /// The parameters.
    pub input: &'static Structure,
    /// The fields of the answer; `None` if it has none.
    pub output: Option<&'static Structure>,
    /// The root element of an answer whose fields are the elements of one document.
    pub root: Option<&'static str>,
    /// The documented codes of errors.
    pub errors: Vec<&'static str>,
    /// Whether a request has a checksum of its body.
    pub checksum: ChecksumRule,
    /// How the results are split into pages.
    pub pages: Option<Pagination>,
}

/// The kinds of things that the path of a request names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Level {
    /// Nothing: the request is about all buckets.
    Service,
    /// A bucket.
    Bucket,
    /// An object.
    Object,
}

/// Whether clients send a checksum of the body (`httpChecksum` in botocore's model).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChecksumRule {
    /// Not for this operation.
    None,
    /// S3 accepts one, and botocore sends one by default.
    Optional,
    /// S3 refuses requests without one.
    Required,
}

/// How the results of a listing are split into pages (botocore's `paginators-1.json`).
#[derive(Debug)]
pub struct Pagination {
    /// The parameters that continue a listing.
    pub input: Vec<&'static str>,
    /// The fields whose values go into these parameters, as JMESPath.
    pub output: Vec<&'static str>,
    /// The field that says whether there is more.
    pub more: Option<&'static str>,
    /// The parameter with the size of a page.
    pub size: Option<&'static str>,
    /// The fields that hold the results.
    pub results: Vec<&'static str>,
}

/// The type of a value.
#[derive(Debug)]
pub enum Shape {
    /// Text.
    Text,
    /// Text, usually one of these. botocore does not check it.
    Choice(Vec<&'static str>),
    /// An integer.
    Int,
    /// A boolean.
    Bool,
    /// A point in time.
    Time,
    /// Bytes: the content of an object.
    Bytes,
    /// A dict of text.
    Map,
    /// A list of values of this member's shape.
    List(Member),
    /// A dict with known members.
    Structure(Structure),
}

/// A dict with known members.
#[derive(Debug)]
pub struct Structure {
    /// The name in botocore's model.
    pub name: &'static str,
    /// The members, in the model's order.
    pub members: Vec<Member>,
    /// The names of the required members, in the model's order.
    pub required: Vec<&'static str>,
    by_name: HashMap<&'static str, usize>,
    by_element: HashMap<&'static str, usize>,
}

impl Structure {
    /// The member of this name in boto3.
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.members.get(*self.by_name.get(name)?)
    }

    /// The member that is an element of this name in a document.
    pub fn element(&self, wire: &str) -> Option<&Member> {
        self.members.get(*self.by_element.get(wire)?)
    }

    /// The member that is the whole body.
    pub fn payload(&self) -> Option<&Member> {
        let mut members = self.members.iter();
        members.find(|member| member.place == Location::Payload)
    }

    /// The members at a place.
    pub fn at(&self, place: Location) -> impl Iterator<Item = &Member> {
        let members = self.members.iter();
        members.filter(move |member| member.place == place)
    }
}

/// A member of a structure, or the item of a list.
#[derive(Debug)]
pub struct Member {
    /// The name in boto3; empty for an item.
    pub name: &'static str,
    /// The name at its place: a header in lower case, a query parameter, an element.
    pub wire: &'static str,
    /// Where it travels.
    pub place: Location,
    /// Its type.
    pub shape: &'static Shape,
    /// Whether the items of the list are not within an element of the list.
    pub flattened: bool,
    /// Whether it is an attribute of its structure's element.
    pub attribute: bool,
    /// The XML namespace that its element declares, and the prefix for it.
    pub namespace: Option<(&'static str, &'static str)>,
    /// How a time is written.
    pub format: TimeFormat,
    /// The least value or length.
    pub min: Option<i64>,
}

/// Where a member travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Location {
    /// In the path: `Bucket` and `Key`.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// In headers that begin with its name: user metadata.
    Prefix,
    /// It is the body: content, text, or a document whose root has its name.
    Payload,
    /// In an element of the document.
    Body,
}

/// How a time is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeFormat {
    /// `2024-01-01T00:00:00.000Z`.
    #[default]
    Iso8601,
    /// `Mon, 01 Jan 2024 00:00:00 GMT`.
    Rfc822,
}
