//! All pages of a result, one after the other.
//!
//! A walk takes each answer and says what comes next. It ends only where an answer or the
//! document says that there is no more, or where a page without items follows. Whatever else
//! happens is a refusal that has the items so far: a part of them would look like the whole.

use super::items::{self, Items, Path};
use super::names::{
    AFTER, CURSOR, ERROR, LINK, MARK, NEXT_OFFSET, NEXT_PAGE, OFFSET, PAGE, is, key,
};
use super::said::{Said, number};
use super::{Paging, with};
use crate::domain::{Value, counted, plural};
use crate::openapi::model::{HttpOperation, ParameterLocation};

/// What comes after a page.
pub enum Step {
    /// The call for the next page.
    Call(Value),
    /// The call that tells whether pages are counted from 0 or from 1.
    Probe(Value),
    /// The URL of the next page.
    Follow(String),
    /// The last page was read: the result.
    Done(Value),
    /// It is not sure what comes next, and why.
    Refused(String),
}

/// A walk over the pages of a result.
pub struct Walk<'o> {
    operation: &'o HttpOperation,
    params: Value,
    /// The items so far.
    found: Vec<Value>,
    /// The items of the page before.
    page: Vec<Value>,
    /// How many pages were read.
    pages: i64,
    /// How many items come before the first page that was read, if that is known.
    start: Option<i64>,
    /// The place of the items in the answers, once there were any.
    place: Option<Path>,
    /// Whether an answer has told of the next page.
    has_told: bool,
    /// Whether two pages differed, so that the server heeds the parameter.
    is_heeded: bool,
    /// The number of the page that was read last.
    at: Option<i64>,
    is_probe: bool,
    /// Whether nothing says that there is a next page, or that there is none.
    is_open: bool,
}

impl<'o> Walk<'o> {
    /// A walk that begins with a call.
    pub fn new(operation: &'o HttpOperation, params: &Value) -> Self {
        Walk {
            operation,
            params: params.clone(),
            found: Vec::new(),
            page: Vec::new(),
            pages: 0,
            start: start(operation, params),
            place: None,
            has_told: false,
            is_heeded: false,
            at: None,
            is_probe: false,
            is_open: false,
        }
    }

    /// The items so far.
    pub fn found(&self) -> &[Value] {
        &self.found
    }

    /// The items so far.
    pub fn into_found(self) -> Vec<Value> {
        self.found
    }

    /// How many pages were read.
    pub fn pages(&self) -> i64 {
        self.pages
    }

    /// Whether nothing said that there is a next page, or that there is none.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether the last page has fewer items than the call asked for.
    pub(super) fn is_short(&self) -> bool {
        let size = match &self.operation.pages {
            Some(Paging::Page { size, .. } | Paging::Offset { size, .. }) => size.as_ref(),
            _ => None,
        };
        let size = size.and_then(|name| self.params.get(name)?.as_int());
        size.is_some_and(|size| count(&self.page) < size)
    }

    /// The call of the last step.
    pub fn params(&self) -> &Value {
        &self.params
    }

    /// Takes the answer to the last step. `header` is the URL of the next page, if a header of
    /// the answer has it.
    pub fn take(&mut self, value: &Value, header: Option<&str>) -> Step {
        let said = Said::of(value, header);
        let items = match self.items(&said, value) {
            Ok(items) => items,
            Err(step) => return step,
        };
        self.is_open = false;
        if std::mem::take(&mut self.is_probe) {
            if items == self.page {
                // Pages are counted from 1, so that this is the first one again.
                return self.next_page(&said, &items);
            }
            if items.iter().any(|item| self.page.contains(item)) {
                return refused("whether its pages are counted from 0 or from 1");
            }
            self.is_heeded = true;
        } else if self.pages > 0 && !items.is_empty() && items == self.page {
            if let Some(step) = self.again(&said) {
                return step;
            }
        } else if self.pages > 0 {
            self.is_heeded = true;
        }
        self.found.extend_from_slice(&items);
        self.page.clone_from(&items);
        self.pages += 1;
        self.next(&said, &items)
    }

