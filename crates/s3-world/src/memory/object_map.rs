//! The objects of a bucket by key: a sorted map whose copy is cheap, because both sides share
//! the runs of entries that neither changes.
//!
//! Every rehearsal of a program writes into a copy of the world. In a map of the standard
//! library its first write would copy the whole bucket.

use super::state::Object;
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt::{self, Debug, Formatter};
use std::ops::Bound;
use std::sync::Arc;

/// The most entries of a run. Longer runs make the first write after a copy slower, shorter
/// ones the copy.
const LONGEST: usize = 128;

type Entry = (Arc<str>, Arc<Object>);

/// Objects by key, in the byte order of UTF-8, which is also the order of S3's listings.
///
/// A copy takes one step for each 64 to 128 objects, and the first write after it one for each
/// object of a single run.
#[derive(Clone, Default)]
pub struct ObjectMap {
    /// Sorted runs of sorted entries. None is empty.
    runs: Vec<Arc<Vec<Entry>>>,
    len: usize,
}

impl ObjectMap {
    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no object.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The object at `key`.
    pub fn get(&self, key: &str) -> Option<&Arc<Object>> {
        let run = self.runs.get(self.run_of(key))?;
        let at = search(run, key).ok()?;
        run.get(at).map(|(_, object)| object)
    }

    /// Whether there is an object at `key`.
    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The object at `key`, to be replaced.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Arc<Object>> {
        let at = self.run_of(key);
        let run = self.runs.get_mut(at)?;
        let at = search(run, key).ok()?;
        Arc::make_mut(run).get_mut(at).map(|(_, object)| object)
    }

    /// Puts an object at `key`. Returns the one that was there.
    pub fn insert(&mut self, key: Arc<str>, object: Arc<Object>) -> Option<Arc<Object>> {
        let number = self.run_of(&key);
        let Some(run) = self.runs.get_mut(number) else {
            self.runs.push(Arc::new(vec![(key, object)]));
            self.len += 1;
            return None;
        };
        let found = search(run, &key);
        let run = Arc::make_mut(run);
        let at = match found {
            Ok(at) => return Some(std::mem::replace(&mut run[at].1, object)),
            Err(at) => at,
        };
        self.len += 1;
        if run.len() < LONGEST {
            run.insert(at, (key, object));
            return None;
        }
        // Keys often come in order. A key after all others starts a new run, so that the runs
        // before it stay full.
        let is_last = at == LONGEST && number + 1 == self.runs.len();
        let middle = if is_last { LONGEST } else { LONGEST / 2 };
        let run = Arc::make_mut(&mut self.runs[number]);
        let mut rest = run.split_off(middle);
        match at.checked_sub(middle) {
            Some(at) => rest.insert(at, (key, object)),
            None => run.insert(at, (key, object)),
        }
        self.runs.insert(number + 1, Arc::new(rest));
        None
    }

    /// Takes the object at `key` away.
    pub fn remove(&mut self, key: &str) -> Option<Arc<Object>> {
        let number = self.run_of(key);
        let run = self.runs.get_mut(number)?;
        let at = search(run, key).ok()?;
        let run = Arc::make_mut(run);
        let (_, removed) = run.remove(at);
        let left = run.len();
        self.len -= 1;
        if left == 0 {
            self.runs.remove(number);
        } else if let Some(next) = self.runs.get(number + 1)
            && left + next.len() <= LONGEST / 2
        {
            let next = self.runs.remove(number + 1);
            Arc::make_mut(&mut self.runs[number]).extend(next.iter().cloned());
        }
        Some(removed)
    }

