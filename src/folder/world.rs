//! One live state of a folder's domain.

use super::contents::changes_between;
use super::diff::touched;
use super::held_state::HeldState;
use super::kept_file::KeptFile;
use super::runtime::{SharedRuntime, path_of};
use crate::blocking;
use crate::domain::{
    Access, Answer, Change, Domain, Map, Overlaid, Refusal, Signer, StateChange, StateValue,
    Touched, Value, World,
};
use crate::error::{Error, Result};
use crate::lock::Locked;
use async_trait::async_trait;
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// The call that puts a value at a place: `{"path": [key, …], "value": …, "at": index}`.
/// Plans make it to take changes back. Programs cannot: it is carried out by
/// [`World::call_once`] alone.
pub const SET: &str = "$set";
/// The call that takes away what is at a place: `{"path": [key, …]}`. As [`SET`].
pub const REMOVE: &str = "$remove";

/// A state, and the runtime that answers calls to it.
pub struct FolderWorld {
    pub(super) runtime: SharedRuntime,
    pub(super) facts: Arc<Facts>,
    held: Arc<Mutex<HeldState>>,
    /// The state when the world was opened or copied.
    opened: StateValue,
    /// The state that was signed last, with its canonical JSON. Programs that only read leave
    /// it as it is.
    signed: Mutex<Option<(StateValue, Arc<Vec<u8>>)>>,
    /// One call at a time.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// The file that keeps the state.
    file: Option<Arc<KeptFile>>,
    /// One line for people.
    about: String,
}

/// The right to change a state. The one of the file ends first.
struct Turn {
    _file: Option<Locked>,
    _turn: OwnedMutexGuard<()>,
}

/// Facts about the domain that all worlds of a folder share.
#[derive(Debug, Default)]
pub struct Facts {
    operations: BTreeSet<String>,
    /// Those that write.
    writing: BTreeSet<String>,
}

impl Facts {
    /// The facts about the operations of a domain.
    pub fn of(domain: &Domain) -> Self {
        let names = |writing: bool| {
            let operations = domain.api.operations.iter();
            let chosen = operations.filter(|it| !writing || it.effect != Access::Read);
            chosen.map(|it| it.name.to_string()).collect()
        };
        Facts {
            operations: names(false),
            writing: names(true),
        }
    }
}

impl FolderWorld {
    /// A world in memory, or one that a file keeps.
    pub fn new(
        runtime: &SharedRuntime,
        facts: &Arc<Facts>,
        held: HeldState,
        file: Option<KeptFile>,
        about: String,
    ) -> Self {
        FolderWorld {
            runtime: runtime.clone(),
            facts: facts.clone(),
            opened: held.state.clone(),
            signed: Mutex::default(),
            held: Arc::new(Mutex::new(held)),
            turn: Arc::default(),
            file: file.map(Arc::new),
            about,
        }
    }

    /// The state as it is now. If its file cannot be read, that is the last one that was known:
    /// the next call says what is wrong.
    fn held(&self) -> HeldState {
        let known = || {
            let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            held.clone()
        };
        self.refreshed().unwrap_or_else(|_| known())
    }

