//! Requests without the secrets of others, for recordings.

use super::Request;
use crate::secrets::scrub;
use std::borrow::Cow;

/// A request without the secrets in its messages.
pub(super) fn scrub_request(request: &Request) -> Cow<'_, Request> {
    let mut clean = Cow::Borrowed(request);
    for (index, message) in request.messages.iter().enumerate() {
        if let Cow::Owned(text) = scrub(&message.content)
            && let Some(message) = clean.to_mut().messages.get_mut(index)
        {
            message.content = text;
        }
    }
    clean
}
