//! A folder that is served: objects that are larger than memory holds at once, and files that
//! somebody changes meanwhile.

use super::support::key;
use crate::support::value::value;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::remote::{Remote, RemoteLimits, RemoteOptions};
use dialog2api::domain::s3::serve::{S3Server, Service, ServiceOptions, listen};
use dialog2api::domain::s3::world::DiskWorld;
use dialog2api::domain::{Answer, Value, World};
use serde_json::json;
use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The failures of a server, which are none of the client's.
type Failures = Arc<Mutex<Vec<String>>>;

async fn serve(folder: &Path) -> (S3Server, Remote, Failures) {
    let failures = Failures::default();
    let told = failures.clone();
    let options = ServiceOptions {
        on_failure: Box::new(move |error| {
            told.lock().expect("a list").push(error.to_string());
        }),
        ..ServiceOptions::default()
    };
    let world = DiskWorld::open(folder, Clock::System).expect("a world");
    let service = Service::with_options(Arc::new(world), &key(), options);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = listen(service, address).await.expect("a free port");
    let options = RemoteOptions {
        endpoint_url: Some(server.endpoint()),
        region: Some("us-east-1".to_owned()),
        access_key: Some(key()),
        limits: RemoteLimits {
            body: 1 << 30,
            ..RemoteLimits::default()
        },
        ..RemoteOptions::default()
    };
    let client = Remote::connect(&options).await.expect("a client");
    (server, client, failures)
}

async fn ask(client: &Remote, operation: &str, arguments: serde_json::Value) -> Answer {
    let answer = client.call(operation, &value(&arguments)).await;
    answer.expect("the server answers")
}

fn code(answer: Answer) -> String {
    answer.map_or_else(|refusal| refusal.code, |_| "done".to_owned())
}

const LARGE: usize = (64 << 20) + 3;

#[tokio::test(flavor = "multi_thread")]
async fn large_objects_go_up_and_down() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("album")).expect("a folder");
    let (server, client, failures) = serve(folder.path()).await;
    let content: Vec<u8> = (0..LARGE).map(|at| (at / 1000 % 251) as u8).collect();
    let put = vec![
        ("Bucket".into(), "album".into()),
        ("Key".into(), "large".into()),
        ("Body".into(), Value::Bytes(content.clone().into())),
    ];
    let put = client.call("put_object", &Value::Map(put)).await;
    assert_eq!(code(put.expect("the server answers")), "done");
    assert!(fs::read(folder.path().join("album/large")).expect("a file") == content);
    let get = ask(
        &client,
        "get_object",
        json!({"Bucket": "album", "Key": "large"}),
    )
    .await;
    let get = get.expect("the object");
    assert!(get.get("Body") == Some(&Value::Bytes(content.clone().into())));
    let part = json!({"Bucket": "album", "Key": "large", "Range": "bytes=5-67108866"});
    let part = ask(&client, "get_object", part).await.expect("the part");
    assert!(part.get("Body") == Some(&Value::Bytes(content[5..].to_vec().into())));
    let begun = ask(
        &client,
        "create_multipart_upload",
        json!({"Bucket": "album", "Key": "joined"}),
    );
    let begun = begun.await.expect("an upload");
    let id = begun
        .get("UploadId")
        .and_then(Value::as_str)
        .expect("an id");
    let mut parts = Vec::new();
    for number in 1..=2 {
        let part = vec![
            ("Bucket".into(), "album".into()),
            ("Key".into(), "joined".into()),
            ("UploadId".into(), id.into()),
            ("PartNumber".into(), Value::Int(number)),
            ("Body".into(), Value::Bytes(content.clone().into())),
        ];
        let part = client.call("upload_part", &Value::Map(part)).await;
        let part = part.expect("the server answers").expect("a part");
        let tag = part.get("ETag").and_then(Value::as_str).expect("a tag");
        parts.push(json!({"PartNumber": number, "ETag": tag}));
    }
    let complete = json!({"Bucket": "album", "Key": "joined", "UploadId": id,
        "MultipartUpload": {"Parts": parts}});
    assert_eq!(
        code(ask(&client, "complete_multipart_upload", complete).await),
        "done"
    );
    let joined = fs::read(folder.path().join("album/joined")).expect("a file");
    assert!(joined == [content.clone(), content].concat());
    let hidden = folder.path().join(".dialog2api");
    for left in ["incoming", "staged", "versions"] {
        let left = fs::read_dir(hidden.join(left)).expect("a folder");
        assert_eq!(left.count(), 0);
    }
    assert_eq!(*failures.lock().expect("a list"), Vec::<String>::new());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changes_by_hand_is_no_failure_of_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let album = folder.path().join("album");
    fs::create_dir(&album).expect("a folder");
    for name in ["edited", "removed"] {
        fs::write(album.join(name), "before").expect("a file");
    }
    let (server, client, failures) = serve(folder.path()).await;
    let listed = ask(&client, "list_objects_v2", json!({"Bucket": "album"})).await;
    assert_eq!(code(listed), "done");
    fs::write(album.join("edited"), "beside").expect("a file");
    fs::remove_file(album.join("removed")).expect("a file");
    File::create(album.join("added")).expect("a file");
    fs::create_dir(folder.path().join("another")).expect("a folder");
    let named = |key: &str| json!({"Bucket": "album", "Key": key});
    let edited = ask(&client, "get_object", named("edited"))
        .await
        .expect("it");
    assert_eq!(edited.get("Body"), Some(&Value::Bytes("beside".into())));
    let removed = ask(&client, "get_object", named("removed")).await;
    assert_eq!(code(removed), "NoSuchKey");
    let copied = json!({"Bucket": "album", "Key": "copy", "CopySource": "album/removed"});
    assert_eq!(code(ask(&client, "copy_object", copied).await), "NoSuchKey");
    assert_eq!(
        code(ask(&client, "head_object", named("added")).await),
        "done"
    );
    let deleted = ask(&client, "delete_bucket", json!({"Bucket": "album"})).await;
    assert_eq!(code(deleted), "BucketNotEmpty");
    let another = ask(&client, "head_bucket", json!({"Bucket": "another"})).await;
    assert_eq!(code(another), "done");
    assert_eq!(*failures.lock().expect("a list"), Vec::<String>::new());
    server.stop().await;
}

/// A client that takes no blank in a bucket's name reaches the folder `My Photos` all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_any_name_is_served() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("My Photos")).expect("a folder");
    fs::write(folder.path().join("My Photos/a.txt"), "old").expect("a file");
    let (server, client, failures) = serve(folder.path()).await;
    let listed = ask(&client, "list_buckets", json!({})).await;
    let listed = format!("{listed:?}");
    assert!(listed.contains("my-photos"), "{listed}");
    let named = json!({"Bucket": "my-photos", "Key": "a.txt"});
    let got = ask(&client, "get_object", named).await.expect("the object");
    assert!(got.get("Body") == Some(&Value::Bytes(b"old".to_vec().into())));
    let put = json!({"Bucket": "my-photos", "Key": "b/c.txt", "Body": "new"});
    assert_eq!(code(ask(&client, "put_object", put).await), "done");
    let written = fs::read_to_string(folder.path().join("My Photos/b/c.txt"));
    assert_eq!(written.expect("a file"), "new");
    assert_eq!(failures.lock().expect("a list").len(), 0);
    server.stop().await;
}
