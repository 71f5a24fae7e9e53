//! Sheets over S3: the sheet decides what is asked and confirmed, and the program runs as every
//! program on S3 does.

use super::lab::{Lab, Talk, cache};
use dialog2api::domain::{NamedWorld, Slate, Value, World, separate};
use dialog2api::folder;
use dialog2api::policy::Policy;
use dialog2api::service::PlanAnswer;
use expect_test::expect;

const REQUEST: &str = "\
ArchiveRequest(selection=Selection(bucket='press-photos', since='2025-01-01'), reason='Cost',
    approver=answer('Priya', sql=\"SELECT name, team, buckets FROM approvers WHERE name LIKE 'Priya%'\"))";
const PRIYA: &str = "3 objects, 13200 bytes. Priya Nair of the press team: is that the one?";
const CONFIRM: &str = "archive_request.approver = confirm(archive_request.approver)";
const RIGHT: &str = "\
3 objects of press-photos, since 2025-01-01, 13200 bytes, for the cost; Priya Nair of the press team, \
who may approve for press-photos and press-releases. Shall I?";
const YES: &str = "archive_request.confirm = True";
const DONE: &str = "It is done: 3 objects are in press-photos-archive.";

/// The request up to the question for a yes.
async fn asked(lab: &Lab, policy: Policy, more: &[&str]) -> Talk {
    let answers = [&[REQUEST, PRIYA, CONFIRM, RIGHT], more].concat();
    let mut talk = lab.open_with(&answers, policy).await;
    talk.say("archive the press photos from before 2025, Priya agrees")
        .await;
    assert_eq!(talk.say("yes").await, RIGHT);
    talk
}

/// The keys of a bucket, or why there are none.
async fn keys(talk: &Talk, bucket: &str) -> String {
    let params = Value::Map(vec![("Bucket".into(), bucket.into())]);
    let world = talk.conversation.world();
    let listed = world.call("list_objects_v2", &params).await.unwrap();
    let Value::Map(listed) = (match listed {
        Ok(listed) => listed,
        Err(refusal) => return refusal.code,
    }) else {
        panic!("a listing");
    };
    let contents = listed.iter().find(|(name, _)| *name == *"Contents");
    let Some((_, Value::List(contents))) = contents else {
        return String::new();
    };
    let key = |item: &Value| match item {
        Value::Map(item) => item.iter().find(|(name, _)| *name == *"Key").cloned(),
        _ => None,
    };
    let keys = contents.iter().filter_map(key);
    let keys = keys.filter_map(|(_, key)| match key {
        Value::Str(key) => Some(key.to_string()),
        _ => None,
    });
    keys.collect::<Vec<_>>().join(" ")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_folder_has_no_findings() {
    let findings = folder::check(&Lab::of("worksheets-archive").path(), &cache()).await;
    assert_eq!(findings.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_such_a_folder_is_said() {
    let found = async |lab: Lab| {
        let findings = folder::check(&lab.path(), &cache()).await.unwrap();
        let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
        lines.join("\n")
    };
    let lab = || Lab::of("worksheets-archive");
    expect![[r#"domain.toml:3: no domain "s4" comes with the program, but s3, optimization, planning, mediation"#]]
        .assert_eq(&found(lab().replace("domain.toml", "\"s3\"", "\"s4\"")).await);
    expect!["programs.py:17: Expected `(`, found `,`"]
        .assert_eq(&found(lab().replace("programs.py", "def survey(", "def survey")).await);
    expect!["worlds/office.toml:9: invalid type: map, expected a sequence"]
        .assert_eq(&found(lab().replace("worlds/office.toml", "[[bucket]]", "[[bukket]]")).await);
    expect![[r#"
        domain.toml:4: a domain over another one has no kind of its own
        api.pyi: cannot read: No such file or directory (os error 2)
        worksheets.csv:2: ArchiveRequest: archive is called, and the folder has no world.py: write one that defines it
        worksheets.csv:13: Selection: survey is called, and the folder has no world.py: write one that defines it"#]]
    .assert_eq(&found(lab().replace("domain.toml", "domain =", "kind = \"mcp\"\ndomain =")).await);
}

#[test]
fn its_worlds_are_those_of_s3_and_its_own() {
    let lab = Lab::of("worksheets-archive");
    let domain = lab.domain();
    let found = |name: Option<&str>, options: &[(&str, &str)]| {
        let options = options.iter();
        let named = NamedWorld {
            name: name.map(str::to_owned),
            options: options
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        };
        let found = domain.worlds().unwrap().find(&named).unwrap();
        format!("{} {:?}", found.name, found.kind)
    };
    let files = lab.path().display().to_string();
    assert_eq!(found(None, &[]), "office Memory");
    assert_eq!(found(Some("office"), &[]), "office Memory");
    assert_eq!(found(None, &[("files", &files)]), "office Memory");
    assert_eq!(found(Some("zoology"), &[]), "zoology Memory");
    assert_eq!(found(Some("s3"), &[]), "s3 Remote");
    let server = [("endpoint-url", "http://127.0.0.1:1")];
    assert_eq!(found(None, &server), "s3 Remote");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_yes_runs_the_program_and_an_undo_takes_it_back() {
    let lab = Lab::of("worksheets-archive");
    let mut talk = asked(&lab, Policy::default(), &[YES, DONE]).await;
    expect![[r#"
        selection (done): Objects that were not changed for long
           bucket: press-photos
           since: 2025-01-01
           count: 3
           bytes: 13200
           result: count 3, bytes 13200
        answer_1 ("Priya"): 1 found
        archive_request (open): Move old objects of a bucket to its archive
           selection: selection
           approver: name Priya Nair, team press, buckets press-photos, press-releases (confirmed)
           reason: Cost
         > confirm: missing; asked when all else is there
        Ask(archive_request, confirm): the next field of ArchiveRequest that is missing
    "#]]
    .assert_eq(&talk.forms());
    let before = keys(&talk, "press-photos").await;
    assert_eq!(talk.say("yes please").await, DONE);
    assert_eq!(talk.decided(), r#"[{"apply":{}},"words"]"#);
    expect![[r#"{"acts":["Report(archive_request)"],"calls":[{"call":"archive({\"bucket\":\"press-photos\",\"since\":\"2025-01-01\",\"count\":3,\"bytes\":13200}, {\"name\":\"Priya Nair\",\"team\":\"press\",\"buckets\":[\"press-photos\",\"press-releases\"]})","result":{"archive":"press-photos-archive","moved":3}}]}"#]].assert_eq(&talk.outcome());
    assert_eq!(keys(&talk, "press-photos").await, "2026/new-hall.jpg");
    let moved = "2023/opening.jpg 2023/party.jpg 2024/fair.jpg";
    assert_eq!(keys(&talk, "press-photos-archive").await, moved);

    assert_eq!(talk.undo().await, "Undone.");
    assert_eq!(keys(&talk, "press-photos").await, before);
    assert_eq!(keys(&talk, "press-photos-archive").await, "NoSuchBucket");
    let forms = talk.forms();
    expect![[r#"
        selection (done): Objects that were not changed for long
           bucket: press-photos
           since: 2025-01-01
           count: 3
           bytes: 13200
           result: count 3, bytes 13200
        answer_1 ("Priya"): 1 found
        archive_request (open): Move old objects of a bucket to its archive
           selection: selection
           approver: name Priya Nair, team press, buckets press-photos, press-releases (confirmed)
           reason: Cost
           confirm: missing; asked when all else is there
           taken back
        Report(archive_request)
    "#]]
    .assert_eq(&forms);
    talk.conversation.close().unwrap();
    drop(talk);
    let talk = lab.open(&[]).await;
    assert_eq!(talk.forms(), forms);
    assert_eq!(keys(&talk, "press-photos").await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_only_the_model_heard_is_a_plan_to_agree_to() {
    let lab = Lab::of("worksheets-archive");
    let left = format!("Nothing is moved. {RIGHT}");
    let mut talk = asked(&lab, Policy::default(), &[YES, &left]).await;
    talk.answer = PlanAnswer::Decline;
    let said = talk.say("what would that cost?").await;
    assert_eq!(said, format!("plan: 7\n{left}"));
    expect![[r#"[{"decline":{"why":"Nothing was changed: the user was shown what this would change, and said no."}},"user"]"#]].assert_eq(&talk.decided());
    let before = "2023/opening.jpg 2023/party.jpg 2024/fair.jpg 2026/new-hall.jpg";
    assert_eq!(keys(&talk, "press-photos").await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_policy_of_the_folder_holds_for_the_programs_of_its_sheets() {
    let lab =
        Lab::of("worksheets-archive").replace("policy.toml", "invoices/**", "press-photos/2023/**");
    let policy = Policy::read(lab.domain().policy.as_deref().unwrap()).unwrap();
    let failed = format!("The policy does not allow it. {RIGHT}");
    let mut talk = asked(&lab, policy, &[YES, &failed]).await;
    assert_eq!(talk.say("yes").await, failed);
    expect![[r#"{"acts":["Report(archive_request)","Ask(archive_request, confirm) [failed]"],"calls":[{"call":"archive({\"bucket\":\"press-photos\",\"since\":\"2025-01-01\",\"count\":3,\"bytes\":13200}, {\"name\":\"Priya Nair\",\"team\":\"press\",\"buckets\":[\"press-photos\",\"press-releases\"]})","error":"AccessDenied","message":"An error occurred (AccessDenied) when calling the DeleteObject operation: The policy does not allow this: rule \"keep-invoices\" denies delete_object on press-photos/2023/opening.jpg."}]}"#]].assert_eq(&talk.outcome());
    // It had made the archive and copied an object before it was refused.
    assert_eq!(keys(&talk, "press-photos-archive").await, "NoSuchBucket");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_program_reaches_no_bucket() {
    let lab = Lab::of("worksheets-archive");
    for program in [
        "s3.delete_object(Bucket='invoices', Key='2022/0001.pdf')",
        "archive({'bucket': 'invoices', 'since': '2026-01-01'}, {'name': 'x', 'buckets': ['invoices']})",
        "import boto3\nboto3.client('s3').delete_object(Bucket='invoices', Key='2022/0001.pdf')",
        "import _host\n_host.call('delete_object', {'Bucket': 'invoices', 'Key': '2022/0001.pdf'})",
        "ArchiveRequest.__class__.__call__.__globals__['_base']._S3.delete_object(Bucket='invoices', Key='2022/0001.pdf')",
    ] {
        let mut talk = lab.open(&[program, program, "What?", "What?"]).await;
        talk.say("archive the invoices").await;
        assert_eq!(
            keys(&talk, "invoices").await,
            "2022/0001.pdf 2025/0411.pdf",
            "{program}"
        );
        talk.conversation.close().unwrap();
        std::fs::remove_dir_all(lab.store().folder()).unwrap();
    }
}

#[test]
fn dialogues_that_begin_in_one_world_share_nothing() {
    let domain = Lab::of("worksheets-archive").domain();
    let world = domain.initial_world("zoology").unwrap();
    let pending = |of: &dyn World| of.slate().and_then(Slate::pending);
    let (one, other) = (separate(&*world).unwrap(), separate(&*world).unwrap());
    let draft = one.fork().unwrap();
    draft.slate().unwrap().set_pending(Some(true.into()));
    // The world takes what is said in its draft.
    assert_eq!(pending(&*one), Some(true.into()));
    assert_eq!((pending(&*other), pending(&*world)), (None, None));
}
