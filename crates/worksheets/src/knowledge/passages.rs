use rusqlite::Connection;
use serde_json::{Map, json};

use super::Knowledge;
use super::load::index;
use super::reader::{Reader, any_of};
use crate::agenda::Effect;
use crate::problem::Problem;
use crate::sheets::Sheet;

/// How many passages are read for an answer.
const BEST: usize = 5;

/// Makes an index of a collection's passages: each heading starts one.
pub(super) fn load(
    connection: &Connection,
    sheet: &Sheet,
    text: &str,
) -> rusqlite::Result<Vec<Problem>> {
    let table = index(sheet);
    connection.execute_batch(&format!(
        "CREATE VIRTUAL TABLE {table} USING fts5(title, text, tokenize = 'porter unicode61')"
    ))?;
    let insert = format!("INSERT INTO {table} (title, text) VALUES (?, ?)");
    let mut insert = connection.prepare(&insert)?;
    for (title, text) in passages(text) {
        insert.execute([title, text])?;
    }
    Ok(Vec::new())
}

fn passages(text: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix('#') {
            Some(title) => {
                let title = title.trim_start_matches('#').trim();
                out.push((title.to_owned(), String::new()));
            }
            None => {
                if out.is_empty() {
                    out.push(Default::default());
                }
                if let Some((_, text)) = out.last_mut() {
                    text.push_str(line.trim_end());
                    text.push('\n');
                }
            }
        }
    }
    out.retain(|(title, text)| !title.is_empty() || !text.trim().is_empty());
    out.into_iter()
        .map(|(title, text)| (title, text.trim().to_owned()))
        .collect()
}

impl Knowledge<'_> {
    /// The best passages, read once. If none matches there is no row, and nothing is read.
    pub(super) fn collection(
        &mut self,
        sql: &str,
        name: &str,
        question: &str,
        reader: &mut dyn Reader,
    ) -> Result<Effect, String> {
        let Some(sheet) = self.kb(name).filter(|sheet| sheet.fields.is_empty()) else {
            return Err(format!("there is no collection of documents {name}"));
        };
        let (mut titles, mut texts) = (Vec::new(), Vec::new());
        if let Some(words) = any_of(question) {
            let table = index(sheet);
            let best = format!(
                "SELECT title, text FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT {BEST}"
            );
            let failed = |error: rusqlite::Error| error.to_string();
            let mut best = self.connection.prepare(&best).map_err(failed)?;
            let found = best
                .query_map([words], |row| Ok((row.get(0)?, row.get(1)?)))
                .map_err(failed)?;
            for passage in found {
                let (title, text): (String, String) = passage.map_err(failed)?;
                titles.push(title);
                texts.push(text);
            }
        }
        let mut rows = Vec::new();
        if !texts.is_empty() {
            let answer = reader.answer(&texts, question)?;
            if answer.trim().is_empty() {
                return Err("the passages were read, and no answer came back".to_owned());
            }
            let mut row = Map::new();
            row.insert("answer".to_owned(), answer.into());
            row.insert("source".to_owned(), json!(titles));
            rows.push(row);
        }
        Ok(Effect::Rows {
            tables: vec![sheet.name.clone()],
            sql: Some(sql.to_owned()),
            total: rows.len() as u64,
            rows,
        })
    }
}
