//! Writes the result of a program as JSON text, as `json.dumps(value, allow_nan=False)`
//! does, but compact and with a limit.

use rustpython_vm::{
    AsObject, PyObjectRef, PyResult, VirtualMachine,
    builtins::{PyDict, PyFloat, PyInt, PyList, PyStr, PyTuple},
};
use std::fmt::Write;

/// The greatest depth of nested containers.
const DEPTH: u32 = 100;

/// What a program can return in place of a value of a class that JSON has not.
const INSTEAD: [(&str, &str); 11] = [
    ("datetime", "value.isoformat()"),
    ("date", "value.isoformat()"),
    ("time", "value.isoformat()"),
    ("timedelta", "value.total_seconds()"),
    ("Decimal", "str(value) or float(value)"),
    ("set", "sorted(value)"),
    ("frozenset", "sorted(value)"),
    ("bytes", "value.decode()"),
    ("bytearray", "value.decode()"),
    ("generator", "list(value)"),
    ("StreamingBody", "value.read().decode()"),
];

/// Why a result could not be written.
pub enum Unwritable {
    /// The value cannot be JSON: a Python exception.
    Raised(rustpython_vm::builtins::PyBaseExceptionRef),
    /// The text is longer than the limit.
    TooLarge,
}

impl From<rustpython_vm::builtins::PyBaseExceptionRef> for Unwritable {
    fn from(exception: rustpython_vm::builtins::PyBaseExceptionRef) -> Self {
        Unwritable::Raised(exception)
    }
}

/// Writes a value as JSON text of at most `limit` bytes.
pub fn write(value: &PyObjectRef, limit: usize, vm: &VirtualMachine) -> Result<String, Unwritable> {
    let mut writer = Writer {
        text: String::new(),
        limit,
        vm,
    };
    writer.value(value, 0)?;
    Ok(writer.text)
}

struct Writer<'vm> {
    text: String,
    limit: usize,
    vm: &'vm VirtualMachine,
}

impl Writer<'_> {
    fn value(&mut self, value: &PyObjectRef, depth: u32) -> Result<(), Unwritable> {
        let vm = self.vm;
        if depth > DEPTH {
            let message = "the result is nested more than 100 levels deep, or contains itself";
            return Err(vm.new_value_error(message).into());
        }
        if self.text.len() > self.limit {
            return Err(Unwritable::TooLarge);
        }
        let object = value.as_object();
        if vm.is_none(object) {
            self.text.push_str("null");
        } else if let Some(text) = value.downcast_ref::<PyStr>() {
            self.string(text)?;
        } else if object.class().is(vm.ctx.types.bool_type) {
            self.text.push_str(if value.is(&vm.ctx.true_value) {
                "true"
            } else {
                "false"
            });
        } else if let Some(int) = value.downcast_ref::<PyInt>() {
            let digits = int.as_bigint().to_string();
            if digits.len() > 300 {
                let message = "the result has an integer of more than 300 digits";
                return Err(vm.new_value_error(message).into());
            }
            self.text.push_str(&digits);
        } else if let Some(float) = value.downcast_ref::<PyFloat>() {
            self.float(float.to_f64())?;
        } else if let Some(list) = value.downcast_ref::<PyList>() {
            let items = list.borrow_vec().to_vec();
            self.items(&items, depth)?;
        } else if let Some(tuple) = value.downcast_ref::<PyTuple>() {
            self.items(tuple.as_slice(), depth)?;
        } else if let Some(dict) = value.downcast_ref::<PyDict>() {
            let pairs: Vec<_> = dict.into_iter().collect();
            self.pairs(&pairs, depth)?;
        } else {
            let class = object.class().name().to_string();
            let mut message = format!("Object of type {class} is not JSON serializable");
            if let Some((_, instead)) = INSTEAD.iter().find(|(name, _)| *name == class) {
                message += "; return ";
                message += instead;
            }
            return Err(vm.new_type_error(message).into());
        }
        Ok(())
    }

    fn items(&mut self, items: &[PyObjectRef], depth: u32) -> Result<(), Unwritable> {
        self.text.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.value(item, depth + 1)?;
        }
        self.text.push(']');
        Ok(())
    }

    fn pairs(
        &mut self,
        pairs: &[(PyObjectRef, PyObjectRef)],
        depth: u32,
    ) -> Result<(), Unwritable> {
        self.text.push('{');
        for (index, (key, item)) in pairs.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.key(key)?;
            self.text.push(':');
            self.value(item, depth + 1)?;
        }
        self.text.push('}');
        Ok(())
    }

    /// Writes a key. As in `json.dumps`, None, bool, int and float keys become text.
    fn key(&mut self, key: &PyObjectRef) -> Result<(), Unwritable> {
        if let Some(text) = key.downcast_ref::<PyStr>() {
            return self.string(text);
        }
        let scalar = self.vm.is_none(key.as_object())
            || key.downcast_ref::<PyInt>().is_some()
            || key.downcast_ref::<PyFloat>().is_some();
        if !scalar {
            let class = key.as_object().class().name().to_string();
            let message = format!("keys must be str, int, float, bool or None, not {class}");
            return Err(self.vm.new_type_error(message).into());
        }
        self.text.push('"');
        self.value(key, 0)?;
        self.text.push('"');
        Ok(())
    }

    fn float(&mut self, float: f64) -> PyResult<()> {
        if !float.is_finite() {
            let shown = float.to_string().to_lowercase();
            let message = format!("Out of range float values are not JSON compliant: {shown}");
            return Err(self.vm.new_value_error(message));
        }
        // Like Python's, Rust's shortest form is read back as the same float.
        write!(self.text, "{float:?}").expect("writing to a string does not fail");
        Ok(())
    }

    fn string(&mut self, text: &PyStr) -> Result<(), Unwritable> {
        let Some(text) = text.to_str() else {
            let message = "the result has a text with a lone surrogate, which is not JSON";
            return Err(self.vm.new_value_error(message).into());
        };
        if self.text.len() + text.len() > self.limit {
            return Err(Unwritable::TooLarge);
        }
        self.text.push('"');
        for character in text.chars() {
            match character {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\n' => self.text.push_str("\\n"),
                '\r' => self.text.push_str("\\r"),
                '\t' => self.text.push_str("\\t"),
                control if control < ' ' => {
                    write!(self.text, "\\u{:04x}", control as u32)
                        .expect("writing to a string does not fail");
                }
                plain => self.text.push(plain),
            }
        }
        self.text.push('"');
        Ok(())
    }
}
