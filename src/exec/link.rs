//! The boundary of the sandbox: the only file that links functions of the host
//! into the guest.
//!
//! One function leads out of the sandbox: `dialog2api.call`. The others are the WASI
//! functions that the guest's standard library imports. They reach nothing outside: clock
//! and entropy come from the seed, and there are no files, arguments or environment
//! variables. Sizes and addresses come from the guest and are not trusted.

use super::Breach;
use super::host::Host;
use rand_chacha::rand_core::Rng;
use wasmtime::{Caller, Extern, Linker, Memory, Result, bail, error::Context};

/// The module whose functions the guest's standard library imports.
pub const WASI: &str = "wasi_snapshot_preview1";

/// WASI's error numbers.
const SUCCESS: i32 = 0;
const BADF: i32 = 8;
const NOENT: i32 = 44;

const STANDARD_OUTPUT: i32 = 1;

/// The clock's resolution, and how far each reading advances it. A program that waits by
/// reading the clock therefore ends, and always after the same number of readings.
const TICK_NANOS: u64 = 1_000;

/// Links every function that the guest imports.
pub fn link(linker: &mut Linker<Host>) -> Result<()> {
    linker.func_wrap_async(
        "dialog2api",
        "call",
        |caller, (request, length): (u32, u32)| Box::new(call(caller, request, length)),
    )?;
    clock(linker)?;
    entropy(linker)?;
    process(linker)?;
    files(linker)
}

/// Passes a call to the world and writes the answer into a buffer of the guest.
async fn call(mut caller: Caller<'_, Host>, request: u32, length: u32) -> Result<u32> {
    let memory = memory(&mut caller)?;
    let (data, host) = memory.data_and_store_mut(&mut caller);
    host.calls.check_size(length as usize)?;
    let bytes = match host.calls.answer(slice(data, request, length)?).await {
        Ok(answered) => answered?,
        Err(error) => {
            host.failure = Some(error);
            bail!("the world failed");
        }
    };
    if let Some(time) = host.calls.reached_time() {
        host.clock.reach(time);
    }
    put(&mut caller, memory, &bytes).await?;
    Ok(bytes.len() as u32)
}

/// Has the guest allocate a buffer, and writes the bytes into it.
async fn put(caller: &mut Caller<'_, Host>, memory: Memory, bytes: &[u8]) -> Result<()> {
    let buffer = caller
        .get_export("buffer")
        .and_then(Extern::into_func)
        .context("the guest exports no buffer")?
        .typed::<u32, u32>(&mut *caller)?;
    let address = buffer.call_async(&mut *caller, bytes.len() as u32).await?;
    fill(caller, memory, address, bytes)?;
    Ok(())
}

fn clock(linker: &mut Linker<Host>) -> Result<()> {
    linker.func_wrap(
        WASI,
        "clock_res_get",
        |mut caller: Caller<'_, Host>, _: i32, to: u32| {
            write(&mut caller, to, &TICK_NANOS.to_le_bytes())
        },
    )?;
    linker.func_wrap(
        WASI,
        "clock_time_get",
        |mut caller: Caller<'_, Host>, id: i32, _: i64, to: u32| {
            let host = caller.data_mut();
            host.clock.advance(TICK_NANOS);
            // Clock 0 is the calendar's, the others count from the start.
            let nanos = if id == 0 {
                host.clock.calendar()
            } else {
                host.clock.elapsed()
            };
            write(&mut caller, to, &nanos.to_le_bytes())
        },
    )?;
    // Sleeping advances the clock and returns at once.
    linker.func_wrap(
        WASI,
        "poll_oneoff",
        |mut caller: Caller<'_, Host>, from: u32, to: u32, count: u32, done: u32| {
            let memory = memory(&mut caller)?;
            let subscription: [u8; 48] = slice(memory.data(&caller), from, 48)?.try_into()?;
            let field =
                |at: usize| u64::from_le_bytes(std::array::from_fn(|i| subscription[at + i]));
            let (user_data, is_clock, timeout) = (field(0), subscription[8] == 0, field(24));
            if count == 0 || !is_clock {
                return Ok(BADF);
            }
            let (absolute, calendar) = (subscription[40] & 1 == 1, subscription[16] == 0);
            let clock = &mut caller.data_mut().clock;
            let now = if calendar {
                clock.calendar()
            } else {
                clock.elapsed()
            };
            clock.advance(if absolute {
                timeout.saturating_sub(now)
            } else {
                timeout
            });
            let mut event = [0; 32];
            event[..8].copy_from_slice(&user_data.to_le_bytes());
            write(&mut caller, to, &event)?;
            write(&mut caller, done, &1_u32.to_le_bytes())
        },
    )?;
    linker.func_wrap(WASI, "sched_yield", || SUCCESS)?;
    Ok(())
}

