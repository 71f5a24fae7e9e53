//! A recorded dialogue, run again.

use super::{Era, Person, Talk};
use crate::cli::support::Home;
use expect_test::expect;
use serde_json::json;

pub const SET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/s3");

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_dialogue_is_replayed_as_by_the_command() {
    let home = Home::new();
    let talk = Talk::open(&home, "--world empty", &Person::default(), Era::Handshake).await;
    let arguments = json!({"dataset": SET, "dialogue": "test/buckets-matching-1"});
    let answer = talk.call("replay", arguments).await;
    let text = answer.content[0].as_text().unwrap().text.replace(SET, "…");
    expect![[r#"
        …/test/buckets-matching-1.xml: 4 programs, all as recorded
        turn 1: List all my buckets with "logs" somewhere in the name, and next to each how many objects it has.
            counts = {}
            for bucket in s3.list_buckets().get("Buckets", []):
                name = bucket["Name"]
                if "logs" in name:
                    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=name)
                    objects = [obj for page in pages for obj in page.get("Contents", [])]
                    counts[name] = len(objects)
            return counts
          result: {"kestrel-checkout-logs":11,"kestrel-logs-archive":6,"kestrel-mail-logs":10,"kestrel-staging-logs":0,"kestrel-web-logs":14}
          Here are your buckets:
        - kestrel-checkout-logs: 11 objects
        - kestrel-logs-archive: 6 objects
        - kestrel-mail-logs: 10 objects
        - kestrel-staging-logs: 0 objects
        - kestrel-web-logs: 14 objects
        turn 2: The one with 6 is not necessary any more, delete.
            s3.delete_bucket(Bucket="kestrel-logs-archive")
          Can you confirm that you want to delete the bucket "kestrel-logs-archive"?
        turn 3: Its files, do they disappear together with the bucket?
            raise FAQ()
          error: {"error":"FAQ","message":""}
          No, S3 only deletes a bucket that is empty. Its objects have to be deleted first. Can you confirm that you still want to delete the bucket "kestrel-logs-archive"?
        turn 4: Try it all the same, I want to see what happens.
            s3.delete_bucket(Bucket="kestrel-logs-archive")
          error: {"error":"BucketNotEmpty","message":"An error occurred (BucketNotEmpty) when calling the DeleteBucket operation: The bucket you tried to delete is not empty"}
          Sorry, the bucket "kestrel-logs-archive" could not be deleted, because it is not empty.
        turn 5: As you said. Then it stays for today, I finish here.
            raise EndDialog()
          error: {"error":"EndDialog","message":""}
          Goodbye!
    "#]].assert_eq(&text);
    let file = format!("{SET}/test/buckets-matching-1.xml");
    let command = home
        .ready(&format!("replay --json {file}"))
        .output()
        .unwrap();
    let line: serde_json::Value = serde_json::from_slice(&command.stdout).unwrap();
    assert_eq!(answer.structured_content.unwrap(), line);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_dialogue_that_is_not_there_is_refused_with_those_that_are() {
    let home = Home::new();
    let talk = Talk::open(&home, "--world empty", &Person::default(), Era::Handshake).await;
    let mut said = String::new();
    for (dataset, dialogue) in [
        ("nowhere", "buckets-matching-1"),
        (SET, "clouds"),
        (SET, "../s3-idle/test/none"),
        (SET, ""),
    ] {
        let arguments = json!({"dataset": dataset, "dialogue": dialogue});
        said += &talk.text("replay", arguments).await.replace(SET, "…");
    }
    expect![[r#"
        FAILED
        error: Refused: there is no folder nowhere: dataset is the path of a folder with dialogues, seen from the folder where the server was started
        FAILED
        error: Refused: … has no dialogue clouds; it has assets-by-type-1, assets-by-type-2, buckets-matching-1, buckets-matching-2, copy-album-1, and 95 more
        FAILED
        error: Refused: … has no dialogue ../s3-idle/test/none; it has assets-by-type-1, assets-by-type-2, buckets-matching-1, buckets-matching-2, copy-album-1, and 95 more
        FAILED
        error: Refused: … has no dialogue ; it has assets-by-type-1, assets-by-type-2, buckets-matching-1, buckets-matching-2, copy-album-1, and 95 more
    "#]].assert_eq(&said);
}
