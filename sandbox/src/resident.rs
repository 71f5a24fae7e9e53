//! An instance that stays: the host asks its client one question after another.

use crate::codec::{self, cbor};
use crate::interpreter::{self, CLIENT};
use minicbor::Decoder;
use rustpython_vm::{
    AsObject, PyObjectRef, PyResult, VirtualMachine, builtins::PyBaseExceptionRef,
};

/// Passes the request in the input to `_client.ask`. The answer is `[0, value]`, or
/// `[1, text]` if the client itself raised an error.
pub fn ask(input: &[u8]) -> Vec<u8> {
    interpreter::enter(|vm| match answer(input, vm) {
        Ok(written) => written,
        Err(exception) => {
            let text = said(exception, vm);
            cbor(|out| out.array(2)?.u8(1)?.str(&text)?.ok())
        }
    })
}

fn answer(input: &[u8], vm: &VirtualMachine) -> PyResult<Vec<u8>> {
    let request = codec::decode(&mut Decoder::new(input), vm)
        .unwrap_or_else(|error| Err(vm.new_system_error(error.to_string())))?;
    let client = vm.import(CLIENT, 0)?;
    let value: PyObjectRef = vm.call_method(client.as_object(), "ask", (request,))?;
    let mut out = minicbor::Encoder::new(Vec::with_capacity(256));
    codec::written(out.array(2).and_then(|out| out.u8(0)));
    codec::encode(&mut out, &value, 0, vm)?;
    Ok(out.into_writer())
}

fn said(exception: PyBaseExceptionRef, vm: &VirtualMachine) -> String {
    let class = exception.class().name().to_string();
    let message = exception.as_object().str(vm);
    format!(
        "{class}: {}",
        message.map(|text| text.to_string()).unwrap_or_default()
    )
}
