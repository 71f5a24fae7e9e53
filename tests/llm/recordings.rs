//! Recordings: what is written, and what is answered from it.

use super::providers::Provider;
use super::{message, request, watch};
use crate::support::scripted_http::Server;
use async_trait::async_trait;
use dialog2api::llm::{
    Completion, Model, Progress, Recorder, Replay, Request, ResponseCache, Role, Usage,
};
use dialog2api::{Error, Result};
use expect_test::{Expect, expect};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A model that answers with a number, one higher each time, and how long the
/// last message was; to "fail" it does not answer.
#[derive(Default)]
struct Counter(AtomicU64);

#[async_trait]
impl Model for Counter {
    fn name(&self) -> &str {
        "test:counter"
    }

    async fn complete(
        &self,
        request: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        let length = request.messages.last().map_or(0, |last| last.content.len());
        match request.messages.last() {
            Some(last) if last.content == "fail" => Err(Error::model("no")),
            _ => Ok(Completion {
                text: format!("{number}: {length} bytes\u{1b}"),
                finish: Some("stop".to_owned()),
                usage: Usage {
                    prompt_tokens: number,
                    ..Usage::default()
                },
            }),
        }
    }
}

struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Folder { folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("session.jsonl")
    }

    async fn record(&self, requests: &[Request]) -> String {
        let recorder = Recorder::open(self.file(), Counter::default()).expect("a recorder");
        for request in requests {
            watch(&recorder, request).await;
        }
        std::fs::read_to_string(self.file()).expect("a recording")
    }

    fn write(&self, text: impl AsRef<[u8]>) {
        std::fs::write(self.file(), text).expect("a file");
    }

    /// What replaying answers to the requests, and what is left then.
    async fn replay(&self, requests: &[Request]) -> String {
        let replay = match Replay::open(self.file()) {
            Ok(replay) => replay,
            Err(error) => return self.hide(&error.to_string()),
        };
        let mut seen = String::new();
        for request in requests {
            seen.push_str(&watch(&replay, request).await);
            seen.push('\n');
        }
        seen.push_str(&format!("{} left", replay.left()));
        self.hide(&seen)
    }

    fn hide(&self, text: &str) -> String {
        text.replace(&self.file().display().to_string(), "FILE")
    }
}

const DOC: &str = "def list_objects(Bucket):\n    \"\"\"Lists some of the objects in a bucket, a thousand at most.\"\"\"\n\ndef get_object(Bucket, Key):\n    \"\"\"Gives the content of an object, and what is known about it.\"\"\"\n\n";

fn prompt(turns: &str) -> Request {
    let mut request = request(&format!("{DOC}{turns}"));
    request
        .messages
        .insert(0, message(Role::System, "Programs."));
    request.temperature = 0.2;
    request.seed = Some(u64::MAX);
    request.stop = vec!["</goal>".to_owned()];
    request
}

