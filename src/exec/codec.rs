//! Encodes values as CBOR and decodes them, on the host's side of the boundary. The guest is
//! not trusted: no buffer is sized by a number that it sends, and nesting is bounded.

use super::Breach;
use crate::domain::{Answer, Map, NUMBER, Value};
use minicbor::data::{Tag, Type};
use minicbor::decode::Error;
use minicbor::{Decoder, Encoder};
use std::collections::HashSet;

/// How deep containers may nest.
const DEPTH: u32 = 64;

/// The encoder of values for the guest.
pub type Out = Encoder<Vec<u8>>;

/// Decodes a call, `[operation, params]`, that has at most `values` values.
pub fn read_call(bytes: &[u8], values: u32) -> Result<(String, Value), Breach> {
    let mut reader = Reader {
        from: Decoder::new(bytes),
        left: values,
        exhausted: false,
    };
    reader.call().map_err(|_| {
        if reader.exhausted {
            Breach::CallValues
        } else {
            Breach::Interpreter
        }
    })
}

/// Decodes what an instance that stays replies, `[0, value]` or `[1, text]`, with at most
/// `values` values. The inner error is that text.
pub fn read_reply(bytes: &[u8], values: u32) -> Result<Result<Value, String>, Breach> {
    let mut reader = Reader {
        from: Decoder::new(bytes),
        left: values,
        exhausted: false,
    };
    reader.reply().map_err(|_| {
        if reader.exhausted {
            Breach::CallValues
        } else {
            Breach::Interpreter
        }
    })
}

/// Encodes an answer: `[0, value]` or `[1, code, message, status, details]`.
pub fn write_answer(answer: &Answer) -> Vec<u8> {
    cbor(|out| {
        match answer {
            Ok(value) => {
                out.array(2)?.u8(0)?;
                write_marked(out, value)?;
            }
            Err(refusal) => {
                out.array(5)?
                    .u8(1)?
                    .str(&refusal.code)?
                    .str(&refusal.message)?;
                out.u16(refusal.status)?;
                write_marked(out, &Value::Map(refusal.details.clone()))?;
            }
        }
        Ok(())
    })
}

/// The CBOR that `write` writes.
pub fn cbor(write: impl FnOnce(&mut Out) -> Result<(), WriteError>) -> Vec<u8> {
    let mut out = Encoder::new(Vec::with_capacity(256));
    write(&mut out).expect("writing to memory does not fail");
    out.into_writer()
}

/// The error of writing to memory, which cannot happen.
pub type WriteError = minicbor::encode::Error<std::convert::Infallible>;

/// The only key of the dict around an answer that has integers which the guest cannot decode.
/// Python's side takes it off, and makes integers of the dicts with the key [`NUMBER`] inside.
const WITH_NUMBERS: &str = "\0with numbers";

fn write_marked(out: &mut Out, value: &Value) -> Result<(), WriteError> {
    if value.has_big_integer() {
        out.map(1)?.str(WITH_NUMBERS)?;
    }
    write(out, value)
}

/// Encodes a value.
pub fn write(out: &mut Out, value: &Value) -> Result<(), WriteError> {
    match value {
        Value::Null | Value::File(_) => out.null()?.ok(),
        Value::Bool(truth) => out.bool(*truth)?.ok(),
        Value::Int(int) => out.i64(*int)?.ok(),
        Value::BigInt(digits) => out.map(1)?.str(NUMBER)?.str(digits)?.ok(),
        Value::Float(float) => out.f64(*float)?.ok(),
        Value::Str(text) => out.str(text)?.ok(),
        Value::Bytes(bytes) => out.bytes(bytes)?.ok(),
        Value::Time(time) => {
            let seconds = time.as_microsecond() as f64 / 1e6;
            out.tag(Tag::new(1))?.f64(seconds)?.ok()
        }
        Value::List(items) => {
            out.array(items.len() as u64)?;
            items.iter().try_for_each(|item| write(out, item))
        }
        Value::Map(pairs) => {
            out.map(pairs.len() as u64)?;
            pairs.iter().try_for_each(|(key, item)| {
                out.str(key)?;
                write(out, item)
            })
        }
    }
}

