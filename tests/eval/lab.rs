//! A small dataset, a model that says what it is told, and runs of it.

use crate::support::sandbox;
use async_trait::async_trait;
use dialog2api::dataset::{ExampleDialogues, Replayer, Set, Split, annotate};
use dialog2api::dialogue::{
    GoalRecord, Program, Status, Transcript, Turn, write_reply, write_transcript, write_updates,
};
use dialog2api::domain::s3::S3;
use dialog2api::eval::candidate::{Candidate, ModelCandidate};
use dialog2api::eval::log::{RunSettings, TurnLog};
use dialog2api::eval::read::read;
use dialog2api::eval::runner::{Examples, RunOptions, RunProgress, RunStop, RunWatch, Runner};
use dialog2api::llm::{Completion, Model, Progress, Request, Usage};
use dialog2api::retrieval::ExamplePool;
use dialog2api::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// One goal of a turn: uid, status, program. Without a program only the status changes.
type Goal<'a> = (u32, &'a str, &'a str);
/// One turn: what the user says, the goals, what the agent says.
pub type Said<'a> = (&'a str, &'a [Goal<'a>], &'a str);

/// The dialogues of the dataset: part, uid and goal, turns.
pub const DIALOGUES: &[(&str, &str, &[Said])] = &[
    (
        "train",
        "make-1",
        &[
            (
                "make a bucket",
                &[(1, "drafting", "s3.create_bucket(Bucket=?1)")],
                "What should it be called?",
            ),
            (
                "call it old-1",
                &[(1, "final", "s3.create_bucket(Bucket=\"old-1\")")],
                "I made \"old-1\".",
            ),
        ],
    ),
    (
        "train",
        "rain-1",
        &[(
            "does it rain?",
            &[(1, "final", "raise ChitChat()")],
            "Let us talk about your buckets.",
        )],
    ),
    (
        "test",
        "create-1",
        &[
            (
                "please create a new bucket",
                &[(1, "drafting", "s3.create_bucket(Bucket=?1)")],
                "Which name?",
            ),
            (
                "its name is new-1",
                &[(1, "final", "s3.create_bucket(Bucket=\"new-1\")")],
                "Done.",
            ),
            (
                "so how many are there?",
                &[(2, "final", "return len(s3.list_buckets()[\"Buckets\"])")],
                "1 bucket.",
            ),
        ],
    ),
    (
        "test",
        "drop-1",
        &[
            (
                "drop what I planned",
                &[(1, "drafting", "return ?1")],
                "What did you plan?",
            ),
            ("never mind", &[(1, "abandoned", "")], "As you wish."),
        ],
    ),
    (
        "test",
        "sum-1",
        &[
            ("two and three?", &[(1, "final", "return 2 + 3")], "5"),
            (
                "and times two?",
                &[(2, "final", "return (2 + 3) * 2")],
                "10",
            ),
        ],
    ),
    (
        "test",
        "talk-1",
        &[(
            "nice weather",
            &[(1, "final", "raise ChitChat()")],
            "It is, I hope.",
        )],
    ),
];

/// How many requests a model gets that is always right: two for each turn.
pub const REQUESTS: usize = 2 * 8;

fn transcript(uid: &str, turns: &[Said<'_>]) -> Transcript {
    let goal = |(uid, status, program): &Goal<'_>| GoalRecord {
        uid: *uid,
        status: status.parse::<Status>().unwrap(),
        program: (!program.is_empty()).then(|| Program::new(program)),
        outcome: None,
        signature: None,
    };
    let turn = |(user, goals, reply): &Said<'_>| Turn {
        user: (*user).to_owned(),
        goals: goals.iter().map(goal).collect(),
        response: Some((*reply).to_owned()),
    };
    let attribute = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Transcript {
        uid: uid.to_owned(),
        attributes: vec![
            attribute("goal", uid.trim_end_matches("-1")),
            attribute("world", "empty"),
        ],
        initial_signature: None,
        greeting: Some("Hello.".to_owned()),
        turns: turns.iter().map(turn).collect(),
    }
}

