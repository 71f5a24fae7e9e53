//! A model that plays a seat by programs.

use super::Asker;
use super::domain::domain_of;
use super::seat::SeatWorld;
use crate::agent::{Agent, Failure, Session, Settings, TurnReport, Unwatched};
use crate::error::Result;
use crate::exec::Engine;
use crate::policy::Policy;
use crate::retrieval::ExamplePool;
use decision_games::programs::{Made, Party, stub_in};
use decision_games::{Player, Table};
use std::sync::Arc;
use tokio::runtime::Handle;

/// What a party hears from a model whose answer was of no use.
const LOST: &str = "Sorry, I did not get that.";

/// Plays a seat by an [`Agent`]: each turn is one program against the seat, and a reply.
///
/// It waits for the model, so it plays on a thread that may wait.
pub struct Programmer {
    agent: Agent,
    world: Arc<SeatWorld>,
    session: Session,
    runtime: Handle,
    view: String,
    table: Option<Table>,
    lost: Option<String>,
    is_held: bool,
}

impl Programmer {
    /// A player of this seat. The engine is prepared for the client of the [domains](super::domains)
    /// of games, which is one for all.
    ///
    /// # Errors
    /// The game has no such seat.
    pub fn new(table: &Table, seat: usize, asker: Asker, engine: &Engine) -> Result<Programmer> {
        let game = table.game().as_ref();
        let domain = Arc::new(domain_of(game.name(), stub_in(game, seat))?);
        let world = Arc::new(SeatWorld::new(Party::new(table.clone(), seat)));
        let sampling = asker.sampling().clone();
        let settings = Settings {
            temperature: sampling.temperature,
            program_tokens: sampling.tokens,
            response_tokens: sampling.tokens,
            sampling: sampling.seed.unwrap_or_default(),
            sign: false,
            ..Settings::unguarded()
        };
        let engine = engine.clone().with_setup(&domain.api.setup);
        let pool = Arc::new(ExamplePool::new(&[], &domain)?);
        let runtime = asker.runtime().clone();
        Ok(Programmer {
            agent: Agent::new(
                Arc::new(asker),
                Arc::new(engine),
                world.clone(),
                &domain,
                pool,
                settings,
            )?,
            view: table.game().view(seat),
            table: None,
            lost: None,
            is_held: false,
            session: Session::new(),
            world,
            runtime,
        })
    }

    /// Holds its programs to a policy. A call that the policy does not allow is refused, and the
    /// model reads why.
    pub fn held_to(mut self, policy: Arc<Policy>) -> Programmer {
        self.agent.set_policy(policy);
        self.is_held = true;
        self
    }

    fn play(&mut self, news: &str, hurries: bool) -> std::result::Result<String, String> {
        let table = self
            .table
            .take()
            .ok_or("the player was not shown the table")?;
        self.world.sit(table, news);
        let news = news.strip_prefix(&self.view).unwrap_or(news).trim();
        let mut said = match news {
            "" => "(Nobody has said anything yet.)".to_owned(),
            news => news.to_owned(),
        };
        if hurries {
            said += "\n\nTime is up: make your best proposal now, or answer the one that waits.";
        }
        let mut unwatched = Unwatched;
        let turn = self.agent.turn(&mut self.session, &said, &mut unwatched);
        let report = self.runtime.block_on(turn);
        let reply = reply(&report)?;
        self.lost = report.failure.as_ref().map(ToString::to_string);
        // What its programs may not do is not done for it.
        if hurries && !self.is_held && !matches!(self.world.made(), Some(Made::Proposed(..))) {
            // A seat that must answer, or never proposes, is refused: its own move stands.
            let _ = self.world.propose_best();
        }
        Ok(self.world.turn(reply))
    }
}

/// The words of a turn.
///
/// # Errors
/// The model could not be reached, or we failed: the game is no sample.
fn reply(report: &TurnReport) -> std::result::Result<&str, String> {
    match &report.failure {
        None => Ok(&report.reply),
        Some(Failure::NotUnderstood { .. } | Failure::CutOff { .. } | Failure::TooLong { .. }) => {
            Ok(LOST)
        }
        Some(failure) => Err(failure.to_string()),
    }
}

impl Player for Programmer {
    fn sit(&mut self, table: &Table) {
        self.table = Some(table.clone());
    }

    fn lost(&self) -> Option<String> {
        self.lost.clone()
    }

    fn turn(&mut self, news: &str) -> std::result::Result<String, String> {
        self.play(news, false)
    }

    fn decide(&mut self, news: &str) -> std::result::Result<String, String> {
        self.play(news, true)
    }
}
