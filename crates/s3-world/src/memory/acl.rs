//! Access control lists: who else may read or write. They are kept and returned; the owner's
//! own calls are not held to them.

use super::answer::{Dict, OWNER_ID, owner};
use super::settings::ACL;
use super::state::Bucket;
use super::{Store, buckets, locate, tagging};
use crate::api::canonical_parameter;
use crate::domain::{Answer, Refusal, Value};
use crate::params::Params;
use crate::refusal;
use std::sync::Arc;

const EVERYBODY: &str = "http://acs.amazonaws.com/groups/global/AllUsers";
const SIGNED_IN: &str = "http://acs.amazonaws.com/groups/global/AuthenticatedUsers";
const LOGS: &str = "http://acs.amazonaws.com/groups/s3/LogDelivery";
/// The groups that there are.
const GROUPS: [&str; 3] = [EVERYBODY, SIGNED_IN, LOGS];

/// The lists that S3 has a name for, and what each grants beside the owner's.
const CANNED: [(&str, &[(&str, &str)]); 8] = [
    ("private", &[]),
    ("bucket-owner-full-control", &[]),
    ("bucket-owner-read", &[]),
    ("aws-exec-read", &[]),
    ("public-read", &[(EVERYBODY, "READ")]),
    (
        "public-read-write",
        &[(EVERYBODY, "READ"), (EVERYBODY, "WRITE")],
    ),
    ("authenticated-read", &[(SIGNED_IN, "READ")]),
    ("log-delivery-write", &[(LOGS, "WRITE"), (LOGS, "READ_ACP")]),
];

/// The parameters that grant, and what each grants.
const GRANTS: [(&str, &str); 5] = [
    ("GrantFullControl", "FULL_CONTROL"),
    ("GrantRead", "READ"),
    ("GrantReadACP", "READ_ACP"),
    ("GrantWrite", "WRITE"),
    ("GrantWriteACP", "WRITE_ACP"),
];

fn not_supported() -> Refusal {
    Refusal::new(
        400,
        "AccessControlListNotSupported",
        "The bucket does not allow ACLs",
    )
}

/// The refusal of lists in a bucket whose owner owns all objects.
pub fn not_with_ownership() -> Refusal {
    Refusal::new(
        400,
        "InvalidBucketAclWithObjectOwnership",
        "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
    )
}

/// Whether a call asks for grants, by a parameter other than the two lists that every bucket
/// accepts.
pub fn is_asked_for(params: Params<'_>) -> Result<bool, Refusal> {
    let granted = GRANTS.iter().any(|(name, _)| params.get(name).is_some());
    let canned = params.filled("ACL")?;
    let is_private = matches!(canned, None | Some("private" | "bucket-owner-full-control"));
    Ok(granted || !is_private || params.get("AccessControlPolicy").is_some())
}

/// The grants that an upload or a call asks for; `None` if it asks for none.
///
/// # Errors
/// The bucket allows no lists, the public is kept out, or the list is malformed.
pub fn wanted(bucket: &Bucket, params: Params<'_>) -> Result<Option<Value>, Refusal> {
    let Some(grants) = grants(params)? else {
        return Ok(None);
    };
    if !bucket.has_acls() {
        return match is_asked_for(params)? {
            true => Err(not_supported()),
            false => Ok(None),
        };
    }
    if bucket.blocks_public("BlockPublicAcls") && grants.iter().any(is_public) {
        return Err(refusal::access_denied());
    }
    Ok(Some(Value::List(grants)))
}

