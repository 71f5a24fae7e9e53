//! Lets users talk with an assistant, and writes the log.

use super::assistant::{Assistant, Reply};
use super::journal::Journal;
use super::log::{
    AssistantKind, DeskDialogues, DeskEnd, DeskRun, DeskTurn, KIND, ProgramOutcome, RowRecipe,
    UserKind, VERSION,
};
use super::programs::Programs;
use super::rows::{RowsInPrompt, role};
use super::template::Template;
use super::user::Speaker;
use crate::error::{Error, Result};
use crate::eval::folder::RESPONSES;
use crate::games::{Asker, Asking};
use crate::llm::{Model, ResponseCache, Usage};
use futures_util::{StreamExt, stream};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use typed_claims::dialogues::Dialogue;
use typed_claims::simulate::{CheckedDialogue, Desk, Outcome, Words, drawn};
use typed_claims::{Catalogue, Claim, Lexicon, Row, Schema, restaurant};

/// After so many dialogues in a row that no model answered, the run stops.
const GIVES_UP_AFTER: usize = 5;

/// The languages that have words of users, and prompts.
const LANGUAGES: [&str; 2] = ["en", "de"];

/// The options of a run.
#[derive(Debug, Clone)]
pub struct DeskOptions {
    /// Who answers.
    pub assistant: AssistantKind,
    /// Who asks.
    pub user: UserKind,
    /// The language of the users.
    pub language: String,
    /// Which rows a dialogue is about.
    pub rows: RowRecipe,
    /// The seed of rows, users and sampling.
    pub seed: u64,
    /// The sampling temperature.
    pub temperature: f32,
    /// The largest number of dialogues.
    pub limit: Option<usize>,
}

/// Everything that a run needs.
pub struct DeskRunner {
    /// The description of the run.
    pub run: DeskRun,
    dialogues: Vec<Dialogue>,
    schema: Schema,
    lexicon: Lexicon,
    catalogue: Catalogue,
    words: Words,
    model: Option<Arc<dyn Model>>,
    programs: Option<Programs>,
    /// The file that caches answers; none for one in the run's own folder.
    pub cache: Option<PathBuf>,
    /// How many dialogues are held at once.
    pub concurrency: usize,
}

/// How far a run is.
#[derive(Debug, Clone, Default)]
pub struct DeskProgress {
    /// All dialogues.
    pub dialogues: usize,
    /// Those that are done.
    pub done: usize,
    /// Those that are not, since a model could not be asked: the name, and why.
    pub failed: Vec<(String, String)>,
    /// Whether the run stopped, since no model answered any more.
    pub gave_up: bool,
}

impl DeskRunner {
    /// Plans a run over the goals of these dialogues. `model` answers, or talks for users;
    /// `programs` is there for an assistant by programs.
    ///
    /// # Errors
    /// The options do not fit each other, or there is no goal.
    pub fn new(
        mut dialogues: Vec<Dialogue>,
        model: Option<Arc<dyn Model>>,
        programs: Option<Programs>,
        wanted: &DeskOptions,
    ) -> Result<DeskRunner> {
        let refused = |problem: &str| Err(Error::Usage(problem.to_owned()));
        if !LANGUAGES.contains(&&*wanted.language) {
            return refused(&format!(
                "simulated users speak {}, not {}",
                LANGUAGES.join(" and "),
                wanted.language
            ));
        }
        dialogues.sort_by(|one, other| one.id.cmp(&other.id));
        dialogues.dedup_by(|one, other| one.id == other.id);
        dialogues.truncate(wanted.limit.unwrap_or(usize::MAX));
        if dialogues.is_empty() {
            return refused("there is no goal to talk about");
        }
        let asks = wanted.assistant != AssistantKind::Template || wanted.user == UserKind::Model;
        if wanted.assistant == AssistantKind::Template && wanted.user == UserKind::Model {
            return refused(
                "the assistant `template` understands users without a model only: --user agenda",
            );
        }
        if asks && model.is_none() {
            return refused("a model has to answer: name it with --model");
        }
        let told = match (wanted.assistant, &programs) {
            (AssistantKind::Template, _) => None,
            (AssistantKind::Rows, _) => {
                Some(blake3::hash(role(&wanted.language).as_bytes()).to_string())
            }
            (AssistantKind::Programs, Some(programs)) => Some(programs.digest().to_owned()),
            (AssistantKind::Programs, None) => return refused("programs need a sandbox"),
        };
        let wrong = |error: typed_claims::Error| Error::Usage(error.to_string());
        let schema = restaurant::schema().map_err(wrong)?;
        let lexicon = restaurant::lexicon(&wanted.language, &schema).map_err(wrong)?;
        let rows = restaurant::rows().map_err(wrong)?;
        let catalogue = Catalogue::new(rows, &schema, &lexicon).map_err(wrong)?;
        let words = Words::of(&wanted.language).map_err(wrong)?;
        let mut digest = blake3::Hasher::new();
        for dialogue in &dialogues {
            let goal = (&dialogue.id, &dialogue.goal, &dialogue.message);
            digest.update(format!("{goal:?}\n").as_bytes());
        }
        let run = DeskRun {
            kind: KIND.to_owned(),
            version: VERSION,
            dialog2api: env!("CARGO_PKG_VERSION").to_owned(),
            revision: option_env!("DIALOG2API_REVISION").map(str::to_owned),
            assistant: wanted.assistant,
            model: model.as_ref().map(|model| model.name().to_owned()),
            told,
            assist: programs.as_ref().map(Programs::aids),
            user: wanted.user,
            language: wanted.language.clone(),
            rows: wanted.rows,
            seed: wanted.seed,
            temperature: wanted.temperature,
            dialogues: DeskDialogues {
                count: dialogues.len(),
                digest: digest.finalize().to_string(),
            },
        };
        Ok(DeskRunner {
            run,
            dialogues,
            schema,
            lexicon,
            catalogue,
            words,
            model: model.filter(|_| asks),
            programs,
            cache: None,
            concurrency: 1,
        })
    }

