//! The request of a turn, and how it is made to fit the model.
//!
//! A prompt that exceeds its budget loses first what matters least: outcomes of old goals,
//! then their programs, then examples. What the user needs now stays: open goals, the last
//! outcome, the outcomes of this turn. Only when all else is gone are these shortened as
//! well, and the oldest open goals left out. The user's words are never cut.

use super::conduct::{self, Conduct, Situation};
use super::{Agent, Failure, Observer, Session, Settings, TurnEvent};
use crate::dialogue::{Stack, Status, Turn, Update};
use crate::error::Result;
use crate::llm::Message;
use crate::prompts::{Again, AskedTurn, ViewLimits, date_sentence};
use crate::retrieval::{Example, Query, Task};
use jiff::civil::Date;

/// The budget of a prompt, in tokens, if neither the settings nor the model name one. It
/// fits, with the answer, into a context window of 32,768 tokens.
pub const DEFAULT_BUDGET: u32 = 24_000;

/// Rough bytes per token of English, code and tags; low on purpose, so that estimates err
/// high.
const BYTES_PER_TOKEN: usize = 3;

/// Closed goals that take less than this, in bytes, are not halved any further but hidden.
const FEW_GOALS: usize = 512;
/// The least that is shown, in bytes, of an outcome, of the agent's last words and of a
/// rejected answer; and of a program, before and after open goals are left out.
const SHORT_OUTCOME: usize = 250;
const SHORT_WORDS: usize = 500;
const SHORT_PROGRAM: usize = 1000;
const SHORTEST_PROGRAM: usize = 200;

/// The question to a model in a turn: first for the programs, then for the response.
pub(super) struct Question<'a> {
    /// The stack before the turn, the agent's last reply and the user's utterance.
    stack: Stack,
    said: String,
    user: String,
    today: Option<Date>,
    /// The turns before this one.
    past: Vec<Turn>,
    /// The examples that are shown, and how many there should be.
    examples: Vec<&'a Example>,
    wanted: usize,
    /// The goals that the programs changed and the stack after them, once they have run.
    outcome: Option<(Vec<Update>, Stack)>,
    /// The answers that were rejected, each with the reason.
    rejected: Vec<(String, String)>,
    limits: ViewLimits,
    /// The messages of the first request, which the second one continues.
    asked: Option<Asked>,
    chat: Vec<Message>,
    /// What the conduct knew before the turn, and what it knows after its program.
    situation: Option<Situation>,
    pub(super) after: Option<Situation>,
}

/// The messages that ask for the programs of a turn, and what they were written with.
struct Asked {
    examples: usize,
    limits: ViewLimits,
    messages: Vec<Message>,
}

/// The estimated tokens of these messages.
fn tokens(chat: &[Message]) -> u32 {
    tokens_of(chat.iter().map(|message| message.content.len()).sum())
}

fn tokens_of(bytes: usize) -> u32 {
    u32::try_from(bytes / BYTES_PER_TOKEN).unwrap_or(u32::MAX)
}

