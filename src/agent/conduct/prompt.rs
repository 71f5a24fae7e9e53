//! Prompts of agents with a conduct: the program of a turn is one request, its reply another.

use super::{Conduct, Prompting, Situation};
use crate::agent::ask::Finding;
use crate::dialogue::{Program, Update, read_reply};
use crate::error::{Error, Result};
use crate::llm::{Message, Role};
use crate::retrieval::Example;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Value, context};

/// The messages that ask for the program of a turn: what the agent said last, what the user says,
/// and the sentence that tells the date, if one is told.
///
/// # Errors
/// A template is broken.
pub fn messages(
    conduct: &dyn Conduct,
    situation: &Situation,
    examples: &[&Example],
    (said, user, today): (&str, &str, Option<String>),
) -> Result<Vec<Message>> {
    let (prompting, document) = (conduct.prompting(), &situation.document);
    let mut messages = vec![Message::new(
        Role::System,
        render(prompting.instructions, context! { document })?,
    )];
    for example in examples {
        let program = example.updates.iter().find_map(|it| it.program.as_ref());
        let Some(program) = program else { continue };
        let (said, user) = (&example.said, &example.user);
        messages.push(Message::new(
            Role::User,
            render(prompting.turn, context! { said, user })?,
        ));
        let program = conduct.shown_program(program.code().trim());
        messages.push(Message::new(Role::Assistant, program));
    }
    let Situation { state, acts, .. } = situation;
    let asked = context! { today, state, acts, said, user };
    messages.push(Message::new(Role::User, render(prompting.turn, asked)?));
    Ok(messages)
}

/// The messages that follow those of [`messages`]: the programs, and the
/// request for the reply.
///
/// # Errors
/// A template is broken.
pub(in crate::agent) fn asks_reply(
    prompting: Prompting,
    updates: &[Update],
    after: &Situation,
) -> Result<[Message; 2]> {
    let programs = updates.iter().filter_map(|update| update.program.as_ref());
    let programs: Vec<&str> = programs.map(|program| program.code().trim()).collect();
    let Situation { state, acts, .. } = after;
    Ok([
        Message::new(Role::Assistant, programs.join("\n")),
        Message::new(
            Role::User,
            render(prompting.reply, context! { state, acts })?,
        ),
    ])
}

/// The text that says what is wrong with an answer. It is added to the message that was answered.
///
/// # Errors
/// A template is broken.
pub fn repaired(prompting: Prompting, answer: &str, finding: &str) -> Result<String> {
    let answer = crate::prompts::cut(answer.trim(), 4000);
    render(prompting.repair, context! { answer, finding })
}

/// The program in an answer: what stands in a block of code or in `<program>`, or all of it.
pub(in crate::agent) fn program_of(answer: &str) -> std::result::Result<Program, Finding> {
    let inner = |from: &str, to: &str| {
        let (_, rest) = answer.split_once(from)?;
        Some(rest.split_once(to).map_or(rest, |(inner, _)| inner))
    };
    let fenced = inner("```", "```").map(|code| {
        let (language, rest) = code.split_once('\n').unwrap_or(("", code));
        match language.trim() {
            "" | "python" | "py" => rest,
            _ => code,
        }
    });
    let code = inner("<program>", "</program>")
        .or(fenced)
        .unwrap_or(answer);
    match code.trim() {
        "" => Err(Finding(
            "it has no program; `pass` is one that does nothing".into(),
        )),
        code => Ok(Program::new(code)),
    }
}

/// The code of the program in an answer; none if it has none.
pub fn code_of(answer: &str) -> Option<String> {
    let program = program_of(answer).ok();
    program.map(|program| program.code().trim().to_owned())
}

/// The reply in an answer, with or without the marks of a turn.
pub(in crate::agent) fn reply_of(answer: &str) -> std::result::Result<String, Finding> {
    let reply = match answer.contains("<turn>") {
        true => read_reply(answer).map_err(|error| Finding(error.to_string()))?,
        false => answer.to_owned(),
    };
    let reply = reply.trim();
    match reply.strip_prefix("Agent:").unwrap_or(reply).trim() {
        "" => Err(Finding("it says nothing".into())),
        reply => Ok(reply.to_owned()),
    }
}

/// A reply that can be sent, or what is wrong with it.
pub(in crate::agent) fn said_reply(
    answer: &str,
    findings: impl Fn(&str) -> Vec<String>,
) -> std::result::Result<String, Finding> {
    let reply = reply_of(answer)?;
    match findings(&reply) {
        found if found.is_empty() => Ok(reply),
        found => Err(Finding(found.join("; "))),
    }
}

fn render(template: &str, values: Value) -> Result<String> {
    let broken = |error| Error::bug("a prompt template is broken")(format!("{error:#}"));
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build();
    let mut templates = Environment::new();
    templates.set_syntax(syntax.map_err(broken)?);
    let text = templates.render_str(template, values).map_err(broken)?;
    Ok(text.trim().to_owned())
}