    /// Holds the dialogues that are not in the log yet, then sorts the log. `watch` is called after
    /// each. Dropping the future ends the run: the log keeps what is done, and the cache what
    /// models said.
    ///
    /// # Errors
    /// The folder belongs to another run, or the disk failed. A model that cannot be reached is no
    /// error: see [`DeskProgress::failed`].
    pub async fn run(
        &self,
        folder: &Path,
        resume: bool,
        watch: impl Fn(&DeskProgress),
    ) -> Result<DeskProgress> {
        let (journal, done) = Journal::open(folder, &self.run, resume)?;
        let own = folder.join(RESPONSES);
        let model = match &self.model {
            Some(model) => {
                let cache = ResponseCache::open(self.cache.as_ref().unwrap_or(&own))?;
                Some(Arc::new(cache).around(model.clone()))
            }
            None => None,
        };
        let mut progress = DeskProgress {
            dialogues: self.dialogues.len(),
            done: done.len(),
            ..DeskProgress::default()
        };
        let open = self.dialogues.iter();
        let open = open.filter(|dialogue| !done.contains(&dialogue.id));
        let held = open.map(|dialogue| {
            let model = model.clone();
            async move { (dialogue, self.dialogue(dialogue, model).await) }
        });
        let mut held = stream::iter(held).buffer_unordered(self.concurrency.max(1));
        let mut unanswered = 0;
        while let Some((dialogue, turns)) = held.next().await {
            match turns {
                Ok(turns) => {
                    journal.write(&turns)?;
                    progress.done += 1;
                    unanswered = 0;
                }
                Err(error @ Error::Usage(_)) => return Err(error),
                Err(error) => {
                    progress
                        .failed
                        .push((dialogue.id.clone(), error.to_string()));
                    unanswered += 1;
                }
            }
            watch(&progress);
            if unanswered == GIVES_UP_AFTER {
                progress.gave_up = true;
                break;
            }
        }
        journal.finish()?;
        Ok(progress)
    }

