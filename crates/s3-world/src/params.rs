//! Reads boto3's keyword arguments. botocore has checked them in the program's client,
//! but nothing here relies on that: invalid arguments are refused and never cause a
//! panic.

use super::{names, refusal};
use crate::domain::{Name, Refusal, Value};
use bytes::Bytes;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// The keyword arguments of one call.
#[derive(Clone, Copy)]
pub struct Params<'a> {
    pairs: &'a [(Name, Value)],
    /// The [`bit`]s of all names.
    names: u64,
}

/// One bit of 64 for a name. An upload asks for some fifty parameters and has three: with a
/// bit for each name that is there, most questions are answered without a search.
#[inline]
fn bit(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let at = |place: usize| usize::from(bytes.get(place).copied().unwrap_or_default());
    let mixed = bytes.len() * 5 + at(0) + at(bytes.len() / 2) * 3 + at(bytes.len().wrapping_sub(1));
    1 << (mixed % 64)
}

/// The source that a `CopySource` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopySource {
    /// The bucket to copy from.
    pub bucket: String,
    /// The key to copy, not percent-encoded.
    pub key: String,
    /// The version, if one was named.
    pub version: Option<String>,
}

type Read<T> = Result<T, Refusal>;

impl<'a> Params<'a> {
    /// Reads the arguments from a map; `Null` means no arguments.
    pub fn new(params: &'a Value) -> Read<Self> {
        match params {
            Value::Map(pairs) => Ok(Params::of(pairs)),
            Value::Null => Ok(Params::of(&[])),
            _ => Err(refusal::malformed("params", "a map")),
        }
    }

    fn of(pairs: &'a [(Name, Value)]) -> Self {
        let names = pairs.iter().fold(0, |all, (name, _)| all | bit(name));
        Params { pairs, names }
    }

