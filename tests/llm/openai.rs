//! The OpenAI-compatible client, and what only its servers do; `failures.rs` has the rest.

use super::{message, request, watch};
use crate::support::scripted_http::{Answer, Server, response, stream};
use dialog2api::llm::{ApiKey, Backoff, OpenAi, OpenAiConfig, Progress, Role};
use dialog2api::{FailureReason, llm::Model};
use expect_test::{Expect, expect};
use std::time::Duration;

const KEY: &str = "sk-very-secret";

fn config(base_url: &str) -> OpenAiConfig {
    let mut config = OpenAiConfig::new(base_url, "m1");
    config.api_key = ApiKey::new(KEY);
    config.backoff = Backoff {
        max_retries: 2,
        first: Duration::from_millis(1),
        jitter: 0.0,
        ..Backoff::default()
    };
    config
}

/// Asks a server that follows the script, and compares what a person sees.
async fn check(script: Vec<Answer>, expected: Expect) {
    check_with(script, |_| {}, expected).await;
}

/// Asks a server that greets in the end.
async fn check_hello(script: Vec<Answer>) {
    let greeting = expect![[r#"
        text "Hé"
        text "llo"
        answer "Héllo", finish stop, tokens 9 (5 cached) + 2"#]];
    check(script, greeting).await;
}

async fn check_with(script: Vec<Answer>, change: fn(&mut OpenAiConfig), expected: Expect) {
    let length = script.len();
    let server = Server::start(script).await;
    let mut config = config(&server.base_url());
    change(&mut config);
    let model = OpenAi::new(config).expect("a client");
    let mut asked = request("hello");
    asked.stop = vec!["</end>".to_owned()];
    let seen = watch(&model, &asked).await;
    assert!(!seen.contains(KEY), "the key shows: {seen}");
    assert_eq!(server.requests().len(), length, "of the script was played");
    expected.assert_eq(&seen.replace(&server.base_url(), "BASE"));
}

const BEGIN: &str = r#"data: {"choices":[{"delta":{"role":"assistant","content":null}}]}

data: {"choices":[{"delta":{"content":"Hé"}}]}

"#;
const END: &str = r#"data: {"choices":[{"delta":{"content":"llo"},"finish_reason":null}]}

data: {"choices":[{"delta":{},"finish_reason":"stop"}]}

"#;
const USAGE: &str = r#"data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":5}}}

"#;
const DONE: &str = "data: [DONE]\n\n";

fn hello() -> Answer {
    stream(format!("{BEGIN}{END}{USAGE}{DONE}"))
}

#[tokio::test]
async fn the_request_is_what_the_protocol_says() {
    let server = Server::start(vec![hello()]).await;
    let mut config = config(&server.base_url());
    config.extra.insert("top_k".into(), 1.into());
    config.extra.insert("seed".into(), serde_json::Value::Null);
    let mut asked = request("hello");
    asked.messages.insert(0, message(Role::System, "be brief"));
    asked.temperature = 0.2;
    asked.stop = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
    asked.seed = Some(7);
    watch(&OpenAi::new(config).expect("a client"), &asked).await;
    let sent = server.requests().remove(0);
    let (head, body) = sent.split_once("\r\n\r\n").expect("a body");
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"));
    assert!(head.contains("authorization: Bearer sk-very-secret"));
    expect![[r#"{"model":"m1","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hello"}],"stream":true,"stream_options":{"include_usage":true},"max_tokens":64,"temperature":0.2,"stop":["a","b","c","d"],"top_k":1}"#]].assert_eq(body);
}

#[tokio::test]
async fn a_text_goes_where_texts_are_gone_on_with() {
    let server = Server::start(vec![hello()]).await;
    let mut asked = request("");
    asked.messages = vec![message(Role::Text, "Once upon a")];
    asked.grammar = Some("root ::= \" time\"".to_owned());
    watch(
        &OpenAi::new(config(&server.base_url())).expect("a client"),
        &asked,
    )
    .await;
    let sent = server.requests().remove(0);
    let (head, body) = sent.split_once("\r\n\r\n").expect("a body");
    assert!(
        head.starts_with("POST /v1/completions HTTP/1.1\r\n"),
        "{head}"
    );
    expect![[r#"{"model":"m1","prompt":"Once upon a","stream":true,"stream_options":{"include_usage":true},"max_tokens":64,"temperature":0.0,"grammar":"root ::= \" time\""}"#]].assert_eq(body);
}

#[tokio::test]
async fn a_stream() {
    check(
        vec![hello()],
        expect![[r#"
        text "Hé"
        text "llo"
        answer "Héllo", finish stop, tokens 9 (5 cached) + 2"#]],
    )
    .await;
}

#[tokio::test]
async fn a_stream_as_sloppy_servers_send_it() {
    // No content type, CR LF, comments, no space, no end, llama.cpp's counts.
    let body = ": ping\r\n\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\r\n\r\ndata:{\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}],\"timings\":{\"cache_n\":7,\"prompt_n\":3,\"predicted_n\":1}}";
    check(
        vec![response("200 OK", body)],
        expect![[r#"
        text "x"
        answer "x", finish length, tokens 10 (7 cached) + 1"#]],
    )
    .await;
}

#[tokio::test]
async fn bytes_that_come_one_by_one() {
    let Answer::Bytes(bytes) = hello() else {
        unreachable!("a script of bytes")
    };
    let text = String::from_utf8(bytes).expect("text");
    let (head, body) = text.split_once("\r\n\r\n").expect("a body");
    let mut chunked = format!("{head}\r\nTransfer-Encoding: chunked\r\n\r\n").into_bytes();
    for byte in body.bytes() {
        chunked.extend_from_slice(&[b'1', b'\r', b'\n', byte, b'\r', b'\n']);
    }
    chunked.extend_from_slice(b"0\r\n\r\n");
    check(
        vec![Answer::Bytes(chunked)],
        expect![[r#"
        text "Hé"
        text "llo"
        answer "Héllo", finish stop, tokens 9 (5 cached) + 2"#]],
    )
    .await;
}

#[tokio::test]
async fn an_answer_in_one_piece() {
    let body = r#"{"choices":[{"message":{"content":"Hello</end> and on"},"finish_reason":"length"}],"usage":{"prompt_tokens":9,"completion_tokens":2},"tokens_cached":99}"#;
    let head = "200 OK\nContent-Type: application/json";
    check(
        vec![response(head, body)],
        expect![[r#"
        text "Hello</end> and on"
        answer "Hello", finish stop, tokens 9 (9 cached) + 2"#]],
    )
    .await;
}

#[tokio::test]
async fn a_key_that_is_not_accepted() {
    let body = r#"{"error":{"message":"Incorrect API key provided: sk-very-secret.","type":"invalid_request_error","code":"invalid_api_key"}}"#;
    check(vec![response("401 Unauthorized", body)], expect!["error: BASE does not accept the API key (401): Incorrect API key provided: [key]. Check DIALOG2API_API_KEY, OPENAI_API_KEY, or the key that the config file names"]).await;
    let no_key = |config: &mut OpenAiConfig| config.api_key = None;
    check_with(vec![response("401 Unauthorized", "")], no_key, expect!["error: BASE wants an API key (401). Set DIALOG2API_API_KEY or OPENAI_API_KEY, or api_key_file under [model] in the config file"]).await;
}

#[tokio::test]
async fn refusals_are_not_repeated() {
    check(vec![response("403 Forbidden", "<html><head><title>403 Forbidden</title>")], expect!["error: BASE forbids this (403): 403 Forbidden. The key may lack the right to use model `m1`; name another with --model openai:NAME"]).await;
    check(vec![response("404 Not Found", r#"{"error":"model \"m1\" not found\u001b[2J"}"#)], expect![[r#"error: BASE has no model `m1`, or no chat completions at this address (404): model "m1" not found [2J. Check --model openai:NAME and --base-url, which mostly ends in /v1"#]]).await;
    check(
        vec![response(
            "400 Bad Request",
            r#"{"detail":"temperature\n is not for you"}"#,
        )],
        expect![[r#"error: BASE refuses the request (400): temperature is not for you. To leave out a field that the server does not accept, set omit = ["temperature"] under [model] in the config file"#]],
    )
    .await;
    check(vec![response("308 Permanent Redirect\nLocation: https://x.test/v1", "")], expect!["error: BASE redirects (308 Permanent Redirect): https://x.test/v1. Set --base-url or OPENAI_BASE_URL to where the server is"]).await;
    check(vec![response("429 Too Many Requests", r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#)], expect!["error: BASE says that the account's quota is used up (429): You exceeded your current quota. Add credit, or use another server or model with --base-url and --model"]).await;
}

#[tokio::test]
async fn busy_servers_are_asked_again() {
    let busy = |headers: &str| {
        let head = format!("429 Too Many Requests{headers}");
        response(&head, r#"{"error":{"message":"slow down"}}"#)
    };
    check(
        vec![busy(""), busy("\nRetry-After-Ms: 3"), hello()],
        expect![[r#"
        wait 1ms after try 1: BASE is busy (429): slow down
        wait 3ms after try 2: BASE is busy (429): slow down
        text "Hé"
        text "llo"
        answer "Héllo", finish stop, tokens 9 (5 cached) + 2"#]],
    )
    .await;
    check(
        vec![busy("\nRetry-After: 3600")],
        expect!["error: BASE is busy (429): slow down; it asks to come back in 3600s"],
    )
    .await;
    check(
        vec![
            busy("\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT"),
            hello(),
        ],
        expect![[r#"
            wait 1ms after try 1: BASE is busy (429): slow down
            text "Hé"
            text "llo"
            answer "Héllo", finish stop, tokens 9 (5 cached) + 2"#]],
    )
    .await;
}

#[tokio::test]
async fn a_wait_is_announced_before_it_begins() {
    let busy = response("503 Service Unavailable\nRetry-After: 30", "loading model");
    let server = Server::start(vec![busy]).await;
    let model = OpenAi::new(config(&server.base_url())).expect("a client");
    let (announce, announced) = tokio::sync::oneshot::channel();
    let mut announce = Some(announce);
    let mut progress = |progress: Progress<'_>| {
        if let Progress::Waiting { delay, .. } = progress
            && let Some(announce) = announce.take()
        {
            let _ = announce.send(delay);
        }
    };
    let asked = request("hello");
    // The wait is 30 s long; dropping the completion ends it.
    tokio::select! {
        result = model.complete(&asked, &mut progress) => panic!("no wait: {result:?}"),
        delay = announced => assert_eq!(delay, Ok(Duration::from_secs(30))),
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off() {
    check(
        vec![
            stream(format!("{BEGIN}data: {{\"choi")),
            Answer::Bytes(Vec::new()),
            hello(),
        ],
        expect![[r#"
        text "Hé"
        restart
        wait 1ms after try 1: BASE broke off its answer: the stream ended too early
        wait 2ms after try 2: BASE closed the connection: connection closed before message completed
        text "Hé"
        text "llo"
        answer "Héllo", finish stop, tokens 9 (5 cached) + 2"#]],
    )
    .await;
    let short = "200 OK\nContent-Type: application/json\nContent-Length: 900";
    let cut = r#"{"choices":[{"mess"#;
    check(
        vec![
            response(short, cut),
            response("200 OK", cut),
            response("200 OK", ""),
        ],
        expect![[r#"
        wait 1ms after try 1: BASE broke off its answer: end of file before message length reached
        wait 2ms after try 2: BASE broke off its answer: the JSON ended too early
        error: BASE answered nothing (tried 3 times)"#]],
    )
    .await;
}

#[tokio::test]
async fn bytes_that_are_no_text() {
    check(
        vec![stream(
            b"data: {\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}\n\n",
        )],
        expect!["error: BASE answered with bytes that are not UTF-8"],
    )
    .await;
    check(
        vec![response("200 OK", b"{\"choices\":\"\xff\"}")],
        expect!["error: BASE answered with bytes that are not UTF-8"],
    )
    .await;
}

#[tokio::test]
async fn success_that_is_none() {
    let head = "200 OK\nContent-Type: application/json";
    check(vec![response(head, r#"{"error":{"message":"context length exceeded","type":"invalid_request_error"}}"#)], expect!["error: BASE refuses the request (inside its answer): context length exceeded. Start the server with a longer context (llama-server -c 16384, OLLAMA_CONTEXT_LENGTH=16384) or use a model with one"]).await;
    let late = format!(
        "{BEGIN}data: {{\"error\":{{\"message\":\"overheated\",\"type\":\"server_error\"}}}}\n\n"
    );
    check(
        vec![stream(late), hello()],
        expect![[r#"
            text "Hé"
            restart
            wait 1ms after try 1: BASE failed (inside its answer): overheated
            text "Hé"
            text "llo"
            answer "Héllo", finish stop, tokens 9 (5 cached) + 2"#]],
    )
    .await;
    check(
        vec![stream("data: oops\n\n")],
        expect!["error: BASE sent an event that is not JSON: oops"],
    )
    .await;
    check(vec![response(head, r#"{"models":[]}"#)], expect![[r#"error: BASE answered with application/json, which is no chat completion: {"models":[]}. Check --base-url, which mostly ends in /v1"#]]).await;
}

#[tokio::test]
async fn something_else_altogether() {
    let page = "<!doctype html><html><title>Router login</title></html>";
    check(vec![response("200 OK\nContent-Type: text/html", page)], expect!["error: BASE answered with text/html, which is no chat completion: Router login. Check --base-url, which mostly ends in /v1"]).await;
    check(vec![response("200 OK\nContent-Type: text/plain", "Ollama is running")], expect!["error: BASE answered with text/plain, which is no chat completion: Ollama is running. Check --base-url, which mostly ends in /v1"]).await;
}

#[tokio::test]
async fn answers_without_end() {
    let ten_million = "x".repeat(10_000_000);
    let whole = format!(r#"{{"choices":[{{"message":{{"content":"{ten_million}"}}}}]}}"#);
    check(vec![response("200 OK", whole)], expect!["error: BASE answered with more than 8388608 bytes, and the rest was not read. A model that does not end needs a stop sequence or fewer tokens"]).await;
    check(vec![stream(format!("data: {ten_million}"))], expect!["error: BASE answered with more than 8388608 bytes, and the rest was not read. A model that does not end needs a stop sequence or fewer tokens"]).await;
    let delta = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n",
        "y".repeat(100)
    );
    let small = |config: &mut OpenAiConfig| config.max_answer_bytes = 250;
    check_with(vec![stream(delta.repeat(3))], small, expect![[r#"
        text "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
        text "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
        text "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
        error: BASE answered with more than 250 bytes, and the rest was not read. A model that does not end needs a stop sequence or fewer tokens"#]]).await;
}

#[tokio::test]
async fn parameters_that_a_server_does_not_know() {
    let no_max_tokens = r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}"#;
    let no_options = r#"{"detail":"extra field: stream_options"}"#;
    let no_stop = r#"{"error":{"message":"Unsupported parameter: 'stop' is not supported with this model.","param":"stop"}}"#;
    let refusal = |body| response("400 Bad Request", body);
    let script = vec![
        refusal(no_max_tokens),
        refusal(no_options),
        refusal(no_stop),
        hello(),
    ];
    check_hello(script).await;
    let refused = expect!["error: BASE keeps refusing `stop`"];
    check(vec![refusal(no_stop), refusal(no_stop)], refused).await;
}

#[tokio::test]
async fn refusals_in_other_words_are_understood() {
    let no_stop = r#"{"code":"Client specified an invalid argument","error":"Argument not supported on this model: stop"}"#;
    let no_seed = r#"{"object":"error","message":null,"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}]}"#;
    let script = vec![
        response("400 Bad Request", no_stop),
        response("422 Unprocessable Entity", no_seed),
        hello(),
    ];
    check_hello(script).await;
    let key =
        r#"[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]"#;
    let refused = expect!["error: BASE refuses the request (400): API key not valid"];
    check(vec![response("400 Bad Request", key)], refused).await;
}

#[tokio::test]
async fn waits_are_read_from_bodies() {
    let busy =
        r#"[{"error":{"code":429,"message":"Exhausted.","details":[{"retryDelay":"0.002s"}]}}]"#;
    let words = r#"{"error":{"message":"Limit reached. Please try again in 3ms.","code":"rate_limit_exceeded"}}"#;
    let header =
        "429 Too Many Requests\r\nx-ratelimit-remaining-tokens: 0\r\nx-ratelimit-reset-tokens: 4ms";
    check_with(
        vec![
            response("429 Too Many Requests", busy),
            response("429 Too Many Requests", words),
            response(header, "{}"),
            hello(),
        ],
        |config| config.backoff.max_retries = 3,
        expect![[r#"
            wait 2ms after try 1: BASE is busy (429): Exhausted
            wait 3ms after try 2: BASE is busy (429): Limit reached. Please try again in 3ms
            wait 4ms after try 3: BASE is busy (429)
            text "Hé"
            text "llo"
            answer "Héllo", finish stop, tokens 9 (5 cached) + 2"#]],
    )
    .await;
}

#[tokio::test]
async fn a_letter_may_come_in_two_events() {
    let event = |content: &str| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{content}\"}}}}]}}\n\n")
    };
    let body = event("a\\ud83d") + &event("\\ude00b") + &event("c\td") + END + DONE;
    check(
        vec![stream(body)],
        expect![[r#"
        text "a"
        text "😀b"
        text "c\td"
        text "llo"
        answer "a😀bc\tdllo", finish stop, tokens 0 (0 cached) + 0"#]],
    )
    .await;
}

#[tokio::test]
async fn requests_at_one_time_learn_the_same_lesson() {
    let no_max_tokens = r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}"#;
    let refused = response("400 Bad Request", no_max_tokens);
    let answer = Answer::IfAsked("\"max_tokens\"", refused.into(), hello().into());
    let server = Server::start(vec![answer; 8]).await;
    let model = OpenAi::new(config(&server.base_url())).expect("a client");
    let asked = request("hello");
    // All four are sent before the first of them is refused.
    let seen = tokio::join!(
        watch(&model, &asked),
        watch(&model, &asked),
        watch(&model, &asked),
        watch(&model, &asked),
    );
    let expected = expect![[r#"
        text "Hé"
        text "llo"
        answer "Héllo", finish stop, tokens 9 (5 cached) + 2"#]];
    for seen in <[String; 4]>::from(seen) {
        expected.assert_eq(&seen);
    }
    assert_eq!(server.requests().len(), 8);
}

#[test]
fn addresses() {
    let check = |base_url: &str, expected: Expect| {
        let error = OpenAi::new(OpenAiConfig::new(base_url, "m1")).expect_err("no address");
        assert!(error.is(FailureReason::Usage), "{error:?}");
        expected.assert_eq(&error.to_string());
    };
    check(
        "",
        expect![
            "the base URL `` is not a URL: relative URL without a base; it looks like http://127.0.0.1:8080/v1 or https://api.openai.com/v1"
        ],
    );
    check(
        "127.0.0.1:8080/v1",
        expect![
            "the base URL `127.0.0.1:8080/v1` is not a URL: relative URL without a base; it looks like http://127.0.0.1:8080/v1 or https://api.openai.com/v1"
        ],
    );
    check(
        "ftp://x.test/",
        expect![
            "the base URL `ftp://x.test/` is not one of http or https; it looks like http://127.0.0.1:8080/v1 or https://api.openai.com/v1"
        ],
    );
    check(
        "https://me:hunter2@x.test/v1",
        expect![
            "the base URL must not hold a password: put it in OPENAI_API_KEY; it looks like http://127.0.0.1:8080/v1 or https://api.openai.com/v1"
        ],
    );
    let mut config = OpenAiConfig::new("http://localhost", "m1");
    config.api_key = ApiKey::new("two\nlines");
    let error = OpenAi::new(config).expect_err("no key");
    expect!["the API key holds a line break or a control character: was the whole file pasted?"]
        .assert_eq(&error.to_string());
}

#[tokio::test]
async fn the_key_never_shows() {
    let config = config("http://127.0.0.1:1/v1");
    let shown = format!("{config:?} {:?}", OpenAi::new(config.clone()));
    assert!(!shown.contains(KEY), "{shown}");
}
