//! The assistant that looks rows up by programs.

use super::assistant::{Assistant, Reply};
use crate::agent::{Agent, Failure, Session, TurnReport, Unwatched};
use crate::dialogue::Outcome;
use crate::domain::World;
use crate::error::{Error, Result};
use crate::llm::Model;
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
    digest: String,
}

impl Programs {
    /// An assistant by this agent.
    ///
    /// # Errors
    /// Its domain is another one than that of the restaurants.
    pub fn new(agent: Agent) -> Result<Programs> {
        let domain = agent.domain();
        if &*domain.name != DOMAIN {
            return Err(Error::Usage(format!(
                "programs look the restaurants up in the domain {DOMAIN}, not in {}: name it with \
                 --domain datasets/{DOMAIN}",
                domain.name
            )));
        }
        Ok(Programs {
            digest: blake3::hash(domain.api_doc.as_bytes()).to_string(),
            agent,
        })
    }

    /// BLAKE3 over the API document that models read.
    pub fn digest(&self) -> &str {
        &self.digest
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
        let TurnReport {
            reply,
            plain,
            failure,
            executed,
            ..
        } = self.agent.turn(session, &said.text, &mut Unwatched).await;
        match failure {
            Some(Failure::Model(error)) => return Err(error),
            Some(failure @ (Failure::Prompt(_) | Failure::Sandbox(_) | Failure::Record(_))) => {
                return Err(Error::World(failure.to_string()));
            }
            Some(Failure::Execution { error, .. }) => return Err(error),
            _ => {}
        }
        let goals = self
            .session
            .turns()
            .last()
            .map_or(&[][..], |turn| &turn.goals);
        let literals = |uid: u32| {
            let goal = goals.iter().find(|goal| goal.uid == uid);
            let program = goal.and_then(|goal| goal.program.as_ref());
            program
                .map(|program| program.literals())
                .unwrap_or_default()
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
        Ok(Reply { answer, plain })
    }
}
