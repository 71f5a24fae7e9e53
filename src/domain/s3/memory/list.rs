//! `list_objects` and `list_objects_v2`.

use super::Store;
use super::answer::{Dict, count, owner};
use super::buckets;
use super::listing::{Page, Query};
use super::state::Object;
use crate::domain::s3::params::Params;
use crate::domain::s3::refusal;
use crate::domain::{Answer, Refusal, Value};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// A page holds at most so many keys, whatever was asked for.
const MOST: i64 = 1000;

pub fn first_version(store: &mut Store, params: Params<'_>) -> Answer {
    let request = Request::read(params)?;
    let marker = params.filled("Marker")?.unwrap_or_default();
    let bucket = buckets::find(&store.state, params, request.bucket)?;
    let page = request.query(marker).run(&bucket.objects);
    // Without a delimiter S3 leaves it to the caller to go on after the last key.
    let next = page.next.filter(|_| request.delimiter.is_some());
    let answer = Dict::with_capacity(10)
        .field("IsTruncated", page.next.is_some())
        .field("Marker", request.spell(marker))
        .maybe("NextMarker", next.map(|key| request.spell(key)))
        .list("Contents", request.contents(&page, true));
    Ok(request.tail(answer, &page).into())
}

pub fn second_version(store: &mut Store, params: Params<'_>) -> Answer {
    let request = Request::read(params)?;
    let token = params.optional("ContinuationToken")?;
    let start_after = params.filled("StartAfter")?;
    let bucket = buckets::find(&store.state, params, request.bucket)?;
    let resumed = token.map(Token::read).transpose()?;
    let after = resumed.as_deref().or(start_after).unwrap_or_default();
    let page = request.query(after).run(&bucket.objects);
    let owned = params.flag("FetchOwner")?;
    let answer = Dict::with_capacity(11)
        .field("IsTruncated", page.next.is_some())
        .list("Contents", request.contents(&page, owned));
    Ok(request
        .tail(answer, &page)
        .field("KeyCount", count(page.objects.len() + page.prefixes.len()))
        .maybe("ContinuationToken", token)
        .maybe("NextContinuationToken", page.next.map(Token::write))
        .maybe("StartAfter", start_after.map(|key| request.spell(key)))
        .into())
}

/// What both versions read from the caller.
struct Request<'a> {
    bucket: &'a str,
    prefix: &'a str,
    delimiter: Option<&'a str>,
    limit: i64,
    encoded: bool,
}

impl<'a> Request<'a> {
    fn read(params: Params<'a>) -> Result<Self, Refusal> {
        let limit = match params.get("MaxKeys") {
            None => MOST,
            // botocore sends a bool as the words True and False.
            Some(Value::Bool(truth)) => {
                return Err(refusal::invalid_argument(
                    "max-keys",
                    if *truth { "True" } else { "False" },
                    "Provided max-keys not an integer or within integer range",
                ));
            }
            Some(_) => params.int("MaxKeys")?.unwrap_or(MOST),
        };
        if limit > i64::from(i32::MAX) {
            return Err(refusal::invalid_argument(
                "max-keys",
                &limit.to_string(),
                "Provided max-keys not an integer or within integer range",
            ));
        }
        if limit < 0 {
            return Err(refusal::invalid_argument(
                "maxKeys",
                &limit.to_string(),
                "Argument maxKeys must be an integer between 0 and 2147483647",
            ));
        }
        let encoding = params.optional("EncodingType")?;
        if let Some(other) = encoding.filter(|encoding| *encoding != "url") {
            return Err(refusal::invalid_argument(
                "encoding-type",
                other,
                "Invalid Encoding Method specified in Request",
            ));
        }
        Ok(Request {
            bucket: params.text("Bucket")?,
            prefix: params.filled("Prefix")?.unwrap_or_default(),
            delimiter: params.filled("Delimiter")?,
            limit: limit.min(MOST),
            encoded: encoding.is_some(),
        })
    }

    fn query<'q>(&'q self, after: &'q str) -> Query<'q> {
        Query {
            prefix: self.prefix,
            delimiter: self.delimiter,
            after,
            limit: usize::try_from(self.limit).unwrap_or_default(),
        }
    }

    /// A key as the caller gets it. botocore asks for the url encoding by itself and
    /// decodes it again, except when the caller asked for it.
    fn spell(&self, key: &str) -> String {
        if self.encoded {
            url_encode(key)
        } else {
            key.to_owned()
        }
    }

    fn contents(&self, page: &Page<'_>, owned: bool) -> Vec<Value> {
        let entry = |(key, object): &(&str, &Object)| -> Value {
            Dict::with_capacity(8)
                .field("Key", self.spell(key))
                .field("LastModified", object.modified)
                .field("ETag", object.etag())
                .field("ChecksumAlgorithm", Value::List(vec!["CRC32".into()]))
                .field("ChecksumType", "FULL_OBJECT")
                .field("Size", count(object.content.len()))
                .field("StorageClass", &*object.attributes.storage_class)
                .maybe("Owner", owned.then(owner))
                .into()
        };
        page.objects.iter().map(entry).collect()
    }

    fn tail(&self, answer: Dict, page: &Page<'_>) -> Dict {
        let prefixes = page
            .prefixes
            .iter()
            .map(|prefix| {
                Dict::with_capacity(1)
                    .field("Prefix", self.spell(prefix))
                    .into()
            })
            .collect();
        answer
            .field("Name", self.bucket)
            .field("Prefix", self.spell(self.prefix))
            .maybe("Delimiter", self.delimiter.map(|text| self.spell(text)))
            .field("MaxKeys", self.limit)
            .list("CommonPrefixes", prefixes)
            .field("EncodingType", "url")
    }
}

/// The encoding of S3's listings: as an HTML form does it, with the slash left alone.
fn url_encode(key: &str) -> String {
    let mut text = String::with_capacity(key.len());
    for byte in key.bytes() {
        match byte {
            b' ' => text.push('+'),
            b'-' | b'_' | b'.' | b'*' | b'/' => text.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => text.push(byte.into()),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// Continuation tokens: opaque to callers, and nothing they make up is one.
pub struct Token;

impl Token {
    /// The token that goes on after `last`.
    pub fn write(last: &str) -> String {
        let mut bytes = crc32fast::hash(last.as_bytes()).to_be_bytes().to_vec();
        bytes.extend_from_slice(last.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The key or common prefix to go on after.
    pub fn read(token: &str) -> Result<String, Refusal> {
        let decoded = URL_SAFE_NO_PAD.decode(token).ok();
        decoded
            .as_deref()
            .and_then(|bytes| bytes.split_first_chunk::<4>())
            .and_then(|(crc, last)| {
                let genuine = crc32fast::hash(last).to_be_bytes() == *crc && !last.is_empty();
                String::from_utf8(last.to_vec()).ok().filter(|_| genuine)
            })
            .ok_or_else(|| {
                refusal::invalid_argument(
                    "continuation-token",
                    token,
                    "The continuation token provided is incorrect",
                )
            })
    }
}
