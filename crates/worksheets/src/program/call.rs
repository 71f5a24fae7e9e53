use std::fmt;

use ruff_python_ast::Expr;
use ruff_python_parser::parse_expression;
use ruff_text_size::Ranged;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::LENGTH;
use crate::plain;
use crate::predicate::Predicate;
use crate::sheets::{Sheets, Type};
use crate::state::{State, Value};

/// A backend call as its function gets it: plain values by position and by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Called {
    /// The function.
    pub function: String,
    /// The arguments by position.
    pub args: Vec<Json>,
    /// The arguments by name, in the order of the call.
    pub named: Vec<(String, Json)>,
}

impl fmt::Display for Called {
    /// Arguments as JSON, named ones as `name=JSON`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args = self.args.iter().map(Json::to_string);
        let named = self.named.iter();
        let named = named.map(|(name, value)| format!("{name}={value}"));
        let all: Vec<String> = args.chain(named).collect();
        write!(f, "{}({})", self.function, all.join(", "))
    }
}

impl Called {
    /// The call with free texts by their presence alone, as scores compare it.
    pub fn loose(sheets: &Sheets, state: &State, record: &str, code: &str) -> Result<Self, String> {
        let mut state = state.clone();
        for task in state.records.iter_mut().filter_map(|r| r.task_mut()) {
            let sheet = sheets.get(&task.sheet);
            for (name, slot) in &mut task.fields {
                let field = sheet.and_then(|s| s.fields.get(s.field(name)?));
                let text = field.is_some_and(|field| field.ty == Type::Text);
                if text && matches!(slot.value, Some(Value::Plain(_))) {
                    slot.value = Some(Value::Plain(true.into()));
                }
            }
        }
        Self::of(sheets, &state, record, code)
    }

    /// Reads the expression of a backend cell for a record: a call of literals, `self`, and
    /// fields of `self`. The sentence says what else it has.
    pub fn of(sheets: &Sheets, state: &State, record: &str, code: &str) -> Result<Self, String> {
        if code.len() > LENGTH {
            return Err(format!("the call is longer than {LENGTH} characters"));
        }
        stacker::grow(64 << 20, || Self::read(sheets, state, record, code))
    }

    fn read(sheets: &Sheets, state: &State, record: &str, code: &str) -> Result<Self, String> {
        let parsed = parse_expression(code).map_err(|error| error.error.to_string())?;
        let Expr::Call(call) = parsed.expr() else {
            return Err(format!("{code} is no call"));
        };
        let source = |node: &dyn Fn() -> std::ops::Range<usize>| code.get(node());
        let value = |expr: &Expr| {
            let text = source(&|| expr.range().to_std_range()).unwrap_or_default();
            match expr {
                Expr::Name(name) if name.id == "self" => Ok(plain::record(sheets, state, record)),
                Expr::Attribute(attribute)
                    if attribute
                        .value
                        .as_name_expr()
                        .is_some_and(|n| n.id == "self") =>
                {
                    Ok(plain::field(sheets, state, record, &attribute.attr))
                }
                _ => Predicate::parse(text)
                    .ok()
                    .and_then(|read| read.literal())
                    .ok_or_else(|| format!("{text}: only Python can carry this out")),
            }
        };
        let function = source(&|| call.func.range().to_std_range());
        let keywords = call.arguments.keywords.iter();
        Ok(Self {
            function: function.unwrap_or_default().to_owned(),
            args: call
                .arguments
                .args
                .iter()
                .map(value)
                .collect::<Result<_, _>>()?,
            named: keywords
                .map(|keyword| {
                    let name = keyword.arg.as_ref().ok_or("**: only Python can do this")?;
                    Ok::<_, String>((name.to_string(), value(&keyword.value)?))
                })
                .collect::<Result<_, _>>()?,
        })
    }
}
