//! The calls of a program, read from its syntax tree without running it.
//!
//! Lints, dataset checks, statistics and scores all ask [`Calls`], so they agree about
//! which operations a program calls. It follows values that a reader would follow too:
//!
//! ```
//! use dialog2api_core::dialogue::Program;
//! use dialog2api_core::domain::{Access, DomainApi, Domain, Handle, Operation, call_sites};
//!
//! let s3 = Domain {
//!     api: DomainApi {
//!         handle: Some(Handle { name: "s3".into(), ..Handle::default() }),
//!         operations: vec![Operation::new("delete_object", Access::Delete, ["Bucket", "Key"], 2)],
//!         ..DomainApi::default()
//!     },
//!     ..Domain::default()
//! };
//! let program = Program::new("d = s3.delete_object\np = {'Bucket': 'zoo', 'Key': ?1}\nd(**p)");
//! let sites = call_sites(&program, &s3);
//! assert_eq!(sites[0].operation, "delete_object");
//! assert_eq!(sites[0].keywords[0].texts, ["zoo"]);
//! assert_eq!(sites[0].keywords[1].code, "?1");
//! ```
//!
//! This is help for honest programs, not a guard: what a program really calls is judged
//! call by call, by the policy and by the plan.
//!
//! # Why the host parses
//!
//! The sandbox has a parser too, but most questions about code come from places that have
//! no sandbox: statistics, scores and reports are computed offline. The host therefore has
//! the parser that the interpreter in the sandbox is built on (ruff's, as the RustPython
//! project publishes it). It costs about ten seconds of a clean build on two cores, and
//! microseconds a program. Programs are untrusted text; `tree` says how they are held off.

mod document;
mod lengths;
mod names;
mod tree;
mod values;
mod walk;

pub use document::without_functions;
pub use tree::{is_keyword, is_shallow, with_room};

use super::Domain;
use crate::dialogue::Program;

/// The calls of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Calls {
    /// Where operations are called or passed on, in the order of the text. A program with a
    /// syntax error is read as far as it goes.
    pub sites: Vec<CallSite>,
    /// The methods that are called on the domain's handle, operations or not, in the order
    /// of the text: `list_keys` of `s3.list_keys()`.
    pub methods: Vec<String>,
    /// The attributes that are looked up on the domain's handle, methods or not, in the order
    /// of the text.
    pub attributes: Vec<Attribute>,
    /// The first place that can call an operation which is not among the sites. `None`
    /// where every call is known.
    pub unresolved: Option<Unresolved>,
}

/// An attribute of the domain's handle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Its name: `list_keys` of `s3.list_keys`.
    pub name: String,
    /// The line of the code, from 1.
    pub line: usize,
}

/// One place in a program that calls an operation, or passes it on to be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallSite {
    /// The operation.
    pub operation: String,
    /// The keyword arguments in the order of the text, with those of `**` where it unpacks
    /// a dict display. Empty for an operation that is only passed on.
    pub keywords: Vec<Keyword>,
    /// How many arguments have no name. `None` where `*` or `**` may pass more, and for an
    /// operation that is only passed on.
    pub unnamed: Option<usize>,
    /// Whether a helper makes the call and takes parameters of its own, as a paginator
    /// does.
    pub by_name: bool,
    /// The line of the code, from 1.
    pub line: usize,
}

/// A keyword argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyword {
    /// The parameter.
    pub name: String,
    /// The value as it is written, placeholders included.
    pub code: String,
    /// The texts that the value can be, as far as they are written in the program: its own
    /// literal, or those that its variable is given. Empty for a computed value.
    pub texts: Vec<String>,
    /// The most items that a list in the value has, as far as the program shows. `None` where it
    /// may have any number.
    pub longest: Option<usize>,
}

/// A place where an operation may be called that cannot be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unresolved {
    /// The line of the code, from 1.
    pub line: usize,
    /// The act, as a clause: "looks up a method by a computed name".
    pub reason: &'static str,
}

impl Calls {
    /// Whether one of them may write. A call that cannot be named may.
    pub fn may_write(&self, domain: &Domain) -> bool {
        let mut sites = self.sites.iter();
        self.unresolved.is_some() || sites.any(|site| domain.writes(&site.operation))
    }

    /// Reads the calls of a program. Placeholders are read as variables.
    pub fn of(program: &Program, domain: &Domain) -> Self {
        let read = |tree: &tree::Tree<'_>| walk::calls(tree, domain);
        tree::read(program, read).unwrap_or_else(|reason| Calls {
            unresolved: Some(Unresolved { line: 1, reason }),
            ..Calls::default()
        })
    }
}

/// The call sites of a program, in order: [`Calls::sites`].
pub fn call_sites(program: &Program, domain: &Domain) -> Vec<CallSite> {
    Calls::of(program, domain).sites
}

/// The lines of code: neither blank nor a comment alone.
pub fn lines(program: &Program) -> usize {
    let tokens = program.without_text();
    let written = program.code().lines().zip(tokens.lines());
    written
        .filter(|(line, tokens)| !line.trim().is_empty() && !tokens.trim_start().starts_with('#'))
        .count()
}