    /// All keys and objects, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<Object>)> {
        self.runs.iter().flat_map(|run| run.iter()).map(pair)
    }

    /// All keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &Arc<str>> {
        self.iter().map(|(key, _)| key)
    }

    /// All objects, in the order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &Arc<Object>> {
        self.iter().map(|(_, object)| object)
    }

    /// The keys and objects from this place on, in order.
    pub fn from<'a>(
        &'a self,
        start: Bound<&str>,
    ) -> impl Iterator<Item = (&'a Arc<str>, &'a Arc<Object>)> + use<'a> {
        let (number, at) = match start {
            Bound::Unbounded => (0, 0),
            Bound::Included(key) | Bound::Excluded(key) => {
                let number = self.run_of(key);
                let found = (self.runs.get(number)).map_or(Err(0), |run| search(run, key));
                let at = match (found, start) {
                    (Ok(at), Bound::Excluded(_)) => at + 1,
                    (Ok(at) | Err(at), _) => at,
                };
                (number, at)
            }
        };
        let runs = self.runs.get(number..).unwrap_or_default();
        runs.iter().flat_map(|run| run.iter()).skip(at).map(pair)
    }

    /// The keys at which two maps have different objects, in order, with both. Runs that both
    /// share are not looked at, so a map and its changed copy are compared in a few steps.
    pub fn differences<'a>(&'a self, other: &'a ObjectMap) -> Vec<ObjectDifference<'a>> {
        let mut differences = Vec::new();
        let (mut ours, mut theirs) = (Place::default(), Place::default());
        loop {
            if ours.at == 0
                && theirs.at == 0
                && let (Some(one), Some(another)) =
                    (self.runs.get(ours.run), other.runs.get(theirs.run))
                && Arc::ptr_eq(one, another)
            {
                ours.skip_run();
                theirs.skip_run();
                continue;
            }
            let (one, another) = (ours.entry(&self.runs), theirs.entry(&other.runs));
            let order = match (one, another) {
                (None, None) => return differences,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((one, _)), Some((another, _))) => one.cmp(another),
            };
            let one = one.filter(|_| order != Ordering::Greater);
            let another = another.filter(|_| order != Ordering::Less);
            let is_same = (one.zip(another)).is_some_and(|(a, b)| Arc::ptr_eq(&a.1, &b.1));
            if let Some((key, _)) = one.or(another).filter(|_| !is_same) {
                differences.push(ObjectDifference {
                    key,
                    ours: one.map(|(_, object)| object),
                    theirs: another.map(|(_, object)| object),
                });
            }
            if one.is_some() {
                ours.advance(&self.runs);
            }
            if another.is_some() {
                theirs.advance(&other.runs);
            }
        }
    }

    /// The number of the run that `key` is in, if it is in any, and belongs to otherwise: the
    /// last one that does not begin after it.
    fn run_of(&self, key: &str) -> usize {
        let begins_after = |run: &Arc<Vec<Entry>>| run.first().is_some_and(|(it, _)| **it > *key);
        let after = self.runs.partition_point(|run| !begins_after(run));
        after.saturating_sub(1)
    }
}

/// A key at which two maps differ.
pub struct ObjectDifference<'a> {
    /// The key.
    pub key: &'a Arc<str>,
    /// The object of the map that was asked; `None` if it has none there.
    pub ours: Option<&'a Arc<Object>>,
    /// The object of the other one.
    pub theirs: Option<&'a Arc<Object>>,
}

/// A place among the entries of all runs.
#[derive(Default)]
struct Place {
    run: usize,
    at: usize,
}

impl Place {
    fn entry<'a>(&self, runs: &'a [Arc<Vec<Entry>>]) -> Option<&'a Entry> {
        runs.get(self.run)?.get(self.at)
    }

    fn advance(&mut self, runs: &[Arc<Vec<Entry>>]) {
        self.at += 1;
        if self.entry(runs).is_none() {
            self.skip_run();
        }
    }

    fn skip_run(&mut self) {
        self.run += 1;
        self.at = 0;
    }
}

fn search(run: &[Entry], key: &str) -> Result<usize, usize> {
    run.binary_search_by(|(it, _)| Borrow::<str>::borrow(it).cmp(key))
}

fn pair((key, object): &Entry) -> (&Arc<str>, &Arc<Object>) {
    (key, object)
}

