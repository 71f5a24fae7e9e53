//! The server for other programs.

use reqwest::header::HeaderMap;
use std::future::pending;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use web_desk::Gate;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const ANY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().timeout(Duration::from_secs(20));
    client.build().expect("a client")
}

#[test]
fn only_the_token_opens_it_and_no_browser_from_elsewhere() {
    let runtime = Runtime::new().expect("a runtime");
    let _within = runtime.enter();
    let gate = runtime.block_on(Gate::bind(ANY, TOKEN.to_owned())).unwrap();
    let url = gate.url("/mcp");
    let origin = url.strip_suffix("/mcp").unwrap().to_owned();
    let host = origin.strip_prefix("http://").unwrap().to_owned();
    let port = host.rsplit(':').next().unwrap().to_owned();
    runtime.spawn(gate.serve("/mcp", async |_| "in", pending()));
    let client = client();
    let answered = |headers: &[(&str, &str)]| {
        let request = client.post(&url);
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        });
        let answer = runtime.block_on(request.send()).unwrap();
        (answer.status().as_u16(), answer.headers().clone())
    };
    let status = |headers: &[(&str, &str)]| answered(headers).0;
    let bearer = &format!("Bearer {TOKEN}");
    assert_eq!(status(&[("authorization", bearer)]), 200);
    let small = &format!("bearer  {TOKEN}");
    assert_eq!(status(&[("authorization", small)]), 200);
    let refused: (u16, HeaderMap) = answered(&[]);
    assert_eq!(refused.0, 401);
    assert_eq!(refused.1["www-authenticate"], "Bearer");
    for other in [
        "",
        TOKEN,
        "Bearer",
        "Bearer 0",
        &format!("Basic {TOKEN}"),
        &bearer[..38],
    ] {
        assert_eq!(status(&[("authorization", other)]), 401, "{other}");
    }
    for (origin, wanted) in [
        (origin.as_str(), 200),
        ("null", 403),
        ("", 403),
        ("http://evil.example", 403),
        (&format!("http://localhost:{port}"), 403),
        (&format!("{origin}.evil.example"), 403),
    ] {
        let headers = [("authorization", bearer.as_str()), ("origin", origin)];
        assert_eq!(status(&headers), wanted, "{origin}");
    }
    for (host, wanted) in [
        (format!("localhost:{port}"), 200),
        (format!("evil.example:{port}"), 421),
        ("127.0.0.1".to_owned(), 421),
        (String::new(), 421),
    ] {
        let headers = [("authorization", bearer.as_str()), ("host", &host)];
        assert_eq!(status(&headers), wanted, "{host}");
    }
    let elsewhere = client.get(&origin).header("authorization", bearer).send();
    assert_eq!(runtime.block_on(elsewhere).unwrap().status(), 404);
}

#[test]
fn it_stays_on_this_machine_and_wants_a_token_that_nobody_guesses() {
    let runtime = Runtime::new().expect("a runtime");
    let refused = |listen: SocketAddr, token: &str| {
        let bound = runtime.block_on(Gate::bind(listen, token.to_owned()));
        bound.map(|gate| gate.url("")).unwrap_err().to_string()
    };
    let others = refused(SocketAddr::from(([0, 0, 0, 0], 0)), TOKEN);
    assert!(others.contains("listen on 127.0.0.1"), "{others}");
    let short = refused(ANY, "short");
    assert!(short.contains("openssl rand"), "{short}");
}

#[test]
fn an_answer_without_end_does_not_keep_it() {
    let runtime = Runtime::new().expect("a runtime");
    let _within = runtime.enter();
    let gate = runtime.block_on(Gate::bind(ANY, TOKEN.to_owned())).unwrap();
    let url = gate.url("/mcp");
    let (end, ended) = oneshot::channel::<()>();
    let (came, comes) = oneshot::channel::<()>();
    let came = std::sync::Arc::new(std::sync::Mutex::new(Some(came)));
    let handler = move |_| {
        let came = came.lock().unwrap().take();
        async move {
            drop(came);
            pending::<&str>().await
        }
    };
    let until = async move { drop(ended.await) };
    let served = runtime.spawn(gate.serve("/mcp", handler, until));
    let request = client().post(&url).bearer_auth(TOKEN).send();
    let asked = runtime.spawn(request);
    let _ = runtime.block_on(comes);
    drop(end);
    let ended = async { tokio::time::timeout(Duration::from_secs(20), served).await };
    let ended = runtime.block_on(ended);
    ended.expect("it ends").expect("no panic").expect("well");
    asked.abort();
}
