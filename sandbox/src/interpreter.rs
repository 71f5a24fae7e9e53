//! Builds the interpreter that the snapshot holds.

use crate::host;
use rustpython_vm::{
    AsObject, Context, Interpreter, PyObjectRef, PyResult, Settings, VirtualMachine,
    builtins::PyBaseExceptionRef, compiler::Mode, frozen::FrozenLib, py_freeze, scope::Scope,
};
use std::cell::OnceCell;

thread_local! {
    static INTERPRETER: OnceCell<Interpreter> = const { OnceCell::new() };
}

/// The Python module that starts and ends a program.
const RUNTIME: &str = "_runtime";

/// The name of the module with the client's source.
pub const CLIENT: &str = "_client";

/// Python modules of the guest, in the order of loading.
const MODULES: &[(&str, &str)] = &[
    (host::MODULE, include_str!("python/_host.py")),
    (RUNTIME, include_str!("python/_runtime.py")),
];

/// Modules that stand in for native parts of CPython that the sandbox lacks: files, threads.
const LIBRARY: &FrozenLib = py_freeze!(dir = "python/lib");

/// The time zones of the IANA database. `sandbox/zones.py` writes the file.
const ZONES: &[u8] = include_bytes!("python/zones.bin");

/// Modules that programs often import. They are loaded before the snapshot is taken, with
/// the parts of the standard library that they need, so that an import is quick.
const PRELOADED: &str = include_str!("python/preloaded.txt");

/// Python objects that the Rust side uses, looked up once.
pub struct Handles {
    /// `_runtime.begin`.
    pub begin: PyObjectRef,
    /// `_runtime.end`.
    pub end: PyObjectRef,
    /// `_runtime.describe`.
    pub describe: PyObjectRef,
    /// `_host.Refusal`.
    pub refusal: PyObjectRef,
    /// `datetime.datetime`.
    pub datetime: PyObjectRef,
    /// `datetime.timezone.utc`.
    pub utc: PyObjectRef,
}

thread_local! {
    static HANDLES: OnceCell<Handles> = const { OnceCell::new() };
    /// `_client.PROGRAM_GLOBALS`.
    static CLIENT_NAMES: OnceCell<PyObjectRef> = const { OnceCell::new() };
}

/// An object that was looked up when the interpreter was prepared.
pub fn handle(of: impl FnOnce(&Handles) -> &PyObjectRef) -> PyObjectRef {
    HANDLES.with(|handles| of(handles.get().expect("prepared before it is used")).clone())
}

/// The client's names that a program can use.
pub fn client_names() -> PyObjectRef {
    CLIENT_NAMES.with(|names| names.get().expect("prepared before it is used").clone())
}

/// Builds the interpreter and loads the modules and the client.
pub fn prepare(client: &[u8]) {
    crate::heap::reserve();
    let client = String::from_utf8_lossy(client);
    INTERPRETER.with(|cell| {
        let interpreter = cell.get_or_init(build);
        let loaded = interpreter
            .enter(|vm| load_all(&client, vm).map_err(|exception| shown(&exception, vm)));
        if let Err(exception) = loaded {
            panic!("the interpreter cannot be prepared: {exception}");
        }
    });
    // Anything that the first run of a program sets up lazily belongs in the snapshot.
    crate::program::warm_up();
    enter(|vm| {
        let runtime = vm.import(RUNTIME, 0)?;
        vm.call_method(&runtime, "hold_frames", ())
    })
    .expect("a function of the guest's own");
    enter(crate::settle::settle);
    crate::heap::end_of_snapshot();
    enter(crate::settle::empty_free_lists);
}

/// Runs `work` in the prepared interpreter.
pub fn enter<R>(work: impl FnOnce(&VirtualMachine) -> R) -> R {
    INTERPRETER.with(|cell| {
        let interpreter = cell.get().expect("the host calls `prepare` before `run`");
        interpreter.enter(work)
    })
}

