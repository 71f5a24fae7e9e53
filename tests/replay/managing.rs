//! The dialogues about managing buckets on SeaweedFS: which do there what is recorded of
//! them, and why the others do not.

use super::{SERVERS, connect, read, replayer};
use crate::support::tools::needs;
use crate::support::weed;
use dialog2api::dataset::{Dialogue, EmptyAccount, Replayed, Replayer, Worlds};
use dialog2api::domain::World;
use dialog2api::domain::s3::S3;
use expect_test::expect;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The world with locks in the mode `COMPLIANCE`, which no server lets anybody lift.
const LOCKED: &str = "accounts";

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
    let (replayer, worlds) = (Arc::new(replayer().await), Arc::new(Worlds::new(&S3)));
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
            put_bucket_accelerate_configuration quill-access-logs: Your previous request to create the named bucket succeeded and you already own it. (BucketAlreadyOwnedByYou)
            put_bucket_accelerate_configuration quill-invoices: The requested bucket name is not available. The bucket name can not be an existing collection, and the bucket namespace is shared by all users of the system. Please select a different name and try again. (BucketAlreadyExists)
            put_bucket_accelerate_configuration quill-ledgers: Your previous request to create the named bucket succeeded and you already own it. (BucketAlreadyOwnedByYou)
            put_bucket_accelerate_configuration quill-payroll: Your previous request to create the named bucket succeeded and you already own it. (BucketAlreadyOwnedByYou)
            put_bucket_accelerate_configuration quill-scans: Your previous request to create the named bucket succeeded and you already own it. (BucketAlreadyOwnedByYou)
            put_bucket_logging quill-payroll: Your previous request to create the named bucket succeeded and you already own it. (BucketAlreadyOwnedByYou)
            put_object_retention quill-invoices/2025/inv-1101.txt: Invalid Request (InvalidRequest)
        observatory
            delete_object quill-invoices/2024/inv-1001.txt: Access Denied. (AccessDenied)
            delete_object quill-invoices/2024/inv-1002.txt: Access Denied. (AccessDenied)
        publisher
            delete_object quill-invoices/2024/inv-1001.txt: Access Denied. (AccessDenied)
            delete_object quill-invoices/2024/inv-1002.txt: Access Denied. (AccessDenied)
        web-studio
            delete_object quill-invoices/2024/inv-1001.txt: Access Denied. (AccessDenied)
            delete_object quill-invoices/2024/inv-1002.txt: Access Denied. (AccessDenied)
        workshop
            delete_object quill-invoices/2024/inv-1001.txt: Access Denied. (AccessDenied)
            delete_object quill-invoices/2024/inv-1002.txt: Access Denied. (AccessDenied)
        abort-rule-1: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        abort-rule-2: program 1
            here  Result(Array [String("temporary"), String("staleuploads")])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the GetBucketLifecycleConfiguration operation: The specified bucket does not exist", traceback: None })
        access-logging-1: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        access-logging-2: program 1
            here  Error(ProgramError { error: "InvalidTargetBucketForLogging", message: "An error occurred (InvalidTargetBucketForLogging) when calling the PutBucketLogging operation: The target bucket for logging does not exist", traceback: None })
            there Result(Null)
        allow-web-page-1: program 1
            here  Result(Array [Array [Array [String("https://www.pebble-studio.example")], Array [String("GET")]]])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the GetBucketCors operation: The specified bucket does not exist", traceback: None })
        allow-web-page-2: program 1
            here  Result(Null)
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the PutBucketCors operation: The specified bucket does not exist", traceback: None })
        audit-buckets-1: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        audit-buckets-2: program 1
            here  Result(Object {"polaris-frames": Array [String("AES256"), String("blocked")], "polaris-mirror": Array [String("AES256"), String("blocked")], "polaris-outreach": Array [String("AES256"), String("not fully blocked")], "polaris-telemetry": Array [String("AES256"), String("blocked")]})
            there Error(ProgramError { error: "ServerSideEncryptionConfigurationNotFoundError", message: "An error occurred (ServerSideEncryptionConfigurationNotFoundError) when calling the GetBucketEncryption operation: The server side encryption configuration was not found.", traceback: None })
        block-public-1: program 1
            here  Result(Array [String("pebble-site"), String("pebble-uploads")])
            there Error(ProgramError { error: "NotImplemented", message: "An error occurred (NotImplemented) when calling the GetPublicAccessBlock operation: A header you provided implies functionality that is not implemented", traceback: None })
        block-public-2: program 2
            here  Result(Null)
            there Error(ProgramError { error: "NotImplemented", message: "An error occurred (NotImplemented) when calling the PutPublicAccessBlock operation: A header you provided implies functionality that is not implemented", traceback: None })
        bucket-tags-1: program 1
            here  Result(Array [String("polaris-mirror"), String("polaris-outreach"), String("polaris-telemetry")])
            there Result(Array [String("quill-invoices"), String("quill-scans")])
        bucket-tags-2: program 1
            here  Result(Object {"team": String("editorial"), "imprint": String("nightjar"), "owner": String("jonas")})
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the GetBucketTagging operation: The specified bucket does not exist", traceback: None })
        change-class-1: program 1
            here  Result(String("Enabled"))
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the GetBucketVersioning operation: The specified bucket does not exist", traceback: None })
        change-class-2: program 1
            here  Error(ProgramError { error: "InvalidStorageClass", message: "An error occurred (InvalidStorageClass) when calling the CopyObject operation: The storage class you specified is not valid", traceback: None })
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist", traceback: None })
        clean-uploads-1: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        clean-uploads-2: program 2
            here  Result(Array [String("bikes/gravel.mov")])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListMultipartUploads operation: The specified bucket does not exist", traceback: None })
        compare-versions-1: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        compare-versions-2: program 2
            here  Result(String("Ebb, and the ebb again.\n"))
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectVersions operation: The specified bucket does not exist", traceback: None })
        edit-policy-1: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        edit-policy-2: program 1
            here  Result(Object {"embargo/autumn-list.txt": String("Do not publish before 1 June.\nThe Salt Road\n")})
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist", traceback: None })
        expire-logs-1: program 1
            here  Error(ProgramError { error: "NoSuchLifecycleConfiguration", message: "An error occurred (NoSuchLifecycleConfiguration) when calling the GetBucketLifecycleConfiguration operation: The lifecycle configuration does not exist", traceback: None })
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the GetBucketLifecycleConfiguration operation: The specified bucket does not exist", traceback: None })
        expire-logs-2: program 2
            here  Result(Array [Array [String("trim-access"), Number(90)], Array [String("trim-deploy"), Number(14)]])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the GetBucketLifecycleConfiguration operation: The specified bucket does not exist", traceback: None })
        extend-lock-1: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        extend-lock-2: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        find-by-tag-1: program 1
            here  Result(Array [String("img/vela-hero.jpg"), String("img/vela-logo.svg")])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist", traceback: None })
        find-by-tag-2: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        lifecycle-report-1: program 1
            here  Result(Object {"pebble-logs": Array [Object {"id": String("trim-access"), "status": String("Enabled"), "prefix": String("access/")}]})
            there Result(Object {})
        lifecycle-report-2: program 1
            here  Result(Object {"id": String("temporary"), "status": String("Enabled"), "days": Number(1)})
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the GetBucketLifecycleConfiguration operation: The specified bucket does not exist", traceback: None })
        lock-refuses-1: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        lock-refuses-2: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        ownership-acl-1: program 1
            here  Result(Array [Array [String("one account"), String("FULL_CONTROL")], Array [String("AllUsers"), String("READ")]])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the GetObjectAcl operation: The specified bucket does not exist", traceback: None })
        ownership-acl-2: program 1
            here  Error(ProgramError { error: "AccessControlListNotSupported", message: "An error occurred (AccessControlListNotSupported) when calling the PutObjectAcl operation: The bucket does not allow ACLs", traceback: None })
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the PutObjectAcl operation: The specified bucket does not exist", traceback: None })
        prune-versions-1: program 1
            here  Result(Array [String("2024-12-09")])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectVersions operation: The specified bucket does not exist", traceback: None })
        prune-versions-2: program 1
            here  Result(String("2025-04-30"))
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectVersions operation: The specified bucket does not exist", traceback: None })
        read-policy-1: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        read-policy-2: program 2
            here  Result(Object {"pebble-site": Array [String("Visitors")]})
            there Result(Object {})
        replication-status-1: program 1
            here  Result(Array [Object {"id": String("this-year"), "status": String("Enabled"), "prefix": String("2025/"), "target": String("polaris-mirror")}, Object {"id": String("catalogue"), "status": String("Disabled"), "prefix": String("catalog"), "target": String("polaris-mirror")}])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the GetBucketReplication operation: The specified bucket does not exist", traceback: None })
        replication-status-2: program 3
            here  Result(Array [String("backup/2023/catalogue.txt"), String("backup/2024/catalogue.txt")])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist", traceback: None })
        restore-archived-1: program 1
            here  Error(ProgramError { error: "InvalidObjectState", message: "An error occurred (InvalidObjectState) when calling the GetObject operation: The operation is not valid for the object's storage class", traceback: None })
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the GetObject operation: The specified bucket does not exist", traceback: None })
        restore-archived-2: program 1
            here  Result(Array [Array [String("2022/m31-0917.fits"), String("DEEP_ARCHIVE")]])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist", traceback: None })
        retag-1: program 1
            here  Result(Array [String("covers/tides.png")])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist", traceback: None })
        retag-2: program 1
            here  Result(Array [String("img/vela-hero.jpg"), String("img/vela-logo.svg")])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist", traceback: None })
        set-encryption-1: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        set-encryption-2: program 1
            here  Result(String("AES256"))
            there Error(ProgramError { error: "ServerSideEncryptionConfigurationNotFoundError", message: "An error occurred (ServerSideEncryptionConfigurationNotFoundError) when calling the GetBucketEncryption operation: The server side encryption configuration was not found.", traceback: None })
        storage-classes-1: program 1
            here  Result(Object {"DEEP_ARCHIVE": Number(8000), "GLACIER": Number(15300), "STANDARD_IA": Number(6900), "STANDARD": Number(12343), "INTELLIGENT_TIERING": Number(5300)})
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist", traceback: None })
        storage-classes-2: program 2
            here  Result(Array [Array [String("raw/salt-road.psd"), String("STANDARD_IA")]])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist", traceback: None })
        tag-objects-1: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        tag-objects-2: program 1
            here  Error(ProgramError { error: "InvalidTag", message: "An error occurred (InvalidTag) when calling the PutObjectTagging operation: Your TagKey cannot be prefixed with aws:", traceback: None })
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the PutObjectTagging operation: The specified bucket does not exist", traceback: None })
        turn-on-versioning-1: program 1
            here  Result(Null)
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the PutBucketVersioning operation: The specified bucket does not exist", traceback: None })
        turn-on-versioning-2: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        undelete-object-1: program 1
            here  Result(Object {"deleted": Bool(true), "versions": Number(1)})
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectVersions operation: The specified bucket does not exist", traceback: None })
        undelete-object-2: program 1
            here  Result(Number(3))
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectVersions operation: The specified bucket does not exist", traceback: None })
        undo-overwrite-1: program 1
            here  Result(String("The road began where the salt pans ended.\n"))
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectVersions operation: The specified bucket does not exist", traceback: None })
        undo-overwrite-2: S3 at SERVER: quill-payroll/2025/02-payroll.csv cannot be read (AccessDenied: Access Denied.); the credentials must be allowed to list and to read every bucket
        version-sizes-1: program 1
            here  Result(Number(18292))
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectVersions operation: The specified bucket does not exist", traceback: None })
        version-sizes-2: program 1
            here  Result(Array [Array [String("2025-01-20"), Number(43), Bool(true)], Array [String("2025-01-08"), Number(36), Bool(false)], Array [String("2024-12-20"), Number(26), Bool(false)]])
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the ListObjectVersions operation: The specified bucket does not exist", traceback: None })
        website-settings-1: program 1
            here  Result(Object {"index": String("index.html"), "error": String("oops.html")})
            there Error(ProgramError { error: "NoSuchWebsiteConfiguration", message: "An error occurred (NoSuchWebsiteConfiguration) when calling the GetBucketWebsite operation: The specified bucket does not have a website configuration", traceback: None })
        website-settings-2: program 3
            here  Error(ProgramError { error: "InvalidArgument", message: "An error occurred (InvalidArgument) when calling the PutBucketWebsite operation: The IndexDocument Suffix is not well formed", traceback: None })
            there Result(Null)
        why-public-1: program 1
            here  Result(Object {"granted to everybody": Array [String("READ")], "public policy": Bool(false), "blocks public access": Bool(false)})
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the GetBucketAcl operation: The specified bucket does not exist", traceback: None })
        why-public-2: program 1
            here  Result(Object {"public": Bool(true), "statements": Array [Object {"sid": String("PressKit"), "action": String("s3:GetObject"), "resource": String("arn:aws:s3:::lantern-press/press/*")}]})
            there Error(ProgramError { error: "NoSuchBucket", message: "An error occurred (NoSuchBucket) when calling the GetBucketPolicyStatus operation: The specified bucket does not exist", traceback: None })
    "#]].assert_eq(&text);
}