/// Decodes the guest's bytes.
struct Reader<'a> {
    from: Decoder<'a>,
    /// How many more values are allowed.
    left: u32,
    /// Whether there were more values than allowed.
    exhausted: bool,
}

impl Reader<'_> {
    fn call(&mut self) -> Result<(String, Value), Error> {
        if self.from.array()? != Some(2) {
            return Err(Error::message("a call is an array of two"));
        }
        let operation = self.from.str()?.to_owned();
        Ok((operation, self.value(0)?))
    }

    fn reply(&mut self) -> Result<Result<Value, String>, Error> {
        if self.from.array()? != Some(2) {
            return Err(Error::message("a reply is an array of two"));
        }
        Ok(match self.from.u8()? {
            0 => Ok(self.value(0)?),
            _ => Err(self.from.str()?.to_owned()),
        })
    }

    fn value(&mut self, depth: u32) -> Result<Value, Error> {
        if depth > DEPTH {
            return Err(Error::message("nested too deeply"));
        }
        self.left = match self.left.checked_sub(1) {
            Some(left) => left,
            None => {
                self.exhausted = true;
                return Err(Error::message("too many values"));
            }
        };
        let from = &mut self.from;
        Ok(match from.datatype()? {
            Type::Null => {
                from.null()?;
                Value::Null
            }
            Type::Bool => Value::Bool(from.bool()?),
            Type::F16 | Type::F32 | Type::F64 => Value::Float(from.f64()?),
            Type::String => Value::Str(from.str()?.to_owned()),
            Type::Bytes => Value::Bytes(bytes::Bytes::copy_from_slice(from.bytes()?)),
            Type::Array => {
                let length = from.array()?.ok_or_else(indefinite)?;
                let mut items = Vec::new();
                for _ in 0..length {
                    items.push(self.value(depth + 1)?);
                }
                Value::List(items)
            }
            Type::Map => {
                let length = from.map()?.ok_or_else(indefinite)?;
                let mut pairs = Vec::new();
                for _ in 0..length {
                    let key = self.from.str()?.to_owned().into();
                    pairs.push((key, self.value(depth + 1)?));
                }
                // A text of a class of its own can be equal to another one for the policy, and
                // different for a dict.
                if has_repeated_key(&pairs) {
                    return Err(Error::message("a key is there twice"));
                }
                big_integer(&pairs).unwrap_or(Value::Map(pairs))
            }
            Type::Tag => {
                from.tag()?;
                let micros = (from.f64()? * 1e6).round();
                // Python's range of dates ends a day later than this type's.
                let nearest = if micros < 0.0 {
                    jiff::Timestamp::MIN
                } else {
                    jiff::Timestamp::MAX
                };
                Value::Time(jiff::Timestamp::from_microsecond(micros as i64).unwrap_or(nearest))
            }
            _ => Value::Int(from.i64()?),
        })
    }
}

/// The integer that a dict stands for, because CBOR's integers have 64 bits.
fn big_integer(pairs: &Map) -> Option<Value> {
    match pairs.as_slice() {
        [(key, Value::Str(digits))] if key == NUMBER => Value::integer(digits),
        _ => None,
    }
}

fn has_repeated_key(pairs: &Map) -> bool {
    const FEW: usize = 16;
    if pairs.len() <= FEW {
        let mut numbered = pairs.iter().enumerate();
        return numbered.any(|(number, (key, _))| pairs[..number].iter().any(|it| it.0 == *key));
    }
    let mut seen = HashSet::with_capacity(pairs.len());
    !pairs.iter().all(|(key, _)| seen.insert(key))
}

fn indefinite() -> Error {
    Error::message("a container without a length")
}
