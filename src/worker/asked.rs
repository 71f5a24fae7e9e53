//! The client as a model: it is asked by a line, and answers by one.

use super::line::{ModelAnswer, Said};
use super::out::Out;
use crate::error::{Error, Result};
use crate::llm::{Completion, Model, Progress, Request, Usage};
use async_trait::async_trait;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// What the client was asked and has not answered yet.
pub struct Asked {
    out: Out,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    last: u64,
    waiting: HashMap<u64, oneshot::Sender<Said>>,
}

impl Asked {
    /// Nothing was asked yet.
    pub fn new(out: Out) -> Asked {
        Asked {
            out,
            open: Mutex::default(),
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes an answer on. One that nobody waits for is dropped.
    pub fn answer(&self, answer: ModelAnswer) {
        if let Some(waiting) = self.open().waiting.remove(&answer.answer) {
            let _ = waiting.send(answer.what);
        }
    }

    async fn ask(&self, model: u64, request: &Request) -> Option<Said> {
        let (sender, answer) = oneshot::channel();
        let number = {
            let mut open = self.open();
            open.last += 1;
            let number = open.last;
            open.waiting.insert(number, sender);
            number
        };
        self.out
            .say(&json!({"ask": number, "model": model, "request": request}));
        answer.await.ok()
    }
}

/// A function of the client, known to it by a number.
pub struct ClientModel {
    /// The name in logs and reports.
    pub name: String,
    pub number: u64,
    /// Where it is asked.
    pub asked: Arc<Asked>,
}

#[async_trait]
impl Model for ClientModel {
    fn name(&self) -> &str {
        &self.name
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        match self.asked.ask(self.number, request).await {
            Some(Said::Text(text)) => {
                progress(Progress::Text(&text));
                Ok(Completion {
                    text,
                    finish: Some("stop".to_owned()),
                    usage: Usage::default(),
                })
            }
            Some(Said::Error(why)) => Err(Error::model(format!("{} failed: {why}", self.name))),
            None => Err(Error::model(format!("{} has gone", self.name))),
        }
    }
}
