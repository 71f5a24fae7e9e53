//! The secrets in what starts or reaches a server: in variables, arguments and addresses.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use percent_encoding::percent_decode_str;

/// Words that names of secrets have: `GITHUB_TOKEN`, `--api-key`, `?access_token=`.
const WORDS: [&str; 11] = [
    "APIKEY",
    "AUTH",
    "AUTHORIZATION",
    "CREDENTIAL",
    "KEY",
    "PASS",
    "PASSWD",
    "PASSWORD",
    "PAT",
    "SECRET",
    "TOKEN",
];

/// Whether a variable, an option or a parameter of this name holds a secret.
pub fn is_secret(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let mut words = upper.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| {
        let one = word.strip_suffix('S').unwrap_or(word);
        WORDS.iter().any(|known| {
            *known == word || *known == one || known.len() > 4 && word.ends_with(known)
        })
    }) || is_url_variable(&upper)
}

/// Whether a variable holds an address, in which a password may stand.
fn is_url_variable(upper: &str) -> bool {
    ["URL", "URI", "DSN"].iter().any(|end| upper.ends_with(end))
}

/// The secrets in the value of a variable: those of an address, or all of it.
pub fn of_variable(value: &str) -> Vec<String> {
    match value.contains("://") {
        true => of_url(value),
        false => of_header(value),
    }
}

/// The secrets in the arguments of a program: what follows an option that is named like one,
/// and what addresses have.
pub fn of_arguments(arguments: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_expected = false;
    for argument in arguments {
        let is_option = argument.starts_with('-');
        let (name, value) = match argument.split_once(['=', ':']) {
            Some((name, value)) if !argument.contains("://") || name.starts_with('-') => {
                (name, Some(value.trim()))
            }
            _ => (argument.as_str(), None),
        };
        match value {
            Some(value) if is_secret(name) => found.extend(of_header(value)),
            _ if is_expected && !is_option => found.extend(of_header(argument)),
            _ => {}
        }
        if argument.contains("://") {
            found.extend(of_url(argument));
        }
        is_expected = is_option && value.is_none() && is_secret(name);
    }
    found
}

/// The secrets in an address: the password, and the parameters that are named like one.
pub fn of_url(url: &str) -> Vec<String> {
    let mut found = Vec::new();
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if let Some((user, _)) = authority.rsplit_once('@') {
        found.push(user.to_owned());
        let password = user.split_once(':').map_or(user, |(_, password)| password);
        found.push(decoded(password));
    }
    let query = url.split_once('?').map_or("", |(_, query)| query);
    for part in query.split(['&', '#']) {
        if let Some((_, value)) = part.split_once('=').filter(|(name, _)| is_secret(name)) {
            found.extend([value.to_owned(), decoded(value)]);
        }
    }
    found
}

/// A value, and the password where it is a pair.
fn pair(value: &str) -> Vec<String> {
    let password = value
        .split_once(':')
        .map(|(_, password)| password.to_owned());
    [value.to_owned()].into_iter().chain(password).collect()
}

/// The secrets in the value of a header. The name and the password of `Basic` are in Base64 there,
/// and a server may repeat them as they are.
fn of_header(value: &str) -> Vec<String> {
    let token = bare(value);
    let decoded = STANDARD
        .decode(token)
        .or_else(|_| STANDARD_NO_PAD.decode(token));
    let decoded = decoded.ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let both = decoded.filter(|text| text.contains(':') && !text.contains(char::is_control));
    let both = both.map(|text| pair(&text)).unwrap_or_default();
    pair(token).into_iter().chain(both).collect()
}

/// The token of a header: `Authorization: Bearer …`.
fn bare(value: &str) -> &str {
    let value = value.trim();
    let rest = ["Bearer ", "Basic ", "token "]
        .iter()
        .find_map(|it| value.strip_prefix(it));
    rest.unwrap_or(value)
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known() {
        for name in [
            "GITHUB_TOKEN",
            "--api-key",
            "apikey",
            "DB_PASSWORD",
            "PGPASSWORD",
            "X-Auth",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in ["MODE", "KEYBOARD", "--path", "PATH", "AUTHOR", "monkey"] {
            assert!(!is_secret(name), "{name}");
        }
    }

    #[test]
    fn arguments_have_secrets() {
        let of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|it| (*it).to_owned()).collect();
            of_arguments(&words).join(" | ")
        };
        assert_eq!(of(&["-y", "server", "--token", "abc123"]), "abc123");
        assert_eq!(of(&["--api-key=abc123", "x"]), "abc123");
        assert_eq!(of(&["--header", "Authorization: Bearer abc123"]), "abc123");
        assert_eq!(
            of(&["postgresql://me:p%40ss@db/x?sslkey=1"]),
            "me:p%40ss | p@ss"
        );
        assert_eq!(of(&["https://x.test/mcp?api_key=a%2Fb&n=1"]), "a%2Fb | a/b");
        assert_eq!(
            of(&["--header", "Authorization: Basic bWU6cGFzc3dvcmQx"]),
            "bWU6cGFzc3dvcmQx | me:password1 | password1"
        );
        assert_eq!(of(&["--auth=me:password1"]), "me:password1 | password1");
        assert_eq!(of(&["--verbose", "notes", "C:/x"]), "");
    }
}
