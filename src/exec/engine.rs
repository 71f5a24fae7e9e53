//! The prepared sandbox, and running one program in it.

use super::Breach;
use super::cache::Cache;
use super::codec::cbor;
use super::host::Host;
use super::outcome::Ended;
use super::prepare::{self, Preparing};
use super::printed::Printed;
use super::ticker::{Ticker, Ticking};
use super::{Execution, Limits, Seed, link, outcome};
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::World;
use crate::error::{Error, Interrupted, Result};
use std::borrow::Cow;
use std::sync::{Arc, PoisonError};
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wasmtime::{
    Config, Enabled, Instance, InstanceAllocationStrategy, InstancePre, Linker,
    PoolingAllocationConfig, Store,
};

/// The most programs that run at once. Others wait.
const INSTANCES: u32 = 32;
/// Each answer to a host call needs a second stack, on which the guest makes room for it.
const STACKS: u32 = 2 * INSTANCES;
/// The largest allowed [`Limits::memory`], in bytes.
const MAX_MEMORY: usize = 1 << 30;
/// How many bytes of an instance's memory are reset by copying and stay mapped for the
/// next instance.
const KEEP_RESIDENT: usize = 8 << 20;

/// The prepared sandbox. Every program runs in an instance of its own. Cloning is cheap.
///
/// ```
/// use dialog2api::dialogue::Outcome;
/// use dialog2api::domain::s3::S3;
/// use dialog2api::exec::{Cache, Engine, Limits, Seed};
/// # use dialog2api::error::Result;
///
/// # #[tokio::main]
/// # async fn main() -> Result<()> {
/// let engine = Engine::prepare(&S3.api.client, &Cache::of_user()?, &mut |_| ()).await?;
/// let world = S3.initial_world("zoology")?;
/// let program = "return s3.list_objects(Bucket='zoology-bucket')['Name']";
/// let ran = engine.run(program, &world, &Limits::default(), &Seed::default()).await?;
/// assert_eq!(ran.outcome, Outcome::Result("zoology-bucket".into()));
/// assert_eq!(ran.calls[0].operation, "list_objects");
///
/// // A syntax error of the program is data and not an `Err`.
/// let error = engine.check("return (").await?.expect("a syntax error");
/// assert_eq!(error.error, "SyntaxError");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
    /// The text that is passed to the client's `set_up` before each program; empty for none.
    setup: Arc<str>,
    /// Where what programs print is kept, beside their executions.
    printed: Option<Printed>,
}

struct Inner {
    instance: InstancePre<Host>,
    ticker: Ticker,
    turns: Arc<Semaphore>,
}

impl Engine {
    /// Prepares the sandbox for programs that see `client`, the Python source in
    /// [`DomainApi::client`](crate::domain::DomainApi::client). The first preparation takes up to
    /// a minute and reports its steps; later ones load it from the cache in milliseconds.
    ///
    /// # Errors
    /// The client raises an error as it loads, or the cache cannot be written.
    pub async fn prepare(
        client: &str,
        cache: &Cache,
        progress: &mut (dyn FnMut(Preparing) + Send),
    ) -> Result<Engine> {
        let engine = wasmtime::Engine::new(&config()).map_err(failed)?;
        let module = prepare::module(&engine, client, cache, progress).await?;
        let mut linker = Linker::new(&engine);
        link::link(&mut linker).map_err(failed)?;
        let instance = linker.instantiate_pre(&module).map_err(failed)?;
        let turns = Arc::new(Semaphore::new(INSTANCES as usize));
        let inner = Inner {
            instance,
            ticker: Ticker::new(&engine),
            turns,
        };
        Ok(Engine {
            inner: Arc::new(inner),
            setup: Arc::default(),
            printed: None,
        })
    }

    /// The same sandbox, where the client sets something up before each program: the text
    /// is passed to its `set_up`, which returns more globals for the program. Without a text
    /// nothing is set up. A client that many domains share learns in this way which domain
    /// it is for, while its snapshot stays the same.
    #[must_use]
    pub fn with_setup(self, setup: &str) -> Engine {
        Engine {
            setup: setup.into(),
            ..self
        }
    }

    /// The same sandbox, where what programs print is also kept here, for whoever stops one before
    /// its end.
    #[must_use]
    pub fn printing_to(self, printed: &Printed) -> Engine {
        Engine {
            printed: Some(printed.clone()),
            ..self
        }
    }

    /// Whether the cache has what [`Engine::prepare`] would otherwise make.
    ///
    /// # Errors
    /// This machine cannot run the sandbox.
    pub fn is_prepared(client: &str, cache: &Cache) -> Result<bool> {
        let engine = wasmtime::Engine::new(&config()).map_err(failed)?;
        Ok(cache.has(&prepare::key(&engine, client)))
    }

