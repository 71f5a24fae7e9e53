//! Uploads from HTML forms: `POST` of `multipart/form-data` to a bucket (S3 API reference,
//! "POST Object").
//!
//! A form is signed by its field `policy`, a document that says until when and for which
//! fields the signature holds. `signature.rs` checks the signature, `policy.rs` the policy,
//! and `multipart.rs` takes the body apart.

mod multipart;
mod policy;
mod signature;

use super::errors::Trouble;
use super::request::Incoming;
use super::{Shared, calls, guests};
use crate::api::request::Received;
use crate::api::{self, xml};
use crate::domain::{Map, Refusal, Value};
use crate::names::MAX_OBJECT_BYTES;
use crate::refusal;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use http::{HeaderMap, Method, Response, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The most bytes of all fields beside the file (S3 API reference: 20 KB).
const MAX_FIELDS: usize = 20 << 10;

/// The characters that stay as they are in the query of a redirect.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A form that was sent.
pub struct Form {
    bucket: String,
    key: String,
    /// Names in lower case, in the order of the form.
    fields: Vec<(String, String)>,
    file: Bytes,
}

/// Whether a request is an upload from a form.
pub fn is_form(method: &Method, headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next());
    *method == Method::POST
        && kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("multipart/form-data"))
}

/// Carries out an upload from a form.
pub async fn upload(shared: &Shared, request: &mut Incoming) -> Result<Response<Bytes>, Trouble> {
    if request.bucket.is_empty() || !request.key.is_empty() {
        return Err(Refusal::new(
            405,
            "MethodNotAllowed",
            "The specified method is not allowed against this resource.",
        )
        .into());
    }
    let kind = request.header("content-type").unwrap_or_default();
    let boundary = multipart::boundary(&kind).ok_or_else(multipart::malformed)?;
    let too_large = |size, _| refusal::too_large(size, MAX_OBJECT_BYTES);
    let body = request
        .content(shared, MAX_OBJECT_BYTES + 2 * MAX_FIELDS, too_large)
        .await?;
    let parts = multipart::parts(&body, &boundary)?;
    let form = Form::of(&request.bucket, parts)?;
    match signature::check(&form, &shared.key)? {
        Some(policy) => policy::check(&form, &policy)?,
        None => {
            let target = guests::GuestTarget {
                bucket: &form.bucket,
                key: &form.key,
                version: None,
            };
            let sets_list = form.field("acl").is_some();
            let mut beside = guests::beside(&form)?;
            beside.extend(form.field("tagging").map(|_| "s3:PutObjectTagging"));
            target
                .check(shared, "put_object", sets_list, &beside)
                .await?;
        }
    }
    let operation = api::operation("put_object").ok_or_else(refusal::malformed_xml)?;
    let mut arguments = api::request::read(operation, &form, form.file.clone())?;
    if let Some(tags) = form.field("tagging") {
        arguments.push(("Tagging".into(), tags_of(&form, tags)?.into()));
    }
    let answer = calls::call(shared, operation, arguments).await?;
    Ok(done(&form, request, &answer)?)
}

impl Form {
    fn of(bucket: &str, parts: Vec<multipart::Part>) -> Result<Form, Refusal> {
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut room = MAX_FIELDS;
        for part in parts {
            if part.name == "file" {
                // Fields that follow the file are ignored.
                let Some((_, key)) = fields.iter().find(|(name, _)| name == "key") else {
                    return Err(required("key"));
                };
                let key = key.replace("${filename}", &part.filename.unwrap_or_default());
                return Ok(Form {
                    bucket: bucket.to_owned(),
                    key,
                    fields,
                    file: part.content,
                });
            }
            room = room
                .checked_sub(part.name.len() + part.content.len())
                .ok_or_else(|| {
                    Refusal::new(
                        400,
                        "MaxPostPreDataLengthExceeded",
                        "Your POST request fields preceding the upload file were too large.",
                    )
                })?;
            let text = String::from_utf8(part.content.to_vec());
            let text = text.map_err(|_| multipart::malformed())?;
            // A policy could be held to one of two values, and the other take effect.
            if fields.iter().any(|(name, _)| *name == part.name) {
                return Err(Refusal::new(
                    400,
                    "InvalidArgument",
                    "A field of the form is given twice.",
                )
                .with("ArgumentName", part.name));
            }
            fields.push((part.name, text));
        }
        Err(Refusal::new(
            400,
            "InvalidArgument",
            "POST requires exactly one file upload per request.",
        )
        .with("ArgumentName", "file")
        .with("ArgumentValue", "0"))
    }

