//! Sessions in a store: what a journal tells, names, locks, lists, replays.

use crate::journal::lab::{begin, seen, store, whole};
use crate::plan::lab::{block_on, world};
use crate::support::calls::Calls;
use dialog2api::agent::{Decision, Left};
use dialog2api::dialogue::read_transcript;
use dialog2api::domain::s3::S3;
use dialog2api::exec::{Limits, Seed};
use dialog2api::journal::{
    DecidedBy, Ending, Origin, PlanVerdict, Replaying, SessionStore, Standing,
};
use dialog2api::plan::{Keeping, Stop};
use expect_test::expect;
use std::fmt::Write as _;
use std::path::Path;

/// The entries of a session by their kinds, those that follow each other counted.
fn kinds(store: &SessionStore, name: &str) -> String {
    let mut text = String::new();
    for line in store.read(name).unwrap().lines {
        let json = serde_json::to_value(&line.entry).unwrap();
        let kind = json.as_object().unwrap().keys().next().unwrap().clone();
        let separator = if kind == "said" { "\n" } else { " " };
        let _ = write!(text, "{separator}{kind}");
    }
    text
}

#[test]
fn everything_that_happens_is_written_in_order() {
    let (_folder, store) = store();
    whole(&store, "it");
    expect![[r#"
         begin
        said asked predicted plan decided intent done intent done intent done applied executed plan decided intent done intent done applied executed asked replied
        said asked asked predicted asked replied
        said asked predicted plan decided executed executed asked replied
        said asked predicted executed asked replied
        said asked asked replied plan decided intent done intent done intent done applied undone
        said asked predicted plan decided intent done intent done applied executed asked replied ended"#]]
    .assert_eq(&kinds(&store, "it"));
}

#[test]
fn the_state_is_the_session() {
    let (_folder, store) = store();
    let (_, session) = whole(&store, "it");
    let state = store.read("it").unwrap().state;
    assert_eq!(seen(&state.session().unwrap()), seen(&session));
    assert!(state.ended && state.unfinished.is_none() && state.cut_off().is_none());
    let undoable: Vec<u64> = state.undoable().map(|known| known.planned.id).collect();
    assert_eq!(
        undoable,
        [5, 2],
        "plan 3 was declined, 1 undone, 4 is an undo"
    );
    let programs = [(1, 1), (1, 8), (3, 2), (4, 4), (6, 6)];
    assert_eq!(
        programs.map(|(turn, uid)| state.left(turn, uid)),
        [
            Left::Nothing,
            Left::Whole,
            Left::Nothing,
            Left::Nothing,
            Left::Whole
        ],
        "taken back, done, declined, failed, done"
    );
    let declined = state.plan(3).unwrap().decided.clone().unwrap();
    let why = "The user said no.".to_owned();
    assert_eq!(declined, (PlanVerdict::Decline { why }, DecidedBy::User));
    let text = dialog2api::dialogue::write_transcript(&state.transcript("it").unwrap());
    let read = read_transcript(&text).unwrap();
    assert_eq!(read.attribute("world"), Some("letters"));
    assert_eq!(read.turns.len(), 6);
}

#[test]
fn an_apply_that_ends_early_is_told_so() {
    let (_folder, store) = store();
    let journal = store.begin(Some("it"), begin()).unwrap();
    let world = world();
    let plan = crate::plan::lab::plan(
        &world,
        "put a/1 x; put a/2 x; put a/3 x",
        Keeping::default(),
    );
    journal.said(1, "three").unwrap();
    let origin = Origin::Program { turn: 1, uid: 1 };
    let id = journal.plan(origin, &plan).unwrap();
    let decision = Decision::Apply(Stop::default());
    journal.decided(id, &decision, DecidedBy::Policy).unwrap();
    let apply = crate::plan::lab::apply(&*world, &plan.writes);
    let stop = apply.stop.clone();
    let mut record = journal.record(id);
    let mut watch = |made| {
        if made == 2 {
            stop.stop();
        }
    };
    let applied = block_on(apply.run(&mut *record, &mut watch));
    assert!(journal.state().cut_off().is_some(), "no end is known");
    journal.applied(id, &applied).unwrap();
    let state = journal.state();
    assert!(state.cut_off().is_none());
    let known = state.plan(id).unwrap();
    assert_eq!(known.made.len(), 2);
    assert_eq!(state.left(1, 1), Left::Part);
    let sentence = "Only 2 of 3 planned writes were made: it was stopped.".to_owned();
    assert_eq!(known.end, Some((Ending::Stopped, sentence)));
    let (kept, earlier) = journal.plan_and_steps(id).unwrap();
    assert_eq!((kept, earlier.made), (plan, applied.steps));
    // Other words in its place: what was done stays to be undone.
    journal.said(1, "something else").unwrap();
    let state = journal.state();
    assert!(state.plan_of(1, 1).is_none());
    assert_eq!(state.undoable().count(), 1);
}

#[test]
fn two_processes_never_write_one_session() {
    let (_folder, store) = store();
    let journal = store.begin(Some("it"), begin()).unwrap();
    let error = store.resume("it").err().unwrap().to_string();
    let id = std::process::id();
    assert_eq!(
        error,
        format!("the process {id} has the session it open; end it there, or choose another name")
    );
    assert_eq!(store.list().unwrap()[0].state, Standing::Open);
    drop(journal);
    drop(store.resume("it").unwrap());
    let error = store.begin(Some("it"), begin()).err().unwrap().to_string();
    expect!["there is a session it already; resume it, or choose another name"].assert_eq(&error);
}

#[test]
fn names_are_checked_and_made() {
    let (_folder, store) = store();
    for name in ["", ".", "..", "a/b", "a b", "-x", "é", &"x".repeat(65)] {
        let error = store.begin(Some(name), begin()).err().unwrap().to_string();
        assert!(error.contains("cannot name a session"), "{error}");
    }
    let error = store.resume("none").err().unwrap().to_string();
    expect!["there is no session none; `dialog2api session list` names those there are"]
        .assert_eq(&error);
    for number in 1..3 {
        let journal = store.begin(None, begin()).unwrap();
        assert_eq!(journal.name(), format!("2023-11-14-{number}"));
    }
}

#[test]
fn sessions_are_listed_the_last_one_first() {
    let (_folder, store) = store();
    assert_eq!(store.list().unwrap(), []);
    whole(&store, "ended");
    drop(store.begin(Some("cut"), begin()).unwrap());
    drop(store.begin(Some("damaged"), begin()).unwrap());
    let path = store.folder().join("damaged/journal.jsonl");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend_from_slice(b"\n\n");
    std::fs::write(&path, bytes).unwrap();
    let mut text = String::new();
    for session in store.list().unwrap() {
        let (name, turns, state) = (session.name, session.turns, session.state);
        let _ = writeln!(text, "{name} {turns} {} {state:?}", session.world);
    }
    expect![[r#"
        cut 0 letters CutOff
        ended 6 letters Ended
        damaged 0  Damaged
    "#]]
    .assert_eq(&text);
}

#[test]
fn programs_that_run_again_do_the_same() {
    let (_folder, store) = store();
    whole(&store, "it");
    let reading = store.read("it").unwrap();
    let replaying = Replaying {
        world: world(),
        domain: &S3,
        guard: &|_, layers| Ok(layers),
        contents: &reading.contents,
        sandbox: &Calls,
        limits: Limits::default(),
        seed: Seed::default(),
    };
    let reruns = block_on(replaying.run(&reading.lines)).unwrap();
    let mut text = String::new();
    for rerun in &reruns {
        let ran = rerun.now.is_some();
        let differences = rerun.differences();
        let _ = writeln!(
            text,
            "{} {} {ran} {differences:?}",
            rerun.turn, rerun.was.uid
        );
    }
    expect![[r#"
        1 1 true []
        1 8 true []
        3 2 false []
        3 3 true []
        4 4 true []
        6 6 true []
    "#]]
    .assert_eq(&text);
    // Another world gives something else.
    let other = world();
    block_on(crate::plan::lab::call_all(&*other, "put a/z other"));
    let replaying = Replaying {
        world: other,
        ..replaying
    };
    let reruns = block_on(replaying.run(&reading.lines)).unwrap();
    assert_eq!(reruns[0].differences(), ["the signature"]);
}

/// A session that was written before places were paths: `tests/journal/version-1`.
#[test]
fn a_journal_of_version_1_is_read_shown_and_undone() {
    let folder = tempfile::tempdir().unwrap();
    let old = Path::new("tests/journal/version-1");
    let session = folder.path().join("old");
    let content = "contents/71/7124f5e013c957dc007f6996d22eaeb29bbb2de0871e222bbe305dba2ff299b4";
    std::fs::create_dir_all(session.join("contents/71")).unwrap();
    for file in ["journal.jsonl", content] {
        std::fs::copy(old.join(file), session.join(file)).unwrap();
    }
    let reading = SessionStore::at(folder.path()).read("old").unwrap();
    let known = reading.state.plan(1).unwrap();
    let mut shown = String::new();
    for effect in known.planned.outline().effects.iter() {
        let _ = writeln!(shown, "{:?} {}", effect.effect, effect.place);
    }
    let planning = S3.effects.planning.as_deref().unwrap();
    let inverse = reading.inverse(1, planning, Keeping::default()).unwrap();
    for write in inverse.unwrap().undo.plan.writes {
        let places = write.touched.iter().map(|it| it.place.to_string());
        let places: Vec<String> = places.collect();
        let _ = writeln!(shown, "undo: {} {}", write.operation, places.join(" "));
    }
    expect![[r#"
        Create zoology-bucket/sea_animals/sea_otter.txt
        Delete zoology-bucket/sea_animals/otter.txt
        undo: put_object zoology-bucket/sea_animals/otter.txt
        undo: delete_object zoology-bucket/sea_animals/sea_otter.txt
    "#]]
    .assert_eq(&shown);
}
