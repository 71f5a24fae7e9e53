//! Errors that are mistakes of the program and no answer of the environment.

use super::is_limit;
use crate::dialogue::Program;

/// The errors that Python and its standard library raise by themselves (`Error` is that of
/// `binascii` and `csv`, `error` that of `struct`). An environment has codes of its own, and
/// the conversational exceptions are raised by name.
const OF_PYTHON: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BufferError",
    "EOFError",
    "Error",
    "FileNotFoundError",
    "FloatingPointError",
    "ImportError",
    "IndentationError",
    "IndexError",
    "InvalidOperation",
    "IsADirectoryError",
    "JSONDecodeError",
    "KeyError",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PatternError",
    "PermissionError",
    "RecursionError",
    "ReferenceError",
    "RuntimeError",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SystemError",
    "SystemExit",
    "TabError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "ValueError",
    "ZeroDivisionError",
    "error",
];

/// Whether a program that ended with this error did so by accident: with an error of Python,
/// or at a limit, that it does not raise by name.
pub fn is_accident(error: &str, program: Option<&Program>) -> bool {
    let is_meant = || program.is_some_and(|program| raises(&program.without_text(), error));
    (OF_PYTHON.contains(&error) || is_limit(error)) && !is_meant()
}

/// Whether the code has a statement `raise NAME`.
fn raises(code: &str, name: &str) -> bool {
    code.split("raise ").skip(1).any(|rest| {
        let raised = rest.trim_start();
        let end = raised.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
        let raised = raised.get(..end.unwrap_or(raised.len())).unwrap_or(raised);
        raised.rsplit('.').next() == Some(name)
    })
}
