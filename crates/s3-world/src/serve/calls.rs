//! Calls of a world from requests, and responses from its answers.

use super::errors::Trouble;
use super::request::{self, Incoming};
use super::{Shared, answers, checksums, guests, if_range, legacy, refused_reads, stream};
use crate::api::request::Received;
use crate::api::{self, ApiOperation, Shape};
use crate::domain::{FileBody, Map, Refusal, Value};
use crate::memory::FileContent;
use crate::memory::spool::Spool;
use crate::names::{self, MAX_OBJECT_BYTES};
use crate::{listed_names, refusal};
use bytes::Bytes;
use http::Response;
use std::sync::Arc;

/// Carries out one operation, from the request to its answer.
pub async fn carry_out(
    shared: &Shared,
    operation: &'static ApiOperation,
    request: &mut Incoming,
) -> Result<Response<Bytes>, Trouble> {
    if request.is_anonymous {
        guests::check(shared, operation.name, request).await?;
    }
    // The body is read first, because headers may follow it.
    let mut spooled = None;
    let body = match operation.input.payload().map(|member| member.shape) {
        None => Bytes::new(),
        Some(Shape::Bytes) => {
            let too_large = refusal::too_large;
            match spool_for(shared, request)? {
                Some((spool, length)) => {
                    spooled = Some(request.spooled(&spool, length).await?);
                    Bytes::new()
                }
                None => request.content(shared, MAX_OBJECT_BYTES, too_large).await?,
            }
        }
        Some(_) => read_document(shared, operation, request).await?,
    };
    let mut arguments = api::request::read(operation, request, body)?;
    if let Some(content) = spooled {
        arguments.retain(|(name, _)| name != "Body");
        arguments.push(("Body".into(), sent(content)));
    }
    let has_document =
        operation.input.payload().is_some() && operation.input.member("Body").is_none();
    arguments.retain(|(name, _)| match &**name {
        // It may be the length of a body in chunks. The gate has checked it.
        "ContentLength" => false,
        // The names of every world are encoded below, since not all worlds do it.
        "EncodingType" => false,
        // The checksums of documents have been checked.
        "ContentMD5" | "ChecksumAlgorithm" if has_document => false,
        _ => true,
    });
    let is_read = matches!(operation.name, "get_object" | "head_object");
    if is_read {
        refuse_encryption(request)?;
    }
    let asked = is_read.then(|| arguments.clone());
    if operation.name == "create_bucket" {
        let configuration = arguments
            .iter()
            .find(|(name, _)| name == "CreateBucketConfiguration");
        check_location(request, configuration.map(|(_, value)| value))?;
    }
    let answered = match operation.name {
        "create_bucket" if shared.legacy_buckets => {
            legacy::create(shared, operation, arguments).await
        }
        _ if is_read && arguments.iter().any(|(name, _)| name == "Range") => {
            match request.header("if-range") {
                Some(validator) => if_range::read(shared, operation, arguments, &validator).await,
                None => call(shared, operation, arguments).await,
            }
        }
        _ => call(shared, operation, arguments).await,
    };
    let answered = match answered {
        Err(Trouble::Refused(refusal)) if request.is_anonymous => {
            Err(guests::without_hints(shared, request, refusal).await)
        }
        answered => answered,
    };
    let answered = match (answered, asked) {
        (Err(Trouble::Refused(refusal)), Some(asked)) => {
            return refused_reads::answer(shared, asked, &refusal).await;
        }
        (answered, _) => answered,
    };
    let answer = match answered? {
        Value::Map(fields) => fields,
        _ => Map::new(),
    };
    respond(operation, request, answer)
}

/// Makes a call of the world.
pub async fn call(
    shared: &Shared,
    operation: &ApiOperation,
    arguments: Map,
) -> Result<Value, Trouble> {
    let arguments = Value::Map(arguments);
    Ok(shared
        .world
        .call_streamed(operation.name, &arguments)
        .await??)
}

/// From this many bytes on, a body is kept in a file where the world has a place for it.
const SPOOLED: usize = 8 << 20;

