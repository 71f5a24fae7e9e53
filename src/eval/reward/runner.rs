//! Plays the units of a run, and writes the log.

use super::journal::Journal;
use super::log::{GameOutcome, GameRun, UnitKey};
use super::play::Stage;
use super::units::{GameOptions, Unit, plan};
use crate::error::{Error, Result};
use crate::eval::folder::RESPONSES;
use crate::eval::runner::RunStop;
use crate::exec::Engine;
use crate::games::{Acting, Asker};
use crate::llm::{Model, ResponseCache};
use decision_games::Recorded;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// The name of the reader without a model, in the place of a model's.
pub const WORDS: &str = "words";

/// Everything that a run of games needs.
pub struct GameRunner {
    /// The description of the run.
    pub run: GameRun,
    units: Vec<Unit>,
    model: Option<Arc<dyn Model>>,
    /// The file that caches answers; none for one in the run's own folder.
    pub cache: Option<PathBuf>,
    /// How many games are played at once.
    pub concurrency: usize,
    /// The sandbox of programs, for models that write them.
    pub engine: Option<Engine>,
}

/// How far a run is.
#[derive(Debug, Clone, Default)]
pub struct GameProgress {
    /// All units of this shard.
    pub units: usize,
    /// Those that are done.
    pub done: usize,
    /// Units without a sample, and why.
    pub failed: Vec<(UnitKey, String)>,
    /// The sum of the scaled scores, silence where there is no decision.
    pub sum: f64,
    /// Requests that a model answered now, and not the cache.
    pub asked: u64,
}

/// Called with the progress after every unit.
pub type GameWatch = Arc<dyn Fn(&GameProgress) + Send + Sync>;

struct Shared {
    run: GameRun,
    engine: Option<Engine>,
    journal: Journal,
    model: Option<Arc<dyn Model>>,
    cache: Option<Arc<ResponseCache>>,
    stop: RunStop,
    watch: GameWatch,
    tally: Mutex<GameProgress>,
}

impl GameRunner {
    /// Plans a run. Without a model, the reader of words reads.
    ///
    /// # Errors
    /// A game cannot be read, or there is nothing to run.
    pub fn new(
        games: Vec<Recorded>,
        model: Option<Arc<dyn Model>>,
        wanted: &GameOptions,
    ) -> Result<GameRunner> {
        let name = model.as_ref().map_or(WORDS, |model| model.name());
        let (run, units) = plan(games, name, wanted)?;
        if model.is_none() && run.users.as_deref() == Some("model") {
            return Err(Error::usage(
                "--users model needs a model: name it with --model",
            ));
        }
        if model.is_none() && run.agent == Acting::Programs {
            return Err(Error::usage(
                "--agent programs needs a model that writes them: name it with --model",
            ));
        }
        Ok(GameRunner {
            run,
            units,
            model,
            cache: None,
            concurrency: 1,
            engine: None,
        })
    }

    /// Plays the units that are not in the log yet, then sorts the log. Dropping the future ends
    /// the run; the log keeps the turns in it.
    ///
    /// # Errors
    /// The folder belongs to another run, or the disk failed. A model that cannot be reached is no
    /// error: see [`GameProgress::failed`].
    pub async fn run(
        self,
        folder: &Path,
        resume: bool,
        stop: RunStop,
        watch: GameWatch,
    ) -> Result<GameProgress> {
        if self.run.agent == Acting::Programs && self.engine.is_none() {
            return Err(Error::usage("programs need a sandbox"));
        }
        let (journal, done) = Journal::open(folder, &self.run, resume)?;
        let own = folder.join(RESPONSES);
        let cache = match &self.model {
            Some(_) => {
                let path = self.cache.as_ref().unwrap_or(&own);
                Some(Arc::new(ResponseCache::open(path)?))
            }
            None => None,
        };
        let shared = Arc::new(Shared {
            journal,
            model: self.model.clone().map(|model| match &cache {
                Some(cache) => cache.around(model),
                None => model,
            }),
            cache,
            stop,
            watch,
            tally: Mutex::new(GameProgress {
                units: self.units.len(),
                done: done.len(),
                ..GameProgress::default()
            }),
            run: self.run,
            engine: self.engine,
        });
        let slots = Arc::new(Semaphore::new(self.concurrency.max(1)));
        let mut under_way = JoinSet::new();
        for unit in self.units {
            if done.contains(&unit.place) {
                continue;
            }
            let Ok(slot) = slots.clone().acquire_owned().await else {
                break;
            };
            while let Some(done) = under_way.try_join_next() {
                ended(done)?;
            }
            if shared.stop.is_stopped() {
                break;
            }
            let asker = shared.model.clone();
            let asker = asker.map(|model| Asker::new(model, shared.run.sampling.clone()));
            let shared = shared.clone();
            // Players wait for models, which answer on the threads of the runtime.
            under_way.spawn_blocking(move || {
                let _slot = slot;
                shared.unit(&unit, asker)
            });
        }
        while let Some(done) = under_way.join_next().await {
            ended(done)?;
        }
        shared.journal.finish()?;
        let mut tally = shared.lock().clone();
        tally.failed.sort();
        Ok(tally)
    }
}

impl Shared {
    fn unit(&self, unit: &Unit, asker: Option<Asker>) -> Result<()> {
        let stage = Stage {
            unit,
            run: &self.run,
            asker,
            engine: self.engine.as_ref(),
            write: &|line| self.journal.write(line),
            stopped: &|| self.stop.is_stopped(),
        };
        if let Some(outcome) = stage.play()? {
            self.count(&unit.place, outcome);
        }
        Ok(())
    }

    fn count(&self, place: &UnitKey, outcome: GameOutcome) {
        let mut tally = self.lock();
        match outcome.ours {
            Some(reason) => tally.failed.push((place.clone(), reason)),
            None => {
                tally.done += 1;
                tally.sum += outcome.norm.unwrap_or(outcome.silent);
            }
        }
        tally.asked = self.cache.as_ref().map_or(0, |cache| cache.asked());
        (self.watch)(&tally);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, GameProgress> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn ended(done: std::result::Result<Result<()>, tokio::task::JoinError>) -> Result<()> {
    done.unwrap_or_else(|error| Err(Error::lost(error)))
}
