//! Parts of Python stubs, made of descriptions that come from untrusted APIs: source text,
//! types and identifiers. [`mcp`](crate::mcp) and [`openapi`](crate::openapi) write their
//! stubs with it.
//!
//! Whatever the description contains, the result is valid Python, has a limited length, and
//! has no characters that hide others.

mod docstring;
mod literal;
mod names;
mod types;

pub use docstring::{docstring, plain};
pub use literal::python;
pub use names::{Names, differs, identifier, in_python};
pub use types::{MEMBERS, Type};
