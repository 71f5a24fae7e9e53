//! `get_object` and `head_object`.

use super::Store;
use super::answer::{Dict, count, crc32};
use super::conditions::{Conditions, Verdict};
use super::extras::Checksum;
use super::range::{self, Selection};
use super::state::{DEFAULT_STORAGE_CLASS, Object};
use super::{buckets, customer_key, locate, part_checksums, put, settings};
use crate::blocking;
use crate::checks;
use crate::domain::{Answer, Map, Refusal, Value};
use crate::error::Error;
use crate::names::MAX_OBJECT_BYTES;
use crate::params::Params;
use crate::refusal;
use jiff::Timestamp;
use std::ops::Range;
use std::sync::Arc;

/// The object that a read names, and what is asked of it.
pub struct Wanted {
    pub object: Arc<Object>,
    /// The bytes of its content that are asked for.
    pub selection: Selection,
    /// Its version, where its bucket keeps versions or did so once.
    version: Option<String>,
    /// When the rules of its bucket will delete it.
    expiration: Option<String>,
    /// How far an archived object is on its way back.
    restoration: Option<String>,
}

pub fn get(store: &mut Store, params: Params<'_>) -> Answer {
    let wanted = wanted(store, params)?;
    let range = wanted.range();
    check_length(&wanted.object, &range)?;
    let body = wanted.object.content.read_range(range).map_err(|_| {
        // An overlay's contents may be in another world, so it loads the `wanted` object
        // itself.
        Refusal::new(
            500,
            "InternalError",
            "We encountered an internal error. Please try again.",
        )
    })?;
    answer(&wanted, body, params)
}

impl Wanted {
    /// The bytes of the content that are asked for.
    pub fn range(&self) -> Range<usize> {
        match &self.selection {
            Selection::Part(part) => part.clone(),
            _ => 0..self.object.size(),
        }
    }
}

/// Refuses to load more into memory than a program may hold.
fn check_length(object: &Object, range: &Range<usize>) -> Result<(), Refusal> {
    let is_file = matches!(object.content, super::Content::InFile(_));
    match is_file && range.len() > MAX_OBJECT_BYTES {
        false => Ok(()),
        true => Err(refusal::too_large_to_read(
            range.len() as u64,
            MAX_OBJECT_BYTES as u64,
        )),
    }
}

