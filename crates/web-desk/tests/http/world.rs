//! The world by HTTP.

use super::visitor::Visitor;
use crate::support::Served;
use serde_json::{Value, json};

#[test]
fn what_is_read_is_saved_and_never_shown_as_a_page() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    let answer = visitor.send(visitor.get("/api/read?path=zoo/logs/a.log"));
    let value = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(value("content-type"), "application/octet-stream");
    assert_eq!(value("content-disposition"), "attachment");
    assert_eq!(
        value("content-security-policy"),
        "default-src 'none'; sandbox"
    );
    assert_eq!(value("content-length"), "63");
    assert_eq!(value("x-content-type-options"), "nosniff");
    assert_eq!(
        visitor.text(visitor.get("/api/read?path=zoo/logs/a.log&most=10")),
        "2026-11-28"
    );
    assert_eq!(
        visitor.text(visitor.get("/api/read?path=zoo/logs/a.log&most=0")),
        ""
    );
    let missing = visitor.send(visitor.get("/api/read?path=zoo/none"));
    assert_eq!(missing.status(), 404);
    let said: Value = served.runtime.block_on(missing.json()).unwrap();
    assert_eq!(said["error"], "Nothing lies at zoo/none");
}

#[test]
fn a_folder_is_read_page_by_page() {
    let served = Served::with(2500);
    let visitor = Visitor::of(&served);
    let top = visitor.json(visitor.get("/api/browse"));
    let names: Vec<_> = top["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].clone())
        .collect();
    assert_eq!(names, ["attic", "zoo"]);
    let (mut after, mut found, mut pages) = (String::new(), 0, 0);
    loop {
        let page = visitor.json(visitor.get(&format!(
            "/api/browse?path=zoo/big/&find=KEY-0023&after={after}"
        )));
        assert_eq!(
            page["way"],
            json!([{"name": "zoo", "path": "zoo/"}, {"name": "big", "path": "zoo/big/"}])
        );
        found += page["entries"].as_array().unwrap().len();
        pages += 1;
        match page["more"].as_str() {
            Some(more) => after = more.to_owned(),
            None => break,
        }
    }
    assert_eq!((pages, found), (3, 100));
}

#[test]
fn an_upload_becomes_a_plan_and_nothing_before_it() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    let receive = |session: &str, body: Vec<u8>| {
        let request = visitor.post(&format!("/api/receive?session={session}"));
        visitor.send(request.body(body))
    };
    assert_eq!(receive("friday", b"new".into()).status(), 409);
    // Far more than a command may have.
    let large = vec![7; 40 << 20];
    let held = receive("monday", large.clone());
    let held: Value = served.runtime.block_on(held.json()).unwrap();
    assert_eq!(served.tape.received(), 1);
    let files = json!([{"held": held["held"], "name": "trip/new.bin", "media_type": null}]);
    let upload = json!({"folder": "zoo/", "files": files});
    assert_eq!(visitor.order("upload", upload).0, 202);
    visitor.events("", "plan");
    let read = || visitor.get("/api/read?path=zoo/trip/new.bin");
    assert_eq!(visitor.status(read()), 404);
    visitor.order("decide", json!({"plan": 1, "apply": true}));
    visitor.events("", "turn_ended");
    let answer = visitor.send(read());
    let bytes = served.runtime.block_on(answer.bytes()).unwrap();
    assert!(bytes == large);
    assert_eq!(
        served.tape.heard(),
        ["upload zoo/trip/new.bin", "decide 1 true"]
    );
}

#[test]
fn a_file_that_is_cut_off_is_not_taken_in() {
    let served = Served::new();
    let visitor = Visitor::of(&served);
    let pieces = [Ok("half"), Err(std::io::Error::other("gone"))];
    let body = reqwest::Body::wrap_stream(futures_util::stream::iter(pieces));
    let request = visitor.post("/api/receive?session=monday").body(body);
    let sent = served.runtime.block_on(async { request.send().await });
    assert!(sent.is_err(), "{sent:?}");
    // The next request is answered after that one ended.
    visitor.json(visitor.get("/api/browse"));
    assert_eq!(served.tape.received(), 0);
}
