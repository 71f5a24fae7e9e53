//! Splits a request into bucket, key, query, headers and body.

use super::errors::Trouble;
use super::signed::Signed;
use super::{Shared, chunks, errors};
use crate::api::request::{QUERY, Received};
use crate::blocking;
use crate::domain::Refusal;
use crate::memory::FileContent;
use crate::memory::spool::{Spool, Spooled};
use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, Method, Uri};
use http_body_util::BodyExt;
use percent_encoding::{percent_decode_str, utf8_percent_encode};
use s3s::{Body, S3Request, TrailingHeaders};
use std::time::Duration;
use tokio::sync::SemaphorePermit;

/// A request, taken apart.
pub struct Incoming {
    pub method: Method,
    /// Empty for a request about the service.
    pub bucket: String,
    /// Empty for a request about a bucket.
    pub key: String,
    /// The client's region, which the request was signed for.
    pub region: Option<String>,
    /// Whether it has no signature.
    pub is_anonymous: bool,
    /// Whether parameters of the query count as headers: the signature of the link covers them.
    hoists: bool,
    query: Vec<(String, String)>,
    headers: HeaderMap,
    body: Body,
    trailers: Option<TrailingHeaders>,
}

/// How long a client may be silent within a body.
const SILENCE: Duration = Duration::from_secs(30);

/// The host whose subdomains name buckets: `bucket.localhost`.
const VIRTUAL_HOSTS: &str = ".localhost";

impl Incoming {
    /// Splits a request whose signature was checked.
    pub fn read(request: S3Request<Body>, signed: Option<Signed>) -> Result<Self, Refusal> {
        let mut incoming =
            Self::unsigned(request.method, &request.uri, request.headers, request.input)?;
        incoming.is_anonymous = request.credentials.is_none();
        incoming.region = request.region.map(|region| region.as_str().to_owned());
        incoming.trailers = request.trailing_headers;
        incoming.hoists = signed == Some(Signed::Link4);
        if incoming.trailers.is_none() && is_in_chunks(&incoming.headers) {
            // Nothing has taken the chunks apart.
            return Err(errors::not_implemented("x-amz-content-sha256"));
        }
        // A link to upload is none to copy, whatever else stands in it.
        let is_copy = incoming.hoisted(SOURCE).next().is_some();
        match is_copy {
            true => Err(errors::not_implemented(SOURCE)),
            false => Ok(incoming),
        }
    }

    /// Splits a request that has no signature, or one within its body.
    pub fn unsigned(
        method: Method,
        uri: &Uri,
        headers: HeaderMap,
        body: Body,
    ) -> Result<Self, Refusal> {
        let (bucket, key) = bucket_and_key(uri, &headers)?;
        Ok(Incoming {
            bucket,
            key,
            region: None,
            is_anonymous: true,
            method,
            hoists: false,
            query: query(uri)?,
            headers,
            body,
            trailers: None,
        })
    }

    /// The names of the query parameters.
    pub fn asked(&self) -> impl Iterator<Item = &str> {
        self.query.iter().map(|(name, _)| name.as_str())
    }

    /// The path in the form that errors use.
    pub fn resource(&self) -> String {
        match (self.bucket.as_str(), self.key.as_str()) {
            ("", _) => "/".to_owned(),
            (bucket, "") => format!("/{bucket}"),
            (bucket, key) => format!("/{bucket}/{key}"),
        }
    }

