//! The worlds of a folder with worksheets: those of its backend, with the forms of a dialogue
//! beside the state.

use super::record::Kept;
use crate::domain::{
    Change, Domain, FoundWorld, Layer, NamedWorld, Opened, Opening, Overlaid, ServerCheck, Signer,
    Slate, World, WorldOption, Worlds,
};
use crate::error::Result;
use ::worksheets::{Sheets, canonical};
use async_trait::async_trait;
use std::path::Path;
use std::sync::Arc;

/// A world of the backend, and the forms of one dialogue. Its state is that of both: the field
/// `w` (0x77) of its signature is the canonical state of the forms.
pub struct FormsWorld {
    slate: Slate,
    sheets: Arc<Sheets>,
    backend: Arc<dyn World>,
}

impl FormsWorld {
    fn new(sheets: &Arc<Sheets>, backend: Arc<dyn World>) -> Self {
        FormsWorld {
            slate: Slate::default(),
            sheets: sheets.clone(),
            backend,
        }
    }
}

#[async_trait]
impl Layer for FormsWorld {
    fn under(&self) -> &dyn World {
        &*self.backend
    }

    fn split(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(FormsWorld {
            slate: self.slate.copy(),
            sheets: self.sheets.clone(),
            backend: self.backend.fork()?,
        }))
    }

    async fn signed(&self, signer: &mut Signer) -> Result<()> {
        let kept = Kept::of(&self.slate)?;
        signer.field(b'w', canonical(&self.sheets, &kept.state).as_bytes());
        self.backend.state(signer).await
    }

    fn kept(&self) -> Option<&Slate> {
        Some(&self.slate)
    }
}

/// An overlay of the backend, and the forms of one dialogue.
struct OverlaidForms {
    forms: FormsWorld,
    overlay: Arc<dyn Overlaid>,
}

#[async_trait]
impl Layer for OverlaidForms {
    fn under(&self) -> &dyn World {
        &self.forms
    }
}

impl Overlaid for OverlaidForms {
    fn overlay_changes(&self) -> Vec<Change> {
        self.overlay.overlay_changes()
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
        let overlay = self.backend.open_overlay(named, how).await?;
        let forms = FormsWorld::new(&self.sheets, overlay.clone());
        Ok(Arc::new(OverlaidForms { forms, overlay }))
    }

    fn initial(&self, spec: &str) -> Result<Arc<dyn World>> {
        let backend = self.backend.initial(spec)?;
        Ok(Arc::new(FormsWorld::new(&self.sheets, backend)))
    }
}
