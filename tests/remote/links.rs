//! Links that are signed ahead: what programs get, and what the user gets.

use super::support::{options, run};
use crate::serve::support::{key, serve, world};
use crate::support::links::without_times;
use dialog2api::domain::s3::{AccessKey, Remote, RemoteOptions};
use dialog2api::domain::{SharedLink, World};
use expect_test::{Expect, expect};
use std::sync::{Arc, Mutex};

/// Signs links against `world serve`, uses those that the user gets as `curl` would, and
/// shows both forms of each.
async fn check(calls: &str, expected: Expect) {
    let server = serve(world()).await;
    let endpoint = format!("http://{}", server.address());
    let AccessKey { id, secret } = key();
    let options = RemoteOptions {
        access_key: Some(AccessKey { id, secret }),
        ..options(&endpoint)
    };
    let remote = Remote::connect(&options).await.expect("a world");
    let shown: Arc<Mutex<Vec<SharedLink>>> = Arc::default();
    let kept = shown.clone();
    remote.show_links(Arc::new(move |link| {
        kept.lock().expect("a list").push(link)
    }));
    let mut said = String::new();
    for call in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        said += &format!("{call}\n    {}\n", run(&remote, call).await);
        let links: Vec<SharedLink> = shown.lock().expect("a list").drain(..).collect();
        for link in links {
            said += &format!("    {}\n    {}\n", link.about, use_it(&link).await);
        }
    }
    server.stop().await;
    expected.assert_eq(&without_times(&said.replace(&endpoint, "SERVER")));
}

