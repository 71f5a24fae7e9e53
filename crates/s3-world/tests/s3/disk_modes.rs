//! Who may read the files of a folder, and what is kept of them.
#![cfg(unix)]

use super::disk::{folder, open};
use super::disk_folders::{ask, write};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn set(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("a file of ours");
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").permissions().mode() & 0o7777
}

/// Contents of private files are kept for versions and undo where nobody else can go.
#[test]
fn what_is_kept_is_not_for_others() {
    let folder = folder();
    let root = folder.path();
    write(&root.join("safe/s.txt"), "secret");
    set(&root.join("safe/s.txt"), 0o600);
    let world = open(root);
    let answers = ask(
        &world,
        r#"
        put_bucket_versioning {"Bucket":"safe","VersioningConfiguration":{"Status":"Enabled"}}
        put_object {"Bucket":"safe","Key":"s.txt","Body":"new"}
        "#,
    );
    assert!(!answers.contains("! "), "{answers}");
    let hidden = root.join(".dialog2api");
    assert_eq!(mode(&hidden), 0o700);
    assert_eq!(mode(&hidden.join("versions")), 0o700);
    assert_eq!(mode(&root.join("safe/s.txt")), 0o600);
    drop(world);
    // One that an earlier version left open is closed.
    set(&hidden, 0o755);
    let world = open(root);
    ask(
        &world,
        r#"put_object {"Bucket":"safe","Key":"t","Body":"1"}"#,
    );
    assert_eq!(mode(&hidden), 0o700);
    drop(world);
    // A folder that a group writes is written by all of the group.
    set(root, 0o775);
    set(&hidden, 0o770);
    let world = open(root);
    ask(
        &world,
        r#"put_object {"Bucket":"safe","Key":"t","Body":"2"}"#,
    );
    assert_eq!(mode(&hidden), 0o770);
}

/// What is written over, copied, and brought back is as private as it was.
#[test]
fn files_keep_their_modes() {
    let folder = folder();
    let root = folder.path();
    for (name, set_to) in [("key.pem", 0o600), ("run.sh", 0o755), ("plain", 0o644)] {
        let path = root.join("priv/in").join(name);
        write(&path, name);
        set(&path, set_to);
    }
    set(&root.join("priv/in"), 0o700);
    set(&root.join("priv"), 0o750);
    let in_folder = |name: &str| mode(&root.join("priv/in").join(name));
    let world = open(root);
    let answers = ask(
        &world,
        r#"
        put_object {"Bucket":"priv","Key":"in/key.pem","Body":"new"}
        copy_object {"Bucket":"priv","Key":"in/copy.pem","CopySource":"priv/in/key.pem"}
        put_object {"Bucket":"priv","Key":"in/fresh","Body":"1"}
        "#,
    );
    assert!(!answers.contains("! "), "{answers}");
    let modes = ["key.pem", "copy.pem", "run.sh", "plain"].map(in_folder);
    assert_eq!(modes, [0o600, 0o600, 0o755, 0o644]);
    let answers = ask(
        &world,
        r#"
        delete_objects {"Bucket":"priv","Delete":{"Objects":[{"Key":"in/key.pem"},{"Key":"in/copy.pem"},{"Key":"in/run.sh"},{"Key":"in/plain"},{"Key":"in/fresh"}]}}
        delete_bucket {"Bucket":"priv"}
        "#,
    );
    assert!(!answers.contains("! "), "{answers}");
    assert!(!root.join("priv").exists());
    drop(world);
    // As an undo in a later process does.
    let world = open(root);
    let answers = ask(
        &world,
        r#"
        create_bucket {"Bucket":"priv"}
        put_object {"Bucket":"priv","Key":"in/key.pem","Body":"key.pem"}
        put_object {"Bucket":"priv","Key":"in/run.sh","Body":"run.sh"}
        put_object {"Bucket":"priv","Key":"in/plain","Body":"plain"}
        "#,
    );
    assert!(!answers.contains("! "), "{answers}");
    let modes = ["key.pem", "run.sh", "plain"].map(in_folder);
    assert_eq!(modes, [0o600, 0o755, 0o644]);
    assert_eq!(mode(&root.join("priv/in")), 0o700);
    assert_eq!(mode(&root.join("priv")), 0o750);
}
