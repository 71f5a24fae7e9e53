use ruff_python_ast::{Expr, Number, UnaryOp};
use serde_json::Value as Json;

use super::{DEEP, Player, unreadable};
use crate::desk::{Op, Refused, snake};
use crate::state::{Given, Value};

pub(super) const NONE: Value = Value::Plain(Json::Null);

impl Player<'_, '_> {
    /// A value, with `confirm(…)` around it or without.
    pub(super) fn given(&mut self, expr: &Expr, depth: usize) -> Result<Given, Refused> {
        if let Expr::Call(call) = expr
            && self.source(&*call.func) == "confirm"
            && let [inner] = &*call.arguments.args
        {
            let value = self.value(inner, depth)?;
            let confirmed = true;
            return Ok(Given { value, confirmed });
        }
        let value = self.value(expr, depth)?;
        let confirmed = false;
        Ok(Given { value, confirmed })
    }

    pub(super) fn value(&mut self, expr: &Expr, depth: usize) -> Result<Value, Refused> {
        if depth > DEEP {
            return Err(unreadable("it is too deep"));
        }
        let source = self.source(expr);
        Ok(match expr {
            Expr::NoneLiteral(_) => NONE,
            Expr::BooleanLiteral(literal) => Value::Plain(literal.value.into()),
            Expr::StringLiteral(literal) => Value::Plain(literal.value.to_str().into()),
            Expr::NumberLiteral(literal) => Value::Plain(number(&literal.value, source)?),
            Expr::UnaryOp(minus) if minus.op == UnaryOp::USub => {
                let is_literal = minus.operand.is_number_literal_expr();
                match self.value(&minus.operand, depth + 1)? {
                    Value::Plain(Json::Number(number)) => {
                        let text = format!("-{number}");
                        Value::Plain(serde_json::from_str(&text).map_err(|_| unreadable(source))?)
                    }
                    Value::Plain(Json::String(large)) if is_literal => {
                        Value::Plain(format!("-{large}").into())
                    }
                    _ => return Err(unreadable(source)),
                }
            }
            Expr::List(list) => {
                let items = list.elts.iter();
                let items = items.map(|item| self.value(item, depth + 1));
                Value::List(items.collect::<Result<_, _>>()?)
            }
            Expr::Name(name) => self.named(name.id.as_str())?,
            Expr::Attribute(attribute) => {
                let of = self.value(&attribute.value, depth + 1)?;
                self.attribute(&of, attribute.attr.as_str(), source)?
            }
            Expr::Subscript(subscript) => {
                let of = self.value(&subscript.value, depth + 1)?;
                let at = self.value(&subscript.slice, depth + 1)?;
                self.row(&of, &at, source)?
            }
            Expr::Call(call) => self.call(call, depth + 1)?,
            _ => return Err(unreadable(source)),
        })
    }

    fn named(&self, name: &str) -> Result<Value, Refused> {
        if let (Some(me), "self") = (&self.me, name) {
            return Ok(me.clone());
        }
        if let Some(local) = self.locals.get(name) {
            return Ok(local.clone());
        }
        let state = self.desk.state();
        if let Some(record) = state.get(name) {
            let var = record.var.clone();
            return Ok(match record.query() {
                Some(_) => Value::Result(var),
                None => Value::Record(var),
            });
        }
        let mut sheets = self.desk.sheets.all().iter();
        match name {
            "NA" => Ok(Value::Plain("NA".into())),
            "answer" => {
                let mut queries = state.records.iter().rev();
                let latest = queries.find(|record| record.query().is_some());
                Ok(latest.map_or(NONE, |record| Value::Result(record.var.clone())))
            }
            // A sheet of which there is no record yet.
            _ if sheets.any(|sheet| snake(&sheet.name) == name) => Ok(NONE),
            _ => Err(Refused::new(
                "NameError",
                format!("name '{name}' is not defined"),
            )),
        }
    }

