//! What a signature covers.
//!
//! `s3s` verifies a signature over the headers that the client says are signed. Here, what
//! takes effect without being covered is refused, as S3 does: otherwise whoever has a link to
//! upload one object could add `x-amz-copy-source` and read any other.

use super::{errors, routes};
use crate::api::scalars;
use crate::domain::Refusal;
use http::header::{AUTHORIZATION, CONTENT_TYPE, DATE, HOST};
use http::{HeaderMap, HeaderName, Uri};
use jiff::{SignedDuration, Timestamp};
use percent_encoding::percent_decode_str;

/// How a request is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signed {
    /// Version 4, in the header `Authorization`.
    Header4,
    /// Version 4, in the query of a link.
    Link4,
    /// Version 2, in the header `Authorization`.
    Header2,
    /// Version 2, in the query of a link.
    Link2,
}

/// The sub-resources and parameters that a signature of version 2 covers: the list of `s3s`.
const COVERED_BY_2: &[&str] = &[
    "accelerate",
    "acl",
    "analytics",
    "cors",
    "defaultObjectAcl",
    "delete",
    "inventory",
    "lifecycle",
    "location",
    "logging",
    "metrics",
    "notification",
    "object-lock",
    "partNumber",
    "policy",
    "replication",
    "requestPayment",
    "response-cache-control",
    "response-content-disposition",
    "response-content-encoding",
    "response-content-language",
    "response-content-type",
    "response-expires",
    "restore",
    "select",
    "select-type",
    "storageClass",
    "tagging",
    "torrent",
    "uploadId",
    "uploads",
    "versionId",
    "versioning",
    "versions",
    "website",
];

/// How far the clocks of a client and the server may differ.
const SKEW: SignedDuration = SignedDuration::from_mins(15);

/// The header that says how the body is signed. It need not be signed itself: the signature
/// contains its value, and the body is checked against it.
const PAYLOAD: &str = "x-amz-content-sha256";

impl Signed {
    /// How a request is signed; `None` without a signature.
    ///
    /// # Errors
    /// It is signed in several ways, so that it is not clear which one counts.
    pub fn of(headers: &HeaderMap, uri: &Uri) -> Result<Option<Self>, Refusal> {
        let query = pairs(uri);
        let has = |name: &str| query.iter().any(|(known, _)| known == name);
        let header =
            headers
                .get(AUTHORIZATION)
                .map(|value| match value.as_bytes().starts_with(b"AWS ") {
                    true => Signed::Header2,
                    false => Signed::Header4,
                });
        let ways = [
            header,
            has("X-Amz-Signature").then_some(Signed::Link4),
            has("Signature").then_some(Signed::Link2),
        ];
        let mut ways = ways.into_iter().flatten();
        match (ways.next(), ways.next()) {
            (way, None) => Ok(way),
            _ => Err(Refusal::new(
                400,
                "InvalidArgument",
                "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, \
                 Signature query string parameter or the Authorization header should be \
                 specified",
            )
            .with("ArgumentName", "Authorization")),
        }
    }

