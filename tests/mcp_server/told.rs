//! What is told of the world beside what programs return.

use super::{Era, Person, Talk};
use crate::cli::links::{SHARE, reports};
use crate::cli::support::Home;
use crate::serve::support::{key, serve};
use rmcp::model::ElicitationAction;
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_note_is_in_the_first_answer() {
    let home = Home::new();
    let talk = Talk::open(&home, "--world ./shelf", &Person::default(), Era::Handshake).await;
    let arguments = json!({"program": "return 1", "session": "trip"});
    let first = talk.call("run", arguments.clone()).await;
    let note = "note: there was no folder ./shelf, so it is made";
    expect_test::expect![[r#"
        result: 1
        note: there was no folder ./shelf, so it is made
        session: trip
    "#]]
    .assert_eq(&first.content[0].as_text().unwrap().text);
    assert_eq!(first.structured_content.unwrap()["notes"], json!([note]));
    let again = talk.text("run", arguments).await;
    assert_eq!(again, "result: 1\nsession: trip\n");
}

/// A link is shown in the view of a client that has one. What a model reads never has it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_is_for_the_user_alone() {
    for has_view in [true, false] {
        let home = Home::new();
        let server = serve(reports().await).await;
        let person = Person {
            has_view,
            ..Person::who(ElicitationAction::Accept)
        };
        let mut command = home.ready(&format!("mcp --endpoint-url http://{}", server.address()));
        let key = key();
        command
            .env("AWS_ACCESS_KEY_ID", &key.id)
            .env("AWS_SECRET_ACCESS_KEY", &key.secret);
        let talk = Talk::start(command, &person, Era::Handshake).await;
        let plan = talk.plan(SHARE).await;
        let applied = talk.call("apply", json!({"plan_id": plan})).await;
        let links = applied
            .meta
            .and_then(|meta| meta.0.get(web_desk::LINKS_KEY).cloned());
        let read = &applied.content[0].as_text().unwrap().text;
        assert!(read.contains("signed: link to reports/q3.pdf"), "{read}");
        let read = format!("{read}{}", applied.structured_content.unwrap());
        let signatures = read.split("X-Amz-Signature=").skip(1);
        for signature in signatures {
            assert!(signature.starts_with("withheld"), "{read}");
        }
        match links {
            Some(links) => {
                assert!(has_view, "{links}");
                let url = links[0]["url"].as_str().unwrap();
                let (_, signature) = url.split_once("X-Amz-Signature=").unwrap();
                assert!(!signature.starts_with("withheld"), "{url}");
                assert!(!read.contains(signature), "{read}");
            }
            None => assert!(!has_view, "the view has no link"),
        }
        talk.close().await;
        server.stop().await;
    }
}
