use super::{Scope, Val, View};
use crate::state::{Status, Value};

impl<'a> View<'a> {
    /// A bare name: a field, or where none of that name has a value, a record's variable.
    pub(super) fn name(&self, name: &'a str, scope: Scope<'a>) -> Val<'a> {
        match name {
            "NA" => return Val::Text("NA".into()),
            "self" => return scope.me.map_or(Val::None, Val::Record),
            "value" if scope.value.is_some() => {
                return scope.value.map_or(Val::None, |value| self.value(value));
            }
            _ => {}
        }
        match self.field_named(name, scope.me) {
            Some(value) if !matches!(value, Val::None) => value,
            _ => self.place(name).map_or(Val::None, Val::Record),
        }
    }

    /// The field of a name: of this record; else of the nearest above it that has one; else
    /// of the open roots, last touched first, and what is below them; else of the latest
    /// record that has one.
    pub(super) fn field_named(&self, name: &str, me: Option<usize>) -> Option<Val<'a>> {
        let mut at = me;
        for _ in 0..=self.state.records.len() {
            let Some(here) = at else { break };
            if let Some(field) = self.has(here, name) {
                return Some(self.slot(here, field));
            }
            at = self.above(here);
        }
        let known = self.elsewhere.borrow().get(name).copied();
        let found = known.unwrap_or_else(|| {
            let found = self.search(name);
            let name = name.to_owned();
            self.elsewhere.borrow_mut().insert(name, found);
            found
        });
        found.map(|(here, field)| self.slot(here, field))
    }

    /// The first record that has a field of a name, wherever it stands: the same for all
    /// records that ask.
    fn search(&self, name: &str) -> Option<(usize, usize)> {
        for root in self.state.focus.iter().rev() {
            let mut open: Vec<usize> = self.place(root).into_iter().collect();
            let mut seen = 0;
            while let Some(here) = open.pop() {
                if let Some(field) = self.has(here, name) {
                    return Some((here, field));
                }
                open.extend(self.below(here).into_iter().rev());
                seen += 1;
                if seen > self.state.records.len() {
                    break;
                }
            }
        }
        (0..self.state.records.len())
            .rev()
            .find_map(|here| Some((here, self.has(here, name)?)))
    }

    /// An attribute of a value: a field, a column, or a key. What is not there is `None`.
    pub(super) fn attribute(&self, of: &Val<'a>, name: &str) -> Val<'a> {
        match of {
            Val::Record(at) => match self.state.records.get(*at).and_then(|r| r.query()) {
                Some(query) if name == "result" => {
                    Val::List((0..query.rows.len()).map(|i| Val::Row(*at, i)).collect())
                }
                Some(_) => Val::None,
                None => self
                    .has(*at, name)
                    .map_or(Val::None, |field| self.slot(*at, field)),
            },
            Val::Row(..) => self
                .columns(of)
                .and_then(|row| row.get(name))
                .map_or(Val::None, Val::of),
            Val::Object(map) => map.get(name).map_or(Val::None, Val::of),
            _ => Val::None,
        }
    }

    pub(super) fn columns(
        &self,
        row: &Val<'a>,
    ) -> Option<&'a serde_json::Map<String, serde_json::Value>> {
        match row {
            Val::Row(query, at) => self.state.records.get(*query)?.query()?.rows.get(*at),
            _ => None,
        }
    }

    /// Whether a record of a sheet is done; nothing if there is no such sheet.
    pub(super) fn is_done(&self, sheet: &str) -> Option<bool> {
        self.sheets.get(sheet)?;
        Some(self.state.records.iter().any(|record| {
            record.status == Status::Done && record.task().is_some_and(|task| task.sheet == sheet)
        }))
    }

    /// What a slot reads as (section 1.5).
    fn slot(&self, record: usize, field: usize) -> Val<'a> {
        let Some(slot) = self.stored(record, field) else {
            return Val::None;
        };
        // Nothing reads as a value or a refusal where nothing stands.
        if slot.value.is_none() && !slot.declined {
            return Val::None;
        }
        if !self.counts(record, field) {
            return Val::None;
        }
        match &slot.value {
            Some(value) => self.value(value),
            None => Val::Text("NA".into()),
        }
    }

    pub(super) fn value(&self, value: &'a Value) -> Val<'a> {
        match value {
            Value::Plain(json) => Val::of(json),
            Value::List(items) => Val::List(items.iter().map(|item| self.value(item)).collect()),
            Value::Record(var) => self.place(var).map_or(Val::None, Val::Record),
            Value::Row(var, at) => self.place(var).map_or(Val::None, |q| Val::Row(q, *at)),
            Value::Result(_) => Val::None,
        }
    }
}
