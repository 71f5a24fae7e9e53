//! Embeddings in a search and on disk, with an embedder that counts.

use dialog2api::Result;
use dialog2api::retrieval::{Embedded, Embedder, Names, TextSimilarity, Utterances, Vectors};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The share of each letter from a to h in a text, and how often it was asked.
#[derive(Default)]
struct Letters(AtomicUsize);

impl Embedder for Letters {
    fn name(&self) -> &str {
        "letters"
    }

    fn digest(&self) -> &str {
        "0123456789abcdef0123"
    }

    fn width(&self) -> usize {
        8
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let mut vector = vec![0.0; 8];
        for byte in text.bytes().filter(|byte| (b'a'..b'i').contains(byte)) {
            vector[usize::from(byte - b'a')] += 1.0f32;
        }
        let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(1.0);
        vector.iter_mut().for_each(|x| *x /= norm);
        Ok(vector)
    }
}

fn turns() -> Vec<Utterances<'static>> {
    ["a", "b", "ab", "\"a\"", "x/a b"]
        .map(|user| Utterances { said: "c", user })
        .to_vec()
}

/// Similarities to the turns, and how many texts were embedded for them.
fn compare(names: Names, cache: Option<&Vectors>) -> (Vec<f64>, usize) {
    let letters = Arc::new(Letters::default());
    let embedded = Embedded::new(letters.clone(), names, &turns(), cache).unwrap();
    let made = letters.0.load(Ordering::Relaxed);
    let query = Utterances {
        said: "c",
        user: "a",
    };
    let found = embedded.to_all(query).unwrap();
    let asked = letters.0.load(Ordering::Relaxed);
    assert_eq!(embedded.to_all(query).unwrap(), found);
    assert_eq!(
        letters.0.load(Ordering::Relaxed),
        asked,
        "a query is remembered"
    );
    let rounded = found.iter().map(|x| (x * 1e3).round() / 1e3).collect();
    (rounded, made)
}

#[test]
fn a_turn_is_compared_as_one_text_with_its_names_or_without() {
    let (found, made) = compare(Names::Kept, None);
    assert_eq!(found, [1.0, 0.5, 0.816, 1.0, 0.816]);
    assert_eq!(made, 5);
    // "name" has an a and an e: the third and fourth are now unlike the first.
    let (found, _) = compare(Names::Masked, None);
    assert_eq!(found, [1.0, 0.5, 0.816, 0.816, 0.707]);
}

#[test]
fn what_is_on_disk_is_not_computed_again() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Vectors::at(&folder.path().join("new"), Letters::default().digest(), 8);
    let (first, made) = compare(Names::Kept, Some(&cache));
    assert_eq!(made, 5);
    assert_eq!(compare(Names::Kept, Some(&cache)), (first.clone(), 0));
    assert_eq!(cache.read().len(), 5);

    // A writer was stopped half-way: the next one goes on after the last whole record.
    let whole = std::fs::read(cache.path()).unwrap();
    let mut torn = whole.clone();
    torn.extend([7; 20]);
    std::fs::write(cache.path(), &torn).unwrap();
    cache
        .append(&[(Vectors::key("new"), vec![0.5; 8])])
        .unwrap();
    assert_eq!(cache.read().len(), 6);
    assert_eq!(cache.read()[&Vectors::key("new")], [0.5; 8]);

    // A damaged record is computed again.
    let mut damaged = whole;
    damaged[40] ^= 1;
    std::fs::write(cache.path(), &damaged).unwrap();
    assert_eq!(compare(Names::Kept, Some(&cache)), (first, 1));
}

#[test]
fn writers_at_the_same_time_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let cache = Vectors::at(folder.path(), "digest", 8);
            scope.spawn(move || {
                for text in 0..25 {
                    let key = Vectors::key(&format!("{writer} {text}"));
                    cache.append(&[(key, vec![writer as f32; 8])]).unwrap();
                }
            });
        }
    });
    assert_eq!(Vectors::at(folder.path(), "digest", 8).read().len(), 100);
}

#[test]
fn a_cache_that_cannot_be_written_costs_only_time() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let cache = Vectors::at(&folder.path().join("file"), "digest", 8);
    assert!(cache.append(&[(Vectors::key("x"), vec![0.0; 8])]).is_err());
    assert_eq!(compare(Names::Kept, Some(&cache)).1, 5);
    assert_eq!(compare(Names::Kept, Some(&cache)).1, 5);
}
