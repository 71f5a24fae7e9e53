//! Small reads of their own: the status of a bucket's policy, and the attributes of an object.

use super::answer::{Dict, count};
use super::extras::CompletedParts;
use super::{Store, buckets, customer_key, locate, part_checksums, read};
use crate::domain::{Answer, Refusal, Value};
use crate::let_in::is_public;
use crate::params::Params;
use crate::refusal;

/// The most parts that one answer lists.
const MOST_PARTS: i64 = 1000;

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
    let checksum = read::checksum(&object);
    let parts = match &object.extras().parts {
        Some(all) if asks("ObjectParts") => {
            let of_parts = checksum.as_ref().filter(|it| it.is_composite());
            Some(parts(all, of_parts.map(|it| it.field), params)?)
        }
        _ => None,
    };
    let checksum = checksum.map(|checksum| {
        let kind = part_checksums::kind(checksum.is_composite());
        // Here the number of parts stands in a field of its own.
        let value = checksum.value.split('-').next().unwrap_or_default();
        Value::from(
            Dict::with_capacity(2)
                .field(checksum.field, value)
                .field("ChecksumType", kind),
        )
    });
    let etag = object.etag().trim_matches('"').to_owned();
    Ok(Dict::with_capacity(7)
        .field("LastModified", object.modified)
        .maybe("VersionId", locate::shown(bucket, &object))
        .maybe("ETag", asks("ETag").then_some(etag))
        .maybe("Checksum", checksum.filter(|_| asks("Checksum")))
        .maybe("ObjectParts", parts)
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

/// The parts of an object. They are listed if its checksum is made of theirs.
fn parts(all: &CompletedParts, field: Option<&'static str>, params: Params<'_>) -> Answer {
    let total = count(all.sizes.len());
    let Some(field) = field.filter(|_| !all.checksums.is_empty()) else {
        return Ok(Dict::with_capacity(1)
            .field("TotalPartsCount", total)
            .into());
    };
    let most = params.int("MaxParts")?.unwrap_or(MOST_PARTS);
    let most = most.clamp(0, MOST_PARTS);
    let marker = params.int("PartNumberMarker")?.unwrap_or_default().max(0);
    let numbered = (1_i64..).zip(all.sizes.iter().zip(&all.checksums));
    let mut left = numbered.filter(|(number, _)| *number > marker);
    let page: Vec<_> = left
        .by_ref()
        .take(usize::try_from(most).unwrap_or_default())
        .collect();
    let last = page.last().map_or(0, |(number, _)| *number);
    let listed = page.into_iter().map(|(number, (size, checksum))| {
        Dict::with_capacity(3)
            .field("PartNumber", number)
            .field("Size", count(*size))
            .field(field, checksum.as_str())
            .into()
    });
    let listed = listed.collect();
    Ok(Dict::with_capacity(6)
        .field("TotalPartsCount", total)
        .field("PartNumberMarker", marker)
        .field("NextPartNumberMarker", last)
        .field("MaxParts", most)
        .field("IsTruncated", left.next().is_some())
        .list("Parts", listed)
        .into())
}
