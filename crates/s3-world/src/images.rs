//! Images of objects and buckets. They are kept before a write destroys these, so that an undo
//! can restore them.

use super::caller::{Caller, list, params, size, text};
use super::memory::put::REDIRECT;
use super::memory::settings::{self, Setting};
use super::memory::state::is_archive;
use super::names;
use super::planning::object;
use super::refusal::Trouble;
use super::reset;
use super::seen_settings::{configurations, is_told};
use super::setting_kind;
use crate::domain::{Image, Map, Place, Value, World};
use crate::error::Result;
use futures_util::{StreamExt, TryStreamExt, stream};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// The most bytes that S3 copies in one call.
pub(super) const MOST_COPIED: u64 = 5 << 30;

/// The most concurrent calls.
const AT_ONCE: usize = 32;

/// The version of an object in a bucket that keeps versions.
pub(super) fn version(head: &Value) -> Option<&str> {
    text(head, "VersionId").filter(|version| *version != "null")
}

/// Tags as an upload takes them.
pub(super) fn query(tags: &[Value]) -> String {
    let encoded = |tag: &Value, name| {
        let text = text(tag, name).unwrap_or_default();
        utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
    };
    let pairs = tags
        .iter()
        .map(|tag| format!("{}={}", encoded(tag, "Key"), encoded(tag, "Value")));
    pairs.collect::<Vec<_>>().join("&")
}

/// A copy of a version becomes the latest one.
pub(super) fn copied((bucket, key): (&str, &str), version: &str, head: &Value) -> Image {
    let size = size(head, "ContentLength");
    let class = text(head, "StorageClass").unwrap_or_default();
    let stays = format!("its version {version} stays");
    if is_archive(class) {
        return Image::Lost(format!("an archived object cannot be copied; {stays}"));
    }
    if size > MOST_COPIED {
        return Image::Lost(format!(
            "it has {size} bytes, and up to {MOST_COPIED} can be copied; {stays}"
        ));
    }
    let mut source = object(bucket, key);
    source.push(("VersionId".into(), version.into()));
    let mut params = object(bucket, key);
    params.push(("CopySource".into(), Value::Map(source)));
    // A copy leaves these behind.
    let left_behind = ["StorageClass", REDIRECT].into_iter();
    params.extend(left_behind.filter_map(|name| Some((name.into(), head.get(name)?.clone()))));
    params.extend(reset::encryption(head));
    Image::Call {
        operation: "copy_object".to_owned(),
        params: Value::Map(params),
    }
}

/// The calls that create the empty bucket again, with its settings.
pub(super) async fn of_bucket(world: &dyn World, bucket: &str) -> Result<Image> {
    let caller = Caller(world);
    let mut create = params([("Bucket", bucket)]);
    let asked = Value::Map(create.clone());
    let located = match caller.ask("get_bucket_location", &asked).await {
        Ok(located) => located,
        Err(Trouble::Failed(error)) => return Err(error),
        Err(Trouble::Refused(refusal)) if refusal.status == 404 => return Ok(Image::Nothing),
        Err(Trouble::Refused(refusal)) => {
            return Ok(Image::Lost(format!("S3 says: {}", refusal.message)));
        }
    };
    let region = text(&located, "LocationConstraint");
    if let Some(region) = region.filter(|region| *region != names::DEFAULT_REGION) {
        let constraint = params([("LocationConstraint", region)]);
        create.push(("CreateBucketConfiguration".into(), Value::Map(constraint)));
    }
    let settings = settings_of(&caller, bucket).await?;
    if settings.iter().any(|(operation, _)| operation == PUT_LOCK) {
        create.push((LOCK_ENABLED.into(), true.into()));
    }
    let create = ("create_bucket".to_owned(), Value::Map(create));
    Ok(match settings.is_empty() {
        true => Image::Call {
            operation: create.0,
            params: create.1,
        },
        false => Image::Calls([create].into_iter().chain(settings).collect()),
    })
}

/// The places of the settings of a bucket that are not those of a new one.
pub(super) async fn settings_at(world: &dyn World, bucket: &str) -> Result<Vec<Place>> {
    let settings = settings_of(&Caller(world), bucket).await?;
    let places = settings.iter().flat_map(|(operation, params)| {
        let touched = super::S3.touches(operation, params).into_iter();
        touched.filter(|it| !it.is_later() && it.place.setting().is_some())
    });
    Ok(places.map(|touch| touch.place).collect())
}