    /// The parameters of the query that count as headers, under the names that begin so. SDKs
    /// put headers there when they sign a link, some in capitals.
    fn hoisted(&self, prefix: &str) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.query.iter().filter(|_| self.hoists);
        pairs.filter_map(move |(name, value)| {
            let begin = name.get(..prefix.len())?;
            (begin.eq_ignore_ascii_case(prefix)).then_some((name.as_str(), value.as_str()))
        })
    }

    /// The value of a header that stands in the query of a link. Checksums there are of a body
    /// that the signer did not know (SDKs for JavaScript write that of an empty one), so they
    /// are ignored.
    fn hoisted_header(&self, name: &str) -> Option<String> {
        let of_checksum = name.strip_prefix("x-amz-checksum-");
        let is_digest = of_checksum.is_some_and(|it| !matches!(it, "mode" | "algorithm" | "type"));
        if is_digest || name == "x-amz-sdk-checksum-algorithm" || !name.starts_with("x-amz-") {
            return None;
        }
        let values = self.hoisted(name).filter(|(it, _)| it.len() == name.len());
        let values: Vec<&str> = values.map(|(_, value)| value).collect();
        (!values.is_empty()).then(|| values.join(","))
    }

    /// The address of an object in the bucket of this request, as its client reaches it.
    pub fn address(&self, key: &str) -> String {
        let host = self.header("host").unwrap_or_default();
        let key = utf8_percent_encode(key, QUERY);
        match virtual_bucket(&self.headers) {
            Some(_) => format!("http://{host}/{key}"),
            None => format!("http://{host}/{}/{key}", self.bucket),
        }
    }

    /// Reads a body of at most `limit` bytes. A longer one is refused before it is read.
    /// Headers after the body become headers of the request.
    pub async fn content(
        &mut self,
        shared: &Shared,
        limit: usize,
        too_large: impl Fn(usize, usize) -> Refusal,
    ) -> Result<Bytes, Refusal> {
        let declared = self.declared(limit, too_large)?;
        let mut room: Option<SemaphorePermit<'_>> = None;
        let mut content = BytesMut::new();
        while let Some(frame) = tokio::time::timeout(SILENCE, self.body.frame())
            .await
            .map_err(|_| silent())?
        {
            let frame = frame.map_err(|error| broken(&error.to_string()))?;
            if let Ok(data) = frame.into_data() {
                // Only received bytes take up room, so that a slow client does not block
                // others.
                let kib = u32::try_from((data.len() >> 10).saturating_add(1)).unwrap_or(u32::MAX);
                let more = shared.room.try_acquire_many(kib).map_err(|_| busy())?;
                match &mut room {
                    Some(room) => room.merge(more),
                    None => room = Some(more),
                }
                if content.len().saturating_add(data.len()) > declared {
                    return Err(incomplete());
                }
                // A body that arrives in one piece is not copied.
                if content.is_empty() && data.len() == declared {
                    content = BytesMut::from(data);
                } else {
                    content.extend_from_slice(&data);
                }
            }
        }
        if content.len() < declared {
            return Err(incomplete());
        }
        self.take_trailers()?;
        Ok(content.freeze())
    }

    /// How long the body is, if it may be as long as that.
    pub fn declared(
        &self,
        limit: usize,
        too_large: impl Fn(usize, usize) -> Refusal,
    ) -> Result<usize, Refusal> {
        let declared = self.header("content-length").and_then(|n| n.parse().ok());
        let exact = || http_body::Body::size_hint(&self.body).exact();
        let Some(declared) = declared.or_else(exact) else {
            if is_endless(&self.headers) {
                return Err(errors::endless());
            }
            return Err(Refusal::new(
                411,
                "MissingContentLength",
                "You must provide the Content-Length HTTP header.",
            ));
        };
        let declared = usize::try_from(declared).unwrap_or(usize::MAX);
        if declared > limit {
            return Err(too_large(declared, limit));
        }
        Ok(declared)
    }

    /// Keeps a body of this length in a file. It is never in memory as a whole.
    pub async fn spooled(
        &mut self,
        spool: &Spool,
        declared: usize,
    ) -> Result<FileContent, Trouble> {
        let begun = spool.clone();
        let mut file = blocking::waiting(move || begun.begin()).await??;
        let mut received: usize = 0;
        let mut pending = BytesMut::new();
        while let Some(frame) = tokio::time::timeout(SILENCE, self.body.frame())
            .await
            .map_err(|_| silent())?
        {
            let frame = frame.map_err(|error| broken(&error.to_string()))?;
            let Ok(data) = frame.into_data() else {
                continue;
            };
            received = received.saturating_add(data.len());
            if received > declared {
                return Err(incomplete().into());
            }
            pending.extend_from_slice(&data);
            if pending.len() >= PIECE {
                let piece = pending.split().freeze();
                file = write(file, piece).await?;
            }
        }
        if received < declared {
            return Err(incomplete().into());
        }
        self.take_trailers()?;
        let file = write(file, pending.freeze()).await?;
        Ok(blocking::waiting(move || file.finish()).await??)
    }

    fn take_trailers(&mut self) -> Result<(), Refusal> {
        if let Some(trailers) = self.trailers.take() {
            let declared = self.header("x-amz-trailer");
            let trailers = chunks::trailers(declared.as_deref(), trailers.take())?;
            self.headers.extend(trailers);
        }
        Ok(())
    }
}

/// So many bytes of a body are written to its file at once.
const PIECE: usize = 1 << 20;

async fn write(mut file: Spooled, piece: Bytes) -> Result<Spooled, Trouble> {
    let written = blocking::waiting(move || file.write(&piece).map(|()| file));
    Ok(written.await??)
}

impl Received for Incoming {
    fn bucket(&self) -> &str {
        &self.bucket
    }

    fn key(&self) -> &str {
        &self.key
    }

