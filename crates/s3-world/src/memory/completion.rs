//! The completion of a multipart upload.

use super::answer::Dict;
use super::content::Content;
use super::extras::{CompletedParts, Extras};
use super::multipart::Place;
use super::parts::Part;
use super::pieces::Pieces;
use super::put::{self, Prepared};
use super::state::Object;
use super::uploads::Upload;
use super::{Store, buckets, conditions, part_checksums};
use crate::domain::{Answer, Refusal, Value};
use crate::params::Params;
use crate::refusal;
use md5::{Digest, Md5};

/// The least bytes of every part but the last.
const LEAST: usize = 5 << 20;

/// What a completion joins.
///
/// # Errors
/// The completion is certain to be refused.
pub fn pieces(store: &Store, params: Params<'_>) -> Result<Pieces, Refusal> {
    let upload = Place::find(store, params)?.upload(store)?;
    let parts = chosen(&named(params)?, &upload)?;
    size(store, &parts)?;
    Ok(Pieces::of_parts(&parts))
}

/// The size of the object that the parts become.
fn size(store: &Store, parts: &[&Part]) -> Result<usize, Refusal> {
    // What stays in another world takes no room here.
    let held: usize = parts.iter().map(|part| part.held()).sum();
    match held > store.object_bytes {
        true => Err(refusal::too_large(held, store.object_bytes)),
        false => Ok(parts.iter().map(|part| part.blob.bytes.len()).sum()),
    }
}

pub fn complete(store: &mut Store, params: Params<'_>, prepared: Prepared) -> Answer {
    let (name, key) = (params.text("Bucket")?, params.key()?);
    let bucket = buckets::find(&store.state, params, name)?;
    if let Some(answer) = bucket.uploads.completed(key, params.text("UploadId")?) {
        return Ok(answer.clone());
    }
    let place = Place::find(store, params)?;
    let upload = place.upload(store)?;
    let named = named(params)?;
    let told = |refusal: Refusal| match refusal.code.as_str() {
        "InvalidPart" | "InvalidPartOrder" => refusal.with("UploadId", &*place.at.2),
        _ => refusal,
    };
    let parts = chosen(&named, &upload).map_err(told)?;
    conditions::check_write(params, bucket, place.key)?;
    let present = bucket.object(place.key).map(|it| &**it);
    check_undisturbed(params, &place, present)?;
    let size = size(store, &parts)?;
    let mut digest = Md5::new();
    for part in &parts {
        digest.update(part.blob.checksums.md5);
    }
    if let Some(given) = params.int("MpuObjectSize")?
        && usize::try_from(given) != Ok(size)
    {
        return Err(Refusal::new(
            400,
            "InvalidRequest",
            format!(
                "The provided 'x-amz-mp-object-size' header value {given} does not match what was \
                 computed: {size}"
            ),
        ));
    }
    let sizes = parts.iter().map(|part| part.blob.bytes.len()).collect();
    let content = prepared.joined(&Pieces::of_parts(&parts))?;
    part_checksums::check_kind(params, upload.checksum)?;
    let checksum = match upload.checksum {
        Some(wanted) => Some(
            wanted
                .complete(params, &named, &parts, &content)
                .map_err(told)?,
        ),
        // Nobody has read it.
        None if matches!(content, Content::Elsewhere(_)) => None,
        None => Some(part_checksums::usual(params, &named, &content).map_err(told)?),
    };
    let of_part = |part: &&Part| part.checksum.as_ref().map(|it| it.value.clone());
    let extras = Extras {
        parts: Some(CompletedParts {
            md5: digest.finalize().into(),
            sizes,
            checksums: parts.iter().filter_map(of_part).collect(),
        }),
        checksum: checksum.clone(),
        ..upload.extras.clone()
    };
    let encryption = extras.encryption.clone();
    let object = Object {
        content,
        modified: store.clock.tick(),
        attributes: upload.attributes.clone(),
        version: None,
        extras: extras.kept(),
    };
    let location = format!("https://{}.s3.amazonaws.com/{}", place.bucket, place.key);
    let answer = Dict::with_capacity(8)
        .field("Location", location)
        .field("Bucket", place.bucket)
        .field("Key", place.key)
        .field("ETag", object.etag());
    let answer = match &checksum {
        Some(checksum) => answer.field(checksum.field, checksum.value.as_str()).field(
            "ChecksumType",
            part_checksums::kind(checksum.is_composite()),
        ),
        None => answer,
    };
    let version = put::insert(store, place.bucket, place.key, object);
    let answer = Value::from(put::written(answer, version, encryption.as_ref()));
    if let Some(bucket) = store.state.bucket_mut(place.bucket) {
        bucket.uploads.complete(&place.at, answer.clone());
    }
    Ok(answer)
}

