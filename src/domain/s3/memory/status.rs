//! Small reads and writes of their own: the status of a bucket's policy, the attributes of an
//! object, and bringing back an archived one.

use super::answer::{Dict, count};
use super::settings::policy::is_public;
use super::state::is_archive;
use super::{Store, buckets, customer_key, locate, read, tagging};
use crate::domain::s3::params::Params;
use crate::domain::s3::refusal;
use crate::domain::{Answer, Refusal, Value};

pub fn of_policy(store: &Store, params: Params<'_>) -> Answer {
    let name = params.text("Bucket")?;
    let bucket = buckets::find(&store.state, params, name)?;
    let policy = bucket.settings.get("policy").and_then(Value::as_str);
    let policy = policy.ok_or_else(|| {
        Refusal::new(
            404,
            "NoSuchBucketPolicy",
            "The bucket policy does not exist",
        )
        .with("BucketName", name)
    })?;
    let status = Dict::with_capacity(1).field("IsPublic", is_public(policy));
    Ok(Dict::with_capacity(1)
        .field("PolicyStatus", Value::from(status))
        .into())
}

pub fn attributes(store: &Store, params: Params<'_>) -> Answer {
    let bucket = buckets::find(&store.state, params, params.text("Bucket")?)?;
    let object = locate::object(bucket, params.key()?, params)?;
    let encryption = object.extras().encryption.as_ref();
    customer_key::check_read(params, customer_key::Of::Target, encryption)?;
    let wanted = params
        .get("ObjectAttributes")
        .and_then(Value::as_list)
        .unwrap_or_default();
    let wanted: Vec<&str> = wanted.iter().filter_map(Value::as_str).collect();
    const KNOWN: [&str; 5] = [
        "ETag",
        "Checksum",
        "ObjectParts",
        "StorageClass",
        "ObjectSize",
    ];
    if let Some(unknown) = wanted.iter().find(|name| !KNOWN.contains(name)) {
        return Err(refusal::invalid_argument(
            "x-amz-object-attributes",
            unknown,
            "Invalid attribute name specified.",
        ));
    }
    let asks = |name: &str| wanted.contains(&name);
    let checksum = read::checksum(&object).map(|(field, value)| {
        Value::from(
            Dict::with_capacity(2)
                .field(field, value)
                .field("ChecksumType", "FULL_OBJECT"),
        )
    });
    let parts = object.extras().parts.as_ref().map(|parts| {
        Value::from(Dict::with_capacity(1).field("TotalPartsCount", count(parts.sizes.len())))
    });
    let etag = object.etag().trim_matches('"').to_owned();
    Ok(Dict::with_capacity(7)
        .field("LastModified", object.modified)
        .maybe("VersionId", locate::shown(bucket, &object))
        .maybe("ETag", asks("ETag").then_some(etag))
        .maybe("Checksum", checksum.filter(|_| asks("Checksum")))
        .maybe("ObjectParts", parts.filter(|_| asks("ObjectParts")))
        .maybe(
            "StorageClass",
            asks("StorageClass").then_some(&*object.attributes.storage_class),
        )
        .maybe(
            "ObjectSize",
            asks("ObjectSize").then(|| count(object.size())),
        )
        .into())
}

pub fn restore(store: &mut Store, params: Params<'_>) -> Answer {
    let bucket = buckets::find(&store.state, params, params.text("Bucket")?)?;
    let object = locate::described(bucket, params.key()?, params)?;
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
    match request.int("Days")? {
        Some(days) if days > 0 => {}
        Some(_) => {
            return Err(Refusal::new(
                400,
                "InvalidArgument",
                "restoration days should be at least 1",
            ));
        }
        None => return Err(refusal::malformed_xml()),
    }
    tagging::change(store, params, |_, extras| {
        if extras.restoring {
            return Err(Refusal::new(
                409,
                "RestoreAlreadyInProgress",
                "Object restore is already in progress",
            ));
        }
        extras.restoring = true;
        Ok(())
    })
    .map(|_| Value::Map(Vec::new()))
}
