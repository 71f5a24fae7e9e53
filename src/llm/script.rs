//! A model that follows a script.

use super::{Completion, Model, Progress, Request, Usage};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The line between two answers in a file.
const BETWEEN: &str = "---";

/// Gives its answers in order, whatever it is asked: for examples, and for tests of programs
/// that hold conversations.
///
/// ```
/// use dialog2api::llm::{Model, Request, Script};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> dialog2api::Result<()> {
/// let model = Script::new(["<turn>Agent: Hello.</turn>"]);
/// let request = Request { messages: Vec::new(), max_tokens: 16, temperature: 0.0, stop: Vec::new(), seed: None, grammar: None };
/// let answer = model.complete(&request, &mut |_| {}).await?;
/// assert_eq!(answer.text, "<turn>Agent: Hello.</turn>");
/// assert!(model.complete(&request, &mut |_| {}).await.is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Script(Mutex<VecDeque<String>>);

impl Script {
    /// These answers.
    pub fn new(answers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Script(Mutex::new(answers.into_iter().map(Into::into).collect()))
    }

    /// The answers in a file. Lines with `---` alone stand between them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path))?;
        Ok(Script::new(answers(&text)))
    }
}

#[async_trait]
impl Model for Script {
    fn name(&self) -> &str {
        "script"
    }

    /// # Errors
    /// All answers were given.
    async fn complete(
        &self,
        _: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let next = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front();
        let text = next.ok_or_else(|| Error::model("the script has no more answers"))?;
        progress(Progress::Text(&text));
        Ok(Completion {
            text,
            finish: Some("stop".to_owned()),
            usage: Usage::default(),
        })
    }
}

fn answers(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let answers = lines.split(|line| line.trim_end() == BETWEEN);
    let answers = answers.map(|lines| lines.join("\n").trim().to_owned());
    answers.filter(|answer| !answer.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::answers;

    #[test]
    fn answers_stand_between_lines() {
        let text = "one\n---\n\ntwo\n  in --- lines\n---\r\n---\nthree\n---\n";
        assert_eq!(answers(text), ["one", "two\n  in --- lines", "three"]);
        assert_eq!(answers(""), [""; 0]);
    }
}
