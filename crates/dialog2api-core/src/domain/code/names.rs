//! The values that the names of a program stand for.
//!
//! Order and scope are left out: a name stands for everything that is ever assigned to it,
//! so that no branch is missed.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{self as ast, Expr, Parameters, Stmt};
use ruff_text_size::{Ranged, TextRange};
use std::collections::{HashMap, HashSet};

/// A value that is assigned to a name somewhere in the program.
#[derive(Clone, Copy)]
pub(super) enum Bound<'a> {
    /// The value of an expression.
    To(&'a Expr),
    /// Each element of the value of an expression.
    Each(&'a Expr),
    Module(&'a str),
    /// A member of a module.
    Member(&'a str, &'a str),
    /// Something that cannot be followed.
    Unknown,
}

/// The names of a program.
#[derive(Default)]
pub(super) struct Names<'a> {
    bound: HashMap<&'a str, Vec<Bound<'a>>>,
    /// The expressions that are known to a name and need not be followed further.
    tracked: HashSet<TextRange>,
    functions: HashMap<&'a str, Vec<&'a Parameters>>,
    calls: Vec<(&'a str, &'a ast::Arguments)>,
    /// The names that stand where a function is called.
    callees: HashSet<TextRange>,
    /// Functions that something else may call.
    passed: HashSet<&'a str>,
    /// The names of collections that something is added to.
    grown: HashSet<&'a str>,
    /// Whether some name is given more than is kept.
    cut: bool,
}

/// The methods that add something to a collection.
const GROWING: [&str; 7] = [
    "add",
    "append",
    "appendleft",
    "extend",
    "insert",
    "setdefault",
    "update",
];

/// The most values that are kept for one name, and the most functions of one name.
const MOST: usize = 64;

impl<'a> Names<'a> {
    /// Collects the names of a program.
    pub fn of(body: &'a [Stmt]) -> Self {
        let mut names = Names::default();
        names.visit_body(body);
        for (function, arguments) in std::mem::take(&mut names.calls) {
            for parameters in names.functions.get(function).cloned().unwrap_or_default() {
                names.pass(parameters, arguments);
            }
        }
        for function in std::mem::take(&mut names.passed) {
            for parameters in names.functions.get(function).cloned().unwrap_or_default() {
                for parameter in parameters.iter_non_variadic_params() {
                    names.add(parameter.name().as_str(), Bound::Unknown);
                }
            }
        }
        names
    }

    /// The values that are assigned to a name; empty if there are none.
    pub fn bound(&self, name: &str) -> &[Bound<'a>] {
        self.bound.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether an expression is the value of a name.
    pub fn tracks(&self, expr: &Expr) -> bool {
        self.tracked.contains(&expr.range())
    }

    /// Whether the program adds something to the collection that a name stands for.
    pub fn grows(&self, name: &str) -> bool {
        self.grown.contains(name)
    }

    /// Whether the program assigns more to some name than is kept.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    fn add(&mut self, name: &'a str, bound: Bound<'a>) {
        if let Bound::To(expr) | Bound::Each(expr) = bound {
            self.tracked.insert(expr.range());
        }
        let known = self.bound.entry(name).or_default();
        if known.len() < MOST {
            known.push(bound);
        } else {
            self.cut = true;
        }
    }

    /// Assigns a value to a target.
    fn assign(&mut self, target: &'a Expr, value: Option<&'a Expr>) {
        match (target, value) {
            (Expr::Name(name), _) => {
                self.add(&name.id, value.map_or(Bound::Unknown, Bound::To));
            }
            (Expr::Starred(starred), _) => self.assign(&starred.value, None),
            (Expr::Subscript(item), _) => {
                if let Expr::Name(name) = &*item.value {
                    self.grown.insert(&name.id);
                }
            }
            (Expr::Tuple(_) | Expr::List(_), _) => {
                let targets = elements(target).unwrap_or_default();
                let values = value.and_then(elements).unwrap_or_default();
                let starred = targets.iter().chain(values).any(Expr::is_starred_expr);
                let pairs = targets.len() == values.len() && !starred;
                for (at, target) in targets.iter().enumerate() {
                    self.assign(target, values.get(at).filter(|_| pairs));
                }
            }
            _ => {}
        }
    }

    /// Assigns each element of a display to the target of a loop.
    fn each(&mut self, target: &'a Expr, iter: &'a Expr) {
        match elements(iter) {
            Some(values) => {
                for value in values {
                    self.assign(target, Some(value).filter(|value| !value.is_starred_expr()));
                }
            }
            None => match target {
                Expr::Name(name) => self.add(&name.id, Bound::Each(iter)),
                // `enumerate` gives a number before each element.
                Expr::Tuple(tuple) => match (&*tuple.elts, iter) {
                    ([number, Expr::Name(name)], Expr::Call(_)) => {
                        self.assign(number, None);
                        self.add(&name.id, Bound::Each(iter));
                    }
                    _ => self.assign(target, None),
                },
                _ => self.assign(target, None),
            },
        }
    }

    /// Gives the arguments of a call to the parameters of a function.
    fn pass(&mut self, parameters: &'a Parameters, arguments: &'a ast::Arguments) {
        let positional = parameters.posonlyargs.iter().chain(&parameters.args);
        let plain = (arguments.args.iter()).take_while(|argument| !argument.is_starred_expr());
        for (parameter, value) in positional.zip(plain) {
            self.add(parameter.name().as_str(), Bound::To(value));
        }
        for keyword in &arguments.keywords {
            let mut named = parameters.iter_non_variadic_params();
            let name = keyword.arg.as_ref().map(ast::Identifier::as_str);
            if let Some(parameter) = named.find(|known| Some(known.name().as_str()) == name) {
                self.add(parameter.name().as_str(), Bound::To(&keyword.value));
            }
        }
        let unpacked = arguments.args.iter().any(Expr::is_starred_expr)
            || arguments
                .keywords
                .iter()
                .any(|keyword| keyword.arg.is_none());
        if unpacked {
            for parameter in parameters.iter_non_variadic_params() {
                self.add(parameter.name().as_str(), Bound::Unknown);
            }
        }
    }

    /// Notes the defaults of parameters.
    fn defaults(&mut self, parameters: &'a Parameters) {
        for parameter in parameters.iter_non_variadic_params() {
            if let Some(default) = parameter.default() {
                self.add(parameter.name().as_str(), Bound::To(default));
            }
        }
    }
}

/// The elements of a tuple, list or set display.
fn elements(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Tuple(tuple) => Some(&tuple.elts),
        Expr::List(list) => Some(&list.elts),
        Expr::Set(set) => Some(&set.elts),
        _ => None,
    }
}

