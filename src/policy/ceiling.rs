//! Ceilings: how much one program may do.

use super::amount;
use crate::domain::{Access, Counts, Touch};
use serde::{Deserialize, Serialize};

/// A quantity that is counted for each program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ceiling {
    /// Records that are created or overwritten, or whose settings are changed. Writing one
    /// twice counts twice. A link counts as the call that it lets others make.
    RecordsWritten,
    /// Records that are deleted, whether they were there or not. A call that makes the
    /// environment delete some later counts for one at least.
    RecordsDeleted,
    /// The bytes of content that calls write: those that they bring, and those that the world
    /// copies for them. Of a link that lets somebody write, they are not known.
    BytesWritten,
    /// Outermost containers that are created.
    ContainersCreated,
    /// Outermost containers that are deleted.
    ContainersDeleted,
}

impl Ceiling {
    /// All ceilings, in the order in which they are shown.
    pub const ALL: [Ceiling; 5] = [
        Ceiling::RecordsWritten,
        Ceiling::RecordsDeleted,
        Ceiling::BytesWritten,
        Ceiling::ContainersCreated,
        Ceiling::ContainersDeleted,
    ];

    /// The name in the policies of every domain. A [`Spelling`](super::Spelling) may have
    /// another one.
    pub fn name(self) -> &'static str {
        match self {
            Ceiling::RecordsWritten => "records_written",
            Ceiling::RecordsDeleted => "records_deleted",
            Ceiling::BytesWritten => "bytes_written",
            Ceiling::ContainersCreated => "containers_created",
            Ceiling::ContainersDeleted => "containers_deleted",
        }
    }

    /// An amount, for people.
    pub fn show(self, most: Option<u64>) -> String {
        match (most, self) {
            (None, _) => amount::UNLIMITED.to_owned(),
            (Some(bytes), Ceiling::BytesWritten) => amount::show_size(bytes),
            (Some(count), _) => count.to_string(),
        }
    }

    /// Reads an amount: `1000`, `1 GiB`, `unlimited`.
    ///
    /// # Errors
    /// A sentence about the expected form.
    pub fn read(self, text: &str) -> Result<Option<u64>, String> {
        match self {
            Ceiling::BytesWritten => amount::read(text, amount::read_size, amount::SIZES),
            _ => amount::read(text, amount::read_count, amount::COUNTS),
        }
    }
}

/// The most that one program may do of each; `None` is unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ceilings {
    /// [`Ceiling::RecordsWritten`]
    #[serde(with = "amount::count", alias = "objects_written")]
    pub records_written: Option<u64>,
    /// [`Ceiling::RecordsDeleted`]
    #[serde(with = "amount::count", alias = "objects_deleted")]
    pub records_deleted: Option<u64>,
    /// [`Ceiling::BytesWritten`]
    #[serde(with = "amount::size")]
    pub bytes_written: Option<u64>,
    /// [`Ceiling::ContainersCreated`]
    #[serde(with = "amount::count", alias = "buckets_created")]
    pub containers_created: Option<u64>,
    /// [`Ceiling::ContainersDeleted`]
    #[serde(with = "amount::count", alias = "buckets_deleted")]
    pub containers_deleted: Option<u64>,
}

impl Default for Ceilings {
    fn default() -> Self {
        Ceilings {
            records_written: Some(1000),
            records_deleted: Some(1000),
            // A copy counts for what it copies, and a thousand objects have some 100 MiB each.
            bytes_written: Some(100 << 30),
            containers_created: Some(10),
            containers_deleted: Some(10),
        }
    }
}

impl Ceilings {
    /// No ceilings at all.
    pub const UNLIMITED: Ceilings = Ceilings {
        records_written: None,
        records_deleted: None,
        bytes_written: None,
        containers_created: None,
        containers_deleted: None,
    };

    /// The value of one ceiling.
    pub fn get(&self, ceiling: Ceiling) -> Option<u64> {
        match ceiling {
            Ceiling::RecordsWritten => self.records_written,
            Ceiling::RecordsDeleted => self.records_deleted,
            Ceiling::BytesWritten => self.bytes_written,
            Ceiling::ContainersCreated => self.containers_created,
            Ceiling::ContainersDeleted => self.containers_deleted,
        }
    }

    /// The value of one ceiling, to be changed.
    pub fn get_mut(&mut self, ceiling: Ceiling) -> &mut Option<u64> {
        match ceiling {
            Ceiling::RecordsWritten => &mut self.records_written,
            Ceiling::RecordsDeleted => &mut self.records_deleted,
            Ceiling::BytesWritten => &mut self.bytes_written,
            Ceiling::ContainersCreated => &mut self.containers_created,
            Ceiling::ContainersDeleted => &mut self.containers_deleted,
        }
    }
}

/// The ceiling that a touch counts for, beside that of bytes.
fn counted(touch: &Touch) -> Option<Ceiling> {
    let place = &touch.place;
    let is_container = match (touch.counts, touch.prefix) {
        (Counts::Bytes, _) => return None,
        // How many things it will be is not known, but one at least.
        (_, true) => return (touch.access == Access::Delete).then_some(Ceiling::RecordsDeleted),
        (Counts::RecordIfWritten, false) if touch.access == Access::Write => false,
        // The settings of a container are few.
        (_, false) if place.segments().len() == 1 && !place.is_container() => {
            return None;
        }
        (_, false) => place.is_container(),
    };
    Some(match (touch.access, is_container) {
        (Access::Read, _) => return None,
        (Access::Write | Access::Share, false) => Ceiling::RecordsWritten,
        (Access::Write | Access::Share, true) => Ceiling::ContainersCreated,
        (Access::Delete, false) => Ceiling::RecordsDeleted,
        (Access::Delete, true) => Ceiling::ContainersDeleted,
    })
}

/// How much a program has done so far, by ceiling.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count([u64; Ceiling::ALL.len()]);

impl Count {
    /// The counts that a call with these touches adds.
    pub fn of(touches: &[Touch]) -> Count {
        let mut count = Count::default();
        for touch in touches {
            if touch.access != Access::Read {
                count.add(Ceiling::BytesWritten, touch.bytes);
            }
            if let Some(ceiling) = counted(touch) {
                count.add(ceiling, 1);
            }
        }
        count
    }

    /// With more bytes.
    #[must_use]
    pub(super) fn with_bytes(mut self, more: u64) -> Count {
        self.add(Ceiling::BytesWritten, more);
        self
    }

    /// The amount for one ceiling.
    pub fn get(&self, ceiling: Ceiling) -> u64 {
        self.0.get(ceiling as usize).copied().unwrap_or_default()
    }

    fn add(&mut self, ceiling: Ceiling, more: u64) {
        if let Some(count) = self.0.get_mut(ceiling as usize) {
            *count = count.saturating_add(more);
        }
    }

    /// The sum of both.
    #[must_use]
    pub fn plus(mut self, other: Count) -> Count {
        for ceiling in Ceiling::ALL {
            self.add(ceiling, other.get(ceiling));
        }
        self
    }

    /// The difference; never below 0.
    #[must_use]
    pub fn less(mut self, other: Count) -> Count {
        for (count, less) in self.0.iter_mut().zip(other.0) {
            *count = count.saturating_sub(less);
        }
        self
    }
}