/// What else stands in the file of a dialogue: its uid, the old text, the new one.
pub type Change = (&'static str, &'static str, &'static str);

/// The files of the dataset, with what their programs do.
async fn files() -> Vec<(String, String)> {
    let replayer = Replayer::new(Arc::new(sandbox().await), &S3);
    let mut files = Vec::new();
    for (part, uid, turns) in DIALOGUES {
        let world = S3.initial_world("empty").unwrap();
        let bare = transcript(uid, turns);
        let annotated = annotate(&bare, &replayer, world).await.unwrap();
        let text = write_transcript(&annotated.unwrap());
        files.push((format!("{part}/{uid}.xml"), text));
    }
    files
}

/// The dataset, with changes.
async fn set(changes: &[Change]) -> Set {
    static FILES: OnceCell<Vec<(String, String)>> = OnceCell::const_new();
    let files = FILES.get_or_init(files).await.iter().map(|(path, text)| {
        let mut text = text.clone();
        for (_, old, new) in changes.iter().filter(|(uid, _, _)| path.contains(uid)) {
            assert!(text.contains(old), "{old} in {text}");
            text = text.replacen(old, new, 1);
        }
        (PathBuf::from(path), text.into_bytes())
    });
    Set::of(Path::new(""), &S3, files.collect(), None)
}

/// Says what stands in the dataset, unless it is told otherwise.
#[derive(Default)]
pub struct Fake {
    /// What it says instead in reply to an utterance: programs, response.
    pub wrong: BTreeMap<&'static str, (&'static str, &'static str)>,
    /// The programs with which it answers an utterance when it is asked again.
    pub again: BTreeMap<&'static str, &'static str>,
    /// It answers everything with this.
    pub always: Option<&'static str>,
    /// The requests from this one on, counted from 0, are not answered …
    pub fails_from: Option<usize>,
    /// … and those from this one on are again.
    pub until: Option<usize>,
    /// The requests that came.
    pub came: AtomicUsize,
    /// The requests that were answered, as they were.
    pub answered: Mutex<Vec<String>>,
}

impl Fake {
    /// Whether it was ever asked twice what it had answered.
    pub fn was_asked_twice(&self) -> bool {
        let answered = self.answered.lock().unwrap();
        answered.iter().collect::<BTreeSet<_>>().len() < answered.len()
    }

    pub fn answers(&self) -> usize {
        self.answered.lock().unwrap().len()
    }

    fn text(&self, request: &Request) -> String {
        if let Some(always) = self.always {
            return always.to_owned();
        }
        let programs = request.stop.contains(&"<turn>".to_owned());
        let mut messages = request.messages.iter().rev();
        let (utterance, turn) = messages
            .find_map(|message| {
                let turns = DIALOGUES.iter().flat_map(|(_, uid, turns)| {
                    let transcript = transcript(uid, turns);
                    turns.iter().map(|said| said.0).zip(transcript.turns)
                });
                let mut turns = turns.collect::<Vec<_>>().into_iter();
                turns.find(|(user, _)| message.content.contains(&format!("User: {user}")))
            })
            .expect("an utterance of the dataset");
        let asked = request.messages.last();
        let is_repair = asked.is_some_and(|asked| asked.content.contains("You have answered:"));
        if let Some(again) = self.again.get(utterance).filter(|_| programs && is_repair) {
            return (*again).to_owned();
        }
        match self.wrong.get(utterance) {
            Some((wrong, _)) if programs => (*wrong).to_owned(),
            Some((_, wrong)) => (*wrong).to_owned(),
            None if programs => write_updates(&turn.updates()),
            None => write_reply(turn.response.as_deref().unwrap()),
        }
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
        let number = self.came.fetch_add(1, Relaxed);
        let fails = self.fails_from.is_some_and(|from| number >= from);
        if fails && self.until.is_none_or(|until| number < until) {
            return Err(Error::unanswered("the server answers 503"));
        }
        let seen = serde_json::to_string(request).unwrap();
        self.answered.lock().unwrap().push(seen);
        Ok(Completion {
            text: self.text(request),
            finish: Some("stop".to_owned()),
            usage: Usage {
                prompt_tokens: 100,
                cached_tokens: 0,
                completion_tokens: 10,
                ..Usage::default()
            },
        })
    }
}

/// A run as it is wanted: the whole test part, one at a time.
pub struct Lab {
    pub changes: Vec<Change>,
    pub candidate: Arc<dyn Candidate>,
    pub wanted: RunOptions,
    pub cache: Option<PathBuf>,
    pub concurrency: usize,
    pub stop: RunStop,
    pub watch: RunWatch,
}

pub fn wanted() -> RunOptions {
    RunOptions {
        settings: RunSettings {
            setting: 'b',
            k: 2,
            similarity: "words".to_owned(),
            program_tokens: 500,
            response_tokens: 500,
            ..RunSettings::default()
        },
        split: Some(Split::Test),
        ..RunOptions::default()
    }
}

impl Lab {
    pub fn of(candidate: Arc<dyn Candidate>) -> Lab {
        Lab {
            changes: Vec::new(),
            candidate,
            wanted: wanted(),
            cache: None,
            concurrency: 1,
            stop: RunStop::default(),
            watch: Arc::new(|_| ()),
        }
    }

    pub fn asking(model: &Arc<Fake>) -> Lab {
        Lab::of(Arc::new(ModelCandidate(model.clone())))
    }

    /// Runs it, and says how it went.
    pub async fn run(&self, folder: &Path, resume: bool) -> Result<RunProgress> {
        let set = set(&self.changes).await;
        let dialogues = ExampleDialogues::training_part(&set);
        let pool = ExamplePool::new(&dialogues.transcripts(), &S3).unwrap();
        let examples = Examples {
            dialogues,
            pool: Arc::new(pool),
        };
        let sandbox = Arc::new(sandbox().await);
        let (candidate, wanted) = (self.candidate.clone(), self.wanted.clone());
        let mut runner = Runner::new(&set, &examples, candidate, sandbox, wanted).await?;
        runner.cache.clone_from(&self.cache);
        runner.concurrency = self.concurrency;
        let (stop, watch) = (self.stop.clone(), self.watch.clone());
        Arc::new(runner).run(folder, resume, stop, watch).await
    }
}

/// A folder to run in.
pub fn folder() -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("run");
    (home, path)
}

