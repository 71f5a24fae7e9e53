//! The contents of a state, for people.

use super::diff::{Difference, differences, lines, shown};
use super::world::SET;
use crate::domain::{Change, ChangeKind, ContentEntry, Contents, StateValue, Value, World};
use crate::error::{Error, Result};
use async_trait::async_trait;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The state itself: what stands at its top are the containers, and what stands in those
/// are the things.
pub struct FolderContents;

#[async_trait]
impl Contents for FolderContents {
    async fn summary(&self, world: &dyn World) -> Result<Json> {
        let unknown = || Error::world(format!("{} does not show its state", world.describe()));
        Ok(world.state_value().ok_or_else(unknown)?.to_json())
    }

    fn changes(&self, before: &Json, after: &Json) -> Result<Vec<Change>> {
        let (before, after) = (StateValue::from_json(before), StateValue::from_json(after));
        Ok(changes_between(&before, &after))
    }

    fn entries(&self, summary: &Json) -> Result<Vec<ContentEntry>> {
        let state = StateValue::from_json(summary);
        let mut entries = Vec::new();
        for (key, value) in state.pairs().into_iter().flatten() {
            let records = value.pairs();
            entries.push(ContentEntry {
                is_container: true,
                name: key.to_string(),
                about: match records.map(indexmap::IndexMap::len) {
                    Some(1) => "1 record".to_owned(),
                    Some(count) => format!("{count} records"),
                    None => shown(value),
                },
            });
            let records = records.into_iter().flatten();
            entries.extend(records.map(|(name, record)| ContentEntry {
                is_container: false,
                name: format!("{name}  {}", shown(record)),
                about: String::new(),
            }));
        }
        Ok(entries)
    }

    fn nothing(&self) -> &str {
        "an empty state"
    }

    fn counts(&self, summary: &Json) -> Result<BTreeMap<String, usize>> {
        let counts = summary.as_object().into_iter().flatten();
        let counts = counts.filter_map(|(key, value)| {
            let length = value.as_object().map(serde_json::Map::len);
            Some((
                key.clone(),
                length.or_else(|| value.as_array().map(Vec::len))?,
            ))
        });
        Ok(counts.collect())
    }

    async fn holdings(&self, world: &dyn World) -> Result<Vec<String>> {
        let summary = self.summary(world).await?;
        let keys = summary.as_object().into_iter().flatten();
        Ok(keys.map(|(key, _)| key.clone()).collect())
    }

    async fn restore(&self, from: &dyn World, into: &dyn World) -> Result<()> {
        set(into, &self.summary(from).await?).await
    }

    async fn clear(&self, world: &dyn World) -> Result<()> {
        set(world, &json!({})).await
    }
}

/// The changes from one state to another one. Of states that share most of what they hold,
/// only the rest is compared.
pub fn changes_between(before: &StateValue, after: &StateValue) -> Vec<Change> {
    let change = |it: Difference<'_>| {
        let (kind, sign) = match (it.before, it.after) {
            (None, _) => (ChangeKind::Created, '+'),
            (_, None) => (ChangeKind::Deleted, '-'),
            _ => (ChangeKind::Overwritten, '~'),
        };
        let (place, about) = (it.keys.join("/"), lines(it.before, it.after).join("; "));
        Change {
            kind,
            line: format!("{sign} {place}  {about}").trim_end().to_owned(),
            keeps_state: false,
            details: json!({
                "place": it.keys,
                "before": it.before.map(StateValue::to_json),
                "after": it.after.map(StateValue::to_json),
            }),
        }
    };
    let differences = differences(before, after).into_iter();
    differences.map(change).collect()
}

/// Replaces the whole state.
async fn set(world: &dyn World, state: &Json) -> Result<()> {
    let params = Value::Map(vec![
        ("path".into(), Value::List(Vec::new())),
        ("value".into(), StateValue::from_json(state).to_value()),
    ]);
    let answer = world.call_once(SET, &params).await?;
    answer
        .map(drop)
        .map_err(|refusal| Error::world(refusal.message))
}
