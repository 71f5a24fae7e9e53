//! Plans for S3 Batch Operations: what a job can do becomes files, and nothing else does.

use super::chat::chat;
use super::support::{Home, goal, model};
use crate::support::tools::needs;
use expect_test::{Expect, expect};
use std::process::Command;

pub const WORLD: &str = "
[[bucket]]
name = 'photos'
[[bucket.object]]
key = 'in/a b.txt'
text = 'one'
[[bucket.object]]
key = 'in/ü,\"x.txt'
text = 'two'
[[bucket]]
name = 'archive'
";

/// Runs a program with `--manifest out`, and shows what it says and all files.
fn exported(home: &Home, program: &str) -> String {
    home.write("world.toml", WORLD);
    home.write("program.py", program);
    let words = "run program.py --world world.toml --overlay --manifest out";
    let output = home.ready(words).output().unwrap();
    let seen = home.seen(&output);
    let said = seen.lines().filter(|line| {
        line.contains("manifest") || line.contains("files are in") || line.contains("exit")
    });
    let mut text: String = said.map(|line| format!("{line}\n")).collect();
    let entries = std::fs::read_dir(home.path("out")).into_iter().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        text += &format!("== {name}\n{}", std::fs::read_to_string(&file).unwrap());
    }
    text
}

const ALL: &str = "
for o in s3.list_objects_v2(Bucket='photos')['Contents']:
    source = {'Bucket': 'photos', 'Key': o['Key']}
    s3.copy_object(Bucket='archive', Key='2024/' + o['Key'], CopySource=source, StorageClass='GLACIER_IR')
    s3.put_object_tagging(Bucket='photos', Key=o['Key'], Tagging={'TagSet': [{'Key': 'moved', 'Value': 'yes'}]})
";

pub const MOVES: &str = "
for o in s3.list_objects_v2(Bucket='photos')['Contents']:
    s3.copy_object(Bucket='archive', Key=o['Key'], CopySource={'Bucket': 'photos', 'Key': o['Key']})
    s3.delete_object(Bucket='photos', Key=o['Key'])
";

