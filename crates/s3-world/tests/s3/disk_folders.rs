//! Folders as people have them: files of any size, subfolders of any name, changes by hand while
//! a world is open, and hidden folders that come from somebody else.

use super::disk::{calls, folder, open};
use crate::support::{render, run};
use expect_test::{Expect, expect};
use futures_util::FutureExt;
use s3_world::domain::{Value, signature};
use s3_world::world::DiskWorld;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Makes calls of an open world, one a line.
pub fn ask(world: &DiskWorld, lines: &str) -> String {
    run(lines, |operation, params| {
        world.perform(operation, params).expect("a working disk")
    })
}

/// A file that nobody has touched for a while, so that its time says that it is the same.
pub fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, content).expect("a file");
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    let file = File::options().write(true).open(path).expect("the file");
    file.set_modified(hour_ago).expect("a time");
}

/// The keys of a bucket with their sizes.
pub fn keys(world: &DiskWorld, bucket: &str) -> String {
    let params = Value::Map(vec![("Bucket".into(), bucket.into())]);
    let answer = world
        .perform("list_objects_v2", &params)
        .expect("a working disk");
    let Ok(answer) = &answer else {
        return render(&answer);
    };
    let listed = answer.get("Contents").and_then(Value::as_list);
    let shown = listed.unwrap_or_default().iter().map(|it| {
        let key = it.get("Key").and_then(Value::as_str).unwrap_or_default();
        let size = it.get("Size").and_then(Value::as_int).unwrap_or_default();
        format!("{key}:{size}")
    });
    shown.collect::<Vec<_>>().join(" ")
}

const LARGE: u64 = (64 << 20) + 5;

