//! How archived objects come back for a time (`restore_object`). The times are those of the
//! store's clock.

use super::state::{Object, is_archive};
use super::{Content, Store, buckets, locate, tagging};
use crate::domain::{Answer, Refusal, Value};
use crate::params::Params;
use crate::refusal;
use jiff::{SignedDuration, Timestamp};

/// The times of one restoration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restoration {
    /// From when on the object can be read.
    pub ready: Timestamp,
    /// Until when.
    pub expires: Timestamp,
}

/// How long it takes, by storage class and tier (S3 user guide, "Understanding archive
/// retrieval options"): the longest time that S3 gives.
const TIMES: [(&str, &str, SignedDuration); 5] = [
    ("GLACIER", "Expedited", SignedDuration::from_mins(5)),
    ("GLACIER", "Standard", SignedDuration::from_hours(5)),
    ("GLACIER", "Bulk", SignedDuration::from_hours(12)),
    ("DEEP_ARCHIVE", "Standard", SignedDuration::from_hours(12)),
    ("DEEP_ARCHIVE", "Bulk", SignedDuration::from_hours(48)),
];

const DAY: SignedDuration = SignedDuration::from_hours(24);

impl Restoration {
    /// That of an object whose restoration ends at `ready`. It lasts until the midnight after
    /// so many days.
    fn new(ready: Timestamp, from: Timestamp, days: i64) -> Restoration {
        let day = DAY.as_secs();
        let end = from.as_second().saturating_add(days.saturating_mul(day));
        let midnight = end.div_euclid(day).saturating_add(1).saturating_mul(day);
        Restoration {
            ready,
            expires: Timestamp::from_second(midnight).unwrap_or(Timestamp::MAX),
        }
    }

    /// Whether the object can be read at this time.
    fn holds(&self, now: Timestamp) -> bool {
        self.ready <= now && now < self.expires
    }
}

impl Object {
    /// The restoration of an archived object, if one was asked for and is not over.
    fn restoration(&self, now: Timestamp) -> Option<Restoration> {
        self.extras().restoration.filter(|it| now < it.expires)
    }

    /// Whether the object is in an archive and cannot be read at this time. The content of an
    /// object in another world comes back there, or not at all.
    pub fn is_unreadable(&self, now: Timestamp) -> bool {
        let is_elsewhere = matches!(self.content, Content::Elsewhere(_));
        let is_back = self.restoration(now).is_some_and(|it| it.holds(now));
        self.is_archived() && (is_elsewhere || !is_back)
    }

    /// How far the object is on its way back, as S3 says it.
    pub fn told_restoration(&self, now: Timestamp) -> Option<String> {
        let restoration = self.restoration(now)?;
        Some(match self.is_unreadable(now) {
            true => "ongoing-request=\"true\"".to_owned(),
            false => {
                let until = restoration.expires.strftime("%a, %d %b %Y %H:%M:%S GMT");
                format!("ongoing-request=\"false\", expiry-date=\"{until}\"")
            }
        })
    }
}

pub(super) fn restore(store: &mut Store, params: Params<'_>) -> Answer {
    let bucket = buckets::find(&store.state, params, params.text("Bucket")?)?;
    let object = locate::described(bucket, params.key()?, params, "POST")?;
    let class = &*object.attributes.storage_class;
    if !is_archive(class) {
        return Err(Refusal::new(
            403,
            "InvalidObjectState",
            "Restore is not allowed for the object's current storage class",
        )
        .with("StorageClass", class));
    }
    let request = params
        .map("RestoreRequest")?
        .ok_or_else(refusal::malformed_xml)?;
    let days = match request.int("Days")? {
        Some(days) if days > 0 => days,
        Some(_) => {
            return Err(Refusal::new(
                400,
                "InvalidArgument",
                "restoration days should be at least 1",
            ));
        }
        None => return Err(refusal::malformed_xml()),
    };
    let takes = time(class, request)?;
    let now = store.clock.now();
    tagging::change(store, params, |_, extras| {
        let is_new = match extras.restoration.filter(|it| now < it.expires) {
            Some(restoration) if restoration.ready > now => {
                return Err(Refusal::new(
                    409,
                    "RestoreAlreadyInProgress",
                    "Object restore is already in progress",
                ));
            }
            // Already restored: only the expiry moves, and the days count from now.
            Some(restoration) => Restoration::new(restoration.ready, now, days),
            None => {
                let ready = now.checked_add(takes).unwrap_or(Timestamp::MAX);
                Restoration::new(ready, ready, days)
            }
        };
        extras.restoration = Some(is_new);
        Ok(())
    })
    .map(|_| Value::Map(Vec::new()))
}

/// How long the restoration takes that a request asks for.
fn time(class: &str, request: Params<'_>) -> Result<SignedDuration, Refusal> {
    let named = match request.map("GlacierJobParameters")? {
        Some(job) => job.optional("Tier")?,
        None => request.optional("Tier")?,
    };
    let tier = named.unwrap_or("Standard");
    let of_class = TIMES.iter().filter(|(of, ..)| *of == class);
    let mut of_tier = of_class.filter(|(_, name, _)| *name == tier);
    match of_tier.next() {
        Some((.., time)) => Ok(*time),
        None if TIMES.iter().any(|(_, name, _)| *name == tier) => Err(Refusal::new(
            400,
            "InvalidArgument",
            "Retrieval option is not supported by this storage class",
        )),
        None => Err(refusal::malformed_xml()),
    }
}
