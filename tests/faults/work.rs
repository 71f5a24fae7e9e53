//! 200 writes of every kind, and what they make of a world.

use dialog2api::domain::{Map, Mark, Value, World, Write};
use futures_util::StreamExt;
use std::collections::BTreeMap;

/// The names of the buckets, without what comes before them. `kept` keeps versions where
/// the server can; `new` and `brief` are made by the writes.
pub const BUCKETS: [&str; 3] = ["plain", "kept", "old"];

/// Something that is there, or nothing.
pub type Content = BTreeMap<String, String>;

/// The calls that make the world in which the writes are made.
pub fn beginning() -> Vec<String> {
    let of = |bucket: &'static str, letter: &'static str, count: usize| {
        (0..count).map(move |i| format!("put {bucket}/{letter}{i} the {bucket} {letter}{i} of old"))
    };
    let objects = of("plain", "o", 50).chain(of("kept", "v", 30));
    objects.chain(of("old", "g", 30)).collect()
}

/// The calls that make the 200 writes.
pub fn calls() -> Vec<String> {
    let mut calls = Vec::new();
    let mut add = |call: String| calls.push(call);
    for i in 0..10 {
        let ([ten, twenty, thirty, forty], old) = ([10 + i, 20 + i, 30 + i, 40 + i], i);
        add(format!("put plain/n{i} a new one, {i}"));
        add(format!("put plain/o{i} another content, {i}"));
        add(format!("put kept/n{i} a new one that is kept, {i}"));
        add(format!("put kept/v{i} another content that is kept, {i}"));
        // The same content, of which something else is said.
        add(format!("tag plain/o{ten} the plain o{ten} of old"));
        add(format!("copy plain/o{twenty} plain/c{i}"));
        add(format!("copy plain/o{twenty} plain/o{thirty}"));
        add(format!("copy kept/v{ten} kept/v{twenty}"));
        add(format!("copy plain/n{i} kept/c{i}"));
        add(format!("retag plain/o{twenty}"));
        add(format!("retag kept/v{ten}"));
        add(format!("delete plain/o{i}"));
        add(format!("put plain/o{i} put back, {i}"));
        add(format!("delete kept/v{i}"));
        add(format!("put kept/v{i} put back, {i}"));
        add(format!("delete-all plain o{forty} c{i} absent{i}"));
        add(format!("delete-all kept v{twenty} c{i}"));
        add(format!("delete old/g{old}"));
    }
    let made = ["make new".to_owned()].into_iter();
    let made = made.chain((0..7).map(|i| format!("put new/a{i} in the new one, {i}")));
    let made = made.chain((0..5).map(|i| format!("copy plain/o{i} new/b{i}")));
    made.for_each(&mut add);
    let keys = |letter: &str, of: std::ops::Range<usize>| {
        of.map(|i| format!(" {letter}{i}")).collect::<String>()
    };
    add(format!("delete-all old{}", keys("g", 10..30)));
    add("remove old".to_owned());
    for call in [
        "make brief",
        "put brief/x y",
        "delete brief/x",
        "remove brief",
    ] {
        add(call.to_owned());
    }
    add(format!(
        "delete-all plain{}{}",
        keys("n", 0..10),
        keys("o", 10..17)
    ));
    calls
}

