//! Accounts that a policy calls its user's own: what is shared only with them is not shared.

use super::{call, check, policy};
use async_trait::async_trait;
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Answer, Refusal, Signer, Value, World};
use dialog2api::policy::{Guard, Policy};
use expect_test::expect;
use std::sync::Arc;

const DENY: &str = r#"
    own_accounts = ["999999999999"]
    [[rule]]
    name = "stay"
    effect = "deny"
    access = ["share"]
"#;

/// Every way to name an account: own ones are let in, others are denied with the way out.
const CALLS: &str = r#"
    put_bucket_policy {"Bucket": "zoo", "Policy": "{\"Statement\": [{\"Effect\": \"Allow\", \"Principal\": {\"AWS\": \"arn:aws:iam::ACCOUNT:root\"}, \"Action\": \"s3:*\", \"Resource\": \"arn:aws:s3:::zoo/*\"}]}"}
    put_bucket_policy {"Bucket": "zoo", "Policy": "{\"Statement\": [{\"Effect\": \"Allow\", \"Principal\": \"*\", \"Action\": \"s3:*\", \"Resource\": \"arn:aws:s3:::zoo/*\", \"Condition\": {\"StringEquals\": {\"aws:PrincipalAccount\": \"ACCOUNT\"}}}]}"}
    put_object {"Bucket": "zoo", "Key": "k", "ServerSideEncryption": "aws:kms", "SSEKMSKeyId": "arn:aws:kms:us-east-1:ACCOUNT:key/abc"}
    put_object {"Bucket": "zoo", "Key": "k", "ExpectedBucketOwner": "ACCOUNT"}
    put_bucket_inventory_configuration {"Bucket": "zoo", "Id": "i", "InventoryConfiguration": {"Destination": {"S3BucketDestination": {"AccountId": "ACCOUNT", "Bucket": "arn:aws:s3:::lists"}}}}
    put_bucket_replication {"Bucket": "zoo", "ReplicationConfiguration": {"Rules": [{"Destination": {"Account": "ACCOUNT", "Bucket": "arn:aws:s3:::copies"}}]}}
    put_bucket_notification_configuration {"Bucket": "zoo", "NotificationConfiguration": {"QueueConfigurations": [{"QueueArn": "arn:aws:sqs:us-east-1:ACCOUNT:q", "Events": []}]}}
"#;

#[test]
fn what_is_shared_with_an_own_account_is_not_shared() {
    let calls = CALLS.replace("ACCOUNT", "999999999999");
    let policy = policy(DENY);
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (operation, params) = call(line);
        let judged = policy.judge(&S3, operation, &params, &mut Default::default());
        assert!(judged.is_ok(), "{line}: {judged:?}");
    }
}

#[test]
fn a_refusal_names_the_option() {
    let calls = CALLS.replace("ACCOUNT", "111111111111");
    let policy = policy(DENY);
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (operation, params) = call(line);
        let judged = policy.judge(&S3, operation, &params, &mut Default::default());
        let said = judged.expect_err(line).to_string();
        let way_out =
            "It names the account 111111111111: if that is yours, add it to `own_accounts`.";
        assert!(said.ends_with(way_out), "{line}: {said}");
    }
}

/// What lets in more than an own account is still shared.
#[test]
fn an_own_account_beside_others_changes_nothing() {
    check(
        DENY,
        r#"
            put_bucket_acl {"Bucket": "zoo", "GrantRead": "id=999999999999"}
            put_bucket_acl {"Bucket": "zoo", "GrantRead": "id=999999999999, id=111111111111"}
            put_bucket_acl {"Bucket": "zoo", "ACL": "public-read"}
            put_bucket_inventory_configuration {"Bucket": "zoo", "Id": "i", "InventoryConfiguration": {"Destination": {"S3BucketDestination": {"Bucket": "arn:aws:s3:::lists"}}}}
            put_object {"Bucket": "zoo", "Key": "k", "SSEKMSKeyId": "arn:aws:kms:us-east-1::key/abc"}
        "#,
        expect![[r#"
            put_bucket_acl {"Bucket": "zoo", "GrantRead": "id=999999999999"}
                allowed
            put_bucket_acl {"Bucket": "zoo", "GrantRead": "id=999999999999, id=111111111111"}
                rule "stay" denies put_bucket_acl on zoo/ (access list). It names the account 111111111111: if that is yours, add it to `own_accounts`.
            put_bucket_acl {"Bucket": "zoo", "ACL": "public-read"}
                rule "stay" denies put_bucket_acl on zoo/ (access list).
            put_bucket_inventory_configuration {"Bucket": "zoo", "Id": "i", "InventoryConfiguration": {"Destination": {"S3BucketDestination": {"Bucket": "arn:aws:s3:::lists"}}}}
                rule "stay" denies put_bucket_inventory_configuration on zoo/ (inventory i).
            put_object {"Bucket": "zoo", "Key": "k", "SSEKMSKeyId": "arn:aws:kms:us-east-1::key/abc"}
                rule "stay" denies put_object on zoo/k.
        "#]],
    );
}

#[test]
fn an_account_is_a_number_or_a_canonical_id() {
    let read = |accounts: &str| {
        let read = Policy::read(&format!("version = 1\nown_accounts = {accounts}"));
        read.map(|policy| policy.own_accounts.len())
    };
    assert_eq!(
        read(&format!("[\"123456789012\", \"{}\"]", "a1".repeat(32))),
        Ok(2)
    );
    let problem = read("[\"me\"]").expect_err("no account");
    let said = "own_accounts has \"me\": an account is a number of 12 digits, in quotes, or a \
                canonical ID of 64 hexadecimal digits";
    assert_eq!(problem, said);
}

/// An account with one bucket, beside one of an account that says whose it is.
struct Beside {
    heeds_owner: bool,
}

#[async_trait]
impl World for Beside {
    async fn call(&self, operation: &str, params: &Value) -> dialog2api::Result<Answer> {
        let owner = params.get("ExpectedBucketOwner").and_then(Value::as_str);
        Ok(match operation {
            "list_buckets" => Ok(Value::Map(vec![(
                "Buckets".into(),
                Value::List(Vec::new()),
            )])),
            "head_bucket" if self.heeds_owner && owner.is_some_and(|it| it != "999999999999") => {
                Err(Refusal::of_status(403))
            }
            _ => Ok(Value::Map(Vec::new())),
        })
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    async fn state(&self, _: &mut Signer) -> dialog2api::Result<()> {
        Ok(())
    }

    fn describe(&self) -> String {
        "a server".to_owned()
    }
}

/// A bucket that an own account has is one's own, if the server looks at the owner at all.
#[tokio::test]
async fn a_bucket_of_an_own_account_is_ones_own() {
    let (operation, params) = call(r#"put_object {"Bucket": "theirs", "Key": "k"}"#);
    for (heeds_owner, text, is_allowed) in [
        (true, DENY.to_owned(), true),
        (true, DENY.replace("999999999999", "111111111111"), false),
        // It would say yes to any owner.
        (false, DENY.to_owned(), false),
    ] {
        let world: Arc<dyn World> = Arc::new(Beside { heeds_owner });
        let guard = Guard::new(world, &S3, Arc::new(policy(&text)));
        let answer = guard.call(operation, &params).await.unwrap();
        let said = answer
            .err()
            .map(|refusal| refusal.message)
            .unwrap_or_default();
        assert_eq!(said.is_empty(), is_allowed, "{heeds_owner}: {said}");
        assert!(
            is_allowed || said.ends_with("name that in `own_accounts`."),
            "{said}"
        );
    }
}
