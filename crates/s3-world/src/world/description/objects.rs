//! The objects of a described bucket, with their versions.

use super::settings::versioning;
use super::{Mistake, Theme, Time, perform};
use crate::domain::{Map, Value};
use crate::memory::history::Version;
use crate::memory::state::{NULL_VERSION, Versioning};
use crate::memory::{Bucket, Store};
use crate::names::{self, MAX_OBJECT_BYTES};
use crate::world::{filler, tree};
use base64::Engine as _;
use bytes::Bytes;
use jiff::Timestamp;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// An object, or one version of it. The versions of a key stand in the order in which they
/// were written.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectEntry {
    key: Spanned<String>,
    /// The number of objects that this entry describes. [`NUMBER`] in the key is replaced by the
    /// number of each.
    copies: Option<u32>,
    /// The content is one of three: this many bytes of readable filler …
    size: Option<usize>,
    /// … or this text …
    text: Option<String>,
    /// … or these bytes.
    base64: Option<String>,
    /// Or there is none, because this is a delete marker.
    #[serde(default)]
    deleted: bool,
    content_type: Option<String>,
    #[serde(default)]
    metadata: BTreeMap<String, String>,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    storage_class: Option<String>,
    /// `AES256` or `aws:kms`, where it is not the bucket's.
    encryption: Option<String>,
    /// A list of grants that S3 has a name for.
    acl: Option<String>,
    retention: Option<RetentionEntry>,
    legal_hold: Option<bool>,
    modified: Option<Time>,
    /// Whether the bucket kept versions when it was written. If not, its version is `null`.
    #[serde(default = "yes")]
    versioned: bool,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct RetentionEntry {
    mode: String,
    until: Time,
}

fn yes() -> bool {
    true
}

/// The placeholder in a key for the number of a copy: from 1, all with the same number of
/// digits.
const NUMBER: &str = "{n}";

/// The most copies of an entry.
const MAX_COPIES: u32 = 100_000;

/// A parameter, or none.
pub fn given<T: Into<Value>>(value: Option<T>) -> Value {
    value.map_or(Value::Null, Into::into)
}

impl ObjectEntry {
    /// Writes the version, or the delete marker; all copies of it, if there are some.
    pub fn write(
        mut self,
        store: &mut Store,
        bucket: &str,
        created: Timestamp,
        theme: Theme,
    ) -> Result<(), Mistake> {
        let Some(copies) = self.copies.take() else {
            return self.write_one(store, bucket, created, theme);
        };
        let (span, pattern) = (self.key.span(), self.key.get_ref().clone());
        if !pattern.contains(NUMBER) || !(1..=MAX_COPIES).contains(&copies) {
            let problem = format!(
                "copies = {copies}: up to {MAX_COPIES} are possible, and the key needs {NUMBER} \
                 for the number of each"
            );
            return Err(Mistake::at(&self.key, problem));
        }
        let digits = copies.to_string().len();
        for number in 1..=copies {
            let mut one = self.clone();
            let key = pattern.replace(NUMBER, &format!("{number:0digits$}"));
            one.key = Spanned::new(span.clone(), key);
            one.write_one(store, bucket, created, theme)?;
        }
        Ok(())
    }

    fn write_one(
        self,
        store: &mut Store,
        bucket: &str,
        created: Timestamp,
        theme: Theme,
    ) -> Result<(), Mistake> {
        let place = self.key.clone();
        let key = place.get_ref();
        let written = self.write_at(key, store, bucket, created, theme);
        written.map_err(|problem| Mistake::at(&place, problem).inside(&format!("key \"{key}\"")))
    }

    fn write_at(
        self,
        key: &str,
        store: &mut Store,
        bucket: &str,
        created: Timestamp,
        theme: Theme,
    ) -> Result<(), String> {
        names::check_key(key).map_err(|refusal| refusal.message)?;
        let modified = self.modified.map_or(created, |Time(time)| time);
        if let Some(known) = store.state.bucket(bucket) {
            self.check_order(key, known, modified)?;
        }
        let is_versioned = self.versioned;
        let (operation, params) = self.call(key, theme)?;
        let mut perform = |operation, params| perform(store, modified, operation, bucket, params);
        if !is_versioned {
            perform("put_bucket_versioning", versioning("Suspended"))?;
        }
        perform(operation, params)?;
        if !is_versioned {
            perform("put_bucket_versioning", versioning("Enabled"))?;
        }
        Ok(())
    }