impl Question<'_> {
    pub(super) fn task(&self) -> Task {
        match self.outcome {
            None => Task::Program,
            Some(_) => Task::Response,
        }
    }

    /// The messages of the request, as a chat.
    pub(super) fn chat(&self) -> &[Message] {
        &self.chat
    }

    /// Whether an answer was rejected before.
    pub(super) fn is_repair(&self) -> bool {
        !self.rejected.is_empty()
    }

    /// How many answers were rejected.
    pub(super) fn rejected(&self) -> u64 {
        self.rejected.len() as u64
    }

    fn tell(&self, observer: &mut dyn Observer) {
        observer.event(TurnEvent::Shortened {
            task: self.task(),
            examples: self.examples.len(),
            of: self.wanted,
        });
    }

    /// Shortens the prompt by its least important part. False if nothing is left to shorten.
    fn shrink(&mut self) -> bool {
        let (is_quoted_whole, can_hide) = (self.is_rejected_answer_whole(), self.can_hide_goals());
        let fewer_drafts = self.fewer_drafts();
        let limits = &mut self.limits;
        if is_quoted_whole {
            limits.answer = SHORT_WORDS;
        } else if can_hide {
            limits.closed = if limits.closed > FEW_GOALS {
                limits.closed / 2
            } else {
                0
            };
        } else if !self.examples.is_empty() {
            // The least similar example comes first.
            self.examples.remove(0);
        } else if limits.outcome > SHORT_OUTCOME {
            limits.outcome = (limits.outcome / 4).max(SHORT_OUTCOME);
        } else if limits.said > SHORT_WORDS {
            limits.said = SHORT_WORDS;
        } else if limits.program > SHORT_PROGRAM {
            limits.program = SHORT_PROGRAM;
        } else if let Some(fewer) = fewer_drafts {
            // The program at hand is worth more than an old draft, so it is cut further only
            // when nothing else is left.
            limits.drafts = fewer;
        } else if limits.program > SHORTEST_PROGRAM {
            limits.program = SHORTEST_PROGRAM;
        } else {
            return false;
        }
        true
    }

    /// Whether there are closed goals beside the last one, which is always shown.
    fn can_hide_goals(&self) -> bool {
        let goals = self.stack.goals().iter();
        let closed = goals.filter(|goal| goal.status != Status::Drafting);
        self.limits.closed > 0 && closed.count() > 1
    }

    /// Three quarters of the open goals that are shown. `None` if only one is.
    fn fewer_drafts(&self) -> Option<usize> {
        let goals = self.stack.goals().iter();
        let open = goals.filter(|goal| goal.status == Status::Drafting);
        let shown = open.count().min(self.limits.drafts);
        (shown > 1).then(|| shown - shown.div_ceil(4))
    }

    fn is_rejected_answer_whole(&self) -> bool {
        let is_long = |(answer, _): &(String, String)| answer.len() > SHORT_WORDS;
        self.limits.answer > SHORT_WORDS && self.rejected.iter().any(is_long)
    }
}

impl Agent {
    /// The most that a prompt may take, in tokens.
    fn budget(&self) -> u32 {
        let settings = &self.settings;
        let answer = settings.program_tokens.max(settings.response_tokens);
        // An answer takes at most three quarters of the window.
        let of_window = |window: u32| window.saturating_sub(answer).max(window / 4);
        (settings.budget)
            .or_else(|| self.model.window().map(of_window))
            .unwrap_or(DEFAULT_BUDGET)
            .min(settings.protocol.budget())
    }

