//! The order of keywords, in which missing values are asked for.

use super::{Check, Checked, Found, Looked};
use crate::dialogue::Program;
use crate::domain::{CallSite, Domain, Keyword};
use crate::error::Result;
use async_trait::async_trait;

/// In a call with a missing value, the keywords are in the order of the API.
pub struct Keywords;

#[async_trait]
impl Check for Keywords {
    fn name(&self) -> &'static str {
        "keyword order"
    }

    fn rule(&self) -> &'static str {
        "the keywords of a call with placeholders stand in the order of the API's definition"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        found.on_calls(checked.set, disorder);
        found.end()
    }
}

fn disorder(site: &CallSite, domain: &Domain) -> Option<String> {
    let is_open = |keyword: &Keyword| !Program::new(&keyword.code).placeholders().is_empty();
    if !site.keywords.iter().any(is_open) {
        return None;
    }
    let order = domain.parameters(&site.operation);
    let place = |name: &str| order.iter().position(|known| *known == name);
    let written: Vec<usize> = (site.keywords.iter())
        .filter_map(|keyword| place(&keyword.name))
        .collect();
    let mut sorted = written.clone();
    sorted.sort_unstable();
    let named = |places: &[usize]| {
        let names: Vec<&str> = places
            .iter()
            .filter_map(|at| order.get(*at).map(|name| &**name))
            .collect();
        names.join(", ")
    };
    (written != sorted).then(|| {
        format!(
            "{} has its keywords in the order {}; write {}, and number the placeholders so",
            site.operation,
            named(&written),
            named(&sorted)
        )
    })
}
