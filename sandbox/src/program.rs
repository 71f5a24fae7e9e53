//! Runs one program: compiles it as a module, runs it, reports the outcome.

use crate::codec::cbor;
use crate::interpreter::{self, handle};
use crate::json::{self, Unwritable};
use crate::module;
use minicbor::Decoder;
use ruff_source_file::SourceFileBuilder;
use rustpython_vm::{
    AsObject, PyRef, PyResult, VirtualMachine,
    builtins::{PyBaseExceptionRef, PyCode, PyDict, PyTupleRef},
    compiler::{self, CompileError, Mode, codegen::compile::compile_top, parser},
    scope::Scope,
};

/// The file name in tracebacks.
const FILE: &str = "program.py";

/// The request of the host.
struct Input<'a> {
    source: &'a str,
    /// The seed of `random`.
    seed: u64,
    result_limit: usize,
    /// Compile the program without running it.
    check: bool,
    /// What the client sets up for the program; empty for nothing.
    setup: &'a str,
}

impl<'a> Input<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, minicbor::decode::Error> {
        let mut from = Decoder::new(bytes);
        from.array()?;
        Ok(Input {
            source: from.str()?,
            seed: from.u64()?,
            result_limit: from.u32()? as usize,
            check: from.bool()?,
            setup: from.str()?,
        })
    }
}

/// How a program ended.
enum Ended {
    Result(String),
    Error {
        name: String,
        message: String,
        traceback: Option<String>,
    },
    ResultTooLarge,
}

/// Runs the program in the input and writes its outcome:
/// `[kind, text, message, traceback]`.
pub fn run(input: &[u8]) -> Vec<u8> {
    let input = Input::read(input).expect("the host writes the input as it is read");
    interpreter::enter(|vm| {
        let ended = execute(&input, vm).unwrap_or_else(|exception| described(exception, vm));
        write(&ended)
    })
}

/// Runs sample programs through every step, before the snapshot is taken. The snapshot
/// then holds everything that is set up lazily, and what the interpreter learned about
/// the code. It learns only from repeated runs, so each sample runs several times.
pub fn warm_up() {
    let sources = [
        "import json\nreturn [json.dumps(i) for i in range(2)]",
        "print(1)\nreturn {'a': [1, 2.5, None, True, 'b']}",
        "def f():\n    raise KeyError('a')\nf()",
        "x = {'b': 1, 'a': 2}\nreturn sorted(k for k, v in x.items() if v > 0)",
        "return '\\n'.join(f'{i}: {s.upper().split()}' for i, s in enumerate(['a b']))",
        "try:\n    int('x')\nexcept ValueError as e:\n    return str(e)",
        "raise OutOfScopeRequestError()",
        "return [",
    ];
    for source in sources.repeat(4) {
        run(&cbor(|out| {
            out.array(5)?
                .str(source)?
                .u64(0)?
                .u32(1000)?
                .bool(false)?
                .str("")?
                .ok()
        }));
    }
}

fn write(ended: &Ended) -> Vec<u8> {
    let (kind, text, message, traceback) = match ended {
        Ended::Result(json) => (0, json.as_str(), "", None),
        Ended::Error {
            name,
            message,
            traceback,
        } => (1, name.as_str(), message.as_str(), traceback.as_deref()),
        Ended::ResultTooLarge => (2, "", "", None),
    };
    cbor(|out| {
        out.array(4)?.u8(kind)?.str(text)?.str(message)?;
        match traceback {
            Some(traceback) => out.str(traceback)?.ok(),
            None => out.null()?.ok(),
        }
    })
}

fn execute(input: &Input<'_>, vm: &VirtualMachine) -> PyResult<Ended> {
    let begin = (input.source.to_owned(), input.seed);
    let names = handle(|handles| &handles.begin).call(begin, vm)?;
    let names: PyRef<PyDict> = names.try_into_value(vm)?;
    let code = match compile(input.source, vm) {
        Ok(code) => code,
        Err(error) => {
            let exception = vm.new_syntax_error(&error, Some(input.source));
            return Ok(described(exception, vm));
        }
    };
    if input.check {
        return Ok(Ended::Result("null".to_owned()));
    }
    vm.call_method(names.as_object(), "update", (interpreter::client_names(),))?;
    if !input.setup.is_empty() {
        let client = vm.import(interpreter::CLIENT, 0)?;
        let more = vm.call_method(client.as_object(), "set_up", (input.setup.to_owned(),))?;
        vm.call_method(names.as_object(), "update", (more,))?;
    }
    let ran = vm.run_code_obj(code, Scope::with_builtins(None, names, vm));
    // Threads that nobody waited for run now, also after an error, as in Python.
    handle(|handles| &handles.end).call((), vm)?;
    let result = ran?;
    match json::write(&result, input.result_limit, vm) {
        Ok(text) => Ok(Ended::Result(text)),
        Err(Unwritable::TooLarge) => Ok(Ended::ResultTooLarge),
        Err(Unwritable::Raised(exception)) => Err(exception),
    }
}

/// Compiles the text as a module in which a `return` at the top is allowed.
///
/// Only a function can return, so the text becomes the body of one whose names are all
/// global, and the code of that function then runs as a module's: its variables are those
/// of the program, and its classes have their own names. Wrapping happens in the syntax
/// tree. Indenting the text instead would change line numbers and strings of several lines.
fn compile(source: &str, vm: &VirtualMachine) -> Result<PyRef<PyCode>, CompileError> {
    let indented = source
        .lines()
        .find(|line| !line.trim_start().is_empty() && !line.trim_start().starts_with('#'))
        .is_some_and(|line| line.starts_with([' ', '\t']));
    // A body that is indented as a whole needs a statement above it. `_runtime` subtracts
    // that line where it shows line numbers.
    let text = if indented {
        format!("if True:\n{source}")
    } else {
        source.to_owned()
    };
    let file = SourceFileBuilder::new(FILE, text.as_str()).finish();
    compiler::pre_parse_source_error(&file)?;
    let parsed = parser::parse(&text, parser::ParseOptions::from(parser::Mode::Module))
        .map_err(|error| CompileError::from_ruff_parse_error(error, &file, Mode::Exec))?;
    let tree = parsed.into_syntax();
    let options = vm.compile_opts();
    compiler::too_deeply_nested_error(&tree, &file, options.recursion_limit)?;
    if let Some(error) = compiler::unsupported_grammar_error(&tree, &file) {
        return Err(error);
    }
    let code = compile_top(module::as_function(tree, &file)?, file, Mode::Exec, options)?;
    Ok(PyCode::new_ref_from_bytecode(vm, module::of_function(code)))
}

/// Describes an exception with `_runtime.describe`.
fn described(exception: PyBaseExceptionRef, vm: &VirtualMachine) -> Ended {
    let fallback = exception.class().name().to_string();
    let describe = handle(|handles| &handles.describe);
    let description = describe.call((exception,), vm).and_then(|parts| {
        let parts: PyTupleRef = parts.try_into_value(vm)?;
        Ok((
            text(&parts, 0, vm)?,
            text(&parts, 1, vm)?,
            text(&parts, 2, vm)?,
        ))
    });
    match description {
        Ok((name, message, traceback)) => Ended::Error {
            name,
            message,
            traceback: Some(traceback).filter(|t| !t.is_empty()),
        },
        Err(_) => Ended::Error {
            name: fallback,
            message: String::new(),
            traceback: None,
        },
    }
}

fn text(parts: &PyTupleRef, index: usize, vm: &VirtualMachine) -> PyResult<String> {
    Ok(parts[index].str(vm)?.to_string_lossy().into_owned())
}
