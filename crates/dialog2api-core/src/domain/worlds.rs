//! Where the worlds of a domain come from, and how a user names one.

use super::{Change, Domain, Links, Opened, World, WorldKind};
use crate::error::Result;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The part of a domain that opens worlds.
#[async_trait]
pub trait Worlds: Send + Sync {
    /// The initial worlds that come with the domain, as name and one line for people. The
    /// first is the default.
    fn built_in(&self) -> Vec<(String, String)>;

    /// The other forms of a world's name (`FILE.toml`), with one line for people.
    fn forms(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The options that say more about a world, beside its name.
    fn options(&self) -> Vec<WorldOption> {
        Vec::new()
    }

    /// The world that a user's words name. Nothing is opened.
    ///
    /// # Errors
    /// The options contradict each other or the name: a sentence for the user.
    fn find(&self, named: &NamedWorld) -> Result<FoundWorld>;

    /// Opens a world.
    ///
    /// # Errors
    /// There is no such world, it is damaged, or it does not answer.
    async fn open(&self, named: &NamedWorld, how: Opening) -> Result<Opened>;

    /// The domain as it is with these options, where an option changes what programs can do.
    ///
    /// # Errors
    /// An option is wrong.
    fn adapted(&self, _domain: &Domain, _named: &NamedWorld) -> Result<Option<Domain>> {
        Ok(None)
    }

    /// The same world with a folder that programs of our own may read, and that models are not told
    /// of. By default programs read no files.
    fn with_unlisted(&self, named: &NamedWorld, _folder: &Path) -> NamedWorld {
        named.clone()
    }

    /// Opens a world under an overlay, which keeps all changes to itself: nothing of the
    /// world is written, and a missing folder is not created.
    ///
    /// # Errors
    /// Those of [`open`](Self::open), or the domain has no overlays.
    async fn open_overlay(&self, named: &NamedWorld, how: Opening) -> Result<Arc<dyn Overlaid>>;

    /// Looks for the server that the options name, without a request to it. None for a
    /// domain whose worlds are on no server.
    async fn server(&self, _named: &NamedWorld) -> Option<ServerCheck> {
        None
    }

    /// How a user comes back to the server of a session from another one: the clause of a
    /// sentence that refuses the other. By default the user names it.
    fn way_back(&self) -> &'static str {
        "name that one with --world"
    }

    /// Opens an initial world in memory, by its name or by the path of its description. It
    /// can be forked, and changes to it are lost with it.
    ///
    /// # Errors
    /// There is no such world, or its description is wrong.
    fn initial(&self, spec: &str) -> Result<Arc<dyn World>>;

    /// Lists of what an initial world holds, by the names under which templates of dialogues
    /// pick from them. `world` is its description as data, which templates know anyway. With
    /// `only`, the lists are limited to the container of this name; those that cannot be
    /// limited are left out. By default there are none.
    fn lists(&self, _world: &Json, _only: Option<&str>) -> Vec<(&'static str, Json)> {
        Vec::new()
    }
}

/// A world as a user names it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedWorld {
    /// The name, a path or another form; none for the default.
    pub name: Option<String>,
    /// The values of the [options](Worlds::options) that were given, by their names.
    pub options: BTreeMap<String, String>,
}

/// A world that was found, but not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundWorld {
    /// The name for people and for saved dialogues: `zoology`, `s3`.
    pub name: String,
    /// Where its state lives.
    pub kind: WorldKind,
    /// The [identity](Opened::identity) of the world, if it is known before it is opened.
    pub identity: Option<String>,
    /// Whether a chat signs its state after each turn: reading it costs little, or the
    /// options ask for it.
    pub is_signed: bool,
    /// The part of the world that its signature cannot see: a sentence without its period.
    pub blind_spots: Option<String>,
}

/// Whether a server can be used, for `doctor`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerCheck {
    /// The kind of server: `S3`.
    pub name: String,
    /// Which server and credentials were found, or why none can be used.
    pub found: std::result::Result<String, String>,
    /// How a user makes it usable.
    pub mend: String,
    /// When it is needed: `only --world s3 needs them`.
    pub needed: String,
}

/// An option of the command line that says more about a world.
#[derive(Clone)]
pub struct WorldOption {
    /// The name, without dashes: `endpoint-url`.
    pub name: &'static str,
    /// The placeholder for its value in the help: `URL`.
    pub value_name: &'static str,
    /// Its description, for the help.
    pub help: &'static str,
    /// The possible values.
    pub values: OptionValues,
}

/// The values of a [`WorldOption`].
#[derive(Clone, Copy)]
pub enum OptionValues {
    /// Any text.
    Text,
    /// Any texts: the option can be given several times. They reach the domain as lines.
    Texts,
    /// A size such as `10GiB`, which reaches the domain as a number of bytes.
    Size,
    /// A whole number above 0, which reaches the domain as digits.
    Count,
    /// Text that the function accepts; its error says what is expected.
    Checked(fn(&str) -> std::result::Result<(), String>),
}

/// Is told sentences for people, one at a time.
pub type Notes = Arc<dyn Fn(&str) + Send + Sync>;

/// How to open a world.
#[derive(Clone, Default)]
pub struct Opening {
    /// Whether the world has to be there. Otherwise a missing folder is created.
    pub existing: bool,
    /// Is told how far the reading of a large state has come. It is called often, from any
    /// thread, so it must be quick.
    pub progress: Option<Arc<dyn Fn(Reading) + Send + Sync>>,
    /// Is told how far the transfer of a large file of the user has come.
    pub transfers: Option<Transfers>,
    /// Whether the world has the machine's time, also one with a clock of its own.
    pub machine_time: bool,
    /// Whether it is for one program: then a server is read ahead of it, and under an overlay it is
    /// asked each question once.
    pub one_program: bool,
    /// Is told what of the world programs will not see: sentences for people.
    pub notes: Option<Notes>,
    /// Shows links that programs have signed to the user. Without it no world signs one.
    pub links: Option<Links>,
}

/// Is told how far the transfer of a large file has come: its name, and how many bytes of how
/// many are transferred. It is called from any thread, so it must be quick.
pub type Transfers = Arc<dyn Fn(&str, u64, u64) + Send + Sync>;

/// How many bytes the transfers of files have moved so far. It only grows, so whoever waits for
/// a transfer sees in it that the transfer goes on. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct Moved(Arc<AtomicU64>);

impl Moved {
    /// Counts bytes that were read, sent or received.
    pub fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    /// The bytes so far.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How far the reading of a state has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The things found so far, and once all are known, those that were read.
    pub things: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Things and bytes in all, once they are known.
    pub of: Option<(u64, u64)>,
}

/// A world under an overlay.
pub trait Overlaid: World {
    /// The changes of the overlay, in the order of the things.
    fn overlay_changes(&self) -> Vec<Change>;
}
