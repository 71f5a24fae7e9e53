//! Worlds whose state is one JSON value, as the page shows them: a tree, whose paths are JSON
//! pointers.

use crate::domain::World;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use serde_json::Value as Json;
use web_desk::{Answer, Content, Entry, Look, Page, Refusal, Step};

/// How many entries a page has.
const A_PAGE: usize = 1000;

fn state(world: &dyn World) -> Answer<Json> {
    let state = world.state_value().map(|state| state.to_json());
    state
        .ok_or_else(|| Refusal::Missing("this world cannot be looked at: ask the agent".to_owned()))
}

fn at<'a>(state: &'a Json, path: &str) -> Answer<&'a Json> {
    let found = state.pointer(path.trim_end_matches('/'));
    found.ok_or_else(|| Refusal::Missing(format!("there is nothing at {path}")))
}

/// One page of what is in an object or a list.
pub fn page(world: &dyn World, look: &Look) -> Answer<Page> {
    let state = state(world)?;
    let here = at(&state, &look.path)?;
    let members: Vec<(String, &Json)> = match here {
        Json::Object(map) => map
            .iter()
            .map(|(name, value)| (name.clone(), value))
            .collect(),
        Json::Array(list) => {
            let list = list.iter().enumerate();
            list.map(|(index, value)| (index.to_string(), value))
                .collect()
        }
        _ => Vec::new(),
    };
    let begin: usize = look
        .after
        .as_deref()
        .unwrap_or("0")
        .parse()
        .unwrap_or_default();
    let find = look.find.as_deref().unwrap_or_default().to_lowercase();
    let base = look.path.trim_end_matches('/');
    let shown = members.iter().skip(begin).take(A_PAGE);
    let found = shown.filter(|(name, _)| name.to_lowercase().contains(&find));
    let entries = found.map(|(name, value)| {
        let step = name.replace('~', "~0").replace('/', "~1");
        let folder = matches!(value, Json::Object(_) | Json::Array(_));
        Entry {
            name: match folder {
                true => name.clone(),
                false => format!("{name}: {value}"),
            },
            path: format!("{base}/{step}{}", if folder { "/" } else { "" }),
            folder,
            ..Entry::default()
        }
    });
    Ok(Page {
        way: way(&look.path),
        entries: entries.collect(),
        more: (members.len() > begin + A_PAGE).then(|| (begin + A_PAGE).to_string()),
        looked_at: members.len().saturating_sub(begin).min(A_PAGE),
        ..Page::default()
    })
}

fn way(path: &str) -> Vec<Step> {
    let mut whole = String::new();
    let steps = path.split('/').filter(|step| !step.is_empty()).map(|step| {
        whole = format!("{}/{step}/", whole.trim_end_matches('/'));
        Step {
            name: step.replace("~1", "/").replace("~0", "~"),
            path: whole.clone(),
        }
    });
    steps.collect()
}

/// A value as text.
pub fn read(world: &dyn World, path: &str, last: Option<u64>) -> Answer<Content> {
    let state = state(world)?;
    let text = format!("{:#}\n", at(&state, path)?);
    let size = u64::try_from(text.len()).ok();
    let last = last.and_then(|last| usize::try_from(last).ok());
    let start = last.map_or(0, |last| text.len().saturating_sub(last));
    let bytes = stream::once(async move { Ok(Bytes::from(text).slice(start..)) });
    Ok(Content {
        size,
        bytes: bytes.boxed(),
    })
}
