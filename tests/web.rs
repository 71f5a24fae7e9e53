//! `dialog2api web`, as a browser meets it: requests in, events out.
//!
//! What the page does with them is tested with a browser in `crates/web-desk`.

use crate::cli::chat::chat;
use crate::cli::support::{Home, goal, model};
use crate::support::scripted_http::Server;
use expect_test::expect;
use reqwest::Client;
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

mod export;
mod reports;
mod seats;
mod world;

/// Starts a server, and gives what it prints of its links.
fn start(mut command: Command) -> (Child, Json) {
    // Clients want one, also where nothing is encrypted.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut printed = String::new();
    let output = BufReader::new(child.stdout.take().expect("an output"));
    for line in output.lines() {
        printed += &line.expect("a line");
        if let Ok(json) = serde_json::from_str(&printed) {
            return (child, json);
        }
    }
    let ended = child.wait();
    panic!("it printed {printed} and ended: {ended:?}");
}

/// A page server and the one browser that was let in.
pub struct Page {
    child: Child,
    client: Client,
    base: String,
    cookie: String,
    key: String,
    /// The id of the last event that was read.
    seen: String,
}

impl Page {
    pub async fn open(home: &Home, server: &Server, options: &str) -> Page {
        let words = chat(home, server, options);
        let arguments: Vec<String> = words
            .get_args()
            .skip(1)
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let mut command = home.ready("web --no-open --json");
        command
            .args(arguments)
            .env("OPENAI_API_KEY", "sk-secret-of-the-user");
        let (child, printed) = start(command);
        let url = printed["url"].as_str().expect("a link");
        Page::enter(child, url).await
    }

    /// The browser that follows a link.
    async fn enter(child: Child, url: &str) -> Page {
        let client = Client::new();
        let first = client.get(url).send().await.expect("an answer");
        let cookie = first.headers()["set-cookie"].to_str().expect("text");
        let cookie = cookie.split(';').next().expect("a cookie").to_owned();
        let base = url.split("/?").next().expect("a link").to_owned();
        let mut page = Page {
            child,
            client,
            base,
            cookie,
            key: String::new(),
            seen: String::new(),
        };
        page.key = page.get("/api/hello").await["key"]
            .as_str()
            .expect("a key")
            .to_owned();
        page
    }

    async fn get(&self, path: &str) -> Json {
        let request = self.client.get(format!("{}{path}", self.base));
        let answer = request.header("Cookie", &self.cookie).send().await;
        answer.expect("an answer").json().await.expect("JSON")
    }

    /// Posts a command for this session; the status and what a refusal says.
    pub async fn post(&self, path: &str, session: &str, mut what: Json) -> (u16, String) {
        what["session"] = session.into();
        let request = self.client.post(format!("{}{path}", self.base));
        let request = request
            .header("Cookie", &self.cookie)
            .header("Origin", &self.base)
            .header("Sec-Fetch-Site", "same-origin")
            .header("x-desk-key", &self.key)
            .json(&what);
        let answer = request.send().await.expect("an answer");
        let status = answer.status().as_u16();
        let said: Json = answer.json().await.unwrap_or_default();
        (
            status,
            said["error"].as_str().unwrap_or_default().to_owned(),
        )
    }

