//! The assistant that looks rows up by programs.

use super::assistant::{Assistant, Reply};
use crate::agent::{Agent, Failure, Sandbox, Session, Settings, TurnReport, Unwatched};
use crate::dialogue::{Outcome, Transcript};
use crate::domain::{Domain, World};
use crate::error::{Error, Result};
use crate::eval::runner::BetweenTurns;
use crate::llm::Model;
use crate::retrieval::ExamplePool;
use async_trait::async_trait;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use typed_claims::Row;
use typed_claims::simulate::{Answer, Utterance};

/// The domain whose programs look the restaurants up.
const DOMAIN: &str = "restaurant";

/// An agent whose world has the rows, and whose prompt has not.
pub struct Programs {
    agent: Agent,
    told: String,
}

impl Programs {
    /// Refuses a domain that has no restaurants.
    ///
    /// # Errors
    /// Its name, and the way out.
    pub fn check(domain: &Domain) -> Result<()> {
        if &*domain.name == DOMAIN {
            return Ok(());
        }
        Err(Error::usage(format!(
            "programs look the restaurants up in the domain {DOMAIN}, not in {}: name it with \
             --domain datasets/{DOMAIN}",
            domain.name
        )))
    }

    /// An assistant by an agent with these parts; `examples` are the dialogues of the pool.
    ///
    /// # Errors
    /// The domain is another one, or its prompts cannot be made.
    pub fn new(
        domain: &Arc<Domain>,
        sandbox: Arc<dyn Sandbox>,
        examples: &[Transcript],
        settings: Settings,
    ) -> Result<Programs> {
        Programs::check(domain)?;
        let mut told = blake3::Hasher::new();
        told.update(format!("{}\n{:?}\n", domain.api.document, settings.protocol).as_bytes());
        for dialogue in examples {
            told.update(format!("{dialogue:?}\n").as_bytes());
        }
        let pool = Arc::new(ExamplePool::new(examples, domain)?);
        let (model, world) = (Arc::new(BetweenTurns), Arc::new(BetweenTurns));
        Ok(Programs {
            agent: Agent::new(model, sandbox, world, domain, pool, settings)?,
            told: told.finalize().to_string(),
        })
    }

    /// BLAKE3 over what models are told: the API document, the examples and the form of prompts.
    pub fn told(&self) -> &str {
        &self.told
    }

    /// The names of the aids that are on.
    pub fn aids(&self) -> String {
        self.agent.settings().assist.to_string()
    }

    /// The assistant of a dialogue about these rows. No table is free at the refused day and time.
    pub(super) fn about(
        &self,
        rows: &[Row],
        refused: Option<(String, String)>,
        model: Arc<dyn Model>,
        sampling: u64,
    ) -> Result<ByPrograms> {
        let state = json!({
            "restaurants": rows,
            "bookings": {},
            "refused": Vec::from_iter(refused),
            "next": 1,
        });
        let world = self.world(&state)?;
        Ok(ByPrograms {
            agent: self.agent.with(model, world, sampling),
            session: Session::new(),
        })
    }

    /// A world in memory with this state.
    fn world(&self, state: &Json) -> Result<Arc<dyn World>> {
        let wrong = Error::file("cannot write", "a temporary file");
        let file = tempfile::Builder::new().suffix(".json").tempfile();
        let file = file.and_then(|mut file| {
            serde_json::to_writer(&mut file, state)?;
            Ok(file)
        });
        let file = file.map_err(wrong)?;
        let path = file.path().to_str().unwrap_or_default();
        self.agent.domain().worlds()?.initial(path)
    }
}

/// The agent in one dialogue.
pub(super) struct ByPrograms {
    agent: Agent,
    session: Session,
}

#[async_trait]
impl Assistant for ByPrograms {
    async fn answer(&mut self, said: &Utterance) -> Result<Reply> {
        let session = &mut self.session;
        let report = self.agent.turn(session, &said.text, &mut Unwatched).await;
        let cut_prompt = report.cut_prompt().is_some();
        let TurnReport {
            reply,
            plain,
            failure,
            executed,
            ..
        } = report;
        match failure {
            Some(Failure::Model(error)) => return Err(error),
            Some(failure @ (Failure::Prompt(_) | Failure::Sandbox(_) | Failure::Record(_))) => {
                return Err(Error::world(failure.to_string()));
            }
            Some(Failure::Execution { error, .. }) => return Err(error),
            _ => {}
        }
        let stack = self.session.stack();
        let literals = |uid| {
            let goal = stack.get(uid);
            goal.map_or_else(Vec::new, |goal| goal.program.literals())
        };
        let programs = executed.iter().map(|done| {
            let result = match &done.execution.outcome {
                Outcome::Result(result) => result.clone(),
                Outcome::Error(error) => json!({ "error": error.error }),
            };
            (literals(done.uid), result)
        });
        let answer = Answer {
            programs: programs.collect(),
            text: reply,
        };
        Ok(Reply {
            answer,
            plain,
            cut_prompt,
        })
    }
}
