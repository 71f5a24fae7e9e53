//! Every way to let others in, or to send something to them, against a rule that denies it.

use crate::support::value;
use dialog2api::domain::s3::{Party, who_is_let_in};
use expect_test::{Expect, expect};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// Who is let in by each call, and whether `deny share` denies it.
fn check(calls: &[(&str, Json)], expected: Expect) {
    let deny = super::policy("[[rule]]\nname = \"r\"\neffect = \"deny\"\naccess = [\"share\"]");
    let mut said = String::new();
    for (operation, more) in calls {
        let mut params = json!({"Bucket": "zoo", "Key": "k"});
        let (Some(all), Some(more)) = (params.as_object_mut(), more.as_object()) else {
            panic!("objects");
        };
        all.extend(more.clone());
        let call = value::value(&params);
        let who: Vec<String> = (who_is_let_in(operation, &call).iter())
            .map(Party::to_string)
            .collect();
        let judged = deny.judge(
            &dialog2api::domain::s3::S3,
            operation,
            &call,
            &mut dialog2api::policy::Count::default(),
        );
        let verdict = if judged.is_ok() { "allowed" } else { "denied" };
        let _ = writeln!(said, "{verdict}  {}", who.join("; "));
    }
    expected.assert_eq(&said);
}

/// A call that sets a policy with one statement that allows.
fn statement(parts: Json) -> (&'static str, Json) {
    let mut statement = json!({"Effect": "Allow", "Action": "s3:GetObject",
        "Resource": "arn:aws:s3:::zoo/*"});
    let (Some(all), Some(parts)) = (statement.as_object_mut(), parts.as_object()) else {
        panic!("objects");
    };
    all.extend(parts.clone());
    let policy = json!({"Version": "2012-10-17", "Statement": [statement]});
    ("put_bucket_policy", json!({"Policy": policy.to_string()}))
}

