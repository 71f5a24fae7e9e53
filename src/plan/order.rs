//! Which writes of a plan wait for which others.

use crate::domain::{Planning, Write};
use std::collections::{BTreeSet, HashMap};

/// The writes that are still to be made, and what each of them waits for.
///
/// Two writes have to do with each other if one of them changes a place that the other touches,
/// or something around or within it: its container, its settings, its versions. They are made
/// in the order of the plan. A write that is not [local](Planning::is_local) has to do with all.
pub(super) struct Order {
    /// How many writes each one still waits for.
    waits: Vec<usize>,
    /// The writes that wait for each one.
    waiting: Vec<Vec<usize>>,
    /// Those that wait for nothing any more and were not begun.
    ready: BTreeSet<usize>,
}

/// The last writes that touched a thing.
#[derive(Default)]
struct Touching {
    /// The one that changed it last.
    changed: Option<usize>,
    /// Those since then that only depend on it.
    used: Vec<usize>,
}

impl Touching {
    /// The writes that one of this number waits for, which then is one of the last itself.
    fn note(&mut self, number: usize, changes: bool, before: &mut BTreeSet<usize>) {
        before.extend(self.changed);
        if changes {
            before.extend(self.used.drain(..));
            self.changed = Some(number);
        } else {
            self.used.push(number);
        }
    }
}

/// The writes since the last one that was made alone.
#[derive(Default)]
struct Lately<'w> {
    alone: Option<usize>,
    all: Vec<usize>,
    /// By container and name.
    things: HashMap<(&'w str, &'w str), Touching>,
    /// Those that touch something within a folder, by container and name of the folder.
    within: HashMap<(&'w str, &'w str), Vec<usize>>,
}

impl Order {
    pub fn of(planning: &dyn Planning, writes: &[Write]) -> Order {
        let mut order = Order {
            waits: vec![0; writes.len()],
            waiting: vec![Vec::new(); writes.len()],
            ready: BTreeSet::new(),
        };
        let mut lately = Lately::default();
        for (number, write) in writes.iter().enumerate() {
            let before = match planning.is_local(write) {
                true => lately.local(number, write),
                false => lately.alone(number),
            };
            for earlier in &before {
                if let Some(waiting) = order.waiting.get_mut(*earlier) {
                    waiting.push(number);
                }
            }
            if before.is_empty() {
                order.ready.insert(number);
            }
            if let Some(waits) = order.waits.get_mut(number) {
                *waits = before.len();
            }
        }
        order
    }

    /// The writes that can be begun, in the order of the plan.
    pub fn ready(&self) -> impl Iterator<Item = usize> {
        self.ready.iter().copied()
    }

    /// A write is begun.
    pub fn begun(&mut self, number: usize) {
        self.ready.remove(&number);
    }

    /// A write was made: those that waited for it alone can be begun.
    pub fn made(&mut self, number: usize) {
        self.begun(number);
        let waiting = self.waiting.get_mut(number).map(std::mem::take);
        for next in waiting.unwrap_or_default() {
            if let Some(waits) = self.waits.get_mut(next) {
                *waits -= 1;
                if *waits == 0 {
                    self.ready.insert(next);
                }
            }
        }
    }
}

impl<'w> Lately<'w> {
    fn alone(&mut self, number: usize) -> BTreeSet<usize> {
        let before = self.all.drain(..).chain(self.alone).collect();
        *self = Lately {
            alone: Some(number),
            ..Lately::default()
        };
        before
    }

    fn local(&mut self, number: usize, write: &'w Write) -> BTreeSet<usize> {
        let mut before: BTreeSet<usize> = self.alone.into_iter().collect();
        self.all.push(number);
        for touched in write.touched.iter() {
            // A container itself is only changed by a write that is made alone.
            let [root, name, ..] = touched.place.segments() else {
                continue;
            };
            let thing = (root.as_str(), name.as_str());
            let touching = self.things.entry(thing).or_default();
            touching.note(number, touched.changed, &mut before);
            // On some servers a name with a slash behind it is a folder, and cannot be both.
            let folder = (thing.0, name.trim_end_matches('/'));
            before.extend(self.within.remove(&folder).unwrap_or_default());
            for (at, _) in name
                .match_indices('/')
                .filter(|(at, _)| at + 1 < name.len())
            {
                let around = [name.get(..at), name.get(..=at)].into_iter().flatten();
                for around in around {
                    if let Some(touching) = self.things.get_mut(&(thing.0, around)) {
                        touching.note(number, false, &mut before);
                    }
                }
                let within = name.get(..at).unwrap_or_default();
                let within = self.within.entry((thing.0, within)).or_default();
                within.push(number);
            }
        }
        before.remove(&number);
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Image, Mark, Place, Touched, Value, World};
    use crate::error::Result;
    use async_trait::async_trait;
    use std::collections::HashSet;

