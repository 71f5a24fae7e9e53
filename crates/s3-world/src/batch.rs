//! Plans for S3 Batch Operations, which carries out millions of calls of one kind on Amazon's side:
//! a manifest and a job for each kind of call, and scripts for the AWS command line that create
//! the jobs and delete objects, which the service does not do.
//!
//! A job keeps the keys of what it copies, or puts a prefix before them, and makes the same call of
//! each object. A plan that asks for something else is refused, since a part of it would be another
//! plan.

use crate::caller::text;
use crate::domain::{Map, Value, Write};
use crate::params::Params;
use md5::{Digest, Md5};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

/// The most keys of one `DeleteObjects`.
const MOST_KEYS: usize = 1_000;

/// What the manifest of a job must encode in a key.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A job so far: the calls that differ only in their objects.
struct Job {
    operation: Json,
    objects: Vec<(String, String)>,
}

/// The files that carry out these writes: names and contents.
///
/// # Errors
/// A sentence: a write is none that the service makes.
pub(super) fn export(writes: &[Write]) -> Result<Vec<(String, String)>, String> {
    check_order(writes)?;
    let mut jobs: Vec<Job> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut deleted: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for write in writes {
        if deletes(write, &mut deleted)? {
            continue;
        }
        let (object, operation) = task(write)?;
        let kind = operation.to_string();
        let number = *numbers.entry(kind).or_insert(jobs.len());
        match jobs.get_mut(number) {
            Some(job) => job.objects.push(object),
            None => jobs.push(Job {
                operation,
                objects: vec![object],
            }),
        }
    }
    let mut files = Vec::new();
    for (number, job) in (1..).zip(&jobs) {
        let manifest = manifest(&job.objects);
        let described = described(number, &job.operation, &manifest);
        files.push((format!("manifest-{number}.csv"), manifest));
        files.push((format!("job-{number}.json"), described));
    }
    let mut batches = Vec::new();
    for (bucket, keys) in &deleted {
        for keys in keys.chunks(MOST_KEYS) {
            let name = format!("delete-{}.json", batches.len() + 1);
            let call = json!({"Bucket": bucket, "Delete": {"Objects": keys, "Quiet": true}});
            files.push((name.clone(), pretty(&call)));
            batches.push(name);
        }
    }
    if !jobs.is_empty() {
        files.push(("create-jobs.sh".to_owned(), create_jobs(jobs.len())));
    }
    if !batches.is_empty() {
        files.push(("delete.sh".to_owned(), delete(&batches)));
    }
    Ok(files)
}

/// A place in a sentence.
fn shown(bucket: &str, key: &str) -> String {
    format!("{bucket}/{key}")
}

/// Jobs are made one after the other, in any order of their objects, and deletions come last.
fn check_order(writes: &[Write]) -> Result<(), String> {
    let mut changed: HashSet<&[String]> = HashSet::new();
    for write in writes {
        for touched in write.touched.iter() {
            let place = touched.place.segments();
            let is_again = match touched.changed {
                true => !changed.insert(place),
                false => changed.contains(place),
            };
            if is_again && touched.place.setting().is_none() {
                return Err(format!(
                    "{} is changed and used by several writes, which have to keep their order; \
                     jobs of S3 Batch Operations keep none",
                    touched.place
                ));
            }
        }
    }
    Ok(())
}

/// Adds the keys that a write deletes, if it deletes.
fn deletes(write: &Write, deleted: &mut BTreeMap<String, Vec<Json>>) -> Result<bool, String> {
    if !matches!(&*write.operation, "delete_object" | "delete_objects") {
        return Ok(false);
    }
    let bucket = text(&write.params, "Bucket").unwrap_or_default();
    for touched in write.touched.iter().filter(|it| it.changed) {
        let [_, key] = touched.place.segments() else {
            return Err(unknown(write));
        };
        if touched.place.setting().is_some() {
            return Err(unknown(write));
        }
        let Some(mark) = &touched.before else {
            // There is nothing to delete.
            continue;
        };
        let object = json!({"Key": key, "ETag": format!("\"{}\"", mark.tag)});
        deleted.entry(bucket.to_owned()).or_default().push(object);
    }
    Ok(true)
}