    /// The items of a page, or why the walk ends here.
    fn items(&mut self, said: &Said<'_>, value: &Value) -> Result<Vec<Value>, Step> {
        if let Some(place) = &self.place {
            return match items::at(value, place) {
                Some(items) => Ok(items.to_vec()),
                // Some servers leave empty lists out.
                None if is_about_pages(value) => Ok(Vec::new()),
                None => Err(refused(
                    "what is on its next page, which is no list of items",
                )),
            };
        }
        let operation = self.operation;
        let goes_on = said.link.is_some() || said.mark(None).is_some() || said.more == Some(true);
        let has_lists = !operation.result.lists.is_empty();
        let is_documented = has_lists && matches!(value, Value::Map(_));
        match items::of(value, &operation.result.lists, &operation.path) {
            Items::Here(items, place) => {
                // An empty list may not be the one that later pages have.
                self.place = (!items.is_empty() || place.is_empty()).then_some(place);
                Ok(items.to_vec())
            }
            Items::Several(lists) => match goes_on || said.more.is_none() && !said.has_no_next() {
                true => Err(refused(&format!(
                    "which of its lists has the items ({})",
                    lists.join(", ")
                ))),
                false => Err(Step::Done(value.clone())),
            },
            // Some servers leave empty lists out.
            Items::None if is_about_pages(value) && (self.pages > 0 || is_documented) => {
                Ok(Vec::new())
            }
            Items::None if goes_on || self.pages > 0 => Err(refused("where its items are")),
            Items::None => Err(Step::Done(value.clone())),
        }
    }

    /// A page that is the page before again. `None` if that may be.
    fn again(&mut self, said: &Said<'_>) -> Option<Step> {
        let is_counted = matches!(
            self.operation.pages,
            Some(Paging::Page { .. } | Paging::Offset { .. })
        );
        if !is_counted || said.link.is_some() {
            return None;
        }
        let have_names = self.page.iter().all(|item| matches!(item, Value::Map(_)));
        Some(match self.is_heeded && have_names {
            // Some servers give the last page again for those after it.
            true => self.end(said),
            false => refused("which page is next: the page before came again"),
        })
    }

    fn next(&mut self, said: &Said<'_>, items: &[Value]) -> Step {
        if let Some(url) = said.link {
            self.has_told = true;
            return Step::Follow(url.to_owned());
        }
        match &self.operation.pages {
            Some(Paging::Cursor { cursor }) => self.next_mark(said, items, cursor),
            Some(Paging::Page { .. }) => self.next_page(said, items),
            Some(Paging::Offset { .. }) => self.next_offset(said, items),
            Some(Paging::Link) | None => match self.goes_on(said) {
                Some(true) => refused("how its next page is asked for"),
                _ if said.mark(None).is_some() && said.more != Some(false) => {
                    refused("how its next page is asked for")
                }
                _ => self.end(said),
            },
        }
    }

    /// Whether an answer says that there are more items, or that there are none.
    fn goes_on(&self, said: &Said<'_>) -> Option<bool> {
        let found = self.start.map(|start| start + count(&self.found));
        let by_total = found.zip(said.total).map(|(found, total)| found < total);
        match said.more {
            Some(more) => Some(more),
            None if said.has_no_next() => Some(false),
            None => by_total,
        }
    }

