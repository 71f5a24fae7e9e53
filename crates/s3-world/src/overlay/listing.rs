//! `list_objects` and `list_objects_v2`.

use super::Overlay;
use super::base::{BaseResult, list, text, with};
use super::buckets::replaced;
use super::layer::{Layer, View};
use super::pages::{Entry, Pages, Start};
use super::resume::Resume;
use crate::domain::Value;
use crate::markers::{Markers, next_marker};
use crate::memory::buckets;
use crate::memory::history::Version;
use crate::memory::list::{Listed, Request, Token};
use crate::memory::listing::Query;
use crate::memory::{Bucket, Object};
use crate::params::Params;
use std::collections::VecDeque;

impl Overlay {
    pub(super) async fn list_objects(&self, operation: &str, params: &Value) -> BaseResult<Value> {
        let layer = self.snapshot();
        let Some(bucket) = text(params, "Bucket") else {
            return self.base.pass(operation, params).await;
        };
        let token = match operation {
            "list_objects_v2" => text(params, "ContinuationToken"),
            _ => None,
        };
        let resume = token.and_then(Resume::read);
        let view = layer.view(bucket);
        let view = match (view, &resume) {
            (View::Base, None) => return self.pass_page(operation, params, None).await,
            (
                View::Base,
                Some(Resume {
                    base: Some(own), ..
                }),
            ) => {
                return self.pass_page(operation, params, Some(own)).await;
            }
            (view, _) => view,
        };
        if let View::Layer = view {
            let params = self.own(&layer, params).await?;
            return self.merged(&layer, &view, operation, &params, resume).await;
        }
        let foreign = token.is_some() && resume.is_none();
        let read = Params::new(params).and_then(Request::read);
        if let Some(refusal) = read.err().or(token.filter(|_| foreign).map(Token::refused)) {
            // If the base refuses too, its refusal is returned.
            self.base.pass(operation, params).await?;
            return Err(refusal.into());
        }
        self.merged(&layer, &view, operation, params, resume).await
    }

    /// The base's page with the overlay's token in it. `own` is the base's token, if there is one
    /// inside the caller's.
    async fn pass_page(
        &self,
        operation: &str,
        params: &Value,
        own: Option<&String>,
    ) -> BaseResult<Value> {
        let answer = match own {
            None => self.base.pass(operation, params).await?,
            Some(own) => {
                let own = Some(Value::from(own.as_str()));
                let params = with(params, "ContinuationToken", own);
                self.base.pass(operation, &params).await?
            }
        };
        let given = text(params, "ContinuationToken").filter(|_| own.is_some());
        let answer = match given {
            Some(given) => replaced(answer, "ContinuationToken", given.to_owned()),
            None => answer,
        };
        let next = next_marker(&answer, "NextContinuationToken");
        let Some(next) = next else {
            return Ok(answer);
        };
        let encoded = text(params, "EncodingType") == Some("url");
        let token = Resume::write(Some(next), &last_name(&answer, encoded));
        Ok(replaced(answer, "NextContinuationToken", token))
    }

    /// A page of base and layer together, or of the layer alone.
    async fn merged(
        &self,
        layer: &Layer,
        view: &View,
        operation: &str,
        params: &Value,
        resume: Option<Resume>,
    ) -> BaseResult<Value> {
        let read = Params::new(params)?;
        let request = Request::read(read)?;
        let second = operation == "list_objects_v2";
        let (start, token) = match second {
            true => (
                read.filled("StartAfter")?,
                read.optional("ContinuationToken")?,
            ),
            false => (read.filled("Marker")?, None),
        };
        if let View::Layer = view {
            buckets::find(&layer.store.state, read, request.bucket)?;
            if let (Some(token), None) = (token, &resume) {
                return Err(Token::refused(token).into());
            }
        }
        let owned = !second || read.flag("FetchOwner")?;
        let (from, after) = match resume {
            Some(Resume { base, after }) => (base.map(Start::Token), after),
            None if second => (None, start.unwrap_or_default().to_owned()),
            None => {
                let marker = request.past(start.unwrap_or_default());
                (None, marker.to_owned())
            }
        };
        let query = request.query(&after);
        let layer_bucket = layer
            .store
            .state
            .bucket(request.bucket)
            .map(|bucket| &**bucket);
        let told = |key: &str| {
            let View::Both(cover) = view else { return None };
            let object = layer_bucket?.object(key)?.clone();
            cover.told(key, &Version::Object(object))
        };
        let mut local = local(layer_bucket, &query, |key, object| match told(key) {
            Some(told) => as_listed(told, &request.spell(key), owned),
            None => request.entry(key, object, owned),
        });
        let mut pages = Pages {
            base: &self.base,
            operation,
            params: fixed(params),
            query: request.query(&after),
            cover: match view {
                View::Both(cover) => Some(cover),
                _ => None,
            },
            layer_bucket,
            next: match view {
                View::Layer => None,
                _ => Some(from.unwrap_or_else(|| Start::After(after.clone()))),
            },
            markers: Markers::new(),
            position: after.clone(),
            ready: VecDeque::new(),
            long: false,
        };
        let (page, more) = merge(&mut local, &mut pages, query.limit).await?;
        let last = page.last().map(|entry: &Entry| entry.name.clone());
        let last = last.filter(|_| more);
        let listed = Listed {
            contents: page
                .iter()
                .filter_map(|entry| spelled(&request, entry))
                .collect(),
            prefixes: page
                .iter()
                .filter(|entry| entry.object.is_none())
                .map(|entry| entry.name.as_str())
                .collect(),
            next: last.as_deref(),
        };
        Ok(match second {
            true => {
                let next = last.as_deref().map(|last| Resume::write(None, last));
                request.second_answer(token, start, next, listed)
            }
            false => request.first_answer(start.unwrap_or_default(), listed),
        })
    }
}

