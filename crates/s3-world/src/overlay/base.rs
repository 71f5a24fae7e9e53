//! Calls to the base.

use super::layer::Found;
use crate::caller::{self, Caller};
pub(super) use crate::caller::{list, text};
use crate::domain::{Answer, Map, Value, World};
use crate::memory::answer::ACCOUNT;
use crate::memory::put::{HEADERS, REDIRECT};
use crate::memory::state::{DEFAULT_CONTENT_TYPE, DEFAULT_STORAGE_CLASS};
use crate::memory::{Attributes, Content, Elsewhere, Object};
use crate::refusal;
pub(super) use crate::refusal::Trouble;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use std::borrow::Cow;
use std::sync::Arc;

/// The result of asking the base.
pub(super) type BaseResult<T> = Result<T, Trouble>;

/// Turns the result of asking into the answer of a world.
pub(super) fn answered(asked: BaseResult<Value>) -> crate::error::Result<Answer> {
    match asked {
        Ok(value) => Ok(Ok(value)),
        Err(Trouble::Refused(refusal)) => Ok(Err(refusal)),
        Err(Trouble::Failed(error)) => Err(error),
    }
}

/// The world below the overlay. Only operations that read are called on it.
pub(super) struct Base(pub Arc<dyn World>);

impl Base {
    /// Passes a call on unchanged.
    pub async fn pass(&self, operation: &str, params: &Value) -> BaseResult<Value> {
        Caller(&*self.0).ask(operation, params).await
    }

    /// Whether the base would refuse a write for what its reads do not show.
    pub async fn may(&self, operation: &str, params: &Value) -> BaseResult<()> {
        match self.0.objection(operation, params).await? {
            Some(refusal) => Err(refusal.into()),
            None => Ok(()),
        }
    }