    fn next_mark(&mut self, said: &Said<'_>, items: &[Value], cursor: &str) -> Step {
        if let Some(mark) = said.mark(self.params.get(cursor))
            && said.more != Some(false)
        {
            self.has_told = true;
            return match self.params.get(cursor) == Some(mark) {
                true => refused("which page is next: the mark for it is that of this page"),
                false => self.call(cursor, mark.clone()),
            };
        }
        let goes_on = self.goes_on(said);
        let is_told = self.has_told() || self.has_field(MARK);
        if goes_on == Some(false) || goes_on.is_none() && (is_told || items.is_empty()) {
            return self.end(said);
        }
        // Stripe and others take the last item for the mark.
        let id = items.last().and_then(|item| item.get("id"));
        let id = id.filter(|id| matches!(id, Value::Str(_) | Value::Int(_)));
        match id.filter(|_| is(&self.wire(cursor), AFTER)) {
            Some(id) if self.params.get(cursor) != Some(id) => self.call(cursor, id.clone()),
            _ => refused("how its next page is asked for"),
        }
    }

    fn next_page(&mut self, said: &Said<'_>, items: &[Value]) -> Step {
        let Some(Paging::Page { page, first, .. }) = &self.operation.pages else {
            return self.end(said);
        };
        let sent = self.params.get(page).and_then(Value::as_int);
        let by_name = (key(&self.wire(page)) == "pageindex").then_some(0);
        let told = said.number.filter(|_| sent.is_none());
        let known = sent.or(*first).or(told).or(by_name);
        if let Some(next) = said.find(NEXT_PAGE, number).filter(|next| *next > 0)
            && said.more != Some(false)
        {
            self.has_told = true;
            return match sent == Some(next) {
                true => refused("which page is next: the number of it is that of this page"),
                false => self.call(page, Value::Int(next)),
            };
        }
        let is_from_start = self.start == Some(0);
        let by_pages = said.pages.filter(|_| is_from_start);
        let by_pages = by_pages.map(|pages| self.pages < pages);
        let of_pages = said.pages.map(|pages| pages - 1 + first.unwrap_or(1));
        let by_last = known
            .zip(said.last.or(of_pages))
            .map(|(at, last)| at < last);
        let goes_on = match said.more {
            Some(more) => Some(more),
            None => by_pages.or(by_last).or_else(|| self.goes_on(said)),
        };
        let goes_on = goes_on.or_else(|| self.has_told().then_some(false));
        let is_sure = said.more.or(by_pages) == Some(true);
        match (goes_on, items.is_empty()) {
            (Some(false), _) | (None, true) => return self.end(said),
            (Some(true), true) if !is_sure => return self.end(said),
            (None, false) => self.is_open = true,
            _ => {}
        }
        match known.or(self.at) {
            Some(at) => match at.checked_add(1) {
                Some(next) => self.call(page, Value::Int(next)),
                None => refused("which page is next"),
            },
            None => {
                // Whether pages are counted from 0 or from 1 shows on page 1.
                self.is_probe = true;
                self.at = Some(1);
                Step::Probe(self.with(page, Value::Int(1)))
            }
        }
    }

    fn next_offset(&mut self, said: &Said<'_>, items: &[Value]) -> Step {
        let Some(Paging::Offset {
            offset,
            first,
            size,
        }) = &self.operation.pages
        else {
            return self.end(said);
        };
        if let Some(next) = said.find(NEXT_OFFSET, number).filter(|next| *next > 0)
            && said.more != Some(false)
        {
            self.has_told = true;
            return match self.params.get(offset).and_then(Value::as_int) == Some(next) {
                true => refused("which page is next: the place of it is that of this page"),
                false => self.call(offset, Value::Int(next)),
            };
        }
        let sent = self.params.get(offset).and_then(Value::as_int);
        let wire = key(&self.wire(offset));
        let told = said.find(&[wire.as_str()], number);
        let step = match (items.len(), size.as_ref()) {
            // What a filter hid counts as well.
            (0, Some(size)) if said.more == Some(true) => self.params.get(size),
            _ => None,
        };
        let step = step.and_then(Value::as_int).unwrap_or(count(items));
        let goes_on = self.goes_on(said);
        let goes_on = goes_on.or_else(|| self.has_told().then_some(false));
        match (goes_on, step) {
            (Some(false), _) | (None, 0) => return self.end(said),
            (Some(true), ..=0) => return self.end(said),
            (None, _) => self.is_open = true,
            (Some(true), _) => {}
        }
        // SCIM counts from 1, others from 0.
        let guess = (wire != "startindex").then_some(0);
        match sent.or(*first).or(told).or(guess) {
            Some(at) => match at.checked_add(step) {
                Some(next) => self.call(offset, Value::Int(next)),
                None => refused("which page is next"),
            },
            None => refused("whether its items are counted from 0 or from 1"),
        }
    }

