//! Similarities of words, and how often they find the same kind of request.

use dialog2api::domain::s3::S3;
use dialog2api::retrieval::quality::quality;
use dialog2api::retrieval::{
    ExamplePool, Measure, Selection, Similarity, Utterances, built_in_dialogues,
};
use expect_test::{Expect, expect};
use std::path::Path;

/// Compares what a user said to what others said, after the same question.
#[track_caller]
fn check(similarity: &Similarity, user: &str, others: &[&str], expected: Expect) {
    let said = "How can I help you?";
    let others: Vec<Utterances<'_>> = (others.iter())
        .map(|user| Utterances { said, user })
        .collect();
    let compared = similarity.of(&others).unwrap();
    let found = compared.to_all(Utterances { said, user }).unwrap();
    let lines: Vec<String> = (others.iter().zip(found))
        .map(|(other, score)| format!("{score:.3} {}\n", other.user))
        .collect();
    expected.assert_eq(&lines.concat());
}

const OTHERS: [&str; 5] = [
    "delete photos/bat.txt please",
    "list my buckets",
    "delete delete delete \"a b\"",
    "Ja",
    "",
];

#[test]
fn bm25_gives_one_to_the_same_and_more_to_rare_words() {
    let bm25 = Similarity::Bm25;
    assert_eq!(bm25.name(), "bm25");
    check(
        &bm25,
        "delete sea/otter.txt please",
        &OTHERS,
        expect![[r#"
        1.000 delete photos/bat.txt please
        0.028 list my buckets
        0.619 delete delete delete "a b"
        0.034 Ja
        0.039 
    "#]],
    );
    // Nothing said on either side is no division by zero.
    let silence = Utterances { said: "", user: "" };
    assert_eq!(bm25.of(&[silence]).unwrap().to_all(silence).unwrap(), [0.0]);
}

#[test]
fn tf_idf_gives_one_to_the_same() {
    check(
        &Similarity::TfIdf,
        "delete sea/otter.txt please",
        &OTHERS,
        expect![[r#"
            1.000 delete photos/bat.txt please
            0.046 list my buckets
            0.680 delete delete delete "a b"
            0.076 Ja
            0.228 
        "#]],
    );
}

#[test]
fn a_measure_is_read_as_it_is_written() {
    for measure in [Measure::TfIdf, Measure::Bm25, Measure::MiniLm] {
        assert_eq!(measure.to_string().parse::<Measure>().unwrap(), measure);
    }
    let error = "words".parse::<Measure>().unwrap_err().to_string();
    expect![[r#"utterances are compared by tfidf, bm25 or minilm, not "words""#]].assert_eq(&error);
}

#[test]
fn words_find_the_same_kind_of_request_far_more_often_than_chance() {
    let train = built_in_dialogues(&S3).unwrap();
    let test = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3/test");
    let test = ExamplePool::from_dir(&test, &S3).unwrap();
    let mut lines = String::new();
    for similarity in [Similarity::TfIdf, Similarity::Bm25] {
        let pool = ExamplePool::compared_by(&similarity, &train, &S3).unwrap();
        let found = quality(&pool, test.examples(), &Selection::default()).unwrap();
        lines.push_str(&format!(
            "{:6} nearest {:.3} all {:.3} any {:.3} random {:.3} of {}\n",
            pool.similarity(),
            found.nearest,
            found.all,
            found.any,
            found.random,
            found.turns
        ));
    }
    expect![[r#"
        tfidf  nearest 0.331 all 0.233 any 0.494 random 0.025 of 257
        bm25   nearest 0.323 all 0.234 any 0.533 random 0.025 of 257
    "#]]
    .assert_eq(&lines);
}
