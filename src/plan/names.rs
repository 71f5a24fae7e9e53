//! Ids that the world gives to what a plan makes. The draft has given others, and later writes
//! of the plan name those.

use super::Step;
use crate::domain::{Map, Place, Value, Write};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// The world's ids, by those of the draft.
#[derive(Debug, Clone, Default)]
pub(super) struct Names(HashMap<String, String>);

impl Names {
    /// Notes what a write was given. `write` is as the draft recorded it.
    pub fn learn(&mut self, write: &Write, step: &Step) {
        for (name, drafted) in &write.ids {
            if let Some(given) = step.ids.get(name).filter(|given| *given != drafted) {
                self.0.insert(drafted.clone(), given.clone());
            }
        }
    }

    /// A write with the world's ids.
    pub fn write<'w>(&self, write: &'w Write) -> Cow<'w, Write> {
        if self.0.is_empty() {
            return Cow::Borrowed(write);
        }
        let mut named = Write {
            params: self.value(&write.params),
            ..write.clone()
        };
        for touched in Arc::make_mut(&mut named.touched) {
            touched.place = self.place(&touched.place);
            if let Some(given) = touched.made.as_ref().and_then(|id| self.0.get(id)) {
                touched.made = Some(given.clone());
            }
        }
        for id in named.ids.values_mut() {
            *id = self.0.get(id).unwrap_or(id).clone();
        }
        for (place, _) in &mut named.lasting {
            *place = self.place(place);
        }
        Cow::Owned(named)
    }

    /// A place with the world's ids: a setting ends with the id that it is about.
    pub fn place(&self, place: &Place) -> Place {
        let renamed = place.setting().and_then(|setting| {
            let (what, id) = setting.rsplit_once(' ')?;
            Some(format!("{what} {}", self.0.get(id)?))
        });
        match renamed {
            Some(setting) => place.clone().with_setting(setting),
            None => place.clone(),
        }
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Str(text) => match self.0.get(text) {
                Some(given) => Value::Str(given.clone()),
                None => value.clone(),
            },
            Value::List(items) => Value::List(items.iter().map(|it| self.value(it)).collect()),
            Value::Map(pairs) => {
                let pairs = pairs.iter();
                let pairs = pairs.map(|(name, it)| (name.clone(), self.value(it)));
                Value::Map(pairs.collect::<Map>())
            }
            other => other.clone(),
        }
    }
}
