//! What the page asks of its host.

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use serde::{Deserialize, Serialize};

/// The agent behind the page.
///
/// A method returns as soon as its work has *begun*. What comes of it is told by events, which the
/// host pushes to the [`Log`](crate::Log); so a turn goes on whether or not a page listens.
#[async_trait]
pub trait Desk: Send + Sync + 'static {
    /// Says something to the agent. `turn_ended` tells the end.
    ///
    /// # Errors
    /// [`Refusal::Conflict`]: a turn is under way.
    async fn say(&self, text: String) -> Answer;

    /// Answers the plan that waits. The server has checked that no other page answered it.
    ///
    /// # Errors
    /// [`Refusal::Conflict`]: no plan of this number waits.
    async fn decide(&self, plan: u64, apply: bool) -> Answer;

    /// Answers whether a costly program goes on.
    ///
    /// # Errors
    /// [`Refusal::Conflict`]: none waits.
    async fn answer_cost(&self, go_on: bool) -> Answer;

    /// Finishes an apply that was cut off, or takes it back.
    ///
    /// # Errors
    /// [`Refusal::Conflict`]: none was cut off.
    async fn settle(&self, finish: bool) -> Answer;

    /// Ends the turn, the undo or the apply under way.
    ///
    /// # Errors
    /// [`Refusal::Conflict`]: nothing is under way.
    async fn cancel(&self) -> Answer;

    /// Takes back this plan, or without a number what was done last. `plan` and `undone` tell
    /// the rest. A turn that ran nothing is taken back by `draft`.
    ///
    /// # Errors
    /// [`Refusal::Conflict`]: a turn is under way.
    async fn undo(&self, undo: Undo) -> Answer;

    /// Runs what a button of the page wants as a program of its own turn, whose plan is shown
    /// and decided on like any other.
    ///
    /// # Errors
    /// [`Refusal::Bad`]: the domain cannot do it. [`Refusal::Conflict`]: a turn is under way.
    async fn propose(&self, wish: Wish) -> Answer;

    /// Takes in a file that a [`Wish::Upload`] is going to name. Nothing is changed by that. A file
    /// that is cut off is forgotten. Returns what the wish calls it.
    ///
    /// # Errors
    /// [`Refusal::Bad`]: it is larger than [`Room::bytes`].
    async fn receive(&self, file: Incoming) -> Answer<String>;

    /// The sessions, the latest first.
    ///
    /// # Errors
    /// They could not be read.
    async fn sessions(&self) -> Answer<Vec<SessionLine>>;

    /// Opens another session, or without a name a new one. The host pushes `opened`, then the
    /// past of the session.
    ///
    /// # Errors
    /// [`Refusal::Conflict`]: a turn is under way.
    async fn open(&self, session: Option<String>) -> Answer;

    /// One page of what lies at a path of the world.
    ///
    /// # Errors
    /// [`Refusal::Missing`]: nothing lies there.
    async fn browse(&self, look: Look) -> Answer<Page>;

    /// The content of a thing, or with `last` so many bytes at its end.
    ///
    /// # Errors
    /// [`Refusal::Missing`]: nothing lies there.
    async fn read(
        &self,
        path: String,
        version: Option<String>,
        last: Option<u64>,
    ) -> Answer<Content>;

    /// The versions of a thing, the newest first.
    ///
    /// # Errors
    /// [`Refusal::Missing`]: nothing lies there, or the world keeps none.
    async fn versions(&self, path: String) -> Answer<Vec<Version>>;

    /// The forms that the agent fills in, and why it asks what it asks, as text; `None` in a domain
    /// without forms.
    ///
    /// # Errors
    /// They could not be read.
    async fn forms(&self) -> Answer<Option<String>>;

    /// The policy as text, without secrets.
    ///
    /// # Errors
    /// It could not be read.
    async fn policy(&self) -> Answer<String>;

    /// Whether plans can be exported.
    fn has_export(&self) -> bool {
        false
    }

    /// A plan as a ZIP archive of files by which somebody else carries it out.
    ///
    /// # Errors
    /// [`Refusal::Bad`]: there is no such plan, it was carried out, or nothing else can do it.
    async fn export(&self, _plan: u64) -> Answer<Vec<u8>> {
        Err(Refusal::Bad("plans cannot be exported here".to_owned()))
    }

    /// Whether there is a report on evaluations.
    fn has_report(&self) -> bool {
        false
    }

    /// The report on evaluations: an HTML file that loads nothing and whose own content security
    /// policy names its scripts. It is served without access to the page.
    ///
    /// # Errors
    /// [`Refusal::Missing`]: there is none.
    async fn report(&self) -> Answer<String> {
        Err(Refusal::Missing("no evaluations are shown".to_owned()))
    }
}

/// An answer of the host.
pub type Answer<T = ()> = Result<T, Refusal>;

/// Why something was not done: a sentence for people, without secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The request cannot be carried out as it is (400).
    Bad(String),
    /// Nothing lies at the place (404).
    Missing(String),
    /// It is too late, or too early (409).
    Conflict(String),
    /// Something failed on the side of the host (500).
    Failed(String),
}