#[test]
fn principals_of_policies() {
    let named = |principal: Json| statement(json!({"Principal": principal}));
    check(
        &[
            named(json!("*")),
            named(json!({"AWS": "*"})),
            named(json!({"AWS": ["123456789012", "arn:aws:iam::123456789012:user/me"]})),
            named(json!({"AWS": "999999999999"})),
            named(
                json!({"AWS": ["arn:aws:iam::123456789012:root", "arn:aws:iam::999999999999:root"]}),
            ),
            named(
                json!({"CanonicalUser": "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be"}),
            ),
            named(
                json!({"CanonicalUser": "d1a10902a9100000000000000000000000000000000000000000000000000001"}),
            ),
            named(json!({"Service": "cloudfront.amazonaws.com"})),
            named(json!({"Federated": "cognito-identity.amazonaws.com"})),
            statement(json!({"NotPrincipal": {"AWS": "arn:aws:iam::123456789012:root"}})),
            statement(json!({"Effect": "Deny", "Principal": "*"})),
            statement(json!({"principal": "*", "Principal": {"AWS": "123456789012"}})),
            (
                "put_bucket_policy",
                json!({"Policy": "{\"statement\": []}"}),
            ),
            ("put_bucket_policy", json!({"Policy": "{"})),
            ("put_bucket_policy", json!({"Policy": " ".repeat(20_481)})),
            ("delete_bucket_policy", json!({})),
        ],
        expect![[r#"
            denied  everybody
            denied  everybody
            allowed  your own account
            denied  the account 999999999999
            denied  your own account; the account arn:aws:iam::999999999999:root
            denied  the account 79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be
            allowed  your own account
            denied  the service cloudfront.amazonaws.com
            denied  the service cognito-identity.amazonaws.com
            denied  everybody
            allowed  
            denied  everybody
            denied  somebody in a policy that cannot be read
            denied  somebody in a policy that cannot be read
            denied  somebody in a policy that cannot be read
            allowed  
        "#]],
    );
}

#[test]
fn conditions_of_policies() {
    let under = |condition: Json| statement(json!({"Principal": "*", "Condition": condition}));
    let address = |value: Json| under(json!({"IpAddress": {"aws:SourceIp": value}}));
    check(
        &[
            address(json!("0.0.0.0/0")),
            address(json!(["0.0.0.0/1", "128.0.0.0/1"])),
            address(json!(["203.0.113.0/24", "::/0"])),
            address(json!("203.0.113.0/24")),
            address(json!("203.0.113.9")),
            under(json!({"NotIpAddress": {"aws:SourceIp": "203.0.113.9/32"}})),
            under(json!({"StringEquals": {"aws:PrincipalOrgID": "o-1"}})),
            under(json!({"StringLike": {"aws:PrincipalOrgID": "o-*"}})),
            under(json!({"StringEqualsIfExists": {"aws:PrincipalOrgID": "o-1"}})),
            under(json!({"ForAllValues:StringEquals": {"aws:PrincipalOrgID": "o-1"}})),
            under(json!({"StringNotEquals": {"aws:PrincipalAccount": "1"}})),
            under(json!({"StringEquals": {"aws:PrincipalAccount": "123456789012"}})),
            under(
                json!({"StringEquals": {"AWS:principalaccount": ["123456789012", "999999999999"]}}),
            ),
            under(json!({"ArnLike": {"aws:PrincipalArn": "arn:aws:iam::123456789012:role/*"}})),
            under(json!({"ArnLike": {"aws:PrincipalArn": "arn:aws:iam::*:role/admin"}})),
            under(json!({"StringEquals": {"aws:Referer": "https://me.example"}})),
            under(json!({"Bool": {"aws:SecureTransport": "true"}})),
            under(json!({"StringEquals": {"aws:SourceVpce": "vpce-1"}})),
            under(json!({"StringEquals": {"aws:PrincipalAccount": "${aws:PrincipalAccount}"}})),
        ],
        expect![[r#"
            denied  everybody
            denied  everybody
            denied  everybody
            denied  the network 203.0.113.0/24
            denied  the network 203.0.113.9
            denied  everybody
            denied  the organisation o-1
            denied  everybody
            denied  everybody
            denied  everybody
            denied  everybody
            allowed  your own account
            denied  your own account; the account 999999999999
            allowed  your own account
            denied  everybody
            denied  everybody
            denied  everybody
            denied  the network vpce-1
            denied  everybody
        "#]],
    );
}

#[test]
fn access_lists() {
    let acl = |name: &str| ("put_object", json!({"ACL": name}));
    let owner = "d1a10902a9100000000000000000000000000000000000000000000000000001";
    let list = |grantee: Json| {
        let grants = json!([{"Grantee": grantee, "Permission": "READ"}]);
        (
            "put_object_acl",
            json!({"AccessControlPolicy": {"Grants": grants}}),
        )
    };
    check(
        &[
            acl("private"),
            acl("public-read"),
            acl("authenticated-read"),
            acl("aws-exec-read"),
            acl("log-delivery-write"),
            acl("bucket-owner-full-control"),
            acl("unheard-of"),
            ("put_object", json!({"GrantRead": format!("id={owner}")})),
            (
                "create_bucket",
                json!({"GrantFullControl": format!("id=\"{owner}\", id=\"abc\"")}),
            ),
            (
                "copy_object",
                json!({"GrantRead": "uri=http://acs.amazonaws.com/groups/global/AllUsers"}),
            ),
            (
                "put_object",
                json!({"GrantRead": "emailAddress=a@example.com"}),
            ),
            ("create_multipart_upload", json!({"GrantRead": "id=abc"})),
            list(
                json!({"Type": "Group", "URI": "http://acs.amazonaws.com/groups/global/AllUsers"}),
            ),
            list(json!({"Type": "CanonicalUser", "ID": owner})),
            list(json!({"Type": "CanonicalUser", "ID": "abc"})),
        ],
        expect![[r#"
            allowed  
            denied  everybody
            denied  everybody
            denied  the service Amazon EC2
            denied  the service log delivery
            allowed  
            denied  somebody in an unknown access list
            allowed  your own account
            denied  your own account; the account abc
            denied  everybody
            denied  the account a@example.com
            denied  the account abc
            denied  everybody
            denied  your own account
            denied  the account abc
        "#]],
    );
}

#[test]
fn settings_that_let_in_or_send() {
    let on = json!({"BlockPublicAcls": true, "IgnorePublicAcls": true, "BlockPublicPolicy": true,
        "RestrictPublicBuckets": true});
    let off = json!({"BlockPublicAcls": true});
    let owned = |rule: &str| json!({"OwnershipControls": {"Rules": [{"ObjectOwnership": rule}]}});
    let to = |account: &str| {
        let destination = json!({"Bucket": "arn:aws:s3:::theirs", "Account": account});
        json!({"ReplicationConfiguration": {"Rules": [{"Status": "Enabled", "Destination": destination}]}})
    };
    let report = json!({"Bucket": "arn:aws:s3:::theirs", "AccountId": "999999999999"});
    let logs = json!({"TargetBucket": "logs", "TargetPrefix": "",
        "TargetGrants": [{"Grantee": {"ID": "abc"}, "Permission": "READ"}]});
    check(
        &[
            (
                "put_public_access_block",
                json!({"PublicAccessBlockConfiguration": on}),
            ),
            (
                "put_public_access_block",
                json!({"PublicAccessBlockConfiguration": off}),
            ),
            ("delete_public_access_block", json!({})),
            ("put_bucket_ownership_controls", owned("ObjectWriter")),
            (
                "put_bucket_ownership_controls",
                owned("BucketOwnerEnforced"),
            ),
            ("delete_bucket_ownership_controls", json!({})),
            ("create_bucket", json!({"ObjectOwnership": "ObjectWriter"})),
            (
                "create_bucket",
                json!({"ObjectOwnership": "BucketOwnerEnforced"}),
            ),
            ("put_bucket_website", json!({"WebsiteConfiguration": {}})),
            ("delete_bucket_website", json!({})),
            (
                "put_bucket_cors",
                json!({"CORSConfiguration": {"CORSRules": [{"AllowedOrigins": ["https://a.example"]}]}}),
            ),
            (
                "put_bucket_cors",
                json!({"CORSConfiguration": {"CORSRules": [{"AllowedOrigins": ["*"]}]}}),
            ),
            (
                "put_bucket_logging",
                json!({"BucketLoggingStatus": {"LoggingEnabled": logs}}),
            ),
            ("put_bucket_logging", json!({"BucketLoggingStatus": {}})),
            ("put_bucket_replication", to("999999999999")),
            (
                "put_bucket_inventory_configuration",
                json!({"Id": "i", "InventoryConfiguration": {"Destination": {"S3BucketDestination": report}}}),
            ),
            (
                "put_bucket_notification_configuration",
                json!({"NotificationConfiguration": {"QueueConfigurations": [{"QueueArn": "arn:aws:sqs:us-east-1:999999999999:q"}], "EventBridgeConfiguration": {}}}),
            ),
            (
                "put_bucket_notification_configuration",
                json!({"NotificationConfiguration": {"TopicConfigurations": [{"TopicArn": "arn:aws:sns:us-east-1:123456789012:t"}]}}),
            ),
            (
                "restore_object",
                json!({"RestoreRequest": {"OutputLocation": {"S3": {"BucketName": "theirs", "Prefix": "p"}}}}),
            ),
            ("restore_object", json!({"RestoreRequest": {"Days": 1}})),
            ("put_object", json!({"ExpectedBucketOwner": "999999999999"})),
            ("put_object", json!({"ExpectedBucketOwner": "123456789012"})),
            ("put_bucket_tagging", json!({"Tagging": {"TagSet": []}})),
        ],
        expect![[r#"
            denied  
            denied  everybody
            denied  everybody
            denied  whoever an access list names
            denied  
            denied  whoever an access list names
            denied  whoever an access list names
            allowed  
            denied  everybody
            allowed  
            denied  web pages of https://a.example
            denied  everybody
            denied  the account abc; logs
            allowed  
            denied  the account 999999999999; arn:aws:s3:::theirs
            denied  the account 999999999999; arn:aws:s3:::theirs
            denied  the account arn:aws:sqs:us-east-1:999999999999:q; the service Amazon EventBridge
            denied  arn:aws:sns:us-east-1:123456789012:t
            denied  theirs
            allowed  
            denied  the account 999999999999
            allowed  your own account
            allowed  
        "#]],
    );
}

#[test]
fn keys_of_other_accounts() {
    let other = "arn:aws:kms:us-east-1:999999999999:key/abc";
    let own = "arn:aws:kms:us-east-1:123456789012:key/abc";
    let default = |key: &str| {
        let by = json!({"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key});
        let rules = json!([{"ApplyServerSideEncryptionByDefault": by}]);
        (
            "put_bucket_encryption",
            json!({"ServerSideEncryptionConfiguration": {"Rules": rules}}),
        )
    };
    let written = |operation: &'static str, key: &str| {
        let by = json!({"ServerSideEncryption": "aws:kms", "SSEKMSKeyId": key});
        (operation, by)
    };
    let link = |method: &str, key: &str| {
        let params = json!({"Bucket": "zoo", "Key": "k", "SSEKMSKeyId": key});
        (
            "generate_presigned_url",
            json!({"ClientMethod": method, "Params": params}),
        )
    };
    check(
        &[
            default(other),
            default(own),
            default("alias/mine"),
            written("put_object", other),
            written("put_object", own),
            written("put_object", "abc"),
            written("copy_object", other),
            written("create_multipart_upload", other),
            written("put_object", "arn:aws:kms:us-east-1::key/abc"),
            link("put_object", other),
            (
                "put_object",
                json!({"SSECustomerAlgorithm": "AES256", "SSECustomerKey": other}),
            ),
            (
                "put_bucket_replication",
                json!({"ReplicationConfiguration": {"Rules": [{"Destination": {"Bucket": "arn:aws:s3:::mine", "EncryptionConfiguration": {"ReplicaKmsKeyID": other}}}]}}),
            ),
            (
                "put_bucket_inventory_configuration",
                json!({"Id": "i", "InventoryConfiguration": {"Destination": {"S3BucketDestination": {"Bucket": "arn:aws:s3:::mine", "Encryption": {"SSEKMS": {"KeyId": other}}}}}}),
            ),
            (
                "restore_object",
                json!({"RestoreRequest": {"OutputLocation": {"S3": {"BucketName": "mine", "Encryption": {"KMSKeyId": other}}}}}),
            ),
        ],
        expect![[r#"
            denied  the account of the key arn:aws:kms:us-east-1:999999999999:key/abc
            allowed  your own account
            allowed  
            denied  the account of the key arn:aws:kms:us-east-1:999999999999:key/abc
            allowed  your own account
            allowed  
            denied  the account of the key arn:aws:kms:us-east-1:999999999999:key/abc
            denied  the account of the key arn:aws:kms:us-east-1:999999999999:key/abc
            denied  the account of the key arn:aws:kms:us-east-1::key/abc
            denied  whoever has the link
            allowed  
            denied  arn:aws:s3:::mine; the account of the key arn:aws:kms:us-east-1:999999999999:key/abc
            denied  arn:aws:s3:::mine; the account of the key arn:aws:kms:us-east-1:999999999999:key/abc
            denied  mine; the account of the key arn:aws:kms:us-east-1:999999999999:key/abc
        "#]],
    );
}
