//! An instance that stays: it answers one request of the host after another.

use super::Breach;
use super::codec;
use super::engine::{Engine, failed};
use super::host::Host;
use super::{Limits, Seed, outcome};
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::Value;
use crate::error::{Error, Result};
use tokio::sync::OwnedSemaphorePermit;
use wasmtime::{Memory, Store, TypedFunc};

/// An instance whose client answers requests by its function `ask`. What the client keeps
/// in memory stays between requests; each request has the [`Limits`] for itself, and a clock
/// and randomness of its own.
pub struct Resident {
    engine: Engine,
    store: Store<Host>,
    memory: Memory,
    buffer: TypedFunc<u32, u32>,
    ask: TypedFunc<(), u64>,
    _turn: OwnedSemaphorePermit,
}

impl Engine {
    /// Makes an instance that stays. It counts as a running program until it is dropped.
    ///
    /// # Errors
    /// The sandbox failed.
    pub async fn resident(&self, limits: &Limits) -> Result<Resident> {
        let turn = self.turn_to_keep().await;
        let host = Host::of_resident(limits.clone());
        let mut store = self.store(host)?;
        let instance = self.instantiate_in(&mut store).await.map_err(failed)?;
        let memory = instance.get_memory(&mut store, "memory");
        Ok(Resident {
            memory: memory.ok_or_else(|| Error::sandbox("there is no memory"))?,
            buffer: instance
                .get_typed_func(&mut store, "buffer")
                .map_err(failed)?,
            ask: instance.get_typed_func(&mut store, "ask").map_err(failed)?,
            engine: self.clone(),
            store,
            _turn: turn,
        })
    }
}

impl Resident {
    /// Asks the client. The inner error is a broken limit, or an error that the client
    /// raised; the instance must not be used after it.
    ///
    /// # Errors
    /// The sandbox failed.
    pub async fn ask(
        &mut self,
        request: &Value,
        seed: &Seed,
    ) -> Result<std::result::Result<Value, ProgramError>> {
        let limits = self.store.data().limits.clone();
        self.store.data_mut().restart(seed);
        self.store.set_fuel(limits.fuel).map_err(failed)?;
        let engine = self.engine.clone();
        let ticking = engine.ticking();
        let answering = self.answer(request);
        let answered = tokio::time::timeout(limits.deadline, answering).await;
        drop(ticking);
        let broken = match answered {
            Ok(Ok(Ok(value))) => return Ok(Ok(value)),
            Ok(Ok(Err(text))) => {
                return Ok(Err(ProgramError {
                    error: "SystemError".to_owned(),
                    message: text,
                    traceback: None,
                }));
            }
            Ok(Err(error)) => {
                let host = self.store.data();
                outcome::breach(&error, host).ok_or_else(|| failed(error))?
            }
            Err(_) => Breach::Deadline,
        };
        match outcome::with_last_words(broken, self.store.data(), &limits) {
            Outcome::Error(error) => Ok(Err(error)),
            Outcome::Result(_) => Err(Error::sandbox("a breach without an error")),
        }
    }

    async fn answer(
        &mut self,
        request: &Value,
    ) -> wasmtime::Result<std::result::Result<Value, String>> {
        let input = codec::cbor(|out| codec::write(out, request));
        let length = u32::try_from(input.len()).map_err(|_| Breach::CallBytes)?;
        let address = self.buffer.call_async(&mut self.store, length).await?;
        let written = self.memory.write(&mut self.store, address as usize, &input);
        written.map_err(|_| Breach::Interpreter)?;
        let place = self.ask.call_async(&mut self.store, ()).await?;
        let (start, length) = ((place >> 32) as usize, (place & 0xffff_ffff) as usize);
        let limits = &self.store.data().limits;
        if length > limits.call_bytes_out {
            return Err(Breach::CallBytes.into());
        }
        let values = limits.call_values;
        let written = self.memory.data(&self.store);
        let written = written.get(start..start.saturating_add(length));
        Ok(codec::read_reply(
            written.ok_or(Breach::Interpreter)?,
            values,
        )?)
    }
}
