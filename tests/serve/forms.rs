//! Uploads from HTML forms.

use crate::serve::support::{key, world};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use dialog2api::domain::Value;
use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::serve::Service;
use expect_test::{Expect, expect};
use hmac::{Hmac, KeyInit, Mac};
use http::Request;
use http_body_util::Full;
use std::sync::Arc;

/// A policy that allows everything that a form here may have.
const POLICY: &str = r#"{"expiration": "2999-01-01T00:00:00Z", "conditions": [
    {"bucket": "alpha"}, ["starts-with", "$key", ""], ["starts-with", "$Content-Type", "text/"],
    ["starts-with", "$x-amz-meta-from", ""], ["starts-with", "$tagging", ""],
    ["starts-with", "$success_action_redirect", ""],
    ["starts-with", "$success_action_status", ""], ["content-length-range", 1, 9]]}"#;

/// The fields that sign a policy with version 2, in lines of a form.
fn signed(policy: &str) -> String {
    let policy = STANDARD.encode(policy);
    let secret = key().secret;
    let mut mac = Hmac::<sha1::Sha1>::new_from_slice(secret.as_bytes()).expect("any length");
    mac.update(policy.as_bytes());
    let signature = STANDARD.encode(mac.finalize().into_bytes());
    let id = key().id;
    format!("AWSAccessKeyId: {id}\npolicy: {policy}\nsignature: {signature}\n")
}

/// The fields that sign a policy with version 4.
fn signed_in_version_4(conditions: &str) -> String {
    let credential = format!("{}/20240101/eu-west-1/s3/aws4_request", key().id);
    let policy = STANDARD.encode(format!(
        r#"{{"expiration": "2999-01-01T00:00:00Z", "conditions": [{conditions},
        {{"x-amz-algorithm": "AWS4-HMAC-SHA256"}}, {{"x-amz-credential": "{credential}"}},
        {{"x-amz-date": "20240101T000000Z"}}]}}"#
    ));
    let sign = |key: &[u8], text: &str| {
        let mut mac = Hmac::<sha2::Sha256>::new_from_slice(key).expect("any length");
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().to_vec()
    };
    let secret = format!("AWS4{}", key().secret).into_bytes();
    let scope = ["20240101", "eu-west-1", "s3", "aws4_request"];
    let signing = scope.iter().fold(secret, |key, part| sign(&key, part));
    let signature = const_hex::encode(sign(&signing, &policy));
    format!(
        "policy: {policy}\nx-amz-algorithm: AWS4-HMAC-SHA256\nx-amz-credential: {credential}\n\
         x-amz-date: 20240101T000000Z\nx-amz-signature: {signature}\n"
    )
}

/// The body of a form, each line of which is a field. The file is called `photo.txt`.
fn body(lines: &str) -> String {
    let fields = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    let parts = fields.map(|line| {
        let (name, value) = line.split_once(": ").expect("a name and a value");
        let filename = match name {
            "file" => "; filename=\"photo.txt\"",
            _ => "",
        };
        format!(
            "--cut\r\nContent-Disposition: form-data; name=\"{name}\"{filename}\r\n\r\n{value}\r\n"
        )
    });
    parts.collect::<String>() + "--cut--\r\n"
}

/// Sends a form. Gives the status, what the answer tells, and its document.
async fn send(world: &Arc<Memory>, path: &str, lines: &str) -> String {
    let body = Bytes::from(body(lines));
    let request = Request::post(format!("http://localhost{path}"))
        .header("host", "localhost")
        .header("content-type", "multipart/form-data; boundary=cut")
        .header("content-length", body.len())
        .body(Full::new(body))
        .expect("a request");
    let service = Service::new(world.clone(), &key());
    let answer = service.answer(request).await;
    let told = ["location", "etag", "x-amz-version-id"].map(|name| {
        let value = answer.headers().get(name).and_then(|it| it.to_str().ok());
        value.map_or(String::new(), |value| format!(" {name}: {value}"))
    });
    let document = String::from_utf8_lossy(answer.body());
    let document = document.replace("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", " ");
    format!("{}{}{document}\n", answer.status().as_u16(), told.concat())
}

fn call(world: &Memory, operation: &str, key: &str) -> Value {
    let arguments = [("Bucket", "alpha"), ("Key", key)];
    let arguments = arguments.map(|(name, value)| (name.into(), value.into()));
    let answer = world.perform(operation, &Value::Map(arguments.into()));
    answer.unwrap_or_else(|refusal| panic!("{operation} of {key}: {}", refusal.message))
}

fn with_bucket() -> Arc<Memory> {
    let world = world();
    call(&world, "create_bucket", "");
    world
}

