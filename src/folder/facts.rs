//! `claims.toml`: the rows that replies are checked by, and the words for them.

use super::assemble::optional;
use crate::claims::Knowledge;
use crate::domain::{Facts, Row, World};
use crate::error::{Error, Result};
use async_trait::async_trait;
use serde::Deserialize;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub const FILE: &str = "claims.toml";

/// The most rows that replies are checked by. A state with more is not compared with.
const MOST: usize = 5000;

/// The part of the file that says where the rows are. The others are the schema.
#[derive(Deserialize)]
struct Sources {
    rows: Vec<Source>,
}

/// Where rows are: a file of the folder, or a place in the state of a world.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Source {
    /// A file of JSON Lines.
    File(PathBuf),
    /// The keys that lead to a list of records, or to an object whose keys name them.
    State(Vec<String>),
}

/// The rows of a folder.
struct FolderFacts {
    schema: String,
    /// The slot that names a row.
    key: String,
    /// Those of files.
    fixed: Vec<Row>,
    state: Vec<Vec<String>>,
}

/// What replies about a folder's domain are checked by, if its folder says it.
///
/// # Errors
/// The file, or one that it names, is wrong.
pub fn facts(path: &Path) -> Result<Option<Arc<dyn Facts>>> {
    let at = path.join(FILE);
    let Some(text) = optional(&at)? else {
        return Ok(None);
    };
    let wrong = |problem: String| Error::Content {
        path: at.clone(),
        problem,
    };
    let mut schema: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| wrong(error.to_string().trim_end().to_owned()))?;
    let Sources { rows } = toml::from_str(&text)
        .map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
    schema.remove("rows");
    let key = schema
        .get("key")
        .and_then(toml::Value::as_str)
        .unwrap_or("name");
    let mut facts = FolderFacts {
        key: key.to_owned(),
        schema: schema.to_string(),
        fixed: Vec::new(),
        state: Vec::new(),
    };
    for source in rows {
        match source {
            Source::File(file) => facts.fixed.extend(rows_of(&path.join(file), &facts.key)?),
            Source::State(keys) => facts.state.push(keys),
        }
    }
    Knowledge::read(&facts.schema, "en", facts.fixed.clone())
        .map_err(|error| wrong(error.to_string()))?;
    Ok(Some(Arc::new(facts)))
}

/// The rows of a file of JSON Lines.
fn rows_of(path: &Path, key: &str) -> Result<Vec<Row>> {
    let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let rows = lines.map(|(at, line)| {
        let wrong = |problem: String| Error::Content {
            path: path.to_owned(),
            problem: format!("line {}: {problem}", at + 1),
        };
        let record: Json = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        row(&record, None, key).ok_or_else(|| wrong(format!("no record with a text `{key}`")))
    });
    rows.collect()
}

/// A record as a row: its texts, numbers and truth values. `named` is the key under which it is
/// kept, which names it if no slot does.
fn row(record: &Json, named: Option<&str>, key: &str) -> Option<Row> {
    let slots = record.as_object()?.iter().filter_map(|(slot, value)| {
        let text = match value {
            Json::String(text) => text.clone(),
            Json::Number(number) => number.to_string(),
            Json::Bool(truth) => truth.to_string(),
            Json::Null | Json::Array(_) | Json::Object(_) => return None,
        };
        Some((slot.clone(), text))
    });
    let mut row: Row = slots.collect();
    if let (None, Some(name)) = (row.get(key), named) {
        row.insert(key.to_owned(), name.to_owned());
    }
    row.get(key)
        .is_some_and(|name| !name.trim().is_empty())
        .then_some(row)
}

#[async_trait]
impl Facts for FolderFacts {
    fn schema(&self) -> &str {
        &self.schema
    }

    async fn rows(&self, world: &dyn World, _words: &str) -> Result<Vec<Row>> {
        let mut rows = self.fixed.clone();
        let state = (!self.state.is_empty())
            .then(|| world.state_value())
            .flatten();
        for keys in &self.state {
            let Some(records) = state.as_ref().and_then(|state| state.get(keys)) else {
                continue;
            };
            match records.to_json() {
                Json::Array(list) => {
                    rows.extend(
                        list.iter()
                            .filter_map(|record| row(record, None, &self.key)),
                    );
                }
                Json::Object(records) => {
                    let named = records.iter();
                    rows.extend(named.filter_map(|(name, it)| row(it, Some(name), &self.key)));
                }
                _ => {}
            }
        }
        if rows.len() > MOST {
            rows.clear();
        }
        Ok(rows)
    }
}
