//! Access control lists: who else may read or write. They are kept and returned; the owner's
//! own calls are not held to them.

use super::answer::{Dict, OWNER_ID, owner};
use super::settings::ACL;
use super::state::Bucket;
use super::{Store, buckets, locate, tagging};
use crate::domain::s3::api::canonical_parameter;
use crate::domain::s3::params::Params;
use crate::domain::s3::refusal;
use crate::domain::{Answer, Refusal, Value};
use std::sync::Arc;

const EVERYBODY: &str = "http://acs.amazonaws.com/groups/global/AllUsers";
const SIGNED_IN: &str = "http://acs.amazonaws.com/groups/global/AuthenticatedUsers";
const LOGS: &str = "http://acs.amazonaws.com/groups/s3/LogDelivery";

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
    if !bucket.has_acls() {
        return match is_asked_for(params)? {
            true => Err(not_supported()),
            false => Ok(None),
        };
    }
    let granted = GRANTS.iter().any(|(name, _)| params.get(name).is_some());
    let grants = match (params.filled("ACL")?, params.get("AccessControlPolicy")) {
        (Some(_), _) if granted => {
            return Err(Refusal::new(
                400,
                "InvalidRequest",
                "Specifying both Canned ACLs and Header Grants is not allowed",
            ));
        }
        (Some(canned), _) => of_name(canned)?,
        (None, _) if granted => of_headers(params)?,
        (None, Some(policy)) => {
            let policy = canonical_parameter("put_object_acl", "AccessControlPolicy", policy)?;
            let grants = policy.get("Grants").and_then(Value::as_list);
            grants.ok_or_else(malformed)?.to_vec()
        }
        (None, None) => return Ok(None),
    };
    if bucket.blocks_public("BlockPublicAcls") && grants.iter().any(is_public) {
        return Err(refusal::access_denied());
    }
    Ok(Some(Value::List(grants)))
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
    let more: &[(&str, &str)] = match canned {
        "private" | "bucket-owner-full-control" | "bucket-owner-read" | "aws-exec-read" => &[],
        "public-read" => &[(EVERYBODY, "READ")],
        "public-read-write" => &[(EVERYBODY, "READ"), (EVERYBODY, "WRITE")],
        "authenticated-read" => &[(SIGNED_IN, "READ")],
        "log-delivery-write" => &[(LOGS, "WRITE"), (LOGS, "READ_ACP")],
        other => return Err(refusal::invalid_argument("x-amz-acl", other, "")),
    };
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
        for part in params
            .filled(name)?
            .into_iter()
            .flat_map(|text| text.split(','))
        {
            let invalid =
                || refusal::invalid_argument(name, part, "Argument format not recognized");
            let (kind, grantee) = part.trim().split_once('=').ok_or_else(invalid)?;
            let grantee = grantee.trim().trim_matches('"');
            grants.push(match kind.trim().to_ascii_lowercase().as_str() {
                "id" => grant("ID", grantee, "CanonicalUser", permission),
                "uri" => grant("URI", grantee, "Group", permission),
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
    let object = locate::described(bucket, params.key()?, params)?;
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
        if !bucket.has_acls() {
            return Err(not_supported());
        }
        extras.grants = wanted(bucket, params)?.map(Arc::new);
        Ok(())
    })
    .map(|_| Value::Map(Vec::new()))
}

pub fn get_of_bucket(store: &Store, params: Params<'_>) -> Answer {
    let bucket = buckets::find(&store.state, params, params.text("Bucket")?)?;
    shown(bucket.settings.get(ACL))
}

pub fn put_of_bucket(store: &mut Store, params: Params<'_>) -> Answer {
    let name = params.text("Bucket")?;
    let bucket = buckets::find(&store.state, params, name)?;
    if !bucket.has_acls() && params.filled("ACL")? != Some("private") {
        return Err(not_supported());
    }
    let grants = wanted(bucket, params)?;
    if let Some(bucket) = store.state.bucket_mut(name) {
        match grants {
            Some(grants) => bucket.settings.set(ACL, grants),
            None => drop(bucket.settings.remove(ACL)),
        }
    }
    Ok(Value::Map(Vec::new()))
}
