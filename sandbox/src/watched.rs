//! Finds what a function changed in a value that it was given, and takes the changes back.
//!
//! `_host.watch(value)` takes a shadow of a value: its containers, and the objects in them.
//! `_host.changes()` compares the value with its shadow by identity, which costs a few
//! nanoseconds for each object, and lists the differences. `_host.revert()` puts the objects
//! of the shadow back.
//!
//! A value holds exactly the types of JSON. A container that a function puts into it is
//! copied, so that no two places share one: the value stays what a fresh instance would
//! load.

use crate::codec;
use minicbor::Encoder;
use rustpython_vm::{
    AsObject, Py, PyObjectRef, PyResult, VirtualMachine,
    builtins::{PyBaseExceptionRef, PyDict, PyFloat, PyInt, PyList, PyStr},
};
use std::cell::RefCell;
use std::collections::HashMap;

/// Containers nest this deep at most. A reply holds the value two levels down.
const DEPTH: usize = 60;

thread_local! {
    static WATCHED: RefCell<Option<Shadow>> = const { RefCell::new(None) };
}

/// An object of the value, as it was when it was last compared.
struct Shadow {
    object: PyObjectRef,
    held: Held,
}

enum Held {
    Scalar,
    List(Vec<Shadow>),
    Dict(Vec<(PyObjectRef, Shadow)>),
}

/// `_host.watch(value)`: takes a shadow of a dict.
///
/// Raises a TypeError or ValueError that names the place of what is not JSON.
pub fn watch(value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
    let shadow = Walk::new(vm).hold(&value, false)?;
    WATCHED.set(Some(shadow));
    Ok(())
}

/// `_host.changes()`: the changes since the last comparison, in the order in which they are
/// to be made: `["set", path, value]`, `["remove", path]` and
/// `["splice", path, start, removed, values]`.
///
/// Raises as `watch` does; the shadow is of no use then.
pub fn changes(vm: &VirtualMachine) -> PyResult {
    WATCHED.with_borrow_mut(|watched| {
        let shadow = watched.as_mut().ok_or_else(|| nothing(vm))?;
        let mut walk = Walk::new(vm);
        walk.compare(shadow)?;
        Ok(vm.ctx.new_list(walk.changes).into())
    })
}

/// `_host.revert()`: takes back all changes since the last comparison.
pub fn revert(vm: &VirtualMachine) -> PyResult<()> {
    WATCHED.with_borrow(|watched| restore(watched.as_ref().ok_or_else(|| nothing(vm))?, vm))
}

/// `_host.check(value)`: raises if the value cannot cross the boundary.
pub fn check(value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
    codec::encode(&mut Encoder::new(Vec::new()), &value, 0, vm)
}

fn nothing(vm: &VirtualMachine) -> PyBaseExceptionRef {
    vm.new_system_error("nothing is watched")
}

/// One way through a value.
struct Walk<'vm> {
    vm: &'vm VirtualMachine,
    /// The keys and indexes that lead to the object at hand.
    path: Vec<PyObjectRef>,
    changes: Vec<PyObjectRef>,
}