async fn on_servers(
    replayer: &Replayer,
    worlds: &Worlds,
    dialogues: impl Iterator<Item = &Dialogue>,
) -> Report {
    let mut report = Report::default();
    let mut running = None;
    for dialogue in dialogues {
        let world = dialogue.world().expect("a world");
        if world == LOCKED {
            running = None;
        }
        let (server, borrowed) = match running.take() {
            Some(running) => running,
            None => start().await,
        };
        let initial = || worlds.of(dialogue).expect("its world");
        let here = replay(replayer, dialogue, initial()).await;
        let here = here.expect("the embedded store works");
        if let Err(error) = borrowed.starting_from(&*initial()).await {
            let error = error.to_string();
            let (_, refused) = error.split_once(": ").expect("what it is about");
            let refused = refused.split("; ").map(str::to_owned);
            report
                .refused
                .entry(world.to_owned())
                .or_default()
                .extend(refused);
        }
        let there = connect(&server.endpoint).await;
        let line = match replay(replayer, dialogue, there).await {
            Ok(there) => compare(&here, &there),
            Err(error) => error.replace(&server.endpoint, "SERVER"),
        };
        let uid = &dialogue.conversation.uid;
        report.lines.insert(format!("{uid}: {line}\n"));
        running = Some((server, borrowed));
    }
    report
}