impl Debug for ObjectMap {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl FromIterator<Entry> for ObjectMap {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let mut map = ObjectMap::default();
        for (key, object) in entries {
            map.insert(key, object);
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Attributes;
    use bytes::Bytes;
    use jiff::Timestamp;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Model = BTreeMap<Arc<str>, Arc<Object>>;

    fn object() -> Arc<Object> {
        let attributes = Attributes::default();
        Arc::new(Object::new(Bytes::new(), Timestamp::UNIX_EPOCH, attributes))
    }

    /// Whether both have the same objects, not only equal ones, at the same keys.
    fn are_same(map: &ObjectMap, model: &Model) -> bool {
        let same = |((a, one), (b, other)): (_, (&Arc<str>, &Arc<Object>))| {
            let (a, one): (&Arc<str>, &Arc<Object>) = (a, one);
            a == b && Arc::ptr_eq(one, other)
        };
        map.len() == model.len() && map.iter().zip(model).all(same)
    }

    /// Numbers of keys, so many that there are several runs.
    fn numbers() -> impl Strategy<Value = Vec<(bool, u16)>> {
        let sorted = (0_u16..600).prop_map(|count| (0..count).map(|n| (true, 2 * n)).collect());
        let any = prop::collection::vec((any::<bool>(), 0_u16..1_200), 0..1_500);
        (sorted, any).prop_map(|(sorted, any): (Vec<_>, Vec<_>)| [sorted, any].concat())
    }

    proptest! {
        #[test]
        fn it_does_what_a_map_of_the_standard_library_does(steps in numbers(), from in 0_u16..1_200) {
            let (mut map, mut model) = (ObjectMap::default(), Model::new());
            let mut copies = Vec::new();
            for (number, (is_write, key)) in steps.into_iter().enumerate() {
                let key: Arc<str> = Arc::from(format!("{key:04}"));
                if number % 400 == 0 {
                    copies.push((map.clone(), model.clone()));
                }
                let (one, other) = if is_write {
                    let object = object();
                    (map.insert(key.clone(), object.clone()), model.insert(key.clone(), object))
                } else {
                    (map.remove(&key), model.remove(&key))
                };
                prop_assert_eq!(one.is_some(), other.is_some());
                prop_assert_eq!(map.get(&key).is_some(), is_write);
            }
            copies.push((map, model));
            for ((before, older), (after, newer)) in copies.iter().zip(copies.iter().skip(1)) {
                let found = before.differences(after);
                let mut keys: Vec<_> = older.keys().chain(newer.keys()).collect();
                keys.sort();
                keys.dedup();
                keys.retain(|key| older.get(*key).map(Arc::as_ptr) != newer.get(*key).map(Arc::as_ptr));
                prop_assert_eq!(found.iter().map(|it| it.key).collect::<Vec<_>>(), keys);
                for ObjectDifference { key, ours, theirs } in found {
                    prop_assert_eq!(ours.map(Arc::as_ptr), older.get(key).map(Arc::as_ptr));
                    prop_assert_eq!(theirs.map(Arc::as_ptr), newer.get(key).map(Arc::as_ptr));
                }
            }
            let from = format!("{from:04}");
            for (map, model) in &copies {
                prop_assert!(are_same(map, model));
                prop_assert!(map.runs.iter().all(|run| !run.is_empty() && run.len() <= LONGEST));
                for start in [Bound::Included(&*from), Bound::Excluded(&*from), Bound::Unbounded] {
                    let found: Vec<_> = map.from(start).map(|(key, _)| key).collect();
                    let range = model.range::<str, _>((start, Bound::Unbounded));
                    let expected: Vec<_> = range.map(|(key, _)| key).collect();
                    prop_assert_eq!(found, expected);
                }
            }
        }
    }

    #[test]
    fn a_write_after_a_copy_leaves_the_other_runs_shared() {
        let entries = (0..1_000).map(|n| (Arc::from(format!("{n:04}")), object()));
        let map: ObjectMap = entries.collect();
        assert_eq!(map.runs.len(), 8, "keys in order fill the runs");
        let mut copy = map.clone();
        copy.insert(Arc::from("0500"), object());
        let shared = (map.runs.iter().zip(&copy.runs)).filter(|(a, b)| Arc::ptr_eq(a, b));
        assert_eq!(shared.count(), 7);
    }
}
