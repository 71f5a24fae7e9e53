//! A domain: owned data, and the optional parts that need code.

use super::{
    Access, Adapter, Contents, Facts, Operation, Planning, Target, Text, Touch, Value, Words,
    World, Worlds,
};
use crate::conduct::{Conduct, Situation};
use crate::error::{Error, Result};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A kind of environment that programs act on: what is true of every [`World`] of it.
///
/// A domain is plain data, so it can be written down in the source, read from a folder or
/// made in a test. What needs code is an optional part; a domain works without those that
/// it leaves out, and loses what they bring: [`Worlds`], [`Touches`], [`Planning`],
/// [`Contents`].
///
/// ```
/// use dialog2api_core::domain::{Access, Domain, Operation};
/// use std::sync::Arc;
///
/// let todo = Arc::new(Domain {
///     name: "todo".into(),
///     operations: vec![
///         Operation::new("list_tasks", Access::Read, ["Status"], 0),
///         Operation::new("add_task", Access::Write, ["Title", "Due"], 1),
///         Operation::new("delete_task", Access::Delete, ["Title"], 1),
///     ],
///     ..Domain::default()
/// });
/// assert!(todo.writes("add_task") && !todo.destroys("add_task"));
/// assert!(todo.accepts("add_task", "Due") && !todo.accepts("add_task", "Color"));
/// // An operation that the domain does not know may do anything.
/// assert!(todo.writes("drop_all"));
/// ```
#[derive(Clone, Default)]
pub struct Domain {
    /// The name: of its folder in `datasets/`, of its page in `api-docs/`, and what
    /// `--domain` takes.
    pub name: Text,
    /// The description of the operations for models: Python stubs with docstrings.
    pub api_doc: Text,
    /// Chooses the part of the API document that a prompt shows. Without it, a prompt shows
    /// the whole document.
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
    /// The operations, in the order of the API document.
    pub operations: Vec<Operation>,
    /// Further operations of the API that are not offered now: see [`Domain::offering`].
    pub held_back: BTreeSet<Text>,
    /// Calls that are no operations of the API: [`Planning`] makes them to take changes back.
    /// Programs cannot make them, and policies judge them like operations.
    pub restoring: Vec<Operation>,
    /// The dataset that commands take unless another one is named.
    pub dataset: Text,
    /// The training dialogues that come with the domain, as file name and text in the
    /// exchange format, in the order of the names.
    pub examples: Vec<(Text, Text)>,
    /// The adapters of models that were trained for the domain.
    pub adapters: Vec<Adapter>,
    /// The policy that holds unless another one is named, as TOML.
    pub policy: Option<Text>,
    /// What people call what its worlds hold.
    pub words: Words,
    /// The names of exceptions with which the API itself answers. Elsewhere an exception of
    /// a program is a mistake in it.
    pub errors: Vec<Text>,
    /// Where its worlds come from.
    pub worlds: Option<Arc<dyn Worlds>>,
    /// Which places a call names. Without it a policy denies every write.
    pub touches: Option<Arc<dyn Touches>>,
    /// Which calls give listings in pages. Without it the user is not told when a program has
    /// read the first page alone.
    pub pages: Option<Arc<dyn Pages>>,
    /// Whether worlds cannot be copied, so that a program is stopped at each of its writes,
    /// which is a plan of its own.
    pub is_stepwise: bool,
    /// How writes are planned before they are carried out. Without it a program that has
    /// to be confirmed must not write.
    pub planning: Option<Arc<dyn Planning>>,
    /// The part that shows the contents of its worlds.
    pub contents: Option<Arc<dyn Contents>>,
    /// The rows that replies are checked by. Without it they are checked by outcomes alone.
    pub facts: Option<Arc<dyn Facts>>,
    /// What an agent does beside programs. Without it a prompt shows the stack of goals, and
    /// nothing follows a program but the reply.
    pub conduct: Option<Arc<dyn Conduct>>,
    /// The folder that it was read from, as an absolute path. `None` for one that comes with the
    /// program.
    pub folder: Option<PathBuf>,
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

/// Which places a call names: what a policy judges before the call is made.
pub trait Touches: Send + Sync {
    /// The places that the call names. Empty for a call that names none, such as one
    /// without its required parameters. What it does to each follows from the operation's
    /// [`effect`](Operation::effect).
    fn targets(&self, operation: &str, params: &Value) -> Vec<Target>;

    /// The same for somebody who also has these other accounts: what is shared only with them is
    /// not shared.
    fn targets_owning(&self, operation: &str, params: &Value, _own: &[String]) -> Vec<Target> {
        self.targets(operation, params)
    }

    /// The accounts that the call shares with and names, without these own ones.
    fn named_accounts(&self, _operation: &str, _params: &Value, _own: &[String]) -> Vec<String> {
        Vec::new()
    }

