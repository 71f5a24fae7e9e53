//! The settings of buckets and objects, as plans see them: what each is called, and the
//! operations that read it, make it and take it away.

use super::memory::settings;
use crate::domain::{Map, Place, Value};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A setting of a bucket or of an object.
pub struct Kept {
    /// What people call it.
    pub label: &'static str,
    /// The operation that reads it.
    pub get: &'static str,
    /// The operation that makes it.
    pub put: &'static str,
    /// The operation that takes it away; empty if none does.
    pub delete: &'static str,
    /// The parameter that it is made with.
    pub parameter: &'static str,
    /// The field of the answer that holds it; `None` where the answer itself is the setting.
    pub field: Option<&'static str>,
    /// Whether it is one of an object.
    pub of_object: bool,
    /// Why it cannot be taken away again, if so: a clause that follows "because".
    pub lasting: Option<&'static str>,
}

const fn of_object(
    label: &'static str,
    [get, put, delete]: [&'static str; 3],
    parameter: &'static str,
    field: Option<&'static str>,
) -> Kept {
    Kept {
        label,
        get,
        put,
        delete,
        parameter,
        field,
        of_object: true,
        lasting: None,
    }
}

/// All settings.
static ALL: LazyLock<Vec<Kept>> = LazyLock::new(|| {
    let of_buckets = settings::ALL.iter().map(|setting| {
        let [get, put, delete] = setting.operations;
        Kept {
            label: setting.label,
            get,
            put,
            delete,
            parameter: setting.parameter,
            field: setting.field,
            of_object: false,
            lasting: match setting.name {
                settings::VERSIONING => Some("versioning can only be suspended"),
                settings::OBJECT_LOCK => Some("object lock cannot be turned off"),
                _ => None,
            },
        }
    });
    let others = [
        Kept {
            label: "access list",
            get: "get_bucket_acl",
            put: "put_bucket_acl",
            delete: "",
            parameter: "AccessControlPolicy",
            field: None,
            of_object: false,
            lasting: None,
        },
        of_object(
            "tags",
            [
                "get_object_tagging",
                "put_object_tagging",
                "delete_object_tagging",
            ],
            "Tagging",
            None,
        ),
        of_object(
            "access list",
            ["get_object_acl", "put_object_acl", ""],
            "AccessControlPolicy",
            None,
        ),
        of_object(
            "retention",
            ["get_object_retention", "put_object_retention", ""],
            "Retention",
            Some("Retention"),
        ),
        of_object(
            "legal hold",
            ["get_object_legal_hold", "put_object_legal_hold", ""],
            "LegalHold",
            Some("LegalHold"),
        ),
    ];
    of_buckets.chain(others).collect()
});

static BY_WRITE: LazyLock<HashMap<&str, &Kept>> = LazyLock::new(|| {
    let writes = ALL
        .iter()
        .flat_map(|kept| [(kept.put, kept), (kept.delete, kept)]);
    writes
        .filter(|(operation, _)| !operation.is_empty())
        .collect()
});

/// The setting that an operation makes or takes away.
pub fn written_by(operation: &str) -> Option<&'static Kept> {
    BY_WRITE.get(operation).copied()
}

/// The setting at a place.
pub fn at(place: &Place) -> Option<&'static Kept> {
    let (label, of_object) = (place.setting()?, place.segments().len() > 1);
    ALL.iter()
        .find(|kept| kept.label == label && kept.of_object == of_object)
}

impl Kept {
    /// The value in an answer, in the form in which it is made again; `None` where there is
    /// nothing to keep.
    pub fn value(&self, answer: &Value) -> Option<Value> {
        let value = match self.field {
            Some(field) => answer.get(field)?.clone(),
            None => without(answer, &["VersionId", "TransitionDefaultMinimumObjectSize"]),
        };
        let is_empty = match &value {
            Value::Map(pairs) => pairs
                .iter()
                .all(|(_, it)| matches!(it, Value::List(items) if items.is_empty())),
            Value::Null => true,
            _ => false,
        };
        (!is_empty).then_some(value)
    }
}

fn without(value: &Value, names: &[&str]) -> Value {
    match value {
        Value::Map(pairs) => {
            let kept = pairs.iter().filter(|(name, _)| !names.contains(&&**name));
            Value::Map(kept.cloned().collect::<Map>())
        }
        other => other.clone(),
    }
}

/// What people call the bucket's setting that stores keep under this name, and its summary.
pub fn words(stored: &str, value: Option<&Value>) -> (String, Option<String>) {
    let known = settings::ALL.iter().find(|setting| setting.name == stored);
    let label = known.map_or(stored, |setting| setting.label);
    let kept = ALL
        .iter()
        .find(|kept| kept.label == label && !kept.of_object);
    let summary = |value| kept.map_or("set".to_owned(), |kept| summary(kept, value));
    (label.to_owned(), value.map(summary))
}

/// A value in a few words.
pub fn summary(kept: &Kept, value: &Value) -> String {
    let count = |name: &str| {
        value
            .get(name)
            .and_then(Value::as_list)
            .map_or(0, <[Value]>::len)
    };
    let many = |number: usize, what: &str| match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    };
    match kept.label {
        "tags" => pairs(value, "TagSet", "Key", "Value"),
        "lifecycle" => many(count("Rules"), "rule"),
        "CORS" => many(count("CORSRules"), "rule"),
        "replication" => many(count("Rules"), "rule"),
        "policy" => match value.as_str().is_some_and(settings::policy::is_public) {
            true => "anybody can use it".to_owned(),
            false => "set, not public".to_owned(),
        },
        "access list" => match value.get("Grants").and_then(Value::as_list) {
            Some(grants) if grants.iter().any(super::memory::is_public_grant) => {
                "anybody can use it".to_owned()
            }
            Some(grants) => many(grants.len(), "grant"),
            None => "set".to_owned(),
        },
        "public access block" => {
            let Value::Map(switches) = value else {
                return "set".to_owned();
            };
            let off = switches
                .iter()
                .filter(|(_, on)| *on != Value::Bool(true))
                .count();
            match off {
                0 => "the public is kept out".to_owned(),
                _ => format!("{off} of {} blocks are off", switches.len()),
            }
        }
        _ => short(value),
    }
}

fn pairs(value: &Value, list: &str, key: &str, of: &str) -> String {
    let items = value.get(list).and_then(Value::as_list).unwrap_or_default();
    let text = |item: &Value, name: &str| {
        item.get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let shown: Vec<String> = items
        .iter()
        .take(5)
        .map(|item| format!("{}={}", text(item, key), text(item, of)))
        .collect();
    let more = items.len().saturating_sub(shown.len());
    match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The texts of a value, joined: enough for settings with one or two words.
fn short(value: &Value) -> String {
    fn words(value: &Value, out: &mut Vec<String>) {
        match value {
            Value::Str(text) => out.push(text.clone()),
            Value::Int(number) => out.push(number.to_string()),
            Value::Bool(true) => out.push("on".to_owned()),
            Value::Bool(false) => out.push("off".to_owned()),
            Value::Time(time) => out.push(time.to_string()),
            Value::List(items) => items.iter().for_each(|item| words(item, out)),
            Value::Map(pairs) => pairs.iter().for_each(|(_, item)| words(item, out)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    words(value, &mut all);
    let text = all.join(", ");
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
