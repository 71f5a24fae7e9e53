//! One case: what is asked, and what is expected.

use std::sync::Arc;

use decision_games::planning::{self, Planning, Wish};
use decision_games::{
    Decision, End, Game, Illegal, Play, Points, Recorded, Rules, Table, mediation, open,
    optimization, solve,
};
use serde_json::{Value, json};

use super::games;

type Checked = Result<(), String>;

pub fn check(case: &Value) -> Checked {
    let expect = &case["expect"];
    match case["kind"].as_str().unwrap() {
        "score" => score(case, expect),
        "distance" => distance(case, expect),
        "mask" => mask(case, expect),
        "assign" => assign(case, expect),
        "view" => view(case, expect),
        "scorecard" => scorecard(case, expect),
        "no-leak" => no_leak(case, expect),
        "parse" => parse(case, expect),
        "search" => search(case, expect),
        "play" => play(case, expect),
        "prefix" => prefix(case, expect),
        "resume" => resume(case, expect),
        "replay" => replay(case, expect),
        "silent" | "pooled" => silent(case, expect),
        "solve" => solve_wishes(case, expect),
        kind => Err(format!("no test knows the kind {kind:?}")),
    }
}

fn kind(case: &Value) -> &str {
    case["game"].as_str().unwrap()
}

fn recorded(case: &Value) -> &'static Recorded {
    games::find(kind(case), case["index"].as_u64().unwrap())
}

fn world(case: &Value) -> Value {
    match case.get("world") {
        Some(world) => world.clone(),
        None => recorded(case).world.clone(),
    }
}

fn rules(case: &Value) -> Rules {
    match case["rules"].as_str() {
        Some("released") => Rules::released(),
        _ => Rules::default(),
    }
}

fn game(case: &Value) -> Result<Arc<dyn Game>, String> {
    open(kind(case), &world(case), rules(case))
}

fn seat(game: &dyn Game, name: &Value) -> usize {
    let name = name.as_str().unwrap();
    game.seats()
        .iter()
        .position(|seat| seat.name == name)
        .unwrap()
}

fn same(what: &str, got: impl Into<Value>, expected: &Value) -> Checked {
    let got = got.into();
    let near = |a: &Value, b: &Value| match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9,
        _ => a == b,
    };
    match near(&got, expected) {
        true => Ok(()),
        false => Err(format!("{what}: got {got}, expected {expected}")),
    }
}

/// The parts of the points that the case names.
fn points(points: Points, expect: &Value) -> Checked {
    for (name, value) in [
        ("score", points.score),
        ("best", points.best),
        ("worst", points.worst),
    ] {
        if let Some(expected) = expect.get(name) {
            same(name, value, expected)?;
        }
    }
    match expect.get("norm") {
        Some(expected) => same("norm", points.norm(), expected),
        None => Ok(()),
    }
}

fn score(case: &Value, expect: &Value) -> Checked {
    let game = game(case)?;
    let decision = match case["text"].as_str() {
        Some(text) => game.read(text).map_err(|illegal| illegal.to_string())?,
        None => case["proposal"].clone(),
    };
    points(game.points(&decision), expect)?;
    match kind(case) {
        "planning" => score_planning(case, expect, &decision),
        "mediation" => score_mediation(case, expect, &decision),
        _ => match expect.get("cells") {
            Some(cells) => same("cells", decision, cells),
            None => Ok(()),
        },
    }
}

fn score_planning(case: &Value, expect: &Value, decision: &Decision) -> Checked {
    let game = planning(case)?;
    let score = game.score(&game.stops(decision));
    same("total", score.total, &expect["total"])?;
    same(
        "by_preference",
        score.by_preference,
        &expect["by_preference"],
    )?;
    same("by_slot", score.by_slot.to_vec(), &expect["by_slot"])?;
    let overall: Vec<Value> = score
        .overall
        .iter()
        .map(|(desc, score)| json!({"desc": desc, "score": score}))
        .collect();
    same("overall", overall, &expect["overall"])?;
    let legs: Vec<Value> = score
        .legs
        .iter()
        .map(|leg| json!(leg.map(|tenths| tenths as f64 / 10.0)))
        .collect();
    same("legs", legs, &expect["legs"])
}

fn planning(case: &Value) -> Result<Planning, String> {
    Planning::new(serde_json::from_value(world(case)).unwrap(), rules(case))
}

fn score_mediation(case: &Value, expect: &Value, decision: &Decision) -> Checked {
    let world: mediation::MediationWorld = serde_json::from_value(world(case)).unwrap();
    let flights = mediation::Mediation::flights(decision);
    let costs = mediation::costs(&world, flights).map(|costs| {
        json!({
            "calendar": costs.calendar, "price": costs.price,
            "arrival_time": costs.arrival_time, "total": costs.total(),
        })
    });
    same("costs", costs.to_vec(), &expect["costs"])?;
    same(
        "hours",
        mediation::hours_apart(&world, flights),
        &expect["hours_apart"],
    )
}

