//! Calls keep to what the API gives and takes at once.

use super::{Check, Checked, Found, Looked};
use crate::domain::{Batch, CallSite, Domain};
use crate::error::Result;
use async_trait::async_trait;

/// A listing is read to its end, and no call gets more items than it takes. The worlds of a
/// dataset are small, so nothing else shows that a program fails on a large one.
pub struct CallLimits;

#[async_trait]
impl Check for CallLimits {
    fn name(&self) -> &'static str {
        "call limits"
    }

    fn rule(&self) -> &'static str {
        "a listing is read by a paginator or asks for few items, and no call gets a list that may \
         be longer than the API takes"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        found.on_calls(checked.set, beyond);
        found.end()
    }
}

/// How a call may go beyond the limits of its operation. Helpers such as paginators keep to them.
fn beyond(site: &CallSite, domain: &Domain) -> Option<String> {
    let limit = domain.api.pages.as_ref()?.at_once(&site.operation)?;
    if site.by_name || site.unnamed.is_none() {
        return None;
    }
    let CallSite {
        operation, line, ..
    } = site;
    let items = limit.items;
    let mut keywords = site.keywords.iter();
    match limit.kind {
        Batch::Gives(paging) => {
            let is_full = |code: &str| code.parse().is_ok_and(|size: usize| size >= items);
            let wants = keywords.any(|it| paging.contains(&it.name.as_str()) && !is_full(&it.code));
            (!wants).then(|| {
                format!(
                    "calls {operation} in line {line}, which gives at most {items} items; read \
                     all pages with a paginator, or ask for fewer"
                )
            })
        }
        Batch::Takes(parameter) => {
            let list = keywords.find(|keyword| keyword.name == parameter)?;
            let fits = list.longest.is_some_and(|length| length <= items);
            (!fits).then(|| {
                format!(
                    "passes a list of any length to {operation} in line {line}, which takes at \
                     most {items} items; pass those of one page, or slices of {items}"
                )
            })
        }
    }
}
