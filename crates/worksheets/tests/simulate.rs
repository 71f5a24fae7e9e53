//! Dialogues that are played through the sheets of the cases: what the specification says of
//! every turn holds in all of them.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use worksheets::{
    Desk, Format, Op, Settings, Sheets, Value, consent_digest, knowledge, program, read, simulate,
};

/// The sheets of the conformance cases, by their names.
fn books() -> Vec<(String, Sheets)> {
    let header = include_str!("data/cases.jsonl").lines().next().unwrap();
    let header: serde_json::Value = serde_json::from_str(header).unwrap();
    let books = header["sheets"].as_object().unwrap().iter();
    books
        .map(|(name, csv)| {
            let csv = csv.as_str().unwrap().as_bytes();
            (name.clone(), read(csv, Format::Csv).unwrap())
        })
        .collect()
}

/// Also nearly every cell is reached; a few hundred dialogues miss the rare ones.
#[test]
fn the_invariants_hold_in_every_turn() {
    for (hands_off, count) in [(false, 200), (true, 30)] {
        let settings = Settings {
            hands_off,
            ..Settings::default()
        };
        for (name, sheets) in books() {
            let simulated = simulate::run(&sheets, settings, 1, count);
            println!("{name}: {}", simulated.text());
            assert_eq!(simulated.broken, vec![], "{name}");
            let (reached, all) = simulated.coverage.share();
            assert!(hands_off || reached * 100 >= all * 95, "{name}");
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_dialogue() {
    for (name, sheets) in books() {
        let play = |seed| {
            let dialogue = simulate::dialogue(&sheets, Settings::default(), seed);
            let turns = dialogue.turns.iter();
            turns
                .map(|played| format!("{:?} {}", played.ops, played.turned.state.json()))
                .collect::<Vec<String>>()
        };
        assert_eq!(play(7), play(7), "{name}");
        let different: BTreeSet<Vec<String>> = (0..8).map(play).collect();
        assert!(different.len() > 5, "{name}: {}", different.len());
    }
}

/// Arguments may stand above the record that is called, or in another tree.
#[test]
fn a_yes_is_for_arguments_from_outside() {
    let above = "Party,task,,,\n,input,int,count,TRUE\n,input,Order,order_it,TRUE\n\
                 Order,task,,\"place(self.size, self.count)\",\n,input,str,size,TRUE\n\
                 ,input,confirm,sure,TRUE\n";
    let beside = "Order,task,,\"place(self.size, prefs.count)\",\n,input,str,size,TRUE\n\
                  ,input,confirm,sure,TRUE\nPrefs,task,,,\n,input,int,count,TRUE\n";
    for rows in [above, beside] {
        let csv = format!("WS Name,Kind,Type,Name,Required\n{rows}");
        let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
        let simulated = simulate::run(&sheets, Settings::default(), 1, 200);
        assert_eq!(simulated.broken, vec![], "{rows}");
        // A yes and a change of the argument in one breath occur, and are told apart.
        let mut changed = 0;
        for seed in 1..=200 {
            for played in simulate::dialogue(&sheets, Settings::default(), seed).turns {
                for step in &played.steps {
                    if let worksheets::Next::Call {
                        record, consent, ..
                    } = &step.next
                    {
                        let shown = consent_digest(&sheets, &played.before, record);
                        changed += usize::from(shown != *consent);
                    }
                }
            }
        }
        assert!(changed > 2, "{rows}: {changed}");
    }
}

/// A simulator whose invariants never fail proves nothing: a call without its confirmation, a
/// record that comes back, and a question twice are found.
#[test]
fn what_is_broken_is_found() {
    let csv = "WS Name,Kind,Type,Name,Required\nA,task,,go(self.x),\n,input,int,x,TRUE\n\
               ,input,confirm,sure,TRUE\n";
    let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
    let settings = Settings::default();
    let found = |name: &str, played: &simulate::SimulatedTurn| {
        let named = simulate::INVARIANTS
            .iter()
            .find(|(known, _)| *known == name);
        named.unwrap().1(&sheets, settings, played).is_err()
    };
    let mut tampered = 0;
    for seed in 0..60 {
        for mut played in simulate::dialogue(&sheets, settings, seed).turns {
            let mut steps = played.steps.iter_mut();
            let Some(step) = steps.find(|step| matches!(step.next, worksheets::Next::Call { .. }))
            else {
                continue;
            };
            tampered += 1;
            let mut state = step.state.json();
            let record = state["records"].as_array_mut().unwrap().last_mut().unwrap();
            record["fields"]["x"]["value"] = 99.into();
            step.state = worksheets::State::of(&state).unwrap();
            assert!(found("a call is for the values that were shown", &played));
            assert!(found("consent is for exactly one call", &played));
            played.before.acts.clear();
            assert!(found("no call is unconfirmed", &played));
            played.turned.acts.extend(played.turned.acts.clone());
            played.turned.state.records.clear();
            assert!(found("the same again gives the same", &played));
        }
    }
    assert!(tampered > 10, "{tampered}");
}

/// The texts and numbers that an operation gives. What is neither yes nor no is said as a no.
fn values(op: &Op) -> Vec<String> {
    let given: Vec<&Value> = match op {
        Op::New { fields, .. } => fields.values().map(|given| &given.value).collect(),
        Op::Set { value, .. } => vec![&value.value],
        _ => Vec::new(),
    };
    let plain = |value: &Value| match value {
        Value::Plain(Json::String(text)) => Some(text.clone()),
        Value::Plain(Json::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let plain = given.into_iter().filter_map(plain);
    plain
        .filter(|value| !["NA", "perhaps"].contains(&&**value))
        .collect()
}

/// What a model learns from simulated dialogues is what was played: each program comes to the
/// operations of its turn, and the words say the values.
#[test]
fn turns_have_a_program_and_words() {
    let (mut said, mut unsaid) = (0, 0);
    for (name, sheets) in books() {
        for seed in 0..60 {
            let dialogue = simulate::dialogue(&sheets, Settings::default(), seed);
            for (turn, played) in dialogue.turns.iter().enumerate() {
                let program = played.program(&sheets);
                let Some(words) = played.words(&sheets, seed) else {
                    unsaid += 1;
                    continue;
                };
                said += 1;
                let carried = program::turn(Desk::open(&sheets, &played.before), &program);
                let place = format!("{name}, seed {seed}, turn {turn}: {words}\n{program}");
                assert_eq!(carried.ended(), played.ended, "{place}");
                for value in played.ops.iter().flat_map(values) {
                    assert!(words.contains(&value), "{value} is not said: {place}");
                }
                assert_eq!(played.words(&sheets, seed), Some(words), "{place}");
                // A column without its table, and a list of texts, are the same to the desk.
                let desk =
                    played
                        .ops
                        .iter()
                        .fold(Desk::open(&sheets, &played.before), |mut desk, op| {
                            desk.apply(op).unwrap();
                            desk
                        });
                assert_eq!(carried.desk.state().json(), desk.state().json(), "{place}");
            }
        }
    }
    assert!(said > 1_000 && unsaid > 50, "{said} {unsaid}");
}

/// With the rows of tables the user asks for what is there, and is answered with all that fits.
#[test]
fn rows_are_those_of_the_tables() {
    let csv = "WS Name,Kind,Type,Name,Required\ninns,kb,,,\n,internal; primary,str,name,\n\
               ,internal,str,area,TRUE\n,internal,text,about,\nStay,task,,,\n\
               ,input,Inn,inn,TRUE\nInn,type,,,\n,internal; primary,str,name,\n\
               ,internal,str,area,\n";
    let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
    let rows =
        "name,area,about\nThe Rose,south,Quiet.\nThe Swan,south,Loud.\nThe Bear,north,Old.\n";
    let rows = knowledge::rows(rows).unwrap();
    let tables = simulate::Tables::from([("inns".to_owned(), rows)]);
    let mut seen = BTreeSet::new();
    for seed in 0..40 {
        let dialogue = simulate::dialogue_about(&sheets, Settings::default(), seed, &tables);
        for played in &dialogue.turns {
            for record in &played.turned.state.records {
                let Some(query) = record.query().filter(|query| query.total.is_some()) else {
                    continue;
                };
                let names = query.rows.iter().map(|row| row["name"].as_str().unwrap());
                let names = names.collect::<Vec<_>>().join(", ");
                seen.insert(format!("{}: {names}", query.text()));
            }
        }
    }
    let seen: Vec<String> = seen.into_iter().collect();
    println!("{}", seen.join("\n"));
    for one in [
        "inns with area south: The Rose, The Swan",
        "inns with area north: The Bear",
        "inns with name The Swan and area south: The Swan",
    ] {
        assert!(
            seen.iter().any(|it| it == one),
            "{one}\n{}",
            seen.join("\n")
        );
    }
}
