//! Asking a model, with one round of repair, and one more for what a reply states.

use super::observe::progress;
use super::{Agent, Event, Exchange, Failure, Observer, Session, TurnReport};
use crate::dialogue::{reply_grammar, updates_grammar};
use crate::llm::{Message, Request};
use crate::retrieval::{Query, Task};

/// What is wrong with an answer, as a sentence for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding(pub String);

/// What a model is asked, and what was wrong with its first answer.
pub(super) struct Question {
    task: Task,
    /// The messages, from which the request is made in the form that is wanted.
    chat: Vec<Message>,
    request: Request,
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

impl Question {
    /// Whether an answer was found wanting already.
    pub(super) fn is_repair(&self) -> bool {
        self.repair
    }
}

impl Agent {
    /// The question of this turn: instructions, examples, and the turn itself. Where that
    /// is more than fits, the least similar examples are left out.
    pub(super) fn question(
        &self,
        task: Task,
        session: &Session,
        observer: &mut dyn Observer,
    ) -> Result<Question, Failure> {
        let settings = &self.settings;
        let query = Query {
            task,
            stack: session.stack(),
            said: session.said(),
            user: session.user(),
            excluded: session.excluded(),
        };
        let mut examples = match settings.prompt.wants_examples() {
            true => self.pool.select(&query, &settings.examples),
            false => Ok(Vec::new()),
        }
        .map_err(Failure::Prompt)?;
        let wanted = examples.len();
        let chat = loop {
            let chat = self.prompts.messages(
                &query,
                &examples,
                settings.prompt,
                self.domain,
                settings.shown_bytes,
            );
            let chat = chat.map_err(Failure::Prompt)?;
            let fits = settings.budget.is_none_or(|most| tokens(&chat) <= most);
            if fits || examples.is_empty() {
                break chat;
            }
            // After those of every turn, the least similar one comes first.
            let fixed = settings.examples.fixed.min(examples.len() - 1);
            examples.remove(fixed);
        };
        if examples.len() < wanted {
            observer.event(Event::Shortened {
                task,
                examples: examples.len(),
                of: wanted,
            });
        }
        Ok(Question {
            task,
            request: self.request(task, settings.form.of(&chat)),
            chat,
            repair: false,
        })
    }

    fn request(&self, task: Task, messages: Vec<Message>) -> Request {
        let settings = &self.settings;
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
            messages,
            max_tokens,
            temperature: settings.temperature,
            stop: stop.map(str::to_owned).to_vec(),
            seed: Some(settings.sampling),
            grammar: settings.grammar.then(grammar),
        }
    }

    /// The model's answer. What was asked and answered is kept in the report,
    /// whatever becomes of it.
    pub(super) async fn ask(
        &self,
        question: &Question,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<String, Failure> {
        let (task, repair) = (question.task, question.repair);
        observer.event(Event::Asking { task, repair });
        let answer = {
            let mut hear = |heard: crate::llm::Progress<'_>| progress(observer, task, heard);
            self.model.complete(&question.request, &mut hear).await
        };
        report.exchanges.push(Exchange {
            task,
            request: question.request.clone(),
            answer: answer.as_ref().map_err(ToString::to_string).cloned(),
            finding: None,
        });
        Ok(answer.map_err(Failure::Model)?.text)
    }

    /// Makes of a finding the repair of the question. Gives up on a second one.
    pub(super) fn reject(
        &self,
        question: &mut Question,
        finding: Finding,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        let task = question.task;
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
        question: &mut Question,
        finding: Finding,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        self.find(question, finding, report, observer).map(drop)
    }

    /// Notes a finding, and asks for a better answer.
    fn find(
        &self,
        question: &mut Question,
        finding: Finding,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<String, Failure> {
        let Finding(mut finding) = finding;
        let task = question.task;
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
        question.request.messages = self.settings.form.of(&question.chat);
        question.repair = true;
        Ok(finding)
    }
}
