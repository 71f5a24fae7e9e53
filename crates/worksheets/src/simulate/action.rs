//! What an action may do, read from its Python without running it: calls of the built-ins and
//! assignments to slots, with values where they can be read, else drawn.

use std::collections::HashMap;

use indexmap::IndexMap;
use ruff_python_ast::{Expr, ExprCall, Operator, Stmt};
use ruff_python_parser::parse_module;
use ruff_text_size::Ranged;
use serde_json::Value as Json;

use super::draw::Draw;
use super::random::Random;
use crate::agenda::{Effect, Place};
use crate::desk::{Desk, Op, Refused};
use crate::predicate::{Predicate, Scope};
use crate::program::LENGTH;
use crate::sheets::SheetKind;
use crate::state::{Given, Value};

/// The most blocks within blocks that are followed.
const DEEP: usize = 40;

pub(super) fn run(
    draw: &Draw<'_>,
    random: &mut Random,
    desk: Desk<'_>,
    place: &Place,
    code: &str,
) -> Effect {
    let me = match place {
        Place::Field(record, _) | Place::Record(record) => Value::Record(record.clone()),
        Place::Row(query, at) => Value::Row(query.clone(), *at),
    };
    let mut player = Player {
        draw,
        random,
        desk,
        me,
        code,
        locals: HashMap::new(),
        ops: Vec::new(),
    };
    if code.len() > LENGTH {
        return Effect::Ops(Vec::new());
    }
    let ran = stacker::grow(64 << 20, || match parse_module(code) {
        Ok(parsed) => player.block(parsed.suite(), 0),
        Err(error) => Err(Refused::new("SyntaxError", error.error.to_string())),
    });
    match ran {
        Ok(()) => Effect::Ops(player.ops),
        Err(refused) => Effect::Failed {
            error: refused.error.to_owned(),
            message: refused.message,
        },
    }
}

struct Player<'a, 's, 'd> {
    draw: &'a Draw<'s>,
    random: &'a mut Random,
    desk: Desk<'d>,
    me: Value,
    code: &'a str,
    locals: HashMap<String, Option<Value>>,
    ops: Vec<Op>,
}

