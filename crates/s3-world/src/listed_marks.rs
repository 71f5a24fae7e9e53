//! The marks of many objects, from few listings.

use super::caller::{Caller, list, params, text};
use super::markers::next_marker;
use super::planning::{AT_ONCE, mark};
use super::refusal::Trouble;
use crate::domain::{Mark, Value, World};
use crate::error::Result;
use std::collections::{BTreeMap, BTreeSet};

/// From this many keys of one bucket on, they are looked up by listing.
const MANY: usize = 16;

/// From this many keys of one folder on.
const SOME: usize = 6;

/// The sizes of the first page: mostly the keys lie next to each other, and then entries beside
/// them would only be sent and read in vain. Where they do not, the next pages are whole ones.
const FIRST_PAGE: [usize; 2] = [100, 1000];

/// Keys of one bucket in groups that can be listed: those of each folder that many are in, and the
/// others.
pub(super) fn near_each_other(keys: BTreeSet<&str>) -> Vec<BTreeSet<&str>> {
    let mut folders: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for key in keys {
        let folder = key.rsplit_once('/').map_or("", |(folder, _)| folder);
        folders.entry(folder).or_default().insert(key);
    }
    let (mut groups, others): (Vec<_>, Vec<_>) =
        (folders.into_values()).partition(|keys| keys.len() >= SOME);
    let others: BTreeSet<&str> = others.into_iter().flatten().collect();
    groups.extend((others.len() >= MANY).then_some(others));
    groups
}

/// The marks of keys, as far as a listing tells them.
pub(super) async fn listed<'k>(
    world: &dyn World,
    bucket: &'k str,
    keys: BTreeSet<&'k str>,
) -> Result<Vec<((&'k str, &'k str), Option<Mark>)>> {
    let mut found = list_keys(world, bucket, &keys).await?;
    let known = keys.into_iter().filter_map(|key| {
        let is_known = found.known(key);
        is_known.then(|| ((bucket, key), found.marks.remove(key)))
    });
    Ok(known.collect())
}

/// The marks found by a listing.
pub(super) struct Listed {
    pub marks: BTreeMap<String, Mark>,
    /// The last listed key; `None` if the listing is complete.
    until: Option<String>,
}

impl Listed {
    fn known(&self, key: &str) -> bool {
        self.until.as_deref().is_none_or(|until| key <= until)
    }
}

/// Lists from the first to the last of these keys, unless there are many other keys
/// between them.
pub(super) async fn list_keys(
    world: &dyn World,
    bucket: &str,
    keys: &BTreeSet<&str>,
) -> Result<Listed> {
    let caller = Caller(world);
    let mut found = Listed {
        marks: BTreeMap::new(),
        until: Some(String::new()),
    };
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
        return Ok(found);
    };
    let alike = first.bytes().zip(last.bytes());
    let alike = alike.take_while(|(a, b)| a == b).count();
    let prefix = &first[..first.floor_char_boundary(alike)];
    let mut all = first.chars();
    all.next_back();
    let before = all.as_str();
    let mut token: Option<String> = None;
    let [least, most] = FIRST_PAGE;
    let first_page = (2 * keys.len()).clamp(least, most);
    // Reads at most one page more than the number of rounds that single lookups would
    // take.
    for _ in 0..=keys.len() / AT_ONCE {
        let mut params = params([("Bucket", bucket), ("Prefix", prefix)]);
        match token.take() {
            Some(token) => params.push(("ContinuationToken".into(), token.into())),
            // The listing begins behind this, and hardly anything is between it and the first key.
            None => {
                if before.len() > prefix.len() {
                    params.push(("StartAfter".into(), before.into()));
                }
                if first_page < most {
                    params.push(("MaxKeys".into(), Value::Int(first_page as i64)));
                }
            }
        }
        let page = match caller.ask("list_objects_v2", &Value::Map(params)).await {
            Ok(page) => page,
            Err(Trouble::Failed(error)) => return Err(error),
            Err(Trouble::Refused(refusal)) if refusal.code == "NoSuchBucket" => {
                found.until = None;
                return Ok(found);
            }
            // Without the permission to list, single keys may still be readable.
            Err(Trouble::Refused(_)) => return Ok(found),
        };
        for object in list(&page, "Contents") {
            let Some(key) = text(object, "Key") else {
                continue;
            };
            found.until = Some(key.to_owned());
            if keys.contains(key) {
                found.marks.insert(key.to_owned(), mark(object, "Size"));
            }
        }
        let next = next_marker(&page, "NextContinuationToken");
        token = next.map(str::to_owned);
        if token.is_none() {
            found.until = None;
            break;
        }
    }
    Ok(found)
}