    /// Whether an answer or the document tells how the next page is named, so that there is none
    /// where it is not.
    fn has_told(&self) -> bool {
        self.has_told || self.has_field(LINK)
    }

    /// Whether the document says that answers have one of these fields.
    fn has_field(&self, known: &[&str]) -> bool {
        let mut fields = self.operation.result.fields.iter();
        fields.any(|it| is(it, known))
    }

    /// The end of the walk, unless an answer counts more items than there were.
    fn end(&mut self, said: &Said<'_>) -> Step {
        let found = self.start.map(|start| start + count(&self.found));
        let wanted = [said.total, said.count].into_iter().flatten().max();
        let wanted = wanted.filter(|wanted| found.is_some_and(|found| found < *wanted));
        match (wanted, said.more) {
            (Some(wanted), _) => {
                let are = plural(wanted, "is", "are");
                let wanted = counted(wanted, "item");
                refused(&format!("where the rest of its {wanted} {are}"))
            }
            (None, Some(true)) => refused("how its next page is asked for"),
            _ => Step::Done(Value::List(std::mem::take(&mut self.found))),
        }
    }

    fn call(&mut self, name: &str, value: Value) -> Step {
        self.params = self.with(name, value);
        Step::Call(self.params.clone())
    }

    fn with(&self, name: &str, value: Value) -> Value {
        with(&self.params, name, value)
    }

    /// The name of a parameter in the request.
    fn wire(&self, name: &str) -> String {
        let mut parameters = self.operation.parameters.iter();
        let query = parameters.find(|it| it.name == name && it.place == ParameterLocation::Query);
        query.map_or_else(String::new, |it| it.wire.clone())
    }
}

/// How many items come before the page that a call asks for, if that is known.
fn start(operation: &HttpOperation, params: &Value) -> Option<i64> {
    let moves = [PAGE, OFFSET, CURSOR].concat();
    let mut query = operation.parameters.iter();
    let moved = query.find(|it| {
        let is_sent = params.get(&it.name).is_some_and(|it| *it != Value::Null);
        it.place == ParameterLocation::Query && is(&it.wire, &moves) && is_sent
    });
    let Some(moved) = moved else {
        return Some(0);
    };
    let at = params.get(&moved.name)?.as_int()?;
    match &operation.pages {
        Some(Paging::Offset { offset, first, .. }) if *offset == moved.name => {
            let base = first.or((key(&moved.wire) != "startindex").then_some(0))?;
            Some(at - base)
        }
        Some(Paging::Page { page, first, .. }) if *page == moved.name => {
            (at == 0 || Some(at) == *first).then_some(0)
        }
        _ => None,
    }
}

/// Whether an answer without a list may be a page without items: nothing at all, or a dict that
/// tells of no error.
fn is_about_pages(value: &Value) -> bool {
    let Value::Map(pairs) = value else {
        return *value == Value::Null;
    };
    let mut errors = pairs.iter().filter(|(name, _)| is(name, ERROR));
    errors.all(|(_, value)| matches!(value, Value::Null | Value::Bool(false)))
}

fn refused(unknown: &str) -> Step {
    Step::Refused(unknown.to_owned())
}

fn count(items: &[Value]) -> i64 {
    i64::try_from(items.len()).unwrap_or(i64::MAX)
}