    fn attribute(&self, of: &Value, name: &str, source: &str) -> Result<Value, Refused> {
        let state = self.desk.state();
        match of {
            Value::Result(_) | Value::Record(_) if name == "result" => Ok(of.clone()),
            Value::Record(var) => {
                for above in state.upwards(var) {
                    if self.desk.field(&above, name).is_some() {
                        let slot = state.task(&above).and_then(|(_, t)| t.fields.get(name));
                        let value = slot.and_then(|slot| slot.value.clone());
                        return Ok(value.unwrap_or(NONE));
                    }
                    // Only actions read what stands above.
                    if self.me.is_none() {
                        break;
                    }
                }
                let sheet = state.task(var).map_or("", |(_, task)| task.sheet.as_str());
                let message = format!("{sheet} has no field '{name}'");
                Err(Refused::new("AttributeError", message))
            }
            Value::Row(var, at) => {
                let column = state.row(var, *at).and_then(|row| row.get(name));
                Ok(Value::Plain(column.cloned().unwrap_or_default()))
            }
            Value::Plain(Json::Null) => Err(nothing(name)),
            _ => Err(unreadable(source)),
        }
    }

    fn row(&self, of: &Value, at: &Value, source: &str) -> Result<Value, Refused> {
        let (Value::Result(var), Value::Plain(at)) = (of, at) else {
            return Err(unreadable(source));
        };
        let query = self.desk.state().query(var);
        let rows = query.map_or(0, |query| query.rows.len());
        let place = at.as_i64().and_then(|at| match at < 0 {
            true => i64::try_from(rows).ok()?.checked_add(at),
            false => Some(at),
        });
        let place = place.and_then(|at| usize::try_from(at).ok());
        match place.filter(|at| *at < rows) {
            Some(at) => Ok(Value::Row(var.clone(), at)),
            None => Err(Refused::new("IndexError", "the answer has no such row")),
        }
    }

    /// `record.field = v`, a parameter of a query, or a name of the program's own. In actions
    /// a field of a record above is meant as well.
    pub(super) fn assign(
        &mut self,
        target: &Expr,
        given: &Given,
        depth: usize,
    ) -> Result<(), Refused> {
        match target {
            Expr::Name(name) => {
                let name = name.id.to_string();
                self.locals.insert(name, given.value.clone());
                Ok(())
            }
            Expr::Attribute(attribute) => {
                let field = attribute.attr.to_string();
                let op = match self.value(&attribute.value, depth)? {
                    Value::Result(record) => Op::Param {
                        record,
                        field,
                        value: given.value.json(),
                    },
                    Value::Record(var) => {
                        let has = |above: &String| self.desk.field(above, &field).is_some();
                        let above = self.desk.state().upwards(&var).into_iter().find(has);
                        Op::Set {
                            record: above.filter(|_| self.me.is_some()).unwrap_or(var),
                            field,
                            value: given.clone(),
                        }
                    }
                    Value::Plain(Json::Null) => return Err(nothing(&field)),
                    _ => return Err(unreadable(self.source(target))),
                };
                self.apply(op).map(|_| ())
            }
            _ => Err(unreadable(self.source(target))),
        }
    }
}

/// A field of a record that there is not yet.
fn nothing(field: &str) -> Refused {
    let message = format!("there is no record yet to have a field '{field}'");
    Refused::new("AttributeError", message)
}

/// A number. One that JSON cannot hold is given as its text in Python.
fn number(number: &Number, source: &str) -> Result<Json, Refused> {
    match number {
        Number::Int(int) => match (int.as_i64(), int.to_string()) {
            (Some(int), _) => Ok(int.into()),
            (None, large) if large.bytes().all(|b| b.is_ascii_digit()) => Ok(large.into()),
            // A large one that is not written in decimal digits.
            (None, _) => Err(unreadable(source)),
        },
        Number::Float(float) => {
            let finite = serde_json::Number::from_f64(*float);
            Ok(finite.map_or_else(|| float.to_string().into(), Json::Number))
        }
        Number::Complex { .. } => Err(unreadable(source)),
    }
}
