//! A model as the judge of replies, turn by turn, beside the checker without a model.
//!
//! Three questions a turn, as the paper's judge is asked: whether the reply states anything that
//! has to be looked up; if so, whether it contradicts the rows, and whether it brings in what they
//! do not have. The answer is one digit and nothing else. A model that answers otherwise is asked
//! once more, and then the turn has no judgement: that is counted, and no agreement is made of it.

use crate::error::{Error, Result};
use crate::llm::{Message, Model, Request, Role, Usage};
use serde::{Deserialize, Serialize};
use typed_claims::{Agreement, Flags};

const ROLE: &str = "You check one answer of an assistant. Answer with one digit and nothing else.";
const REFERS: &str = "Does the answer state something that would have to be looked up to know \
    whether it is true? 1 = yes, 0 = no (greetings, thanks, questions, bookings).";
const ALIGNED: &str = "Does anything in the answer contradict the knowledge base, for instance by \
    giving another value or number than the one listed, or by denying what is listed? \
    0 = it contradicts, 1 = it does not.";
const GROUNDED: &str = "Does the answer mention a name, a value or a property that stands nowhere in \
    the knowledge base? 0 = it does, 1 = everything mentioned stands in it.";
const AGAIN: &str = "Answer with 0 or 1 only.";

/// The bytes of a token, at least.
const TOKEN: usize = 3;

/// One exchange.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedTurn {
    /// What the user says.
    #[serde(default)]
    pub user: String,
    /// The reply.
    pub reply: String,
}

/// What a model thinks of a turn. A question that was not asked has no answer, nor has one whose
/// answers could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Judgement {
    /// The reply refers to the rows.
    pub refers: Option<bool>,
    /// It contradicts nothing.
    pub aligned: Option<bool>,
    /// It brings in nothing.
    pub grounded: Option<bool>,
    /// An answer could not be read, even after the model was asked again.
    pub unreadable: bool,
    /// The answers as they were given.
    pub raw: Vec<String>,
    /// The requests.
    pub requests: usize,
    /// Their tokens.
    pub usage: Usage,
}

/// A model that judges replies by rows.
pub struct Judge<'a> {
    model: &'a dyn Model,
    rows: &'a str,
}

impl<'a> Judge<'a> {
    /// A judge with these rows, JSON Lines.
    ///
    /// # Errors
    /// The rows do not fit the model's window: a part of them would make it find fault with what
    /// is true.
    pub fn new(model: &'a dyn Model, rows: &'a str) -> Result<Self> {
        match model.window() {
            Some(window) if rows.len() / TOKEN > window as usize => Err(Error::Usage(format!(
                "{} rows are too long for {}, which has room for {window} tokens: take fewer, or a \
                 model with a larger window",
                rows.lines().count(),
                model.name()
            ))),
            _ => Ok(Judge { model, rows }),
        }
    }

    /// Judges one turn.
    ///
    /// # Errors
    /// The model did not answer.
    pub async fn turn(&self, turn: &JudgedTurn) -> Result<Judgement> {
        let mut judgement = Judgement::default();
        judgement.refers = self.ask(REFERS, "", turn, &mut judgement).await?;
        if judgement.refers == Some(true) {
            judgement.aligned = self.ask(ALIGNED, self.rows, turn, &mut judgement).await?;
            judgement.grounded = self.ask(GROUNDED, self.rows, turn, &mut judgement).await?;
        }
        Ok(judgement)
    }

    async fn ask(
        &self,
        question: &str,
        rows: &str,
        turn: &JudgedTurn,
        judgement: &mut Judgement,
    ) -> Result<Option<bool>> {
        let JudgedTurn { user, reply } = turn;
        // Rows first, so that a server can keep them.
        let known = match rows.is_empty() {
            true => String::new(),
            false => format!("Knowledge base:\n{}\n\n", rows.trim_end()),
        };
        let content = format!("{known}User: {user}\nAssistant: {reply}\n\n{question}");
        let mut messages = vec![
            Message::new(Role::System, ROLE),
            Message::new(Role::User, content),
        ];
        for _ in 0..2 {
            let request = Request {
                messages: messages.clone(),
                max_tokens: 4,
                temperature: 0.0,
                stop: vec!["\n".to_owned()],
                seed: Some(0),
                grammar: None,
            };
            let completion = self.model.complete(&request, &mut |_| ()).await?;
            judgement.requests += 1;
            judgement.usage += completion.usage;
            judgement.raw.push(completion.text.clone());
            match completion.text.trim() {
                "0" => return Ok(Some(false)),
                "1" => return Ok(Some(true)),
                _ => {}
            }
            messages.push(Message::new(Role::Assistant, completion.text));
            messages.push(Message::new(Role::User, AGAIN));
        }
        judgement.unreadable = true;
        Ok(None)
    }
}

/// How far a judge and the checker agree.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Agreements {
    /// That a turn refers to the rows.
    pub refers: Agreement,
    /// Of turns that both say to refer: that nothing contradicts the rows.
    pub aligned: Agreement,
    /// Of the same: that nothing is brought in.
    pub grounded: Agreement,
    /// Of the same: both.
    pub correct: Agreement,
    /// The turns without a judgement.
    pub unreadable: usize,
}

impl Agreements {
    /// Compares judgements with the checker's flags of the same turns.
    pub fn of<'a>(turns: impl IntoIterator<Item = (&'a Judgement, &'a Flags)> + Clone) -> Self {
        let both = || {
            turns
                .clone()
                .into_iter()
                .filter(|(judge, _)| !judge.unreadable)
        };
        let judged = |judge: fn(&Judgement) -> Option<bool>, checker: fn(&Flags) -> bool| {
            let pairs = both().filter(|(_, flags)| flags.refers);
            Agreement::of(pairs.filter_map(|(it, flags)| Some((judge(it)?, checker(flags)))))
        };
        let refers = both().filter_map(|(judge, flags)| Some((judge.refers?, flags.refers)));
        Agreements {
            refers: Agreement::of(refers),
            aligned: judged(|judge| judge.aligned, |flags| flags.aligned),
            grounded: judged(|judge| judge.grounded, |flags| flags.grounded),
            correct: judged(
                |judge| Some(judge.aligned? && judge.grounded?),
                |flags| flags.correct(),
            ),
            unreadable: turns
                .into_iter()
                .filter(|(judge, _)| judge.unreadable)
                .count(),
        }
    }
}
