//! Types as Python writes them.

use super::literal::literal;
use serde_json::Value as Json;

/// The most members of a `Literal` and of a union.
const LITERALS: usize = 24;
pub(super) const MEMBERS: usize = 6;
/// A longer text in an `enum` is data rather than a name.
const LITERAL: usize = 60;

/// A type: the members of a union, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Type {
    /// The members beside `None`.
    pub members: Vec<String>,
    /// Whether `None` is a value too.
    pub is_nullable: bool,
}

impl Type {
    /// A type with one member.
    pub fn one(member: impl Into<String>) -> Self {
        Type {
            members: vec![member.into()],
            is_nullable: false,
        }
    }

    /// The type of every value.
    pub fn any() -> Self {
        Type::one("Any")
    }

    /// Whether it says nothing.
    pub fn is_any(&self) -> bool {
        self.members.iter().any(|member| member == "Any")
    }

    /// Adds the members of another type.
    pub fn add(&mut self, other: Type) {
        self.is_nullable |= other.is_nullable;
        for member in other.members {
            if !self.members.contains(&member) {
                self.members.push(member);
            }
        }
    }

    /// The type as Python writes it. `None` is in it if it is a value, or if
    /// `is_optional` says that the default is.
    pub fn text(&self, is_optional: bool) -> String {
        if self.is_any() || self.members.len() > MEMBERS {
            return "Any".to_owned();
        }
        let none = (self.is_nullable || is_optional).then_some("None");
        let members = self.members.iter().map(String::as_str).chain(none);
        members.collect::<Vec<_>>().join(" | ")
    }
}

/// The type of these values alone.
pub fn literals(values: &[Json]) -> Type {
    let mut found = Type::default();
    let is_short = |value: &Json| value.as_str().is_none_or(|text| text.len() <= LITERAL);
    let texts = values.iter().filter(|value| !value.is_null()).map(literal);
    let texts: Option<Vec<String>> = texts.collect();
    match texts {
        Some(texts) if texts.len() <= LITERALS && values.iter().all(is_short) => {
            let mut once: Vec<String> = Vec::new();
            for text in texts {
                if !once.contains(&text) {
                    once.push(text);
                }
            }
            if !once.is_empty() {
                found.members.push(format!("Literal[{}]", once.join(", ")));
            }
        }
        _ => {
            for value in values.iter().filter(|value| !value.is_null()) {
                found.add(Type::one(match value {
                    Json::String(_) => "str",
                    Json::Bool(_) => "bool",
                    Json::Number(number) if number.is_f64() => "float",
                    Json::Number(_) => "int",
                    Json::Array(_) => "list",
                    Json::Object(_) => "dict",
                    Json::Null => "Any",
                }));
            }
        }
    }
    found.is_nullable = values.iter().any(Json::is_null);
    found
}
