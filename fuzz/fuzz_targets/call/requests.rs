//! From an input to requests: as they are, or built from likely and odd parts.
//!
//! The first byte of an input says which. Even: what follows are requests, each behind
//! its length as two bytes. Odd: each byte that follows is a choice, so that a small
//! change of the input is a small change of what is called.

use dialog2api::domain::s3::OPERATIONS;
use minicbor::Encoder;
use minicbor::data::Tag;

/// The most requests that are made of one input.
const MOST: usize = 12;

/// The requests of an input.
pub fn read(input: &[u8]) -> Vec<Vec<u8>> {
    match input.split_first() {
        None => Vec::new(),
        Some((kind, rest)) if kind % 2 == 0 => as_they_are(rest),
        Some((_, rest)) => {
            let mut source = Source(rest);
            let mut requests = Vec::new();
            while !source.0.is_empty() && requests.len() < MOST {
                requests.push(source.request());
            }
            requests
        }
    }
}

fn as_they_are(mut rest: &[u8]) -> Vec<Vec<u8>> {
    let mut requests = Vec::new();
    while let Some((length, behind)) = rest.split_first_chunk::<2>()
        && requests.len() < MOST
    {
        let length = usize::from(u16::from_be_bytes(*length)).min(behind.len());
        let (request, behind) = behind.split_at(length);
        requests.push(request.to_vec());
        rest = behind;
    }
    requests
}

/// What makes the world that every input starts with.
pub fn start() -> Vec<Vec<u8>> {
    let bucket = |name: &str| ("Bucket", text(name));
    let configuration = map(&[("LocationConstraint", text("eu-west-1"))]);
    let elsewhere = [
        bucket("elsewhere"),
        ("CreateBucketConfiguration", configuration),
    ];
    let mut requests = vec![
        call("create_bucket", &[bucket("alpha")]),
        call("create_bucket", &[bucket("beta")]),
        call("create_bucket", &elsewhere),
    ];
    for key in ["k", "a/b", "a/c", "a.txt", "ä", "😀"] {
        let body = ("Body", cbor(|out| out.bytes(b"0123456789")?.ok()));
        let put = [bucket("alpha"), ("Key", text(key)), body];
        requests.push(call("put_object", &put));
    }
    requests
}

const BUCKETS: &[&str] = &[
    "alpha",
    "alpha",
    "alpha",
    "beta",
    "elsewhere",
    "missing",
    "a-new-one",
    "",
    "No",
    "a",
    "10.0.0.1",
    "xn--a",
    "a..b",
    "ä",
    "alpha/k",
    "\0",
    "./alpha",
    "..",
    "arn:b",
];
const KEYS: &[&str] = &[
    "k",
    "a/b",
    "a.txt",
    "new",
    "a/",
    "/a",
    "a//b",
    "ä",
    "😀",
    "\u{10ffff}",
    "\0",
    "%2F",
    "a b+c",
    "",
];
const TEXTS: &[&str] = &[
    "",
    "/",
    "a",
    "a/",
    "*",
    "url",
    "COPY",
    "REPLACE",
    "STANDARD",
    "GLACIER",
    "private",
    "public-read",
    "AES256",
    "null",
    "CRC32",
    "SHA256",
    "ENABLED",
    "eu-west-1",
    "us-east-1",
    "EU",
    "123456789012",
    "alpha/k",
    "/alpha/a/b?versionId=null",
    "alpha",
    "bytes=0-4",
    "bytes=-3",
    "bytes=5-",
    "bytes=9-5",
    "bytes=0-18446744073709551616",
    "bytes=0-0,2-3",
    "\"781e5e245d69b566979b86e28d23f2c7\"",
    "W/\"781e5e245d69b566979b86e28d23f2c7\", *",
    "eB5eJF1ptWaXm4bijSPyxw==",
    "AAAAAGs",
    "\u{10ffff}",
    "2024-01-01T00:00:00Z",
    "-9999-01-01T00:00:00Z",
    "\r\nx: y",
];
const INTS: &[i64] = &[
    0,
    1,
    2,
    3,
    -1,
    1000,
    1001,
    2147483647,
    2147483648,
    i64::MAX,
    i64::MIN,
];
/// Every parameter of the domain that a call can say something with.
const NAMES: &[&str] = &[
    "Bucket",
    "Key",
    "Body",
    "CopySource",
    "Delete",
    "Prefix",
    "Delimiter",
    "MaxKeys",
    "Marker",
    "StartAfter",
    "ContinuationToken",
    "EncodingType",
    "FetchOwner",
    "Range",
    "PartNumber",
    "VersionId",
    "IfMatch",
    "IfNoneMatch",
    "IfModifiedSince",
    "IfUnmodifiedSince",
    "CopySourceIfMatch",
    "CopySourceIfNoneMatch",
    "CopySourceIfModifiedSince",
    "CopySourceIfUnmodifiedSince",
    "MetadataDirective",
    "Metadata",
    "ContentType",
    "ContentMD5",
    "ContentEncoding",
    "CacheControl",
    "Expires",
    "StorageClass",
    "ServerSideEncryption",
    "ACL",
    "Tagging",
    "WebsiteRedirectLocation",
    "ChecksumAlgorithm",
    "ChecksumCRC32",
    "ChecksumSHA256",
    "ChecksumMode",
    "ExpectedBucketOwner",
    "CreateBucketConfiguration",
    "ObjectLockEnabledForBucket",
    "MaxBuckets",
    "BucketRegion",
    "ResponseContentType",
    "ResponseExpires",
    "ContentLength",
];

