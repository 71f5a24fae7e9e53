//! The worlds of a folder with worksheets: those of its backend, with the forms of a dialogue
//! beside the state.

use super::record::Kept;
use crate::domain::{
    Answer, Change, Domain, FoundWorld, Moved, NamedWorld, Opened, Opening, Overlaid, Refusal,
    ServerCheck, Signer, Slate, Spent, StateValue, Touched, Value, World, WorldOption, Worlds,
};
use crate::error::Result;
use ::worksheets::{Sheets, canonical};
use async_trait::async_trait;
use jiff::Timestamp;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A world of the backend, and the forms of one dialogue. Its state is that of both: the field
/// `w` (0x77) of its signature is the canonical state of the forms.
pub struct FormsWorld<W: ?Sized> {
    slate: Slate,
    sheets: Arc<Sheets>,
    backend: Arc<W>,
}

impl<W: ?Sized> FormsWorld<W> {
    fn new(sheets: &Arc<Sheets>, backend: Arc<W>) -> Self {
        FormsWorld {
            slate: Slate::default(),
            sheets: sheets.clone(),
            backend,
        }
    }
}

#[async_trait]
impl<W: World + ?Sized> World for FormsWorld<W> {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.backend.call(operation, params).await
    }

    async fn call_streamed(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.backend.call_streamed(operation, params).await
    }

    fn spool(&self) -> Result<Option<(PathBuf, u64)>> {
        self.backend.spool()
    }

    async fn call_once(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.backend.call_once(operation, params).await
    }

    async fn repeat(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.backend.repeat(operation, params).await
    }

    async fn known(&self, operation: &str, params: &Value) -> Result<Option<Answer>> {
        self.backend.known(operation, params).await
    }

    fn follow(
        &self,
        operation: &str,
        params: &Value,
        answer: &Value,
        may: &(dyn Fn(&str, &Value) -> bool + Sync),
    ) {
        self.backend.follow(operation, params, answer, may);
    }

    async fn call_observed(
        &self,
        operation: &str,
        params: &Value,
    ) -> Result<(Answer, Option<Vec<Touched>>)> {
        self.backend.call_observed(operation, params).await
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(FormsWorld {
            slate: self.slate.copy(),
            sheets: self.sheets.clone(),
            backend: self.backend.fork()?,
        }))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        let kept = Kept::of(&self.slate)?;
        signer.field(b'w', canonical(&self.sheets, &kept.state).as_bytes());
        self.backend.state(signer).await
    }

    fn slate(&self) -> Option<&Slate> {
        Some(&self.slate)
    }

    fn state_value(&self) -> Option<StateValue> {
        self.backend.state_value()
    }

    fn spent(&self) -> Option<Spent> {
        self.backend.spent()
    }

    fn waits(&self) -> bool {
        self.backend.waits()
    }

    fn moved(&self) -> Option<Moved> {
        self.backend.moved()
    }

    fn own_time(&self) -> Option<Timestamp> {
        self.backend.own_time()
    }

    fn reached_time(&self) -> Option<Timestamp> {
        self.backend.reached_time()
    }

    fn hold_time(&self, now: Timestamp) {
        self.backend.hold_time(now);
    }

    async fn objection(&self, operation: &str, params: &Value) -> Result<Option<Refusal>> {
        self.backend.objection(operation, params).await
    }

    fn call_lines(&self, operation: &str, params: &Value) -> Vec<String> {
        self.backend.call_lines(operation, params)
    }

    fn describe(&self) -> String {
        self.backend.describe()
    }
}

impl Overlaid for FormsWorld<dyn Overlaid> {
    fn overlay_changes(&self) -> Vec<Change> {
        self.backend.overlay_changes()
    }
}

/// Opens worlds of the backend with empty forms beside them.
pub struct FormsWorlds {
    pub backend: Arc<dyn Worlds>,
    pub sheets: Arc<Sheets>,
}

#[async_trait]
impl Worlds for FormsWorlds {
    fn built_in(&self) -> Vec<(String, String)> {
        self.backend.built_in()
    }

    fn forms(&self) -> Vec<(String, String)> {
        self.backend.forms()
    }

    fn options(&self) -> Vec<WorldOption> {
        self.backend.options()
    }

    fn find(&self, named: &NamedWorld) -> Result<FoundWorld> {
        self.backend.find(named)
    }

    fn adapted(&self, domain: &Domain, named: &NamedWorld) -> Result<Option<Domain>> {
        self.backend.adapted(domain, named)
    }

    async fn server(&self, named: &NamedWorld) -> Option<ServerCheck> {
        self.backend.server(named).await
    }

    fn with_unlisted(&self, named: &NamedWorld, folder: &Path) -> NamedWorld {
        self.backend.with_unlisted(named, folder)
    }

    fn way_back(&self) -> &'static str {
        self.backend.way_back()
    }

    async fn open(&self, named: &NamedWorld, how: Opening) -> Result<Opened> {
        let opened = self.backend.open(named, how).await?;
        let world = Arc::new(FormsWorld::new(&self.sheets, opened.world.clone()));
        Ok(Opened { world, ..opened })
    }

    async fn open_overlay(&self, named: &NamedWorld, how: Opening) -> Result<Arc<dyn Overlaid>> {
        let backend = self.backend.open_overlay(named, how).await?;
        Ok(Arc::new(FormsWorld::new(&self.sheets, backend)))
    }

    fn initial(&self, spec: &str) -> Result<Arc<dyn World>> {
        let backend = self.backend.initial(spec)?;
        Ok(Arc::new(FormsWorld::new(&self.sheets, backend)))
    }
}
