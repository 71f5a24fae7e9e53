//! Keys of nothing but blanks: S3 has them, and the SDK takes them for no key at all.

use aws_sdk_s3::config::http::HttpRequest;

/// Stands before such a key on its way through the SDK. Of what comes before the key
/// in a URL nothing can have these letters.
const MARK: &str = "~blank~";

/// The key as the SDK takes it; `true` where it is not as it is.
pub(super) fn marked(key: &str) -> (String, bool) {
    match key.trim().is_empty() {
        true => (format!("{MARK}{key}"), true),
        false => (key.to_owned(), false),
    }
}

/// Takes the mark out of a request, before it is signed.
pub(super) fn unmark(marked: bool) -> impl Fn(&mut HttpRequest) + Send + Sync + 'static {
    move |request| {
        if marked {
            let plain = request.uri().replacen(MARK, "", 1);
            // Without a mark it is as good a URL as with one.
            let _ = request.set_uri(plain);
        }
    }
}
