//! Retrieval of examples: how good it is, as a table, and how fast.
//!
//! Quality, over the turns of the test dialogues of `datasets/s3` with the training
//! dialogues as the pool: how often the nearest example, and how many of the five, are of
//! the same kind of request (`retrieval::quality`). `--quality` prints this alone,
//! `--names` compares on the training dialogues, each goal left out in its turn, names of
//! buckets and objects kept and masked.
//!
//! Speed targets: a search over 10,000 examples < 2 ms, a sentence embedded in 12 ms. The
//! sentence embeddings are those in the folder `DIALOG2API_TEST_MINILM`; without it only
//! the lexical similarities are measured.

#![allow(
    clippy::print_stdout,
    reason = "a benchmark's output is what it prints"
)]

use criterion::Criterion;
use dialog2api::Result;
use dialog2api::dialogue::{Stack, Transcript};
use dialog2api::domain::s3::S3;
use dialog2api::retrieval::quality::{Quality, quality};
use dialog2api::retrieval::{
    Embedded, Embedder, Example, ExamplePool, Names, Query, Selection, Similarity, TextSimilarity,
    Utterances, Vectors, built_in_dialogues,
};
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn main() {
    let asked = |option: &str| std::env::args().any(|argument| argument == option);
    let train = built_in_dialogues(&S3).expect("the training dialogues");
    if asked("--names") {
        return names(&train).expect("figures");
    }
    table(&train).expect("figures");
    if !asked("--quality") {
        speed(&train).expect("the models work");
    }
}

/// The similarities there are.
fn similarities() -> Vec<(String, Similarity)> {
    let mut found = vec![
        ("tfidf".to_owned(), Similarity::TfIdf),
        ("bm25".to_owned(), Similarity::Bm25),
    ];
    if let Some(embedder) = minilm() {
        found.push(("minilm".to_owned(), embedded(&embedder, Names::default())));
    }
    found
}

#[cfg(feature = "minilm")]
fn minilm() -> Option<Arc<dyn Embedder>> {
    let folder = std::env::var_os("DIALOG2API_TEST_MINILM")?;
    let model = dialog2api::retrieval::MiniLm::open(Path::new(&folder)).expect("the model");
    Some(Arc::new(model))
}

#[cfg(not(feature = "minilm"))]
fn minilm() -> Option<Arc<dyn Embedder>> {
    None
}

fn embedded(embedder: &Arc<dyn Embedder>, names: Names) -> Similarity {
    Similarity::Embeddings {
        embedder: embedder.clone(),
        names,
        cache: Vectors::of_user(embedder.digest(), embedder.width()),
    }
}

/// Both utterances and the state, as in a prompt; and the utterances alone.
fn weightings() -> [(&'static str, Selection); 2] {
    let paper = Selection::default();
    let text = Selection {
        alpha: 1e6,
        ..paper
    };
    [("state and text", paper), ("text alone", text)]
}

fn row(name: &str, weighting: &str, quality: &Quality) {
    let percent = |share: f64| 100.0 * share;
    println!(
        "{name:24} {weighting:16} {:7.1} {:9.1} {:8.1}",
        percent(quality.nearest),
        percent(quality.all),
        percent(quality.any),
    );
}

fn head(what: &str, quality: &Quality) {
    println!("\n{what}: {} turns, % of the same kind", quality.turns);
    println!(
        "{:24} {:16} nearest  of the 5    any of",
        "similarity", "by"
    );
    println!("{:24} {:16} {:7.1}", "random", "", 100.0 * quality.random);
    println!(
        "{:24} {:16} {:7.1}",
        "the best there could be",
        "",
        100.0 * quality.possible
    );
}

fn table(train: &[Transcript]) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3/test");
    let probes = ExamplePool::from_dir(&folder, &S3)?.examples().to_vec();
    for (index, (name, similarity)) in similarities().iter().enumerate() {
        let pool = ExamplePool::compared_by(similarity, train, &S3)?;
        for (weighting, selection) in weightings() {
            let quality = quality(&pool, &probes, &selection)?;
            if index == 0 && weighting == "state and text" {
                head("test dialogues in the training dialogues", &quality);
            }
            row(name, weighting, &quality);
        }
    }
    Ok(())
}

/// Whether names are better masked, on the training dialogues alone.
fn names(train: &[Transcript]) -> Result<()> {
    let mut variants = similarities();
    variants.truncate(2);
    if let Some(embedder) = minilm() {
        variants.push((
            "minilm, names kept".to_owned(),
            embedded(&embedder, Names::Kept),
        ));
        let masked = embedded(&embedder, Names::Masked);
        variants.push(("minilm, names masked".to_owned(), masked));
    }
    for (index, (name, similarity)) in variants.iter().enumerate() {
        let pool = ExamplePool::compared_by(similarity, train, &S3)?;
        let probes: Vec<Example> = pool.examples().to_vec();
        for (weighting, selection) in weightings() {
            let quality = quality(&pool, &probes, &selection)?;
            if index == 0 && weighting == "state and text" {
                head("training dialogues, each goal left out", &quality);
            }
            row(name, weighting, &quality);
        }
    }
    Ok(())
}

/// Vectors that cost nothing: the search alone is measured.
struct Cheap;

impl Embedder for Cheap {
    fn name(&self) -> &str {
        "cheap"
    }

    fn digest(&self) -> &str {
        "cheap"
    }

    fn width(&self) -> usize {
        384
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>> {
        let mut state = crc32fast::hash(text.as_bytes());
        Ok((0..384)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 / 1e9
            })
            .collect())
    }
}

fn speed(train: &[Transcript]) -> Result<()> {
    let mut criterion = Criterion::default().without_plots();
    let mut group = criterion.benchmark_group("retrieval");
    group.measurement_time(Duration::from_secs(3));
    let turn = Utterances {
        said: "What is the name of the bucket?",
        user: "It is zoology-bucket, and delete only what is older than a month",
    };
    let one = ExamplePool::new(train, &S3)?.examples().len();
    let many: Vec<Transcript> = (0..10_000usize.div_ceil(one))
        .flat_map(|_| train.to_vec())
        .collect();
    let cheap: Arc<dyn Embedder> = Arc::new(Cheap);
    let dense = |turns: &[Utterances<'_>]| -> Result<Box<dyn TextSimilarity>> {
        let names = Names::default();
        Ok(Box::new(Embedded::new(cheap.clone(), names, turns, None)?))
    };
    let pools = [
        ("tfidf", ExamplePool::new(&many, &S3)?),
        (
            "bm25",
            ExamplePool::compared_by(&Similarity::Bm25, &many, &S3)?,
        ),
        (
            "embeddings",
            ExamplePool::with_similarity(&many, &S3, dense)?,
        ),
    ];
    let stack = Stack::default();
    let query = Query {
        stack: &stack,
        said: turn.said,
        user: turn.user,
        excluded: None,
    };
    for (name, pool) in &pools {
        let count = pool.examples().len();
        group.bench_function(format!("search of {count} by {name}"), |b| {
            b.iter(|| black_box(pool.select(&query, &Selection::default()).map(|e| e.len())));
        });
    }
    if let Some(embedder) = minilm() {
        let text = format!("{} {}", turn.said, turn.user);
        group.bench_function("a sentence embedded", |b| {
            b.iter(|| black_box(embedder.embed(&text)));
        });
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}
