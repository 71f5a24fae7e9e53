//! The kinds of settings of buckets and objects: their names, and the operations that read, set
//! and remove them.

use super::let_in;
use super::memory::settings;
use crate::domain::{Map, Mark, Place, Value};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A setting of a bucket or of an object.
pub struct SettingKind {
    /// Its name, for people.
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
) -> SettingKind {
    SettingKind {
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
static ALL: LazyLock<Vec<SettingKind>> = LazyLock::new(|| {
    let of_buckets = settings::ALL.iter().map(|setting| {
        let [get, put, delete] = setting.operations;
        SettingKind {
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
                settings::ACCELERATE => Some("acceleration can only be suspended"),
                _ => None,
            },
        }
    });
    let others = [
        SettingKind {
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

static BY_WRITE: LazyLock<HashMap<&str, &SettingKind>> = LazyLock::new(|| {
    let writes = ALL
        .iter()
        .flat_map(|kind| [(kind.put, kind), (kind.delete, kind)]);
    writes
        .filter(|(operation, _)| !operation.is_empty())
        .collect()
});

/// The setting that an operation makes or takes away.
pub fn written_by(operation: &str) -> Option<&'static SettingKind> {
    BY_WRITE.get(operation).copied()
}

/// What stands between the name of a setting and the version of an object that has it.
const OF_VERSION: &str = " of version ";

/// The name of a setting of an object, or of a version of it.
pub fn name(kind: &SettingKind, version: Option<&str>) -> String {
    match version.filter(|_| kind.of_object) {
        Some(version) => format!("{}{OF_VERSION}{version}", kind.label),
        None => kind.label.to_owned(),
    }
}

/// The version whose setting a place is.
pub fn version(place: &Place) -> Option<&str> {
    at(place)?;
    let (_, version) = place.setting()?.split_once(OF_VERSION)?;
    Some(version)
}

/// The summary of a setting that was never made, and that cannot be taken away once it is.
const NEVER_SET: &str = "never set";

/// The mark of a setting that was never made, where that is one.
pub fn never_set(kind: &SettingKind) -> Option<&'static str> {
    kind.lasting.map(|_| NEVER_SET)
}

/// Whether a mark says that a setting was never made.
pub fn is_never_set(mark: Option<&Mark>) -> bool {
    let summary = mark.and_then(|mark| mark.summary.as_deref());
    summary == Some(NEVER_SET)
}

pub fn at(place: &Place) -> Option<&'static SettingKind> {
    let (setting, of_object) = (place.setting()?, place.segments().len() > 1);
    let label = setting.split(OF_VERSION).next().filter(|_| of_object);
    let label = label.unwrap_or(setting);
    ALL.iter()
        .find(|kind| kind.label == label && kind.of_object == of_object)
}

impl SettingKind {
    /// Whether it can only be suspended once it was made.
    pub fn is_suspended(&self) -> bool {
        ["AccelerateConfiguration", "VersioningConfiguration"].contains(&self.parameter)
    }

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

/// The name for people of the setting that stores keep under this name, and its summary.
pub fn words(stored: &str, value: Option<&Value>) -> (String, Option<String>) {
    let known = settings::ALL.iter().find(|setting| setting.name == stored);
    let label = known.map_or(stored, |setting| setting.label);
    let kind = ALL
        .iter()
        .find(|kind| kind.label == label && !kind.of_object);
    let summary = |value| kind.map_or("set".to_owned(), |kind| summary(kind, value));
    (label.to_owned(), value.map(summary))
}

/// A value in a few words.
pub fn summary(kind: &SettingKind, value: &Value) -> String {
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
    match kind.label {
        "tags" => pairs(value, "TagSet", "Key", "Value"),
        "lifecycle" => many(count("Rules"), "rule"),
        "CORS" => many(count("CORSRules"), "rule"),
        "replication" => many(count("Rules"), "rule"),
        "object lock" => {
            let kept = value
                .get("Rule")
                .and_then(|rule| rule.get("DefaultRetention"));
            let mode = kept.and_then(|kept| kept.get("Mode")?.as_str());
            let time = kept.and_then(super::warnings::period);
            let enabled = value.get("ObjectLockEnabled").and_then(Value::as_str);
            let words = [enabled.map(str::to_owned), mode.map(str::to_owned), time];
            words.into_iter().flatten().collect::<Vec<_>>().join(", ")
        }
        "policy" => match value.as_str().filter(|text| let_in::is_public(text)) {
            Some(text) => anybody(&settings::policy::public_deeds(text)),
            None => "set, not public".to_owned(),
        },
        "access list" => match value.get("Grants").and_then(Value::as_list) {
            Some(grants) => match public_deeds(kind, grants) {
                Some(deeds) => anybody(&deeds),
                None => many(grants.len(), "grant"),
            },
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

/// `anybody can read and list it`.
fn anybody(deeds: &[&str]) -> String {
    match deeds {
        [] => "anybody can use it".to_owned(),
        [one] => format!("anybody can {one} it"),
        [most @ .., last] => format!("anybody can {} and {last} it", most.join(", ")),
    }
}

/// The deeds that an access list allows to everybody; `None` if it allows none (S3 user guide,
/// "Access control list overview").
fn public_deeds(kind: &SettingKind, grants: &[Value]) -> Option<Vec<&'static str>> {
    let public = grants
        .iter()
        .filter(|it| super::memory::is_public_grant(it));
    let permissions = public.filter_map(|it| it.get("Permission").and_then(Value::as_str));
    let permissions: Vec<&str> = permissions.collect();
    let deeds = [
        (if kind.of_object { "read" } else { "list" }, "READ"),
        ("write", "WRITE"),
    ];
    let allowed = |permission: &str| {
        permissions
            .iter()
            .any(|it| [permission, "FULL_CONTROL"].contains(it))
    };
    let deeds = deeds.iter().filter(|(_, permission)| allowed(permission));
    (!permissions.is_empty()).then(|| deeds.map(|(deed, _)| *deed).collect())
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
            Value::Str(text) if text.is_empty() => {}
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
