//! What strangers say of their APIs, as Python stubs that models read: values and texts as
//! source, JSON schemas as types, and names as identifiers. [`mcp`](crate::mcp) and
//! [`openapi`](crate::openapi) write their stubs with it.
//!
//! Whatever comes in, the text that comes out is Python, has a bound, and hides nothing.

mod docstring;
mod literal;
mod names;
mod types;

pub use docstring::{docstring, plain};
pub use literal::python;
pub use names::{Names, differs, identifier, in_python};
pub use types::{MEMBERS, Type};
