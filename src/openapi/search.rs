//! Search over the operations of an API: BM25 over several fields.
//!
//! Questions name things more often than operations. So three more signals count: verbs that
//! stand for a method (`remove` for DELETE), the field names of an operation's results, and
//! ids: an operation that needs an id raises the operations that return it.

use super::model::{HttpOperation, Method, ParameterLocation};
use super::read::placeholders;
use super::words::{stem, stems};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The parameters of BM25: how soon further repetitions of a word stop counting, and how much
/// the length of a text counts.
const K1: f64 = 1.2;
const B: f64 = 0.5;
/// The share of an operation's score that goes to the operations that find the ids it needs.
const RAISED: f64 = 0.45;
/// The bonus of operations that find things by name, if the question has a name.
const NAMED: f64 = 1.5;
/// How much it counts that an operation is about the same resource as the programs at hand.
const NEAR: f64 = 0.5;
/// An operation that matches no word gets this share of the best score in its family.
const SHARED: f64 = 0.001;

/// An index over operations.
#[derive(Debug, Clone, Default)]
pub(super) struct Index {
    /// For each word, the operations that have it and its weight in each.
    postings: HashMap<String, Vec<(usize, f64)>>,
    count: usize,
    /// For each operation, those that find the ids it needs.
    finders: Vec<Vec<usize>>,
    /// The operations that find things by their names.
    by_name: Vec<usize>,
    /// For each operation, the number of its family. A family has the same first resource in
    /// its paths.
    families: Vec<usize>,
    /// For each operation, the prefixes of its path, the shortest first.
    prefixes: Vec<Vec<String>>,
    /// The number of operations with a prefix.
    beginnings: HashMap<String, usize>,
}

/// Words of questions, with the words of operations that they ask for.
const ASKS: &[(&str, &str)] = &[
    (
        "add create make new insert put post save",
        "post create add new put save",
    ),
    (
        "remove delete cancel clear drop erase unfollow",
        "delete remove",
    ),
    (
        "update change edit rename modify set replace",
        "put patch update change set",
    ),
    ("find search look lookup", "search find"),
    ("show list give tell get display fetch", "list"),
];

impl Index {
    /// The index of these operations.
    pub(super) fn new(operations: &[HttpOperation]) -> Self {
        let bags: Vec<BTreeMap<String, f64>> = operations.iter().map(bag).collect();
        let lengths: Vec<f64> = bags.iter().map(|bag| bag.values().sum()).collect();
        let mean = lengths.iter().sum::<f64>() / (lengths.len().max(1) as f64);
        let mut postings: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        for ((at, bag), length) in bags.into_iter().enumerate().zip(&lengths) {
            let slope = K1 * (1.0 - B + B * length / mean.max(1.0));
            for (word, count) in bag {
                let weight = count * (K1 + 1.0) / (count + slope);
                postings.entry(word).or_default().push((at, weight));
            }
        }
        let prefixes: Vec<Vec<String>> = operations.iter().map(prefixes).collect();
        let mut beginnings: HashMap<String, usize> = HashMap::new();
        for prefix in prefixes.iter().flatten() {
            *beginnings.entry(prefix.clone()).or_default() += 1;
        }
        Index {
            prefixes,
            beginnings,
            postings,
            count: operations.len(),
            finders: finders(operations),
            families: families(operations),
            by_name: (operations.iter().enumerate())
                .filter(|(_, operation)| finds_by_name(operation))
                .map(|(at, _)| at)
                .collect(),
        }
    }

