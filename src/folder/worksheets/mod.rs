//! Worksheets in a conversation: a folder with `worksheets.csv` beside its `world.py`.
//!
//! | file | what it holds |
//! |---|---|
//! | `worksheets.csv` (or `.tsv`, `.xlsx`, `.toml`) | the sheets: what is asked, said and done |
//! | `kb/SHEET.csv`, `.jsonl`, `.md` | the rows of a table, or the documents of a collection |
//! | the others | as in every folder; the functions of `world.py` are what sheets call |
//!
//! The model translates what the user says into a program on the sheets (`turn.j2`); code comes
//! from there to the acts of the turn ([`worksheets::Agenda`]); the model words them
//! (`reply.j2`). The dialogue state is in the [`Slate`](crate::domain::Slate) of a
//! [`FormsWorld`], which is the folder's world with that beside its state: filling in a form is
//! no line of a plan, and what `world.py` changes always is.

mod answers;
mod changed;
mod document;
mod findings;
mod forms_world;
mod functions;
mod judgement;
mod knowledge;
mod lessons;
mod load;
mod new;
mod over;
mod own_worlds;
mod plain_reply;
mod query;
mod record;
mod samples;
mod shown;
mod stage;
mod taken_back;
mod turn;
mod wording;

pub use findings::of_turn as findings_of_turn;
pub use functions::{DIALOGUES, check_actions, check_cells, check_programs};
pub use knowledge::{check_knowledge, content, unfit};
pub use load::{find, read, settings, worksheets};
pub use new::create;
pub use over::{Over, PROGRAMS};

use crate::agent::{Conduct, Following, Prompting, Situation, TakenBack, Taught};
use crate::dialogue::{Outcome, Transcript};
use crate::domain::{Slate, World};
use crate::error::{Error, Result};
use crate::exec::{EndedBy, Execution};
use ::worksheets::{Settings, Sheets, program, state_text};
use async_trait::async_trait;
use knowledge::Knowledge;
use record::{Kept, Record};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::sync::Arc;
use turn::Turn;

/// What an agent with worksheets does beside programs.
pub struct Worksheets {
    sheets: Arc<Sheets>,
    /// The digest of the sheets.
    digest: String,
    /// The sheets, as models read them.
    document: String,
    settings: Settings,
    /// What is said word by word where a person takes over; empty for nothing.
    handoff: String,
    /// The operations of the backend, and those that write.
    backend: Arc<BTreeSet<String>>,
    writing: BTreeSet<String>,
    knowledge: Knowledge,
    /// What the owner tells a model that writes queries; empty for nothing.
    queries: String,
}

/// What programs of all worksheet domains see, behind the client of their domain. Sheets are no
/// part of it, so that a change of them costs no snapshot.
pub const CLIENT: &str = include_str!("client.py");

const PROMPTING: Prompting = Prompting {
    instructions: include_str!("prompts/instructions.j2"),
    turn: include_str!("prompts/turn.j2"),
    reply: include_str!("prompts/reply.j2"),
    repair: include_str!("prompts/repair.j2"),
};

impl Worksheets {
    fn situation_of(&self, kept: &Kept) -> Situation {
        let line = |act| wording::line(&self.sheets, &kept.state, (act, &self.handoff));
        Situation {
            document: self.document.clone(),
            state: state_text(&self.sheets, &kept.state),
            acts: kept.acts.iter().map(line).collect(),
            plain: plain_reply::plain_reply(&self.sheets, kept, &self.handoff),
            is_repeated: kept.is_repeated(),
            shown: shown::shown(&self.sheets, kept),
            is_over: kept.is_over,
        }
    }
}

#[async_trait]
impl Conduct for Worksheets {
    fn prompting(&self) -> Prompting {
        PROMPTING
    }

    fn situation(&self, world: &dyn World) -> Result<Situation> {
        Ok(self.situation_of(&Kept::of(slate(world)?)?))
    }

    async fn follow(&self, turn: Following<'_>) -> Result<Execution> {
        let slate = slate(&**turn.world)?;
        let before = Kept::of(slate)?;
        let known = match turn.model {
            Some(_) => Json::Null,
            None => slate
                .pending()
                .map_or(Json::Null, |pending| pending["outcome"].clone()),
        };
        let playing = Turn::new(self, turn, &known).play(&before);
        let (execution, kept, record) = playing.await?;
        slate.keep(kept.json());
        let mut calls = execution.calls.iter();
        let wrote = calls.any(|call| self.writing.contains(&call.operation));
        let mut pending = serde_json::json!({
            "kept": kept.json(), "agreed": true,
            "outcome": kept.outcome(&record.effects, record.raised.as_ref()),
        });
        if wrote {
            pending["agreed"] = record.is_agreed.into();
            pending["record"] = record.json();
        }
        slate.set_pending(Some(pending));
        Ok(execution)
    }

    fn settle(&self, world: &dyn World, execution: Execution) -> Result<Execution> {
        let slate = slate(world)?;
        let Some(pending) = slate.pending() else {
            return Ok(execution);
        };
        slate.set_pending(None);
        let (Outcome::Error(error), EndedBy::Overseer, true) = (
            &execution.outcome,
            execution.ended_by,
            pending["record"].is_object(),
        ) else {
            slate.keep(pending["kept"].clone());
            return Ok(Execution {
                outcome: Outcome::Result(pending["outcome"].clone()),
                ..execution
            });
        };
        // The plan was not carried out: the calls of the turn have failed, and the agent says so.
        let record = Record::read(&pending["record"])?;
        let why = (error.error.as_str(), error.message.as_str());
        let (kept, effects) =
            record.without_calls((&self.sheets, &self.digest), self.settings, why)?;
        slate.keep(kept.json());
        Ok(Execution {
            outcome: Outcome::Result(kept.outcome(&effects, record.raised.as_ref())),
            ended_by: EndedBy::Program,
            ..execution
        })
    }

    fn is_agreed(&self, world: &dyn World) -> bool {
        let pending = world.slate().and_then(Slate::pending);
        pending.is_some_and(|pending| pending["agreed"] == true)
    }

    fn taken_back(&self, world: &dyn World, taken: &TakenBack) -> Result<()> {
        taken_back::mark(&self.sheets, slate(world)?, taken)
    }

    fn resumed(&self, world: &dyn World) -> Result<Vec<String>> {
        changed::resume((&self.sheets, &self.digest), slate(world)?)
    }

    fn open_question(&self, program: &str, user: &str, said: &str) -> Option<String> {
        let question = program::open_question(program, user, said)?;
        Some(findings::left_open(question, self.knowledge.is_empty()))
    }

    fn shown_program(&self, recorded: &str) -> String {
        program::without_sql(recorded)
    }

    fn taught(&self, dialogue: &Transcript) -> Result<Vec<Taught>> {
        lessons::recorded(self, dialogue)
    }

    fn simulated(&self, seed: u64) -> Vec<Taught> {
        lessons::simulated(self, seed)
    }

    fn findings(&self, reply: &str, world: &dyn World) -> Vec<String> {
        let kept = world.slate().and_then(|slate| Kept::of(slate).ok());
        kept.map_or_else(Vec::new, |kept| {
            findings::findings(&self.sheets, &kept, (reply, &self.handoff))
        })
    }
}

fn slate(world: &dyn World) -> Result<&Slate> {
    world.slate().ok_or_else(|| {
        let world = world.describe();
        Error::world(format!("{world} keeps no forms"))
    })
}
