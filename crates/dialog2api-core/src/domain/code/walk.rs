//! Walks a program and notes its calls.

use super::names::Names;
use super::tree::Tree;
use super::values::{Known, Owner, PASSING, Values};
use super::{Attribute, CallSite, Calls, Keyword, Unresolved};
use crate::domain::Domain;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};
use std::collections::HashSet;

const COMPUTED: &str = "looks up a method by a computed name";
const PASSED: &str = "passes on an object that can make calls";
const MADE: &str = "reaches code or names that the program does not spell out";

/// Builtins with which a program makes code, or reaches names without spelling them.
const DYNAMIC: [&str; 8] = [
    "eval",
    "exec",
    "compile",
    "globals",
    "locals",
    "vars",
    "__import__",
    "__builtins__",
];
/// Modules with the same powers.
const DYNAMIC_MODULES: [&str; 4] = ["builtins", "gc", "importlib", "inspect"];
/// Attributes with the same powers.
const DYNAMIC_ATTRIBUTES: [&str; 11] = [
    "__builtins__",
    "__dict__",
    "__getattr__",
    "__getattribute__",
    "__globals__",
    "__self__",
    "__subclasses__",
    "_getframe",
    "_make_api_call",
    "f_globals",
    "f_locals",
];
/// Builtins that only look at what they are given.
const HARMLESS: [&str; 10] = [
    "bool",
    "callable",
    "dir",
    "hasattr",
    "id",
    "isinstance",
    "len",
    "print",
    "repr",
    "type",
];

/// The calls of a program.
pub(super) fn calls(tree: &Tree<'_>, domain: &Domain) -> Calls {
    let mut walk = Walk {
        tree,
        domain,
        values: Values::new(domain, Names::of(tree.body)),
        sites: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
        mentions: Vec::new(),
        followed: HashSet::new(),
        harmless: HashSet::new(),
        unresolved: Vec::new(),
    };
    walk.visit_body(tree.body);
    walk.finish()
}