impl<'a> Player<'a, '_, '_> {
    fn block(&mut self, block: &[Stmt], depth: usize) -> Result<(), Refused> {
        if depth > DEEP {
            return Ok(());
        }
        for statement in block {
            match statement {
                Stmt::Expr(expr) => {
                    if let Expr::Call(call) = &*expr.value {
                        self.call(call)?;
                    }
                }
                Stmt::Assign(assign) => {
                    let value = match &*assign.value {
                        Expr::Call(call) => self.call(call)?.map(Value::Record),
                        other => self.value(other),
                    };
                    for target in &assign.targets {
                        self.assign(target, value.clone())?;
                    }
                }
                Stmt::If(branch) => {
                    let mut taken = self.holds(&branch.test).then_some(&branch.body);
                    for clause in &branch.elif_else_clauses {
                        let runs = clause.test.as_ref().is_none_or(|test| self.holds(test));
                        taken = taken.or(runs.then_some(&clause.body));
                    }
                    if let Some(body) = taken {
                        self.block(body, depth + 1)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn source(&self, node: &impl Ranged) -> &'a str {
        self.code
            .get(node.range().to_std_range())
            .unwrap_or_default()
    }

    /// A condition that is a predicate is read as one; any other may hold or not.
    fn holds(&mut self, test: &Expr) -> bool {
        let predicate = Predicate::parse(self.source(test));
        let known = predicate.as_ref().is_ok_and(|read| {
            !read
                .names()
                .iter()
                .any(|name| self.locals.contains_key(name))
        });
        match &self.me {
            Value::Record(var) if known => {
                let view = self.desk.view();
                let me = view.place(var);
                view.holds(&predicate, Scope { me, value: None })
            }
            Value::Row(..) if known => self.desk.view().holds(&predicate, Scope::default()),
            _ => self.random.chance(50),
        }
    }

    fn apply(&mut self, op: Op) -> Result<Option<String>, Refused> {
        let made = self.desk.apply(&op)?;
        self.ops.push(op);
        Ok(made)
    }

    fn call(&mut self, call: &ExprCall) -> Result<Option<String>, Refused> {
        let Some(name) = call.func.as_name_expr().map(|name| name.id.to_string()) else {
            return Ok(None);
        };
        let arguments = &call.arguments;
        let first = arguments.args.first();
        match name.as_str() {
            "say" => {
                let said = first.and_then(|expr| self.value(expr));
                let text = match said {
                    Some(Value::Plain(Json::String(text))) => text,
                    _ => self.draw.text(self.random, "said"),
                };
                let verbatim = arguments.keywords.iter().any(|k| {
                    k.arg.as_ref().is_some_and(|arg| arg == "verbatim")
                        && self.source(&k.value) == "True"
                });
                self.apply(Op::Say { text, verbatim })
            }
            "propose" => {
                let sheet = first
                    .map(|expr| self.source(expr).to_owned())
                    .unwrap_or_default();
                let mut fields = IndexMap::new();
                if let Some(Expr::Dict(dict)) = arguments.args.get(1) {
                    for item in &dict.items {
                        let key = item.key.as_ref().and_then(|key| self.value(key));
                        if let Some(Value::Plain(Json::String(key))) = key {
                            self.field(&sheet, key, &item.value, &mut fields);
                        }
                    }
                }
                self.apply(Op::Propose { sheet, fields })
            }
            "exitws" => {
                let record = match first.and_then(|expr| self.value(expr)) {
                    Some(Value::Record(var)) => var,
                    _ => match &self.me {
                        Value::Record(var) => var.clone(),
                        _ => return Ok(None),
                    },
                };
                self.apply(Op::Exit(record))
            }
            "handoff" => {
                let why = self.draw.text(self.random, "handoff");
                self.apply(Op::Handoff(why))
            }
            sheet if self.is_task(sheet) => {
                let mut fields = IndexMap::new();
                for keyword in &arguments.keywords {
                    if let Some(arg) = &keyword.arg {
                        self.field(sheet, arg.to_string(), &keyword.value, &mut fields);
                    }
                }
                let sheet = sheet.to_owned();
                self.apply(Op::New { sheet, fields })
            }
            _ => Ok(None),
        }
    }

    fn is_task(&self, sheet: &str) -> bool {
        let found = self.draw.sheets.get(sheet);
        found.is_some_and(|sheet| sheet.kind == SheetKind::Task)
    }

    fn field(
        &mut self,
        sheet: &str,
        name: String,
        value: &Expr,
        fields: &mut IndexMap<String, Given>,
    ) {
        if let Some(value) = self.value(value).or_else(|| self.drawn(sheet, &name)) {
            fields.insert(
                name,
                Given {
                    value,
                    confirmed: false,
                },
            );
        }
    }

    fn drawn(&mut self, sheet: &str, field: &str) -> Option<Value> {
        let sheet = self.draw.sheets.get(sheet)?;
        let field = sheet.fields.get(sheet.field(field)?)?;
        self.draw.value(self.random, field).map(Value::Plain)
    }

    /// `self.f = v`, also of a field of a record above; a name of the action's own.
    fn assign(&mut self, target: &Expr, value: Option<Value>) -> Result<(), Refused> {
        match target {
            Expr::Name(name) => {
                self.locals.insert(name.id.to_string(), value);
            }
            Expr::Attribute(attribute) => {
                let Some(Value::Record(mut var)) = self.value(&attribute.value) else {
                    return Ok(());
                };
                let field = attribute.attr.to_string();
                for above in self.desk.state().upwards(&var) {
                    if self.desk.field(&above, &field).is_some() {
                        var = above;
                        break;
                    }
                }
                let sheet = self
                    .desk
                    .state()
                    .task(&var)
                    .map(|(_, task)| task.sheet.clone());
                let value = value
                    .or_else(|| self.drawn(&sheet.unwrap_or_default(), &field))
                    .unwrap_or(Value::Plain(Json::Null));
                let given = Given {
                    value,
                    confirmed: false,
                };
                self.apply(Op::Set {
                    record: var,
                    field,
                    value: given,
                })?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The value of an expression, if it can be read without running it.
    fn value(&self, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Name(name) if name.id.as_str() == "self" => Some(self.me.clone()),
            Expr::Name(name) => match self.locals.get(name.id.as_str()) {
                Some(local) => local.clone(),
                None if name.id.as_str() == "NA" => Some(Value::Plain("NA".into())),
                None => {
                    let record = self.desk.state().get(name.id.as_str())?;
                    Some(Value::Record(record.var.clone()))
                }
            },
            Expr::Attribute(attribute) => match self.value(&attribute.value)? {
                Value::Record(var) => {
                    let (_, task) = self.desk.state().task(&var)?;
                    task.fields.get(attribute.attr.as_str())?.value.clone()
                }
                Value::Row(var, at) => {
                    let row = self.desk.state().row(&var, at)?;
                    Some(Value::Plain(row.get(attribute.attr.as_str())?.clone()))
                }
                _ => None,
            },
            Expr::BinOp(sum) => {
                let int = |expr| match self.value(expr)? {
                    Value::Plain(json) => json.as_i64(),
                    _ => None,
                };
                let (left, right) = (int(&sum.left)?, int(&sum.right)?);
                let sum = match sum.op {
                    Operator::Add => left.checked_add(right)?,
                    Operator::Sub => left.checked_sub(right)?,
                    _ => return None,
                };
                Some(Value::Plain(sum.into()))
            }
            other => {
                let literal = Predicate::parse(self.source(other)).ok()?.literal()?;
                Some(Value::Plain(literal))
            }
        }
    }
}
