//! Requests that are signed by hand: in a header or in a link, with version 4 or 2, and with
//! more in them than was signed.

use crate::serve::support::key;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use http::Request;
use http_body_util::Full;
use jiff::{SignedDuration, Timestamp};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sha2::{Digest, Sha256};

/// The scope of every signature, after its day.
const SCOPE: &str = "us-east-1/s3/aws4_request";
const HOST: &str = "localhost";

/// A request before it is signed, from a line such as
/// `link4 PUT /alpha/k?x-amz-acl=private x-amz-meta-a=1 | x-amz-tagging=a%3Db`: how it is signed,
/// method, target, headers, and those that are added after the signature. A header with a `-`
/// is not signed, and a name with a `+` stands at the end of the signed ones as it is. `v2@-16` is signed 16 minutes ago; a `link2` holds for so long.
pub struct Line {
    form: String,
    minutes: i64,
    method: String,
    path: String,
    query: Vec<String>,
    headers: Vec<(String, Vec<u8>)>,
    left_out: Vec<String>,
    named: Vec<String>,
    added: Vec<(String, Vec<u8>)>,
}

type Headers = Vec<(String, Vec<u8>)>;

fn headers<'a>(words: impl Iterator<Item = &'a str>) -> Headers {
    let pairs = words.filter_map(|word| word.split_once('='));
    pairs
        .map(|(name, value)| (name.to_owned(), percent_decode_str(value).collect()))
        .collect()
}

impl Line {
    pub fn read(line: &str) -> Self {
        let (kept, added) = line.split_once(" | ").unwrap_or((line, ""));
        let mut words = kept.split_whitespace();
        let mut next = || words.next().unwrap_or_default();
        let (form, method, target) = (next(), next(), next());
        let (form, minutes) = form.split_once('@').unwrap_or((form, "0"));
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let left_out = words.clone().filter_map(|word| word.strip_prefix('-'));
        let left_out = left_out.map(str::to_owned).collect();
        let named = words.clone().filter_map(|word| word.strip_prefix('+'));
        let named = named.map(str::to_owned).collect();
        Line {
            form: form.to_owned(),
            minutes: minutes.parse().expect("minutes"),
            method: method.to_owned(),
            path: path.to_owned(),
            query: (query.split('&').filter(|pair| !pair.is_empty()))
                .map(str::to_owned)
                .collect(),
            headers: headers(words),
            left_out,
            named,
            added: headers(added.split_whitespace()),
        }
    }

    /// The request with this body, signed. `chunked` makes the body of the signature, for a
    /// body in chunks.
    pub fn request(
        mut self,
        payload: &str,
        chunked: impl Fn(&Seed) -> Vec<u8>,
    ) -> Request<Full<Bytes>> {
        let time = Timestamp::now() + SignedDuration::from_mins(self.minutes);
        let seed = match self.form.as_str() {
            "none" => Seed::default(),
            "v4" | "link4" => self.sign_4(time, payload),
            _ => self.sign_2(time),
        };
        let body = chunked(&seed);
        let target = match self.query.join("&") {
            query if query.is_empty() => self.path.clone(),
            query => format!("{}?{query}", self.path),
        };
        let mut request = Request::builder()
            .method(self.method.as_str())
            .uri(format!("http://{HOST}{target}"))
            .header("host", HOST)
            .header("content-length", body.len());
        for (name, value) in self.headers.into_iter().chain(self.added) {
            request = request.header(name, value);
        }
        request.body(Full::new(body.into())).expect("a request")
    }

    fn sign_4(&mut self, time: Timestamp, payload: &str) -> Seed {
        let amz_date = time.strftime("%Y%m%dT%H%M%SZ").to_string();
        let day = amz_date.split('T').next().unwrap_or_default().to_owned();
        let is_link = self.form == "link4";
        if !is_link {
            self.headers
                .push(("x-amz-date".into(), amz_date.clone().into()));
            self.headers
                .push(("x-amz-content-sha256".into(), payload.into()));
        }
        let mut signed: Vec<(String, String)> = vec![("host".into(), HOST.into())];
        signed.extend(self.headers.iter().map(|(name, value)| {
            (
                name.to_ascii_lowercase(),
                String::from_utf8_lossy(value).into_owned(),
            )
        }));
        signed.retain(|(name, _)| !self.left_out.contains(name));
        signed.sort();
        signed.extend(self.named.iter().map(|name| (name.clone(), HOST.into())));
        let names: Vec<&str> = signed.iter().map(|(name, _)| name.as_str()).collect();
        let names = names.join(";");
        let scope = format!("{day}/{SCOPE}");
        let credential = format!("{}/{scope}", key().id);
        if is_link {
            let encoded = |text: &str| {
                utf8_percent_encode(text, NON_ALPHANUMERIC)
                    .to_string()
                    .replace("%2D", "-")
                    .replace("%2E", ".")
                    .replace("%5F", "_")
                    .replace("%7E", "~")
            };
            for (name, value) in [
                ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
                ("X-Amz-Credential", &credential),
                ("X-Amz-Date", &amz_date),
                ("X-Amz-Expires", "600"),
                ("X-Amz-SignedHeaders", &names),
            ] {
                self.query.push(format!("{name}={}", encoded(value)));
            }
        }
        let mut query: Vec<String> = (self.query.iter())
            .map(|pair| {
                if pair.contains('=') {
                    pair.clone()
                } else {
                    format!("{pair}=")
                }
            })
            .collect();
        query.sort();
        let lines: String = signed
            .iter()
            .map(|(name, value)| format!("{name}:{value}\n"))
            .collect();
        let payload = if is_link { "UNSIGNED-PAYLOAD" } else { payload };
        let canonical = [
            &self.method,
            &self.path,
            &query.join("&"),
            &lines,
            &names,
            payload,
        ]
        .join("\n");
        let hash = const_hex::encode(Sha256::digest(canonical));
        let text = format!("AWS4-HMAC-SHA256\n{amz_date}\n{scope}\n{hash}");
        let first = format!("AWS4{}", key().secret).into_bytes();
        let signing = scope
            .split('/')
            .fold(first, |key, part| hmac_256(&key, part));
        let signature = const_hex::encode(hmac_256(&signing, &text));
        match is_link {
            true => self.query.push(format!("X-Amz-Signature={signature}")),
            false => self.headers.push((
                "authorization".into(),
                format!("AWS4-HMAC-SHA256 Credential={credential}, SignedHeaders={names}, Signature={signature}").into(),
            )),
        }
        Seed {
            signing,
            amz_date,
            scope,
            signature,
        }
    }

