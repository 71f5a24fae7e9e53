//! The operations of a world over HTTP: their requests and answers.

use super::errors::Trouble;
use super::fields::{self, Field};
use super::request::{self, Incoming};
use super::{Shared, answers, checksums, params, xml};
use crate::domain::s3::names::{self, MAX_OBJECT_BYTES};
use crate::domain::s3::refusal;
use crate::domain::{Map, Refusal, Value};
use bytes::Bytes;
use http::Response;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// One operation over HTTP.
pub struct Call {
    pub operation: &'static str,
    /// Its headers and query parameters.
    fields: &'static [&'static [Field]],
    takes: Takes,
    answers: Answers,
}

/// The body of a request, or the header in its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Configuration,
    Deletions,
    Content,
    Source,
}

/// The form of the answer.
#[derive(Clone, Copy)]
enum Answers {
    /// 204.
    Nothing,
    /// Headers, and the body if there is one.
    Headers,
    /// A document with this root; `Listing` is a listing of keys, whose names can be
    /// encoded.
    Document(&'static str),
    Listing,
    /// A document with this field as its root.
    Field(&'static str),
}

const fn call(
    operation: &'static str,
    takes: Takes,
    answers: Answers,
    fields: &'static [&'static [Field]],
) -> Call {
    Call {
        operation,
        fields,
        takes,
        answers,
    }
}

/// In the order of the domain's operations.
pub const CALLS: &[Call] = &{
    use Answers::{Document, Field, Headers, Listing};
    use Takes::{Configuration, Content, Deletions, Nothing, Source};
    use fields::{
        CALLER, COPY, COPY_IF, CREATE_BUCKET, CUSTOMER_KEY, DELETE, DELETE_IF, DESCRIPTION, GRANTS,
        IF, LIST, LIST_BUCKETS, LIST_V1, LIST_V2, READ, UPLOAD, VERSION,
    };
    const LISTS: &str = "ListAllMyBucketsResult";
    const DONE: Answers = Answers::Nothing;
    [
        call("list_buckets", Nothing, Document(LISTS), &[LIST_BUCKETS]),
        call(
            "create_bucket",
            Configuration,
            Headers,
            &[CREATE_BUCKET, GRANTS],
        ),
        call("delete_bucket", Nothing, DONE, &[CALLER]),
        call("head_bucket", Nothing, Headers, &[CALLER]),
        call(
            "get_bucket_location",
            Nothing,
            Field("LocationConstraint"),
            &[CALLER],
        ),
        call("list_objects", Nothing, Listing, &[LIST, LIST_V1, CALLER]),
        call(
            "list_objects_v2",
            Nothing,
            Listing,
            &[LIST, LIST_V2, CALLER],
        ),
        call(
            "get_object",
            Nothing,
            Headers,
            &[READ, VERSION, CUSTOMER_KEY, CALLER],
        ),
        call(
            "put_object",
            Content,
            Headers,
            &[DESCRIPTION, UPLOAD, IF, GRANTS, CUSTOMER_KEY, CALLER],
        ),
        call(
            "copy_object",
            Source,
            Field("CopyObjectResult"),
            &[COPY, COPY_IF, DESCRIPTION, IF, GRANTS, CUSTOMER_KEY, CALLER],
        ),
        call(
            "delete_object",
            Nothing,
            DONE,
            &[DELETE, DELETE_IF, VERSION, CALLER],
        ),
        call(
            "delete_objects",
            Deletions,
            Document("DeleteResult"),
            &[DELETE, CALLER],
        ),
        call(
            "head_object",
            Nothing,
            Headers,
            &[READ, VERSION, CUSTOMER_KEY, CALLER],
        ),
    ]
};

/// Carries out one operation, from the request to its answer.
pub async fn carry_out(
    shared: &Shared,
    call: &Call,
    request: &mut Incoming,
) -> Result<Response<Bytes>, Trouble> {
    let mut checked = Map::new();
    // The body is read first, because headers may follow it.
    let taken = match call.takes {
        Takes::Nothing => None,
        Takes::Configuration => {
            let document = read_document(shared, request).await?;
            let configuration = xml::bucket_configuration(&document)?.map(Value::Map);
            check_location(request, configuration.as_ref())?;
            configuration.map(|map| ("CreateBucketConfiguration".into(), map))
        }
        Takes::Deletions => {
            let document = read_document(shared, request).await?;
            Some(("Delete".into(), Value::Map(xml::deletions(&document)?)))
        }
        Takes::Content => {
            let too_large = refusal::too_large;
            let content = request.content(shared, MAX_OBJECT_BYTES, too_large).await?;
            checked = checksums::check_unkept(request, &content).await?;
            Some(("Body".into(), Value::Bytes(content)))
        }
        Takes::Source => Some(params::copy_source(request)?),
    };
    let mut arguments = params::arguments(request, call.fields)?;
    if matches!(call.takes, Takes::Content | Takes::Source) {
        arguments.extend(params::metadata(request));
    }
    if !checked.is_empty() {
        arguments.retain(|(name, _)| name != "ChecksumAlgorithm");
    }
    arguments.extend(taken);
    let arguments = Value::Map(arguments);
    let answer = match shared.world.call(call.operation, &arguments).await?? {
        Value::Map(fields) => fields,
        _ => Map::new(),
    };
    respond(call, request, answer, checked)
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

fn respond(
    call: &Call,
    request: &Incoming,
    mut answer: Map,
    checked: Map,
) -> Result<Response<Bytes>, Trouble> {
    if !checked.is_empty() {
        answer.retain(|(name, _)| name != "ChecksumCRC32");
        answer.extend(checked);
    }
    let asked_for_checksum = request
        .header("x-amz-checksum-mode")
        .is_some_and(|mode| mode.eq_ignore_ascii_case("enabled"));
    if call.operation == "get_object" && !asked_for_checksum {
        answer.retain(|(name, _)| !name.starts_with("Checksum"));
    }
    Ok(match call.answers {
        Answers::Nothing => answers::headers(204, answer),
        Answers::Headers => answers::headers(200, answer),
        Answers::Document(root) => answers::document(root, answer),
        Answers::Field(name) => answers::field(name, answer),
        Answers::Listing => {
            answer.retain(|(name, _)| name != "EncodingType");
            match request.query("encoding-type") {
                None | Some("") => {}
                Some("url") => encode_names(&mut answer),
                Some(other) => {
                    let message = "Invalid Encoding Method specified in Request";
                    return Err(refusal::invalid_argument("encoding-type", other, message).into());
                }
            }
            answers::document("ListBucketResult", answer)
        }
    })
}

/// Reads the document in the body and checks its checksums. The document may be empty.
pub async fn read_document(shared: &Shared, request: &mut Incoming) -> Result<Bytes, Trouble> {
    let too_large = request::document_too_large;
    let document = request
        .content(shared, request::MAX_DOCUMENT_BYTES, too_large)
        .await?;
    checksums::check(request, &document).await?;
    Ok(document)
}

/// The characters that S3 does not encode in listings with `encoding-type=url`.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'*')
    .remove(b'/')
    .remove(b' ');

/// Encodes every name of a listing as in an HTML form, but without encoding `/`, and adds
/// `EncodingType`. This is not left to worlds, since not all of them support it.
pub fn encode_names(answer: &mut Map) {
    const NAMES: &[&str] = &[
        "Key",
        "Prefix",
        "Delimiter",
        "Marker",
        "NextMarker",
        "StartAfter",
        "KeyMarker",
        "NextKeyMarker",
    ];
    fn encode(fields: &mut Map) {
        for (name, value) in fields {
            match value {
                Value::Str(text) if NAMES.contains(&&**name) => {
                    *text = utf8_percent_encode(text, PLAIN)
                        .to_string()
                        .replace(' ', "+");
                }
                Value::List(items) => items.iter_mut().for_each(|item| {
                    if let Value::Map(fields) = item {
                        encode(fields);
                    }
                }),
                _ => {}
            }
        }
    }
    encode(answer);
    answer.push(("EncodingType".into(), "url".into()));
}
