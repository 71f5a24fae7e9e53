//! The guest of the box: a Python interpreter with one way out.
//!
//! The host calls `buffer` to hand over bytes, `prepare` once before the
//! snapshot is taken (with the source of a domain's client in the buffer), and
//! `run` once in every fresh instance (with the program in the buffer). The
//! guest knows values, exceptions and one host call; it knows no domain.
//!
//! - [`host`]: the one import, and the Python module `_host` over it
//! - [`codec`]: Python values to CBOR and back
//! - [`recent`]: what answers repeat is made once
//! - [`times`]: seconds since 1970 as Python's datetime
//! - [`heap`]: what a program allocates lies apart from what the snapshot holds
//! - [`json`]: the result of a program, as JSON text
//! - [`interpreter`]: building the interpreter that the snapshot holds
//! - [`settle`]: what the snapshot holds is not written to by use
//! - [`program`]: one program: compile as a function, run, tell the outcome

mod codec;
mod heap;
mod host;
mod interpreter;
mod json;
mod program;
mod recent;
mod settle;
mod times;

use std::cell::RefCell;

thread_local! {
    /// Bytes from the host: the input of `prepare` and `run`, the answer of a call.
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// Bytes to the host: what `run` returned last.
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for `length` bytes from the host and says where.
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
    /// The constructors of the C library. Calling them here keeps the linker from
    /// wrapping every export into a start and an end of the whole program.
    fn __wasm_call_ctors();
}

/// Builds the interpreter with the client in the buffer; the snapshot follows.
#[unsafe(no_mangle)]
pub extern "C" fn prepare() {
    // SAFETY: called once, before anything else of the C library is used.
    unsafe { __wasm_call_ctors() };
    interpreter::prepare(&take_input());
}

/// Runs the program in the buffer. Returns where its outcome is: the address in
/// the upper half, the length in the lower.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> u64 {
    let output = program::run(&take_input());
    OUTPUT.with_borrow_mut(|kept| {
        *kept = output;
        ((kept.as_ptr() as u64) << 32) | kept.len() as u64
    })
}
