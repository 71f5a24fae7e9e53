//! all-MiniLM-L6-v2 against vectors recorded from a second implementation
//! (`reference.py`), and what it finds.

use crate::support::tools::{MINILM, needs};
use dialog2api::domain::s3::S3;
use dialog2api::retrieval::quality::quality;
use dialog2api::retrieval::{
    Embedder, ExamplePool, MiniLm, Names, Selection, Similarity, Vectors, built_in_dialogues,
};
use expect_test::expect;
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;

#[derive(Deserialize)]
struct Recorded {
    text: String,
    vector: Vec<f32>,
}

#[test]
fn vectors_are_those_of_the_reference() {
    needs!(MINILM);
    let text = include_str!("embeddings.json");
    let recorded: Vec<Recorded> = serde_json::from_str(text).unwrap();
    assert_eq!(recorded.len(), 10);
    let model = MiniLm::open(&MINILM.path()).unwrap();
    assert_eq!((model.name(), model.width()), ("minilm", 384));
    let mut first = None;
    for Recorded { text, vector } in &recorded {
        let found = model.embed(text).unwrap();
        let cosine: f32 = found.iter().zip(vector).map(|(x, y)| x * y).sum();
        assert!((cosine - 1.0).abs() < 1e-4, "{text:?}: cosine {cosine}");
        let worst = found.iter().zip(vector).map(|(x, y)| (x - y).abs());
        let worst = worst.fold(0.0, f32::max);
        assert!(worst < 1e-4, "{text:?}: a number is {worst} off");
        first.get_or_insert(found);
    }
    // Whatever came between, the same bits.
    assert_eq!(Some(model.embed(&recorded[0].text).unwrap()), first);
}

#[test]
fn they_find_the_same_kind_of_request() {
    needs!(MINILM);
    let train = built_in_dialogues(&S3).unwrap();
    let test = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3/test");
    let test = ExamplePool::from_dir(&test, &S3).unwrap();
    let model = MiniLm::open(&MINILM.path()).unwrap();
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("embeddings");
    let similarity = Similarity::Embeddings {
        cache: Some(Vectors::at(&cache, model.digest(), model.width())),
        embedder: Arc::new(model),
        names: Names::default(),
    };
    let pool = ExamplePool::compared_by(&similarity, &train, &S3).unwrap();
    assert_eq!(pool.similarity(), "minilm");
    // A part of the turns: an unoptimised build takes its time for each.
    let probes: Vec<_> = test.examples().iter().step_by(10).cloned().collect();
    let found = quality(&pool, &probes, &Selection::default()).unwrap();
    assert!(found.turns > 20, "{found:?}");
    assert!(found.nearest > 2.0 * found.random, "{found:?}");
    assert!(found.any > 0.3, "{found:?}");
}

#[test]
fn a_folder_that_is_not_the_model_is_named() {
    needs!(MINILM);
    let folder = tempfile::tempdir().unwrap();
    let problem = |folder: &Path| {
        let error = MiniLm::open(folder).err().unwrap().to_string();
        error.replace(&folder.display().to_string(), "DIR")
    };
    expect!["cannot read the sentence embeddings DIR/config.json: No such file or directory (os error 2)"].assert_eq(&problem(folder.path()));
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        std::fs::write(folder.path().join(name), "{}").unwrap();
    }
    expect!["DIR/config.json: is not what the sentence embeddings need: missing field `vocab_size` at line 1 column 2; `dialog2api model pull minilm` fetches them again"].assert_eq(&problem(folder.path()));
    let config = MINILM.path().join("config.json");
    std::fs::copy(config, folder.path().join("config.json")).unwrap();
    expect!["DIR/tokenizer.json: is not what the sentence embeddings need: Model missing. at line 1 column 2; `dialog2api model pull minilm` fetches them again"].assert_eq(&problem(folder.path()));
    let words = MINILM.path().join("tokenizer.json");
    std::fs::copy(words, folder.path().join("tokenizer.json")).unwrap();
    let model = MiniLm::open(folder.path()).unwrap();
    let error = model.embed("a").unwrap_err().to_string();
    expect!["DIR/model.safetensors: is not what the sentence embeddings need: header too small; `dialog2api model pull minilm` fetches them again"].assert_eq(&error.replace(&folder.path().display().to_string(), "DIR"));
}
