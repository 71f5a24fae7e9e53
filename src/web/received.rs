//! Files that the page sends, until the program that brings them into the world has run.
//!
//! A world in memory makes its writes again from the journal, so what is uploaded to it has to be
//! in the program itself, and is small. For all others a file waits in a folder that is granted to
//! programs and that nobody is told of; the host streams it from there.

use crate::domain::WorldKind;
use bytes::Bytes;
use futures_util::StreamExt;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::io::AsyncWriteExt;
use web_desk::{Answer, Incoming, Refusal, Room};

/// The most that is uploaded at once to a world in memory, in bytes. It becomes a part of a program.
pub const MAX_UPLOAD: usize = 1 << 20;

/// The most files of one upload, each a line of its program.
const MOST_FILES: usize = 1000;

/// How long a file waits whose program never came, or whose session may still go on.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// What came in and is needed still.
pub struct Waiting {
    folder: PathBuf,
    held: Mutex<HashMap<String, Bytes>>,
}

/// A file that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Its content, for the program.
    Content(Bytes),
    /// Its name for programs.
    File(String),
}

/// How much can be uploaded at once to a world of this kind.
pub fn room(kind: WorldKind) -> Room {
    let (bytes, beyond) = match kind {
        WorldKind::Memory => (
            Some(MAX_UPLOAD as u64),
            "This world is held in memory; a world in a folder or on a server takes files of any \
             size.",
        ),
        WorldKind::Disk | WorldKind::Remote => (
            None,
            "Grant their folder with --files, and ask for it in words.",
        ),
    };
    Room {
        files: MOST_FILES,
        bytes,
        beyond: beyond.to_owned(),
    }
}

impl Waiting {
    /// Files that wait in this folder. Those that were forgotten there long ago are removed.
    pub fn in_folder(folder: &Path) -> Waiting {
        let files = folder.read_dir().into_iter().flatten().flatten();
        for file in files {
            let modified = file.metadata().and_then(|about| about.modified());
            let age = modified.map(|at| SystemTime::now().duration_since(at).unwrap_or_default());
            if age.is_ok_and(|age| age > KEPT) {
                // One that cannot be removed now is tried again next time.
                let _ = std::fs::remove_file(file.path());
            }
        }
        Waiting {
            folder: folder.to_owned(),
            held: Mutex::default(),
        }
    }

    /// Takes a file in, for a world of this kind.
    pub async fn receive(&self, kind: WorldKind, file: Incoming) -> Answer<String> {
        let mut id = [0; 16];
        let random = getrandom::fill(&mut id).map_err(io::Error::other);
        random.map_err(|error| not_kept(&error))?;
        let id = const_hex::encode(id);
        match kind {
            WorldKind::Memory => self.hold(&id, file).await?,
            WorldKind::Disk | WorldKind::Remote => self.write(&id, file).await?,
        }
        Ok(id)
    }

    async fn hold(&self, id: &str, mut file: Incoming) -> Answer {
        let mut content = Vec::new();
        while let Some(piece) = file.bytes.next().await {
            content.extend_from_slice(&piece.map_err(|error| cut_off(&error))?);
            if content.len() > MAX_UPLOAD {
                let Room { beyond, .. } = room(WorldKind::Memory);
                let why = format!("it has more than {MAX_UPLOAD} bytes. {beyond}");
                return Err(Refusal::Bad(why));
            }
        }
        let mut held = self.held();
        // Uploads that were stopped leave files that no program will name.
        if held.values().map(Bytes::len).sum::<usize>() > 16 * MAX_UPLOAD {
            held.clear();
        }
        held.insert(id.to_owned(), content.into());
        Ok(())
    }

    async fn write(&self, id: &str, mut file: Incoming) -> Answer {
        let path = self.folder.join(id);
        let written = async {
            let mut target = tokio::fs::File::create_new(&path).await?;
            while let Some(piece) = file.bytes.next().await {
                match piece {
                    Ok(piece) => target.write_all(&piece).await?,
                    Err(error) => return Ok(Err(cut_off(&error))),
                }
            }
            target.flush().await?;
            Ok::<_, io::Error>(Ok(()))
        };
        let done = written.await.map_err(|error| not_kept(&error));
        let done = done.and_then(|done| done);
        if done.is_err() {
            // What cannot be removed is removed when it is old.
            let _ = tokio::fs::remove_file(&path).await;
        }
        done
    }

    /// The file that this name stands for.
    pub fn source(&self, id: &str) -> Option<Source> {
        if let Some(content) = self.held().get(id) {
            return Some(Source::Content(content.clone()));
        }
        let is_ours = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_ours || !self.folder.join(id).is_file() {
            return None;
        }
        let folder = self.folder.file_name()?.to_str()?;
        Some(Source::File(format!("{folder}/{id}")))
    }

    /// Forgets files whose program has run, or was declined.
    pub async fn forget(&self, ids: &[String]) {
        for id in ids {
            if self.held().remove(id).is_none() && self.source(id).is_some() {
                let _ = tokio::fs::remove_file(self.folder.join(id)).await;
            }
        }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, Bytes>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn cut_off(error: &io::Error) -> Refusal {
    Refusal::Bad(format!("it was cut off: {error}"))
}

fn not_kept(error: &io::Error) -> Refusal {
    Refusal::Failed(format!("it cannot be kept for the upload: {error}"))
}
