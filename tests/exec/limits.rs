//! Limits: each breach is an outcome with a name of its own, and in time.

use super::{run_with, shown};
use crate::support::echo::Echo;
use crate::support::sandbox;
use async_trait::async_trait;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::{Answer, Signer, Spent, Value, World};
use dialog2api::exec::{EndedBy, Limits, Seed, is_limit};
use expect_test::{Expect, expect};
use std::sync::Arc;
use std::time::Duration;

async fn check(program: &str, limits: Limits, expected: Expect) {
    expected.assert_eq(&shown(&run_with(program, &limits).await));
}

fn a_second() -> Limits {
    Limits {
        deadline: Duration::from_secs(1),
        ..Limits::default()
    }
}

#[tokio::test]
async fn a_deadline_ends_what_does_not_end() {
    let endless = [
        "while True: pass",
        "10**(10**8)",
        "import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')",
        "sum(range(10**12))",
        "try:\n    while True: pass\nexcept BaseException:\n    return 1",
        "import _host\n_host.call('hang', {})",
    ];
    for program in endless {
        let ran = run_with(program, &a_second()).await;
        assert_eq!(
            shown(&ran),
            "DeadlineExceeded: the program ran longer than 1s",
            "{program}"
        );
    }
}

#[tokio::test]
async fn deep_nesting_and_recursion_end() {
    let nested = format!("x = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    check(
        &nested,
        a_second(),
        expect!["SyntaxError: too many nested parentheses (line 1, column 205)"],
    )
    .await;
    check(
        &format!("return {}1", "-".repeat(100_000)),
        a_second(),
        expect!["StackOverflow: the program is nested or recurses too deeply"],
    )
    .await;
    check(
        &format!("return {}", vec!["1"; 50_000].join("+")),
        a_second(),
        expect!["RecursionError: maximum recursion depth exceeded during compilation"],
    )
    .await;
    let ran = run_with("def f(n):\n    return f(n + 1)\nf(0)", &a_second()).await;
    assert!(shown(&ran).starts_with("RecursionError: maximum recursion depth exceeded"));
    // Without Python's own limit the stack's comes.
    let program = "import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    return f(n + 1)\nf(0)";
    let ran = run_with(program, &Limits::default()).await;
    assert!(
        shown(&ran).starts_with("RecursionError: "),
        "{}",
        shown(&ran)
    );
}