    fn sign_2(&mut self, time: Timestamp) -> Seed {
        let is_link = self.form == "link2";
        let (date, expires) = match is_link {
            true => (time.as_second().to_string(), time.as_second().to_string()),
            false => {
                let date = time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
                (date, String::new())
            }
        };
        let amz_dated = self.headers.iter().any(|(name, _)| name == "x-amz-date");
        let mut amz: Vec<String> = (self.headers.iter())
            .filter(|(name, _)| name.starts_with("x-amz-"))
            .map(|(name, value)| format!("{name}:{}\n", String::from_utf8_lossy(value)))
            .collect();
        amz.sort();
        const COVERED: [&str; 6] = [
            "acl",
            "policy",
            "tagging",
            "uploads",
            "versionId",
            "versioning",
        ];
        let covered: Vec<&str> = (self.query.iter().map(String::as_str))
            .filter(|pair| COVERED.contains(&pair.split('=').next().unwrap_or_default()))
            .collect();
        let mark = if covered.is_empty() { "" } else { "?" };
        let signed_date = if amz_dated { "" } else { &date };
        let text = format!(
            "{}\n\n\n{signed_date}\n{}{}{mark}{}",
            self.method,
            amz.concat(),
            self.path,
            covered.join("&")
        );
        let mut mac =
            Hmac::<sha1::Sha1>::new_from_slice(key().secret.as_bytes()).expect("any length");
        mac.update(text.as_bytes());
        let signature = STANDARD.encode(mac.finalize().into_bytes());
        let id = key().id;
        if is_link {
            let signature = utf8_percent_encode(&signature, NON_ALPHANUMERIC);
            self.query.push(format!("AWSAccessKeyId={id}"));
            self.query.push(format!("Expires={expires}"));
            self.query.push(format!("Signature={signature}"));
        } else {
            self.headers.push(("date".into(), date.into()));
            self.headers.push((
                "authorization".into(),
                format!("AWS {id}:{signature}").into(),
            ));
        }
        Seed::default()
    }
}

fn hmac_256(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("any length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// What the signatures of chunks begin with.
#[derive(Default)]
pub struct Seed {
    signing: Vec<u8>,
    amz_date: String,
    scope: String,
    signature: String,
}

impl Seed {
    /// A body in signed chunks. The last one is the empty one, unless it is left out. Trailers
    /// are lines `name:value`.
    pub fn chunks(&self, pieces: &[&str], trailers: &[&str]) -> Vec<u8> {
        let empty = const_hex::encode(Sha256::digest(""));
        let mut before = self.signature.clone();
        let mut body = String::new();
        for piece in pieces {
            let hash = const_hex::encode(Sha256::digest(piece));
            let (date, scope) = (&self.amz_date, &self.scope);
            let text =
                format!("AWS4-HMAC-SHA256-PAYLOAD\n{date}\n{scope}\n{before}\n{empty}\n{hash}");
            before = const_hex::encode(hmac_256(&self.signing, &text));
            body += &format!("{:x};chunk-signature={before}\r\n{piece}", piece.len());
            body += if piece.is_empty() { "" } else { "\r\n" };
        }
        if !trailers.is_empty() {
            let lines: String = trailers.iter().map(|line| format!("{line}\n")).collect();
            let hash = const_hex::encode(Sha256::digest(lines));
            let (date, scope) = (&self.amz_date, &self.scope);
            let text = format!("AWS4-HMAC-SHA256-TRAILER\n{date}\n{scope}\n{before}\n{hash}");
            let signature = const_hex::encode(hmac_256(&self.signing, &text));
            body += &trailers
                .iter()
                .map(|line| format!("{line}\r\n"))
                .collect::<String>();
            body += &format!("x-amz-trailer-signature:{signature}\r\n");
        }
        (body + "\r\n").into_bytes()
    }
}

/// A body in chunks without signatures.
pub fn unsigned_chunks(pieces: &[&str], trailers: &[&str]) -> Vec<u8> {
    let mut body = String::new();
    for piece in pieces {
        body += &format!("{:x}\r\n{piece}", piece.len());
        body += if piece.is_empty() { "" } else { "\r\n" };
    }
    body += &trailers
        .iter()
        .map(|line| format!("{line}\r\n"))
        .collect::<String>();
    (body + "\r\n").into_bytes()
}
