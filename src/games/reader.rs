//! A model that reads for the solver of a seat.

use super::Asker;
use crate::llm::{Message, Role};
use decision_games::reading::Reading;
use decision_games::{Extractor, Game, Unread};
use serde_json::Value;

/// Takes facts from talk by a model: one question for what is new, and one more where the answer
/// cannot be used as it is.
pub struct ModelReader {
    asker: Asker,
    reading: Reading,
}

impl ModelReader {
    /// For a seat that has facts.
    pub fn of(game: &dyn Game, seat: usize, asker: Asker) -> Option<ModelReader> {
        let reading = Reading::of(game, seat)?;
        Some(ModelReader { asker, reading })
    }

    fn ask(&mut self, question: String) -> Result<Vec<String>, Unread> {
        let grammar = Some(self.reading.grammar());
        let mut messages = vec![Message::new(Role::System, self.reading.guide())];
        // Small models follow what they see more than what they are told.
        if let Some((asked, answered)) = self.reading.example() {
            messages.push(Message::new(Role::User, asked));
            messages.push(Message::new(Role::Assistant, answered));
        }
        messages.push(Message::new(Role::User, question));
        let answer = self.asker.ask(messages.clone(), grammar.clone());
        let answer = answer.map_err(Unread::Unreached)?;
        let problems = self.reading.take(&answer);
        self.asker.found(&problems);
        if problems.is_empty() {
            return Ok(problems);
        }
        messages.push(Message::new(Role::Assistant, answer));
        messages.push(Message::new(Role::User, Reading::repair(&problems)));
        let answer = self.asker.ask(messages, grammar);
        let problems = self.reading.take(&answer.map_err(Unread::Unreached)?);
        self.asker.found(&problems);
        Ok(problems)
    }
}

impl Extractor for ModelReader {
    fn facts(&mut self, _view: &str, read: &str) -> Result<Vec<Value>, Unread> {
        let problems = match self.reading.ask(read) {
            Some(question) => self.ask(question)?,
            None => Vec::new(),
        };
        match problems.first() {
            // Without any fact so far, there is nothing to propose by.
            Some(problem) if !self.reading.found() => Err(Unread::Unclear(problem.clone())),
            _ => Ok(self.reading.facts(read)),
        }
    }
}
