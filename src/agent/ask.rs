//! Asking a model, with one round of repair, and one more for what a reply states.

use super::observe::progress;
use super::{Agent, Event, Exchange, Failure, Observer, Session, TurnReport};
use crate::dialogue::{Stack, Update, reply_grammar, updates_grammar};
use crate::error::Error;
use crate::llm::{Message, Request};
use crate::retrieval::{Example, Query, Task};

/// What is wrong with an answer, as a sentence for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding(pub String);

/// What a model is asked in a turn, first for the programs and then for the response, and
/// what was wrong with its first answer.
pub(super) struct Question<'a> {
    /// S_{t-1}, R_{t-1} and U_t.
    stack: Stack,
    said: String,
    user: String,
    /// What stands in the prompt of what is wanted there.
    examples: Vec<&'a Example>,
    wanted: usize,
    /// What goes on from the programs, where they are known.
    outcome: Option<[Message; 2]>,
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
    fn task(&self) -> Task {
        match self.outcome {
            None => Task::Program,
            Some(_) => Task::Response,
        }
    }

    /// Says what was left out.
    fn tell(&self, observer: &mut dyn Observer) {
        observer.event(Event::Shortened {
            task: self.task(),
            examples: self.examples.len(),
            of: self.wanted,
        });
    }

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
        session: &Session,
        observer: &mut dyn Observer,
    ) -> Result<Question<'_>, Failure> {
        let settings = &self.settings;
        let query = Query {
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
            stack: query.stack.clone(),
            said: query.said.to_owned(),
            user: query.user.to_owned(),
            examples,
            outcome: None,
            chat: Vec::new(),
            repair: false,
        };
        self.fit(&mut question, observer)?;
        Ok(question)
    }

    /// The question goes on: what is wanted now is the response to what became of the
    /// programs. Of a repair nothing is left.
    pub(super) fn go_on(
        &self,
        question: &mut Question<'_>,
        updates: &[Update],
        after: &Stack,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        let shown = self.settings.shown_bytes;
        let outcome = self.prompts.outcome(updates, after, shown);
        question.outcome = Some(outcome.map_err(Failure::Prompt)?);
        question.repair = false;
        self.fit(question, observer)
    }

    /// Writes the messages of a question, with as many of its examples as fit.
    fn fit(&self, question: &mut Question<'_>, observer: &mut dyn Observer) -> Result<(), Failure> {
        let before = question.examples.len();
        self.write(question)?;
        let budget = self.settings.budget;
        let fits = |chat: &[Message]| budget.is_none_or(|most| tokens(chat) <= most);
        while !fits(&question.chat) && self.shorten(question, 1)? {}
        if question.examples.len() < before {
            question.tell(observer);
        }
        Ok(())
    }

    /// Writes the messages of a question, with the examples that it has.
    fn write(&self, question: &mut Question<'_>) -> Result<(), Failure> {
        let (prompts, settings) = (&self.prompts, &self.settings);
        let query = Query {
            stack: &question.stack,
            said: &question.said,
            user: &question.user,
            excluded: None,
        };
        let chat = prompts.messages(
            &query,
            &question.examples,
            settings.prompt,
            &self.domain,
            settings.shown_bytes,
        );
        question.chat = chat.map_err(Failure::Prompt)?;
        let outcome = question.outcome.iter().flatten().cloned();
        question.chat.extend(outcome);
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
        let (settings, task) = (&self.settings, question.task());
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
        let (task, repair) = (question.task(), question.repair);
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
        let task = question.task();
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
        let task = question.task();
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
        let repair = self.prompts.repair(task, &text, &finding);
        let repair = repair.map_err(Failure::Prompt)?;
        if let Some(asked) = question.chat.last_mut() {
            asked.content.push_str("\n\n");
            asked.content.push_str(&repair);
        }
        question.repair = true;
        Ok(finding)
    }
}
