//! Identifies a remote world by its server, region and account.

use aws_sdk_s3::config::Credentials;
use sha2::{Digest, Sha256};

/// The identity of the buckets that these credentials can see. It contains nothing
/// secret, and all temporary credentials of one Amazon account give the same identity.
pub(super) fn of(
    endpoint: Option<&str>,
    is_amazon: bool,
    region: &str,
    credentials: &Credentials,
) -> String {
    let server = match endpoint {
        Some(url) => format!("S3 at {}", url.trim_end_matches('/').to_ascii_lowercase()),
        None => "Amazon S3".to_owned(),
    };
    let key = credentials.access_key_id();
    let stated = credentials.account_id().map(|id| id.as_str().to_owned());
    let account = stated.or_else(|| account_in(key).filter(|_| is_amazon));
    let owner = match account {
        Some(account) => format!("account {account}"),
        None => format!("access key with the fingerprint {}", fingerprint(key)),
    };
    format!("{server} in {region}, {owner}")
}

/// The account that Amazon encodes in its access key IDs. Four letters are followed by 80
/// bits in base 32; the second to the forty-first of them are the account. `None` for
/// keys of other servers and for the oldest keys, which do not contain an account.
fn account_in(key: &str) -> Option<String> {
    let digits = (key.strip_prefix("AKIA")).or_else(|| key.strip_prefix("ASIA"))?;
    // Keys from before 2019 begin with I or J here and do not contain an account.
    if digits.len() != 16 || digits.starts_with(['I', 'J']) {
        return None;
    }
    let mut bits: u128 = 0;
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'2'..=b'7' => digit - b'2' + 26,
            _ => return None,
        };
        bits = (bits << 5) | u128::from(value);
    }
    // Of the first 48 bits, the first and the last seven do not belong to the account.
    let account = (bits >> 39) & ((1 << 40) - 1);
    (account < 1_000_000_000_000).then(|| format!("{account:012}"))
}

/// Eight hex digits that distinguish keys without revealing them.
fn fingerprint(key: &str) -> String {
    let [a, b, c, d, ..]: [u8; 32] = Sha256::digest(key).into();
    const_hex::encode([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(endpoint: Option<&str>, key: &str) -> String {
        let credentials = Credentials::new(key, "secret", None, None, "a test");
        of(endpoint, endpoint.is_none(), "eu-west-1", &credentials)
    }

    #[test]
    fn an_account_is_the_same_with_any_of_its_keys() {
        let lasting = identity(None, "AKIARZPUZDIKAAAQEAYE");
        let temporary = identity(None, "ASIARZPUZDIKAD5BE62E");
        assert_eq!(lasting, "Amazon S3 in eu-west-1, account 123456789012");
        assert_eq!(lasting, temporary);
    }

    #[test]
    fn keys_of_other_servers_are_told_apart_and_not_given_away() {
        let one = identity(Some("http://staging:9000/"), "minioadmin");
        let other = identity(Some("http://staging:9000"), "somebody");
        assert_eq!(
            one,
            "S3 at http://staging:9000 in eu-west-1, access key with the fingerprint ad985811"
        );
        assert_ne!(one, other);
        assert_ne!(one, identity(Some("http://production:9000"), "minioadmin"));
        assert!(!identity(None, "AKIAIOSFODNN7EXAMPLE").contains("account"));
    }
}
