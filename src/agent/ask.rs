//! Asking a model, with one round of repair, and one more for what a reply states.

use super::observe::progress;
use super::{Agent, Event, Exchange, Failure, Observer, Session, TurnReport};
use crate::dialogue::{reply_grammar, updates_grammar};
use crate::error::Error;
use crate::llm::{Message, Request};
use crate::retrieval::{Example, Query, Task};

/// What is wrong with an answer, as a sentence for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding(pub String);

/// What a model is asked, and what was wrong with its first answer.
pub(super) struct Question<'a> {
    query: Query<'a>,
    /// What stands in the prompt of what is wanted there.
    examples: Vec<&'a Example>,
    wanted: usize,
    /// The messages, from which the request is made in the form that is wanted.
    chat: Vec<Message>,
    repair: bool,
}

/// The fewest bytes of English, code and tags that make a token, about: what is counted
/// with it is rather too much than too little.
const BYTES_PER_TOKEN: usize = 3;

/// About so many tokens these messages are.
fn tokens(chat: &[Message]) -> u32 {
    let bytes: usize = chat.iter().map(|message| message.content.len()).sum();
    u32::try_from(bytes / BYTES_PER_TOKEN).unwrap_or(u32::MAX)
}

impl Question<'_> {
    /// Says what was left out.
    fn tell(&self, observer: &mut dyn Observer) {
        if self.examples.len() < self.wanted {
            observer.event(Event::Shortened {
                task: self.query.task,
                examples: self.examples.len(),
                of: self.wanted,
            });
        }
    }

    /// Whether an answer was found wanting already.
    pub(super) fn is_repair(&self) -> bool {
        self.repair
    }
}

impl Agent {
    /// The question of this turn: instructions, examples, and the turn itself. Where that
    /// is more than fits, the least similar examples are left out.
    pub(super) fn question<'a>(
        &'a self,
        task: Task,
        session: &'a Session,
        observer: &mut dyn Observer,
    ) -> Result<Question<'a>, Failure> {
        let settings = &self.settings;
        let query = Query {
            task,
            stack: session.stack(),
            said: session.said(),
            user: session.user(),
            excluded: session.excluded(),
        };
        let examples = match settings.prompt.wants_examples() {
            true => self.pool.select(&query, &settings.examples),
            false => Ok(Vec::new()),
        };
        let examples = examples.map_err(Failure::Prompt)?;
        let mut question = Question {
            wanted: examples.len(),
            query,
            examples,
            chat: Vec::new(),
            repair: false,
        };
        self.write(&mut question)?;
        let fits = |chat: &[Message]| settings.budget.is_none_or(|most| tokens(chat) <= most);
        while !fits(&question.chat) && self.shorten(&mut question, 1)? {}
        question.tell(observer);
        Ok(question)
    }

    /// Writes the messages of a question, with the examples that it has.
    fn write(&self, question: &mut Question<'_>) -> Result<(), Failure> {
        let settings = &self.settings;
        let chat = self.prompts.messages(
            &question.query,
            &question.examples,
            settings.prompt,
            self.domain,
            settings.shown_bytes,
        );
        question.chat = chat.map_err(Failure::Prompt)?;
        Ok(())
    }

    /// Leaves out the least similar examples, so many; false where there is none.
    fn shorten(&self, question: &mut Question<'_>, count: usize) -> Result<bool, Failure> {
        for _ in 0..count {
            // After those of every turn, the least similar one comes first.
            let Some(last) = question.examples.len().checked_sub(1) else {
                return Ok(false);
            };
            question
                .examples
                .remove(self.settings.examples.fixed.min(last));
        }
        self.write(question).map(|()| true)
    }

    fn request(&self, question: &Question<'_>) -> Request {
        let (settings, task) = (&self.settings, question.query.task);
        let (max_tokens, grammar): (u32, fn() -> String) = match task {
            Task::Program => (settings.program_tokens, updates_grammar),
            Task::Response => (settings.response_tokens, reply_grammar),
        };
        // A model that goes on past its answer writes the next turn itself.
        let stop = match task {
            Task::Program => ["<turn>", "</output>"],
            Task::Response => ["</turn>", "</output>"],
        };
        Request {
            messages: settings.form.of(&question.chat),
            max_tokens,
            temperature: settings.temperature,
            stop: stop.map(str::to_owned).to_vec(),
            seed: Some(settings.sampling),
            grammar: settings.grammar.then(grammar),
        }
    }

    /// The model's answer. What was asked and answered is kept in the report,
    /// whatever becomes of it. A prompt that the model cannot read whole is asked again with
    /// half of its examples.
    pub(super) async fn ask(
        &self,
        question: &mut Question<'_>,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<String, Failure> {
        let (task, repair) = (question.query.task, question.repair);
        loop {
            observer.event(Event::Asking { task, repair });
            let request = self.request(question);
            let answer = {
                let mut hear = |heard: crate::llm::Progress<'_>| progress(observer, task, heard);
                self.model.complete(&request, &mut hear).await
            };
            report.exchanges.push(Exchange {
                task,
                request,
                answer: answer.as_ref().map_err(ToString::to_string).cloned(),
                finding: None,
            });
            let half = question.examples.len().div_ceil(2);
            match answer {
                Err(Error::PromptTooLong(_)) if half > 0 && !repair => {
                    self.shorten(question, half)?;
                    question.tell(observer);
                }
                answer => return Ok(answer.map_err(Failure::Model)?.text),
            }
        }
    }

    /// Makes of a finding the repair of the question. Gives up on a second one.
    pub(super) fn reject(
        &self,
        question: &mut Question<'_>,
        finding: Finding,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        let task = question.query.task;
        let repaired = question.repair;
        let finding = self.find(question, finding, report, observer)?;
        match repaired {
            true => Err(Failure::NotUnderstood { task, finding }),
            false => Ok(()),
        }
    }

    /// Makes of a finding one more question, even if there was a repair before.
    pub(super) fn dispute(
        &self,
        question: &mut Question<'_>,
        finding: Finding,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        self.find(question, finding, report, observer).map(drop)
    }

    /// Notes a finding, and asks for a better answer.
    fn find(
        &self,
        question: &mut Question<'_>,
        finding: Finding,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<String, Failure> {
        let Finding(mut finding) = finding;
        let task = question.query.task;
        let mut text = String::new();
        if let Some(exchange) = report.exchanges.last_mut() {
            if let Ok(completion) = &exchange.answer {
                text.clone_from(&completion.text);
                if completion.finish.as_deref() == Some("length") {
                    finding.push_str(" (the answer was cut off because it is too long)");
                }
            }
            exchange.finding = Some(finding.clone());
        }
        observer.event(Event::Unusable {
            task,
            finding: &finding,
        });
        let messages = self.prompts.repair(task, &text, &finding);
        question.chat.extend(messages.map_err(Failure::Prompt)?);
        question.repair = true;
        Ok(finding)
    }
}
