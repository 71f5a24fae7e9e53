//! The canonical state, which signatures and scores compare (section 6.4).

use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};

use crate::sheets::{Sheets, Type};
use crate::state::{Record, Slot, State, Value};

/// RFC 8785 JSON of what counts of a state: no counters, no wording of questions, texts only
/// by their presence, records by their path from the root.
pub fn canonical(sheets: &Sheets, state: &State) -> String {
    let names = Names { state };
    let records: Vec<Json> = state
        .records
        .iter()
        .map(|record| names.record(sheets, record))
        .collect();
    let focus: Vec<String> = state.focus.iter().map(|var| names.path(var)).collect();
    let whole = json!({ "records": records, "focus": focus });
    serde_json_canonicalizer::to_string(&whole).unwrap_or_else(|_| whole.to_string())
}

pub(crate) struct Names<'s> {
    pub(crate) state: &'s State,
}

impl Names<'_> {
    /// `Main#0.courses_to_take.course_0_details`: the root's sheet, which of its roots it is,
    /// and the fields down to the record; of queries, which one it is.
    pub(crate) fn path(&self, var: &str) -> String {
        let mut fields = Vec::new();
        let mut at = var;
        while let Some((above, field)) = self.state.holder(at) {
            fields.push(field);
            at = above;
            if fields.len() > self.state.records.len() {
                break;
            }
        }
        let kind = |record: &Record| match record.task() {
            Some(task) => task.sheet.clone(),
            None => "answer".to_owned(),
        };
        let root = self.state.get(at).map(kind).unwrap_or_default();
        let before = self
            .state
            .records
            .iter()
            .take_while(|record| record.var != at)
            .filter(|r| kind(r) == root && self.state.holder(&r.var).is_none())
            .count();
        let mut path = format!("{root}#{before}");
        for field in fields.iter().rev() {
            path.push('.');
            path.push_str(field);
        }
        path
    }

    pub(crate) fn record(&self, sheets: &Sheets, record: &Record) -> Json {
        let mut out = Map::new();
        out.insert("path".to_owned(), self.path(&record.var).into());
        out.insert("status".to_owned(), record.status.name().into());
        if let Some(task) = record.task() {
            let sheet = sheets.get(&task.sheet);
            let mut fields = Map::new();
            for (name, slot) in &task.fields {
                let ty = sheet
                    .and_then(|s| s.fields.get(s.field(name)?))
                    .map(|f| &f.ty);
                let slot = self.slot(ty, slot);
                if slot != json!({}) {
                    fields.insert(name.clone(), slot);
                }
            }
            out.insert("fields".to_owned(), Json::Object(fields));
            if let Some(result) = &task.result {
                out.insert("result".to_owned(), result.clone());
            }
            if let Some(failed) = &task.failed {
                out.insert("failed".to_owned(), json!(failed.error));
            }
        }
        if let Some(query) = record.query() {
            let mut rows: Vec<String> = query
                .rows
                .iter()
                .map(|row| serde_json_canonicalizer::to_string(row).unwrap_or_default())
                .collect();
            let ordered = query
                .sql
                .as_ref()
                .is_some_and(|sql| sql.to_uppercase().contains("ORDER BY"));
            if !ordered {
                rows.sort();
            }
            let rows = hex(&Sha256::digest(format!("[{}]", rows.join(","))));
            out.insert("rows".to_owned(), rows.into());
            out.insert("tables".to_owned(), json!(query.tables));
            out.insert("total".to_owned(), json!(query.total));
            out.insert("missing".to_owned(), json!(query.missing));
            out.insert("params".to_owned(), json!(query.params));
        }
        Json::Object(out)
    }

    fn slot(&self, ty: Option<&Type>, slot: &Slot) -> Json {
        let mut out = Map::new();
        if let Some(value) = &slot.value {
            out.insert("value".to_owned(), self.value(ty, value));
        }
        for (name, mark) in [("confirmed", slot.confirmed), ("declined", slot.declined)] {
            if mark {
                out.insert(name.to_owned(), true.into());
            }
        }
        Json::Object(out)
    }

    pub(crate) fn value(&self, ty: Option<&Type>, value: &Value) -> Json {
        match (ty, value) {
            (Some(Type::Text), Value::Plain(_)) => true.into(),
            (Some(Type::Str), Value::Plain(Json::String(text))) => {
                let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
                words.join(" ").into()
            }
            (_, Value::Plain(json)) => json.clone(),
            (ty, Value::List(items)) => {
                let ty = ty.map(Type::item);
                items.iter().map(|item| self.value(ty, item)).collect()
            }
            (_, Value::Record(var)) => json!({ "ref": self.path(var) }),
            (_, Value::Result(var)) => json!({ "result": self.path(var) }),
            (_, Value::Row(var, at)) => match self.state.row(var, *at) {
                Some(row) => json!({ "row": row }),
                None => Json::Null,
            },
        }
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
