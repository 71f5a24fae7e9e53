//! Conversations that are opened with the usual parts.

use crate::service::lab::{goal, script};
use crate::support::calls::Calls;
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::domain::s3::{S3, open};
use dialog2api::domain::{
    Answer as WorldAnswer, Domain, FoundWorld, Layer, Links, NamedWorld, Onward, Opened, Opening,
    Overlaid, Reading, SharedLink, Value, World, WorldKind, Worlds,
};
use dialog2api::journal::SessionStore;
use dialog2api::policy::{Mode, Policy};
use dialog2api::service::{
    Conversation, Event, Events, PlanAnswer, Setup, StoredSession, TurnEnd, TurnView,
};
use expect_test::expect;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

const REPLY: &str = "<turn>Agent: I see.</turn>";

fn setup(domain: &Arc<Domain>, answers: &[&str], folder: &Path) -> Setup {
    Setup::new(domain, script(answers))
        .named("empty")
        .sandbox(Arc::new(Calls))
        .sessions(SessionStore::at(folder))
}

/// Says something and agrees to all plans: the turn, and how many plans there were.
async fn say(conversation: &Conversation, events: &mut Events, text: &str) -> (TurnView, usize) {
    let saying = conversation.say(text);
    tokio::pin!(saying);
    let mut plans = 0;
    loop {
        tokio::select! {
            biased;
            Some(event) = events.recv() => if let Event::Plan(plan) = event {
                plans += 1;
                conversation.decide(plan.plan, PlanAnswer::Apply).unwrap();
            },
            turn = &mut saying => return (turn.unwrap(), plans),
        }
    }
}

#[tokio::test]
async fn without_a_word_about_it_a_policy_holds() {
    let folder = tempfile::tempdir().unwrap();
    let makes = goal(1, "final", "make attic\nreturn 1");
    let opened = setup(&S3, &[&makes, REPLY], folder.path()).open().await;
    let (conversation, mut events) = opened.unwrap();
    assert_eq!(conversation.policy().as_deref(), Some(&Policy::default()));
    let (_, plans) = say(&conversation, &mut events, "make a bucket").await;
    assert_eq!(plans, 1, "a write is asked about");
    conversation.close().unwrap();

    // The policy of a domain goes before the built-in one, and a wrong one is said to be so.
    let of_domain = |text: &'static str| {
        Arc::new(Domain {
            policy: Some(text.into()),
            ..Domain::clone(&S3)
        })
    };
    let careful = of_domain("version = 1\nmode = \"read-only\"\n");
    let opened = setup(&careful, &[], folder.path()).open().await.unwrap();
    assert_eq!(opened.0.policy().unwrap().mode, Mode::ReadOnly);
    let wrong = setup(&of_domain("version = 2\n"), &[], folder.path());
    let wrong = wrong.open().await.err().unwrap().to_string();
    expect!["policy.toml: line 1: it says version = 2, and this program knows version = 1"]
        .assert_eq(&wrong);

    // To allow everything is a word.
    let all = setup(&careful, &[], folder.path()).allowing_everything();
    assert_eq!(all.open().await.unwrap().0.policy(), None);
}

#[tokio::test]
async fn a_session_goes_on_in_its_own_world() {
    let folder = tempfile::tempdir().unwrap();
    let named = |answers: &[&str]| setup(&S3, answers, folder.path()).session("monday");
    let draft = goal(1, "drafting", "return ?1");
    let (conversation, mut events) = named(&[&draft, REPLY]).open().await.unwrap();
    say(&conversation, &mut events, "what is there?").await;
    conversation.close().unwrap();
    drop(conversation);
    // No world is named, and the first of the domain is another one.
    let setup = Setup::new(&S3, script(&[]))
        .sandbox(Arc::new(Calls))
        .sessions(SessionStore::at(folder.path()))
        .session("monday");
    let (conversation, mut events) = setup.open().await.unwrap();
    let Some(Event::Opened(session)) = events.try_recv() else {
        panic!("it is not opened");
    };
    assert_eq!(session.turns, 1);
    expect!["empty (embedded S3, in memory)"].assert_eq(&session.world);
    let snapshot = conversation.snapshot().unwrap();
    assert_eq!(snapshot.turns[0].user, "what is there?");
    drop(conversation);
    // One that was looked for is not looked for again, and goes on whatever else is named.
    let found = StoredSession::find(SessionStore::at(folder.path()), Some("monday")).unwrap();
    let setup = named(&[]).session("tuesday").stored(found);
    let (conversation, _) = setup.open().await.unwrap();
    let session = conversation.snapshot().unwrap().session;
    assert_eq!((&*session.session, session.turns), ("monday", 1));
    drop(conversation);
    let other = named(&[]).named("zoology").open().await;
    expect!["the session monday is one with the world empty, not zoology: name that one with --world, or begin another session"]
        .assert_eq(&other.err().unwrap().to_string());
}

/// Worlds that tell everything that a world can tell: one call signs a link.
struct Telling;

struct Signs(Arc<dyn World>, Links);

