//! A session that is cut off after any of its entries goes on as if nothing had been.

use crate::journal::lab::{SCRIPT, begin, clock, play, seen, store, whole};
use crate::plan::lab::{at_each_window, block_on, signature, world};
use dialog2api::domain::World;
use dialog2api::journal::{Entry, JournalClock, SessionStore, read};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A store in which a session was cut off after so many lines of `from`.
fn cut_off(from: &Path, lines: usize) -> (tempfile::TempDir, SessionStore) {
    let (folder, store) = store();
    let to = store.folder().join("it");
    std::fs::create_dir_all(&to).unwrap();
    let bytes = std::fs::read(from.join("journal.jsonl")).unwrap();
    let kept = bytes.split_inclusive(|byte| *byte == b'\n').take(lines);
    std::fs::write(to.join("journal.jsonl"), kept.collect::<Vec<_>>().concat()).unwrap();
    if from.join("contents").exists() {
        std::os::unix::fs::symlink(from.join("contents"), to.join("contents")).unwrap();
    }
    (folder, store)
}

/// Goes on with the session in this world. What it is in the end, and how often the model
/// was asked in all.
fn resumed(store: &SessionStore, world: &Arc<dyn World>) -> (String, usize) {
    let journal = Arc::new(store.resume("it").unwrap());
    let session = play(world, &journal);
    let text = format!("{}{}\n", seen(&session), signature(&**world));
    drop(journal);
    let reading = store.read("it").unwrap();
    assert!(reading.state.ended && reading.state.unfinished.is_none());
    assert!(reading.state.cut_off().is_none());
    // What the journal tells is what was there.
    assert_eq!(seen(&reading.state.session().unwrap()), seen(&session));
    let asked = reading.lines.iter();
    let asked = asked.filter(|line| matches!(line.entry, Entry::Asked(_)));
    (text, asked.count())
}

/// Plays the whole script. Beside what it came to: the world as it was when each line was
/// about to be written.
fn straight(store: &SessionStore) -> (String, Vec<Arc<dyn World>>) {
    let world = world();
    let seen_worlds: Arc<Mutex<Vec<Arc<dyn World>>>> = Arc::default();
    let (here, worlds, time) = (world.clone(), seen_worlds.clone(), clock());
    let looking: JournalClock = Arc::new(move || {
        worlds.lock().unwrap().push(here.fork().unwrap());
        time()
    });
    let store = store.clone().with_clock(looking);
    let journal = Arc::new(store.begin(Some("it"), begin()).unwrap());
    let session = play(&world, &journal);
    let text = format!("{}{}\n", seen(&session), signature(&*world));
    let mut worlds = std::mem::take(&mut *seen_worlds.lock().unwrap());
    worlds.push(world);
    (text, worlds)
}

#[test]
fn a_session_cut_off_anywhere_ends_as_one_that_was_not() {
    at_each_window(cut_off_anywhere);
}

fn cut_off_anywhere() {
    let (_folder, store) = store();
    let (expected, worlds) = straight(&store);
    let from = store.folder().join("it");
    let bytes = std::fs::read(from.join("journal.jsonl")).unwrap();
    let lines = read(&bytes).unwrap().lines;
    assert_eq!(worlds.len(), lines.len() + 1);
    let answers: usize = SCRIPT.iter().map(|said| said.answers.len()).sum();
    for (cut, world) in worlds.iter().enumerate().skip(1) {
        // A server goes on: what was done and not yet written down stays done.
        let (_there, cut_store) = cut_off(&from, cut);
        let world = world.fork().unwrap();
        let (found, asked) = resumed(&cut_store, &world);
        assert_eq!(found, expected, "on a server, cut off after line {cut}");
        assert_eq!(asked, answers, "on a server, cut off after line {cut}");

        // A world in memory went with its process, and is made again.
        let (_here, cut_store) = cut_off(&from, cut);
        let world = crate::plan::lab::world();
        let journal = cut_store.resume("it").unwrap();
        block_on(journal.rebuild(&*world)).unwrap();
        drop(journal);
        let (found, asked) = resumed(&cut_store, &world);
        assert_eq!(found, expected, "in memory, cut off after line {cut}");
        assert_eq!(asked, answers, "in memory, cut off after line {cut}");
    }
}

#[test]
fn writes_made_again_on_a_fresh_world_make_the_same_world() {
    let (_folder, store) = store();
    let (there, _) = whole(&store, "it");
    let journal = store.resume("it").unwrap();
    let here = world();
    assert_eq!(block_on(journal.rebuild(&*here)).unwrap(), 10);
    assert_eq!(signature(&*here), signature(&*there));
    // Where the buckets are missing, it is another world.
    let empty = dialog2api::domain::s3::world::memory("empty").unwrap();
    let error = block_on(journal.rebuild(&empty)).unwrap_err().to_string();
    assert!(error.contains("refuses with NoSuchBucket"), "{error}");
}