    /// The value of a field. Its name is in lower case.
    fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        let (_, value) = fields.find(|(known, _)| known == name)?;
        Some(value)
    }
}

/// The refusal of a form that lacks a field.
fn required(name: &'static str) -> Refusal {
    Refusal::new(
        400,
        "InvalidArgument",
        format!(
            "Bucket POST must contain a field named '{name}'.  If it is specified, please check \
             the order of the fields."
        ),
    )
    .with("ArgumentName", name)
    .with("ArgumentValue", "")
}

/// A form as a request for `put_object`: its fields are the headers.
impl Received for Form {
    fn bucket(&self) -> &str {
        &self.bucket
    }

    fn key(&self) -> &str {
        &self.key
    }

    fn query(&self, _: &str) -> Option<&str> {
        None
    }

    fn header(&self, name: &str) -> Option<String> {
        let name = match name {
            "x-amz-acl" => "acl",
            // The tags of a form are a document, and its length is not that of the file.
            "x-amz-tagging" | "content-length" => return None,
            other => other,
        };
        self.field(name).map(str::to_owned)
    }

    fn headers_after(&self, prefix: &str) -> Vec<(String, String)> {
        let with_prefix = self.fields.iter().filter_map(|(name, value)| {
            let rest = name.strip_prefix(prefix)?;
            Some((rest.to_owned(), value.clone()))
        });
        with_prefix.collect()
    }
}

/// The tags in a form's document, as the header of an upload has them.
fn tags_of(form: &Form, document: &str) -> Result<String, Refusal> {
    let operation = api::operation("put_object_tagging").ok_or_else(refusal::malformed_xml)?;
    let document = Bytes::copy_from_slice(document.as_bytes());
    let read = Value::Map(api::request::read(operation, form, document)?);
    let tags = read
        .get("Tagging")
        .and_then(|tagging| tagging.get("TagSet"));
    let tags = tags
        .and_then(Value::as_list)
        .ok_or_else(refusal::malformed_xml)?;
    let text = |tag: &Value, name: &str| {
        let text = tag.get(name).and_then(Value::as_str).unwrap_or_default();
        utf8_percent_encode(text, PLAIN).to_string()
    };
    let pairs = tags
        .iter()
        .map(|tag| format!("{}={}", text(tag, "Key"), text(tag, "Value")));
    Ok(pairs.collect::<Vec<_>>().join("&"))
}

/// The answer to a form: nothing, a document or a redirect, as the form says.
fn done(form: &Form, request: &Incoming, answer: &Value) -> Result<Response<Bytes>, Refusal> {
    let text = |name: &str| answer.get(name).and_then(Value::as_str);
    let etag = text("ETag").unwrap_or_default();
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let redirect = form.field("success_action_redirect");
    let redirect = redirect.or(form.field("redirect"));
    let redirect = redirect.and_then(|url| {
        let glue = if url.contains('?') { '&' } else { '?' };
        let encoded = |text| utf8_percent_encode(text, PLAIN);
        let (bucket, key, etag) = (encoded(&form.bucket), encoded(&form.key), encoded(etag));
        let url = format!("{url}{glue}bucket={bucket}&key={key}&etag={etag}");
        // What is no URL is ignored.
        let is_url = url.starts_with("http://") || url.starts_with("https://");
        HeaderValue::try_from(url).ok().filter(|_| is_url)
    });
    if let Some(url) = redirect {
        *response.status_mut() = StatusCode::SEE_OTHER;
        response.headers_mut().insert(LOCATION, url);
    } else if let Some(status) = form.field("success_action_status") {
        match status {
            "200" => *response.status_mut() = StatusCode::OK,
            "201" => {
                *response.status_mut() = StatusCode::CREATED;
                let fields: Map = vec![
                    ("Location".into(), request.address(&form.key).into()),
                    ("Bucket".into(), form.bucket.as_str().into()),
                    ("Key".into(), form.key.as_str().into()),
                    ("ETag".into(), etag.into()),
                ];
                *response.body_mut() = xml::elements("PostResponse", &fields);
                let kind = HeaderValue::from_static("application/xml");
                response.headers_mut().insert(CONTENT_TYPE, kind);
            }
            _ => {}
        }
    }
    if let Ok(etag) = HeaderValue::try_from(etag) {
        response.headers_mut().insert("etag", etag);
    }
    if let Some(Ok(version)) = text("VersionId").map(HeaderValue::try_from) {
        response.headers_mut().insert("x-amz-version-id", version);
    }
    Ok(response)
}