#[test]
fn copies_tags_and_deletions_become_jobs_and_scripts() {
    let home = Home::new();
    expect![[r#"
        5 files are in out: read them, and then run create-jobs.sh.
        -- exit 0 --
        == create-jobs.sh
        #!/bin/sh
        # Creates the jobs, which wait until they are confirmed (aws s3control update-job-status, or in the
        # console). Needs the number of the account, a bucket for manifests and reports, and a role that S3
        # Batch Operations may assume: create-jobs.sh ACCOUNT BUCKET ROLE
        set -eu
        account=$1 bucket=$2 role=$3
        cd "$(dirname "$0")"
        create() {
            aws s3api put-object --bucket "$bucket" --key "manifest-$1.csv" --body "manifest-$1.csv"
            sed -e "s/JOBS-BUCKET/$bucket/; s/JOBS-ROLE/$role/; s/ACCOUNT/$account/" "job-$1.json" > "job-$1.filled.json"
            aws s3control create-job --account-id "$account" --cli-input-json "file://job-$1.filled.json"
        }
        create 1
        create 2
        == job-1.json
        {
          "AccountId": "ACCOUNT",
          "ConfirmationRequired": true,
          "Operation": {
            "S3PutObjectCopy": {
              "TargetResource": "arn:aws:s3:::archive",
              "MetadataDirective": "COPY",
              "TargetKeyPrefix": "2024",
              "StorageClass": "GLACIER_IR"
            }
          },
          "Report": {
            "Bucket": "arn:aws:s3:::JOBS-BUCKET",
            "Format": "Report_CSV_20180820",
            "Enabled": true,
            "Prefix": "reports/job-1",
            "ReportScope": "AllTasks"
          },
          "ClientRequestToken": "job-1-4b99fc1d9c257d0eaeb44f169c045b58",
          "Manifest": {
            "Spec": {
              "Format": "S3BatchOperations_CSV_20180820",
              "Fields": [
                "Bucket",
                "Key"
              ]
            },
            "Location": {
              "ObjectArn": "arn:aws:s3:::JOBS-BUCKET/manifest-1.csv",
              "ETag": "4b99fc1d9c257d0eaeb44f169c045b58"
            }
          },
          "Priority": 10,
          "RoleArn": "arn:aws:iam::ACCOUNT:role/JOBS-ROLE"
        }
        == job-2.json
        {
          "AccountId": "ACCOUNT",
          "ConfirmationRequired": true,
          "Operation": {
            "S3PutObjectTagging": {
              "TagSet": [
                {
                  "Key": "moved",
                  "Value": "yes"
                }
              ]
            }
          },
          "Report": {
            "Bucket": "arn:aws:s3:::JOBS-BUCKET",
            "Format": "Report_CSV_20180820",
            "Enabled": true,
            "Prefix": "reports/job-2",
            "ReportScope": "AllTasks"
          },
          "ClientRequestToken": "job-2-4b99fc1d9c257d0eaeb44f169c045b58",
          "Manifest": {
            "Spec": {
              "Format": "S3BatchOperations_CSV_20180820",
              "Fields": [
                "Bucket",
                "Key"
              ]
            },
            "Location": {
              "ObjectArn": "arn:aws:s3:::JOBS-BUCKET/manifest-2.csv",
              "ETag": "4b99fc1d9c257d0eaeb44f169c045b58"
            }
          },
          "Priority": 10,
          "RoleArn": "arn:aws:iam::ACCOUNT:role/JOBS-ROLE"
        }
        == manifest-1.csv
        photos,in/a%20b.txt
        photos,in/%C3%BC%2C%22x.txt
        == manifest-2.csv
        photos,in/a%20b.txt
        photos,in/%C3%BC%2C%22x.txt
    "#]].assert_eq(&exported(&home, ALL));
    let home = Home::new();
    let text = exported(&home, MOVES);
    let (_, deletions) = text.split_once("== delete-1.json\n").expect("deletions");
    let (deletions, _) = deletions.split_once("== job").expect("a job");
    expect![[r#"
        {
          "Bucket": "photos",
          "Delete": {
            "Objects": [
              {
                "Key": "in/a b.txt",
                "ETag": "\"f97c5d29941bfb1b2fdab0874906ab82\""
              },
              {
                "Key": "in/ü,\"x.txt",
                "ETag": "\"b8a9f715dbb64fd5c56e7783c6820a61\""
              }
            ],
            "Quiet": true
          }
        }
        == delete.sh
        #!/bin/sh
        # Deletes, up to 1,000 objects a request, each only if it is still the object of the plan. What is
        # copied before has to be there: run it when the reports of all jobs say so.
        set -eu
        cd "$(dirname "$0")"
        aws s3api delete-objects --cli-input-json file://delete-1.json
    "#]].assert_eq(deletions);
}

/// What a program says for which there is no job.
#[track_caller]
fn refused(program: &str, expected: Expect) {
    expected.assert_eq(&exported(&Home::new(), program));
}

#[test]
fn a_plan_with_anything_else_is_refused_as_a_whole() {
    refused(
        "s3.delete_object(Bucket='photos', Key='in/a b.txt')\ns3.put_object(Bucket='photos', Key='new')",
        expect![[r#"
            error: --manifest: nothing was written, because put_object on photos/new is no call that S3 Batch Operations makes: it copies objects, and sets their tags, access lists, locks and restorations
            -- exit 2 --
        "#]],
    );
    refused(
        "s3.copy_object(Bucket='photos', Key='out/a', CopySource={'Bucket': 'photos', 'Key': 'in/a b.txt'})",
        expect![[r#"
            error: --manifest: nothing was written, because photos/in/a b.txt cannot be copied to photos/out/a by S3 Batch Operations, which keeps the key of what it copies and can only put a folder before it
            -- exit 2 --
        "#]],
    );
    let twice = "
for target in ['archive', 'photos']:
    s3.copy_object(Bucket=target, Key='c/in/a b.txt', CopySource={'Bucket': 'photos', 'Key': 'in/a b.txt'})
s3.copy_object(Bucket='archive', Key='d/c/in/a b.txt', CopySource={'Bucket': 'archive', 'Key': 'c/in/a b.txt'})
";
    refused(
        twice,
        expect![[r#"
        error: --manifest: nothing was written, because archive/c/in/a b.txt is changed and used by several writes, which have to keep their order; jobs of S3 Batch Operations keep none
        -- exit 2 --
    "#]],
    );
    refused(
        "return len(s3.list_buckets()['Buckets'])",
        expect![[r#"
        -- exit 0 --
    "#]],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_plan_of_a_chat_that_was_declined_is_exported() {
    let home = Home::new();
    home.write("world.toml", WORLD);
    let program = MOVES.trim().replace('\n', "\n    ");
    let server = model(&[&*goal(1, "final", &program), "It is as you said."]).await;
    let output = assert_cmd::Command::from(chat(&home, &server, "--world world.toml"))
        .write_stdin(
            "/plan export out\nmove all photos\nno\n/plan export out\n/plan export out\n/plan\n",
        )
        .output()
        .unwrap();
    let seen = home.seen(&output);
    let said = seen.lines().filter(|line| {
        line.contains("export") && !line.starts_with("You:") || line.contains("files are in")
    });
    expect![[r#"
        There is no plan to export yet; ask for a change, and say no when it is shown
        5 files are in out: read them, and then run create-jobs.sh, and after its jobs delete.sh.
        /plan export out: it exists; name a folder that does not
    "#]]
    .assert_eq(&said.map(|line| format!("{line}\n")).collect::<String>());
    assert!(home.path("out/delete.sh").exists());
}

/// Checks inputs of calls by botocore's model of the service: one line each, `ok` or what is wrong.
const CHECK: &str = r#"
import json, sys
from botocore.loaders import Loader
from botocore.model import ServiceModel
from botocore.validate import ParamValidator
for service, operation, file in (words.split("=") for words in sys.argv[1:]):
    model = ServiceModel(Loader().load_service_model(service, "service-2"))
    shape = model.operation_model(operation).input_shape
    report = ParamValidator().validate(json.load(open(file)), shape)
    print(report.generate_report() or "ok")
"#;

#[test]
fn jobs_are_as_botocore_knows_them() {
    needs!(BOTO3);
    let home = Home::new();
    exported(&home, ALL);
    let moved = Home::new();
    exported(&moved, MOVES);
    let path = |home: &Home, name: &str| home.path("out").join(name).display().to_string();
    let output = Command::new(crate::support::tools::BOTO3.path())
        .args(["-c", CHECK])
        .arg(format!("s3control=CreateJob={}", path(&home, "job-1.json")))
        .arg(format!("s3control=CreateJob={}", path(&home, "job-2.json")))
        .arg(format!(
            "s3=DeleteObjects={}",
            path(&moved, "delete-1.json")
        ))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        said,
        "ok\nok\nok\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