    /// The question of this turn: instructions, examples, and the turn itself.
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
        let situation = self
            .domain
            .situation(&*self.world)
            .map_err(Failure::Prompt)?;
        let is_prompted = settings.protocol.is_instructed() || situation.is_some();
        let has_examples = is_prompted && settings.prompt.wants_examples();
        let examples = if has_examples {
            let selected = self.pool.select(&query, &settings.examples);
            selected.map_err(Failure::Prompt)?
        } else {
            Vec::new()
        };
        let instructions = self.instruction_tokens()?;
        // Half of the room is for closed goals. It is the same in every turn, so that they
        // are shortened at the same places.
        let room = self.budget().saturating_sub(instructions) as usize * BYTES_PER_TOKEN;
        let mut question = Question {
            wanted: examples.len(),
            stack: query.stack.clone(),
            said: query.said.to_owned(),
            user: query.user.to_owned(),
            today: self.today(session),
            past: session.past().to_vec(),
            examples,
            outcome: None,
            rejected: Vec::new(),
            limits: ViewLimits {
                closed: room / 2,
                ..ViewLimits::of_outcomes(settings.shown_bytes)
            },
            asked: None,
            chat: Vec::new(),
            situation,
            after: None,
        };
        self.fit(&mut question, observer)?;
        Ok(question)
    }

    fn instruction_tokens(&self) -> Result<u32, Failure> {
        let Settings {
            protocol, prompt, ..
        } = &self.settings;
        let instructions = protocol.instructions(&self.prompts, *prompt, &self.domain);
        let instructions = instructions.map_err(Failure::Prompt)?;
        Ok(tokens(&[instructions]))
    }

    /// Continues a question after its programs have run: it now asks for the response.
    /// Rejected answers are dropped from it.
    pub(super) fn go_on(
        &self,
        question: &mut Question<'_>,
        updates: &[Update],
        after: &Stack,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        question.outcome = Some((updates.to_vec(), after.clone()));
        question.rejected.clear();
        self.fit(question, observer)
    }

    /// Asks again, and shows the model why its answer was rejected.
    pub(super) fn ask_again(
        &self,
        question: &mut Question<'_>,
        answer: String,
        finding: String,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        question.rejected.push((answer, finding));
        self.fit(question, observer)
    }

    /// Writes the messages of a question, shortened until they are within the budget.
    ///
    /// A budget that does not even hold the instructions cannot be kept in any turn: then
    /// the model is asked with as little as possible.
    fn fit(&self, question: &mut Question<'_>, observer: &mut dyn Observer) -> Result<(), Failure> {
        let (before, budget) = (question.examples.len(), self.budget());
        self.write(question)?;
        while tokens(&question.chat) > budget && question.shrink() {
            self.write(question)?;
        }
        if question.examples.len() < before {
            question.tell(observer);
        }
        let needed = tokens(&question.chat);
        if needed > budget && self.instruction_tokens()? <= budget {
            return Err(Failure::TooLong {
                needed,
                budget,
                user: tokens_of(question.user.len()),
            });
        }
        Ok(())
    }

    /// Shortens a question that a model has refused as too long. It shrinks fast, for each
    /// try is a request. False if nothing is left to leave out.
    pub(super) fn shorten(
        &self,
        question: &mut Question<'_>,
        observer: &mut dyn Observer,
    ) -> Result<bool, Failure> {
        let before = tokens(&question.chat);
        loop {
            let examples = question.examples.len();
            if examples > 0 && !question.can_hide_goals() {
                for _ in 0..examples.div_ceil(2) {
                    question.shrink();
                }
            } else if !question.shrink() {
                return Ok(tokens(&question.chat) < before);
            }
            self.write(question)?;
            if question.examples.len() < examples {
                question.tell(observer);
                return Ok(true);
            }
            if tokens(&question.chat) < before / 4 * 3 {
                return Ok(true);
            }
        }
    }

    /// Writes the messages of a question within its limits.
    fn write(&self, question: &mut Question<'_>) -> Result<(), Failure> {
        if let (Some(conduct), Some(situation)) = (&self.domain.conduct, &question.situation) {
            let chat = conducted(&**conduct, situation, question);
            question.chat = chat.map_err(Failure::Prompt)?;
            return Ok(());
        }
        question.chat = self.written(question).map_err(Failure::Prompt)?;
        Ok(())
    }

    /// The messages of a question, as the protocol of the model has them.
    fn written(&self, question: &mut Question<'_>) -> Result<Vec<Message>> {
        let (protocol, limits, task) = (&self.settings.protocol, question.limits, question.task());
        let examples = question.examples.len();
        let earlier = question.asked.take();
        let earlier = earlier.filter(|it| it.examples == examples && it.limits == limits);
        let turn = AskedTurn {
            prompts: &self.prompts,
            domain: &self.domain,
            setting: self.settings.prompt,
            query: Query {
                stack: &question.stack,
                said: &question.said,
                user: &question.user,
                excluded: None,
            },
            past: &question.past,
            examples: &question.examples,
            today: question.today,
            limits,
        };
        let asked = match earlier {
            Some(asked) => asked,
            None => Asked {
                examples,
                limits,
                messages: protocol.ask_programs(&turn)?,
            },
        };
        let mut chat = asked.messages.clone();
        if let Some((updates, after)) = &question.outcome {
            chat.extend(protocol.ask_reply(&turn, updates, after)?);
        }
        question.asked = Some(asked);
        if protocol.again() == Again::Drawn {
            return Ok(chat);
        }
        for (answer, finding) in &question.rejected {
            let repair = protocol.repair(&turn, task, answer, finding)?;
            if let Some(asked) = chat.last_mut() {
                asked.content.push_str("\n\n");
                asked.content.push_str(&repair);
            }
        }
        Ok(chat)
    }
}

/// The messages of a question to an agent with a conduct.
fn conducted(
    conduct: &dyn Conduct,
    situation: &Situation,
    question: &Question<'_>,
) -> Result<Vec<Message>> {
    let today = question.today.map(date_sentence);
    let turn = (question.said.as_str(), question.user.as_str(), today);
    let prompting = conduct.prompting();
    let mut chat = conduct::messages(conduct, situation, &question.examples, turn)?;
    if let (Some((updates, _)), Some(after)) = (&question.outcome, &question.after) {
        chat.extend(conduct::asks_reply(prompting, updates, after)?);
    }
    for (answer, finding) in &question.rejected {
        let repair = conduct::repaired(prompting, answer, finding)?;
        if let Some(asked) = chat.last_mut() {
            asked.content.push_str("\n\n");
            asked.content.push_str(&repair);
        }
    }
    Ok(chat)
}
