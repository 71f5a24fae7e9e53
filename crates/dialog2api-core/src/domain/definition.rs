//! A domain: owned data, and the optional parts that need code.

use super::{
    Access, Contents, DomainApi, Effects, Facts, Grant, Operation, Teaching, Text, Touch, Touches,
    Value, Words, World, Worlds,
};
use crate::conduct::{Conduct, Situation};
use crate::error::{Error, Result};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// A kind of environment that programs act on: what is true of every [`World`] of it.
///
/// A domain is plain data, so it can be written down in the source, read from a folder or
/// made in a test. What needs code is an optional part; a domain works without those that
/// it leaves out, and loses what they bring: [`Worlds`], [`Touches`],
/// [`Planning`](super::Planning), [`Contents`].
///
/// ```
/// use dialog2api_core::domain::{Access, DomainApi, Domain, Operation};
/// use std::sync::Arc;
///
/// let todo = Arc::new(Domain {
///     name: "todo".into(),
///     api: DomainApi {
///         operations: vec![
///             Operation::new("list_tasks", Access::Read, ["Status"], 0),
///             Operation::new("add_task", Access::Write, ["Title", "Due"], 1),
///             Operation::new("delete_task", Access::Delete, ["Title"], 1),
///         ],
///         ..DomainApi::default()
///     },
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
    /// What programs can call.
    pub api: DomainApi,
    /// What people call what its worlds hold.
    pub words: Words,
    /// Where its worlds come from.
    pub worlds: Option<Arc<dyn Worlds>>,
    /// The part that shows the contents of its worlds.
    pub contents: Option<Arc<dyn Contents>>,
    /// How writes are judged, planned and taken back.
    pub effects: Effects,
    /// The policy that holds unless another one is named, as TOML.
    pub policy: Option<Text>,
    /// What models learn it from.
    pub teaching: Teaching,
    /// The rows that replies are checked by. Without it they are checked by outcomes alone.
    pub facts: Option<Arc<dyn Facts>>,
    /// What an agent does beside programs. Without it a prompt shows the stack of goals, and
    /// nothing follows a program but the reply.
    pub conduct: Option<Arc<dyn Conduct>>,
    /// The folder that it was read from, as an absolute path. `None` for one that comes with the
    /// program.
    pub folder: Option<PathBuf>,
}

impl Domain {
    /// The operation of this name.
    pub fn operation(&self, name: &str) -> Option<&Operation> {
        self.api
            .operations
            .iter()
            .find(|operation| operation.name == name)
    }

    /// The API document for a prompt: all of it, or the part that fits these words and
    /// operations.
    pub fn document(&self, words: &str, needed: &[&str]) -> Cow<'_, str> {
        match &self.api.selection {
            Some(selection) => {
                let document = selection.document(self, words, needed);
                self.without_held_back(document).into()
            }
            None => Cow::Borrowed(&self.api.document),
        }
    }

    /// The operation of this name, or the call of this name that takes changes back.
    pub fn judged(&self, name: &str) -> Option<&Operation> {
        let restoring = || self.effects.restoring.iter().find(|it| it.name == name);
        self.operation(name).or_else(restoring)
    }

    /// The names of the operations, in the order of the API document.
    pub fn operation_names(&self) -> impl Iterator<Item = &str> {
        self.api.operations.iter().map(|operation| &*operation.name)
    }

    /// The operations that a rule of a policy can name: those of programs and those of other
    /// parties, such as `accept` in a game. Names that begin with another sign than a letter are
    /// internal.
    pub fn ruled(&self) -> impl Iterator<Item = &Operation> {
        let of_others = self.effects.restoring.iter();
        let of_others = of_others.filter(|call| call.name.starts_with(char::is_alphabetic));
        self.api.operations.iter().chain(of_others)
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
        let (Some(known), Some(touches)) = (self.judged(operation), &self.effects.touches) else {
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
        let is_known = self.effects.touches.as_ref().is_some_and(is_exact)
            && touched.iter().any(|touch| touch.access != Access::Read)
            && (touched.iter()).all(|touch| !touch.place.segments().is_empty());
        is_known.then_some(touched)
    }

    /// Whether a call has no effect: see [`Touches::is_void`].
    pub fn is_void(&self, operation: &str, params: &Value) -> bool {
        let touches = self.effects.touches.as_ref();
        touches.is_some_and(|touches| touches.is_void(operation, params))
    }

    /// The access that a call grants to others.
    pub fn grant<'a>(&self, operation: &str, params: &'a Value) -> Option<Grant<'a>> {
        self.effects.touches.as_ref()?.grant(operation, params)
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
            .ok_or_else(|| Error::usage(format!("the domain {} has no worlds to open", self.name)))
    }

    /// Opens an initial world in memory: see [`Worlds::initial`].
    ///
    /// # Errors
    /// The domain has no worlds, or those of [`Worlds::initial`].
    pub fn initial_world(&self, spec: &str) -> Result<Arc<dyn World>> {
        self.worlds()?.initial(spec)
    }

    /// The day of the first built-in world, in UTC, if that has a time of its own.
    pub fn own_date(&self) -> Option<Date> {
        let worlds = self.worlds.as_ref()?;
        let (first, _) = worlds.built_in().into_iter().next()?;
        let time = worlds.initial(&first).ok()?.own_time()?;
        Some(time.to_zoned(TimeZone::UTC).date())
    }

    /// The part that reads and replaces what worlds hold.
    ///
    /// # Errors
    /// The domain has no such part.
    pub fn contents(&self) -> Result<&dyn Contents> {
        self.contents.as_deref().ok_or_else(|| {
            Error::usage(format!(
                "the domain {} cannot say what its worlds hold",
                self.name
            ))
        })
    }
}