/// Where the body of a request is to be kept, with its length; `None` for one that is kept in
/// memory.
fn spool_for(shared: &Shared, request: &Incoming) -> Result<Option<(Spool, usize)>, Trouble> {
    let Ok(length) = request.declared(usize::MAX, refusal::too_large) else {
        return Ok(None);
    };
    if length < SPOOLED {
        return Ok(None);
    }
    let Some((folder, most)) = shared.world.spool()? else {
        return Ok(None);
    };
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    match length > most {
        true => Err(refusal::too_large(length, most).into()),
        false => Ok(Some((Spool::new(folder), length))),
    }
}

/// The argument for a content that came in a file.
fn sent(content: FileContent) -> Value {
    let content = Arc::new(content);
    let (whole, pieces) = (content.clone(), content.clone());
    Value::File(Arc::new(FileBody {
        tag: String::new(),
        size: content.size as u64,
        read: Box::new(move || whole.read()),
        reader: Some(Box::new(move || pieces.reader(0..pieces.size))),
        content: Some(content),
    }))
}

/// Refuses a location that the endpoint of the client's region would refuse. AWS has an
/// endpoint for each region. Here one endpoint serves all regions, and the signature
/// contains the client's region. The world checks the rest.
fn check_location(request: &Incoming, configuration: Option<&Value>) -> Result<(), Refusal> {
    let location = configuration.and_then(|map| map.get("LocationConstraint"));
    let location = location.and_then(Value::as_str);
    match request.region.as_deref() {
        Some(region) if names::is_location(region) => match location {
            Some(location) if names::region_of(Some(location)) == region => Ok(()),
            other => Err(refusal::illegal_location(other)),
        },
        _ => Ok(()),
    }
}

/// Refuses a read that says how the object is to be encrypted.
fn refuse_encryption(request: &Incoming) -> Result<(), Refusal> {
    let header = "x-amz-server-side-encryption";
    match request.header(header) {
        None => Ok(()),
        Some(value) => Err(refusal::invalid_argument(
            header,
            &value,
            format!("{header} header is not supported for this operation."),
        )),
    }
}

fn respond(
    operation: &ApiOperation,
    request: &Incoming,
    mut answer: Map,
) -> Result<Response<Bytes>, Trouble> {
    let asked_for_checksum = request
        .header("x-amz-checksum-mode")
        .is_some_and(|mode| mode.eq_ignore_ascii_case("enabled"));
    if operation.name == "get_object" && !asked_for_checksum {
        answer.retain(|(name, _)| !name.starts_with("Checksum"));
    }
    if operation.name == "complete_multipart_upload" {
        // The world does not know at which address it is served.
        for (name, value) in &mut answer {
            if name == "Location" {
                *value = request.address(&request.key).into();
            }
        }
    }
    if listed_names::lists(operation) {
        encode_names(request, &mut answer)?;
    }
    let mut streamed = None;
    for (_, value) in answer.iter_mut().filter(|(name, _)| name == "Body") {
        if let Value::File(body) = value {
            streamed = Some(stream::Streamed(body.clone()));
            *value = Value::Bytes(Bytes::new());
        }
    }
    let mut response = answers::of(operation, &answer)?;
    if let Some(streamed) = streamed {
        response.extensions_mut().insert(streamed);
    }
    Ok(response)
}

/// Encodes the names of a listing if the client asks for it.
pub fn encode_names(request: &Incoming, answer: &mut Map) -> Result<(), Refusal> {
    answer.retain(|(name, _)| name != "EncodingType");
    match request.query("encoding-type") {
        None => {}
        Some("url") => listed_names::encode(answer),
        Some(other) => {
            let message = "Invalid Encoding Method specified in Request";
            return Err(refusal::invalid_argument("encoding-type", other, message));
        }
    }
    Ok(())
}

/// Reads the document in the body and checks its checksums. The document may be empty.
async fn read_document(
    shared: &Shared,
    operation: &ApiOperation,
    request: &mut Incoming,
) -> Result<Bytes, Trouble> {
    let too_large = request::document_too_large;
    let document = request
        .content(shared, request::MAX_DOCUMENT_BYTES, too_large)
        .await?;
    // The checksums of a completed upload are those of the object.
    if operation.input.member("ChecksumCRC32").is_none() {
        checksums::check(request, &document).await?;
    }
    Ok(document)
}
