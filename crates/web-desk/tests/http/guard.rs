//! Who is let in.

use super::visitor::Visitor;
use crate::support::Served;
use serde_json::json;
use std::net::SocketAddr;
use web_desk::{Reach, Server};

#[test]
fn other_names_of_the_server_are_not_answered() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    let port = visitor.origin.rsplit(':').next().unwrap();
    let status = |host: &str| visitor.status(visitor.get("/").header("host", host));
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost.evil.example",
        "",
    ] {
        assert_eq!(status(host), 421, "{host}");
    }
    for host in ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"] {
        assert_eq!(status(&format!("{host}:{port}")), 200, "{host}");
    }
}

#[test]
fn a_link_lets_one_browser_in_once() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    let stranger = |path: &str| visitor.client.get(format!("{}{path}", visitor.origin));
    for path in [
        "/",
        "/assets/main.js",
        "/api/hello",
        "/api/events",
        "/api/read?path=zoo/index.csv",
        "/?token=",
        "/?token=0",
    ] {
        assert_eq!(visitor.status(stranger(path)), 401, "{path}");
    }
    let (link, _) = served.link();
    let came = visitor.send(visitor.client.get(&link));
    assert_eq!(came.status(), 200);
    let cookie = came.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(
        cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"),
        "{cookie}"
    );
    let (token, body) = (
        link.split("token=").nth(1).unwrap(),
        served.runtime.block_on(came.text()).unwrap(),
    );
    assert_eq!(token.len(), 64);
    assert!(body.contains("url=/") && !body.contains(token), "{body}");
    assert_eq!(visitor.status(visitor.client.get(&link)), 401);
    // Who is in already may click it again.
    let again = visitor.client.get(&link).header("cookie", &visitor.cookie);
    assert_eq!(visitor.status(again), 200);
    assert_eq!(visitor.status(visitor.get("/")), 200);
    // The cookie of a server on another port is not ours.
    let other = Served::new();
    let foreign = Visitor::of(&other).cookie;
    assert_eq!(visitor.status(stranger("/").header("cookie", foreign)), 401);
}

#[test]
fn a_write_needs_origin_site_key_and_cookie() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    let (origin, cookie, key) = (
        visitor.origin.as_str(),
        visitor.cookie.as_str(),
        visitor.key.as_str(),
    );
    let status = |origin: &str, site: &str, key: &str, cookie: &str| {
        let request = visitor.client.post(format!("{}/api/say", visitor.origin));
        let request = request.json(&json!({"session": "monday", "text": "hello"}));
        let headers = [
            ("origin", origin),
            ("sec-fetch-site", site),
            ("x-desk-key", key),
            ("cookie", cookie),
        ];
        let request = headers
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .fold(request, |request, (name, value)| {
                request.header(*name, *value)
            });
        visitor.status(request)
    };
    let port = origin.rsplit(':').next().unwrap();
    for other in [
        "",
        "null",
        "http://evil.example",
        &format!("http://localhost:{port}"),
        &format!("{origin}.evil.example"),
        "http://127.0.0.1:1",
    ] {
        assert_eq!(status(other, "same-origin", key, cookie), 403, "{other}");
    }
    for site in ["", "none", "same-site", "cross-site"] {
        assert_eq!(status(origin, site, key, cookie), 403, "{site}");
    }
    for other in ["", "0", &key[1..], cookie.split('=').nth(1).unwrap()] {
        assert_eq!(status(origin, "same-origin", other, cookie), 403, "{other}");
    }
    assert_eq!(status(origin, "same-origin", key, ""), 401);
    assert_eq!(served.tape.heard(), Vec::<String>::new());
    assert_eq!(status(origin, "same-origin", key, cookie), 202);
    assert_eq!(served.tape.heard(), ["say hello"]);
    // A form of another site cannot send JSON.
    let form = visitor
        .post("/api/say")
        .header("content-type", "text/plain")
        .body("{\"session\":\"monday\",\"text\":\"hi\"}");
    assert_eq!(visitor.status(form), 415);
    let put = visitor
        .client
        .put(format!("{origin}/api/say"))
        .header("cookie", cookie);
    assert_eq!(visitor.status(put), 405);
    let read = visitor
        .get("/api/hello")
        .header("sec-fetch-site", "cross-site");
    assert_eq!(visitor.status(read), 403);
}

#[test]
fn every_answer_forbids_what_a_page_does_not_need() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    let nobody = visitor.client.get(format!("{}/", visitor.origin));
    for request in [
        nobody,
        visitor.get("/"),
        visitor.get("/assets/main.js"),
        visitor.get("/assets/none"),
        visitor.get("/none"),
        visitor.get("/api/policy"),
    ] {
        let answer = visitor.send(request);
        let headers = answer.headers();
        let policy = headers["content-security-policy"].to_str().unwrap();
        for part in [
            "default-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        let value = |name: &str| headers[name].to_str().unwrap().to_owned();
        assert_eq!(value("x-content-type-options"), "nosniff");
        assert_eq!(value("referrer-policy"), "no-referrer");
        assert_eq!(value("cache-control"), "no-store");
        assert_eq!(value("cross-origin-resource-policy"), "same-origin");
        assert!(headers.get("access-control-allow-origin").is_none());
    }
    let page = visitor.text(visitor.get("/"));
    assert!(!page.contains("<script>") && !page.contains(" onclick") && !page.contains(" style="));
}

#[test]
fn secrets_are_in_no_file_and_no_event() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    visitor.order("say", json!({"text": "hello"}));
    let cookie = visitor.cookie.split('=').nth(1).unwrap();
    let mut texts = vec![
        visitor.text(visitor.get("/")),
        visitor.text(visitor.get("/assets/main.js")),
        visitor.text(visitor.get("/api/sessions")),
    ];
    texts.extend(
        visitor
            .events("", "turn_ended")
            .into_iter()
            .map(|(id, event)| format!("{id} {event}")),
    );
    for text in texts {
        assert!(
            !text.contains(cookie) && !text.contains(&visitor.key),
            "{text}"
        );
    }
    assert_ne!(cookie, visitor.key);
}

#[test]
fn other_machines_are_let_in_only_with_a_token_and_names() {
    let served = Served::new();
    let bind = |listen: [u8; 4], reach: Reach| {
        let bound = served
            .runtime
            .block_on(Server::bind(SocketAddr::from((listen, 0)), reach));
        bound
            .map(|server| server.links().fresh().unwrap())
            .map_err(|error| error.to_string())
    };
    let anywhere = |token: &str, hosts: &[&str]| Reach::Anywhere {
        token: token.to_owned(),
        hosts: hosts.iter().map(|it| (*it).to_owned()).collect(),
    };
    let refused = bind([0, 0, 0, 0], Reach::Loopback).unwrap_err();
    assert!(refused.contains("listen on 127.0.0.1"), "{refused}");
    let refused = bind([0, 0, 0, 0], anywhere("short", &["desk.example.org"])).unwrap_err();
    assert!(refused.contains("openssl rand"), "{refused}");
    let token = "0123456789abcdef0123456789abcdef";
    let refused = bind([0, 0, 0, 0], anywhere(token, &[])).unwrap_err();
    assert!(refused.contains("name the hosts"), "{refused}");
    let link = bind([127, 0, 0, 1], anywhere(token, &["desk.example.org"])).unwrap();
    assert!(link.ends_with(token), "{link}");
}
