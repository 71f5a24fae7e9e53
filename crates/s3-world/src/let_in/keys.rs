//! Keys that S3 encrypts with. Whoever owns one decides who can read what is encrypted with it.

use super::Party;
use crate::domain::Value;

/// The owners of the keys that a call names, where the names say whose they are. Keys that a
/// caller brings along (`SSECustomerKey`) are nobody else's.
pub fn of_call(operation: &str, params: &Value) -> Vec<Party> {
    let mut names = vec![at(params, &["SSEKMSKeyId"])];
    match operation {
        "put_bucket_encryption" => {
            let rules = list(params, &["ServerSideEncryptionConfiguration", "Rules"]);
            let of = ["ApplyServerSideEncryptionByDefault", "KMSMasterKeyID"];
            names.extend(rules.iter().map(|rule| at(rule, &of)));
        }
        "put_bucket_replication" => {
            let rules = list(params, &["ReplicationConfiguration", "Rules"]);
            let of = ["Destination", "EncryptionConfiguration", "ReplicaKmsKeyID"];
            names.extend(rules.iter().map(|rule| at(rule, &of)));
        }
        "put_bucket_inventory_configuration" => {
            let report = [
                "InventoryConfiguration",
                "Destination",
                "S3BucketDestination",
            ];
            let of = ["Encryption", "SSEKMS", "KeyId"];
            names.push(at(params, &[&report[..], &of].concat()));
        }
        "restore_object" => {
            let output = ["RestoreRequest", "OutputLocation", "S3"];
            let of = ["Encryption", "KMSKeyId"];
            names.push(at(params, &[&output[..], &of].concat()));
        }
        _ => {}
    }
    names.into_iter().flatten().filter_map(Party::key).collect()
}

fn value<'a>(value: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, name| value.get(name))
}

fn at<'a>(params: &'a Value, path: &[&str]) -> Option<&'a str> {
    value(params, path)?.as_str()
}

fn list<'a>(params: &'a Value, path: &[&str]) -> &'a [Value] {
    let items = value(params, path).and_then(Value::as_list);
    items.unwrap_or_default()
}