/// What is taken back.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undo {
    /// The writes of the plan with this number.
    Plan(u64),
    /// The writes of the last program.
    Last,
    /// The last turn, which ran nothing.
    Draft,
}

/// What a button wants. The host makes a program of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Run this program. `text` says in words what it is for.
    Program {
        /// The user's words.
        text: String,
        /// The program.
        program: String,
    },
    /// Remove these things, or one version of the only one.
    Delete {
        /// Their paths.
        paths: Vec<String>,
        /// The version, where only one is meant.
        version: Option<String>,
    },
    /// Make an old version of a thing the current one.
    Restore {
        /// Its path.
        path: String,
        /// The version.
        version: String,
    },
    /// Make what holds things at the top: a bucket.
    Make {
        /// Its name, as the user typed it.
        name: String,
    },
    /// Give things other paths, with all that lies in them, as one plan.
    Move {
        /// Their paths.
        paths: Vec<String>,
        /// The new path of the only one, or with `/` at the end the folder that all go into.
        to: String,
    },
    /// Make a link by which anybody who has it can read a thing.
    Share {
        /// Its path.
        path: String,
        /// How long the link works, in seconds.
        seconds: u32,
    },
    /// Write files into a folder, as one plan.
    Upload {
        /// The path of the folder.
        folder: String,
        /// The files.
        files: Vec<Received>,
    },
}

/// A file while it comes in.
pub struct Incoming {
    /// Its bytes. An error is the end of a file that was cut off.
    pub bytes: BoxStream<'static, Result<Bytes, std::io::Error>>,
}

/// A file that [`Desk::receive`] took in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Received {
    /// What [`Desk::receive`] called it.
    pub held: String,
    /// Its path in the folder, as the browser says it: not to be trusted.
    pub name: String,
    /// The media type, as the browser says it.
    pub media_type: Option<String>,
}

/// A session in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionLine {
    /// Its name, for [`Desk::open`].
    pub session: String,
    /// Its world, in one line.
    pub world: String,
    /// The turns that ended.
    pub turns: usize,
    /// The last utterance of the user.
    pub said: String,
    /// The time of the last change, RFC 3339.
    pub at: String,
    /// Why it cannot be opened, where it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<String>,
}

/// A question to [`Desk::browse`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Look {
    /// The path, in the words of the domain: `zoo/logs/`. Empty is the top.
    #[serde(default)]
    pub path: String,
    /// [`Page::more`] of the page before.
    pub after: Option<String>,
    /// Only entries of which all this holds, parted by blanks: a part of the name, a pattern (`*.csv`),
    /// a type (`type:image`), a size (`>1 MiB`). A world without types and sizes has names only. The page
    /// then has what one read of the world found, which may be nothing although there is more.
    pub find: Option<String>,
    /// Only things that were deleted and have versions to come back by, and the folders that may
    /// hold some.
    #[serde(default)]
    pub deleted: bool,
}

/// One page of entries: those of one read of the world, at most 1,000.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Page {
    /// The folders on the way, the outermost first, without the top.
    pub way: Vec<Step>,
    /// The entries.
    pub entries: Vec<Entry>,
    /// Where the next page begins, if there is one.
    pub more: Option<String>,
    /// How many things were looked at for this page.
    pub looked_at: usize,
    /// Whether [`Look::deleted`] has an answer here.
    pub keeps_deleted: bool,
    /// How much can be uploaded here; `None` where nothing can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<Room>,
    /// The word for what [`Wish::Make`] makes here, where it can: `bucket`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub makes: Option<String>,
}

/// How much one [`Wish::Upload`] may bring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Room {
    /// How many files.
    pub files: usize,
    /// How many bytes, all files together; `None` for any number.
    pub bytes: Option<u64>,
    /// What to do with more: a sentence.
    pub beyond: String,
}

/// A folder on the way to a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// Its path.
    pub path: String,
}

/// A thing or a folder of the world.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name in its folder.
    pub name: String,
    /// Its whole path, for [`Desk::browse`] or [`Desk::read`].
    pub path: String,
    /// Whether it can be browsed.
    pub folder: bool,
    /// Its size in bytes; `None` for a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The time of its last change, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Whether it was deleted: only its versions can be looked at.
    pub is_deleted: bool,
    /// Whether [`Wish::Delete`] can remove it.
    pub can_delete: bool,
    /// Whether [`Wish::Move`] can give it another path.
    pub can_move: bool,
    /// Whether [`Wish::Share`] can make a link to it.
    pub can_share: bool,
    /// Whether [`Desk::versions`] has older ones.
    pub has_versions: bool,
}

/// A version of a thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Version {
    /// Its name.
    pub version: String,
    /// The time it was made, RFC 3339.
    pub modified: String,
    /// Its size in bytes; `None` where the thing was deleted.
    pub size: Option<u64>,
    /// Whether it is the current one.
    pub current: bool,
}

/// The content of a thing, while it is read.
pub struct Content {
    /// Its size in bytes, where it is known beforehand; the whole, also where a part is read.
    pub size: Option<u64>,
    /// Its bytes.
    pub bytes: BoxStream<'static, Result<Bytes, std::io::Error>>,
}
