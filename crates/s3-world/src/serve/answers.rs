//! Responses from boto3's answers.

use super::errors::Trouble;
use crate::api::{self, ApiOperation};
use crate::domain::Map;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Response, StatusCode};

/// The response with these fields of an answer.
pub fn of(operation: &ApiOperation, answer: &Map) -> Result<Response<Bytes>, Trouble> {
    let parts = api::answer::write(operation, answer)?;
    let mut response = Response::new(parts.body);
    *response.status_mut() = StatusCode::from_u16(parts.status).unwrap_or_default();
    for (name, value) in parts.headers {
        // What HTTP cannot express is left out.
        let name = HeaderName::try_from(&*name);
        if let (Ok(name), Ok(value)) = (name, HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    if let Some(content_type) = parts.content_type {
        let length = HeaderValue::from(response.body().len());
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(CONTENT_LENGTH, length);
    }
    Ok(response)
}
