//! The contents of a world, as values for templates.

use minijinja::Value;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The most objects of a bucket whose listing is still read by a person.
const READABLE: usize = 40;

/// The field of a date that was read from TOML.
const DATETIME: &str = "$__toml_private_datetime";

/// An object.
#[derive(Debug, Default, Serialize)]
pub struct File {
    bucket: String,
    key: String,
    size: u64,
    /// The key up to its first slash and up to its last one, with it; empty without one.
    top: String,
    folder: String,
    /// The rest of the key, and what stands before and after its last dot.
    name: String,
    stem: String,
    ending: String,
    /// The first day in the key as it is written there, the month or the year of it.
    day: String,
    month: String,
    year: String,
    /// When it was written: `2024-03-01`.
    modified: String,
    /// Empty for filler.
    text: String,
    lines: Vec<String>,
    /// The columns of a CSV file, and its rows by them.
    columns: Vec<String>,
    rows: Vec<BTreeMap<String, String>>,
    /// The content of a JSON file.
    data: serde_json::Value,
}

/// The objects of the buckets that can be listed, known to templates as `files`.
pub fn files(places: &[Value]) -> Vec<File> {
    let mut files = Vec::new();
    for bucket in places {
        for object in entries(bucket, "object") {
            files.push(file(&string(bucket, "name"), &object));
        }
    }
    files
}

/// The buckets that have objects, and not too many to be listed, or the one of this name:
/// `places` of templates.
pub fn places(world: &Value, only: Option<&str>) -> Vec<Value> {
    let mut buckets = entries(world, "bucket");
    buckets.retain(|bucket| only.is_none_or(|name| string(bucket, "name") == name));
    buckets.retain(|bucket| (1..=READABLE).contains(&entries(bucket, "object").len()));
    buckets
}

/// Two buckets each that have something in common, as `pairs` of templates: they have a
/// top-level folder or an object with the same name.
pub fn pairs(world: &Value) -> Vec<Value> {
    let places = places(world, None);
    let tops = |bucket: &Value| -> BTreeSet<String> {
        let keys = entries(bucket, "object").into_iter();
        let top = |object: Value| {
            let key = string(&object, "key");
            key.split('/').next().unwrap_or_default().to_owned()
        };
        keys.map(top).collect()
    };
    let all = places
        .iter()
        .flat_map(|one| places.iter().map(move |other| (one, other)));
    let alike = all.filter(|(one, other)| {
        string(one, "name") != string(other, "name") && !tops(one).is_disjoint(&tops(other))
    });
    alike
        .map(|(one, other)| Value::from(vec![one.clone(), other.clone()]))
        .collect()
}

/// The first day in a key, else the first month, as it is written there.
fn date(key: &str) -> &str {
    let shapes = ["0000-00-00", "0000/00/00", "00000000", "0000-00", "0000/00"];
    let fits = |at: usize, shape: &&str| {
        let part = key.get(at..at + shape.len());
        let same = |(one, of): (u8, u8)| one == of || (of == b'0' && one.is_ascii_digit());
        part.is_some_and(|part| part.bytes().zip(shape.bytes()).all(same))
    };
    let found = shapes.iter().find_map(|shape| {
        let at = (0..key.len()).find(|at| fits(*at, shape))?;
        key.get(at..at + shape.len())
    });
    found.unwrap_or_default()
}

fn file(bucket: &str, object: &Value) -> File {
    let (key, text) = (string(object, "key"), string(object, "text"));
    let until = |at: Option<usize>| key.split_at(at.map_or(0, |at| at + 1));
    let ((top, _), (folder, name)) = (until(key.find('/')), until(key.rfind('/')));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let date = date(&key);
    let part = |end: usize| date.get(..end).unwrap_or_default().to_owned();
    let (is_day, is_dense) = (date.len() >= 8, date.len() == 8);
    let lines: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    if let (true, [head, body @ ..]) = (ending == "csv", lines.as_slice()) {
        let cells = |line: &str| line.split(',').map(ToOwned::to_owned).collect::<Vec<_>>();
        columns = cells(head);
        let row = |line: &String| columns.iter().cloned().zip(cells(line)).collect();
        rows = body.iter().map(row).collect();
    }
    let data = match ending {
        "json" => serde_json::from_str(&text).unwrap_or_default(),
        _ => serde_json::Value::Null,
    };
    let filler = object.get_attr("size").ok();
    let filler = filler.and_then(|size| u64::try_from(size).ok());
    let modified = object.get_attr("modified").ok();
    let modified = modified.map(|time| string(&time, DATETIME));
    File {
        bucket: bucket.to_owned(),
        size: filler.unwrap_or(text.len() as u64),
        top: top.to_owned(),
        folder: folder.to_owned(),
        name: name.to_owned(),
        stem: stem.to_owned(),
        ending: ending.to_owned(),
        day: part(if is_day { date.len() } else { 0 }),
        month: part(if is_dense { 6 } else { 7 }),
        year: part(4),
        modified: modified.unwrap_or_default().chars().take(10).collect(),
        lines,
        columns,
        rows,
        data,
        text,
        key,
    }
}

fn entries(of: &Value, name: &str) -> Vec<Value> {
    let list = of.get_attr(name).ok();
    let list = list.and_then(|list| list.try_iter().ok().map(Iterator::collect));
    list.unwrap_or_default()
}

fn string(of: &Value, name: &str) -> String {
    let value = of.get_attr(name).ok();
    let text = value.as_ref().and_then(|value| value.as_str());
    text.unwrap_or_default().to_owned()
}