pub(super) const PUT_LOCK: &str = "put_object_lock_configuration";

/// The parameter of a new bucket that can lock objects.
pub(super) const LOCK_ENABLED: &str = "ObjectLockEnabledForBucket";

/// The calls that make the settings of a bucket, where they are not those of a new one, in
/// an order in which none is refused: what others depend on comes first.
pub(super) async fn settings_of(caller: &Caller<'_>, bucket: &str) -> Result<Vec<(String, Value)>> {
    let mut all: Vec<&Setting> = settings::ALL.iter().collect();
    all.sort_by_key(|setting| !others_depend_on(setting));
    let each: Vec<_> = (all.into_iter())
        .map(|setting| setting_of(caller, setting, bucket))
        .collect();
    let each = stream::iter(each).buffered(AT_ONCE);
    let made: Vec<Option<(String, Value)>> = each.try_collect().await?;
    let mut calls: Vec<_> = made.into_iter().flatten().collect();
    let asked = Value::Map(params([("Bucket", bucket)]));
    if let Some(answer) = told(caller, "get_bucket_acl", &asked).await?
        && list(&answer, "Grants").len() > 1
    {
        let grants = Value::Map(pairs(&answer, &["Grants", "Owner"]));
        calls.push(put("put_bucket_acl", bucket, "AccessControlPolicy", grants));
    }
    for kind in settings::identified_kinds() {
        let parameter = settings::identified_parameter(kind).unwrap_or_default();
        for (id, item) in configurations(caller, bucket, kind).await? {
            let operation = format!("put_bucket_{kind}_configuration");
            let (operation, params) = put(&operation, bucket, parameter, item);
            calls.push((operation, with_id(params, &id)));
        }
    }
    Ok(calls)
}

/// Whether other settings are refused until this one is made.
pub(super) fn others_depend_on(setting: &Setting) -> bool {
    let first = [
        settings::VERSIONING,
        settings::OWNERSHIP,
        settings::PUBLIC_ACCESS,
    ];
    first.contains(&setting.name)
}

async fn setting_of(
    caller: &Caller<'_>,
    setting: &Setting,
    bucket: &str,
) -> Result<Option<(String, Value)>> {
    let [get, operation, delete] = setting.operations;
    let named = Value::Map(params([("Bucket", bucket)]));
    let answer = match caller.ask(get, &named).await {
        Ok(answer) => answer,
        Err(Trouble::Refused(refusal)) if setting.is_gone(&refusal.code) => {
            return Ok(Some((delete.to_owned(), named)));
        }
        Err(Trouble::Refused(_)) => return Ok(None),
        Err(Trouble::Failed(error)) => return Err(error),
    };
    let told = match setting.field {
        Some(field) => answer.get(field).cloned(),
        None => Some(answer.clone()),
    };
    let is_new = told.as_ref() == setting.of_new_bucket().as_ref();
    if is_new || !told.is_some_and(|value| is_told(setting, &value)) {
        return Ok(None);
    }
    let value = setting_kind::written_by(operation).and_then(|kind| kind.value(&answer));
    Ok(value.map(|value| put(operation, bucket, setting.parameter, value)))
}

fn put(operation: &str, bucket: &str, parameter: &str, value: Value) -> (String, Value) {
    let mut params = params([("Bucket", bucket)]);
    params.push((parameter.to_owned().into(), value));
    (operation.to_owned(), Value::Map(params))
}

fn with_id(params: Value, id: &str) -> Value {
    let Value::Map(mut pairs) = params else {
        return params;
    };
    pairs.insert(1, ("Id".into(), id.into()));
    Value::Map(pairs)
}

pub(super) fn pairs(value: &Value, names: &[&'static str]) -> Map {
    let pairs = names.iter();
    pairs
        .filter_map(|name| Some(((*name).into(), value.get(name)?.clone())))
        .collect()
}

/// The answer; none if the world refuses.
pub(super) async fn told(
    caller: &Caller<'_>,
    operation: &str,
    params: &Value,
) -> Result<Option<Value>> {
    match caller.ask(operation, params).await {
        Ok(answer) => Ok(Some(answer)),
        Err(Trouble::Refused(_)) => Ok(None),
        Err(Trouble::Failed(error)) => Err(error),
    }
}