impl<'vm> Walk<'vm> {
    fn new(vm: &'vm VirtualMachine) -> Self {
        Walk {
            vm,
            path: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Takes a shadow of a value, or of a copy of it.
    fn hold(&mut self, value: &PyObjectRef, copy: bool) -> PyResult<Shadow> {
        let (vm, types) = (self.vm, &self.vm.ctx.types);
        let class = value.class();
        if class.is(types.list_type)
            && let Some(list) = value.downcast_ref::<PyList>()
        {
            self.check_depth()?;
            let items = list.borrow_vec().to_vec();
            let mut held = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                held.push(self.within(vm.ctx.new_int(index).into(), |walk| walk.hold(item, copy))?);
            }
            let object = if copy {
                let items = held.iter().map(|shadow| shadow.object.clone());
                vm.ctx.new_list(items.collect()).into()
            } else {
                value.clone()
            };
            let held = Held::List(held);
            return Ok(Shadow { object, held });
        }
        if class.is(types.dict_type)
            && let Some(dict) = value.downcast_ref::<PyDict>()
        {
            self.check_depth()?;
            let mut held = Vec::with_capacity(dict.__len__());
            for (key, item) in dict.into_iter() {
                self.check_key(&key)?;
                let shadow = self.within(key.clone(), |walk| walk.hold(&item, copy))?;
                held.push((key, shadow));
            }
            let object = if copy {
                let dict = vm.ctx.new_dict();
                for (key, shadow) in &held {
                    dict.set_item(key.as_object(), shadow.object.clone(), vm)?;
                }
                dict.into()
            } else {
                value.clone()
            };
            let held = Held::Dict(held);
            return Ok(Shadow { object, held });
        }
        self.check_scalar(value)?;
        Ok(Shadow {
            object: value.clone(),
            held: Held::Scalar,
        })
    }

    /// Lists the changes within a container, and brings its shadow up to date.
    fn compare(&mut self, shadow: &mut Shadow) -> PyResult<()> {
        let Shadow { object, held } = shadow;
        match held {
            Held::Scalar => Ok(()),
            Held::List(items) => match object.downcast_ref::<PyList>() {
                Some(list) => self.compare_list(list, items),
                None => Ok(()),
            },
            Held::Dict(pairs) => match object.downcast_ref::<PyDict>() {
                Some(dict) => self.compare_dict(dict, pairs),
                None => Ok(()),
            },
        }
    }

    fn compare_dict(
        &mut self,
        dict: &Py<PyDict>,
        pairs: &mut Vec<(PyObjectRef, Shadow)>,
    ) -> PyResult<()> {
        if dict.__len__() == pairs.len() {
            // Almost always the keys are the same objects in the same order.
            let mut same_keys = true;
            for ((key, value), (known, shadow)) in dict.into_iter().zip(pairs.iter_mut()) {
                if !key.is(known) {
                    same_keys = false;
                    break;
                }
                if value.is(&shadow.object) {
                    if !matches!(shadow.held, Held::Scalar) {
                        self.within(key, |walk| walk.compare(shadow))?;
                    }
                } else {
                    let fresh = self.within(key.clone(), |walk| walk.replace(&value, shadow))?;
                    if fresh {
                        dict.set_item(key.as_object(), shadow.object.clone(), self.vm)?;
                    }
                }
            }
            if same_keys {
                return Ok(());
            }
        }
        self.compare_keys(dict, pairs)
    }

    /// Compares a dict whose keys have changed.
    fn compare_keys(
        &mut self,
        dict: &Py<PyDict>,
        pairs: &mut Vec<(PyObjectRef, Shadow)>,
    ) -> PyResult<()> {
        let now: Vec<(PyObjectRef, PyObjectRef)> = dict.into_iter().collect();
        let mut names = HashMap::with_capacity(now.len());
        for (index, (key, _)) in now.iter().enumerate() {
            names.insert(self.check_key(key)?.to_owned(), index);
        }
        let mut kept = Vec::with_capacity(now.len());
        let mut indexes = Vec::with_capacity(pairs.len());
        for (key, shadow) in pairs.drain(..) {
            match names.get(text(&key).unwrap_or_default()) {
                Some(index) => {
                    indexes.push(*index);
                    kept.push((key, shadow));
                }
                None => self.within(key, |walk| walk.note("remove", []))?,
            }
        }
        // The order of keys belongs to the value. Where it has changed, all are set anew.
        if indexes.iter().enumerate().any(|(at, index)| at != *index) {
            for (key, _) in kept.drain(..) {
                self.within(key, |walk| walk.note("remove", []))?;
            }
        }
        for (index, (key, value)) in now.iter().enumerate() {
            if let Some((_, shadow)) = kept.get_mut(index) {
                if value.is(&shadow.object) {
                    self.within(key.clone(), |walk| walk.compare(shadow))?;
                } else if self.within(key.clone(), |walk| walk.replace(value, shadow))? {
                    dict.set_item(key.as_object(), shadow.object.clone(), self.vm)?;
                }
            } else {
                let shadow = self.within(key.clone(), |walk| {
                    let shadow = walk.hold(value, true)?;
                    walk.note("set", [shadow.object.clone()])?;
                    Ok(shadow)
                })?;
                dict.set_item(key.as_object(), shadow.object.clone(), self.vm)?;
                kept.push((key.clone(), shadow));
            }
        }
        *pairs = kept;
        Ok(())
    }

    fn compare_list(&mut self, list: &Py<PyList>, items: &mut Vec<Shadow>) -> PyResult<()> {
        let now = list.borrow_vec().to_vec();
        if now.len() != items.len() {
            self.splice(list, &now, items)?;
        }
        for (index, shadow) in items.iter_mut().enumerate() {
            let value = list.borrow_vec().get(index).cloned();
            let Some(value) = value else { break };
            let is_same = value.is(&shadow.object);
            if is_same && matches!(shadow.held, Held::Scalar) {
                continue;
            }
            let place = self.vm.ctx.new_int(index).into();
            if is_same {
                self.within(place, |walk| walk.compare(shadow))?;
            } else if self.within(place, |walk| walk.replace(&value, shadow))?
                && let Some(slot) = list.borrow_vec_mut().get_mut(index)
            {
                *slot = shadow.object.clone();
            }
        }
        Ok(())
    }

    /// Notes where items were put into a list or taken out of it: between the items at its
    /// start and at its end that are still there.
    fn splice(
        &mut self,
        list: &Py<PyList>,
        now: &[PyObjectRef],
        items: &mut Vec<Shadow>,
    ) -> PyResult<()> {
        let most = now.len().min(items.len());
        let is_same = |(value, shadow): (&PyObjectRef, &Shadow)| value.is(&shadow.object);
        let pairs = now.iter().zip(items.iter());
        let start = pairs.take_while(|pair| is_same(*pair)).count();
        let pairs = now.iter().rev().zip(items.iter().rev());
        let end = pairs
            .take(most - start)
            .take_while(|pair| is_same(*pair))
            .count();
        let mut held = Vec::new();
        for (index, value) in now.iter().enumerate().take(now.len() - end).skip(start) {
            let place = self.vm.ctx.new_int(index).into();
            let shadow = self.within(place, |walk| walk.hold(value, true))?;
            if let Some(slot) = list.borrow_vec_mut().get_mut(index) {
                *slot = shadow.object.clone();
            }
            held.push(shadow);
        }
        let values = held.iter().map(|shadow| shadow.object.clone()).collect();
        let (context, removed) = (&self.vm.ctx, items.len() - end - start);
        let parts = [
            context.new_int(start).into(),
            context.new_int(removed).into(),
            context.new_list(values).into(),
        ];
        self.note("splice", parts)?;
        items.splice(start..start + removed, held);
        Ok(())
    }

    /// Another object stands at the place of the shadow. Returns whether the value has to
    /// take the shadow's object instead, which is a copy.
    fn replace(&mut self, value: &PyObjectRef, shadow: &mut Shadow) -> PyResult<bool> {
        let fresh = self.hold(value, true)?;
        let is_scalar = matches!((&fresh.held, &shadow.held), (Held::Scalar, Held::Scalar));
        if is_scalar && same_scalar(&fresh.object, &shadow.object) {
            shadow.object = fresh.object;
            return Ok(false);
        }
        *shadow = fresh;
        self.note("set", [shadow.object.clone()])?;
        Ok(!matches!(shadow.held, Held::Scalar))
    }

    /// Notes a change of the object at hand.
    fn note<const N: usize>(&mut self, kind: &str, parts: [PyObjectRef; N]) -> PyResult<()> {
        let context = &self.vm.ctx;
        let path = context.new_list(self.path.clone()).into();
        let change = [context.new_str(kind).into(), path]
            .into_iter()
            .chain(parts);
        self.changes.push(context.new_list(change.collect()).into());
        Ok(())
    }

    /// Does something one step further down.
    fn within<T>(
        &mut self,
        step: PyObjectRef,
        work: impl FnOnce(&mut Self) -> PyResult<T>,
    ) -> PyResult<T> {
        self.path.push(step);
        let done = work(self)?;
        self.path.pop();
        Ok(done)
    }

    fn check_depth(&self) -> PyResult<()> {
        if self.path.len() < DEPTH {
            return Ok(());
        }
        let place = self.place(4);
        let message = format!("{place} … nests more than {DEPTH} levels deep, or contains itself");
        Err(self.vm.new_value_error(message))
    }

    fn check_key<'k>(&self, key: &'k PyObjectRef) -> PyResult<&'k str> {
        let is_text = key.class().is(self.vm.ctx.types.str_type);
        let text = text(key).filter(|_| is_text);
        text.ok_or_else(|| {
            let (place, class) = (self.place(usize::MAX), key.class().name().to_string());
            let message = format!("{place} has a key of the type {class}; keys are text");
            self.vm.new_type_error(message)
        })
    }

    fn check_scalar(&self, value: &PyObjectRef) -> PyResult<()> {
        let (vm, types, class) = (self.vm, &self.vm.ctx.types, value.class());
        let wrong = |problem: &str| {
            let message = format!("{} {problem}", self.place(usize::MAX));
            vm.new_value_error(message)
        };
        if vm.is_none(value.as_object()) || class.is(types.bool_type) {
            Ok(())
        } else if class.is(types.str_type) {
            let is_text = text(value).is_some();
            is_text
                .then_some(())
                .ok_or_else(|| wrong("has a lone surrogate"))
        } else if class.is(types.int_type)
            && let Some(int) = value.downcast_ref::<PyInt>()
        {
            let fits = int.try_to_primitive::<i64>(vm).is_ok();
            fits.then_some(())
                .ok_or_else(|| wrong("is an integer of more than 64 bits"))
        } else if class.is(types.float_type)
            && let Some(float) = value.downcast_ref::<PyFloat>()
        {
            let fits = float.to_f64().is_finite();
            fits.then_some(())
                .ok_or_else(|| wrong("is not a finite number"))
        } else {
            let (place, class) = (self.place(usize::MAX), class.name().to_string());
            let kinds = "dict, list, str, int, float, bool and None";
            let message = format!("{place} is of the type {class}; a state has only {kinds}");
            Err(vm.new_type_error(message))
        }
    }

    /// The place at hand as Python writes it: `state["orders"][0]`.
    fn place(&self, steps: usize) -> String {
        let mut place = "state".to_owned();
        for step in self.path.iter().take(steps) {
            match text(step) {
                Some(key) => place += &format!("[{key:?}]"),
                None => {
                    let index = step.str(self.vm).map(|index| index.to_string());
                    place += &format!("[{}]", index.unwrap_or_default());
                }
            }
        }
        place
    }
}