    /// Checks that the entry adds a version to those before it and destroys none.
    fn check_order(&self, key: &str, bucket: &Bucket, modified: Timestamp) -> Result<(), String> {
        let newest = match bucket.object(key) {
            Some(object) => Some(object.modified),
            None => bucket.history.of(key).first().map(Version::modified),
        };
        if bucket.versioning() == Versioning::NeverSet {
            let problem = if newest.is_some() {
                "another object has this key, and the bucket keeps no versions"
            } else if self.deleted {
                "deleted = true, but the bucket keeps no versions"
            } else if !self.versioned {
                "versioned = false, but the bucket keeps no versions anyway"
            } else {
                return Ok(());
            };
            return Err(problem.to_owned());
        }
        if newest.is_some_and(|newest| modified < newest) {
            return Err(format!(
                "modified {modified} is before the version above, and the oldest comes first"
            ));
        }
        if !self.versioned && bucket.version(key, NULL_VERSION).is_some() {
            return Err("another version has versioned = false".to_owned());
        }
        Ok(())
    }

    /// The call that writes it.
    fn call(self, key: &str, theme: Theme) -> Result<(&'static str, Map), String> {
        let mut params: Map = vec![("Key".into(), key.into())];
        if self.deleted {
            return match self.has_content() {
                true => Err("a delete marker has nothing but key, modified and versioned".into()),
                false => Ok(("delete_object", params)),
            };
        }
        let content_type = self.content_type.clone();
        let content_type = content_type.unwrap_or_else(|| tree::content_type(key).to_owned());
        let metadata = self.metadata.iter();
        let metadata = metadata.map(|(name, value)| (name.clone().into(), value.as_str().into()));
        let metadata = Value::Map(metadata.collect());
        let (mode, until) = match &self.retention {
            Some(retention) => (Some(retention.mode.as_str()), Some(retention.until.0)),
            None => (None, None),
        };
        let hold = self.legal_hold.map(|on| if on { "ON" } else { "OFF" });
        params.extend([
            ("ContentType".into(), content_type.into()),
            ("Metadata".into(), metadata),
            ("Tagging".into(), header(&self.tags).into()),
            ("StorageClass".into(), given(self.storage_class.as_deref())),
            (
                "ServerSideEncryption".into(),
                given(self.encryption.as_deref()),
            ),
            ("ACL".into(), given(self.acl.as_deref())),
            ("ObjectLockMode".into(), given(mode)),
            ("ObjectLockRetainUntilDate".into(), given(until)),
            ("ObjectLockLegalHoldStatus".into(), given(hold)),
            ("Body".into(), self.content(key, theme)?.into()),
        ]);
        Ok(("put_object", params))
    }

    fn has_content(&self) -> bool {
        self.size.is_some()
            || self.text.is_some()
            || self.base64.is_some()
            || self.content_type.is_some()
            || !self.metadata.is_empty()
            || !self.tags.is_empty()
            || self.storage_class.is_some()
            || self.encryption.is_some()
            || self.acl.is_some()
            || self.retention.is_some()
            || self.legal_hold.is_some()
    }

    fn content(self, key: &str, theme: Theme) -> Result<Bytes, String> {
        match (self.size, self.text, self.base64) {
            (Some(size), None, None) => filled(theme, key, size),
            (None, Some(text), None) => Ok(Bytes::from(text)),
            (None, None, Some(base64)) => {
                let compact: String = base64.split_whitespace().collect();
                let decoded = base64::engine::general_purpose::STANDARD.decode(compact);
                Ok(Bytes::from(
                    decoded.map_err(|error| format!("base64: {error}"))?,
                ))
            }
            _ => Err("give one of size, text and base64".to_owned()),
        }
    }
}

/// Filler text, no larger than an object can be.
pub fn filled(theme: Theme, key: &str, size: usize) -> Result<Bytes, String> {
    match size <= MAX_OBJECT_BYTES {
        true => Ok(Bytes::from(filler::text(theme, key, size))),
        false => Err(format!(
            "size = {size} is more than {MAX_OBJECT_BYTES} bytes"
        )),
    }
}

/// Tags as the header of an upload.
fn header(tags: &BTreeMap<String, String>) -> String {
    let encoded = |text| utf8_percent_encode(text, NON_ALPHANUMERIC);
    let tags = tags.iter();
    let tags = tags.map(|(key, value)| format!("{}={}", encoded(key), encoded(value)));
    tags.collect::<Vec<_>>().join("&")
}
