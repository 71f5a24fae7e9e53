//! Python types as text.
//!
//! Types are for readers; nothing is checked against them. So every text has a limit, and a
//! longer one is replaced by the wider type: `str`, `dict`, `list`, `Any`.

use super::literal::literal;
use serde_json::Value as Json;

/// The most values of a `Literal`, and members of a union.
const LITERALS: usize = 24;
pub const MEMBERS: usize = 8;
/// The longest type, and the longest type in brackets.
const LENGTH: usize = 240;
const INNER: usize = 120;
/// The longest text of an `enum` that counts as a name. Longer ones are data.
const LITERAL: usize = 60;

/// A type: a union.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Type {
    /// Single values, as Python writes them, each once.
    literals: Vec<String>,
    /// The members beside those and `None`, each once.
    members: Vec<String>,
    /// Whether `None` is a value too.
    pub is_nullable: bool,
}

impl Type {
    /// A type with one member.
    pub fn one(member: impl Into<String>) -> Self {
        Type {
            members: vec![member.into()],
            ..Type::default()
        }
    }

    /// The type of every value.
    pub fn any() -> Self {
        Type::one("Any")
    }

    /// The type of null.
    pub fn null() -> Self {
        Type {
            is_nullable: true,
            ..Type::default()
        }
    }

    /// The type of exactly these values. If they are too many or too long, or if a `Literal`
    /// cannot hold them, it is the type of values like them.
    pub fn of_values(values: &[Json]) -> Self {
        let mut found = Type::default();
        for value in values {
            let is_short = value.as_str().is_none_or(|text| text.len() <= LITERAL);
            match literal(value).filter(|_| is_short) {
                _ if value.is_null() => found.is_nullable = true,
                Some(text) => push(&mut found.literals, text),
                None => push(&mut found.members, kind(value).to_owned()),
            }
        }
        found
    }

    /// The type, or `Any` if nothing is known.
    pub fn or_any(self) -> Self {
        match self.is_empty() {
            true => Type::any(),
            false => self,
        }
    }

    fn is_empty(&self) -> bool {
        self.literals.is_empty() && self.members.is_empty() && !self.is_nullable
    }

    /// Whether it is `Any`.
    pub fn is_any(&self) -> bool {
        self.members.iter().any(|member| member == "Any")
    }

    /// Adds the values of another type.
    pub fn add(&mut self, other: Type) {
        self.is_nullable |= other.is_nullable;
        for literal in other.literals {
            push(&mut self.literals, literal);
        }
        for member in other.members {
            push(&mut self.members, member);
        }
    }

    /// The type in Python's syntax. It includes `None` if that is a value, or if
    /// `is_optional` says that it is the default.
    pub fn text(&self, is_optional: bool) -> String {
        let mut members = self.members.clone();
        let length: usize = self.literals.iter().map(|it| it.len() + 2).sum();
        if self.literals.len() > LITERALS || length > LENGTH {
            for literal in &self.literals {
                push(&mut members, kind_of(literal).to_owned());
            }
        }
        // A dict covers every other dict.
        for (whole, part) in [("dict", "dict["), ("list", "list[")] {
            if members.iter().any(|it| it == whole) {
                members.retain(|it| !it.starts_with(part));
            }
        }
        if self.is_any() || self.is_empty() || members.len() > MEMBERS {
            return "Any".to_owned();
        }
        // The type of a value covers the value.
        let literals = self.literals.iter().map(String::as_str);
        let literals = literals.filter(|it| !members.iter().any(|member| member == kind_of(it)));
        let literals: Vec<&str> = literals.collect();
        if !literals.is_empty() {
            members.insert(0, format!("Literal[{}]", literals.join(", ")));
        }
        if self.is_nullable || is_optional {
            members.push("None".to_owned());
        }
        let text = members.join(" | ");
        match text.len() > LENGTH {
            true => "Any".to_owned(),
            false => text,
        }
    }

    /// The type of a `list`, or of a `dict` with texts as its keys, that holds such values.
    pub fn within(&self, container: &str) -> String {
        let inner = self.text(false);
        match container {
            _ if inner == "Any" || inner.len() > INNER => container.to_owned(),
            "dict" => format!("dict[str, {inner}]"),
            _ => format!("{container}[{inner}]"),
        }
    }
}

fn push(texts: &mut Vec<String>, text: String) {
    if !texts.contains(&text) {
        texts.push(text);
    }
}

/// The type of a literal in Python's words.
fn kind_of(literal: &str) -> &'static str {
    match literal {
        "True" | "False" => "bool",
        text if text.starts_with('"') => "str",
        _ => "int",
    }
}

fn kind(value: &Json) -> &'static str {
    match value {
        Json::String(_) => "str",
        Json::Bool(_) => "bool",
        Json::Number(number) if number.is_f64() => "float",
        Json::Number(_) => "int",
        Json::Array(_) => "list",
        Json::Object(_) => "dict",
        Json::Null => "None",
    }
}
