//! Every operation that writes, in every kind of world: after an undo all that a reader sees is
//! as it was, or the plan has named before the decision what is not.
//!
//! `undo_rows.txt` has the world and the programs, and `undo_table.txt` and
//! `undo_table_on_a_server.txt` what becomes of each.

use crate::journal::lab::begin;
use crate::plan::lab::{applied, at_each_window, block_on, content, end, planning, recorded};
use crate::policy::call;
use crate::support::value::show;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::s3::serve::{Service, http_client};
use dialog2api::domain::s3::world::{self, memory};
use dialog2api::domain::s3::{AccessKey, Memory, Remote, RemoteOptions, S3};
use dialog2api::domain::{self, Access, Mark, Place, Value, World};
use dialog2api::journal::Origin;
use dialog2api::plan::{Applied, Draft, Keeping, Plan, Undo, undo};
use expect_test::{ExpectFile, expect_file};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

const ROWS: &str = include_str!("undo_rows.txt");

/// The calls that make the world, and the programs by their names.
pub(super) fn rows() -> (Vec<&'static str>, Vec<(&'static str, Vec<&'static str>)>) {
    let mut parts = ROWS.split("\n== ");
    let calls = |text: &'static str| text.lines().filter(|line| !line.is_empty()).collect();
    let setup = calls(parts.next().unwrap_or_default());
    let rows = parts.map(|part| {
        let (name, program) = part.split_once('\n').unwrap();
        (name, calls(program))
    });
    (setup, rows.collect())
}

/// The buckets that a program names. The signature tells of the others.
pub(super) fn buckets<'a>(program: &[&'a str]) -> BTreeSet<&'a str> {
    let words = program.iter().flat_map(|line| line.split('"'));
    words.filter(|word| word.ends_with("-bucket")).collect()
}

fn ask(world: &dyn World, operation: &str, params: Json) -> Option<Value> {
    let (operation, params) = (operation.to_owned(), crate::support::value::value(&params));
    block_on(world.call(&operation, &params)).unwrap().ok()
}

fn list<'a>(answer: &'a Value, name: &str) -> &'a [Value] {
    answer
        .get(name)
        .and_then(Value::as_list)
        .unwrap_or_default()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// What a placeholder of a program stands for in the world in which it runs; none if there is no
/// such thing.
fn named(world: &dyn World, words: &str, last: &BTreeMap<String, String>) -> Option<String> {
    let words: Vec<&str> = words.split(' ').collect();
    let found = match words.as_slice() {
        ["version", bucket, key, number] => {
            let params = json!({"Bucket": bucket, "Prefix": key});
            let all = ask(world, "list_object_versions", params)?;
            let all = [list(&all, "DeleteMarkers"), list(&all, "Versions")].concat();
            let number: usize = number.parse().unwrap();
            text(all.get(number)?, "VersionId").to_owned()
        }
        ["upload", bucket, _] => {
            let all = ask(world, "list_multipart_uploads", json!({"Bucket": bucket}))?;
            text(list(&all, "Uploads").first()?, "UploadId").to_owned()
        }
        ["etag", bucket, key, _] => {
            let id = named(world, &format!("upload {bucket} {key}"), last)?;
            let params = json!({"Bucket": bucket, "Key": key, "UploadId": id});
            let all = ask(world, "list_parts", params)?;
            text(list(&all, "Parts").first()?, "ETag").to_owned()
        }
        [name] => last.get(*name)?.clone(),
        other => panic!("{other:?}"),
    };
    Some(found)
}

/// Makes calls; says what is refused.
pub(super) fn run(world: &dyn World, calls: &[&str]) -> Result<(), String> {
    let mut last = BTreeMap::new();
    for line in calls {
        let mut line = (*line).to_owned();
        while let Some((before, rest)) = line.split_once("{{") {
            let (words, after) = rest.split_once("}}").unwrap();
            let word = named(world, words, &last).ok_or_else(|| format!("no {words}"))?;
            let word = word.replace('"', "\\\"");
            line = format!("{before}{word}{after}");
        }
        let (operation, params) = call(&line);
        let answer = block_on(world.call(operation, &params)).map_err(|it| it.to_string())?;
        let answer = answer.map_err(|refusal| format!("{operation}: {}", refusal.message))?;
        let told = answer.get("CopyPartResult").unwrap_or(&answer);
        for name in ["UploadId", "ETag"] {
            if let Some(id) = told.get(name).and_then(Value::as_str) {
                last.insert(name.to_owned(), id.to_owned());
            }
        }
    }
    Ok(())
}

