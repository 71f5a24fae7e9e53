//! Servers without a socket, which follow a script.

use crate::remote::support;
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use dialog2api::domain::s3::remote::{AccessKey, Remote, RemoteLimits, RemoteOptions};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub const ID: &str = "AKIAOFTHETEST";
pub const SECRET: &str = "the-secret-half";

/// A request as the script sees it.
pub struct Asked {
    pub method: String,
    /// Without the scheme.
    pub url: String,
    /// The region it was signed for.
    pub region: String,
}

/// What the script answers.
pub enum Reply {
    /// Status, headers as lines, body.
    Answer(u16, &'static str, String),
    /// Nothing, for ever.
    Silence,
}

/// A success with this body.
pub fn ok(body: &str) -> Reply {
    Reply::Answer(200, "", body.to_owned())
}

/// An error in S3's form; `more` are further elements.
pub fn error(status: u16, headers: &'static str, code: &str, more: &str) -> Reply {
    let body = format!("<Error><Code>{code}</Code><Message>of {code}</Message>{more}</Error>");
    Reply::Answer(status, headers, body)
}

/// A server that answers by a function, and remembers what it was asked.
#[derive(Clone)]
pub struct Script(Arc<Inner>);

struct Inner {
    answer: Box<dyn Fn(&Asked) -> Reply + Send + Sync>,
    asked: Mutex<Vec<String>>,
    /// Requests under way, and the most there were.
    under_way: Mutex<(usize, usize)>,
}

impl Script {
    pub fn new(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Script {
        Script(Arc::new(Inner {
            answer: Box::new(answer),
            asked: Mutex::default(),
            under_way: Mutex::default(),
        }))
    }

    pub fn client(&self) -> SharedHttpClient {
        let connector = SharedHttpConnector::new(self.clone());
        http_client_fn(move |_, _| connector.clone())
    }

    /// What was asked since the last time, one line a request.
    pub fn asked(&self) -> String {
        let mut asked = self.0.asked.lock().expect("the log");
        asked.drain(..).map(|line| line + "\n").collect()
    }

    pub fn most_at_once(&self) -> usize {
        self.0.under_way.lock().expect("the count").1
    }

    /// A world on it, at Amazon's, with these limits.
    pub async fn world(&self, limits: RemoteLimits) -> Remote {
        let options = options(limits);
        let world = Remote::connect_through(&options, self.client()).await;
        world.expect("a world")
    }
}

/// Amazon's S3 in us-east-1.
pub fn options(limits: RemoteLimits) -> RemoteOptions {
    RemoteOptions {
        region: Some("us-east-1".to_owned()),
        access_key: Some(AccessKey {
            id: ID.to_owned(),
            secret: SECRET.to_owned(),
        }),
        limits,
        ..RemoteOptions::default()
    }
}

/// Limits that wait for nothing.
pub fn at_once() -> RemoteLimits {
    RemoteLimits {
        first_wait: Duration::ZERO,
        longest_wait: Duration::ZERO,
        ..RemoteLimits::default()
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Script")
    }
}

impl HttpConnector for Script {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let asked = Asked {
            method: request.method().to_owned(),
            url: request
                .uri()
                .split_once("://")
                .unwrap_or_default()
                .1
                .to_owned(),
            region: support::scope(request.headers().get("authorization").unwrap_or_default()),
        };
        let line = format!("{} {} ({})", asked.method, asked.url, asked.region);
        self.0.asked.lock().expect("the log").push(line);
        let reply = (self.0.answer)(&asked);
        let script = self.clone();
        HttpConnectorFuture::new(async move {
            script.count(1);
            // Others get their turn while this one is under way.
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
            script.count(-1);
            let Reply::Answer(status, headers, body) = reply else {
                return std::future::pending().await;
            };
            let status = status.try_into().expect("a status");
            let mut response = HttpResponse::new(status, SdkBody::from(body));
            for line in headers.lines() {
                let (name, value) = line.split_once(": ").expect("a header");
                response.headers_mut().insert(name, value);
            }
            Ok(response)
        })
    }
}

impl Script {
    fn count(&self, more: isize) {
        let mut count = self.0.under_way.lock().expect("the count");
        count.0 = count.0.saturating_add_signed(more);
        count.1 = count.1.max(count.0);
    }
}
