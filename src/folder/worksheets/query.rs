//! Answers to questions: the model writes a formal query where the program has none, and the
//! database answers it.

use super::turn::Turn;
use crate::error::Result;
use crate::llm::{Message, Role};
use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use worksheets::{Effect, State};

/// The earlier questions that the model is shown: "another one" needs them.
const EARLIER: usize = 3;

/// What came of a question, in the form of the conformance cases. Where the program has the
/// statement, or no model is there, words decide about texts. Without a model, what has no statement
/// and what a model has read before are answered as they were.
///
/// # Errors
/// The model or the database failed.
pub async fn answered(
    turn: &Turn<'_>,
    (query, text): (&str, &str),
    (sql, before): (Option<&str>, Option<&Json>),
    state: &State,
) -> Result<Json> {
    let knowledge = &turn.worksheets.knowledge;
    let params = state
        .query(query)
        .map_or_else(IndexMap::new, |query| query.params.clone());
    if let Some(sql) = sql {
        return Ok(got(knowledge.ask(sql, &params, None).await?, sql));
    }
    let Some(model) = turn.following.model else {
        let Some(before) = before.and_then(Json::as_object) else {
            return Ok(
                json!({"error": "no query is recorded for the question, and no model is there"}),
            );
        };
        return Ok(match before.get("sql").and_then(Json::as_str) {
            Some(sql) if !reads_texts(sql) => got(knowledge.ask(sql, &params, None).await?, sql),
            _ => {
                let told = before.iter();
                let told = told.filter(|(key, it)| *key != "var" && !it.is_null());
                Json::Object(told.map(|(key, it)| (key.clone(), it.clone())).collect())
            }
        });
    };
    if knowledge.is_empty() {
        return Ok(json!({"error": "there is nothing to look that up in"}));
    }
    let mut messages = vec![
        Message::new(
            Role::System,
            format!("{INSTRUCTIONS}\n\n{}", knowledge.schema()),
        ),
        Message::new(Role::User, format!("{}{text}", earlier(state))),
    ];
    let mut answer = statement(&model.ask(messages.clone()).await?);
    let mut effect = knowledge.ask(&answer, &params, Some(model)).await?;
    if let Effect::NoAnswer(why) = &effect {
        let again = format!("{REPAIR} {why}");
        messages.push(Message::new(Role::Assistant, answer.as_str()));
        messages.push(Message::new(Role::User, again));
        answer = statement(&model.ask(messages).await?);
        effect = knowledge.ask(&answer, &params, Some(model)).await?;
    }
    Ok(got(effect, &answer))
}

const INSTRUCTIONS: &str = "\
You translate a question into one SQL query for SQLite on the tables below, and write nothing but \
the query.
- Select the columns that the question is about, with the key. At most 5 rows: LIMIT 5.
- Compare texts without regard to case: lower(name) = 'x', or LIKE '%x%'.
- Compare only what the question says. A value that it does not say is left out.
- On documents write answer(documents, 'question') alone, without SELECT.
- answer(column, 'question') = 'Yes' as a condition asks something of a text column; in the select \
list, answer(column, 'question') and summary(column) read it.";

const REPAIR: &str = "That query can not be used. Write another one.";

/// Whether a model may have read a text for this statement, which no database answers again.
fn reads_texts(sql: &str) -> bool {
    let sql = sql.to_lowercase();
    sql.contains("answer") || sql.contains("summary")
}

/// The last questions with their queries.
fn earlier(state: &State) -> String {
    let queries = state
        .records
        .iter()
        .rev()
        .filter_map(|record| record.query());
    let asked = queries.filter_map(|query| Some((&query.question, query.sql.as_ref()?)));
    let mut asked: Vec<String> = asked
        .take(EARLIER)
        .map(|(question, sql)| format!("Asked before: {question}\n{sql}\n"))
        .collect();
    asked.reverse();
    match asked.is_empty() {
        true => String::new(),
        false => format!("{}\nNow: ", asked.join("")),
    }
}

/// The statement in an answer, without the marks of a block of code.
fn statement(answer: &str) -> String {
    let text = answer.trim();
    let text = match text.split_once("```") {
        Some((_, rest)) => {
            let inner = rest.split_once("```").map_or(rest, |(inner, _)| inner);
            inner
                .strip_prefix("sql")
                .or(inner.strip_prefix("sqlite"))
                .unwrap_or(inner)
        }
        None => text,
    };
    text.trim().trim_end_matches(';').trim().to_owned()
}

fn got(effect: Effect, asked: &str) -> Json {
    match effect {
        Effect::Rows {
            tables,
            sql,
            rows,
            total,
        } => {
            let sql = sql.unwrap_or_else(|| asked.to_owned());
            json!({"sql": sql, "tables": tables, "rows": rows, "total": total})
        }
        Effect::Missing { tables, missing } => json!({"tables": tables, "missing": missing}),
        Effect::NoAnswer(error) => json!({ "error": error }),
        other => json!({"error": format!("the database gave {other:?}")}),
    }
}