fn distance(case: &Value, expect: &Value) -> Checked {
    let place = |name: &str| serde_json::from_value(case[name].clone()).unwrap();
    same(
        "miles",
        planning::miles(place("a"), place("b")),
        &expect["miles"],
    )
}

fn mask(case: &Value, expect: &Value) -> Checked {
    let table: Vec<Vec<i64>> = serde_json::from_value(case["table"].clone()).unwrap();
    let known: Vec<Vec<u8>> = serde_json::from_value(case["known"].clone()).unwrap();
    let seen = optimization::mask(&table, &known, case["scale"].as_f64().unwrap());
    same("view", json!(seen), &expect["view"])
}

fn assign(case: &Value, expect: &Value) -> Checked {
    let matrix: Vec<Vec<i64>> = serde_json::from_value(case["matrix"].clone()).unwrap();
    let found = solve::assign(&matrix);
    same("value", found.value, &expect["value"])?;
    same("columns", json!(found.columns), &expect["columns"])
}

fn view(case: &Value, expect: &Value) -> Checked {
    let game = game(case)?;
    same(
        "text",
        game.view(seat(game.as_ref(), &case["party"])),
        &expect["text"],
    )
}

fn scorecard(case: &Value, expect: &Value) -> Checked {
    let game = game(case)?;
    let to = seat(game.as_ref(), &case["party"]);
    let by = game
        .seats()
        .iter()
        .position(|seat| seat.may_propose)
        .unwrap();
    same(
        "text",
        game.show(&case["proposal"], to, by),
        &expect["text"],
    )
}

/// Everything that a seat can get before a scorecard: its view, every answer and every refusal.
fn no_leak(case: &Value, expect: &Value) -> Checked {
    let game = game(case)?;
    let me = seat(game.as_ref(), &case["party"]);
    let mut heard = game.view(me);
    for text in [
        "",
        "hello",
        "[message] hello",
        "[propose] nonsense",
        "[tool] Search()",
        "[tool] x",
        "[accept]",
    ] {
        let mut table = Table::new(Arc::clone(&game), rules(case), Play::Strict);
        heard += &match table.turn(me, text) {
            Ok(seen) => seen[me].clone(),
            Err(illegal) => illegal.to_string(),
        };
    }
    if game.seats()[me].may_query {
        for query in [
            "Search(fields=[name, category, price, info])",
            "Search(fields=[secret])",
            "Search(",
            "",
        ] {
            heard += &match game.query(query) {
                Ok(text) => text,
                Err(illegal) => illegal.to_string(),
            };
        }
    }
    for text in expect["absent"].as_array().unwrap() {
        let text = text.as_str().unwrap();
        if heard.contains(text) {
            return Err(format!("{text:?} is in what {} gets", case["party"]));
        }
    }
    Ok(())
}

fn answer(result: Result<Value, Illegal>, expect: &Value, what: &str) -> Checked {
    match (result, expect.get("error")) {
        (Err(illegal), Some(code)) if code.is_string() => same("error", illegal.code.name(), code),
        (Err(_), Some(_)) => Ok(()),
        (Ok(got), None) => same(what, got, &expect[what]),
        (Ok(got), Some(code)) => Err(format!("got {got}, expected {code}")),
        (Err(illegal), None) => Err(illegal.to_string()),
    }
}

fn parse(case: &Value, expect: &Value) -> Checked {
    answer(
        game(case)?.read(case["text"].as_str().unwrap()),
        expect,
        "proposal",
    )
}

fn search(case: &Value, expect: &Value) -> Checked {
    let found = game(case)?.query(case["query"].as_str().unwrap());
    answer(found.map(Value::from), expect, "text")
}

fn movers(table: &Table) -> Vec<&'static str> {
    table
        .movers()
        .iter()
        .map(|seat| table.game().seats()[*seat].name)
        .collect()
}

fn play(case: &Value, expect: &Value) -> Checked {
    let game = game(case)?;
    let mut table = Table::new(Arc::clone(&game), rules(case), Play::Strict);
    let turns = case["turns"].as_array().unwrap().iter();
    for (number, (turn, step)) in turns.zip(expect["steps"].as_array().unwrap()).enumerate() {
        let result = table.turn(seat(game.as_ref(), &turn[0]), turn[1].as_str().unwrap());
        let what = format!("step {number}");
        same(&format!("{what} movers"), movers(&table), &step["movers"])?;
        if let Some(refused) = step.get("refused") {
            same(&what, result.is_err(), refused)?;
            continue;
        }
        match (result, step.get("error")) {
            (Err(illegal), Some(code)) => same(&what, illegal.code.name(), code)?,
            (Ok(seen), None) => {
                for (name, expected) in step["obs"].as_object().unwrap() {
                    let got = seen[seat(game.as_ref(), &json!(name))].clone();
                    same(&format!("{what} {name}"), got, expected)?;
                }
            }
            (Ok(_), Some(code)) => return Err(format!("{what}: accepted, expected {code}")),
            (Err(illegal), None) => return Err(format!("{what}: {illegal}")),
        }
    }
    same("over", table.position().ended().is_some(), &expect["over"])?;
    match expect.get("final") {
        Some(expected) => {
            assert!(matches!(table.position().ended(), Some(End::Accepted(_))));
            points(table.points().unwrap(), expected)
        }
        None => Ok(()),
    }
}