/// A value without what is another one every time.
fn shown(value: &Value) -> String {
    let text = show(value, |name, _| match name {
        "LastModified" | "CreationDate" | "Initiated" | "VersionId" | "UploadId" => Some("_"),
        _ => None,
    });
    // Objects have one as soon as their bucket has ever kept versions, which is seen there.
    text.replace(", VersionId: _", "")
        .replace("VersionId: _, ", "")
        .replace("VersionId: _", "")
}

/// Everything that a reader sees of these buckets: a line for each thing and aspect, by the path.
fn seen(world: &dyn World, buckets: &BTreeSet<&str>) -> BTreeMap<(String, String), String> {
    let mut seen = BTreeMap::new();
    let all = ask(world, "list_buckets", json!({})).unwrap();
    let all = list(&all, "Buckets").iter().map(|it| text(it, "Name"));
    for bucket in all.filter(|name| buckets.contains(name)) {
        let mut tell = |path: &str, aspect: String, operation: &str, mut params: Json| {
            params["Bucket"] = json!(bucket);
            let told = ask(world, operation, params);
            let told = told.map_or("refused".to_owned(), |told| shown(&told));
            let path = format!("{bucket}/{path}");
            seen.insert((path, format!("{operation} {aspect}")), told);
        };
        let named = |name: &&str| {
            let is_read = S3
                .operation(name)
                .is_some_and(|it| it.effect == Access::Read);
            let of_bucket = name.contains("_bucket_") || name.contains("public_access_block");
            let of_lock = *name == "get_object_lock_configuration";
            let has_id = name.starts_with("get_")
                && name.ends_with("_configuration")
                && ["inventory", "metrics", "analytics", "tiering"]
                    .iter()
                    .any(|kind| name.contains(kind));
            is_read && (of_bucket || of_lock) && !has_id
        };
        let operations = S3.api.operations.iter().map(|it| &*it.name);
        for operation in operations.filter(named) {
            tell("", String::new(), operation, json!({}));
        }
        let versions = ask(world, "list_object_versions", json!({"Bucket": bucket})).unwrap();
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut each = |key: &str, number: usize, id: &str| {
            for operation in ["get_object", "get_object_tagging", "get_object_acl"] {
                let params = json!({"Key": key, "VersionId": id, "ChecksumMode": "ENABLED"});
                tell(
                    key,
                    number.to_string(),
                    operation,
                    without(params, operation),
                );
            }
            for operation in [
                "head_object",
                "get_object_retention",
                "get_object_legal_hold",
            ] {
                let params = json!({"Key": key, "VersionId": id, "ChecksumMode": "ENABLED"});
                tell(
                    key,
                    number.to_string(),
                    operation,
                    without(params, operation),
                );
            }
        };
        for version in list(&versions, "Versions") {
            let key = text(version, "Key");
            let number = numbers.entry(key).or_default();
            each(key, *number, text(version, "VersionId"));
            *number += 1;
        }
        for marker in list(&versions, "DeleteMarkers") {
            let is_latest = marker.get("IsLatest").and_then(Value::as_bool);
            let path = format!("{bucket}/{}", text(marker, "Key"));
            seen.insert((path, "marker".to_owned()), format!("{is_latest:?}"));
        }
        let uploads = ask(world, "list_multipart_uploads", json!({"Bucket": bucket})).unwrap();
        for upload in list(&uploads, "Uploads") {
            let (key, id) = (text(upload, "Key"), text(upload, "UploadId"));
            let params = json!({"Bucket": bucket, "Key": key, "UploadId": id});
            let parts = ask(world, "list_parts", params).unwrap();
            let path = format!("{bucket}/{key}");
            seen.insert((path, "upload".to_owned()), shown(&parts));
        }
        seen.insert((format!("{bucket}/"), "there".to_owned()), String::new());
    }
    seen
}

fn without(mut params: Json, operation: &str) -> Json {
    if !["get_object", "head_object"].contains(&operation) {
        params.as_object_mut().unwrap().remove("ChecksumMode");
    }
    params
}

/// Applies a plan, and finds the way back.
pub(super) type Way = fn(&dyn World, &Plan) -> (Applied, Undo);

pub(super) fn remembered(world: &dyn World, plan: &Plan) -> (Applied, Undo) {
    let done = applied(world, &plan.writes);
    let back = undo(planning(), &plan.writes, &done.steps, Keeping::default());
    (done, back)
}

