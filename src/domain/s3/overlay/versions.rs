//! Single versions. The layer knows which of the base were deleted.

use super::Overlay;
use super::base::{BaseResult, Trouble, list, text};
use super::layer::View;
use crate::domain::s3::memory::check_version_id;
use crate::domain::s3::memory::settings::VERSIONING;
use crate::domain::s3::refusal;
use crate::domain::{Map, Value};

/// Whether a deletion names a version.
pub(super) fn names_version(params: &Value) -> bool {
    let objects = params.get("Delete").map(|delete| list(delete, "Objects"));
    let mut entries = objects.unwrap_or_default().iter().chain([params]);
    entries.any(|entry| text(entry, "VersionId").is_some())
}

impl Overlay {
    /// Deletes single versions. Those of the base are only noted: reads of the key itself
    /// still show what the base has.
    pub(super) async fn delete_versions(
        &self,
        operation: &str,
        params: &Value,
    ) -> BaseResult<Value> {
        let bucket = text(params, "Bucket").unwrap_or_default();
        if matches!(self.snapshot().view(bucket), View::Layer) {
            return self.write_objects(operation, params).await;
        }
        let versioning = self.setting(bucket, VERSIONING).await?;
        if versioning.is_none() {
            return self.write_objects(operation, params).await;
        }
        let single = operation == "delete_object";
        let entries = match params.get("Delete") {
            Some(delete) if !single => list(delete, "Objects").to_vec(),
            _ => vec![params.clone()],
        };
        let mut deleted = Vec::new();
        for entry in &entries {
            let (Some(key), Some(id)) = (text(entry, "Key"), text(entry, "VersionId")) else {
                return Err(refusal::not_implemented("delete").into());
            };
            check_version_id(id)?;
            let named = [("Bucket", bucket), ("Key", key), ("VersionId", id)];
            let is_marker = match self.base.ask("head_object", &named).await {
                Ok(_) => false,
                Err(Trouble::Refused(refused)) if refused.status == 405 => true,
                Err(Trouble::Refused(refused)) if refused.status == 404 => false,
                Err(trouble) => return Err(trouble),
            };
            let mut layer = self.lock();
            layer.touch(bucket);
            let gone = (key.to_owned(), id.to_owned());
            layer.cover_mut(bucket).deleted.insert(gone);
            let mut answer: Map = Map::new();
            if !single {
                answer.push(("Key".into(), key.into()));
            }
            if is_marker && single {
                answer.push(("DeleteMarker".into(), true.into()));
            }
            answer.push(("VersionId".into(), id.into()));
            if is_marker && !single {
                answer.push(("DeleteMarker".into(), true.into()));
                answer.push(("DeleteMarkerVersionId".into(), id.into()));
            }
            deleted.push(Value::Map(answer));
        }
        Ok(match single {
            true => deleted.pop().unwrap_or(Value::Null),
            false => Value::Map(vec![("Deleted".into(), Value::List(deleted))]),
        })
    }
}
