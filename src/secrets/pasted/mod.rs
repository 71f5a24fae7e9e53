//! Secrets in recorded text: passwords in URLs, access keys, tokens, private keys and the
//! signatures of links, recognised by their form.
//!
//! The program's own keys never get this far (see [`Secrets`](super::Secrets)). The secrets meant here
//! belong to others: a user may paste one into a dialogue, and a server may put one into
//! an error. Recordings are written without them. Requests are compared without them as
//! well, so that a recording still answers the request that it was made from.
//!
//! Most texts of others come to prompts in outcomes, which are JSON: a line break is `\n`
//! there and a quote `\"`, and JSON that a program returns as a text is escaped once more.

mod assigned;
mod keys;
mod named;
mod patterns;

use std::borrow::Cow;
use std::ops::Range;

/// The replacement of a secret.
const HIDDEN: &str = "[key]";

/// A text without its secrets. Scrubbing a text twice changes nothing more.
pub(crate) fn scrub(text: &str) -> Cow<'_, str> {
    let mut secrets: Vec<Range<usize>> = Vec::new();
    for find in patterns::PATTERNS {
        find(text, &mut secrets);
    }
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    secrets.sort_by_key(|secret| secret.start);
    let mut clean = String::with_capacity(text.len());
    let mut end = 0;
    for secret in secrets {
        // A secret that begins within another one is already hidden.
        if let Some(before) = text.get(end..secret.start) {
            clean.push_str(before);
            clean.push_str(HIDDEN);
        }
        end = end.max(secret.end);
    }
    clean.push_str(text.get(end..).unwrap_or_default());
    Cow::Owned(clean)
}

