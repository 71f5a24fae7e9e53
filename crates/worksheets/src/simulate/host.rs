use std::convert::Infallible;

use super::action;
use super::asked;
use super::draw::Draw;
use super::random::Random;
use crate::agenda::{Effect, Host, Next};
use crate::desk::Desk;
use crate::fit::python_text;
use crate::sheets::{FieldKind, Sheet, SheetKind};
use crate::state::{State, Value};

/// The most rows of an answer.
const MOST_ROWS: u64 = 5;

/// A backend and a knowledge base that draw what they answer, failures included. Where the
/// owner has real ones, these stand for everything that they may do.
pub(super) struct Drawn<'a, 's> {
    pub(super) draw: &'a Draw<'s>,
    pub(super) random: Random,
    /// What each step found and came to.
    pub(super) steps: Vec<Step>,
}

/// A step of the loop that left the agenda.
#[derive(Clone, Debug)]
pub struct Step {
    /// What was needed.
    pub next: Next,
    /// The state at that moment.
    pub state: State,
    /// What came of it.
    pub effect: Effect,
}

impl Host for Drawn<'_, '_> {
    type Error = Infallible;

    fn perform(&mut self, next: &Next, desk: Desk<'_>) -> Result<Effect, Infallible> {
        let state = desk.state().clone();
        let effect = match next {
            Next::Query { text, .. } => self.query(text),
            Next::Action { .. } if self.random.chance(4) => failure("ActionError"),
            Next::Action { place, code, .. } => {
                action::run(self.draw, &mut self.random, desk, place, code)
            }
            Next::Call { record, .. } => self.call(&state, record),
            Next::Acts(_) => Effect::Ops(Vec::new()),
        };
        self.steps.push(Step {
            next: next.clone(),
            state,
            effect: effect.clone(),
        });
        Ok(effect)
    }
}

impl Drawn<'_, '_> {
    fn query(&mut self, text: &str) -> Effect {
        let sheets = self.draw.sheets.all().iter();
        let tables: Vec<&Sheet> = sheets.filter(|s| s.kind == SheetKind::Kb).collect();
        let named = tables.iter().find(|table| text.starts_with(&table.name));
        let table = named.or_else(|| self.random.pick(&tables)).copied();
        let Some(table) = table.filter(|_| !self.random.chance(8)) else {
            return Effect::NoAnswer("nobody knows".to_owned());
        };
        let tables = vec![table.name.clone()];
        let known = self.draw.rows(&table.name);
        let required = table.fields.iter().filter(|field| field.required);
        let required = required.filter(|it| known.is_empty() || !asked::names(text, &it.name));
        let missing: Vec<String> = required
            .map(|field| format!("{}.{}", table.name, field.name))
            .filter(|column| !text.contains(&format!("{column}: ")))
            .collect();
        // A question with parameters has had its turn; else half of them name every column.
        if !missing.is_empty()
            && (text.contains(&format!("{}.", table.name)) || self.random.chance(50))
        {
            return Effect::Missing { tables, missing };
        }
        if !known.is_empty() {
            let found = || known.iter().filter(|row| asked::fits(text, row)).cloned();
            return Effect::Rows {
                tables,
                sql: None,
                rows: (0..MOST_ROWS).zip(found()).map(|(_, row)| row).collect(),
                total: found().count().try_into().unwrap_or(u64::MAX),
            };
        }
        let count = match self.random.below(100) {
            0..15 => 0,
            15..60 => 1,
            _ => 2 + self.random.below(4),
        };
        let rows = (0..count)
            .map(|_| self.draw.row(&mut self.random, table))
            .collect();
        let total = if count < MOST_ROWS {
            count
        } else {
            count + self.random.below(30)
        };
        Effect::Rows {
            tables,
            sql: None,
            rows,
            total,
        }
    }

    fn call(&mut self, state: &State, record: &str) -> Effect {
        let sheet = state
            .task(record)
            .and_then(|(_, task)| self.draw.sheets.get(&task.sheet));
        match self.random.below(100) {
            0..8 => failure("BackendError"),
            8..16 => {
                let fields = sheet.map_or(&[][..], |sheet| &sheet.fields).iter();
                let input: Vec<_> = fields.filter(|f| f.kind == FieldKind::Input).collect();
                match self.random.pick(&input) {
                    Some(field) => Effect::FieldError {
                        field: field.name.clone(),
                        message: "it is not to be had".to_owned(),
                    },
                    None => failure("BackendError"),
                }
            }
            _ => Effect::Result(self.draw.result(&mut self.random, sheet)),
        }
    }
}

fn failure(error: &str) -> Effect {
    Effect::Failed {
        error: error.to_owned(),
        message: "it does not work now".to_owned(),
    }
}

/// A value as the user says it in a question.
pub(super) fn spoken(value: Option<&Value>) -> String {
    value
        .map(|value| python_text(&value.json()))
        .unwrap_or_default()
}
