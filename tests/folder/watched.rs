//! What the guest finds of the changes that a function makes: the state of the host is what
//! the function left, with the order of its keys.

use super::lab::{Lab, outcome, run};
use dialog2api::domain::World;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Runs statements over `s`, the state, one call each, and checks the state of the host
/// after every call against what the function itself sees, and against a fresh instance.
async fn check(state: Json, statements: &[&str]) {
    let world = "import json\n\ndef do(state, code):\n    s = state\n    exec(code)\n\
                 \ndef look(state):\n    return json.dumps(state)\n";
    let lab = Lab::of(world, state);
    let domain = lab.domain();
    let world = domain.initial_world("start").unwrap();
    for statement in statements {
        let program = format!("library.do({statement:?})\nreturn library.look()");
        let ran = run(&domain, &world, &program).await;
        let seen = outcome(&ran);
        let held = world.state_value().unwrap().to_json().to_string();
        let inner: String = serde_json::from_str(&seen).unwrap_or(seen);
        let inner: Json = serde_json::from_str(&inner).unwrap_or(Json::String(inner));
        assert_eq!(held, inner.to_string(), "{statement}");
        // A fresh instance is loaded with what the host holds.
        let path = lab.path().join("again.json");
        std::fs::write(&path, &held).unwrap();
        let again: Arc<dyn World> = domain.initial_world(path.to_str().unwrap()).unwrap();
        let fresh = run(&domain, &again, "return library.look()").await;
        let fresh: String = serde_json::from_str(&outcome(&fresh)).unwrap();
        let fresh: Json = serde_json::from_str(&fresh).unwrap();
        assert_eq!(held, fresh.to_string(), "{statement}");
    }
}

#[tokio::test]
async fn objects() {
    check(
        json!({"a": {"x": 1, "y": [1, 2]}, "b": {}, "c": null}),
        &[
            "s['a']['x'] = 2",
            "s['a']['x'] = 2",
            "s['a']['x'] = 2.0",
            "s['a']['x'] = True",
            "s['b']['new'] = {'deep': {'list': [1, {'k': 'v'}]}}",
            "s['b']['new']['deep']['list'][1]['k'] = 'w'",
            "del s['a']['y']",
            "s['d'] = s.pop('a')",
            "s['e'] = s['d']; s['e']['x'] = 5",
            "s['d']['x'] = 6",
            "v = s.pop('b'); s['b'] = v",
            "s.clear()",
            "s['k'] = 'é 😀 \\n'",
            "s.update(reversed([(str(i), i) for i in range(5)]))",
            "items = sorted(s.items()); s.clear(); s.update(items)",
        ],
    )
    .await;
}

#[tokio::test]
async fn lists() {
    check(
        json!({"l": [1, 2, 3, {"k": 1}, [4]], "m": []}),
        &[
            "s['l'].append(6)",
            "s['l'].pop(0)",
            "s['l'].insert(2, {'new': []})",
            "s['l'][2]['new'].append(1)",
            "s['l'].remove(3); s['l'][1]['new'].append(2)",
            "s['l'].reverse()",
            "s['l'][0], s['l'][1] = s['l'][1], s['l'][0]",
            "s['l'] = s['l'] + s['l']",
            "s['l'][1:3] = [9, 9, 9, 9]",
            "s['m'].extend(s['l']); s['l'].clear()",
            "s['m'].sort(key=str)",
            "s['m'] = [s['m'], s['m']]",
            "s['m'][0].append('once')",
            "s['m'] *= 2",
            "s['m'][3].append('last')",
        ],
    )
    .await;
}

/// Values that are no JSON, and a state that is taken back as a whole.
#[tokio::test]
async fn what_is_not_json_is_refused_with_its_place() {
    let world = "def do(state, code):\n    s = state\n    exec(code)\n";
    let lab = Lab::of(world, json!({"a": {"list": [0]}}));
    let domain = lab.domain();
    let world = domain.initial_world("start").unwrap();
    let mut seen = String::new();
    for code in [
        "s['a']['list'][0] = {1, 2}",
        "s['a']['x'] = (1, 2)",
        "s['a'][1] = 2",
        "s['f'] = float('nan')",
        "s['i'] = 2 ** 70",
        "s['s'] = '\\ud800'",
        "s['a']['self'] = s",
        "import collections; s['d'] = collections.OrderedDict()",
        "s['f'] = lambda: 1",
    ] {
        let ran = run(&domain, &world, &format!("library.do({code:?})")).await;
        let text = outcome(&ran);
        let text = text.trim_start_matches("WorldError: world.py failed: ");
        let text = text.split(" This is a mistake").next().unwrap();
        seen += &format!("{text}\n");
    }
    seen += &world.state_value().unwrap().to_json().to_string();
    expect_test::expect![[r#"
        TypeError: state["a"]["list"][0] is of the type set; a state has only dict, list, str, int, float, bool and None.
        TypeError: state["a"]["x"] is of the type tuple; a state has only dict, list, str, int, float, bool and None.
        TypeError: state["a"] has a key of the type int; keys are text.
        ValueError: state["f"] is not a finite number.
        ValueError: state["i"] is an integer of more than 64 bits.
        ValueError: state["s"] has a lone surrogate.
        ValueError: state["a"]["self"]["a"]["self"] … nests more than 60 levels deep, or contains itself.
        TypeError: state["d"] is of the type OrderedDict; a state has only dict, list, str, int, float, bool and None.
        TypeError: state["f"] is of the type function; a state has only dict, list, str, int, float, bool and None.
        {"a":{"list":[0]}}"#]].assert_eq(&seen);
}
