//! The dialogues about managing buckets on SeaweedFS: which do there what is recorded of
//! them, and why the others do not.

use super::{SERVERS, options, read, replayer, server};
use crate::support::tools::needs;
use crate::support::weed;
use dialog2api::dataset::{Dialogue, EmptyAccount, InitialWorlds, ReplayedTurn, Replayer};
use dialog2api::dialogue::Outcome;
use dialog2api::domain::World;
use dialog2api::domain::s3::remote::SignatureMode;
use dialog2api::domain::s3::{Remote, S3};
use expect_test::expect;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The world with locks in the mode `COMPLIANCE`, which no server lets anybody lift.
const LOCKED: &str = "accounts";

/// A server that fails of itself on a busy machine is replaced, so often at most.
const TRIES: usize = 3;

/// Why dialogues end otherwise there than on the embedded store.
const REASONS: &[(&str, &[&str])] = &[
    (
        "the times of writing are those of the copy",
        &[
            "abort-rule-2",
            "clean-uploads-1",
            "clean-uploads-2",
            "compare-versions-1",
            "compare-versions-2",
            "prune-versions-1",
            "prune-versions-2",
            "undo-overwrite-1",
            "undo-overwrite-2",
            "version-sizes-2",
        ],
    ),
    (
        "the server has no access logs",
        &["access-logging-1", "access-logging-2", "audit-buckets-1"],
    ),
    (
        "the server has no websites",
        &["website-settings-1", "website-settings-2"],
    ),
    (
        "the server does not encrypt by default",
        &["audit-buckets-2", "set-encryption-2"],
    ),
    (
        "the server does not block the public",
        &["block-public-1", "block-public-2", "why-public-1"],
    ),
    (
        "the server does not copy an object to itself to change its storage class",
        &["change-class-2", "storage-classes-2"],
    ),
    (
        "objects have access lists there, whatever the ownership is",
        &["ownership-acl-1", "ownership-acl-2"],
    ),
    (
        "a lock that is over by now cannot be made",
        &["extend-lock-1"],
    ),
    ("the server has another code for it", &["extend-lock-2"]),
    ("the server does not replicate", &["replication-status-1"]),
    (
        "archived objects cannot be read, and so not be copied",
        &[
            "restore-archived-1",
            "restore-archived-2",
            "storage-classes-1",
        ],
    ),
    (
        "the policy of the bucket holds for the owner there",
        &["set-encryption-1"],
    ),
    (
        "the server takes tags that begin with aws:",
        &["tag-objects-2"],
    ),
];

/// What dialogues do on servers.
#[derive(Default)]
struct Report {
    /// What the servers refuse of each world.
    refused: BTreeMap<String, BTreeSet<String>>,
    /// What becomes of each dialogue.
    lines: BTreeSet<String>,
}

