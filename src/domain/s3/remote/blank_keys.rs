//! Keys that consist of blanks. S3 has them; the SDK takes them for missing keys.

use aws_sdk_s3::config::http::HttpRequest;

/// Stands before such a key on its way through the SDK. No part of a URL before the key can
/// contain it.
const MARK: &str = "~blank~";

/// The key as the SDK takes it; `true` if the key was altered.
pub(super) fn marked(key: &str) -> (String, bool) {
    if key.trim().is_empty() {
        return (format!("{MARK}{key}"), true);
    }
    (key.to_owned(), false)
}

/// Takes the mark out of a request, before it is signed.
pub(super) fn unmark(marked: bool) -> impl Fn(&mut HttpRequest) + Send + Sync + 'static {
    move |request| {
        if marked {
            let plain = request.uri().replacen(MARK, "", 1);
            // It stays a valid URL, so this cannot fail.
            let _ = request.set_uri(plain);
        }
    }
}