    /// Refuses a request with a valid signature that does not cover all that takes effect, or
    /// that is too old.
    pub fn check(self, headers: &HeaderMap, uri: &Uri) -> Result<(), Refusal> {
        let names = match self {
            Signed::Header4 => headers.get(AUTHORIZATION).map(|value| {
                let text = value.to_str().unwrap_or_default();
                let mut parts = text.split(',').map(str::trim);
                let names = parts.find_map(|part| part.strip_prefix("SignedHeaders="));
                names.unwrap_or_default().to_owned()
            }),
            Signed::Link4 => {
                let mut query = pairs(uri).into_iter();
                let names = query.find(|(name, _)| name == "X-Amz-SignedHeaders");
                names.map(|(_, names)| names)
            }
            Signed::Header2 | Signed::Link2 => None,
        };
        let names: Vec<&str> = names.iter().flat_map(|names| names.split(';')).collect();
        let is_4 = matches!(self, Signed::Header4 | Signed::Link4);
        let is_covered = |name: &HeaderName| {
            // `s3s` leaves values out of a signature that are not UTF-8.
            let mut values = headers.get_all(name).iter();
            let is_text = values.all(|value| str::from_utf8(value.as_bytes()).is_ok());
            is_text && (!is_4 || names.contains(&name.as_str()))
        };
        let matters = |name: &&HeaderName| {
            let is_amazons = name.as_str().starts_with("x-amz-") && *name != PAYLOAD;
            is_amazons || is_4 && *name == HOST
        };
        let missing = headers
            .keys()
            .filter(matters)
            .filter(|name| !is_covered(name));
        let mut missing: Vec<&str> = missing.map(HeaderName::as_str).collect();
        // A request may name its host elsewhere than in a header.
        if is_4 && !headers.contains_key(HOST) && !names.contains(&HOST.as_str()) {
            missing.push(HOST.as_str());
        }
        if !missing.is_empty() {
            return Err(Refusal::new(
                403,
                "AccessDenied",
                "There were headers present in the request which were not signed",
            )
            .with("HeadersNotSigned", missing.join(", ")));
        }
        // Whoever signs sorts the names, in lower case and each once.
        let is_in_order = names
            .iter()
            .zip(names.iter().skip(1))
            .all(|(it, next)| it < next);
        let is_plain = |name: &&str| !name.is_empty() && !name.chars().any(char::is_uppercase);
        if is_4 && !(is_in_order && names.iter().all(is_plain)) {
            return Err(errors::signature());
        }
        if !is_4 {
            check_query_of_2(uri)?;
            // `s3s` takes a header that comes twice for none.
            for name in [CONTENT_TYPE, DATE, HeaderName::from_static("content-md5")] {
                if headers.get_all(name).iter().nth(1).is_some() {
                    return Err(errors::signature());
                }
            }
        }
        match self {
            Signed::Header2 => check_date(headers),
            _ => Ok(()),
        }
    }
}

/// The parameters of a query, as `s3s` reads them.
fn pairs(uri: &Uri) -> Vec<(String, String)> {
    let text = |text: &str| {
        let text = text.replace('+', " ");
        percent_decode_str(&text).decode_utf8_lossy().into_owned()
    };
    let pairs = uri.query().unwrap_or_default().split('&');
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs
        .map(|(name, value)| (text(name), text(value)))
        .collect()
}

/// Refuses parameters that say what a request is about, and that a signature of version 2 does
/// not cover.
fn check_query_of_2(uri: &Uri) -> Result<(), Refusal> {
    let query = pairs(uri);
    for (at, (name, _)) in query.iter().enumerate() {
        let is_covered = COVERED_BY_2.contains(&name.as_str());
        if !is_covered && routes::is_subresource(name) {
            return Err(Refusal::new(
                400,
                "InvalidRequest",
                "The authorization mechanism you have provided is not supported. Please use \
                 AWS4-HMAC-SHA256.",
            ));
        }
        // `s3s` takes a parameter that comes twice for none.
        let mut others = query.iter().skip(at + 1);
        if is_covered && others.any(|(other, _)| other == name) {
            return Err(errors::signature());
        }
    }
    Ok(())
}

/// Refuses a request that was signed with version 2 at another time than now. `s3s` only
/// demands that it has a date.
fn check_date(headers: &HeaderMap) -> Result<(), Refusal> {
    // Without `x-amz-date`, `Date` is signed.
    let date = headers.get("x-amz-date").or_else(|| headers.get(DATE));
    let date = date.and_then(|date| scalars::read_time(date.to_str().ok()?));
    let Some(date) = date else {
        return Err(Refusal::new(
            403,
            "AccessDenied",
            "AWS authentication requires a valid Date or x-amz-date header",
        ));
    };
    match Timestamp::now().duration_since(date).abs() <= SKEW {
        true => Ok(()),
        false => Err(errors::skewed()),
    }
}
