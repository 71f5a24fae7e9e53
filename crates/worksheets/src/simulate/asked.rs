//! Questions about the rows of tables, in plain words: `inns with area south and stars 3`.

use serde_json::{Map, Value as Json};

use super::random::Random;
use crate::fit::python_text;
use crate::sheets::{Sheet, Type};

/// The most characters of a value that users ask for.
const SHORT: usize = 40;

/// A question that this row answers, perhaps with others.
pub(super) fn question(random: &mut Random, table: &Sheet, row: &Map<String, Json>) -> String {
    let columns = table.fields.iter().filter(|field| field.ty != Type::Text);
    let mut values: Vec<String> = columns
        .filter_map(|field| Some((&field.name, python_text(row.get(&field.name)?))))
        .filter(|(_, value)| (1..=SHORT).contains(&value.chars().count()))
        .map(|(name, value)| format!("{} {value}", spaced(name)))
        .collect();
    let mut asked = Vec::new();
    for _ in 0..=random.below(2) {
        let at = random.below(values.len().try_into().unwrap_or(0));
        let at = usize::try_from(at).unwrap_or(0);
        if at < values.len() {
            asked.push(values.remove(at));
        }
    }
    format!("{} with {}", table.name, asked.join(" and "))
}

/// Whether a question names a column.
pub(super) fn names(question: &str, column: &str) -> bool {
    question.contains(&format!(" {} ", spaced(column)))
}

/// Whether a row has every value that a question names, or that was given for it afterwards:
/// `inns.area: south`.
pub(super) fn fits(question: &str, row: &Map<String, Json>) -> bool {
    row.iter().all(|(column, value)| {
        let value = python_text(value);
        let said = [format!(" {} ", spaced(column)), format!(".{column}: ")];
        said.iter().all(|said| {
            let mut parts = question.split(said.as_str()).skip(1);
            parts.all(|rest| rest.starts_with(&value))
        })
    })
}

fn spaced(column: &str) -> String {
    column.replace('_', " ")
}
