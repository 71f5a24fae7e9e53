use ruff_python_ast::Expr;
use ruff_text_size::Ranged;
use serde_json::Value as Json;

use super::DEEP;
use super::value::NONE;
use crate::desk::snake;
use crate::plain;
use crate::predicate::Predicate;
use crate::sheets::Sheets;
use crate::state::{State, Value};

/// Reads the arguments of a backend call as the sandbox reads them.
pub(super) struct Reader<'a> {
    pub sheets: &'a Sheets,
    pub state: &'a State,
    /// What `self` is.
    pub record: &'a str,
    pub code: &'a str,
    /// The arguments that are no values of the record or of those below it, by their expressions.
    pub outside: Vec<(String, Json)>,
}

/// A value, and whether it stands outside of the record.
struct Found {
    value: Value,
    outside: bool,
}

impl<'a> Reader<'a> {
    /// The plain value of an argument. The sentence says what only Python can read.
    pub fn argument(&mut self, expr: &Expr, depth: usize) -> Result<Json, String> {
        if depth > DEEP {
            return Err("it is too deep".to_owned());
        }
        let all = match expr {
            Expr::List(list) => &list.elts,
            Expr::Tuple(tuple) => &tuple.elts,
            Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) => {
                let Found { value, outside } = self.found(expr, depth)?;
                let json = plain::value(self.sheets, self.state, &value);
                if outside {
                    self.outside
                        .push((self.source(expr).to_owned(), json.clone()));
                }
                return Ok(json);
            }
            _ => return self.literal(expr),
        };
        let all = all.iter().map(|item| self.argument(item, depth + 1));
        all.collect()
    }

    pub fn source(&self, node: &impl Ranged) -> &'a str {
        let code: &'a str = self.code;
        code.get(node.range().to_std_range()).unwrap_or_default()
    }

    fn unreadable(&self, node: &impl Ranged) -> String {
        format!("{}: only Python can carry this out", self.source(node))
    }

    fn literal(&self, expr: &Expr) -> Result<Json, String> {
        let read = Predicate::parse(self.source(expr)).ok();
        read.and_then(|read| read.literal())
            .ok_or_else(|| self.unreadable(expr))
    }

    fn found(&self, expr: &Expr, depth: usize) -> Result<Found, String> {
        if depth > DEEP {
            return Err("it is too deep".to_owned());
        }
        let unreadable = || self.unreadable(expr);
        match expr {
            Expr::Name(name) => self.named(name.id.as_str()).ok_or_else(unreadable),
            Expr::Attribute(attribute) => {
                let of = self.found(&attribute.value, depth + 1)?;
                // Only `self` stands for the records above it, too.
                let up = attribute
                    .value
                    .as_name_expr()
                    .is_some_and(|name| name.id == "self");
                self.attribute(of, &attribute.attr, up)
                    .ok_or_else(unreadable)
            }
            Expr::Subscript(subscript) => {
                let of = self.found(&subscript.value, depth + 1)?;
                let at = self.literal(&subscript.slice)?;
                self.item(of, &at).ok_or_else(unreadable)
            }
            _ => Err(unreadable()),
        }
    }

    fn named(&self, name: &str) -> Option<Found> {
        let outside = name != "self";
        let value = match name {
            "self" => Value::Record(self.record.to_owned()),
            "NA" => Value::Plain("NA".into()),
            "answer" => {
                let mut queries = self.state.records.iter().rev();
                let latest = queries.find(|record| record.query().is_some())?;
                Value::Result(latest.var.clone())
            }
            _ => match self.state.get(name) {
                Some(record) if record.query().is_some() => Value::Result(record.var.clone()),
                Some(record) => Value::Record(record.var.clone()),
                None => {
                    // A sheet of which there is no record yet.
                    let mut sheets = self.sheets.all().iter();
                    sheets.find(|sheet| snake(&sheet.name) == name)?;
                    NONE
                }
            },
        };
        Some(Found { value, outside })
    }

    fn attribute(&self, of: Found, name: &str, up: bool) -> Option<Found> {
        match &of.value {
            Value::Result(_) if name == "result" => Some(of),
            Value::Row(var, at) => {
                let column = self.state.row(var, *at)?.get(name);
                let value = Value::Plain(column.cloned().unwrap_or_default());
                Some(Found { value, ..of })
            }
            Value::Record(var) => {
                let all = if up {
                    self.state.upwards(var)
                } else {
                    vec![var.clone()]
                };
                let has = |var: &&String| {
                    let task = self.state.task(var).map(|(_, task)| task);
                    let sheet = task.and_then(|task| self.sheets.get(&task.sheet));
                    sheet.is_some_and(|sheet| sheet.field(name).is_some())
                };
                match all.iter().find(has) {
                    Some(holder) => Some(Found {
                        value: self.slot(holder, name),
                        outside: of.outside || holder != var,
                    }),
                    None if name == "result" => {
                        let result = self.state.task(var)?.1.result.clone();
                        let (value, outside) = (Value::Plain(result.unwrap_or_default()), true);
                        Some(Found { value, outside })
                    }
                    None => None,
                }
            }
            _ => None,
        }
    }

    fn slot(&self, var: &str, name: &str) -> Value {
        let seen = plain::field(self.sheets, self.state, var, name);
        let task = self.state.task(var).map(|(_, task)| task);
        let slot = task.and_then(|task| task.fields.get(name));
        match slot.and_then(|slot| slot.value.clone()) {
            Some(value) if !seen.is_null() => value,
            _ => Value::Plain(seen),
        }
    }

    /// A row of an answer, an item of a list, or what a key has.
    fn item(&self, of: Found, at: &Json) -> Option<Found> {
        let place = |count: usize| {
            let at = at.as_i64()?;
            let at = if at < 0 {
                i64::try_from(count).ok()?.checked_add(at)?
            } else {
                at
            };
            usize::try_from(at).ok().filter(|at| *at < count)
        };
        let key = || at.as_str();
        let value = match &of.value {
            Value::Result(var) => {
                Value::Row(var.clone(), place(self.state.query(var)?.rows.len())?)
            }
            Value::List(items) => items.get(place(items.len())?)?.clone(),
            Value::Plain(Json::Array(items)) => {
                Value::Plain(items.get(place(items.len())?)?.clone())
            }
            Value::Row(var, row) => Value::Plain(self.state.row(var, *row)?.get(key()?)?.clone()),
            Value::Plain(Json::Object(map)) => Value::Plain(map.get(key()?)?.clone()),
            _ => return None,
        };
        Some(Found { value, ..of })
    }
}
