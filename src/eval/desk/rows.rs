//! The assistant that has the rows in its prompt (paper, section 3).

use super::assistant::{Assistant, Reply};
use crate::error::Result;
use crate::llm::{CutPrompt, Message, Model, Request, Role};
use async_trait::async_trait;
use serde_json::{Map, Value as Json};
use std::sync::Arc;
use typed_claims::Row;
use typed_claims::simulate::{Answer, Utterance};

/// The most tokens of an answer.
const TOKENS: u32 = 512;

/// The slots that the paper's prompt leaves out.
const HIDDEN: [&str; 4] = ["id", "introduction", "location", "type"];

/// What the assistant is told, with a place for the rows.
pub(super) fn role(language: &str) -> &'static str {
    match language {
        "de" => include_str!("rows.de.txt"),
        _ => include_str!("rows.en.txt"),
    }
}

/// A model that is shown the rows, and sees no programs.
pub(super) struct RowsInPrompt {
    model: Arc<dyn Model>,
    request: Request,
}

impl RowsInPrompt {
    pub fn new(
        model: Arc<dyn Model>,
        language: &str,
        rows: &[Row],
        (temperature, seed): (f32, u64),
    ) -> RowsInPrompt {
        let lines = rows.iter().map(line).collect::<Vec<_>>();
        let prompt = role(language).replace("{rows}", &lines.join("\n"));
        let request = Request {
            messages: vec![Message::new(Role::System, prompt)],
            max_tokens: TOKENS,
            temperature,
            stop: Vec::new(),
            seed: Some(seed),
            grammar: None,
        };
        RowsInPrompt { model, request }
    }
}

/// A row as a line of the prompt: its slots in the order of their names.
fn line(row: &Row) -> String {
    let mut slots: Vec<_> = row
        .iter()
        .filter(|(slot, _)| !HIDDEN.contains(&slot.as_str()))
        .map(|(slot, value)| (slot.clone(), Json::from(value.as_str())))
        .collect();
    slots.sort_by(|one, other| one.0.cmp(&other.0));
    format!("- {}", Json::Object(Map::from_iter(slots)))
}

#[async_trait]
impl Assistant for RowsInPrompt {
    async fn answer(&mut self, said: &Utterance) -> Result<Reply> {
        let messages = &mut self.request.messages;
        messages.push(Message::new(Role::User, said.text.clone()));
        let answer = self.model.complete(&self.request, &mut |_| {}).await?;
        let cut_prompt = CutPrompt::of(&self.request, &answer.usage).is_some();
        let text = answer.text.trim().to_owned();
        let said = Message::new(Role::Assistant, text.clone());
        self.request.messages.push(said);
        let programs = Vec::new();
        Ok(Reply {
            cut_prompt,
            ..Reply::said(Answer { text, programs })
        })
    }
}
