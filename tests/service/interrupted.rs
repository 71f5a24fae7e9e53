//! Ctrl-C and crashes within an apply: in every combination the words are true, and nothing
//! is left open.

use crate::plan::lab::block_on;
use crate::service::lab::{Lab, Talk, Trouble, When, end, goal, outcomes};
use dialog2api::agent::Decision;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Mark, Place, Touched, Value, Write};
use dialog2api::journal::{DecidedBy, Ending, Origin};
use dialog2api::plan::{Keeping, Plan, Step, Stop};
use dialog2api::policy::{Mode, Policy};
use dialog2api::service::{
    Event, How, OpenSession, PlanAnswer, PlanView, Settle, StoredSession, Undone,
};
use expect_test::{Expect, expect};
use std::fmt::Write as _;

const WRITES: &str = "put a/one 1\nput a/two 2\nput a/three 3";
const REPLY: &str = "<turn>Agent: I see.</turn>";

/// When the user presses Ctrl-C.
#[derive(Debug, Clone, Copy, PartialEq)]
enum CtrlC {
    /// Never; the process is killed in the first apply.
    Never,
    /// In the first apply.
    First,
    /// In the apply after the process was killed in the first one, between two writes.
    Resumed,
}

/// The process is killed when the world hangs.
async fn killed(talk: Talk, lab: &Lab) {
    let Talk {
        conversation,
        mut events,
    } = talk;
    let answering = async {
        while let Some(event) = events.recv().await {
            if let Event::Plan(plan) = event {
                conversation.decide(plan.plan, PlanAnswer::Apply).unwrap();
            }
        }
    };
    tokio::select! {
        _ = conversation.say("write them") => panic!("the turn ended"),
        () = answering => panic!("no more events"),
        () = lab.world.hangs.notified() => {}
    }
}

fn said(undone: &Undone) -> String {
    format!("{} ", undone.said)
}

/// One row of the table: what the user is told, what the program gave, and what is true
/// afterwards.
async fn row(ctrl_c: CtrlC, when: When, settle: Settle) -> String {
    let lab = Lab::new();
    let before = lab.holds();
    let mut told = String::new();
    let mut talk = lab.open(&[&goal(1, "final", WRITES), REPLY]).await;
    if ctrl_c == CtrlC::First {
        lab.world.arm(when, Trouble::Cancel);
        let turn = talk.say("write them").await;
        let _ = write!(told, "{} {} ", outcomes(&turn), end(&turn));
        if settle == Settle::TakeBack {
            let conversation = talk.conversation.clone();
            let undo = conversation.undo(None);
            told += &said(&talk.answering(PlanAnswer::Apply, undo).await.0.unwrap());
        }
    } else {
        let crash = match ctrl_c {
            CtrlC::Never => when,
            _ => When::Before(3),
        };
        lab.world.arm(crash, Trouble::Hang);
        killed(talk, &lab).await;
        talk = lab.open(&[REPLY]).await;
        if ctrl_c == CtrlC::Resumed {
            lab.world.arm(when, Trouble::Cancel);
        }
        let conversation = talk.conversation.clone();
        let cut_off = conversation.cut_off().unwrap();
        let _ = write!(told, "({} of {}) ", cut_off.made, cut_off.of);
        if let Some(undone) = conversation.settle(settle).await.unwrap() {
            told += &said(&undone);
        }
        if conversation.cut_off().is_some() && settle == Settle::TakeBack {
            told += "STILL OPEN ";
        }
        let turn = conversation.carry_on().await.unwrap().unwrap();
        let _ = write!(told, "{} {} ", outcomes(&turn), end(&turn));
    }
    talk.conversation.close().unwrap();
    let state = lab.state();
    assert!(
        state.cut_off().is_none() && state.unfinished.is_none(),
        "{told}"
    );
    let ends = state.plans.iter().map(|plan| match &plan.end {
        None => "open".to_owned(),
        Some((end, _)) if plan.undone => format!("{end:?}, undone"),
        Some((end, _)) => format!("{end:?}"),
    });
    let ends: Vec<String> = ends.collect();
    let holds = lab.holds();
    let world = match holds == before {
        true => "as before".to_owned(),
        false => holds
            .split(' ')
            .filter(|key| !before.contains(key))
            .collect::<Vec<_>>()
            .join(" "),
    };
    format!(
        "{ctrl_c:?} {when:?} {settle:?}: {told}[{}] {world}\n",
        ends.join("; ")
    )
}

fn table(rows: &[(CtrlC, When, Settle)], expected: Expect) {
    let text: String = rows
        .iter()
        .map(|(ctrl_c, when, settle)| block_on(row(*ctrl_c, *when, *settle)))
        .collect();
    expected.assert_eq(&text);
}

