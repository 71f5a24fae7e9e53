//! Who can agree to a plan, and who cannot.

use super::{Era, MAKE, Person, Talk};
use crate::cli::support::{Home, model};
use crate::web::Page;
use rexpect::session::spawn_command;
use rmcp::model::{CallToolRequestParams, CallToolResponse, ElicitationAction};
use serde_json::json;

/// What comes of `apply` where a person, or a client in their place, does not accept.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn all_but_an_explicit_yes_is_no() {
    for (answer, status) in [
        (ElicitationAction::Decline, "declined"),
        (ElicitationAction::Cancel, "waiting"),
    ] {
        for era in [Era::Handshake, Era::Stateless] {
            let home = Home::new();
            let person = Person::who(answer.clone());
            let talk = Talk::open(&home, "--world empty", &person, era).await;
            let plan = talk.plan(MAKE).await;
            let result = talk.call("apply", json!({"plan_id": plan})).await;
            assert_eq!(result.structured_content.unwrap()["status"], status);
            assert!(!person.asked().is_empty());
            talk.call("discard", json!({"plan_id": plan})).await;
            assert_eq!(talk.buckets().await, "[]");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_argument_that_claims_consent_changes_nothing() {
    let home = Home::new();
    let talk = Talk::open(&home, "--world empty", &Person::default(), Era::Handshake).await;
    let plan = talk.plan(MAKE).await;
    for claim in ["approved", "confirm", "consent", "yes"] {
        let refused = talk
            .text("apply", json!({"plan_id": plan, claim: true}))
            .await;
        assert!(refused.contains("cannot be called like this"), "{refused}");
    }
    let refused = talk
        .text(
            "run",
            json!({"program": MAKE, "session": "trip", "apply": true}),
        )
        .await;
    assert!(refused.contains("cannot be called like this"), "{refused}");
    talk.call("discard", json!({"plan_id": plan})).await;
    assert_eq!(talk.buckets().await, "[]");
}

/// A client that answers a question that was not asked of it, or that of another plan.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_answer_counts_only_with_the_seal_of_its_own_plan() {
    let home = Home::new();
    let person = Person::who(ElicitationAction::Accept);
    let talk = Talk::open(&home, "--world empty", &person, Era::Stateless).await;
    let plan = talk.plan(MAKE).await;
    let yes = json!({"consent": {"action": "accept"}});
    let request = |plan: &str| {
        let arguments = json!({"plan_id": plan});
        CallToolRequestParams::new("apply").with_arguments(arguments.as_object().unwrap().clone())
    };
    let answered = |plan: &str, state: &str| {
        let mut request = request(plan);
        request.input_responses = serde_json::from_value(yes.clone()).unwrap();
        request.request_state = Some(state.to_owned());
        request
    };
    let asked = talk.client.call_tool_once(request(&plan)).await.unwrap();
    let CallToolResponse::InputRequired(asked) = asked else {
        panic!("the client has to ask")
    };
    let state = asked.request_state.unwrap();
    let forged = talk.client.call_tool_once(answered(&plan, "forged")).await;
    assert!(matches!(forged, Ok(CallToolResponse::InputRequired(_))));
    // A sealed state of one plan is worth nothing for another.
    talk.call("discard", json!({"plan_id": plan})).await;
    let other = talk.plan("s3.create_bucket(Bucket='cellar')").await;
    let moved = talk.client.call_tool_once(answered(&other, &state)).await;
    assert!(matches!(moved, Ok(CallToolResponse::InputRequired(_))));
    talk.call("discard", json!({"plan_id": other})).await;
    assert_eq!(talk.buckets().await, "[]");
    assert_eq!(person.asked(), "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_plan_waits_for_a_terminal_also_over_a_restart() {
    let home = Home::new();
    let options = "--world ./store";
    let talk = Talk::open(&home, options, &Person::default(), Era::Handshake).await;
    let plan = talk.plan(MAKE).await;
    let waits = talk.text("apply", json!({"plan_id": plan})).await;
    assert!(
        waits.contains(&format!("dialog2api plan approve {plan}")),
        "{waits}"
    );

    let mut piped = home.command(&format!("plan approve {plan}"));
    let piped = piped.output().unwrap();
    assert_eq!(piped.status.code(), Some(2), "no terminal, no consent");
    for (typed, said) in [("y", "Not approved"), ("yes", "Approved")] {
        let command = home.command(&format!("plan approve {plan}"));
        let mut terminal = spawn_command(command, Some(60_000)).unwrap();
        terminal.exp_string("attic").unwrap();
        terminal.exp_string("Type yes").unwrap();
        terminal.send_line(typed).unwrap();
        terminal.exp_string(said).unwrap();
        terminal.exp_eof().unwrap();
        if typed == "y" {
            let waits = talk.text("apply", json!({"plan_id": plan})).await;
            assert!(waits.contains("plan approve"), "{waits}");
        }
    }
    talk.close().await;

    let talk = Talk::open(&home, options, &Person::default(), Era::Handshake).await;
    let applied = talk.text("apply", json!({"plan_id": plan})).await;
    assert!(applied.starts_with("result: \"made\""), "{applied}");
    let again = talk.text("apply", json!({"plan_id": plan})).await;
    assert_eq!(again, applied);
    assert_eq!(talk.buckets().await, r#"["attic"]"#);
}

/// The page is a way to an answer as soon as the session is nobody's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_is_asked_about_on_the_page_once_its_server_has_ended() {
    let home = Home::new();
    let options = "--world ./store";
    let talk = Talk::open(&home, options, &Person::default(), Era::Handshake).await;
    let plan = talk.plan(MAKE).await;
    let waits = talk.text("apply", json!({"plan_id": plan})).await;
    assert!(waits.contains("dialog2api web --session trip"), "{waits}");
    talk.close().await;

    let server = model(&[]).await;
    let mut page = Page::open(&home, &server, "--session trip").await;
    let asked = page.until("plan").await;
    assert_eq!(
        asked["card"]["asks"],
        "The program of goal 1 would change this"
    );
    let yes = json!({"plan": asked["plan"], "apply": true});
    page.post("/api/decide", "trip", yes).await;
    page.until("turn_ended").await;
    drop(page);

    let talk = Talk::open(&home, options, &Person::default(), Era::Handshake).await;
    assert_eq!(talk.buckets().await, r#"["attic"]"#);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_client_that_answers_by_itself_is_not_asked() {
    let home = Home::new();
    let person = Person::who(ElicitationAction::Accept);
    let options = "--world empty --ask terminal";
    let talk = Talk::open(&home, options, &person, Era::Handshake).await;
    let plan = talk.plan(MAKE).await;
    let waits = talk.text("apply", json!({"plan_id": plan})).await;
    assert!(waits.contains("plan approve"), "{waits}");
    assert_eq!(person.asked(), "");
}
