//! Reading ahead: a program that reads objects in the order of a listing that it has gets the
//! next ones from a server before it asks for them, many at a time.
//!
//! A program is sequential, and its reads are not surprising. The second read that follows the
//! one before it in the listing begins with two reads ahead; then there are four, eight and so
//! on. A read out of order ends it. Nothing is read that was not listed, or that a policy denies.
//! A request whose answer nobody waited for counts, too, in [`Spent`].
//!
//! - `listed.rs`: the listings; `cursor.rs`: what is next; `direct.rs`: without an overlay
//!
//! [`Spent`]: crate::domain::Spent

mod cursor;
mod direct;
mod listed;

pub use direct::ReadingAhead;

use crate::caller::text;
use crate::domain::{Answer, Map, Value, World};
use crate::operations;
use cursor::Cursor;
use listed::{At, Listed};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::JoinHandle;

/// How much is read ahead of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AheadLimits {
    /// The most reads that are under way, or answered and not yet asked for. With 0 nothing is
    /// read ahead.
    pub reads: usize,
    /// The most bytes of contents among them. A larger content is read only when the program asks
    /// for it.
    pub bytes: u64,
}

impl AheadLimits {
    /// Nothing is read ahead.
    pub const NONE: AheadLimits = AheadLimits { reads: 0, bytes: 0 };
}

impl Default for AheadLimits {
    fn default() -> Self {
        AheadLimits {
            reads: 32,
            bytes: 32 << 20,
        }
    }
}

/// The most kinds of reads that are followed: a program may ask several things of each object.
const MOST_KINDS: usize = 8;

/// What an answer takes beside the content.
const BESIDE: u64 = 1 << 10;

/// The parameters that name more than an object, so that the same ones name nothing of the next.
const OF_ONE: [&str; 5] = [
    "VersionId",
    "UploadId",
    "PartNumber",
    "IfMatch",
    "IfNoneMatch",
];

/// Reads ahead for one program.
pub(super) struct Ahead {
    world: Arc<dyn World>,
    limits: AheadLimits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    listed: Listed,
    /// The one that was followed last is at the end.
    cursors: Vec<Cursor>,
    reads: HashMap<String, Read>,
    bytes: u64,
}

/// A read that is under way or answered. Dropped, it ends.
struct Read {
    bytes: u64,
    answer: JoinHandle<Option<Answer>>,
}

impl Drop for Read {
    fn drop(&mut self) {
        self.answer.abort();
    }
}

impl State {
    fn forget(&mut self, questions: Vec<String>) {
        for question in questions {
            self.bytes -= self.reads.remove(&question).map_or(0, |read| read.bytes);
        }
    }

    /// Puts the cursor of a kind of reads at the end.
    fn take_up(&mut self, kind: &str, at: At) {
        let known = self.cursors.iter().position(|it| it.kind == kind);
        let cursor = match known {
            Some(index) => self.cursors.remove(index),
            None => Cursor::new(kind.to_owned(), at),
        };
        if self.cursors.len() >= MOST_KINDS {
            let passed = self.cursors.remove(0).stop();
            self.forget(passed);
        }
        self.cursors.push(cursor);
    }
}

impl Ahead {
    /// Reads ahead in this world.
    pub fn new(world: Arc<dyn World>, limits: AheadLimits) -> Ahead {
        Ahead {
            world,
            limits,
            state: Mutex::default(),
        }
    }

