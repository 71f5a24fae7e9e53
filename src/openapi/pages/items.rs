//! The items of a page: the list that an answer is about.

use super::names::{self, key};
use crate::domain::{Map, Value};

/// The names that lead to the items in an answer; none where the answer itself is the list.
pub type Path = Vec<String>;

/// The items of an answer.
#[derive(Debug, PartialEq)]
pub enum Items<'v> {
    /// The list, and where it is.
    Here(&'v [Value], Path),
    /// The answer has no list.
    None,
    /// The answer has these lists, and it is not clear which one is meant.
    Several(Vec<String>),
}

/// The items of an answer to a request for this path. `documented` are the lists that the
/// document says an answer has.
pub fn of<'v>(value: &'v Value, documented: &[Path], path: &str) -> Items<'v> {
    if let Some(list) = value.as_list() {
        return Items::Here(list, Path::new());
    }
    let Value::Map(pairs) = value else {
        return Items::None;
    };
    if let Some(chosen) = choose(documented, path)
        && let Some(list) = at(value, chosen)
    {
        return Items::Here(list, chosen.clone());
    }
    let lists = within(pairs);
    match choose(&lists, path) {
        Some(chosen) => match at(value, chosen) {
            Some(list) => Items::Here(list, chosen.clone()),
            None => Items::None,
        },
        None if lists.is_empty() => Items::None,
        None => Items::Several(lists.iter().map(|it| it.join(".")).collect()),
    }
}

/// The list at a place of an answer.
pub fn at<'v>(value: &'v Value, path: &[String]) -> Option<&'v [Value]> {
    let found = path.iter().try_fold(value, |value, name| value.get(name));
    found?.as_list()
}

/// The lists of a dict, or else those of the dicts in it.
fn within(pairs: &Map) -> Vec<Path> {
    let lists = |pairs: &Map, before: &[String]| {
        let lists = pairs.iter().filter(|(_, value)| value.as_list().is_some());
        let paths = lists.map(|(name, _)| [before, &[name.clone().into_owned()]].concat());
        paths.collect::<Vec<Path>>()
    };
    let own = lists(pairs, &[]);
    let dicts = pairs.iter().filter_map(|(name, value)| match value {
        Value::Map(inner) => Some(lists(inner, &[name.clone().into_owned()])),
        _ => None,
    });
    prefer(own, dicts.flatten().collect())
}

/// Of the lists of a dict and those of the dicts in it, those that may be meant.
pub fn prefer(own: Vec<Path>, inner: Vec<Path>) -> Vec<Path> {
    match inner.is_empty() || own.iter().any(|path| !is_beside(path)) {
        true => own,
        false => inner,
    }
}

fn is_beside(path: &Path) -> bool {
    path.last()
        .is_some_and(|name| names::is(name, names::BESIDE))
}

/// The list that is meant: the only one, or the one with the name of the resource, or one with
/// a usual name.
pub fn choose<'p>(lists: &'p [Path], path: &str) -> Option<&'p Path> {
    let only = |lists: &[&'p Path]| match lists {
        [only] => Some(*only),
        _ => None,
    };
    let all: Vec<&Path> = lists.iter().collect();
    let likely: Vec<&Path> = lists.iter().filter(|path| !is_beside(path)).collect();
    let segments = path
        .rsplit('/')
        .filter(|it| !it.is_empty() && !it.contains('{'));
    let resource = segments
        .map(|it| key(it.split('.').next().unwrap_or(it)))
        .next();
    let named = |wanted: &dyn Fn(&str) -> bool| {
        let mut likely = likely.iter();
        likely
            .find(|path| path.last().is_some_and(|name| wanted(&key(name))))
            .copied()
    };
    only(&all)
        .or_else(|| only(&likely))
        .or_else(|| named(&|name| resource.as_deref() == Some(name)))
        .or_else(|| {
            let mut usual = names::ITEMS.iter();
            usual.find_map(|usual| named(&|name| name == *usual))
        })
}
