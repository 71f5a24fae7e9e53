//! Programs that have to wait for the user, whatever a trained model says: those with a name
//! that nobody gave, and those that the user was not asked about and that destroy something or
//! write to a bucket that the user did not name. Others that are complete run at once.

use crate::agent::fake::zoology_agent;
use crate::support::sandbox;
use dialog2api::agent::{Agent, Session, Settings, Unwatched};
use dialog2api::domain::Domain;
use dialog2api::domain::s3::S3;
use dialog2api::domain::s3::world::memory;
use dialog2api::llm::Script;
use dialog2api::prompts::Form;
use dialog2api::retrieval::ExamplePool;
use expect_test::{Expect, expect};
use std::fmt::Write as _;
use std::sync::Arc;

/// Says each of these things to an agent over the world `zoology`. Its model gives the answer
/// beside it, in the notation of trained models, and replies `Ok.`. Answers that are drawn one
/// after the other are separated by a line `--`. Compares the goals of each turn and the aids
/// that changed them.
async fn check(form: Form, turns: &[(&str, &str)], expected: Expect) {
    let answers = answers(turns).map(|answer| match form {
        Form::Trained => answer.to_owned(),
        Form::Chat | Form::Text => chat(answer),
    });
    let settings = Settings {
        protocol: form.protocol(),
        assist: "final-placeholder,invented-name,unconfirmed,unneeded-draft"
            .parse()
            .unwrap(),
        ..Settings::default()
    };
    let agent = zoology_agent(answers, Arc::new(sandbox().await), settings);
    check_agent(&agent, turns, expected).await;
}