#[test]
fn a_large_file_is_listed_read_in_parts_copied_moved_and_deleted() {
    let folder = folder();
    let root = folder.path();
    write(&root.join("album/a.jpg"), "x");
    let large = File::create(root.join("album/video.mp4")).expect("a file");
    large.set_len(LARGE).expect("room");
    let world = open(root);
    assert_eq!(keys(&world, "album"), format!("a.jpg:1 video.mp4:{LARGE}"));
    expect![[r#"
        ! 400 EntityTooLarge: The object has 67108869 bytes or more, and at most 67108864 can be read at once: ask for a part of it with Range {MaxSizeAllowed: "67108864"}
    "#]]
    .assert_eq(&ask(&world, r#"get_object {"Bucket":"album","Key":"video.mp4"}"#));
    let part = ask(
        &world,
        r#"get_object {"Bucket":"album","Key":"video.mp4","Range":"bytes=67108860-67108900"}"#,
    );
    assert!(part.contains("bytes 67108860-67108868/67108869"), "{part}");
    ask(
        &world,
        r#"
        copy_object {"Bucket":"album","Key":"copies/one.mp4","CopySource":"album/video.mp4"}
        put_object_tagging {"Bucket":"album","Key":"video.mp4","Tagging":{"TagSet":[{"Key":"a","Value":"b"}]}}
        copy_object {"Bucket":"album","Key":"moved.mp4","CopySource":"album/video.mp4"}
        delete_object {"Bucket":"album","Key":"video.mp4"}
        "#,
    );
    let expected = format!("a.jpg:1 copies/one.mp4:{LARGE} moved.mp4:{LARGE}");
    assert_eq!(keys(&world, "album"), expected);
    assert!(!root.join("album/video.mp4").exists());
    let copy = fs::metadata(root.join("album/copies/one.mp4")).expect("a file");
    assert_eq!(copy.len(), LARGE);
    drop(world);
    assert_eq!(keys(&open(root), "album"), expected);
}

#[test]
fn parts_become_an_object_that_is_larger_than_memory_holds_at_once() {
    let folder = folder();
    let root = folder.path();
    fs::create_dir_all(root.join("album")).expect("a folder");
    let source = File::create(root.join("album/source")).expect("a file");
    source.set_len(LARGE).expect("room");
    let world = open(root);
    let place = r#""Bucket":"album","Key":"joined""#;
    let begun = world.perform(
        "create_multipart_upload",
        &crate::support::value(&serde_json::json!({"Bucket": "album", "Key": "joined"})),
    );
    let begun = begun.expect("a working disk").expect("an upload");
    let id = begun
        .get("UploadId")
        .and_then(Value::as_str)
        .expect("an id");
    let mut parts = Vec::new();
    for number in 1..=2 {
        let params = serde_json::json!({"Bucket": "album", "Key": "joined", "UploadId": id,
            "PartNumber": number, "CopySource": "album/source"});
        let params = crate::support::value(&params);
        let part = world.perform("upload_part_copy", &params);
        let part = part.expect("a working disk").expect("a part");
        let tag = part.get("CopyPartResult").and_then(|it| it.get("ETag"));
        let tag = tag.and_then(Value::as_str).expect("a tag").to_owned();
        parts.push(serde_json::json!({"PartNumber": number, "ETag": tag}));
    }
    let params = serde_json::json!({"Bucket": "album", "Key": "joined", "UploadId": id,
        "MultipartUpload": {"Parts": parts}});
    let done = world.perform("complete_multipart_upload", &crate::support::value(&params));
    assert!(done.expect("a working disk").is_ok());
    let head = ask(&world, &format!("head_object {{{place}}}"));
    assert!(
        head.contains(&format!("ContentLength: {}", 2 * LARGE)),
        "{head}"
    );
    let left = fs::read_dir(root.join(".dialog2api/incoming")).expect("a folder");
    assert_eq!(left.count(), 0, "what was joined is in its place");
}

#[cfg(unix)]
#[test]
fn what_is_no_bucket_or_object_is_left_out_in_one_sentence() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let root = &folder.path().join("photos");
    write(&root.join("a/one.jpg"), "1");
    write(&root.join("my_photos/two.jpg"), "22");
    write(&root.join("Photos/three.jpg"), "333");
    write(&root.join("My Photos/four.jpg"), "4");
    write(&root.join("Zürich/five.jpg"), "5");
    write(&root.join("top.jpg"), "6");
    write(&root.join("top-too.jpg"), "6");
    write(&root.join(".hidden"), "7");
    fs::write(root.join("a").join(OsStr::from_bytes(b"\xff.jpg")), "8").expect("a file");
    std::os::unix::fs::symlink("/etc/passwd", root.join("a/link")).expect("a link");
    let socket = std::os::unix::net::UnixListener::bind(root.join("a/socket"));
    let world = open(root);
    drop(socket);
    let note = world.note().unwrap_or_default();
    let note = note.replace(&folder.path().display().to_string(), "HOME");
    expect![[r#"
        note: in HOME/photos the folder "My Photos" is the bucket my-photos, the folder "Zürich" is the bucket zuerich: programs write that name, because a bucket's name has no other characters than a-z, A-Z, 0-9, '.', '-' and '_'
        note: of HOME/photos programs do not see 2 files that lie in no subfolder (subfolders are buckets: with --world HOME they are in the bucket photos); 1 hidden file or folder at the top; 1 link; 1 pipe, socket or device; 1 name that is not UTF-8"#]].assert_eq(&note);
    assert_eq!(keys(&world, "a"), "one.jpg:1");
    assert_eq!(keys(&world, "my_photos"), "two.jpg:2");
    assert_eq!(keys(&world, "Photos"), "three.jpg:3");
    // New buckets have the names that S3 gives today.
    let new = ask(&world, r#"create_bucket {"Bucket":"my_videos"}"#);
    assert!(new.contains("InvalidBucketName"), "{new}");
    // Such a bucket can be written, and is there again.
    ask(
        &world,
        r#"put_object {"Bucket":"a","Key":"k","Body":"new"}"#,
    );
    drop(world);
    assert_eq!(keys(&open(root), "a"), "k:3 one.jpg:1");
    let plain = folder.path().join("plain");
    write(&plain.join("album/a"), "x");
    assert_eq!(open(&plain).note(), None);
}

#[test]
fn reading_a_world_writes_nothing() {
    let folder = folder();
    let root = folder.path();
    write(&root.join("album/a.txt"), "x");
    let world = open(root);
    ask(
        &world,
        r#"
        list_buckets
        list_objects_v2 {"Bucket":"album"}
        get_object {"Bucket":"album","Key":"a.txt"}
        head_object {"Bucket":"album","Key":"none"}
        put_object {"Bucket":"none","Key":"k","Body":"x"}
        delete_object {"Bucket":"album","Key":"none"}
        "#,
    );
    let signed = signature(&world, []).now_or_never();
    assert!(signed.is_some_and(|signed| signed.is_ok()));
    drop(world);
    let names: Vec<PathBuf> = fs::read_dir(root)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().into())
        .collect();
    assert_eq!(names, [PathBuf::from("album")]);
}

/// Which of the keys have checksums that are known without reading.
fn known(root: &Path) -> String {
    let world = open(root);
    let state = world.fork().snapshot().state;
    let objects = state
        .buckets()
        .flat_map(|(_, bucket)| bucket.objects.iter());
    let known = objects.filter(|(_, object)| object.content.known_checksums().is_some());
    known.map(|(key, _)| format!("{key} ")).collect()
}

#[test]
fn a_file_is_read_once_where_the_user_writes() {
    let folder = folder();
    let root = folder.path();
    write(&root.join("album/a.txt"), "one");
    write(&root.join("album/b.txt"), "two");
    write(&root.join("album/c.txt"), "three");
    assert_eq!(known(root), "", "an opening reads nothing");
    let world = open(root);
    ask(
        &world,
        r#"
        head_object {"Bucket":"album","Key":"a.txt"}
        head_object {"Bucket":"album","Key":"b.txt"}
        put_object {"Bucket":"album","Key":"by-program","Body":"x"}
        "#,
    );
    drop(world);
    // A restart has the checksums; a changed file has none until it is read.
    write(&root.join("album/b.txt"), "other");
    assert_eq!(known(root), "a.txt by-program ");
    let index = root.join(".dialog2api/index");
    let text = fs::read_to_string(&index).expect("an index");
    fs::write(&index, text.replace("a.txt", "b.txt")).expect("a file");
    assert_eq!(
        known(root),
        "by-program ",
        "a damaged index counts for nothing"
    );
}

/// What calls answer after something was done by hand to the files of an open world.
fn by_hand(change: impl FnOnce(&Path), lines: &str, expected: Expect) {
    let folder = folder();
    let root = folder.path();
    write(&root.join("album/a.txt"), "before");
    write(&root.join("album/deep/b.txt"), "b");
    write(&root.join("empty/gone"), "");
    fs::remove_file(root.join("empty/gone")).expect("a file");
    calls(
        root,
        r#"put_object {"Bucket":"album","Key":"typed","Body":"typed","ContentType":"text/x"}"#,
    );
    let world = open(root);
    keys(&world, "album");
    change(root);
    let answers = ask(&world, lines);
    let short = answers.lines().map(|line| {
        let body = line
            .split("Body: ")
            .nth(1)
            .map(|body| body.trim_end_matches('}'));
        let kind = line.split("ContentType: ").nth(1);
        let kind = kind.and_then(|kind| kind.split(',').next());
        match (body, kind) {
            (Some(body), Some(kind)) => format!("{body} {kind}\n"),
            _ if line.starts_with('!') => {
                format!("{}\n", line.split(':').next().unwrap_or_default())
            }
            _ => "done\n".to_owned(),
        }
    });
    let shown = short.collect::<String>();
    let now = [keys(&world, "album"), keys(&world, "empty")].join("\n");
    drop(world);
    let world = open(root);
    let later = [keys(&world, "album"), keys(&world, "empty")].join("\n");
    assert_eq!(now, later, "an opening sees the same");
    expected.assert_eq(&format!("{shown}{now}\n"));
}

#[test]
fn what_changes_by_hand_is_seen_at_the_next_call() {
    by_hand(
        |root| fs::write(root.join("album/a.txt"), "beside").expect("a file"),
        r#"
        get_object {"Bucket":"album","Key":"a.txt"}
        copy_object {"Bucket":"album","Key":"copy","CopySource":"album/a.txt"}
        "#,
        expect![[r#"
            b"beside" "text/plain"
            done
            a.txt:6 copy:6 deep/b.txt:1 typed:5

        "#]],
    );
    by_hand(
        |root| fs::write(root.join("album/typed"), "other").expect("a file"),
        r#"get_object {"Bucket":"album","Key":"typed"}"#,
        expect![[r#"
            b"other" "binary/octet-stream"
            a.txt:6 deep/b.txt:1 typed:5

        "#]],
    );
    by_hand(
        |root| write(&root.join("album/typed"), "typed"),
        r#"get_object {"Bucket":"album","Key":"typed"}"#,
        expect![[r#"
            b"typed" "text/x"
            a.txt:6 deep/b.txt:1 typed:5

        "#]],
    );
    by_hand(
        |root| {
            fs::remove_file(root.join("album/a.txt")).expect("a file");
            fs::remove_dir_all(root.join("album/deep")).expect("a folder");
        },
        r#"
        get_object {"Bucket":"album","Key":"a.txt"}
        head_object {"Bucket":"album","Key":"deep/b.txt"}
        "#,
        expect![[r#"
            ! 404 NoSuchKey
            ! 404 404
            typed:5

        "#]],
    );
    by_hand(
        |root| {
            write(&root.join("album/new/very/deep.txt"), "new");
            write(&root.join("album/top.txt"), "new");
            write(&root.join("other/k"), "k");
        },
        r#"
        get_object {"Bucket":"album","Key":"top.txt"}
        get_object {"Bucket":"other","Key":"k"}
        "#,
        expect![[r#"
            b"new" "text/plain"
            b"k" "binary/octet-stream"
            a.txt:6 deep/b.txt:1 new/very/deep.txt:3 top.txt:3 typed:5

        "#]],
    );
    by_hand(
        |root| fs::rename(root.join("album/a.txt"), root.join("album/b.txt")).expect("a file"),
        r#"get_object {"Bucket":"album","Key":"b.txt"}"#,
        expect![[r#"
            b"before" "text/plain"
            b.txt:6 deep/b.txt:1 typed:5

        "#]],
    );
    by_hand(
        |root| fs::remove_dir_all(root.join("album")).expect("a folder"),
        r#"
        get_object {"Bucket":"album","Key":"a.txt"}
        list_objects_v2 {"Bucket":"album"}
        "#,
        expect![[r#"
            ! 404 NoSuchBucket
            ! 404 NoSuchBucket
            ! 404 NoSuchBucket: The specified bucket does not exist {BucketName: "album"}

        "#]],
    );
}

#[test]
fn an_acknowledged_write_is_not_lost_to_a_file_made_by_hand() {
    by_hand(
        |root| write(&root.join("album/fresh"), "by hand"),
        r#"
        put_object {"Bucket":"album","Key":"fresh","Body":"x","IfNoneMatch":"*"}
        put_object {"Bucket":"album","Key":"fresh","Body":"program"}
        get_object {"Bucket":"album","Key":"fresh"}
        "#,
        expect![[r#"
            ! 412 PreconditionFailed
            done
            b"program" "binary/octet-stream"
            a.txt:6 deep/b.txt:1 fresh:7 typed:5

        "#]],
    );
    by_hand(
        |root| write(&root.join("empty/by-hand"), "x"),
        r#"delete_bucket {"Bucket":"empty"}"#,
        expect![[r#"
            ! 409 BucketNotEmpty
            a.txt:6 deep/b.txt:1 typed:5
            by-hand:1
        "#]],
    );
}

#[cfg(unix)]
#[test]
fn a_bucket_with_a_file_that_is_no_object_is_not_empty() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    by_hand(
        |root| {
            let name = OsStr::from_bytes(b"\xff");
            fs::write(root.join("empty").join(name), "mine").expect("a file");
        },
        r#"delete_bucket {"Bucket":"empty"}"#,
        expect![[r#"
            ! 409 BucketNotEmpty
            a.txt:6 deep/b.txt:1 typed:5

        "#]],
    );
}

/// A folder that was written before, spoilt, and what the next write in it says.
#[cfg(unix)]
fn linked(name: &str, expected: &str) {
    let folder = folder();
    let root = &folder.path().join("world");
    calls(
        root,
        r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"k","Body":"x"}
        "#,
    );
    let outside = folder.path().join("outside");
    let file = root.join(".dialog2api").join(name);
    let content = fs::read(&file).unwrap_or_default();
    fs::write(&outside, &content).expect("a file");
    let _ = fs::remove_file(&file);
    std::os::unix::fs::symlink(&outside, &file).expect("a link");
    let start = "2024-01-01T00:00:00Z".parse().expect("a time");
    let clock = s3_world::clock::Clock::Steps(start);
    let said = DiskWorld::open(root, clock).and_then(|world| {
        let put = serde_json::json!({"Bucket": "alpha", "Key": "new", "Body": "x"});
        world.perform("put_object", &crate::support::value(&put))
    });
    let said = match said {
        Ok(_) => "written".to_owned(),
        Err(error) => error.to_string(),
    };
    assert!(said.contains(expected), "{name}: {said}");
    assert_eq!(fs::read(&outside).expect("a file"), content, "{name}");
}

#[cfg(unix)]
#[test]
fn links_in_the_hidden_folder_are_not_followed() {
    linked("lock", "a file was expected");
    linked("buckets/alpha.log", "not a file but a link");
    linked("buckets/alpha.json", "not a file but a link");
    linked("journal.json", "not a file but a link");
    linked("index", "written");
    linked("index.new", "written");
    linked("staged/0", "written");
    linked("staged/journal", "written");
}

#[test]
fn damage_to_metadata_is_noticed() {
    let folder = folder();
    let root = folder.path();
    calls(
        root,
        r#"
        create_bucket {"Bucket":"alpha"}
        put_object {"Bucket":"alpha","Key":"k","Body":"x","Metadata":{"owner":"ann"}}
        put_bucket_versioning {"Bucket":"alpha","VersioningConfiguration":{"Status":"Enabled"}}
        put_object {"Bucket":"alpha","Key":"l","Body":"x","Metadata":{"owner":"ben"}}
        "#,
    );
    for name in ["alpha.json", "alpha.log"] {
        let path = root.join(".dialog2api/buckets").join(name);
        let good = fs::read(&path).expect("a file");
        assert!(!good.is_empty(), "{name}");
        for at in 0..good.len() - 1 {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs::write(&path, &bad).expect("a file");
            let opened = DiskWorld::open(root, s3_world::clock::Clock::System);
            let error = opened.err().map(|error| error.to_string());
            let error = error.unwrap_or_else(|| panic!("{name}: byte {at} went unnoticed"));
            assert!(error.contains("damaged"), "{error}");
        }
        fs::write(&path, &good).expect("a file");
    }
    open(root);
}
