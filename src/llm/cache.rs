//! A recording that answers the requests it holds and passes the others on, so that no
//! request is paid for twice.

use super::recording::{self, Recording, Writer};
use super::scrub::scrub_request;
use super::{Completion, Model, Progress, Request};
use crate::error::{Error, Result};
use crate::files::whole_lines;
use crate::lock::Locked;
use async_trait::async_trait;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;

/// Answers of models in a file, by the name of the model and the whole request. The file is
/// a recording as [`Recorder`](super::Recorder) writes it, so [`Replay`](super::Replay)
/// reads it, too.
///
/// A request that was answered once is answered from the file from then on, at any
/// temperature. To get another answer, change the request, for example its seed. Models of one
/// name at two addresses ([`Model::server`]) share no answers.
#[derive(Debug)]
pub struct ResponseCache {
    path: PathBuf,
    writer: Mutex<Writer>,
    known: Mutex<HashMap<Key, Slot>>,
    asked: AtomicU64,
}

/// A hash of the model's name and of everything in the request.
type Key = [u8; 32];
/// Equal requests wait in one slot for the answer to the first of them.
type Slot = Arc<OnceCell<Completion>>;

/// A model behind a [`ResponseCache`].
struct Cached {
    model: Arc<dyn Model>,
    cache: Arc<ResponseCache>,
}

impl ResponseCache {
    /// Opens the file, or creates it for its owner alone. An incomplete last line is
    /// dropped, and its request is sent again when it is made.
    ///
    /// # Errors
    /// [`Error::File`] when the file cannot be read or written; [`Error::Content`] when
    /// it is not a recording, or another process has it open.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_owned();
        let mut options = OpenOptions::new();
        let file = (options.read(true).append(true).create(true).mode(0o600))
            .open(&path)
            .map_err(Error::file("cannot keep answers in", &path))?;
        let mut file = Locked::new(file).map_err(|_| Error::Content {
            path: path.clone(),
            problem: "is in use by another process; wait for it, or name another file".to_owned(),
        })?;
        // A device may have no end.
        if !path.is_file() {
            return Err(Error::Content {
                path,
                problem: "is no file; name another one for the answers".to_owned(),
            });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(Error::file("cannot read", &path))?;
        let (whole, _) = whole_lines(&bytes);
        // Another file than a recording stays as it is.
        let is_begun = bytes.len() < recording::header().len()
            && recording::header().as_bytes().starts_with(&bytes);
        let recording = match whole {
            [] if is_begun => Recording::default(),
            [] => Recording::parse(&bytes, &path)?,
            whole => Recording::parse(whole, &path)?,
        };
        let writer = Writer::new(file, whole.len(), recording.texts);
        let mut writer = writer.map_err(Error::file("cannot keep answers in", &path))?;
        if whole.is_empty() {
            (writer.append(&recording::header()))
                .map_err(Error::file("cannot keep answers in", &path))?;
        }
        let mut known = HashMap::new();
        for exchange in recording.exchanges {
            let model = identity(&exchange.model, exchange.server.as_deref());
            let key = key(&model, &scrub_request(&exchange.request))?;
            // The first answer counts, as in the run that recorded it.
            let slot = known.entry(key).or_insert_with(Slot::default);
            let _ = slot.set(exchange.completion);
        }
        Ok(ResponseCache {
            path,
            writer: Mutex::new(writer),
            known: Mutex::new(known),
            asked: AtomicU64::new(0),
        })
    }

    /// A model that answers from this cache, and asks `model` for the rest.
    pub fn around(self: &Arc<Self>, model: Arc<dyn Model>) -> Arc<dyn Model> {
        Arc::new(Cached {
            model,
            cache: self.clone(),
        })
    }

    /// The number of requests that a model answered.
    pub fn asked(&self) -> u64 {
        self.asked.load(Relaxed)
    }

    fn keep(&self, model: &dyn Model, request: &Request, completion: &Completion) -> Result<()> {
        lock(&self.writer)
            .add((model.name(), model.server()), request, completion)
            .map_err(Error::file("cannot keep an answer in", &self.path))
    }
}

#[async_trait]
impl Model for Cached {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn server(&self) -> Option<&str> {
        self.model.server()
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        // The key is that of the request as it is in the file, without anything that
        // looks like a secret.
        let model = identity(self.model.name(), self.model.server());
        let key = key(&model, &scrub_request(request))?;
        let slot = lock(&self.cache.known).entry(key).or_default().clone();
        let ask = async || {
            let completion = self.model.complete(request, progress).await?;
            self.cache.asked.fetch_add(1, Relaxed);
            self.cache.keep(&*self.model, request, &completion)?;
            Ok(completion)
        };
        slot.get_or_try_init(ask).await.cloned()
    }
}

/// What tells a model from others: its name, and the address of its server.
fn identity<'a>(model: &'a str, server: Option<&str>) -> Cow<'a, str> {
    match server {
        Some(server) => Cow::Owned(format!("{model} at {server}")),
        None => Cow::Borrowed(model),
    }
}

/// The identity of a request to a model: a BLAKE3 hash of the model's name and of all
/// fields of the request.
///
/// # Errors
/// [`Error::Bug`] if the request cannot be written as JSON.
pub fn key(model: &str, request: &Request) -> Result<[u8; 32]> {
    let request =
        serde_json::to_vec(request).map_err(Error::bug("a request cannot be written as JSON"))?;
    let mut hash = blake3::Hasher::new();
    // No name contains this byte, so name and request cannot run into each other.
    hash.update(model.as_bytes())
        .update(&[0xff])
        .update(&request);
    Ok(hash.finalize().into())
}

/// A panic cannot leave half-changed data behind the locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
