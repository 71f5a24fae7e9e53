//! New buckets as AWS made them before April 2023: with access control lists, and without a
//! block of public access. Programs that were written for such buckets, or for other servers,
//! make a bucket with a public list in one call.

use super::errors::Trouble;
use super::{Shared, calls};
use crate::api::ApiOperation;
use crate::domain::{Map, Value};

/// Carries out `create_bucket`.
pub async fn create(
    shared: &Shared,
    operation: &ApiOperation,
    mut arguments: Map,
) -> Result<Value, Trouble> {
    let text = |name: &str| {
        let mut arguments = arguments.iter();
        let (_, value) = arguments.find(|(known, _)| known == name)?;
        Some(value.clone())
    };
    let bucket = text("Bucket").unwrap_or(Value::Null);
    let ownership = text("ObjectOwnership");
    if ownership.as_ref().and_then(Value::as_str) == Some("BucketOwnerEnforced") {
        let answer = calls::call(shared, operation, arguments).await?;
        return open(shared, &bucket).await.map(|()| answer);
    }
    if ownership.is_none() {
        arguments.push(("ObjectOwnership".into(), "ObjectWriter".into()));
    }
    let (mut list, arguments): (Map, Map) = arguments
        .into_iter()
        .partition(|(name, _)| name == "ACL" || name.starts_with("Grant"));
    if list.is_empty() {
        list.push(("ACL".into(), "private".into()));
    }
    list.push(("Bucket".into(), bucket.clone()));
    let name = Value::Map(vec![("Bucket".into(), bucket.clone())]);
    let is_new = shared.world.call("head_bucket", &name).await?.is_err();
    let answer = calls::call(shared, operation, arguments).await?;
    if is_new {
        open(shared, &bucket).await?;
    }
    // A bucket that its owner makes again gets a new list, too.
    let listed = shared
        .world
        .call("put_bucket_acl", &Value::Map(list))
        .await?;
    if let Err(refusal) = listed {
        if is_new {
            shared.world.call("delete_bucket", &name).await??;
        }
        return Err(refusal.into());
    }
    Ok(answer)
}

/// Lets the public be granted access to a new bucket.
async fn open(shared: &Shared, bucket: &Value) -> Result<(), Trouble> {
    let name = Value::Map(vec![("Bucket".into(), bucket.clone())]);
    let opened = shared.world.call("delete_public_access_block", &name);
    opened.await??;
    Ok(())
}
