//! The entries of a journal.
//!
//! Values and contents have the JSON form of [`values`](super::values); `conversion.rs` converts
//! entries from and to plans and executions.

use super::checked::CheckedReply;
use super::kept_params::KeptParams;
use crate::agent::DecidedBy;
use crate::dialogue::{Outcome, Program, ProgramError, Status, Update};
use crate::domain::{Ids, Mark, Place, Touched, Value, WorldKind, Write};
use crate::exec::{CallRecord, EndedBy};
use crate::llm::{Completion, Request};
use crate::plan::{Plan, Reads, effects, with_ways_back};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The version of the journal format.
pub const VERSION: u32 = 1;

/// One thing that happened in a session. Turns and goals are counted as in a dialogue,
/// from 1; a plan is named by its place among all plans of the session, from 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Entry {
    /// A session begins: always the first, and only that.
    Begin(Begin),
    /// Another process continues the session.
    Resumed {},
    /// Another policy applies from now on.
    Policy {
        /// Its text.
        text: String,
    },
    /// The folder or file of the world was moved, and the session goes on there.
    Moved {
        /// The world, as it was typed.
        world: String,
        /// Its [identity](Begin::identity).
        identity: String,
    },
    /// Folders of the user are granted, beside those that were, or in the place of those with
    /// the same names that no plan had touched.
    Granted {
        /// Their paths, as in [`Begin::folders`].
        folders: BTreeMap<String, String>,
    },
    /// A turn begins. If the turn had begun before, equal words continue it, and other words
    /// replace it.
    Said {
        /// The number of the turn, from 1.
        turn: usize,
        /// The user's utterance.
        user: String,
        /// The time that its programs have; none in journals of before it was kept.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            with = "written_time"
        )]
        now: Option<Timestamp>,
    },
    /// The model answered a request.
    Asked(RequestRecord),
    /// The programs of the turn are known.
    Predicted {
        /// The number of the turn, from 1.
        turn: usize,
        /// The goals that change.
        updates: Vec<UpdateRecord>,
    },
    /// The effects that a program, or an undo, would have.
    Plan(Planned),
    /// A decision on a plan.
    Decided {
        /// The number of the plan in its session, from 1.
        plan: u64,
        /// What.
        verdict: PlanVerdict,
        /// Who said so.
        by: DecidedBy,
    },
    /// A write of the plan is about to be made.
    Intent {
        /// The number of the plan in its session, from 1.
        plan: u64,
        /// Which of its writes, from 0.
        number: usize,
        /// The state of its places before it.
        step: StepRecord,
    },
    /// The write was made.
    Done {
        /// The number of the plan in its session, from 1.
        plan: u64,
        /// Which of its writes, from 0.
        number: usize,
        /// The mark that it left at each place.
        left: Vec<Option<Mark>>,
        /// The ids that the world gave to what it made.
        #[serde(default, skip_serializing_if = "Ids::is_empty")]
        ids: Ids,
    },
    /// The apply of a plan ended.
    Applied {
        /// The number of the plan in its session, from 1.
        plan: u64,
        /// The number of writes that were made.
        made: usize,
        /// How it ended.
        end: Ending,
        /// The same in words; empty if all writes were made.
        sentence: String,
    },
    /// What the conduct keeps in the slate of the world has changed.
    Kept {
        /// In which turn.
        turn: usize,
        /// What it keeps.
        kept: Json,
        /// What it keeps once a plan is decided on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pending: Option<Json>,
    },
    /// A program came to its end.
    Executed(ExecutionRecord),
    /// A turn ends.
    Replied {
        /// The number of the turn, from 1.
        turn: usize,
        /// The agent's reply.
        text: String,
        /// What was found in it; none where it was not looked at, and in journals of before this
        /// was kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checked: Option<CheckedReply>,
    },
    /// The last turn, which ran nothing, was taken back.
    TakenBack {
        /// The number of the turn, from 1.
        turn: usize,
    },
    /// A plan was undone: the plan of the undo is applied.
    Undone {
        /// The plan that is undone.
        plan: u64,
    },
    /// The session ends. It may still be resumed.
    Ended {},
}

/// A time as text.
mod written_time {
    use super::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(time: &Option<Timestamp>, to: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => to.collect_str(time),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map(Some).map_err(D::Error::custom)
    }
}

/// The start of a session, and the settings it keeps when it is resumed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Begin {
    /// Of the journal.
    pub version: u32,
    /// The version of the program.
    pub dialog2api: String,
    /// The world, as it was typed.
    pub world: String,
    /// The identity of the world ([`Opened::identity`](crate::domain::Opened));
    /// none in journals of before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// The folder of the domain; none for a domain that comes with the program, and in journals of
    /// before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<PathBuf>,
    /// Where the state of the world lives; none in journals of before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<WorldKind>,
    /// The folders of the user that programs may name
    /// ([`Opened::folders`](crate::domain::Opened)).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub folders: BTreeMap<String, String>,
    /// The name of the model.
    pub model: String,
    /// The text of the policy that holds at first; empty where none does.
    #[serde(default)]
    pub policy: String,
    /// The environment's signature before the first turn, where it was taken: 8 hex digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Further settings that a resumed session must share, in its owner's form.
    #[serde(default)]
    pub settings: Json,
}

impl Begin {
    /// A session of this program in a world with a model.
    pub fn new(world: &str, model: &str) -> Self {
        Begin {
            version: VERSION,
            dialog2api: env!("CARGO_PKG_VERSION").to_owned(),
            world: world.to_owned(),
            model: model.to_owned(),
            ..Begin::default()
        }
    }

