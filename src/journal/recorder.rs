//! A session that is written: every function returns after its entry is in the journal.

use super::checked::CheckedReply;
use super::contents::ContentStore;
use super::conversion::{
    earlier_of, ending, executed_of, keep_executed, keep_plan, plan_of, touched_by,
};
use super::entry::{Ending, Entry, Origin, PlanVerdict, RequestRecord, UpdateRecord};
use super::log::{self, Torn};
use super::state::{SessionState, TurnState};
use super::writer::{Encoded, JournalWriter};
use crate::agent::{DecidedBy, Decision, Executed, Known};
use crate::dialogue::Update;
use crate::domain::{Place, Slate};
use crate::error::{Error, Result};
use crate::llm::{Completion, Request};
use crate::lock::Locked;
use crate::plan::{Applied, Earlier, Plan, Undo};
use jiff::Timestamp;
use serde_json::Value as Json;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The clock for the times of entries.
pub type JournalClock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The journal of a session that this process writes, and no other at the same time.
pub struct Journal {
    name: String,
    folder: PathBuf,
    contents: ContentStore,
    clock: JournalClock,
    torn: Option<Torn>,
    inner: Mutex<Inner>,
    /// Held while the session is written.
    _lock: Locked,
}

struct Inner {
    log: JournalWriter,
    state: SessionState,
    /// The model's answers in the interrupted turn that were not given again yet.
    owed: VecDeque<RequestRecord>,
}

impl Journal {
    pub(super) fn new(
        name: &str,
        folder: &Path,
        lock: Locked,
        log: JournalWriter,
        (state, torn): (SessionState, Option<Torn>),
        clock: JournalClock,
    ) -> Journal {
        let contents = ContentStore::at(folder.join(super::CONTENTS));
        contents.clear_partial();
        let owed = state.unfinished.as_ref().map(|turn| turn.asked.clone());
        Journal {
            name: name.to_owned(),
            folder: folder.to_owned(),
            contents,
            clock,
            torn,
            inner: Mutex::new(Inner {
                log,
                state,
                owed: owed.unwrap_or_default().into(),
            }),
            _lock: lock,
        }
    }

    /// The session's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The session's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The partial last line that was removed when the journal was opened, if any.
    pub fn torn(&self) -> Option<Torn> {
        self.torn
    }

    /// The current state of the session.
    pub fn state(&self) -> SessionState {
        self.lock().state.clone()
    }

    /// Reads the current state of the session without copying it.
    pub fn with_state<T>(&self, look: impl FnOnce(&SessionState) -> T) -> T {
        look(&self.lock().state)
    }

    pub(crate) fn contents(&self) -> &ContentStore {
        &self.contents
    }

    /// Adds an entry: it is on the disk when this returns. The state in memory never holds
    /// more than the disk.
    ///
    /// # Errors
    /// [`Error::usage`] if the entry is too long, [`Error::Content`] if it cannot follow the
    /// others; the session goes on without it. [`Error::File`] if the disk failed: no later
    /// entry is accepted, and the session must be resumed.
    pub fn append(&self, entry: Entry) -> Result<()> {
        self.append_all(vec![entry])
    }

    /// Adds entries, all of them or none: they are on the disk together.
    pub(super) fn append_all(&self, entries: Vec<Entry>) -> Result<()> {
        self.add(entries, JournalWriter::keep)
    }

    pub(super) fn add(
        &self,
        entries: Vec<Entry>,
        keep: fn(&mut JournalWriter, Encoded) -> Result<()>,
    ) -> Result<()> {
        let entries = entries.into_iter().map(|entry| ((self.clock)(), entry));
        let entries = entries.collect();
        let Inner { log, state, .. } = &mut *self.lock();
        let (lines, encoded) = log.encode(entries)?;
        let mut lines = lines.into_iter();
        let taken = lines.try_for_each(|line| state.take(line.at, line.entry));
        let kept = match taken {
            Ok(()) => keep(log, encoded),
            Err(problem) => Err(self.problem(problem)),
        };
        if kept.is_err()
            && let Ok(lines) = log::read_file(&self.folder.join(super::JOURNAL))
            && let Ok(there) = SessionState::of(lines.lines)
        {
            // Back to the entries that are on the disk.
            *state = there;
        }
        kept
    }