#[test]
fn the_truth_is_told_whenever_ctrl_c_comes_and_whatever_is_answered() {
    let mut rows = Vec::new();
    for (ctrl_c, number) in [(CtrlC::Never, 2), (CtrlC::First, 2), (CtrlC::Resumed, 1)] {
        for when in [When::Before(number), When::After(number)] {
            for settle in [Settle::Finish, Settle::TakeBack] {
                rows.push((ctrl_c, when, settle));
            }
        }
    }
    assert_eq!(rows.len(), 12);
    table(
        &rows,
        expect![[r#"
            Never Before(2) Finish: (1 of 3) null Agent: I see. [Whole] a/one a/three a/two
            Never Before(2) TakeBack: (1 of 3) The writes that were made have been taken back. Interrupted: Nothing was changed: what was done is taken back. Agent: I see. [Stopped, undone; Whole] as before
            Never After(2) Finish: (1 of 3) null Agent: I see. [Whole] a/one a/three a/two
            Never After(2) TakeBack: (1 of 3) The writes that were made have been taken back. Interrupted: Nothing was changed: what was done is taken back. Agent: I see. [Stopped, undone; Whole] as before
            First Before(2) Finish: Interrupted: Only 1 of 3 planned writes were made: it was stopped. Agent: I see. [Stopped] a/one
            First Before(2) TakeBack: Interrupted: Only 1 of 3 planned writes were made: it was stopped. Agent: I see. Undone. [Stopped, undone; Whole] as before
            First After(2) Finish: Interrupted: Only 2 of 3 planned writes were made: it was stopped. Agent: I see. [Stopped] a/one a/two
            First After(2) TakeBack: Interrupted: Only 2 of 3 planned writes were made: it was stopped. Agent: I see. Undone. [Stopped, undone; Whole] as before
            Resumed Before(1) Finish: (2 of 3) Interrupted: Only 2 of 3 planned writes were made: it was stopped. Agent: I see. [Stopped] a/one a/two
            Resumed Before(1) TakeBack: (2 of 3) Nothing was changed: it was stopped. Interrupted: Only 2 of 3 planned writes were made: it was stopped. Agent: I see. [Stopped; Stopped] a/one a/two
            Resumed After(1) Finish: (2 of 3) null Agent: I see. [Whole] a/one a/three a/two
            Resumed After(1) TakeBack: (2 of 3) Only 1 of 2 planned writes were made: it was stopped. Interrupted: Only 2 of 3 planned writes were made: it was stopped. Then 1 of 2 writes that take it back were made. Agent: I see. [Stopped; Stopped] a/one
        "#]],
    );
}

/// Whoever is asked about what was cut off is told what of it is made, and what is left.
#[test]
fn what_was_cut_off_is_known_by_its_lines() {
    let places = |view: &PlanView| -> Vec<String> {
        let effects = view.effects.iter();
        effects.map(|effect| effect.place.to_string()).collect()
    };
    block_on(async {
        let lab = Lab::new();
        let talk = lab.open(&[&goal(1, "final", WRITES), REPLY]).await;
        lab.world.arm(When::Before(3), Trouble::Hang);
        killed(talk, &lab).await;
        let mut talk = lab.open(&[REPLY]).await;
        let cut_off = talk.conversation.cut_off().unwrap();
        assert_eq!(places(&cut_off.done), ["bucket-a/one", "bucket-a/two"]);
        assert_eq!(places(&cut_off.left), ["bucket-a/three"]);
        assert_eq!((cut_off.left.plan, cut_off.left.undoes), (1, None));
        let told = std::iter::from_fn(|| talk.events.try_recv());
        let told: Vec<Event> = told.collect();
        assert!(told.contains(&Event::CutOff(Box::new(cut_off))), "{told:?}");
    });
}

/// People can judge calls whose effects nobody knows by their arguments alone.
#[test]
fn calls_that_were_cut_off_are_known_by_their_arguments() {
    let mark = || Some(Mark::unknown(0));
    let call = |text: &str| {
        let params = Value::Map(vec![("text".into(), text.into())]);
        let touched = Touched {
            place: Place::thing("notes", "add"),
            after: mark(),
            changed: true,
            ..Touched::default()
        };
        Write::new("add".to_owned(), params, vec![touched])
    };
    // A long one is no part of a line of the journal.
    let long = "tea ".repeat(2_000);
    block_on(async {
        let lab = Lab::new();
        lab.open(&[]).await.conversation.close().unwrap();
        let journal = lab.store().resume("it").unwrap();
        journal.said(1, "add both").unwrap();
        let outcome = Outcome::Result(serde_json::Value::Null);
        let writes = vec![call("milk"), call(&long)];
        let plan = Plan::new(None, writes, Vec::new(), outcome, Keeping::default());
        let origin = Origin::Program { turn: 1, uid: 1 };
        let id = journal.plan(origin, &plan).unwrap();
        let decision = Decision::Apply(Stop::default());
        journal.decided(id, &decision, DecidedBy::User).unwrap();
        let mut step = Step {
            found: vec![None],
            ..Step::default()
        };
        let mut record = journal.record(id);
        record.intent(0, &step).await.unwrap();
        step.left = vec![mark()];
        record.done(0, &step).await.unwrap();
        drop(record);
        drop(journal);
        let talk = lab.open(&[]).await;
        let cut_off = talk.conversation.cut_off().unwrap();
        assert_eq!(cut_off.done.arguments, ["text: \"milk\""]);
        assert_eq!(cut_off.left.arguments, [format!("text: \"{long}\"")]);
    });
}

/// An undo that was not waited for says what it did, and can be finished.
#[test]
fn an_undo_that_is_left_says_what_was_made() {
    let text = block_on(async {
        let lab = Lab::new();
        let before = lab.holds();
        let mut talk = lab.open(&[&goal(1, "final", WRITES), REPLY]).await;
        talk.say("write them").await;
        // The process is killed in the undo: its second write may have been made.
        lab.world.arm(When::After(2), Trouble::Hang);
        let conversation = talk.conversation.clone();
        let undoing = talk.answering(PlanAnswer::Apply, conversation.undo(None));
        tokio::select! {
            _ = undoing => panic!("the undo ended"),
            () = lab.world.hangs.notified() => {}
        }
        drop((talk, conversation));
        let talk = lab.open(&[]).await;
        let conversation = talk.conversation.clone();
        let left = conversation.cut_off().unwrap().left;
        assert_eq!(left.undoes, Some(Origin::Program { turn: 1, uid: 1 }));
        lab.world.arm(When::Before(1), Trouble::Hang);
        let leaving = async {
            lab.world.hangs.notified().await;
            (
                conversation.cancel(),
                conversation.phase(),
                conversation.cancel(),
            )
        };
        let (undone, leaving) = tokio::join!(conversation.settle(Settle::Finish), leaving);
        let undone = undone.unwrap().unwrap();
        let mut text = format!(
            "{} {} of {} {leaving:?}\n",
            undone.said, undone.made, undone.of
        );
        let left = lab.state().cut_off().is_some();
        let _ = writeln!(text, "open: {left}");
        let finished = conversation.settle(Settle::Finish).await.unwrap();
        let _ = writeln!(text, "{}", finished.map_or(String::new(), |it| it.said));
        assert_eq!(lab.holds() == before, left);
        text
    });
    expect![[r#"
        1 of 3 planned writes were made. Whether the next one was made is not known: its answer was not waited for. 1 of 3 (Stopping, Stopping, Leaving)
        open: false

    "#]].assert_eq(&text);
}

/// Who says no to an undo of what was cut off can still finish it, or take it back.
#[test]
fn a_refused_undo_leaves_what_was_cut_off_open() {
    for (settle, holds) in [
        (Settle::Finish, "a/dir/z a/one a/three a/two a/x a/y b/x"),
        (Settle::TakeBack, "a/dir/z a/x a/y b/x"),
    ] {
        block_on(async {
            let lab = Lab::new();
            let talk = lab.open(&[&goal(1, "final", WRITES), REPLY]).await;
            lab.world.arm(When::After(2), Trouble::Hang);
            killed(talk, &lab).await;
            let stored = StoredSession::find(lab.store(), Some("it")).unwrap();
            let world = lab.opened("here");
            let named = ("letters", &world);
            let (session, mut events) = OpenSession::open(&stored, named, &S3, Policy::default())
                .await
                .unwrap();
            let mut undoing = Box::pin(session.undo(None));
            let undone = loop {
                tokio::select! {
                    biased;
                    Some(event) = events.recv() => if let Event::Plan(plan) = event {
                        session.decide(plan.plan, PlanAnswer::Decline).unwrap();
                    },
                    undone = &mut undoing => break undone.unwrap(),
                }
            };
            assert_eq!(undone.how, How::Declined);
            drop(undoing);
            session.close().unwrap();
            drop(session);
            let cut_off = lab.state().cut_off().map(|plan| plan.made.len());
            assert_eq!(cut_off, Some(2));
            let talk = lab.open(&[REPLY]).await;
            talk.conversation.settle(settle).await.unwrap();
            talk.conversation.carry_on().await.unwrap();
            assert_eq!(lab.holds(), holds);
            assert!(lab.state().cut_off().is_none());
        });
    }
}

#[test]
fn a_second_ctrl_c_leaves_a_write_that_hangs_and_what_it_did_is_found_out_later() {
    let check = |when: When, expected: Expect| {
        let text = block_on(async {
            let lab = Lab::new();
            let mut talk = lab.open(&[&goal(1, "final", WRITES), "HANG"]).await;
            lab.world.arm(when, Trouble::CancelTwice);
            let turn = talk.say("write them").await;
            let mut text = format!("{}\n{}\n", outcomes(&turn), end(&turn));
            let known = &lab.state().plans[0];
            let ending = known.end.as_ref().unwrap().0;
            let _ = writeln!(
                text,
                "{ending:?}: {} made, {:?} begun",
                known.made.len(),
                !known.begun.is_empty()
            );
            drop(talk);
            // Nothing is written to find out.
            let holds = lab.holds();
            let mut talk = lab.open(&[]).await;
            assert_eq!(lab.holds(), holds);
            let known = &lab.state().plans[0];
            let ending = known.end.as_ref().unwrap().0;
            let _ = writeln!(
                text,
                "{ending:?}: {} made, {:?} begun",
                known.made.len(),
                !known.begun.is_empty()
            );
            assert_ne!(ending, Ending::Unknown);
            let conversation = talk.conversation.clone();
            let undone = talk
                .answering(PlanAnswer::Apply, conversation.undo(None))
                .await
                .0;
            let _ = writeln!(text, "{} {}", undone.unwrap().said, lab.holds());
            text
        });
        expected.assert_eq(&text);
    };
    check(
        When::After(2),
        expect![[r#"
            ConnectionLost: 1 of 3 planned writes were made. Whether the next one was made is not known: its answer was not waited for.
            Stopped before the reply.
            Unknown: 1 made, true begun
            Stopped: 2 made, false begun
            Undone. a/dir/z a/x a/y b/x
        "#]],
    );
    check(
        When::Before(2),
        expect![[r#"
        ConnectionLost: Only 1 of 3 planned writes were made: the next write could not be made: its answer was not waited for.
        Stopped before the reply.
        Failed: 1 made, false begun
        Failed: 1 made, false begun
        Undone. a/dir/z a/x a/y b/x
    "#]],
    );
}

#[test]
fn ctrl_c_after_an_apply_stops_the_reply() {
    block_on(async {
        let lab = Lab::new();
        let mut talk = lab.open(&[&goal(1, "final", WRITES), "HANG"]).await;
        let conversation = talk.conversation.clone();
        let saying = conversation.say("write them");
        tokio::pin!(saying);
        // The events are read until the model is asked for the reply.
        let turn = loop {
            tokio::select! {
                biased;
                Some(event) = talk.events.recv() => match event {
                    Event::Plan(plan) => {
                        conversation.decide(plan.plan, PlanAnswer::Apply).unwrap();
                    }
                    Event::Executed { .. } => {
                        assert_eq!(
                            conversation.cancel(),
                            dialog2api::service::Cancelled::Leaving
                        );
                    }
                    _ => {}
                },
                turn = &mut saying => break turn.unwrap(),
            }
        };
        assert_eq!(end(&turn), "Stopped before the reply.");
        assert_eq!(outcomes(&turn), "null");
        assert_eq!(lab.state().turns.len(), 1);
    });
}

#[test]
fn a_policy_that_denies_what_was_begun_closes_the_plan() {
    let text = block_on(async {
        let lab = Lab::new();
        let talk = lab.open(&[&goal(1, "final", WRITES), REPLY]).await;
        lab.world.arm(When::After(2), Trouble::Hang);
        killed(talk, &lab).await;
        let policy = Policy {
            mode: Mode::ReadOnly,
            ..Policy::default()
        };
        let talk = lab.try_open(&[REPLY], policy, "here").await.unwrap();
        assert_eq!(
            talk.conversation.settle(Settle::Finish).await.unwrap(),
            None
        );
        let turn = talk.conversation.carry_on().await.unwrap().unwrap();
        let state = lab.state();
        assert!(state.cut_off().is_none());
        format!(
            "{}\n{:?}\n{}\n",
            outcomes(&turn),
            state.plans[0].end,
            lab.holds()
        )
    });
    expect![[r#"
        AccessDenied: Only 2 of 3 planned writes were made: the next write was refused: The policy does not allow this: the mode is read-only, which denies put_object on bucket-a/one.
        Some((Refused, "Only 2 of 3 planned writes were made: the next write was refused: The policy does not allow this: the mode is read-only, which denies put_object on bucket-a/one."))
        a/dir/z a/one a/two a/x a/y b/x
    "#]].assert_eq(&text);
}
