//! A world whose programs may also name files of the user.

use super::draft::Drafted;
use super::folders::{Folders, Named};
use super::is_about_files;
use crate::domain::{
    Answer, Moved, Refusal, Signer, Slate, Spent, StateValue, Touched, Transfers, Value, World,
};
use crate::error::Result;
use crate::refusal::Trouble;
use async_trait::async_trait;
use jiff::Timestamp;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A world around a world that carries out the operations on files. A fork of it is a draft:
/// its uploads are not read and its downloads change no file.
pub struct WithFiles {
    pub(super) inner: Arc<dyn World>,
    pub(super) folders: Arc<Folders>,
    /// The most bytes that an object of the world may have.
    pub(super) most_bytes: u64,
    /// The files that the downloads of a draft will leave; `None` where files are really changed.
    drafted: Option<Mutex<Drafted>>,
    pub(super) progress: Option<Transfers>,
    pub(super) moved: Moved,
}

impl WithFiles {
    /// Gives the programs of a world these folders. `most_bytes` is the most that an object
    /// of the world may have.
    pub fn new(
        inner: Arc<dyn World>,
        folders: Arc<Folders>,
        most_bytes: u64,
        progress: Option<Transfers>,
    ) -> WithFiles {
        WithFiles {
            inner,
            folders,
            most_bytes,
            drafted: None,
            progress,
            moved: Moved::default(),
        }
    }

    /// The same as a draft, over a world that is one itself: an overlay.
    #[must_use]
    pub fn drafting(mut self) -> WithFiles {
        self.drafted = Some(Mutex::default());
        self
    }

    pub(super) fn drafted(&self) -> Option<MutexGuard<'_, Drafted>> {
        let drafted = self.drafted.as_ref()?;
        Some(drafted.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The file that a parameter names.
    pub(super) fn file(&self, params: &Value, name: &str) -> Result<Named<'_>, Refusal> {
        match params.get(name).and_then(Value::as_str) {
            Some(text) => self.folders.named(text),
            None => Err(Refusal::new(
                400,
                "TypeError",
                format!("{name} must be a text"),
            )),
        }
    }

    /// Carries out an operation on files that programs can call.
    async fn answer(&self, operation: &str, params: &Value) -> Result<(Answer, Vec<Touched>)> {
        let is_draft = self.drafted.is_some();
        let done = match operation {
            "upload_file" if is_draft => self.draft_upload(params).await,
            "download_file" if is_draft => self.draft_download(params).await,
            "upload_file" => self.upload(params).await.map(|answer| (answer, Vec::new())),
            "download_file" => self
                .download(params)
                .await
                .map(|answer| (answer, Vec::new())),
            "list_files" => self.list(params).await.map(|answer| (answer, Vec::new())),
            "read_file" => self.read(params).await.map(|answer| (answer, Vec::new())),
            _ => Err(Trouble::Refused(Refusal::new(
                403,
                "AccessDenied",
                format!("programs cannot call {operation}"),
            ))),
        };
        match done {
            Ok((answer, touched)) => Ok((Ok(answer), touched)),
            Err(Trouble::Refused(refusal)) => Ok((Err(refusal), Vec::new())),
            Err(Trouble::Failed(error)) => Err(error),
        }
    }
}

// A method with a default in `World` would be lost here without a word.
#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl World for WithFiles {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        if is_about_files(operation) {
            return Ok(self.answer(operation, params).await?.0);
        }
        self.inner.call(operation, params).await
    }

    async fn call_streamed(&self, operation: &str, params: &Value) -> Result<Answer> {
        match is_about_files(operation) {
            true => self.call(operation, params).await,
            false => self.inner.call_streamed(operation, params).await,
        }
    }

    fn spool(&self) -> Result<Option<(PathBuf, u64)>> {
        self.inner.spool()
    }

    async fn call_once(&self, operation: &str, params: &Value) -> Result<Answer> {
        let done = match operation {
            "write_file" => self.write(params).await,
            "remove_file" => self.remove(params).await,
            _ if is_about_files(operation) => return self.call(operation, params).await,
            _ => return self.inner.call_once(operation, params).await,
        };
        match done {
            Ok(answer) => Ok(Ok(answer)),
            Err(Trouble::Refused(refusal)) => Ok(Err(refusal)),
            Err(Trouble::Failed(error)) => Err(error),
        }
    }

    async fn repeat(&self, operation: &str, params: &Value) -> Result<Answer> {
        match operation {
            "download_file" | "write_file" | "remove_file" => Ok(Ok(Value::Null)),
            _ => self.call_once(operation, params).await,
        }
    }

    async fn known(&self, operation: &str, params: &Value) -> Result<Option<Answer>> {
        match is_about_files(operation) {
            true => Ok(None),
            false => self.inner.known(operation, params).await,
        }
    }

    fn follow(
        &self,
        operation: &str,
        params: &Value,
        answer: &Value,
        may: &(dyn Fn(&str, &Value) -> bool + Sync),
    ) {
        if !is_about_files(operation) {
            self.inner.follow(operation, params, answer, may);
        }
    }

    async fn call_observed(
        &self,
        operation: &str,
        params: &Value,
    ) -> Result<(Answer, Option<Vec<Touched>>)> {
        if self.drafted.is_some() && is_about_files(operation) {
            let (answer, touched) = self.answer(operation, params).await?;
            return Ok((answer, Some(touched)));
        }
        if is_about_files(operation) {
            return Ok((self.call(operation, params).await?, None));
        }
        self.inner.call_observed(operation, params).await
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        let drafted = self.drafted().map(|drafted| drafted.clone());
        Some(Arc::new(WithFiles {
            inner: self.inner.fork()?,
            folders: self.folders.clone(),
            most_bytes: self.most_bytes,
            drafted: Some(Mutex::new(drafted.unwrap_or_default())),
            progress: None,
            moved: Moved::default(),
        }))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        self.inner.state(signer).await
    }

    fn state_value(&self) -> Option<StateValue> {
        self.inner.state_value()
    }

    fn slate(&self) -> Option<&Slate> {
        self.inner.slate()
    }

    fn spent(&self) -> Option<Spent> {
        self.inner.spent()
    }

    fn moved(&self) -> Option<Moved> {
        Some(self.moved.clone())
    }

    /// Programs wait for files, too.
    fn waits(&self) -> bool {
        true
    }

    fn own_time(&self) -> Option<Timestamp> {
        self.inner.own_time()
    }

    fn reached_time(&self) -> Option<Timestamp> {
        self.inner.reached_time()
    }

    fn hold_time(&self, now: Timestamp) {
        self.inner.hold_time(now);
    }

    async fn objection(&self, operation: &str, params: &Value) -> Result<Option<Refusal>> {
        match is_about_files(operation) {
            true => Ok(None),
            false => self.inner.objection(operation, params).await,
        }
    }

    fn call_lines(&self, operation: &str, params: &Value) -> Vec<String> {
        self.inner.call_lines(operation, params)
    }

    fn describe(&self) -> String {
        self.inner.describe()
    }
}