/// Whether a text seems to have a secret in it.
pub(crate) fn has_secret(text: &str) -> bool {
    scrub(text) != text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts with secrets, and the same texts after scrubbing.
    const SECRETS: &[(&str, &str)] = &[
        (
            "copy from https://me:hunter2@x.test/a?b, please",
            "copy from https://[key]@x.test/a?b, please",
        ),
        ("key sk-ant-api03-0123456789abcdefghij.", "key [key]."),
        (
            "Authorization: Bearer eyJ0eXAi0123456789.abc-def and on",
            "Authorization: Bearer [key] and on",
        ),
        (
            "hf_abcdefghij0123456789, ghp_abcdefghij0123456789",
            "[key], [key]",
        ),
        (
            "my keys are AKIAIOSFODNN7EXAMPLE and ASIAIOSFODNN7EXAMPLE.",
            "my keys are [key] and [key].",
        ),
        (
            "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\nregion=x",
            "aws_secret_access_key=[key]\nregion=x",
        ),
        (
            "export AWS_SECRET_ACCESS_KEY='wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'",
            "export AWS_SECRET_ACCESS_KEY='[key]'",
        ),
        (
            r#"{"SecretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "Expiration": "2024"}"#,
            r#"{"SecretAccessKey": "[key]", "Expiration": "2024"}"#,
        ),
        (
            "aws_session_token = IQoJb3JpZ2luX2VjEHAaCXVzLWVhc3QtMSJHMEUCIQ==",
            "aws_session_token = [key]",
        ),
        (
            "keep -----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY----- safe",
            "keep [key] safe",
        ),
        (
            "cut off: -----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA",
            "cut off: [key]",
        ),
        (
            "the token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P is mine",
            "the token [key] is mine",
        ),
        (
            "https://a:b@x?token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
            "https://[key]@x?token=[key]",
        ),
    ];

    /// A secret access key as people paste it, with or without the id of the key.
    const PASTED: &[(&str, &str)] = &[
        (
            "my aws AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "my aws [key] [key]",
        ),
        (
            "Access key ID,Secret access key\nAKIAIOSFODNN7EXAMPLE,wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
            "Access key ID,Secret access key\n[key],[key]\n",
        ),
        (
            r"User name,Access key ID,Secret access key\nme,AKIAIOSFODNN7EXAMPLE,wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            r"User name,Access key ID,Secret access key\nme,[key],[key]",
        ),
        (
            r"AKIAIOSFODNN7EXAMPLE\nwJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
            r"[key]\n[key]\n",
        ),
        (
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY belongs to AKIAIOSFODNN7EXAMPLE",
            "[key] belongs to [key]",
        ),
        (
            "AKIAIOSFODNN7EXAMPLE/wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "[key]/[key]",
        ),
        (
            "AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "[key]:[key]",
        ),
        (
            "Access key: AKIAIOSFODNN7EXAMPLE\nSecret: wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "Access key: [key]\nSecret: [key]",
        ),
        (
            "the Secret Access Key is wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY, use it",
            "the Secret Access Key is [key], use it",
        ),
        (
            "[default]\naws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
            "[default]\naws_access_key_id = [key]\naws_secret_access_key = [key]\n",
        ),
        (
            "boto3.client('s3', aws_access_key_id='AKIAIOSFODNN7EXAMPLE', aws_secret_access_key='wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY')",
            "boto3.client('s3', aws_access_key_id='[key]', aws_secret_access_key='[key]')",
        ),
        (
            r#"{\"SecretAccessKey\": \"wJalrXUtnFEMI\/K7MDENG\/bPxRfiCYEXAMPLEKEY\"}"#,
            r#"{\"SecretAccessKey\": \"[key]\"}"#,
        ),
        (
            "token IQoJb3JpZ2luX2VjEHAaCXVzLWVhc3QtMSJHMEUCIQDx0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP==",
            "token [key]",
        ),
        (
            "Authorization: Basic bWU6aHVudGVyMg==",
            "Authorization: Basic [key]",
        ),
        (
            "curl -u me:hunter22 https://x.test",
            "curl -u [key] https://x.test",
        ),
        (
            "curl --user 'me:hunter22' https://x.test",
            "curl --user '[key]' https://x.test",
        ),
        ("PGPASSWORD=hunter2 psql", "PGPASSWORD=[key] psql"),
        (
            r#"{"client_secret": "a1b2-c3d4.e5f6_g7h8", "password": "bread-at-6"}"#,
            r#"{"client_secret": "[key]", "password": "bread-at-6"}"#,
        ),
        ("api-key: 0123456789abcdef0123", "api-key: [key]"),
        (
            "sk_live_0123456789abcdefghij and npm_0123456789abcdefghij0123",
            "[key] and [key]",
        ),
    ];

    /// Secrets as they are in outcomes, and in what outcomes quote.
    const ESCAPED: &[(&str, &str)] = &[
        (
            r#"<result>"id\nAKIAIOSFODNN7EXAMPLE\r\nsk-ant-api03-0123456789abcdefghij\n"</result>"#,
            r#"<result>"id\n[key]\r\n[key]\n"</result>"#,
        ),
        (
            r"a\teyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P\nb",
            r"a\t[key]\nb",
        ),
        (
            r#""{\"error\": \"no\\nBearer eyJ0eXAi0123456789.abc-def\"}""#,
            r#""{\"error\": \"no\\nBearer [key]\"}""#,
        ),
        (
            r"key\u003dAKIAIOSFODNN7EXAMPLE\u0026x",
            r"key\u003d[key]\u0026x",
        ),
        (
            r#""{\"SecretAccessKey\": \"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\", \"SessionToken\":\"IQoJb3JpZ2luX2VjEHAaCXVzLWVhc3QtMSJHMEUCIQ==\"}""#,
            r#""{\"SecretAccessKey\": \"[key]\", \"SessionToken\":\"[key]\"}""#,
        ),
        (
            r#"\\\"SecretAccessKey\\\":\t\\\"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\\\""#,
            r#"\\\"SecretAccessKey\\\":\t\\\"[key]\\\""#,
        ),
        (
            r"[default]\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\nregion = x",
            r"[default]\naws_secret_access_key = [key]\nregion = x",
        ),
        (
            r"<SecretAccessKey>wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY<\/SecretAccessKey>",
            r"<SecretAccessKey>[key]<\/SecretAccessKey>",
        ),
        (
            "<SessionToken>FwoGZXIvYXdzEJr//////////wEaDK1a2b3c4d5e6f7g8h9iSJAbcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOP==</SessionToken>",
            "<SessionToken>[key]</SessionToken>",
        ),
        (
            "aws configure set aws_secret_access_key wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY --profile me",
            "aws configure set aws_secret_access_key [key] --profile me",
        ),
        (
            r#"aws configure set aws_secret_access_key \"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\""#,
            r#"aws configure set aws_secret_access_key \"[key]\""#,
        ),
    ];

    /// Links that are signed ahead, and what is signed like them.
    const LINKS: &[(&str, &str)] = &[
        (
            "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=ASIAIOSFODNN7EXAMPLE%2F20240101%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Security-Token=IQoJb3JpZ2luX2VjEHAaCXVz%2FLWVhc3Qt%2BMSJHMEUCIQ%3D%3D&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404&x-id=GetObject",
            "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=[key]%2F20240101%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Security-Token=[key]&X-Amz-Signature=[key]&x-id=GetObject",
        ),
        (
            "https://x.test/?to=https%3A%2F%2Fb%2Fk%3FX-Amz-Credential%3DAKIAIOSFODNN7EXAMPLE%252F20240101%26X-Amz-Security-Token%3DIQoJb3JpZ2luX2VjEHAaCXVz%252FLWVhc3Qt%253D%26X-Amz-Signature%3Daeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404%26x-id%3DGetObject",
            "https://x.test/?to=https%3A%2F%2Fb%2Fk%3FX-Amz-Credential%3D[key]%252F20240101%26X-Amz-Security-Token%3D[key]%26X-Amz-Signature%3D[key]%26x-id%3DGetObject",
        ),
        (
            "X-Amz-Credential%253DAKIAIOSFODNN7EXAMPLE%25252F20240101%2526X-Amz-Signature%253Daeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404%2526x",
            "X-Amz-Credential%253D[key]%25252F20240101%2526X-Amz-Signature%253D[key]%2526x",
        ),
        (
            r#"{\"x-amz-security-token\": \"IQoJb3JpZ2luX2VjEHAaCXVzLWVhc3QtMSJHMEUCIQ==\", \"x-amz-signature\": \"aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404\"}"#,
            r#"{\"x-amz-security-token\": \"[key]\", \"x-amz-signature\": \"[key]\"}"#,
        ),
    ];

    fn all() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
        SECRETS.iter().chain(PASTED).chain(ESCAPED).chain(LINKS)
    }

    /// Texts that only look like secrets.
    const HARMLESS: &[&str] = &[
        "",
        "https://x.test/a@b:c",
        "s3://me@bucket/key",
        "the bucket sk-photos-of-the-whole-family",
        "task-0123456789-0123456789-0123456789",
        "sk-short1",
        "Bearer of bad news",
        "the bucket akiaiosfodnn7example",
        "AKIA is how access keys begin",
        "AKIAIOSFODNN7EXAMPLEANDMORE",
        "NOTAKIAIOSFODNN7EXAMPLE",
        "aws_secret_access_key is not set",
        "aws_secret_access_key=${SECRET}",
        "set AWS_SECRET_ACCESS_KEY=<your key>",
        "put(Key=\"secret_access_key.txt\")",
        "-----BEGIN CERTIFICATE-----\nMIIEowIBAAKCAQEA\n-----END CERTIFICATE-----",
        "eyJ is how a JSON object begins in base64",
        "eyJhbGciOiJIUzI1NiJ9 alone is no token",
        "photos/eyJhbGci.jpg.eyJ",
        r"one\ntask-0123456789-0123456789-0123456789",
        r"C:\task-0123456789-0123456789-0123456789",
        r"no escape: nAKIAIOSFODNN7EXAMPLE, 3DAKIAIOSFODNN7EXAMPLE, %C3%A9sk-0123456789abcdefghij",
        r#"{"Key": "secret_access_key/notes.txt", "ETag": "\"d41d8cd98f00b204e9800998ecf8427e\""}"#,
        "secret_access_key d41d8cd98f00b204e9800998ecf8427e",
        "secret_access_key da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "secret_access_key e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "<SecretAccessKey>e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "the secret_access_key internationalization needs",
        r##"<a href=\"#SessionToken\">GetSessionTokenResponseType</a>"##,
        r"AWS_SESSION_TOKEN=\nPATH=/usr/local/bin/of/all/programs",
        r#"AWS_SESSION_TOKEN=\"\"\nPATH=/usr/local/bin/of/all/programs"#,
        "X-Amz-Signature=withheld-3f2ce7ac8cff&X-Amz-Credential=withheld%2F20240101",
        "x-amz-signature: SignatureDoesNotMatch",
        "X-Amz-Credential, X-Amz-Signature, X-Amz-Security-Token, X-Amz-SignedHeaders",
        "AKIAIOSFODNN7EXAMPL is short: wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY stays",
        "the bucket aws-logs has d41d8cd98f00b204e9800998ecf8427e and da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "aws s3 cp Photos/2024/January/Berlin/Alexanderplatz x",
        "aws s3 ls internationalizationOfTheWholeApplication",
        "the secret of Documents/Projects/Quarterly/Report/Final",
        "Basic usage of S3",
        "Basic authentication: see Basic dXNlcm5hbWU",
        "docker run -u 1000:1000 x",
        "password: none, passwords: 3 files, forgotten password.",
        "password=os.environ['PASSWORD2'] api_key=settings.keys2()",
        "put(Key='passwords/2024.csv')",
        "base64: aGVsbG8gd29ybGQgdGhpcyBpcyBhIHRlc3Qgb2Yg",
        "x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ];

    #[test]
    fn secrets_are_hidden() {
        for (text, expected) in all() {
            assert_eq!(scrub(text), *expected);
        }
    }

    #[test]
    fn what_only_looks_like_a_secret_stays() {
        for text in HARMLESS {
            assert!(matches!(scrub(text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn scrubbing_twice_is_scrubbing_once() {
        for (_, clean) in all() {
            assert_eq!(scrub(clean), *clean);
        }
    }

    #[test]
    fn secrets_in_a_row_are_hidden_one_by_one() {
        let text = "https://a:b@x https://c:d@y sk-0123456789abcdefghij";
        assert_eq!(scrub(text), "https://[key]@x https://[key]@y [key]");
    }

    #[test]
    fn outcomes_are_scrubbed_as_prompts_show_them() {
        let file = "AKIAIOSFODNN7EXAMPLE\nsk-ant-api03-0123456789abcdefghij\r\n\
            {\"SecretAccessKey\":\"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\"}\n";
        let mut text = file.to_owned();
        for depth in 0..4 {
            let clean = scrub(&text).into_owned();
            assert_eq!(clean.matches(HIDDEN).count(), 3, "{depth}: {clean}");
            for secret in ["AKIA", "sk-ant", "wJalr"] {
                assert!(!clean.contains(secret), "{depth}: {clean}");
            }
            text = serde_json::json!([text]).to_string();
        }
    }

    /// The words of people, the programs and the worlds of the datasets have no secret of others.
    #[test]
    fn the_datasets_stay_as_they_are() {
        let mut folders = vec![std::path::PathBuf::from(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/datasets"
        ))];
        let (mut files, mut hidden) = (0, Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let Ok(text) = std::fs::read_to_string(&path) else {
                    continue;
                };
                files += 1;
                if let Cow::Owned(clean) = scrub(&text) {
                    let lines = text.lines().zip(clean.lines());
                    let line = lines.filter(|(was, is)| was != is).map(|(was, _)| was);
                    hidden.extend(line.map(|line| format!("{}: {line}", path.display())));
                }
            }
        }
        assert!(files > 100, "{files}");
        assert!(hidden.is_empty(), "{}", hidden.join("\n"));
    }

    /// If the time grew with the square of the length, this would take minutes.
    #[test]
    fn long_rows_of_what_begins_a_secret_take_little_time() {
        const BEGINNINGS: [&str; 15] = [
            "secret",
            "AKIAIOSFODNN7EXAMPLE ",
            "IQoJb3JpZ2lu",
            "password=",
            "Basic aaaa",
            "sk-=",
            "eyJ.",
            "\\neyJ",
            "AKIA\\n",
            "%2525",
            "%25sk-",
            "sessiontoken=",
            "sessiontoken=%41",
            "secretaccesskey \\",
            "x-amz-signature=%3d%3d",
        ];
        for beginning in BEGINNINGS {
            scrub(&beginning.repeat(50_000));
        }
    }
}
