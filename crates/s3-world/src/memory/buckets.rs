//! The operations on buckets.

use super::Store;
use super::answer::{ACCOUNT, Dict, owner};
use super::list::Token;
use super::state::{Bucket, Buckets};
use super::{acl, settings};
use crate::domain::{Answer, Refusal, Value};
use crate::names::{self, DEFAULT_REGION};
use crate::params::Params;
use crate::refusal;
use std::sync::Arc;

/// The bucket that a call names. Refuses the call if the bucket does not exist, or if its
/// owner is not the expected one.
pub fn find<'s>(
    state: &'s Buckets,
    params: Params<'_>,
    name: &str,
) -> Result<&'s Arc<Bucket>, Refusal> {
    let bucket = existing(state, name)?;
    match params.optional("ExpectedBucketOwner")? {
        Some(owner) if owner.len() != 12 || !owner.bytes().all(|b| b.is_ascii_digit()) => {
            Err(Refusal::new(
                400,
                "InvalidBucketOwnerAWSAccountID",
                format!(
                    "The value of the expected bucket owner parameter must be an AWS Account \
                     ID... [{owner}]"
                ),
            ))
        }
        Some(owner) if owner != ACCOUNT => Err(refusal::access_denied()),
        _ => Ok(bucket),
    }
}

/// The bucket of this name, or S3's refusal for a missing one.
pub fn existing<'s>(state: &'s Buckets, name: &str) -> Result<&'s Arc<Bucket>, Refusal> {
    match state.bucket(name) {
        Some(bucket) => Ok(bucket),
        None if names::is_legacy_bucket_name(name) => Err(refusal::no_such_bucket(name)),
        None => Err(refusal::invalid_bucket_name(name)),
    }
}

/// Who can own objects. The first holds unless a call says otherwise.
const OWNERSHIPS: [&str; 3] = [
    "BucketOwnerEnforced",
    "BucketOwnerPreferred",
    "ObjectWriter",
];

/// The most buckets on a page.
pub const MOST: i64 = 10_000;

/// The parameters of `list_buckets`.
pub struct Request<'a> {
    prefix: Option<&'a str>,
    region: Option<&'a str>,
    /// The continuation token of the request.
    pub token: Option<&'a str>,
    /// The most buckets to list.
    pub limit: usize,
    /// Whether the request has any parameter. AWS names the regions only if it does.
    pub explicit: bool,
}

impl<'a> Request<'a> {
    /// Reads and checks the parameters.
    pub fn read(params: Params<'a>) -> Result<Self, Refusal> {
        let limit = params.max_buckets()?;
        let prefix = params.filled("Prefix")?;
        let region = params.filled("BucketRegion")?;
        let token = params.filled("ContinuationToken")?;
        if let Some(unknown) = region.filter(|it| *it != DEFAULT_REGION && !names::is_location(it))
        {
            return Err(Refusal::new(
                400,
                "InvalidArgument",
                format!("Argument value {unknown} is not a valid AWS Region"),
            )
            .with("ArgumentName", "bucket-region")
            .with("ArgumentValue", unknown));
        }
        Ok(Request {
            prefix,
            region,
            token,
            limit: usize::try_from(limit.unwrap_or(MOST)).unwrap_or_default(),
            explicit: limit.is_some() || prefix.is_some() || region.is_some() || token.is_some(),
        })
    }

    /// Whether the request selects a bucket.
    pub fn selects(&self, name: &str, bucket: &Bucket) -> bool {
        let region = names::region_of(bucket.location.as_deref());
        name.starts_with(self.prefix.unwrap_or_default())
            && self.region.is_none_or(|wanted| region == wanted)
    }

    /// The listing's entry for a bucket.
    pub fn entry(&self, name: &str, bucket: &Bucket) -> Value {
        let region = names::region_of(bucket.location.as_deref());
        Dict::with_capacity(3)
            .field("Name", name)
            .field("CreationDate", bucket.created)
            .maybe("BucketRegion", self.explicit.then_some(region))
            .into()
    }

    /// The answer, with the token of the next page.
    pub fn answer(&self, entries: Vec<Value>, owner: Value, next: Option<String>) -> Value {
        Dict::with_capacity(4)
            // Present even if empty, because its XML element is always sent.
            .field("Buckets", Value::List(entries))
            .field("Owner", owner)
            .maybe("ContinuationToken", next)
            .maybe("Prefix", self.prefix)
            .into()
    }
}

