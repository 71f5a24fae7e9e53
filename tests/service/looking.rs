//! What a front end can look at: numbered events for any number of readers, and snapshots.

use crate::plan::lab::block_on;
use crate::service::lab::{Lab, end, goal};
use dialog2api::service::{Event, Events, Phase, PlanAnswer, Snapshot, TurnUsage};
use expect_test::expect;
use std::fmt::Write as _;

const REPLY: &str = "<turn>Agent: I see.</turn>";

/// The events that are there, each as its number and its name.
fn numbered(events: &mut Events) -> String {
    let mut names = Vec::new();
    while let Some(event) = events.try_recv() {
        let json = serde_json::to_value(&event).unwrap();
        names.push(format!(
            "{}:{}",
            events.number(),
            json["event"].as_str().unwrap()
        ));
    }
    names.join(" ")
}

fn shown(snapshot: &Snapshot) -> String {
    let Snapshot {
        last,
        phase,
        session,
        plan,
        stack,
        turns,
        usage,
        ..
    } = snapshot;
    let plan = plan.as_ref().map(|plan| plan.plan);
    let goals: Vec<String> = (stack.iter())
        .map(|goal| format!("{} {}", goal.uid, goal.outcome.is_some()))
        .collect();
    let said: Vec<&str> = turns.iter().map(|turn| turn.user.as_str()).collect();
    let under_way = session.interrupted.as_deref();
    format!(
        "{last} {phase:?} plan {plan:?} goals {goals:?} said {said:?} now {under_way:?} asked {}\n",
        usage.requests
    )
}

/// Whoever is asked about a plan can look at the conversation first.
#[test]
fn looking_does_not_wait_for_the_turn_and_events_are_read_again() {
    let text = block_on(async {
        let lab = Lab::new();
        let (first, second) = (
            goal(1, "final", "put a/new 1"),
            goal(2, "final", "delete a/y"),
        );
        let mut talk = lab.open(&[&first, REPLY, &second, REPLY]).await;
        talk.say("make it").await;
        let conversation = talk.conversation.clone();
        let mut text = shown(&conversation.snapshot().unwrap());
        let mut other = conversation.events(0);
        let _ = writeln!(text, "{}", numbered(&mut other));
        let saying = conversation.say("delete y");
        tokio::pin!(saying);
        let looking = async {
            while let Some(event) = talk.events.recv().await {
                if let Event::Plan(_) = event {
                    return conversation.snapshot().unwrap();
                }
            }
            panic!("no plan came");
        };
        let snapshot = tokio::select! {
            _ = &mut saying => panic!("nobody has answered"),
            snapshot = looking => snapshot,
        };
        let json = serde_json::to_string(&snapshot).unwrap();
        let again: Snapshot = serde_json::from_str(&json).unwrap();
        assert_eq!(again, snapshot, "it comes back from JSON");
        text += &shown(&snapshot);
        let transcript = conversation.transcript("it").unwrap();
        assert_eq!(transcript.turns.len(), 1, "the turns that ended");
        assert_eq!(conversation.situation().unwrap(), None);
        // A page that comes back goes on after its snapshot.
        let mut back = conversation.events(snapshot.last);
        conversation.decide(2, PlanAnswer::Apply).unwrap();
        saying.await.unwrap();
        let rest = numbered(&mut back);
        assert!(
            numbered(&mut other).ends_with(&rest),
            "two readers read the same"
        );
        let _ = writeln!(text, "{rest}");
        text += &shown(&conversation.snapshot().unwrap());
        // The progress of turns that are over is not told to those who come later.
        while talk.events.try_recv().is_some() {}
        let _ = writeln!(text, "{}", numbered(&mut conversation.events(0)));
        conversation.close().unwrap();
        assert_eq!(numbered(&mut back).split(':').nth(1), Some("closed"));
        assert_eq!(back.recv().await, None);
        text
    });
    expect![[r#"
        14 Idle plan None goals ["1 true"] said ["make it"] now None asked 2
        1:opened 2:turn_started 5:stack 8:plan 9:decided 11:executed 14:turn_ended
        21 Plan(2) plan Some(2) goals ["1 true", "2 false"] said ["make it"] now Some("delete y") asked 2
        22:decided 23:applying 24:executed 25:asking 26:text 27:turn_ended
        27 Idle plan None goals ["1 true", "2 true"] said ["make it", "delete y"] now None asked 4
        1:opened 2:turn_started 5:stack 8:plan 9:decided 11:executed 14:turn_ended 15:turn_started 18:stack 21:plan 22:decided 24:executed 27:turn_ended
    "#]].assert_eq(&text);
}

/// The progress of a turn waits for those who were there before it.
#[test]
fn a_slow_reader_misses_nothing() {
    block_on(async {
        let lab = Lab::new();
        let mut talk = lab
            .open(&[&goal(1, "drafting", "put a/new ?1"), REPLY])
            .await;
        let mut slow = talk.conversation.events(0);
        talk.say("make it").await;
        let all = numbered(&mut slow);
        assert_eq!(all.matches(":text").count(), 2, "{all}");
        let later = numbered(&mut talk.conversation.events(0));
        assert!(!later.contains(":text"), "{later}");
    });
}

#[test]
fn a_stopped_turn_keeps_what_it_cost() {
    block_on(async {
        let lab = Lab::new();
        let mut talk = lab.open(&[&goal(1, "final", "put a/new 1"), "HANG"]).await;
        let conversation = talk.conversation.clone();
        assert_eq!(conversation.phase(), Phase::Idle);
        let saying = conversation.say("make it");
        tokio::pin!(saying);
        let turn = loop {
            tokio::select! {
                biased;
                Some(event) = talk.events.recv() => match event {
                    Event::Plan(plan) => conversation.decide(plan.plan, PlanAnswer::Apply).unwrap(),
                    Event::Executed { .. } => {
                        assert_eq!(conversation.phase(), Phase::Working);
                        conversation.cancel();
                        assert_eq!(conversation.phase(), Phase::Leaving);
                    }
                    _ => {}
                },
                turn = &mut saying => break turn.unwrap(),
            }
        };
        assert_eq!(end(&turn), "Stopped before the reply.");
        let TurnUsage {
            requests,
            answered,
            tokens,
        } = turn.usage;
        assert_eq!((requests, answered), (2, 1));
        assert_eq!((tokens.prompt_tokens, tokens.completion_tokens), (100, 10));
        assert_eq!(conversation.usage(), turn.usage);
        assert_eq!(conversation.phase(), Phase::Idle);
    });
}
