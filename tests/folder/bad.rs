//! Worlds whose code does harm: each is a sentence with a place, and the state stays.

use super::lab::Lab;
use expect_test::{Expect, expect};
use serde_json::json;

/// Calls `bad()` of a world with this body, then looks at the state.
async fn check(body: &str, expected: Expect) {
    let world =
        format!("import sys\n\ndef bad(state):\n    {body}\n\ndef good(state):\n    return 1\n");
    let lab = Lab::of(&world, json!({"a": 1}));
    lab.run(&["library.bad()", "return library.good()"], expected)
        .await;
}

#[tokio::test]
async fn an_endless_loop() {
    check("while True: state['a'] = state['a'] + 1", expect![[r#"
        WorldError: world.py failed: FuelExhausted: the program did more than 5000000000 steps of work (world.py, line 4, in bad: while True: state['a'] = state['a'] + 1). This is a mistake in the domain's code, not in the program. Nothing was changed.
        1
        state: {"a":1}"#]]).await;
}

#[tokio::test]
async fn endless_recursion() {
    check("return bad(state)", expect![[r#"
        WorldError: world.py failed: RecursionError: maximum recursion depth exceeded (world.py, line 4, in bad: return bad(state)). This is a mistake in the domain's code, not in the program. Nothing was changed.
        1
        state: {"a":1}"#]]).await;
}

#[tokio::test]
async fn a_function_as_the_result() {
    check("state['a'] = 2; return bad", expect![[r#"
        WorldError: world.py failed: TypeError: bad returned what cannot be passed on: function is not JSON. This is a mistake in the domain's code, not in the program. Nothing was changed.
        1
        state: {"a":1}"#]]).await;
}

#[tokio::test]
async fn an_error_of_the_author() {
    check("state['a'] = 2; return state['b']", expect![[r#"
        WorldError: world.py failed: KeyError: 'b' (world.py, line 4, in bad: state['a'] = 2; return state['b']). This is a mistake in the domain's code, not in the program. Nothing was changed.
        1
        state: {"a":1}"#]]).await;
}

#[tokio::test]
async fn a_hundred_megabytes_of_output() {
    check(
        "state['a'] = 2; print('x' * 100_000_000); return 3",
        expect![[r#"
            null
            1
            state: {"a":2}"#]],
    )
    .await;
}

#[tokio::test]
async fn a_module_that_is_not_there() {
    check("import numpy", expect![[r#"
        WorldError: world.py failed: ModuleNotFoundError: No module named 'numpy' (world.py, line 4, in bad: import numpy). This is a mistake in the domain's code, not in the program. Nothing was changed.
        1
        state: {"a":1}"#]]).await;
}

#[tokio::test]
async fn memory_without_end() {
    check("x = [0]\n    while True: x = x + x", expect![[r#"
        WorldError: world.py failed: MemoryError: the program used more memory than 256 MiB (in bad). This is a mistake in the domain's code, not in the program. Nothing was changed.
        1
        state: {"a":1}"#]]).await;
}

#[tokio::test]
async fn an_exit() {
    check("sys.exit(3)", expect![[r#"
        WorldError: world.py failed: SystemExit: 3 (world.py, line 4, in bad: sys.exit(3)). This is a mistake in the domain's code, not in the program. Nothing was changed.
        1
        state: {"a":1}"#]]).await;
}

#[tokio::test]
async fn a_file_that_does_not_load() {
    let world = "def good(state):\n    return 1\n\nraise ValueError('no')\n";
    Lab::of(world, json!({}))
        .run(&["return library.good()"], expect![[r#"
            WorldError: world.py failed: ValueError: no (world.py, line 4, in <module>: raise ValueError('no')). This is a mistake in the domain's code, not in the program. Nothing was changed.
            state: {}"#]])
        .await;
}

#[tokio::test]
async fn a_loop_outside_of_functions() {
    let lab = Lab::of(
        "def good(state):\n    return 1\n\nwhile True: pass\n",
        json!({}),
    );
    lab.check(expect!["world.py:4: world.py failed: FuelExhausted: the program did more than 5000000000 steps of work (world.py, line 4, in <module>: while True: pass). This is a mistake in the domain's code, not in the program. Nothing was changed."]).await;
}

#[tokio::test]
async fn an_operation_that_is_nowhere() {
    let lab = Lab::of("def good(state):\n    return 1\n", json!({"a": 1}));
    let lab = lab.write("api.pyi", "def good(): ...\n\ndef better(): ...\n");
    lab.run(
        &["library.better()", "return library.good()"],
        expect![[r#"
            WorldError: world.py failed: NameError: api.pyi has better, and world.py defines no such function. This is a mistake in the domain's code, not in the program. Nothing was changed.
            1
            state: {"a":1}"#]],
    )
    .await;
}

#[tokio::test]
async fn a_write_among_the_reads() {
    let world = "def look(state):\n    state['seen'] = True\n";
    Lab::of(world, json!({}))
        .replace("domain.toml", "\n", "\nreads = [\"look\"]\n")
        .run(&["library.look()"], expect![[r#"
            WorldError: look changed the state, but domain.toml has it among the reads. This is a mistake in the domain, not in the program. Nothing was changed.
            state: {}"#]])
        .await;
}

#[tokio::test]
async fn a_result_of_a_hundred_megabytes() {
    check("state['a'] = 2; return 'x' * 100_000_000", expect![[r#"
        WorldError: world.py failed: MemoryError: the program used more memory than 256 MiB (in bad). This is a mistake in the domain's code, not in the program. Nothing was changed.
        1
        state: {"a":1}"#]]).await;
}

#[tokio::test]
async fn a_result_that_contains_itself() {
    check(
        "state['a'] = 2; x = []; x.append(x); return x",
        expect![[r#"
            WorldError: world.py failed: TypeError: bad returned what cannot be passed on: it is nested too deeply, or contains itself. This is a mistake in the domain's code, not in the program. Nothing was changed.
            1
            state: {"a":1}"#]],
    )
    .await;
}

#[tokio::test]
async fn a_generator_as_the_result() {
    check("state['a'] = 2; return (n for n in [1])", expect![[r#"
        WorldError: world.py failed: TypeError: bad returned what cannot be passed on: generator is not JSON. This is a mistake in the domain's code, not in the program. Nothing was changed.
        1
        state: {"a":1}"#]]).await;
}

/// What a function returns is what JSON can write; everything else is a sentence that says what to
/// return instead.
#[tokio::test]
async fn results_that_json_cannot_write() {
    let values = [
        "b'x'",
        "bytearray(b'x')",
        "{'deep': [1, (2, b'x')]}",
        "float('nan')",
        "[-float('inf')]",
        "{'a'}",
        "{'a': frozenset()}",
        "datetime.date(2024, 1, 2)",
        "datetime.datetime(2024, 1, 2)",
        "2 ** 64",
        "object()",
    ];
    let mut world = "import datetime\n".to_owned();
    for (number, value) in values.iter().enumerate() {
        world += &format!("def bad{number}(state):\n    state['a'] = 2\n    return {value}\n\n");
    }
    let right = "[1.5, True, None, 'x', (1, 2), {'a': 2 ** 62}, 1e308]";
    world += &format!("def good(state):\n    return {right}\n");
    let lab = Lab::of(&world, json!({"a": 1}));
    let mut program = "said = []\n".to_owned();
    for number in 0..values.len() {
        program += &format!(
            "try:\n    said.append(repr(library.bad{number}()))\nexcept Exception as error:\n    \
             said.append(str(error).split('cannot be passed on: ')[-1].split(' This is')[0])\n"
        );
    }
    program += "return '\\n'.join(said)";
    lab.run(&[&program, "return library.good()"], expect![[r#"
        "bytes is not JSON: return a text, such as its Base64.\nbytearray is not JSON: return a text, such as its Base64.\nbytes is not JSON: return a text, such as its Base64.\nnan is not JSON: return None or a text instead.\n-inf is not JSON: return None or a text instead.\nset is not JSON: return a list, such as sorted() gives.\nfrozenset is not JSON: return a list, such as sorted() gives.\ndate is not JSON: return its text, isoformat().\ndatetime is not JSON: return its text, isoformat().\nworld.py failed: TypeError: bad9 returned an integer of more than 64 bits: return it as a text.\nobject is not JSON."
        [1.5,true,null,"x",[1,2],{"a":4611686018427387904},1e+308]
        state: {"a":1}"#]])
        .await;
}

/// What is larger could not be read again from a file.
#[tokio::test]
async fn a_state_that_grows_beyond_its_limit() {
    let world = "def grow(state):\n    state['a'].append('x' * 15_000_000)\n    return len(state['a'])\n\n\
                 def shrink(state):\n    state['a'] = []\n";
    let lab = Lab::of(world, json!({"a": []}));
    let program = "sizes = [library.grow() for _ in range(3)]\n\
                   try:\n    library.grow()\nexcept WorldError as error:\n    print(error)\n\
                   library.shrink()\nreturn sizes + [library.grow()]";
    let domain = lab.domain();
    let world = domain.initial_world("start").unwrap();
    let ran = super::lab::run(&domain, &world, program).await;
    expect!["[1,2,3,1]"].assert_eq(&super::lab::outcome(&ran));
    expect![[r#"
        world.py failed: the state would be larger than 48 MiB (in grow). This is a mistake in the domain's code, not in the program. Nothing was changed.
    "#]].assert_eq(&ran.output);
    assert_eq!(world.state_value().unwrap().json_size(), 15_000_010);
}

/// A state of 50 MB is refused with a sentence, and one of 5 MB works.
#[tokio::test]
async fn large_states() {
    let world =
        "def touch(state, key):\n    state['r'][key]['n'] += 1\n    return len(state['r'])\n";
    let record = |index: usize| (format!("k{index}"), json!({"n": 0, "text": "x".repeat(80)}));
    let state = |count: usize| {
        let records: serde_json::Map<_, _> = (0..count).map(record).collect();
        json!({"r": records})
    };
    let lab = Lab::of(world, state(50_000));
    let domain = lab.domain();
    let world = domain.initial_world("start").unwrap();
    let program = "for _ in range(20): n = library.touch('k7')\nreturn n";
    let ran = super::lab::run(&domain, &world, program).await;
    assert_eq!(super::lab::outcome(&ran), "50000");
    let small: serde_json::Map<_, _> = (0..900_000).map(|n| (n.to_string(), json!([n]))).collect();
    let lab = lab.write("worlds/start.json", &json!({"r": small}).to_string());
    lab.check(expect!["worlds/start.json: world.py failed: MemoryError: the program used more memory than 256 MiB (as world.py is loaded with a state of 15977787 bytes). This is a mistake in the domain's code, not in the program. Nothing was changed."]).await;
    let lab = lab.write("worlds/start.json", &state(480_000).to_string());
    expect!["library/worlds/start.json: is larger than the 48 MiB that a state can have"]
        .assert_eq(&match lab.domain().initial_world("start") {
            Ok(_) => "opened".to_owned(),
            Err(error) => lab.shown(&error.to_string()),
        });
}
