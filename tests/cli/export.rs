//! Plans for S3 Batch Operations: what a job can do becomes files, and nothing else does.

use super::support::Home;
use crate::support::tools::needs;
use expect_test::{Expect, expect};
use std::process::Command;

const WORLD: &str = "
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

const MOVES: &str = "
for o in s3.list_objects_v2(Bucket='photos')['Contents']:
    s3.copy_object(Bucket='archive', Key=o['Key'], CopySource={'Bucket': 'photos', 'Key': o['Key']})
    s3.delete_object(Bucket='photos', Key=o['Key'])
";

#[test]
fn copies_tags_and_deletions_become_jobs_and_scripts() {
    let home = Home::new();
    expect![[]].assert_eq(&exported(&home, ALL));
    let home = Home::new();
    let text = exported(&home, MOVES);
    let (_, deletions) = text.split_once("== delete-1.json\n").expect("deletions");
    let (deletions, _) = deletions.split_once("== job").expect("a job");
    expect![[]].assert_eq(deletions);
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
        expect![[]],
    );
    refused(
        "s3.copy_object(Bucket='photos', Key='out/a', CopySource={'Bucket': 'photos', 'Key': 'in/a b.txt'})",
        expect![[]],
    );
    let twice = "
for target in ['archive', 'photos']:
    s3.copy_object(Bucket=target, Key='c/in/a b.txt', CopySource={'Bucket': 'photos', 'Key': 'in/a b.txt'})
s3.copy_object(Bucket='archive', Key='d/c/in/a b.txt', CopySource={'Bucket': 'archive', 'Key': 'c/in/a b.txt'})
";
    refused(twice, expect![[]]);
    refused("return len(s3.list_buckets()['Buckets'])", expect![[]]);
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
