//! Reads a listing of the base page by page, without the entries that the layer hides.

use super::base::{Base, BaseResult, list, text, with};
use super::layer::Cover;
use super::lookup::AT_ONCE;
use crate::domain::Value;
use crate::markers::{Markers, next_marker};
use crate::memory::Bucket;
use crate::memory::answer::count;
use crate::memory::listing::Query;
use futures_util::{StreamExt, TryStreamExt, stream};
use std::collections::VecDeque;

/// The most entries of a page.
const PAGE: usize = 1000;

/// One line of a listing.
pub(super) struct Entry {
    /// The key or common prefix.
    pub name: String,
    /// The entry of a key in the answer; `None` for a common prefix.
    pub object: Option<Value>,
}

/// Where the base's listing continues.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Start {
    /// After a key or common prefix; an empty text means the beginning.
    After(String),
    /// At the base's own token.
    Token(String),
}

/// The pages of the base that a listing needs.
pub(super) struct Pages<'a> {
    pub base: &'a Base,
    pub operation: &'a str,
    /// The caller's parameters without start, limit and encoding.
    pub params: Value,
    pub query: Query<'a>,
    /// The keys that the layer answers for.
    pub cover: Option<&'a Cover>,
    /// The objects of the layer.
    pub layer_bucket: Option<&'a Bucket>,
    /// The start of the next page, if there is one.
    pub next: Option<Start>,
    /// Where the pages so far were continued.
    pub markers: Markers<Start>,
    /// The last entry that the base has listed.
    pub position: String,
    /// Fetched entries that were not taken yet.
    pub ready: VecDeque<Entry>,
    /// Whether a page was fetched before.
    pub long: bool,
}

impl Pages<'_> {
    /// The next visible entry. It stays until it is taken.
    pub async fn peek(&mut self) -> BaseResult<Option<&Entry>> {
        while self.ready.is_empty() && self.next.is_some() {
            self.fetch().await?;
        }
        Ok(self.ready.front())
    }

    /// Whether there is another visible entry. Fetches a page only if the next entries
    /// may be hidden.
    pub async fn has_more(&mut self) -> BaseResult<bool> {
        if self.ready.is_empty() && self.next.is_some() && self.hidden_ahead(1) == 0 {
            return Ok(true);
        }
        Ok(self.peek().await?.is_some())
    }

    /// How many of the coming keys the layer answers for, counted up to `most`.
    fn hidden_ahead(&self, most: usize) -> usize {
        let touched = self.cover.into_iter();
        let touched = touched.flat_map(|cover| cover.touched(self.query.prefix, &self.position));
        touched.take(most).count()
    }

    /// Fetches a page. The first request asks for a few more entries than wanted, since
    /// the layer may hide some. Later pages are long, because the layer then hides many.
    pub async fn fetch(&mut self) -> BaseResult<()> {
        let Some(start) = self.next.take() else {
            return Ok(());
        };
        let limit = match self.query.limit {
            0 => 0,
            limit if self.long => limit + self.hidden_ahead(PAGE),
            limit => limit + self.hidden_ahead(limit),
        };
        self.long = true;
        let (entries, next) = self.page(&self.params, &start, limit).await?;
        if let Some(last) = entries.last() {
            self.position.clone_from(&last.name);
        }
        self.next = next.filter(|next| self.markers.is_new(next.clone()));
        let shown: Vec<_> = entries.iter().map(|entry| self.shows(entry)).collect();
        let shown: Vec<bool> = stream::iter(shown).buffered(AT_ONCE).try_collect().await?;
        let shown = entries.into_iter().zip(shown);
        self.ready
            .extend(shown.filter_map(|(entry, shows)| shows.then_some(entry)));
        Ok(())
    }

    /// Whether an entry of the base is visible in the merged listing.
    async fn shows(&self, entry: &Entry) -> BaseResult<bool> {
        let (name, after) = (entry.name.as_str(), self.query.after);
        if entry.object.is_some() {
            let hidden = self.cover.is_some_and(|cover| cover.touches(name));
            return Ok(name > after && !hidden);
        }
        // If the start of the listing lies within a group, the group is listed for its
        // later keys.
        if !after.is_empty() && (name == after || (name < after && !after.starts_with(name))) {
            return Ok(false);
        }
        let Some(cover) = self.cover else {
            return Ok(true);
        };
        let touched = cover.touched(name, after).count();
        if touched == 0 {
            return Ok(true);
        }
        let below = Query {
            prefix: name,
            delimiter: None,
            after,
            limit: 1,
        };
        if let Some(layer_bucket) = self.layer_bucket
            && !below.run(&layer_bucket.objects).objects.is_empty()
        {
            // The layer lists the group itself.
            return Ok(false);
        }
        let params = with(&self.params, "Delimiter", None);
        let params = with(&params, "Prefix", Some(name.into()));
        let begin = if after.starts_with(name) { after } else { "" };
        let mut next = Some(Start::After(begin.to_owned()));
        let mut markers = Markers::new();
        while let Some(start) = next {
            let (entries, further) = self.page(&params, &start, touched + 1).await?;
            if entries.iter().any(|entry| !cover.touches(&entry.name)) {
                return Ok(true);
            }
            next = further.filter(|further| markers.is_new(further.clone()));
        }
        Ok(false)
    }

    /// One page of the base, in byte order, and the start of the next one.
    async fn page(
        &self,
        params: &Value,
        start: &Start,
        limit: usize,
    ) -> BaseResult<(Vec<Entry>, Option<Start>)> {
        let second = self.operation == "list_objects_v2";
        let mut params = with(params, "MaxKeys", Some(count(limit.min(PAGE))));
        match start {
            Start::After(after) if after.is_empty() => {}
            Start::After(after) => {
                let name = if second { "StartAfter" } else { "Marker" };
                params = with(&params, name, Some(after.as_str().into()));
            }
            Start::Token(token) => {
                params = with(&params, "ContinuationToken", Some(token.as_str().into()));
            }
        }
        let page = self.base.pass(self.operation, &params).await?;
        let objects = list(&page, "Contents").iter().filter_map(|object| {
            Some(Entry {
                name: text(object, "Key")?.to_owned(),
                object: Some(object.clone()),
            })
        });
        let prefixes = list(&page, "CommonPrefixes").iter().filter_map(|prefix| {
            Some(Entry {
                name: text(prefix, "Prefix")?.to_owned(),
                object: None,
            })
        });
        let mut entries: Vec<Entry> = objects.chain(prefixes).collect();
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        let truncated = page.get("IsTruncated").and_then(Value::as_bool) == Some(true);
        let next = match next_marker(&page, "NextContinuationToken") {
            _ if !truncated || limit == 0 => None,
            Some(token) => Some(Start::Token(token.to_owned())),
            None => next_marker(&page, "NextMarker")
                .or(entries.last().map(|entry| entry.name.as_str()))
                .map(|last| Start::After(last.to_owned())),
        };
        Ok((entries, next))
    }
}
