//! Images of objects that a plan moves: it has copied them before it deletes them, so that they
//! can be copied back, and their content need not be read.

use super::bucket_traits::Traits;
use super::caller::{Caller, list, size, text};
use super::images::{self, MOST_COPIED, pairs, told};
use super::lasting;
use super::memory::is_owners_alone;
use super::memory::put::REDIRECT;
use super::memory::state::is_archive;
use super::params::Params;
use super::planning::object;
use super::refusal::Trouble;
use super::reset;
use crate::domain::{Image, Mark, Place, Value, World};
use crate::error::Result;
use std::collections::HashSet;

/// The directives of a copy that takes along what its source says of itself.
const DIRECTIVES: [&str; 2] = ["MetadataDirective", "TaggingDirective"];

/// What a copy may be given that does not come back with it: a checksum of another kind, or a key
/// that only the caller has.
const OTHERWISE: [&str; 2] = ["ChecksumAlgorithm", "SSECustomerAlgorithm"];

/// The object of which a call makes a copy that has all that a copy can take along, and that can
/// be copied back.
pub(super) fn source(operation: &str, params: &Value) -> Option<Place> {
    let replaces = |name: &&str| text(params, name).is_some_and(|it| it != "COPY");
    let is_other = |name: &&str| text(params, name).is_some();
    if operation != "copy_object"
        || DIRECTIVES.iter().any(replaces)
        || OTHERWISE.iter().any(is_other)
        || text(params, "StorageClass").is_some_and(is_archive)
    {
        return None;
    }
    let source = Params::new(params).and_then(|params| params.copy_source());
    let source = source.ok().filter(|source| source.version.is_none())?;
    let place = Place::thing(source.bucket, source.key);
    let is_itself = (text(params, "Bucket"), text(params, "Key"))
        == (Some(place.root()), place.name().as_deref());
    (!is_itself).then_some(place)
}

/// How an object comes back that has a copy: none if that cannot be copied.
pub(super) async fn image(
    world: &dyn World,
    place: &Place,
    (copy, mark): (&Place, &Mark),
    traits: Traits,
    destroyed: &HashSet<Place>,
) -> Result<Option<Image>> {
    let ([bucket, key], [copy_bucket, copy_key]) = (place.segments(), copy.segments()) else {
        return Ok(None);
    };
    let caller = Caller(world);
    let named = Value::Map(object(bucket, key));
    let (head, acl) = tokio::join!(caller.ask("head_object", &named), async {
        match traits.grants {
            true => told(&caller, "get_object_acl", &named).await,
            false => Ok(None),
        }
    });
    let head = match head {
        Ok(head) => head,
        Err(Trouble::Refused(_)) => return Ok(None),
        Err(trouble) => return Err(caller.cannot_look(&named, trouble)),
    };
    let is_kept = |version: &&str| !destroyed.contains(&lasting::version_of(bucket, key, version));
    if let Some(version) = images::version(&head).filter(is_kept) {
        return Ok(Some(images::copied((bucket, key), version, &head)));
    }
    let class = text(&head, "StorageClass").unwrap_or_default();
    if is_archive(class) || size(&head, "ContentLength") > MOST_COPIED {
        return Ok(None);
    }
    let mut params = object(bucket, key);
    params.push((
        "CopySource".into(),
        Value::Map(object(copy_bucket, copy_key)),
    ));
    params.push((
        "CopySourceIfMatch".into(),
        format!("\"{}\"", mark.tag).into(),
    ));
    // A copy leaves these behind.
    params.extend(pairs(&head, &["StorageClass", REDIRECT]));
    params.extend(reset::encryption(&head));
    let copied = ("copy_object".to_owned(), Value::Map(params));
    if let Some(answer) = acl?
        && !is_owners_alone(list(&answer, "Grants"))
    {
        let mut params = object(bucket, key);
        let granted = Value::Map(pairs(&answer, &["Grants", "Owner"]));
        params.push(("AccessControlPolicy".into(), granted));
        let granted = ("put_object_acl".to_owned(), Value::Map(params));
        return Ok(Some(Image::Calls(vec![copied, granted])));
    }
    let (operation, params) = copied;
    Ok(Some(Image::Call { operation, params }))
}