/// `get_object` without a lock on the store: `wanted` was looked up before.
///
/// # Errors
/// The content cannot be read.
pub async fn load(wanted: Result<Wanted, Refusal>, params: Params<'_>) -> Result<Answer, Error> {
    let wanted = match wanted {
        Ok(found) => found,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let range = wanted.range();
    if let Err(refusal) = check_length(&wanted.object, &range) {
        return Ok(Err(refusal));
    }
    let body = wanted.object.content.load_range(range).await?;
    // The answer tells checksums, which may not be known yet.
    if wanted.object.content.known_checksums().is_none()
        && let content @ super::Content::InFile(_) = wanted.object.content.clone()
    {
        blocking::waiting(move || content.checksums().is_some()).await?;
    }
    Ok(answer(&wanted, Value::Bytes(body), params))
}

/// The object that `get_object` names, and the range of bytes that it selects.
pub fn wanted(store: &Store, params: Params<'_>) -> Result<Wanted, Refusal> {
    // The worlds read contents by themselves, so that nothing waits for them.
    checks::check_sizes("get_object", params)?;
    let wanted = find(store, params)?;
    let class = &*wanted.object.attributes.storage_class;
    if wanted.object.is_unreadable(store.clock.now()) {
        return Err(Refusal::new(
            403,
            "InvalidObjectState",
            "The operation is not valid for the object's storage class",
        )
        .with("StorageClass", class));
    }
    Ok(wanted)
}

/// The answer of `get_object`. `body` holds the selected bytes of the content.
pub fn answer(wanted: &Wanted, body: impl Into<Value>, params: Params<'_>) -> Answer {
    let object = &wanted.object;
    let (length, content_range) = extent(object, &wanted.selection);
    // botocore asks for a checksum of the whole object; it does not apply to a part.
    let is_whole = is_whole(object, &wanted.selection);
    let checksum = checksum_of_read(object, params, is_whole);
    let answer = Dict::with_capacity(16)
        .field("AcceptRanges", "bytes")
        .maybe("Expiration", wanted.expiration.as_deref())
        .maybe("Restore", wanted.restoration.as_deref())
        .field("LastModified", object.modified)
        .field("ContentLength", length)
        .field("ETag", object.etag());
    let answer = with_checksum(answer, checksum).maybe("VersionId", wanted.version.as_deref());
    let answer = described(answer, object, params, content_range, true)?;
    Ok(answer.field("Body", body).into())
}

pub fn head(store: &mut Store, params: Params<'_>) -> Answer {
    let Wanted {
        object,
        selection,
        version,
        expiration,
        restoration,
    } = find(store, params)?;
    let (length, content_range) = extent(&object, &selection);
    let asked = params.optional("ChecksumMode")? == Some("ENABLED");
    let is_whole = is_whole(&object, &selection);
    let checksum = match asked {
        true => checksum_of_read(&object, params, is_whole),
        false => None,
    };
    let answer = Dict::with_capacity(16)
        .field("AcceptRanges", "bytes")
        .maybe("Expiration", expiration)
        .maybe("Restore", restoration)
        .field("LastModified", object.modified)
        .field("ContentLength", length);
    let answer = with_checksum(answer, checksum)
        .field("ETag", object.etag())
        .maybe("VersionId", version);
    Ok(described(answer, &object, params, content_range, false)?.into())
}

fn with_checksum(answer: Dict, checksum: Option<Checked>) -> Dict {
    match checksum {
        Some((field, value, kind)) => answer.field(field, value).field("ChecksumType", kind),
        None => answer,
    }
}

/// The object that a read names, if its conditions hold, and the range of bytes that it
/// selects.
fn find(store: &Store, params: Params<'_>) -> Result<Wanted, Refusal> {
    let key = params.key()?;
    let bucket = buckets::find(&store.state, params, params.text("Bucket")?)?;
    let object = locate::object(bucket, key, params)?;
    let object = &object;
    let encryption = object.extras().encryption.as_ref();
    customer_key::check_read(params, customer_key::Of::Target, encryption)?;
    match Conditions::read(params, customer_key::Of::Target, store.clock.now())?.judge(object) {
        Verdict::Holds => {}
        Verdict::NotModified(_) => return Err(refusal::not_modified()),
        Verdict::Failed(condition) => return Err(refusal::precondition_failed(condition)),
    }
    let wanted = |selection| Wanted {
        version: locate::shown(bucket, object),
        expiration: settings::expiration(bucket, key, object),
        restoration: object.told_restoration(store.clock.now()),
        object: object.clone(),
        selection,
    };
    let size = object.size();
    let header = params.optional("Range")?;
    if let Some(number) = params.int("PartNumber")? {
        if header.is_some() {
            return Err(Refusal::new(
                400,
                "InvalidRequest",
                "Cannot specify both Range header and partNumber query parameter",
            ));
        }
        return Ok(wanted(Selection::Part(part(object, number)?)));
    }
    match range::select(header, size) {
        Selection::Unsatisfiable => Err(refusal::invalid_range(header.unwrap_or_default(), size)),
        selection => Ok(wanted(selection)),
    }
}

/// The checksum of an object. One that came in parts has none, unless the uploader asked for
/// one.
pub fn checksum(object: &Object) -> Option<Checksum> {
    let extras = object.extras();
    match &extras.checksum {
        Some(checksum) => Some(checksum.clone()),
        None if extras.parts.is_some() => None,
        None => Some(Checksum {
            field: "ChecksumCRC32",
            value: crc32(object)?,
        }),
    }
}

/// The algorithm and the type of an object's checksum.
pub fn algorithm(object: &Object) -> Option<(&'static str, &'static str)> {
    match &object.extras().checksum {
        Some(checksum) => {
            let name = checksum.field.strip_prefix("Checksum")?;
            Some((name, part_checksums::kind(checksum.is_composite())))
        }
        None => {
            object.crc32()?;
            Some(("CRC32", "FULL_OBJECT"))
        }
    }
}

/// The checksum of what a read answers: of the object, or of the part that it names. A range
/// has none.
fn checksum_of_read(object: &Object, params: Params<'_>, is_whole: bool) -> Option<Checked> {
    let checksum = checksum(object)?;
    let kind = part_checksums::kind(checksum.is_composite());
    let number = match params.get("PartNumber") {
        Some(Value::Int(number)) => usize::try_from(*number).ok(),
        _ => None,
    };
    let of_parts = object.extras().parts.as_ref().map(|it| &it.checksums);
    let of_parts = of_parts.filter(|_| checksum.is_composite());
    let of_part = of_parts.zip(number.and_then(|it| it.checked_sub(1)));
    match of_part.and_then(|(all, at)| all.get(at)) {
        Some(value) => Some((checksum.field, value.clone(), kind)),
        None if is_whole => Some((checksum.field, checksum.value, kind)),
        None => None,
    }
}

/// A checksum: its field, its value and its type.
type Checked = (&'static str, String, &'static str);

/// Where in the content a part is. An object that came as a whole is its only part.
fn part(object: &Object, number: i64) -> Result<Range<usize>, Refusal> {
    let whole = [object.size()];
    let sizes = object
        .extras()
        .parts
        .as_ref()
        .map_or(&whole[..], |parts| &parts.sizes);
    let at = usize::try_from(number)
        .ok()
        .and_then(|number| number.checked_sub(1));
    let size = at.and_then(|at| Some((at, *sizes.get(at)?)));
    let Some((at, size)) = size else {
        return Err(Refusal::new(
            416,
            "InvalidPartNumber",
            "The requested partnumber is not satisfiable",
        )
        .with("PartNumberRequested", number.to_string())
        .with("ActualPartCount", sizes.len().to_string()));
    };
    let start = sizes.iter().take(at).sum();
    Ok(start..start + size)
}

/// Whether a read answers with all of the content.
fn is_whole(object: &Object, selection: &Selection) -> bool {
    match selection {
        Selection::Part(part) => part.len() == object.size(),
        _ => true,
    }
}

/// `ContentLength` and `ContentRange`.
fn extent(object: &Object, selection: &Selection) -> (Value, Option<String>) {
    let size = object.size();
    match selection {
        Selection::Part(part) => {
            let last = part.end.saturating_sub(1);
            let range = format!("bytes {}-{last}/{size}", part.start);
            (count(part.len()), Some(range))
        }
        _ => (count(size), None),
    }
}

/// A header that a read wants in its answer.
fn overriding<'p>(params: Params<'p>, name: &str) -> Result<Option<&'p str>, Refusal> {
    let wanted = params.optional(name)?;
    match wanted.filter(|text| text.chars().any(|letter| letter > '\u{ff}')) {
        None => Ok(wanted),
        Some(text) => {
            let mut wire = String::new();
            for letter in name.chars() {
                if letter.is_ascii_uppercase() && !wire.is_empty() {
                    wire.push('-');
                }
                wire.push(letter.to_ascii_lowercase());
            }
            let message = "Header value cannot be represented using ISO-8859-1.";
            Err(refusal::invalid_argument(&wire, text, message))
        }
    }
}