    /// Everything that the guest imports from the host, as `module.name`.
    pub fn imports(&self) -> Vec<String> {
        let module = self.inner.instance.module();
        module
            .imports()
            .map(|i| format!("{}.{}", i.module(), i.name()))
            .collect()
    }

    /// Runs one program in a fresh instance against a world. An exception or a broken limit
    /// is an outcome of the program.
    ///
    /// # Errors
    /// The sandbox or the world failed, or `limits` ask for more memory than there can be. A program
    /// that had begun leaves what it printed in an [`Error::Interrupted`].
    pub async fn run(
        &self,
        program: &str,
        world: &Arc<dyn World>,
        limits: &Limits,
        seed: &Seed,
    ) -> Result<Execution> {
        self.execute(program, world.clone(), limits, seed, false)
            .await
    }

    /// Compiles a program without running it and returns its syntax error, if it has one.
    ///
    /// # Errors
    /// The sandbox failed.
    pub async fn check(&self, program: &str) -> Result<Option<ProgramError>> {
        let world: Arc<dyn World> = Arc::new(prepare::Nowhere);
        let checked = self
            .execute(program, world, &Limits::default(), &Seed::default(), true)
            .await?;
        Ok(match checked.outcome {
            Outcome::Result(_) => None,
            Outcome::Error(error) => Some(error),
        })
    }

    /// Makes an instance and drops it: the benchmarks' "fresh instance".
    ///
    /// # Errors
    /// The sandbox failed.
    pub async fn instantiate(&self, world: &Arc<dyn World>) -> Result<()> {
        let host = Host::new(world.clone(), Limits::default(), &Seed::default());
        let mut store = self.store(host)?;
        self.inner
            .instance
            .instantiate_async(&mut store)
            .await
            .map_err(failed)?;
        Ok(())
    }

    /// For tests: makes `count` fresh instances that live at once, doubles their memories
    /// and shows each memory to `look`.
    #[doc(hidden)]
    pub async fn fresh_memories(&self, count: u32, look: &mut dyn FnMut(&[u8])) -> Result<()> {
        let mut fresh = Vec::new();
        for _ in 0..count {
            let world: Arc<dyn World> = Arc::new(prepare::Nowhere);
            let mut store = self.store(Host::new(world, Limits::default(), &Seed::default()))?;
            let made = self.inner.instance.instantiate_async(&mut store).await;
            let memory = made.map_err(failed)?.get_memory(&mut store, "memory");
            let memory = memory.ok_or_else(|| Error::sandbox("there is no memory"))?;
            let pages = memory.size(&store);
            memory.grow(&mut store, pages).map_err(failed)?;
            fresh.push((store, memory));
        }
        for (store, memory) in &fresh {
            look(memory.data(store));
        }
        Ok(())
    }

    async fn execute(
        &self,
        program: &str,
        world: Arc<dyn World>,
        limits: &Limits,
        seed: &Seed,
        check: bool,
    ) -> Result<Execution> {
        if limits.memory > MAX_MEMORY {
            return Err(Error::usage(format!(
                "a program can have {} MiB at most",
                MAX_MEMORY >> 20
            )));
        }
        let turn = self.inner.turns.acquire().await;
        let started = Instant::now();
        let mut host = Host::new(world, limits.clone(), seed);
        if let Some(printed) = &self.printed {
            host.printed = printed.clone();
        }
        let (calls, waiting) = (host.calls.log(), host.calls.waiting());
        let printed = host.printed.clone();
        let ended = if program.len() > limits.program_bytes {
            Ok(Ended::by_limit(Breach::ProgramBytes.outcome(limits)))
        } else {
            let _ticking = self.inner.ticker.tick();
            let running = self.in_instance(program, host, limits, seed, check);
            tokio::select! {
                biased;
                ended = running => ended,
                breach = waiting.breach(started, limits) => {
                    Ok(Ended::by_limit(breach.outcome(limits)))
                }
            }
        };
        drop(turn);
        let calls = std::mem::take(&mut *calls.lock().unwrap_or_else(PoisonError::into_inner));
        let ended = match ended {
            Ok(ended) => ended,
            Err(error) if calls.is_empty() && printed.is_empty() => return Err(error),
            Err(error) => {
                return Err(Error::Interrupted(Box::new(Interrupted {
                    error,
                    output: printed.text(),
                    calls,
                })));
            }
        };
        Ok(Execution {
            outcome: ended.outcome,
            calls: calls.into(),
            output: printed.text(),
            elapsed: started.elapsed(),
            ended_by: ended.by,
            unread: Vec::new(),
            touched: None,
        })
    }