/// The grants that a call names. S3 checks their form before it looks at the bucket.
fn grants(params: Params<'_>) -> Result<Option<Vec<Value>>, Refusal> {
    let granted = GRANTS.iter().any(|(name, _)| params.get(name).is_some());
    let refused = |code: &str, message: &str| Err(Refusal::new(400, code, message));
    match (params.filled("ACL")?, params.get("AccessControlPolicy")) {
        (Some(_), _) if granted => refused(
            "InvalidRequest",
            "Specifying both Canned ACLs and Header Grants is not allowed",
        ),
        (Some(_), Some(_)) => refused("UnexpectedContent", "This request does not support content"),
        (None, Some(_)) if granted => {
            refused("UnexpectedContent", "This request does not support content")
        }
        (Some(canned), None) => of_name(canned).map(Some),
        (None, None) if granted => of_headers(params).map(Some),
        (None, Some(policy)) => of_policy(policy).map(Some),
        (None, None) => Ok(None),
    }
}

/// The grants of a document, if it names its owner, and only grantees that there can be.
fn of_policy(policy: &Value) -> Result<Vec<Value>, Refusal> {
    let policy = canonical_parameter("put_object_acl", "AccessControlPolicy", policy)
        .map_err(|_| malformed())?;
    let owner = policy.get("Owner").ok_or_else(malformed)?;
    check_id("CanonicalUser/ID", owner.get("ID"))?;
    let grants = policy.get("Grants").and_then(Value::as_list);
    let grants = grants.ok_or_else(malformed)?;
    for grant in grants {
        let grantee = grant.get("Grantee").ok_or_else(malformed)?;
        grant.get("Permission").ok_or_else(malformed)?;
        match grantee.get("Type").and_then(Value::as_str) {
            Some("CanonicalUser") => check_id("CanonicalUser/ID", grantee.get("ID"))?,
            Some("Group") => check_group("Group/URI", grantee.get("URI"))?,
            Some("AmazonCustomerByEmail") => {}
            _ => return Err(malformed()),
        }
    }
    Ok(grants.to_vec())
}

fn check_id(argument: &str, id: Option<&Value>) -> Result<(), Refusal> {
    let id = id.and_then(Value::as_str).unwrap_or_default();
    match id.len() == OWNER_ID.len() && id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => Ok(()),
        false => Err(refusal::invalid_argument(argument, id, "Invalid id")),
    }
}

fn check_group(argument: &str, uri: Option<&Value>) -> Result<(), Refusal> {
    let uri = uri.and_then(Value::as_str).unwrap_or_default();
    match GROUPS.contains(&uri) {
        true => Ok(()),
        false => Err(refusal::invalid_argument(
            argument,
            uri,
            "Invalid group uri",
        )),
    }
}

fn malformed() -> Refusal {
    Refusal::new(
        400,
        "MalformedACLError",
        "The XML you provided was not well-formed or did not validate against our published schema",
    )
}

/// Whether a grant is for everybody.
pub fn is_public(grant: &Value) -> bool {
    let uri = grant
        .get("Grantee")
        .and_then(|grantee| grantee.get("URI")?.as_str());
    matches!(uri, Some(EVERYBODY | SIGNED_IN))
}

/// Whether a grant gives a permission to everybody, signed in or not.
pub fn is_granted_to_everybody(grant: &Value, permission: &str) -> bool {
    let uri = grant
        .get("Grantee")
        .and_then(|grantee| grantee.get("URI")?.as_str());
    let given = grant.get("Permission").and_then(Value::as_str);
    uri == Some(EVERYBODY) && given.is_some_and(|it| it == permission || it == "FULL_CONTROL")
}

/// The grants of a list that S3 has a name for.
fn of_name(canned: &str) -> Result<Vec<Value>, Refusal> {
    let mut grants = owners();
    let known = CANNED.iter().find(|(name, _)| *name == canned);
    let (_, more) = known.ok_or_else(|| refusal::invalid_argument("x-amz-acl", canned, ""))?;
    grants.extend(
        more.iter()
            .map(|(uri, permission)| grant("URI", uri, "Group", permission)),
    );
    Ok(grants)
}

