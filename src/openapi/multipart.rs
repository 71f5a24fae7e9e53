//! Bodies of `multipart/form-data` (RFC 7578).

use bytes::Bytes;
use sha2::{Digest, Sha256};

/// One field of a form.
pub(super) struct Part {
    pub name: String,
    /// The name of the file, if it is sent as one.
    pub file_name: Option<String>,
    pub media_type: Option<String>,
    pub content: Bytes,
}

/// The media type with its boundary, and the body.
pub(super) fn body(parts: &[Part]) -> (String, Bytes) {
    let boundary = boundary(parts);
    let mut body = Vec::new();
    for part in parts {
        let name = quoted(&part.name);
        let file = match &part.file_name {
            Some(file) => format!("; filename=\"{}\"", quoted(file)),
            None => String::new(),
        };
        let kind = part
            .media_type
            .as_ref()
            .map(|kind| format!("Content-Type: {kind}\r\n"));
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n{}\r\n",
            kind.unwrap_or_default()
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(&part.content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    let media_type = format!("multipart/form-data; boundary={boundary}");
    (media_type, body.into())
}

/// A boundary that no part contains. It is computed from the parts, so that the same call
/// makes the same request.
fn boundary(parts: &[Part]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.name.as_bytes());
        hash.update([0]);
        hash.update(&part.content);
    }
    let hash: [u8; 32] = hash.finalize().into();
    format!("dialog2api-{}", const_hex::encode(&hash[..16]))
}

/// A name as browsers write it.
fn quoted(name: &str) -> String {
    let name = name.replace('"', "%22");
    name.replace('\r', "%0D").replace('\n', "%0A")
}