#[tokio::test]
async fn long_texts_are_written_once() {
    let folder = Folder::new();
    let recording = folder
        .record(&[
            prompt("User: hi"),
            request("fail"),
            prompt("User: bye"),
            prompt("User: hi"),
        ])
        .await;
    expect![[r#"
        {"recording":"dialog2api","version":1}
        {"text":"7f901a278101373f","content":"def list_objects(Bucket):\n    \"\"\"Lists some of the objects in a bucket, a thousand at most.\"\"\"\n\n"}
        {"text":"c52bfa8c4f1af5bd","content":"def get_object(Bucket, Key):\n    \"\"\"Gives the content of an object, and what is known about it.\"\"\"\n\n"}
        {"text":"bc64242cffed2a27","content":[{"text":"7f901a278101373f"},{"text":"c52bfa8c4f1af5bd"},"User: hi"]}
        {"model":"test:counter","request":{"messages":[{"role":"system","content":"Programs."},{"role":"user","content":{"text":"bc64242cffed2a27"}}],"max_tokens":64,"temperature":0.2,"stop":["</goal>"],"seed":18446744073709551615},"completion":{"text":"0: 204 bytes\u001b","finish":"stop","usage":{"prompt_tokens":0,"cached_tokens":0,"completion_tokens":0}}}
        {"text":"326d260dfa133916","content":[{"text":"7f901a278101373f"},{"text":"c52bfa8c4f1af5bd"},"User: bye"]}
        {"model":"test:counter","request":{"messages":[{"role":"system","content":"Programs."},{"role":"user","content":{"text":"326d260dfa133916"}}],"max_tokens":64,"temperature":0.2,"stop":["</goal>"],"seed":18446744073709551615},"completion":{"text":"2: 205 bytes\u001b","finish":"stop","usage":{"prompt_tokens":2,"cached_tokens":0,"completion_tokens":0}}}
        {"model":"test:counter","request":{"messages":[{"role":"system","content":"Programs."},{"role":"user","content":{"text":"bc64242cffed2a27"}}],"max_tokens":64,"temperature":0.2,"stop":["</goal>"],"seed":18446744073709551615},"completion":{"text":"3: 204 bytes\u001b","finish":"stop","usage":{"prompt_tokens":3,"cached_tokens":0,"completion_tokens":0}}}
    "#]].assert_eq(&recording);
}

#[tokio::test]
async fn a_recording_answers_as_the_model_did() {
    let folder = Folder::new();
    let asked = [
        prompt("hi"),
        request(""),
        request("two\n\nparts"),
        prompt("hi"),
    ];
    folder.record(&asked).await;
    expect![[r#"
        text "0: 198 bytes\u{1b}"
        answer "0: 198 bytes\u{1b}", finish stop, tokens 0 (0 cached) + 0
        text "1: 0 bytes\u{1b}"
        answer "1: 0 bytes\u{1b}", finish stop, tokens 1 (0 cached) + 0
        text "2: 10 bytes\u{1b}"
        answer "2: 10 bytes\u{1b}", finish stop, tokens 2 (0 cached) + 0
        text "3: 198 bytes\u{1b}"
        answer "3: 198 bytes\u{1b}", finish stop, tokens 3 (0 cached) + 0
        0 left"#]]
    .assert_eq(&folder.replay(&asked).await);
}

#[tokio::test]
async fn a_recording_can_be_added_to() {
    let folder = Folder::new();
    let first = folder.record(&[prompt("hi")]).await;
    folder.write(first.trim_end());
    let both = folder.record(&[prompt("hi")]).await;
    assert!(both.starts_with(&first));
    // Nothing but the exchange is new.
    assert_eq!(both.lines().count(), first.lines().count() + 1);
    expect![[r#"
        text "0: 198 bytes\u{1b}"
        answer "0: 198 bytes\u{1b}", finish stop, tokens 0 (0 cached) + 0
        text "0: 198 bytes\u{1b}"
        answer "0: 198 bytes\u{1b}", finish stop, tokens 0 (0 cached) + 0
        0 left"#]]
    .assert_eq(&folder.replay(&[prompt("hi"), prompt("hi")]).await);
}

#[tokio::test]
async fn one_recorder_at_a_time() {
    let folder = Folder::new();
    let _first = Recorder::open(folder.file(), Counter::default()).expect("a recorder");
    let second = Recorder::open(folder.file(), Counter::default()).err();
    let error = second.expect("an error").to_string();
    expect!["FILE: is being recorded to by another process"].assert_eq(&folder.hide(&error));
}

#[tokio::test]
async fn what_is_new_about_a_request_is_shown() {
    let folder = Folder::new();
    folder.record(&[request("hi"), prompt("User: hi")]).await;
    let mut changed = prompt("User: hi\u{1b}");
    changed.max_tokens = 65;
    expect![[r#"
        error: FILE: a request is not in the recording; the nearest one is in line 6:
        --- recorded
        +++ asked now
        @@ -1,3 +1,3 @@
        -max_tokens: 64
        +max_tokens: 65
         temperature: 0.2
         stop: ["</goal>"]
        @@ -12,3 +12,3 @@
             """Gives the content of an object, and what is known about it."""
 
        -User: hi
        +User: hi�
        To record anew, use a model in place of the recording
        text "0: 2 bytes\u{1b}"
        answer "0: 2 bytes\u{1b}", finish stop, tokens 0 (0 cached) + 0
        error: FILE: the same request was sent more often than it was recorded
        To record anew, use a model in place of the recording
        1 left"#]]
    .assert_eq(
        &folder
            .replay(&[changed, request("hi"), request("hi")])
            .await,
    );
    let long: String = (0..100)
        .map(|line| format!("{line}{}\n", "x".repeat(300)))
        .collect();
    let seen = folder.replay(&[request(&long)]).await;
    assert!(seen.contains("… and ") && seen.len() < 15_000, "{seen}");
}

#[tokio::test]
async fn a_line_that_was_cut_off() {
    let folder = Folder::new();
    let recording = folder.record(&[request("hi"), request("bye")]).await;
    folder.write(&recording[..recording.len() - 9]);
    expect![[r#"
        text "0: 2 bytes\u{1b}"
        answer "0: 2 bytes\u{1b}", finish stop, tokens 0 (0 cached) + 0
        error: FILE: a request is not in the recording; the nearest one is in line 2:
        --- recorded
        +++ asked now
        @@ -4,3 +4,3 @@
         seed: None
         [User]
        -hi
        +bye
        line 3 of the recording is cut off and was left out
        To record anew, use a model in place of the recording
        0 left"#]]
    .assert_eq(&folder.replay(&[request("hi"), request("bye")]).await);
    let error = Recorder::open(folder.file(), Counter::default()).err();
    expect!["FILE: line 3 is cut off: delete it before recording more"]
        .assert_eq(&folder.hide(&error.expect("an error").to_string()));
}

async fn check_damaged(text: impl AsRef<[u8]>, expected: Expect) {
    let folder = Folder::new();
    folder.write(text);
    expected.assert_eq(&folder.replay(&[]).await);
}

#[tokio::test]
async fn files_that_are_no_recordings() {
    let header = "{\"recording\":\"dialog2api\",\"version\":1}\n";
    check_damaged("", expect![[r#"FILE: is not a recording: the first line should be {"recording":"dialog2api","version":1}"#]]).await;
    check_damaged("# notes\n", expect![[r#"FILE: is not a recording: the first line should be {"recording":"dialog2api","version":1}"#]]).await;
    check_damaged(header.replace('1', "2"), expect!["FILE: is a recording of version 2, and this program reads up to 1: use a newer dialog2api"]).await;
    check_damaged(header, expect!["0 left"]).await;
    let line = |line: &str| format!("{header}{line}\n");
    check_damaged(
        line("{\"text\""),
        expect!["FILE: line 2: EOF while parsing an object at line 1 column 7"],
    )
    .await;
    check_damaged(
        line("{}"),
        expect!["FILE: line 2: is neither a text nor an exchange"],
    )
    .await;
    check_damaged(
        [header.as_bytes(), b"\xff\n"].concat(),
        expect!["FILE: line 2: expected value at line 1 column 1"],
    )
    .await;
    check_damaged(line(r#"{"text":"0123456789abcdef","content":"x"}"#), expect!["FILE: line 2: the text 0123456789abcdef was changed after it was recorded; record the session again"]).await;
    check_damaged(
        line(r#"{"text":"x","content":[{"text":"y"}]}"#),
        expect!["FILE: line 2: the text y is not defined above"],
    )
    .await;
    let exchange = r#"{"model":"m","request":{"messages":[{"role":"user","content":7}]},"completion":{"text":"","finish":null,"usage":{"prompt_tokens":0,"cached_tokens":0,"completion_tokens":0}}}"#;
    check_damaged(
        line(exchange),
        expect!["FILE: line 2: a message's content is not a text"],
    )
    .await;
    check_damaged(
        line(&exchange.replace('7', "\"hi\"")),
        expect!["FILE: line 2: missing field `max_tokens`"],
    )
    .await;
    check_damaged(
        line(&exchange.replace("\"text\":\"\",", "")),
        expect!["FILE: line 2: missing field `text`"],
    )
    .await;
    let error = Replay::open(Path::new("no/such.jsonl")).expect_err("no file");
    expect!["cannot read the recording no/such.jsonl: No such file or directory (os error 2)"]
        .assert_eq(&error.to_string());
}

#[tokio::test]
async fn an_empty_recording_says_so() {
    let folder = Folder::new();
    folder.record(&[]).await;
    expect![[r#"
        error: FILE: the recording holds no exchange
        To record anew, use a model in place of the recording
        0 left"#]]
    .assert_eq(&folder.replay(&[request("hi")]).await);
}

/// Two models behind one name, such as two sizes of it on two ports, share no answers.
#[tokio::test]
async fn a_cache_tells_servers_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = ResponseCache::open(folder.path().join("answers.jsonl"));
    let cache = Arc::new(cache.expect("a cache"));
    for provider in [Provider::OpenAi, Provider::Anthropic] {
        let small = Server::start(vec![provider.says("small")]).await;
        let large = Server::start(vec![provider.says("large")]).await;
        for (server, said) in [(&small, "small"), (&large, "large"), (&small, "small")] {
            let model = cache.around(Arc::from(provider.model(server.address, |_| {})));
            let seen = watch(&*model, &request("who are you?")).await;
            assert!(seen.contains(said), "{seen}");
        }
    }
}
