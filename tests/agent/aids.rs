//! The aids of an agent: each is switched on by its name, and each turn says which of them
//! had a part in it.

use crate::agent::fake::{agent_with, block_on, goal};
use dialog2api::agent::{Assist, Session, Settings, Unwatched, aids};
use dialog2api::dialogue::write_updates;
use expect_test::{Expect, expect};
use std::fmt::Write as _;

const DONE: &str = "<turn>Agent: Done.</turn>";

/// Two turns with each of these sets of aids: the requests, the updates, the aids that had a
/// part, and the reply of the second turn.
fn check(sets: &[&str], answers: &[&str], expected: Expect) {
    let mut seen = String::new();
    for set in sets {
        let settings = Settings {
            assist: set.parse().unwrap(),
            ..Settings::default()
        };
        let first = goal(1, "final", "return [\"web-logs\"]");
        let answers: Vec<&str> = [&*first, DONE].iter().chain(answers).copied().collect();
        let agent = agent_with(&answers, settings);
        let mut session = Session::new();
        block_on(agent.turn(&mut session, "which logs are there?", &mut Unwatched));
        let report = block_on(agent.turn(&mut session, "and in a?", &mut Unwatched));
        let aided = report
            .aided
            .iter()
            .map(|one| format!("{} ({:?})", one.aid, one.task));
        let aided: Vec<String> = aided.collect();
        let updates = if report.updates.is_empty() {
            "no updates".to_owned()
        } else {
            write_updates(&report.updates).replace('\n', " ")
        };
        let requests = report.exchanges.len();
        writeln!(
            seen,
            "{set}: {requests} requests, aided by [{}]",
            aided.join(", ")
        )
        .unwrap();
        writeln!(seen, "  {updates}\n  {}", report.reply).unwrap();
    }
    expected.assert_eq(&seen);
}