    /// All of them, in the order in which they were given.
    pub fn pairs(&self) -> &'a [(Name, Value)] {
        self.pairs
    }

    /// The value as it was given; `None` (null) counts as absent.
    #[inline]
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        if self.names & bit(name) == 0 {
            return None;
        }
        self.find(name)
    }

    fn find(&self, name: &str) -> Option<&'a Value> {
        let found = self.pairs.iter().find(|(key, _)| key == name);
        let value = found.map(|(_, value)| value);
        value.filter(|value| **value != Value::Null)
    }

    /// Whether there are no parameters but these.
    pub fn has_only(&self, names: &[&str]) -> bool {
        let mut pairs = self.pairs.iter();
        pairs.all(|(name, _)| names.contains(&&**name))
    }

    /// A text, or `None` if absent.
    #[inline]
    pub fn optional(&self, name: &str) -> Read<Option<&'a str>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Str(text)) => Ok(Some(text)),
            Some(_) => Err(refusal::malformed(name, "text")),
        }
    }

    /// A required text.
    pub fn text(&self, name: &str) -> Read<&'a str> {
        self.optional(name)?
            .ok_or_else(|| refusal::malformed(name, "given"))
    }

    /// A text, or `None` if absent or empty. S3 treats an empty query parameter as
    /// absent.
    #[inline]
    pub fn filled(&self, name: &str) -> Read<Option<&'a str>> {
        Ok(self.optional(name)?.filter(|text| !text.is_empty()))
    }

    /// A boolean; absent is false.
    pub fn flag(&self, name: &str) -> Read<bool> {
        match self.get(name) {
            None => Ok(false),
            Some(value) => value
                .as_bool()
                .ok_or_else(|| refusal::malformed(name, "True or False")),
        }
    }

    /// An integer, or `None` if absent.
    pub fn int(&self, name: &str) -> Read<Option<i64>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Int(int)) => Ok(Some(*int)),
            Some(_) => Err(refusal::malformed(name, "an integer")),
        }
    }

    /// `MaxKeys` of a listing, with S3's checks.
    pub fn max_keys(&self) -> Read<Option<i64>> {
        // botocore sends a bool as the text True or False.
        if let Some(Value::Bool(truth)) = self.get("MaxKeys") {
            return Err(refusal::invalid_argument(
                "max-keys",
                if *truth { "True" } else { "False" },
                "Provided max-keys not an integer or within integer range",
            ));
        }
        match self.int("MaxKeys")? {
            Some(wrong) if wrong > i64::from(i32::MAX) => Err(refusal::invalid_argument(
                "max-keys",
                &wrong.to_string(),
                "Provided max-keys not an integer or within integer range",
            )),
            Some(wrong) if wrong < 0 => Err(refusal::invalid_argument(
                "maxKeys",
                &wrong.to_string(),
                "Argument maxKeys must be an integer between 0 and 2147483647",
            )),
            limit => Ok(limit),
        }
    }

    /// `MaxBuckets` of the listing of buckets, with S3's checks.
    pub fn max_buckets(&self) -> Read<Option<i64>> {
        let limit = self.int("MaxBuckets")?;
        match limit.filter(|limit| !(1..=10_000).contains(limit)) {
            None => Ok(limit),
            Some(wrong) => Err(refusal::invalid_argument(
                "max-buckets",
                &wrong.to_string(),
                "Argument max-buckets must be an integer between 1 and 10000",
            )),
        }
    }

    /// Whether a listing should encode its names. S3 has only the url encoding.
    pub fn encoded(&self) -> Read<bool> {
        match self.optional("EncodingType")? {
            None => Ok(false),
            Some("url") => Ok(true),
            Some(other) => Err(refusal::invalid_argument(
                "encoding-type",
                other,
                "Invalid Encoding Method specified in Request",
            )),
        }
    }

    /// A time: a timestamp, ISO text or seconds since 1970, as in botocore.
    pub fn time(&self, name: &str) -> Read<Option<Timestamp>> {
        let time = match self.get(name) {
            None => return Ok(None),
            Some(Value::Time(time)) => Some(*time),
            Some(Value::Int(seconds)) => Timestamp::from_second(*seconds).ok(),
            Some(Value::Str(text)) => text.parse().ok(),
            Some(_) => None,
        };
        match time {
            Some(time) => Ok(Some(time)),
            None => Err(refusal::malformed(name, "a time")),
        }
    }

    /// A dict, or `None` if absent.
    pub fn map(&self, name: &str) -> Read<Option<Params<'a>>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Map(pairs)) => Ok(Some(Params::of(pairs))),
            Some(_) => Err(refusal::malformed(name, "a dict")),
        }
    }

    /// The key, checked for its length.
    pub fn key(&self) -> Read<&'a str> {
        let key = self.text("Key")?;
        names::check_key(key)?;
        Ok(key)
    }

    /// The content of an upload. If absent, it is empty; text is sent as UTF-8.
    pub fn body(&self) -> Read<Bytes> {
        match self.get("Body") {
            None => Ok(Bytes::new()),
            Some(Value::Bytes(bytes)) => Ok(bytes.clone()),
            Some(Value::Str(text)) => Ok(Bytes::copy_from_slice(text.as_bytes())),
            Some(_) => Err(refusal::malformed("Body", "bytes")),
        }
    }

    /// Refuses a `ContentLength` that is not `size`, the length of the content.
    ///
    /// If a caller announces more bytes than it sends, S3 waits and then closes the
    /// connection. If it announces fewer, S3 takes the rest for another request, and the
    /// checksum does not match the object.
    pub fn check_length(&self, size: usize) -> Read<()> {
        let Some(announced) = self.int("ContentLength")? else {
            return Ok(());
        };
        match usize::try_from(announced) {
            Ok(announced) if announced == size => Ok(()),
            Ok(announced) if announced > size => Err(Refusal::new(
                400,
                "RequestTimeout",
                "Your socket connection to the server was not read from or written to within the \
                 timeout period. Idle connections will be closed.",
            )),
            Ok(_) => Err(Refusal::new(
                400,
                "BadDigest",
                "The CRC32 you specified did not match the calculated checksum.",
            )),
            Err(_) => Err(refusal::invalid_argument(
                "Content-Length",
                &announced.to_string(),
                "Content-Length must be a non-negative integer",
            )),
        }
    }

    /// User metadata. The names travel as HTTP headers and arrive in lower case.
    pub fn metadata(&self) -> Read<BTreeMap<String, String>> {
        let pairs = self.map("Metadata")?.map_or(&[][..], |map| map.pairs);
        pairs
            .iter()
            .map(|(name, value)| match value {
                Value::Str(value) => Ok((name.to_ascii_lowercase(), value.trim().to_owned())),
                _ => Err(refusal::malformed("Metadata", "a dict of text")),
            })
            .collect()
    }

    /// The source of a copy: `"bucket/key"` or a dict. The text is not percent-encoded,
    /// because botocore encodes it when it sends the request
    /// (`handle_copy_source_param`).
    pub fn copy_source(&self) -> Read<CopySource> {
        let source = match self.get("CopySource") {
            Some(Value::Str(text)) => CopySource::parse(text),
            Some(Value::Map(pairs)) => {
                let map = Params::of(pairs);
                Some(CopySource {
                    bucket: map.text("Bucket")?.to_owned(),
                    key: map.text("Key")?.to_owned(),
                    version: map.optional("VersionId")?.map(str::to_owned),
                })
            }
            _ => None,
        };
        source
            .filter(|source| !source.bucket.is_empty() && !source.key.is_empty())
            .ok_or_else(|| {
                let given = self.get("CopySource").and_then(Value::as_str);
                refusal::invalid_argument(
                    "x-amz-copy-source",
                    given.unwrap_or_default(),
                    "Invalid copy source object key",
                )
            })
    }
}

impl CopySource {
    fn parse(text: &str) -> Option<Self> {
        let (path, version) = match text.rsplit_once("?versionId=") {
            Some((path, version)) if !version.contains(char::is_whitespace) => {
                (path, Some(version.to_owned()))
            }
            _ => (text, None),
        };
        let (bucket, key) = path.strip_prefix('/').unwrap_or(path).split_once('/')?;
        Some(CopySource {
            bucket: bucket.to_owned(),
            key: key.to_owned(),
            version,
        })
    }
}
