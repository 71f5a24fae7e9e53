//! The lines of `dialog2api worker`, as any client meets them.

use crate::support::command::dialog2api;
use expect_test::{Expect, expect};
use serde_json::Value as Json;
use std::io::Write;
use std::process::Stdio;

/// Sends lines, closes the input, and shows what comes back, without what is another each time.
fn check(lines: &str, expected: Expect) {
    let mut worker = dialog2api()
        .arg("worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = worker.stdin.take().expect("an input");
    let mut output = std::io::BufReader::new(worker.stdout.take().expect("an output"));
    let mut shown = String::new();
    let mut read = |shown: &mut String| {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut output, &mut line).expect("a line");
        let mut value: Json = serde_json::from_str(&line).expect("JSON");
        if let Some(version) = value.get_mut("dialog2api") {
            *version = "VERSION".into();
        }
        if let Some(elapsed) = value.pointer_mut("/done/elapsed") {
            *elapsed = 0.into();
        }
        *shown += &format!("{value}\n");
    };
    read(&mut shown);
    for line in lines.lines() {
        input.write_all(line.as_bytes()).expect("it reads");
        input.write_all(b"\n").expect("it reads");
        read(&mut shown);
    }
    drop(input);
    let ended = worker.wait_with_output().expect("it ends");
    assert!(ended.status.success());
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
    expected.assert_eq(&shown);
}

#[test]
fn every_request_ends_in_one_line() {
    check(
        r#"{"id": 1, "do": "world", "name": "empty"}
{"id": 2, "do": "run", "world": 1, "program": "s3.create_bucket(Bucket='my-attic')"}
{"id": 3, "do": "fork", "world": 1}
{"id": 4, "do": "run", "world": 2, "program": "s3.delete_bucket(Bucket='my-attic')\nreturn 1 / 0"}
{"id": 5, "do": "diff", "world": 1, "other": 2}
{"id": 6, "do": "signature", "world": 2}"#,
        expect![[r#"
            {"dialog2api":"VERSION","protocol":1}
            {"id":1,"done":{"world":1,"describe":"empty"}}
            {"id":2,"done":{"result":null,"error":null,"signature":"dbcbcde3","calls":[{"operation":"create_bucket","error":null}],"elapsed":0,"output":"","ended_by":"program","unread":[],"notes":[],"links":[]}}
            {"id":3,"done":{"world":2,"describe":"empty"}}
            {"id":4,"done":{"result":null,"error":{"error":"ZeroDivisionError","message":"division by zero","traceback":"Traceback (most recent call last):\n  File \"program.py\", line 2, in program\n    return 1 / 0\nZeroDivisionError: division by zero"},"signature":"3590c504","calls":[{"operation":"delete_bucket","error":null}],"elapsed":0,"output":"","ended_by":"program","unread":[],"notes":[],"links":[]}}
            {"id":5,"done":[{"kind":"deleted","line":"- my-attic/","keeps_state":false,"details":{"change":"bucket_deleted","bucket":"my-attic"}}]}
            {"id":6,"done":"e3b0c442"}
        "#]],
    );
}

#[test]
fn what_is_no_request_is_refused_and_nothing_else_happens() {
    check(
        r#"what?
{"id": 1}
{"id": 2, "do": "dance"}
{"do": "run"}
{"id": 3, "do": "run", "program": "return 1", "limits": {"patience": 1}}
{"id": 4, "do": "run", "program": "return 1", "limits": {"deadline": -1}}
{"id": 5, "do": "fork", "world": 9}
{"id": 6, "do": "say", "conversation": 1, "text": "hello"}
{"id": 7, "do": "run", "world": "no-such-world.toml", "program": "return 1"}
{"id": 8, "do": "world", "options": {"end-point": "http://127.0.0.1:9000"}}"#,
        expect![[r#"
            {"dialog2api":"VERSION","protocol":1}
            {"id":null,"failed":{"kind":"usage","message":"this is no request: expected value at line 1 column 1"}}
            {"id":1,"failed":{"kind":"usage","message":"this is no request: missing field `do`"}}
            {"id":2,"failed":{"kind":"usage","message":"this is no request: unknown variant `dance`, expected one of `world`, `fork`, `signature`, `content`, `diff`, `forget`, `prepare`, `run`, `check`, `open`, `say`, `decide`, `go_on`, `cancel`, `undo`, `transcript`, `forms`, `close`, `evaluate`, `claims`"}}
            {"id":null,"failed":{"kind":"usage","message":"this is no request: missing field `id`"}}
            {"id":3,"failed":{"kind":"usage","message":"this is no request: unknown field `patience`, expected one of `deadline`, `fuel`, `memory`, `calls`"}}
            {"id":4,"failed":{"kind":"usage","message":"deadline: cannot convert float seconds to Duration: value is negative"}}
            {"id":5,"failed":{"kind":"usage","message":"there is no world 9 (any more)"}}
            {"id":6,"failed":{"kind":"usage","message":"there is no conversation 1 (any more)"}}
            {"id":7,"failed":{"kind":"file","message":"no-such-world.toml: there is no such file; a world is `zoology`, `empty`, a description (FILE.toml) or a folder whose subfolders are buckets"}}
            {"id":8,"failed":{"kind":"usage","message":"a world has no option \"end-point\"; the options are: files, endpoint-url, profile, region, addressing, signature, signature-limit, signature-objects"}}
        "#]],
    );
}
