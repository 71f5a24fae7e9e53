//! Answers the calls of one program. `link.rs` takes the guest's requests from its memory,
//! passes them here and writes the answers back.

use super::Breach;
use super::codec;
use super::waiting::Waiting;
use super::{CallRecord, Limits};
use crate::domain::World;
use crate::error::Result;
use std::sync::{Arc, Mutex, PoisonError};

/// The code of a call that the world did not answer.
const LOST: &str = "ConnectionLost";

/// Answers the calls of one program, and counts and records them.
///
/// A request is CBOR, `[operation, params]`; an answer is `[0, value]` or
/// `[1, code, message, status, details]`. The guest is not trusted, so a request can be any
/// bytes; `fuzz/` tries many.
pub struct CallHandler {
    world: Arc<dyn World>,
    limits: Limits,
    log: CallLog,
    bytes_moved: u64,
    waiting: Arc<Waiting>,
}

/// The calls so far. It outlives the instance, so the calls of a program that was ended
/// early are known.
pub type CallLog = Arc<Mutex<Vec<CallRecord>>>;

impl CallHandler {
    /// Starts with no calls made and all of `limits` left.
    pub fn new(world: Arc<dyn World>, limits: &Limits) -> Self {
        CallHandler {
            world,
            limits: limits.clone(),
            log: CallLog::default(),
            bytes_moved: 0,
            waiting: Arc::default(),
        }
    }

    /// The time that the calls wait for the world.
    pub(super) fn waiting(&self) -> Arc<Waiting> {
        self.waiting.clone()
    }

    /// The record of the calls, which grows while the program runs.
    pub fn log(&self) -> CallLog {
        self.log.clone()
    }

    /// Answers one request. The inner error is a broken limit, which ends the program.
    ///
    /// # Errors
    /// The world failed.
    pub async fn answer(&mut self, request: &[u8]) -> Result<Result<Vec<u8>, Breach>> {
        let (operation, params) = match self.begin(request) {
            Ok(call) => call,
            Err(breach) => return Ok(Err(breach)),
        };
        let answering = self.world.call(&operation, &params);
        let answer = match self.world.waits() {
            true => self.waiting.counted(answering).await,
            false => answering.await,
        };
        let answer = answer.inspect_err(|_| self.refused(LOST))?;
        if let Ok(value) = &answer {
            self.world.follow(&operation, &params, value, &|_, _| true);
        }
        let bytes = codec::write_answer(&answer);
        let refused = answer.err().map(|refusal| refusal.code);
        Ok(self.end(refused, bytes.len()).map(|()| bytes))
    }

    /// The time that the program has at least.
    pub fn reached_time(&self) -> Option<jiff::Timestamp> {
        self.world.reached_time()
    }

    /// Decodes, counts and records a call before it is made.
    fn begin(&mut self, request: &[u8]) -> Result<(String, crate::domain::Value), Breach> {
        self.check_size(request.len())?;
        let (operation, params) = codec::read_call(request, self.limits.call_values)?;
        let mut calls = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.len() >= self.limits.calls as usize {
            return Err(Breach::Calls);
        }
        calls.push(CallRecord {
            operation: recorded(&operation),
            error: None,
        });
        drop(calls);
        self.moved(request.len())?;
        Ok((operation, params))
    }

    /// Refuses a request that is longer than [`Limits::call_bytes_out`].
    pub fn check_size(&self, bytes: usize) -> Result<(), Breach> {
        if bytes > self.limits.call_bytes_out {
            return Err(Breach::CallBytes);
        }
        Ok(())
    }

    /// Records the answer of a call: its error code, if it was refused, and its size.
    fn end(&mut self, refused: Option<String>, bytes: usize) -> Result<(), Breach> {
        if let Some(code) = refused {
            self.refused(&code);
        }
        if bytes > self.limits.call_bytes_in {
            return Err(Breach::AnswerBytes);
        }
        self.moved(bytes)
    }

    /// Records why the last call has no answer.
    fn refused(&self, code: &str) {
        let mut calls = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(call) = calls.last_mut() {
            call.error = Some(code.to_owned());
        }
    }

    fn moved(&mut self, bytes: usize) -> Result<(), Breach> {
        self.bytes_moved = self.bytes_moved.saturating_add(bytes as u64);
        if self.bytes_moved > self.limits.total_bytes {
            return Err(Breach::TotalBytes);
        }
        Ok(())
    }
}

/// An operation's name, cut for the record: a program can make up a name as long as a whole
/// call, and the record outlives the program.
fn recorded(operation: &str) -> String {
    const SHOWN: usize = 100;
    match operation.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &operation[..end]),
        None => operation.to_owned(),
    }
}