    /// Whether the world is on a server. In journals of before its kind was kept, a server is
    /// called `s3`.
    pub fn is_remote(&self) -> bool {
        match self.kind {
            Some(kind) => kind == WorldKind::Remote,
            None => self.world == "s3",
        }
    }
}

/// A question to the model, and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequestRecord {
    /// In which turn.
    pub turn: usize,
    /// The name of the model.
    pub model: String,
    /// The digest that identifies the request, in hex.
    pub digest: String,
    /// The request itself, if requests are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
    /// The answer.
    pub completion: Completion,
}

/// An [`Update`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateRecord {
    /// The goal.
    pub uid: u32,
    /// The status it is to have.
    pub status: Status,
    /// Its new program; none keeps the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Program>,
}

impl From<&Update> for UpdateRecord {
    fn from(update: &Update) -> Self {
        UpdateRecord {
            uid: update.uid,
            status: update.status,
            program: update.program.clone(),
        }
    }
}

impl From<UpdateRecord> for Update {
    fn from(change: UpdateRecord) -> Self {
        Update {
            uid: change.uid,
            status: change.status,
            program: change.program,
        }
    }
}

/// Where a plan comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A program of a goal.
    Program {
        /// In which turn.
        turn: usize,
        /// Of which goal.
        uid: u32,
    },
    /// An undo: a plan that takes back another plan.
    Undo {
        /// The plan that is taken back.
        of: u64,
    },
}

/// A [`Plan`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Planned {
    /// Which one.
    pub id: u64,
    /// Where it comes from.
    pub origin: Origin,
    /// Its writes, in order.
    pub writes: Vec<WriteRecord>,
    /// All its calls.
    pub calls: Arc<[CallRecord]>,
    /// The outcome in the trial.
    pub outcome: Ended,
    /// The parts that could not be brought back, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lasting: Vec<(Place, String)>,
    /// The places that an undo leaves alone, because they have changed since.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_alone: Vec<Place>,
}

impl Planned {
    /// The plan without the parameters of its writes: enough to say what it would do.
    pub fn outline(&self) -> Plan {
        let writes = self.writes.iter().map(|write| Write {
            operation: write.operation.clone(),
            params: Value::Null,
            touched: write.touched.clone(),
            ids: write.ids.clone(),
            lasting: write.lasting.clone(),
        });
        let writes: Vec<Write> = writes.collect();
        Plan {
            effects: with_ways_back(effects(&writes), &self.lasting).into(),
            writes,
            calls: self.calls.clone(),
            outcome: (&self.outcome).into(),
            lasting: self.lasting.clone(),
            reads: Reads::default(),
        }
    }
}

/// A [`Write`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WriteRecord {
    /// The operation.
    pub operation: String,
    /// Its parameters.
    pub params: KeptParams,
    /// The places that it changes or depends on.
    pub touched: Arc<[Touched]>,
    /// The ids in the answer of the draft.
    #[serde(default, skip_serializing_if = "Ids::is_empty")]
    pub ids: Ids,
    /// What an undo of it cannot bring back, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lasting: Vec<(Place, String)>,
}

/// A [`Step`](crate::plan::Step).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StepRecord {
    /// The mark of each place before the write.
    pub found: Vec<Option<Mark>>,
    /// The destroyed contents, enough to bring them back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<(Place, ImageRecord)>,
    /// The mark of each place after the write; empty until it is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<Option<Mark>>,
    /// The ids in the answer of the world.
    #[serde(default, skip_serializing_if = "Ids::is_empty")]
    pub ids: Ids,
}

/// An [`Image`](crate::domain::Image).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageRecord {
    /// Nothing was there.
    Nothing {},
    /// A call that makes it again.
    Call {
        /// The operation.
        operation: String,
        /// The parameters, with the content.
        params: KeptParams,
    },
    /// Calls that make it again, and give it what it had.
    Calls {
        /// The operations with their parameters.
        calls: Vec<(String, KeptParams)>,
    },
    /// It cannot be brought back.
    Lost {
        /// Why.
        because: String,
    },
}

/// A decision about a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlanVerdict {
    /// It is carried out.
    Apply {},
    /// It is not.
    Decline {
        /// Why: a sentence for the model.
        why: String,
    },
}

/// How an apply ended: the words of [`End`](crate::plan::End).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// Every write was made.
    Whole,
    /// Someone wanted it to end.
    Stopped,
    /// A place was not as the plan saw it.
    Drifted,
    /// The world refused a write.
    Refused,
    /// It is not known whether a write was made.
    Unknown,
    /// The world could not be read, or the record could not be kept.
    Failed,
}

/// An [`Executed`](crate::agent::Executed).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExecutionRecord {
    /// In which turn.
    pub turn: usize,
    /// The goal.
    pub uid: u32,
    /// The outcome.
    pub outcome: Ended,
    /// Its calls.
    pub calls: Arc<[CallRecord]>,
    /// The printed output.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// How long it took, in microseconds.
    pub elapsed: u64,
    /// Who determined the outcome: the program, a limit, or the overseer.
    #[serde(default, skip_serializing_if = "EndedBy::is_program")]
    pub ended_by: EndedBy,
    /// The listings that it did not read to the end, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// The signature after it, where it was taken: 64 hex digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// An [`Outcome`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// The returned value.
    Result(Json),
    /// The failure.
    Error(ProgramError),
}

impl From<&Outcome> for Ended {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Result(value) => Ended::Result(value.clone()),
            Outcome::Error(error) => Ended::Error(error.clone()),
        }
    }
}

impl From<&Ended> for Outcome {
    fn from(ended: &Ended) -> Self {
        match ended {
            Ended::Result(value) => Outcome::Result(value.clone()),
            Ended::Error(error) => Outcome::Error(error.clone()),
        }
    }
}