fn entropy(linker: &mut Linker<Host>) -> Result<()> {
    linker.func_wrap(
        WASI,
        "random_get",
        |mut caller: Caller<'_, Host>, to: u32, length: u32| {
            let memory = memory(&mut caller)?;
            let (data, host) = memory.data_and_store_mut(&mut caller);
            let end = to.saturating_add(length) as usize;
            let target = data.get_mut(to as usize..end).ok_or(Breach::Interpreter)?;
            host.random.fill_bytes(target);
            Ok(SUCCESS)
        },
    )?;
    Ok(())
}

/// The process: it has no arguments and no environment, and its exit ends the instance.
fn process(linker: &mut Linker<Host>) -> Result<()> {
    for name in ["args_sizes_get", "environ_sizes_get"] {
        linker.func_wrap(
            WASI,
            name,
            |mut caller: Caller<'_, Host>, count: u32, size: u32| {
                write(&mut caller, count, &0_u32.to_le_bytes())?;
                write(&mut caller, size, &0_u32.to_le_bytes())
            },
        )?;
    }
    for name in ["args_get", "environ_get"] {
        linker.func_wrap(WASI, name, |_: i32, _: i32| SUCCESS)?;
    }
    linker.func_wrap(WASI, "proc_exit", |_: i32| -> Result<()> {
        Err(Breach::Interpreter.into())
    })?;
    Ok(())
}

/// Files: none can be opened, and only the standard streams are open. A program prints to the
/// output; a panic writes the interpreter's last words to the other.
fn files(linker: &mut Linker<Host>) -> Result<()> {
    linker.func_wrap(
        WASI,
        "fd_write",
        |mut caller: Caller<'_, Host>, stream: i32, vectors: u32, count: u32, to: u32| {
            let memory = memory(&mut caller)?;
            let (data, host) = memory.data_and_store_mut(&mut caller);
            let mut total = 0_u32;
            for index in 0..count.min(16) {
                let at = |offset: u32| -> Result<u32> {
                    let place = vectors.saturating_add(index * 8 + offset);
                    Ok(u32::from_le_bytes(slice(data, place, 4)?.try_into()?))
                };
                let (address, length) = (at(0)?, at(4)?);
                let bytes = slice(data, address, length)?;
                match stream {
                    STANDARD_OUTPUT => host.printed.add(bytes),
                    _ => host.last_words(bytes),
                }
                total = total.saturating_add(length);
            }
            write(&mut caller, to, &total.to_le_bytes())
        },
    )?;
    linker.func_wrap(WASI, "fd_close", |_: i32| BADF)?;
    linker.func_wrap(WASI, "fd_fdstat_get", |_: i32, _: i32| BADF)?;
    linker.func_wrap(WASI, "fd_filestat_get", |_: i32, _: i32| BADF)?;
    linker.func_wrap(WASI, "fd_prestat_get", |_: i32, _: i32| BADF)?;
    linker.func_wrap(WASI, "fd_prestat_dir_name", |_: i32, _: i32, _: i32| BADF)?;
    linker.func_wrap(WASI, "fd_read", |_: i32, _: i32, _: i32, _: i32| BADF)?;
    linker.func_wrap(
        WASI,
        "fd_readdir",
        |_: i32, _: i32, _: i32, _: i64, _: i32| BADF,
    )?;
    linker.func_wrap(WASI, "fd_seek", |_: i32, _: i64, _: i32, _: i32| BADF)?;
    linker.func_wrap(
        WASI,
        "path_filestat_get",
        |_: i32, _: i32, _: i32, _: i32, _: i32| NOENT,
    )?;
    linker.func_wrap(
        WASI,
        "path_open",
        |_: i32, _: i32, _: i32, _: i32, _: i32, _: i64, _: i64, _: i32, _: i32| NOENT,
    )?;
    Ok(())
}

fn memory(caller: &mut Caller<'_, Host>) -> Result<Memory> {
    caller
        .get_export("memory")
        .and_then(Extern::into_memory)
        .context("the guest exports no memory")
}

/// The bytes that the guest points at. An interpreter that points outside of its memory was
/// corrupted by its program, so that is an outcome and not our failure.
fn slice(data: &[u8], address: u32, length: u32) -> Result<&[u8], Breach> {
    let start = address as usize;
    data.get(start..start.saturating_add(length as usize))
        .ok_or(Breach::Interpreter)
}

fn write(caller: &mut Caller<'_, Host>, address: u32, bytes: &[u8]) -> Result<i32> {
    let memory = memory(caller)?;
    fill(caller, memory, address, bytes)?;
    Ok(SUCCESS)
}

/// Writes to the place that the guest names, which is checked as in [`slice`].
fn fill(
    caller: &mut Caller<'_, Host>,
    memory: Memory,
    to: u32,
    bytes: &[u8],
) -> Result<(), Breach> {
    let written = memory.write(caller, to as usize, bytes);
    written.map_err(|_| Breach::Interpreter)
}