fn text(object: &PyObjectRef) -> Option<&str> {
    object.downcast_ref::<PyStr>()?.to_str()
}

/// Whether two scalars are the same in JSON: `1` is neither `1.0` nor `true`.
fn same_scalar(one: &PyObjectRef, other: &PyObjectRef) -> bool {
    if !one.class().is(other.class()) {
        return false;
    }
    if let (Some(one), Some(other)) = (text(one), text(other)) {
        return one == other;
    }
    let ints = (one.downcast_ref::<PyInt>(), other.downcast_ref::<PyInt>());
    if let (Some(one), Some(other)) = ints {
        return one.as_bigint() == other.as_bigint();
    }
    let floats = (
        one.downcast_ref::<PyFloat>(),
        other.downcast_ref::<PyFloat>(),
    );
    match floats {
        (Some(one), Some(other)) => one.to_f64().to_bits() == other.to_f64().to_bits(),
        _ => one.is(other),
    }
}

/// Puts the objects of a shadow back where others stand.
fn restore(shadow: &Shadow, vm: &VirtualMachine) -> PyResult<()> {
    match &shadow.held {
        Held::Scalar => {}
        Held::List(items) => {
            let Some(list) = shadow.object.downcast_ref::<PyList>() else {
                return Ok(());
            };
            let known = items.iter().map(|item| &item.object);
            let is_same = {
                let now = list.borrow_vec();
                now.len() == items.len() && now.iter().zip(known.clone()).all(|(a, b)| a.is(b))
            };
            if !is_same {
                *list.borrow_vec_mut() = known.cloned().collect();
            }
            items.iter().try_for_each(|item| restore(item, vm))?;
        }
        Held::Dict(pairs) => {
            let Some(dict) = shadow.object.downcast_ref::<PyDict>() else {
                return Ok(());
            };
            let same = |((key, value), (known, shadow)): (
                (PyObjectRef, PyObjectRef),
                &(PyObjectRef, Shadow),
            )| { key.is(known) && value.is(&shadow.object) };
            if dict.__len__() != pairs.len() || !dict.into_iter().zip(pairs).all(same) {
                vm.call_method(shadow.object.as_object(), "clear", ())?;
                for (key, shadow) in pairs {
                    dict.set_item(key.as_object(), shadow.object.clone(), vm)?;
                }
            }
            pairs
                .iter()
                .try_for_each(|(_, shadow)| restore(shadow, vm))?;
        }
    }
    Ok(())
}
