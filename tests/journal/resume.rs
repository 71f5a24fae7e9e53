//! A session that is cut off after any of its entries goes on as if nothing had been.

use crate::journal::lab::{SCRIPT, User, begin, clock, play, seen, store, whole};
use crate::plan::lab::{at_each_window, block_on, signature, world};
use crate::support::calls::Calls;
use dialog2api::agent::{Agent, Assist, Settings, Unwatched};
use dialog2api::domain::{World, s3::S3};
use dialog2api::journal::{AskedOnce, Entry, Journal, JournalClock, Journaled, SessionStore, read};
use dialog2api::llm::Script;
use dialog2api::plan::{Applied, End};
use dialog2api::prompts::PromptSetting;
use dialog2api::retrieval::ExamplePool;
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

/// What is marked in the reply of a session of one turn that writes two things.
fn marked(world: &Arc<dyn World>, journal: Journal, answers: &[&str]) -> String {
    let journal = Arc::new(journal);
    let model = Arc::new(Script::new(answers.iter().copied()));
    let settings = Settings {
        prompt: PromptSetting::Api,
        assist: "unsupported-claim".parse::<Assist>().unwrap(),
        ..Settings::default()
    };
    let agent = Agent::new(
        Arc::new(AskedOnce::new(model, journal.clone(), false)),
        Arc::new(Calls),
        world.clone(),
        &S3,
        Arc::new(ExamplePool::new(&[], &S3).unwrap()),
        settings,
    );
    let overseer = Journaled::new(journal.clone(), S3.clone(), User);
    let agent = agent.unwrap().overseen_by(Arc::new(overseer));
    let mut session = journal.state().session().unwrap();
    let report = block_on(agent.turn(&mut session, "put n.txt, m.txt and o.txt", &mut Unwatched));
    let marks = report.unsupported.iter();
    let marks = marks.map(|claim| format!("{}: {}", claim.text, claim.reason()));
    marks.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_reply_after_an_interruption_is_asked_for_the_names_of_what_was_done_before() {
    let goal = "<goal uid=\"1\" status=\"final\"><program>put a/n.txt fresh\nput a/m.txt fresh\n\
                return 3</program></goal>";
    // What is doubted is asked for once more.
    let reply = "<turn>Agent: I wrote n.txt, m.txt and o.txt.</turn>";
    let (_folder, store) = store();
    let world = world();
    let journal = store.begin(Some("it"), begin()).unwrap();
    let whole = "I wrote: no program of this turn made o.txt";
    assert_eq!(marked(&world, journal, &[goal, reply, reply]), whole);
    let from = store.folder().join("it");
    let lines = store.read("it").unwrap().lines;
    let behind = |is_it: fn(&Entry) -> bool| {
        let at = lines.iter().position(|line| is_it(&line.entry));
        at.unwrap() + 1
    };

    let ran = behind(|entry| matches!(entry, Entry::Executed(_)));
    let (_there, cut_store) = cut_off(&from, ran);
    let journal = cut_store.resume("it").unwrap();
    assert_eq!(marked(&world, journal, &[reply, reply]), whole);

    // The apply was stopped after its first write.
    let first = behind(|entry| matches!(entry, Entry::Done { .. }));
    let (_there, cut_store) = cut_off(&from, first);
    let journal = cut_store.resume("it").unwrap();
    let (_, earlier) = journal.plan_and_steps(1).unwrap();
    let stopped = Applied::new(earlier.made, End::Stopped);
    journal.applied(1, &stopped).unwrap();
    assert_eq!(
        marked(&world, journal, &[reply, reply]),
        "I wrote: no program of this turn made m.txt"
    );
}