    /// The parameters of a call of the operation that names a place and, if it copies, a
    /// source, both as users write them: `bucket/key`. What `policy explain` judges.
    fn call(&self, operation: &str, place: Option<&str>, source: Option<&str>) -> Value;

    /// The access that the call grants to others; none for most calls.
    fn grant<'a>(&self, _operation: &str, _params: &'a Value) -> Option<Grant<'a>> {
        None
    }

    /// Whether a write to a place may change or delete what lies below it, so that a policy
    /// that protects or denies something there denies the write. By default it may not: a
    /// bucket of S3 can be deleted only when it is empty.
    fn reaches_below(&self) -> bool {
        false
    }

    /// Whether a segment of a place is one value, so that a `/` in it separates nothing. By
    /// default it is a path, as a key of S3 is.
    fn has_whole_segments(&self) -> bool {
        false
    }

    /// Whether a call has no effect, because the world refuses it whatever it holds. Such a call
    /// is not judged, so that its program reads the world's own refusal.
    fn is_void(&self, _operation: &str, _params: &Value) -> bool {
        false
    }

    /// Why no outermost container can have this name, as a sentence without its end; `None` if one
    /// can. A policy for such a name would protect nothing.
    fn no_container(&self, _name: &str) -> Option<String> {
        None
    }

    /// Whether what a call of this operation may do follows from more of its parameters than those
    /// that name places: a lifecycle says what is deleted later.
    fn is_judged_by_more(&self, _operation: &str) -> bool {
        false
    }

    /// How to find out which outermost containers are one's own, where a world also lets calls
    /// reach those of others. A write to one of theirs sends something to them.
    fn ownership(&self) -> Option<Ownership> {
        None
    }

    /// The forms of the paths that calls of an operation can touch, with what they can do
    /// there. `None` if that is not known.
    fn forms(&self, _operation: &Operation) -> Option<Vec<PathForm>> {
        None
    }
}

/// The calls that say whose outermost containers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ownership {
    /// The operation that lists one's own, all of them at once.
    pub list: &'static str,
    /// The field of its answer with the list.
    pub field: &'static str,
    /// The field of each with its name.
    pub name: &'static str,
    /// The operation that fails with status 404 where nobody has such a container.
    pub look: &'static str,
    /// Its parameter for the name.
    pub parameter: &'static str,
    /// Its parameter for an account: it fails where the container is not that account's.
    pub owner: &'static str,
}

/// The form of the paths that calls can touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathForm {
    /// What calls can do there.
    pub accesses: Vec<Access>,
    /// The segments, from the outermost container on.
    pub segments: Vec<Segment>,
}

/// A segment of a [`PathForm`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// This text.
    Text(String),
    /// Any value.
    Value,
    /// Any path, which may have a `/`.
    Path,
}

/// A call that another call lets anybody make later: that of a link which is signed ahead.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grant<'a> {
    /// The operation.
    pub operation: &'static str,
    /// Its parameters.
    pub params: &'a Value,
    /// How long it can be made.
    pub lasts: Duration,
}

impl Domain {
    /// The operation of this name.
    pub fn operation(&self, name: &str) -> Option<&Operation> {
        self.operations
            .iter()
            .find(|operation| operation.name == name)
    }