#[tokio::test]
async fn memory_ends() {
    check(
        "'x' * 10**10",
        a_second(),
        expect![[r#"
        OverflowError: cannot fit 'int' into an index-sized integer
        Traceback (most recent call last):
          File "program.py", line 1, in program
            'x' * 10**10
        OverflowError: cannot fit 'int' into an index-sized integer"#]],
    )
    .await;
    check(
        "[0] * 10**9",
        a_second(),
        expect![[r#"
        MemoryError: the program needs more memory than it may use
        Traceback (most recent call last):
          File "program.py", line 1, in program
            [0] * 10**9
        MemoryError: the program needs more memory than it may use"#]],
    )
    .await;
    let little = Limits {
        memory: 64 << 20,
        ..Limits::default()
    };
    check(
        "a = []\nwhile True: a.append('x' * 1_000_000)",
        little,
        expect![[r#"
        MemoryError: the program needs more memory than it may use
        Traceback (most recent call last):
          File "program.py", line 2, in program
            while True: a.append('x' * 1_000_000)
        MemoryError: the program needs more memory than it may use"#]],
    )
    .await;
}

#[tokio::test]
async fn work_is_counted_the_same_every_time() {
    let limits = Limits {
        fuel: 50_000_000,
        ..Limits::default()
    };
    let program = "n = 0\nwhile True:\n    n += 1\n    if n % 1000 == 0: print(n)";
    check(
        program,
        limits.clone(),
        expect![[r#"
            FuelExhausted: the program did more than 50000000 steps of work
            printed "1000\n2000\n3000\n4000\n5000\n6000\n7000\n8000\n9000\n10000\n11000\n12000\n13000\n14000\n15000\n""#]],
    )
    .await;
    check("return sum(range(1000))", limits, expect!["result 499500"]).await;
}

#[tokio::test]
async fn calls_and_what_they_move_are_counted() {
    let call = |body: &str| format!("import _host\n{body}");
    let limits = Limits {
        calls: 3,
        ..Limits::default()
    };
    let program = call("for i in range(9): _host.call('echo', {'i': i})");
    let ran = run_with(&program, &limits).await;
    assert_eq!(ran.calls.len(), 3);
    assert_eq!(
        shown(&ran),
        "CallLimitExceeded: the program made more than 3 calls"
    );

    let limits = Limits {
        call_bytes_out: 1 << 10,
        call_bytes_in: 1 << 20,
        total_bytes: 3 << 20,
        ..Limits::default()
    };
    let sent = call("_host.call('echo', {'body': b'x' * 2000})");
    check(
        &sent,
        limits.clone(),
        expect!["CallTooLarge: a call is larger than 1 KiB"],
    )
    .await;
    let many = Limits {
        call_values: 10,
        ..Limits::default()
    };
    check(
        &call("_host.call('echo', {'nine': [None] * 9})"),
        many,
        expect!["CallTooLarge: a call has more than 10 values"],
    )
    .await;
    let answered = call("_host.call('big', {'size': 2_000_000})");
    check(
        &answered,
        limits.clone(),
        expect!["AnswerTooLarge: the answer to a call is larger than 1 MiB"],
    )
    .await;
    let total = call("for i in range(9): _host.call('big', {'size': 1_000_000})");
    check(
        &total,
        limits.clone(),
        expect!["TransferLimitExceeded: the program's calls moved more than 3 MiB"],
    )
    .await;
    let caught =
        call("try: _host.call('big', {'size': 2_000_000})\nexcept BaseException: return 1");
    check(
        &caught,
        limits,
        expect!["AnswerTooLarge: the answer to a call is larger than 1 MiB"],
    )
    .await;
}

#[tokio::test]
async fn results_output_and_programs_have_a_size() {
    let limits = Limits {
        result_bytes: 100,
        output_bytes: 20,
        program_bytes: 200,
        ..Limits::default()
    };
    check(
        "return 'x' * 1000",
        limits.clone(),
        expect!["ResultTooLarge: the result is larger than 100 bytes"],
    )
    .await;
    check(
        "return list(range(1000))",
        limits.clone(),
        expect!["ResultTooLarge: the result is larger than 100 bytes"],
    )
    .await;
    check(
        "for i in range(100): print(i)",
        limits.clone(),
        expect![[r#"
        result null
        printed "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n\n… (output cut)""#]],
    )
    .await;
    check(
        &"x = 1\n".repeat(100),
        limits,
        expect!["ProgramTooLarge: the program is longer than 200 bytes"],
    )
    .await;
}

#[tokio::test]
async fn what_was_printed_is_kept_however_a_program_ends() {
    let limits = Limits {
        output_bytes: 8,
        ..a_second()
    };
    check(
        "print('before')\nwhile True: pass",
        limits.clone(),
        expect![[r#"
            DeadlineExceeded: the program ran longer than 1s
            printed "before\n""#]],
    )
    .await;
    check(
        "print('before')\nx = 'x' * 10**9",
        limits.clone(),
        expect![[r#"
            MemoryError: the program needs more memory than it may use
            Traceback (most recent call last):
              File "program.py", line 2, in program
                x = 'x' * 10**9
            MemoryError: the program needs more memory than it may use
            printed "before\n""#]],
    )
    .await;
    check(
        "print('before')\nimport _host\n_host.call('hang', {})",
        limits.clone(),
        expect![[r#"
            DeadlineExceeded: the program ran longer than 1s
            printed "before\n""#]],
    )
    .await;
    // The cut is between characters.
    check(
        "print('äöüäöü')",
        limits,
        expect![[r#"
        result null
        printed "äöüä\n… (output cut)""#]],
    )
    .await;
}

/// Answers only once all calls have started.
struct Together(tokio::sync::Barrier);

#[async_trait::async_trait]
impl World for Together {
    async fn call(&self, _: &str, params: &Value) -> dialog2api::Result<Answer> {
        self.0.wait().await;
        Ok(Ok(params.clone()))
    }
    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }
    async fn state(&self, _: &mut Signer) -> dialog2api::Result<()> {
        Ok(())
    }
    fn describe(&self) -> String {
        "a meeting".to_owned()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_many_programs_as_there_are_instances_wait_for_the_world_at_once() {
    // `INSTANCES` of the engine: with one more, the last would never be there.
    const ALL: usize = 32;
    let engine = sandbox().await;
    let world: Arc<dyn World> = Arc::new(Together(tokio::sync::Barrier::new(ALL)));
    let program = "import _host\nreturn _host.call('echo', {'v': 1})";
    let tasks: Vec<_> = (0..ALL)
        .map(|_| {
            let (engine, world) = (engine.clone(), world.clone());
            tokio::spawn(async move {
                let (limits, seed) = (Limits::default(), Seed::default());
                engine.run(program, &world, &limits, &seed).await
            })
        })
        .collect();
    for task in tasks {
        let ran = task.await.expect("no panic").expect("the sandbox works");
        assert_eq!(shown(&ran), r#"result {"v":1}"#);
    }
}

#[tokio::test]
async fn a_program_can_take_the_name_of_a_limit_and_not_its_place() {
    let ended = |program: &'static str| async move {
        let limits = Limits {
            fuel: 20_000_000_000,
            ..Limits::default()
        };
        let ran = run_with(program, &limits).await;
        let Outcome::Error(error) = ran.outcome else {
            panic!("{program} gave a result");
        };
        (error.error, ran.ended_by)
    };
    let forged = [
        "class DeadlineExceeded(Exception): pass\nraise DeadlineExceeded('30s')",
        "raise type('FuelExhausted', (Exception,), {})('20000000000 steps of work')",
        "raise MemoryError('the program used more memory than 256 MiB')",
        "class ResultTooLarge(Exception): pass\nraise ResultTooLarge()",
    ];
    for program in forged {
        let (name, by) = ended(program).await;
        assert!(is_limit(&name), "{name}");
        assert_eq!(by, EndedBy::Program, "{program}");
    }
    let broken = [
        ("while True: pass", "FuelExhausted"),
        (
            "x = []\nwhile True: x.append('x' * 10**6 + str(len(x)))",
            "MemoryError",
        ),
        ("return 'x' * 10**7", "ResultTooLarge"),
        (
            "import _host\nfor _ in range(10**6): _host.call('echo', {})",
            "CallLimitExceeded",
        ),
    ];
    for (program, limit) in broken {
        let ended = ended(program).await;
        assert_eq!(ended, (limit.to_owned(), EndedBy::Limit), "{program}");
    }
}

/// A world on a server: its use is counted. Or one on a disk, whose files are hashed: it says that its
/// calls wait.
struct Distant {
    is_disk: bool,
}

#[async_trait]
impl World for Distant {
    async fn call(&self, operation: &str, params: &Value) -> dialog2api::Result<Answer> {
        Echo.call(operation, params).await
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    async fn state(&self, signer: &mut Signer) -> dialog2api::Result<()> {
        Echo.state(signer).await
    }

    fn spent(&self) -> Option<Spent> {
        (!self.is_disk).then(Spent::default)
    }

    fn waits(&self) -> bool {
        true
    }

    fn describe(&self) -> String {
        "a distant echo".to_owned()
    }
}

#[tokio::test]
async fn waiting_for_a_server_or_a_disk_has_a_limit_of_its_own() {
    let limits = Limits {
        deadline: Duration::from_millis(500),
        patience: Duration::from_secs(2),
        ..Limits::default()
    };
    let run = async |program: &str, is_disk: bool| {
        let world: Arc<dyn World> = Arc::new(Distant { is_disk });
        let (sandbox, seed) = (sandbox().await, Seed::default());
        let ran = sandbox.run(program, &world, &limits, &seed).await;
        let ran = ran.expect("the sandbox works");
        assert!(!ran.ended_by.is_program());
        shown(&ran)
    };
    for is_disk in [false, true] {
        let hang = "import _host\n_host.call('hang', {})";
        assert_eq!(
            run(hang, is_disk).await,
            "PatienceExhausted: the program's calls waited longer than 2s for the server or the disk"
        );
        // Its own work has the deadline all the same.
        let work = "import _host\n_host.call('echo', {})\nwhile True: pass";
        assert_eq!(
            run(work, is_disk).await,
            "DeadlineExceeded: the program ran longer than 500ms"
        );
    }
    assert!(is_limit("PatienceExhausted"));
}