    /// The positions of the `k` best operations, the best first. Those about the same resources
    /// as the ones in `near` are better. Equally good ones keep the order of the document.
    pub(super) fn search(&self, words: &str, near: &[usize], k: usize) -> Vec<usize> {
        let mut scores = self.scores(&query(words));
        if has_names(words) {
            for at in &self.by_name {
                if let Some(score) = scores.get_mut(*at) {
                    *score += NAMED;
                }
            }
        }
        let own = scores.clone();
        for (at, finders) in self.finders.iter().enumerate() {
            let given = own.get(at).copied().unwrap_or_default() * RAISED;
            for finder in finders {
                if let Some(score) = scores.get_mut(*finder) {
                    *score = score.max(given + own[*finder] * 0.7);
                }
            }
        }
        for (at, score) in scores.iter_mut().enumerate() {
            let nearest = near.iter().map(|other| self.nearness(at, *other));
            *score += NEAR * nearest.fold(0.0, f64::max);
        }
        self.share(&mut scores);
        let mut found: Vec<(usize, f64)> = scores.into_iter().enumerate().collect();
        found.retain(|(_, score)| *score > 0.0);
        found.sort_by(|(a, one), (b, other)| other.total_cmp(one).then(a.cmp(b)));
        found.truncate(k);
        found.into_iter().map(|(at, _)| at).collect()
    }

    /// The log inverse frequency of the longest path prefix that two operations share; 0 if
    /// they share none.
    fn nearness(&self, one: usize, other: usize) -> f64 {
        let of = |at: usize| self.prefixes.get(at).into_iter().flatten();
        let shared = of(one).zip(of(other)).take_while(|(a, b)| a == b);
        let Some((longest, _)) = shared.last() else {
            return 0.0;
        };
        let count = self.beginnings.get(longest).copied().unwrap_or(1);
        (self.count as f64 / count as f64).ln()
    }

    /// Ranks the operations without any word of the question behind all others, by the best
    /// score of their family. They fill the rest of a list.
    fn share(&self, scores: &mut [f64]) {
        let mut best: HashMap<usize, f64> = HashMap::new();
        for (family, score) in self.families.iter().zip(&*scores) {
            let best = best.entry(*family).or_default();
            *best = best.max(*score);
        }
        let none = self
            .families
            .iter()
            .zip(scores)
            .filter(|(_, score)| **score == 0.0);
        for (family, score) in none {
            *score = SHARED * best.get(family).copied().unwrap_or_default();
        }
    }

    fn scores(&self, query: &BTreeMap<String, f64>) -> Vec<f64> {
        let mut scores = vec![0.0; self.count];
        let total = self.count as f64;
        for (word, weight) in query {
            let Some(postings) = self.postings.get(word) else {
                continue;
            };
            let count = postings.len() as f64;
            let rarity = (1.0 + (total - count + 0.5) / (count + 0.5)).ln();
            for (at, there) in postings {
                if let Some(score) = scores.get_mut(*at) {
                    *score += weight * rarity * there;
                }
            }
        }
        scores
    }
}

/// The words of a question with their weights.
fn query(words: &str) -> BTreeMap<String, f64> {
    let mut query: BTreeMap<String, f64> = BTreeMap::new();
    let asked: HashSet<String> = stems(words).into_iter().collect();
    for word in &asked {
        query.insert(word.clone(), 1.0);
    }
    for (known, meant) in ASKS {
        if known.split(' ').any(|word| asked.contains(&stem(word))) {
            for word in meant.split(' ') {
                query.entry(stem(word)).or_insert(0.3);
            }
        }
    }
    query
}

/// The words of an operation, weighted by the part of the description that they stand in.
fn bag(operation: &HttpOperation) -> BTreeMap<String, f64> {
    let mut bag: BTreeMap<String, f64> = BTreeMap::new();
    let mut add = |text: &str, weight: f64| {
        let words: HashSet<String> = stems(text).into_iter().collect();
        for word in words {
            *bag.entry(word).or_default() += weight;
        }
    };
    add(&operation.name, 2.0);
    add(&operation.summary, 2.0);
    add(&operation.path, 2.0);
    add(&operation.tags.join(" "), 0.5);
    add(operation.method.as_str(), 0.5);
    add(&operation.description, 1.0);
    let names: Vec<&str> = operation
        .parameters
        .iter()
        .map(|it| it.wire.as_str())
        .collect();
    add(&names.join(" "), 0.7);
    let docs: Vec<&str> = operation
        .parameters
        .iter()
        .map(|it| it.doc.as_str())
        .collect();
    add(&docs.join(" "), 0.3);
    add(&operation.result.fields.join(" "), 0.5);
    bag
}

