//! Uploads of the base that go on in the layer. The base's parts can be listed but not read, so
//! the object that they become has a size and an ETag here, and no content.

use super::Overlay;
use super::base::{BaseResult, Trouble, list, text};
use super::layer::{Layer, View};
use super::lookup::Target;
use crate::caller::{self, Caller};
use crate::domain::{Map, Refusal, Value};
use crate::memory::extras::Extras;
use crate::memory::parts::Parts;
use crate::memory::uploads::Upload;
use crate::memory::{Attributes, Bucket, Content, Elsewhere, Object, Store, perform};
use crate::refusal;
use crate::upload_list;
use jiff::Timestamp;
use md5::{Digest, Md5};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The entries of parts in a listing, by their numbers.
pub(super) type Listed = BTreeMap<i64, Value>;

fn number(part: &Value) -> Option<i64> {
    part.get("PartNumber").and_then(Value::as_int)
}

fn named(params: &Value) -> Option<(&str, &str, &str)> {
    let (bucket, key) = (text(params, "Bucket")?, text(params, "Key")?);
    Some((bucket, key, text(params, "UploadId")?))
}

/// A store that has nothing but the upload that a call names.
fn alone(layer: &Layer, (bucket, key, id): (&str, &str, &str)) -> Store {
    let mut store = Store::new(layer.store.clock);
    let mut only = Bucket::new(None, Timestamp::UNIX_EPOCH);
    let upload = Upload {
        attributes: Attributes::default(),
        extras: Extras::NONE,
        checksum: None,
        parts: Parts::default(),
    };
    let at = (Arc::from(key), Timestamp::UNIX_EPOCH, Arc::from(id));
    only.uploads.begin(at, upload);
    store.state.insert(bucket, only);
    store
}

/// The ETag of an entry, without its quotes.
fn plain_etag(entry: &Value) -> &str {
    text(entry, "ETag").unwrap_or_default().trim_matches('"')
}

/// The ETag of an object whose parts have these ETags.
fn etag(parts: &[&Value]) -> String {
    let mut digest = Md5::new();
    for part in parts {
        digest.update(const_hex::decode(plain_etag(part)).unwrap_or_default());
    }
    let digest: [u8; 16] = digest.finalize().into();
    format!("\"{}-{}\"", const_hex::encode(digest), parts.len())
}

impl Overlay {
    /// The parts of the base's upload that a call names, with those that were written here;
    /// `None` if the upload is not the base's, or ended here.
    pub(super) async fn parts_of_base(&self, params: &Value) -> BaseResult<Option<Listed>> {
        let layer = self.snapshot();
        let Some((bucket, key, id)) = named(params) else {
            return Ok(None);
        };
        let here = match layer.view(bucket) {
            View::Layer => return Ok(None),
            View::Base => None,
            View::Both(cover) if cover.aborted.contains(id) => return Ok(None),
            View::Both(cover) => cover.continued.get(id).cloned(),
        };
        if self.has_upload(&layer, params) {
            return Ok(None);
        }
        let asked = caller::params([("Bucket", bucket), ("Key", key), ("UploadId", id)]);
        let parts = match upload_list::parts(&Caller(&*self.base.0), asked).await {
            Ok(parts) => parts,
            Err(Trouble::Refused(_)) => return Ok(None),
            Err(trouble) => return Err(trouble),
        };
        let mut all: Listed = (parts.into_iter())
            .filter_map(|part| Some((number(&part)?, part)))
            .collect();
        all.extend(here.into_iter().flatten());
        Ok(Some(all))
    }

    /// Writes a part of the base's upload.
    pub(super) fn keep_part(&self, params: &Value) -> BaseResult<Value> {
        let mut layer = self.lock();
        let Some((bucket, key, id)) = named(params) else {
            return Err(refusal::no_such_bucket("").into());
        };
        let mut store = alone(&layer, (bucket, key, id));
        let answer = perform(&mut store, "upload_part", params)?;
        let asked = caller::params([("Bucket", bucket), ("Key", key), ("UploadId", id)]);
        let parts = perform(&mut store, "list_parts", &Value::Map(asked))?;
        layer.touch(bucket);
        let continued = &mut layer.cover_mut(bucket).continued;
        let parts = list(&parts, "Parts").iter();
        (continued.entry(id.to_owned()).or_default())
            .extend(parts.filter_map(|part| Some((number(part)?, part.clone()))));
        Ok(answer)
    }

    /// Completes the base's upload, which has these parts.
    pub(super) async fn complete_base(&self, params: &Value, all: &Listed) -> BaseResult<Value> {
        let Some((bucket, key, id)) = named(params) else {
            return Err(refusal::no_such_bucket("").into());
        };
        let wanted = params.get("MultipartUpload").map(|it| list(it, "Parts"));
        let wanted = wanted.filter(|parts| !parts.is_empty());
        let wanted = wanted.ok_or_else(refusal::malformed_xml)?;
        let mut parts = Vec::new();
        for entry in wanted {
            let part = number(entry).and_then(|number| all.get(&number));
            let Some(part) = part.filter(|part| plain_etag(part) == plain_etag(entry)) else {
                return Err(invalid_part(entry, id).into());
            };
            parts.push(part);
        }
        let sizes = parts.iter().map(|part| caller::size(part, "Size"));
        let place = Elsewhere {
            bucket: bucket.to_owned(),
            key: key.to_owned(),
            version: None,
            etag: etag(&parts),
            size: usize::try_from(sizes.sum::<u64>()).unwrap_or_default(),
            crc32: None,
            is_brief: false,
        };
        let target = Target {
            bucket: bucket.to_owned(),
            key: key.to_owned(),
            version: None,
            source: false,
            whole: false,
            is_brief: false,
        };
        let targets = std::slice::from_ref(&target);
        let mut mirror = self.look_up(&self.snapshot(), targets).await?;
        let snapshot = self.snapshot();
        self.look_up_archived(&snapshot, targets, &mut mirror)
            .await?;
        drop(snapshot);
        let mut answer: Map = caller::params([
            ("Bucket", bucket),
            ("Key", key),
            ("ETag", place.etag.as_str()),
        ]);
        let mut layer = self.lock();
        let object = Object {
            content: Content::Elsewhere(Arc::new(place)),
            modified: layer.store.clock.tick(),
            attributes: Attributes::default(),
            version: None,
            extras: None,
        };
        let version = layer.insert(&mirror, bucket, key, object);
        let version = version.map(|id| ("VersionId".into(), Value::Str(id.to_string())));
        answer.extend(version);
        layer.touch(bucket);
        let cover = layer.cover_mut(bucket);
        cover.continued.remove(id);
        cover.aborted.insert(id.to_owned());
        Ok(Value::Map(answer))
    }

    /// The listing of the parts of the base's upload, which has these.
    pub(super) fn list_of_base(answer: Value, all: &Listed) -> Value {
        let Value::Map(mut pairs) = answer else {
            return answer;
        };
        pairs.retain(|(name, _)| name != "Parts");
        pairs.push(("Parts".into(), Value::List(all.values().cloned().collect())));
        Value::Map(pairs)
    }
}

fn invalid_part(entry: &Value, id: &str) -> Refusal {
    let number = number(entry).unwrap_or_default();
    Refusal::new(
        400,
        "InvalidPart",
        "One or more of the specified parts could not be found.  The part may not have been \
         uploaded, or the specified entity tag may not match the part's entity tag.",
    )
    .with("PartNumber", number.to_string())
    .with("UploadId", id)
}