/// The entries of the parts that a completion names.
fn named(params: Params<'_>) -> Result<Vec<Params<'_>>, Refusal> {
    let Some(listed) = params.map("MultipartUpload")? else {
        return Err(Refusal::new(
            400,
            "InvalidRequest",
            "You must specify at least one part",
        ));
    };
    let listed = Some(listed)
        .and_then(|it| it.get("Parts"))
        .and_then(Value::as_list);
    let listed = listed
        .filter(|it| !it.is_empty())
        .ok_or_else(refusal::malformed_xml)?;
    listed.iter().map(Params::new).collect()
}

/// The refusal of an entry that names no part of the upload.
pub(super) fn invalid_part(entry: Params<'_>) -> Result<Refusal, Refusal> {
    let etag = entry.optional("ETag")?.unwrap_or_default();
    let number = entry.int("PartNumber")?.unwrap_or_default();
    Ok(Refusal::new(
        400,
        "InvalidPart",
        "One or more of the specified parts could not be found.  The part may not have been \
         uploaded, or the specified entity tag may not match the part's entity tag.",
    )
    .with("PartNumber", number.to_string())
    .with("ETag", etag.trim_matches('"')))
}

/// The parts that a completion names.
fn chosen<'u>(named: &[Params<'_>], upload: &'u Upload) -> Result<Vec<&'u Part>, Refusal> {
    let mut parts: Vec<&Part> = Vec::new();
    let mut last = 0;
    for entry in named {
        let number = entry
            .int("PartNumber")?
            .ok_or_else(refusal::malformed_xml)?;
        if number <= last {
            return Err(Refusal::new(
                400,
                "InvalidPartOrder",
                "The list of parts was not in ascending order. Parts must be ordered by part \
                 number.",
            ));
        }
        last = number;
        let etag = entry.optional("ETag")?;
        let etag = etag.ok_or_else(refusal::malformed_xml)?.trim_matches('"');
        let part = upload.parts.get(number);
        let part = part.filter(|part| part.blob.checksums.etag().trim_matches('"') == etag);
        match part {
            Some(part) => parts.push(part),
            None => return Err(invalid_part(*entry)?),
        }
    }
    let all_but_last = parts.split_last().map_or(&[][..], |(_, others)| others);
    match all_but_last
        .iter()
        .position(|part| part.blob.bytes.len() < LEAST)
    {
        None => Ok(parts),
        Some(at) => {
            let refusal = Refusal::new(
                400,
                "EntityTooSmall",
                "Your proposed upload is smaller than the minimum allowed size",
            )
            .with("PartNumber", (at + 1).to_string())
            .with("MinSizeAllowed", LEAST.to_string());
            Err(match parts.get(at).map(|part| &part.blob) {
                Some(blob) => refusal
                    .with("ProposedSize", blob.bytes.len().to_string())
                    .with("ETag", blob.checksums.etag().trim_matches('"')),
                None => refusal,
            })
        }
    }
}

/// Refuses a completion with a condition if somebody wrote the key after the upload began.
fn check_undisturbed(
    params: Params<'_>,
    place: &Place<'_>,
    present: Option<&Object>,
) -> Result<(), Refusal> {
    let (_, begun, _) = &place.at;
    let is_conditional = params.get("IfMatch").is_some();
    match present {
        Some(object) if is_conditional && object.modified > *begun => Err(Refusal::new(
            409,
            "ConditionalRequestConflict",
            "The conditional request cannot succeed due to a conflicting operation against this \
             resource.",
        )
        .with("Condition", "If-Match")
        .with("Key", place.key)),
        _ => Ok(()),
    }
}