/// For each operation, the reads that find the ids in its path. For `/movie/{movie_id}` these
/// need no id themselves, and their path ends in `movie` or `movies`.
fn finders(operations: &[HttpOperation]) -> Vec<Vec<usize>> {
    let mut ends: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, operation) in operations.iter().enumerate() {
        let is_open = placeholders(&operation.path).is_empty() && operation.method == Method::Get;
        let last = operation.path.trim_end_matches('/').rsplit('/').next();
        if let Some(last) = last.filter(|_| is_open) {
            for word in stems(last) {
                ends.entry(word).or_default().push(at);
            }
            let offers = operation
                .parameters
                .iter()
                .any(|it| it.wire == "q" || it.wire == "query");
            if last == "search" && offers {
                ends.entry(String::new()).or_default().push(at);
            }
        }
    }
    let of_one = |operation: &HttpOperation| {
        let path = operation
            .parameters
            .iter()
            .filter(|it| it.place == ParameterLocation::Path);
        let mut found: Vec<usize> = Vec::new();
        for parameter in path {
            let words = stems(parameter.wire.trim_end_matches("id").trim_end_matches("Id"));
            let before = before(&operation.path, &parameter.wire);
            let words = if words.is_empty() {
                stems(&before)
            } else {
                words
            };
            for word in words.iter().map(String::as_str).chain([""]) {
                found.extend(ends.get(word).into_iter().flatten().take(8));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    operations.iter().map(of_one).collect()
}

/// The beginnings of the path of an operation: `/repos`, `/repos/{owner}`, ….
fn prefixes(operation: &HttpOperation) -> Vec<String> {
    let mut path = String::new();
    let parts = operation.path.split('/').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            path.push('/');
            path.push_str(part);
            path.clone()
        })
        .collect()
}

/// Numbers the families: operations whose paths begin with the same resource, after the
/// beginning that all paths share.
fn families(operations: &[HttpOperation]) -> Vec<usize> {
    let segments = |operation: &HttpOperation| -> Vec<String> {
        let parts = operation.path.split('/').filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let paths: Vec<Vec<String>> = operations.iter().map(segments).collect();
    let first = paths.first().cloned().unwrap_or_default();
    let shared =
        (0..first.len()).take_while(|at| paths.iter().all(|it| it.get(*at) == first.get(*at)));
    let shared = shared.count();
    let mut numbers: HashMap<Vec<String>, usize> = HashMap::new();
    let number = |path: &Vec<String>| {
        let start = path.get(shared).cloned().into_iter().collect();
        let next = numbers.len();
        *numbers.entry(start).or_insert(next)
    };
    paths.iter().map(number).collect()
}

/// Whether the operation finds things by words: a read with a parameter for a search text.
fn finds_by_name(operation: &HttpOperation) -> bool {
    const WORDS: [&str; 8] = [
        "q", "query", "search", "keyword", "keywords", "term", "text", "name",
    ];
    let is_words = |wire: &str| WORDS.contains(&wire.to_ascii_lowercase().as_str());
    operation.method == Method::Get
        && placeholders(&operation.path).is_empty()
        && operation.parameters.iter().any(|it| is_words(&it.wire))
}

/// Whether a question has a name: quotes, or a capital within a sentence.
fn has_names(words: &str) -> bool {
    let mut is_first = true;
    let capital = words.split_whitespace().any(|word| {
        let begins = word.starts_with(char::is_uppercase) && word.len() > 1;
        let found = begins && !is_first;
        is_first = word.ends_with(['.', '!', '?', ':']);
        found
    });
    capital || words.contains(['"', '“', '‘']) || words.contains(" '")
}

/// The segment before a placeholder: `albums` of `/albums/{id}`.
fn before(path: &str, wire: &str) -> String {
    let (before, _) = path
        .split_once(&format!("{{{wire}}}"))
        .unwrap_or((path, ""));
    let last = before.trim_end_matches('/').rsplit('/').next();
    last.unwrap_or_default().to_owned()
}
