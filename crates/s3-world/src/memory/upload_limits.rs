//! Limits on uploads in progress.

use super::Store;
use super::parts::{PART_COST, Part};
use super::uploads::{Upload, Uploads};
use crate::domain::Refusal;
use crate::refusal;

/// Limits on all uploads in progress of a store together.
///
/// Uploads do not expire instead: a world may have a clock of its own, and its description may
/// have uploads that are old from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UploadLimits {
    /// The most bytes of all parts together. A part counts a little more than its content.
    pub bytes: usize,
    /// The most uploads.
    pub uploads: usize,
}

impl Default for UploadLimits {
    fn default() -> Self {
        UploadLimits {
            bytes: 1 << 30,
            uploads: 10_000,
        }
    }
}

impl Store {
    /// Refuses one more upload if there are as many as there may be.
    pub(super) fn check_begin(&self) -> Result<(), Refusal> {
        let most = self.upload_limits.uploads;
        match self.sum_of_uploads(Uploads::len) < most {
            true => Ok(()),
            false => Err(full(&format!("{most} uploads in progress"))),
        }
    }

    /// Refuses a part of this size if it makes its upload or all uploads together too large. The
    /// part that it replaces does not count.
    pub(super) fn check_part(
        &self,
        upload: &Upload,
        number: i64,
        size: usize,
    ) -> Result<(), Refusal> {
        let replaced = upload.parts.get(number);
        let others = upload.parts.held() - replaced.map_or(0, Part::held);
        let whole = others.saturating_add(size);
        if whole > self.object_bytes {
            return Err(refusal::too_large(whole, self.object_bytes));
        }
        let most = self.upload_limits.bytes;
        let others = self.sum_of_uploads(Uploads::cost) - replaced.map_or(0, Part::cost);
        match others + size + PART_COST > most {
            true => Err(full(&format!(
                "{most} bytes in parts of unfinished uploads"
            ))),
            false => Ok(()),
        }
    }

    /// The sum over all buckets, each of which knows its own.
    fn sum_of_uploads(&self, of: fn(&Uploads) -> usize) -> usize {
        let buckets = self.state.buckets();
        buckets.map(|(_, bucket)| of(&bucket.uploads)).sum()
    }
}

fn full(most: &str) -> Refusal {
    Refusal::new(
        507,
        "InsufficientStorage",
        format!("This world may hold at most {most}; complete or abort uploads to make room"),
    )
}
