//! The last plan of a chat as files, which somebody else carries out: `/plan export`.

use super::Chat;
use crate::cli::export;
use crate::error::Result;
use std::path::Path;

impl Chat<'_> {
    /// Writes the last plan of a program into a new folder. Returns a sentence about it.
    pub(super) fn export(&self, folder: &Path) -> Result<String> {
        let files = self.conversation.export(None)?;
        export::check("/plan export", folder)?;
        export::write(&files, folder)
    }
}