/// The grants in the headers: `uri="…", id="…"`.
fn of_headers(params: Params<'_>) -> Result<Vec<Value>, Refusal> {
    let mut grants = Vec::new();
    for (name, permission) in GRANTS {
        let header = format!(
            "x-amz-grant-{}",
            permission.to_ascii_lowercase().replace('_', "-")
        );
        for part in params
            .filled(name)?
            .into_iter()
            .flat_map(|text| text.split(','))
        {
            let invalid =
                || refusal::invalid_argument(&header, part, "Argument format not recognized");
            let (kind, grantee) = part.trim().split_once('=').ok_or_else(invalid)?;
            let grantee = grantee.trim().trim_matches('"');
            grants.push(match kind.trim().to_ascii_lowercase().as_str() {
                "id" => {
                    check_id("id", Some(&grantee.into()))?;
                    grant("ID", grantee, "CanonicalUser", permission)
                }
                "uri" => {
                    check_group("uri", Some(&grantee.into()))?;
                    grant("URI", grantee, "Group", permission)
                }
                "emailaddress" => {
                    grant("EmailAddress", grantee, "AmazonCustomerByEmail", permission)
                }
                _ => return Err(invalid()),
            });
        }
    }
    Ok(grants)
}

fn grant(name: &'static str, grantee: &str, kind: &str, permission: &str) -> Value {
    let mut fields = vec![(name.into(), grantee.into()), ("Type".into(), kind.into())];
    if name == "URI" {
        fields.reverse();
    }
    Dict::with_capacity(2)
        .field("Grantee", Value::Map(fields))
        .field("Permission", permission)
        .into()
}

/// The one grant that the owner of everything here has.
fn owners() -> Vec<Value> {
    vec![grant("ID", OWNER_ID, "CanonicalUser", "FULL_CONTROL")]
}

fn shown(grants: Option<&Value>) -> Answer {
    let grants = grants.cloned().unwrap_or_else(|| Value::List(owners()));
    Ok(Dict::with_capacity(2)
        .field("Owner", Value::from(owner()))
        .field("Grants", grants)
        .into())
}

pub fn get_of_object(store: &Store, params: Params<'_>) -> Answer {
    let bucket = buckets::find(&store.state, params, params.text("Bucket")?)?;
    let object = locate::object(bucket, params.key()?, params)?;
    shown(object.extras().grants.as_deref())
}

/// Whether grants say no more than that the owner may do everything.
pub fn is_owners_alone(grants: &[Value]) -> bool {
    match grants {
        [] => true,
        [only] => only.get("Permission").and_then(Value::as_str) == Some("FULL_CONTROL"),
        _ => false,
    }
}

pub fn put_of_object(store: &mut Store, params: Params<'_>) -> Answer {
    tagging::change(store, params, |bucket, extras| {
        extras.grants = Some(Arc::new(to_put(bucket, params)?));
        Ok(())
    })
    .map(|_| Value::Map(Vec::new()))
}

/// The grants of a call that does nothing but set them.
fn to_put(bucket: &Bucket, params: Params<'_>) -> Result<Value, Refusal> {
    let grants = grants(params)?.ok_or_else(|| {
        Refusal::new(
            400,
            "MissingSecurityHeader",
            "Your request was missing a required header",
        )
        .with("MissingHeaderName", "x-amz-acl")
    })?;
    if !bucket.has_acls() {
        return Err(not_supported());
    }
    if bucket.blocks_public("BlockPublicAcls") && grants.iter().any(is_public) {
        return Err(refusal::access_denied());
    }
    Ok(Value::List(grants))
}

pub fn get_of_bucket(store: &Store, params: Params<'_>) -> Answer {
    let bucket = buckets::find(&store.state, params, params.text("Bucket")?)?;
    shown(bucket.settings.get(ACL))
}

pub fn put_of_bucket(store: &mut Store, params: Params<'_>) -> Answer {
    let name = params.text("Bucket")?;
    let bucket = buckets::find(&store.state, params, name)?;
    let grants = to_put(bucket, params)?;
    if let Some(bucket) = store.state.bucket_mut(name) {
        bucket.settings.set(ACL, grants);
    }
    Ok(Value::Map(Vec::new()))
}
