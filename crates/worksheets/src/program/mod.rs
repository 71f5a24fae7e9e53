//! Turn programs and actions that are read and carried out without Python: calls of the
//! built-ins, records, assignments, and the choices of actions (sections 1.6 and 2.4). Recorded
//! dialogues play by it again. What only Python can do is refused by name, never guessed.

mod argument;
mod builtin;
mod call;
mod doubt;
mod shown;
mod value;

use std::collections::{BTreeMap, HashMap};

use ruff_python_ast::{Expr, Stmt};
use ruff_python_parser::parse_module;
use ruff_text_size::Ranged;

pub use call::{Called, outside};
pub use doubt::open_question;
pub use shown::without_sql;

use crate::agenda::{Ended, Place};
use crate::desk::{Desk, Op, Refused};
use crate::predicate::{Predicate, Scope};
use crate::state::Value;

/// The most characters of a program, and of a cell of code.
pub(crate) const LENGTH: usize = 20_000;
/// The most blocks and calls within each other.
const DEEP: usize = 40;

/// What a program came to.
#[derive(Clone, Debug)]
pub struct Carried<'s> {
    /// The desk that it left.
    pub desk: Desk<'s>,
    /// The operations that were carried out, in order.
    pub ops: Vec<Op>,
    /// The exception that ended it.
    pub raised: Option<Refused>,
    /// Formal queries that stand beside questions, `answer("…", sql="…")`, by variable.
    pub sql: BTreeMap<String, String>,
}

impl Carried<'_> {
    /// How the program ended, for the agenda.
    pub fn ended(&self) -> Ended {
        match &self.raised {
            None => Ended::Kept,
            Some(raised) => Ended::by(raised.error),
        }
    }
}

/// Carries out a turn program on a desk.
///
/// ```
/// use worksheets::{Desk, Format, State, program, read};
///
/// let csv = "WS Name,Kind,Type,Name\nOrder,task,,\n,input,int,count\n";
/// let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
/// let desk = Desk::open(&sheets, &State::default());
/// let carried = program::turn(desk, "Order(count=2)\norder.count = 3");
/// assert_eq!((carried.ops.len(), carried.raised), (2, None));
/// ```
pub fn turn<'s>(desk: Desk<'s>, code: &str) -> Carried<'s> {
    run(desk, code, None)
}

/// Carries out an action where it stands, on the desk that the agenda lends.
pub fn action<'s>(desk: Desk<'s>, place: &Place, code: &str) -> Carried<'s> {
    let me = match place {
        Place::Field(record, _) | Place::Record(record) => Value::Record(record.clone()),
        Place::Row(query, at) => Value::Row(query.clone(), *at),
    };
    run(desk, code, Some(me))
}

fn run<'s>(desk: Desk<'s>, code: &str, me: Option<Value>) -> Carried<'s> {
    let mut player = Player {
        desk,
        me,
        code,
        locals: HashMap::new(),
        ops: Vec::new(),
        sql: BTreeMap::new(),
    };
    let ran = match code.len() > LENGTH {
        true => Err(unreadable(&format!(
            "it is longer than {LENGTH} characters"
        ))),
        false => stacker::grow(64 << 20, || match parse_module(code) {
            Ok(parsed) => player.block(parsed.suite(), 0),
            Err(error) => Err(Refused::new("SyntaxError", error.error.to_string())),
        }),
    };
    Carried {
        desk: player.desk,
        ops: player.ops,
        raised: ran.err(),
        sql: player.sql,
    }
}

fn unreadable(what: &str) -> Refused {
    let message = format!("{what}: only Python can carry this out");
    Refused::new("NotImplementedError", message)
}

struct Player<'a, 's> {
    desk: Desk<'s>,
    /// What `self` is; turn programs have none.
    me: Option<Value>,
    code: &'a str,
    locals: HashMap<String, Value>,
    ops: Vec<Op>,
    sql: BTreeMap<String, String>,
}

impl<'a> Player<'a, '_> {
    fn source(&self, node: &impl Ranged) -> &'a str {
        let code: &'a str = self.code;
        code.get(node.range().to_std_range()).unwrap_or_default()
    }

    fn block(&mut self, block: &[Stmt], depth: usize) -> Result<(), Refused> {
        if depth > DEEP {
            return Err(unreadable("it is too deep"));
        }
        for statement in block {
            match statement {
                Stmt::Pass(_) => {}
                // A text by itself is a comment.
                Stmt::Expr(expr) if expr.value.is_string_literal_expr() => {}
                Stmt::Expr(expr) => {
                    self.value(&expr.value, depth)?;
                }
                Stmt::Assign(assign) => {
                    let given = self.given(&assign.value, depth)?;
                    for target in &assign.targets {
                        self.assign(target, &given, depth)?;
                    }
                }
                Stmt::If(branch) => {
                    let mut taken = self.holds(&branch.test)?.then_some(&branch.body);
                    for clause in &branch.elif_else_clauses {
                        if taken.is_none()
                            && clause
                                .test
                                .as_ref()
                                .map_or(Ok(true), |test| self.holds(test))?
                        {
                            taken = Some(&clause.body);
                        }
                    }
                    if let Some(body) = taken {
                        self.block(body, depth + 1)?;
                    }
                }
                Stmt::Raise(raise) => return Err(self.raised(raise.exc.as_deref())),
                other => return Err(unreadable(self.source(other))),
            }
        }
        Ok(())
    }

    /// The exception of a `raise`: one of those that keep what the program did, or an error.
    fn raised(&self, raised: Option<&Expr>) -> Refused {
        let class = match raised {
            Some(Expr::Call(call)) => self.source(&*call.func),
            Some(name) => self.source(name),
            None => "",
        };
        let known = [
            "EndDialog",
            "ChitChat",
            "FAQ",
            "OutOfScopeRequestError",
            "AmbiguousRequestError",
            "OverSpecificationError",
        ];
        match known.into_iter().find(|known| *known == class) {
            Some(known) => Refused::new(known, ""),
            None => unreadable(&format!("raise {class}")),
        }
    }

    /// A condition is an expression of the predicate language, or it is refused.
    fn holds(&self, test: &Expr) -> Result<bool, Refused> {
        let source = self.source(test);
        let predicate = Predicate::parse(source);
        let Ok(read) = &predicate else {
            return Err(unreadable(source));
        };
        if read.names().iter().any(|n| self.locals.contains_key(n)) {
            return Err(unreadable(source));
        }
        let view = self.desk.view();
        let me = match &self.me {
            Some(Value::Record(var)) => view.place(var),
            // A predicate has no row as `self`.
            Some(_) if source.contains("self") => return Err(unreadable(source)),
            _ => None,
        };
        Ok(view.holds(&predicate, Scope { me, value: None }))
    }

    fn apply(&mut self, op: Op) -> Result<Option<String>, Refused> {
        let made = self.desk.apply(&op)?;
        self.ops.push(op);
        Ok(made)
    }
}
