//! Files of the user: what transfers leave in a folder and in a world, in plans and after them.

use crate::plan::lab::{block_on, content, end};
use dialog2api::domain::s3::files::{self, Folders, WithFiles};
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::s3::{Memory, S3};
use dialog2api::domain::{Answer, Domain, Map, Transfers, Value, World, Write};
use dialog2api::plan::{Applied, Apply, Draft, Keeping, Unrecorded, effects, undo};
use expect_test::{Expect, expect};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// A folder `photos`, granted, and a world with the bucket `album`.
struct Lab {
    room: TempDir,
    store: Arc<Memory>,
    world: Arc<dyn World>,
    domain: Arc<Domain>,
}

impl Lab {
    /// `there` are the files, as `name=content`; `grant` is `""` or `":rw"`.
    fn new(there: &[&str], grant: &str) -> Lab {
        let room = tempfile::tempdir().unwrap();
        let photos = room.path().join("photos");
        fs::create_dir(&photos).unwrap();
        for file in there {
            let (name, content) = file.split_once('=').unwrap();
            write(&photos.join(name), content);
        }
        let grant = format!("{}{grant}", photos.display());
        let folders = Arc::new(Folders::open([grant.as_str()]).unwrap());
        let store = Arc::new(memory("empty").unwrap());
        let domain = Arc::new(files::granted(&S3, &folders));
        let world = Arc::new(WithFiles::new(store.clone(), folders, 64 << 20, None));
        let lab = Lab {
            room,
            store,
            world,
            domain,
        };
        lab.call("create_bucket Bucket=album").unwrap();
        lab
    }

    fn photos(&self) -> std::path::PathBuf {
        self.room.path().join("photos")
    }

    /// Makes a call: `operation Name=value Name=value`.
    fn call(&self, call: &str) -> Answer {
        let (operation, params) = read(call);
        block_on(self.world.call(operation, &params)).unwrap()
    }

    /// What calls would write.
    fn draft(&self, calls: &[&str]) -> Vec<Write> {
        let draft = Draft::of(&self.world, &self.domain).unwrap();
        for call in calls {
            let (operation, params) = read(call);
            let answer = block_on(draft.call(operation, &params)).unwrap();
            answer.unwrap_or_else(|refusal| panic!("{call}: {}", refusal.message));
        }
        draft.writes()
    }

    fn apply(&self, writes: &[Write]) -> Applied {
        let planning = self.domain.effects.planning.as_deref().unwrap();
        let mut apply = Apply::new(planning, &*self.world, writes);
        apply.patience.first_wait = Duration::ZERO;
        block_on(apply.run(&mut Unrecorded, &mut |_| ()))
    }

    /// How many bytes the transfers have moved.
    fn moved(&self) -> u64 {
        self.world.moved().unwrap().bytes()
    }

    /// The files and the objects, a line each.
    fn all(&self) -> String {
        let mut lines = Vec::new();
        files_below(&self.photos(), &mut lines);
        lines.sort();
        format!("{}{}", lines.concat(), content(&*self.store))
    }
}

fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
    // An old time, so that a change shows even where clocks are coarse.
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000))
        .unwrap();
}

fn files_below(folder: &Path, lines: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => files_below(&entry.path(), lines),
            false => {
                let name = entry.file_name().into_string().unwrap();
                let content = fs::read(entry.path()).unwrap();
                let shown = String::from_utf8_lossy(&content[..content.len().min(20)]).into_owned();
                lines.push(format!("{name}: {shown}\n"));
            }
        }
    }
}

fn read(call: &str) -> (&str, Value) {
    let mut words = call.split(' ');
    let operation = words.next().unwrap();
    let params = words.map(|word| {
        let (name, value) = word.split_once('=').unwrap();
        (name.to_owned().into(), value.into())
    });
    (operation, Value::Map(params.collect::<Map>()))
}

