//! Keys that consist of blanks. S3 allows them, but the SDK treats them as missing keys.

use aws_sdk_s3::config::http::HttpRequest;

/// Added before such a key while the request passes through the SDK. No part of a URL
/// before the key can contain it.
const MARK: &str = "~blank~";

/// The key in a form that the SDK accepts, and `true` if the key was altered.
pub(super) fn marked(key: &str) -> (String, bool) {
    if key.trim().is_empty() {
        return (format!("{MARK}{key}"), true);
    }
    (key.to_owned(), false)
}

/// Removes the mark from a request before it is signed.
pub(super) fn unmark(marked: bool) -> impl Fn(&mut HttpRequest) + Send + Sync + 'static {
    move |request| {
        if marked {
            let plain = request.uri().replacen(MARK, "", 1);
            // The URL stays valid, so this cannot fail.
            let _ = request.set_uri(plain);
        }
    }
}
