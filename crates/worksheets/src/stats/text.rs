use serde_json::{Value as Json, json};

use super::{FieldStats, Stats};
use crate::text::counted;

impl Stats<'_> {
    /// The counts as text: a line a sheet, below it a line a field; a zero is a point.
    pub fn text(&self) -> String {
        let (dialogues, turns) = self.size();
        let (dialogues, turns) = (counted(dialogues, "dialogue"), counted(turns, "turn"));
        let mut out = format!("{dialogues}, {turns}\n");
        for (sheet, fields) in self.rows() {
            let of = self.sheet(sheet);
            out.push_str(&format!(
                "{sheet}: begun {}, finished {}, given up {}, failed {}, handed off {}\n",
                of.begun, of.finished, of.given_up, of.failed, of.handed_off
            ));
            let width = fields.iter().map(|field| field.chars().count()).max();
            let width = width.unwrap_or(0).max(5);
            let head = COLUMNS.map(|(name, _)| format!("{name:>10}")).join("");
            out.push_str(&format!("  {:width$}{head}\n", "field"));
            for field in fields {
                let counts = self.field(sheet, field);
                let cells = COLUMNS.map(|(_, of)| match of(&counts) {
                    0 => format!("{:>10}", "."),
                    count => format!("{count:>10}"),
                });
                out.push_str(&format!("  {field:width$}{}\n", cells.join("")));
            }
        }
        out
    }

    /// The counts as JSON: `{"dialogues", "turns", "sheets": [{"sheet", …, "fields": [{"field",
    /// …}]}]}`, in the order of the sheets.
    pub fn json(&self) -> Json {
        let (dialogues, turns) = self.size();
        let sheets: Vec<Json> = self
            .rows()
            .map(|(sheet, fields)| {
                let fields: Vec<Json> = fields
                    .into_iter()
                    .map(|field| named("field", field, json!(self.field(sheet, field))))
                    .collect();
                let mut out = named("sheet", sheet, json!(self.sheet(sheet)));
                out["fields"] = Json::Array(fields);
                out
            })
            .collect();
        json!({ "dialogues": dialogues, "turns": turns, "sheets": sheets })
    }
}

fn named(key: &str, name: &str, counts: Json) -> Json {
    let mut out = json!({ key: name });
    if let (Json::Object(out), Json::Object(counts)) = (&mut out, counts) {
        out.extend(counts);
    }
    out
}

type Count = fn(&FieldStats) -> u64;

/// The columns of the table of fields.
const COLUMNS: [(&str, Count); 8] = [
    ("asked", |of| of.asked),
    ("answered", |of| of.answered),
    ("refused", |of| of.refused),
    ("invalid", |of| of.invalid),
    ("corrected", |of| of.corrected),
    ("stale", |of| of.stale),
    ("given up", |of| of.given_up),
    ("human", |of| of.handed_off),
];
