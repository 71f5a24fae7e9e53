//! A model as the judge of replies, beside the checker without a model.
//!
//! Three questions a turn, as the paper's judge is asked: whether the reply states anything that
//! has to be looked up; if so, whether it contradicts the rows, and whether it brings in what they
//! do not have. The answer is one digit and nothing else. A model that answers otherwise is asked
//! once more, and then the turn has no judgement: that is counted, and no agreement is made of it.
//! [`JudgeSettings`] has what else can be asked: sentence by sentence, a dialogue at once, with the turns
//! before, with fewer rows, several times.

mod agreements;
mod prompt;
mod turn;

pub use agreements::{Agreements, Detection, Flip, Flips, Planted, differing};
pub use prompt::{PROMPT, RowChoice};
pub use turn::{JudgedTurn, Judgement, TurnLabel};

use crate::domain::counted;
use crate::error::{Error, Result};
use crate::llm::{Message, Model, Request, Role, Usage};
use prompt::{AGAIN, Question, ROLE, ROLE_WHOLE, Rows, content, exchange, sentences};

/// The bytes of a token, at least.
const TOKEN: usize = 3;

/// What one request is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Per {
    /// A reply.
    #[default]
    Turn,
    /// A sentence of a reply: the reply refers if one does, and is right if all are.
    Sentence,
    /// All replies of a dialogue, with a digit for each.
    Dialogue,
}

/// How a judge is asked. The default is the paper's way: a turn alone, with all rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JudgeSettings {
    /// What one request is about.
    pub per: Per,
    /// The exchanges before a turn that it shows.
    pub history: usize,
    /// The rows that it shows.
    pub shown: RowChoice,
}

/// A model that judges replies by rows.
pub struct Judge<'a> {
    model: &'a dyn Model,
    rows: Rows,
    asking: JudgeSettings,
}

/// What was asked for a turn, or for the first turn of a dialogue.
#[derive(Default)]
struct Asked {
    raw: Vec<String>,
    requests: usize,
    usage: Usage,
}

impl Asked {
    fn put(self, judgement: &mut Judgement) {
        judgement.raw.extend(self.raw);
        judgement.requests += self.requests;
        judgement.usage += self.usage;
    }
}

impl<'a> Judge<'a> {
    /// A judge with these rows, JSON Lines, each named by the slot `key`.
    ///
    /// # Errors
    /// The rows do not fit the model's window: a part of them would make it find fault with what
    /// is true.
    pub fn new(model: &'a dyn Model, rows: &str, key: &str, asking: JudgeSettings) -> Result<Self> {
        let judge = Judge {
            model,
            rows: Rows::new(rows, key),
            asking,
        };
        judge.fits(&judge.rows.shown(asking.shown, ""))?;
        Ok(judge)
    }

    /// Judges the turns of one dialogue: one judgement for each, none for those that are context.
    /// At temperature 0 a model with the same seed should say the same.
    ///
    /// # Errors
    /// The model did not answer, or a request does not fit its window.
    pub async fn dialogue(
        &self,
        turns: &[JudgedTurn],
        seed: u64,
    ) -> Result<Vec<Option<Judgement>>> {
        if self.asking.per == Per::Dialogue {
            return self.whole(turns, seed).await;
        }
        let mut judgements = Vec::new();
        for (at, turn) in turns.iter().enumerate() {
            let before = turns.get(at.saturating_sub(self.asking.history)..at);
            let before = before.unwrap_or_default().iter();
            let before: String = before.map(|turn| exchange(turn, &turn.reply)).collect();
            judgements.push(match turn.context {
                true => None,
                false => Some(self.turn(turn, &before, seed).await?),
            });
        }
        Ok(judgements)
    }

    async fn turn(&self, turn: &JudgedTurn, before: &str, seed: u64) -> Result<Judgement> {
        let parts = match self.asking.per {
            Per::Sentence => sentences(&turn.reply),
            Per::Turn | Per::Dialogue => vec![turn.reply.as_str()],
        };
        let mut all = Judgement::default();
        if parts.is_empty() {
            all.refers = Some(false);
        }
        for part in parts {
            let mut asked = Asked::default();
            let judged = exchange(turn, part);
            let words = format!("{before}{judged}");
            let known = self.rows.shown(self.asking.shown, &words);
            let mut answer = async |question, rows: &str| {
                let content = content(rows, before, &judged, Question::text(question));
                let digits = self.ask(ROLE, content, 1, seed, &mut asked).await?;
                Ok::<_, Error>(digits.and_then(|digits| digits.first().copied()))
            };
            let refers = answer(Question::Refers, "").await?;
            let (mut aligned, mut grounded) = (None, None);
            if refers == Some(true) {
                aligned = answer(Question::Aligned, &known).await?;
                grounded = answer(Question::Grounded, &known).await?;
            }
            asked.put(&mut all);
            all.add(refers, aligned, grounded);
        }
        if all.unreadable && self.asking.per == Per::Sentence {
            // What was answered is of some sentences alone.
            (all.refers, all.aligned, all.grounded) = (None, None, None);
        }
        Ok(all)
    }

