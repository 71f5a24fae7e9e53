//! The guest of the sandbox: a Python interpreter whose only way out is one host call.
//!
//! The host calls `buffer` to hand over bytes. It calls `prepare` once before the
//! snapshot is taken, with the source of a domain's client in the buffer, and `run` once
//! in every fresh instance, with the program in the buffer. The guest knows values,
//! exceptions and the host call; it knows no domain.
//!
//! - [`host`]: the one import, and the Python module `_host` that wraps it
//! - [`codec`]: Python values to CBOR and back
//! - [`recent`]: a cache of recently decoded values
//! - [`times`]: seconds since 1970 as Python's datetime
//! - [`heap`]: an allocator that keeps the program's blocks apart from the snapshot's
//! - [`json`]: the result of a program, as JSON text
//! - [`interpreter`]: builds the interpreter that the snapshot holds
//! - [`settle`]: keeps programs from writing to the snapshot's objects by merely using
//!   them
//! - [`program`]: compiles a program as a module, runs it, and reports the outcome
//! - [`module`]: allows `return` at the top of a module
//! - [`resident`]: answers one request of the host after another, in an instance that stays
//! - [`watched`]: finds what a function changed in a value, and reverts it

mod codec;
mod heap;
mod host;
mod interpreter;
mod json;
mod module;
mod program;
mod recent;
mod resident;
mod settle;
mod times;
mod watched;

use std::cell::RefCell;

thread_local! {
    /// Bytes from the host: the input of `prepare` and `run`, or the answer to a call.
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// Bytes for the host: what `run` returned last.
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for `length` bytes from the host and returns the address.
#[unsafe(no_mangle)]
pub extern "C" fn buffer(length: u32) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; length as usize];
        input.as_mut_ptr()
    })
}

/// Takes what the host put into the buffer.
fn take_input() -> Vec<u8> {
    INPUT.take()
}

unsafe extern "C" {
    /// The constructors of the C library. Because they are called explicitly, the linker
    /// does not wrap every export in code that starts and ends a whole program.
    fn __wasm_call_ctors();
}

/// Builds the interpreter with the client in the buffer. The host takes the snapshot
/// afterwards.
#[unsafe(no_mangle)]
pub extern "C" fn prepare() {
    // SAFETY: called once, before anything else in the C library is used.
    unsafe { __wasm_call_ctors() };
    interpreter::prepare(&take_input());
}

/// Runs the program in the buffer. Returns where its outcome is: the address in
/// the upper half, the length in the lower.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> u64 {
    output(program::run(&take_input()))
}

/// Passes the request in the buffer to the client. Returns where its answer is, as [`run`]
/// does.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> u64 {
    output(resident::ask(&take_input()))
}

/// Keeps bytes for the host to read, and says where they are.
fn output(bytes: Vec<u8>) -> u64 {
    OUTPUT.with_borrow_mut(|kept| {
        *kept = bytes;
        ((kept.as_ptr() as u64) << 32) | kept.len() as u64
    })
}
