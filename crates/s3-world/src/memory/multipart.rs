//! The operations of multipart uploads.

use super::answer::Dict;
use super::content::Elsewhere;
use super::parts::{Part, Parts};
use super::pieces::Pieces;
use super::put::{self, Prepared};
use super::state::NULL_VERSION;
use super::uploads::{Id, Upload};
use super::{Store, buckets, checksums, copy, customer_key, part_checksums};
use crate::domain::{Answer, Refusal, Value};
use crate::params::Params;
use crate::refusal;
use std::ops::Range;
use std::sync::Arc;

/// The most parts of an upload.
const MOST: i64 = 10_000;
fn none() -> Refusal {
    Refusal::new(
        404,
        "NoSuchUpload",
        "The specified upload does not exist. The upload ID may be invalid, or the upload may \
         have been aborted or completed.",
    )
}

/// Where an upload of a call is among those of its bucket.
pub(super) struct Place<'a> {
    pub bucket: &'a str,
    pub key: &'a str,
    pub at: Id,
}

impl<'a> Place<'a> {
    pub fn find(store: &Store, params: Params<'a>) -> Result<Self, Refusal> {
        let (bucket, key) = (params.text("Bucket")?, params.key()?);
        let found = buckets::find(&store.state, params, bucket)?;
        let id = params.text("UploadId")?;
        let at = found.uploads.find(key, id);
        let at = at.cloned().ok_or_else(|| none().with("UploadId", id))?;
        Ok(Place { bucket, key, at })
    }

    pub fn upload(&self, store: &Store) -> Result<Arc<Upload>, Refusal> {
        let bucket = store.state.bucket(self.bucket);
        bucket
            .and_then(|it| it.uploads.get(&self.at).cloned())
            .ok_or_else(none)
    }

    fn end(&self, store: &mut Store) {
        if let Some(bucket) = store.state.bucket_mut(self.bucket) {
            bucket.uploads.end(&self.at);
        }
    }
}

pub fn create(store: &mut Store, params: Params<'_>) -> Answer {
    let (name, key) = (params.text("Bucket")?, params.key()?);
    let bucket = buckets::find(&store.state, params, name)?;
    let attributes = put::attributes(params)?;
    let extras = put::extras(bucket, params, store.clock.now())?;
    let checksum = part_checksums::wanted(params)?;
    store.check_begin()?;
    let answer = Dict::with_capacity(7)
        .field("Bucket", name)
        .field("Key", key);
    let begun = store.clock.tick();
    let Some(bucket) = store.state.bucket_mut(name) else {
        return Err(refusal::no_such_bucket(name));
    };
    // S3's own ids of uploads are longer than those of versions.
    let id = format!("{}{}", bucket.next_id(key), bucket.next_id(key));
    let answer = answer.field("UploadId", id.as_str());
    let answer = put::encrypted(answer, extras.encryption.as_ref())
        .maybe("ChecksumAlgorithm", checksum.map(|it| it.algorithm()))
        .maybe("ChecksumType", checksum.map(|it| it.kind()));
    let upload = Upload {
        attributes,
        extras,
        checksum,
        parts: Parts::default(),
    };
    let at = (Arc::from(key), begun, Arc::from(id));
    bucket.uploads.begin(at, upload);
    Ok(answer.into())
}

fn number(params: Params<'_>) -> Result<i64, Refusal> {
    match params.int("PartNumber")? {
        Some(number) if (1..=MOST).contains(&number) => Ok(number),
        number => Err(refusal::invalid_argument(
            "partNumber",
            &number.unwrap_or_default().to_string(),
            "Part number must be an integer between 1 and 10000, inclusive",
        )),
    }
}

pub fn part(store: &mut Store, params: Params<'_>, prepared: Prepared) -> Answer {
    let place = Place::find(store, params)?;
    let number = number(params)?;
    let content = prepared.content(params)?;
    params.check_length(content.size())?;
    let checksum = checksums::check_digests(params, &content)?;
    let upload = place.upload(store)?;
    let encryption = upload.extras.encryption.as_ref();
    customer_key::check_part(params, encryption)?;
    let own = match upload.checksum {
        Some(wanted) => {
            wanted.check_part(params)?;
            Some(wanted.of_part(&content))
        }
        None => None,
    };
    store.check_part(&upload, number, content.size())?;
    let (field, value) = checksums::told(&content, own.clone().or(checksum));
    let part = Part::new(content, own, store.clock.now())?;
    let answer = Dict::with_capacity(5)
        .maybe("ServerSideEncryption", put::algorithm_of(encryption))
        .field("ETag", part.blob.checksums.etag())
        .field(field, value);
    let answer = put::keyed(answer, encryption);
    // An upload that is in use would be copied for the change.
    drop(upload);
    keep(store, &place, number, part);
    Ok(answer.into())
}

fn keep(store: &mut Store, place: &Place<'_>, number: i64, mut part: Part) {
    part.modified = store.clock.tick();
    if let Some(bucket) = store.state.bucket_mut(place.bucket) {
        bucket.uploads.keep(&place.at, number, part);
    }
}

