//! The report on evaluations beside the page.

use super::Page;
use crate::cli::eval::home;
use crate::cli::support::model;
use expect_test::expect;
use serde_json::Value as Json;

/// The status, the policy for what is in it, and the text.
async fn report(page: &Page) -> (u16, String, String) {
    let request = page.client.get(format!("{}/report", page.base));
    let answer = request.header("Cookie", &page.cookie).send().await;
    let answer = answer.expect("an answer");
    let policy = answer.headers()["content-security-policy"].to_str();
    let policy = policy.expect("text").to_owned();
    (
        answer.status().as_u16(),
        policy,
        answer.text().await.expect("text"),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn evaluations_are_reported_beside_the_page() {
    let home = home();
    let done = home
        .ready("--quiet eval --model do-nothing --dataset set --out nothing")
        .status()
        .expect("it runs");
    assert!(done.success());
    let server = model(&[]).await;
    let page = Page::open(&home, &server, "--world zoology --report nothing").await;
    assert_eq!(page.get("/api/hello").await["report"], true);
    let (status, policy, text) = report(&page).await;
    assert_eq!(status, 200);
    assert!(
        policy.starts_with("sandbox allow-scripts; default-src 'none'"),
        "{policy}"
    );
    // The truth stands beside what the model did.
    for part in ["do-nothing", "one-1", "<b>Truly</b>", "only in the truth"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // A run that has grown is read again.
    let log = home.path("nothing/log.jsonl");
    std::fs::write(&log, "").expect("written");
    let (status, _, text) = report(&page).await;
    assert!(status == 200 && !text.contains("one-1"), "{status} {text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_evaluations_there_is_no_report() {
    let home = home();
    let server = model(&[]).await;
    let page = Page::open(&home, &server, "--world zoology").await;
    assert_eq!(page.get("/api/hello").await["report"], false);
    let (status, policy, text) = report(&page).await;
    assert_eq!(status, 404);
    assert!(policy.starts_with("default-src 'self'"), "{policy}");
    let said: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        said["error"],
        "no evaluations are shown: `dialog2api web --report LOG_DIR` names some"
    );
    home.check(
        home.command("web --no-open --model openai:x --report set"),
        "",
        expect![[r#"
            -- stderr --
            error: set: is no run: it has no run.json. `dialog2api eval --out DIR` makes one
            -- exit 1 --
        "#]],
    );
}
