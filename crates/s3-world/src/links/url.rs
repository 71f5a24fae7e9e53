//! Links as programs get them: in the form of botocore's, without the signature.

use super::LinkRequest;
use crate::api::request::{self, PATH, QUERY};
use crate::caller::text;
use crate::names;
use jiff::Timestamp;
use percent_encoding::utf8_percent_encode;
use sha2::{Digest, Sha256};

/// Stands for what is withheld from programs.
pub(super) const WITHHELD: &str = "withheld";

/// The host of Amazon S3. botocore signs links for it, whatever the region.
const AMAZON: &str = "s3.amazonaws.com";

/// The regions in which botocore signs with version 2 unless it is told otherwise:
/// those with `s3` among the signature versions of `endpoints.json`.
const OLD_REGIONS: [&str; 8] = [
    "ap-northeast-1",
    "ap-southeast-1",
    "ap-southeast-2",
    "eu-west-1",
    "sa-east-1",
    "us-east-1",
    "us-west-1",
    "us-west-2",
];

/// The server that a link is for.
pub struct Endpoint<'a> {
    /// Its URL, without a slash at the end; none for Amazon's.
    pub url: Option<&'a str>,
    /// Whether the bucket stands in the path, not in the host name.
    pub is_path_style: bool,
    pub region: &'a str,
}

/// A version of S3's signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// `AWSAccessKeyId`, `Signature` and `Expires`. AWS no longer advises it.
    Two,
    /// `X-Amz-Signature` and others.
    Four,
}

impl Version {
    /// The version that botocore's `Config(signature_version=…)` means.
    pub fn named(name: &str) -> Option<Version> {
        match name {
            "s3" | "s3-query" => Some(Version::Two),
            "s3v4" | "v4" | "s3v4-query" | "v4-query" => Some(Version::Four),
            _ => None,
        }
    }

    fn usual(region: &str) -> Version {
        match OLD_REGIONS.contains(&region) {
            true => Version::Two,
            false => Version::Four,
        }
    }
}

impl LinkRequest<'_> {
    /// The link without its signature. The text in place of the signature is the same for
    /// equal requests, and different for others.
    pub fn url(&self, endpoint: &Endpoint<'_>, now: Timestamp) -> String {
        // What cannot be written in a request is not in the link either.
        let parts = request::write(self.operation, self.params).unwrap_or_default();
        let mut query = parts.query;
        let version = self.version.unwrap_or(Version::usual(endpoint.region));
        let headers = parts.headers.iter();
        let mut headers: Vec<(&str, &str)> = headers
            .map(|(name, value)| (&**name, value.as_str()))
            .collect();
        headers.sort_unstable();
        match version {
            Version::Two => {
                let is_signed =
                    |name: &str| name.starts_with("x-amz-") || name.starts_with("content-");
                let headers = headers.iter().filter(|(name, _)| is_signed(name));
                query.push(("AWSAccessKeyId", WITHHELD.to_owned()));
                query.push(("Signature", self.withheld()));
                let mut pairs = encoded(&query);
                pairs.extend(headers.map(|(name, value)| pair(name, value)));
                let expires = now.as_second().saturating_add(self.seconds);
                pairs.push(pair("Expires", &expires.to_string()));
                format!("{}?{}", self.base(endpoint), pairs.join("&"))
            }
            Version::Four => {
                let time = now.strftime("%Y%m%dT%H%M%SZ").to_string();
                let (day, _) = time.split_once('T').unwrap_or((&time, ""));
                let names = headers.iter().map(|(name, _)| *name);
                let mut signed: Vec<&str> = names.chain(["host"]).collect();
                signed.sort_unstable();
                let scope = format!("{WITHHELD}/{day}/{}/s3/aws4_request", endpoint.region);
                query.extend([
                    ("X-Amz-Algorithm", "AWS4-HMAC-SHA256".to_owned()),
                    ("X-Amz-Credential", scope),
                    ("X-Amz-Date", time),
                    ("X-Amz-Expires", self.seconds.to_string()),
                    ("X-Amz-SignedHeaders", signed.join(";")),
                    ("X-Amz-Signature", self.withheld()),
                ]);
                format!("{}?{}", self.base(endpoint), encoded(&query).join("&"))
            }
        }
    }

    /// The replacement for the signature in the link.
    pub fn withheld(&self) -> String {
        let asked = (self.operation.name, self.params, self.seconds);
        let digest = Sha256::digest(format!("{asked:?}"));
        let digest = const_hex::encode(digest.get(..6).unwrap_or_default());
        format!("{WITHHELD}-{digest}")
    }

    /// The link up to its query.
    fn base(&self, endpoint: &Endpoint<'_>) -> String {
        let named = |name| text(self.params, name).unwrap_or_default();
        endpoint.of(named("Bucket"), named("Key"))
    }
}

impl Endpoint<'_> {
    /// The URL of a bucket.
    pub fn of_bucket(&self, bucket: &str) -> String {
        self.of(bucket, "")
    }

    /// The URL of an object; that of a bucket without a key, and of the server without either.
    fn of(&self, bucket: &str, key: &str) -> String {
        let path = utf8_percent_encode(key, PATH);
        let (scheme, host) = match self.url {
            Some(url) => url.split_once("://").unwrap_or(("https", url)),
            None => ("https", AMAZON),
        };
        let has_certificate = scheme == "http" || !bucket.contains('.');
        match bucket {
            "" => format!("{scheme}://{host}/"),
            _ if !self.is_path_style && names::is_bucket_name(bucket) && has_certificate => {
                format!("{scheme}://{bucket}.{host}/{path}")
            }
            _ => {
                let slash = if key.is_empty() { "" } else { "/" };
                format!("{scheme}://{host}/{bucket}{slash}{path}")
            }
        }
    }
}

fn encoded(query: &[(&'static str, String)]) -> Vec<String> {
    query
        .iter()
        .map(|(name, value)| pair(name, value))
        .collect()
}

/// `name=value`, or `name` alone where there is no value.
fn pair(name: &str, value: &str) -> String {
    let encode = |text| utf8_percent_encode(text, QUERY);
    match value {
        "" => encode(name).to_string(),
        value => format!("{}={}", encode(name), encode(value)),
    }
}
