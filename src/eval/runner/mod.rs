//! Runs a candidate on every turn of a dataset, and writes the log.

mod between_turns;
mod journal;
mod plan;
mod play;
mod strict;
mod tally;
mod timed_model;
mod truth;

pub use plan::{RunOptions, RunPlan};
pub use tally::{RunProgress, Unfinished};
pub use truth::{Truth, TruthTurn};

use super::candidate::Candidate;
use super::folder::RESPONSES;
use super::log::RunSettings;
use super::score::turn;
use crate::agent::{Agent, DEFAULT_BUDGET, Sandbox, Settings};
use crate::dataset::{ExampleDialogues, Replayer, Set};
use crate::error::{Error, Result};
use crate::exec::Limits;
use crate::exec::Seed;
use crate::llm::ResponseCache;
use crate::prompts::PromptSetting;
use crate::retrieval::{ExamplePool, Selection};
pub(super) use between_turns::BetweenTurns;
use journal::Journal;
use play::Stage;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Everything a run needs.
pub struct Runner {
    /// The description of the run, and its dialogues.
    pub plan: RunPlan,
    /// The candidate under evaluation.
    pub candidate: Arc<dyn Candidate>,
    /// The agent. Its model and its world are replaced in every turn.
    pub agent: Agent,
    /// The examples, as the agent has them.
    pub pool: Arc<ExamplePool>,
    /// The file that caches answers; `None` for one in the run's own folder.
    pub cache: Option<PathBuf>,
    /// How many dialogues run at once.
    pub concurrency: usize,
}

/// The examples of a run.
pub struct Examples {
    /// The dialogues.
    pub dialogues: ExampleDialogues,
    /// Their turns, ready to be searched.
    pub pool: Arc<ExamplePool>,
}

/// The time after which a program is given up. Its fuel ends it long before on any machine, so
/// that load decides nothing that is scored.
const GUARD: std::time::Duration = std::time::Duration::from_secs(600);

/// The settings of the agent in such a run.
///
/// # Errors
/// The prompt setting is not `a`, `b` or `c`.
pub fn settings(of: &RunSettings) -> Result<Settings> {
    Ok(Settings {
        prompt: of.setting.to_string().parse::<PromptSetting>()?,
        examples: Selection {
            nearest: of.k as usize,
            alpha: of.alpha,
        },
        temperature: of.temperature,
        program_tokens: of.program_tokens,
        response_tokens: of.response_tokens,
        protocol: of.form.protocol(),
        // The model's context window does not count: the same settings make the same prompts.
        budget: Some(of.budget.unwrap_or(DEFAULT_BUDGET)),
        seed: Seed {
            random: of.seed,
            ..Seed::default()
        },
        sampling: of.seed,
        sign: true,
        assist: of.assist.clone().unwrap_or_default(),
        limits: Limits {
            deadline: GUARD,
            ..Limits::default()
        },
        ..Settings::unguarded()
    })
}

/// The dialogues in a row that get no answer, after which a run stops. Those that fail together
/// with the first do not count: a server that starts again fails all that run at once.
pub(super) const MOST_UNANSWERED: usize = 5;

/// Called with the progress after every turn.
pub type RunWatch = Arc<dyn Fn(&RunProgress) + Send + Sync>;

/// Tells a run to stop.
#[derive(Debug, Clone, Default)]
pub struct RunStop(Arc<AtomicBool>);

