//! Domains of which only some operations are offered.

use super::lab::{Lab, outcome, run};
use expect_test::expect;
use serde_json::json;
use std::collections::BTreeSet;

const WORLD: &str = "def count(state):
    return state['n']

def add(state, by):
    state['n'] += by
";

#[tokio::test]
async fn what_is_held_back_is_as_if_it_were_not_there() {
    let lab = Lab::of(WORLD, json!({"n": 1}));
    let domain = lab.domain();
    let world = domain.initial_world("start").unwrap();
    let offering = domain.offering(&BTreeSet::from(["count", "unknown"]));
    let restricted = offering.restricted(world.clone());
    let mut seen = String::new();
    for program in [
        "return library.count()",
        "library.add(by=1)",
        "library.no_such_thing(by=1)",
        "try:\n    library.add(1)\nexcept AttributeError as error:\n    return str(error)",
        "import _host\n_host.call('add', {'by': 1})",
    ] {
        seen += &format!("{}\n", outcome(&run(&domain, &restricted, program).await));
    }
    expect![[r#"
        1
        AttributeError: the API has no operation 'add'
        AttributeError: the API has no operation 'no_such_thing'
        "the API has no operation 'add'"
        AttributeError: the API has no operation 'add'
    "#]]
    .assert_eq(&seen);
    assert_eq!(world.state_value().unwrap().to_json(), json!({"n": 1}));
    assert_eq!(Vec::from_iter(offering.operation_names()), ["count"]);
    expect![[r##"
        # library: what a program can use.
        #
        # A program is a module. The functions below are methods of `library`:
        # for `def name(...)` write library.name(...). Python's builtins and its pure standard
        # library are there too. `return` at the top gives the result, which must be JSON.
        #
        # Rules:
        # Names of items are in the singular and in lower case.

        def count():
            """Does it."""
    "##]]
    .assert_eq(&offering.document("", &[]));
}

#[tokio::test]
async fn a_domain_that_holds_nothing_back_leaves_worlds_alone() {
    let lab = Lab::of(WORLD, json!({"n": 1}));
    let domain = lab.domain();
    let world = domain.initial_world("start").unwrap();
    let added = run(&domain, &domain.restricted(world.clone()), "library.add(1)").await;
    assert_eq!(outcome(&added), "null");
    assert_eq!(world.state_value().unwrap().to_json(), json!({"n": 2}));
}
