//! Prepares the sandbox: takes a snapshot of the interpreter with the domain's client
//! loaded, compiles it ahead of time, and keeps it in the [`Cache`].

use super::cache::Cache;
use super::host::Host;
use super::{Limits, Seed, engine, link};
use crate::domain::{Answer, Refusal, Signer, Value, World};
use crate::error::{Error, Result};
use async_trait::async_trait;
use lzma_rust2::XzReader;
use std::io::Read;
use std::sync::Arc;
use wasmtime::{Engine, Instance, Linker, Module, OptLevel, Store, Val};
use wasmtime_wizer::{InstanceState, SnapshotVal, ValType, Wizer};

/// The guest, compressed by xz. A constant would be in the program once for each unit of code that
/// uses it.
static GUEST: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sandbox.wasm.xz"));

/// The version of the cached modules. Increase it when their meaning changes.
const FORMAT: u32 = 1;

/// A step of the first preparation, for a progress display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preparing {
    /// Waiting for another process that prepares the same sandbox.
    Waiting,
    /// Starting the interpreter and loading its library: about a quarter of the time.
    Snapshot,
    /// Compiling the snapshot to machine code.
    Compile,
    /// Writing the compiled snapshot to the cache.
    Store,
}

impl Preparing {
    /// The step in words, as a progress display shows it.
    pub fn describe(self) -> &'static str {
        match self {
            Preparing::Waiting => "waiting for another process that prepares the sandbox",
            Preparing::Snapshot => "starting Python and taking a snapshot of it",
            Preparing::Compile => "compiling the snapshot to machine code",
            Preparing::Store => "keeping it for the next time",
        }
    }
}

/// The cache key of the module for this engine and client.
pub fn key(engine: &Engine, client: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&FORMAT.to_le_bytes());
    hasher.update(env!("DIALOG2API_SANDBOX_DIGEST").as_bytes());
    hasher.update(client.as_bytes());
    struct Feed<'a>(&'a mut blake3::Hasher);
    impl std::hash::Hasher for Feed<'_> {
        fn finish(&self) -> u64 {
            0
        }
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
    }
    std::hash::Hash::hash(
        &engine.precompile_compatibility_hash(),
        &mut Feed(&mut hasher),
    );
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Loads the compiled module from the cache, or makes it if the cache has none that is
/// intact.
pub async fn module(
    engine: &Engine,
    client: &str,
    cache: &Cache,
    progress: &mut (dyn FnMut(Preparing) + Send),
) -> Result<Module> {
    let key = key(engine, client);
    if let Some(module) = load(engine, cache, &key) {
        return Ok(module);
    }
    progress(Preparing::Waiting);
    let lock = {
        let (cache, key) = (cache.clone(), key.clone());
        tokio::task::spawn_blocking(move || cache.lock(&key))
            .await
            .map_err(Error::lost)??
    };
    if let Some(module) = load(engine, cache, &key) {
        return Ok(module);
    }
    progress(Preparing::Snapshot);
    let snapshot = snapshot(client).await?;
    progress(Preparing::Compile);
    let compiled = {
        let engine = engine.clone();
        tokio::task::spawn_blocking(move || engine.precompile_module(&snapshot))
            .await
            .map_err(Error::lost)?
            .map_err(failed)?
    };
    progress(Preparing::Store);
    cache.store(&key, &compiled)?;
    drop(lock);
    load(engine, cache, &key).ok_or_else(|| Error::Content {
        path: cache.folder().to_owned(),
        problem: "what was just written does not read back; is the disk full?".to_owned(),
    })
}

/// The module in the cache, if it is there and intact.
#[allow(
    unsafe_code,
    reason = "loading compiled code means trusting it: see the comment"
)]
fn load(engine: &Engine, cache: &Cache, key: &str) -> Option<Module> {
    let file = cache.load(key)?;
    // SAFETY: only the user can write to the file and its folder; the file still has the
    // attributes noted after its digest was known, or its digest is checked now; wasmtime
    // checks its version and settings.
    unsafe { Module::deserialize_open_file(engine, file) }.ok()
}