/// The choices of an input; when there are no more, each is the first.
struct Source<'a>(&'a [u8]);

impl Source<'_> {
    fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((byte, rest)) => {
                self.0 = rest;
                *byte
            }
            None => 0,
        }
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::from(self.byte()) % choices.len()]
    }

    fn request(&mut self) -> Vec<u8> {
        let operation = match self.byte() {
            255 => "unknown",
            byte => OPERATIONS[usize::from(byte) % OPERATIONS.len()],
        };
        let mut params = Vec::new();
        if operation != "list_buckets" {
            params.push(("Bucket", text(self.pick(BUCKETS))));
        }
        if operation.ends_with("_object") {
            params.push(("Key", text(self.pick(KEYS))));
        }
        match operation {
            "copy_object" => params.push(("CopySource", self.copy_source())),
            "delete_objects" => params.push(("Delete", self.delete())),
            "put_bucket_lifecycle_configuration" => {
                params.push(("LifecycleConfiguration", self.lifecycle()));
            }
            "put_bucket_policy" => params.push(("Policy", self.bucket_policy())),
            _ => {}
        }
        for _ in 0..self.byte() % 6 {
            let name = self.pick(NAMES);
            let value = self.value(name);
            match params.iter_mut().find(|(there, _)| *there == name) {
                Some((_, there)) => *there = value,
                None => params.push((name, value)),
            }
        }
        call(operation, &params)
    }

    fn copy_source(&mut self) -> Vec<u8> {
        let (bucket, key) = (self.pick(BUCKETS), self.pick(KEYS));
        map(&[("Bucket", text(bucket)), ("Key", text(key))])
    }

    fn delete(&mut self) -> Vec<u8> {
        let entries: Vec<_> = (0..self.byte() % 5)
            .map(|_| {
                let key = self.pick(KEYS);
                match self.byte() % 4 {
                    0 => map(&[("Key", text(key)), ("ETag", self.odd())]),
                    1 => map(&[("Key", text(key)), ("VersionId", text(self.pick(TEXTS)))]),
                    _ => map(&[("Key", text(key))]),
                }
            })
            .collect();
        let quiet = cbor(|out| out.bool(self.byte() % 2 == 1)?.ok());
        map(&[("Objects", list(&entries)), ("Quiet", quiet)])
    }

    fn lifecycle(&mut self) -> Vec<u8> {
        let rules: Vec<_> = (0..self.byte() % 3)
            .map(|_| {
                let days = map(&[("Days", cbor(|out| out.i64(1)?.ok()))]);
                let acts = ["Expiration", "Transition", "NoncurrentVersionExpiration"];
                let prefix = text(self.pick(KEYS));
                map(&[
                    ("Status", text(self.pick(&["Enabled", "Disabled"]))),
                    ("Filter", map(&[("Prefix", prefix)])),
                    (self.pick(&acts), days),
                ])
            })
            .collect();
        map(&[("Rules", list(&rules))])
    }

    /// One that lets anybody read what begins with a key.
    fn bucket_policy(&mut self) -> Vec<u8> {
        let (bucket, key) = (self.pick(BUCKETS), self.pick(KEYS));
        let who = self.pick(&["*", "123456789012"]);
        text(&format!(
            "{{\"Statement\": [{{\"Effect\": \"Allow\", \"Principal\": \"{who}\", \
             \"Action\": \"s3:GetObject\", \"Resource\": \"arn:aws:s3:::{bucket}/{key}*\"}}]}}"
        ))
    }

    /// Mostly what suits the name.
    fn value(&mut self, name: &str) -> Vec<u8> {
        if self.byte().is_multiple_of(4) {
            return self.odd();
        }
        match name {
            "Bucket" => text(self.pick(BUCKETS)),
            "Key" | "Prefix" | "Marker" | "StartAfter" => text(self.pick(KEYS)),
            "CopySource" => self.copy_source(),
            "Delete" => self.delete(),
            "Metadata" => map(&[("A", text(self.pick(TEXTS))), ("a", text("b"))]),
            "CreateBucketConfiguration" => map(&[("LocationConstraint", text(self.pick(TEXTS)))]),
            "Body" => match self.byte() % 2 {
                0 => text(self.pick(TEXTS)),
                _ => cbor(|out| out.bytes(&vec![b'x'; usize::from(self.byte()) * 40])?.ok()),
            },
            _ if name.ends_with("Since") || name.ends_with("xpires") => self.time(),
            _ if name.starts_with("Max") || name == "PartNumber" => self.int(),
            "FetchOwner" | "ObjectLockEnabledForBucket" => {
                cbor(|out| out.bool(self.byte() % 2 == 1)?.ok())
            }
            _ => text(self.pick(TEXTS)),
        }
    }

    fn int(&mut self) -> Vec<u8> {
        let int = self.pick(INTS);
        cbor(|out| out.i64(int)?.ok())
    }

    fn time(&mut self) -> Vec<u8> {
        let seconds = [
            0.0,
            1e9,
            1.5,
            -1e9,
            2.5e11,
            1e300,
            f64::NAN,
            f64::NEG_INFINITY,
        ];
        let seconds = self.pick(&seconds);
        cbor(|out| out.tag(Tag::new(1))?.f64(seconds)?.ok())
    }

    /// What a client of boto3 would not have let through, or the codec does not know.
    fn odd(&mut self) -> Vec<u8> {
        match self.byte() % 24 {
            0 => cbor(|out| out.null()?.ok()),
            1 => cbor(|out| out.bool(true)?.ok()),
            2 => self.int(),
            3 => self.time(),
            4 => cbor(|out| out.u64(u64::MAX)?.ok()),
            5 => cbor(|out| out.f64(f64::NAN)?.ok()),
            6 => cbor(|out| out.f64(f64::INFINITY)?.ok()),
            7 => cbor(|out| out.f32(-0.0)?.ok()),
            8 => list(&[]),
            9 => map(&[]),
            10 => text(&"a".repeat(1024 + usize::from(self.byte() % 2))),
            11 => text(&"é/".repeat(350_000)),
            // A lone surrogate, and a text that ends in the middle of a character.
            12 => vec![0x63, 0xed, 0xa0, 0x80],
            13 => vec![0x61, 0xc3],
            14 => vec![0x81; usize::from(self.byte())]
                .into_iter()
                .chain([0xf6])
                .collect(),
            // No length; a length of more than there is; the same for a map.
            15 => vec![0x9f, 0x01, 0xff],
            16 => vec![0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
            17 => vec![
                0xbb, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x61, b'a', 0x01,
            ],
            18 => vec![0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            // undefined, a bignum, a map with a number for a name.
            19 => vec![0xf7],
            20 => vec![0xc2, 0x49, 1, 0, 0, 0, 0, 0, 0, 0, 0],
            21 => vec![0xa1, 0x01, 0x02],
            22 => {
                let key = text(self.pick(KEYS));
                list(&vec![map(&[("Key", key)]); usize::from(self.byte()) * 5])
            }
            _ => {
                let length = usize::from(self.byte()).min(self.0.len());
                let (bytes, rest) = self.0.split_at(length);
                self.0 = rest;
                bytes.to_vec()
            }
        }
    }
}

/// A request.
fn call(operation: &str, params: &[(&str, Vec<u8>)]) -> Vec<u8> {
    list(&[text(operation), map(params)])
}

fn text(text: &str) -> Vec<u8> {
    cbor(|out| out.str(text)?.ok())
}

fn list(items: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = cbor(|out| out.array(items.len() as u64)?.ok());
    items.iter().for_each(|item| bytes.extend_from_slice(item));
    bytes
}

fn map(pairs: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = cbor(|out| out.map(pairs.len() as u64)?.ok());
    for (name, value) in pairs {
        bytes.extend(text(name));
        bytes.extend_from_slice(value);
    }
    bytes
}

type Written = Result<(), minicbor::encode::Error<std::convert::Infallible>>;

fn cbor(write: impl FnOnce(&mut Encoder<Vec<u8>>) -> Written) -> Vec<u8> {
    let mut out = Encoder::new(Vec::new());
    write(&mut out).expect("writing to memory does not fail");
    out.into_writer()
}
