//! `list_buckets`, `create_bucket` and `delete_bucket`.

use super::Overlay;
use super::base::{BaseResult, Trouble, list, text, with};
use super::layer::{Layer, View};
use super::resume::Resume;
use crate::domain::{Map, Value};
use crate::markers::{Markers, next_marker};
use crate::memory::answer::owner;
use crate::memory::buckets::{MOST, Request};
use crate::memory::list::Token;
use crate::memory::{Bucket, perform};
use crate::names::{self, DEFAULT_REGION};
use crate::params::Params;
use crate::refusal;
use jiff::Timestamp;
use std::collections::BTreeMap;

impl Overlay {
    pub(super) async fn list_buckets(&self, params: &Value) -> BaseResult<Value> {
        let layer = self.snapshot();
        let token = text(params, "ContinuationToken").filter(|token| !token.is_empty());
        let resume = token.and_then(Resume::read);
        let same = layer.buckets_are_the_bases();
        match (&resume, token) {
            (Some(Resume { base: None, .. }), _) => {}
            (Some(Resume { base, .. }), _) if same => {
                let token = base.clone().map(Value::Str);
                return self
                    .pass_buckets(&with(params, "ContinuationToken", token))
                    .await;
            }
            (None, _) if same => return self.pass_buckets(params).await,
            (None, Some(token)) => {
                self.base.pass("list_buckets", params).await?;
                return Err(Token::refused(token).into());
            }
            _ => {}
        }
        let request = match Request::read(Params::new(params)?) {
            Ok(request) => request,
            Err(refusal) => {
                // If the base refuses too, its refusal is returned.
                self.base.pass("list_buckets", params).await?;
                return Err(refusal.into());
            }
        };
        let (mut entries, owner) = self.buckets_of_base(&layer, params, &request).await?;
        for (name, bucket) in layer.store.state.buckets() {
            if matches!(layer.view(name), View::Layer) && request.selects(name, bucket) {
                entries.insert(name.to_owned(), request.entry(name, bucket));
            }
        }
        let after = resume.map(|resume| resume.after).unwrap_or_default();
        let mut wanted = entries
            .into_iter()
            .filter(|(name, _)| after.is_empty() || *name > after);
        let page: Vec<_> = wanted.by_ref().take(request.limit).collect();
        let next = match (page.last(), wanted.next()) {
            (Some((last, _)), Some(_)) => Some(Resume::write(None, last)),
            _ => None,
        };
        let entries = page.into_iter().map(|(_, entry)| entry).collect();
        Ok(request.answer(entries, owner, next))
    }

    /// The base's own answer, but with the overlay's token.
    async fn pass_buckets(&self, params: &Value) -> BaseResult<Value> {
        let answer = self.base.pass("list_buckets", params).await?;
        let last = list(&answer, "Buckets").last();
        let last = last.and_then(|entry| text(entry, "Name"));
        let (Some(last), Some(next)) = (last, next_marker(&answer, "ContinuationToken")) else {
            return Ok(answer);
        };
        let token = Resume::write(Some(next), last);
        Ok(replaced(answer, "ContinuationToken", token))
    }

    /// The requested buckets of the base that still exist, and their owner.
    async fn buckets_of_base(
        &self,
        layer: &Layer,
        params: &Value,
        request: &Request<'_>,
    ) -> BaseResult<(BTreeMap<String, Value>, Value)> {
        let mut entries = BTreeMap::new();
        let mut owned = None;
        // The limit is set only if the caller's request has parameters, because S3 then
        // names the regions. It is high, so that there are few pages.
        let most = request.explicit.then_some(Value::Int(MOST));
        let mut params = with(params, "MaxBuckets", most);
        params = with(&params, "ContinuationToken", None);
        let mut markers = Markers::new();
        loop {
            let page = self.base.pass("list_buckets", &params).await?;
            for entry in list(&page, "Buckets") {
                let name = text(entry, "Name").unwrap_or_default();
                if !matches!(layer.view(name), View::Layer) {
                    entries.insert(name.to_owned(), entry.clone());
                }
            }
            owned = owned.or_else(|| page.get("Owner").cloned());
            match markers.next(&page, "ContinuationToken") {
                Some(next) => params = with(&params, "ContinuationToken", Some(next.into())),
                None => return Ok((entries, owned.unwrap_or_else(|| owner().into()))),
            }
        }
    }