fn unknown(write: &Write) -> String {
    let named = |name| text(&write.params, name).unwrap_or_default();
    format!(
        "{} on {} is no call that S3 Batch Operations makes: it copies objects, and sets their \
         tags, access lists, locks and restorations",
        write.operation,
        shown(named("Bucket"), named("Key"))
    )
}

/// The object of a job's task, and the operation of the job.
fn task(write: &Write) -> Result<((String, String), Json), String> {
    let params = &write.params;
    let named = |name| text(params, name).unwrap_or_default();
    let (bucket, key) = (named("Bucket"), named("Key"));
    let object = (bucket.to_owned(), key.to_owned());
    let Value::Map(pairs) = params else {
        return Err(unknown(write));
    };
    // What the job says of all its objects.
    let has_only = |names: &[&str]| {
        let known = ["Bucket", "Key"];
        (pairs.iter()).all(|(name, _)| known.contains(&&**name) || names.contains(&&**name))
    };
    let operation = match &*write.operation {
        "copy_object"
            if has_only(&[
                "CopySource",
                "StorageClass",
                "MetadataDirective",
                "TaggingDirective",
            ]) && ["MetadataDirective", "TaggingDirective"]
                .iter()
                .all(|name| {
                    params
                        .get(name)
                        .is_none_or(|it| it.as_str() == Some("COPY"))
                }) =>
        {
            let source = Params::new(params).and_then(|it| it.copy_source());
            let source = source.map_err(|_| unknown(write))?;
            let prefix = key.strip_suffix(source.key.as_str());
            let prefix = prefix.filter(|it| it.is_empty() || it.ends_with('/'));
            let Some(prefix) = prefix else {
                return Err(format!(
                    "{} cannot be copied to {} by S3 Batch Operations, which keeps the key of what \
                     it copies and can only put a folder before it",
                    shown(&source.bucket, &source.key),
                    shown(bucket, key)
                ));
            };
            let mut copy = json!({
                "TargetResource": format!("arn:aws:s3:::{bucket}"),
                "MetadataDirective": "COPY",
            });
            let mut add = |name: &str, value: &str| {
                if let Some(fields) = copy.as_object_mut().filter(|_| !value.is_empty()) {
                    fields.insert(name.to_owned(), value.into());
                }
            };
            // The service puts the slash itself.
            add("TargetKeyPrefix", prefix.trim_end_matches('/'));
            add("StorageClass", named("StorageClass"));
            let object = (source.bucket, source.key);
            return Ok((object, json!({"S3PutObjectCopy": copy})));
        }
        "put_object_tagging" if has_only(&["Tagging"]) => {
            let tags = params.get("Tagging").and_then(|it| it.get("TagSet"));
            json!({"S3PutObjectTagging": {"TagSet": tags.map(plain)}})
        }
        "delete_object_tagging" if has_only(&[]) => json!({"S3DeleteObjectTagging": {}}),
        "put_object_acl" if has_only(&["ACL"]) => {
            let acl = json!({"CannedAccessControlList": named("ACL")});
            json!({"S3PutObjectAcl": {"AccessControlPolicy": acl}})
        }
        "put_object_legal_hold" if has_only(&["LegalHold"]) => {
            let hold = params.get("LegalHold").map(plain);
            json!({"S3PutObjectLegalHold": {"LegalHold": hold}})
        }
        "put_object_retention" if has_only(&["Retention", "BypassGovernanceRetention"]) => {
            let retention = params.get("Retention").map(plain);
            let mut put = json!({"Retention": retention});
            let bypass = params.get("BypassGovernanceRetention").map(plain);
            if let (Some(fields), Some(bypass)) = (put.as_object_mut(), bypass) {
                fields.insert("BypassGovernanceRetention".to_owned(), bypass);
            }
            json!({"S3PutObjectRetention": put})
        }
        "restore_object" if has_only(&["RestoreRequest"]) => {
            let request = params.get("RestoreRequest");
            let days = request.and_then(|it| it.get("Days")).map(plain);
            let tier = request.and_then(|it| it.get("GlacierJobParameters"));
            let tier = tier.and_then(|it| text(it, "Tier")).unwrap_or("STANDARD");
            json!({"S3InitiateRestoreObject": {
                "ExpirationInDays": days, "GlacierJobTier": tier.to_uppercase(),
            }})
        }
        _ => return Err(unknown(write)),
    };
    Ok((object, operation))
}

