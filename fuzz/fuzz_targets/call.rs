//! Fuzzes the boundary between a program and its world: requests of a guest that may
//! send anything, against the embedded store. What runs is what `link.rs` runs.
//!
//! libFuzzer finds panics, hangs and excessive memory. The assertions check that an answer
//! is well formed, that a refused call and a read leave the state unchanged, that a fork
//! does not affect its origin, that the same requests give the same bytes, and that an
//! overlay over the store refuses what the store refuses, ends in the same state and leaves
//! the store alone.
#![no_main]

#[path = "call/answers.rs"]
mod answers;
#[path = "call/requests.rs"]
mod requests;

use answers::Answer;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::{Memory, Overlay, operations};
use dialog2api::domain::{self, Signature, World};
use dialog2api::exec::{CallHandler, Limits};
use futures_util::FutureExt;
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};
use tokio::runtime::Runtime;

/// Where every input starts: two buckets with a few objects, one bucket elsewhere.
static START: LazyLock<Memory> = LazyLock::new(|| {
    let world = Memory::new(
        "fuzz",
        Store::new(Clock::Steps(jiff::Timestamp::UNIX_EPOCH)),
    );
    let world: Arc<Memory> = Arc::new(world);
    let mut calls = CallHandler::new(world.clone(), &limits());
    for request in requests::start() {
        let answer = send(&mut calls, &request).expect("an answer");
        assert!(matches!(answers::read(&answer), Answer::Value), "the start");
    }
    world.fork()
});

/// The default limits, but with smaller bodies and 100 calls.
fn limits() -> Limits {
    Limits {
        calls: 100,
        call_bytes_in: 8 << 20,
        ..Limits::default()
    }
}

/// What the guest gets; `None` when its program was ended instead.
fn send(calls: &mut CallHandler, request: &[u8]) -> Option<Vec<u8>> {
    let answered = calls.answer(request).now_or_never();
    let answered = answered.expect("the embedded store never waits");
    answered.expect("the embedded store never fails").ok()
}

/// Sends the same to an overlay over the store, and compares what it came to.
fn play_on_overlay(requests: &[Vec<u8>], there: &(Vec<Vec<u8>>, Signature)) {
    let base = Arc::new(START.fork());
    let Store { clock, region, .. } = base.snapshot();
    let overlay = Arc::new(Overlay::over(base.clone(), clock, &region));
    let mut calls = CallHandler::new(overlay.clone(), &limits());
    let log = calls.log();
    // An overlay asks its base for several things at once, and may give way in between.
    RUNTIME.block_on(async {
        for (request, there) in requests.iter().zip(&there.0) {
            let answered = calls.answer(request).await.expect("nothing here fails");
            let answer = answered.expect("the store ended no program");
            match (answers::read(&answer), answers::read(there)) {
                (Answer::Value, Answer::Value) => {}
                // Of several things that are wrong another may be named.
                (Answer::Refusal(_), Answer::Refusal(_)) => {}
                _ => panic!("on an overlay {:?}", log.lock().expect("no panic").last()),
            }
        }
        let signed = domain::signature(&*overlay, []).await;
        let made = log.lock().expect("no panic");
        let signed = signed.expect("it can be read");
        assert_eq!(signed, there.1, "another state after {made:?}");
    });
    assert_eq!(
        signature(&*base),
        signature(&*START),
        "the base was changed"
    );
}

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let built = tokio::runtime::Builder::new_current_thread().build();
    built.expect("a runtime")
});

fn signature(world: &dyn World) -> Signature {
    let signed = domain::signature(world, []).now_or_never();
    signed.expect("never waits").expect("never fails")
}

/// Sends all the requests and looks at each answer; what the answers were in the end.
fn play(requests: &[Vec<u8>]) -> (Vec<Vec<u8>>, Signature) {
    let world = Arc::new(START.fork());
    let mut calls = CallHandler::new(world.clone(), &limits());
    let log = calls.log();
    let mut answered = Vec::new();
    let mut before = (signature(&*world), world.snapshot().clock);
    for request in requests {
        let recorded = log.lock().expect("no panic").len();
        let Some(answer) = send(&mut calls, request) else {
            break;
        };
        let after = (signature(&*world), world.snapshot().clock);
        let calls = log.lock().expect("no panic");
        assert_eq!(calls.len(), recorded + 1, "each call is recorded once");
        let call = &calls[recorded];
        match answers::read(&answer) {
            Answer::Value => assert_eq!(call.error, None),
            Answer::Refusal(code) => {
                assert_eq!(call.error.as_ref(), Some(&code));
                assert!(
                    before == after,
                    "{} was refused and changed something",
                    call.operation
                );
            }
        }
        if !operations::writes(&call.operation) {
            assert!(
                before == after,
                "{} reads and changed something",
                call.operation
            );
        }
        before = after;
        answered.push(answer);
    }
    (answered, before.0)
}

fuzz_target!(|input: &[u8]| {
    let start = signature(&*START);
    let requests = requests::read(input);
    let once = play(&requests);
    assert!(
        once == play(&requests),
        "the same requests had different answers"
    );
    play_on_overlay(&requests, &once);
    assert_eq!(
        signature(&*START),
        start,
        "a fork changed what it was made from"
    );
});
