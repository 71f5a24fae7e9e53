//! Errors that are mistakes of the program and no answer of the environment.

use super::is_limit;
use crate::dialogue::{Program, ProgramError};

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

/// The error of a client that checks the parameters of a call before it makes the call. Its
/// message has a line for each problem.
const OF_PARAMETERS: &str = "ParamValidationError";

/// How the problems begin that are mistakes of the program: a name that the operation does not
/// have, one that is missing, a value of another type. The other problems are about what a
/// value is, such as a name that is too short, and the user may have said it.
const MISTAKES: &[&str] = &[
    "Missing required parameter",
    "Unknown parameter in ",
    "Invalid type for parameter ",
];

/// Whether a program that ended with this error did so by accident: with an error of Python,
/// at a limit, or with wrong parameters, unless it raises the error by name.
pub fn is_accident(error: &ProgramError, program: Option<&Program>) -> bool {
    let name = error.error.as_str();
    let is_meant = || program.is_some_and(|program| raises(&program.without_text(), name));
    let is_mistake = || name == OF_PARAMETERS && tells_mistake(&error.message);
    (OF_PYTHON.contains(&name) || is_limit(name) || is_mistake()) && !is_meant()
}

/// Whether a client's message about parameters has a problem that is a mistake of the program.
fn tells_mistake(message: &str) -> bool {
    let mut lines = message.lines();
    lines.any(|line| MISTAKES.iter().any(|mistake| line.starts_with(mistake)))
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