/// Runs the guest's `prepare` and makes a module that starts in the resulting state.
async fn snapshot(client: &str) -> Result<Vec<u8>> {
    let mut config = engine::base_config();
    // This code runs once: optimising it would take longer than running it.
    config.cranelift_opt_level(OptLevel::None);
    let engine = Engine::new(&config).map_err(failed)?;
    let limits = Limits {
        memory: 1 << 30,
        ..Limits::default()
    };
    let host = Host::new(Arc::new(Nowhere), limits, &Seed::default());
    let mut store = Store::new(&engine, host);
    initialize(&mut store, client).await.map_err(|error| {
        let spoken = store.data().spoken();
        if spoken.is_empty() {
            failed(error)
        } else {
            Error::sandbox(spoken)
        }
    })
}

async fn initialize(store: &mut Store<Host>, client: &str) -> wasmtime::Result<Vec<u8>> {
    let mut wizer = Wizer::new();
    wizer.init_func("prepare");
    let mut guest = Vec::new();
    XzReader::new(GUEST, false).read_to_end(&mut guest)?;
    let (original, instrumented) = wizer.instrument(&guest)?;
    let module = Module::new(store.engine(), &instrumented)?;
    let mut linker = Linker::new(store.engine());
    link::link(&mut linker)?;
    let instance = linker.instantiate_async(&mut *store, &module).await?;
    let buffer = instance.get_typed_func::<u32, u32>(&mut *store, "buffer")?;
    let address = buffer.call_async(&mut *store, client.len() as u32).await?;
    let memory = instance
        .get_memory(&mut *store, "memory")
        .ok_or_else(|| wasmtime::Error::msg("the guest exports no memory"))?;
    memory.write(&mut *store, address as usize, client.as_bytes())?;
    if let Ok(start) = instance.get_typed_func::<(), ()>(&mut *store, "_initialize") {
        start.call_async(&mut *store, ()).await?;
    }
    let prepare = instance.get_typed_func::<(), ()>(&mut *store, "prepare")?;
    prepare.call_async(&mut *store, ()).await?;
    wizer
        .snapshot(&original, &mut Prepared { store, instance })
        .await
}

/// The instance that a snapshot is taken of.
struct Prepared<'a> {
    store: &'a mut Store<Host>,
    instance: Instance,
}

impl InstanceState for Prepared<'_> {
    async fn global_get(&mut self, name: &str, expected: ValType) -> SnapshotVal {
        let global = self.instance.get_global(&mut *self.store, name);
        match global.map(|global| global.get(&mut *self.store)) {
            Some(Val::I32(value)) => SnapshotVal::I32(value),
            Some(Val::I64(value)) => SnapshotVal::I64(value),
            Some(Val::F32(value)) => SnapshotVal::F32(value),
            Some(Val::F64(value)) => SnapshotVal::F64(value),
            Some(Val::V128(value)) => SnapshotVal::V128(value.as_u128()),
            _ => unreachable!("wizer exports {name} as {expected}"),
        }
    }

    async fn memory_contents(&mut self, name: &str, contents: impl FnOnce(&[u8]) + Send) {
        if let Some(memory) = self.instance.get_memory(&mut *self.store, name) {
            contents(memory.data(&*self.store));
        }
    }
}

fn failed(error: wasmtime::Error) -> Error {
    Error::sandbox(format!("{error:#}"))
}

/// No world: it refuses every call. A client must not make any when it loads, and some programs have
/// nothing to call.
pub struct Nowhere;

#[async_trait]
impl World for Nowhere {
    async fn call(&self, operation: &str, _: &Value) -> Result<Answer> {
        Ok(Err(Refusal {
            code: "NotReady".to_owned(),
            message: format!("{operation} was called where there is no world"),
            status: 0,
            details: Vec::new(),
        }))
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    async fn state(&self, _: &mut Signer) -> Result<()> {
        Ok(())
    }

    fn describe(&self) -> String {
        "nowhere".to_owned()
    }
}
