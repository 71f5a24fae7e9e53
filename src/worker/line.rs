//! The lines that a worker reads.

use super::evaluation::Evaluation;
use crate::error::Error;
use crate::policy::Mode;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A line.
#[derive(Debug)]
pub enum Incoming {
    /// What the client says as a model.
    Answer(ModelAnswer),
    /// What it asks for.
    Request(Request),
}

impl Incoming {
    /// Reads a line. The error has its `id`, if it has one, and why it is no request.
    pub fn read(line: &[u8]) -> Result<Incoming, (Json, String)> {
        let told = |id: Json| move |error: serde_json::Error| (id, error.to_string());
        let line: Json = serde_json::from_slice(line).map_err(told(Json::Null))?;
        if line.get("answer").is_some() {
            let answer = serde_json::from_value(line).map_err(told(Json::Null))?;
            return Ok(Incoming::Answer(answer));
        }
        let id = line.get("id").cloned().unwrap_or_default();
        let request = serde_json::from_value(line).map_err(told(id))?;
        Ok(Incoming::Request(request))
    }
}

/// The answer to the `ask` of this number.
#[derive(Debug, Deserialize)]
pub struct ModelAnswer {
    /// The number.
    pub answer: u64,
    /// What the model says.
    #[serde(flatten)]
    pub what: Said,
}

/// What a model says, or why it says nothing.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    Text(String),
    /// Its failure.
    Error(String),
}

#[derive(Debug, Deserialize)]
pub struct Request {
    /// Its number, which the line has that ends it.
    pub id: u64,
    /// What is asked for.
    #[serde(flatten)]
    pub what: Do,
}

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Do {
    /// Open a world.
    World(WantedWorld),
    /// Copy it.
    Fork { world: u64 },
    /// Sign its state.
    Signature { world: u64 },
    /// List what is in it.
    Content { world: u64 },
    /// Compare it with another one.
    Diff { world: u64, other: u64 },
    /// Forget it.
    Forget { world: u64 },
    /// Prepare the sandbox of a domain.
    Prepare { domain: Option<String> },
    /// Run a program.
    Run(Program),
    /// Look for a syntax error.
    Check {
        domain: Option<String>,
        program: String,
    },
    /// Begin or continue a conversation.
    Open(Opening),
    /// Say something.
    Say { conversation: u64, text: String },
    /// Answer the plan that waits.
    Decide {
        conversation: u64,
        plan: u64,
        apply: bool,
    },
    /// Answer whether the program that waits goes on.
    GoOn { conversation: u64, go_on: bool },
    /// End what is under way.
    Cancel { conversation: u64 },
    /// Take back a plan; the last one where none is named.
    Undo {
        conversation: u64,
        plan: Option<u64>,
    },
    /// Write down the dialogue, in the exchange format.
    Transcript { conversation: u64 },
    /// Show the forms of a conversation by worksheets.
    Forms { conversation: u64 },
    /// End the conversation.
    Close { conversation: u64 },
    /// Evaluate a model.
    Evaluate(Box<Evaluation>),
    /// Check what a reply claims.
    Claims(Claims),
}

/// The world that is wanted: by its name and options as at the command line, or by its content.
#[derive(Debug, Deserialize)]
pub struct WantedWorld {
    pub domain: Option<String>,
    pub name: Option<String>,
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// A description, in the domain's own form.
    pub data: Option<Json>,
}

/// A program to run: in a world that is held, or in a fresh copy of an initial one.
#[derive(Debug, Deserialize)]
pub struct Program {
    pub program: String,
    pub domain: Option<String>,
    pub world: Option<WorldName>,
    #[serde(default)]
    pub limits: ProgramLimits,
    /// When it starts, in a world that has the machine's time.
    pub now: Option<String>,
    /// The seed of its randomness.
    #[serde(default)]
    pub seed: u64,
    /// The text of a policy that it is held to.
    pub policy: Option<String>,
    /// Whether the state is signed after it; by default where that costs little.
    pub sign: Option<bool>,
}

/// A world, by its number or its name.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum WorldName {
    Held(u64),
    Initial(String),
}

/// The limits of a program that a client may choose.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramLimits {
    /// In seconds.
    pub deadline: Option<f64>,
    pub fuel: Option<u64>,
    /// In bytes.
    pub memory: Option<usize>,
    pub calls: Option<u32>,
}

/// A conversation to open.
#[derive(Debug, Deserialize)]
pub struct Opening {
    pub world: u64,
    /// `PROVIDER:NAME`; none where the client is the model.
    pub model: Option<String>,
    pub base_url: Option<String>,
    /// The text of a policy; by default writes are asked about.
    pub policy: Option<String>,
    pub mode: Option<Mode>,
    /// The session, which is continued if it is there.
    pub session: Option<String>,
    /// The folder of the sessions; by default the user's own.
    pub sessions: Option<PathBuf>,
    #[serde(default)]
    pub limits: ProgramLimits,
    #[serde(default)]
    pub seed: u64,
}

/// A reply to check.
#[derive(Debug, Deserialize)]
pub struct Claims {
    pub rows: Vec<Map<String, Json>>,
    pub reply: String,
    pub schema: Option<Json>,
    pub language: Option<String>,
}

impl Claims {
    /// The claims of the reply, as `dialog2api claims` prints them.
    pub fn report(&self) -> Result<Json, Error> {
        let failed = |error: serde_json::Error| Error::usage(error.to_string());
        let mut rows = Vec::new();
        for row in &self.rows {
            serde_json::to_writer(&mut rows, row).map_err(failed)?;
            rows.push(b'\n');
        }
        let reply = self.reply.as_bytes();
        let language = self.language.as_deref().unwrap_or("en");
        let report = match &self.schema {
            None => typed_claims::report(&rows, reply, language),
            Some(schema) => {
                let schema = serde_json::to_vec(schema).map_err(failed)?;
                typed_claims::report_with(&rows, reply, language, &schema)
            }
        };
        let report = report.map_err(|error| Error::usage(error.to_string()))?;
        serde_json::from_slice(&report).map_err(failed)
    }
}
