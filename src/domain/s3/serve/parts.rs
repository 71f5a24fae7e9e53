//! The parts of a multipart upload, and the object assembled from them.

use crate::domain::Refusal;
use crate::domain::s3::refusal;
use bytes::{Bytes, BytesMut};
use jiff::Timestamp;
use std::collections::BTreeMap;

/// The minimum size of every part but the last (S3 user guide, "Multipart upload
/// limits").
const LEAST_PART: usize = 5 << 20;

/// One part of an upload.
#[derive(Clone)]
pub struct Part {
    pub content: Bytes,
    /// Without quotes.
    pub etag: String,
    pub modified: Timestamp,
}

/// The parts of an upload by number.
pub type Parts = BTreeMap<i32, Part>;

/// Assembles the object from the parts of the upload `id`. `wanted` names each part with
/// its ETag, in the order of the numbers. Only the last part may be smaller than the
/// minimum.
pub fn assemble(id: &str, parts: &Parts, wanted: &[(i32, String)]) -> Result<Bytes, Refusal> {
    if !wanted.is_sorted_by(|(one, _), (next, _)| one < next) {
        return Err(Refusal::new(
            400,
            "InvalidPartOrder",
            "The list of parts was not in ascending order. Parts must be ordered by part number.",
        )
        .with("UploadId", id));
    }
    let mut found = Vec::with_capacity(wanted.len());
    for (number, etag) in wanted {
        match parts.get(number) {
            Some(part) if part.etag == *etag => found.push((*number, part)),
            _ => return Err(invalid_part(id, *number, etag)),
        }
    }
    let before_last = found.len().saturating_sub(1);
    for (number, part) in found.iter().take(before_last) {
        if part.content.len() < LEAST_PART {
            return Err(too_small(*number, part));
        }
    }
    if let [(_, only)] = found.as_slice() {
        return Ok(only.content.clone());
    }
    let size = found.iter().map(|(_, part)| part.content.len()).sum();
    let mut object = BytesMut::with_capacity(size);
    for (_, part) in found {
        object.extend_from_slice(&part.content);
    }
    Ok(object.freeze())
}

/// Reads a part's number and checks S3's limits.
pub fn part_number(text: &str) -> Result<i32, Refusal> {
    let number = text.parse().ok();
    number
        .filter(|number| (1..=10_000).contains(number))
        .ok_or_else(|| {
            refusal::invalid_argument(
                "partNumber",
                text,
                "Part number must be an integer between 1 and 10000, inclusive",
            )
        })
}

fn invalid_part(id: &str, number: i32, etag: &str) -> Refusal {
    Refusal::new(
        400,
        "InvalidPart",
        "One or more of the specified parts could not be found.  The part may not have been \
         uploaded, or the specified entity tag may not match the part's entity tag.",
    )
    .with("UploadId", id)
    .with("PartNumber", number.to_string())
    .with("ETag", etag)
}

fn too_small(number: i32, part: &Part) -> Refusal {
    Refusal::new(
        400,
        "EntityTooSmall",
        "Your proposed upload is smaller than the minimum allowed size",
    )
    .with("ProposedSize", part.content.len().to_string())
    .with("MinSizeAllowed", LEAST_PART.to_string())
    .with("PartNumber", number.to_string())
    .with("ETag", part.etag.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assembled(sizes: &[(i32, usize)], wanted: &[(i32, &str)]) -> String {
        let part = |size: usize| Part {
            content: vec![b'x'; size].into(),
            etag: format!("e{size}"),
            modified: Timestamp::UNIX_EPOCH,
        };
        let parts = sizes
            .iter()
            .map(|(number, size)| (*number, part(*size)))
            .collect();
        let wanted: Vec<_> = wanted
            .iter()
            .map(|(n, etag)| (*n, (*etag).to_owned()))
            .collect();
        match assemble("u", &parts, &wanted) {
            Ok(object) => format!("{} bytes", object.len()),
            Err(refusal) => format!("{} {:?}", refusal.code, refusal.details),
        }
    }

    #[test]
    fn parts_make_an_object_or_are_refused() {
        const FULL: usize = LEAST_PART;
        let etag = format!("e{FULL}");
        let lines = [
            assembled(&[(1, 3)], &[(1, "e3")]),
            assembled(&[(2, FULL), (7, 3)], &[(2, &etag), (7, "e3")]),
            assembled(&[(2, FULL), (7, 3)], &[(7, "e3")]),
            assembled(&[(1, 3), (2, 4)], &[(1, "e3"), (2, "e4")]),
            assembled(&[(1, 3), (2, 4)], &[(2, "e4"), (1, "e3")]),
            assembled(&[(1, 3)], &[(1, "e4")]),
            assembled(&[(1, 3)], &[(2, "e3")]),
            assembled(&[(1, 0)], &[(1, "e0")]),
        ];
        expect_test::expect![[r#"
            3 bytes
            5242883 bytes
            3 bytes
            EntityTooSmall [("ProposedSize", Str("3")), ("MinSizeAllowed", Str("5242880")), ("PartNumber", Str("1")), ("ETag", Str("e3"))]
            InvalidPartOrder [("UploadId", Str("u"))]
            InvalidPart [("UploadId", Str("u")), ("PartNumber", Str("1")), ("ETag", Str("e4"))]
            InvalidPart [("UploadId", Str("u")), ("PartNumber", Str("2")), ("ETag", Str("e3"))]
            0 bytes
        "#]].assert_eq(&lines.map(|line| line + "\n").concat());
    }
}
