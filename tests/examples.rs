//! The programs in `examples/` do what they say.
#![allow(dead_code, reason = "the `main` of an example is for people")]

#[path = "../examples/embed.rs"]
mod embed;
#[path = "../examples/front_end.rs"]
mod front_end;
#[path = "../examples/function_as_model.rs"]
mod function_as_model;
#[path = "../examples/own_domain.rs"]
mod own_domain;
#[path = "../examples/own_policy.rs"]
mod own_policy;
#[path = "../examples/s3_server.rs"]
mod s3_server;

use dialog2api::exec::Cache;
use expect_test::expect;
use std::path::Path;

fn cache() -> Cache {
    Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox"))
}

#[tokio::test]
async fn the_agent_can_be_embedded() {
    let sessions = tempfile::tempdir().unwrap();
    assert_eq!(
        embed::converse(&cache(), sessions.path()).await.unwrap(),
        "buckets to create: 1\nThe bucket attic is there."
    );
}

/// The names of the events and what became of the plan.
#[tokio::test]
async fn a_front_end_draws_events_and_passes_answers_on() {
    let sessions = tempfile::tempdir().unwrap();
    let mut out = Vec::new();
    let said = "make a bucket attic\nyes\nwhich are there?\n";
    front_end::converse(&cache(), sessions.path(), said.as_bytes(), &mut out)
        .await
        .unwrap();
    let lines = String::from_utf8(out).unwrap();
    let mut names: Vec<String> = Vec::new();
    for line in lines.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = event["event"].as_str().unwrap().to_owned();
        if names.last() != Some(&name) {
            names.push(name);
        }
    }
    expect!["opened turn_started asking text stack started called plan decided applying executed asking text turn_ended turn_started asking text stack started called executed asking text turn_ended"].assert_eq(&names.join(" "));
}

#[tokio::test]
async fn a_domain_can_be_written_in_rust() {
    expect![[r#"
        draft: <result>42</result>
        <error/>
        draft: <result>null</result>
        <error>{"error": "OnlyUpwards", "message": "a counter only grows: use a number above 0"}</error>
        world: <result>42</result>
        <error/>
        world: <result>null</result>
        <error>{"error": "OnlyUpwards", "message": "a counter only grows: use a number above 0"}</error>
    "#]].assert_eq(&own_domain::count(&cache()).await.unwrap());
}

#[tokio::test]
async fn a_policy_holds_what_programs_do() {
    expect![[r#"
        <result>2</result>
        <error/>
        <result>null</result>
        <error>{"error": "AccessDenied", "message": "An error occurred (AccessDenied) when calling the DeleteObject operation: The policy does not allow this: protected_buckets has \"zoology-*\", which denies delete_object on zoology-bucket/sea_animals/otter.txt."}</error>
        <result>"made"</result>
        <error/>
    "#]].assert_eq(&own_policy::guarded(&cache()).await.unwrap());
}

#[tokio::test]
async fn a_function_is_scored_as_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3-everyday");
    let run = folder.path().join("run");
    let figures = function_as_model::evaluate(&cache(), &dataset, &run).await;
    expect![[r#"
        emr 0.500
        complete 0.500
        turn_match 0.500
        state_emr 0.750
        executing_emr 0.500
        bleu 1.646
        strict_emr 0.500
        strict_turn_match 0.500
    "#]]
    .assert_eq(&figures.unwrap());
}

#[tokio::test]
async fn a_world_is_a_server_for_tests() {
    assert_eq!(s3_server::serve().await.unwrap(), "feed the seals");
}
