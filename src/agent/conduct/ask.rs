//! Requests that a conduct makes to the model, after a program and before the reply.

use super::{Asks, around::with_model};
use crate::agent::{Agent, Exchange, Sandbox, Settings};
use crate::error::{Error, Result};
use crate::llm::{Completion, Message, Model, Request};
use crate::prompts::date_sentence;
use crate::retrieval::Task;
use async_trait::async_trait;
use jiff::civil::Date;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Asks the model of an agent, and keeps what was said for the report.
pub(in crate::agent) struct RecordedAsks {
    model: Arc<dyn Model>,
    most_tokens: u32,
    sampling: u64,
    exchanges: Mutex<Vec<Exchange>>,
    /// The answers of the dialogue to what is asked once.
    once: Mutex<Vec<(Vec<Message>, String)>>,
    /// The day of the turn, if the model is told it.
    today: Mutex<Option<Date>>,
}

impl RecordedAsks {
    /// Asks this model.
    pub fn of(model: &Arc<dyn Model>, settings: &Settings) -> Arc<RecordedAsks> {
        Arc::new(RecordedAsks {
            model: model.clone(),
            most_tokens: settings.program_tokens,
            sampling: settings.sampling,
            exchanges: Mutex::default(),
            once: Mutex::default(),
            today: Mutex::default(),
        })
    }

    /// A turn begins on this day.
    pub fn begin(&self, today: Option<Date>) {
        *held(&self.today) = today;
    }

    /// What was asked since this was called last.
    pub fn exchanges(&self) -> Vec<Exchange> {
        std::mem::take(&mut *self.kept())
    }

    /// The answer to the same request, if it came since exchanges were taken last.
    fn known(&self, request: &Request) -> Option<Completion> {
        let kept = self.kept();
        let same = kept.iter().find(|it| it.request == *request)?;
        same.answer.clone().ok()
    }

    /// The text of an answer that is whole.
    fn whole(&self, answer: Completion) -> Result<String> {
        match answer.cut_off(self.most_tokens) {
            None => Ok(answer.text),
            Some(why) => Err(Error::model(format!("the answer was cut off: {why}"))),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Exchange>> {
        held(&self.exchanges)
    }
}

fn held<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl Asks for RecordedAsks {
    async fn ask(&self, messages: Vec<Message>) -> Result<String> {
        let request = Request {
            messages,
            max_tokens: self.most_tokens,
            temperature: 0.0,
            stop: Vec::new(),
            seed: Some(self.sampling),
            grammar: None,
        };
        // The rehearsal of a program asks what the program asks.
        if let Some(known) = self.known(&request) {
            return self.whole(known);
        }
        let answer = self.model.complete(&request, &mut |_| ()).await;
        let exchange = Exchange {
            task: Task::Program,
            request,
            answer: answer.as_ref().map_err(ToString::to_string).cloned(),
            finding: None,
        };
        self.kept().push(exchange);
        self.whole(answer?)
    }

    fn today(&self) -> Option<String> {
        (*held(&self.today)).map(date_sentence)
    }

    async fn ask_once(
        &self,
        messages: Vec<Message>,
        is_usable: for<'a> fn(&'a str) -> bool,
    ) -> Result<String> {
        let known = {
            let once = held(&self.once);
            let same = once.iter().find(|(asked, _)| *asked == messages);
            same.map(|(_, answer)| answer.clone())
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let answer = self.ask(messages.clone()).await?;
        if is_usable(&answer) {
            held(&self.once).push((messages, answer.clone()));
        }
        Ok(answer)
    }
}

impl Agent {
    /// The sandbox for the programs of turns.
    pub(in crate::agent) fn conducted(&self) -> Arc<dyn Sandbox> {
        let model: Arc<dyn Asks> = self.asking.clone();
        with_model(&self.domain, self.sandbox.clone(), Some(model))
    }
}
