//! Prompts, as messages of a chat. The words are in the templates beside this file, which
//! know no domain.
//!
//! The order suits the caches of model servers: first the constant part (instructions, API
//! document), then the examples, then the turn. A turn is one chat: the user's words, the
//! programs, their outcomes, the response. The second of its two requests continues the
//! first, so the server has read most of it already. (In the paper it has a prompt of its
//! own, with examples found by the stack after the turn.)
//!
//! [`ViewLimits`] bound how much of the turn a prompt shows, and [`StackView`] chooses the
//! part of the stack that stays.

mod coverage;
mod date;
mod drafts;
mod form;
mod protocol;
mod shown;
pub mod trained;
mod view;

pub use coverage::{PromptCoverage, coverage};
pub(crate) use date::{sentence as date_sentence, tell_date};
pub use form::Form;
pub use protocol::{Again, AskedTurn, Protocol};
pub(crate) use shown::cut;
use shown::{cut_program, shown_outcome};
pub use shown::{shown_stack, shown_text};
pub use view::{StackView, ViewLimits};

use crate::dialogue::{
    Goal, Stack, Status, Transcript, Update, read_transcript, write_outcome, write_reply,
    write_stack, write_updates,
};
use crate::domain::{Calls, Domain};
use crate::error::{Error, Result};
use crate::llm::{Message, Role};
use crate::retrieval::{Example, ExamplePool, Query, Task};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Value, context};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// The parts of a prompt beside the turn (paper, section 5.1: a, b, c).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PromptSetting {
    /// (a) The API document. The examples are of another domain and show only the form.
    Api,
    /// (b) Examples of the domain.
    Examples,
    /// (c) Both.
    #[default]
    Both,
}

impl PromptSetting {
    /// Whether examples of the domain stand in the prompt.
    pub fn wants_examples(self) -> bool {
        self != PromptSetting::Api
    }
}

/// This many of the latest goals help to choose which part of the API is shown: a follow-up
/// asks for more of the same without naming it.
const FRESH: usize = 2;

/// This many of the most similar examples help to choose it, too.
const NEAREST: usize = 2;

impl FromStr for PromptSetting {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "a" | "api" => Ok(PromptSetting::Api),
            "b" | "examples" => Ok(PromptSetting::Examples),
            "c" | "both" => Ok(PromptSetting::Both),
            _ => Err(Error::usage(format!(
                "a prompt setting is a (api), b (examples) or c (both), not {text:?}"
            ))),
        }
    }
}

impl fmt::Display for PromptSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PromptSetting::Api => "api",
            PromptSetting::Examples => "examples",
            PromptSetting::Both => "both",
        })
    }
}

/// The prompt templates, and the examples of another domain that show the form.
///
/// ```
/// use dialog2api::domain::s3::S3;
/// use dialog2api::llm::Role;
/// use dialog2api::prompts::{PromptSetting, Prompts};
///
/// let prompts = Prompts::built_in(&S3)?;
/// let instructions = prompts.instructions(PromptSetting::Both, &S3)?;
/// assert_eq!(instructions.role, Role::System);
/// assert!(instructions.content.contains("def list_buckets"));
/// # Ok::<(), dialog2api::Error>(())
/// ```
pub struct Prompts {
    templates: Environment<'static>,
    structure: ExamplePool,
    structure_api: &'static str,
}

impl Prompts {
    /// The built-in templates.
    ///
    /// # Errors
    /// A template is broken.
    pub fn built_in(domain: &Domain) -> Result<Self> {
        let mut templates = Environment::new();
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build();
        templates.set_syntax(syntax.map_err(broken)?);
        for (name, text) in [
            ("system", include_str!("system.j2")),
            ("turn", include_str!("turn.j2")),
            ("outcome", include_str!("outcome.j2")),
            ("repair", include_str!("repair.j2")),
        ] {
            templates.add_template(name, text).map_err(broken)?;
        }
        Ok(Prompts {
            templates,
            structure: ExamplePool::new(&[structure()?], domain)?,
            structure_api: include_str!("structure.pyi").trim_end(),
        })
    }

