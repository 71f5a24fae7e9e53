//! Programs that ask a server for much: they wait, and go on only where the user agrees.

use crate::plan::lab::call_all;
use crate::serve::support::key;
use crate::service::lab::{Lab, Talk, end, goal, outcomes};
use dialog2api::domain::s3::serve::{Service, http_client};
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::s3::{Remote, RemoteOptions};
use dialog2api::domain::{Costly, World};
use dialog2api::policy::{AskAbove, Policy};
use dialog2api::service::{Cancelled, CostView, Event, Phase, PlanAnswer, TurnView};
use expect_test::expect;
use std::sync::Arc;

/// A server whose bucket has five letters.
async fn lab() -> Lab {
    let world = Arc::new(memory("empty").unwrap());
    let letters = "make a; put a/v one; put a/w two; put a/x three; put a/y four; put a/z five";
    call_all(&*world, letters).await;
    let options = RemoteOptions {
        endpoint_url: Some("http://s3.test".to_owned()),
        region: Some("us-east-1".to_owned()),
        access_key: Some(key()),
        ..RemoteOptions::default()
    };
    let service = http_client(Service::new(world, &key()));
    let remote: Arc<dyn World> = Arc::new(
        Remote::connect_through(&options, service)
            .await
            .expect("nothing is sent yet"),
    );
    Lab::on(remote)
}

async fn open(lab: &Lab, ask_above: AskAbove, answers: &[&str]) -> Talk {
    let policy = Policy {
        ask_above,
        ..Policy::default()
    };
    lab.try_open(answers, policy, "here").await.unwrap()
}

/// Says something. The programs that wait get these answers, the plans are agreed to. Returns
/// also what was asked.
async fn say(talk: &mut Talk, answers: &[bool]) -> (TurnView, String) {
    let conversation = talk.conversation.clone();
    let saying = conversation.say("how much is in a?");
    tokio::pin!(saying);
    let mut answers = answers.iter();
    let mut asked = String::new();
    let turn = loop {
        tokio::select! {
            biased;
            Some(event) = talk.events.recv() => match event {
                Event::Costly(cost) => {
                    let CostView { id, uid, costly } = *cost;
                    assert_eq!(conversation.phase(), Phase::Cost(id));
                    let answer = *answers.next().expect("it is asked so often");
                    asked += &format!("goal {uid}: {costly}? {answer}\n");
                    conversation.let_go_on(id, answer).unwrap();
                }
                Event::Plan(plan) => conversation.decide(plan.plan, PlanAnswer::Apply).unwrap(),
                _ => {}
            },
            turn = &mut saying => break turn.unwrap(),
        }
    };
    assert_eq!(answers.len(), 0, "every answer was wanted");
    let late = conversation.let_go_on(1, true).unwrap_err();
    assert_eq!(late.to_string(), "no program waits to go on");
    (turn, asked)
}

const REPLY: &str = "<turn>Agent: That is it.</turn>";

