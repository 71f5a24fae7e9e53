//! The conformance cases: by the operations that a program comes to, and the effects that
//! each step is answered with.

use serde_json::{Value as Json, json};
use std::collections::HashMap;
use worksheets::{
    Agenda, Desk, Effect, Ended, Format, Host, Next, Op, Settings, Sheets, State, check, follow,
    holds, program, program::Called, read, state_text,
};

/// The rules that the cases know. `check` has more.
const RULES: &[&str] = &[
    "no-task-sheet",
    "duplicate-sheet",
    "duplicate-field",
    "unknown-type",
    "enum-without-options",
    "unreadable-predicate",
    "no-primary",
    "unconfirmed-call",
];

/// Runs all cases of a file; how many there are, and what failed.
pub fn run(text: &str) -> (usize, Vec<String>) {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let header: Json = serde_json::from_str(lines.next().unwrap()).unwrap();
    assert_eq!(header["format"], "worksheets-cases");
    let sheets: HashMap<String, Sheets> = header["sheets"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, csv)| {
            let sheets = read(csv.as_str().unwrap().as_bytes(), Format::Csv).unwrap();
            (name.clone(), sheets)
        })
        .collect();
    let (mut count, mut failures) = (0, Vec::new());
    for line in lines {
        let case: Json = serde_json::from_str(line).unwrap();
        count += 1;
        let sheets = case["sheets"].as_str().map(|name| &sheets[name]);
        let result = match case["kind"].as_str().unwrap_or("turn") {
            "turn" => turn(sheets.unwrap(), &case),
            "predicate" => {
                let state = State::of(&case["state"]).unwrap();
                let expr = case["expr"].as_str().unwrap();
                let found = holds(sheets.unwrap(), &state, case["of"].as_str(), expr);
                same("value", &json!(found), &case["value"])
            }
            "state-text" => {
                let state = State::of(&case["state"]).unwrap();
                let text = state_text(sheets.unwrap(), &state);
                same("text", &json!(text), &case["text"])
            }
            "load" => load(&case),
            "problems" => problems(&case),
            other => Err(format!("{other} is no kind of case")),
        };
        if let Err(why) = result {
            failures.push(format!("{}: {why}", case["id"].as_str().unwrap()));
        }
    }
    (count, failures)
}

fn same(what: &str, found: &Json, wanted: &Json) -> Result<(), String> {
    if found == wanted {
        return Ok(());
    }
    Err(format!("{what}\n  found  {found}\n  wanted {wanted}"))
}

fn load(case: &Json) -> Result<(), String> {
    let csv = case["csv"].as_str().unwrap();
    let sheets = read(csv.as_bytes(), Format::Csv).map_err(|problems| format!("{problems:?}"))?;
    same("spec", &sheets.spec(), &case["spec"])
}

fn problems(case: &Json) -> Result<(), String> {
    let csv = case["csv"].as_str().unwrap();
    let found = match read(csv.as_bytes(), Format::Csv) {
        Ok(sheets) => check(&sheets),
        Err(problems) => problems,
    };
    let mut found: Vec<(String, String)> = found
        .into_iter()
        .filter(|problem| RULES.contains(&problem.rule))
        .map(|problem| (problem.rule.to_owned(), problem.place))
        .collect();
    let wanted = case["problems"].as_array().unwrap().iter();
    let mut wanted: Vec<(String, String)> = wanted
        .map(|pair| {
            let text = |at: usize| pair[at].as_str().unwrap().to_owned();
            (text(0), text(1))
        })
        .collect();
    found.sort();
    found.dedup();
    wanted.sort();
    same("problems", &json!(found), &json!(wanted))
}

/// Answers each step as the case has it.
struct Scripted<'c> {
    sheets: &'c Sheets,
    effects: std::slice::Iter<'c, Json>,
    called: Vec<String>,
}

impl Host for Scripted<'_> {
    type Error = String;

    fn perform(&mut self, next: &Next, desk: Desk<'_>) -> Result<Effect, String> {
        if let Next::Call { record, code, .. } = next {
            let called = Called::of(self.sheets, desk.state(), record, code)?;
            self.called.push(called.to_string());
        }
        let found = match next {
            Next::Query { query, text } => json!({"query": query, "text": text}),
            Next::Action { place, .. } => json!({"action": place.to_string()}),
            Next::Call { record, .. } => json!({"call": record}),
            Next::Acts(_) => unreachable!(),
        };
        let Some(wanted) = self.effects.next() else {
            return Err(format!("a step that the case lacks: {found}"));
        };
        for (key, value) in found.as_object().unwrap() {
            same("step", value, &wanted[key])?;
        }
        if let (Next::Action { sheet, .. }, Some(wanted)) = (next, wanted["sheet"].as_str()) {
            same("sheet of an action", &json!(sheet), &json!(wanted))?;
        }
        Effect::of(wanted)
    }
}