/// Everything that the model says in these turns.
fn answers<'t>(turns: &'t [(&str, &'t str)]) -> impl Iterator<Item = &'t str> {
    let drawn = |answer: &'t str| answer.split("\n--\n").chain(["Ok."]);
    turns.iter().flat_map(move |(_, answer)| drawn(answer))
}

/// The same with this agent.
async fn check_agent(agent: &Agent, turns: &[(&str, &str)], expected: Expect) {
    let mut session = Session::new();
    let mut seen = String::new();
    for (user, _) in turns {
        let report = agent.turn(&mut session, user, &mut Unwatched).await;
        assert!(report.failure.is_none(), "{:?}", report.failure);
        let aids: Vec<&str> = report.aided.iter().map(|aided| &*aided.aid).collect();
        writeln!(seen, "User: {user}  {aids:?}").unwrap();
        for update in &report.updates {
            let goal = session.stack().get(update.uid).unwrap();
            writeln!(
                seen,
                "{} {}\n{}",
                goal.uid,
                goal.status,
                goal.program.code()
            )
            .unwrap();
            if let Some(outcome) = &goal.outcome {
                writeln!(seen, "=> {outcome:?}").unwrap();
            }
        }
    }
    expected.assert_eq(&seen);
}

/// The same answer in the form of a chat.
fn chat(answer: &str) -> String {
    if answer == "Ok." {
        return "<turn>Agent: Ok.</turn>".into();
    }
    let (head, code) = answer.split_once('\n').unwrap();
    let (uid, status) = head.split_once(' ').unwrap();
    format!("<goal uid=\"{uid}\" status=\"{status}\">\n<program>\n{code}\n</program>\n</goal>")
}

const DELETE: &str = "s3.delete_object(Bucket=\"zoology-bucket\", Key=\"sea_animals/orca.txt\")";

#[tokio::test]
async fn a_deletion_waits_for_a_yes() {
    check(
        Form::Trained,
        &[
            (
                "delete sea_animals/orca.txt in zoology-bucket",
                &format!("1 final\n{DELETE}"),
            ),
            ("yes", "1 final"),
            ("and again", &format!("2 final\n{DELETE}")),
            ("yes, even if it is gone", &format!("2 final\n{DELETE}")),
        ],
        expect![[r#"
            User: delete sea_animals/orca.txt in zoology-bucket  ["unconfirmed"]
            1 drafting
            s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/orca.txt")
            User: yes  []
            1 final
            s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/orca.txt")
            => Result(Null)
            User: and again  ["unconfirmed"]
            2 drafting
            s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/orca.txt")
            User: yes, even if it is gone  []
            2 final
            s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/orca.txt")
            => Result(Null)
        "#]],
    )
    .await;
}

/// Says things to an agent whose world allows no rehearsal, like a server.
async fn check_unrehearsed(turns: &[(&str, &str)], expected: Expect) {
    let mut domain = Domain::clone(&S3);
    domain.effects.is_stepwise = true;
    let domain = Arc::new(domain);
    let settings = Settings {
        protocol: Form::Trained.protocol(),
        ..Settings::default()
    };
    let agent = Agent::new(
        Arc::new(Script::new(answers(turns))),
        Arc::new(sandbox().await),
        Arc::new(memory("zoology").unwrap()),
        &domain,
        Arc::new(ExamplePool::new(&[], &domain).unwrap()),
        settings,
    );
    check_agent(&agent.unwrap(), turns, expected).await;
}

/// Where nothing can be rehearsed, a call that destroys is reason enough.
#[tokio::test]
async fn a_deletion_waits_also_where_nothing_is_rehearsed() {
    check_unrehearsed(
        &[
            (
                "delete sea_animals/orca.txt in zoology-bucket",
                &format!("1 final\n{DELETE}"),
            ),
            ("yes", "1 final"),
        ],
        expect![[r#"
            User: delete sea_animals/orca.txt in zoology-bucket  ["unconfirmed"]
            1 drafting
            s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/orca.txt")
            User: yes  []
            1 final
            s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/orca.txt")
            => Result(Null)
        "#]],
    )
    .await;
}

/// Where nothing can be rehearsed, a draft that only reads runs. One that writes waits, because
/// it might overwrite something.
#[tokio::test]
async fn a_complete_draft_that_reads_runs_also_where_nothing_is_rehearsed() {
    check_unrehearsed(
        &[
            (
                "which regions?",
                "1 drafting\nreturn s3.get_bucket_location(Bucket=\"zoology-bucket\")\n--\n\
                 1 drafting\nreturn s3.get_bucket_location(Bucket=\"zoology-bucket\")",
            ),
            (
                "make a bucket attic",
                "2 drafting\ns3.create_bucket(Bucket=\"attic\")",
            ),
        ],
        expect![[r#"
            User: which regions?  ["unneeded-draft"]
            1 final
            return s3.get_bucket_location(Bucket="zoology-bucket")
            => Result(Object {"ResponseMetadata": Object {"RequestId": String("0000000000000001"), "HostId": String(""), "HTTPStatusCode": Number(200), "HTTPHeaders": Object {"x-amz-request-id": String("0000000000000001"), "server": String("AmazonS3")}, "RetryAttempts": Number(0)}, "LocationConstraint": Null})
            User: make a bucket attic  []
            2 drafting
            s3.create_bucket(Bucket="attic")
        "#]],
    )
    .await;
}

/// The model forgot what the draft is for, and remembers it when it draws again.
#[tokio::test]
async fn a_draft_that_reads_is_drawn_again() {
    let list = "return len(s3.list_objects(Bucket=\"zoology-bucket\")[\"Contents\"])";
    check(
        Form::Trained,
        &[(
            "delete the orca in zoology-bucket and say how many are left",
            &format!("1 drafting\n{list}\n--\n1 drafting\n{DELETE}\n{list}"),
        )],
        expect![[r#"
            User: delete the orca in zoology-bucket and say how many are left  ["unneeded-draft"]
            1 drafting
            s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/orca.txt")
            return len(s3.list_objects(Bucket="zoology-bucket")["Contents"])
        "#]],
    )
    .await;
}

#[tokio::test]
async fn what_is_replaced_waits_and_what_is_new_runs() {
    let put = |key: &str| {
        format!("final\ns3.put_object(Bucket=\"zoology-bucket\", Key=\"{key}\", Body=\"x\")")
    };
    check(
        Form::Trained,
        &[
            (
                "write x to sightings.csv in zoology-bucket",
                &format!("1 {}", put("sightings.csv")),
            ),
            ("no, to new.csv", &format!("1 {}", put("new.csv"))),
        ],
        expect![[r#"
            User: write x to sightings.csv in zoology-bucket  ["unconfirmed"]
            1 drafting
            s3.put_object(Bucket="zoology-bucket", Key="sightings.csv", Body="x")
            User: no, to new.csv  []
            1 final
            s3.put_object(Bucket="zoology-bucket", Key="new.csv", Body="x")
            => Result(Null)
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_complete_draft_that_destroys_nothing_runs() {
    let draft = |uid: u32, program: &str| format!("{uid} drafting\n{program}");
    let turns = [
        (
            "make a bucket attic",
            draft(1, "s3.create_bucket(Bucket=\"attic\")"),
        ),
        (
            "and one more",
            draft(2, "s3.create_bucket(Bucket=\"attic\")\nreturn [][0]"),
        ),
        (
            "write x to sightings.csv in zoology-bucket",
            draft(
                3,
                "s3.put_object(Bucket=\"zoology-bucket\", Key=\"sightings.csv\", Body=\"x\")",
            ),
        ),
        (
            "list something",
            draft(4, "return s3.list_objects(Bucket=?1)"),
        ),
    ];
    let turns = turns.each_ref().map(|(user, draft)| (*user, &**draft));
    check(
        Form::Trained,
        &turns,
        expect![[r#"
            User: make a bucket attic  ["unneeded-draft"]
            1 final
            s3.create_bucket(Bucket="attic")
            => Result(Null)
            User: and one more  []
            2 drafting
            s3.create_bucket(Bucket="attic")
            return [][0]
            User: write x to sightings.csv in zoology-bucket  []
            3 drafting
            s3.put_object(Bucket="zoology-bucket", Key="sightings.csv", Body="x")
            User: list something  []
            4 drafting
            return s3.list_objects(Bucket=?1)
        "#]],
    )
    .await;
    check(
        Form::Chat,
        &turns[..1],
        expect![[r#"
            User: make a bucket attic  []
            1 drafting
            s3.create_bucket(Bucket="attic")
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_yes_holds_for_the_same_effect_in_other_words_and_for_no_other() {
    let other = DELETE.replace("orca", "dolphin");
    check(
        Form::Trained,
        &[
            (
                "delete sea_animals/orca.txt in zoology-bucket",
                &format!("1 drafting\n{DELETE}"),
            ),
            ("no, the dolphin, I confirm", &format!("1 final\n{other}")),
            (
                "yes",
                &format!(
                    "1 final\nkey = \"sea_animals/dolphin.txt\"\n{}",
                    other.replace("\"sea_animals/dolphin.txt\"", "key")
                ),
            ),
        ],
        expect![[r#"
            User: delete sea_animals/orca.txt in zoology-bucket  []
            1 drafting
            s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/orca.txt")
            User: no, the dolphin, I confirm  ["unconfirmed"]
            1 drafting
            s3.delete_object(Bucket="zoology-bucket", Key="sea_animals/dolphin.txt")
            User: yes  []
            1 final
            key = "sea_animals/dolphin.txt"
            s3.delete_object(Bucket="zoology-bucket", Key=key)
            => Result(Null)
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_bucket_that_nobody_named_is_asked_for() {
    check(
        Form::Trained,
        &[
            (
                "how many files do I have?",
                "1 final\nreturn len(s3.list_objects(Bucket=\"my-bucket\")[\"Contents\"])",
            ),
            (
                "I meant zoology-archive",
                "1 final\nreturn len(s3.list_objects(Bucket=\"zoology-archive\")[\"Contents\"])",
            ),
            // Every word of it was said, or came out of a program.
            (
                "which other zoology bucket do I have?",
                "2 final\nreturn [it[\"Name\"] for it in s3.list_buckets()[\"Buckets\"]]",
            ),
            (
                "copy 2022/report.txt to the old bucket for zoology",
                "3 final\ns3.copy_object(Bucket=\"zoology-old\", Key=?1, CopySource=?2)",
            ),
            // The user was not asked about anything yet, so the numbers are in order.
            (
                "and to another one",
                "4 final\ns3.copy_object(Bucket=\"attic\", Key=?1, CopySource=?2)",
            ),
            (
                "quagga",
                "4 final\ns3.copy_object(Bucket=\"quagga\", Key=?2, CopySource={\"Bucket\": ?4})\ns3.delete_bucket(Bucket=\"okapi\")",
            ),
        ],
        expect![[r#"
            User: how many files do I have?  ["invented-name", "final-placeholder"]
            1 drafting
            return len(s3.list_objects(Bucket=?1)["Contents"])
            User: I meant zoology-archive  []
            1 final
            return len(s3.list_objects(Bucket="zoology-archive")["Contents"])
            => Result(Number(1))
            User: which other zoology bucket do I have?  []
            2 final
            return [it["Name"] for it in s3.list_buckets()["Buckets"]]
            => Result(Array [String("zoology-archive"), String("zoology-bucket")])
            User: copy 2022/report.txt to the old bucket for zoology  ["final-placeholder"]
            3 drafting
            s3.copy_object(Bucket="zoology-old", Key=?1, CopySource=?2)
            User: and to another one  ["invented-name", "final-placeholder"]
            4 drafting
            s3.copy_object(Bucket=?1, Key=?2, CopySource=?3)
            User: quagga  ["invented-name", "final-placeholder"]
            4 drafting
            s3.copy_object(Bucket="quagga", Key=?2, CopySource={"Bucket": ?4})
            s3.delete_bucket(Bucket=?5)
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_write_to_a_bucket_that_only_a_result_names_waits() {
    let put = |status| {
        format!(
            "2 {status}\ns3.put_object(Bucket=\"zoology-archive\", Key=\"orca.txt\", Body=\"orca\")"
        )
    };
    check(
        Form::Trained,
        &[
            (
                "which buckets do I have?",
                "1 final\nreturn [it[\"Name\"] for it in s3.list_buckets()[\"Buckets\"]]",
            ),
            ("do it", &put("final")),
            ("yes", &put("final")),
            ("and once more", &put("drafting").replace("orca.txt", "b.txt").replace("2 ", "3 ")),
            (
                "put an empty c.txt into the archive for zoology",
                "4 final\ns3.put_object(Bucket=\"zoology-archive\", Key=\"c.txt\", Body=\"\")",
            ),
            // It writes to a bucket that the user named, and only reads the other.
            (
                "make a bucket quagga and copy our report there",
                "5 final\ns3.create_bucket(Bucket=\"quagga\")\ns3.copy_object(Bucket=\"quagga\", Key=\"report.txt\", CopySource={\"Bucket\": \"zoology-archive\", \"Key\": \"2022/report.txt\"})",
            ),
        ],
        expect![[r#"
            User: which buckets do I have?  []
            1 final
            return [it["Name"] for it in s3.list_buckets()["Buckets"]]
            => Result(Array [String("zoology-archive"), String("zoology-bucket")])
            User: do it  ["unconfirmed"]
            2 drafting
            s3.put_object(Bucket="zoology-archive", Key="orca.txt", Body="orca")
            User: yes  []
            2 final
            s3.put_object(Bucket="zoology-archive", Key="orca.txt", Body="orca")
            => Result(Null)
            User: and once more  []
            3 drafting
            s3.put_object(Bucket="zoology-archive", Key="b.txt", Body="orca")
            User: put an empty c.txt into the archive for zoology  []
            4 final
            s3.put_object(Bucket="zoology-archive", Key="c.txt", Body="")
            => Result(Null)
            User: make a bucket quagga and copy our report there  []
            5 final
            s3.create_bucket(Bucket="quagga")
            s3.copy_object(Bucket="quagga", Key="report.txt", CopySource={"Bucket": "zoology-archive", "Key": "2022/report.txt"})
            => Result(Null)
        "#]],
    )
    .await;
}

#[tokio::test]
async fn models_that_read_instructions_decide_themselves() {
    check(
        Form::Chat,
        &[(
            "delete the orca",
            &format!("1 final\n{}", DELETE.replace("zoology-bucket", "ours")),
        )],
        expect![[r#"
            User: delete the orca  []
            1 final
            s3.delete_object(Bucket="ours", Key="sea_animals/orca.txt")
            => Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the DeleteObject operation: The specified bucket does not exist", traceback: Some("Traceback (most recent call last):\n  File \"program.py\", line 1, in program\n    s3.delete_object(Bucket=\"ours\", Key=\"sea_animals/orca.txt\")\nNoSuchBucket: An error occurred (NoSuchBucket) when calling the DeleteObject operation: The specified bucket does not exist") })
        "#]],
    )
    .await;
}
