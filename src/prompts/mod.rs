//! What a model reads, as messages of a chat. The words are in the templates
//! beside this file; no word of a domain is in them.
//!
//! The order is chosen for the caches of model servers: what never changes
//! first (instructions, API document), then the examples, then the turn.

mod form;
mod shown;

pub use form::Form;
pub(crate) use shown::cut;
pub use shown::{shown_stack, shown_text};

use crate::dialogue::{
    Conversation, Stack, read_conversation, write_reply, write_stack, write_updates,
};
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::llm::{Message, Role};
use crate::retrieval::{Example, ExamplePool, Query, Task};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Value, context};
use std::fmt;
use std::str::FromStr;

/// What a prompt has beside the turn (paper, section 5.1: a, b, c).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PromptSetting {
    /// (a) The API document; the examples are of another domain and show only the form.
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

impl FromStr for PromptSetting {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "a" | "api" => Ok(PromptSetting::Api),
            "b" | "examples" => Ok(PromptSetting::Examples),
            "c" | "both" => Ok(PromptSetting::Both),
            _ => Err(Error::Usage(format!(
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

/// The templates, and the examples of another domain that show the form.
pub struct Prompts {
    templates: Environment<'static>,
    structure: ExamplePool,
    structure_api: &'static str,
}

impl Prompts {
    /// The templates that come with the program.
    ///
    /// Fails only when one of them is broken.
    pub fn built_in(domain: &dyn Domain) -> Result<Self> {
        let mut templates = Environment::new();
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build();
        templates.set_syntax(syntax.map_err(broken)?);
        for (name, text) in [
            ("program", include_str!("program.j2")),
            ("response", include_str!("response.j2")),
            ("turn", include_str!("turn.j2")),
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

    /// The messages that ask for the programs or the response of a turn.
    ///
    /// `examples` come from the pool, most similar last. `shown` is the most
    /// that is shown of one outcome, in bytes.
    pub fn messages(
        &self,
        query: &Query<'_>,
        examples: &[&Example],
        setting: PromptSetting,
        domain: &dyn Domain,
        shown: usize,
    ) -> Result<Vec<Message>> {
        // The response is made from the outcomes; the API is the programs' matter.
        let api = (query.task == Task::Program && setting != PromptSetting::Examples)
            .then(|| domain.api_doc().trim_end());
        let foreign = setting == PromptSetting::Api;
        let structure: Vec<&Example> = self.structure.examples().iter().collect();
        let examples = if foreign { &structure } else { examples };

        let template = match query.task {
            Task::Program => "program",
            Task::Response => "response",
        };
        // With examples of another domain each API stands by what it belongs to.
        let system = self.render(template, context! { api => api.filter(|_| !foreign) })?;
        let mut messages = vec![message(Role::System, system)];
        for (index, example) in examples.iter().enumerate() {
            let api = api
                .filter(|_| foreign && index == 0)
                .map(|_| self.structure_api);
            let stack = example.stack(query.task);
            let input = self.turn(api, stack, &example.said, &example.user, shown)?;
            messages.push(message(Role::User, input));
            messages.push(message(Role::Assistant, answer(example, query.task)));
        }
        let api = api.filter(|_| foreign);
        let input = self.turn(api, query.stack, query.said, query.user, shown)?;
        messages.push(message(Role::User, input));
        Ok(messages)
    }

    /// An example as a chat of its own, for a model that learns: the messages that ask
    /// for it, without other examples of the domain, and the right answer.
    ///
    /// # Errors
    /// A template is broken.
    pub fn lesson(
        &self,
        example: &Example,
        task: Task,
        setting: PromptSetting,
        domain: &dyn Domain,
        shown: usize,
    ) -> Result<Vec<Message>> {
        let query = Query {
            task,
            stack: example.stack(task),
            said: &example.said,
            user: &example.user,
            excluded: None,
        };
        let mut messages = self.messages(&query, &[], setting, domain, shown)?;
        messages.push(message(Role::Assistant, answer(example, task)));
        Ok(messages)
    }

    /// The messages that show a model what was wrong with its answer.
    pub fn repair(&self, task: Task, answer: &str, finding: &str) -> Result<[Message; 2]> {
        let program = task == Task::Program;
        let finding = finding.trim_end_matches('.');
        let text = self.render("repair", context! { finding, program })?;
        Ok([
            message(Role::Assistant, cut(answer, 4000)),
            message(Role::User, text),
        ])
    }

    fn turn(
        &self,
        api: Option<&str>,
        stack: &Stack,
        said: &str,
        user: &str,
        shown: usize,
    ) -> Result<String> {
        let stack = write_stack(&shown_stack(stack, shown));
        // The user's words are an instruction, and may name a value exactly;
        // what the agent said may quote data.
        let said = shown_text(said);
        self.render("turn", context! { api, stack, said, user })
    }

    fn render(&self, template: &str, values: Value) -> Result<String> {
        let template = self.templates.get_template(template).map_err(broken)?;
        let text = template.render(values).map_err(broken)?;
        Ok(text.trim().to_owned())
    }
}

/// What the model should have answered in an example.
fn answer(example: &Example, task: Task) -> String {
    let text = match task {
        Task::Program => write_updates(&example.updates),
        Task::Response => write_reply(example.reply.as_deref().unwrap_or_default()),
    };
    text.trim().to_owned()
}

fn message(role: Role, content: String) -> Message {
    Message { role, content }
}

fn structure() -> Result<Conversation> {
    read_conversation(include_str!("structure.xml"))
        .map_err(|error| Error::Usage(format!("the prompts' own example dialogue: {error}")))
}

fn broken(error: minijinja::Error) -> Error {
    Error::Usage(format!("a prompt template is broken: {error:#}"))
}