#[tokio::test]
async fn what_the_user_lets_go_on_comes_to_its_end() {
    let lab = lab().await;
    let most = AskAbove {
        bytes_read: Some(6),
        ..AskAbove::NEVER
    };
    let reads = "get a/v\nget a/w\nget a/x\nput a/sum 11\nreturn 11";
    let mut talk = open(&lab, most, &[&goal(1, "final", reads), REPLY]).await;
    let (turn, asked) = say(&mut talk, &[true]).await;
    expect![[r#"
        goal 1: it has sent 2 requests and read 6 B, and would go on with get_object on bucket-a/x? true
        11
        a/sum a/v a/w a/x a/y a/z
    "#]].assert_eq(&format!("{asked}{}\n{}\n", outcomes(&turn), lab.holds()));
}

#[tokio::test]
async fn it_is_asked_about_again_at_ten_times_as_much() {
    let lab = lab().await;
    let most = AskAbove {
        requests: Some(1),
        ..AskAbove::NEVER
    };
    // The server is asked each question once.
    let reads = "get a/v\nget a/w\nget a/x\nget a/y\nget a/z\nlist a/v\nlist a/w\nlist a/x\nlist a/y\nlist a/z\nlist a/u\nlist a/t\nreturn 55";
    let mut talk = open(&lab, most, &[&goal(1, "final", reads), REPLY]).await;
    let (turn, asked) = say(&mut talk, &[true, true]).await;
    expect![[r#"
        goal 1: it has sent 1 request and read 3 B, and would go on with get_object on bucket-a/w? true
        goal 1: it has sent 10 requests, listed 5 names and read 16 B, and would go on with list_objects on bucket-a/t? true
        55
    "#]].assert_eq(&format!("{asked}{}\n", outcomes(&turn)));
}

#[tokio::test]
async fn what_the_user_does_not_let_go_on_has_changed_nothing() {
    let lab = lab().await;
    let before = lab.holds();
    let most = AskAbove {
        requests: Some(1),
        ..AskAbove::NEVER
    };
    let writes = "delete a/v\nget a/w\nreturn 1";
    let mut talk = open(&lab, most, &[&goal(1, "final", writes), REPLY]).await;
    let (turn, asked) = say(&mut talk, &[false]).await;
    expect![[r#"
        goal 1: it has sent 3 requests and listed 1 name, and would go on with get_object on bucket-a/w? false
        TooCostly: Nothing was changed, and the program did not come to its end: it has sent 3 requests and listed 1 name, and would go on with get_object on bucket-a/w. The user was asked whether it goes on, because this costs time and money, and did not agree.
    "#]].assert_eq(&format!("{asked}{}\n", outcomes(&turn)));
    assert_eq!(lab.holds(), before);
}

#[tokio::test]
async fn a_program_that_waits_is_cancelled() {
    let lab = lab().await;
    let most = AskAbove {
        names_listed: Some(1),
        ..AskAbove::NEVER
    };
    let reads = "list a\nlist a\nreturn 5";
    let mut talk = open(&lab, most, &[&goal(1, "final", reads)]).await;
    let conversation = talk.conversation.clone();
    let saying = conversation.say("how much is in a?");
    tokio::pin!(saying);
    let turn = loop {
        tokio::select! {
            biased;
            Some(event) = talk.events.recv() => if let Event::Costly(_) = event {
                assert_eq!(conversation.cancel(), Cancelled::Leaving);
            },
            turn = &mut saying => break turn.unwrap(),
        }
    };
    assert_eq!(
        end(&turn),
        "Stopped. The program of goal 1 was running, and has changed nothing."
    );
    assert!(conversation.let_go_on(1, true).is_err(), "nothing waits");
}

#[tokio::test]
async fn below_the_limits_and_in_memory_nobody_is_asked() {
    let reads = goal(1, "final", "list a\nget a/x\nreturn 5");
    let here = Lab::new();
    let least = AskAbove {
        requests: Some(0),
        names_listed: Some(0),
        bytes_read: Some(0),
    };
    let far = lab().await;
    for (lab, most) in [(&here, least), (&far, AskAbove::default())] {
        let mut talk = open(lab, most, &[&reads, REPLY]).await;
        let (turn, asked) = say(&mut talk, &[]).await;
        assert_eq!((outcomes(&turn).as_str(), asked.as_str()), ("5", ""));
    }
}

#[test]
fn the_event_comes_back_from_json() {
    let json = r#"{"event":"costly","id":1,"uid":1,"costly":{"spent":{"requests":2,"names_listed":0,"bytes_read":7},"operation":"list_buckets","place":null}}"#;
    let event: Event = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&event).unwrap(), json);
    let Event::Costly(cost) = event else {
        panic!("it is another event");
    };
    let costly = cost.costly;
    let Costly { spent, .. } = costly.clone();
    assert_eq!(spent.since(spent).requests, 0);
    assert_eq!(
        costly.to_string(),
        "it has sent 2 requests and read 7 B, and would go on with list_buckets"
    );
}
