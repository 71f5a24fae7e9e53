//! `copy_object`.

use super::Store;
use super::answer::Dict;
use super::conditions::{self, Conditions, Verdict};
use super::content::Content;
use super::extras::Checksum;
use super::state::Versioning::Suspended;
use super::state::{NULL_VERSION, Object};
use super::{buckets, checksums, customer_key, locate, put, read, settings};
use crate::digests;
use crate::domain::{Answer, Refusal, Value};
use crate::params::{CopySource, Params};
use crate::refusal;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::sync::Arc;

/// The largest object that one call copies (S3 API reference, `CopyObject`).
const MAX_COPY_BYTES: usize = 5 << 30;

/// The source of a copy.
pub struct Source {
    pub object: Arc<Object>,
    /// Its version, where its bucket keeps versions or did so once.
    pub version: Option<String>,
}

/// The source that a call names, if its conditions hold and it can be read.
///
/// # Errors
/// It is missing, archived, a delete marker, or not as the conditions say.
pub fn source(store: &Store, params: Params<'_>, named: &CopySource) -> Result<Source, Refusal> {
    let bucket = buckets::existing(&store.state, &named.bucket)?;
    let found = locate::named(bucket, &named.key, named.version.as_deref(), "GET");
    let object = found.map_err(|refusal| match refusal.status {
        405 => Refusal::new(
            400,
            "InvalidRequest",
            "The source of a copy request may not specifically refer to a delete marker by \
             version id.",
        ),
        _ => refusal,
    })?;
    let encryption = object.extras().encryption.as_ref();
    customer_key::check_read(params, customer_key::Of::Source, encryption)?;
    match Conditions::read(params, customer_key::Of::Source, store.clock.now())?.judge(&object) {
        Verdict::Holds => {}
        Verdict::NotModified(condition) | Verdict::Failed(condition) => {
            let condition = format!("x-amz-copy-source-{condition}");
            return Err(refusal::precondition_failed(&condition));
        }
    }
    Ok(Source {
        // S3 does not tell the id that stands for none.
        version: locate::shown(bucket, &object).filter(|id| id != NULL_VERSION),
        object,
    })
}

/// The content of a source is in another world. Overlays load it before they copy.
pub fn not_loaded() -> Refusal {
    Refusal::new(
        500,
        "InternalError",
        "We encountered an internal error. Please try again.",
    )
}

/// The checksum of a copy: by the algorithm that the call names, or else that of its source. A
/// copy is one whole, so a checksum of the parts is computed anew.
fn copied_checksum(original: &Object, params: Params<'_>) -> Result<Option<Checksum>, Refusal> {
    let Some((field, name)) = checksums::algorithm(params)? else {
        return Ok(kept_checksum(original));
    };
    // An overlay does not load a content to copy it.
    if matches!(original.content, Content::Elsewhere(_)) {
        return Ok(kept_checksum(original));
    }
    // The CRC-32 is what every object has.
    let value = digests::of_content(name, &original.content).filter(|_| name != "CRC32");
    Ok(value.map(|value| Checksum {
        field,
        value: STANDARD.encode(value),
    }))
}

fn kept_checksum(original: &Object) -> Option<Checksum> {
    let known = original.extras().checksum.as_ref()?;
    if !known.is_composite() {
        return Some(known.clone());
    }
    let name = known.field.strip_prefix("Checksum")?;
    Some(Checksum {
        field: known.field,
        value: STANDARD.encode(digests::of_content(name, &original.content)?),
    })
}

pub fn copy(store: &mut Store, params: Params<'_>) -> Answer {
    let key = params.key()?;
    let name = params.text("Bucket")?;
    let named = params.copy_source()?;
    let bucket = buckets::find(&store.state, params, name)?;
    let source = source(store, params, &named)?;
    let original = &*source.object;
    let replace = match params.optional("MetadataDirective")? {
        None | Some("COPY") => false,
        Some("REPLACE") => true,
        Some(other) => {
            return Err(refusal::invalid_argument(
                "x-amz-metadata-directive",
                other,
                "Unknown metadata directive.",
            ));
        }
    };
    let changes = replace
        || bucket.settings.get(settings::ENCRYPTION).is_some()
        || [
            "StorageClass",
            "ServerSideEncryption",
            "SSECustomerAlgorithm",
            put::REDIRECT,
        ]
        .iter()
        .any(|name| params.get(name).is_some());
    let is_itself = named.bucket == name && named.key == key && named.version.is_none();
    if !changes && is_itself {
        return Err(Refusal::new(
            400,
            "InvalidRequest",
            "This copy request is illegal because it is trying to copy an object to itself \
             without changing the object's metadata, storage class, website redirect location \
             or encryption attributes.",
        ));
    }
    if original.size() > MAX_COPY_BYTES {
        return Err(Refusal::new(
            400,
            "InvalidRequest",
            format!(
                "The specified copy source is larger than the maximum allowable size for a copy \
                 source: {MAX_COPY_BYTES}"
            ),
        ));
    }
    if original.is_unreadable(store.clock.now()) {
        return Err(Refusal::new(
            403,
            "ObjectNotInActiveTierError",
            "The source object of the COPY action is not in the active tier and is only stored in \
             Amazon Glacier.",
        ));
    }
    conditions::check_write(params, bucket, key)?;
    let given = put::attributes(params)?;
    let attributes = if replace {
        given
    } else {
        // S3 never copies storage class and redirect, whatever the directive says.
        let mut copied = original.attributes.clone();
        copied.storage_class = given.storage_class;
        copied.headers.remove(put::REDIRECT);
        copied.headers.extend(
            given
                .headers
                .into_iter()
                .filter(|(name, _)| name == put::REDIRECT),
        );
        copied
    };
    let mut extras = put::extras(bucket, params, store.clock.now())?;
    match params.optional("TaggingDirective")? {
        None | Some("COPY") => extras.tags.clone_from(&original.extras().tags),
        Some("REPLACE") => {}
        Some(other) => {
            return Err(refusal::invalid_argument(
                "x-amz-tagging-directive",
                other,
                "Unknown tagging directive.",
            ));
        }
    }
    extras.checksum = copied_checksum(original, params)?;
    let encryption = extras.encryption.clone();
    let object = Object {
        content: original.content.clone(),
        attributes,
        modified: store.clock.tick(),
        version: None,
        extras: extras.kept(),
    };
    let checksum = read::checksum(&object);
    let result = Dict::with_capacity(4)
        .field("ETag", object.etag())
        .field("LastModified", object.modified)
        .maybe("ChecksumType", checksum.as_ref().map(|_| "FULL_OBJECT"));
    let result = match checksum {
        Some(Checksum { field, value }) => result.field(field, value),
        None => result,
    };
    let version = put::insert(store, name, key, object);
    // Unlike the answers of uploads, that of a copy tells the id that stands for none.
    let is_suspended = store
        .state
        .bucket(name)
        .is_some_and(|it| it.versioning() == Suspended);
    let version = version.as_deref().or(is_suspended.then_some(NULL_VERSION));
    let answer = Dict::with_capacity(5)
        .maybe("CopySourceVersionId", source.version)
        .maybe("VersionId", version);
    Ok(put::encrypted(answer, encryption.as_ref())
        .field("CopyObjectResult", Value::from(result))
        .into())
}
