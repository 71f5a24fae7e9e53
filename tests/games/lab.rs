//! A run of games with a model that is a function.

use async_trait::async_trait;
use decision_games::Recorded;
use dialog2api::error::{Error, Result};
use dialog2api::eval::reward::{self, GameMode, GameOptions, GameProgress, GameRunner, GameScore};
use dialog2api::eval::runner::RunStop;
use dialog2api::games::{Acting, Sampling};
use dialog2api::llm::{Completion, Model, Prices, Progress, Request, Usage};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Answers by a function of its instructions and the last message.
pub struct Fake {
    pub says: fn(&str, &str) -> String,
    /// It cannot be reached from this request on.
    pub fails_from: usize,
    pub asked: AtomicUsize,
}

impl Fake {
    pub fn new(says: fn(&str, &str) -> String) -> Arc<Fake> {
        Fake::failing(says, usize::MAX)
    }

    pub fn failing(says: fn(&str, &str) -> String, fails_from: usize) -> Arc<Fake> {
        Arc::new(Fake {
            says,
            fails_from,
            asked: AtomicUsize::new(0),
        })
    }

    pub fn asked(&self) -> usize {
        self.asked.load(Relaxed)
    }
}

#[async_trait]
impl Model for Fake {
    fn name(&self) -> &str {
        "fake"
    }

    async fn complete(
        &self,
        request: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        if self.asked.fetch_add(1, Relaxed) >= self.fails_from {
            return Err(Error::model("the server is gone"));
        }
        let [first, .., last] = request.messages.as_slice() else {
            return Err(Error::model("there is no question"));
        };
        Ok(Completion {
            text: (self.says)(&first.content, &last.content),
            finish: Some("stop".to_owned()),
            usage: Usage {
                prompt_tokens: 100,
                completion_tokens: 10,
                ..Usage::default()
            },
        })
    }
}

/// A model that reads nothing, and as a user likes parks and accepts whatever is proposed.
pub fn easy(role: &str, said: &str) -> String {
    match role.starts_with("You are ") {
        false => "none()".to_owned(),
        true if said.contains("You must answer") => "[accept]".to_owned(),
        true => "[message] I like parks.".to_owned(),
    }
}

/// The first recorded games of a kind.
pub fn games(kind: &str, count: usize) -> Vec<Recorded> {
    let path = format!("{}/datasets/{kind}/games.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("recorded games");
    let some: Vec<&str> = text.lines().take(count).collect();
    Recorded::read(&some.join("\n")).expect("games")
}

/// A folder that does not exist yet, in one that is deleted.
pub fn folder() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("run");
    (home, folder)
}

pub fn wanted(mode: GameMode, users: &str) -> GameOptions {
    GameOptions {
        as_released: false,
        mode,
        cuts: Vec::new(),
        agent: Acting::Calls,
        language: decision_games::Language::default(),
        users: users.to_owned(),
        sampling: Sampling::default(),
        split: None,
        limit: None,
        shard: None,
    }
}

/// Plays games; the reader of words reads where there is no model.
pub async fn play(
    folder: &Path,
    games: Vec<Recorded>,
    model: Option<Arc<Fake>>,
    wanted: &GameOptions,
) -> Result<GameProgress> {
    let model = model.map(|model| model as Arc<dyn Model>);
    let runner = GameRunner::new(games, model, wanted)?;
    let resume = folder.exists();
    runner
        .run(folder, resume, RunStop::default(), Arc::new(|_| {}))
        .await
}

/// The figures of what is there.
pub fn score(folder: &Path) -> GameScore {
    let run = reward::read(folder).expect("a run");
    reward::score(&run, &Prices::default(), true).expect("figures")
}
