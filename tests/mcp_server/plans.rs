//! What runs at once, what waits, and what its answers do.

use super::{Era, MAKE, Person, Talk, masked};
use crate::cli::support::Home;
use expect_test::expect;
use rmcp::model::ElicitationAction;
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_program_that_reads_has_its_result_at_once() {
    let home = Home::new();
    let person = Person::who(ElicitationAction::Accept);
    let talk = Talk::open(&home, "--world empty", &person, Era::Handshake).await;
    let arguments = json!({"program": "print('hi')\nreturn [1, None]", "session": "trip"});
    let result = talk.call("run", arguments).await;
    expect![[r#"
        result: [1,null]
        output: hi
        session: trip
    "#]]
    .assert_eq(&result.content[0].as_text().unwrap().text);
    assert_eq!(
        result.structured_content.unwrap(),
        json!({"status": "done", "session": "trip", "result": [1, null], "output": "hi\n"})
    );
    assert_eq!(person.asked(), "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_program_that_fails_names_its_line_and_changes_nothing() {
    let home = Home::new();
    let talk = Talk::open(&home, "--world empty", &Person::default(), Era::Handshake).await;
    let program = "s3.create_bucket(Bucket='attic')\n\ns3.head_bucket(Bucket='cellar')";
    let result = talk
        .call("run", json!({"program": program, "session": "trip"}))
        .await;
    assert_eq!(result.is_error, Some(true));
    let text = &result.content[0].as_text().unwrap().text;
    assert!(text.contains("(line 3)"), "{text}");
    assert_eq!(result.structured_content.unwrap()["error"]["line"], 3);
    let text = talk
        .text("run", json!({"program": "x = 1\ny = (", "session": "trip"}))
        .await;
    assert!(text.starts_with("FAILED\nerror: SyntaxError"), "{text}");
    assert_eq!(talk.buckets().await, "[]");
}

/// A client of worksheets sees what is filled in, what is missing, and why.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_program_of_worksheets_has_its_forms() {
    let home = Home::new();
    let made = home.command("domain new pizza --worksheets").output();
    assert!(made.expect("it starts").status.success());
    let person = Person::default();
    let talk = Talk::open(&home, "--domain ./pizza", &person, Era::Handshake).await;
    let result = talk
        .call(
            "run",
            json!({"program": "Order(count=2)", "session": "trip"}),
        )
        .await;
    let forms = result.structured_content.unwrap()["forms"].clone();
    expect![[r#"
        order (open): Order pizza
         > size: missing
           count: 2
           name: missing
           confirm: missing; asked when all else is there
        Ask(order, size): the next field of Order that is missing
    "#]]
    .assert_eq(forms.as_str().unwrap());
    let text = &result.content[0].as_text().unwrap().text;
    assert!(
        text.contains("forms:\norder (open): Order pizza\n"),
        "{text}"
    );
}

/// What a program printed before its world failed is in the answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_loses_its_world_has_its_output() {
    let (home, _server) = crate::cli::interrupted::there().await;
    let person = Person::default();
    let talk = Talk::open(&home, "--domain ./pets", &person, Era::Handshake).await;
    let program = "print('so far')\nreturn pets.round()";
    let result = talk.call("run", json!({"program": program})).await;
    assert_eq!(result.is_error, Some(true));
    let text = &result.content[0].as_text().unwrap().text;
    assert!(text.contains("output: so far\n"), "{text}");
    assert_eq!(
        result.structured_content.unwrap()["calls"][0]["operation"],
        "round"
    );
}

/// Whoever sends a secret is told once where it is kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_secret_in_a_program_is_said_once() {
    let home = Home::new();
    let talk = Talk::open(&home, "--world empty", &Person::default(), Era::Handshake).await;
    let program = "key = 'AKIAIOSFODNN7EXAMPLE/wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'\nreturn 1";
    let arguments = json!({"program": program, "session": "trip"});
    let first = talk.text("run", arguments.clone()).await;
    assert!(first.contains("seems to have a secret in it"), "{first}");
    assert!(
        first.contains("sessions/trip, which nobody but you may read"),
        "{first}"
    );
    let again = talk.text("run", arguments).await;
    assert!(!again.contains("secret in it"), "{again}");
    // What is said of the folder is so.
    let (_, rest) = first.split_once("your words in ").unwrap();
    let folder = std::path::Path::new(rest.split_once(", which").unwrap().0);
    let mode = |path: &std::path::Path| {
        let found = std::fs::metadata(path).unwrap();
        std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o777
    };
    assert_eq!(mode(folder), 0o700);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert!([0o600, 0o700].contains(&mode(&path)), "{}", path.display());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_plan_is_shown_agreed_to_applied_and_taken_back() {
    let home = Home::new();
    let person = Person::who(ElicitationAction::Accept);
    for era in [Era::Handshake, Era::Stateless] {
        let home = match era {
            Era::Handshake => &home,
            Era::Stateless => &Home::new(),
        };
        let talk = Talk::open(home, "--world empty", &person, era).await;
        let shown = talk
            .text("run", json!({"program": MAKE, "session": "trip"}))
            .await;
        expect![[r#"
            The program of goal 1 would change this:
              + attic/
              1 bucket created
              returns "made"
              calls create_bucket
              An undo can take all of it back, as long as nobody changes it meanwhile.

            Nothing of this is done yet. Call apply with this plan_id: the user is asked, and nothing that you write counts as the answer. discard drops it.
            session: trip
            plan_id: trip:…
        "#]]
        .assert_eq(&masked(&shown));
        let plan = talk.plan(MAKE).await;
        assert!(
            shown.contains(&plan),
            "the same program gives the same plan"
        );
        let applied = talk.text("apply", json!({"plan_id": plan})).await;
        expect![[r#"
            result: "made"
            changed: attic/ (create)
            calls: create_bucket
            session: trip
            plan_id: trip:…
        "#]]
        .assert_eq(&masked(&applied));
        expect![[r#"
            The program of goal 1 would change this:
              + attic/
              1 bucket created
              returns "made"
              calls create_bucket
              An undo can take all of it back, as long as nobody changes it meanwhile.
            The program:
                s3.create_bucket(Bucket='attic')
                return 'made'
        "#]]
        .assert_eq(&person.asked());
        let again = talk.text("apply", json!({"plan_id": plan})).await;
        assert_eq!(again, applied, "the same outcome, once");
        assert_eq!(person.asked(), "", "nobody is asked twice");
        assert_eq!(talk.buckets().await, r#"["attic"]"#);
        let undo = talk.call("undo", json!({"session": "trip"})).await;
        let undo = undo.structured_content.unwrap();
        let undone = talk
            .text("apply", json!({"plan_id": undo["plan_id"]}))
            .await;
        expect![[r#"
            Undone.
            changed: attic/ (delete)
            session: trip
            plan_id: trip:…
        "#]]
        .assert_eq(&masked(&undone));
        assert!(person.asked().starts_with("Undoing the program of goal 1"));
        assert_eq!(talk.buckets().await, "[]");
        talk.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_plan_that_waits_keeps_its_session_until_it_is_discarded() {
    let home = Home::new();
    let talk = Talk::open(&home, "--world empty", &Person::default(), Era::Handshake).await;
    let plan = talk.plan(MAKE).await;
    let other = json!({"program": "return 1", "session": "trip"});
    let refused = talk.text("run", other).await;
    assert!(refused.contains("waits for an answer"), "{refused}");
    let discarded = talk.text("discard", json!({"plan_id": plan})).await;
    assert!(discarded.starts_with("Nothing was changed"), "{discarded}");
    assert_eq!(talk.buckets().await, "[]");
    let shown = talk.text("session", json!({"session": "trip"})).await;
    assert!(shown.contains(&format!("plan {plan}: declined")), "{shown}");
    let listed = talk.text("sessions", json!({})).await;
    assert_eq!(listed, "trip (2 turns)\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_program_that_is_sent_again_after_a_restart_has_the_same_plan() {
    let home = Home::new();
    let person = Person::who(ElicitationAction::Accept);
    let talk = Talk::open(&home, "--world ./store", &person, Era::Handshake).await;
    let plan = talk.plan(MAKE).await;
    talk.close().await;
    let talk = Talk::open(&home, "--world ./store", &person, Era::Handshake).await;
    assert_eq!(talk.plan(MAKE).await, plan);
    let shown = talk.text("session", json!({"session": "trip"})).await;
    assert_eq!(shown.matches(&plan).count(), 1, "{shown}");
    let applied = talk.text("apply", json!({"plan_id": plan})).await;
    assert!(applied.starts_with("result: \"made\""), "{applied}");
    talk.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_policy_and_the_api_can_be_read() {
    let home = Home::new();
    let options = "--world empty --read-only";
    let talk = Talk::open(&home, options, &Person::default(), Era::Handshake).await;
    let explained = talk.text("policy", json!({"program": MAKE})).await;
    assert!(
        explained.starts_with("line 1: create_bucket: "),
        "{explained}"
    );
    let refused = talk.text("run", json!({"program": MAKE})).await;
    assert!(refused.starts_with("FAILED\n"), "{refused}");
    let api = talk.text("search_api", json!({"query": "copy"})).await;
    assert!(api.contains("def copy_object"), "{api}");
}

/// A folder is open once. What is said of that names the way that this client has.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_folder_that_is_open_already_is_refused_with_a_way_out() {
    let home = Home::new();
    let person = Person::default();
    let talk = Talk::open(&home, "--world ./store", &person, Era::Handshake).await;
    assert_eq!(talk.buckets().await, "[]");
    let second = Talk::open(&home, "--world ./store", &person, Era::Handshake).await;
    let refused = second.text("run", json!({"program": "return 1"})).await;
    assert!(refused.starts_with("FAILED\n"), "{refused}");
    for said in ["is open in another dialog2api", "`dialog2api mcp --http`"] {
        assert!(refused.contains(said), "{refused}");
    }
    second.close().await;
    // Another session of the same server makes room, unless a plan waits in it.
    let other = json!({"program": "return 1", "session": "other"});
    let ran = talk.text("run", other.clone()).await;
    assert!(ran.starts_with("result: 1"), "{ran}");
    let plan = talk.plan(MAKE).await;
    let refused = talk.text("run", other.clone()).await;
    let said = format!(
        "the world is open in the session trip of this server, in which {plan} waits for an answer: \
         call apply or discard with it first"
    );
    assert!(refused.contains(&said), "{refused}");
    talk.text("discard", json!({"plan_id": plan})).await;
    let ran = talk.text("run", other).await;
    assert!(ran.starts_with("result: 1"), "{ran}");
    talk.close().await;
}
