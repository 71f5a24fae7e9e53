//! The snapshot holds still: what is in it is neither counted nor collected any more.
//!
//! A program that only uses an object counts the references to it, and writes to its page
//! by that: a page that is copied first, for each program anew. What is immortal
//! (PEP 683) is not counted, and what is frozen the collector does not look at.

use crate::heap::is_of_snapshot;
use rustpython_vm::{
    AsObject, PyObjectRef, VirtualMachine,
    builtins::{PyCode, PyFunction, PyType},
};
use std::collections::HashSet;
use std::mem::forget;

/// The collector looks for cycles when there are so many more containers. Few programs make
/// as many, and each look writes to all of them.
const COLLECT_AFTER: u32 = 50_000;

/// Makes everything that there is immortal. Called when the snapshot is whole.
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

/// Objects that were freed are used again, all over the snapshot: takes them out of the
/// lists that the interpreter has of them. Called when programs allocate already.
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

/// What an object holds, also where the collector need not know it.
fn neighbours(object: &PyObjectRef, vm: &VirtualMachine) -> Vec<PyObjectRef> {
    let mut held = object.gc_get_referents();
    held.push(object.class().to_owned().into());
    if let Some(code) = object.downcast_ref::<PyCode>() {
        held.extend(code.code.constants.iter().cloned().map(PyObjectRef::from));
    } else if object.downcast_ref::<PyFunction>().is_some() {
        held.extend(object.get_attr("__code__", vm));
    } else if object.downcast_ref::<PyType>().is_some() {
        // A type knows its subclasses, and does not hold them.
        let subclasses = vm.ctx.types.type_type.as_object();
        let subclasses = subclasses.get_attr("__subclasses__", vm);
        let subclasses = subclasses.and_then(|method| method.call((object.clone(),), vm));
        held.extend(subclasses);
    }
    held
}
