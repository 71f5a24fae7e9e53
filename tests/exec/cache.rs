//! The folder of compiled modules: private, checked, repaired.

use dialog2api::exec::Cache;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;

const KEY: &str = "0123456789abcdef";

fn content(cache: &Cache) -> Option<String> {
    let mut text = String::new();
    cache.load(KEY)?.read_to_string(&mut text).ok()?;
    Some(text)
}

fn cache(folder: &tempfile::TempDir) -> Cache {
    let cache = Cache::at(folder.path().join("cache"));
    drop(cache.lock(KEY).expect("the lock is free"));
    cache.store(KEY, b"compiled").expect("there is room");
    cache
}

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path)
        .expect("it is there")
        .permissions()
        .mode()
        & 0o777
}

#[test]
fn it_is_private() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = cache(&folder);
    assert_eq!(content(&cache).as_deref(), Some("compiled"));
    assert_eq!(mode(cache.folder()), 0o700);
    for file in fs::read_dir(cache.folder()).expect("a folder").flatten() {
        assert_eq!(mode(&file.path()), 0o600, "{:?}", file.path());
    }
}

#[test]
fn a_damaged_file_is_not_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = cache(&folder);
    fs::write(cache.folder().join(format!("{KEY}.cwasm")), "c0mpiled").expect("it can be written");
    assert_eq!(content(&cache), None);
    cache.store(KEY, b"compiled").expect("there is room");
    assert_eq!(content(&cache).as_deref(), Some("compiled"));
    fs::remove_file(cache.folder().join(format!("{KEY}.blake3"))).expect("it is there");
    assert_eq!(content(&cache), None);
}

#[test]
fn a_file_is_read_again_only_after_a_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = cache(&folder);
    let note = cache.folder().join(format!("{KEY}.blake3"));
    let noted = fs::read_to_string(&note).expect("it is there");
    let (digest, state) = noted.split_once('\n').expect("two lines");
    // With the digest of another file, only a module that is not read can be loaded. It is not
    // read as soon as the clock of the file system says that the note is later.
    let forged = format!("{}\n{state}", "0".repeat(digest.len()));
    let forge_and_load = || {
        fs::write(&note, &forged).expect("it can be written");
        content(&cache)
    };
    let loaded = (0..1_000_000).find_map(|_| forge_and_load());
    assert_eq!(loaded.as_deref(), Some("compiled"));
    fs::write(cache.folder().join(format!("{KEY}.cwasm")), "compiled").expect("it can be written");
    assert_eq!(content(&cache), None);
}

#[test]
fn a_folder_that_others_can_write_is_not_trusted_until_it_is_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = cache(&folder);
    fs::set_permissions(cache.folder(), fs::Permissions::from_mode(0o777)).expect("it is ours");
    assert_eq!(content(&cache), None);
    drop(cache.lock(KEY).expect("the lock is free"));
    assert_eq!(mode(cache.folder()), 0o700);
}

#[test]
fn a_link_in_its_place_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("elsewhere")).expect("a folder");
    let link = folder.path().join("cache");
    std::os::unix::fs::symlink(folder.path().join("elsewhere"), &link).expect("a link");
    let error = Cache::at(&link)
        .lock(KEY)
        .expect_err("a link is refused")
        .to_string();
    assert!(error.contains("is a link or a file"), "{error}");
}

#[test]
fn a_file_that_others_can_write_is_not_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = cache(&folder);
    let module = cache.folder().join(format!("{KEY}.cwasm"));
    fs::set_permissions(&module, fs::Permissions::from_mode(0o622)).expect("it is ours");
    assert_eq!(content(&cache), None);
}