fn build() -> Interpreter {
    let mut settings = Settings::default();
    settings.isolated = true;
    settings.ignore_environment = true;
    settings.import_site = false;
    settings.install_signal_handlers = false;
    settings.user_site_directory = false;
    settings.write_bytecode = false;
    settings.hash_seed = Some(0);
    let natives = rustpython_stdlib::stdlib_module_defs(Context::genesis());
    Interpreter::builder(settings)
        .add_native_modules(&natives)
        .add_frozen_modules(rustpython_pylib::FROZEN_STDLIB)
        .add_frozen_modules(LIBRARY)
        .build()
}

/// `_host.zones()`: the content of `zones.bin`.
fn zones(vm: &VirtualMachine) -> PyObjectRef {
    vm.ctx.new_bytes(ZONES.to_vec()).into()
}

fn load_all(client: &str, vm: &VirtualMachine) -> PyResult<()> {
    // `os` asks there which operating system it is on.
    let names = vm.sys_module.get_attr("builtin_module_names", vm)?;
    let names = vm._add(&names, vm.new_tuple(("posix",)).as_object())?;
    vm.sys_module.set_attr("builtin_module_names", names, vm)?;
    for (name, source) in MODULES {
        let module = load(name, source, vm)?;
        if *name == host::MODULE {
            host::add_natives(&module, vm)?;
            module.set_attr("zones", vm.new_function("zones", zones), vm)?;
        }
    }
    let mut failures = String::new();
    for name in PRELOADED.split_whitespace() {
        if let Err(exception) = vm.import(&vm.ctx.new_utf8_str(name), 0) {
            failures += &format!("import {name}: {}", shown(&exception, vm));
        }
    }
    assert!(failures.is_empty(), "modules cannot be loaded:\n{failures}");
    let runtime = vm.import(RUNTIME, 0)?;
    let host = vm.import(host::MODULE, 0)?;
    let times = vm.import("datetime", 0)?;
    let handles = Handles {
        begin: runtime.get_attr("begin", vm)?,
        end: runtime.get_attr("end", vm)?,
        describe: runtime.get_attr("describe", vm)?,
        refusal: host.get_attr("Refusal", vm)?,
        datetime: times.get_attr("datetime", vm)?,
        utc: times.get_attr("timezone", vm)?.get_attr("utc", vm)?,
    };
    let twice = || vm.new_system_error("prepared twice");
    HANDLES.with(|cell| cell.set(handles).map_err(|_| twice()))?;
    let client = load(CLIENT, client, vm)?;
    let names = client.get_attr("PROGRAM_GLOBALS", vm)?;
    CLIENT_NAMES.with(|cell| cell.set(names).map_err(|_| twice()))?;
    host.del_attr("rehearse", vm)?;
    vm.call_method(&runtime, "close_imports", ())?;
    Ok(())
}

/// Makes a module from Python source.
fn load(name: &'static str, source: &str, vm: &VirtualMachine) -> PyResult<PyObjectRef> {
    let names = vm.ctx.new_dict();
    names.set_item("__name__", vm.ctx.new_str(name).into(), vm)?;
    let module: PyObjectRef = vm.new_module(name, names.clone(), None).into();
    vm.sys_module
        .get_attr("modules", vm)?
        .set_item(name, module.clone(), vm)?;
    let code = vm
        .compile(source, Mode::Exec, format!("<{name}>"))
        .map_err(|error| error.into_pyexception(vm, Some(source)))?;
    vm.run_code_obj(code, Scope::with_builtins(None, names, vm))?;
    Ok(module)
}

fn shown(exception: &PyBaseExceptionRef, vm: &VirtualMachine) -> String {
    let mut text = String::new();
    match vm.write_exception(&mut text, exception) {
        Ok(()) => text,
        Err(_) => "an exception that cannot be shown".to_owned(),
    }
}
