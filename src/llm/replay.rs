//! Recordings of a model's requests and answers, and models that answer from them.

mod difference;

use super::recording::{self, Exchange, Recording, Writer};
use super::scrub::scrub_request;
use super::{Completion, Model, Progress, Request};
use crate::error::{Error, Result};
use crate::lock::Locked;
use async_trait::async_trait;
use std::collections::{HashMap, VecDeque};
use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Passes requests on to a model and adds each answered one to a file, which [`Replay`]
/// reads. The file holds requests, answers and the model's name, without passwords and keys.
#[derive(Debug)]
pub struct Recorder<M> {
    model: M,
    path: PathBuf,
    writer: Mutex<Writer>,
}

impl<M: Model> Recorder<M> {
    /// Records to `path`: to a new file, which only its owner can read, or at the end of
    /// an existing recording.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be written; [`Error::Content`] if it is not a
    /// recording, ends in a partial line, or another process records to it.
    pub fn open(path: impl AsRef<Path>, model: M) -> Result<Self> {
        let path = path.as_ref().to_owned();
        let content = |problem: String| Error::Content {
            path: path.clone(),
            problem,
        };
        let mut options = OpenOptions::new();
        let file = options
            .read(true)
            .append(true)
            .create(true)
            .mode(0o600)
            .open(&path)
            .map_err(Error::file("cannot record to", &path))?;
        let mut file = Locked::new(file)
            .map_err(|_| content("is being recorded to by another process".to_owned()))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(Error::file("cannot read", &path))?;
        let recording = match bytes.is_empty() {
            true => Recording::default(),
            false => Recording::parse(&bytes, &path)?,
        };
        if let Some(line) = recording.cut_off {
            return Err(content(format!(
                "line {line} is cut off: delete it before recording more"
            )));
        }
        let writer = Writer::new(file, bytes.len(), recording.texts);
        let mut writer = writer.map_err(Error::file("cannot record to", &path))?;
        if bytes.is_empty() {
            (writer.append(&recording::header()))
                .map_err(Error::file("cannot record to", &path))?;
        } else if !bytes.ends_with(b"\n") {
            (writer.append("\n")).map_err(Error::file("cannot record to", &path))?;
        }
        Ok(Recorder {
            model,
            path,
            writer: Mutex::new(writer),
        })
    }
}

#[async_trait]
impl<M: Model> Model for Recorder<M> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn window(&self) -> Option<u32> {
        self.model.window()
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let completion = self.model.complete(request, progress).await?;
        lock(&self.writer)
            .add((self.model.name(), None), request, &completion)
            .map_err(Error::file("cannot record to", &self.path))?;
        Ok(completion)
    }
}

/// Answers from a recording, without a model. A request is answered if all its fields equal
/// a recorded one's. A request that was recorded several times is answered that often, in
/// the order of the recording.
#[derive(Debug)]
pub struct Replay {
    name: String,
    path: PathBuf,
    exchanges: Vec<Exchange>,
    cut_off: Option<usize>,
    left: Mutex<HashMap<String, VecDeque<usize>>>,
}

impl Replay {
    /// Reads a recording. A partial last line is ignored, and mentioned if a request is not
    /// found.
    ///
    /// # Errors
    /// [`Error::File`], and [`Error::Content`] with the number of the wrong line.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_owned();
        let bytes =
            std::fs::read(&path).map_err(Error::file("cannot read the recording", &path))?;
        let recording = Recording::parse(&bytes, &path)?;
        let mut left: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (index, exchange) in recording.exchanges.iter().enumerate() {
            let queue = left.entry(key(&exchange.request)?).or_default();
            queue.push_back(index);
        }
        Ok(Replay {
            name: format!("replay:{}", path.display()),
            path,
            exchanges: recording.exchanges,
            cut_off: recording.cut_off,
            left: Mutex::new(left),
        })
    }

    /// The number of exchanges that were not replayed yet.
    pub fn left(&self) -> usize {
        lock(&self.left).values().map(VecDeque::len).sum()
    }

    fn find(&self, request: &Request) -> Result<&Completion> {
        let mut left = lock(&self.left);
        let queue = left.get_mut(&key(request)?);
        let seen = queue.is_some();
        let index = queue.and_then(VecDeque::pop_front);
        if let Some(exchange) = index.and_then(|index| self.exchanges.get(index)) {
            return Ok(&exchange.completion);
        }
        let mut problem = match seen {
            true => "the same request was sent more often than it was recorded".to_owned(),
            false => difference::explain(&self.exchanges, &scrub_request(request)),
        };
        if let Some(line) = self.cut_off {
            problem.push_str(&format!(
                "\nline {line} of the recording is cut off and was left out"
            ));
        }
        Err(Error::Content {
            path: self.path.clone(),
            problem: format!("{problem}\nTo record anew, use a model in place of the recording"),
        })
    }
}

#[async_trait]
impl Model for Replay {
    fn name(&self) -> &str {
        &self.name
    }

    async fn complete(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let completion = self.find(request)?;
        if !completion.text.is_empty() {
            progress(Progress::Text(&completion.text));
        }
        Ok(completion.clone())
    }
}

fn key(request: &Request) -> Result<String> {
    serde_json::to_string(&*scrub_request(request))
        .map_err(Error::bug("a request cannot be written as JSON"))
}

/// A panic cannot leave half-changed data behind the locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