async fn start() -> (weed::Weed, EmptyAccount) {
    let server = tokio::task::spawn_blocking(weed::Weed::start).await;
    let server = server.expect("a server");
    let world = connect(&server.endpoint).await;
    let borrowed = EmptyAccount::take(&S3, world).await;
    (server, borrowed.expect("an empty server"))
}

/// The turns of a replay, or why it broke off.
async fn replay(
    replayer: &Replayer,
    dialogue: &Dialogue,
    world: Arc<dyn World>,
) -> Result<Vec<Replayed>, String> {
    let replayed = replayer.replay(&dialogue.conversation, world).await;
    let turns = replayed.map_err(|error| error.to_string())?;
    Ok(turns.expect("the rules are kept"))
}

/// The first difference of two replays in words.
fn compare(here: &[Replayed], there: &[Replayed]) -> String {
    let outcomes = |turns: &[Replayed]| -> Vec<String> {
        let done = turns.iter().flat_map(|turn| &turn.done);
        done.map(|done| format!("{:?}", done.execution.outcome))
            .collect()
    };
    let (here_done, there_done) = (outcomes(here), outcomes(there));
    let mut pairs = here_done.iter().zip(&there_done).zip(1..);
    if let Some(((one, other), number)) = pairs.find(|((one, other), _)| one != other) {
        return format!("program {number}\n    here  {one}\n    there {other}");
    }
    let mut turns = here.iter().zip(there);
    match turns.all(|(one, other)| one.signature == other.signature) {
        true => "the same".to_owned(),
        false => "the same outcomes".to_owned(),
    }
}