    /// A call with text parameters.
    pub async fn ask(&self, operation: &str, params: &[(&'static str, &str)]) -> BaseResult<Value> {
        let params = caller::params(params.iter().copied());
        self.pass(operation, &Value::Map(params)).await
    }

    /// The first key of a bucket that begins with `prefix`. Unlike with a HEAD, the
    /// refusal contains a reason.
    pub async fn peek(&self, bucket: &str, prefix: &str) -> BaseResult<Value> {
        let mut params: Map = vec![
            ("Bucket".into(), bucket.into()),
            ("MaxKeys".into(), Value::Int(1)),
        ];
        if !prefix.is_empty() {
            params.push(("Prefix".into(), prefix.into()));
        }
        self.pass("list_objects_v2", &Value::Map(params)).await
    }

    /// The object at a key or one of its versions, without its content. `checksum` also asks
    /// for the CRC-32, which not every base has.
    pub async fn head(
        &self,
        bucket: &str,
        key: &str,
        version: Option<&str>,
        checksum: bool,
    ) -> BaseResult<Option<Found>> {
        let mut plain = vec![("Bucket", bucket), ("Key", key)];
        plain.extend(version.map(|version| ("VersionId", version)));
        let mut head = Err(Trouble::Refused(refusal::access_denied()));
        if checksum {
            let mode = [plain.as_slice(), &[("ChecksumMode", "ENABLED")]].concat();
            head = self.ask("head_object", &mode).await;
        }
        // Some servers do not support checksums, and some require another permission for
        // them.
        if matches!(&head, Err(Trouble::Refused(refused)) if refused.status != 404) {
            head = self.ask("head_object", &plain).await;
        }
        match head {
            Ok(head) => Ok(Some(found(bucket, key, &head))),
            Err(Trouble::Refused(refused)) if refused.status == 404 => Ok(None),
            Err(Trouble::Refused(refused)) if refused.status == 403 => {
                Err(refusal::access_denied().into())
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// The owner to pass to the layer's store, so that it decides as the base would about
    /// the expected owner `expected`. The base is asked about `bucket`, or about any
    /// bucket of the account.
    pub async fn owner(&self, bucket: Option<&str>, expected: &str) -> BaseResult<String> {
        let listed;
        let bucket = match bucket {
            Some(bucket) => bucket,
            None => {
                listed = self.ask("list_buckets", &[]).await?;
                let first = list(&listed, "Buckets").first();
                match first.and_then(|entry| text(entry, "Name")) {
                    Some(name) => name,
                    None => return Ok(expected.to_owned()),
                }
            }
        };
        let params = [("Bucket", bucket), ("ExpectedBucketOwner", expected)];
        match self.ask("head_bucket", &params).await {
            Ok(_) => Ok(ACCOUNT.to_owned()),
            Err(Trouble::Refused(refused)) if refused.status == 403 => {
                Ok("000000000000".to_owned())
            }
            Err(Trouble::Refused(refused)) if refused.status == 404 => Ok(expected.to_owned()),
            Err(trouble) => Err(trouble),
        }
    }
}

/// The object that `head_object` describes.
fn found(bucket: &str, key: &str, head: &Value) -> Found {
    let owned = |name: &str| text(head, name).map(str::to_owned);
    let headers = HEADERS.iter().chain([&REDIRECT]);
    let metadata = match head.get("Metadata") {
        Some(Value::Map(pairs)) => pairs.as_slice(),
        _ => &[],
    };
    let metadata = metadata.iter().filter_map(|(name, value)| {
        let value = value.as_str()?;
        Some((name.to_string(), value.to_owned()))
    });
    let attributes = Attributes {
        content_type: owned("ContentType").map_or(Cow::Borrowed(DEFAULT_CONTENT_TYPE), Cow::Owned),
        storage_class: owned("StorageClass")
            .map_or(Cow::Borrowed(DEFAULT_STORAGE_CLASS), Cow::Owned),
        headers: headers
            .filter_map(|name| Some(((*name).to_owned(), owned(name)?)))
            .collect(),
        expires: time(head, "Expires"),
        metadata: metadata.collect(),
    };
    let version = owned("VersionId");
    let place = Elsewhere {
        bucket: bucket.to_owned(),
        key: key.to_owned(),
        version: version.clone(),
        etag: owned("ETag").unwrap_or_default(),
        size: size(head, "ContentLength"),
        crc32: crc32(head),
        is_brief: false,
    };
    let object = Object {
        content: Content::Elsewhere(Arc::new(place)),
        modified: time(head, "LastModified").unwrap_or(Timestamp::UNIX_EPOCH),
        attributes,
        version: None,
        extras: None,
    };
    Found {
        object: Arc::new(object),
        version: version.filter(|version| version != "null"),
    }
}

/// The object of an entry in a listing, with the fields that the entry has.
pub(super) fn listed(bucket: &str, entry: &Value) -> Option<(String, Found)> {
    let key = text(entry, "Key")?.to_owned();
    let place = Elsewhere {
        bucket: bucket.to_owned(),
        key: key.clone(),
        version: None,
        etag: text(entry, "ETag").unwrap_or_default().to_owned(),
        size: size(entry, "Size"),
        crc32: None,
        is_brief: false,
    };
    let object = Object {
        content: Content::Elsewhere(Arc::new(place)),
        modified: time(entry, "LastModified").unwrap_or(Timestamp::UNIX_EPOCH),
        attributes: Attributes::default(),
        version: None,
        extras: None,
    };
    let found = Found {
        object: Arc::new(object),
        version: None,
    };
    Some((key, found))
}

/// The CRC-32 of a whole content, where an answer says it.
pub(super) fn crc32(answer: &Value) -> Option<u32> {
    let checksum = text(answer, "ChecksumCRC32");
    let checksum = checksum.filter(|_| text(answer, "ChecksumType") != Some("COMPOSITE"))?;
    let bytes = STANDARD.decode(checksum).ok()?;
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}

/// A field with a size in bytes; 0 if it is missing.
fn size(value: &Value, name: &str) -> usize {
    usize::try_from(caller::size(value, name)).unwrap_or_default()
}

fn time(value: &Value, name: &str) -> Option<Timestamp> {
    match value.get(name) {
        Some(Value::Time(time)) => Some(*time),
        _ => None,
    }
}

/// The parameters, with one of them replaced or removed.
pub(super) fn with(params: &Value, name: &'static str, value: Option<Value>) -> Value {
    let pairs = match params {
        Value::Map(pairs) => pairs.as_slice(),
        _ => &[],
    };
    let others = pairs.iter().filter(|(key, _)| key != name).cloned();
    let value = value.map(|value| (name.into(), value));
    Value::Map(others.chain(value).collect())
}
