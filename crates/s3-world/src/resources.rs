//! boto3's resources, as far as a reader of programs needs to know them: which operations
//! `bucket.objects.all()` and `obj.delete()` call.

use crate::domain::{ObjectKind, ObjectMember};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    name: String,
    each: Option<String>,
    members: Vec<RowMember>,
}

#[derive(Deserialize)]
struct RowMember {
    name: String,
    operations: Vec<String>,
    gives: Option<String>,
    #[serde(default)]
    is_read: bool,
}

/// All types of resources and of their collections. `api/generate_resources.py` makes the table
/// from what boto3 ships.
pub fn kinds() -> Vec<ObjectKind> {
    let rows: Vec<Row> = serde_json::from_str(include_str!("api/resources.json"))
        .expect("a test reads the committed table");
    rows.into_iter().map(kind).collect()
}

fn kind(row: Row) -> ObjectKind {
    let member = |member: RowMember| ObjectMember {
        name: member.name.into(),
        operations: member.operations.into_iter().map(Into::into).collect(),
        gives: member.gives.map(Into::into),
        is_read: member.is_read,
    };
    ObjectKind {
        name: row.name.into(),
        each: row.each.map(Into::into),
        members: row.members.into_iter().map(member).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::kinds;
    use crate::S3;

    #[test]
    fn every_kind_and_every_operation_of_the_table_is_known() {
        let kinds = kinds();
        let is_kind = |name: &str| kinds.iter().any(|kind| kind.name == name);
        for kind in &kinds {
            assert!(kind.each.as_deref().is_none_or(is_kind), "{}", kind.name);
            for member in &kind.members {
                let gives = member.gives.as_deref();
                assert!(gives.is_none_or(is_kind), "{}.{}", kind.name, member.name);
                for operation in &member.operations {
                    // Transfers of files are operations where folders are granted.
                    let is_transfer = operation.ends_with("load_file");
                    assert!(
                        is_transfer || S3.operation(operation).is_some(),
                        "{operation}"
                    );
                }
            }
        }
    }
}
