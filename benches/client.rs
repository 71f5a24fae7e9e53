//! The client's overhead per request, compared with curl in the same run.
//!
//! A server on loopback answers at once with a stream of 100 tokens; both ask it with the
//! same body, as large as a real prompt, over one connection. Target: at most 2 ms more than
//! curl (`curl` has to be on `PATH`), on a quiet machine.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark's output is what it prints"
)]

use dialog2api::llm::{Message, Model, OpenAi, OpenAiConfig, Request, Role};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::io::Write;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;

/// Requests sent by each client.
const REQUESTS: usize = 500;

/// A stream of 100 tokens as llama.cpp writes it.
fn answer() -> Bytes {
    let mut text = String::new();
    for token in 0..100 {
        text.push_str(&format!(
            "data: {{\"choices\":[{{\"finish_reason\":null,\"index\":0,\"delta\":{{\"content\":\
             \"word{token} \"}}}}],\"created\":1,\"id\":\"chatcmpl-1\",\"model\":\"m\",\
             \"object\":\"chat.completion.chunk\"}}\n\n"
        ));
    }
    text.push_str(
        "data: {\"choices\":[{\"finish_reason\":\"stop\",\"index\":0,\"delta\":{}}]}\n\n\
         data: [DONE]\n\n",
    );
    text.into()
}

/// Serves answers; gives the base URL, and keeps the last body that was sent.
async fn serve(kept: Arc<Mutex<Bytes>>) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("loopback");
    let address = listener.local_addr().expect("an address");
    let answer = answer();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (kept, answer) = (kept.clone(), answer.clone());
            let service = service_fn(move |request: hyper::Request<Incoming>| {
                let (kept, answer) = (kept.clone(), answer.clone());
                async move {
                    let body = request.collect().await.expect("a body").to_bytes();
                    *kept.lock().expect("the body") = body;
                    let response = hyper::Response::builder()
                        .header("content-type", "text/event-stream")
                        .body(Full::new(answer));
                    Ok::<_, Infallible>(response.expect("a response"))
                }
            });
            let connection = hyper::server::conn::http1::Builder::new();
            tokio::spawn(connection.serve_connection(TokioIo::new(stream), service));
        }
    });
    format!("http://{address}/v1")
}

/// A prompt of 12 kB in many messages.
fn request() -> Request {
    let text = include_str!("../api-docs/s3.pyi").repeat(2);
    let message = |(index, lines): (usize, &[&str])| Message {
        role: [Role::User, Role::Assistant][index % 2],
        content: lines.join("\n"),
    };
    let lines: Vec<&str> = text.lines().collect();
    Request {
        messages: lines.chunks(28).enumerate().map(message).collect(),
        max_tokens: 1024,
        temperature: 0.0,
        stop: vec!["<turn>".to_owned(), "</output>".to_owned()],
        seed: Some(0),
        grammar: None,
    }
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times
        .get(times.len() / 2)
        .map_or(0.0, Duration::as_secs_f64)
        * 1e3
}

async fn ours(url: &str) -> Vec<Duration> {
    let model = OpenAi::new(OpenAiConfig::new(url, "m")).expect("a client");
    let request = request();
    let mut times = Vec::new();
    for _ in 0..REQUESTS {
        let begun = Instant::now();
        let answer = model
            .complete(&request, &mut |_| {})
            .await
            .expect("an answer");
        times.push(begun.elapsed());
        assert!(answer.text.ends_with("word99 "));
    }
    times
}

/// As curl counts them: from the start of a transfer to its end.
fn curls(url: &str, body: &[u8]) -> Vec<Duration> {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(body).expect("a file");
    let mut command = Command::new("curl");
    command.args(["--silent", "--write-out", "%{time_total}\n"]);
    command.args([
        "--header",
        "content-type: application/json",
        "--data-binary",
    ]);
    command.arg(format!("@{}", file.path().display()));
    for _ in 0..REQUESTS {
        command.args(["--output", "/dev/null"]);
        command.arg(format!("{url}/chat/completions"));
    }
    let output = command.output().expect("curl on PATH");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("numbers");
    let seconds = text.lines().map(|line| line.parse().expect("a number"));
    seconds.map(Duration::from_secs_f64).collect()
}

#[tokio::main(worker_threads = 2)]
async fn main() {
    let kept = Arc::new(Mutex::new(Bytes::new()));
    let url = serve(kept.clone()).await;
    // Both in turn, so that what else the machine does meets both.
    let (mut with_us, mut with_curl) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        with_us.extend(ours(&url).await);
        let body = kept.lock().expect("the body").clone();
        let url = url.clone();
        let curled = tokio::task::spawn_blocking(move || curls(&url, &body)).await;
        with_curl.extend(curled.expect("curl"));
    }
    let size = kept.lock().expect("the body").len();
    let (us, curl) = (median(with_us), median(with_curl));
    println!(
        "a request of {size} bytes and 100 streamed tokens, median of {}:",
        3 * REQUESTS
    );
    println!(
        "  this client {us:.3} ms, curl {curl:.3} ms, difference {:.3} ms (target ≤ 2)",
        us - curl
    );
}
