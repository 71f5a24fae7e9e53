//! The world by HTTP.

use super::visitor::Visitor;
use crate::support::Served;
use serde_json::json;
use web_desk::MAX_UPLOAD;

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
    let said: serde_json::Value = served.runtime.block_on(missing.json()).unwrap();
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
    let upload = |body: Vec<u8>| {
        visitor
            .post("/api/upload?session=monday&folder=zoo/&name=new.txt")
            .header("content-type", "text/plain")
            .body(body)
    };
    assert_eq!(visitor.status(upload(vec![0; MAX_UPLOAD + 1])), 413);
    assert_eq!(visitor.status(upload(b"new".into())), 202);
    visitor.events("", "plan");
    assert_eq!(
        visitor.status(visitor.get("/api/read?path=zoo/new.txt")),
        404
    );
    visitor.order("decide", json!({"plan": 1, "apply": true}));
    visitor.events("", "turn_ended");
    assert_eq!(
        visitor.text(visitor.get("/api/read?path=zoo/new.txt")),
        "new"
    );
    assert_eq!(served.tape.heard(), ["upload zoo/new.txt", "decide 1 true"]);
}