/// The first entries of the layer and the base in byte order, and whether more follow.
async fn merge(
    local: &mut VecDeque<Entry>,
    pages: &mut Pages<'_>,
    limit: usize,
) -> BaseResult<(Vec<Entry>, bool)> {
    let mut page = Vec::new();
    if limit == 0 {
        // No entry is needed, but the base may still refuse the listing.
        pages.fetch().await?;
        return Ok((page, false));
    }
    while page.len() < limit {
        match next(local, pages).await? {
            Some(entry) => page.push(entry),
            None => return Ok((page, false)),
        }
    }
    let more = !local.is_empty() || pages.has_more().await?;
    Ok((page, more))
}

/// The next entry of the layer and the base in byte order. A common prefix in both counts
/// once.
async fn next(local: &mut VecDeque<Entry>, pages: &mut Pages<'_>) -> BaseResult<Option<Entry>> {
    let theirs = pages.peek().await?.map(|entry| entry.name.clone());
    let ours = local.front().map(|entry| entry.name.clone());
    Ok(match (ours, theirs) {
        (Some(ours), Some(theirs)) if ours > theirs => pages.ready.pop_front(),
        (Some(ours), theirs) => {
            if theirs == Some(ours) {
                pages.ready.pop_front();
            }
            local.pop_front()
        }
        (None, _) => pages.ready.pop_front(),
    })
}

/// An entry of a listing of versions as one of a listing of objects.
fn as_listed(told: &Value, key: &str, owned: bool) -> Value {
    let fields = [
        "LastModified",
        "ETag",
        "ChecksumAlgorithm",
        "ChecksumType",
        "Size",
        "StorageClass",
    ];
    let owner = owned.then_some("Owner");
    let kept = fields.into_iter().chain(owner);
    let kept = kept.filter_map(|name| Some((name.into(), told.get(name)?.clone())));
    Value::Map(
        [("Key".into(), key.into())]
            .into_iter()
            .chain(kept)
            .collect(),
    )
}

/// The layer's entries for the page, and one more.
fn local(
    layer_bucket: Option<&Bucket>,
    query: &Query<'_>,
    entry: impl Fn(&str, &Object) -> Value,
) -> VecDeque<Entry> {
    let Some(bucket) = layer_bucket else {
        return VecDeque::new();
    };
    let longer = Query {
        limit: query.limit + 1,
        ..*query
    };
    let page = longer.run(&bucket.objects);
    let objects = page.objects.iter().map(|(key, object)| Entry {
        name: (*key).to_owned(),
        object: Some(entry(key, object)),
    });
    let prefixes = page.prefixes.iter().map(|prefix| Entry {
        name: (*prefix).to_owned(),
        object: None,
    });
    let mut entries: Vec<Entry> = objects.chain(prefixes).collect();
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    entries.into()
}

/// The entry of a key, encoded if the caller asked for it.
fn spelled(request: &Request<'_>, entry: &Entry) -> Option<Value> {
    let object = entry.object.clone()?;
    Some(replaced(object, "Key", request.spell(&entry.name)))
}

/// The parameters that are the same for every page.
fn fixed(params: &Value) -> Value {
    let not_fixed = ["ContinuationToken", "StartAfter", "Marker", "EncodingType"];
    not_fixed
        .iter()
        .fold(params.clone(), |params, name| with(&params, name, None))
}

/// The last key or common prefix of a page of the base.
fn last_name(page: &Value, encoded: bool) -> String {
    let last = |lists: &str, field: &str| {
        let names = list(page, lists).iter();
        names
            .filter_map(|entry| text(entry, field))
            .map(|name| {
                let spaced = name.replace('+', " ");
                match encoded {
                    true => percent_encoding::percent_decode_str(&spaced)
                        .decode_utf8_lossy()
                        .into_owned(),
                    false => name.to_owned(),
                }
            })
            .max()
    };
    last("Contents", "Key")
        .max(last("CommonPrefixes", "Prefix"))
        .unwrap_or_default()
}
