//! Programs that call a folder's API, and its worlds.

use super::lab::Lab;
use dialog2api::domain::signature;
use expect_test::expect;
use serde_json::json;

const COUNTER: &str = "\
class Full(Exception):
    pass

def add(state, name, by=1):
    state['counts'][name] = state['counts'].get(name, 0) + by
    state['log'].append(name)
    if state['counts'][name] > 9:
        state['log'].clear()
        raise Full(name)
    return state['counts'][name]

def counts(state):
    return state['counts']

def stamp(state):
    import datetime, random, uuid
    state['log'].append(str(uuid.uuid4()))
    return [datetime.datetime.now().isoformat(timespec='seconds'), random.random(), state['log'][-1]]
";

fn counter() -> Lab {
    let state = json!({"counts": {"a": 1}, "log": []});
    Lab::of(COUNTER, state).replace("domain.toml", "\n", "\nreads = [\"counts\"]\n")
}

#[tokio::test]
async fn calls_bind_their_arguments_as_python_does() {
    counter()
        .run(
            &[
                "return library.add('b'), library.add('b', 2), library.add(by=3, name='c')",
                "library.add()",
                "library.add('a', 1, 2)",
                "library.add('a', name='b')",
                "library.add('a', colour='red')",
                "library.remove('a')",
                "library.add = 1",
                "return library.counts()",
            ],
            expect![[r#"
                [1,3,3]
                TypeError: add() missing 1 required argument: 'name'
                TypeError: add() takes 2 positional arguments but 3 were given
                TypeError: add() got multiple values for argument 'name'
                TypeError: add() got an unexpected keyword argument 'colour'
                AttributeError: the API has no operation 'remove'
                AttributeError: the API cannot be changed
                {"a":1,"b":3,"c":3}
                state: {"counts":{"a":1,"b":3,"c":3},"log":["b","b","c"]}"#]],
        )
        .await;
}

#[tokio::test]
async fn a_call_that_raises_leaves_no_trace() {
    counter()
        .run(
            &[
                "library.add('a', 9)",
                "try:\n    library.add('a', 9)\nexcept Full as full:\n    return str(full)",
                "try:\n    library.add('a', 9)\nexcept library.Full:\n    return library.add('a')",
            ],
            expect![[r#"
                Full: a
                NameError: name 'Full' is not defined
                AttributeError: the API has no operation 'Full'
                state: {"counts":{"a":1},"log":[]}"#]],
        )
        .await;
}

#[tokio::test]
async fn what_a_program_gets_is_a_copy() {
    counter()
        .run(
            &["seen = library.counts()\nseen['a'] = 100\nreturn library.counts()"],
            expect![[r#"
                {"a":1}
                state: {"counts":{"a":1},"log":[]}"#]],
        )
        .await;
}

#[tokio::test]
async fn the_code_behind_the_api_cannot_be_reached() {
    counter()
        .run(
            &[
                "import world",
                "import _client\nreturn _client._state, list(_client._functions)",
                "import _host\n_host.call('$set', {'path': [], 'value': {}})",
            ],
            expect![[r#"
                ModuleNotFoundError: No module named 'world': it is not available in the sandbox
                [null,[]]
                UnknownOperation: the API has no operation "$set"
                state: {"counts":{"a":1},"log":[]}"#]],
        )
        .await;
}

/// Each write deals out new ids and takes a second; a read changes neither, and a fork deals
/// out the same as its origin.
#[tokio::test]
async fn the_clock_and_ids_follow_from_the_writes() {
    let lab = counter();
    let domain = lab.domain();
    let world = domain.initial_world("start").unwrap();
    let program = "library.counts()\nreturn library.stamp(), library.stamp()";
    let fork = world.fork().unwrap();
    let first = super::lab::run(&domain, &world, program).await;
    let again = super::lab::run(&domain, &fork, program).await;
    let (first, again) = (super::lab::outcome(&first), super::lab::outcome(&again));
    assert_eq!(first, again);
    assert!(first.contains("2024-01-01T00:00:00") && first.contains("2024-01-01T00:00:01"));
    let values: serde_json::Value = serde_json::from_str(&first).unwrap();
    assert_ne!(values[0][1], values[1][1]);
    assert_ne!(values[0][2], values[1][2]);
}

/// The text of a state that was signed is kept for the next signature.
#[tokio::test]
async fn a_signature_is_of_the_state_as_it_is_now() {
    let lab = counter();
    let domain = lab.domain();
    let world = domain.initial_world("start").unwrap();
    let first = signature(&*world, []).await.unwrap();
    super::lab::run(&domain, &world, "library.counts()").await;
    assert_eq!(signature(&*world, []).await.unwrap(), first);
    super::lab::run(&domain, &world, "library.add('a')").await;
    let second = signature(&*world, []).await.unwrap();
    assert_ne!(second, first);
    // It is that of a world which begins with this state.
    let path = lab.path().join("again.json");
    let state = world.state_value().unwrap().to_json().to_string();
    std::fs::write(&path, state).unwrap();
    let again = domain.initial_world(path.to_str().unwrap()).unwrap();
    assert_eq!(signature(&*again, []).await.unwrap(), second);
}

#[tokio::test]
async fn forks_go_their_own_ways() {
    let lab = counter();
    let domain = lab.domain();
    let world = domain.initial_world("start").unwrap();
    super::lab::run(&domain, &world, "library.add('a')").await;
    let fork = world.fork().unwrap();
    super::lab::run(&domain, &world, "library.add('one')").await;
    super::lab::run(&domain, &fork, "library.add('other')").await;
    let state = |world: &std::sync::Arc<dyn dialog2api::domain::World>| {
        world.state_value().unwrap().to_json()["counts"].to_string()
    };
    assert_eq!(state(&world), r#"{"a":2,"one":1}"#);
    assert_eq!(state(&fork), r#"{"a":2,"other":1}"#);
}
