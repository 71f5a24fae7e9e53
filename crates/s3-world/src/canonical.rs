//! The canonical state of an S3 world: its fields in the stream that [`Signer`]
//! describes.
//!
//! - For each bucket, in byte order of the names: tag `b` (0x62), the name.
//! - After it, for each of its keys, in byte order of the keys in UTF-8: tag `k` (0x6b),
//!   the key; then tag `h` (0x68), the 32 bytes of the SHA-256 of the content. Nobody can read
//!   an archived object: it has instead tag `e` (0x65), its ETag without quotes.
//!
//! A bucket without keys is a single field. An account without buckets has no fields.
//!
//! Where there is more, it follows, so that a world without it has the same stream as before
//! these fields were known:
//!
//! - After `h`, what the object has beside its content: tag `x` (0x78), canonical JSON
//!   (RFC 8785) of its tags (sorted), grants, retention and legal hold, those of them that
//!   it has. Grants count in buckets whose objects have access control lists.
//! - After the keys of a bucket, each of its configurations in the order of their names: tag
//!   `s` (0x73), the name, a byte 0, and the canonical JSON of the value. Those that are as in
//!   a new bucket are left out.
//! - After these, for each key with older versions or delete markers: tag `v` (0x76), the key;
//!   then for each of them, the newest first, tag `h` or `e` and, as above, `x`, or
//!   for a marker the tag `m` (0x6d) without content. Ids are not part of the state, but the
//!   order of versions is.
//!
//! Uploads in progress are not part of the state.

use super::memory::extras::Extras;
use super::memory::history::Version;
use super::memory::is_owners_alone;
use super::memory::settings::{ACL, ALL, BucketSettings, ENCRYPTION, NOTIFICATION, Setting};
use super::setting_json::to_json;
use crate::domain::{Signer, Value};
use crate::error::{Error, Result};
use serde_json::{Map as JsonMap, Value as Json, json};

/// Appends the state: for each bucket the name, tag `b`; for each of its keys the key,
/// tag `k`, and the sha256 of the content, tag `h` (`method.md`, "Signature").
///
/// Buckets and keys come in the byte order of their names, which is the order of a
/// `BTreeMap` keyed by text. Region, times, ETag, content type, metadata and owner are
/// not part of the state, so that it does not depend on the backend.
pub fn sign<'a, Keys>(signer: &mut Signer, buckets: impl IntoIterator<Item = (&'a str, Keys)>)
where
    Keys: IntoIterator<Item = (&'a str, &'a [u8; 32])>,
{
    for (name, keys) in buckets {
        bucket(signer, name);
        for (key, sha256) in keys {
            object(signer, key, &ContentId::Sha256(*sha256));
        }
    }
}

/// The identification of an object's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContentId {
    /// Its sha256, tag `h`.
    Sha256([u8; 32]),
    /// Its ETag, tag `e`. Used for what cannot be read because it is archived, and for servers
    /// whose contents should not be read. No stream with an `e` equals one with an `h`. So a
    /// signature of ETags never equals a signature of contents, except for worlds without
    /// objects that can be read.
    Etag(String),
}

/// Appends a bucket; its objects follow.
pub fn bucket(signer: &mut Signer, name: &str) {
    signer.field(b'b', name.as_bytes());
}

/// Appends an object to the bucket before it.
pub fn object(signer: &mut Signer, key: &str, content: &ContentId) {
    signer.field(b'k', key.as_bytes());
    self::content(signer, content);
}

fn content(signer: &mut Signer, content: &ContentId) {
    match content {
        ContentId::Sha256(sha256) => signer.field(b'h', sha256),
        ContentId::Etag(etag) => signer.field(b'e', etag.trim_matches('"').as_bytes()),
    }
}

