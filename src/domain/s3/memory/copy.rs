//! `copy_object`.

use super::Store;
use super::answer::{Dict, crc32};
use super::conditions::{self, Conditions, Verdict};
use super::state::Object;
use super::{buckets, put, read};
use crate::domain::s3::params::Params;
use crate::domain::s3::refusal;
use crate::domain::{Answer, Refusal, Value};

/// The largest object that one call copies (S3 API reference, `CopyObject`).
const MAX_COPY_BYTES: usize = 5 << 30;

pub fn copy(store: &mut Store, params: Params<'_>) -> Answer {
    let key = params.key()?;
    let name = params.text("Bucket")?;
    let source = params.copy_source()?;
    read::check_version(source.version.as_deref())?;
    let present = buckets::find(&store.state, params, name)?.object(key);
    let original = buckets::existing(&store.state, &source.bucket)?
        .object(&source.key)
        .ok_or_else(|| refusal::no_such_key(&source.key))?;
    read::check_not_encrypted(params, "CopySourceSSECustomer")?;
    match Conditions::read(params, "CopySource")?.judge(original) {
        Verdict::Holds => {}
        Verdict::NotModified(condition) | Verdict::Failed(condition) => {
            let condition = format!("x-amz-copy-source-{condition}");
            return Err(refusal::precondition_failed(&condition));
        }
    }
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
        || ["StorageClass", "ServerSideEncryption", put::REDIRECT]
            .iter()
            .any(|name| params.get(name).is_some());
    if !changes && source.bucket == name && source.key == key {
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
    conditions::check_write(params, key, present.map(|object| &**object))?;
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
    let object = Object {
        attributes,
        modified: store.clock.tick(),
        ..Object::clone(original)
    };
    let result = Dict::with_capacity(4)
        .field("ETag", object.etag())
        .field("LastModified", object.modified)
        .maybe("ChecksumType", object.crc32().map(|_| "FULL_OBJECT"))
        .maybe("ChecksumCRC32", crc32(&object));
    put::insert(store, name, key, object);
    Ok(Dict::with_capacity(2)
        .field("ServerSideEncryption", "AES256")
        .field("CopyObjectResult", Value::from(result))
        .into())
}