    pub(super) async fn create_bucket(&self, params: &Value) -> BaseResult<Value> {
        let layer = self.snapshot();
        let name = text(params, "Bucket").unwrap_or_default();
        if !matches!(layer.view(name), View::Layer) {
            let mut trial = layer.store.clone();
            trial.state.remove(name);
            // A name that no bucket can have is not asked for. What else is wrong with the call
            // may not matter if the bucket is there.
            if names::is_bucket_name(name)
                && let Some(location) = self.location(name).await?
            {
                let bucket = Bucket::new(location.as_deref(), Timestamp::UNIX_EPOCH);
                trial.state.insert(name, bucket);
                return Ok(perform(&mut trial, "create_bucket", params)?);
            }
            perform(&mut trial, "create_bucket", params)?;
            self.base.may("create_bucket", params).await?;
        }
        drop(layer);
        Ok(perform(&mut self.lock().store, "create_bucket", params)?)
    }

    /// The location constraint of a bucket of the base; the outer option is `None` if the
    /// bucket does not exist.
    async fn location(&self, bucket: &str) -> BaseResult<Option<Option<String>>> {
        let head = match self.base.ask("head_bucket", &[("Bucket", bucket)]).await {
            Ok(head) => head,
            Err(Trouble::Refused(refused)) => match refused.status {
                404 => return Ok(None),
                // It exists in another region or in another account.
                301 | 307 | 403 => return Err(self.taken(bucket).await?),
                _ => return Err(refused.into()),
            },
            Err(trouble) => return Err(trouble),
        };
        let region = text(&head, "BucketRegion").filter(|region| !region.is_empty());
        if let Some(region) = region {
            let region = Some(region).filter(|region| *region != DEFAULT_REGION);
            return Ok(Some(region.map(str::to_owned)));
        }
        let params = [("Bucket", bucket)];
        let located = self.base.ask("get_bucket_location", &params).await?;
        Ok(Some(
            text(&located, "LocationConstraint").map(str::to_owned),
        ))
    }

    /// The refusal to create an existing bucket. It says whether the caller owns the
    /// bucket.
    async fn taken(&self, bucket: &str) -> BaseResult<Trouble> {
        let mut params = Value::Map(Map::new());
        let mut markers = Markers::new();
        loop {
            let page = self.base.pass("list_buckets", &params).await?;
            let mut names = list(&page, "Buckets")
                .iter()
                .filter_map(|entry| text(entry, "Name"));
            if names.any(|name| name == bucket) {
                return Ok(refusal::bucket_already_owned(bucket).into());
            }
            match markers.next(&page, "ContinuationToken") {
                Some(next) => params = with(&params, "ContinuationToken", Some(next.into())),
                None => return Ok(refusal::bucket_already_exists(bucket).into()),
            }
        }
    }

    pub(super) async fn delete_bucket(&self, params: &Value) -> BaseResult<Value> {
        let mut layer = self.snapshot();
        let name = text(params, "Bucket").unwrap_or_default();
        if matches!(layer.view(name), View::Layer) {
            let params = self.own(&layer, params).await?;
            drop(layer);
            return Ok(perform(&mut self.lock().store, "delete_bucket", &params)?);
        }
        // A malformed call is refused without asking the base.
        if text(params, "Bucket").is_none() {
            return Ok(perform(&mut layer.store, "delete_bucket", params)?);
        }
        drop(layer);
        // The caller's other parameters are left out, because they could hide keys.
        let mut first: Map = vec![
            ("Bucket".into(), name.into()),
            ("MaxKeys".into(), Value::Int(1)),
        ];
        let owner = params.get("ExpectedBucketOwner").cloned();
        first.extend(owner.map(|owner| ("ExpectedBucketOwner".into(), owner)));
        let first = self
            .list_objects("list_objects_v2", &Value::Map(first))
            .await?;
        if !list(&first, "Contents").is_empty() {
            return Err(refusal::bucket_not_empty(name).into());
        }
        self.check_no_versions(name).await?;
        self.base.may("delete_bucket", params).await?;
        self.lock().delete_bucket(name);
        Ok(Value::Map(Map::new()))
    }
}

impl Layer {
    /// Whether the overlay has exactly the base's buckets.
    fn buckets_are_the_bases(&self) -> bool {
        let mut written = self.store.state.buckets();
        self.covers().all(|(_, cover)| cover.shows)
            && written.all(|(name, _)| !matches!(self.view(name), View::Layer))
    }
}

/// An answer with one field replaced in place.
pub(super) fn replaced(answer: Value, field: &str, text: String) -> Value {
    match answer {
        Value::Map(mut pairs) => {
            if let Some((_, value)) = pairs.iter_mut().find(|(name, _)| name == field) {
                *value = Value::Str(text);
            }
            Value::Map(pairs)
        }
        other => other,
    }
}
