use std::collections::BTreeMap;

use serde::Serialize;

use super::operations::{Operation, acts, executions, operations};
use crate::dialogue::Played;
use crate::sheets::Sheets;

/// How often something went wrong in one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Mistake {
    /// It should have been there.
    pub missing: u64,
    /// It should not have been there.
    pub extra: u64,
    /// It was there with another value.
    pub other_value: u64,
}

/// The mistakes by what they concern: `set Main.full_name`, `Ask Main.full_name`, `call book`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Errors(pub BTreeMap<String, Mistake>);

impl Errors {
    /// Adds what differs in a turn.
    pub fn add(&mut self, sheets: &Sheets, gold: &Played, found: &Played) {
        let [wanted, ours] = [gold, found].map(|played| operations(sheets, played));
        let key = |op: &Operation| format!("{} {}", op.kind, op.place);
        let in_place = |op: &Operation, all: &std::collections::BTreeSet<Operation>| {
            all.iter().any(|other| key(other) == key(op))
        };
        for op in wanted.difference(&ours) {
            let mistake = self.at(&key(op));
            match in_place(op, &ours) {
                true => mistake.other_value += 1,
                false => mistake.missing += 1,
            }
        }
        for op in ours.difference(&wanted) {
            if !in_place(op, &wanted) {
                self.at(&key(op)).extra += 1;
            }
        }
        let sets = [
            (acts(gold), acts(found), ""),
            (executions(gold), executions(found), "execution "),
        ];
        for (wanted, ours, what) in &sets {
            for missing in wanted.difference(ours) {
                self.at(&short(what, missing)).missing += 1;
            }
            for extra in ours.difference(wanted) {
                self.at(&short(what, extra)).extra += 1;
            }
        }
    }

    /// Adds the mistakes of another dialogue.
    pub fn merge(&mut self, other: &Self) {
        for (what, mistake) in &other.0 {
            let into = self.0.entry(what.clone()).or_default();
            into.missing += mistake.missing;
            into.extra += mistake.extra;
            into.other_value += mistake.other_value;
        }
    }

    fn at(&mut self, what: &str) -> &mut Mistake {
        // Which of several records it was does not count.
        let mut name = String::new();
        let mut chars = what.chars().peekable();
        while let Some(c) = chars.next() {
            if c == '#' {
                while chars.next_if(char::is_ascii_digit).is_some() {}
            } else {
                name.push(c);
            }
        }
        self.0.entry(name.trim_end().to_owned()).or_default()
    }

    /// The table as text, the most frequent first.
    pub fn text(&self) -> String {
        let mut rows: Vec<(&String, &Mistake)> = self.0.iter().collect();
        let count = |mistake: &Mistake| mistake.missing + mistake.extra + mistake.other_value;
        rows.sort_by_key(|(_, mistake)| std::cmp::Reverse(count(mistake)));
        let mut out = format!("{:>7} {:>7} {:>7}\n", "missing", "extra", "other");
        for (what, mistake) in rows {
            let Mistake {
                missing,
                extra,
                other_value,
            } = mistake;
            out.push_str(&format!(
                "{missing:>7} {extra:>7} {other_value:>7}  {what}\n"
            ));
        }
        out
    }
}

/// Rows and arguments are left out of the table.
fn short(what: &str, text: &str) -> String {
    let text = match what.is_empty() {
        true => match text.split_once(": [") {
            Some((before, _)) => format!("{before})"),
            None => text.to_owned(),
        },
        false => text.split(['(', ':']).next().unwrap_or_default().to_owned(),
    };
    format!("{what}{text}")
}