/// Appends the attributes of the object. `ResponseContentType` and similar parameters
/// override them.
fn described(
    mut answer: Dict,
    object: &Object,
    params: Params<'_>,
    content_range: Option<String>,
    range_first: bool,
) -> Result<Dict, Refusal> {
    let attributes = &object.attributes;
    for name in put::HEADERS {
        let wanted = overriding(params, &format!("Response{name}"))?;
        let stored = attributes.headers.get(*name).map(String::as_str);
        answer = answer.maybe(name, wanted.or(stored));
    }
    let content_type = overriding(params, "ResponseContentType")?;
    let content_type = content_type.unwrap_or(&attributes.content_type);
    answer = if range_first {
        answer
            .maybe("ContentRange", content_range)
            .field("ContentType", content_type)
    } else {
        answer
            .field("ContentType", content_type)
            .maybe("ContentRange", content_range)
    };
    let expires = params.time("ResponseExpires")?.or(attributes.expires);
    let metadata: Map = attributes
        .metadata
        .iter()
        .map(|(name, value)| (name.clone().into(), Value::from(value.as_str())))
        .collect();
    let class = Some(&*attributes.storage_class).filter(|class| *class != DEFAULT_STORAGE_CLASS);
    let redirect = attributes.headers.get(put::REDIRECT).map(String::as_str);
    let extras = object.extras();
    let counted = |number: usize| (number > 0).then(|| count(number));
    let asks_part = params.get("PartNumber").is_some();
    let parts = extras.parts.as_ref().filter(|_| asks_part);
    let held = extras
        .legal_hold
        .map(|held| if held { "ON" } else { "OFF" });
    let answer = answer
        .maybe("Expires", expires)
        .maybe(put::REDIRECT, redirect);
    Ok(put::encrypted(answer, extras.encryption.as_ref())
        .field("Metadata", Value::Map(metadata))
        .maybe("StorageClass", class)
        .maybe("PartsCount", parts.map(|parts| count(parts.sizes.len())))
        .maybe("TagCount", counted(extras.tags.len()))
        .maybe(
            "ObjectLockMode",
            extras.retention.as_ref().map(|it| it.mode.as_str()),
        )
        .maybe(
            "ObjectLockRetainUntilDate",
            extras.retention.as_ref().map(|it| it.until),
        )
        .maybe("ObjectLockLegalHoldStatus", held)
        .maybe("ExpiresString", expires.map(http_date)))
}

fn http_date(time: Timestamp) -> String {
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}
