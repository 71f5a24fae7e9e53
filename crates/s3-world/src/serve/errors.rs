//! Errors in the form that S3 sends.

use crate::api::xml;
use crate::domain::{Map, Refusal};
use crate::names::MAX_KEY_BYTES;
use crate::refusal;
pub(crate) use crate::refusal::Trouble;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Response, StatusCode};
use percent_encoding::percent_decode_str;

/// The response for a refusal. Its details become elements next to code and message.
pub fn response(refusal: &Refusal) -> Response<Bytes> {
    // The status is missing if a limit of this program was exceeded. The client can avoid
    // that.
    let status = StatusCode::from_u16(refusal.status)
        .ok()
        .filter(|status| status.as_u16() >= 300)
        .unwrap_or(StatusCode::BAD_REQUEST);
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = status;
    if status == StatusCode::NOT_MODIFIED {
        return response;
    }
    let mut fields: Map = vec![
        ("Code".into(), refusal.code.as_str().into()),
        ("Message".into(), refusal.message.as_str().into()),
    ];
    fields.extend(refusal.details.iter().cloned());
    *response.body_mut() = xml::elements("Error", &fields);
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/xml"));
    response
}

/// Appends the request's ID to an error, as its last element.
pub fn name_request(response: &mut Response<Bytes>, id: &str) {
    if let Some(error) = response.body().strip_suffix(b"</Error>") {
        let mut document = error.to_vec();
        document.extend_from_slice(format!("<RequestId>{id}</RequestId></Error>").as_bytes());
        *response.body_mut() = document.into();
    }
}

/// An error of this program. Clients do not get its details.
pub fn internal(resource: &str) -> Refusal {
    Refusal::new(
        500,
        "InternalError",
        "We encountered an internal error. Please try again.",
    )
    .with("Resource", resource)
}

const SIGNATURE: &str = "The request signature we calculated does not match the signature \
                         you provided. Check your key and signing method.";

const NOT_IMPLEMENTED: &str = "A header you provided implies functionality that is not implemented";

/// The key of a request is not the server's.
pub fn unknown_key() -> Refusal {
    Refusal::new(
        403,
        "InvalidAccessKeyId",
        "The AWS Access Key Id you provided does not exist in our records.",
    )
}

/// The signature of a request, or of a chunk of its body, is wrong.
pub fn signature() -> Refusal {
    Refusal::new(403, "SignatureDoesNotMatch", SIGNATURE)
}

const SKEWED: &str = "The difference between the request time and the current time is too large.";

/// The request was signed too long ago, or for a time to come.
pub fn skewed() -> Refusal {
    Refusal::new(403, "RequestTimeTooSkewed", SKEWED)
}

/// A header asks for what is not there.
pub fn not_implemented(header: &str) -> Refusal {
    Refusal::new(501, "NotImplemented", NOT_IMPLEMENTED).with("Header", header)
}

/// The body has no length (`Transfer-Encoding: chunked`).
pub fn endless() -> Refusal {
    not_implemented("Transfer-Encoding")
}

/// The query of a presigned link is wrong.
pub fn link(message: &str) -> Refusal {
    Refusal::new(400, "AuthorizationQueryParametersError", message)
}

/// S3's own messages for the refusals of `s3s`, by code.
const WORDS: &[(&str, u16, &str)] = &[
    ("AccessDenied", 403, "Access Denied"),
    (
        "InvalidAccessKeyId",
        403,
        "The AWS Access Key Id you provided does not exist in our records.",
    ),
    ("SignatureDoesNotMatch", 403, SIGNATURE),
    ("RequestTimeTooSkewed", 403, SKEWED),
    ("InvalidURI", 400, "Couldn't parse the specified URI."),
    (
        "MissingContentLength",
        411,
        "You must provide the Content-Length HTTP header.",
    ),
    (
        "MalformedPOSTRequest",
        400,
        "The body of your POST request is not well-formed multipart/form-data.",
    ),
    ("NotImplemented", 501, NOT_IMPLEMENTED),
];

/// The refusal of a request that `s3s` rejected. The error document of `s3s` has only a
/// code, and often no message.
pub fn of_authentication(document: &[u8], path: &str) -> Refusal {
    let document = String::from_utf8_lossy(document);
    let told = |name: &str| {
        let (_, rest) = document.split_once(&format!("<{name}>"))?;
        rest.split_once('<').map(|(text, _)| text)
    };
    let message = told("Message").unwrap_or_default();
    match told("Code") {
        Some("KeyTooLongError") => {
            let path = percent_decode_str(path).decode_utf8_lossy();
            let key = path.splitn(3, '/').nth(2).unwrap_or_default();
            refusal::too_long(key, MAX_KEY_BYTES)
        }
        Some("AccessDenied") if message == "Request has expired" => {
            Refusal::new(403, "AccessDenied", message)
        }
        Some("InvalidRequest") if message.contains("presigned") => link(
            "Query-string authentication version 4 requires the X-Amz-Algorithm, \
             X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and \
             X-Amz-Expires parameters.",
        ),
        Some("InvalidRequest") if message.contains("authorization") => Refusal::new(
            400,
            "AuthorizationHeaderMalformed",
            "The authorization header is malformed.",
        ),
        Some("InvalidRequest") => match message.strip_prefix("missing header: ") {
            Some(header) => Refusal::new(
                400,
                "InvalidRequest",
                format!("Missing required header for this request: {header}"),
            ),
            None => Refusal::new(400, "InvalidRequest", message),
        },
        Some(code) => match WORDS.iter().find(|(known, ..)| *known == code) {
            Some((code, status, words)) => Refusal::new(*status, *code, *words),
            None => Refusal::new(400, code, message),
        },
        None => internal(path),
    }
}
