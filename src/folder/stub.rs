//! The functions and exceptions of a Python file, read from its syntax tree.

use crate::domain::{is_shallow, with_room};
use crate::error::{Error, Result, line_of};
use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Alias, Expr, Parameters, Stmt, StmtFunctionDef};
use ruff_python_parser::parse_module;
use ruff_text_size::{Ranged, TextRange};
use std::collections::BTreeSet;
use std::path::Path;

/// The definitions at the top level of a Python file, in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stub {
    /// The functions whose names do not begin with `_`.
    pub functions: Vec<Function>,
    /// The classes that are exceptions, with their lines.
    pub exceptions: Vec<(String, usize)>,
    /// The lines on which functions declare a name as `global`.
    pub globals: Vec<(String, usize)>,
    /// The lines on which `print` is called.
    pub prints: Vec<usize>,
    /// The other names that are bound: those of imports, classes and assignments.
    pub names: BTreeSet<String>,
}

/// A function at the top level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    /// The line of its `def`, from 1.
    pub line: usize,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Whether it takes any other arguments: `*args` or `**kwargs`.
    pub takes_more: bool,
    /// Whether it is an `async def`.
    pub is_async: bool,
    /// Whether it has a docstring.
    pub is_documented: bool,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// Whether a call must have it.
    pub is_required: bool,
    /// Its default, as the file has it.
    pub default: Option<String>,
    /// Its type, as the file has it, if that is a collection: `list[str]`.
    pub collection: Option<String>,
    /// Whether it can only be passed by keyword.
    pub is_keyword_only: bool,
}

impl Stub {
    /// Reads a Python file.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read; [`Error::Content`] names the line of a syntax
    /// error.
    pub fn read(path: &Path) -> Result<(String, Self)> {
        let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?;
        let stub = Stub::parse(&text).map_err(|problem| Error::Content {
            path: path.to_owned(),
            problem,
        })?;
        Ok((text, stub))
    }

    /// Reads the text of a Python file.
    ///
    /// # Errors
    /// It is not valid Python: a clause with the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        if !is_shallow(text) {
            return Err("is nested too deeply to be read".to_owned());
        }
        let parse = || {
            Some(match parse_module(text) {
                Ok(parsed) => Ok(Stub::of(text, &parsed.syntax().body)),
                Err(error) => {
                    let line = line_of(text, error.location.start().to_usize());
                    Err(format!("line {line}: {}", error.error))
                }
            })
        };
        with_room(parse).unwrap_or_else(|| Err("cannot be read".to_owned()))
    }

    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    fn of(text: &str, body: &[Stmt]) -> Self {
        let mut stub = Stub::default();
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let ends: Vec<usize> = ends.map(|(at, _)| at).collect();
        let line = |node: &dyn Ranged| {
            let at = node.range().start().to_usize();
            ends.partition_point(|end| *end < at) + 1
        };
        let mut prints = Prints::default();
        prints.visit_body(body);
        stub.prints.extend(prints.0.iter().map(|call| line(call)));
        for statement in body {
            match statement {
                Stmt::FunctionDef(function) => {
                    let at = line(&function.name);
                    stub.globals.extend(globals(&function.body, &line));
                    if !function.name.starts_with('_') {
                        stub.functions.push(Function::of(text, function, at));
                    }
                }
                Stmt::ClassDef(class) => {
                    stub.names.insert(class.name.to_string());
                    let bases = class.arguments.iter().flat_map(|it| it.args.iter());
                    let known = stub.exceptions.clone();
                    let is_exception = |base: &Expr| match base {
                        Expr::Name(name) => {
                            let name = name.id.as_str();
                            let is_known = known.iter().any(|(known, _)| known == name);
                            is_known || name.ends_with("Error") || name.ends_with("Exception")
                        }
                        _ => false,
                    };
                    if bases.into_iter().any(is_exception) {
                        stub.exceptions
                            .push((class.name.to_string(), line(&class.name)));
                    }
                }
                Stmt::Import(import) => stub.names.extend(import.names.iter().map(bound)),
                Stmt::ImportFrom(import) => stub.names.extend(import.names.iter().map(bound)),
                Stmt::Assign(assign) => stub.names.extend(assign.targets.iter().filter_map(name)),
                _ => {}
            }
        }
        stub
    }
}