/// The files that must be the same, whenever and wherever it ran.
pub fn bytes(folder: &Path) -> (String, String) {
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    (text("run.json"), text("log.jsonl"))
}

/// A log for people, a line a turn.
pub fn shown(folder: &Path) -> String {
    let recorded = read(folder).unwrap();
    let mut text: String = recorded.turns.iter().map(line).collect();
    text.push_str(&recorded.completeness.to_string());
    text
}

fn line(turn: &TurnLog) -> String {
    let goals = turn.programs.iter().map(|goal| {
        let outcome = goal.result.as_ref().or(goal.error.as_ref());
        let outcome = outcome.map_or_else(String::new, |outcome| format!(" = {outcome}"));
        format!("{} {}{outcome}", goal.uid, goal.status)
    });
    let failure = turn.failure.as_ref().map_or_else(String::new, |failure| {
        format!(" ({:?}: {})", failure.kind, failure.message)
    });
    format!(
        "{} {}.{} {} | {} | {}{failure} | {} exchanges\n",
        turn.truth.dialogue,
        turn.epoch,
        turn.truth.turn,
        match (
            turn.signature == turn.truth_signature,
            turn.state == turn.truth_state
        ) {
            (true, true) => "same",
            (false, true) => "same state",
            (_, false) => "other state",
        },
        goals.collect::<Vec<_>>().join(", "),
        turn.response,
        turn.exchanges.len(),
    )
}