/// By what a journal keeps, as after a restart.
pub(super) fn kept_in_a_journal(world: &dyn World, plan: &Plan) -> (Applied, Undo) {
    let (_folder, store) = crate::journal::lab::store();
    let journal = store.begin(Some("it"), begin()).unwrap();
    let id = journal.plan(Origin::Program { turn: 1, uid: 1 }, plan);
    let id = id.unwrap();
    let done = recorded(world, &plan.writes, &mut *journal.record(id));
    journal.applied(id, &done).unwrap();
    drop(journal);
    let read = store.read("it").unwrap();
    let back = read.inverse(id, planning(), Keeping::default()).unwrap();
    (done, back.expect("the plan was made").undo)
}

/// Runs a program in a world, and takes it back. Says what became of it: that it was undone, or
/// what the plan had named. What is there is read from `kept`: the world itself, or the store
/// behind a server.
pub(super) fn outcome(
    world: &Arc<dyn World>,
    kept: &dyn World,
    program: &[&str],
    way: Way,
) -> Result<String, String> {
    let signature = || block_on(domain::signature(kept, [])).unwrap();
    let buckets = buckets(program);
    let before = (seen(kept, &buckets), signature());
    let draft = Draft::of(world, &S3).unwrap();
    run(&*draft, program).map_err(|why| format!("the draft: {why}"))?;
    let writes = draft.writes();
    let nothing = Outcome::Result(Json::Null);
    let plan = Plan::new(
        Some(planning()),
        writes.clone(),
        Vec::new(),
        nothing,
        Keeping::default(),
    );
    let (done, back) = way(&**world, &plan);
    if !done.is_whole() {
        return Err(format!("the plan: {}", end(&done, writes.len())));
    }
    let (seen_of_done, signature_of_done) = (seen(kept, &buckets), signature());
    let back = block_on(back.still(planning(), &**world, Keeping::default())).unwrap();
    let is_read = |operation: &str| !S3.writes(operation);
    if let Some(write) = back.plan.writes.iter().find(|it| is_read(&it.operation)) {
        return Err(format!("the undo only reads: {}", write.operation));
    }
    if back.plan.effects.is_empty() && !back.plan.writes.is_empty() {
        return Err("the undo is a plan without an effect".to_owned());
    }
    let undone = applied(&**world, &back.plan.writes);
    if !undone.is_whole() {
        return Err(format!(
            "the undo: {}",
            end(&undone, back.plan.writes.len())
        ));
    }
    if let Some(place) = shown_otherwise(&back.plan, &**world) {
        return Err(format!("the undo shows that {place} becomes another one"));
    }
    let after = (seen(kept, &buckets), signature());
    let named: BTreeSet<String> = plan.lasting.iter().map(|(place, _)| place.path()).collect();
    let lost = back.lost.iter().map(|(place, _)| place.path());
    if let Some(unnamed) = lost.clone().find(|path| !named.contains(path)) {
        return Err(format!("lost, and not named before: {unnamed}"));
    }
    let paths = before.0.keys().chain(after.0.keys());
    for at in paths {
        let (was, is) = (before.0.get(at), after.0.get(at));
        let is_named = named.contains(at.0.trim_end_matches('/'));
        if was != is && !is_named {
            return Err(format!(
                "not as before, and not named: {at:?}\n{was:?}\n{is:?}"
            ));
        }
    }
    // What it takes back must have done something; else it is a question about nothing. That one
    // delete marker stands for another is not seen here.
    let is_of_version = back.plan.effects.iter().any(|it| it.place.is_version());
    let is_same = before.1 == signature_of_done && before.0 == seen_of_done;
    if !back.plan.effects.is_empty() && is_same && !is_of_version {
        return Err("the undo has nothing to take back".to_owned());
    }
    if named.is_empty() && before.1 != after.1 {
        return Err("the signature is another one".to_owned());
    }
    let names = plan.lasting.iter();
    let names: Vec<String> = names
        .map(|(place, why)| format!("{place}: {why}"))
        .collect();
    Ok(match names.is_empty() {
        true => "undone".to_owned(),
        false => format!("named: {}", names.join("; ")),
    })
}

/// A setting of a bucket that is not as a plan has shown that it becomes.
fn shown_otherwise(plan: &Plan, world: &dyn World) -> Option<Place> {
    let touched = plan.writes.iter().flat_map(|write| write.touched.iter());
    let shown: BTreeMap<&Place, &Option<Mark>> = touched
        .filter(|touched| touched.place.is_of_container())
        .map(|touched| (&touched.place, &touched.after))
        .collect();
    let places: Vec<&Place> = shown.keys().copied().collect();
    let marks = block_on(planning().marks(world, &places)).unwrap();
    let mut all = shown.into_iter().zip(marks);
    let other = all.find(|((_, shown), now)| !Mark::same(shown.as_ref(), now.as_ref()));
    other.map(|((place, _), _)| place.clone())
}

