//! Uploads in progress in plans. Parts can be listed, but neither read nor taken out again.

use super::caller::{Caller, list, params, size, text};
use super::inside;
use super::params::Params;
use super::refusal::Trouble;
use super::upload_list;
use crate::domain::{Map, Mark, Place, Value, World, Write, WrittenPart, counted};
use crate::error::Result;
use sha2::{Digest, Sha256};

/// The setting of a key that an upload in progress is; its id follows.
pub(super) const UPLOAD: &str = "upload";

/// The place of the upload of a key that a call names.
pub(super) fn place(thing: Place, params: &Value) -> Place {
    match text(params, "UploadId") {
        Some(id) => thing.with_setting(format!("{UPLOAD} {id}")),
        None => thing.with_setting(UPLOAD),
    }
}

/// The upload that a completion ends, beside making an object.
pub(super) fn ended(operation: &str, params: &Value) -> Option<Place> {
    let (bucket, key) = (text(params, "Bucket")?, text(params, "Key")?);
    let place = place(Place::thing(bucket, key), params);
    (operation == "complete_multipart_upload").then_some(place)
}

/// The id of the upload at a place, if it is one whose id is known.
fn id(place: &Place) -> Option<&str> {
    let (what, id) = place.setting()?.split_once(' ')?;
    (what == UPLOAD && place.segments().len() > 1).then_some(id)
}

/// Whether a place is an upload in progress.
pub(super) fn is_upload(place: &Place) -> bool {
    id(place).is_some() || place.setting() == Some(UPLOAD)
}

/// The parameters that name the upload at a place.
pub(super) fn named(place: &Place) -> Option<Map> {
    let (key, id) = (place.segments().get(1)?, id(place)?);
    Some(params([
        ("Bucket", place.root()),
        ("Key", key),
        ("UploadId", id),
    ]))
}

/// The mark of an upload: its parts.
pub(super) async fn look(world: &dyn World, place: &Place) -> Result<Option<Mark>> {
    let Some(named) = named(place) else {
        return Ok(None);
    };
    let caller = Caller(world);
    let parts = match upload_list::parts(&caller, named.clone()).await {
        Ok(parts) => parts,
        Err(Trouble::Refused(refusal)) if matches!(refusal.status, 400 | 404) => return Ok(None),
        Err(trouble) => return Err(caller.cannot_look(&Value::Map(named), trouble)),
    };
    let mut digest = Sha256::new();
    for part in &parts {
        let number = part.get("PartNumber").and_then(Value::as_int);
        let etag = text(part, "ETag").unwrap_or_default();
        digest.update(format!("{number:?} {} {etag}\n", size(part, "Size")));
    }
    let digest: [u8; 32] = digest.finalize().into();
    let bytes: u64 = parts.iter().map(|part| size(part, "Size")).sum();
    let summary = match parts.len() {
        0 => "begun".to_owned(),
        many => format!("{}, {}", counted(many, "part"), counted(bytes, "byte")),
    };
    Ok(Some(Mark {
        tag: const_hex::encode(digest.get(..8).unwrap_or_default()),
        size: 0,
        version: None,
        summary: Some(summary),
    }))
}

/// The mark that a write left at an upload. A server may give a part another ETag than the
/// draft; then the mark is not known.
pub(super) fn left(planned: Mark, write: &Write, answer: &Value) -> Mark {
    let told = answer.get("CopyPartResult").unwrap_or(answer);
    let given = text(told, "ETag");
    let drafted = write.ids.get("ETag").map(String::as_str);
    match given == drafted {
        true => planned,
        false => Mark {
            summary: planned.summary,
            ..Mark::unknown(0)
        },
    }
}

/// The parts that a write makes of the upload at a place, or of which it makes an object.
pub(super) fn written(write: &Write, place: &Place) -> Vec<WrittenPart> {
    let params = &write.params;
    let named = |part: &Value| {
        let number = part.get("PartNumber").and_then(Value::as_int)?;
        Some(WrittenPart {
            name: number.to_string(),
            ..WrittenPart::default()
        })
    };
    if !is_upload(place) {
        return Vec::new();
    }
    match write.operation.as_str() {
        "upload_part" => {
            let content = content(write);
            let part = named(params).map(|part| WrittenPart { content, ..part });
            part.into_iter().collect()
        }
        "upload_part_copy" => {
            let range = text(params, "CopySourceRange").and_then(inside::range);
            let part = named(params).map(|part| WrittenPart { range, ..part });
            part.into_iter().collect()
        }
        "complete_multipart_upload" => {
            let parts = params.get("MultipartUpload").map(|it| list(it, "Parts"));
            parts.unwrap_or_default().iter().filter_map(named).collect()
        }
        _ => Vec::new(),
    }
}

/// The mark of an object with the content that a call brings.
fn content(write: &Write) -> Option<Mark> {
    let body = Params::new(&write.params).and_then(|params| params.body());
    let tag = write.ids.get("ETag")?.trim_matches('"').to_owned();
    Some(Mark {
        tag,
        size: body.ok()?.len() as u64,
        version: None,
        summary: None,
    })
}

/// Why a change of an upload that was there before cannot be taken back.
pub(super) fn lasting(operation: &str) -> &'static str {
    match operation {
        "complete_multipart_upload" => "an upload that was completed cannot go on",
        "abort_multipart_upload" => "the parts of an aborted upload are gone",
        _ => "the parts of an upload can neither be read nor taken out again",
    }
}
