//! How a model plays a seat by programs: what it is shown, and what its reply goes with.

use crate::agent::conduct::code_of;
use crate::agent::{Conduct, Following, Prompting, Situation};
use crate::dialogue::Outcome;
use crate::domain::World;
use crate::error::{Error, Result};
use crate::exec::Execution;
use crate::llm::{Message, Role};
use async_trait::async_trait;
use serde_json::{Value as Json, json};

/// The most of the talk that is shown, in bytes. Older talk is left out.
const TALK: usize = 16_000;

/// The most of the result of a program that is shown for the reply, in bytes.
const RESULT: usize = 2_000;

const PROMPTING: Prompting = Prompting {
    instructions: include_str!("prompts/instructions.j2"),
    turn: include_str!("prompts/turn.j2"),
    reply: include_str!("prompts/reply.j2"),
    repair: include_str!("prompts/repair.j2"),
};

/// The conduct of a seat.
pub(super) struct Seated {
    /// What programs can call, as Python stubs.
    pub document: String,
}

#[async_trait]
impl Conduct for Seated {
    fn prompting(&self) -> Prompting {
        PROMPTING
    }

    fn situation(&self, world: &dyn World) -> Result<Situation> {
        let state = world.state_value().ok_or_else(|| no_seat(world))?.to_json();
        let ran = world.slate().map(|slate| slate.kept());
        let ran = ran.as_deref().filter(|ran| !ran.is_null());
        let (state_text, made) = (state_text(&state), state["move"].as_str());
        Ok(Situation {
            document: format!("# You are {}.\n\n{}", text(&state, "seat"), self.document),
            shown: state_text.clone(),
            state: state_text,
            acts: match ran {
                Some(ran) => after(ran, made),
                None => before(&state),
            },
            plain: plain(made).to_owned(),
            ..Situation::default()
        })
    }

    /// A program that fails before it has made a move is shown to the model once.
    async fn follow(&self, turn: Following<'_>) -> Result<Execution> {
        let mut ran = turn.run(turn.program, turn.world).await?;
        if let (Outcome::Error(error), Some(model)) = (&ran.outcome, turn.model)
            && moved(&**turn.world).is_none()
        {
            let failed = format!("{}: {}", error.error, error.message);
            let asked = [
                Message::new(Role::System, self.document.as_str()),
                Message::new(
                    Role::User,
                    format!(
                        "This program failed.\n\n{}\n\n{failed}\n\nWrite the corrected program, and \
                         nothing else.",
                        turn.program
                    ),
                ),
            ];
            // A model that cannot be reached is missed at the reply, too.
            let answer = model.ask(asked.to_vec()).await.ok();
            if let Some(program) = answer.and_then(|answer| code_of(&answer)) {
                let again = turn.run(&program, turn.world).await?;
                let calls = ran.calls.iter().chain(again.calls.iter()).cloned();
                ran = Execution {
                    calls: calls.collect(),
                    ..again
                };
            }
        }
        if let Some(slate) = turn.world.slate() {
            slate.keep(match &ran.outcome {
                Outcome::Result(result) => json!({ "result": result }),
                Outcome::Error(error) => {
                    json!({"error": format!("{}: {}", error.error, error.message)})
                }
            });
        }
        Ok(ran)
    }
}

fn no_seat(world: &dyn World) -> Error {
    Error::world(format!("{} is no seat of a game", world.describe()))
}

fn text<'a>(state: &'a Json, key: &str) -> &'a str {
    state[key].as_str().unwrap_or_default()
}

/// The move of this turn.
fn moved(world: &dyn World) -> Option<String> {
    let state = world.state_value()?.to_json();
    Some(state["move"].as_str()?.to_owned())
}

/// What the seat knows, as the model reads it.
fn state_text(state: &Json) -> String {
    let list = |key: &str| state[key].as_array().into_iter().flatten();
    let told = list("history").map(|told| {
        let [from, made, text] = ["from", "move", "text"].map(|key| text(told, key));
        format!("{from}: [{made}] {text}").trim_end().to_owned()
    });
    let mut talk = told.collect::<Vec<_>>().join("\n");
    if talk.len() > TALK {
        let from = talk.ceil_char_boundary(talk.len() - TALK);
        talk = talk.split_off(from);
    }
    let facts = (0..).zip(list("facts"));
    let facts = facts.map(|(number, fact): (usize, _)| format!("{number}: {fact}"));
    let facts = facts.collect::<Vec<_>>().join("\n");
    let parts = [
        (
            "What you know",
            [text(state, "view"), text(state, "names")].join("\n"),
        ),
        ("What you have noted", facts),
        ("The talk so far", talk),
    ];
    let shown = parts.iter().filter(|(_, part)| !part.trim().is_empty());
    let shown = shown.map(|(title, part)| format!("# {title}\n{}", part.trim()));
    shown.collect::<Vec<_>>().join("\n\n")
}

fn before(state: &Json) -> Vec<String> {
    let waits = state["must_answer"] == true;
    let act = "A proposal waits for your answer: accept or reject it.";
    waits.then(|| act.to_owned()).into_iter().collect()
}

/// What the reply goes with.
fn after(ran: &Json, made: Option<&str>) -> Vec<String> {
    let mut acts = Vec::new();
    match (&ran["result"], ran["error"].as_str()) {
        (_, Some(error)) => acts.push(format!("Your program failed: {error}")),
        (Json::Null, None) => {}
        (result, None) => {
            let result = result.to_string();
            acts.push(format!(
                "Your program gave: {}",
                crate::prompts::cut(&result, RESULT)
            ));
        }
    }
    acts.push(match made {
        None => "You make no move. Your words are your message.".to_owned(),
        Some(made) if made.contains("[message]") => {
            format!("You say: {made}\nNothing else is sent: answer with one word.")
        }
        Some(made) => format!("Your move: {made}\nYour words go with it."),
    });
    acts
}

/// Words that go with a move where the model has none.
fn plain(made: Option<&str>) -> &'static str {
    match made {
        None => "Please tell me more about what you want.",
        Some("[accept]") => "Agreed.",
        Some("[reject]") => "I hoped for a better one.",
        Some(_) => "What do you think of it?",
    }
}