async fn check(forms: &[String], expected: Expect) {
    let world = with_bucket();
    let mut answers = String::new();
    for form in forms {
        answers += &send(&world, "/alpha", form).await;
    }
    expected.assert_eq(&answers);
}

#[tokio::test]
async fn a_signed_form_becomes_an_object() {
    let world = with_bucket();
    let tags = "<Tagging><TagSet><Tag><Key>for</Key><Value>a b+c</Value></Tag></TagSet></Tagging>";
    let form = format!(
        "key: in/${{filename}}\nContent-Type: text/plain\nx-amz-meta-from: a form\n\
         tagging: {tags}\nx-ignore-me: x\n{}file: hello\nafter: the file",
        signed(POLICY)
    );
    let answered = send(&world, "/alpha", &form).await;
    expect![[r#"
        204 etag: "5d41402abc4b2a76b9719d911017c592"
    "#]]
    .assert_eq(&answered);
    let object = call(&world, "get_object", "in/photo.txt");
    assert_eq!(object.get("Body"), Some(&Value::Bytes("hello".into())));
    assert_eq!(object.get("ContentType"), Some(&"text/plain".into()));
    let told = object.get("Metadata").and_then(|it| it.get("from"));
    assert_eq!(told, Some(&"a form".into()));
    let tags = call(&world, "get_object_tagging", "in/photo.txt");
    let tags = tags.get("TagSet").and_then(Value::as_list).expect("tags");
    assert_eq!(tags[0].get("Value"), Some(&"a b+c".into()));
}

#[tokio::test]
async fn both_versions_of_signatures_hold() {
    let conditions = r#"{"bucket": "alpha"}, ["eq", "$key", "k"]"#;
    let fields = signed_in_version_4(conditions);
    check(
        &[
            format!("key: k\n{fields}file: x"),
            format!(
                "key: k\n{}file: x",
                fields.replace("eu-west-1", "us-east-1")
            ),
            format!(
                "key: k\n{}file: x",
                fields.replace("20240101/", "20240102/")
            ),
            format!(
                "key: k\n{}file: x",
                fields.replace("AWS4-HMAC-SHA256", "none")
            ),
            format!(
                "key: k\n{}file: x",
                fields.replace("x-amz-signature: ", "x-amz-signature: 0")
            ),
            format!(
                "key: k\n{}file: x",
                signed(POLICY).replace("signature: ", "signature: A")
            ),
            format!(
                "key: k\n{}file: x",
                signed(POLICY).replace(&key().id, "somebody")
            ),
        ],
        expect![[r#"
            204 etag: "9dd4e461268c8034f5c8564e155c67a6"
            403 <Error><Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the signature you provided. Check your key and signing method.</Message><RequestId>0000000000000001</RequestId></Error>
            403 <Error><Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the signature you provided. Check your key and signing method.</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidArgument</Code><Message>Bucket POST must contain a field named 'X-Amz-Algorithm'.  If it is specified, please check the order of the fields.</Message><ArgumentName>X-Amz-Algorithm</ArgumentName><ArgumentValue></ArgumentValue><RequestId>0000000000000001</RequestId></Error>
            403 <Error><Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the signature you provided. Check your key and signing method.</Message><RequestId>0000000000000001</RequestId></Error>
            403 <Error><Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the signature you provided. Check your key and signing method.</Message><RequestId>0000000000000001</RequestId></Error>
            403 <Error><Code>InvalidAccessKeyId</Code><Message>The AWS Access Key Id you provided does not exist in our records.</Message><RequestId>0000000000000001</RequestId></Error>
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_form_says_what_its_answer_is() {
    let form = |more: &str| {
        format!(
            "key: a k\nContent-Type: text/plain\n{more}\n{}file: x",
            signed(POLICY)
        )
    };
    check(
        &[
            form("success_action_status: 200"),
            form("success_action_status: 201"),
            form("success_action_status: 404"),
            form("success_action_redirect: https://example.com/done"),
            form("success_action_redirect: https://example.com/done?x=1"),
            form("success_action_redirect: javascript:alert(1)"),
        ],
        expect![[r#"
            200 etag: "9dd4e461268c8034f5c8564e155c67a6"
            201 etag: "9dd4e461268c8034f5c8564e155c67a6" <PostResponse><Location>http://localhost/alpha/a%20k</Location><Bucket>alpha</Bucket><Key>a k</Key><ETag>"9dd4e461268c8034f5c8564e155c67a6"</ETag></PostResponse>
            204 etag: "9dd4e461268c8034f5c8564e155c67a6"
            303 location: https://example.com/done?bucket=alpha&key=a%20k&etag=%229dd4e461268c8034f5c8564e155c67a6%22 etag: "9dd4e461268c8034f5c8564e155c67a6"
            303 location: https://example.com/done?x=1&bucket=alpha&key=a%20k&etag=%229dd4e461268c8034f5c8564e155c67a6%22 etag: "9dd4e461268c8034f5c8564e155c67a6"
            204 etag: "9dd4e461268c8034f5c8564e155c67a6"
        "#]],
    )
    .await;
}

#[tokio::test]
async fn what_a_form_lacks_is_said() {
    let fields = signed(POLICY);
    let without = |name: &str| {
        let kept = fields.lines().filter(|line| !line.starts_with(name));
        let kept: Vec<&str> = kept.collect();
        format!("key: k\n{}\nfile: x", kept.join("\n"))
    };
    check(
        &[
            format!("{fields}file: x"),
            format!("key: k\n{fields}"),
            "key: k\nfile: x".to_owned(),
            without("policy"),
            without("signature"),
            without("AWSAccessKeyId"),
            format!(
                "key: k\nx-amz-meta-from: {}\n{fields}file: x",
                "a".repeat(30_000)
            ),
        ],
        expect![[r#"
            400 <Error><Code>InvalidArgument</Code><Message>Bucket POST must contain a field named 'key'.  If it is specified, please check the order of the fields.</Message><ArgumentName>key</ArgumentName><ArgumentValue></ArgumentValue><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidArgument</Code><Message>POST requires exactly one file upload per request.</Message><ArgumentName>file</ArgumentName><ArgumentValue>0</ArgumentValue><RequestId>0000000000000001</RequestId></Error>
            403 <Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidArgument</Code><Message>Bucket POST must contain a field named 'policy'.  If it is specified, please check the order of the fields.</Message><ArgumentName>policy</ArgumentName><ArgumentValue></ArgumentValue><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidArgument</Code><Message>Bucket POST must contain a field named 'Signature'.  If it is specified, please check the order of the fields.</Message><ArgumentName>Signature</ArgumentName><ArgumentValue></ArgumentValue><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidArgument</Code><Message>Bucket POST must contain a field named 'AWSAccessKeyId'.  If it is specified, please check the order of the fields.</Message><ArgumentName>AWSAccessKeyId</ArgumentName><ArgumentValue></ArgumentValue><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>MaxPostPreDataLengthExceeded</Code><Message>Your POST request fields preceding the upload file were too large.</Message><RequestId>0000000000000001</RequestId></Error>
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_policy_holds() {
    let form = |policy: &str, file: &str| {
        format!(
            "key: k\nx-amz-meta-from: me\n{}file: {file}",
            signed(policy)
        )
    };
    let conditions = |more: &str| {
        format!(
            r#"{{"expiration": "2999-01-01T00:00:00Z", "conditions": [{{"bucket": "alpha"}},
            {{"KEY": "k"}}, ["starts-with", "$x-amz-meta-from", "m"]{more}]}}"#
        )
    };
    check(
        &[
            form(&conditions(""), "x"),
            form(&conditions("").replace("alpha", "beta"), "x"),
            form(&conditions("").replace("\"m\"", "\"you\""), "x"),
            form(
                &conditions("").replace("x-amz-meta-from", "x-amz-meta-to"),
                "x",
            ),
            form(&conditions("").replace("2999", "1999"), "x"),
            form(&conditions("").replace("2999-01", "soon"), "x"),
            form(&conditions("").replace("T00:00:00Z", "T00:00:00.000Z"), "x"),
            form(&conditions("").replace("T00:00:00Z", " 00:00:00Z"), "x"),
            form(&conditions("").replace("T00:00:00Z", "T00:00:00+00:00"), "x"),
            form(&conditions("").replace("T00:00:00Z", ""), "x"),
            form(&conditions("").replace("expiration", "Expiration"), "x"),
            form(&conditions("").replace("conditions", "CONDITIONS"), "x"),
            form("[", "x"),
            form(&conditions(", {}"), "x"),
            form(&conditions(", [\"like\", \"$key\", \"k\"]"), "x"),
            form(&conditions(", [\"content-length-range\", 2]"), "x"),
            form(&conditions(", [\"content-length-range\", -1, 2]"), "x"),
            form(&conditions(", [\"content-length-range\", 2, 3]"), "x"),
            form(&conditions(", [\"content-length-range\", 2, 3]"), "four"),
        ],
        expect![[r#"
            204 etag: "9dd4e461268c8034f5c8564e155c67a6"
            403 <Error><Code>AccessDenied</Code><Message>Invalid according to Policy: Policy Condition failed: ["eq", "$bucket", "beta"]</Message><RequestId>0000000000000001</RequestId></Error>
            403 <Error><Code>AccessDenied</Code><Message>Invalid according to Policy: Policy Condition failed: ["starts-with", "$x-amz-meta-from", "you"]</Message><RequestId>0000000000000001</RequestId></Error>
            403 <Error><Code>AccessDenied</Code><Message>Invalid according to Policy: Policy Condition failed: ["starts-with", "$x-amz-meta-to", "m"]</Message><RequestId>0000000000000001</RequestId></Error>
            403 <Error><Code>AccessDenied</Code><Message>Invalid according to Policy: Policy expired.</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidPolicyDocument</Code><Message>Invalid Policy: Invalid 'expiration' value: 'soon-01T00:00:00Z'</Message><RequestId>0000000000000001</RequestId></Error>
            204 etag: "9dd4e461268c8034f5c8564e155c67a6"
            400 <Error><Code>InvalidPolicyDocument</Code><Message>Invalid Policy: Invalid 'expiration' value: '2999-01-01 00:00:00Z'</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidPolicyDocument</Code><Message>Invalid Policy: Invalid 'expiration' value: '2999-01-01T00:00:00+00:00'</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidPolicyDocument</Code><Message>Invalid Policy: Invalid 'expiration' value: '2999-01-01'</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidPolicyDocument</Code><Message>Invalid Policy: Policy missing expiration.</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidPolicyDocument</Code><Message>Invalid Policy: Policy missing conditions.</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidPolicyDocument</Code><Message>Invalid Policy: Invalid JSON.</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidPolicyDocument</Code><Message>Invalid Policy: Invalid Simple-Condition: Simple-Conditions must have exactly one property specified.</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidPolicyDocument</Code><Message>Invalid Policy: Invalid Condition: unknown operation 'like'.</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidPolicyDocument</Code><Message>Invalid Policy: Invalid Condition: wrong number of arguments.</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidPolicyDocument</Code><Message>Invalid Policy: Invalid content-length-range: it needs two numbers.</Message><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>EntityTooSmall</Code><Message>Your proposed upload is smaller than the minimum allowed size</Message><ProposedSize>1</ProposedSize><MinSizeAllowed>2</MinSizeAllowed><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>EntityTooLarge</Code><Message>Your proposed upload exceeds the maximum allowed size</Message><ProposedSize>4</ProposedSize><MaxSizeAllowed>3</MaxSizeAllowed><RequestId>0000000000000001</RequestId></Error>
        "#]],
    )
    .await;
}

/// The policy is held to the first of two values, and the second would take effect.
#[tokio::test]
async fn a_field_comes_once() {
    let fields = signed(POLICY);
    check(
        &[
            format!("key: k\nx-amz-meta-from: a\nX-Amz-Meta-From: b\n{fields}file: x"),
            format!("key: k\nkey: l\n{fields}file: x"),
            format!("key: k\nContent-Type: text/a\nx-amz-storage-class: GLACIER\n{fields}file: x"),
        ],
        expect![[r#"
            400 <Error><Code>InvalidArgument</Code><Message>A field of the form is given twice.</Message><ArgumentName>x-amz-meta-from</ArgumentName><RequestId>0000000000000001</RequestId></Error>
            400 <Error><Code>InvalidArgument</Code><Message>A field of the form is given twice.</Message><ArgumentName>key</ArgumentName><RequestId>0000000000000001</RequestId></Error>
            403 <Error><Code>AccessDenied</Code><Message>Invalid according to Policy: Extra input fields: x-amz-storage-class</Message><RequestId>0000000000000001</RequestId></Error>
        "#]],
    )
    .await;
}

#[tokio::test]
async fn forms_go_to_buckets() {
    let world = with_bucket();
    let mut answers = String::new();
    let form = format!("key: k\n{}file: x", signed(POLICY));
    for path in ["/", "/alpha/k", "/beta"] {
        answers += &send(&world, path, &form).await;
    }
    let beta = format!(
        "key: k\n{}file: x",
        signed(&POLICY.replace("alpha", "beta"))
    );
    answers += &send(&world, "/beta", &beta).await;
    expect![[r#"
        405 <Error><Code>MethodNotAllowed</Code><Message>The specified method is not allowed against this resource.</Message><RequestId>0000000000000001</RequestId></Error>
        405 <Error><Code>MethodNotAllowed</Code><Message>The specified method is not allowed against this resource.</Message><RequestId>0000000000000001</RequestId></Error>
        403 <Error><Code>AccessDenied</Code><Message>Invalid according to Policy: Policy Condition failed: ["eq", "$bucket", "alpha"]</Message><RequestId>0000000000000001</RequestId></Error>
        403 <Error><Code>AccessDenied</Code><Message>Invalid according to Policy: Policy Condition failed: ["starts-with", "$content-type", "text/"]</Message><RequestId>0000000000000001</RequestId></Error>
    "#]].assert_eq(&answers);
}
