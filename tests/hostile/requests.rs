//! Requests that no guest of ours sends: what is not CBOR, not a call, or lies about its
//! size. Each ends the program, none stops the host or is recorded as a call.

use crate::hostile::world::{signature, zoo};
use dialog2api::exec::{CallHandler, Limits};
use expect_test::{Expect, expect};

/// What a request, in hexadecimal, comes to: the program's end, or the answer's bytes.
async fn check(requests: &[&str], expected: Expect) {
    let mut shown = String::new();
    for request in requests {
        let world = zoo();
        let before = signature(&world).await;
        let mut calls = CallHandler::new(world.clone(), &Limits::default());
        let answered = calls.answer(&bytes(request)).await.expect("never ours");
        shown += &match answered {
            Ok(answer) => format!(
                "{request}: {}\n",
                String::from_utf8_lossy(&answer).escape_debug()
            ),
            Err(breach) => format!("{request}: {breach}\n"),
        };
        assert_eq!(signature(&world).await, before, "{request}");
    }
    expected.assert_eq(&shown);
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits
        .chunks(2)
        .map(|pair| byte(pair).expect("hexadecimal"))
        .collect()
}

#[tokio::test]
async fn what_is_no_call_ends_the_program() {
    check(
        &[
            "",
            "00",
            "f6",
            "80",
            "81 61 61",
            "83 61 61 a0 a0",
            "9f 61 61 a0 ff",
            "82 41 61 a0",
            "82 62 c3 28 a0",
            "82 61 61",
            "82 61 61 ff",
            "82 61 61 1c",
            "82 61 61 f8 10",
            "82 61 61 f7",
            "82 61 61 a1 01 02",
            "82 61 61 bf 61 61 01 ff",
            "82 61 61 c1 61 61",
            "82 61 61 1b ff ff ff ff ff ff ff ff",
        ],
        expect![[r#"
            : InterpreterError
            00: InterpreterError
            f6: InterpreterError
            80: InterpreterError
            81 61 61: InterpreterError
            83 61 61 a0 a0: InterpreterError
            9f 61 61 a0 ff: InterpreterError
            82 41 61 a0: InterpreterError
            82 62 c3 28 a0: InterpreterError
            82 61 61: InterpreterError
            82 61 61 ff: InterpreterError
            82 61 61 1c: InterpreterError
            82 61 61 f8 10: InterpreterError
            82 61 61 f7: InterpreterError
            82 61 61 a1 01 02: InterpreterError
            82 61 61 bf 61 61 01 ff: InterpreterError
            82 61 61 c1 61 61: InterpreterError
            82 61 61 1b ff ff ff ff ff ff ff ff: InterpreterError
        "#]],
    )
    .await;
}

#[tokio::test]
async fn sizes_that_lie_size_nothing() {
    check(
        &[
            "9b ff ff ff ff ff ff ff ff",
            "82 7b ff ff ff ff ff ff ff ff 61",
            "82 7b 00 00 00 00 ff ff ff ff 61",
            "82 61 61 9b ff ff ff ff ff ff ff ff",
            "82 61 61 9b 00 00 00 7f ff ff ff ff f6 f6",
            "82 61 61 bb ff ff ff ff ff ff ff ff",
            "82 61 61 5b 7f ff ff ff ff ff ff ff 00",
            "82 61 61 7a ff ff ff ff 00",
        ],
        expect![[r#"
            9b ff ff ff ff ff ff ff ff: InterpreterError
            82 7b ff ff ff ff ff ff ff ff 61: InterpreterError
            82 7b 00 00 00 00 ff ff ff ff 61: InterpreterError
            82 61 61 9b ff ff ff ff ff ff ff ff: InterpreterError
            82 61 61 9b 00 00 00 7f ff ff ff ff f6 f6: InterpreterError
            82 61 61 bb ff ff ff ff ff ff ff ff: InterpreterError
            82 61 61 5b 7f ff ff ff ff ff ff ff 00: InterpreterError
            82 61 61 7a ff ff ff ff 00: InterpreterError
        "#]],
    )
    .await;
}

#[tokio::test]
async fn numbers_and_times_beyond_all_reach_the_world_as_something() {
    check(
        &[
            "82 61 61 a1 61 61 fb 7f f8 00 00 00 00 00 00",
            "82 61 61 a1 61 61 c1 fb 7f f0 00 00 00 00 00 00",
            "82 61 61 a1 61 61 c1 fb ff ef ff ff ff ff ff ff",
            "82 61 61 a1 61 61 f9 7e 00",
            "82 61 61 a2 61 61 01 61 61 02",
            "82 61 61 a0 00 00",
        ],
        expect![[r#"
            82 61 61 a1 61 61 fb 7f f8 00 00 00 00 00 00: �\u{1}oInvalidArgumentx0Parameter operation must be one of this domain\'s\u{19}\u{1}��lArgumentNameioperation
            82 61 61 a1 61 61 c1 fb 7f f0 00 00 00 00 00 00: �\u{1}oInvalidArgumentx0Parameter operation must be one of this domain\'s\u{19}\u{1}��lArgumentNameioperation
            82 61 61 a1 61 61 c1 fb ff ef ff ff ff ff ff ff: �\u{1}oInvalidArgumentx0Parameter operation must be one of this domain\'s\u{19}\u{1}��lArgumentNameioperation
            82 61 61 a1 61 61 f9 7e 00: InterpreterError
            82 61 61 a2 61 61 01 61 61 02: InterpreterError
            82 61 61 a0 00 00: �\u{1}oInvalidArgumentx0Parameter operation must be one of this domain\'s\u{19}\u{1}��lArgumentNameioperation
        "#]],
    )
    .await;
}

#[tokio::test]
async fn nesting_ends_at_its_limit() {
    let lists = |depth: usize| format!("82 61 61 {} f6", "81".repeat(depth));
    let (last, first) = (lists(64), lists(65));
    let far = lists(1_000_000);
    let mut calls = CallHandler::new(zoo(), &Limits::default());
    for (request, taken) in [(last, true), (first, false), (far, false)] {
        let answered = calls.answer(&bytes(&request)).await.expect("never ours");
        assert_eq!(answered.is_ok(), taken, "{} bytes", request.len());
    }
    assert_eq!(calls.log().lock().expect("no panic").len(), 1);
}

#[tokio::test]
async fn names_of_operations_are_recorded_at_a_length() {
    let mut calls = CallHandler::new(zoo(), &Limits::default());
    let name = "ä".repeat(1_000_000);
    let mut request = bytes("82 7a");
    request.extend(u32::try_from(name.len()).expect("fits").to_be_bytes());
    request.extend(name.as_bytes());
    request.extend(bytes("a0"));
    let answered = calls.answer(&request).await.expect("never ours");
    assert!(answered.is_ok_and(|answer| answer.len() < 1_000));
    let log = calls.log();
    let log = log.lock().expect("no panic");
    let recorded: Vec<_> = log
        .iter()
        .map(|call| call.operation.chars().count())
        .collect();
    assert_eq!(recorded, [101]);
}
