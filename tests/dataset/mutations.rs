//! The scorer's eye: which changes of a program the signature sees, and which not.
//!
//! `mutations-1.txt` has programs that read, `mutations-2.txt` programs that write, and
//! `mutations-3.txt` programs over versions, tags, settings and locks, each with variants
//! written by hand. A wrong variant does something else than was asked for, and flips the
//! signature; a right one does the same in another way, and does not.
//!
//! ```text
//! == name (world)
//! the program
//! -- right KIND: what is different
//! a program
//! -- wrong KIND: what is different
//! a program
//! ```
//!
//! Kinds of right variants: `style`, `order` of independent calls, another `api`, more
//! `reads`, `retry`, the same `error` raised otherwise, and `blind`: a difference that
//! the signature by its definition has nothing of. Kinds of wrong ones: another `bucket`,
//! `key`, `prefix` or `content`, something `missing` or `extra`, another returned `value`,
//! `type` or `order`, another `error` or none.

use crate::support::sandbox;
use dialog2api::dataset::InitialWorlds;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::{self, Signature, World, s3::S3};
use dialog2api::exec::{Engine, Limits, Seed};
use expect_test::expect;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

const READING: &str = include_str!("mutations-1.txt");
const WRITING: &str = include_str!("mutations-2.txt");
const MANAGING: &str = include_str!("mutations-3.txt");

/// The programs of all files.
fn all_cases() -> Vec<Case<'static>> {
    [READING, WRITING, MANAGING].map(cases).concat()
}

/// A program with its variants.
#[derive(Clone)]
struct Case<'a> {
    name: &'a str,
    world: &'a str,
    program: &'a str,
    variants: Vec<Variant<'a>>,
}

#[derive(Clone)]
struct Variant<'a> {
    right: bool,
    kind: &'a str,
    note: &'a str,
    program: &'a str,
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let blocks = text.split("\n== ").skip(1);
    blocks.map(case).collect()
}

fn case(block: &str) -> Case<'_> {
    let (head, body) = block.split_once('\n').expect("a program below its name");
    let (name, world) = head.split_once(" (").expect("a name and a world");
    let mut parts = body.split("\n-- ");
    Case {
        name,
        world: world.strip_suffix(')').expect("a world in brackets"),
        program: parts.next().expect("a program").trim_end(),
        variants: parts.map(variant).collect(),
    }
}

fn variant(part: &str) -> Variant<'_> {
    let (head, program) = part.split_once('\n').expect("a program below its kind");
    let (kind, note) = head.split_once(": ").expect("a kind and a note");
    let (side, kind) = kind.split_once(' ').expect("right or wrong, and a kind");
    assert!(["right", "wrong"].contains(&side), "{side}");
    Variant {
        right: side == "right",
        kind,
        note,
        program: program.trim_end(),
    }
}

async fn run(engine: &Engine, program: &str, world: &Arc<dyn World>) -> (Signature, Outcome) {
    let world = world.fork().expect("an embedded world");
    let (limits, seed) = (Limits::default(), Seed::default());
    let ran = engine.run(program, &world, &limits, &seed);
    let outcome = ran.await.expect("the sandbox works").outcome;
    let signature = domain::signature(&*world, [&outcome]).await;
    (signature.expect("the world can be read"), outcome)
}

/// The code or class of an error.
fn code(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Result(_) => None,
        Outcome::Error(error) => Some(&error.error),
    }
}

/// Whether a variant ended as intended. A badly written variant would change every signature
/// and prove nothing.
fn ended_as_meant(kind: &str, outcome: &Outcome, original: &Outcome) -> bool {
    match (code(outcome), kind) {
        (None, _) => true,
        (Some(error), "error") => error.starts_with("NoSuch") || KNOWN.contains(&error),
        (error, _) => error == code(original),
    }
}

/// Errors that variants raise on purpose.
const KNOWN: &[&str] = &[
    "404",
    "BucketNotEmpty",
    "InvalidBucketName",
    "ChitChat",
    "OutOfScopeRequestError",
];

#[tokio::test]
async fn wrong_variants_flip_the_signature_and_right_ones_do_not() {
    let engine = sandbox().await;
    let worlds = InitialWorlds::new(&S3);
    let managing = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3-manage");
    let mut findings = String::new();
    for case in all_cases() {
        let world = worlds.named(&managing, case.world).expect("a world");
        let (signature, original) = run(&engine, case.program, &world).await;
        for variant in &case.variants {
            let (other, outcome) = run(&engine, variant.program, &world).await;
            let place = format!("{}, {}: {}", case.name, variant.kind, variant.note);
            if !ended_as_meant(variant.kind, &outcome, &original) {
                let _ = writeln!(findings, "{place}: not meant: {outcome:?}");
            }
            match (variant.right, other == signature) {
                (true, false) => {
                    let _ = writeln!(
                        findings,
                        "{place}: right, and flips it: {original:?} became {outcome:?}"
                    );
                }
                (false, true) => {
                    let _ = writeln!(findings, "{place}: wrong, and is not seen");
                }
                _ => {}
            }
        }
    }
    assert!(findings.is_empty(), "{findings}");
}

#[test]
fn how_many_variants_of_each_kind_there_are() {
    let mut counts: BTreeMap<(bool, &str), usize> = BTreeMap::new();
    let mut names = BTreeSet::new();
    let cases = all_cases();
    for case in &cases {
        assert!(names.insert(case.name), "{} stands twice", case.name);
        let mut programs = BTreeSet::from([case.program]);
        for variant in &case.variants {
            let new = programs.insert(variant.program);
            assert!(new, "{}: {} stands twice", case.name, variant.note);
            *counts.entry((variant.right, variant.kind)).or_default() += 1;
        }
        let right = case.variants.iter().filter(|variant| variant.right).count();
        let wrong = case.variants.len() - right;
        assert!(right >= 2 && wrong >= 3, "{}: too few", case.name);
    }
    assert!(cases.len() >= 40, "{} programs", cases.len());
    let mut shown = format!("{} programs\n", cases.len());
    for right in [true, false] {
        let of_side = counts.iter().filter(|((side, _), _)| *side == right);
        let sum: usize = of_side.clone().map(|(_, count)| count).sum();
        let kinds: Vec<String> = of_side
            .map(|((_, kind), count)| format!("{count} {kind}"))
            .collect();
        let side = if right { "right" } else { "wrong" };
        let _ = writeln!(shown, "{sum} {side}: {}", kinds.join(", "));
    }
    expect![[r#"
        54 programs
        119 right: 20 api, 3 blind, 2 error, 18 order, 17 reads, 13 retry, 46 style
        198 wrong: 20 bucket, 16 content, 16 error, 26 extra, 21 key, 35 missing, 7 order, 10 prefix, 15 type, 32 value
    "#]]
    .assert_eq(&shown);
}
