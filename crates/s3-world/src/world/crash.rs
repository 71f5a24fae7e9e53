//! Tests that an interrupted change is complete at the next opening, wherever it was
//! interrupted.

use super::{DiskLimits, DiskWorld};
use crate::clock::Clock;
use crate::domain::Value;
use crate::memory::history::Version;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn params(pairs: &[(&'static str, &str)]) -> Value {
    let pairs = pairs
        .iter()
        .map(|(name, value)| ((*name).into(), Value::from(*value)));
    Value::Map(pairs.collect())
}

fn open_with(root: &Path, limits: DiskLimits) -> DiskWorld {
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    DiskWorld::open_with(root, Clock::Steps(start), limits).expect("a world")
}

fn open(root: &Path) -> DiskWorld {
    open_with(root, DiskLimits::default())
}

/// Every change is merged into the manifest at once.
fn merging() -> DiskLimits {
    DiskLimits {
        log_bytes: 0,
        ..DiskLimits::default()
    }
}

/// All attributes of a world's objects and parts, and their contents.
fn state(root: &Path) -> String {
    let state = open(root).fork().snapshot().state;
    let mut shown = format!("{state:?}");
    for (_, bucket) in state.buckets() {
        for object in bucket.objects.values() {
            shown += &format!("{:?}", object.content.read().expect("a content"));
        }
        for (_, versions) in bucket.history.keys() {
            for object in versions.iter().filter_map(Version::object) {
                shown += &format!("{:?}", object.content.read().expect("a content"));
            }
        }
        let uploads = bucket.uploads.iter();
        for part in uploads.flat_map(|(_, upload)| upload.parts.values()) {
            shown += &format!("{:?}", part.content().read().expect("a content"));
        }
    }
    shown
}

fn prepare(root: &Path) {
    let world = open(root);
    let setup: &[(&str, &[(&'static str, &str)])] = &[
        ("create_bucket", &[("Bucket", "alpha")]),
        ("create_bucket", &[("Bucket", "beta")]),
        (
            "put_object",
            &[("Bucket", "alpha"), ("Key", "x/y"), ("Body", "old")],
        ),
        (
            "put_object",
            &[("Bucket", "alpha"), ("Key", "x"), ("Body", "blob")],
        ),
    ];
    for (operation, pairs) in setup {
        let answer = world
            .perform(operation, &params(pairs))
            .expect("a working disk");
        assert!(answer.is_ok(), "{answer:?}");
    }
}

#[test]
fn an_interrupted_change_is_finished() {
    let delete = Value::Map(vec![
        ("Bucket".into(), "alpha".into()),
        (
            "Delete".into(),
            Value::Map(vec![(
                "Objects".into(),
                Value::List(vec![params(&[("Key", "x")]), params(&[("Key", "x/y")])]),
            )]),
        ),
    ]);
    let changes = [
        ("create_bucket", params(&[("Bucket", "gamma")])),
        ("delete_bucket", params(&[("Bucket", "beta")])),
        (
            "put_object",
            params(&[("Bucket", "alpha"), ("Key", "x/y"), ("Body", "new")]),
        ),
        (
            "put_object",
            params(&[("Bucket", "alpha"), ("Key", "x"), ("Body", "new")]),
        ),
        (
            "put_object",
            params(&[("Bucket", "alpha"), ("Key", "new/deep/er"), ("Body", "new")]),
        ),
        (
            "copy_object",
            params(&[("Bucket", "beta"), ("Key", "//"), ("CopySource", "alpha/x")]),
        ),
        (
            "delete_object",
            params(&[("Bucket", "alpha"), ("Key", "x/y")]),
        ),
        ("delete_objects", delete),
    ];
    for (operation, params) in changes {
        interrupt_everywhere(prepare, operation, &params);
    }
}

/// Carries out a change that is interrupted after each of its steps in turn.
fn interrupt_everywhere(prepare: fn(&Path), operation: &str, params: &Value) {
    let finished = tempfile::tempdir().expect("a folder");
    prepare(finished.path());
    let answer = open(finished.path())
        .perform(operation, params)
        .expect("a working disk");
    assert!(answer.is_ok(), "{answer:?}");
    let expected = state(finished.path());
    let bodies = kept(finished.path());
    for limits in [DiskLimits::default(), merging()] {
        for steps in 0.. {
            let folder = tempfile::tempdir().expect("a folder");
            prepare(folder.path());
            let world = open_with(folder.path(), limits);
            let more = world
                .interrupted(operation, params, steps)
                .expect("a working disk");
            drop(world);
            assert_eq!(state(folder.path()), expected, "{operation}, {steps} steps");
            assert_eq!(kept(folder.path()), bodies, "{operation}, {steps} steps");
            assert!(!folder.path().join(".dialog2api/journal.json").exists());
            if !more {
                break;
            }
        }
    }
}

/// The files with the contents of older versions.
fn kept(root: &Path) -> BTreeSet<String> {
    let folder = fs::read_dir(root.join(".dialog2api/versions")).expect("a folder");
    let names = folder.map(|file| file.expect("a file").file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

/// A bucket that keeps versions, with keys that are files and one that is none. The first
/// version of `x/y` has the content of `x`.
fn prepare_versions(root: &Path) {
    let world = open(root);
    perform(&world, "create_bucket", &[("Bucket", "alpha")]);
    let put = |key: &str, body: &str| {
        let put = [("Bucket", "alpha"), ("Key", key), ("Body", body)];
        perform(&world, "put_object", &put);
    };
    put("x/y", "blob");
    let status = Value::Map(vec![("Status".into(), "Enabled".into())]);
    let versioning = Value::Map(vec![
        ("Bucket".into(), "alpha".into()),
        ("VersioningConfiguration".into(), status),
    ]);
    let answer = world.perform("put_bucket_versioning", &versioning);
    assert!(answer.expect("a working disk").is_ok());
    put("x/y", "second");
    put("x/y", "third");
    put("x", "blob");
    put("deleted", "gone");
    perform(
        &world,
        "delete_object",
        &[("Bucket", "alpha"), ("Key", "deleted")],
    );
}

/// The id of a version: the `at`th of a key, of the newest first.
fn version(key: &str, at: usize) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    prepare_versions(folder.path());
    let state = open(folder.path()).fork().snapshot().state;
    let bucket = state.bucket("alpha").expect("a bucket");
    let latest = bucket.object(key).map(|object| object.version_id());
    let older = bucket.history.of(key).iter().map(Version::id);
    let mut ids = latest.into_iter().chain(older);
    ids.nth(at).expect("a version").to_owned()
}

#[test]
fn an_interrupted_change_of_versions_is_finished() {
    let put = |key| params(&[("Bucket", "alpha"), ("Key", key), ("Body", "new")]);
    let delete = |key| params(&[("Bucket", "alpha"), ("Key", key)]);
    let delete_version = |key, at| {
        let id = version(key, at);
        params(&[("Bucket", "alpha"), ("Key", key), ("VersionId", &id)])
    };
    let all = [("x/y", 2), ("x/y", 0), ("deleted", 0), ("x", 0)].map(|(key, at)| {
        let id = version(key, at);
        params(&[("Key", key), ("VersionId", &id)])
    });
    let delete_all = Value::Map(vec![
        ("Bucket".into(), "alpha".into()),
        (
            "Delete".into(),
            Value::Map(vec![("Objects".into(), Value::List(all.into()))]),
        ),
    ]);
    let changes = [
        ("put_object", put("x/y")),
        ("put_object", put("x")),
        ("put_object", put("deleted")),
        ("delete_object", delete("x/y")),
        ("delete_object", delete("x")),
        ("delete_object", delete("absent")),
        ("delete_object", delete_version("x/y", 0)),
        ("delete_object", delete_version("x/y", 1)),
        ("delete_object", delete_version("x/y", 2)),
        ("delete_object", delete_version("deleted", 0)),
        ("delete_object", delete_version("deleted", 1)),
        ("delete_objects", delete_all),
    ];
    for (operation, params) in changes {
        interrupt_everywhere(prepare_versions, operation, &params);
    }
}

/// A bucket with an upload of one part, and with an object that has the part's content.
fn prepare_uploads(root: &Path) {
    let world = open(root);
    perform(&world, "create_bucket", &[("Bucket", "alpha")]);
    let at = [("Bucket", "alpha"), ("Key", "k")];
    let checked = [at[0], at[1], ("ChecksumAlgorithm", "SHA256")];
    perform(&world, "create_multipart_upload", &checked);
    let answer = world.perform("upload_part", &part(&world, 1, "one"));
    assert!(answer.expect("a working disk").is_ok());
    perform(&world, "put_object", &[at[0], at[1], ("Body", "one")]);
}

/// The parameters of a call about the upload.
fn of_upload(world: &DiskWorld) -> crate::domain::Map {
    let state = world.fork().snapshot().state;
    let bucket = state.bucket("alpha").expect("a bucket");
    let (id, _) = bucket.uploads.iter().next().expect("an upload");
    vec![
        ("Bucket".into(), "alpha".into()),
        ("Key".into(), "k".into()),
        ("UploadId".into(), Value::from(&*id.2)),
    ]
}

fn part(world: &DiskWorld, number: i64, body: &str) -> Value {
    let mut params = of_upload(world);
    params.push(("PartNumber".into(), number.into()));
    params.push(("Body".into(), body.into()));
    Value::Map(params)
}

#[test]
fn an_interrupted_change_of_uploads_is_finished() {
    let folder = tempfile::tempdir().expect("a folder");
    prepare_uploads(folder.path());
    let world = open(folder.path());
    let parts = Value::List(vec![Value::Map(vec![
        ("PartNumber".into(), 1.into()),
        ("ETag".into(), "f97c5d29941bfb1b2fdab0874906ab82".into()),
        (
            "ChecksumSHA256".into(),
            "dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=".into(),
        ),
    ])]);
    let mut completion = of_upload(&world);
    let parts = Value::Map(vec![("Parts".into(), parts)]);
    completion.push(("MultipartUpload".into(), parts));
    let changes = [
        (
            "create_multipart_upload",
            params(&[("Bucket", "alpha"), ("Key", "other")]),
        ),
        ("upload_part", part(&world, 1, "another")),
        ("upload_part", part(&world, 2, "one")),
        ("upload_part", part(&world, 2, "two")),
        ("complete_multipart_upload", Value::Map(completion)),
        ("abort_multipart_upload", Value::Map(of_upload(&world))),
    ];
    for (operation, params) in changes {
        interrupt_everywhere(prepare_uploads, operation, &params);
    }
}

/// The log of a bucket whose objects `0` to `4` have this type.
fn prepare_log(root: &Path) -> (std::path::PathBuf, Vec<u8>) {
    let world = open(root);
    perform(&world, "create_bucket", &[("Bucket", "alpha")]);
    for key in ["0", "1", "2", "3", "4"] {
        let put = [("Bucket", "alpha"), ("Key", key), ("ContentType", "text/x")];
        perform(&world, "put_object", &put);
    }
    let log = root.join(".dialog2api/buckets/alpha.log");
    let text = fs::read(&log).expect("a log");
    (log, text)
}

fn perform(world: &DiskWorld, operation: &str, pairs: &[(&'static str, &str)]) {
    let answer = world.perform(operation, &params(pairs));
    let answer = answer.expect("a working disk");
    assert!(answer.is_ok(), "{answer:?}");
}

#[test]
fn an_append_that_is_cut_at_any_byte_is_finished() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let (log, before) = prepare_log(root);
    let put = params(&[
        ("Bucket", "alpha"),
        ("Key", "new"),
        ("ContentType", "text/y"),
    ]);
    let more = open(root).interrupted("put_object", &put, usize::MAX);
    assert!(!more.expect("a working disk"), "all steps are done");
    let journal_path = root.join(".dialog2api/journal.json");
    let journal = fs::read(&journal_path).expect("a journal");
    let after = fs::read(&log).expect("a log");
    assert!(after.starts_with(&before) && after.len() > before.len());
    let expected = state(root);
    assert!(expected.contains("text/y"), "{expected}");
    for cut in before.len()..=after.len() {
        fs::write(&journal_path, &journal).expect("a file");
        fs::write(&log, &after[..cut]).expect("a file");
        assert_eq!(state(root), expected, "cut at {cut}");
        assert_eq!(fs::read(&log).expect("a log"), after, "cut at {cut}");
    }
}

#[test]
fn a_log_that_is_cut_at_any_byte_has_the_lines_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let (log, text) = prepare_log(root);
    for cut in 0..=text.len() {
        fs::write(&log, &text[..cut]).expect("a file");
        let lines = text[..cut].iter().filter(|byte| **byte == b'\n').count();
        let state = open(root).fork().snapshot().state;
        let bucket = state.bucket("alpha").expect("a bucket");
        let typed = bucket
            .objects
            .values()
            .filter(|object| object.attributes.content_type == "text/x");
        assert_eq!(typed.count(), lines, "cut at {cut}");
        assert_eq!(bucket.objects.len(), 5, "cut at {cut}");
    }
    // The next write begins where the complete lines end.
    fs::write(&log, &text[..text.len() - 3]).expect("a file");
    let put = [("Bucket", "alpha"), ("Key", "4"), ("ContentType", "text/x")];
    perform(&open(root), "put_object", &put);
    let state = state(root);
    assert_eq!(state.matches("text/x").count(), 5, "{state}");
}

#[test]
fn a_line_that_is_no_record_is_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let (log, text) = prepare_log(root);
    fs::write(&log, [b"{}\n", text.as_slice()].concat()).expect("a file");
    let error = DiskWorld::open(root, Clock::System).err();
    let error = error.map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("alpha.log: damaged: line 1"), "{error}");
}

/// The bytes that a change has brought to disk when it is committed. They contain
/// everything that it writes later.
fn bytes_written(root: &Path, operation: &str, pairs: &[(&'static str, &str)]) -> u64 {
    let world = open(root);
    let more = world.interrupted(operation, &params(pairs), 0);
    assert!(more.expect("a working disk"));
    let hidden = root.join(".dialog2api");
    let staged = fs::read_dir(hidden.join("staged")).expect("a folder");
    let files = staged.map(|file| file.expect("a file").path());
    let sizes = files
        .chain([hidden.join("journal.json")])
        .map(|path| fs::metadata(path).expect("a file").len());
    sizes.sum()
}

#[test]
fn a_put_writes_as_much_in_a_large_bucket_as_in_a_small_one() {
    let put = [("Bucket", "alpha"), ("Key", "n"), ("Body", "content")];
    let written = [3, 300].map(|objects| {
        let folder = tempfile::tempdir().expect("a folder");
        prepare(folder.path());
        // Files that a person wrote. The first complete manifest includes them.
        for number in 0..objects {
            let path = folder.path().join(format!("alpha/k{number}"));
            fs::write(path, "content").expect("a file");
        }
        let world = open_with(folder.path(), merging());
        // Only those that were read.
        perform(&world, "list_objects_v2", &[("Bucket", "alpha")]);
        perform(&world, "put_object", &put);
        drop(world);
        let merged = fs::metadata(folder.path().join(".dialog2api/buckets/alpha.json"));
        let merged = merged.expect("a manifest").len();
        assert!(merged > objects * 100, "{merged}");
        let first = bytes_written(folder.path(), "put_object", &put);
        let folder_after = state(folder.path());
        assert!(folder_after.contains("content"));
        // Deleting writes no more bytes.
        let deletion = [("Bucket", "alpha"), ("Key", "n")];
        let deleted = bytes_written(folder.path(), "delete_object", &deletion);
        // The log has the same length in both cases, so that its offset has equally many
        // digits.
        (first, deleted)
    });
    assert_eq!(written[0], written[1]);
}

#[test]
fn merging_a_log_costs_no_more_than_it_was_long() {
    use super::manifest_log::ManifestSize;
    let limits = DiskLimits::default();
    let (mut size, mut appended, mut merged) = (ManifestSize::default(), 0, 0);
    // No object is ever written again, so the manifest grows as fast as possible.
    for objects in 1..=200_000 {
        let record = 260;
        appended += record;
        if size.is_due(record, objects, &limits) {
            let manifest = objects as u64 * record;
            merged += manifest;
            size = ManifestSize {
                manifest,
                ..ManifestSize::default()
            };
        } else {
            size.log += record;
        }
    }
    assert!(merged > 0);
    assert!(merged <= 3 * appended, "{merged} beside {appended}");
}

#[test]
fn staged_files_of_no_change_are_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    prepare(folder.path());
    let before = state(folder.path());
    let staged = folder.path().join(".dialog2api/staged");
    fs::write(staged.join("0"), "half a fi").expect("a file");
    fs::write(staged.join("journal"), "[{\"make_bu").expect("a file");
    assert_eq!(state(folder.path()), before);
    assert_eq!(fs::read_dir(&staged).expect("a folder").count(), 0);
}

#[test]
fn a_journal_from_elsewhere_reaches_nothing_outside() {
    for key in ["../../outside", "/etc/outside", "a/../../../outside"] {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("world");
        fs::create_dir(&root).expect("a folder");
        prepare(&root);
        fs::write(root.join(".dialog2api/staged/0"), "x").expect("a file");
        let step = format!(r#"[{{"move_file":{{"staged":"0","bucket":"alpha","key":"{key}"}}}}]"#);
        fs::write(root.join(".dialog2api/journal.json"), step).expect("a file");
        let error = DiskWorld::open(&root, Clock::System)
            .err()
            .map(|error| error.to_string());
        assert!(
            error.is_some_and(|text| text.contains("has no place")),
            "{key}"
        );
    }
}