    /// The messages that ask for the programs of a turn; with those of
    /// [`Prompts::outcome`] after them they ask for its response.
    ///
    /// `examples` come from the pool, most similar last. Their stacks are shown whole but
    /// for long outcomes; `limits` hold for the turn itself.
    ///
    /// # Errors
    /// A template is broken.
    pub fn messages(
        &self,
        query: &Query<'_>,
        examples: &[&Example],
        setting: PromptSetting,
        domain: &Domain,
        limits: &ViewLimits,
    ) -> Result<Vec<Message>> {
        let document = document(query, examples, domain);
        let api = (setting != PromptSetting::Examples).then(|| document.trim_end());
        let foreign = setting == PromptSetting::Api;
        let structure: Vec<&Example> = self.structure.examples().iter().collect();
        let examples = if foreign { &structure } else { examples };

        let mut messages = vec![self.instructions_with(setting, &document)?];
        let shown = &ViewLimits::of_outcomes(limits.outcome);
        for (index, example) in examples.iter().enumerate() {
            let api = api
                .filter(|_| foreign && index == 0)
                .map(|_| self.structure_api);
            messages.push(self.turn(index + 1, api, &Query::of(example), shown)?);
            messages.extend(self.answers(example, shown)?);
        }
        let api = api.filter(|_| foreign);
        messages.push(self.turn(examples.len() + 1, api, query, limits)?);
        Ok(messages)
    }

    /// The first message, which is the same in every turn.
    ///
    /// # Errors
    /// A template is broken.
    pub fn instructions(&self, setting: PromptSetting, domain: &Domain) -> Result<Message> {
        self.instructions_with(setting, &domain.document("", &[]))
    }

    fn instructions_with(&self, setting: PromptSetting, document: &str) -> Result<Message> {
        // With examples of another domain each API stands by what it belongs to.
        let api = (setting == PromptSetting::Both).then(|| document.trim_end());
        let text = self.render("system", context! { api })?;
        Ok(Message::new(Role::System, text))
    }

    /// The messages that continue those of [`Prompts::messages`]: the programs, and their
    /// outcomes from S_t, which is `after`.
    ///
    /// The outcomes are not written in the form in which a model writes goals: small models
    /// take that for one more way to write them.
    ///
    /// # Errors
    /// A template is broken.
    pub fn outcome(
        &self,
        updates: &[Update],
        after: &Stack,
        limits: &ViewLimits,
    ) -> Result<[Message; 2]> {
        let goals = updates.iter().filter_map(|update| after.get(update.uid));
        let goals = goals.map(|goal| {
            let outcome = (goal.outcome.as_ref())
                .map(|outcome| write_outcome(&shown_outcome(outcome, limits.outcome)));
            context! { uid => goal.uid, status => goal.status.to_string(), outcome }
        });
        let goals: Vec<Value> = goals.collect();
        let outcomes = self.render("outcome", context! { goals })?;
        let written = updates.iter().map(|update| Update {
            program: (update.program.as_ref()).map(|program| cut_program(program, limits.program)),
            ..update.clone()
        });
        let written: Vec<Update> = written.collect();
        Ok([
            Message::new(Role::Assistant, write_updates(&written)),
            Message::new(Role::User, outcomes),
        ])
    }

    /// An example as a chat of its own, for fine-tuning: the messages that ask for it, without
    /// other examples of the domain, and the right answers. It ends with the programs if the
    /// example does not have their outcomes and a reply.
    ///
    /// # Errors
    /// A template is broken.
    pub fn lesson(
        &self,
        example: &Example,
        setting: PromptSetting,
        domain: &Domain,
        shown: usize,
    ) -> Result<Vec<Message>> {
        let limits = ViewLimits::of_outcomes(shown);
        let mut messages = self.messages(&Query::of(example), &[], setting, domain, &limits)?;
        messages.extend(self.answers(example, &limits)?);
        Ok(messages)
    }

