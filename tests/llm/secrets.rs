//! Keys and passwords do not get into recordings, whoever repeats them.

use super::providers::{ALL, KEY};
use super::{request, watch};
use crate::support::scripted_http::Server;
use dialog2api::llm::{Recorder, Replay, ResponseCache};
use expect_test::expect;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

#[tokio::test]
async fn a_recording_has_no_keys_and_is_replayed_all_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("session.jsonl");
    let asked = request("copy from https://me:hunter2@x.test/a to the bucket");
    for provider in ALL {
        let text = format!("You sent {KEY}. I take hf_abcdefghij0123456789.");
        let server = Server::start(vec![provider.says(&text)]).await;
        let model = provider.model(server.address, |_| {});
        let recorder = Recorder::open(&file, model).expect("a recorder");
        watch(&recorder, &asked).await;
    }
    let recorded = std::fs::read_to_string(&file).expect("a recording");
    expect![[r#"
        {"recording":"dialog2api","version":1}
        {"model":"openai:m1","request":{"messages":[{"role":"user","content":"copy from https://[key]@x.test/a to the bucket"}],"max_tokens":64,"temperature":0.0,"stop":[],"seed":null},"completion":{"text":"You sent [key]. I take [key].","finish":"stop","usage":{"prompt_tokens":12,"cached_tokens":5,"completion_tokens":2}}}
        {"model":"anthropic:m1","request":{"messages":[{"role":"user","content":"copy from https://[key]@x.test/a to the bucket"}],"max_tokens":64,"temperature":0.0,"stop":[],"seed":null},"completion":{"text":"You sent [key]. I take [key].","finish":"stop","usage":{"prompt_tokens":12,"cached_tokens":5,"completion_tokens":2,"cache_write_tokens":3}}}
        {"model":"bedrock:m1","request":{"messages":[{"role":"user","content":"copy from https://[key]@x.test/a to the bucket"}],"max_tokens":64,"temperature":0.0,"stop":[],"seed":null},"completion":{"text":"You sent [key]. I take [key].","finish":"stop","usage":{"prompt_tokens":12,"cached_tokens":5,"completion_tokens":2,"cache_write_tokens":3}}}
    "#]].assert_eq(&recorded);
    for secret in [KEY, "hunter2", "hf_abc"] {
        assert!(!recorded.contains(secret), "{secret} in {recorded}");
    }
    let replay = Replay::open(&file).expect("a replay");
    for _ in ALL {
        let seen = watch(&replay, &asked).await;
        assert!(seen.contains("You sent [key]. I take [key]."), "{seen}");
    }
    assert_eq!(replay.left(), 0);
}

#[tokio::test]
async fn a_cache_of_answers_has_no_keys_and_knows_the_request_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("answers.jsonl");
    let asked = request("copy from https://me:hunter2@x.test/a to the bucket");
    for provider in ALL {
        let server = Server::start(vec![provider.hello()]).await;
        for _ in 0..2 {
            // It is read from the file the second time.
            let cache = Arc::new(ResponseCache::open(&file).expect("a cache"));
            let mode = std::fs::metadata(&file)
                .expect("a file")
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600, "dialogues are their owner's alone");
            let model = cache.around(Arc::from(provider.model(server.address, |_| {})));
            watch(&*model, &asked).await;
        }
        assert_eq!(server.requests().len(), 1);
        let kept = std::fs::read_to_string(&file).expect("answers");
        assert!(!kept.contains("hunter2"), "{kept}");
        std::fs::remove_file(&file).expect("a file");
    }
}

#[tokio::test]
async fn an_outcome_is_recorded_without_the_keys_that_it_quotes() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("session.jsonl");
    // Three texts that a program read, as a prompt shows them.
    let asked = request(
        r#"<result>["[me]\nAKIAIOSFODNN7EXAMPLE\n", "{\"SecretAccessKey\": \"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\"}", "https://b.test/k?X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"]</result>"#,
    );
    for provider in ALL {
        let server = Server::start(vec![provider.hello()]).await;
        let model = provider.model(server.address, |_| {});
        let recorder = Recorder::open(&file, model).expect("a recorder");
        watch(&recorder, &asked).await;
    }
    let recorded = std::fs::read_to_string(&file).expect("a recording");
    for secret in ["AKIA", "wJalr", "aeeed9bb"] {
        assert!(!recorded.contains(secret), "{secret} in {recorded}");
    }
    let replay = Replay::open(&file).expect("a replay");
    for _ in ALL {
        watch(&replay, &asked).await;
    }
    assert_eq!(replay.left(), 0);
}