    /// Of a domain whose things are independent of each other, and whose containers are not.
    struct Things;

    #[async_trait]
    impl Planning for Things {
        fn is_local(&self, write: &Write) -> bool {
            let mut touched = write.touched.iter();
            touched.all(|it| it.place.segments().len() > 1)
        }

        async fn marks(&self, _: &dyn World, places: &[&Place]) -> Result<Vec<Option<Mark>>> {
            Ok(vec![None; places.len()])
        }

        async fn image(
            &self,
            _: &dyn World,
            _: &Place,
            _: &HashSet<Place>,
            _: u64,
        ) -> Result<Image> {
            Ok(Image::Nothing)
        }

        fn removal(&self, _: &Place) -> Option<(String, Value)> {
            Some(("remove".to_owned(), Value::Null))
        }
    }

    /// A write that changes the places with a `+` before them and depends on the others:
    /// `container/name`.
    fn write(places: &str) -> Write {
        let touched = places.split(' ').map(|place| {
            let path = place.trim_start_matches('+');
            let (path, setting) = path.split_once(':').unwrap_or((path, ""));
            let mut named = match path.split_once('/') {
                Some((bucket, key)) => Place::thing(bucket, key),
                None => Place::container(path),
            };
            if !setting.is_empty() {
                named = named.with_setting(setting);
            }
            Touched {
                changed: place.starts_with('+'),
                place: named,
                ..Touched::default()
            }
        });
        Write::new("change".into(), Value::Null, touched.collect())
    }

    /// The writes, by number, that can be begun together, one group after the other.
    fn groups(plan: &str) -> String {
        let writes: Vec<Write> = plan.split("; ").map(write).collect();
        let mut order = Order::of(&Things, &writes);
        let mut groups = Vec::new();
        while order.ready().next().is_some() {
            let group: Vec<usize> = order.ready().collect();
            group.iter().for_each(|number| order.made(*number));
            let names: Vec<String> = group.iter().map(ToString::to_string).collect();
            groups.push(names.join(" "));
        }
        groups.join(" | ")
    }

    #[test]
    fn only_what_has_nothing_to_do_with_each_other_goes_together() {
        for (plan, expected) in [
            ("+a/x; +a/y; +b/x", "0 1 2"),
            // Renames: each deletion waits for its own copy.
            ("a/x +a/1; +a/x; a/y +a/2; +a/y", "0 2 | 1 3"),
            // Many copies of one source, which is changed then.
            ("a/x +a/1; a/x +a/2; +a/x; a/x +a/3", "0 1 | 2 | 3"),
            // What a chain of copies depends on.
            ("a/x +a/y; a/y +a/z; a/z +a/w", "0 | 1 | 2"),
            // A setting of an object, and a version of it.
            ("+a/x; +a/x:tags; a/x:tags +a/y; +a/z", "0 3 | 1 | 2"),
            ("+a/x; +a/x:tags; +a/x:version_1", "0 | 1 | 2"),
            // A container, and its settings, before and after what is in it.
            ("+a/x; +b/x; +a; +a/y; +b/y", "0 1 | 2 | 3 4"),
            ("+a/x; +a:policy; +a/y", "0 | 1 | 2"),
            // A folder is no file at the same time.
            ("+a/f; +a/f/x; +a/f/y; +a/f", "0 | 1 2 | 3"),
            ("+a/f/; +a/f/x; +a/f/g/y; +a/f/; +a/fx", "0 4 | 1 2 | 3"),
            ("+a/x +a/y; +a/y; +a/x +a/z; +a/z", "0 | 1 2 | 3"),
        ] {
            assert_eq!(groups(plan), expected, "{plan}");
        }
    }
}