    async fn whole(&self, turns: &[JudgedTurn], seed: u64) -> Result<Vec<Option<Judgement>>> {
        let number = |at: usize, turn: &JudgedTurn| match turn.context {
            true => exchange(turn, &turn.reply),
            false => format!("User: {}\nAssistant ({}): {}\n", turn.user, at, turn.reply),
        };
        let judged = turns.iter().filter(|turn| !turn.context).count();
        let mut said = String::new();
        let mut at = 0;
        for turn in turns {
            at += usize::from(!turn.context);
            said += &number(at, turn);
        }
        let known = self.rows.shown(self.asking.shown, &said);
        let mut asked = Asked::default();
        let mut answers = async |question, rows: &str| {
            let each = format!(
                "{} Answer this for each of the {judged} numbered answers, in order.",
                Question::text(question)
            );
            let content = content(rows, "", &said, &each);
            self.ask(ROLE_WHOLE, content, judged, seed, &mut asked)
                .await
        };
        let refers = answers(Question::Refers, "").await?;
        let is_asked = refers.as_ref().is_some_and(|refers| refers.contains(&true));
        let (mut aligned, mut grounded) = (None, None);
        if is_asked {
            aligned = answers(Question::Aligned, &known).await?;
            grounded = answers(Question::Grounded, &known).await?;
        }
        let of = |answers: &Option<Vec<bool>>, at: usize| answers.as_ref()?.get(at).copied();
        let mut at = 0;
        let mut judgements = Vec::new();
        for turn in turns {
            if turn.context {
                judgements.push(None);
                continue;
            }
            let refers = of(&refers, at);
            let (aligned, grounded) = match refers {
                Some(true) => (of(&aligned, at), of(&grounded, at)),
                _ => (None, None),
            };
            let mut judgement = Judgement::default();
            judgement.add(refers, aligned, grounded);
            std::mem::take(&mut asked).put(&mut judgement);
            judgements.push(Some(judgement));
            at += 1;
        }
        Ok(judgements)
    }

    /// So many digits; none if the model does not give them, even asked again.
    async fn ask(
        &self,
        role: &str,
        content: String,
        digits: usize,
        seed: u64,
        asked: &mut Asked,
    ) -> Result<Option<Vec<bool>>> {
        self.fits(&content)?;
        let mut messages = vec![
            Message::new(Role::System, role),
            Message::new(Role::User, content),
        ];
        for _ in 0..2 {
            let request = Request {
                messages: messages.clone(),
                max_tokens: u32::try_from(4 * digits.max(1)).unwrap_or(u32::MAX),
                temperature: 0.0,
                stop: vec!["\n".to_owned()],
                seed: Some(seed),
                grammar: None,
            };
            let completion = self.model.complete(&request, &mut |_| ()).await?;
            asked.requests += 1;
            asked.usage += completion.usage;
            asked.raw.push(completion.text.clone());
            let read = read(&completion.text);
            if let Some(read) = read.filter(|read| read.len() == digits) {
                return Ok(Some(read));
            }
            let again = match digits {
                1 => AGAIN.to_owned(),
                _ => format!("Answer with {digits} digits, each 0 or 1, and nothing else."),
            };
            messages.push(Message::new(Role::Assistant, completion.text));
            messages.push(Message::new(Role::User, again));
        }
        Ok(None)
    }

    fn fits(&self, content: &str) -> Result<()> {
        match self.model.window() {
            Some(window) if content.len() / TOKEN > window as usize => Err(Error::usage(format!(
                "{} and what is judged by them are too long for {}, which has room for {window} \
                 tokens: take fewer, show only the relevant ones, or take a model with a larger \
                 window",
                counted(self.rows.len(), "row"),
                self.model.name()
            ))),
            _ => Ok(()),
        }
    }
}

impl Judgement {
    /// Adds the answers about a part of a reply.
    fn add(&mut self, refers: Option<bool>, aligned: Option<bool>, grounded: Option<bool>) {
        self.unreadable |= refers.is_none();
        if refers == Some(true) {
            self.unreadable |= aligned.is_none() || grounded.is_none();
            self.aligned = both(self.aligned, aligned);
            self.grounded = both(self.grounded, grounded);
        }
        self.refers = match (self.refers, refers) {
            (Some(before), Some(now)) => Some(before || now),
            (before, now) => before.or(now),
        };
    }
}

fn both(before: Option<bool>, now: Option<bool>) -> Option<bool> {
    match (before, now) {
        (Some(before), Some(now)) => Some(before && now),
        (before, now) => before.or(now),
    }
}

/// Digits 0 and 1, with nothing but blanks and commas between them.
fn read(answer: &str) -> Option<Vec<bool>> {
    let signs = answer.chars().filter(|c| !c.is_whitespace() && *c != ',');
    let digits = signs.map(|c| match c {
        '0' => Some(false),
        '1' => Some(true),
        _ => None,
    });
    digits.collect()
}