pub fn list(store: &mut Store, params: Params<'_>) -> Answer {
    let request = Request::read(params)?;
    let after = request.token.map(Token::read).transpose()?;
    let mut wanted = store.state.buckets().filter(|(name, bucket)| {
        after.as_deref().is_none_or(|after| *name > after) && request.selects(name, bucket)
    });
    let page: Vec<_> = wanted.by_ref().take(request.limit).collect();
    let next = match (page.last(), wanted.next()) {
        (Some((last, _)), Some(_)) => Some(Token::write(last)),
        _ => None,
    };
    let entries = page
        .into_iter()
        .map(|(name, bucket)| request.entry(name, bucket))
        .collect();
    Ok(request.answer(entries, owner().into(), next))
}

pub fn create(store: &mut Store, params: Params<'_>) -> Answer {
    let name = params.text("Bucket")?;
    if !names::is_bucket_name(name) {
        return Err(refusal::invalid_bucket_name(name));
    }
    let ownership = params.filled("ObjectOwnership")?;
    if let Some(unknown) = ownership.filter(|it| !OWNERSHIPS.contains(it)) {
        return Err(Refusal::new(
            400,
            "InvalidArgument",
            format!("Invalid x-amz-object-ownership header: {unknown}"),
        )
        .with("ArgumentName", "x-amz-object-ownership"));
    }
    let configuration = params.map("CreateBucketConfiguration")?;
    let constraint = configuration
        .map(|map| map.optional("LocationConstraint"))
        .transpose()?
        .flatten();
    let location = location_at(&store.region, constraint)?;
    if let Some(bucket) = store.state.bucket(name) {
        // For the sake of old programs, us-east-1 lets the owner create a bucket again.
        let has_tags = configuration.is_some_and(|it| it.get("Tags").is_some());
        if location.is_some() || bucket.location.is_some() || has_tags {
            return Err(refusal::bucket_already_owned(name));
        }
    } else {
        let mut bucket = Bucket::new(location, store.clock.now());
        if let Some(ownership) = ownership.filter(|it| *it != OWNERSHIPS[0]) {
            bucket
                .settings
                .set(settings::OWNERSHIP, settings::owned(ownership));
        }
        if params.flag("ObjectLockEnabledForBucket")? {
            settings::lock_new(&mut bucket);
        }
        if let Some(tags) = configuration.and_then(|it| it.get("Tags")) {
            settings::tag_new(&store.state, &mut bucket, name, tags, params)?;
        }
        if !bucket.has_acls() && acl::is_asked_for(params)? {
            return Err(acl::not_with_ownership());
        }
        if let Some(grants) = acl::wanted(&bucket, params)? {
            bucket.settings.set(settings::ACL, grants);
        }
        bucket.created = store.clock.tick();
        store.state.insert(name, bucket);
    }
    let answered = match location {
        Some(_) => format!("http://{name}.s3.amazonaws.com/"),
        None => format!("/{name}"),
    };
    Ok(Dict::with_capacity(1).field("Location", answered).into())
}

/// The location of a new bucket, given the region of the endpoint. The endpoint of
/// us-east-1 accepts the constraint of any other region; each other endpoint accepts only
/// its own.
fn location_at<'a>(
    endpoint: &str,
    constraint: Option<&'a str>,
) -> Result<Option<&'a str>, Refusal> {
    match constraint {
        None if endpoint == DEFAULT_REGION => Ok(None),
        Some(wanted) if endpoint == DEFAULT_REGION => {
            if names::is_location(wanted) {
                Ok(Some(wanted))
            } else {
                Err(refusal::invalid_location(wanted))
            }
        }
        Some(wanted) if names::region_of(Some(wanted)) == endpoint => Ok(Some(wanted)),
        other => Err(refusal::illegal_location(other)),
    }
}

pub fn delete(store: &mut Store, params: Params<'_>) -> Answer {
    let name = params.text("Bucket")?;
    let bucket = find(&store.state, params, name)?;
    if !bucket.objects.is_empty() {
        return Err(refusal::bucket_not_empty(name));
    }
    if !bucket.is_empty() {
        return Err(refusal::versions_left(name));
    }
    store.state.remove(name);
    Ok(Dict::default().into())
}

pub fn head(store: &mut Store, params: Params<'_>) -> Answer {
    let bucket = find(&store.state, params, params.text("Bucket")?)?;
    Ok(Dict::with_capacity(2)
        .field("BucketRegion", names::region_of(bucket.location.as_deref()))
        .field("AccessPointAlias", false)
        .into())
}

pub fn location(store: &mut Store, params: Params<'_>) -> Answer {
    let bucket = find(&store.state, params, params.text("Bucket")?)?;
    let location = bucket.location.as_deref().map_or(Value::Null, Value::from);
    Ok(Dict::with_capacity(1)
        .field("LocationConstraint", location)
        .into())
}
