//! The calls of one program: what a request of the guest comes to, without the box
//! around it. `link.rs` takes requests here and carries the answers back.

use super::breach::Breach;
use super::codec;
use super::{CallRecord, Limits};
use crate::domain::World;
use crate::error::Result;
use std::sync::{Arc, Mutex, PoisonError};

/// Answers the calls of one program and keeps count of them.
///
/// A request is CBOR, `[operation, params]`; an answer is `[0, value]` or
/// `[1, code, message, status, details]`. Any bytes can be a request: the guest is not
/// trusted. This is what `fuzz/` runs.
pub struct Calls {
    world: Arc<dyn World>,
    limits: Limits,
    log: CallLog,
    bytes_moved: u64,
}

/// The calls so far. Outlives the instance, so that a program that is cut off still
/// tells what it did.
pub type CallLog = Arc<Mutex<Vec<CallRecord>>>;

impl Calls {
    /// No calls yet, and all of `limits` before them.
    pub fn new(world: Arc<dyn World>, limits: &Limits) -> Self {
        Calls {
            world,
            limits: limits.clone(),
            log: CallLog::default(),
            bytes_moved: 0,
        }
    }

    /// The record of the calls, shared with who waits for the program.
    pub fn log(&self) -> CallLog {
        self.log.clone()
    }

    /// The answer to one request. The inner error ends the program with that outcome;
    /// the outer one is our failure or the world's.
    pub async fn answer(&mut self, request: &[u8]) -> Result<Result<Vec<u8>, Breach>> {
        let (operation, params) = match self.begin(request) {
            Ok(call) => call,
            Err(breach) => return Ok(Err(breach)),
        };
        let answer = self.world.call(&operation, &params).await?;
        let bytes = codec::write_answer(&answer);
        let refused = answer.err().map(|refusal| refusal.code);
        Ok(self.end(refused, bytes.len()).map(|()| bytes))
    }

    /// Reads, counts and records a call that is about to be made.
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

    /// Refuses a request that is too long to be looked at.
    pub fn check_size(&self, bytes: usize) -> Result<(), Breach> {
        match bytes > self.limits.call_bytes_out {
            true => Err(Breach::CallBytes),
            false => Ok(()),
        }
    }

    /// Records how a call was answered, in `bytes` bytes.
    fn end(&mut self, refused: Option<String>, bytes: usize) -> Result<(), Breach> {
        if refused.is_some() {
            let mut calls = self.log.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(call) = calls.last_mut() {
                call.error = refused;
            }
        }
        if bytes > self.limits.call_bytes_in {
            return Err(Breach::AnswerBytes);
        }
        self.moved(bytes)
    }

    fn moved(&mut self, bytes: usize) -> Result<(), Breach> {
        self.bytes_moved = self.bytes_moved.saturating_add(bytes as u64);
        match self.bytes_moved > self.limits.total_bytes {
            true => Err(Breach::TotalBytes),
            false => Ok(()),
        }
    }
}

/// An operation's name as it is recorded: that of one that no world has may be as long as
/// a call, and a record outlives its program.
fn recorded(operation: &str) -> String {
    const SHOWN: usize = 100;
    match operation.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &operation[..end]),
        None => operation.to_owned(),
    }
}
