//! Who is let in by an access list: one with a name, grants in headers, and a document.

use super::Party;
use crate::domain::Value;

const GROUPS: &str = "http://acs.amazonaws.com/groups/";

/// The parameters that grant.
const HEADERS: [&str; 5] = [
    "GrantFullControl",
    "GrantRead",
    "GrantReadACP",
    "GrantWrite",
    "GrantWriteACP",
];

/// Headers of more bytes are refused, so nobody is looked for in them.
const HEADER_BYTES: usize = 8 << 10;

/// Those whom the parameters of a call grant something.
pub fn of_call(params: &Value) -> Vec<Party> {
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let mut found: Vec<Party> = text("ACL").and_then(named).into_iter().collect();
    for header in HEADERS.iter().filter_map(|name| text(name)) {
        match header.len() > HEADER_BYTES {
            true => found.push(Party::Unknown("somebody in a list that is too long")),
            false => found.extend(header.split(',').map(in_header)),
        }
    }
    let list = params.get("AccessControlPolicy");
    found.extend(of_list(list.and_then(|list| list.get("Grants"))));
    found
}

/// Those in the grants of a document.
pub fn of_list(grants: Option<&Value>) -> impl Iterator<Item = Party> {
    let grants = grants.and_then(Value::as_list).unwrap_or_default();
    grants.iter().map(|grant| {
        let grantee = grant.get("Grantee");
        let part = |name: &str| grantee.and_then(|it| it.get(name)?.as_str());
        match (part("ID"), part("URI"), part("EmailAddress")) {
            (Some(id), None, None) => Party::account(id),
            (None, Some(uri), None) => group(uri),
            (None, None, Some(address)) => Party::Account(address.to_owned()),
            _ => Party::Unknown("somebody in an access list"),
        }
    })
}

/// Those beside the owner in an access list with a name (S3 user guide, "Canned ACL").
fn named(list: &str) -> Option<Party> {
    match list {
        // The owner of the bucket owns what is in it.
        "" | "private" | "bucket-owner-read" | "bucket-owner-full-control" => None,
        "public-read" | "public-read-write" | "authenticated-read" => Some(Party::Public),
        "aws-exec-read" => Some(Party::Service("Amazon EC2".to_owned())),
        "log-delivery-write" => Some(Party::Service("log delivery".to_owned())),
        _ => Some(Party::Unknown("somebody in an unknown access list")),
    }
}

/// One of `id="…", uri="…"`.
fn in_header(grantee: &str) -> Party {
    let (kind, who) = grantee.trim().split_once('=').unwrap_or_default();
    let who = who.trim().trim_matches('"');
    match kind.trim().to_ascii_lowercase().as_str() {
        "id" => Party::account(who),
        "uri" => group(who),
        _ => Party::Account(who.to_owned()),
    }
}

fn group(uri: &str) -> Party {
    match uri.strip_prefix(GROUPS) {
        Some("s3/LogDelivery") => Party::Service("log delivery".to_owned()),
        _ => Party::Public,
    }
}
