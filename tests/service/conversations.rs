//! Conversations as a front end sees them.

use crate::plan::lab::block_on;
use crate::service::lab::{Lab, end, goal, outcomes};
use dialog2api::policy::{Mode, Policy};
use dialog2api::service::{Cancelled, Event, MAX_UTTERANCE, PlanAnswer, TurnView};
use expect_test::expect;

/// The events as JSON, a line each, without what is long.
fn lines(events: &[Event]) -> String {
    let line = |event: &Event| {
        let json = serde_json::to_string(event).unwrap();
        let again: Event = serde_json::from_str(&json).unwrap();
        assert_eq!(again, *event, "it comes back from JSON");
        let end = json.floor_char_boundary(200);
        format!("{}\n", json.get(..end).unwrap())
    };
    events.iter().map(line).collect()
}

fn is_send<T: Send>(work: T) -> T {
    work
}

#[test]
fn everything_that_is_to_be_drawn_is_told() {
    let text = block_on(async {
        let lab = Lab::new();
        let program = goal(1, "final", "put a/new fresh\ndelete a/y\nreturn 2");
        let mut talk = lab
            .open(&[
                &program,
                "<turn>Agent: There are 3 now.</turn>",
                "<turn>Agent: There are 3 now.</turn>",
            ])
            .await;
        let conversation = talk.conversation.clone();
        // It can be waited for in a task of its own.
        let saying = is_send(conversation.say("  make a/new  "));
        let (turn, events) = talk.answering(PlanAnswer::Apply, saying).await;
        let turn: TurnView = turn.unwrap();
        assert_eq!(
            events.last(),
            Some(&Event::TurnEnded(Box::new(turn.clone())))
        );
        let json = serde_json::to_string_pretty(&turn).unwrap();
        conversation.close().unwrap();
        format!("{}{json}\n", lines(&events))
    });
    expect![[r#"
        {"event":"opened","session":"it","world":"empty (embedded S3, in memory)","model":"script","said":"How can I help you?","turns":0,"interrupted":null}
        {"event":"turn_started","turn":1,"user":"make a/new"}
        {"event":"asking","task":"program","repair":false}
        {"event":"text","task":"program","text":"<goal uid=\"1\" status=\"final\"><program>put a/new fresh\ndelete a/y\nreturn 2</program></goal>"}
        {"event":"stack","goals":[{"uid":1,"status":"final","program":"put a/new fresh\ndelete a/y\nreturn 2"}]}
        {"event":"started","uid":1}
        {"event":"called","operation":"put_object","error":null}
        {"event":"called","operation":"delete_object","error":null}
        {"event":"plan","plan":1,"origin":{"program":{"turn":1,"uid":1}},"effects":[{"effect":"create","place":{"container":"bucket-a","name":"new"},"after":{"tag":"76010858c8362d7302ef5f9436aa6639","size":5}
        {"event":"decided","plan":1,"apply":true,"by":"user"}
        {"event":"applying","made":1,"of":2}
        {"event":"applying","made":2,"of":2}
        {"event":"executed","uid":1,"outcome":{"result":2}}
        {"event":"asking","task":"reply","repair":false}
        {"event":"text","task":"reply","text":"<turn>Agent: There are 3 now.</turn>"}
        {"event":"turn_ended","turn":1,"user":"make a/new","goals":[{"uid":1,"status":"final","program":"put a/new fresh\ndelete a/y\nreturn 2","outcome":{"result":2},"signature":null}],"runs":[{"uid":1,"outp
        {
          "turn": 1,
          "user": "make a/new",
          "goals": [
            {
              "uid": 1,
              "status": "final",
              "program": "put a/new fresh\ndelete a/y\nreturn 2",
              "outcome": {
                "result": 2
              },
              "signature": null
            }
          ],
          "runs": [
            {
              "uid": 1,
              "output": "",
              "elapsed_us": 1234,
              "calls": [
                {
                  "operation": "put_object",
                  "error": null
                },
                {
                  "operation": "delete_object",
                  "error": null
                }
              ],
              "ended_by": "program"
            }
          ],
          "unasked": [],
          "changes": [
            {
              "kind": "created",
              "line": "+ bucket-a/new (5 bytes)",
              "keeps_state": false,
              "details": {
                "change": "created",
                "bucket": "bucket-a",
                "key": "new",
                "now": {
                  "size": 5,
                  "etag": "\"76010858c8362d7302ef5f9436aa6639\"",
                  "modified": "2024-05-01T09:00:06Z"
                }
              }
            },
            {
              "kind": "deleted",
              "line": "- bucket-a/y (3 bytes)",
              "keeps_state": false,
              "details": {
                "change": "deleted",
                "bucket": "bucket-a",
                "key": "y",
                "before": {
                  "size": 3,
                  "etag": "\"b8a9f715dbb64fd5c56e7783c6820a61\"",
                  "modified": "2024-05-01T09:00:03Z"
                }
              }
            }
          ],
          "end": {
            "replied": {
              "text": "There are 3 now.",
              "unsupported": [],
              "plain": false,
              "failure": null,
              "ends_dialogue": false
            }
          },
          "usage": {
            "requests": 2,
            "answered": 2,
            "tokens": {
              "prompt_tokens": 200,
              "cached_tokens": 0,
              "completion_tokens": 20
            }
          }
        }
    "#]].assert_eq(&text);
}

#[test]
fn a_plan_that_is_declined_changes_nothing_and_the_model_is_told() {
    block_on(async {
        let lab = Lab::new();
        let before = lab.holds();
        let program = goal(1, "final", "delete a/y");
        let mut talk = lab.open(&[&program, "<turn>Agent: Then not.</turn>"]).await;
        let conversation = talk.conversation.clone();
        let saying = conversation.say("delete y");
        let (turn, _) = talk.answering(PlanAnswer::Decline, saying).await;
        assert_eq!(
            outcomes(&turn.unwrap()),
            "Declined: Nothing was changed: the user was shown what this would change, and said no."
        );
        assert_eq!(lab.holds(), before);
        assert_eq!(conversation.pending_plan(), None);
        let late = conversation.decide(1, PlanAnswer::Apply).unwrap_err();
        assert_eq!(late.to_string(), "no plan 1 waits for an answer");
    });
}

#[test]
fn a_turn_that_waits_for_an_answer_is_cancelled() {
    block_on(async {
        let lab = Lab::new();
        let before = lab.holds();
        let mut talk = lab.open(&[&goal(1, "final", "delete a/y")]).await;
        let conversation = talk.conversation.clone();
        assert_eq!(conversation.cancel(), Cancelled::Nothing);
        let saying = conversation.say("delete y");
        tokio::pin!(saying);
        let turn = loop {
            tokio::select! {
                biased;
                Some(event) = talk.events.recv() => if let Event::Plan(_) = event {
                    assert_eq!(conversation.cancel(), Cancelled::Leaving);
                },
                turn = &mut saying => break turn.unwrap(),
            }
        };
        assert_eq!(
            end(&turn),
            "Stopped. The program of goal 1 was running, and has changed nothing."
        );
        assert_eq!((lab.holds(), conversation.pending_plan()), (before, None));
        // Nothing is left over for the next turn.
        assert_eq!(conversation.cancel(), Cancelled::Nothing);
    });
}

#[test]
fn programs_are_undone_and_drafts_are_taken_back() {
    block_on(async {
        let lab = Lab::new();
        let before = lab.holds();
        let mut talk = lab
            .open(&[
                &goal(1, "final", "put a/new fresh"),
                "<turn>Agent: Done.</turn>",
                &goal(2, "drafting", "put a/late ?1"),
                "<turn>Agent: What is to be in it?</turn>",
            ])
            .await;
        talk.say("make a/new").await;
        let refused = talk.conversation.undo_draft().await.unwrap_err();
        assert!(refused.to_string().contains("ran a program"), "{refused}");
        talk.say("and another").await;
        assert_eq!(talk.conversation.undo_draft().await.unwrap(), "and another");
        let conversation = talk.conversation.clone();
        let (undone, _) = talk
            .answering(PlanAnswer::Apply, conversation.undo(None))
            .await;
        let undone = undone.unwrap();
        assert_eq!(
            (undone.said.as_str(), undone.made, undone.of),
            ("Undone.", 1, 1)
        );
        assert_eq!(undone.changes.len(), 1);
        assert_eq!(lab.holds(), before);
    });
}

#[test]
fn another_policy_holds_from_the_next_turn_on() {
    block_on(async {
        let lab = Lab::new();
        let mut talk = lab
            .open(&[
                &goal(1, "final", "put a/new fresh"),
                "<turn>Agent: Done.</turn>",
            ])
            .await;
        let change = "mode auto".parse().unwrap();
        talk.conversation.change_policy(&change).await.unwrap();
        assert_eq!(talk.conversation.policy().unwrap().mode, Mode::Auto);
        let conversation = talk.conversation.clone();
        let saying = conversation.say("make a/new");
        let (turn, events) = talk.answering(PlanAnswer::Decline, saying).await;
        assert!(!events.iter().any(|event| matches!(event, Event::Plan(_))));
        let unasked = turn.unwrap().unasked;
        assert_eq!(unasked.len(), 1);
        assert_eq!(unasked[0].totals.created, 1);
    });
}

#[test]
fn what_is_too_long_to_be_said_is_refused_with_the_limit() {
    block_on(async {
        let lab = Lab::new();
        let talk = lab.open(&[]).await;
        let refused = talk
            .conversation
            .say(&"é".repeat(MAX_UTTERANCE / 2 + 1))
            .await;
        expect!["this is longer than 32768 bytes, the most of one utterance: say it in parts, or put it into a file of the world and name that"]
            .assert_eq(&refused.unwrap_err().to_string());
        assert!(talk.conversation.say("  ").await.is_err());
        assert_eq!(lab.state().turns.len(), 0);
    });
}

#[test]
fn another_world_is_refused_and_several_conversations_live_side_by_side() {
    block_on(async {
        let (one, other) = (Lab::new(), Lab::new());
        let mut first = one
            .open(&[&goal(1, "final", "put a/one 1"), "<turn>Agent: One.</turn>"])
            .await;
        let mut second = other
            .open(&[&goal(1, "final", "put a/two 2"), "<turn>Agent: Two.</turn>"])
            .await;
        let (first, second) = tokio::join!(first.say("one"), second.say("two"));
        assert_eq!(
            (end(&first), end(&second)),
            ("Agent: One.".into(), "Agent: Two.".into())
        );
        assert!(one.holds().contains("a/one") && !one.holds().contains("a/two"));
        let refused = one.try_open(&[], Policy::default(), "elsewhere").await;
        expect!["the session it is one with the world here, not elsewhere: name that one with --world, or begin another session"]
            .assert_eq(&refused.err().unwrap().to_string());
    });
}

#[test]
fn a_prompt_that_the_server_cut_is_told_once() {
    block_on(async {
        let lab = Lab::new();
        let cut = |uid| format!("READ 1000 {}", goal(uid, "final", "return 2"));
        let reply = "<turn>Agent: I see.</turn>";
        let mut talk = lab.open(&[&cut(1), reply, &cut(2), reply]).await;
        let long = "and the next one ".repeat(1000);
        let (first, second) = (talk.say(&long).await, talk.say(&long).await);
        assert_eq!(first.notes.len(), 1, "{:?}", first.notes);
        let told = "The model's server read 1000 tokens of a prompt of about ";
        assert!(first.notes[0].starts_with(told), "{}", first.notes[0]);
        assert_eq!(second.notes, Vec::<String>::new());
    });
}
