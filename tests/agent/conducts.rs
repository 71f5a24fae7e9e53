//! A conduct of one's own: what an agent does beside programs.

use super::fake::{Counter, OneLine, Script, block_on};
use async_trait::async_trait;
use dialog2api::agent::{
    Agent, Conduct, Following, Prompting, Session, Settings, Situation, TurnEvent,
};
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Domain, Layer, Slate, World};
use dialog2api::exec::Execution;
use dialog2api::retrieval::ExamplePool;
use dialog2api::{Error, Result};
use expect_test::expect;
use serde_json::json;
use std::sync::Arc;

/// A world with room for what a conduct keeps.
#[derive(Default)]
struct WithSlate(Counter, Slate);

impl Layer for WithSlate {
    fn under(&self) -> &dyn World {
        &self.0
    }

    fn kept(&self) -> Option<&Slate> {
        Some(&self.1)
    }
}

/// Asks how it was once a program has run.
struct Asking;

#[async_trait]
impl Conduct for Asking {
    fn prompting(&self) -> Prompting {
        Prompting {
            instructions: "Write a program.",
            turn: "{{ user }} {{ acts | join(', ') }}",
            reply: "Reply by these acts: {{ acts | join(', ') }}",
            repair: "{{ finding }}",
        }
    }

    fn situation(&self, world: &dyn World) -> Result<Situation> {
        let slate = world.slate().ok_or_else(|| Error::world("no slate"))?;
        let acts = slate.kept().as_str().map(str::to_owned);
        Ok(Situation {
            acts: acts.into_iter().collect(),
            plain: "How was it?".to_owned(),
            ..Situation::default()
        })
    }

    async fn follow(&self, turn: Following<'_>) -> Result<Execution> {
        let ran = turn.run(turn.program, turn.world).await?;
        if let Some(slate) = turn.world.slate() {
            slate.keep(json!("ask how it was"));
        }
        Ok(ran)
    }
}

#[test]
fn a_conduct_adds_an_act_to_the_turn_after_its_program() {
    let domain = Arc::new(Domain {
        conduct: Some(Arc::new(Asking)),
        ..Domain::clone(&S3)
    });
    let agent = Agent::new(
        Arc::new(Script::new(["pass by", "It is done. How was it?"])),
        Arc::new(OneLine),
        Arc::new(WithSlate::default()),
        &domain,
        Arc::new(ExamplePool::new(&[], &domain).unwrap()),
        Settings::default(),
    )
    .unwrap();
    let mut session = Session::new();
    let mut silent = |_: TurnEvent<'_>| ();
    let report = block_on(agent.turn(&mut session, "Go.", &mut silent));
    let asked = report.exchanges.iter().map(|it| &it.request.messages);
    let asked = asked.filter_map(|messages| Some(messages.last()?.content.trim().to_owned()));
    let asked: Vec<String> = asked.chain([report.reply.clone()]).collect();
    expect![[r#"
        Go.
        Reply by these acts: ask how it was
        It is done. How was it?"#]]
    .assert_eq(&asked.join("\n"));
}