/// A part that a call copies.
struct Copied<'a> {
    place: Place<'a>,
    upload: Arc<Upload>,
    number: i64,
    /// The version of the source, where the answer names it.
    version: Option<String>,
    pieces: Pieces,
}

impl<'a> Copied<'a> {
    fn find(store: &Store, params: Params<'a>) -> Result<Self, Refusal> {
        let place = Place::find(store, params)?;
        let number = number(params)?;
        let upload = place.upload(store)?;
        customer_key::check_part(params, upload.extras.encryption.as_ref())?;
        let source = copy::source(store, params, &params.copy_source()?)?;
        let size = source.object.size();
        let range = match params.optional("CopySourceRange")? {
            None => 0..size,
            Some(text) => copied_range(text, size)?,
        };
        store.check_part(&upload, number, range.len())?;
        Ok(Copied {
            place,
            upload,
            number,
            version: source.version,
            pieces: Pieces::of_range(source.object.content.clone(), range),
        })
    }
}

/// What a call copies into a part.
pub fn pieces(store: &Store, params: Params<'_>) -> Result<Pieces, Refusal> {
    Ok(Copied::find(store, params)?.pieces)
}

pub fn part_copy(store: &mut Store, params: Params<'_>, prepared: Prepared) -> Answer {
    let copied = Copied::find(store, params)?;
    let content = prepared.joined(&copied.pieces)?;
    let upload = &copied.upload;
    let encryption = upload.extras.encryption.clone();
    let checksum = upload.checksum.map(|wanted| wanted.of_part(&content));
    let part = Part::new(content, checksum.clone(), store.clock.now())?;
    let result = Dict::with_capacity(3).field("ETag", part.blob.checksums.etag());
    // An upload that is in use would be copied for the change.
    drop(copied.upload);
    keep(store, &copied.place, copied.number, part);
    let result = result.field("LastModified", store.clock.now());
    let result = match checksum {
        Some(checksum) => result.field(checksum.field, checksum.value),
        None => result,
    };
    let answer = Dict::with_capacity(5)
        .maybe("CopySourceVersionId", copied.version)
        .field("CopyPartResult", Value::from(result));
    Ok(put::encrypted(answer, encryption.as_ref()).into())
}

/// Whether a call copies into an upload of this store whose parts need no checksums.
pub fn can_refer(store: &Store, params: Params<'_>) -> bool {
    let upload = Place::find(store, params).and_then(|place| place.upload(store));
    upload.is_ok_and(|upload| upload.checksum.is_none())
}

/// Copies a range of an object in another world into a part, without loading it. The ETag of the
/// part stands for the one that it will have there.
///
/// # Errors
/// There is no such upload, or the number of the part is wrong.
pub fn refer(
    store: &mut Store,
    params: Params<'_>,
    source: &Elsewhere,
    range: Range<usize>,
) -> Answer {
    let place = Place::find(store, params)?;
    let number = number(params)?;
    let upload = place.upload(store)?;
    let encryption = upload.extras.encryption.clone();
    customer_key::check_part(params, encryption.as_ref())?;
    let part = Part::elsewhere(source, range, store.clock.now());
    store.check_part(&upload, number, part.held())?;
    drop(upload);
    let result = Dict::with_capacity(2).field("ETag", part.blob.checksums.etag());
    keep(store, &place, number, part);
    let result = result.field("LastModified", store.clock.now());
    let version = source.version.as_deref().filter(|id| *id != NULL_VERSION);
    let answer = Dict::with_capacity(4)
        .maybe("CopySourceVersionId", version)
        .field("CopyPartResult", Value::from(result));
    Ok(put::encrypted(answer, encryption.as_ref()).into())
}

/// The bytes that a copied part takes from a source of `size` bytes. Unlike a range of a read,
/// this one must have both ends, and they must be within the source.
///
/// # Errors
/// `InvalidArgument` or `InvalidRequest`.
pub fn copied_range(text: &str, size: usize) -> Result<Range<usize>, Refusal> {
    let invalid =
        |message: String| refusal::invalid_argument("x-amz-copy-source-range", text, message);
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        // A number that is too large for an offset is beyond every source.
        is_number.then(|| digits.parse().unwrap_or(usize::MAX))
    };
    let ends = text
        .strip_prefix("bytes=")
        .and_then(|it| it.split_once('-'));
    let ends = ends.and_then(|(first, last)| Some((number(first)?, number(last)?)));
    match ends {
        Some((first, last)) if first <= last && last < size => Ok(first..last + 1),
        Some((first, last)) if first <= last && first >= size => Err(Refusal::new(
            400,
            "InvalidRequest",
            "The specified copy range is invalid for the source object size",
        )),
        Some((first, last)) if first <= last => Err(invalid(format!(
            "Range specified is not valid for source object of size: {size}"
        ))),
        _ => Err(invalid(
            "The x-amz-copy-source-range value must be of the form bytes=first-last where \
             first and last are the zero-based offsets of the first and last bytes to copy"
                .to_owned(),
        )),
    }
}

pub fn abort(store: &mut Store, params: Params<'_>) -> Answer {
    let place = Place::find(store, params)?;
    place.end(store);
    Ok(Dict::default().into())
}
