//! The folder of sessions.

use super::contents::{ContentStore, make_private, sync_folder};
use super::entry::{Begin, Entry};
use super::log::{self, Line, Torn, damaged, read_file};
use super::recorder::{Journal, JournalClock};
use super::state::SessionState;
use super::writer::JournalWriter;
use super::{CONTENTS, JOURNAL, LOCK};
use crate::error::{Error, Result};
use crate::lock::Locked;
use jiff::Timestamp;
use serde::Serialize;
use std::fs::{self, DirBuilder, File};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of sessions.
#[derive(Clone)]
pub struct SessionStore {
    folder: PathBuf,
    clock: JournalClock,
}

/// A session that is read, also while another process writes it.
#[derive(Debug)]
pub struct ReadSession {
    /// Its entries.
    pub lines: Vec<Line>,
    /// The state after them.
    pub state: SessionState,
    /// The contents that they name.
    pub contents: ContentStore,
    /// A partial last line, which was cut off or is being written.
    pub torn: Option<Torn>,
}

/// The status of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It ended.
    Ended,
    /// A process writes it.
    Open,
    /// No process writes it, and it did not end.
    CutOff,
    /// Its journal cannot be read.
    Damaged,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionSummary {
    /// Its name.
    pub name: String,
    /// The time of its last entry; `None` if it has none.
    pub last: Option<String>,
    /// The number of complete turns.
    pub turns: usize,
    /// Its world, as it was typed.
    pub world: String,
    /// Its status.
    pub state: Standing,
}

/// The longest name, in bytes.
const LONGEST: usize = 64;

impl SessionStore {
    /// The folder `sessions` in `DIALOG2API_STATE_DIR`, or else in the user's state folder.
    ///
    /// # Errors
    /// [`Error::usage`] if the user has no home folder.
    pub fn of_user() -> Result<SessionStore> {
        if let Some(folder) = std::env::var_os("DIALOG2API_STATE_DIR").filter(|f| !f.is_empty()) {
            return Ok(SessionStore::at(PathBuf::from(folder).join("sessions")));
        }
        use etcetera::BaseStrategy;
        let base = etcetera::choose_base_strategy().map_err(|_| {
            Error::usage(
                "there is no home folder to keep sessions in; set DIALOG2API_STATE_DIR to a \
                 folder of your own",
            )
        })?;
        let state = base.state_dir().unwrap_or_else(|| base.data_dir());
        Ok(SessionStore::at(state.join("dialog2api/sessions")))
    }

    /// A folder of the caller's choice, which is created with the first session.
    pub fn at(folder: impl Into<PathBuf>) -> SessionStore {
        SessionStore {
            folder: folder.into(),
            clock: Arc::new(Timestamp::now),
        }
    }

