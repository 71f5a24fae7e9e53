//! The boundary: what crosses it, and that nothing else leads out.

use super::{check, run_with, shown};
use crate::support::{echo::Echo, sandbox};
use dialog2api::exec::{Limits, Seed};
use expect_test::expect;

#[tokio::test]
async fn every_kind_of_value_crosses_both_ways() {
    let program = "
import _host, datetime
value = {
    'none': None, 'bools': [True, False], 'int': -2**63, 'float': 1.5, 'text': 'ä\\u0000', 'bytes': b'\\x00\\xff',
    'array': bytearray(b'ab'), 'tuple': (1, 2), 'empty': {},
    'time': datetime.datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=datetime.timezone.utc),
}
return repr(_host.call('echo', value))";
    check(program, expect![[r#"result "{'none': None, 'bools': [True, False], 'int': -9223372036854775808, 'float': 1.5, 'text': 'ä\\x00', 'bytes': b'\\x00\\xff', 'array': b'ab', 'tuple': [1, 2], 'empty': {}, 'time': datetime.datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=datetime.timezone.utc)}""#]]).await;
}

#[tokio::test]
async fn what_repeats_and_what_looks_alike_crosses_as_it_is() {
    let program = "
import _host
from datetime import datetime, timedelta, timezone
texts = ['', 'a', 'é', '\\0', 'ab', 'ba', 'abba', 'baab'] + ['x' * n for n in (22, 23, 24, 254, 255, 256, 300)]
texts += [f'folder/{i:05}.txt' for i in range(300)]
start = datetime(1969, 12, 31, 23, 59, 50, 5, tzinfo=timezone.utc)
rows = [
    {text: text, 'Key': text, 'Class': 'STANDARD', 'Tags': [text, {'same': 'same'}], 'Time': start + timedelta(days=i, seconds=i // 2, microseconds=7 * i)}
    for i, text in enumerate(texts + texts[::-1])
]
first = _host.call('echo', {'rows': rows})['rows']
second = _host.call('echo', {'rows': rows[::-1]})['rows']
first[0].clear()
first[1]['Tags'].append(1)
return first[2:] == rows[2:], second == rows[::-1], len(rows)";
    check(program, expect!["result [true,true,630]"]).await;
}

#[tokio::test]
async fn what_cannot_cross_is_an_exception() {
    let call = |value: &str| format!("import _host\n_host.call('echo', {{'v': {value}}})");
    check(
        &call("2**63"),
        expect![[r#"
        OverflowError: Python int too large to convert to Rust i64
        Traceback (most recent call last):
          File "program.py", line 2, in program
            _host.call('echo', {'v': 2**63})
        OverflowError: Python int too large to convert to Rust i64"#]],
    )
    .await;
    check(
        &call("object()"),
        expect![[r#"
        TypeError: object cannot be a parameter of an operation
        Traceback (most recent call last):
          File "program.py", line 2, in program
            _host.call('echo', {'v': object()})
        TypeError: object cannot be a parameter of an operation"#]],
    )
    .await;
    check(
        &call("{1: 2}"),
        expect![[r#"
        TypeError: the keys of a parameter must be text
        Traceback (most recent call last):
          File "program.py", line 2, in program
            _host.call('echo', {'v': {1: 2}})
        TypeError: the keys of a parameter must be text"#]],
    )
    .await;
    check(
        &call(r"'\ud800'"),
        expect![[r#"
        ValueError: a text contains a lone surrogate
        Traceback (most recent call last):
          File "program.py", line 2, in program
            _host.call('echo', {'v': '\ud800'})
        ValueError: a text contains a lone surrogate"#]],
    )
    .await;
    let deep = "import _host\nx = {}\nx['x'] = x\n_host.call('echo', x)";
    check(
        deep,
        expect![[r#"
        ValueError: a parameter is nested too deeply, or contains itself
        Traceback (most recent call last):
          File "program.py", line 4, in program
            _host.call('echo', x)
        ValueError: a parameter is nested too deeply, or contains itself"#]],
    )
    .await;
}

#[tokio::test]
async fn a_refusal_is_an_exception_and_its_code_the_error() {
    check(
        "import _host\n_host.call('sing', {})",
        expect![[r#"
        NoSuchThing: there is no sing
        Traceback (most recent call last):
          File "program.py", line 2, in program
            _host.call('sing', {})
        Refusal: there is no sing"#]],
    )
    .await;
    let caught = "
import _host
try:
    _host.call('sing', {})
except _host.Refusal as e:
    return [e.code, e.message, e.status, e.details]";
    check(
        caught,
        expect![[r#"result ["NoSuchThing","there is no sing",404,{"Name":"sing"}]"#]],
    )
    .await;
}

#[tokio::test]
async fn a_failure_of_the_world_is_not_an_outcome() {
    let program = "import _host\ntry: _host.call('fail', {})\nexcept BaseException: return 1";
    let ran = sandbox()
        .await
        .run(
            program,
            &Echo::world(),
            &Limits::default(),
            &Seed::default(),
        )
        .await;
    assert_eq!(ran.expect_err("ours").to_string(), "the connection is lost");
}

#[tokio::test]
async fn a_failure_of_the_world_leaves_what_was_printed_and_called() {
    let program = "import _host\nprint('so far')\n_host.call('echo', {})\n_host.call('fail', {})";
    let (world, limits) = (Echo::world(), Limits::default());
    let ran = sandbox().await;
    let ran = ran.run(program, &world, &limits, &Seed::default()).await;
    let error = ran.expect_err("ours");
    assert_eq!(error.output(), "so far\n");
    let dialog2api::Error::Interrupted(interrupted) = error else {
        panic!("{error}");
    };
    let calls = interrupted.calls.iter();
    let calls: Vec<_> = calls
        .map(|it| (&*it.operation, it.error.as_deref()))
        .collect();
    assert_eq!(calls, [("echo", None), ("fail", Some("ConnectionLost"))]);
}

#[tokio::test]
async fn calls_are_recorded_in_order() {
    let program = "
import _host
_host.call('echo', {})
try:
    _host.call('sing', {})
except _host.Refusal:
    pass
_host.call('hang', {})";
    let limits = Limits {
        deadline: std::time::Duration::from_millis(200),
        ..Limits::default()
    };
    let ran = run_with(program, &limits).await;
    let calls: Vec<_> = ran
        .calls
        .iter()
        .map(|c| format!("{} {:?}", c.operation, c.error))
        .collect();
    assert_eq!(
        calls,
        ["echo None", "sing Some(\"NoSuchThing\")", "hang None"]
    );
    assert!(shown(&ran).starts_with("DeadlineExceeded"));
}

#[tokio::test]
async fn many_programs_run_at_once_each_in_its_own_box() {
    let engine = sandbox().await;
    let world = Echo::world();
    let runs = (0..100).map(|n| {
        let (engine, world) = (engine.clone(), world.clone());
        tokio::spawn(async move {
            let program = format!("import builtins\nbuiltins.n = {n}\nreturn builtins.n");
            let ran = engine
                .run(&program, &world, &Limits::default(), &Seed::default())
                .await;
            shown(&ran.expect("the sandbox works"))
        })
    });
    for (n, run) in runs.enumerate() {
        assert_eq!(run.await.expect("no panic"), format!("result {n}"));
    }
}

/// The guest imports one function that leads out, `dialog2api.call`. All others
/// are answered inside `src/exec/link.rs`: no file, no argument, no environment,
/// a clock and entropy that come from the seed.
#[tokio::test]
async fn the_guest_imports_nothing_else() {
    let mut imports = sandbox().await.imports();
    imports.sort();
    expect![[r#"
        dialog2api.call
        wasi_snapshot_preview1.args_get
        wasi_snapshot_preview1.args_sizes_get
        wasi_snapshot_preview1.clock_res_get
        wasi_snapshot_preview1.clock_time_get
        wasi_snapshot_preview1.environ_get
        wasi_snapshot_preview1.environ_sizes_get
        wasi_snapshot_preview1.fd_close
        wasi_snapshot_preview1.fd_fdstat_get
        wasi_snapshot_preview1.fd_filestat_get
        wasi_snapshot_preview1.fd_prestat_dir_name
        wasi_snapshot_preview1.fd_prestat_get
        wasi_snapshot_preview1.fd_read
        wasi_snapshot_preview1.fd_readdir
        wasi_snapshot_preview1.fd_seek
        wasi_snapshot_preview1.fd_write
        wasi_snapshot_preview1.path_filestat_get
        wasi_snapshot_preview1.path_open
        wasi_snapshot_preview1.poll_oneoff
        wasi_snapshot_preview1.proc_exit
        wasi_snapshot_preview1.random_get
        wasi_snapshot_preview1.sched_yield"#]]
    .assert_eq(&imports.join("\n"));
}

#[tokio::test]
async fn a_program_can_be_checked_without_running() {
    let engine = sandbox().await;
    let checked = engine.check("import _host\n_host.call('hang', {})").await;
    assert_eq!(checked.expect("the sandbox works"), None);
    let wrong = engine
        .check("x = (")
        .await
        .expect("the sandbox works")
        .expect("a syntax error");
    expect!["SyntaxError: '(' was never closed (line 1, column 5)"]
        .assert_eq(&format!("{}: {}", wrong.error, wrong.message));
}