    fn query(&self, name: &str) -> Option<&str> {
        let mut pairs = self.query.iter();
        let found = pairs.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The value of a header. Several values of the same name are joined into a list.
    fn header(&self, name: &str) -> Option<String> {
        let mut values = self.headers.get_all(name).iter().map(|value| {
            // A value that is not UTF-8 is read as Latin-1, as in older HTTP.
            match str::from_utf8(value.as_bytes()) {
                Ok(text) => text.to_owned(),
                Err(_) => value.as_bytes().iter().copied().map(char::from).collect(),
            }
        });
        let Some(mut text) = values.next() else {
            return self.hoisted_header(name);
        };
        for value in values {
            text.push(',');
            text.push_str(&value);
        }
        Some(text)
    }

    /// The headers with this prefix. The prefix is removed from their names.
    fn headers_after(&self, prefix: &str) -> Vec<(String, String)> {
        let names = self.headers.keys().filter_map(|name| {
            let rest = name.as_str().strip_prefix(prefix)?;
            Some((rest.to_owned(), self.header(name.as_str())?))
        });
        let mut found: Vec<(String, String)> = names.collect();
        for (name, _) in self.hoisted(prefix) {
            let name = name.to_ascii_lowercase();
            let rest = name.get(prefix.len()..).unwrap_or_default();
            let is_new = !found.iter().any(|(known, _)| known == rest);
            let value = self.header(&name).filter(|_| is_new);
            found.extend(value.map(|value| (rest.to_owned(), value)));
        }
        found
    }
}

/// The header that names the source of a copy; the names of others about it begin so.
const SOURCE: &str = "x-amz-copy-source";

/// The parameters of a query, decoded.
fn query(uri: &Uri) -> Result<Vec<(String, String)>, Refusal> {
    let pairs = uri.query().unwrap_or_default().split('&');
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs
        .filter(|(name, _)| !name.is_empty())
        .map(|(name, value)| Ok((decode(name, uri)?, decode(&value.replace('+', " "), uri)?)))
        .collect()
}

/// An error of a body.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A body of any server as one of `s3s`.
pub fn body<B>(body: B) -> Body
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    Body::http_body_unsync(body.map_err(Into::into))
}

/// A body in chunks as one of `s3s`, which will take the chunks apart.
pub fn in_chunks<B>(body: B) -> Body
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let body = body.map_err(Into::into).boxed_unsync();
    Body::http_body_unsync(chunks::Complete::new(body))
}

/// Whether a request says that its body is in chunks (`aws-chunked`).
pub fn is_in_chunks(headers: &HeaderMap) -> bool {
    let payload = headers.get("x-amz-content-sha256");
    payload.is_some_and(|it| it.as_bytes().starts_with(b"STREAMING-"))
}

/// Whether a request says only within its body where that ends.
pub fn is_endless(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING) && !headers.contains_key(CONTENT_LENGTH)
}

/// The bucket and the key that a request is about; each may be empty.
pub fn bucket_and_key(uri: &Uri, headers: &HeaderMap) -> Result<(String, String), Refusal> {
    let path = decode(uri.path(), uri)?;
    let path = path.strip_prefix('/').unwrap_or(&path);
    let (bucket, key) = match virtual_bucket(headers) {
        Some(bucket) => (bucket, path),
        None => match path.split_once('/') {
            Some((bucket, key)) => (bucket.to_owned(), key),
            None => (path.to_owned(), ""),
        },
    };
    Ok((bucket, key.to_owned()))
}

fn decode(text: &str, uri: &Uri) -> Result<String, Refusal> {
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map(|text| text.into_owned()).map_err(|_| {
        Refusal::new(400, "InvalidURI", "Couldn't parse the specified URI.").with("URI", uri.path())
    })
}

/// The bucket in the host name.
fn virtual_bucket(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(http::header::HOST)?.to_str().ok()?;
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let bucket = name.strip_suffix(VIRTUAL_HOSTS)?;
    (!bucket.is_empty()).then(|| bucket.to_owned())
}

/// The refusal of a body that `s3s` rejects. The errors of `s3s` have no public type.
fn broken(error: &str) -> Refusal {
    if error.contains("Sha256Mismatch") {
        return Refusal::new(
            400,
            "XAmzContentSHA256Mismatch",
            "The provided 'x-amz-content-sha256' header does not match what was computed.",
        );
    }
    if error.contains("SignatureMismatch") {
        return errors::signature();
    }
    incomplete()
}

fn incomplete() -> Refusal {
    Refusal::new(
        400,
        "IncompleteBody",
        "The request body terminated unexpectedly",
    )
}

fn silent() -> Refusal {
    Refusal::new(
        400,
        "RequestTimeout",
        "Your socket connection to the server was not read from or written to within the \
         timeout period. Idle connections will be closed.",
    )
}

/// The refusal for a lack of room. Clients wait and retry.
pub fn busy() -> Refusal {
    Refusal::new(503, "SlowDown", "Please reduce your request rate.")
}

/// The largest XML document: it has 1000 keys of the greatest length, escaped.
pub const MAX_DOCUMENT_BYTES: usize = 8 << 20;

/// The refusal of a longer document.
pub fn document_too_large(_: usize, limit: usize) -> Refusal {
    Refusal::new(400, "MaxMessageLengthExceeded", "Your request was too big.")
        .with("MaxMessageLengthBytes", limit.to_string())
}