/// Appends what an object has beside its content, if it has any of it.
pub fn extras(signer: &mut Signer, extras: &Extras) {
    let mut fields = JsonMap::new();
    if !extras.tags.is_empty() {
        let mut tags = extras.tags.clone();
        tags.sort();
        fields.insert("tags".into(), json!(tags));
    }
    let grants = extras.grants.as_deref();
    if let Some(grants) = grants.filter(|grants| !is_for_owner(grants)) {
        fields.insert("grants".into(), to_json(grants));
    }
    if let Some(retention) = &extras.retention {
        let until = retention.until.as_second();
        fields.insert("retention".into(), json!([retention.mode, until]));
    }
    if extras.legal_hold == Some(true) {
        fields.insert("legal_hold".into(), Json::Bool(true));
    }
    if !fields.is_empty() {
        signer.field(b'x', &written(&Json::Object(fields)));
    }
}

/// Appends the configurations of a bucket.
pub fn settings(signer: &mut Signer, settings: &BucketSettings) {
    for (name, value) in settings.iter() {
        // To suspend acceleration is what every bucket begins with; some servers say so.
        let status = value.get("Status").and_then(Value::as_str);
        if name == "accelerate" && status == Some("Suspended") {
            continue;
        }
        if name == ACL && is_for_owner(value) {
            continue;
        }
        // On a server, a setting with its default value looks like one that was never set.
        let known = ALL.iter().find(|setting| setting.name == name);
        let of_new = known.and_then(Setting::of_new_bucket);
        if of_new.is_some_and(|of_new| to_json(&of_new) == to_json(value)) {
            continue;
        }
        let mut field = name.as_bytes().to_vec();
        field.push(0);
        field.extend(written(&signed_form(name, value)));
        signer.field(b's', &field);
    }
}

/// A setting without what S3 fills in or spells otherwise when it is read back.
fn signed_form(name: &str, value: &Value) -> Json {
    let mut form = to_json(value);
    match name {
        ENCRYPTION => {
            let rules = form.get_mut("Rules").and_then(Json::as_array_mut);
            for rule in rules.into_iter().flatten().filter_map(Json::as_object_mut) {
                if rule.get("BucketKeyEnabled") == Some(&Json::Bool(false)) {
                    rule.remove("BucketKeyEnabled");
                }
            }
        }
        NOTIFICATION => {
            let lists = form
                .as_object_mut()
                .into_iter()
                .flat_map(|map| map.values_mut());
            let items = lists.filter_map(Json::as_array_mut).flatten();
            let rules = items.filter_map(|item| item.pointer_mut("/Filter/Key/FilterRules"));
            for rule in rules.filter_map(Json::as_array_mut).flatten() {
                if let Some(Json::String(name)) = rule.get_mut("Name") {
                    name.make_ascii_lowercase();
                }
            }
        }
        _ => {}
    }
    form
}

/// Appends the older versions and the markers of a key. `has_lists` says whether objects of the
/// bucket have access control lists.
///
/// # Errors
/// The content of a version is in another world.
pub fn history(
    signer: &mut Signer,
    key: &str,
    versions: &[Version],
    has_lists: bool,
) -> Result<()> {
    older(signer, key);
    for version in versions {
        match version {
            Version::Marker(_) => marker(signer),
            Version::Object(object) => {
                let content = object.signed();
                let content = content
                    .ok_or_else(|| Error::world(format!("a version of {key} is not loaded")))?;
                self::version(signer, &content, &object.extras().seen(has_lists));
            }
        }
    }
    Ok(())
}

/// Appends a key with older versions or markers; they follow, the newest first.
pub fn older(signer: &mut Signer, key: &str) {
    signer.field(b'v', key.as_bytes());
}

/// Appends an older version of the key before it.
pub fn version(signer: &mut Signer, content: &ContentId, of: &Extras) {
    self::content(signer, content);
    extras(signer, of);
}

/// Appends a delete marker of the key before it.
pub fn marker(signer: &mut Signer) {
    signer.field(b'm', b"");
}

/// Whether grants say no more than that the owner may do everything.
fn is_for_owner(grants: &Value) -> bool {
    grants.as_list().is_some_and(is_owners_alone)
}

/// Canonical JSON (RFC 8785).
fn written(json: &Json) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(json).unwrap_or_default()
}
