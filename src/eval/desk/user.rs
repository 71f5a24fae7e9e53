//! Who asks in simulated dialogues.

use super::log::UserKind;
use crate::agent::GREETING;
use crate::error::{Error, Result};
use crate::llm::{Message, Model, Request, Role};
use std::collections::BTreeMap;
use std::sync::Arc;
use typed_claims::dialogues::Dialogue;
use typed_claims::simulate::{MOST_UTTERANCES, Outcome, User, Utterance, Words};
use typed_claims::{Row, Verdict};

/// The most utterances of a user with a model (paper, section 3).
const MOST_OF_MODEL: usize = 8;

/// What a user with a model writes at the end.
const END: &str = "END";

/// The most tokens of an utterance.
const TOKENS: u32 = 128;

/// The user of one dialogue.
pub(super) enum Speaker<'a> {
    Agenda(Box<User<'a>>),
    Model(ModelUser),
}

/// A user who is told the goal in words.
pub(super) struct ModelUser {
    model: Arc<dyn Model>,
    request: Request,
    /// The desk's first words.
    greeting: &'static str,
    is_over: bool,
}

impl<'a> Speaker<'a> {
    /// A user with the goal of a dialogue; `model` talks for one of that kind.
    pub fn new(
        kind: UserKind,
        dialogue: &Dialogue,
        words: &'a Words,
        language: &str,
        model: Option<&Arc<dyn Model>>,
        (temperature, seed): (f32, u64),
    ) -> Result<Speaker<'a>> {
        let model = match (kind, model) {
            (UserKind::Agenda, _) => {
                return Ok(Speaker::Agenda(Box::new(User::new(dialogue, words, seed))));
            }
            (UserKind::Model, Some(model)) => model.clone(),
            (UserKind::Model, None) => {
                return Err(Error::usage(
                    "--user model needs a model: name it with --model",
                ));
            }
        };
        let (role, greeting) = match language {
            "de" => (include_str!("user.de.txt"), "Wie kann ich helfen?"),
            _ => (include_str!("user.en.txt"), GREETING),
        };
        let role = role.replace("{goal}", &dialogue.message.join("\n"));
        let request = Request {
            messages: vec![Message::new(Role::System, role)],
            max_tokens: TOKENS,
            temperature,
            stop: Vec::new(),
            seed: Some(seed),
            grammar: None,
        };
        let is_over = false;
        Ok(Speaker::Model(ModelUser {
            model,
            request,
            greeting,
            is_over,
        }))
    }

    /// The first utterance.
    pub async fn open(&mut self) -> Result<Utterance> {
        match self {
            Speaker::Agenda(user) => Ok(user.open()),
            Speaker::Model(user) => user.say(user.greeting).await,
        }
    }

    /// The answer to a reply.
    pub async fn hear(
        &mut self,
        reply: &str,
        verdict: &Verdict,
        asked: &[String],
    ) -> Result<Utterance> {
        match self {
            Speaker::Agenda(user) => Ok(user.hear(verdict, asked)),
            Speaker::Model(user) => user.say(reply).await,
        }
    }

    /// How the dialogue ends with the reply to what was said last, of so many utterances.
    pub fn outcome(&self, utterances: usize) -> Option<Outcome> {
        let (outcome, most) = match self {
            Speaker::Agenda(user) => (user.outcome(), MOST_UTTERANCES),
            Speaker::Model(user) => (user.is_over.then_some(Outcome::Done), MOST_OF_MODEL),
        };
        outcome.or((utterances >= most).then_some(Outcome::Cut))
    }

    /// The wishes, where they are known and need not be read from words.
    pub fn wishes(&self) -> Option<&BTreeMap<String, String>> {
        match self {
            Speaker::Agenda(user) => Some(user.wishes()),
            Speaker::Model(_) => None,
        }
    }

    /// Whether the user has what was wanted, where that is known.
    pub fn reached(&self, rows: &[Row], verdicts: &[Verdict]) -> Option<bool> {
        match self {
            Speaker::Agenda(user) => Some(user.reached(rows, verdicts)),
            Speaker::Model(_) => None,
        }
    }
}

impl ModelUser {
    /// What the user says to this. The desk speaks as the user of the request, since models answer
    /// users.
    async fn say(&mut self, desk: &str) -> Result<Utterance> {
        let messages = &mut self.request.messages;
        messages.push(Message::new(Role::User, desk));
        let said = self.model.complete(&self.request, &mut |_| {}).await?.text;
        let messages = &mut self.request.messages;
        messages.push(Message::new(Role::Assistant, said.trim()));
        let mut words = said.split(|c: char| !c.is_alphanumeric());
        self.is_over = words.any(|word| word == END);
        Ok(Utterance {
            text: said.trim().to_owned(),
            acts: Vec::new(),
        })
    }
}
