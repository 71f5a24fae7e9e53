//! The guest's only import, `dialog2api.call`, and the Python module `_host` that wraps
//! it.

use crate::codec;
use crate::interpreter::handle;
use crate::watched;
use minicbor::{Decoder, Encoder};
use rustpython_vm::{
    AsObject, PyObjectRef, PyResult, VirtualMachine,
    builtins::{PyBaseException, PyBaseExceptionRef, PyStrRef},
    function::ArgBytesLike,
};
use std::cell::Cell;
use std::fs::File;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;

#[link(wasm_import_module = "dialog2api")]
unsafe extern "C" {
    /// Sends a call to the host. The host asks for a `buffer`, writes the answer into it,
    /// and returns the answer's length.
    fn call(request: *const u8, length: u32) -> u32;
}

/// The name of the Python module that makes calls.
pub const MODULE: &str = "_host";

thread_local! {
    /// The answer to the next call, which then does not reach the host: bytes as the host
    /// encodes them, or an exception.
    static REHEARSED: Cell<Option<Result<Vec<u8>, PyBaseExceptionRef>>> = const { Cell::new(None) };
}

/// `_host.rehearse(answer)`: the next call returns this answer, or raises it if it is an
/// exception. Exists only until the client is loaded. A client uses it to run its own
/// code once, so that the snapshot holds what the interpreter learned from that run.
pub fn rehearse(answer: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
    let rehearsed = match answer.downcast::<PyBaseException>() {
        Ok(exception) => Err(exception),
        Err(answer) => {
            let mut written = Encoder::new(Vec::new());
            codec::written(written.array(2).and_then(|e| e.u8(0)));
            codec::encode(&mut written, &answer, 0, vm)?;
            Ok(written.into_writer())
        }
    };
    REHEARSED.set(Some(rehearsed));
    Ok(())
}

/// `_host.call(operation, params)`: asks the environment to carry out an operation.
pub fn call_operation(operation: PyStrRef, params: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let mut request = Encoder::new(Vec::with_capacity(256));
    codec::written(
        request
            .array(2)
            .and_then(|e| e.str(&operation.to_string_lossy())),
    );
    codec::encode(&mut request, &params, 0, vm)?;
    let request = request.into_writer();
    let answer = match REHEARSED.take() {
        Some(rehearsed) => rehearsed?,
        None => {
            // SAFETY: pointer and length are of a live vector; the host only reads it.
            unsafe { call(request.as_ptr(), request.len() as u32) };
            crate::take_input()
        }
    };
    answer_value(&answer, vm)
}

/// Decodes an answer: `[0, value]`, or `[1, code, message, status, details]` for a
/// refusal.
fn answer_value(answer: &[u8], vm: &VirtualMachine) -> PyResult {
    let mut decoder = Decoder::new(answer);
    let mut next = || -> Result<PyResult, minicbor::decode::Error> {
        decoder.array()?;
        if decoder.u8()? == 0 {
            return codec::decode(&mut decoder, vm);
        }
        let code = decoder.str()?;
        let message = decoder.str()?;
        let status = decoder.u16()?;
        let refusal = (
            vm.ctx.new_str(code),
            vm.ctx.new_str(message),
            vm.ctx.new_int(status),
        );
        Ok(codec::decode(&mut decoder, vm)?.and_then(|details| {
            let class = handle(|handles| &handles.refusal);
            let exception = class.call((refusal.0, refusal.1, refusal.2, details), vm)?;
            let exception = exception
                .downcast::<rustpython_vm::builtins::PyBaseException>()
                .map_err(|_| vm.new_system_error("_host.Refusal is not an exception"))?;
            Err(exception)
        }))
    };
    next().unwrap_or_else(|error| Err(malformed(error, vm)))
}

fn malformed(error: minicbor::decode::Error, vm: &VirtualMachine) -> PyBaseExceptionRef {
    vm.new_system_error(format!("the host's answer cannot be read: {error}"))
}

/// `_host.print(bytes)`: passes on what a program prints.
pub fn print(bytes: ArgBytesLike, vm: &VirtualMachine) -> PyResult<()> {
    // SAFETY: the number is that of the standard output, which nothing closes.
    let output = ManuallyDrop::new(unsafe { File::from_raw_fd(1) });
    let written = bytes.with_ref(|bytes| (&*output).write_all(bytes));
    written.map_err(|error| vm.new_os_error(error.to_string()))
}

/// Adds the native functions to the module `_host`. The rest of the module is Python.
pub fn add_natives(module: &PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
    module.set_attr("call", vm.new_function("call", call_operation), vm)?;
    module.set_attr("print", vm.new_function("print", print), vm)?;
    module.set_attr("rehearse", vm.new_function("rehearse", rehearse), vm)?;
    module.set_attr("watch", vm.new_function("watch", watched::watch), vm)?;
    module.set_attr("changes", vm.new_function("changes", watched::changes), vm)?;
    module.set_attr("revert", vm.new_function("revert", watched::revert), vm)?;
    module.set_attr("check", vm.new_function("check", watched::check), vm)?;
    debug_assert!(module.as_object().has_attr("Refusal", vm)?);
    Ok(())
}