    /// The program has made this call. `asks` is the call by which a call of the program like
    /// this one is answered, if it is to be made ahead.
    pub fn follow(
        &self,
        operation: &str,
        params: &Value,
        answer: &Value,
        asks: &dyn Fn(Value) -> Option<Value>,
    ) {
        if self.limits.reads == 0 {
            return;
        }
        let mut state = self.lock();
        if matches!(operation, "list_objects" | "list_objects_v2") {
            state.listed.note(params, answer);
            return;
        }
        let (Some(bucket), Some(key), Value::Map(pairs)) =
            (text(params, "Bucket"), text(params, "Key"), params)
        else {
            return;
        };
        let is_of_object = operation == "head_object" || operation.starts_with("get_object");
        let is_of_one = OF_ONE.iter().any(|name| params.get(name).is_some());
        let Some(at) = state.listed.find(bucket, key) else {
            return;
        };
        if !is_of_object || is_of_one {
            return;
        }
        let others: Vec<_> = pairs.iter().filter(|(name, _)| name != "Key").collect();
        let kind = format!("{operation} {others:?}");
        state.take_up(&kind, at);
        let State {
            listed, cursors, ..
        } = &mut *state;
        let Some(cursor) = cursors.last_mut() else {
            return;
        };
        let passed = cursor.read(listed, at, self.limits.reads);
        state.forget(passed);
        self.read_on(&mut state, operation, pairs, asks);
    }

    /// Begins as many reads as are to be under way for the last cursor.
    fn read_on(
        &self,
        state: &mut State,
        operation: &str,
        pairs: &Map,
        asks: &dyn Fn(Value) -> Option<Value>,
    ) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        loop {
            let State {
                listed, cursors, ..
            } = &*state;
            let Some((at, key, size)) = cursors.last().and_then(|cursor| {
                let at = cursor.next(listed)?;
                let (key, size) = listed.get(at)?;
                Some((at, key.to_owned(), size))
            }) else {
                return;
            };
            let bytes = BESIDE + if operation == "get_object" { size } else { 0 };
            let is_full = |state: &State| {
                state.bytes + bytes > self.limits.bytes || state.reads.len() >= self.limits.reads
            };
            if is_full(state) {
                // Reads that the program has turned away from make room.
                let stopped = state.cursors.iter_mut().filter(|it| it.is_stopped());
                let passed = stopped.flat_map(Cursor::stop).collect();
                state.forget(passed);
            }
            if is_full(state) {
                return;
            }
            let pairs = pairs.iter().map(|(name, value)| match &**name {
                "Key" => (name.clone(), Value::Str(key.clone())),
                _ => (name.clone(), value.clone()),
            });
            let question = asks(Value::Map(pairs.collect())).map(|params| {
                let question = question(operation, &params);
                let (world, operation) = (self.world.clone(), operation.to_owned());
                let answer = runtime.spawn(async move {
                    let answer = world.call(&operation, &params).await;
                    // Whatever went wrong may go well when the program asks.
                    answer.ok().filter(|answer| !is_passing(answer))
                });
                let before = state.reads.insert(question.clone(), Read { bytes, answer });
                state.bytes += bytes;
                state.bytes -= before.map_or(0, |read| read.bytes);
                question
            });
            if let Some(cursor) = state.cursors.last_mut() {
                cursor.reads(at, question);
            }
        }
    }

    /// The answer to a question that was read ahead.
    pub async fn take(&self, question: &str) -> Option<Answer> {
        let mut read = {
            let mut state = self.lock();
            let read = state.reads.remove(question)?;
            state.bytes -= read.bytes;
            read
        };
        (&mut read.answer).await.ok().flatten()
    }

    /// Forgets all answers, for what was asked may be another now.
    pub fn forget(&self) {
        let mut state = self.lock();
        let passed = state.cursors.iter_mut().flat_map(Cursor::stop).collect();
        state.forget(passed);
        state.cursors.clear();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call as a text.
pub(super) fn question(operation: &str, params: &Value) -> String {
    format!("{operation} {params:?}")
}

/// Whether an answer may be another one the next time: its server is busy.
pub(super) fn is_passing(answer: &Answer) -> bool {
    let is_passing = |status: u16| matches!(status, 0 | 408 | 429 | 500..);
    (answer.as_ref()).is_err_and(|refusal| is_passing(refusal.status))
}

/// Whether an operation is known to read only.
pub(super) fn is_read(operation: &str) -> bool {
    !operations::writes(operation) && crate::api::operation(operation).is_some()
}