impl<'a> Visitor<'a> for Names<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assign(assign) => {
                for target in &assign.targets {
                    self.assign(target, Some(&assign.value));
                }
            }
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    self.assign(&assign.target, Some(value));
                }
            }
            Stmt::AugAssign(assign) => self.assign(&assign.target, None),
            Stmt::For(each) => self.each(&each.target, &each.iter),
            Stmt::With(with) => {
                for item in &with.items {
                    if let Some(target) = &item.optional_vars {
                        self.assign(target, None);
                    }
                }
            }
            Stmt::FunctionDef(function) => {
                let name = function.name.as_str();
                let known = self.functions.entry(name).or_default();
                if known.len() < MOST {
                    known.push(&function.parameters);
                } else {
                    self.cut = true;
                }
                self.defaults(&function.parameters);
            }
            Stmt::Import(import) => {
                for alias in &import.names {
                    let module = alias.name.as_str();
                    let top = module.split('.').next().unwrap_or(module);
                    match &alias.asname {
                        Some(name) => self.add(name.as_str(), Bound::Module(module)),
                        None => self.add(top, Bound::Module(top)),
                    }
                }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_ref().map_or("", ast::Identifier::as_str);
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.add(name.as_str(), Bound::Member(module, alias.name.as_str()));
                }
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Named(named) => self.assign(&named.target, Some(&named.value)),
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    self.defaults(parameters);
                }
            }
            Expr::Call(call) => match &*call.func {
                Expr::Name(function) => {
                    self.callees.insert(function.range());
                    self.calls.push((&function.id, &call.arguments));
                }
                Expr::Attribute(method) if GROWING.contains(&method.attr.as_str()) => {
                    if let Expr::Name(name) = &*method.value {
                        self.grown.insert(&name.id);
                    }
                }
                _ => {}
            },
            Expr::Name(name) if name.ctx.is_load() && !self.callees.contains(&name.range()) => {
                self.passed.insert(&name.id);
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_comprehension(&mut self, comprehension: &'a ast::Comprehension) {
        self.each(&comprehension.target, &comprehension.iter);
        visitor::walk_comprehension(self, comprehension);
    }
}
