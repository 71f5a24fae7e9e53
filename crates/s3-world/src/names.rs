//! The names that S3 accepts for buckets, keys and regions.

use super::refusal;
use crate::domain::Refusal;

/// The region of a world that does not name one, and of a bucket whose location is null.
pub const DEFAULT_REGION: &str = "us-east-1";

/// The longest key, in bytes of UTF-8.
pub const MAX_KEY_BYTES: usize = 1024;

/// The largest object of a world in memory, in bytes, and the most that one call loads into
/// memory of any world.
pub const MAX_OBJECT_BYTES: usize = 64 << 20;

/// The most bytes that one call sends to a world on disk, and the most of an object there that
/// comes in parts: what AWS accepts.
pub const MAX_UPLOAD_BYTES: u64 = 5 << 30;
/// See [`MAX_UPLOAD_BYTES`].
pub const MAX_STORED_BYTES: u64 = 50 << 40;

/// The values of a bucket's `LocationConstraint`, from botocore's service model.
/// `us-east-1` is not among them: buckets there have no constraint.
const LOCATIONS: &[&str] = &[
    "af-south-1",
    "ap-east-1",
    "ap-east-2",
    "ap-northeast-1",
    "ap-northeast-2",
    "ap-northeast-3",
    "ap-south-1",
    "ap-south-2",
    "ap-southeast-1",
    "ap-southeast-2",
    "ap-southeast-3",
    "ap-southeast-4",
    "ap-southeast-5",
    "ap-southeast-6",
    "ap-southeast-7",
    "ca-central-1",
    "ca-west-1",
    "cn-north-1",
    "cn-northwest-1",
    "EU",
    "eu-central-1",
    "eu-central-2",
    "eu-north-1",
    "eu-south-1",
    "eu-south-2",
    "eu-west-1",
    "eu-west-2",
    "eu-west-3",
    "il-central-1",
    "me-central-1",
    "me-south-1",
    "mx-central-1",
    "sa-east-1",
    "us-east-2",
    "us-gov-east-1",
    "us-gov-west-1",
    "us-west-1",
    "us-west-2",
];

/// Whether a bucket can be created with this location constraint.
pub fn is_location(name: &str) -> bool {
    LOCATIONS.contains(&name)
}

/// The region of a location constraint: `EU` is the old name of `eu-west-1`.
pub fn region_of(location: Option<&str>) -> &str {
    match location {
        None => DEFAULT_REGION,
        Some("EU") => "eu-west-1",
        Some(region) => region,
    }
}

/// Whether a new general-purpose bucket may have this name (S3 user guide, "Bucket naming
/// rules"). boto3 accepts more names than the server.
pub fn is_bucket_name(name: &str) -> bool {
    let alphanumeric = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = name.as_bytes();
    (3..=63).contains(&bytes.len())
        && bytes
            .iter()
            .all(|byte| alphanumeric(byte) || matches!(byte, b'.' | b'-'))
        && bytes.first().is_some_and(alphanumeric)
        && bytes.last().is_some_and(alphanumeric)
        && !name.contains("..")
        && name.parse::<std::net::Ipv4Addr>().is_err()
        && !["xn--", "sthree-", "amzn-s3-demo-"]
            .iter()
            .any(|reserved| name.starts_with(reserved))
        && !["-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"]
            .iter()
            .any(|reserved| name.ends_with(reserved))
}

/// Whether a bucket of this name can exist. S3's first rules for names were more
/// permissive than today's. S3 reports such buckets as missing, and all other names as
/// invalid.
pub fn is_legacy_bucket_name(name: &str) -> bool {
    (3..=255).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
}

/// Whether a request can name a bucket so: as a name that botocore accepts, or as the ARN of an
/// access point. The path of a request for any other name could be that of another bucket.
pub fn can_be_sent(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let is_plain = |name: &str, most| {
        (1..=most).contains(&name.len()) && !matches!(name, "." | "..") && name.bytes().all(is_part)
    };
    if !is_access_point(name) {
        return is_plain(name, 255);
    }
    let is_known = |part: &str| part.is_empty() || is_plain(part, 63);
    name.split([':', '/']).all(is_known)
}

/// Whether a name is one of an access point, which does not say what the bucket behind it is.
pub fn is_access_point(name: &str) -> bool {
    let aliases = ["-s3alias", "--ol-s3", ".mrap"];
    name.starts_with("arn:") || aliases.iter().any(|end| name.ends_with(end))
}

/// Whether a folder of this name can be a bucket: clients accept the name. Buckets that are made
/// today need a [stricter](is_bucket_name) one.
pub fn is_folder_bucket_name(name: &str) -> bool {
    (1..=255).contains(&name.len())
        && !name.starts_with('.')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
}

/// Whether some world may have a bucket of this name: S3, or a folder.
pub fn can_be_a_bucket(name: &str) -> bool {
    is_legacy_bucket_name(name) || is_folder_bucket_name(name)
}

/// Refuses keys that S3 refuses.
pub fn check_key(key: &str) -> Result<(), Refusal> {
    match key.len() {
        0 => Err(refusal::malformed("Key", "at least one character long")),
        1..=MAX_KEY_BYTES => Ok(()),
        _ => Err(refusal::too_long(key, MAX_KEY_BYTES)),
    }
}
