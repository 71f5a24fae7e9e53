//! Uploads in parts whose client is cut off, and whose server is killed.

use crate::serve::binary::Running;
use crate::serve::raw::check_signed;
use crate::support::command::dialog2api;
use crate::support::tools::needs;
use crate::support::value::{show, value};
use dialog2api::domain::s3::{AccessKey, Remote, RemoteOptions};
use dialog2api::domain::{Answer, Value, World};
use expect_test::expect;
use serde_json::{Value as Json, json};
use std::fs;
use std::path::Path;

#[tokio::test]
async fn what_came_in_half_is_nothing() {
    needs!(BOTO3);
    check_signed("halves", expect![[r#"
        PUT /alpha 200
        PUT /alpha/k 200 x-amz-checksum-crc32: J7ydsA== x-amz-checksum-type: FULL_OBJECT
        POST /alpha/k?uploads 200 <InitiateMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Bucket>alpha</Bucket><Key>k</Key><UploadId>APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux</UploadId></InitiateMultipartUploadResult>
        GET /alpha/k 200 as it was
        GET /alpha/new 404 <Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Key>new</Key><RequestId>0000000000000008</RequestId></Error>
        GET /alpha/k?uploadId=APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj3 200 <ListPartsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Bucket>alpha</Bucket><Key>k</Key><UploadId>APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux</UploadId><PartNumberMarker>0</PartNumberMarker><NextPartNumberMarker>0</NextPartNumberMarker><MaxParts>9</MaxParts><IsTruncated>false</IsTruncated><Initiator><ID>d1a10902a910000000000000000000000000000000000000000000000000000
        POST /alpha/k?uploadId=APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj3 400 <Error><Code>InvalidPart</Code><Message>One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.</Message><PartNumber>1</PartNumber><ETag>x</ETag><UploadId>APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux</UploadId><RequestId>000000000000000A</RequestId></Error>
        PUT /alpha/k?partNumber=1&uploadId=APDkviPprL_5YlibjOrYb3hL_7qG4 200 x-amz-checksum-crc32: xFkpTw==
        GET /alpha/k?uploadId=APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj3 200 <ListPartsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Bucket>alpha</Bucket><Key>k</Key><UploadId>APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj37A5oguOibMVvVdLrZSiQux</UploadId><PartNumberMarker>0</PartNumberMarker><NextPartNumberMarker>1</NextPartNumberMarker><MaxParts>1000</MaxParts><IsTruncated>false</IsTruncated><Part><PartNumber>1</PartNumber><LastModified>2024-01-01T00:00:03.000Z</Las
        DELETE /alpha/k?uploadId=APDkviPprL_5YlibjOrYb3hL_7qG4mfSxXwBRufvj3 204
        GET /alpha/k 200 as it was
    "#]]).await;
}

const SECRET: &str = "secret-of-the-test";

/// A server of the folder, and its client.
async fn serve(folder: &Path) -> (Running, Remote) {
    let mut command = dialog2api();
    command
        .args(["world", "serve", "--address", "127.0.0.1:0", "--json"])
        .arg("--world")
        .arg(folder)
        .env("DIALOG2API_SERVE_SECRET", SECRET);
    let mut server = Running::spawn(command);
    let said = server.lines("{").join("");
    let said: Json = serde_json::from_str(&said).expect("JSON");
    let text = |name: &str| said[name].as_str().expect("a text").to_owned();
    let options = RemoteOptions {
        endpoint_url: Some(text("endpoint")),
        region: Some(text("region")),
        access_key: Some(AccessKey {
            id: text("access_key_id"),
            secret: SECRET.to_owned(),
        }),
        ..RemoteOptions::default()
    };
    let client = Remote::connect(&options).await.expect("a client");
    (server, client)
}

async fn call(world: &Remote, operation: &str, arguments: Json) -> Answer {
    let answer = world.call(operation, &value(&arguments)).await;
    answer.expect("the server answers")
}

async fn done(world: &Remote, operation: &str, arguments: Json) -> Value {
    let answer = call(world, operation, arguments).await;
    answer.unwrap_or_else(|refusal| panic!("{operation}: {}", refusal.message))
}

fn text(answer: &Value, name: &str) -> String {
    let text = answer.get(name).and_then(Value::as_str);
    text.expect("a text").to_owned()
}

/// Begins an upload to a key, and sends its only part. Gives its id and the part's ETag.
async fn upload(world: &Remote, key: &str) -> (String, String) {
    let named = json!({"Bucket": "alpha", "Key": key});
    let begun = done(world, "create_multipart_upload", named).await;
    let id = text(&begun, "UploadId");
    let part = json!({
        "Bucket": "alpha", "Key": key, "UploadId": id, "PartNumber": 1, "Body": "from parts",
    });
    let part = done(world, "upload_part", part).await;
    (id, text(&part, "ETag"))
}

fn completion(key: &str, (id, etag): &(String, String)) -> Json {
    json!({
        "Bucket": "alpha", "Key": key, "UploadId": id,
        "MultipartUpload": {"Parts": [{"PartNumber": 1, "ETag": etag}]},
    })
}

/// The files of a bucket, and their contents.
fn files(bucket: &Path) -> String {
    let mut files: Vec<String> = fs::read_dir(bucket)
        .expect("the bucket's folder")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let content = fs::read_to_string(&path).expect("a text");
            let name = path.file_name().expect("a name").to_string_lossy();
            format!("{name}: {content}\n")
        })
        .collect();
    files.sort();
    files.concat()
}

#[tokio::test]
async fn a_killed_server_keeps_uploads_and_no_half_of_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (server, client) = serve(folder.path()).await;
    done(&client, "create_bucket", json!({"Bucket": "alpha"})).await;
    let before = json!({"Bucket": "alpha", "Key": "replaced", "Body": "as it was"});
    done(&client, "put_object", before).await;
    let completed = upload(&client, "completed").await;
    let answer = done(
        &client,
        "complete_multipart_upload",
        completion("completed", &completed),
    )
    .await;
    let etag = text(&answer, "ETag");
    let new = upload(&client, "new").await;
    let replaced = upload(&client, "replaced").await;
    let (code, _) = server.stop("-KILL");
    assert_eq!(code, None);

    let (server, client) = serve(folder.path()).await;
    // What was answered is there, and nothing of what was not completed.
    expect![[r#"
        completed: from parts
        replaced: as it was
    "#]]
    .assert_eq(&files(&folder.path().join("alpha")));
    let head = json!({"Bucket": "alpha", "Key": "completed"});
    assert_eq!(
        text(&done(&client, "head_object", head).await, "ETag"),
        etag
    );
    // The uploads are there with their parts: one is completed, the other one is given up.
    let listed = done(
        &client,
        "list_multipart_uploads",
        json!({"Bucket": "alpha"}),
    )
    .await;
    let listed = listed.get("Uploads").and_then(Value::as_list);
    let listed: Vec<_> = listed
        .expect("uploads")
        .iter()
        .map(|upload| (text(upload, "Key"), text(upload, "UploadId")))
        .collect();
    let begun = [("new", &new), ("replaced", &replaced)];
    let begun = begun.map(|(key, (id, _))| (key.to_owned(), id.clone()));
    assert_eq!(listed, begun);
    let (id, _) = &new;
    let named = json!({"Bucket": "alpha", "Key": "new", "UploadId": id});
    let parts = done(&client, "list_parts", named).await;
    let parts = parts.get("Parts").and_then(Value::as_list);
    assert_eq!(parts.expect("parts").len(), 1);
    done(
        &client,
        "complete_multipart_upload",
        completion("new", &new),
    )
    .await;
    let (id, _) = &replaced;
    let named = json!({"Bucket": "alpha", "Key": "replaced", "UploadId": id});
    done(&client, "abort_multipart_upload", named).await;
    let (code, _) = server.stop("-KILL");
    assert_eq!(code, None);

    // Nothing is left of the parts, and no upload is listed again.
    let (server, client) = serve(folder.path()).await;
    let listed = done(
        &client,
        "list_multipart_uploads",
        json!({"Bucket": "alpha"}),
    )
    .await;
    let shown = show(&listed, |_, _| None);
    assert_eq!(listed.get("Uploads"), None, "{shown}");
    let kept = fs::read_dir(folder.path().join(".dialog2api/versions"));
    assert_eq!(kept.expect("a folder").count(), 0);
    server.stop("-TERM");
    expect![[r#"
        completed: from parts
        new: from parts
        replaced: as it was
    "#]]
    .assert_eq(&files(&folder.path().join("alpha")));
}
