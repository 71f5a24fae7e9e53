//! Reads the parameters of a call and converts them for the SDK's builders.

use super::answers::to_sdk_time;
use super::blank_keys;
use super::errors::Trouble;
use crate::domain::{Refusal, Value};
use crate::memory::range::{self, Selection};
use crate::{params, refusal};
use aws_sdk_s3::config::http::HttpRequest;
use aws_sdk_s3::primitives::{ByteStream, DateTime};
use aws_sdk_s3::types::EncodingType;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::collections::HashMap;

/// The characters that are not encoded in the header that names the source of a copy.
const SOURCE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// The parameters of one call. Reading a parameter removes it, so that [`Params::finish`]
/// finds the unknown ones.
///
/// Invalid values are refused exactly as the embedded store refuses them, so that a
/// program gets the same refusal from every backend.
pub(super) struct Params<'a> {
    given: params::Params<'a>,
    left: Vec<&'a str>,
    refused: Option<Refusal>,
    blank_key: bool,
}

impl<'a> Params<'a> {
    /// The entries of a map. `Null` counts as an empty map.
    ///
    /// # Errors
    /// The value is neither a map nor `Null`.
    pub fn new(given: &'a Value) -> Result<Self, Trouble> {
        let left = match given {
            Value::Map(pairs) => pairs.iter().map(|(name, _)| &**name).collect(),
            _ => Vec::new(),
        };
        Ok(Params {
            given: params::Params::new(given)?,
            left,
            refused: None,
            blank_key: false,
        })
    }

    fn read<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(params::Params<'a>) -> Result<T, Refusal>,
    ) -> Option<T> {
        self.left.retain(|left| *left != name);
        match read(self.given) {
            Ok(value) => Some(value),
            Err(refusal) => {
                self.refused.get_or_insert(refusal);
                None
            }
        }
    }

