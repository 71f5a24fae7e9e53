//! Turns of dialogues, text in, verdicts out. `UPDATE_EXPECT=1` writes what is judged into the files.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use typed_claims::{
    Base, Catalogue, Claim, Constraints, Kind, Lexicon, Row, Schema, Tracker, restaurant,
};

/// The rows of a dialogue, in each language.
struct World {
    schema: Schema,
    lexica: Vec<(Lexicon, Catalogue)>,
}

impl World {
    fn of(rows: &[Row]) -> Self {
        let schema = restaurant::schema().unwrap();
        let lexica = restaurant::LANGUAGES.iter().map(|language| {
            let lexicon = restaurant::lexicon(language, &schema).unwrap();
            let catalogue = Catalogue::new(rows.to_vec(), &schema, &lexicon).unwrap();
            (lexicon, catalogue)
        });
        World {
            lexica: lexica.collect(),
            schema,
        }
    }

    fn tracker(&self, language: &str, only: Option<&[&str]>) -> Tracker<'_> {
        let mut lexica = self.lexica.iter();
        let known = lexica.find(|(lexicon, _)| lexicon.language == language);
        let (lexicon, catalogue) = known.unwrap();
        let base: Base = match only {
            Some(names) => catalogue.base(names, None),
            None => catalogue.full(),
        };
        Tracker::new(&self.schema, lexicon, catalogue, base)
    }
}

fn joined(constraints: &Constraints) -> String {
    let texts = constraints
        .iter()
        .map(|(slot, values)| format!(" {slot}={}", values.join("|")));
    texts.collect()
}

/// A claim in one line: kind, whom it is about, what it says, the verdict, and if it is not known.
fn line(claim: &Claim) -> String {
    let about = claim.kind.subject().map(|subject| format!(" {subject}"));
    let what = match &claim.kind {
        Kind::Slot {
            slot,
            value,
            negated,
            ..
        } => {
            let sign = if *negated { "≠" } else { "=" };
            format!(" {slot}{sign}{}", value.join("|"))
        }
        Kind::Count {
            n,
            at_least,
            constraints,
        } => {
            let sign = if *at_least { "≥" } else { "" };
            format!(" {sign}{n}{}", joined(constraints))
        }
        Kind::None(constraints) | Kind::Exists(constraints) => joined(constraints),
        Kind::Open { category, .. } => format!(" {category}"),
        Kind::Ref(value) => format!(" {value}"),
        Kind::Booked(done) => format!(" {done}"),
        _ => String::new(),
    };
    let unknown = if claim.in_kb { "" } else { ", not known" };
    let kind = claim.kind.name();
    let about = about.unwrap_or_default();
    format!("  {kind}{about}{what}: {}{unknown}", claim.verdict())
}

/// The text of a file with its verdicts anew. A blank line ends a dialogue; `user:` is what was said
/// before, `de:` a reply; `only:` the rows that are shown; `row:` a row instead of the restaurants.
fn judged(text: &str) -> String {
    let all = World::of(&restaurant::rows().unwrap());
    let mut out = String::new();
    for dialogue in text.trim_end().split("\n\n") {
        let rows = dialogue
            .lines()
            .filter_map(|line| line.strip_prefix("row: "));
        let rows = rows.map(|row| serde_json::from_str::<Row>(row).unwrap());
        let rows = rows.collect::<Vec<_>>();
        let own = (!rows.is_empty()).then(|| World::of(&rows));
        let world = own.as_ref().unwrap_or(&all);
        let mut only = None;
        let mut tracker: Option<Tracker<'_>> = None;
        let mut heard = Vec::new();
        for said in dialogue.lines().filter(|line| !line.starts_with("  ")) {
            writeln!(out, "{said}").unwrap();
            match said.split_once(": ") {
                Some(("user", user)) => match &mut tracker {
                    Some(tracker) => tracker.hear(user),
                    None => heard.push(user),
                },
                Some(("only", names)) => only = Some(names.split('|').collect::<Vec<_>>()),
                Some((language @ ("en" | "de" | "it"), reply)) => {
                    let tracker = tracker.get_or_insert_with(|| {
                        let mut tracker = world.tracker(language, only.as_deref());
                        heard.iter().for_each(|user| tracker.hear(user));
                        tracker
                    });
                    let verdict = tracker.check(&reply.replace("\\n", "\n"), None);
                    let mut lines = verdict.claims.iter().map(line).collect::<Vec<_>>();
                    lines.sort();
                    lines.dedup();
                    for line in lines {
                        writeln!(out, "{line}").unwrap();
                    }
                }
                _ => {}
            }
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/turns");
    let path = folder.join(name).with_extension("txt");
    let want = fs::read_to_string(&path).unwrap();
    let got = judged(&want);
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, got).unwrap();
        return;
    }
    assert_eq!(got, want, "{}", path.display());
}

#[test]
fn phones() {
    check("phones");
}

#[test]
fn what_is_no_error_is_not_flagged() {
    check("alarms");
}

#[test]
fn what_is_claimed_in_other_words_is_found() {
    check("misses");
}

#[test]
fn what_counts_and_denies_something_else_is_not_flagged() {
    check("counts");
}

#[test]
fn what_is_denied_of_several_is_denied_of_each() {
    check("neither");
}

#[test]
fn italian_names_and_slots() {
    check("italian_names_and_slots");
}

#[test]
fn italian_counts() {
    check("italian_counts");
}

#[test]
fn italian_denials() {
    check("italian_denials");
}

#[test]
fn italian_recommendations_and_questions() {
    check("italian_recommendations_and_questions");
}

#[test]
fn italian_bookings_and_lists() {
    check("italian_bookings_and_lists");
}

#[test]
fn what_belongs_to_a_row_is_not_the_row() {
    check("parts");
}