/// A parameter as JSON.
fn plain(value: &Value) -> Json {
    match value {
        Value::Str(text) => text.as_str().into(),
        Value::Int(number) => (*number).into(),
        Value::Bool(truth) => (*truth).into(),
        Value::Time(time) => time.to_string().into(),
        Value::List(items) => items.iter().map(plain).collect(),
        Value::Map(pairs) => object(pairs),
        _ => Json::Null,
    }
}

fn object(pairs: &Map) -> Json {
    let pairs = pairs.iter().map(|(name, it)| (name.to_string(), plain(it)));
    Json::Object(pairs.collect())
}

/// A line an object, with its key encoded, as the service wants it.
fn manifest(objects: &[(String, String)]) -> String {
    let lines = objects.iter().map(|(bucket, key)| {
        let key = utf8_percent_encode(key, ENCODED);
        format!("{bucket},{key}\n")
    });
    lines.collect()
}

/// The input of `create-job`. The words in capitals are the user's to fill in.
fn described(number: usize, operation: &Json, manifest: &str) -> String {
    let etag = const_hex::encode(Md5::digest(manifest));
    pretty(&json!({
        "AccountId": "ACCOUNT",
        "ConfirmationRequired": true,
        "Operation": operation,
        "Report": {
            "Bucket": "arn:aws:s3:::JOBS-BUCKET",
            "Format": "Report_CSV_20180820",
            "Enabled": true,
            "Prefix": format!("reports/job-{number}"),
            "ReportScope": "AllTasks",
        },
        "ClientRequestToken": format!("job-{number}-{etag}"),
        "Manifest": {
            "Spec": {"Format": "S3BatchOperations_CSV_20180820", "Fields": ["Bucket", "Key"]},
            "Location": {
                "ObjectArn": format!("arn:aws:s3:::JOBS-BUCKET/manifest-{number}.csv"),
                "ETag": etag,
            },
        },
        "Priority": 10,
        "RoleArn": "arn:aws:iam::ACCOUNT:role/JOBS-ROLE",
    }))
}

fn pretty(value: &Json) -> String {
    format!("{value:#}\n")
}

/// The script that uploads the manifests and creates the jobs. Each waits to be confirmed.
fn create_jobs(jobs: usize) -> String {
    let mut script = "\
#!/bin/sh
# Creates the jobs, which wait until they are confirmed (aws s3control update-job-status, or in the
# console). Needs the number of the account, a bucket for manifests and reports, and a role that S3
# Batch Operations may assume: create-jobs.sh ACCOUNT BUCKET ROLE
set -eu
account=$1 bucket=$2 role=$3
cd \"$(dirname \"$0\")\"
create() {
    aws s3api put-object --bucket \"$bucket\" --key \"manifest-$1.csv\" --body \"manifest-$1.csv\"
    sed -e \"s/JOBS-BUCKET/$bucket/; s/JOBS-ROLE/$role/; s/ACCOUNT/$account/\" \"job-$1.json\" > \"job-$1.filled.json\"
    aws s3control create-job --account-id \"$account\" --cli-input-json \"file://job-$1.filled.json\"
}
"
    .to_owned();
    for number in 1..=jobs {
        let _ = writeln!(script, "create {number}");
    }
    script
}

/// The script that deletes. Each object is deleted only if it is still that one.
fn delete(batches: &[String]) -> String {
    let mut script = "\
#!/bin/sh
# Deletes, up to 1,000 objects a request, each only if it is still the object of the plan. What is
# copied before has to be there: run it when the reports of all jobs say so.
set -eu
cd \"$(dirname \"$0\")\"
"
    .to_owned();
    for batch in batches {
        let _ = writeln!(
            script,
            "aws s3api delete-objects --cli-input-json file://{batch}"
        );
    }
    script
}