fn copy(from: &Path, into: &Path) {
    fs::create_dir_all(into).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let into = into.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &into),
            false => assert!(fs::copy(entry.path(), into).is_ok()),
        }
    }
}

/// A store behind an S3 service.
pub(super) fn served(store: Arc<Memory>) -> Arc<dyn World> {
    let key = AccessKey {
        id: "AKIATEST".to_owned(),
        secret: "secret".to_owned(),
    };
    let client = http_client(Service::new(store, &key));
    let options = RemoteOptions {
        endpoint_url: Some("http://s3.test".to_owned()),
        access_key: Some(key),
        ..RemoteOptions::default()
    };
    let remote = block_on(Remote::connect_through(&options, client)).expect("nothing is sent yet");
    remote.show_links(Arc::new(|_| {}));
    Arc::new(remote)
}

/// What stands in the place of the ids that versions and uploads have.
pub(super) fn plain(outcome: &str) -> String {
    let words = outcome.split(' ').map(|word| {
        let id = word.trim_end_matches(['(', ')', ':', ';']);
        let is_id = id.len() > 30 && id.is_ascii() && !id.contains('/');
        match is_id {
            true => word.replace(id, "…"),
            false => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A world for each program, and where what is in it is kept.
type Worlds<'a> = &'a mut dyn FnMut() -> (Arc<dyn World>, Arc<dyn World>);

/// Runs every program in worlds of one kind, and compares what became of each with a table.
fn hold(expected: &ExpectFile, way: Way, worlds: Worlds<'_>) {
    let mut table = String::new();
    let mut failed = Vec::new();
    for (name, program) in rows().1 {
        let (world, kept) = worlds();
        match outcome(&world, &*kept, &program, way) {
            Ok(outcome) => _ = writeln!(table, "{name}: {}", plain(&outcome)),
            Err(why) => failed.push(format!("{name}: {why}")),
        }
    }
    assert!(
        failed.is_empty(),
        "{} failed:\n{}",
        failed.len(),
        failed.join("\n")
    );
    expected.assert_eq(&table);
}

/// The world of the rows, in memory.
pub(super) fn store() -> Memory {
    let store = memory("empty").unwrap();
    run(&store, &rows().0).expect("the world can be made");
    store
}

#[test]
fn in_memory_every_write_is_undone_or_named_before_the_yes() {
    let store = store();
    let table = expect_file!["./undo_table.txt"];
    at_each_window(|| {
        hold(&table, kept_in_a_journal, &mut || {
            let world: Arc<dyn World> = Arc::new(store.fork());
            (world.clone(), world)
        });
    });
}

#[test]
fn in_a_folder_every_write_is_undone_or_named_before_the_yes() {
    let folders = tempfile::tempdir().unwrap();
    let original = folders.path().join("original");
    {
        let folder = world::open(&original.display().to_string()).unwrap().world;
        run(&*folder, &rows().0).expect("the folder can be made");
        assert!(!content(&*folder).is_empty());
    }
    let mut number = 0;
    let table = expect_file!["./undo_table.txt"];
    hold(&table, remembered, &mut || {
        number += 1;
        let folder = folders.path().join(number.to_string());
        copy(&original, &folder);
        let folder = world::open(&folder.display().to_string()).unwrap().world;
        (folder.clone(), folder)
    });
}

#[test]
fn on_a_server_every_write_is_undone_or_named_before_the_yes() {
    let store = store();
    let table = expect_file!["./undo_table_on_a_server.txt"];
    hold(&table, remembered, &mut || {
        let kept = Arc::new(store.fork());
        (served(kept.clone()), kept)
    });
}

#[test]
fn every_operation_that_writes_has_a_row() {
    let (_, rows) = rows();
    let called: BTreeSet<&str> = (rows.iter().flat_map(|(_, program)| program))
        .filter_map(|line| line.split(' ').next())
        .collect();
    let writing = S3
        .api
        .operations
        .iter()
        .filter(|it| it.effect != Access::Read);
    let forgotten: Vec<&str> = writing
        .map(|operation| &*operation.name)
        .filter(|name| !called.contains(name))
        .collect();
    assert!(
        forgotten.is_empty(),
        "no row in undo_rows.txt: {forgotten:?}"
    );
}
