//! A file that is read piece by piece.

use super::file_stamp::FileStamp;
use std::fs::File;
use std::io::{self, Read};

/// A file that is read piece by piece, and must not change meanwhile.
pub(super) struct FilePieces {
    pub file: File,
    pub stamp: FileStamp,
    /// How many bytes are still to come.
    pub left: usize,
}

impl Read for FilePieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.left);
        let buffer = buffer.get_mut(..most).unwrap_or_default();
        if buffer.is_empty() {
            return Ok(0);
        }
        let read = self.file.read(buffer)?;
        self.left -= read;
        let is_last = self.left == 0 || read == 0;
        if is_last
            && (self.left > 0
                || !FileStamp::of(&self.file.metadata()?).is_same_content(&self.stamp))
        {
            return Err(io::Error::other(
                "another program has changed the file while it was read",
            ));
        }
        Ok(read)
    }
}