    async fn in_instance(
        &self,
        program: &str,
        host: Host,
        limits: &Limits,
        seed: &Seed,
        check: bool,
    ) -> Result<Ended> {
        let mut store = self.store(host)?;
        let ran = self
            .call_guest(&mut store, program, limits, seed, check)
            .await;
        let host = store.data_mut();
        match ran {
            _ if host.failure.is_some() => Err(host.failure.take().expect("just seen")),
            Ok(ended) => Ok(ended),
            Err(error) => {
                let breach = outcome::breach(&error, host).ok_or_else(|| failed(error))?;
                let outcome = outcome::with_last_words(breach, host, limits);
                Ok(Ended::by_limit(outcome))
            }
        }
    }

    /// Waits until another instance may run, and takes its place for as long as the permit
    /// is kept.
    pub(super) async fn turn_to_keep(&self) -> OwnedSemaphorePermit {
        let turn = self.inner.turns.clone().acquire_owned().await;
        turn.expect("the semaphore is never closed")
    }

    /// An instance of the prepared sandbox.
    pub(super) async fn instantiate_in(
        &self,
        store: &mut Store<Host>,
    ) -> wasmtime::Result<Instance> {
        self.inner.instance.instantiate_async(store).await
    }

    /// While this is kept, running instances yield now and then, so that a deadline can end
    /// them.
    pub(super) fn ticking(&self) -> Ticking<'_> {
        self.inner.ticker.tick()
    }

    pub(super) fn store(&self, host: Host) -> Result<Store<Host>> {
        let fuel = host.limits.fuel;
        let mut store = Store::new(self.inner.instance.module().engine(), host);
        store.limiter(|host| host);
        store.set_fuel(fuel).map_err(failed)?;
        // At each tick the program yields, so that a deadline can end it.
        store.epoch_deadline_async_yield_and_update(1);
        Ok(store)
    }

    async fn call_guest(
        &self,
        store: &mut Store<Host>,
        program: &str,
        limits: &Limits,
        seed: &Seed,
        check: bool,
    ) -> wasmtime::Result<Ended> {
        let size = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        let program = unix_lines(program);
        let input = cbor(|out| {
            out.array(5)?.str(&program)?.u64(seed.random)?;
            out.u32(size(limits.result_bytes))?
                .bool(check)?
                .str(&self.setup)?
                .ok()
        });
        let instance = self.inner.instance.instantiate_async(&mut *store).await?;
        let buffer = instance.get_typed_func::<u32, u32>(&mut *store, "buffer")?;
        let run = instance.get_typed_func::<(), u64>(&mut *store, "run")?;
        let memory = instance
            .get_memory(&mut *store, "memory")
            .ok_or_else(|| wasmtime::Error::msg("the guest exports no memory"))?;
        let address = buffer.call_async(&mut *store, size(input.len())).await?;
        memory.write(&mut *store, address as usize, &input)?;
        let place = run.call_async(&mut *store, ()).await?;
        let (start, length) = ((place >> 32) as usize, (place & 0xffff_ffff) as usize);
        let written = memory.data(&store).get(start..start.saturating_add(length));
        let written = written.ok_or(Breach::Interpreter)?;
        outcome::read(written, store.data()).map_err(|_| Breach::Interpreter.into())
    }
}

/// A program's text with every line end as `\n`, as Python reads it, also within strings.
fn unix_lines(program: &str) -> Cow<'_, str> {
    if program.contains('\r') {
        program.replace("\r\n", "\n").replace('\r', "\n").into()
    } else {
        program.into()
    }
}

/// The settings that taking the snapshot and running programs share.
pub fn base_config() -> Config {
    let mut config = Config::new();
    config.max_wasm_stack(8 << 20).async_stack_size(10 << 20);
    config
}

fn config() -> Config {
    // Where the kernel can list the pages that a program wrote, they are reset by copying:
    // faulting them in again would take half of a program's time.
    let keep_resident = if PoolingAllocationConfig::is_pagemap_scan_available() {
        KEEP_RESIDENT
    } else {
        0
    };
    let mut pool = PoolingAllocationConfig::new();
    pool.total_core_instances(INSTANCES)
        .total_memories(INSTANCES)
        .total_tables(INSTANCES)
        .total_stacks(STACKS)
        .max_memory_size(MAX_MEMORY)
        .pagemap_scan(Enabled::Auto)
        .linear_memory_keep_resident(keep_resident)
        .table_keep_resident(1 << 20)
        .table_elements(40_000);
    let mut config = base_config();
    config
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool))
        .memory_init_cow(true)
        .memory_guaranteed_dense_image_size(256 << 20)
        .epoch_interruption(true)
        .consume_fuel(true);
    config
}

pub(super) fn failed(error: wasmtime::Error) -> Error {
    Error::sandbox(format!("{error:#}"))
}
