//! A run: in each turn of recorded dialogues a model is asked for the program, and the agenda
//! decides what the agent does.

use super::prompts::{TurnPrompts, examples, said};
use dialog2api::agent::conduct::code_of;
use dialog2api::exec::Cache;
use dialog2api::llm::{Message, Model, Request, ResponseCache};
use dialog2api::{Error, Result};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use worksheets::evaluate::Tally;
use worksheets::program::{self, Carried};
use worksheets::star::{Protocol, Scores, StarDialogue, StarPlay, StarTask, predictions, scores};
use worksheets::{Desk, Ended, Refused};

/// The dialogues that give the examples of a prompt. They are not scored.
const EXAMPLES: usize = 3;

/// The most tokens of an answer.
const TOKENS: u32 = 300;

/// What is to be scored.
pub struct Wanted {
    /// Whose dialogues.
    pub task: StarTask,
    /// The state that turns begin with.
    pub protocol: Protocol,
    /// The most dialogues.
    pub limit: Option<usize>,
    /// Draws the dialogues.
    pub seed: u64,
}

/// What came of a run.
pub struct Scored {
    title: String,
    dialogues: usize,
    /// Turns in which the model was asked. Those without a label are not scored.
    turns: usize,
    model: Scores,
    /// Those of the record's parses on the same turns.
    record: Scores,
    parse: Tally,
    slots: Tally,
    sent_back: usize,
    failed: usize,
}

/// Scores a model on dialogues.
///
/// # Errors
/// There are too few dialogues, or the model does not answer.
pub async fn score(
    wanted: &Wanted,
    mut dialogues: Vec<StarDialogue>,
    asker: &mut Asker,
    cache: &Cache,
) -> Result<Scored> {
    let Wanted { task, protocol, .. } = *wanted;
    dialogues.sort_by_cached_key(|dialogue| {
        let drawn = format!("{} {}", wanted.seed, dialogue.dialogue_id);
        *blake3::hash(drawn.as_bytes()).as_bytes()
    });
    let mut played = dialogues.split_off(EXAMPLES.min(dialogues.len()));
    played.truncate(wanted.limit.unwrap_or(usize::MAX));
    if played.is_empty() {
        return Err(Error::usage(format!(
            "no dialogue is left to play: {EXAMPLES} give the examples, so there must be one more, \
             and --limit must be 1 at least"
        )));
    }
    let sheets = task.sheets();
    let prompts = TurnPrompts::new(task, examples(task, protocol, &dialogues), cache)?;
    let (mut parse, mut slots) = (Tally::default(), Tally::default());
    let (mut found, mut turns, mut sent_back, mut failed) = (Vec::new(), 0, 0, 0);
    for dialogue in played.iter().enumerate() {
        let mut play = StarPlay::new(task, &sheets, dialogue, protocol);
        while let Some(turn) = play.hear() {
            // No later turn depends on one that is not scored.
            if protocol == Protocol::Gold && turn.gold.is_none() {
                continue;
            }
            let chat = prompts.chat(play.state(), said(&play), &turn.user)?;
            let (parsed, again) = asker.program(&prompts, &play.desk(), chat).await?;
            let compared = play.compared(&play.truth(), &parsed);
            parse += compared.parse;
            slots += compared.slots;
            turns += 1;
            sent_back += usize::from(again);
            failed += usize::from(parsed.ended() == Ended::Failed);
            found.extend(play.turn(parsed));
        }
    }
    let state = match protocol {
        Protocol::Own => "own state",
        Protocol::Gold => "gold state (oracle)",
    };
    Ok(Scored {
        title: format!("{}, {state}, {}", task.name(), asker.model.name()),
        dialogues: played.len(),
        turns,
        model: scores(&found),
        record: scores(&predictions(task, &played, protocol)),
        parse,
        slots,
        sent_back,
        failed,
    })
}