fn prefix(case: &Value, expect: &Value) -> Checked {
    let game = recorded(case);
    same("words", game.words(game.turns.len()), &expect["words"])?;
    for (name, expected) in expect["words_before"].as_object().unwrap() {
        let cut = match name.parse() {
            Ok(percent) => game.cut(percent),
            Err(_) => game.cut_at_last_proposal(),
        };
        same(name, cut, &expect[name.as_str()])?;
        same(&format!("words before {name}"), game.words(cut), expected)?;
    }
    Ok(())
}

fn resume(case: &Value, expect: &Value) -> Checked {
    let turns = case["prefix"].as_u64().unwrap() as usize;
    let table = recorded(case)
        .table(game(case)?, turns)
        .map_err(|illegal| illegal.to_string())?;
    let table = table.strictly(Rules::default());
    same("movers", movers(&table), &expect["movers"])?;
    let pending = table.position().pending();
    same(
        "pending",
        pending.map_or(Value::Null, |pending| sorted(&pending.decision)),
        &sorted(&expect["pending"]),
    )?;
    let names = pending.map(|pending| {
        pending
            .accepted
            .iter()
            .map(|seat| table.game().seats()[*seat].name)
            .collect::<Vec<_>>()
    });
    same("answered", names.unwrap_or_default(), &expect["answered"])
}

/// Pairs of an assignment in the order of rows.
fn sorted(decision: &Value) -> Value {
    let mut decision = decision.clone();
    if let Some(pairs) = decision
        .as_array_mut()
        .filter(|pairs| pairs.iter().all(Value::is_array))
    {
        pairs.sort_by_key(|pair| pair[0].as_u64());
    }
    decision
}

fn replay(case: &Value, expect: &Value) -> Checked {
    let replay = recorded(case)
        .replay(game(case)?)
        .map_err(|illegal| illegal.to_string())?;
    same("late answers", replay.late_answers, &expect["late_answers"])?;
    same("replaced", replay.replaced, &expect["replaced"])?;
    same("partial", replay.partial, &expect["partial"])?;
    same("accepted", replay.decision.is_some(), &expect["accepted"])?;
    match (replay.decision, expect["norm"].is_null()) {
        (Some(decision), false) => points(decision, expect),
        _ => Ok(()),
    }
}

fn silent(case: &Value, expect: &Value) -> Checked {
    let game = game(case)?;
    let decision = match (kind(case), case["kind"].as_str().unwrap()) {
        ("optimization", kind) => {
            let world: optimization::OptimizationWorld =
                serde_json::from_value(world(case)).unwrap();
            let me = seat(game.as_ref(), &case["party"]);
            let columns = match kind {
                "silent" => optimization::silent(&world.seen(me)),
                _ => optimization::pooled(&world.seen(me), &world.seen(1 - me)),
            };
            optimization::Optimization::decision(&columns)
        }
        ("mediation", _) => {
            let world: mediation::MediationWorld = serde_json::from_value(world(case)).unwrap();
            let (flights, ties) = mediation::silent(&world);
            same("ties", ties, &expect["ties"])?;
            mediation::Mediation::decision(flights)
        }
        _ => game.silent(1),
    };
    same("proposal", decision.clone(), &expect["proposal"])?;
    if let Some(total) = expect.get("total") {
        same("total", game.points(&decision).score, total)?;
    }
    points(game.points(&decision), expect)
}

fn solve_wishes(case: &Value, expect: &Value) -> Checked {
    let game = planning(case)?;
    let wishes: Vec<Wish> =
        serde_json::from_value(case["wishes"].clone()).map_err(|e| e.to_string())?;
    let found = planning::suggest(
        &game.world().sites,
        &wishes,
        case["prior"].as_bool().unwrap_or(false),
    );
    let decision = game.decision(&found.stops.map(Some));
    same("proposal", decision.clone(), &expect["proposal"])?;
    if let Some(value) = expect.get("value") {
        same("value", found.value as f64 / 10_000.0, value)?;
    }
    same("ties", found.ties, &expect["ties"])?;
    if let Some(total) = expect.get("total") {
        same("total", game.points(&decision).score, total)?;
    }
    points(game.points(&decision), expect)
}