    /// The value of `name` as it was given; Python's `None` counts as absent.
    pub fn take(&mut self, name: &str) -> Option<&'a Value> {
        self.read(name, |given| Ok(given.get(name)))?
    }

    /// Whether `name` has a value. Does not remove it.
    pub fn has(&self, name: &str) -> bool {
        self.given.get(name).is_some()
    }

    /// Whether the value of `name` is a valid range of bytes. Does not remove it.
    pub fn is_part(&self, name: &str) -> bool {
        let header = self.given.get(name).and_then(Value::as_str);
        range::select(header, usize::MAX) != Selection::Whole
    }

    pub fn text(&mut self, name: &str) -> Option<String> {
        self.read(name, |given| Ok(given.optional(name)?.map(str::to_owned)))?
    }

    /// A text that the call requires.
    pub fn needed(&mut self, name: &str) -> Option<String> {
        self.read(name, |given| match given.text(name)? {
            "" => Err(refusal::malformed(name, "at least one character long")),
            text => Ok(text.to_owned()),
        })
    }

    /// The key, in a form that the SDK accepts. The request needs [`Params::unmark`].
    pub fn key(&mut self, name: &str) -> Option<String> {
        let (key, is_blank) = blank_keys::marked(&self.needed(name)?);
        self.blank_key = is_blank;
        Some(key)
    }

    /// Restores the program's key in a request.
    pub fn unmark(&self) -> impl Fn(&mut HttpRequest) + Send + Sync + 'static {
        blank_keys::unmark(self.blank_key)
    }

    /// A value of one of the SDK's enumerations, which accept any text.
    pub fn choice<T: for<'t> From<&'t str>>(&mut self, name: &str) -> Option<T> {
        self.read(name, |given| Ok(given.optional(name)?.map(T::from)))?
    }

    /// Several values of an enumeration of the SDK.
    pub fn choices<T: for<'t> From<&'t str>>(&mut self, name: &str) -> Option<Vec<T>> {
        let items = self.take(name)?.as_list();
        let read = items.and_then(|items| {
            let texts = items.iter().map(|item| item.as_str().map(T::from));
            texts.collect::<Option<Vec<T>>>()
        });
        if read.is_none() {
            self.refuse(refusal::malformed(name, "a list of text"));
        }
        read
    }

    pub fn truth(&mut self, name: &str) -> Option<bool> {
        self.take(name)?;
        self.read(name, |given| given.flag(name))
    }

    pub fn int<T: TryFrom<i64>>(&mut self, name: &str) -> Option<T> {
        self.read(name, |given| narrow(name, given.int(name)?))?
    }

    /// `MaxKeys` of a listing.
    pub fn max_keys(&mut self, name: &str) -> Option<i32> {
        self.read(name, |given| narrow(name, given.max_keys()?))?
    }

    /// `MaxBuckets` of the listing of buckets.
    pub fn max_buckets(&mut self, name: &str) -> Option<i32> {
        self.read(name, |given| narrow(name, given.max_buckets()?))?
    }

    /// The number of a part. An object that was not uploaded in parts has one part.
    pub fn part_number(&mut self, name: &str) -> Option<i32> {
        let number: i64 = self.int(name)?;
        let part = i32::try_from(number).ok();
        if part.is_none() {
            self.refuse(refusal::invalid_argument(
                "partNumber",
                &number.to_string(),
                "Part number must be an integer between 1 and 10000, inclusive",
            ));
        }
        part
    }

    /// The encoding of names in a listing, if the program asked for one.
    pub fn encoding_type(&mut self, name: &str) -> Option<EncodingType> {
        let encoded = self.read(name, |given| given.encoded())?;
        encoded.then_some(EncodingType::Url)
    }

    pub fn time(&mut self, name: &str) -> Option<DateTime> {
        self.read(name, |given| Ok(given.time(name)?.map(to_sdk_time)))?
    }

    /// User metadata.
    pub fn metadata(&mut self, name: &str) -> Option<HashMap<String, String>> {
        self.take(name)?;
        let read = self.read(name, |given| given.metadata());
        read.map(|pairs| pairs.into_iter().collect())
    }

    /// The content of an upload.
    pub fn body(&mut self, name: &str) -> Option<ByteStream> {
        self.read(name, |given| given.body()).map(ByteStream::from)
    }

    /// The length of the content according to the caller. The SDK computes the length
    /// itself; a wrong value is refused as S3 refuses it.
    pub fn content_length(&mut self, name: &str) -> Option<i64> {
        self.read(name, |given| given.check_length(given.body()?.len()));
        None
    }

    /// The key of a customer. Like botocore, encodes it and adds its MD5, unless the
    /// caller has given an MD5.
    pub fn customer_key(&mut self, name: &str) -> Option<String> {
        let key = self.text(name)?;
        match self.given.get(&format!("{name}MD5")) {
            Some(_) => Some(key),
            None => Some(STANDARD.encode(key)),
        }
    }

    /// The MD5 of the customer's key.
    pub fn customer_key_md5(&mut self, name: &str) -> Option<String> {
        self.text(name).or_else(|| {
            let key = self.given.get(name.strip_suffix("MD5")?)?.as_str()?;
            Some(STANDARD.encode(Md5::digest(key)))
        })
    }

    /// `CopySource` in the form of its header.
    pub fn copy_source(&mut self, name: &str) -> Option<String> {
        let source = self.read(name, |given| given.copy_source())?;
        let path = format!("{}/{}", source.bucket, source.key);
        let mut header = utf8_percent_encode(&path, SOURCE).to_string();
        if let Some(version) = source.version {
            header.push_str("?versionId=");
            header.push_str(&version);
        }
        Some(header)
    }

    /// Marks the call as refused. An earlier refusal is kept.
    pub fn refuse(&mut self, refusal: Refusal) {
        self.refused.get_or_insert(refusal);
    }

    /// Must be called before anything is sent.
    ///
    /// # Errors
    /// S3 does not accept a value, or a parameter is not supported here. Making the call
    /// without that parameter could do harm.
    pub fn finish(&mut self) -> Result<(), Trouble> {
        if let Some(refused) = self.refused.take() {
            return Err(refused.into());
        }
        match self.left.iter().find(|name| self.given.get(name).is_some()) {
            None => Ok(()),
            Some(name) => Err(refusal::not_implemented(name).into()),
        }
    }
}

/// An integer of the SDK's width.
fn narrow<T: TryFrom<i64>>(name: &str, int: Option<i64>) -> Result<Option<T>, Refusal> {
    int.map(|int| T::try_from(int).map_err(|_| refusal::malformed(name, "a smaller number")))
        .transpose()
}