    /// Reads events up to the first of this name.
    pub async fn until(&mut self, name: &str) -> Json {
        let request = self.client.get(format!("{}/api/events", self.base));
        let request = request
            .header("Cookie", &self.cookie)
            .header("Last-Event-ID", &self.seen);
        let mut stream = request.send().await.expect("an answer");
        let mut text = String::new();
        loop {
            while let Some((event, rest)) = text.split_once("\n\n") {
                let field = |name: &str| {
                    let mut lines = event.lines();
                    lines
                        .find_map(|line| line.strip_prefix(name))
                        .map(str::to_owned)
                };
                let (id, data) = (field("id: "), field("data: "));
                text = rest.to_owned();
                let Some(data) = data else { continue };
                self.seen = id.unwrap_or_default();
                let event: Json = serde_json::from_str(&data).expect("JSON");
                if event["event"] == name {
                    return event;
                }
            }
            let more = stream.chunk().await.expect("events").expect("more events");
            text += &String::from_utf8_lossy(&more);
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn effects(plan: &Json) -> Vec<String> {
    let effects = plan["effects"].as_array().expect("effects");
    let line = |it: &Json| {
        let place = &it["place"];
        let name = place["name"].as_str().unwrap_or_default();
        let setting = place["setting"].as_str();
        let setting = setting.map(|it| format!(" ({it})")).unwrap_or_default();
        format!(
            "{} {}/{name}{setting}",
            it["effect"].as_str().unwrap_or_default(),
            place["container"].as_str().unwrap_or_default()
        )
    };
    effects.iter().map(line).collect()
}

const DONE: (u16, String) = (202, String::new());

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_is_agreed_to_once_and_taken_back() {
    let home = Home::new();
    let server = model(&[
        &goal(1, "final", "s3.create_bucket(Bucket='attic-of-mine')"),
        "The bucket attic-of-mine is there.",
    ])
    .await;
    let mut page = Page::open(&home, &server, "--world zoology").await;
    let opened = page.until("opened").await;
    let session = opened["session"].as_str().expect("a name").to_owned();
    let said = json!({"text": "make a bucket attic-of-mine"});
    assert_eq!(page.post("/api/say", &session, said.clone()).await, DONE);
    let plan = page.until("plan").await;
    assert_eq!(effects(&plan), ["create attic-of-mine/"]);
    // A second turn, another number, another session: nothing of it is done.
    let busy = page.post("/api/say", &session, said).await;
    let number = plan["plan"].as_u64().expect("a number");
    let other = page.post(
        "/api/decide",
        &session,
        json!({"plan": number + 1, "apply": true}),
    );
    let elsewhere = page.post(
        "/api/decide",
        "monday",
        json!({"plan": number, "apply": true}),
    );
    let refused = format!("{busy:?}\n{:?}\n{:?}\n", other.await, elsewhere.await);
    let yes = json!({"plan": number, "apply": true});
    assert_eq!(page.post("/api/decide", &session, yes.clone()).await, DONE);
    let again = page.post("/api/decide", &session, yes).await;
    expect![[r#"
        (409, "a turn is under way")
        (409, "Plan 2 does not wait any more. Plan 1 does.")
        (409, "Another session was opened meanwhile. Nothing is done.")
        (409, "Plan 1 was decided already. Nothing more is done.")
    "#]]
    .assert_eq(&format!("{refused}{again:?}\n"));
    let ended = page.until("turn_ended").await;
    assert_eq!(
        ended["end"]["replied"]["text"],
        "The bucket attic-of-mine is there."
    );
    let buckets = page.get("/api/browse").await;
    assert_eq!(buckets["entries"][0]["path"], "attic-of-mine/");

    assert_eq!(
        page.post("/api/undo", &session, json!({"undo": "last"}))
            .await,
        DONE
    );
    let plan = page.until("plan").await;
    assert_eq!(effects(&plan), ["delete attic-of-mine/"]);
    let yes = json!({"plan": plan["plan"], "apply": true});
    assert_eq!(page.post("/api/decide", &session, yes).await, DONE);
    assert_eq!(page.until("undone").await["how"], "whole");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_goes_on_in_another_process_and_tells_its_past() {
    let home = Home::new();
    let server = model(&[
        &goal(1, "final", "return len(s3.list_buckets()['Buckets'])"),
        "There are 2 buckets.",
    ])
    .await;
    let session = {
        let mut page = Page::open(&home, &server, "--world zoology").await;
        let opened = page.until("opened").await;
        let session = opened["session"].as_str().expect("a name").to_owned();
        let said = json!({"text": "how many buckets are there?"});
        assert_eq!(page.post("/api/say", &session, said).await, DONE);
        page.until("turn_ended").await;
        session
    };
    let mut page = Page::open(&home, &server, "--world zoology").await;
    page.until("opened").await;
    let listed = page.get("/api/sessions").await;
    let lines: Vec<&Json> = listed.as_array().expect("sessions").iter().collect();
    assert!(
        lines
            .iter()
            .any(|it| it["session"] == session.as_str()
                && it["said"] == "how many buckets are there?")
    );
    let own = page.get("/api/hello").await["session"]
        .as_str()
        .expect("a name")
        .to_owned();
    let open = json!({"open": session});
    assert_eq!(page.post("/api/open", &own, open).await, DONE);
    assert_eq!(page.until("opened").await["session"], session.as_str());
    let past = page.until("turn_ended").await;
    assert_eq!(past["user"], "how many buckets are there?");
    assert_eq!(past["end"]["replied"]["text"], "There are 2 buckets.");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_else_gets_in_and_no_secret_gets_out() {
    let home = Home::new();
    let server = model(&[]).await;
    let page = Page::open(&home, &server, "--world zoology").await;
    let status = async |request: reqwest::RequestBuilder| {
        request.send().await.expect("an answer").status().as_u16()
    };
    let url = |path: &str| format!("{}{path}", page.base);
    let client = Client::new();
    assert_eq!(status(client.get(url("/api/sessions"))).await, 401);
    let foreign = client
        .get(url("/api/sessions"))
        .header("Cookie", &page.cookie);
    assert_eq!(status(foreign.header("Host", "evil.example")).await, 421);
    let write = client.post(url("/api/say")).header("Cookie", &page.cookie);
    let write = write.json(&json!({"session": "x", "text": "delete all"}));
    assert_eq!(
        status(write.header("Origin", "https://evil.example")).await,
        403
    );
    let files = ["/", "/api/hello", "/api/policy", "/api/sessions"];
    for file in files {
        let request = client.get(url(file)).header("Cookie", &page.cookie);
        let text = request
            .send()
            .await
            .expect("an answer")
            .text()
            .await
            .expect("text");
        assert!(!text.contains("sk-secret"), "{file}");
    }
}

#[test]
fn what_the_page_cannot_do_is_said_before_anything_takes_time() {
    let home = Home::new();
    let fails = |words: &str| {
        let output = home.command(words).output().expect("it starts");
        home.seen(&output)
    };
    let said = [
        "web --script x",
        "web --address 0.0.0.0:0",
        "web --save x.xml",
    ]
    .map(fails);
    expect![[r#"
        -- stderr --
        error: --script is for chat at a terminal
        -- exit 2 --
        -- stderr --
        error: 0.0.0.0:0 can be reached from other machines, and whoever uses the page can do all that you can: use 127.0.0.1, and come from elsewhere by a tunnel, such as `ssh -L`
        -- exit 2 --
        -- stderr --
        error: --save is for chat at a terminal
        -- exit 2 --
    "#]].assert_eq(&said.concat());
}
