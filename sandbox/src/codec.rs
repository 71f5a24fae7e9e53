//! Encodes Python values as CBOR and decodes them: the format of everything that crosses
//! the boundary between guest and host.
//!
//! None, bool, int (64 bits), float, str, bytes, list, dict with text keys, and datetime
//! as tag 1 (seconds since 1970, UTC). A bytearray is encoded as bytes, a tuple as a
//! list. Any other value raises a `TypeError` or an `OverflowError` in the program.

use crate::recent;
use minicbor::data::{Tag, Type};
use minicbor::{Decoder, Encoder};
use rustpython_vm::{
    AsObject, PyObjectRef, PyResult, VirtualMachine,
    builtins::{PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyStr, PyTuple},
    convert::ToPyObject,
};
use std::convert::Infallible;

/// The greatest depth of nested containers.
const DEPTH: u32 = 64;

type Out = Encoder<Vec<u8>>;

/// Returns the bytes that `write` encodes.
pub fn cbor(
    write: impl FnOnce(&mut Out) -> Result<(), minicbor::encode::Error<Infallible>>,
) -> Vec<u8> {
    let mut out = Encoder::new(Vec::new());
    written(write(&mut out));
    out.into_writer()
}

/// Unwraps a result of writing to memory, which cannot fail.
pub fn written<T, E: std::fmt::Debug>(result: Result<T, E>) {
    result.map(drop).expect("writing to memory does not fail");
}

/// Writes one value.
pub fn encode(out: &mut Out, value: &PyObjectRef, depth: u32, vm: &VirtualMachine) -> PyResult<()> {
    if depth > DEPTH {
        return Err(vm.new_value_error("a parameter is nested too deeply, or contains itself"));
    }
    let object = value.as_object();
    if vm.is_none(object) {
        written(out.null());
    } else if let Some(text) = value.downcast_ref::<PyStr>() {
        let Some(text) = text.to_str() else {
            return Err(vm.new_value_error("a text contains a lone surrogate"));
        };
        written(out.str(text));
    } else if object.class().is(vm.ctx.types.bool_type) {
        written(out.bool(value.is(&vm.ctx.true_value)));
    } else if let Some(int) = value.downcast_ref::<PyInt>() {
        written(out.i64(int.try_to_primitive::<i64>(vm)?));
    } else if let Some(float) = value.downcast_ref::<PyFloat>() {
        written(out.f64(float.to_f64()));
    } else if let Some(bytes) = value.downcast_ref::<PyBytes>() {
        written(out.bytes(bytes.as_bytes()));
    } else if let Some(bytes) = value.downcast_ref::<PyByteArray>() {
        written(out.bytes(&bytes.borrow_buf()));
    } else if let Some(list) = value.downcast_ref::<PyList>() {
        let items = list.borrow_vec().to_vec();
        encode_items(out, &items, depth, vm)?;
    } else if let Some(tuple) = value.downcast_ref::<PyTuple>() {
        encode_items(out, tuple.as_slice(), depth, vm)?;
    } else if let Some(dict) = value.downcast_ref::<PyDict>() {
        let pairs: Vec<_> = dict.into_iter().collect();
        written(out.map(pairs.len() as u64));
        for (key, item) in &pairs {
            let Some(key) = key.downcast_ref::<PyStr>().and_then(|key| key.to_str()) else {
                return Err(vm.new_type_error("the keys of a parameter must be text"));
            };
            written(out.str(key));
            encode(out, item, depth + 1, vm)?;
        }
    } else if *object.class().name() == *"datetime" {
        let seconds = vm.call_method(object, "timestamp", ())?;
        let seconds: f64 = seconds.try_into_value(vm)?;
        written(out.tag(Tag::new(1)).and_then(|e| e.f64(seconds)));
    } else {
        let class = object.class().name().to_string();
        return Err(vm.new_type_error(format!("{class} cannot be a parameter of an operation")));
    }
    Ok(())
}

fn encode_items(
    out: &mut Out,
    items: &[PyObjectRef],
    depth: u32,
    vm: &VirtualMachine,
) -> PyResult<()> {
    written(out.array(items.len() as u64));
    items
        .iter()
        .try_for_each(|item| encode(out, item, depth + 1, vm))
}

/// Reads one value. The outer error is one of the encoding, the inner one is a Python
/// exception.
pub fn decode(
    from: &mut Decoder<'_>,
    vm: &VirtualMachine,
) -> Result<PyResult, minicbor::decode::Error> {
    let ctx = &vm.ctx;
    let value: PyObjectRef = match from.datatype()? {
        Type::Null => {
            from.null()?;
            ctx.none()
        }
        Type::Bool => ctx.new_bool(from.bool()?).into(),
        Type::F16 | Type::F32 | Type::F64 => ctx.new_float(from.f64()?).into(),
        Type::String => recent::text(from, ctx)?.into(),
        Type::Bytes => ctx.new_bytes(from.bytes()?.to_vec()).into(),
        Type::Array => {
            let length = from.array()?.unwrap_or_default();
            let mut items = Vec::with_capacity(length as usize);
            for _ in 0..length {
                match decode(from, vm)? {
                    Ok(item) => items.push(item),
                    raised => return Ok(raised),
                }
            }
            ctx.new_list(items).into()
        }
        Type::Map => {
            let dict = ctx.new_dict();
            for _ in 0..from.map()?.unwrap_or_default() {
                let key = recent::key(from, ctx)?;
                let stored = decode(from, vm)?.and_then(|item| dict.set_item(key, item, vm));
                if let Err(raised) = stored {
                    return Ok(Err(raised));
                }
            }
            dict.into()
        }
        Type::Tag => {
            from.tag()?;
            return Ok(recent::datetime(from.f64()?, vm));
        }
        _ => from.i64()?.to_pyobject(vm),
    };
    Ok(Ok(value))
}
