//! The possible values of expressions in a program, as far as they matter for calls of
//! operations.

use super::names::{Bound, Names};
use crate::domain::{Domain, ObjectKind, ObjectMember};
use ruff_python_ast::{self as ast, Expr};
use ruff_text_size::{Ranged, TextRange};
use std::cell::{Cell, RefCell};

/// Something that an expression can be. What is none of these is left out.
#[derive(Clone, PartialEq)]
pub(super) enum Known<'a> {
    /// The domain's handle: `s3`.
    Handle,
    /// A source of handles, or a handle made by one: `boto3`, `boto3.client("s3")`.
    Source,
    /// A method of something, looked up here.
    Method(Owner, &'a str, TextRange),
    /// A helper that calls an operation, made here: `s3.get_paginator("list_objects")`.
    Caller(&'a str, TextRange),
    /// A method of such a helper.
    CallerMethod(&'a str, TextRange),
    /// An object of this kind.
    Object(&'a ObjectKind),
    /// A member of such an object, looked up here.
    Member(&'a ObjectMember, TextRange),
    Text(&'a str),
    /// A name that the program does not assign: `getattr`.
    Builtin(&'a str),
}

/// Whose method it is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Owner {
    Handle,
    Source,
    Other,
}

/// Reads the values of expressions.
pub(super) struct Values<'a> {
    pub(super) domain: &'a Domain,
    pub(super) names: Names<'a>,
    /// The names that are being followed, so that none is followed in a circle.
    following: RefCell<Vec<&'a str>>,
    /// How many more expressions are looked at.
    left: Cell<u32>,
}

/// Builtins whose result holds the elements of an argument.
pub(super) const PASSING: [&str; 7] = [
    "enumerate",
    "filter",
    "iter",
    "list",
    "reversed",
    "sorted",
    "tuple",
];

/// Far more than a real program needs. It bounds the time that a hostile one can take.
const MOST_STEPS: u32 = 200_000;
/// The longest chain of assignments that is followed: `b = a`, `c = b`, …
const MOST_NAMES: usize = 16;

impl<'a> Values<'a> {
    pub fn new(domain: &'a Domain, names: Names<'a>) -> Self {
        Values {
            domain,
            names,
            following: RefCell::default(),
            left: Cell::new(MOST_STEPS),
        }
    }

    /// Whether some value was not followed to its end.
    pub fn is_exhausted(&self) -> bool {
        self.left.get() == 0 || self.names.is_cut()
    }

    /// Whether an expression is the value of a name, so that its uses are those of the name.
    pub fn is_named(&self, expr: &Expr) -> bool {
        self.names.tracks(expr)
    }

    /// Whether calls can be made through the expression that are not seen.
    pub fn is_root(&self, expr: &'a Expr) -> bool {
        let known = self.of(expr);
        known
            .iter()
            .any(|known| matches!(known, Known::Handle | Known::Source | Known::Object(_)))
    }

    /// The texts that an expression can be.
    pub fn texts(&self, expr: &'a Expr) -> Vec<&'a str> {
        let known = self.of(expr).into_iter();
        let texts = known.filter_map(|known| match known {
            Known::Text(text) => Some(text),
            _ => None,
        });
        texts.collect()
    }

    /// Whether an expression is nothing but the texts that [`Values::texts`] gives.
    pub fn is_text(&self, expr: &'a Expr) -> bool {
        match expr {
            Expr::StringLiteral(_) => true,
            Expr::Name(name) => {
                let bound = self.names.bound(&name.id);
                let is_text = |bound: &Bound<'a>| match bound {
                    Bound::To(expr) => expr.is_string_literal_expr(),
                    _ => false,
                };
                !bound.is_empty() && bound.iter().all(is_text)
            }
            _ => false,
        }
    }

    /// The display of a dict that an expression is.
    pub fn dict(&self, expr: &'a Expr) -> Option<&'a ast::ExprDict> {
        match expr {
            Expr::Dict(dict) => Some(dict),
            Expr::Name(name) => match self.names.bound(&name.id) {
                [Bound::To(Expr::Dict(dict))] => Some(dict),
                _ => None,
            },
            _ => None,
        }
    }

    /// Everything that an expression can be, without repetition.
    pub fn of(&self, expr: &'a Expr) -> Vec<Known<'a>> {
        let mut found = Vec::new();
        self.add(expr, &mut found);
        found
    }

    fn add(&self, expr: &'a Expr, found: &mut Vec<Known<'a>>) {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        if left == 0 {
            return;
        }
        match expr {
            Expr::StringLiteral(text) => put(found, Known::Text(text.value.to_str())),
            Expr::Name(name) => self.name(&name.id, found),
            Expr::Attribute(attribute) => {
                for method in self.attribute(&attribute.value, &attribute.attr, expr.range()) {
                    put(found, method);
                }
            }
            Expr::Call(call) => {
                for function in self.of(&call.func) {
                    self.returned(&function, call, found);
                }
            }
            Expr::If(either) => {
                self.add(&either.body, found);
                self.add(&either.orelse, found);
            }
            Expr::BoolOp(operation) => {
                for value in &operation.values {
                    self.add(value, found);
                }
            }
            Expr::Named(named) => self.add(&named.value, found),
            _ => {}
        }
    }

    fn name(&self, name: &'a str, found: &mut Vec<Known<'a>>) {
        let is_handle = self
            .domain
            .api
            .handle
            .as_ref()
            .is_some_and(|handle| handle.name == name);
        if is_handle {
            put(found, Known::Handle);
        }
        if self.following.borrow().contains(&name) {
            return;
        }
        if self.following.borrow().len() == MOST_NAMES {
            self.left.set(0);
            return;
        }
        self.following.borrow_mut().push(name);
        let bound = self.names.bound(name);
        for bound in bound {
            match *bound {
                Bound::To(expr) => self.add(expr, found),
                Bound::Each(expr) => {
                    for known in self.of(expr) {
                        if let Known::Object(ObjectKind {
                            each: Some(each), ..
                        }) = known
                        {
                            self.object(each, found);
                        }
                    }
                }
                Bound::Module(module) if self.is_source(module) => put(found, Known::Source),
                Bound::Member(module, member) if self.is_source(module) => {
                    put(
                        found,
                        Known::Method(Owner::Source, member, TextRange::default()),
                    );
                }
                Bound::Module(_) | Bound::Member(..) | Bound::Unknown => {}
            }
        }
        self.following.borrow_mut().pop();
        if bound.is_empty() && !is_handle {
            put(found, Known::Builtin(name));
        }
    }

    fn attribute(&self, value: &'a Expr, name: &'a str, at: TextRange) -> Vec<Known<'a>> {
        let mut found = Vec::new();
        for owner in self.of(value) {
            if let Known::Object(kind) = owner {
                let member = kind.members.iter().find(|member| member.name == name);
                match member {
                    Some(member) if member.is_read && member.operations.is_empty() => {
                        self.given(member, &mut found);
                    }
                    Some(member) => put(&mut found, Known::Member(member, at)),
                    None => put(&mut found, Known::Method(Owner::Other, name, at)),
                }
                continue;
            }
            put(
                &mut found,
                match owner {
                    Known::Caller(operation, made) => Known::CallerMethod(operation, made),
                    Known::Handle => Known::Method(Owner::Handle, name, at),
                    Known::Source => Known::Method(Owner::Source, name, at),
                    _ => Known::Method(Owner::Other, name, at),
                },
            );
        }
        if found.is_empty() {
            found.push(Known::Method(Owner::Other, name, at));
        }
        found
    }

    /// The value that a call returns.
    fn returned(&self, function: &Known<'a>, call: &'a ast::ExprCall, found: &mut Vec<Known<'a>>) {
        let arguments = &call.arguments.args;
        match *function {
            Known::Method(_, name, _) if self.is_caller(name) => {
                let keywords = call.arguments.keywords.iter().map(|keyword| &keyword.value);
                let first = arguments.first().or(keywords.into_iter().next());
                for text in first.map_or_else(Vec::new, |first| self.texts(first)) {
                    if self.domain.operation(text).is_some() {
                        put(found, Known::Caller(text, call.range()));
                    }
                }
            }
            Known::Method(Owner::Source, name, _) if !self.is_method(name) => {
                match self.maker(name) {
                    Some(kind) => self.object(kind, found),
                    None => put(found, Known::Source),
                }
            }
            Known::Member(member, _) => self.given(member, found),
            Known::Builtin(name) if PASSING.contains(&name) => {
                for argument in arguments {
                    let known = self.of(argument).into_iter();
                    let objects = known.filter(|known| matches!(known, Known::Object(_)));
                    objects.for_each(|known| put(found, known));
                }
            }
            Known::Builtin("getattr") => {
                if let [owner, name, ..] = &**arguments {
                    for name in self.texts(name) {
                        for method in self.attribute(owner, name, call.range()) {
                            put(found, method);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The kind of the objects that a function of a source makes.
    fn maker(&self, name: &str) -> Option<&'a str> {
        let mut makers = self
            .domain
            .api
            .handle
            .iter()
            .flat_map(|handle| &handle.makers);
        let (_, kind) = makers.find(|(maker, _)| maker == name)?;
        Some(kind)
    }

    fn object(&self, kind: &str, found: &mut Vec<Known<'a>>) {
        let mut kinds = self
            .domain
            .api
            .handle
            .iter()
            .flat_map(|handle| &handle.kinds);
        if let Some(kind) = kinds.find(|known| known.name == kind) {
            put(found, Known::Object(kind));
        }
    }

    /// The value of a member.
    fn given(&self, member: &ObjectMember, found: &mut Vec<Known<'a>>) {
        if let Some(kind) = &member.gives {
            self.object(kind, found);
        }
    }

    /// Whether a method is given an operation's name, and calls it.
    pub fn is_caller(&self, method: &str) -> bool {
        let handle = self.domain.api.handle.iter();
        let mut callers = handle.flat_map(|handle| &handle.callers_by_name);
        callers.any(|caller| caller == method)
    }

    /// Whether a handle has this method, so that what it returns is an answer.
    fn is_method(&self, name: &str) -> bool {
        let mut handle = self.domain.api.handle.iter();
        self.domain.operation(name).is_some()
            || handle.any(|handle| handle.helpers.iter().any(|helper| helper == name))
    }

    /// Whether a module makes handles.
    pub fn is_source(&self, module: &str) -> bool {
        let handle = self.domain.api.handle.iter();
        let mut sources = handle.flat_map(|handle| &handle.sources);
        sources.any(|source| source == module)
    }
}

fn put<'a>(found: &mut Vec<Known<'a>>, known: Known<'a>) {
    if !found.contains(&known) {
        found.push(known);
    }
}
