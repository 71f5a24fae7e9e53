//! The sheets of cases as the folder of a domain, whose `world.py` answers calls as the cases
//! have it.

use crate::worksheets::lab::cache;
use dialog2api::dataset::Replayer;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::Domain;
use dialog2api::exec::Engine;
use dialog2api::folder;
use indexmap::IndexMap;
use ruff_python_ast::Expr;
use ruff_python_parser::parse_expression;
use ruff_text_size::Ranged;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// Answers each call by the state, once it has the arguments of the case.
const WORLD: &str = r#"
import json


class WrongCall(Exception):
    pass


class FieldError(Exception):
    def __init__(self, field, message):
        super().__init__(f"{field}: {message}")


def _answer(state, name, given):
    call = json.loads(state["calls"][name].pop(0))
    if given != call["given"]:
        raise WrongCall(f"{name} got {given}")
    answer = call["answer"]
    if "field" in answer:
        raise FieldError(answer["field"], answer["message"])
    if "error" in answer:
        raise globals()[answer["error"]](answer["message"])
    return answer["result"]
"#;

/// The domain of a book of sheets. World `case3` is that of its fourth case.
pub struct Book {
    domain: Arc<Domain>,
    replayer: Replayer,
    _place: TempDir,
}

impl Book {
    pub async fn new(sheets: &str, cases: &[&Json]) -> Book {
        let place = tempfile::tempdir().unwrap();
        write(place.path(), sheets, cases);
        let domain = folder::load(place.path(), &cache()).unwrap();
        let engine = Engine::prepare(&domain.api.client, &cache(), &mut |_| ()).await;
        let sandbox = engine.unwrap().with_setup(&domain.api.setup);
        Book {
            replayer: Replayer::new(Arc::new(sandbox), &domain),
            domain,
            _place: place,
        }
    }

    /// Runs the program of a case; what is kept of the turn, and the class of the exception that
    /// took the program back.
    pub async fn turn(&self, at: usize, case: &Json) -> Result<(Json, Option<String>), String> {
        let worlds = self.domain.worlds().unwrap();
        let world = worlds.initial(&format!("case{at}")).unwrap();
        let slate = world.slate().unwrap();
        slate.keep(json!({"state": case["before"]}));
        slate.set_pending(Some(json!({"outcome": {"queries": queries(case)}})));
        let Replayer { limits, seed, .. } = &self.replayer;
        let code = case["program"].as_str().unwrap();
        let ran = self.replayer.sandbox().run(code, &world, limits, seed);
        let ran = ran.await;
        let ran = ran.map_err(|error| error.to_string())?;
        let raised = match ran.outcome {
            Outcome::Error(error) => Some(error.error),
            Outcome::Result(outcome) => outcome["raised"]["error"].as_str().map(str::to_owned),
        };
        Ok((Json::clone(&slate.kept()), raised))
    }
}

/// The answers of a case, as a recorded dialogue has them. It has no statements, so the
/// answers themselves are taken.
fn queries(case: &Json) -> Vec<Json> {
    let effects = case["effects"].as_array().into_iter().flatten();
    let queries = effects.filter_map(|effect| {
        let mut query = json!({"var": effect.get("query")?});
        query
            .as_object_mut()?
            .extend(effect["got"].as_object()?.clone());
        query.as_object_mut()?.shift_remove("sql");
        Some(query)
    });
    queries.collect()
}

/// A call as a case has it: `name(JSON, name=JSON)`.
fn call(text: &str) -> (String, Map<String, Json>) {
    let parsed = parse_expression(text).unwrap();
    let Expr::Call(call) = parsed.expr() else {
        panic!("{text} is no call")
    };
    let value = |it: &Expr| serde_json::from_str(&text[it.range().to_std_range()]).unwrap();
    let mut given = Map::new();
    for (at, it) in call.arguments.args.iter().enumerate() {
        given.insert(format!("a{at}"), value(it));
    }
    for keyword in &call.arguments.keywords {
        given.insert(
            keyword.arg.as_ref().unwrap().to_string(),
            value(&keyword.value),
        );
    }
    (text[call.func.range().to_std_range()].to_owned(), given)
}

/// Writes the files of the folder.
fn write(folder: &Path, sheets: &str, cases: &[&Json]) {
    let file = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    std::fs::create_dir(folder.join("worlds")).unwrap();
    file("worksheets.csv", sheets);
    file(
        "domain.toml",
        "name = \"book\"\nhandle = \"backend\"\nworld = \"case0\"\n",
    );
    let mut functions: IndexMap<String, BTreeSet<String>> = IndexMap::new();
    functions.insert("nothing".to_owned(), BTreeSet::new());
    let mut errors = BTreeSet::new();
    for (at, case) in cases.iter().enumerate() {
        let mut calls: Map<String, Json> = Map::new();
        let called = case["called"].as_array().into_iter().flatten();
        for text in called.filter_map(Json::as_str) {
            let (name, given) = call(text);
            let known = functions.entry(name.clone()).or_default();
            known.extend(given.keys().cloned());
            let made = calls.entry(name.clone()).or_insert_with(|| json!([]));
            let made = made.as_array_mut().unwrap();
            let answer = &case["calls"][&name][made.len()];
            errors.extend(answer["error"].as_str().map(str::to_owned));
            made.push(json!({"given": given, "answer": answer}).to_string().into());
        }
        let world = json!({ "calls": calls }).to_string();
        file(&format!("worlds/case{at}.json"), &world);
    }
    let (mut api, mut world) = (String::new(), WORLD.to_owned());
    for error in &errors {
        let _ = write!(
            api,
            "class {error}(Exception):\n    \"\"\"A failure.\"\"\"\n\n"
        );
        let _ = write!(world, "\n\nclass {error}(Exception):\n    pass\n");
    }
    for (name, parameters) in &functions {
        let parameters = parameters.iter().map(|it| format!("{it}: dict = None"));
        let parameters: Vec<String> = parameters.collect();
        let parameters = parameters.join(", ");
        let _ = write!(
            api,
            "def {name}({parameters}) -> dict:\n    \"\"\"A call.\"\"\"\n\n"
        );
        let _ = write!(
            world,
            "\n\ndef {name}(state, **given):\n    return _answer(state, \"{name}\", given)\n"
        );
    }
    file("api.pyi", &api);
    file("world.py", &world);
}