    /// The API document for a prompt: all of it, or the part that fits these words and
    /// operations.
    pub fn document(&self, words: &str, needed: &[&str]) -> Cow<'_, str> {
        match &self.selection {
            Some(selection) => {
                let document = selection.document(self, words, needed);
                self.without_held_back(document).into()
            }
            None => Cow::Borrowed(&self.api_doc),
        }
    }

    /// The operation of this name, or the call of this name that takes changes back.
    pub fn judged(&self, name: &str) -> Option<&Operation> {
        let restoring = || self.restoring.iter().find(|it| it.name == name);
        self.operation(name).or_else(restoring)
    }

    /// The names of the operations, in the order of the API document.
    pub fn operation_names(&self) -> impl Iterator<Item = &str> {
        self.operations.iter().map(|operation| &*operation.name)
    }

    /// The operations that a rule of a policy can name: those of programs and those of other
    /// parties, such as `accept` in a game. Names that begin with another sign than a letter are
    /// internal.
    pub fn ruled(&self) -> impl Iterator<Item = &Operation> {
        let of_others = self.restoring.iter();
        let of_others = of_others.filter(|call| call.name.starts_with(char::is_alphabetic));
        self.operations.iter().chain(of_others)
    }

    /// Suggestions for a misspelt name in a policy: the most similar names, or all names if there
    /// are few.
    pub fn operations_like(&self, name: &str) -> String {
        const FEW: usize = 20;
        let names: Vec<&str> = self.ruled().map(|operation| &*operation.name).collect();
        if names.len() <= FEW {
            return names.join(", ");
        }
        let alike = similar::get_close_matches(name, &names, 5, 0.0);
        format!(
            "{} and {} others",
            alike.join(", "),
            names.len() - alike.len()
        )
    }

    /// The documented parameters of an operation, as [`Operation::parameters`]; empty for
    /// an unknown one.
    pub fn parameters(&self, operation: &str) -> &[Text] {
        self.operation(operation)
            .map_or(&[], |operation| &operation.parameters)
    }

    /// Whether a call of the operation may have this parameter.
    pub fn accepts(&self, operation: &str, parameter: &str) -> bool {
        self.operation(operation)
            .is_some_and(|operation| operation.accepts(parameter))
    }

    /// Whether an operation can change a world. Unknown operations count as writes.
    pub fn writes(&self, operation: &str) -> bool {
        self.operation(operation)
            .is_none_or(|operation| operation.effect != Access::Read)
    }

    /// The situation in a world as the conduct sees it; `None` if the domain has no conduct.
    ///
    /// # Errors
    /// The slate of the world cannot be read.
    pub fn situation(&self, world: &dyn World) -> Result<Option<Situation>> {
        let conduct = self.conduct.as_ref();
        conduct.map(|it| it.situation(world)).transpose()
    }

    /// Whether an operation does what cannot be had back: removes something, or shares it. A call
    /// of an unknown operation ends its program before anything is done.
    pub fn destroys(&self, operation: &str) -> bool {
        self.judged(operation)
            .is_some_and(|operation| operation.effect >= Access::Delete)
    }

    /// The places that a call names, and what it does to each. Empty for an unknown
    /// operation, and for a domain without [`Touches`].
    pub fn touches(&self, operation: &str, params: &Value) -> Vec<Touch> {
        self.touches_owning(operation, params, &[])
    }

    /// The same for somebody who also has these other accounts: see [`Touches::targets_owning`].
    pub fn touches_owning(&self, operation: &str, params: &Value, own: &[String]) -> Vec<Touch> {
        let (Some(known), Some(touches)) = (self.judged(operation), &self.touches) else {
            return Vec::new();
        };
        let targets = touches.targets_owning(operation, params, own).into_iter();
        targets
            .map(|target| target.touched_by(known.effect))
            .collect()
    }

    /// The places that a call changes or copies from at once; empty for a read. `None` if the call
    /// may change more places than it names.
    pub fn touched(&self, operation: &str, params: &Value) -> Option<Vec<Touch>> {
        if !self.writes(operation) {
            return Some(Vec::new());
        }
        let is_exact = |touches: &Arc<dyn Touches>| !touches.reaches_below();
        let mut touched = self.touches(operation, params);
        touched.retain(|touch| !touch.is_later());
        let is_known = self.touches.as_ref().is_some_and(is_exact)
            && touched.iter().any(|touch| touch.access != Access::Read)
            && (touched.iter()).all(|touch| !touch.place.segments().is_empty());
        is_known.then_some(touched)
    }

    /// Whether a call has no effect: see [`Touches::is_void`].
    pub fn is_void(&self, operation: &str, params: &Value) -> bool {
        let touches = self.touches.as_ref();
        touches.is_some_and(|touches| touches.is_void(operation, params))
    }

    /// The access that a call grants to others.
    pub fn grant<'a>(&self, operation: &str, params: &'a Value) -> Option<Grant<'a>> {
        self.touches.as_ref()?.grant(operation, params)
    }

    /// The names of the initial worlds that come with the domain.
    pub fn world_names(&self) -> Vec<String> {
        let built_in = self.worlds.iter().flat_map(|worlds| worlds.built_in());
        built_in.map(|(name, _)| name).collect()
    }

    /// The part that opens worlds.
    ///
    /// # Errors
    /// The domain has no such part.
    pub fn worlds(&self) -> Result<&dyn Worlds> {
        self.worlds
            .as_deref()
            .ok_or_else(|| Error::Usage(format!("the domain {} has no worlds to open", self.name)))
    }

    /// Opens an initial world in memory: see [`Worlds::initial`].
    ///
    /// # Errors
    /// The domain has no worlds, or those of [`Worlds::initial`].
    pub fn initial_world(&self, spec: &str) -> Result<Arc<dyn World>> {
        self.worlds()?.initial(spec)
    }

    /// The part that reads and replaces what worlds hold.
    ///
    /// # Errors
    /// The domain has no such part.
    pub fn contents(&self) -> Result<&dyn Contents> {
        self.contents.as_deref().ok_or_else(|| {
            Error::Usage(format!(
                "the domain {} cannot say what its worlds hold",
                self.name
            ))
        })
    }
}
