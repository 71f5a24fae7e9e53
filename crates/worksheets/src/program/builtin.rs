use indexmap::IndexMap;
use ruff_python_ast::{Expr, ExprCall, Keyword};
use serde_json::Value as Json;

use super::value::NONE;
use super::{Player, unreadable};
use crate::desk::{Op, Refused};
use crate::sheets::SheetKind;
use crate::state::{Given, Value};

impl Player<'_, '_> {
    /// A record that is made, or a built-in.
    pub(super) fn call(&mut self, call: &ExprCall, depth: usize) -> Result<Value, Refused> {
        let (name, source) = (self.source(&*call.func), self.source(call));
        let arguments = &call.arguments;
        let sheet = self.desk.sheets.get(name);
        if sheet.is_some_and(|sheet| sheet.kind == SheetKind::Task) {
            if !arguments.args.is_empty() {
                let message = format!("{name} takes fields by their names only");
                return Err(Refused::new("TypeError", message));
            }
            let sheet = name.to_owned();
            let fields = self.fields(&arguments.keywords, depth)?;
            let made = self.apply(Op::New { sheet, fields })?;
            return Ok(made.map_or(NONE, Value::Record));
        }
        let first = match arguments.args.first() {
            // The sheet that is proposed is no value.
            Some(first) if name != "propose" => Some(self.value(first, depth)?),
            _ => None,
        };
        let text = |what: &str| match &first {
            Some(Value::Plain(Json::String(text))) => Ok(text.clone()),
            _ => Err(Refused::new("TypeError", format!("{what} takes a text"))),
        };
        let record = || match &first {
            Some(Value::Record(var) | Value::Result(var)) => Ok(var.clone()),
            None => match &self.me {
                Some(Value::Record(var)) => Ok(var.clone()),
                _ => Err(Refused::new("TypeError", format!("{name} takes a record"))),
            },
            _ => Err(Refused::new("TypeError", format!("{name} takes a record"))),
        };
        let op = match name {
            "answer" => {
                let question = text("answer")?;
                let sql = self.keyword(&arguments.keywords, "sql", depth)?;
                let var = self.apply(Op::Answer { question })?.unwrap_or_default();
                if let Some(Value::Plain(Json::String(sql))) = sql {
                    self.sql.insert(var.clone(), sql);
                }
                return Ok(Value::Result(var));
            }
            "accept" => Op::Accept(record()?),
            "reject" => Op::Reject(record()?),
            "exitws" => Op::Exit(record()?),
            "show" => Op::Show(record()?),
            "repeat" => Op::Repeat,
            "handoff" => Op::Handoff(match &first {
                Some(_) => text("handoff")?,
                None => "the user wishes it".to_owned(),
            }),
            "say" => {
                let verbatim = self.keyword(&arguments.keywords, "verbatim", depth)?;
                Op::Say {
                    text: text("say")?,
                    verbatim: verbatim == Some(Value::Plain(true.into())),
                }
            }
            "propose" => self.proposal(call, depth)?,
            _ => return Err(unreadable(source)),
        };
        self.apply(op)?;
        Ok(NONE)
    }

    fn proposal(&mut self, call: &ExprCall, depth: usize) -> Result<Op, Refused> {
        let [Expr::Name(sheet), Expr::Dict(dict)] = &*call.arguments.args else {
            return Err(unreadable(self.source(call)));
        };
        let mut fields = IndexMap::new();
        for item in &dict.items {
            let Some(Expr::StringLiteral(key)) = &item.key else {
                return Err(unreadable(self.source(call)));
            };
            let value = self.given(&item.value, depth)?;
            fields.insert(key.value.to_str().to_owned(), value);
        }
        let sheet = sheet.id.to_string();
        Ok(Op::Propose { sheet, fields })
    }

    fn fields(
        &mut self,
        keywords: &[Keyword],
        depth: usize,
    ) -> Result<IndexMap<String, Given>, Refused> {
        let mut fields = IndexMap::new();
        for keyword in keywords {
            let Some(name) = &keyword.arg else {
                return Err(unreadable(self.source(&keyword.value)));
            };
            let given = self.given(&keyword.value, depth)?;
            fields.insert(name.to_string(), given);
        }
        Ok(fields)
    }

    fn keyword(
        &mut self,
        keywords: &[Keyword],
        name: &str,
        depth: usize,
    ) -> Result<Option<Value>, Refused> {
        let named = |keyword: &&Keyword| keyword.arg.as_ref().is_some_and(|arg| arg == name);
        match keywords.iter().find(named) {
            Some(keyword) => self.value(&keyword.value, depth).map(Some),
            None => Ok(None),
        }
    }
}