impl RunStop {
    /// Lets the turns in progress end, and begins no others.
    pub fn stop(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether [`RunStop::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Shared by the tasks of a run.
struct Shared {
    runner: Arc<Runner>,
    journal: Journal,
    cache: Option<Arc<ResponseCache>>,
    stop: RunStop,
    watch: RunWatch,
    tally: Mutex<RunProgress>,
}

impl Runner {
    /// Plans a run and replays the truth. No model is asked yet.
    ///
    /// # Errors
    /// There is nothing to run, a dialogue is wrong, or a setting is not valid.
    pub async fn new(
        set: &Set,
        examples: &Examples,
        candidate: Arc<dyn Candidate>,
        sandbox: Arc<dyn Sandbox>,
        wanted: RunOptions,
    ) -> Result<Runner> {
        let settings = settings(&wanted.settings)?;
        let mut replayer = Replayer::new(sandbox.clone(), &set.domain);
        replayer.limits = settings.limits.clone();
        replayer.seed = settings.seed;
        let (dialogues, model) = (&examples.dialogues, candidate.name());
        let plan = RunPlan::new(set, dialogues, model, wanted, &replayer).await?;
        let agent = Agent::new(
            Arc::new(BetweenTurns),
            sandbox,
            Arc::new(BetweenTurns),
            &set.domain,
            examples.pool.clone(),
            settings,
        )?;
        Ok(Runner {
            plan,
            candidate,
            agent,
            pool: examples.pool.clone(),
            cache: None,
            concurrency: 1,
        })
    }

    /// Runs the dialogues that are not in the log yet, then sorts the log. Dropping the future
    /// ends the run at once; the log keeps the turns in it.
    ///
    /// # Errors
    /// The folder belongs to another run, or the disk failed. A dialogue that cannot be
    /// finished is no error: see [`RunProgress::failed`], and [`RunProgress::gave_up`] for a server that does
    /// not answer any more.
    pub async fn run(
        self: Arc<Self>,
        folder: &Path,
        resume: bool,
        stop: RunStop,
        watch: RunWatch,
    ) -> Result<RunProgress> {
        let (journal, kept) = Journal::open(folder, &self.plan.run, resume)?;
        let cache = if self.candidate.asks_a_model() {
            let own = folder.join(RESPONSES);
            let path = self.cache.as_ref().unwrap_or(&own);
            Some(Arc::new(ResponseCache::open(path)?))
        } else {
            None
        };
        let epochs = self.plan.run.epochs;
        let mut tally = RunProgress {
            turns: self.plan.turns(),
            dialogues: self.plan.truths.len() * epochs as usize,
            ..RunProgress::default()
        };
        for matches in kept.values() {
            tally.dialogue(matches);
            tally.turns_done += matches.len();
            tally.turns_kept += matches.len();
        }
        watch(&tally);
        let slots = Arc::new(Semaphore::new(self.concurrency.max(1)));
        let shared = Arc::new(Shared {
            runner: self,
            journal,
            cache,
            stop,
            watch,
            tally: Mutex::new(tally),
        });
        let mut under_way = JoinSet::new();
        // The first epoch of every dialogue comes before the second of any.
        for epoch in 1..=epochs {
            for truth in &shared.runner.plan.truths {
                if kept.contains_key(&(truth.uid.clone(), epoch)) {
                    continue;
                }
                let Ok(slot) = slots.clone().acquire_owned().await else {
                    break;
                };
                // An error that concerns all dialogues ends the run now, not after hours.
                while let Some(done) = under_way.try_join_next() {
                    ended(done)?;
                }
                let (shared, truth) = (shared.clone(), truth.clone());
                under_way.spawn(async move {
                    let _slot = slot;
                    shared.dialogue(&truth, epoch).await
                });
            }
        }
        while let Some(done) = under_way.join_next().await {
            ended(done)?;
        }
        shared.journal.finish()?;
        let mut tally = shared.lock().clone();
        tally
            .failed
            .sort_by(|a, b| (&a.dialogue, a.epoch).cmp(&(&b.dialogue, b.epoch)));
        Ok(tally)
    }
}

impl Shared {
    /// One dialogue, from its first turn to its last.
    async fn dialogue(&self, truth: &Truth, epoch: u32) -> Result<()> {
        let most = MOST_UNANSWERED + self.runner.concurrency.max(1) - 1;
        let mut stage = Stage::new(&self.runner, self.cache.as_ref(), truth, epoch);
        let mut matches = Vec::with_capacity(truth.turns.len());
        for index in 0..truth.turns.len() {
            if self.stop.is_stopped() || self.lock().gave_up {
                return Ok(());
            }
            let Some((log, timing)) = stage.turn(index).await? else {
                break;
            };
            self.journal.turn(&log, timing.as_ref())?;
            matches.push(turn::matches(&log));
            let ended = log.failure.as_ref();
            let ended = ended.filter(|failure| failure.kind.ends_dialogue());
            self.count(|tally| {
                tally.turn(&log, stage.answered);
                tally.gave_up |= tally.unanswered >= most;
                if let Some(failure) = ended {
                    tally.failed.push(Unfinished {
                        dialogue: truth.uid.clone(),
                        epoch,
                        turn: log.truth.turn,
                        message: failure.message.clone(),
                    });
                }
            });
            if ended.is_some() {
                return Ok(());
            }
        }
        self.count(|tally| tally.dialogue(&matches));
        Ok(())
    }

    fn count(&self, change: impl FnOnce(&mut RunProgress)) {
        let mut tally = self.lock();
        change(&mut tally);
        tally.asked = self.cache.as_ref().map_or(0, |cache| cache.asked());
        (self.watch)(&tally);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, RunProgress> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn ended(done: Result<Result<()>, tokio::task::JoinError>) -> Result<()> {
    done.unwrap_or_else(|error| Err(Error::lost(error)))
}