/// The calls of `print` in a file.
#[derive(Default)]
struct Prints(Vec<TextRange>);

impl<'a> Visitor<'a> for Prints {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(call) = expr
            && let Expr::Name(name) = &*call.func
            && name.id == "print"
        {
            self.0.push(call.range);
        }
        walk_expr(self, expr);
    }
}

/// The name that an import binds.
fn bound(alias: &Alias) -> String {
    alias.asname.as_ref().unwrap_or(&alias.name).to_string()
}

fn name(expr: &Expr) -> Option<String> {
    Some(expr.as_name_expr()?.id.to_string())
}

/// The `global` statements of a function, outside of functions within it.
fn globals(body: &[Stmt], line: &impl Fn(&dyn Ranged) -> usize) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for statement in body {
        let within: Vec<&[Stmt]> = match statement {
            Stmt::Global(global) => {
                let names = global.names.iter();
                found.extend(names.map(|name| (name.to_string(), line(global))));
                Vec::new()
            }
            Stmt::If(it) => {
                let clauses = it.elif_else_clauses.iter().map(|clause| &*clause.body);
                [&*it.body].into_iter().chain(clauses).collect()
            }
            Stmt::For(it) => vec![&it.body, &it.orelse],
            Stmt::While(it) => vec![&it.body, &it.orelse],
            Stmt::With(it) => vec![&it.body],
            Stmt::Try(it) => vec![&it.body, &it.orelse, &it.finalbody],
            _ => Vec::new(),
        };
        found.extend(within.into_iter().flat_map(|body| globals(body, line)));
    }
    found
}

impl Function {
    fn of(text: &str, function: &StmtFunctionDef, line: usize) -> Self {
        let Parameters {
            posonlyargs,
            args,
            vararg,
            kwonlyargs,
            kwarg,
            ..
        } = &*function.parameters;
        let positional = posonlyargs.iter().chain(args).map(|it| (it, false));
        let all = positional.chain(kwonlyargs.iter().map(|it| (it, true)));
        let parameters = all.map(|(it, is_keyword_only)| Parameter {
            name: it.parameter.name.to_string(),
            is_required: it.default.is_none(),
            default: (it.default.as_ref())
                .and_then(|it| text.get(it.range().to_std_range()))
                .map(str::to_owned),
            collection: (it.parameter.annotation.as_deref())
                .filter(|it| is_collection(it))
                .and_then(|it| text.get(it.range().to_std_range()))
                .map(str::to_owned),
            is_keyword_only,
        });
        Function {
            name: function.name.to_string(),
            line,
            parameters: parameters.collect(),
            takes_more: vararg.is_some() || kwarg.is_some(),
            is_async: function.is_async,
            is_documented: is_documented(&function.body),
        }
    }
}

/// The types that are collections, in lower case.
const COLLECTIONS: [&str; 4] = ["list", "dict", "set", "tuple"];

/// Whether the values of a type are collections, or at most `None` beside them.
fn is_collection(declared: &Expr) -> bool {
    let is_known = |name: &str| COLLECTIONS.contains(&name.to_lowercase().as_str());
    match declared {
        Expr::Name(name) => is_known(name.id.as_str()),
        Expr::Attribute(attribute) => is_known(attribute.attr.as_str()),
        Expr::Subscript(generic) => is_collection(&generic.value),
        Expr::BinOp(either) => {
            let sides = [&*either.left, &*either.right];
            let sides = sides.map(|it| (is_collection(it), it.is_none_literal_expr()));
            sides.iter().any(|(is, _)| *is) && sides.iter().all(|(is, none)| *is || *none)
        }
        _ => false,
    }
}

fn is_documented(body: &[Stmt]) -> bool {
    match body.first() {
        Some(Stmt::Expr(first)) => matches!(&*first.value, Expr::StringLiteral(_)),
        _ => false,
    }
}