/// Plans calls, shows the plan, carries it out, and takes it back.
#[track_caller]
fn check(lab: &Lab, calls: &[&str], expected: Expect) {
    let before = lab.all();
    let writes = lab.draft(calls);
    assert_eq!(lab.all(), before, "a draft changes nothing");
    let mut shown = String::new();
    for effect in effects(&writes) {
        let from = effect.copied_from.map(|from| format!(" from {from}"));
        let size = |mark: Option<dialog2api::domain::Mark>| {
            mark.map_or_else(|| "nothing".to_owned(), |mark| mark.size.to_string())
        };
        let (before, after) = (size(effect.before), size(effect.after));
        let from = from.unwrap_or_default();
        shown += &format!("{}: {before} → {after}{from}\n", effect.place);
    }
    let done = lab.apply(&writes);
    shown += &format!("{}\n{}", end(&done, writes.len()), lab.all());
    let planning = lab.domain.effects.planning.as_deref().unwrap();
    let back = undo(planning, &writes, &done.steps, Keeping::default());
    let undone = lab.apply(&back.plan.writes);
    shown += &format!("taken back: {}\n", end(&undone, back.plan.writes.len()));
    assert_eq!(lab.all(), before, "as it was");
    expected.assert_eq(&shown);
}

#[test]
fn uploads_are_planned_made_and_taken_back() {
    let lab = Lab::new(&["a.jpg=one", "2024/b.jpg=second"], "");
    lab.call("put_object Bucket=album Key=a.jpg Body=old")
        .unwrap();
    check(
        &lab,
        &[
            "upload_file Filename=photos/a.jpg Bucket=album Key=a.jpg",
            "upload_file Filename=photos/2024/b.jpg Bucket=album Key=2024/b.jpg",
        ],
        expect![[r#"
            album/a.jpg: 3 → 3 from file:photos/a.jpg
            album/2024/b.jpg: nothing → 6 from file:photos/2024/b.jpg
            all 2 writes are made
            a.jpg: one
            b.jpg: second
            + album/
            + album/2024/b.jpg (6 bytes)
            + album/a.jpg (3 bytes)
            taken back: all 2 writes are made
        "#]],
    );
}

#[test]
fn downloads_are_planned_made_and_taken_back() {
    let lab = Lab::new(&["old.txt=what was there"], ":rw");
    lab.call("put_object Bucket=album Key=a Body=first")
        .unwrap();
    lab.call("put_object Bucket=album Key=empty Body=").unwrap();
    check(
        &lab,
        &[
            "download_file Bucket=album Key=a Filename=photos/old.txt",
            "download_file Bucket=album Key=a Filename=photos/deep/er/new.txt",
            "download_file Bucket=album Key=empty Filename=photos/empty",
        ],
        expect![[r#"
            file:photos/old.txt: 14 → 5 from album/a
            file:photos/deep/er/new.txt: nothing → 5 from album/a
            file:photos/empty: nothing → 0 from album/empty
            all 3 writes are made
            empty: 
            new.txt: first
            old.txt: first
            + album/
            + album/a (5 bytes)
            + album/empty (0 bytes)
            taken back: all 3 writes are made
        "#]],
    );
}

#[test]
fn a_file_that_changes_after_the_plan_stops_it() {
    let lab = Lab::new(&["a.jpg=one"], ":rw");
    lab.call("put_object Bucket=album Key=x Body=content")
        .unwrap();
    let upload = lab.draft(&["upload_file Filename=photos/a.jpg Bucket=album Key=a.jpg"]);
    let download = lab.draft(&["download_file Bucket=album Key=x Filename=photos/a.jpg"]);
    fs::write(lab.photos().join("a.jpg"), "another").unwrap();
    let ends = [end(&lab.apply(&upload), 1), end(&lab.apply(&download), 1)].join("\n");
    expect![[r#"
        PlanOutdated: Nothing was changed: file:photos/a.jpg has changed since this was planned.
        PlanOutdated: Nothing was changed: file:photos/a.jpg has changed since this was planned.
        a.jpg: another
        + album/
        + album/x (7 bytes)
    "#]]
    .assert_eq(&format!("{ends}\n{}", lab.all()));
}

#[test]
fn a_file_that_is_written_again_with_its_old_size_and_time_stops_the_plan() {
    let lab = Lab::new(&["a.jpg=planned"], ":rw");
    lab.call("put_object Bucket=album Key=x Body=content")
        .unwrap();
    let upload = lab.draft(&["upload_file Filename=photos/a.jpg Bucket=album Key=a.jpg"]);
    let download = lab.draft(&["download_file Bucket=album Key=x Filename=photos/a.jpg"]);
    let path = lab.photos().join("a.jpg");
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, "foreign").unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(written).unwrap();
    let ends = [end(&lab.apply(&upload), 1), end(&lab.apply(&download), 1)].join("\n");
    expect![[r#"
        PlanOutdated: Nothing was changed: file:photos/a.jpg has changed since this was planned.
        PlanOutdated: Nothing was changed: file:photos/a.jpg has changed since this was planned.
        a.jpg: foreign
        + album/
        + album/x (7 bytes)
    "#]]
    .assert_eq(&format!("{ends}\n{}", lab.all()));
}

#[test]
fn names_lead_nowhere_else() {
    let lab = Lab::new(&["a.jpg=one"], "");
    std::os::unix::fs::symlink("/etc", lab.photos().join("etc")).unwrap();
    std::os::unix::fs::symlink("a.jpg", lab.photos().join("link")).unwrap();
    let mut shown = String::new();
    for name in [
        "/etc/passwd",
        "photos/../../x",
        "photos/etc/passwd",
        "../a.jpg",
        "photos/nothing",
        "photos",
        "photos/./2024/../a.jpg",
        "photos/link",
        "a.jpg",
    ] {
        let answer = lab.call(&format!("upload_file Filename={name} Bucket=album Key=k"));
        let told = answer.map_or_else(
            |refusal| format!("{} {}", refusal.code, refusal.message),
            |_| "sent".to_owned(),
        );
        shown += &format!("{name}: {told}\n");
    }
    for call in [
        "download_file Bucket=album Key=k Filename=photos/new",
        "write_file Filename=photos/a.jpg Body=x",
        "remove_file Filename=photos/a.jpg",
    ] {
        let refusal = lab.call(call).unwrap_err();
        shown += &format!("{call}: {} {}\n", refusal.code, refusal.message);
    }
    expect![[r#"
        /etc/passwd: PermissionError "/etc/passwd" is in none of the granted folders: photos
        photos/../../x: PermissionError "photos/../../x" is in none of the granted folders: photos
        photos/etc/passwd: PermissionError a link leads out of the granted folder: 'photos/etc/passwd'
        ../a.jpg: PermissionError "../a.jpg" is in none of the granted folders: photos
        photos/nothing: FileNotFoundError No such file or directory: 'photos/nothing'
        photos: IsADirectoryError Is a directory: 'photos'
        photos/./2024/../a.jpg: sent
        photos/link: sent
        a.jpg: sent
        download_file Bucket=album Key=k Filename=photos/new: PermissionError the folder "photos" is granted for reading; --files photos:rw lets it be changed
        write_file Filename=photos/a.jpg Body=x: AccessDenied programs cannot call write_file
        remove_file Filename=photos/a.jpg: AccessDenied programs cannot call remove_file
    "#]].assert_eq(&shown);
}

#[test]
fn large_files_go_in_parts_and_go_on_where_they_were_cut_off() {
    let lab = Lab::new(&[], ":rw");
    let content: Vec<u8> = (0..20_u32 << 20).map(|at| (at / 4099) as u8).collect();
    fs::write(lab.photos().join("film"), &content).unwrap();
    let upload = lab
        .call("create_multipart_upload Bucket=album Key=film")
        .unwrap();
    let id = upload.get("UploadId").and_then(Value::as_str).unwrap();
    let part = |number: i64, content: &[u8]| {
        let (_, Value::Map(mut params)) = read("upload_part Bucket=album Key=film") else {
            unreachable!()
        };
        params.push(("UploadId".into(), id.into()));
        params.push(("PartNumber".into(), Value::Int(number)));
        params.push(("Body".into(), Value::Bytes(content.to_vec().into())));
        block_on(lab.world.call("upload_part", &Value::Map(params)))
            .unwrap()
            .unwrap()
    };
    part(2, &content[8 << 20..16 << 20]);
    let seen = Arc::new(std::sync::Mutex::new(0));
    let count = seen.clone();
    let folders = Arc::new(Folders::open([lab.photos().to_str().unwrap()]).unwrap());
    let tell: Transfers = Arc::new(move |_, done, _| *count.lock().unwrap() = done);
    let world = WithFiles::new(lab.store.clone(), folders, 64 << 20, Some(tell));
    let (operation, params) = read("upload_file Filename=photos/film Bucket=album Key=film");
    block_on(world.call(operation, &params)).unwrap().unwrap();
    assert_eq!(*seen.lock().unwrap(), content.len() as u64);
    // The part that is there is read, and the 12 MiB that are missing are read and sent.
    assert_eq!(world.moved().unwrap().bytes(), (8 + 12 + 12) << 20);
    // The unfinished upload was taken up: it is gone, and no other was begun.
    let left = lab.call("list_multipart_uploads Bucket=album").unwrap();
    assert!(left.get("Uploads").is_none());
    let head = lab.call("head_object Bucket=album Key=film").unwrap();
    let etag = head.get("ETag").and_then(Value::as_str).unwrap().to_owned();
    assert!(etag.ends_with("-3\""), "{etag}");

    // A download begins after what an earlier one left.
    let state: String = etag
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(16)
        .collect();
    let begun = lab.photos().join(format!(".copy.{state}.dialog2api-part"));
    fs::write(&begun, &content[..5_000_000]).unwrap();
    lab.call("download_file Bucket=album Key=film Filename=photos/copy")
        .unwrap();
    assert!(fs::read(lab.photos().join("copy")).unwrap() == content);
    assert!(!begun.exists());
    assert_eq!(lab.moved(), content.len() as u64 - 5_000_000);
}

#[test]
fn a_look_for_whether_an_upload_was_made_counts_what_it_reads() {
    let lab = Lab::new(&["a.jpg=one"], "");
    let writes = lab.draft(&["upload_file Filename=photos/a.jpg Bucket=album Key=a.jpg"]);
    assert!(lab.apply(&writes).is_whole());
    let before = lab.moved();
    let planning = lab.domain.effects.planning.as_deref().unwrap();
    let object = writes[0].touched.iter().find(|it| it.changed).unwrap();
    let made = block_on(planning.holds(&*lab.world, &writes[0], &object.place));
    assert!(made.unwrap());
    assert_eq!(lab.moved() - before, 3);
}

#[test]
fn ten_thousand_files_are_one_plan() {
    let lab = Lab::new(&[], "");
    for number in 0..10_000 {
        fs::write(lab.photos().join(format!("{number:05}.jpg")), "x").unwrap();
    }
    let draft = Draft::of(&lab.world, &lab.domain).unwrap();
    for number in 0..10_000 {
        let call = format!("upload_file Filename=photos/{number:05}.jpg Bucket=album Key={number}");
        let (operation, params) = read(&call);
        block_on(draft.call(operation, &params)).unwrap().unwrap();
    }
    let writes = draft.writes();
    let done = lab.apply(&writes);
    assert_eq!(end(&done, writes.len()), "all 10000 writes are made");
}

impl Lab {
    /// The same world with these folders.
    fn with(&self, grants: &[&str]) -> Lab {
        let folders = Arc::new(Folders::open(grants.iter().copied()).unwrap());
        Lab {
            room: tempfile::tempdir().unwrap(),
            store: self.store.clone(),
            domain: Arc::new(files::granted(&S3, &folders)),
            world: Arc::new(WithFiles::new(self.store.clone(), folders, 64 << 20, None)),
        }
    }

    /// The plan as a journal keeps it.
    fn kept(&self, calls: &[&str]) -> Vec<Write> {
        let planning = self.domain.effects.planning.as_deref().unwrap();
        let mut writes = self.draft(calls);
        for write in &mut writes {
            if let Some(params) = planning.kept(write) {
                write.params = params;
            }
        }
        writes
    }
}

/// The files that writes name.
fn names(writes: &[Write]) -> Vec<&Path> {
    let names = writes.iter().map(|write| write.params.get("Filename"));
    let names = names.map(|name| name.and_then(Value::as_str).unwrap());
    names.map(Path::new).collect()
}

#[test]
fn a_kept_plan_names_its_files_by_their_absolute_paths() {
    let lab = Lab::new(&["a.jpg=one"], ":rw");
    lab.call("put_object Bucket=album Key=x Body=content")
        .unwrap();
    let writes = lab.kept(&[
        "upload_file Filename=a.jpg Bucket=album Key=a.jpg",
        "download_file Bucket=album Key=x Filename=photos/new/x",
    ]);
    let photos = lab.photos().canonicalize().unwrap();
    assert_eq!(names(&writes), [photos.join("a.jpg"), photos.join("new/x")]);
    assert_eq!(end(&lab.apply(&writes), 2), "all 2 writes are made");
    // A write that names no file is kept as it is.
    let put = lab.draft(&["put_object Bucket=album Key=y Body=content"]);
    let planning = lab.domain.effects.planning.as_deref().unwrap();
    assert_eq!(planning.kept(&put[0]), None);
    // Tests run in the folder of the project.
    let here = lab.with(&["tests/s3"]);
    let writes = here.kept(&["upload_file Filename=tests/s3/files.rs Bucket=album Key=b"]);
    let project = Path::new(env!("CARGO_MANIFEST_DIR"))
        .canonicalize()
        .unwrap();
    assert_eq!(names(&writes), [project.join("tests/s3/files.rs")]);
}

#[test]
fn a_kept_plan_changes_no_file_in_another_folder_of_the_same_name() {
    let lab = Lab::new(&["a.jpg=one"], ":rw");
    let upload = ["upload_file Filename=photos/a.jpg Bucket=album Key=a.jpg"];
    let mut writes = lab.kept(&upload);
    let other = Lab::new(&["a.jpg=two"], ":rw");
    // Its file looks the same.
    writes[0].touched = other.draft(&upload).remove(0).touched;
    let said = end(&other.apply(&writes), 1);
    assert!(said.contains("is in none of the granted folders"), "{said}");
}

#[test]
fn a_kept_plan_is_carried_out_in_a_folder_within_another() {
    let lab = Lab::new(&["2024/a=one"], "");
    lab.call("put_object Bucket=album Key=x Body=content")
        .unwrap();
    let outer = lab.photos().display().to_string();
    let inner = format!("{outer}/2024:rw");
    let both = lab.with(&[outer.as_str(), inner.as_str()]);
    let writes = both.kept(&["download_file Bucket=album Key=x Filename=2024/x"]);
    assert_eq!(end(&both.apply(&writes), 1), "all 1 writes are made");
    assert!(lab.photos().join("2024/x").exists());
}

#[test]
fn without_its_folder_a_download_is_not_taken_back() {
    let lab = Lab::new(&[], ":rw");
    lab.call("put_object Bucket=album Key=x Body=content")
        .unwrap();
    let writes = lab.draft(&["download_file Bucket=album Key=x Filename=photos/x"]);
    let done = lab.apply(&writes);
    let planning = lab.domain.effects.planning.as_deref().unwrap();
    let back = undo(planning, &writes, &done.steps, Keeping::default());
    let planning = S3.effects.planning.as_deref().unwrap();
    let still = block_on(back.still(planning, &*lab.store, Keeping::default()));
    expect!["file:photos/x is in a folder that is not granted: name it with --files"]
        .assert_eq(&still.unwrap_err().to_string());
}
