//! The API of a domain, as programs call it and models read it.

use super::{Domain, Operation, Text, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What programs can call, and how it is described.
#[derive(Clone, Default)]
pub struct DomainApi {
    /// The description of the operations for models: Python stubs with docstrings.
    pub document: Text,
    /// Chooses the part of the document that a prompt shows. Without it, a prompt shows the
    /// whole.
    pub selection: Option<Arc<dyn DocumentSelection>>,
    /// The client of programs: Python source that runs once, before any program, with `_host`
    /// importable. Its dict `PROGRAM_GLOBALS` names the globals of programs beside Python's
    /// builtins.
    pub client: Text,
    /// The code that the client sets up before each program: see
    /// `Engine::with_setup`. Empty for nothing.
    pub setup: Text,
    /// The object whose methods the operations are. `None` where calls of methods cannot
    /// be checked before they run.
    pub handle: Option<Handle>,
    /// The operations, in the order of the document.
    pub operations: Vec<Operation>,
    /// Further operations of the API that are not offered now: see [`Domain::offering`].
    pub held_back: BTreeSet<Text>,
    /// The names of exceptions with which the API itself answers. Elsewhere an exception of
    /// a program is a mistake in it.
    pub errors: Vec<Text>,
    /// Which calls give listings in pages. Without it the user is not told when a program has
    /// read the first page alone.
    pub pages: Option<Arc<dyn Pages>>,
}

/// Chooses the part of an API document that a prompt shows, where the whole is too long.
pub trait DocumentSelection: Send + Sync {
    /// The part that fits the user's words. It must contain the operations in `needed`, which
    /// the current programs call. Held-back operations are removed afterwards.
    fn document(&self, domain: &Domain, words: &str, needed: &[&str]) -> String;
}

/// Which calls give listings in pages.
pub trait Pages: Send + Sync {
    /// The page that a call gave. `None` for other calls, and for a page that the program
    /// wanted shorter than a full one.
    fn page(&self, operation: &str, params: &Value, answer: &Value) -> Option<Page>;

    /// How many items the API gives or takes in one call of an operation. `None` where it sets no
    /// limit that a program has to know.
    fn at_once(&self, _operation: &str) -> Option<AtOnce> {
        None
    }

    /// The parameter of a listing that says with what the names of its things begin. `None` for
    /// other operations.
    fn prefix(&self, _operation: &str) -> Option<&'static str> {
        None
    }
}

/// The items of one call, where the API limits them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtOnce {
    /// How many there are at most.
    pub items: usize,
    /// What the call does with them.
    pub kind: Batch,
}

/// What a call does with its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Batch {
    /// It gives them. These parameters say that a program wants fewer, or turns the pages itself.
    Gives(Vec<&'static str>),
    /// It takes them, in this parameter.
    Takes(&'static str),
}

/// A page of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Names the listing: the same for all pages of it.
    pub listing: String,
    /// The listed things: `objects of "zoology-bucket"`.
    pub title: String,
    /// How many items the page has.
    pub items: usize,
    /// Whether the listing goes on after it.
    pub has_more: bool,
}

/// The global of programs whose methods are the operations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Handle {
    /// Its name: `s3`.
    pub name: Text,
    /// Its methods that are not operations (`upload_file`). A call of any other method
    /// fails.
    pub helpers: Vec<Text>,
    /// The helpers whose first argument is the name of an operation, which they call
    /// (`get_paginator("list_objects")`).
    pub callers_by_name: Vec<Text>,
    /// The modules with functions that make another handle (`boto3`).
    pub sources: Vec<Text>,
    /// The functions of sources that make objects instead (`boto3.resource`), and their kind.
    pub makers: Vec<(Text, Text)>,
    /// The kinds of these objects, and of those that they give.
    pub kinds: Vec<ObjectKind>,
}

/// A kind of object whose members call operations, such as a resource of boto3.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ObjectKind {
    /// Its name.
    pub name: Text,
    /// The kind of the objects that a loop over it gives, if it can be looped over.
    pub each: Option<Text>,
    /// Its methods and attributes that call operations or give other objects.
    pub members: Vec<ObjectMember>,
}

/// A method or an attribute of a [`ObjectKind`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ObjectMember {
    /// Its name.
    pub name: Text,
    /// The operations that it calls.
    pub operations: Vec<Text>,
    /// The kind of the object that it gives.
    pub gives: Option<Text>,
    /// Whether reading it does that, as for an attribute, and not calling it.
    pub is_read: bool,
}