    /// The same store with another clock.
    #[must_use]
    pub fn with_clock(self, clock: JournalClock) -> SessionStore {
        SessionStore { clock, ..self }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether there is a session with this name that has entries.
    ///
    /// # Errors
    /// [`Error::usage`] if the name is invalid.
    pub fn has(&self, name: &str) -> Result<bool> {
        let file = self.path(name)?.join(JOURNAL);
        Ok(fs::metadata(file).is_ok_and(|found| found.len() > 0))
    }

    /// Begins a session. Without a name, it is named by the day and a number.
    ///
    /// # Errors
    /// [`Error::usage`] if the name is invalid or taken, [`Error::File`] if the disk failed.
    pub fn begin(&self, name: Option<&str>, begin: Begin) -> Result<Journal> {
        let name = match name {
            Some(name) => name.to_owned(),
            None => self.free_name()?,
        };
        let folder = self.path(&name)?;
        make_private(&folder)?;
        sync_folder(&self.folder)?;
        let journal = self.open(&name, &folder)?;
        if journal.with_state(|state| state.begin.is_some()) {
            return Err(Error::usage(format!(
                "there is a session {name} already; resume it, or choose another name"
            )));
        }
        journal.append(Entry::Begin(begin))?;
        Ok(journal)
    }

    /// Continues a session. A partial last line is removed, and reported by
    /// [`Journal::torn`].
    ///
    /// # Errors
    /// [`Error::usage`] if there is no such session or another process writes it,
    /// [`Error::Content`] if its journal is damaged.
    pub fn resume(&self, name: &str) -> Result<Journal> {
        let folder = self.known(name)?;
        let journal = self.open(name, &folder)?;
        if journal.with_state(|state| state.begin.is_none()) {
            return Err(Error::usage(format!(
                "nothing was written in the session {name}; begin it anew"
            )));
        }
        journal.append(Entry::Resumed {})?;
        Ok(journal)
    }

    fn open(&self, name: &str, folder: &Path) -> Result<Journal> {
        let lock = lock(name, folder)?;
        let path = folder.join(JOURNAL);
        let (log, read) = JournalWriter::open(&path)?;
        let torn = read.torn;
        let state = SessionState::of(read.lines).map_err(|damage| damaged(&path, &damage))?;
        let known = (state, torn);
        let clock = self.clock.clone();
        Ok(Journal::new(name, folder, lock, log, known, clock))
    }

    /// Reads a session without changing it.
    ///
    /// # Errors
    /// [`Error::usage`] if there is no such session, [`Error::Content`] if its journal is
    /// damaged.
    pub fn read(&self, name: &str) -> Result<ReadSession> {
        let folder = self.known(name)?;
        let path = folder.join(JOURNAL);
        let log::Lines { lines, torn, .. } = match path.exists() {
            true => read_file(&path)?,
            false => log::Lines::default(),
        };
        Ok(ReadSession {
            state: SessionState::of(lines.iter().cloned())
                .map_err(|damage| damaged(&path, &damage))?,
            contents: ContentStore::at(folder.join(CONTENTS)),
            lines,
            torn,
        })
    }

    /// The sessions, most recently written first.
    ///
    /// # Errors
    /// [`Error::File`] if the folder cannot be read.
    pub fn list(&self) -> Result<Vec<SessionSummary>> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::file("cannot read", &self.folder)(error)),
        };
        let names = entries.flatten().filter(|entry| entry.path().is_dir());
        let names = names.filter_map(|entry| entry.file_name().into_string().ok());
        let names = names.filter(|name| check(name).is_ok());
        let mut summaries: Vec<SessionSummary> = names.map(|name| self.summary(name)).collect();
        summaries.sort_by(|one, other| (&other.last, &one.name).cmp(&(&one.last, &other.name)));
        Ok(summaries)
    }

    fn summary(&self, name: String) -> SessionSummary {
        let is_open = is_locked(&self.folder.join(&name));
        let Ok(ReadSession { state, .. }) = self.read(&name) else {
            return SessionSummary {
                name,
                last: None,
                turns: 0,
                world: String::new(),
                state: Standing::Damaged,
            };
        };
        SessionSummary {
            name,
            last: state.last.map(|last| last.to_string()),
            turns: state.turns.len(),
            world: state.begin.map(|begin| begin.world).unwrap_or_default(),
            state: match (is_open, state.ended) {
                (true, _) => Standing::Open,
                (false, true) => Standing::Ended,
                (false, false) => Standing::CutOff,
            },
        }
    }

    /// The folder of a session.
    fn path(&self, name: &str) -> Result<PathBuf> {
        check(name)?;
        Ok(self.folder.join(name))
    }

    /// The folder of an existing session.
    pub(super) fn known(&self, name: &str) -> Result<PathBuf> {
        let folder = self.path(name)?;
        match folder.is_dir() {
            true => Ok(folder),
            false => Err(Error::usage(format!(
                "there is no session {name}; `dialog2api session list` names those there are"
            ))),
        }
    }

    /// Takes the first free name of the day.
    fn free_name(&self) -> Result<String> {
        make_private(&self.folder)?;
        let day = (self.clock)().strftime("%Y-%m-%d").to_string();
        for number in 1..u32::MAX {
            let name = format!("{day}-{number}");
            let folder = self.folder.join(&name);
            match DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => return Ok(name),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::file("cannot make the folder", &folder)(error)),
            }
        }
        Err(Error::usage("no name is left for a session today"))
    }
}

/// Checks the name of a session.
fn check(name: &str) -> Result<()> {
    let is_known = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let is_name = !name.is_empty()
        && name.len() <= LONGEST
        && name.chars().all(is_known)
        && !name.starts_with(['.', '-']);
    match is_name {
        true => Ok(()),
        false => Err(Error::usage(format!(
            "{name:?} cannot name a session: a name has up to {LONGEST} letters, digits, `-`, \
             `_` and `.`, and does not begin with `-` or `.`"
        ))),
    }
}

/// Locks a session against other writers.
fn lock(name: &str, folder: &Path) -> Result<Locked> {
    let path = folder.join(LOCK);
    let file = File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .mode(0o600)
        .open(&path)
        .map_err(Error::file("cannot write", &path))?;
    let Ok(mut file) = Locked::new(file) else {
        // The process ID is information for people, and may be missing.
        let other = fs::read_to_string(&path).unwrap_or_default();
        let other = match other.trim() {
            "" => "another process".to_owned(),
            id => format!("the process {}", id.escape_debug()),
        };
        return Err(Error::usage(format!(
            "{other} has the session {name} open; end it there, or choose another name"
        )));
    };
    let id = format!("{}\n", std::process::id());
    file.set_len(0)
        .and_then(|()| file.write_all(id.as_bytes()))
        .map_err(Error::file("cannot write", &path))?;
    Ok(file)
}

/// Whether a process writes the session.
fn is_locked(folder: &Path) -> bool {
    let file = File::open(folder.join(LOCK));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
}