#[tokio::test(flavor = "multi_thread")]
async fn on_seaweedfs_the_dialogues_about_managing_do_what_it_can() {
    needs!(WEED);
    let (replayer, worlds) = (
        Arc::new(replayer().await),
        Arc::new(InitialWorlds::new(&S3)),
    );
    let mut dialogues = read("datasets/s3-manage");
    dialogues.sort_by(|one, other| one.world().cmp(&other.world()));
    let dialogues = Arc::new(dialogues);
    let shares: Vec<_> = (0..SERVERS)
        .map(|share| {
            let all = (replayer.clone(), worlds.clone(), dialogues.clone());
            tokio::spawn(async move {
                let (replayer, worlds, dialogues) = all;
                let mine = dialogues.iter().skip(share).step_by(SERVERS);
                on_servers(&replayer, &worlds, mine).await
            })
        })
        .collect();
    let mut all = Report::default();
    for share in shares {
        let report = share.await.expect("no panic");
        for (world, refused) in report.refused {
            all.refused.entry(world).or_default().extend(refused);
        }
        all.lines.extend(report.lines);
    }
    let mut text = String::new();
    for (world, refused) in all.refused {
        text += &format!("{world}\n");
        text.extend(refused.iter().map(|it| format!("    {it}\n")));
    }
    text.extend(all.lines);
    expect![[r#"
        accounts
            put_bucket_logging quill-payroll: Your previous request to create the named bucket succeeded and you already own it. (BucketAlreadyOwnedByYou)
            put_object quill-ledgers/budget-2025.csv: written without its encryption by a key: We encountered an internal error, please try again.
            put_object quill-ledgers/ledger-2024-q4.csv: written without its encryption by a key: We encountered an internal error, please try again.
            put_object quill-ledgers/ledger-2025-q1.csv: written without its encryption by a key: We encountered an internal error, please try again.
            put_object_retention quill-invoices/2025/inv-1101.txt: Invalid Request (InvalidRequest)
        observatory
            get_object polaris-frames/2022/m31-0917.fits: The operation is not valid for the object's storage class (InvalidObjectState)
            get_object polaris-frames/2023/m42-0110.fits: The operation is not valid for the object's storage class (InvalidObjectState)
            get_object polaris-frames/2023/m42-0111.fits: The operation is not valid for the object's storage class (InvalidObjectState)
            put_bucket_lifecycle_configuration polaris-frames: A header you provided implies functionality that is not implemented (NotImplemented)
            put_bucket_replication polaris-frames: Your previous request to create the named bucket succeeded and you already own it. (BucketAlreadyOwnedByYou)
            put_bucket_request_payment polaris-outreach: The XML you provided was not well-formed or did not validate against our published schema. (MalformedXML)
            put_public_access_block polaris-outreach: A header you provided implies functionality that is not implemented (NotImplemented)
        publisher
            put_public_access_block lantern-press: A header you provided implies functionality that is not implemented (NotImplemented)
        web-studio
            put_bucket_logging pebble-site: Your previous request to create the named bucket succeeded and you already own it. (BucketAlreadyOwnedByYou)
            put_bucket_website pebble-site: Your previous request to create the named bucket succeeded and you already own it. (BucketAlreadyOwnedByYou)
            put_public_access_block pebble-site: A header you provided implies functionality that is not implemented (NotImplemented)
            put_public_access_block pebble-uploads: A header you provided implies functionality that is not implemented (NotImplemented)
        abort-rule-1: the same outcomes
        abort-rule-2: program 2: another result, because the times of writing are those of the copy
        access-logging-1: program 1: another result, because the server has no access logs
        access-logging-2: program 1: BucketAlreadyExists instead of InvalidTargetBucketForLogging, because the server has no access logs
        allow-web-page-1: the same outcomes
        allow-web-page-2: the same outcomes
        audit-buckets-1: program 1: another result, because the server has no access logs
        audit-buckets-2: program 1: ServerSideEncryptionConfigurationNotFoundError instead of a result, because the server does not encrypt by default
        block-public-1: program 1: NotImplemented instead of a result, because the server does not block the public
        block-public-2: program 2: NotImplemented instead of a result, because the server does not block the public
        bucket-tags-1: the same outcomes
        bucket-tags-2: the same outcomes
        change-class-1: the same outcomes
        change-class-2: program 1: InvalidRequest instead of InvalidStorageClass, because the server does not copy an object to itself to change its storage class
        clean-uploads-1: program 1: another result, because the times of writing are those of the copy
        clean-uploads-2: program 2: another result, because the times of writing are those of the copy
        compare-versions-1: program 3: another result, because the times of writing are those of the copy
        compare-versions-2: program 2: another result, because the times of writing are those of the copy
        edit-policy-1: the same outcomes
        edit-policy-2: the same outcomes
        expire-logs-1: the same outcomes
        expire-logs-2: the same outcomes
        extend-lock-1: program 1: ObjectLockConfigurationNotFoundError instead of a result, because a lock that is over by now cannot be made
        extend-lock-2: program 1: AccessDenied instead of InvalidRequest, because the server has another code for it
        find-by-tag-1: the same outcomes
        find-by-tag-2: the same outcomes
        lifecycle-report-1: the same outcomes
        lifecycle-report-2: the same
        lock-refuses-1: the same outcomes
        lock-refuses-2: the same outcomes
        ownership-acl-1: program 3: a result instead of AccessControlListNotSupported, because objects have access lists there, whatever the ownership is
        ownership-acl-2: program 1: a result instead of AccessControlListNotSupported, because objects have access lists there, whatever the ownership is
        prune-versions-1: program 1: another result, because the times of writing are those of the copy
        prune-versions-2: program 1: another result, because the times of writing are those of the copy
        read-policy-1: the same outcomes
        read-policy-2: the same outcomes
        replication-status-1: program 1: ReplicationConfigurationNotFoundError instead of a result, because the server does not replicate
        replication-status-2: the same outcomes
        restore-archived-1: program 1: NoSuchKey instead of InvalidObjectState, because archived objects cannot be read, and so not be copied
        restore-archived-2: program 1: another result, because archived objects cannot be read, and so not be copied
        retag-1: the same outcomes
        retag-2: the same outcomes
        set-encryption-1: program 3: 403 instead of a result, because the policy of the bucket holds for the owner there
        set-encryption-2: program 1: ServerSideEncryptionConfigurationNotFoundError instead of a result, because the server does not encrypt by default
        storage-classes-1: program 1: another result, because archived objects cannot be read, and so not be copied
        storage-classes-2: program 3: InvalidRequest instead of a result, because the server does not copy an object to itself to change its storage class
        tag-objects-1: the same outcomes
        tag-objects-2: program 1: a result instead of InvalidTag, because the server takes tags that begin with aws:
        turn-on-versioning-1: the same
        turn-on-versioning-2: the same outcomes
        undelete-object-1: the same outcomes
        undelete-object-2: the same
        undo-overwrite-1: program 2: another result, because the times of writing are those of the copy
        undo-overwrite-2: program 1: IndexError instead of a result, because the times of writing are those of the copy
        version-sizes-1: the same outcomes
        version-sizes-2: program 1: another result, because the times of writing are those of the copy
        website-settings-1: program 1: BucketAlreadyOwnedByYou instead of a result, because the server has no websites
        website-settings-2: program 3: BucketAlreadyOwnedByYou instead of InvalidArgument, because the server has no websites
        why-public-1: program 1: NotImplemented instead of a result, because the server does not block the public
        why-public-2: the same outcomes
    "#]].assert_eq(&text);
}

async fn on_servers(
    replayer: &Replayer,
    worlds: &InitialWorlds,
    dialogues: impl Iterator<Item = &Dialogue>,
) -> Report {
    let mut report = Report::default();
    for dialogue in dialogues {
        let mut tries = 1;
        let (refused, line) = loop {
            let (refused, line) = on_a_server(replayer, worlds, dialogue).await;
            if tries == TRIES || !refused.iter().chain([&line]).any(|it| is_failure(it)) {
                break (refused, line);
            }
            tries += 1;
        };
        let world = dialogue.world().expect("a world");
        if !refused.is_empty() {
            let of_world = report.refused.entry(world.to_owned()).or_default();
            of_world.extend(refused);
        }
        let uid = &dialogue.transcript.uid;
        let reason = REASONS.iter().find(|(_, uids)| uids.contains(&&**uid));
        let reason = reason.map_or(String::new(), |(reason, _)| format!(", because {reason}"));
        report.lines.insert(format!("{uid}: {line}{reason}\n"));
    }
    report
}

/// Replays a dialogue on a new server. Returns the parts of its world that the server refuses,
/// and the difference to the replay on the embedded store. Each dialogue has a server, because
/// SeaweedFS frees the room of deleted buckets only after a while.
async fn on_a_server(
    replayer: &Replayer,
    worlds: &InitialWorlds,
    dialogue: &Dialogue,
) -> (Vec<String>, String) {
    let (server, there) = server().await;
    let borrowed = EmptyAccount::take(&S3, there.clone()).await;
    let borrowed = borrowed.expect("an empty server");
    let initial = || worlds.of(dialogue).expect("its world");
    let here = replay(replayer, dialogue, initial()).await;
    let here = here.expect("the embedded store works");
    let mut refused = Vec::new();
    if let Err(error) = borrowed.starting_from(&*initial()).await {
        let error = error.to_string();
        let (_, all) = error.split_once(": ").expect("what it is about");
        refused.extend(all.split("; ").map(str::to_owned));
    }
    let is_locked = dialogue.world() == Some(LOCKED);
    let there = match is_locked {
        // The contents that a policy keeps even from the owner are not in the signature.
        true => by_etags(&server.endpoint).await,
        false => there,
    };
    let line = match replay(replayer, dialogue, there).await {
        Ok(there) => compare(&here, &there),
        Err(error) => error.replace(&server.endpoint, "SERVER"),
    };
    if !is_locked {
        borrowed.empty().await.expect("it is emptied");
    }
    (refused, line)
}

/// Whether a server that is short of time or room said this, or said nothing.
fn is_failure(said: &str) -> bool {
    ["InternalError", "ServiceUnavailable", "SlowDown", "SERVER"]
        .iter()
        .any(|failure| said.contains(failure))
}

async fn by_etags(endpoint: &str) -> Arc<dyn World> {
    let mut options = options(endpoint, weed::KEY, weed::SECRET);
    options.signature = SignatureMode::Etag;
    Arc::new(Remote::connect(&options).await.expect("a world"))
}

/// The turns of a replay, or why it broke off.
async fn replay(
    replayer: &Replayer,
    dialogue: &Dialogue,
    world: Arc<dyn World>,
) -> Result<Vec<ReplayedTurn>, String> {
    let replayed = replayer.replay(&dialogue.transcript, world).await;
    let turns = replayed.map_err(|error| error.to_string())?;
    Ok(turns.expect("the rules are kept"))
}

/// Servers word their refusals in their own ways.
fn is_same(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Error(one), Outcome::Error(other)) => one.error == other.error,
        _ => one == other,
    }
}

/// The first difference of two replays in words.
fn compare(here: &[ReplayedTurn], there: &[ReplayedTurn]) -> String {
    let outcomes = |turns: &[ReplayedTurn]| -> Vec<Outcome> {
        let done = turns.iter().flat_map(|turn| &turn.done);
        done.map(|done| done.execution.outcome.clone()).collect()
    };
    let (one, other) = (outcomes(here), outcomes(there));
    let mut pairs = one.iter().zip(&other).zip(1..);
    if let Some(((one, other), number)) = pairs.find(|((one, other), _)| !is_same(one, other)) {
        let said = |outcome: &Outcome| match outcome {
            Outcome::Result(_) => "a result".to_owned(),
            Outcome::Error(error) => error.error.clone(),
        };
        return match (one, other) {
            (Outcome::Result(_), Outcome::Result(_)) => format!("program {number}: another result"),
            _ => format!("program {number}: {} instead of {}", said(other), said(one)),
        };
    }
    let mut turns = here.iter().zip(there);
    match turns.all(|(one, other)| one.signature == other.signature) {
        true => "the same".to_owned(),
        false => "the same outcomes".to_owned(),
    }
}