#[test]
fn a_quoted_placeholder() {
    check(
        &["none", "quoted-placeholder"],
        &[
            &goal(2, "drafting", "call s3.list_objects(Bucket=\"?1\")"),
            DONE,
        ],
        expect![[r#"
            none: 2 requests, aided by []
              <goal uid="2" status="drafting"> <program> call s3.list_objects(Bucket="?1") </program> </goal>
              Done.
            quoted-placeholder: 2 requests, aided by [quoted-placeholder (Program)]
              <goal uid="2" status="drafting"> <program> call s3.list_objects(Bucket=?1) </program> </goal>
              Done.
        "#]],
    );
}

#[test]
fn a_final_program_with_a_placeholder() {
    let hasty = goal(2, "final", "call s3.list_objects(Bucket=?1)");
    let draft = goal(2, "drafting", "call s3.list_objects(Bucket=?1)");
    check(
        &["final-placeholder"],
        &[&hasty, DONE],
        expect![[r#"
        final-placeholder: 2 requests, aided by [final-placeholder (Program)]
          <goal uid="2" status="drafting"> <program> call s3.list_objects(Bucket=?1) </program> </goal>
          Done.
    "#]],
    );
    check(
        &["none", "repair"],
        &[&hasty, &draft, DONE],
        expect![[r#"
        none: 1 requests, aided by []
          no updates
          Sorry, the model's answer could not be used: goal 2 can not be final: its program still has the placeholder ?1; fill in what the user said, or keep the status "drafting" until it is known. Nothing was changed; please try again.
        repair: 3 requests, aided by [repair (Program)]
          <goal uid="2" status="drafting"> <program> call s3.list_objects(Bucket=?1) </program> </goal>
          Done.
    "#]],
    );
}

#[test]
fn the_uid_of_a_closed_goal() {
    let reused = goal(1, "final", "call s3.list_objects(Bucket=\"a\")");
    check(
        &["reused-uid"],
        &[&reused, DONE],
        expect![[r#"
        reused-uid: 2 requests, aided by [reused-uid (Program)]
          <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="a") </program> </goal>
          Done.
    "#]],
    );
    check(
        &["none", "repair"],
        &[&reused, &reused, DONE],
        expect![[r#"
            none: 1 requests, aided by []
              no updates
              Sorry, the model's answer could not be used: goal 1 is final and can not change any more; for a new wish start a new goal, such as uid="2". Nothing was changed; please try again.
            repair: 2 requests, aided by [repair (Program)]
              no updates
              Sorry, the model's answer could not be used, even after it was asked again: goal 1 is final and can not change any more; for a new wish start a new goal, such as uid="2". Nothing was changed; please try again.
        "#]],
    );
}

#[test]
fn an_answer_that_cannot_be_read() {
    let list = goal(2, "final", "call s3.list_objects(Bucket=\"a\")");
    check(
        &["none", "repair"],
        &["nonsense", &list, DONE],
        expect![[r#"
            none: 1 requests, aided by []
              no updates
              Sorry, the model's answer could not be used: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `nonsense`. Nothing was changed; please try again.
            repair: 3 requests, aided by [repair (Program)]
              <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="a") </program> </goal>
              Done.
        "#]],
    );
    check(
        &["none", "repair"],
        &[&list, " ", DONE],
        expect![[r#"
        none: 2 requests, aided by []
          <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="a") </program> </goal>
          Done.
        repair: 3 requests, aided by [repair (Response)]
          <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="a") </program> </goal>
          Done.
    "#]],
    );
}

#[test]
fn lints() {
    let list = goal(2, "final", "call s3.list_objects(Bucket=\"a\")");
    let unknown = goal(2, "final", "call s3.list_keys(Bucket=\"a\")");
    check(
        &["none"],
        &[&unknown, DONE],
        expect![[r#"
        none: 2 requests, aided by []
          <goal uid="2" status="final"> <program> call s3.list_keys(Bucket="a") </program> </goal>
          Done.
    "#]],
    );
    check(
        &["unknown-call"],
        &[&unknown, &list, DONE],
        expect![[r#"
        unknown-call: 3 requests, aided by [unknown-call (Program)]
          <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="a") </program> </goal>
          Done.
    "#]],
    );
    let draft = goal(2, "drafting", "call s3.list_objects(Bucket=\"a\")");
    check(
        &["none"],
        &[&draft, DONE],
        expect![[r#"
        none: 2 requests, aided by []
          <goal uid="2" status="drafting"> <program> call s3.list_objects(Bucket="a") </program> </goal>
          Done.
    "#]],
    );
    check(
        &["unneeded-draft"],
        &[&draft, &list, DONE],
        expect![[r#"
        unneeded-draft: 3 requests, aided by [unneeded-draft (Program)]
          <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="a") </program> </goal>
          Done.
    "#]],
    );
    let invented = goal(2, "final", "call s3.list_objects(Bucket=\"zebra\")");
    check(
        &["none", "usual"],
        &[&invented, DONE],
        expect![[r#"
        none: 2 requests, aided by []
          <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="zebra") </program> </goal>
          Done.
        usual: 2 requests, aided by []
          <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="zebra") </program> </goal>
          Done.
    "#]],
    );
    check(
        &["ungiven-name"],
        &[&invented, &list, DONE],
        expect![[r#"
        ungiven-name: 3 requests, aided by [ungiven-name (Program)]
          <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="a") </program> </goal>
          Done.
    "#]],
    );
}

#[test]
fn reply_checks() {
    let list = goal(2, "final", "call s3.list_objects(Bucket=\"a\")");
    let wrong = "<turn>Agent: There are 5.</turn>";
    check(
        &["none", "usual"],
        &[&list, wrong],
        expect![[r#"
        none: 2 requests, aided by []
          <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="a") </program> </goal>
          There are 5.
        usual: 2 requests, aided by []
          <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="a") </program> </goal>
          There are 5.
    "#]],
    );
    check(
        &["unsupported-claim", "all"],
        &[&list, wrong, DONE],
        expect![[r#"
            unsupported-claim: 3 requests, aided by [unsupported-claim (Response)]
              <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="a") </program> </goal>
              Done.
            all: 3 requests, aided by [unsupported-claim (Response)]
              <goal uid="2" status="final"> <program> call s3.list_objects(Bucket="a") </program> </goal>
              Done.
        "#]],
    );
}

#[test]
fn every_aid_has_a_name_and_sets_are_written_as_they_are_read() {
    expect![[r#"
        quoted-placeholder
        invented-name
        final-placeholder
        reused-uid
        repair
        unknown-call
        unneeded-draft
        ungiven-name
        open-question
        dry-run
        unconfirmed
        unsupported-claim
        unread-listing"#]]
    .assert_eq(&aids().join("\n"));
    for set in ["none", "usual", "all", "repair", "repair,ungiven-name"] {
        let assist: Assist = set.parse().unwrap();
        assert_eq!(assist.to_string(), set);
        let json = serde_json::to_string(&assist).unwrap();
        assert_eq!(serde_json::from_str::<Assist>(&json).unwrap(), assist);
    }
    expect![[r#"there is no aid "spelling"; there are none, usual, all, or a list of quoted-placeholder, invented-name, final-placeholder, reused-uid, repair, unknown-call, unneeded-draft, ungiven-name, open-question, dry-run, unconfirmed, unsupported-claim, unread-listing"#]].assert_eq(&"repair,spelling".parse::<Assist>().unwrap_err().to_string());
}

#[test]
fn a_conversational_exception_has_one_name_everywhere() {
    use dialog2api::dialogue::ConversationalException;
    use dialog2api::domain::s3::S3;
    let runtime = include_str!("../../sandbox/src/python/_runtime.py");
    let instructions = include_str!("../../src/prompts/system.j2");
    for exception in ConversationalException::ALL {
        let name = exception.name();
        assert_eq!(ConversationalException::named(name), Some(exception));
        let class = format!("class {name}(");
        assert!(
            runtime.contains(&class) && S3.api.document.contains(&class),
            "{name}"
        );
        assert!(instructions.contains(&format!("raise {name}()")), "{name}");
    }
}
