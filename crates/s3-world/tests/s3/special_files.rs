//! Pipes and sockets among the files of a user: nothing waits for them, and who names one is told.

use super::disk::{folder, open};
use super::support::{render, run};
use crate::support::block_on;
use expect_test::expect;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use s3_world::domain::World;
use s3_world::files::{Folders, WithFiles};
use s3_world::world::{DiskWorld, memory};
use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::Arc;

fn pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
}

/// A folder of this name with a file, a pipe, a link to the pipe, a socket, and a folder.
fn room(name: &str) -> tempfile::TempDir {
    let room = folder();
    let inner = room.path().join(name);
    fs::create_dir(&inner).expect("a folder");
    fs::write(inner.join("a.txt"), "a").expect("a file");
    pipe(&inner.join("pipe"));
    std::os::unix::fs::symlink("pipe", inner.join("link")).expect("a link");
    UnixListener::bind(inner.join("socket")).expect("a socket");
    room
}

#[test]
fn transfers_do_not_wait_for_a_pipe() {
    let room = room("photos");
    let grant = format!("{}:rw", room.path().join("photos").display());
    let folders = Arc::new(Folders::open([grant.as_str()]).expect("a folder"));
    let store = Arc::new(memory("empty").expect("a world"));
    let world = Arc::new(WithFiles::new(store, folders, 64 << 20, None));
    let ask = |world: &dyn World, calls: &str| {
        let call = |operation: &str, params: &_| block_on(world.call(operation, params));
        run(calls, |operation, params| {
            call(operation, params).expect("an answer")
        })
    };
    let setup = r#"
create_bucket {"Bucket": "album"}
put_object {"Bucket": "album", "Key": "b", "Body": "b"}
"#;
    let calls = r#"
upload_file {"Filename": "photos/pipe", "Bucket": "album", "Key": "k"}
upload_file {"Filename": "photos/link", "Bucket": "album", "Key": "k"}
upload_file {"Filename": "photos/socket", "Bucket": "album", "Key": "k"}
read_file {"Filename": "photos/pipe"}
download_file {"Filename": "photos/pipe", "Bucket": "album", "Key": "b"}
download_file {"Filename": "photos/socket", "Bucket": "album", "Key": "b"}
"#;
    ask(&*world, setup);
    let draft = world.fork().expect("a draft");
    let drafted = ask(&*draft, calls);
    expect![[r#"
        ! 400 OSError: it is a pipe, a socket or a device, and no file: 'photos/pipe'
        ! 400 OSError: it is a pipe, a socket or a device, and no file: 'photos/link'
        ! 400 OSError: it is a pipe, a socket or a device, and no file: 'photos/socket'
        ! 400 OSError: it is a pipe, a socket or a device, and no file: 'photos/pipe'
        ! 400 OSError: it is a pipe, a socket or a device, and no file: 'photos/pipe'
        ! 400 OSError: it is a pipe, a socket or a device, and no file: 'photos/socket'
    "#]]
    .assert_eq(&drafted);
    assert_eq!(ask(&*world, calls), drafted);
}

#[test]
fn the_world_of_a_folder_does_not_wait_for_a_pipe() {
    let room = room("album");
    let world = open(room.path());
    let ask = |world: &DiskWorld, lines: &str| {
        run(lines, |operation, params| {
            world.perform(operation, params).expect("a working disk")
        })
    };
    let keys = |world: &DiskWorld| {
        let listed = crate::support::value(&serde_json::json!({"Bucket": "album"}));
        let listed = world.perform("list_objects_v2", &listed);
        let listed = render(&listed.expect("a working disk"));
        let keys = listed.split("Key: ").skip(1);
        keys.map(|it| it.split(',').next().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    expect![[r#""a.txt""#]].assert_eq(&keys(&world));
    expect![[r#"
        ! 404 NoSuchKey: The specified key does not exist. {Key: "pipe"}
        {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
        {ServerSideEncryption: "AES256", CopyObjectResult: {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', LastModified: 2024-01-01T00:00:01Z, ChecksumType: "FULL_OBJECT", ChecksumCRC32: "jNwWgw=="}}
        {}
        {}
    "#]].assert_eq(&ask(
        &world,
        r#"
get_object {"Bucket": "album", "Key": "pipe"}
put_object {"Bucket": "album", "Key": "pipe", "Body": "x"}
copy_object {"Bucket": "album", "Key": "b.txt", "CopySource": "album/pipe"}
delete_object {"Bucket": "album", "Key": "pipe"}
delete_object {"Bucket": "album", "Key": "socket"}
"#,
    ));
    // A file that becomes a pipe while the world is open.
    fs::remove_file(room.path().join("album/a.txt")).expect("the file");
    pipe(&room.path().join("album/a.txt"));
    expect![[r#"
        ! 404 404: Not Found
        ! 404 NoSuchKey: The specified key does not exist. {Key: "a.txt"}
        {ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumCRC32: "jNwWgw==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
    "#]].assert_eq(&ask(
        &world,
        r#"
head_object {"Bucket": "album", "Key": "a.txt"}
get_object {"Bucket": "album", "Key": "a.txt"}
put_object {"Bucket": "album", "Key": "a.txt", "Body": "x"}
"#,
    ));
    expect![[r#""a.txt" "b.txt""#]].assert_eq(&keys(&world));
}
