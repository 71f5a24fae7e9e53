//! Lets users talk with an assistant, and writes the log.

use super::journal::Journal;
use super::log::{AssistantKind, DeskDialogues, DeskRun, KIND, RowRecipe, VERSION};
use super::options::DeskOptions;
use super::programs::Programs;
use super::rows::role;
use crate::error::{Error, FailureReason, Result};
use crate::eval::folder::RESPONSES;
use crate::eval::runner::{MOST_UNANSWERED, RunStop};
use crate::llm::{Model, ResponseCache};
use futures_util::{StreamExt, stream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use typed_claims::dialogues::Dialogue;
use typed_claims::simulate::Words;
use typed_claims::{Catalogue, Lexicon, Schema, restaurant};

/// Everything that a run needs.
pub struct DeskRunner {
    /// The description of the run.
    pub run: DeskRun,
    pub(super) dialogues: Vec<Dialogue>,
    pub(super) schema: Schema,
    pub(super) lexicon: Lexicon,
    pub(super) catalogue: Catalogue,
    pub(super) words: Words,
    pub(super) model: Option<Arc<dyn Model>>,
    pub(super) programs: Option<Programs>,
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
        wanted.check()?;
        let refused = |problem: &str| Err(Error::usage(problem.to_owned()));
        dialogues.sort_by(|one, other| one.id.cmp(&other.id));
        let mut pairs = dialogues.windows(2);
        if let Some([one, _]) = pairs.find(|pair| matches!(pair, [a, b] if a.id == b.id)) {
            return refused(&format!(
                "two goals are named {}: give each an id of its own",
                one.id
            ));
        }
        dialogues.truncate(wanted.limit.unwrap_or(usize::MAX));
        if dialogues.is_empty() {
            return refused("there is no goal to talk about");
        }
        if wanted.asks_model() && model.is_none() {
            return refused("a model has to answer: name it with --model");
        }
        let told = match (wanted.assistant, &programs) {
            (AssistantKind::Template, _) => None,
            (AssistantKind::Rows, _) => {
                Some(blake3::hash(role(&wanted.language).as_bytes()).to_string())
            }
            (AssistantKind::Programs, Some(programs)) => Some(programs.told().to_owned()),
            (AssistantKind::Programs, None) => return refused("programs need a sandbox"),
        };
        let wrong = |error: typed_claims::Error| Error::usage(error.to_string());
        let schema = restaurant::schema().map_err(wrong)?;
        let lexicon = restaurant::lexicon(&wanted.language, &schema).map_err(wrong)?;
        let rows = restaurant::rows().map_err(wrong)?;
        if let RowRecipe::Random(count) = wanted.rows
            && count > rows.len()
        {
            return refused(&format!("there are {} rows, not {count}", rows.len()));
        }
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
            model: model.filter(|_| wanted.asks_model()),
            programs,
            cache: None,
            concurrency: 1,
        })
    }

    /// Holds the dialogues that are not in the log yet, then sorts the log. `watch` is called after
    /// each. After `stop` it waits for the replies under way. The cache has all answers of models, so
    /// a dialogue that begins again sends no request twice.
    ///
    /// # Errors
    /// The folder belongs to another run, or the disk failed. A model that cannot be reached is no
    /// error: see [`DeskProgress::failed`].
    pub async fn run(
        &self,
        folder: &Path,
        resume: bool,
        stop: &RunStop,
        watch: impl Fn(&DeskProgress),
    ) -> Result<DeskProgress> {
        // A cache that cannot be used leaves no run behind.
        let shared = self.cache.as_ref().filter(|_| self.model.is_some());
        let shared = shared.map(ResponseCache::open).transpose()?;
        let (journal, done) = Journal::open(folder, &self.run, resume)?;
        let model = match (&self.model, shared) {
            (None, _) => None,
            (Some(model), Some(shared)) => Some(Arc::new(shared).around(model.clone())),
            (Some(model), None) => {
                let own = ResponseCache::open(folder.join(RESPONSES))?;
                Some(Arc::new(own).around(model.clone()))
            }
        };
        let mut progress = DeskProgress {
            dialogues: self.dialogues.len(),
            done: done.len(),
            ..DeskProgress::default()
        };
        watch(&progress);
        let open = self.dialogues.iter();
        let open = open.filter(|dialogue| !done.contains(&dialogue.id));
        let held = open.map(|dialogue| {
            let model = model.clone();
            async move { (dialogue, self.dialogue(dialogue, model, stop).await) }
        });
        let concurrency = self.concurrency.max(1);
        let mut held = stream::iter(held).buffer_unordered(concurrency);
        let mut unanswered = 0;
        while let Some((dialogue, turns)) = held.next().await {
            match turns {
                Ok(None) => continue,
                Ok(Some(turns)) => {
                    journal.write(&turns)?;
                    progress.done += 1;
                    unanswered = 0;
                }
                Err(error) if error.is(FailureReason::Usage) => return Err(error),
                Err(error) => {
                    unanswered += usize::from(error.is(FailureReason::Unanswered));
                    let failed = (dialogue.id.clone(), error.to_string());
                    progress.failed.push(failed);
                }
            }
            watch(&progress);
            if unanswered == MOST_UNANSWERED + concurrency - 1 {
                progress.gave_up = progress.done + progress.failed.len() < progress.dialogues;
                break;
            }
        }
        journal.finish()?;
        Ok(progress)
    }
}