    /// The messages after the turn of an example: the programs and, if they are known, their
    /// outcomes and the response.
    fn answers(&self, example: &Example, limits: &ViewLimits) -> Result<Vec<Message>> {
        let updates = &example.updates;
        if !example.serves(Task::Response) {
            return Ok(vec![Message::new(Role::Assistant, write_updates(updates))]);
        }
        let mut answers = Vec::from(self.outcome(updates, &example.after, limits)?);
        let reply = write_reply(example.reply.as_deref().unwrap_or_default());
        answers.push(Message::new(Role::Assistant, reply));
        Ok(answers)
    }

    /// The text that shows a model what was wrong with its answer. It is appended to the
    /// message that was answered: as messages of their own, answer and finding would stand
    /// where the examples continue with the response, and small models then write one.
    ///
    /// # Errors
    /// A template is broken.
    pub fn repair(
        &self,
        task: Task,
        answer: &str,
        finding: &str,
        limits: &ViewLimits,
    ) -> Result<String> {
        let program = task == Task::Program;
        let answer = cut(answer.trim(), limits.answer);
        let finding = finding.trim_end_matches('.');
        self.render("repair", context! { answer, finding, program })
    }

    /// The first message of a turn. It has a number because small models otherwise take two
    /// examples from one dialogue, and the turn after them, for one conversation and reuse
    /// its names.
    fn turn(
        &self,
        number: usize,
        api: Option<&str>,
        query: &Query<'_>,
        limits: &ViewLimits,
    ) -> Result<Message> {
        let last = format!("{}\n{}", query.said, query.user);
        let view = StackView::after(query.stack, &last, limits);
        let (hidden, highest_hidden) = (view.hidden, view.highest_hidden);
        let (hidden_drafts, highest_hidden_draft) = (view.hidden_drafts, view.highest_hidden_draft);
        let stack = write_stack(&view.stack);
        // The user's words are instructions and may name a value exactly, so they stay as
        // they are. The agent's words may quote data.
        let (said, user) = (cut(&shown_text(query.said), limits.said), query.user);
        let values = context! {
            number, api, hidden, highest_hidden, hidden_drafts, highest_hidden_draft, stack, said,
            user
        };
        let text = self.render("turn", values)?;
        Ok(Message::new(Role::User, text))
    }

    fn render(&self, template: &str, values: Value) -> Result<String> {
        let template = self.templates.get_template(template).map_err(broken)?;
        let text = template.render(values).map_err(broken)?;
        Ok(text.trim().to_owned())
    }
}

fn structure() -> Result<Transcript> {
    read_transcript(include_str!("structure.xml"))
        .map_err(Error::bug("the prompts' own example dialogue is wrong"))
}

fn broken(error: minijinja::Error) -> Error {
    Error::bug("a prompt template is broken")(format!("{error:#}"))
}

/// The API document, or the part of it that fits what was said last and the latest programs.
/// `examples` have the most similar last.
fn document<'d>(query: &Query<'_>, examples: &[&Example], domain: &'d Domain) -> Cow<'d, str> {
    if domain.api.selection.is_none() {
        return domain.document("", &[]);
    }
    let goals = query.stack.goals().iter().rev();
    let is_open = |goal: &Goal| goal.status == Status::Drafting;
    let at_hand = goals
        .enumerate()
        .filter(|(age, goal)| *age < FRESH || is_open(goal));
    let at_hand = at_hand.map(|(_, goal)| &goal.program);
    let alike = examples.iter().rev().take(NEAREST);
    let alike = alike.flat_map(|example| &example.updates);
    let programs = at_hand.chain(alike.filter_map(|update| update.program.as_ref()));
    let sites = programs.flat_map(|program| Calls::of(program, domain).sites);
    let known = sites.filter_map(|site| domain.operation(&site.operation));
    let called: Vec<&str> = known.map(|operation| &*operation.name).collect();
    domain.document(&format!("{}\n{}", query.said, query.user), &called)
}