/// What a server answers to whoever has the link.
async fn use_it(link: &SharedLink) -> String {
    let method = link.method.as_deref().unwrap_or("GET");
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::new();
    let mut request = client.request(method.parse().expect("a method"), &link.url);
    for (name, value) in &link.headers {
        request = request.header(name, value);
    }
    if method == "PUT" {
        request = request.body("by link");
    }
    let answer = request.send().await.expect("an answer");
    let status = answer.status().as_u16();
    let kind = answer.headers().get("content-type").cloned();
    let kind = kind.map_or(String::new(), |kind| format!("{kind:?} "));
    let text = answer.text().await.expect("text").replace('\n', "");
    format!("{method} {:?}: {status} {kind}{text}", link.headers)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_user_gets_a_link_that_works_and_the_program_one_that_does_not() {
    check(
        r#"
        create_bucket {"Bucket": "alpha"}
        put_object {"Bucket": "alpha", "Key": "a b/ü.txt", "Body": "hello"}
        generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "a b/ü.txt"}, "ExpiresIn": 86400}
        generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "a b/ü.txt", "ResponseContentType": "text/x"}, "SignatureVersion": "s3v4"}
        generate_presigned_url {"ClientMethod": "put_object", "Params": {"Bucket": "alpha", "Key": "new", "ContentType": "text/plain"}, "ExpiresIn": 90}
        get_object {"Bucket": "alpha", "Key": "new"}
        generate_presigned_url {"ClientMethod": "head_bucket", "Params": {"Bucket": "alpha"}, "ExpiresIn": 60}
        generate_presigned_url {"ClientMethod": "list_objects_v2", "Params": {"Bucket": "alpha", "Prefix": "n"}, "ExpiresIn": 60}
        generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "missing"}}
        generate_presigned_url {"ClientMethod": "delete_object", "Params": {"Bucket": "alpha", "Key": "new"}}
        head_object {"Bucket": "alpha", "Key": "new"}
        "#,
        expect![[r#"
            create_bucket {"Bucket": "alpha"}
                {Location: "/alpha"}
            put_object {"Bucket": "alpha", "Key": "a b/ü.txt", "Body": "hello"}
                {ETag: "\"5d41402abc4b2a76b9719d911017c592\"", ChecksumCRC32: "NhCmhg==", ChecksumType: "FULL_OBJECT", ServerSideEncryption: "AES256"}
            generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "a b/ü.txt"}, "ExpiresIn": 86400}
                {Url: "SERVER/alpha/a%20b/%C3%BC.txt?AWSAccessKeyId=withheld&Signature=withheld-3496f019d903&Expires=17TIME", Served: true}
                link to alpha/a b/ü.txt for anybody who has it, to read it until 20TIME
                GET []: 200 "binary/octet-stream" hello
            generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "a b/ü.txt", "ResponseContentType": "text/x"}, "SignatureVersion": "s3v4"}
                {Url: "SERVER/alpha/a%20b/%C3%BC.txt?response-content-type=text%2Fx&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=withheld%2FDAY%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=TIME&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature=withheld-e69c00c4a6d3", Served: true}
                link to alpha/a b/ü.txt for anybody who has it, to read it until 20TIME
                GET []: 200 "text/x" hello
            generate_presigned_url {"ClientMethod": "put_object", "Params": {"Bucket": "alpha", "Key": "new", "ContentType": "text/plain"}, "ExpiresIn": 90}
                {Url: "SERVER/alpha/new?AWSAccessKeyId=withheld&Signature=withheld-519b6d6549c7&content-type=text%2Fplain&Expires=17TIME", Served: true}
                link to alpha/new for anybody who has it, to write it until 20TIME
                PUT [("content-type", "text/plain")]: 200 
            get_object {"Bucket": "alpha", "Key": "new"}
                {AcceptRanges: "bytes", LastModified: TIME, ContentLength: 7, ETag: "\"9da1db8978174c1f7ca0e83630a210b3\"", ChecksumCRC32: "e0G3Ug==", ChecksumType: "FULL_OBJECT", ContentType: "text/plain", ServerSideEncryption: "AES256", Metadata: {}, Body: b"by link"}
            generate_presigned_url {"ClientMethod": "head_bucket", "Params": {"Bucket": "alpha"}, "ExpiresIn": 60}
                {Url: "SERVER/alpha?AWSAccessKeyId=withheld&Signature=withheld-4aaebcca2ab4&Expires=17TIME", Served: true}
                link to alpha/ for anybody who has it, to ask head_bucket until 20TIME
                HEAD []: 200 
            generate_presigned_url {"ClientMethod": "list_objects_v2", "Params": {"Bucket": "alpha", "Prefix": "n"}, "ExpiresIn": 60}
                {Url: "SERVER/alpha?list-type=2&prefix=n&AWSAccessKeyId=withheld&Signature=withheld-2efafc7ba3af&Expires=17TIME", Served: true}
                link to alpha/ for anybody who has it, to list it until 20TIME
                GET []: 200 "application/xml" <?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>false</IsTruncated><Contents><Key>new</Key><LastModified>TIME</LastModified><ETag>"9da1db8978174c1f7ca0e83630a210b3"</ETag><ChecksumAlgorithm>CRC32</ChecksumAlgorithm><ChecksumType>FULL_OBJECT</ChecksumType><Size>7</Size><StorageClass>STANDARD</StorageClass></Contents><Name>alpha</Name><Prefix>n</Prefix><MaxKeys>1000</MaxKeys><KeyCount>1</KeyCount></ListBucketResult>
            generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "missing"}}
                {Url: "SERVER/alpha/missing?AWSAccessKeyId=withheld&Signature=withheld-9ef9521f4e94&Expires=17TIME", Served: true}
                link to alpha/missing for anybody who has it, to read it until 20TIME
                GET []: 404 "application/xml" <?xml version="1.0" encoding="UTF-8"?><Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Key>missing</Key><RequestId>0000000000000009</RequestId></Error>
            generate_presigned_url {"ClientMethod": "delete_object", "Params": {"Bucket": "alpha", "Key": "new"}}
                {Url: "SERVER/alpha/new?AWSAccessKeyId=withheld&Signature=withheld-b7230b96a63e&Expires=17TIME", Served: true}
                link to alpha/new for anybody who has it, to delete it until 20TIME
                DELETE []: 204 
            head_object {"Bucket": "alpha", "Key": "new"}
                404 404: Not Found {}
        "#]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_s3_would_refuse_is_refused_at_once() {
    check(
        r#"
        generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "k"}, "ExpiresIn": 604801}
        generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "k"}, "ExpiresIn": 0}
        generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "k"}, "HttpMethod": "DELETE"}
        generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha"}}
        generate_presigned_url {"ClientMethod": "list_buckets", "Params": {}}
        generate_presigned_url {"ClientMethod": "no_operation"}
        "#,
        expect![[r#"
            generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "k"}, "ExpiresIn": 604801}
                400 AuthorizationQueryParametersError: X-Amz-Expires must be less than a week (in seconds) that is 604800 {}
            generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "k"}, "ExpiresIn": 0}
                400 AuthorizationQueryParametersError: X-Amz-Expires must be non-negative {}
            generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "k"}, "HttpMethod": "DELETE"}
                400 InvalidArgument: Parameter HttpMethod must be GET for get_object {ArgumentName: "HttpMethod"}
            generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha"}}
                400 InvalidArgument: Parameter Key must be given {ArgumentName: "Key"}
            generate_presigned_url {"ClientMethod": "list_buckets", "Params": {}}
                400 InvalidArgument: Parameter Bucket must be given {ArgumentName: "Bucket"}
            generate_presigned_url {"ClientMethod": "no_operation"}
                400 InvalidArgument: Parameter ClientMethod must be an operation of S3 {ArgumentName: "ClientMethod"}
        "#]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_signed_where_nobody_is_shown_it_and_drafts_sign_nothing() {
    let server = serve(world()).await;
    let endpoint = format!("http://{}", server.address());
    let remote = Remote::connect(&options(&endpoint)).await.expect("a world");
    let call = r#"generate_presigned_url {"ClientMethod": "get_object", "Params": {"Bucket": "alpha", "Key": "k"}}"#;
    expect!["403 AccessDenied: no link is signed here, because there is nobody to show it to {}"]
        .assert_eq(&run(&remote, call).await);
    remote.show_links(Arc::new(|link| panic!("{link:?} was signed for a draft")));
    let draft = World::fork(&remote).expect("an overlay");
    let (operation, params) = call.split_once(' ').expect("two words");
    let params = crate::support::value::value(&serde_json::from_str(params).expect("JSON"));
    let (answer, touched) = draft
        .call_observed(operation, &params)
        .await
        .expect("an answer");
    assert!(format!("{answer:?}").contains("withheld-"), "{answer:?}");
    let touched = touched.expect("it is known").remove(0);
    assert_eq!(
        touched.place.to_string(),
        "alpha/k (link to read it for 1 hour)"
    );
    assert!(touched.shares && touched.changed);
    server.stop().await;
}
