//! The lists that templates of dialogues pick from, made of the description of a world.

use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// The most objects of a bucket whose listing is still read by a person.
const READABLE: usize = 40;

/// An object.
#[derive(Serialize)]
struct File {
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
    data: Json,
}

/// `places` are the buckets that can be listed, and `files` their objects, of all buckets or of
/// the one of this name. `pairs` are of all buckets, and left out where one is named.
pub fn lists(world: &Json, only: Option<&str>) -> Vec<(&'static str, Json)> {
    let places = places(world, only);
    let objects = places.iter().flat_map(|bucket| {
        let name = string(bucket, "name");
        let objects = entries(bucket, "object").iter();
        objects.map(move |object| file(name, object))
    });
    let files: Vec<File> = objects.collect();
    let mut lists = vec![("files", json!(files)), ("places", json!(places))];
    if only.is_none() {
        lists.push(("pairs", json!(pairs(&places))));
    }
    lists
}

/// The buckets that have objects, and not too many to be listed.
fn places<'a>(world: &'a Json, only: Option<&str>) -> Vec<&'a Json> {
    let mut buckets: Vec<&Json> = entries(world, "bucket").iter().collect();
    buckets.retain(|bucket| only.is_none_or(|name| string(bucket, "name") == name));
    buckets.retain(|bucket| (1..=READABLE).contains(&entries(bucket, "object").len()));
    buckets
}

/// Two buckets each that have something in common: a top-level folder or an object with the
/// same name.
fn pairs<'a>(places: &[&'a Json]) -> Vec<[&'a Json; 2]> {
    let tops = |bucket: &'a Json| -> BTreeSet<&'a str> {
        let keys = entries(bucket, "object").iter();
        let keys = keys.map(|object| string(object, "key"));
        keys.map(|key| key.split('/').next().unwrap_or_default())
            .collect()
    };
    let mut pairs = Vec::new();
    for &one in places {
        for &other in places {
            let are_two = string(one, "name") != string(other, "name");
            if are_two && !tops(one).is_disjoint(&tops(other)) {
                pairs.push([one, other]);
            }
        }
    }
    pairs
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

fn file(bucket: &str, object: &Json) -> File {
    let (key, text) = (string(object, "key"), string(object, "text"));
    let until = |at: Option<usize>| key.split_at(at.map_or(0, |at| at + 1));
    let ((top, _), (folder, name)) = (until(key.find('/')), until(key.rfind('/')));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let date = date(key);
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
        "json" => serde_json::from_str(text).unwrap_or_default(),
        _ => Json::Null,
    };
    let filler = object.get("size").and_then(Json::as_u64);
    File {
        bucket: bucket.to_owned(),
        key: key.to_owned(),
        size: filler.unwrap_or(text.len() as u64),
        top: top.to_owned(),
        folder: folder.to_owned(),
        name: name.to_owned(),
        stem: stem.to_owned(),
        ending: ending.to_owned(),
        day: part(if is_day { date.len() } else { 0 }),
        month: part(if is_dense { 6 } else { 7 }),
        year: part(4),
        modified: string(object, "modified").chars().take(10).collect(),
        text: text.to_owned(),
        lines,
        columns,
        rows,
        data,
    }
}

fn entries<'a>(of: &'a Json, name: &str) -> &'a [Json] {
    let list = of.get(name).and_then(Json::as_array);
    list.map(Vec::as_slice).unwrap_or_default()
}

fn string<'a>(of: &'a Json, name: &str) -> &'a str {
    of.get(name).and_then(Json::as_str).unwrap_or_default()
}
