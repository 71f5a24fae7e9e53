//! A module in which a `return` at the top is allowed: on the way to the compiler the
//! program is a function whose names are all global, and on the way back its code is a
//! module's.

use ruff_source_file::SourceFile;
use ruff_text_size::TextRange;
use rustpython_vm::{
    bytecode::{CodeFlags, CodeObject, ConstantData},
    compiler::{
        CompileError, ast,
        codegen::symboltable::{SymbolTable, SymbolTableError},
    },
};

/// The function's name in tracebacks.
const FUNCTION: &str = "program";

/// What precedes the names of what is defined in the function.
const WITHIN: &str = "program.<locals>.";

/// The name of a module's first text.
const DOCSTRING: &str = "__doc__";

/// The name that `_runtime` takes for all names of a module. A function has no `import *`.
const STAR: &str = "__star__";

/// `def program(): global …; BODY`, with every name that BODY binds.
pub fn as_function(tree: ast::Mod, file: &SourceFile) -> Result<ast::Mod, CompileError> {
    let ast::Mod::Module(mut module) = tree else {
        return Ok(tree);
    };
    let table = SymbolTable::scan_program(&module, file.clone());
    let table = table.map_err(|error| located(error, file))?;
    let bound = table.symbols.values().filter(|symbol| symbol.is_bound());
    let mut bound: Vec<_> = bound.map(|symbol| symbol.name.as_str()).collect();

    let mut body = std::mem::take(&mut module.body);
    let place = module.range;
    let docstring = body.first_mut().is_some_and(name_docstring);
    if docstring {
        bound.push(DOCSTRING);
    }
    while body.get(usize::from(docstring)).is_some_and(is_future) {
        module.body.push(body.remove(usize::from(docstring)));
    }
    if body.is_empty() {
        body.push(ast::Stmt::Pass(ast::StmtPass {
            node_index: Default::default(),
            range: place,
        }));
    }
    for statement in &mut body {
        adapt(statement);
    }
    if !bound.is_empty() {
        let names = bound.iter().map(|name| ast::Identifier::new(*name, place));
        let global = ast::Stmt::Global(ast::StmtGlobal {
            node_index: Default::default(),
            range: place,
            names: names.collect(),
        });
        body.insert(0, global);
    }
    module
        .body
        .push(ast::Stmt::FunctionDef(ast::StmtFunctionDef {
            node_index: Default::default(),
            range: place,
            is_async: false,
            decorator_list: Default::default(),
            name: ast::Identifier::new(FUNCTION, place),
            type_params: None,
            parameters: Box::default(),
            returns: None,
            body,
            runtime_decorator_list: None,
            runtime_type_comment: None,
            runtime_type_comment_bytes: None,
            runtime_body: None,
        }));
    Ok(ast::Mod::Module(module))
}

/// The code of the function, as a module's.
pub fn of_function(outer: CodeObject) -> CodeObject {
    let codes = outer
        .constants
        .iter()
        .filter_map(|constant| match constant {
            ConstantData::Code { code } if code.obj_name == FUNCTION => Some(code),
            _ => None,
        });
    let mut code = (**codes.last().expect("the function was compiled")).clone();
    code.flags -= CodeFlags::OPTIMIZED | CodeFlags::NEWLOCALS;
    rename(&mut code);
    code
}

fn located(error: SymbolTableError, file: &SourceFile) -> CompileError {
    error.into_codegen_error(file.name().to_owned()).into()
}

/// Gives what is defined in the code the names that it has in a module.
fn rename(code: &mut CodeObject) {
    for constant in code.constants.iter_mut() {
        if let ConstantData::Code { code } = constant {
            if let Some(name) = code.qualname.strip_prefix(WITHIN) {
                code.qualname = name.to_owned();
            }
            rename(code);
        }
    }
}

fn assign(target: ast::Expr, value: Box<ast::Expr>, range: TextRange) -> ast::Stmt {
    ast::Stmt::Assign(ast::StmtAssign {
        node_index: Default::default(),
        range,
        targets: vec![target],
        value,
        runtime_targets: None,
        runtime_type_comment: None,
        runtime_type_comment_bytes: None,
    })
}

/// Turns what a module has and a function has not into what a function has.
fn adapt(statement: &mut ast::Stmt) {
    match statement {
        ast::Stmt::ImportFrom(import) => {
            for alias in &mut import.names {
                if alias.name.as_str() == "*" {
                    alias.name = ast::Identifier::new(STAR, alias.range);
                }
            }
        }
        // The annotations of a module are not evaluated until somebody asks for them.
        ast::Stmt::AnnAssign(annotated) => {
            *statement = match annotated.value.take() {
                None => ast::Stmt::Pass(ast::StmtPass {
                    node_index: Default::default(),
                    range: annotated.range,
                }),
                Some(value) => assign((*annotated.target).clone(), value, annotated.range),
            };
        }
        ast::Stmt::If(part) => {
            let clauses = part.elif_else_clauses.iter_mut();
            let bodies = clauses.flat_map(|clause| &mut clause.body);
            part.body.iter_mut().chain(bodies).for_each(adapt);
        }
        ast::Stmt::For(part) => part.body.iter_mut().chain(&mut part.orelse).for_each(adapt),
        ast::Stmt::While(part) => part.body.iter_mut().chain(&mut part.orelse).for_each(adapt),
        ast::Stmt::With(part) => part.body.iter_mut().for_each(adapt),
        ast::Stmt::Match(part) => {
            let cases = part.cases.iter_mut();
            cases.flat_map(|case| &mut case.body).for_each(adapt);
        }
        ast::Stmt::Try(part) => {
            let handlers = part.handlers.iter_mut().flat_map(|handler| {
                let ast::ExceptHandler::ExceptHandler(handler) = handler;
                &mut handler.body
            });
            let parts = part.body.iter_mut().chain(handlers);
            let parts = parts.chain(&mut part.orelse).chain(&mut part.finalbody);
            parts.for_each(adapt);
        }
        _ => {}
    }
}

/// Assigns a text that is the first statement to `__doc__`; tells whether it is one. That of a
/// function would be the function's.
fn name_docstring(statement: &mut ast::Stmt) -> bool {
    let ast::Stmt::Expr(text) = statement else {
        return false;
    };
    if !text.value.is_string_literal_expr() {
        return false;
    }
    let name = ast::Expr::Name(ast::ExprName {
        node_index: Default::default(),
        range: text.range,
        id: ast::name::Name::new_static(DOCSTRING),
        ctx: ast::ExprContext::Store,
    });
    *statement = assign(name, text.value.clone(), text.range);
    true
}

fn is_future(statement: &ast::Stmt) -> bool {
    let ast::Stmt::ImportFrom(import) = statement else {
        return false;
    };
    let module = import.module.as_ref();
    import.level == 0 && module.is_some_and(|name| name.as_str() == "__future__")
}
