//! The region and the settings of a bucket, and the calls that set them.

use super::Call;
use crate::caller::{Caller, params, text};
use crate::domain::{Value, World};
use crate::error::Result;
use crate::images::settings_of;
use crate::memory::settings::{self, Setting};
use crate::names::DEFAULT_REGION;
use crate::seen_settings;

/// The region and the settings of a bucket.
pub struct Configuration {
    /// The location constraint; `None` for us-east-1.
    place: Option<String>,
    /// The calls that make the settings, without the three below.
    settings: Vec<Call>,
    /// The call that sets the policy, which can deny everything else.
    pub policy: Option<Call>,
    /// Whether the bucket keeps versions: `Enabled`, `Suspended`, or never.
    pub versioning: Option<String>,
    /// The call that sets the lock of the bucket's objects.
    lock: Option<Call>,
    /// Whether objects have access control lists of their own.
    pub has_lists: bool,
}

impl Configuration {
    /// Reads it.
    pub async fn read(world: &dyn World, bucket: &str) -> Result<Configuration> {
        let caller = Caller(world);
        let asked = params([("Bucket", bucket)]);
        let located = caller.get("get_bucket_location", asked.clone()).await?;
        let region = text(&located, "LocationConstraint").filter(|it| *it != DEFAULT_REGION);
        let mut settings = settings_of(&caller, bucket).await?;
        // Some servers say of every bucket that it is not accelerated.
        settings.retain(|call| !is_about(call, "accelerate") || !is_suspended(call));
        let mut taken = |name| {
            let at = settings.iter().position(|call| is_about(call, name))?;
            Some(settings.remove(at))
        };
        let lock = taken(settings::OBJECT_LOCK);
        let policy = taken(settings::POLICY);
        let versioning = taken(settings::VERSIONING);
        let status = versioning.as_ref().and_then(|(_, params)| {
            let status = text(params.get("VersioningConfiguration")?, "Status")?;
            Some(status.to_owned())
        });
        Ok(Configuration {
            place: region.map(str::to_owned),
            settings,
            policy,
            versioning: status,
            lock,
            has_lists: seen_settings::has_lists(caller, bucket).await?,
        })
    }

    /// Whether the bucket keeps versions or did so once.
    pub fn keeps_versions(&self) -> bool {
        self.versioning.is_some()
    }

    /// Whether the bucket can become like the other one, once it is empty.
    pub fn can_become(&self, wanted: &Configuration) -> bool {
        // A server without regions reports no location for any bucket.
        (self.place.is_none() || self.place == wanted.place)
            && self.lock.is_some() == wanted.lock.is_some()
            && (self.versioning.is_none() || wanted.versioning.is_some())
    }

    /// Creates a bucket with this region, and with locks if it has some.
    pub async fn create(&self, world: &dyn World, bucket: &str) -> Result<()> {
        let mut create = params([("Bucket", bucket)]);
        if let Some(region) = &self.place {
            let constraint = params([("LocationConstraint", region.as_str())]);
            create.push(("CreateBucketConfiguration".into(), Value::Map(constraint)));
        }
        if self.lock.is_some() {
            create.push(("ObjectLockEnabledForBucket".into(), true.into()));
        }
        Caller(world).get("create_bucket", create).await.map(drop)
    }

    /// The calls that give an empty bucket these settings: those that its contents need, and
    /// those that come after the contents, because they would act on them. The bucket has no
    /// policy yet.
    pub fn calls(&self, is: &Configuration, bucket: &str) -> (Vec<Call>, Vec<Call>) {
        let extra = is.settings.iter();
        let extra = extra.filter(|call| !self.settings.iter().any(|it| is_same(it, call)));
        let missing = self
            .settings
            .iter()
            .filter(|call| !is.settings.contains(call));
        let calls = extra.map(|call| removal(call, bucket));
        let calls: Vec<Call> = calls.chain(missing.cloned()).collect();
        let is_first = |call: &Call| {
            is_about(call, settings::OWNERSHIP) || is_about(call, settings::PUBLIC_ACCESS)
        };
        let (first, mut then): (Vec<_>, Vec<_>) = calls.into_iter().partition(is_first);
        then.extend(
            self.lock
                .clone()
                .filter(|lock| is.lock.as_ref() != Some(lock)),
        );
        then.extend(self.policy.clone());
        (first, then)
    }
}

fn is_about((operation, _): &Call, name: &str) -> bool {
    setting(operation).is_some_and(|setting| setting.name == name)
}

fn is_suspended((_, params): &Call) -> bool {
    let configuration = params.get("AccelerateConfiguration");
    configuration.and_then(|it| text(it, "Status")) == Some("Suspended")
}

/// The setting that an operation makes or takes away.
fn setting(operation: &str) -> Option<&'static Setting> {
    let mut all = settings::ALL.iter();
    all.find(|setting| setting.operations.contains(&operation))
}

/// Whether two calls make the same setting, with whatever value.
fn is_same(one: &Call, other: &Call) -> bool {
    let ((operation, params), (other_operation, other_params)) = (one, other);
    match (setting(operation), setting(other_operation)) {
        (Some(one), Some(other)) => one.name == other.name,
        _ => operation == other_operation && text(params, "Id") == text(other_params, "Id"),
    }
}

/// The call that removes a setting, or writes the value that a new bucket has.
fn removal((operation, made): &Call, bucket: &str) -> Call {
    let mut params = params([("Bucket", bucket)]);
    let Some(setting) = setting(operation) else {
        // A setting with an id, or the access control list.
        if let Some(id) = text(made, "Id") {
            params.push(("Id".into(), id.into()));
            return (operation.replacen("put_", "delete_", 1), Value::Map(params));
        }
        params.push(("ACL".into(), "private".into()));
        return (operation.clone(), Value::Map(params));
    };
    let [_, put, delete] = setting.operations;
    match setting.of_new_bucket() {
        // To delete the ownership or the block of the public differs from never making them.
        Some(value) if delete.is_empty() || setting.is_told_when_gone() => {
            let value = match setting.name {
                "accelerate" => Value::Map(vec![("Status".into(), "Suspended".into())]),
                _ => value,
            };
            params.push((setting.parameter.into(), value));
            (put.to_owned(), Value::Map(params))
        }
        _ => (delete.to_owned(), Value::Map(params)),
    }
}
