//! The cases of the checker, and every file of that form in the folder that
//! `DIALOG2API_EXTRA_CASES` names.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::collections::BTreeSet;
use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

use serde_json::{Value as Json, json};
use typed_claims::{
    Catalogue, Claim, Constraints, Evidence, Kind, Lexicon, Schema, Subject, Tracker, restaurant,
};

struct World {
    schema: Schema,
    lexica: Vec<(Lexicon, Catalogue)>,
}

fn world() -> World {
    let schema = restaurant::schema().unwrap();
    let lexica = restaurant::LANGUAGES.iter().map(|language| {
        let lexicon = restaurant::lexicon(language, &schema).unwrap();
        let catalogue = Catalogue::new(restaurant::rows().unwrap(), &schema, &lexicon).unwrap();
        (lexicon, catalogue)
    });
    World {
        lexica: lexica.collect(),
        schema,
    }
}

fn joined(constraints: &Constraints) -> Json {
    constraints
        .iter()
        .map(|(slot, values)| (slot.clone(), json!(values.join("|"))))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// A claim as the cases write it, without verdicts.
fn written(claim: &Claim) -> Json {
    let mut object = serde_json::Map::new();
    object.insert("kind".into(), json!(claim.kind.name()));
    match claim.kind.subject() {
        Some(Subject::New(name)) => drop(object.insert("name".into(), json!(name))),
        Some(rows) => drop(object.insert("entity".into(), json!(rows.to_string()))),
        None => {}
    }
    match &claim.kind {
        Kind::Slot {
            slot,
            value,
            negated,
            ..
        } => {
            object.insert("slot".into(), json!(slot));
            object.insert("value".into(), json!(value.join("|")));
            if *negated {
                object.insert("negated".into(), json!(true));
            }
        }
        Kind::Open { category, .. } => drop(object.insert("slot".into(), json!(category))),
        Kind::Ref(value) => drop(object.insert("value".into(), json!(value))),
        Kind::Count {
            n,
            at_least,
            constraints,
        } => {
            object.insert("n".into(), json!(n));
            object.insert("constraints".into(), joined(constraints));
            if *at_least {
                object.insert("at_least".into(), json!(true));
            }
        }
        Kind::None(constraints) | Kind::Exists(constraints) => {
            drop(object.insert("constraints".into(), joined(constraints)))
        }
        _ => {}
    }
    Json::Object(object)
}

/// An object with its keys in order, as text.
fn line(value: &Json) -> String {
    let mut value = value.clone();
    value.sort_all_objects();
    value.to_string()
}

fn check(world: &World, case: &Json) -> Result<(), String> {
    let strings = |value: &Json| {
        value.as_array().map(|list| {
            list.iter()
                .filter_map(|text| text.as_str().map(str::to_owned))
                .collect::<Vec<_>>()
        })
    };
    let language = case["lang"].as_str().unwrap();
    let (lexicon, catalogue) = world
        .lexica
        .iter()
        .find(|(lexicon, _)| lexicon.language == language)
        .ok_or(format!("no lexicon {language}"))?;
    let names = strings(&case["kb"]["names"]);
    let slots = strings(&case["kb"]["slots"]);
    let all = catalogue
        .rows()
        .iter()
        .map(|row| row["name"].clone())
        .collect::<Vec<_>>();
    let names = names.unwrap_or(all);
    let names = names.iter().map(String::as_str).collect::<Vec<_>>();
    let slots = slots
        .as_ref()
        .map(|slots| slots.iter().map(String::as_str).collect::<Vec<_>>());
    let mut tracker = Tracker::new(
        &world.schema,
        lexicon,
        catalogue,
        catalogue.base(&names, slots.as_deref()),
    );
    for turn in case["context"].as_array().unwrap() {
        match (turn["user"].as_str(), turn["system"].as_str()) {
            (Some(user), _) => tracker.hear(user),
            (_, Some(system)) => drop(tracker.check(system, None)),
            _ => return Err("a turn of nobody".into()),
        }
    }
    let evidence = case["evidence"].as_array().map(|programs| {
        let mut evidence = Evidence::default();
        for program in programs {
            evidence.push(
                strings(&program["literals"]).unwrap_or_default(),
                program["result"].clone(),
            );
        }
        evidence
    });
    let verdict = tracker.check(case["reply"].as_str().unwrap(), evidence.as_ref());
    let listed = |claim: &&Claim| !matches!(claim.kind, Kind::All { .. } | Kind::Booked(_));
    let got = verdict.claims.iter().filter(listed).map(|claim| {
        let mut value = written(claim);
        value["true"] = json!(claim.truth);
        value["in_kb"] = json!(claim.in_kb);
        line(&value)
    });
    let got = got.collect::<BTreeSet<_>>();
    let want = case["claims"]
        .as_array()
        .unwrap()
        .iter()
        .map(line)
        .collect::<BTreeSet<_>>();
    let flags = serde_json::to_value(verdict.flags).unwrap();
    let turn = case["turn"].as_object().unwrap();
    let wrong = turn
        .iter()
        .filter(|(name, value)| flags[name.as_str()] != **value)
        .map(|(name, _)| name.clone())
        .collect::<Vec<_>>();
    let mut unsupported = Vec::new();
    if let Some(want) = case["unsupported"].as_array() {
        let got = verdict
            .claims
            .iter()
            .filter(listed)
            .filter(|claim| claim.evidenced == Some(false))
            .map(|claim| line(&written(claim)));
        let got = got.collect::<BTreeSet<_>>();
        let want = want.iter().map(line).collect::<BTreeSet<_>>();
        unsupported = got.symmetric_difference(&want).cloned().collect();
    }
    if got == want && wrong.is_empty() && unsupported.is_empty() {
        return Ok(());
    }
    let missing = want
        .difference(&got)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n    ");
    let extra = got
        .difference(&want)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n    ");
    Err(format!(
        "{}\n  missing\n    {missing}\n  extra\n    {extra}\n  flags {wrong:?}\n  support {unsupported:?}",
        case["reply"]
    ))
}

/// Runs the cases of a text of lines; gives the failures and the number of cases.
fn run(text: &str) -> (Vec<String>, usize) {
    let world = world();
    let (mut failures, mut count) = (Vec::new(), 0);
    for case in text.lines().filter(|line| !line.trim().is_empty()) {
        let case: Json = serde_json::from_str(case).unwrap();
        count += 1;
        if let Err(failure) = check(&world, &case) {
            failures.push(format!("{}: {failure}", case["id"]));
        }
    }
    (failures, count)
}

#[test]
fn the_cases_pass() {
    let (failures, _) = run(include_str!("data/cases.jsonl"));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn further_cases_pass() {
    let Some(folder) = std::env::var_os("DIALOG2API_EXTRA_CASES") else {
        return;
    };
    let (mut failures, mut count) = (Vec::new(), 0);
    for entry in fs::read_dir(Path::new(&folder)).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
        if is_of_replies(&text) {
            let (failed, more) = run(&text);
            failures.extend(failed);
            count += more;
        }
    }
    let passed = count - failures.len();
    // What a macro prints is seen only where a test fails.
    writeln!(stdout(), "{passed} of {count} further cases passed").unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Whether the first line is a case of this form.
fn is_of_replies(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let case = serde_json::from_str::<Json>(first).unwrap_or_default();
    ["reply", "kb"].iter().all(|key| case.get(key).is_some())
}
