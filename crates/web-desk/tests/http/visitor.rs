//! A visitor with the cookie and the key of a page.

use crate::support::Served;
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};
use std::time::Duration;

pub struct Visitor<'a> {
    pub served: &'a Served,
    pub client: Client,
    pub origin: String,
    pub cookie: String,
    pub key: String,
}

impl Visitor<'_> {
    /// Comes in by a link.
    pub fn of(served: &Served) -> Visitor<'_> {
        let (link, origin) = served.link();
        // Where another crate has a client that encrypts, each client wants one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .timeout(Duration::from_secs(20))
            .build()
            .expect("a client");
        let mut visitor = Visitor {
            served,
            client,
            origin,
            cookie: String::new(),
            key: String::new(),
        };
        let came = visitor.send(visitor.client.get(link));
        let cookie = came.headers()["set-cookie"].to_str().expect("text");
        visitor.cookie = cookie.split(';').next().expect("a cookie").to_owned();
        let hello: Value = visitor.json(visitor.get("/api/hello"));
        visitor.key = hello["key"].as_str().expect("a key").to_owned();
        visitor
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        let request = self.client.get(format!("{}{path}", self.origin));
        request.header("cookie", &self.cookie)
    }

    /// A command as the page sends it.
    pub fn post(&self, path: &str) -> RequestBuilder {
        let request = self.client.post(format!("{}{path}", self.origin));
        let request = request
            .header("cookie", &self.cookie)
            .header("origin", &self.origin);
        request
            .header("sec-fetch-site", "same-origin")
            .header("x-desk-key", &self.key)
    }

    pub fn send(&self, request: RequestBuilder) -> Response {
        self.served
            .runtime
            .block_on(async { request.send().await })
            .expect("an answer")
    }

    pub fn status(&self, request: RequestBuilder) -> u16 {
        self.send(request).status().as_u16()
    }

    pub fn json(&self, request: RequestBuilder) -> Value {
        let answer = self.send(request);
        self.served.runtime.block_on(answer.json()).expect("JSON")
    }

    pub fn text(&self, request: RequestBuilder) -> String {
        let answer = self.send(request);
        self.served.runtime.block_on(answer.text()).expect("text")
    }

    /// Sends a command of the session `monday`; returns the status and what is said.
    pub fn order(&self, name: &str, mut what: Value) -> (u16, Value) {
        if what.get("session").is_none() {
            what["session"] = json!("monday");
        }
        let answer = self.send(self.post(&format!("/api/{name}")).json(&what));
        let status = answer.status().as_u16();
        let text = self.served.runtime.block_on(answer.text()).expect("text");
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    /// The events after an id, up to the first of this name, each with its id.
    pub fn events(&self, after: &str, until: &str) -> Vec<(String, Value)> {
        let request = self.get(&format!("/api/events?after={after}"));
        let mut answer = self.send(request);
        assert_eq!(answer.status(), 200);
        let (mut text, mut events) = (String::new(), Vec::new());
        loop {
            let chunk = self
                .served
                .runtime
                .block_on(answer.chunk())
                .expect("more")
                .expect("more");
            text.push_str(&String::from_utf8_lossy(&chunk));
            while let Some((message, rest)) = text.split_once("\n\n") {
                let field = |name: &str| {
                    message
                        .lines()
                        .find_map(|line| line.strip_prefix(name))
                        .map(|it| it.trim().to_owned())
                };
                let event: Value =
                    serde_json::from_str(&field("data:").expect("data")).expect("JSON");
                let is_last = event["event"] == until;
                if let Some(id) = field("id:") {
                    events.push((id, event));
                }
                text = rest.to_owned();
                if is_last {
                    return events;
                }
            }
        }
    }
}
