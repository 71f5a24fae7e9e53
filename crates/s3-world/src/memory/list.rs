//! `list_objects` and `list_objects_v2`.

use super::Store;
use super::answer::{Dict, count, owner};
use super::listing::{Page, Query};
use super::state::Object;
use super::{buckets, read};
use crate::domain::{Answer, Refusal, Value};
use crate::params::Params;
use crate::refusal;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The most keys of a page, whatever the caller asks for.
const MOST: i64 = 1000;

pub fn first_version(store: &mut Store, params: Params<'_>) -> Answer {
    let request = Request::read(params)?;
    let marker = params.filled("Marker")?.unwrap_or_default();
    let bucket = buckets::find(&store.state, params, request.bucket)?;
    let page = request.query(request.past(marker)).run(&bucket.objects);
    Ok(request.first_answer(marker, request.listed(&page, true)))
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
    let next = page.next.map(Token::write);
    let listed = request.listed(&page, owned);
    Ok(request.second_answer(token, start_after, next, listed))
}

/// The parameters of both versions.
pub struct Request<'a> {
    pub bucket: &'a str,
    /// Only keys with this prefix.
    pub prefix: &'a str,
    /// Keys are grouped at this text.
    pub delimiter: Option<&'a str>,
    /// The most entries, 0 to 1,000.
    pub limit: i64,
    encoded: bool,
}

/// The entries of a page.
pub struct Listed<'p> {
    /// The objects, each made by [`Request::entry`].
    pub contents: Vec<Value>,
    /// The common prefixes.
    pub prefixes: Vec<&'p str>,
    /// The last key or common prefix, if another page follows.
    pub next: Option<&'p str>,
}

impl<'a> Request<'a> {
    /// Reads and checks the parameters.
    pub fn read(params: Params<'a>) -> Result<Self, Refusal> {
        let limit = params.max_keys()?.unwrap_or(MOST);
        let encoded = params.encoded()?;
        Ok(Request {
            bucket: params.text("Bucket")?,
            prefix: params.filled("Prefix")?.unwrap_or_default(),
            delimiter: params.filled("Delimiter")?,
            limit: limit.min(MOST),
            encoded,
        })
    }

    /// The marker of `list_objects` as it counts: one within a group means the whole group.
    pub fn past<'k>(&self, marker: &'k str) -> &'k str {
        self.common_prefix(marker).unwrap_or(marker)
    }

    /// The query for the page after a key.
    pub fn query<'q>(&'q self, after: &'q str) -> Query<'q> {
        Query {
            prefix: self.prefix,
            delimiter: self.delimiter,
            after,
            limit: usize::try_from(self.limit).unwrap_or_default(),
        }
    }

    /// A key in the answer. botocore asks for url encoding by itself and decodes the
    /// answer. If the caller has asked for it, the key stays encoded.
    pub fn spell(&self, key: &str) -> String {
        if self.encoded {
            url_encode(key)
        } else {
            key.to_owned()
        }
    }

    /// The entry of an object in a listing, with its owner if `owned`.
    pub fn entry(&self, key: &str, object: &Object, owned: bool) -> Value {
        let checksum = read::algorithm(object);
        Dict::with_capacity(8)
            .field("Key", self.spell(key))
            .field("LastModified", object.modified)
            .field("ETag", object.etag())
            .maybe(
                "ChecksumAlgorithm",
                checksum.map(|(name, _)| Value::List(vec![name.into()])),
            )
            .maybe("ChecksumType", checksum.map(|(_, kind)| kind))
            .field("Size", count(object.size()))
            .field("StorageClass", &*object.attributes.storage_class)
            .maybe("Owner", owned.then(owner))
            .into()
    }

    fn listed<'p>(&self, page: &Page<'p>, owned: bool) -> Listed<'p> {
        let objects = page.objects.iter();
        Listed {
            contents: objects
                .map(|(key, object)| self.entry(key, object, owned))
                .collect(),
            prefixes: page.prefixes.clone(),
            next: page.next,
        }
    }

    /// The answer of `list_objects`.
    pub fn first_answer(&self, marker: &str, listed: Listed<'_>) -> Value {
        // S3 sends it only with a delimiter. Without one, callers continue after the last
        // key.
        let next = listed.next.filter(|_| self.delimiter.is_some());
        let answer = Dict::with_capacity(10)
            .field("IsTruncated", listed.next.is_some())
            .field("Marker", self.spell(marker))
            .maybe("NextMarker", next.map(|key| self.spell(key)))
            .list("Contents", listed.contents);
        self.tail(answer, &listed.prefixes).into()
    }

    /// The answer of `list_objects_v2`. `token` is the request's token, `next` that of
    /// the next page.
    pub fn second_answer(
        &self,
        token: Option<&str>,
        start_after: Option<&str>,
        next: Option<String>,
        listed: Listed<'_>,
    ) -> Value {
        let keys = listed.contents.len() + listed.prefixes.len();
        let answer = Dict::with_capacity(11)
            .field("IsTruncated", listed.next.is_some())
            .list("Contents", listed.contents);
        self.tail(answer, &listed.prefixes)
            .field("KeyCount", count(keys))
            .maybe("ContinuationToken", token)
            .maybe("NextContinuationToken", next)
            .maybe(
                "StartAfter",
                start_after
                    .filter(|_| token.is_none())
                    .map(|key| self.spell(key)),
            )
            .into()
    }

    /// The common prefix into which a key is grouped, if the request groups keys.
    pub fn common_prefix<'k>(&self, key: &'k str) -> Option<&'k str> {
        self.query("").common_prefix(key)
    }

    /// The fields that all listings have after their entries.
    pub fn tail(&self, answer: Dict, prefixes: &[&str]) -> Dict {
        let prefixes = prefixes
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

/// Encodes a key as S3's listings do: as in an HTML form, but without encoding `/`.
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

/// Continuation tokens. They are opaque to callers; a checksum exposes forged ones.
pub struct Token;

impl Token {
    /// The token for the page after `last`.
    pub fn write(last: &str) -> String {
        let mut bytes = crc32fast::hash(last.as_bytes()).to_be_bytes().to_vec();
        bytes.extend_from_slice(last.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The last key or common prefix before the page.
    pub fn read(token: &str) -> Result<String, Refusal> {
        let decoded = URL_SAFE_NO_PAD.decode(token).ok();
        decoded
            .as_deref()
            .and_then(|bytes| bytes.split_first_chunk::<4>())
            .and_then(|(crc, last)| {
                let genuine = crc32fast::hash(last).to_be_bytes() == *crc && !last.is_empty();
                String::from_utf8(last.to_vec()).ok().filter(|_| genuine)
            })
            .ok_or_else(|| Token::refused(token))
    }

    /// The refusal of an invalid token.
    pub fn refused(token: &str) -> Refusal {
        refusal::invalid_argument(
            "continuation-token",
            token,
            "The continuation token provided is incorrect",
        )
    }
}
