//! Writes on objects.

use super::Overlay;
use super::base::{BaseResult, list, text, with};
use super::fill_in::is_plain_copy;
use super::layer::{Layer, View};
use super::lookup::Target;
use crate::domain::Value;
use crate::memory::pieces::Pieces;
use crate::memory::put::Prepared;
use crate::params::Params;
use crate::setting_kind;
use std::borrow::Cow;

impl Overlay {
    /// Carries out a write on objects in the layer, based on the current state of the
    /// base.
    pub(super) async fn write_objects(&self, operation: &str, params: &Value) -> BaseResult<Value> {
        let targets = targets(operation, params);
        let (params, mirror, pieces) = {
            // The snapshot is dropped before the write; otherwise the write would copy
            // the layer.
            let layer = self.snapshot();
            let params = self.own(&layer, params).await?;
            let mut mirror = self.look_up(&layer, &targets).await?;
            self.look_up_whole(&layer, &targets, &mut mirror).await?;
            self.look_up_archived(&layer, &targets, &mut mirror).await?;
            self.look_up_settings(&layer, operation, &params, &mut mirror)
                .await?;
            if operation == "copy_object" && text(&params, "TaggingDirective") != Some("REPLACE") {
                self.look_up_source_tags(&targets, &mut mirror).await?;
            }
            let pieces = Pieces::of_call(&layer.store, operation, &params);
            (params, mirror, pieces)
        };
        // Joined before the layer is locked, so that no read waits.
        let prepared = match pieces {
            Some(pieces) => self.join(pieces).await?,
            None => Prepared::load(operation, &params).await?,
        };
        let mut layer = self.lock();
        let answer = layer.write(operation, &params, &mirror, prepared);
        for target in &targets {
            layer.prune(&target.bucket, &target.key);
        }
        Ok(answer?)
    }

    /// The parameters for the layer's store. The store knows only one account, so the
    /// base is asked whether an `ExpectedBucketOwner` is right.
    pub(super) async fn own<'p>(
        &self,
        layer: &Layer,
        params: &'p Value,
    ) -> BaseResult<Cow<'p, Value>> {
        let (Some(bucket), Some(expected)) =
            (text(params, "Bucket"), text(params, "ExpectedBucketOwner"))
        else {
            return Ok(Cow::Borrowed(params));
        };
        if !self.may_have(bucket).await? {
            return Ok(Cow::Borrowed(params));
        }
        let of_base = !matches!(layer.view(bucket), View::Layer);
        let owner = self.base.owner(of_base.then_some(bucket), expected).await?;
        let owner = Some(Value::Str(owner));
        Ok(Cow::Owned(with(params, "ExpectedBucketOwner", owner)))
    }
}

/// The keys that a write names. Malformed keys are left out, because the store refuses
/// them.
fn targets(operation: &str, params: &Value) -> Vec<Target> {
    let of_object = setting_kind::written_by(operation).is_some_and(|kind| kind.of_object);
    let Some(bucket) = text(params, "Bucket") else {
        return Vec::new();
    };
    let target = |entry: &Value| {
        Some(Target {
            bucket: bucket.to_owned(),
            key: text(entry, "Key")?.to_owned(),
            version: text(entry, "VersionId").map(str::to_owned),
            source: false,
            whole: of_object,
            is_brief: false,
        })
    };
    let objects = params.get("Delete").map(|delete| list(delete, "Objects"));
    let objects = objects.unwrap_or_default().iter();
    let source = Params::new(params).and_then(|params| params.copy_source());
    let source = source.map(|source| Target {
        bucket: source.bucket,
        key: source.key,
        version: source.version,
        source: true,
        whole: true,
        is_brief: is_plain_copy(operation, params),
    });
    let named = [params].into_iter().chain(objects);
    let mut targets: Vec<Target> = named.filter_map(target).collect();
    targets.extend(source);
    targets
}
