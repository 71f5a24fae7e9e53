//! Shapes: what values of requests and answers look like, and how they travel.

use super::read::Pairs;
use serde::Deserialize;

/// The shape of a value.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Shape {
    /// A dict with known members.
    Structure(Structure),
    /// A list.
    List {
        /// Its items.
        member: Member,
        /// Whether its items stand in XML without an element around them.
        #[serde(default)]
        flattened: bool,
    },
    /// A dict with any texts as keys and values: user metadata.
    Map {
        /// The shape of keys.
        key: String,
        /// The shape of values.
        value: String,
    },
    /// A text.
    String {
        /// The texts that the model lists. botocore accepts others, too.
        #[serde(default, rename = "enum")]
        values: Vec<String>,
    },
    /// An integer of 32 bits.
    Integer,
    /// An integer of 64 bits.
    Long,
    /// True or false.
    Boolean,
    /// A time.
    Timestamp {
        /// How it is written, if not as its place asks for: `iso8601`.
        #[serde(default)]
        format: Option<String>,
    },
    /// Bytes.
    Blob,
}

/// A dict with known members.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Structure {
    /// The members that must be there, in the model's order.
    #[serde(default)]
    pub required: Vec<String>,
    /// The member that is the body of the message, if one is.
    #[serde(default)]
    pub payload: Option<String>,
    /// The members, in the model's order.
    #[serde(default)]
    members: Pairs<Member>,
}

/// A part of a structure or a list.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// The name of its shape.
    pub shape: String,
    /// Where in a message it travels.
    #[serde(default, rename = "in")]
    pub location: Location,
    /// The name of the header, the query's parameter or the element, if it differs from the
    /// member's.
    #[serde(default, rename = "as")]
    wire_name: Option<String>,
    /// Whether it is a list whose items stand in XML without an element around them.
    #[serde(default)]
    pub flattened: bool,
    /// Whether it is an attribute of its element.
    #[serde(default, rename = "xmlAttribute")]
    pub is_attribute: bool,
    /// How a time is written, if the model says so.
    #[serde(default)]
    pub format: Option<String>,
    /// The namespace of its element.
    #[serde(default)]
    pub namespace: Option<String>,
}

/// Where in a message a member travels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub enum Location {
    /// In the body.
    #[default]
    #[serde(skip)]
    Body,
    /// As a part of the path.
    #[serde(rename = "uri")]
    Path,
    /// As a parameter of the query.
    #[serde(rename = "querystring")]
    Query,
    /// As a header.
    #[serde(rename = "header")]
    Header,
    /// As headers that begin with its name: user metadata.
    #[serde(rename = "headers")]
    Headers,
    /// As the status.
    #[serde(rename = "statusCode")]
    Status,
}

impl Structure {
    /// A structure without members.
    pub const NONE: Structure = Structure {
        required: Vec::new(),
        payload: None,
        members: Pairs(Vec::new()),
    };

    /// The members by name, in the model's order.
    pub fn members(&self) -> impl ExactSizeIterator<Item = (&str, &Member)> {
        self.members
            .0
            .iter()
            .map(|(name, member)| (name.as_str(), member))
    }

    /// The member of this name.
    pub fn member(&self, name: &str) -> Option<&Member> {
        let mut members = self.members();
        members
            .find(|(known, _)| *known == name)
            .map(|(_, member)| member)
    }
}

impl Member {
    /// The name of the header, the query's parameter or the element; `name` is the member's.
    pub fn wire_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.wire_name.as_deref().unwrap_or(name)
    }
}

impl Shape {
    /// The names of the shapes that it is made of.
    pub fn parts(&self) -> Vec<&str> {
        match self {
            Shape::Structure(structure) => structure
                .members()
                .map(|(_, it)| it.shape.as_str())
                .collect(),
            Shape::List { member, .. } => vec![&member.shape],
            Shape::Map { key, value } => vec![key, value],
            _ => Vec::new(),
        }
    }
}
