//! What a program prints, kept up to a limit, however the program ends.

use std::sync::{Arc, Mutex, PoisonError};

/// What a program prints. A clone is the same output.
#[derive(Clone, Debug)]
pub struct Printed {
    kept: Arc<Mutex<Kept>>,
    limit: usize,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    is_cut: bool,
}

impl Printed {
    /// Keeps this number of bytes.
    pub fn up_to(limit: usize) -> Self {
        Printed {
            kept: Arc::default(),
            limit,
        }
    }

    /// Whether nothing was printed.
    pub fn is_empty(&self) -> bool {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes.is_empty()
    }

    /// Adds what was printed, up to the limit.
    pub fn add(&self, bytes: &[u8]) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let room = self.limit - kept.bytes.len();
        kept.bytes
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
        kept.is_cut |= bytes.len() > room;
    }

    /// The output, with a note if the limit cut it.
    pub fn text(&self) -> String {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = &*kept.bytes;
        if kept.is_cut
            && let Err(error) = std::str::from_utf8(bytes)
        {
            // The cut may be within a character.
            bytes = &bytes[..error.valid_up_to()];
        }
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        if kept.is_cut {
            text.push_str("\n… (output cut)");
        }
        text
    }
}
