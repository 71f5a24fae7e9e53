//! Folders whose names no bucket can have.

use super::disk::{folder, open};
use super::disk_folders::{ask, keys, write};
use expect_test::expect;
use std::fs;

/// A folder whose name no client takes for a bucket is one of another name, which leads to it.
#[test]
fn a_folder_of_any_name_is_read_and_written() {
    let folder = folder();
    let root = folder.path();
    write(&root.join("My Photos/four.jpg"), "4");
    let world = open(root);
    assert_eq!(keys(&world, "my-photos"), "four.jpg:1");
    let answers = ask(
        &world,
        r#"
        put_object {"Bucket":"my-photos","Key":"new/five.jpg","Body":"55"}
        copy_object {"Bucket":"my-photos","Key":"copy.jpg","CopySource":"my-photos/four.jpg"}
        delete_object {"Bucket":"my-photos","Key":"four.jpg"}
        create_bucket {"Bucket":"my-photos"}
        put_bucket_tagging {"Bucket":"my-photos","Tagging":{"TagSet":[{"Key":"a","Value":"b"}]}}
        "#,
    );
    assert!(!answers.contains("! "), "{answers}");
    let in_folder = |name: &str| root.join("My Photos").join(name);
    assert_eq!(
        fs::read_to_string(in_folder("new/five.jpg")).expect("a file"),
        "55"
    );
    assert!(in_folder("copy.jpg").exists() && !in_folder("four.jpg").exists());
    assert!(!root.join("my-photos").exists());
    // Changes by hand are seen, and all of it is there again.
    write(&in_folder("six.jpg"), "666");
    assert_eq!(
        keys(&world, "my-photos"),
        "copy.jpg:1 new/five.jpg:2 six.jpg:3"
    );
    drop(world);
    let world = open(root);
    assert_eq!(
        keys(&world, "my-photos"),
        "copy.jpg:1 new/five.jpg:2 six.jpg:3"
    );
    let tags = ask(&world, r#"get_bucket_tagging {"Bucket":"my-photos"}"#);
    assert!(tags.contains("\"b\""), "{tags}");
    // A bucket that is made again has its folder again.
    let answers = ask(
        &world,
        r#"
        delete_objects {"Bucket":"my-photos","Delete":{"Objects":[{"Key":"copy.jpg"},{"Key":"new/five.jpg"},{"Key":"six.jpg"}]}}
        delete_bucket {"Bucket":"my-photos"}
        list_buckets
        create_bucket {"Bucket":"my-photos"}
        put_object {"Bucket":"my-photos","Key":"again","Body":"1"}
        "#,
    );
    assert!(!answers.contains("! "), "{answers}");
    assert!(in_folder("again").exists(), "{answers}");
}

/// A name that two folders would have is that of neither, and the folder that has it as it is keeps
/// it.
#[test]
fn a_name_leads_to_one_folder() {
    let folder = folder();
    let root = folder.path();
    write(&root.join("My Photos/a"), "1");
    write(&root.join("Ferien in Köln/b"), "22");
    let world = open(root);
    assert_eq!(keys(&world, "my-photos"), "a:1");
    assert_eq!(keys(&world, "ferien-in-koeln"), "b:2");
    write(&root.join("my-photos/c"), "333");
    assert_eq!(keys(&world, "my-photos"), "c:3");
    drop(world);
    let world = open(root);
    assert_eq!(keys(&world, "my-photos"), "c:3");
    let note = world.note().unwrap_or_default();
    let note = note.replace(&root.display().to_string(), "HOME");
    expect![[r#"
        note: in HOME the folder "Ferien in Köln" is the bucket ferien-in-koeln: programs write that name, because a bucket's name has no other characters than a-z, A-Z, 0-9, '.', '-' and '_'
        note: of HOME programs do not see the subfolder "My Photos" (rename: each would be the bucket my-photos, as another folder is)"#]].assert_eq(&note);
    fs::remove_dir_all(root.join("my-photos")).expect("removed");
    assert_eq!(keys(&world, "my-photos"), "a:1");
    write(&root.join("my photos/d"), "4");
    let gone = keys(&world, "my-photos");
    assert!(gone.contains("NoSuchBucket"), "{gone}");
    let outside = ask(&world, r#"get_object {"Bucket":"My Photos","Key":"a"}"#);
    assert!(outside.contains("! 4"), "{outside}");
}

/// What an undo in a later process makes again is the folder that it was.
#[test]
fn a_bucket_that_was_deleted_keeps_the_name_of_its_folder() {
    let folder = folder();
    let root = folder.path();
    write(&root.join("My Photos/a"), "1");
    let world = open(root);
    ask(&world, r#"delete_object {"Bucket":"my-photos","Key":"a"}"#);
    ask(&world, r#"delete_bucket {"Bucket":"my-photos"}"#);
    assert!(!root.join("My Photos").exists());
    drop(world);
    let world = open(root);
    let gone = keys(&world, "my-photos");
    assert!(gone.contains("NoSuchBucket"), "{gone}");
    ask(&world, r#"create_bucket {"Bucket":"my-photos"}"#);
    ask(
        &world,
        r#"put_object {"Bucket":"my-photos","Key":"b","Body":"2"}"#,
    );
    drop(world);
    assert!(root.join("My Photos/b").exists() && !root.join("my-photos").exists());
    assert_eq!(keys(&open(root), "my-photos"), "b:1");
}
