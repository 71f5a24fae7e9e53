//! Plans in a chat: the one that waits for a yes, and the last one as files, which somebody else
//! carries out (`/plan export`).

use super::Chat;
use crate::cli::export;
use crate::cli::plan::{self, Extent};
use crate::error::Result;
use std::path::Path;

impl Chat<'_> {
    /// All of what a plain yes agrees to.
    pub(super) fn proposed(&self) -> String {
        match &self.proposed {
            Some(plan) => plan::proposed(plan, Extent::Whole),
            None => "No plan waits for your yes.\n".to_owned(),
        }
    }

    /// Writes the last plan of a program into a new folder. Returns a sentence about it.
    pub(super) fn export(&self, folder: &Path) -> Result<String> {
        let files = self.conversation.export(None)?;
        export::check("/plan export", folder)?;
        export::write(&files, folder)
    }
}