    /// One dialogue, as the lines of the log.
    async fn dialogue(
        &self,
        dialogue: &Dialogue,
        model: Option<Arc<dyn Model>>,
    ) -> Result<Vec<DeskTurn>> {
        let asker = model.map(|model| Asker::new(model, Asking::default()));
        let model = asker.clone().map(|asker| Arc::new(asker) as Arc<dyn Model>);
        let all = self.catalogue.rows();
        let rows = match self.run.rows {
            RowRecipe::Full => all.to_vec(),
            RowRecipe::Random(count) => drawn(all, count, self.run.seed, &dialogue.id),
        };
        let mut assistant = self.assistant(dialogue, &rows, model.clone())?;
        let mut user = Speaker::new(
            self.run.user,
            dialogue,
            &self.words,
            &self.run.language,
            model.as_ref(),
            (self.run.temperature, self.run.seed),
        )?;
        let mut checked = CheckedDialogue::new(&self.schema, &self.lexicon, &self.catalogue, &rows);
        if self.run.assistant == AssistantKind::Rows {
            checked.show(json!(rows));
        }
        let (mut turns, mut verdicts, mut strayed) = (Vec::new(), Vec::new(), false);
        let mut said = user.open().await?;
        loop {
            checked.hear(&said.text, user.wishes());
            strayed |= strays(dialogue, checked.wishes(), &turns);
            let Reply { answer, plain } = assistant.answer(&said).await?;
            let (verdict, asked) = checked.check(&answer);
            let claims = verdict.claims.iter().map(logged).collect::<Result<_>>()?;
            let programs = answer.programs.into_iter();
            let programs = programs.map(|(literals, result)| ProgramOutcome { literals, result });
            turns.push(DeskTurn {
                dialogue: dialogue.id.clone(),
                turn: u32::try_from(turns.len() + 1).unwrap_or(u32::MAX),
                user: std::mem::take(&mut said.text),
                wishes: checked.wishes().clone(),
                reply: answer.text,
                plain,
                programs: programs.collect(),
                claims,
                flags: verdict.flags,
                end: None,
            });
            verdicts.push(verdict);
            if let Some(outcome) = user.outcome(turns.len()) {
                let asked = asker.as_ref().map(Asker::take).unwrap_or_default();
                let mut usage = Usage::default();
                asked.iter().for_each(|asked| usage += asked.usage);
                let end = DeskEnd {
                    outcome: name(outcome).to_owned(),
                    reached: user.reached(&rows, &verdicts),
                    strayed,
                    requests: u32::try_from(asked.len()).unwrap_or(u32::MAX),
                    usage,
                };
                if let Some(last) = turns.last_mut() {
                    last.end = Some(end);
                }
                return Ok(turns);
            }
            if let (Some(turn), Some(verdict)) = (turns.last(), verdicts.last()) {
                said = user.hear(&turn.reply, verdict, &asked).await?;
            }
        }
    }

    fn assistant<'a>(
        &'a self,
        dialogue: &Dialogue,
        rows: &'a [Row],
        model: Option<Arc<dyn Model>>,
    ) -> Result<Box<dyn Assistant + 'a>> {
        let (seed, refused) = (self.run.seed, dialogue.goal.refused());
        let missing = || Error::Usage("a model has to answer: name it with --model".to_owned());
        Ok(match (self.run.assistant, &self.programs) {
            (AssistantKind::Template, _) => {
                let desk = Desk::new(rows, &self.words, refused, seed, &dialogue.id);
                Box::new(Template(desk))
            }
            (AssistantKind::Programs, Some(programs)) => {
                let model = model.ok_or_else(missing)?;
                Box::new(programs.about(rows, refused, model, seed)?)
            }
            (AssistantKind::Rows | AssistantKind::Programs, _) => {
                let model = model.ok_or_else(missing)?;
                let sampling = (self.run.temperature, seed);
                Box::new(RowsInPrompt::new(model, &self.run.language, rows, sampling))
            }
        })
    }
}

/// A claim for the log.
fn logged(claim: &Claim) -> Result<Json> {
    let wrong = |error| Error::World(format!("a claim cannot be written: {error}"));
    let mut json = serde_json::to_value(claim).map_err(wrong)?;
    json["known"] = json!(claim.in_kb);
    json["supported"] = json!(claim.evidenced);
    Ok(json)
}

/// Whether the user wishes for a value that neither the goal nor a reply has.
fn strays(
    dialogue: &Dialogue,
    wishes: &std::collections::BTreeMap<String, Vec<String>>,
    turns: &[DeskTurn],
) -> bool {
    let goal = &dialogue.goal;
    let wanted = |value: &String| {
        let mut values = goal.info.values().chain(goal.fail_info.values());
        values.any(|wanted| wanted.eq_ignore_ascii_case(value))
    };
    let told = |value: &String| {
        let mut replies = turns.iter().map(|turn| turn.reply.to_lowercase());
        replies.any(|reply| reply.contains(&value.to_lowercase()))
    };
    let mut values = wishes.values().flatten();
    values.any(|value| !wanted(value) && !told(value))
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "done",
        Outcome::Failed => "failed",
        Outcome::Stuck => "stuck",
        Outcome::Cut => "cut",
    }
}