/// What is read from the program's text is what the case has it come to.
fn program(sheets: &Sheets, before: &State, case: &Json) -> Result<(), String> {
    let code = case["program"].as_str().unwrap();
    let carried = program::turn(Desk::open(sheets, before), code);
    let raised = carried.raised.as_ref().map(|raised| raised.error);
    let said = case["ended"].as_str();
    let said = said.map(|said| said.strip_prefix("error: ").unwrap_or(said));
    let class = said.map(|said| said.split(':').next().unwrap_or(said));
    same("exception of the program", &json!(raised), &json!(class))?;
    let wanted = case["ops"].as_array().unwrap().iter();
    let mut wanted = wanted.map(Op::of).collect::<Result<Vec<Op>, String>>()?;
    // An operation that is refused stands in the case, and is not carried out.
    if carried.ops.len() < wanted.len() && raised.is_some() {
        wanted.pop();
    }
    match carried.ops == wanted {
        true => Ok(()),
        false => Err(format!("{code}: {:?} is not {wanted:?}", carried.ops)),
    }
}

fn turn(sheets: &Sheets, case: &Json) -> Result<(), String> {
    let before = State::of(&case["before"])?;
    program(sheets, &before, case)?;
    same("before, read and written", &before.json(), &case["before"])?;
    let mut desk = Desk::open(sheets, &before);
    let mut raised: Option<String> = None;
    for op in case["ops"].as_array().unwrap() {
        if let Some(raised) = &raised {
            return Err(format!("{raised} before {op}"));
        }
        match desk.apply(&Op::of(op)?) {
            Ok(var) => {
                if op.get("is").is_some() {
                    same("variable", &json!(var), &op["is"])?;
                }
            }
            Err(refused) => raised = Some(refused.error.to_owned()),
        }
    }
    let said = case["ended"].as_str();
    let class = said.map(|said| {
        let said = said.strip_prefix("error: ").unwrap_or(said);
        said.split(':').next().unwrap().to_owned()
    });
    if let Some(raised) = &raised {
        same("exception", &json!(raised), &json!(class))?;
    }
    let ended = match &class {
        None => Ended::Kept,
        Some(class) if said.is_some_and(|said| said.starts_with("error:")) => {
            assert_eq!(Ended::by(class), Ended::Failed);
            Ended::Failed
        }
        Some(class) => Ended::by(class),
    };
    let none = Vec::new();
    let effects = case["effects"].as_array().unwrap_or(&none);
    let mut host = Scripted {
        sheets,
        effects: effects.iter(),
        called: Vec::new(),
    };
    let agenda = Agenda::begin(desk, &before, ended, Settings::default());
    let turned = follow(agenda, &mut host)?;
    if let Some(left) = host.effects.next() {
        return Err(format!("a step that did not come: {left}"));
    }
    let called = case["called"].as_array().unwrap_or(&none);
    // Functions that actions call are Python's.
    let backend = |call: &&str| {
        let function = call.split('(').next().unwrap_or_default();
        let mut all = sheets.all().iter();
        all.any(|sheet| sheet.backend.starts_with(&format!("{function}(")))
    };
    let wanted = called.iter().filter_map(Json::as_str).filter(backend);
    if let Some(why) = called_text(&host.called, wanted) {
        return Err(why);
    }
    let acts: Vec<String> = turned.acts.iter().map(ToString::to_string).collect();
    same("acts", &json!(acts), &case["acts"])?;
    same("after", &turned.state.json(), &case["after"])
}

/// Arguments are compared as JSON, since cases have blanks in it.
fn called_text<'c>(found: &[String], wanted: impl Iterator<Item = &'c str>) -> Option<String> {
    let squeeze = |text: &str| text.replace([' ', '\n'], "");
    let wanted: Vec<String> = wanted.map(squeeze).collect();
    let found: Vec<String> = found.iter().map(|text| squeeze(text)).collect();
    (found != wanted).then(|| format!("called\n  found  {found:?}\n  wanted {wanted:?}"))
}