#[async_trait]
impl Layer for Signs {
    fn under(&self) -> &dyn World {
        &*self.0
    }

    async fn pass(
        &self,
        operation: &str,
        params: &Value,
        onward: &Onward<'_>,
    ) -> Result<WorldAnswer> {
        if operation == "list_objects" {
            (self.1)(SharedLink {
                about: "read a.txt for 1 hour".to_owned(),
                url: "https://zoo.example/a.txt?key=works".to_owned(),
                method: None,
                headers: Vec::new(),
                fields: Vec::new(),
                withheld: "withheld-1f".to_owned(),
            });
        }
        onward.call(operation, params).await
    }

    fn split(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(Signs(self.0.fork()?, self.1.clone())))
    }
}

#[async_trait]
impl Worlds for Telling {
    fn built_in(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn find(&self, _: &NamedWorld) -> Result<FoundWorld> {
        Ok(FoundWorld {
            name: "telling".to_owned(),
            kind: WorldKind::Memory,
            identity: None,
            is_signed: true,
            blind_spots: Some("tags are not signed".to_owned()),
        })
    }

    fn initial(&self, _: &str) -> Result<Arc<dyn World>> {
        Ok(open("empty")?.world)
    }

    async fn open(&self, _: &NamedWorld, how: Opening) -> Result<Opened> {
        let mut reading = Reading {
            things: 1,
            bytes: 10,
            of: None,
        };
        let progress = how.progress.unwrap();
        progress(reading);
        reading.things = 2;
        progress(reading);
        (how.notes.unwrap())("A link is not followed.");
        let transfers = how.transfers.unwrap();
        transfers("a.bin", 5, 10);
        transfers("a.bin", 10, 10);
        let opened = open("empty")?;
        Ok(Opened {
            world: Arc::new(Signs(opened.world, how.links.unwrap())),
            ..opened
        })
    }

    async fn open_overlay(&self, _: &NamedWorld, _: Opening) -> Result<Arc<dyn Overlaid>> {
        unreachable!("no conversation has one")
    }
}

#[tokio::test]
async fn what_a_world_tells_is_an_event_and_replies_have_links_that_work() {
    let domain = Arc::new(Domain {
        worlds: Some(Arc::new(Telling)),
        ..Domain::clone(&S3)
    });
    let folder = tempfile::tempdir().unwrap();
    let shares = goal(1, "final", "list attic\nreturn 1");
    let reply = "<turn>Agent: Here: https://zoo.example/a.txt?key=withheld-1f (7 days).</turn>";
    let setup = setup(&domain, &[&shares, reply, reply], folder.path()).session("it");
    let mut all = setup.events();
    let (conversation, mut events) = setup.open().await.unwrap();
    let mut text = String::new();
    while let Some(event) = all.try_recv() {
        let json = serde_json::to_string(&event).unwrap();
        let _ = writeln!(text, "{} {json}", all.number());
    }
    assert!(matches!(events.try_recv(), Some(Event::Opened(_))));
    let (turn, _) = say(&conversation, &mut events, "share a.txt").await;
    while let Some(event) = all.try_recv() {
        if let Event::Link(link) = event {
            let _ = writeln!(text, "{} {}", link.about, link.url);
        }
    }
    let TurnEnd::Replied(reply) = turn.end else {
        panic!("it was not stopped");
    };
    let marked: Vec<&str> = (reply.unsupported.iter())
        .map(|claim| &reply.text[claim.range.clone()])
        .collect();
    let _ = writeln!(text, "{} {marked:?}", reply.text);
    // Nothing that is kept has it.
    let kept = conversation.last_reply().unwrap().0;
    let _ = writeln!(text, "{kept}");
    expect![[r#"
        2 {"event":"reading","things":2,"bytes":10,"of":null}
        3 {"event":"note","text":"A link is not followed."}
        5 {"event":"transfer","file":"a.bin","done":10,"of":10}
        6 {"event":"unseen","what":"tags are not signed"}
        7 {"event":"opened","session":"it","world":"empty (embedded S3, in memory)","model":"script","said":"How can I help you?","turns":0,"interrupted":null}
        read a.txt for 1 hour https://zoo.example/a.txt?key=works
        read a.txt for 1 hour https://zoo.example/a.txt?key=works
        Here: https://zoo.example/a.txt?key=works (7 days). ["7"]
        Here: https://zoo.example/a.txt?key=withheld-1f (7 days).
    "#]].assert_eq(&text);
}

#[tokio::test]
async fn a_conversation_is_opened_before_anything_else_is_told_of_it() {
    let domain = Arc::new(Domain {
        contents: None,
        ..Domain::clone(&S3)
    });
    let folder = tempfile::tempdir().unwrap();
    let (_conversation, mut events) = setup(&domain, &[], folder.path()).open().await.unwrap();
    let first = (events.try_recv(), events.try_recv());
    assert!(
        matches!(
            first,
            (Some(Event::Opened(_)), Some(Event::ChangesNotShown { .. }))
        ),
        "{first:?}"
    );
}
