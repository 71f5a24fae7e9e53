//! Execute and vote: of several answers the one counts whose outcome most of them share.

use crate::agent::fake::zoology_agent;
use crate::support::sandbox;
use dialog2api::agent::{Session, Settings, Unwatched};
use dialog2api::prompts::Form;
use expect_test::{Expect, expect};
use std::sync::Arc;

/// Asks for programs, with three votes, a model that gives these answers, and then replies
/// `Ok.`. Compares the program that ran, and how many answers were drawn.
async fn check(answers: &[&str], expected: Expect) {
    let settings = Settings {
        form: Form::Trained,
        votes: 3,
        ..Settings::default()
    };
    let answers = answers.iter().chain(&["Ok."]).copied();
    let agent = zoology_agent(answers, Arc::new(sandbox().await), settings);
    let mut session = Session::new();
    let report = agent
        .turn(
            &mut session,
            "how many buckets like zoology-bucket do I have?",
            &mut Unwatched,
        )
        .await;
    assert!(report.failure.is_none(), "{:?}", report.failure);
    let goal = session.stack().goals().last().unwrap().clone();
    let drawn = report.exchanges.len() - 1;
    let status = goal.status;
    let voted = report.aided.iter().any(|one| one.aid == "votes");
    let voted = if voted { ", by votes" } else { "" };
    expected.assert_eq(&format!(
        "{drawn} drawn, {status}{voted}: {}",
        goal.program.code()
    ));
}

const NAMES: &str = "1 final\nreturn s3.list_buckets()[\"Buckets\"][0][\"Name\"]";
const COUNT: &str = "1 final\nreturn len(s3.list_buckets()[\"Buckets\"])";
const COUNT_TOO: &str = "1 final\nbuckets = s3.list_buckets()\nreturn len(buckets[\"Buckets\"])";
const NONE: &str = "1 final\nreturn 0";

#[tokio::test]
async fn two_programs_with_one_outcome_win() {
    check(
        &[NAMES, COUNT, COUNT_TOO],
        expect![[r#"3 drawn, final, by votes: return len(s3.list_buckets()["Buckets"])"#]],
    )
    .await;
}

#[tokio::test]
async fn a_majority_ends_the_vote() {
    check(
        &[COUNT, COUNT_TOO],
        expect![[r#"2 drawn, final: return len(s3.list_buckets()["Buckets"])"#]],
    )
    .await;
}

#[tokio::test]
async fn without_a_majority_the_first_answer_stays() {
    check(
        &[NAMES, COUNT, NONE],
        expect![[r#"3 drawn, final: return s3.list_buckets()["Buckets"][0]["Name"]"#]],
    )
    .await;
}

#[tokio::test]
async fn an_answer_that_breaks_a_rule_has_no_vote() {
    check(
        &[NAMES, "no goal", COUNT],
        expect![[r#"3 drawn, final: return s3.list_buckets()["Buckets"][0]["Name"]"#]],
    )
    .await;
}

#[tokio::test]
async fn an_answer_that_ends_by_accident_has_no_vote() {
    let accident = "1 final\nreturn names";
    check(
        &[NONE, accident, accident],
        expect!["3 drawn, final: return 0"],
    )
    .await;
}

#[tokio::test]
async fn what_is_changed_counts_too() {
    let put = |key: &str| {
        format!("1 final\ns3.put_object(Bucket=\"zoology-bucket\", Key=\"{key}\", Body=b\"x\")")
    };
    check(
        &[&put("a"), &put("b"), &put("b")],
        expect![[r#"3 drawn, final, by votes: s3.put_object(Bucket="zoology-bucket", Key="b", Body=b"x")"#]],
    )
    .await;
}

#[tokio::test]
async fn complete_drafts_that_do_the_same_are_one_answer() {
    let other =
        "1 drafting\ns3.delete_object(Bucket=\"zoology-bucket\", Key=\"sea_animals/orca.txt\")";
    let one = "1 drafting\ns3.delete_object(Bucket=\"zoology-bucket\", Key=\"sightings.csv\")";
    let same = "1 drafting\nname = \"zoology-bucket\"\ns3.delete_object(Bucket=name, Key=\"sightings.csv\")";
    check(&[other, one, same], expect![[r#"3 drawn, drafting, by votes: s3.delete_object(Bucket="zoology-bucket", Key="sightings.csv")"#]]).await;
}
