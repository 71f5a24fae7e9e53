//! MCP servers as APIs: the tools of a server are operations, and a server is a world.
//!
//! ```text
//! Server ─► Client ─► Tools ─► api.pyi        what models read
//!              │        │
//!              └────────┴────► McpWorld       what programs call
//! ```
//!
//! A [`Server`] is a command or an address, a [`Client`] a connection to it. [`Tools`] are
//! the server's descriptions of its tools. They are kept as JSON, so that a domain can be
//! read without its server. [`Tools::stub`] writes them as Python, [`Tools::reads`] and
//! [`Tools::destroys`] sort them by the effects that the server claims, and [`McpWorld`]
//! carries calls out.
//!
//! A server is not trusted. It gets no more of the environment than it needs, characters that
//! hide others are removed from its texts, and its schemas are read to a limited depth. The
//! effects of its tools are only its claims: users should read them in `domain.toml`.
//!
//! | on the wire | in a program |
//! |---|---|
//! | a tool `get-sum` | the operation `get_sum` |
//! | `structuredContent` | that value |
//! | one text | the JSON that it is, or the text |
//! | an image, a resource | a dict with `type`, `mimeType`, `uri`, and `data` in bytes |
//! | several contents | a list of them |
//! | `isError` | the exception `ToolError` |
//! | an error of the protocol | the exceptions `InvalidParams`, `ProtocolError` |
//! | no answer, a lost connection | no outcome of the program: an [`Error`](crate::Error) |

mod answer;
mod arguments;
mod change;
mod client;
mod http;
mod inputs;
mod lines;
mod process;
mod schema;
mod secrets;
mod server;
mod stub;
mod tool;
mod watch;
mod world;

pub use change::ToolChange;
pub use client::{Client, Failed};
pub use server::{Address, Command, INHERITED, Server, Url};
pub use tool::{ERRORS, Hints, INVALID_PARAMS, PROTOCOL_ERROR, TOOL_ERROR, Tool, Tools};
pub use world::{LIST_LASTS, McpWorld, UNKNOWN_STATE};
