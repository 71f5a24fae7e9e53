//! Rows with odd names: whatever a row is called, a reply is judged, and soon.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::sync::{LazyLock, mpsc};
use std::thread;
use std::time::Duration;

use typed_claims::{Catalogue, Knowledge, Lexicon, Row, Schema, Tracker, restaurant};

/// How long a reply may take before it counts as endless.
const ENOUGH: Duration = Duration::from_secs(60);

static WORDS: LazyLock<(Schema, Vec<Lexicon>)> = LazyLock::new(|| {
    let schema = restaurant::schema().unwrap();
    let lexica = restaurant::LANGUAGES.iter();
    let lexica = lexica.map(|language| restaurant::lexicon(language, &schema).unwrap());
    let lexica = lexica.collect();
    (schema, lexica)
});

fn row(name: &str) -> Row {
    [("name", name), ("food", "indian"), ("phone", "01223350688")]
        .map(|(slot, value)| (slot.to_owned(), value.to_owned()))
        .into()
}

/// The verdicts on replies about rows with these names, in each language.
fn verdicts(names: &[String], reply: &str) -> Vec<String> {
    let (schema, lexica) = &*WORDS;
    let mut found = Vec::new();
    for lexicon in lexica {
        let rows = names.iter().map(|name| row(name)).collect();
        // A blank name is refused.
        let Ok(catalogue) = Catalogue::new(rows, schema, lexicon) else {
            continue;
        };
        let mut tracker = Tracker::new(schema, lexicon, &catalogue, catalogue.full());
        tracker.hear(reply);
        let claims = tracker.check(reply, None).claims;
        let claims = claims.iter().map(|claim| claim.kind.name());
        found.push(claims.collect::<Vec<_>>().join(" "));
    }
    found
}

/// Runs something that has to end.
fn ends<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, wait) = mpsc::channel();
    thread::spawn(move || done.send(work()));
    let found = wait.recv_timeout(ENOUGH);
    found.unwrap_or_else(|_| panic!("no end: {what}"))
}

/// Names of every odd kind: words of the lexica alone and together, signs, one letter, long ones.
fn odd() -> Vec<String> {
    let words = [
        "the",
        "restaurant",
        "ristorante",
        "The Restaurant",
        "bar",
        "and",
        "&",
        "of",
        "ask",
        "a",
        "J",
        "ist",
        "è",
        "1",
        "12",
        "street",
        "indian",
        "centre",
        "it",
        "no",
        "'s",
        "n't",
        "st",
    ];
    let signs = [
        ".", "-", "*", "**", "\"", "'", ":", "…", "·", "()", "#", "\u{301}", "\u{200b}",
        "\u{feff}", "😀", "?", "!", "- -", ". .", "/", "\n", "a\nb", "\t", "|", "_", "~", "<n>",
        "_3",
    ];
    let mut names = words.map(str::to_owned).to_vec();
    names.extend(signs.map(str::to_owned));
    for one in words {
        names.extend(words.iter().take(8).map(|two| format!("{one} {two}")));
        names.extend(signs.map(|sign| format!("{one}{sign}")));
        names.extend(signs.map(|sign| format!("{sign} {one}")));
    }
    names.push("a".repeat(20_000));
    names.push("restaurant ".repeat(2_000));
    names.push("word ".repeat(5_000));
    names.push("- ".repeat(5_000));
    names
}

#[test]
fn a_name_that_is_only_a_head_word_has_an_end() {
    for name in [
        "the restaurant",
        "restaurant",
        "The Restaurant",
        "ristorante",
    ] {
        let names = vec![name.to_owned()];
        let reply = format!("{name} serves Indian food.");
        let found = ends(name, move || verdicts(&names, &reply));
        assert_eq!(found.len(), restaurant::LANGUAGES.len());
    }
    let names = vec!["The Restaurant".to_owned()];
    let found = ends("named", move || {
        verdicts(&names, "The Restaurant serves Indian food.")
    });
    assert_eq!(found[0], "entity slot");
}

#[test]
fn every_odd_name_has_an_end() {
    let reply = "The Restaurant - \"it\" is (no. 1) an Indian bar in the centre: 'a' & b, call 01223 350688.";
    for name in odd() {
        let said = name.chars().take(400).collect::<String>();
        let what = said.chars().take(40).collect::<String>();
        ends(&what, move || {
            verdicts(std::slice::from_ref(&name), reply);
            verdicts(std::slice::from_ref(&name), &said);
            verdicts(&[name], &format!("{said} serves Indian food, {said}."));
        });
    }
    let names = odd();
    let words = names.iter().take(40).cloned().collect::<Vec<_>>().join(" ");
    ends("all of them", move || verdicts(&names, &words));
}

#[test]
fn a_long_name_is_told_by_its_beginning() {
    let name = "Long Dragon ".repeat(3_000);
    let reply = format!("{name} serves Indian food.");
    let found = ends("a long name", move || verdicts(&[name], &reply));
    assert!(found[0].starts_with("entity"), "{found:?}");
}

#[test]
fn odd_values_and_words_have_an_end() {
    for value in [
        "",
        " ",
        "-",
        "'s",
        "the",
        "restaurant",
        "😀",
        &"word ".repeat(5_000),
    ] {
        let value = value.to_owned();
        ends("a value", move || {
            let schema =
                "key = 'name'\n[slots]\nstatus = { kind = 'value' }\nnote = { kind = 'text' }";
            let row: Row = [
                ("name", "atlas"),
                ("status", value.as_str()),
                ("note", &value),
            ]
            .map(|(slot, value)| (slot.to_owned(), value.to_owned()))
            .into();
            let known = Knowledge::read(schema, "en", vec![row]).unwrap();
            known
                .tracker()
                .check(&format!("Atlas is {value}. It is - the 's."), None);
        });
    }
    // What a domain's file may bring: nothing that matches nothing makes a reply endless.
    for entry in [
        "''",
        "' '",
        "'a?'",
        "'_3'",
        "'|'",
        "'~'",
        "'-'",
        "'_0'",
        "'<noun>?'",
    ] {
        let schema = format!(
            "key = 'name'\n[slots]\nstatus = {{ kind = 'value' }}\n[lexicon.en]\nnouns = [{entry}]\n\
             localities = [{entry}]\n[lexicon.en.words]\nhead = [{entry}]\n[lexicon.en.slots]\n\
             status = [{entry}]\n[lexicon.en.values.status]\nopen = [{entry}]\n[lexicon.en.open]\nmenu = [{entry}]\n"
        );
        let what = entry.to_owned();
        ends(&what, move || {
            let row: Row = [("name".to_owned(), "atlas".to_owned())].into();
            if let Ok(known) = Knowledge::read(&schema, "en", vec![row]) {
                known.tracker().check("Atlas is open, a - | ~ it.", None);
            }
        });
    }
}