    /// A policy applies from now on. Nothing is written if it is the current one.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn policy(&self, text: &str) -> Result<()> {
        if self.with_state(|state| state.policy == text) {
            return Ok(());
        }
        let text = text.to_owned();
        self.append(Entry::Policy { text })
    }

    /// The session goes on in the place that its world was moved to.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn moved(&self, world: &str, identity: &str) -> Result<()> {
        let (world, identity) = (world.to_owned(), identity.to_owned());
        self.append(Entry::Moved { world, identity })
    }

    /// Folders are granted. Nothing is written if there are none.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn granted(&self, folders: BTreeMap<String, String>) -> Result<()> {
        match folders.is_empty() {
            true => Ok(()),
            false => self.append(Entry::Granted { folders }),
        }
    }

    /// The time by the clock of the journal.
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// A turn begins, or is continued.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn said(&self, turn: usize, user: &str) -> Result<()> {
        self.said_at(turn, user, None).map(drop)
    }

    /// A turn begins at this time, or is continued. Returns the time at which it began; none
    /// for a turn that is continued and has none.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn said_at(
        &self,
        turn: usize,
        user: &str,
        now: Option<Timestamp>,
    ) -> Result<Option<Timestamp>> {
        let user = user.trim();
        {
            let inner = &mut *self.lock();
            let begun = inner.state.unfinished.as_ref();
            let is_next = turn == inner.state.turns.len() + 1;
            if let Some(begun) = begun.filter(|begun| is_next && begun.user == user) {
                return Ok(begun.now);
            }
            inner.owed.clear();
        }
        let user = user.to_owned();
        self.append(Entry::Said { turn, user, now })?;
        Ok(now)
    }

    /// The programs of a turn are known.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn predicted(&self, turn: usize, updates: &[Update]) -> Result<()> {
        let known = self.with_state(|state| {
            let turn = state.unfinished.as_ref();
            turn.is_some_and(|turn| turn.updates.as_deref() == Some(updates))
        });
        if known {
            return Ok(());
        }
        let updates = updates.iter().map(UpdateRecord::from).collect();
        self.append(Entry::Predicted { turn, updates })
    }

    /// A plan was made. Returns its number.
    ///
    /// # Errors
    /// Those of [`Journal::append`], and those of writing its contents.
    pub fn plan(&self, origin: Origin, plan: &Plan) -> Result<u64> {
        self.keep(origin, plan, &[])
    }

    /// The undo of a plan was planned. Returns the number of its plan.
    ///
    /// # Errors
    /// Those of [`Journal::plan`].
    pub fn plan_undo(&self, of: u64, undo: &Undo) -> Result<u64> {
        self.keep(Origin::Undo { of }, &undo.plan, &undo.left_alone)
    }

    fn keep(&self, origin: Origin, plan: &Plan, left_alone: &[Place]) -> Result<u64> {
        let id = self.with_state(SessionState::next_plan);
        let planned = keep_plan(id, origin, plan, left_alone, &self.contents)?;
        self.append(Entry::Plan(planned)).map(|()| id)
    }

    /// A plan was decided on.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn decided(&self, plan: u64, decision: &Decision, by: DecidedBy) -> Result<()> {
        let verdict = match decision {
            Decision::Apply(_) => PlanVerdict::Apply {},
            Decision::Decline(why) => PlanVerdict::Decline { why: why.clone() },
        };
        self.append(Entry::Decided { plan, verdict, by })
    }

    /// An apply ended.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn applied(&self, plan: u64, applied: &Applied) -> Result<()> {
        let writes = self.with_state(|state| {
            let known = state.plan(plan);
            known.map_or(0, |known| known.planned.writes.len())
        });
        let (end, sentence) = ending(applied, writes);
        self.append(Entry::Applied {
            plan,
            made: applied.steps.len(),
            end,
            sentence,
        })
    }

    /// A program came to its end.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn executed(&self, turn: usize, executed: &Executed) -> Result<()> {
        let known = self.with_state(|state| {
            let turn = state.unfinished.as_ref();
            turn.is_some_and(|turn| turn.executed.iter().any(|ran| ran.uid == executed.uid))
        });
        match known {
            true => Ok(()),
            false => self.append(Entry::Executed(keep_executed(turn, executed))),
        }
    }

    /// Writes down what the conduct keeps. What is the same as before is not written again.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn kept(&self, turn: usize, slate: &Slate) -> Result<()> {
        let kept = Json::clone(&slate.kept());
        let pending = slate.pending();
        let known = self.with_state(|state| {
            let known = state.kept.as_ref();
            known.is_some_and(|known| known.0 == kept && known.1 == pending)
        });
        match known || kept.is_null() && pending.is_none() {
            true => Ok(()),
            false => self.append(Entry::Kept {
                turn,
                kept,
                pending,
            }),
        }
    }

    /// A turn ends, with what was found in its reply if that was looked at.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn replied(&self, turn: usize, reply: &str, checked: Option<CheckedReply>) -> Result<()> {
        self.append(Entry::Replied {
            turn,
            text: reply.to_owned(),
            checked,
        })
    }

    /// The last turn was taken back: see [`Session::undo_draft`](crate::agent::Session::undo_draft).
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn taken_back(&self, turn: usize) -> Result<()> {
        self.append(Entry::TakenBack { turn })
    }

    /// The effects of a plan were undone.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn undone(&self, plan: u64) -> Result<()> {
        self.append(Entry::Undone { plan })
    }

    /// The session ends.
    ///
    /// # Errors
    /// Those of [`Journal::append`].
    pub fn ended(&self) -> Result<()> {
        self.append(Entry::Ended {})
    }

    /// The model answered. With `traffic` the request is kept as well.
    ///
    /// # Errors
    /// Those of [`Journal::append`]; there is no turn under way.
    pub(super) fn asked(
        &self,
        (model, digest): (&str, &str),
        request: Option<&Request>,
        completion: &Completion,
    ) -> Result<()> {
        let turn = self.with_state(|state| state.turns.len() + 1);
        self.append(Entry::Asked(RequestRecord {
            turn,
            model: model.to_owned(),
            digest: digest.to_owned(),
            request: request.cloned(),
            completion: completion.clone(),
        }))
    }

    /// The model's answer to this request in the interrupted turn. Each answer is given once.
    pub(super) fn owed(&self, digest: &str) -> Option<Completion> {
        let owed = &mut self.lock().owed;
        let at = owed.iter().position(|asked| asked.digest == digest)?;
        owed.remove(at).map(|asked| asked.completion)
    }

    /// The interrupted turn, if there is one.
    pub fn unfinished(&self) -> Option<TurnState> {
        self.with_state(|state| state.unfinished.clone())
    }

    /// The fate of a program of the current turn before the interruption, and the number of
    /// its plan if an apply had begun.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Content`] if a content is missing or damaged.
    pub fn earlier(&self, turn: usize, uid: u32) -> Result<(Known, Option<u64>)> {
        let state = self.state();
        let begun = state.unfinished.as_ref();
        let Some(begun) = begun.filter(|_| turn == state.turns.len() + 1) else {
            return Ok((Known::Nothing, None));
        };
        if let Some(ran) = begun.executed.iter().find(|ran| ran.uid == uid) {
            let mut executed = executed_of(ran);
            executed.execution.touched = touched_by(&state, turn, uid);
            return Ok((Known::Executed(executed), None));
        }
        let agreed = (state.plan_of(turn, uid))
            .filter(|known| matches!(known.decided, Some((PlanVerdict::Apply {}, _))));
        let Some(known) = agreed else {
            return Ok((Known::Nothing, None));
        };
        let plan = plan_of(&known.planned, &self.contents)?;
        let why = match &known.end {
            _ if known.undone => Some("Nothing was changed: what was done is taken back."),
            Some((Ending::Stopped, sentence)) => Some(sentence.as_str()),
            _ => None,
        };
        let taken_back = state.taken_back_in_part(known.planned.id);
        let earlier = match why {
            Some(why) => Known::Ended {
                plan,
                touched: touched_by(&state, turn, uid),
                why: format!("{why}{}", taken_back.unwrap_or_default()),
            },
            None => Known::Begun {
                plan,
                earlier: earlier_of(known, &self.contents)?,
            },
        };
        Ok((earlier, Some(known.planned.id)))
    }

    /// A plan of the session, and the progress of its apply, which is to be finished or
    /// undone.
    ///
    /// # Errors
    /// [`Error::Content`] if there is no such plan or a content is damaged, [`Error::File`] if
    /// one is missing.
    pub fn plan_and_steps(&self, plan: u64) -> Result<(Plan, Earlier)> {
        let known = self.with_state(|state| state.plan(plan).cloned());
        let known = known.ok_or_else(|| self.problem(format!("there is no plan {plan}")))?;
        Ok((
            plan_of(&known.planned, &self.contents)?,
            earlier_of(&known, &self.contents)?,
        ))
    }

    fn problem(&self, problem: String) -> Error {
        Error::Content {
            path: self.folder.join(super::JOURNAL),
            problem,
        }
    }

    /// A panic cannot leave anything behind the lock half changed.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