impl fmt::Display for Scored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scored {
            title,
            dialogues,
            turns,
            model,
            record,
            sent_back,
            failed,
            ..
        } = self;
        let [parse, slots] = [self.parse, self.slots].map(|tally| match tally.f1() {
            Some(f1) => format!("{:.1}", 100.0 * f1),
            None => "-".to_owned(),
        });
        writeln!(f, "{title}")?;
        writeln!(f, "  {:32} {model}", "the model's programs")?;
        writeln!(f, "  {:32} {record}", "the record's parses")?;
        writeln!(f, "  parse F1 {parse}, without values {slots}")?;
        writeln!(
            f,
            "  dialogues {dialogues}, turns asked {turns}, sent back {sent_back}, failed {failed}"
        )
    }
}

/// Asks a model, and counts what that takes.
pub struct Asker {
    model: Arc<dyn Model>,
    answers: Option<Arc<ResponseCache>>,
    requests: u32,
    time: Duration,
    /// The bytes of the longest prompt.
    longest: usize,
}

impl Asker {
    /// Asks this model what is not among the answers.
    pub fn new(model: Arc<dyn Model>, answers: Option<Arc<ResponseCache>>) -> Self {
        Asker {
            model: match &answers {
                Some(answers) => answers.around(model),
                None => model,
            },
            answers,
            requests: 0,
            time: Duration::ZERO,
            longest: 0,
        }
    }

    /// Runs the program of a turn. Returns what it did, and whether it was sent back. As in the agent,
    /// a program that fails is sent back once. An answer that is cut off is not sent back.
    async fn program<'d>(
        &mut self,
        prompts: &TurnPrompts,
        desk: &Desk<'d>,
        chat: Vec<Message>,
    ) -> Result<(Carried<'d>, bool)> {
        let (answer, parsed) = self.parsed(desk, &chat).await?;
        let failed = parsed.raised.as_ref();
        let failed = failed.filter(|_| parsed.ended() == Ended::Failed);
        let finding = failed.map(|raised| format!("the program would end with {raised}"));
        let (Some(answer), Some(finding)) = (answer, finding) else {
            return Ok((parsed, false));
        };
        let chat = prompts.again(chat, &answer, &finding)?;
        let (_, parsed) = self.parsed(desk, &chat).await?;
        Ok((parsed, true))
    }

    /// An answer, if it is whole, and what its program comes to.
    async fn parsed<'d>(
        &mut self,
        desk: &Desk<'d>,
        chat: &[Message],
    ) -> Result<(Option<String>, Carried<'d>)> {
        let Some(answer) = self.ask(chat).await? else {
            return Ok((None, unusable(desk, "the answer was cut off")));
        };
        let parsed = match code_of(&answer) {
            Some(code) => program::turn(desk.clone(), &code),
            None => unusable(desk, "there is none; `pass` is one that does nothing"),
        };
        Ok((Some(answer), parsed))
    }

    /// The answer; none if it was cut off.
    async fn ask(&mut self, chat: &[Message]) -> Result<Option<String>> {
        let request = Request {
            messages: chat.to_vec(),
            max_tokens: TOKENS,
            temperature: 0.0,
            stop: Vec::new(),
            seed: Some(0),
            grammar: None,
        };
        let length = chat.iter().map(|message| message.content.len()).sum();
        self.longest = self.longest.max(length);
        let asked = |answers: &Arc<ResponseCache>| answers.asked();
        let (before, start) = (self.answers.as_ref().map(asked), Instant::now());
        let answer = self.model.complete(&request, &mut |_| ()).await?;
        if before.is_none() || before != self.answers.as_ref().map(asked) {
            self.requests += 1;
            self.time += start.elapsed();
        }
        Ok(match answer.cut_off(TOKENS) {
            None => Some(answer.text),
            Some(_) => None,
        })
    }
}

impl fmt::Display for Asker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = self.time.as_secs_f64() / f64::from(self.requests.max(1));
        // An estimate that errs high.
        let tokens = self.longest / 3;
        write!(
            f,
            "requests {}, {each:.2} s each; the longest prompt has some {tokens} tokens",
            self.requests
        )
    }
}

/// An answer that has no program: the turn goes on as after one that failed.
fn unusable<'d>(desk: &Desk<'d>, why: &str) -> Carried<'d> {
    Carried {
        desk: desk.clone(),
        ops: Vec::new(),
        raised: Some(Refused {
            error: "SyntaxError",
            message: why.to_owned(),
        }),
        sql: BTreeMap::new(),
    }
}