struct Walk<'a> {
    tree: &'a Tree<'a>,
    domain: &'a Domain,
    values: Values<'a>,
    /// Each with the place that it is sorted by.
    sites: Vec<(TextSize, CallSite)>,
    methods: Vec<(TextSize, String)>,
    attributes: Vec<(TextSize, &'a str)>,
    /// Where an operation is named: a site of its own, unless a call comes of it.
    mentions: Vec<(TextRange, TextSize, &'a str, bool)>,
    /// The mentions that a call comes of.
    followed: HashSet<TextRange>,
    /// Expressions through which nothing is called where they stand.
    harmless: HashSet<TextRange>,
    unresolved: Vec<(TextSize, &'static str)>,
}

impl<'a> Walk<'a> {
    fn finish(mut self) -> Calls {
        for (range, at, operation, by_name) in std::mem::take(&mut self.mentions) {
            if !self.followed.contains(&range) {
                self.site(at, operation, None, by_name);
            }
        }
        if self.values.is_exhausted() {
            self.unresolved
                .push((TextSize::default(), "is too involved to be followed"));
        }
        self.sites.sort_by_key(|(at, _)| *at);
        self.methods.sort_by_key(|(at, _)| *at);
        self.attributes.sort_unstable();
        self.attributes.dedup();
        let attribute = |(at, name): &(TextSize, &str)| Attribute {
            name: (*name).to_owned(),
            line: self.tree.line(*at),
        };
        let first = self.unresolved.iter().min_by_key(|(at, _)| *at);
        Calls {
            unresolved: first.map(|(at, reason)| Unresolved {
                line: self.tree.line(*at),
                reason,
            }),
            sites: self.sites.into_iter().map(|(_, site)| site).collect(),
            attributes: self.attributes.iter().map(attribute).collect(),
            methods: self.methods.into_iter().map(|(_, name)| name).collect(),
        }
    }

    fn site(
        &mut self,
        at: TextSize,
        operation: &str,
        arguments: Option<&'a ast::Arguments>,
        by_name: bool,
    ) {
        let site = CallSite {
            operation: operation.to_owned(),
            keywords: arguments.map_or_else(Vec::new, |it| self.keywords(it)),
            unnamed: arguments.and_then(unnamed),
            by_name,
            line: self.tree.line(at),
        };
        self.sites.push((at, site));
    }

    fn doubt(&mut self, at: &impl Ranged, reason: &'static str) {
        self.unresolved.push((at.start(), reason));
    }

    /// Notes an operation that is named in an expression.
    fn mention(&mut self, expr: &Expr, at: TextSize, name: &'a str, by_name: bool) {
        if self.domain.operation(name).is_some() {
            self.mentions.push((expr.range(), at, name, by_name));
        }
    }

    fn call(&mut self, expr: &'a Expr, call: &'a ast::ExprCall) {
        let at = place(&call.func);
        let mut called: Vec<&str> = Vec::new();
        for function in self.values.of(&call.func) {
            match function {
                Known::Method(owner, name, looked_up) => {
                    if owner == Owner::Handle {
                        self.methods.push((at, name.to_owned()));
                        self.attributes.push((at, name));
                    }
                    self.followed.insert(looked_up);
                    if self.domain.operation(name).is_some() && !called.contains(&name) {
                        called.push(name);
                        self.site(at, name, Some(&call.arguments), false);
                    } else if self.values.is_caller(name) {
                        self.caller(expr, call, at);
                    }
                }
                Known::CallerMethod(operation, made) => {
                    self.followed.insert(made);
                    if !called.contains(&operation) {
                        called.push(operation);
                        self.site(at, operation, Some(&call.arguments), true);
                    }
                }
                Known::Member(member, looked_up) => {
                    self.followed.insert(looked_up);
                    if member.is_read {
                        continue;
                    }
                    for operation in &member.operations {
                        let is_known = self.domain.operation(operation).is_some();
                        if is_known && !called.contains(&&**operation) {
                            called.push(operation);
                            self.site(at, operation, Some(&call.arguments), true);
                        }
                    }
                }
                Known::Builtin("getattr") => self.getattr(expr, call),
                Known::Builtin(name) if HARMLESS.contains(&name) || PASSING.contains(&name) => {
                    let arguments = call.arguments.args.iter().map(Ranged::range);
                    self.harmless.extend(arguments);
                }
                _ => {}
            }
        }
    }

    /// An attribute that calls operations when it is read.
    fn read(&mut self, expr: &'a Expr, at: TextSize) {
        for known in self.values.of(expr) {
            if let Known::Member(member, looked_up) = known
                && member.is_read
            {
                self.followed.insert(looked_up);
                for operation in &member.operations {
                    self.site(at, operation, None, true);
                }
            }
        }
    }

    /// A helper that calls the operation which its first argument names.
    fn caller(&mut self, expr: &'a Expr, call: &'a ast::ExprCall, at: TextSize) {
        let known = self.values.of(expr);
        let mut found = false;
        for known in known {
            if let Known::Caller(operation, _) = known {
                found = true;
                self.mention(expr, at, operation, true);
            }
        }
        let first = call.arguments.args.first();
        if !found && first.is_some_and(|name| !self.values.is_text(name)) {
            self.doubt(expr, COMPUTED);
        }
    }

    fn getattr(&mut self, expr: &'a Expr, call: &'a ast::ExprCall) {
        let [owner, name, ..] = &*call.arguments.args else {
            return;
        };
        if self.values.is_text(name) {
            self.harmless.insert(owner.range());
            for text in self.values.texts(name) {
                self.mention(expr, expr.start(), text, false);
            }
        } else if self.values.is_root(owner) {
            self.harmless.insert(owner.range());
            self.doubt(expr, COMPUTED);
        }
    }

    fn keywords(&self, arguments: &'a ast::Arguments) -> Vec<Keyword> {
        let mut keywords = Vec::new();
        let keyword = |name: &str, value: &'a Expr| Keyword {
            name: name.to_owned(),
            code: self.tree.text(value.range()).to_owned(),
            texts: self
                .values
                .texts(value)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            longest: self.values.longest(value),
        };
        for argument in &arguments.keywords {
            match &argument.arg {
                Some(name) => keywords.push(keyword(name, &argument.value)),
                None => {
                    let dict = self.values.dict(&argument.value);
                    let items = dict.map_or(&[][..], |dict| &dict.items);
                    for item in items {
                        if let Some(Expr::StringLiteral(name)) = &item.key {
                            keywords.push(keyword(name.value.to_str(), &item.value));
                        }
                    }
                }
            }
        }
        keywords
    }

    /// Notes the parts of an expression that lead to nothing more than the whole does.
    fn pass_on(&mut self, expr: &'a Expr) {
        let named = self.values.is_named(expr) || self.harmless.contains(&expr.range());
        match expr {
            Expr::Attribute(attribute) => {
                self.harmless.insert(attribute.value.range());
            }
            Expr::Named(named) => {
                self.harmless.insert(named.value.range());
            }
            Expr::Compare(compare) => {
                self.harmless.insert(compare.left.range());
                self.harmless
                    .extend(compare.comparators.iter().map(Ranged::range));
            }
            Expr::If(either) if named => {
                self.harmless.insert(either.body.range());
                self.harmless.insert(either.orelse.range());
            }
            Expr::BoolOp(operation) if named => {
                self.harmless
                    .extend(operation.values.iter().map(Ranged::range));
            }
            _ => {}
        }
        let leads_on = matches!(expr, Expr::Name(_) | Expr::Call(_));
        if leads_on && !named && self.values.is_root(expr) {
            self.doubt(expr, PASSED);
        }
    }
}

/// How many arguments are passed by their position, if all are spelt out.
fn unnamed(arguments: &ast::Arguments) -> Option<usize> {
    let is_open = arguments.args.iter().any(Expr::is_starred_expr)
        || arguments.keywords.iter().any(|it| it.arg.is_none());
    (!is_open).then_some(arguments.args.len())
}

/// Where a call is, for sorting: the name of its method.
fn place(function: &Expr) -> TextSize {
    match function {
        Expr::Attribute(attribute) => attribute.attr.start(),
        _ => function.start(),
    }
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Import(import) => {
                let mut names = import.names.iter().map(|alias| alias.name.as_str());
                if names.any(|name| DYNAMIC_MODULES.contains(&name)) {
                    self.doubt(stmt, MADE);
                }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_ref().map_or("", ast::Identifier::as_str);
                let all = import.names.iter().any(|alias| alias.name.as_str() == "*");
                if DYNAMIC_MODULES.contains(&module) || all && self.values.is_source(module) {
                    self.doubt(stmt, MADE);
                }
            }
            Stmt::Expr(statement) => {
                self.harmless.insert(statement.value.range());
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Call(call) => self.call(expr, call),
            Expr::Attribute(attribute) if attribute.ctx.is_load() => {
                let (at, name) = (attribute.attr.start(), attribute.attr.as_str());
                let handle = self.domain.api.handle.as_ref().map(|it| &*it.name);
                if matches!(&*attribute.value, Expr::Name(it) if Some(it.id.as_str()) == handle) {
                    self.attributes.push((at, name));
                }
                self.mention(expr, at, name, false);
                self.read(expr, at);
                if DYNAMIC_ATTRIBUTES.contains(&name) {
                    self.doubt(expr, MADE);
                }
            }
            Expr::Name(name)
                if DYNAMIC.contains(&name.id.as_str())
                    && self.values.of(expr).contains(&Known::Builtin(&name.id)) =>
            {
                self.doubt(expr, MADE);
            }
            _ => {}
        }
        if !matches!(expr, Expr::Name(name) if !name.ctx.is_load()) {
            self.pass_on(expr);
        }
        visitor::walk_expr(self, expr);
    }
}