/// Reads a call. Every bucket's name begins with `run`.
pub fn read(run: &str, call: &str) -> (&'static str, Value) {
    let (verb, rest) = call.split_once(' ').unwrap();
    let (place, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let bucket = |name: &str| -> Map { vec![("Bucket".into(), format!("{run}-{name}").into())] };
    let thing = |place: &str| {
        let (name, key) = place.split_once('/').unwrap();
        let mut params = bucket(name);
        params.push(("Key".into(), key.into()));
        params
    };
    let tagged = |mut params: Map| {
        params.push((
            "Metadata".into(),
            Value::Map(vec![("said".into(), "new".into())]),
        ));
        params
    };
    let with_body = |mut params: Map| {
        params.push(("Body".into(), Value::Bytes(text.to_owned().into())));
        params
    };
    let copied = |from: &str, to: &str| {
        let mut params = thing(to);
        params.push(("CopySource".into(), Value::Map(thing(from))));
        params
    };
    let (operation, params) = match verb {
        "put" => ("put_object", with_body(thing(place))),
        "tag" => ("put_object", tagged(with_body(thing(place)))),
        "copy" => ("copy_object", copied(place, text)),
        "retag" => {
            let mut params = tagged(copied(place, place));
            params.push(("MetadataDirective".into(), "REPLACE".into()));
            ("copy_object", params)
        }
        "delete" => ("delete_object", thing(place)),
        "delete-all" => {
            let keys = text.split(' ');
            let keys = keys.map(|key| Value::Map(vec![("Key".into(), key.into())]));
            let objects: Map = vec![("Objects".into(), Value::List(keys.collect()))];
            let mut params = bucket(place);
            params.push(("Delete".into(), Value::Map(objects)));
            ("delete_objects", params)
        }
        "make" => ("create_bucket", bucket(place)),
        "remove" => ("delete_bucket", bucket(place)),
        other => panic!("{other}"),
    };
    (operation, Value::Map(params))
}

/// Makes a call that must go well.
pub async fn make(world: &dyn World, run: &str, call: &str) {
    let (operation, params) = read(run, call);
    let answer = world.call(operation, &params).await.unwrap();
    answer.unwrap_or_else(|refusal| panic!("{call}: {refusal:?}"));
}

/// Everything in the buckets of a run: places, and what tells contents apart.
pub async fn content(world: &dyn World, run: &str) -> Content {
    let mut content = Content::new();
    for bucket in [&BUCKETS[..], &["new", "brief"]].concat() {
        let params = vec![("Bucket".into(), Value::from(format!("{run}-{bucket}")))];
        let page = world.call("list_objects_v2", &Value::Map(params)).await;
        let page = match page.unwrap() {
            Ok(page) => page,
            Err(refusal) => {
                assert_eq!(refusal.code, "NoSuchBucket");
                continue;
            }
        };
        content.insert(format!("{bucket}/"), String::new());
        for object in page
            .get("Contents")
            .and_then(Value::as_list)
            .unwrap_or_default()
        {
            let text = |name| object.get(name).and_then(Value::as_str).unwrap();
            let etag = text("ETag").trim_matches('"').to_owned();
            content.insert(format!("{bucket}/{}", text("Key")), etag);
        }
    }
    content
}

/// The same, with what is said of each object.
pub async fn described(world: &dyn World, run: &str) -> Content {
    let content = content(world, run).await;
    let looks = content.into_iter().map(async |(place, etag)| {
        // Of the others the writes say nothing.
        let is_tagged = |at: &str| place.starts_with(at) && place.len() == at.len() + 1;
        let tagged = ["plain/o1", "plain/o2", "kept/v1"]
            .into_iter()
            .any(is_tagged);
        let Some((bucket, key)) = place.split_once('/').filter(|_| tagged) else {
            return (place, etag);
        };
        let params = vec![
            ("Bucket".into(), Value::from(format!("{run}-{bucket}"))),
            ("Key".into(), key.into()),
        ];
        let head = world.call("head_object", &Value::Map(params)).await;
        let head = head.unwrap().unwrap();
        let said = head.get("Metadata").and_then(|said| said.get("said"));
        let said = said.and_then(Value::as_str).unwrap_or_default();
        let description = format!("{etag} {said}");
        (place, description)
    });
    let looks: Vec<_> = looks.collect();
    futures_util::stream::iter(looks)
        .buffered(8)
        .collect()
        .await
}

/// Whether a write leaves every content as it is, so that made twice it is as made once.
pub fn leaves_contents(write: &Write) -> bool {
    let mut changed = write.touched.iter().filter(|touched| touched.changed);
    changed.all(|touched| Mark::same(touched.before.as_ref(), touched.after.as_ref()))
}

/// Whether the old state of what it writes to stays as a version.
pub fn is_kept(write: &Write) -> bool {
    let mut changed = write.touched.iter().filter(|touched| touched.changed);
    changed.all(|touched| touched.place.root().ends_with("-kept"))
}
