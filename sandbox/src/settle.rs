//! Makes the snapshot's objects immortal and hides them from the garbage collector.
//!
//! A program that merely uses an object changes the object's reference count. That writes
//! to the object's page, and the page has to be copied, for each program anew. Immortal
//! objects (PEP 683) are not counted, and the collector skips frozen ones.

use crate::heap::is_of_snapshot;
use rustpython_vm::{
    AsObject, PyObjectRef, VirtualMachine,
    builtins::{PyCode, PyFunction, PyType},
};
use std::collections::HashSet;
use std::mem::forget;

/// How many new containers trigger a search for cycles. Few programs create as many, and
/// each search writes to all of them.
const COLLECT_AFTER: u32 = 50_000;

/// Makes every object immortal. Called when the snapshot is complete.
pub fn settle(vm: &VirtualMachine) {
    let gc = &vm.state.gc;
    gc.collect_force(2);
    let mut open = gc.get_objects(None);
    open.push(vm.ctx.types.object_type.to_owned().into());
    let mut seen = HashSet::new();
    while let Some(object) = open.pop() {
        if seen.insert(object.get_id()) {
            object.make_immortal();
            open.extend(neighbours(&object, vm));
        }
    }
    gc.freeze();
    gc.set_threshold(COLLECT_AFTER, None, None);
}

/// Empties the interpreter's lists of freed objects. Their memory lies all over the
/// snapshot and would be used again for new objects. Called after
/// `heap::end_of_snapshot`.
pub fn empty_free_lists(vm: &VirtualMachine) {
    let ctx = &vm.ctx;
    let kinds: [&dyn Fn() -> PyObjectRef; 5] = [
        &|| ctx.new_dict().into(),
        &|| ctx.new_list(Vec::new()).into(),
        &|| ctx.new_tuple(vec![ctx.none()]).into(),
        &|| ctx.new_float(0.5).into(),
        &|| ctx.new_int(1_u64 << 40).into(),
    ];
    for make in kinds {
        loop {
            let made = make();
            let address: *const _ = made.as_object();
            if !is_of_snapshot(address.cast()) {
                break;
            }
            forget(made);
        }
    }
}

/// The objects that an object refers to, including those that the collector does not
/// report.
fn neighbours(object: &PyObjectRef, vm: &VirtualMachine) -> Vec<PyObjectRef> {
    let mut held = object.gc_get_referents();
    held.push(object.class().to_owned().into());
    if let Some(code) = object.downcast_ref::<PyCode>() {
        held.extend(code.code.constants.iter().cloned().map(PyObjectRef::from));
    } else if object.downcast_ref::<PyFunction>().is_some() {
        held.extend(object.get_attr("__code__", vm));
    } else if object.downcast_ref::<PyType>().is_some() {
        // A type knows its subclasses but does not own them.
        let subclasses = vm.ctx.types.type_type.as_object();
        let subclasses = subclasses.get_attr("__subclasses__", vm);
        let subclasses = subclasses.and_then(|method| method.call((object.clone(),), vm));
        held.extend(subclasses);
    }
    held
}