    /// The state, read again if another program has written its file.
    fn refreshed(&self) -> Result<HeldState> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &self.file
            && let Some(state) = file.changed()?
        {
            held.replace(state);
        }
        Ok(held.clone())
    }

    /// The right to change the state: no other call of this program has it, and no other program
    /// where a file keeps the state.
    async fn turn(&self, writes: bool) -> Result<Turn> {
        let turn = self.turn.clone().lock_owned().await;
        let file = match self.file.clone().filter(|_| writes) {
            Some(file) => blocking::waiting(move || file.lock()).await??,
            None => None,
        };
        Ok(Turn {
            _file: file,
            _turn: turn,
        })
    }

    /// Takes over a new state. What a file keeps is written first: a call that was answered
    /// is on the disk.
    ///
    /// The file is written on a thread for blocking work. If nobody waits for the call any
    /// more, a write that has begun still comes to its end there, and one that has not is never
    /// made. The next call waits for that, since otherwise the older state could be the last one
    /// in the file. Whoever reads the state waits for a write that has begun.
    async fn take_over(&self, now: HeldState, turn: Turn) -> Result<()> {
        let Some(file) = self.file.clone() else {
            *self.held.lock().unwrap_or_else(PoisonError::into_inner) = now;
            return Ok(());
        };
        let held = self.held.clone();
        // It is dropped with this future.
        let waiting = Arc::new(());
        let waited_for = Arc::downgrade(&waiting);
        let written = blocking::waiting(move || -> Result<()> {
            let _turn = turn;
            let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
            // Who gave the call up may have read the older state since, and relies on it.
            if waited_for.strong_count() == 0 {
                return Ok(());
            }
            file.write(&now.state)?;
            *held = now;
            Ok(())
        });
        let written = written.await;
        drop(waiting);
        written?
    }

    /// The canonical JSON of the state.
    fn canonical(&self) -> Arc<Vec<u8>> {
        let state = self.held().state;
        let mut signed = self.signed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, text)) = &*signed
            && known.is_same(&state)
        {
            return text.clone();
        }
        let text = Arc::new(state.canonical());
        *signed = Some((state, text.clone()));
        text
    }

    /// Makes a call; returns the states before and after it too.
    async fn make(
        &self,
        operation: &str,
        params: &Value,
    ) -> Result<(Answer, HeldState, HeldState)> {
        let turn = self.turn(self.facts.writing.contains(operation)).await?;
        let before = self.refreshed()?;
        if !self.facts.operations.contains(operation) {
            let answer = Err(unknown(operation));
            return Ok((answer, before.clone(), before));
        }
        let mut now = before.clone();
        let mut answer = self.runtime.call(&mut now, operation, params).await?;
        let is_changed = now.changes != before.changes;
        if is_changed && !self.facts.writing.contains(operation) {
            answer = Err(Refusal {
                code: super::runtime::WORLD_ERROR.to_owned(),
                message: format!(
                    "{operation} changed the state, but domain.toml has it among the reads. This \
                     is a mistake in the domain, not in the program. Nothing was changed."
                ),
                status: 400,
                details: Map::new(),
            });
            return Ok((answer, before.clone(), before));
        }
        if is_changed {
            self.take_over(now.clone(), turn).await?;
        }
        Ok((answer, before, now))
    }

    /// Puts a value at a place, or takes away what is there.
    async fn restore(&self, operation: &str, params: &Value) -> Result<Answer> {
        let turn = self.turn(true).await?;
        let mut now = self.refreshed()?;
        let path = params.get("path").and_then(path_of);
        let value = params
            .get("value")
            .cloned()
            .and_then(StateValue::from_value);
        let at = params.get("at").and_then(Value::as_int);
        let at = at.and_then(|at| usize::try_from(at).ok());
        let bytes = value.as_ref().map_or(0, StateValue::json_size);
        let made = match (operation, path, value) {
            (SET, Some(path), Some(value)) => now.state.set(&path, value, at),
            (REMOVE, Some(path), _) => now.state.apply(StateChange::Remove { path }),
            _ => Err("its parameters are wrong".to_owned()),
        };
        if let Err(problem) = made {
            return Ok(Err(Refusal {
                code: "PlaceGone".to_owned(),
                message: format!("{operation} cannot be carried out: {problem}"),
                status: 409,
                details: Map::new(),
            }));
        }
        now.count_change(bytes);
        self.take_over(now, turn).await?;
        Ok(Ok(Value::Null))
    }

    /// The same world, which people are told is an overlay: it keeps its changes in memory.
    pub fn into_overlay(self) -> Self {
        FolderWorld {
            about: format!("an overlay over {}", self.about),
            ..self
        }
    }

    /// A copy in memory that changes independently.
    pub fn copy(&self) -> Self {
        FolderWorld::new(
            &self.runtime,
            &self.facts,
            self.held(),
            None,
            self.about.clone(),
        )
    }
}

fn unknown(operation: &str) -> Refusal {
    Refusal {
        code: "UnknownOperation".to_owned(),
        message: format!("the API has no operation {operation:?}"),
        status: 404,
        details: Map::new(),
    }
}

#[async_trait]
impl World for FolderWorld {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        Ok(self.make(operation, params).await?.0)
    }

    async fn call_once(&self, operation: &str, params: &Value) -> Result<Answer> {
        match operation {
            SET | REMOVE => self.restore(operation, params).await,
            _ => self.call(operation, params).await,
        }
    }

    async fn call_observed(
        &self,
        operation: &str,
        params: &Value,
    ) -> Result<(Answer, Option<Vec<Touched>>)> {
        let (answer, before, after) = self.make(operation, params).await?;
        let touched = touched(&before.state, &after.state);
        Ok((answer, Some(touched)))
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(self.copy()))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        signer.field(b'j', &self.canonical());
        Ok(())
    }

    fn state_value(&self) -> Option<StateValue> {
        Some(self.held().state)
    }

    /// A program does not pay for the preparation of the sandbox that answers its calls.
    fn waits(&self) -> bool {
        !self.runtime.is_ready()
    }

    fn own_time(&self) -> Option<Timestamp> {
        let held = self.held();
        held.has_own_time.then(|| held.seed().now)
    }

    fn reached_time(&self) -> Option<Timestamp> {
        Some(self.held().seed().now)
    }

    fn hold_time(&self, now: Timestamp) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.hold(now);
    }

    fn describe(&self) -> String {
        self.about.clone()
    }
}

impl Overlaid for FolderWorld {
    fn overlay_changes(&self) -> Vec<Change> {
        changes_between(&self.opened, &self.held().state)
    }
}

/// The error of a state that is not an object.
pub fn not_an_object(path: PathBuf) -> Error {
    Error::Content {
        path,
        problem: "is not a JSON object; a state is one: {\"orders\": {}}".to_owned(),
    }
}
