use std::fmt;

use ruff_python_ast::Expr;
use ruff_python_parser::parse_expression;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::LENGTH;
use super::argument::Reader;
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

    /// Reads the expression of a backend cell for a record: a call of literals, lists, and what
    /// is read of `self`, of records, and of rows. The sentence says what else it has.
    pub fn of(sheets: &Sheets, state: &State, record: &str, code: &str) -> Result<Self, String> {
        read(sheets, state, record, code).map(|(called, _)| called)
    }
}

/// The arguments of a call that are no values of the record and of those below it, by their
/// expressions: whoever sees the record does not see them.
///
/// ```
/// use worksheets::{Format, State, program, read};
/// use serde_json::json;
///
/// let csv = "WS Name,Kind,Type,Name\nOrder,task,,\"place(self.size, prefs.count)\"\n\
///            ,input,str,size\nPrefs,task,,\n,input,int,count\n";
/// let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
/// let records = json!([
///     {"var": "order", "sheet": "Order", "fields": {"size": {"value": "Large"}}},
///     {"var": "prefs", "sheet": "Prefs", "fields": {"count": {"value": 2}}},
/// ]);
/// let state = State::of(&json!({"turn": 1, "records": records})).unwrap();
/// let outside = program::outside(&sheets, &state, "order", &sheets.get("Order").unwrap().backend);
/// assert_eq!(outside, [("prefs.count".to_owned(), json!(2))]);
/// ```
pub fn outside(sheets: &Sheets, state: &State, record: &str, code: &str) -> Vec<(String, Json)> {
    read(sheets, state, record, code).map_or_else(|_| Vec::new(), |(_, outside)| outside)
}

type Read = (Called, Vec<(String, Json)>);

fn read(sheets: &Sheets, state: &State, record: &str, code: &str) -> Result<Read, String> {
    if code.len() > LENGTH {
        return Err(format!("the call is longer than {LENGTH} characters"));
    }
    stacker::grow(64 << 20, || {
        let parsed = parse_expression(code).map_err(|error| error.error.to_string())?;
        let Expr::Call(call) = parsed.expr() else {
            return Err(format!("{code} is no call"));
        };
        let mut reader = Reader {
            sheets,
            state,
            record,
            code,
            outside: Vec::new(),
        };
        let Expr::Name(function) = &*call.func else {
            let named = reader.source(&*call.func);
            return Err(format!("{named}: only Python can carry this out"));
        };
        let args = call.arguments.args.iter();
        let args = args.map(|arg| reader.argument(arg, 0));
        let args = args.collect::<Result<_, _>>()?;
        let keywords = call.arguments.keywords.iter();
        let named = keywords.map(|keyword| {
            let name = keyword.arg.as_ref().ok_or("**: only Python can do this")?;
            Ok::<_, String>((name.to_string(), reader.argument(&keyword.value, 0)?))
        });
        let called = Called {
            named: named.collect::<Result<_, _>>()?,
            function: function.id.to_string(),
            args,
        };
        Ok((called, reader.outside))
    })
}
