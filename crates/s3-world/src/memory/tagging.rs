//! The tags of objects.

use super::answer::Dict;
use super::extras::Extras;
use super::settings::{check_tags, read_tags};
use super::state::{Bucket, Object};
use super::{Store, buckets, locate};
use crate::domain::{Answer, Refusal, Value};
use crate::params::Params;
use crate::refusal;
use percent_encoding::percent_decode_str;
use std::sync::Arc;

/// The most tags of an object.
const MOST: usize = 10;

const RESERVED: &str = "Your TagKey cannot be prefixed with aws:";

/// The tags in the header of an upload: a query string.
///
/// # Errors
/// It is none, or names a tag twice, or S3 would refuse the tags.
pub fn of_header(text: &str) -> Result<Vec<(String, String)>, Refusal> {
    let malformed = || {
        refusal::invalid_argument(
            "x-amz-tagging",
            text,
            "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query \
             parameters without tag name duplicates.",
        )
    };
    let decoded = |part: &str| {
        let spaced = part.replace('+', " ");
        percent_decode_str(&spaced)
            .decode_utf8()
            .map(String::from)
            .map_err(|_| malformed())
    };
    let mut tags: Vec<(String, String)> = Vec::new();
    for pair in text.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        if value.contains('=') {
            return Err(malformed());
        }
        let (key, value) = (decoded(key)?, decoded(value)?);
        if tags.iter().any(|(known, _)| *known == key) {
            return Err(malformed());
        }
        tags.push((key, value));
    }
    checked(tags)
}

fn checked(tags: Vec<(String, String)>) -> Result<Vec<(String, String)>, Refusal> {
    if tags.len() > MOST {
        return Err(Refusal::new(
            400,
            "BadRequest",
            format!("Object tags cannot be greater than {MOST}"),
        ));
    }
    check_tags(&tags, RESERVED)?;
    Ok(tags)
}

pub fn get(store: &Store, params: Params<'_>) -> Answer {
    let bucket = buckets::find(&store.state, params, params.text("Bucket")?)?;
    let object = locate::described(bucket, params.key()?, params, "GET")?;
    let tags = object.extras().tags.iter().map(|(key, value)| {
        let tag = Dict::with_capacity(2);
        tag.field("Key", key.as_str())
            .field("Value", value.as_str())
            .into()
    });
    Ok(Dict::with_capacity(2)
        .maybe("VersionId", locate::shown(bucket, &object))
        .field("TagSet", Value::List(tags.collect()))
        .into())
}

pub fn put(store: &mut Store, params: Params<'_>) -> Answer {
    let tags = params.get("Tagging").ok_or_else(refusal::malformed_xml)?;
    let tags = read_tags(tags)?;
    change(store, params, |_, extras| {
        extras.tags = checked(tags)?;
        Ok(())
    })
}

pub fn delete(store: &mut Store, params: Params<'_>) -> Answer {
    change(store, params, |_, extras| {
        extras.tags.clear();
        Ok(())
    })
}

/// Changes what a version has beside its content. The answer names the version.
pub fn change(
    store: &mut Store,
    params: Params<'_>,
    change: impl FnOnce(&Bucket, &mut Extras) -> Result<(), Refusal>,
) -> Answer {
    let name = params.text("Bucket")?;
    let key = params.key()?;
    let bucket = buckets::find(&store.state, params, name)?;
    let object = locate::described(bucket, key, params, "PUT")?;
    let mut extras = object.extras().clone();
    change(bucket, &mut extras)?;
    let shown = locate::shown(bucket, &object);
    let changed = Object {
        extras: extras.kept(),
        ..Object::clone(&object)
    };
    if let Some(bucket) = store.state.bucket_mut(name) {
        bucket.replace_version(key, Arc::new(changed));
    }
    Ok(Dict::with_capacity(1).maybe("VersionId", shown).into())
}
