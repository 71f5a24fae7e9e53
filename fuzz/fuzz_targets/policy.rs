//! Fuzzes policies and the guard: an input is a policy and requests of a guest that may
//! send anything, against a guard around the embedded store.
//!
//! libFuzzer finds panics and hangs. The assertions check that
//! - a policy reads back as it is shown;
//! - a glob matches what a slow and simple reference matches, in linear time;
//! - a verdict is that of a judge that was written a second time;
//! - a denied call never reaches the store, and in `read-only` nothing ever changes;
//! - a call changes only the places that it is said to touch.
#![no_main]

#[path = "policy/inputs.rs"]
mod inputs;
#[path = "policy/judge.rs"]
mod judge;
#[path = "../../tests/policy/reference.rs"]
mod reference;
#[path = "call/requests.rs"]
mod requests;

use dialog2api::domain::s3::change::S3Change;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::show::{Summary, diff, summary};
use dialog2api::domain::s3::{Memory, S3};
use dialog2api::domain::{self, Access, Answer, Place, Signature, Signer, Value, World};
use dialog2api::exec::{CallHandler, Limits};
use dialog2api::policy::{Count, Glob, Guard, Mode, Policy};
use futures_util::FutureExt;
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

/// Where every input starts: two buckets with a few objects, one bucket elsewhere.
static START: LazyLock<Memory> = LazyLock::new(|| {
    let store = Store::new(Clock::Steps(jiff::Timestamp::UNIX_EPOCH));
    let world = Arc::new(Memory::new("fuzz", store));
    send(world.clone(), &requests::start());
    world.fork()
});

/// Makes the calls of one program.
fn send(world: Arc<dyn World>, requests: &[Vec<u8>]) {
    let mut calls = CallHandler::new(world, &Limits::default());
    for request in requests {
        let answered = calls.answer(request).now_or_never();
        let answered = answered.expect("the embedded store never waits");
        if answered.expect("the embedded store never fails").is_err() {
            return;
        }
    }
}

fn signature(world: &dyn World) -> Signature {
    let signed = domain::signature(world, []).now_or_never();
    signed.expect("never waits").expect("never fails")
}

fn look(world: &dyn World) -> Summary {
    let looked = summary(world).now_or_never();
    looked.expect("never waits").expect("never fails")
}

/// Where something changed.
fn place(change: &S3Change) -> Place {
    match change {
        S3Change::BucketCreated { bucket, .. }
        | S3Change::BucketDeleted { bucket }
        | S3Change::Setting { bucket, .. } => Place::container(bucket),
        S3Change::Created { bucket, key, .. }
        | S3Change::Overwritten { bucket, key, .. }
        | S3Change::Deleted { bucket, key, .. } => Place::thing(bucket, key),
    }
}

/// A guard, and a second count that predicts its verdicts.
struct Witness {
    guard: Guard,
    inner: Arc<Memory>,
    policy: Arc<Policy>,
    count: Mutex<Count>,
}

#[async_trait::async_trait]
impl World for Witness {
    async fn call(&self, operation: &str, params: &Value) -> dialog2api::Result<Answer> {
        let mut count = self.count.lock().expect("no panic");
        let verdict = judge::judge(&self.policy, operation, params, *count);
        let before = (signature(&*self.inner), self.inner.snapshot().clock);
        let held = look(&*self.inner);
        let answer = self.guard.call(operation, params).now_or_never();
        let answer = answer.expect("the embedded store never waits");
        let answer = answer.expect("the embedded store never fails");
        let unchanged = (signature(&*self.inner), self.inner.snapshot().clock) == before;
        let denied =
            |refusal: &domain::Refusal| refusal.details.iter().any(|(name, _)| name == "Policy");
        match (&answer, verdict) {
            (Err(refusal), Err(why)) if denied(refusal) => {
                assert!(unchanged, "{operation} was denied and changed something");
                assert!(refusal.message.contains(&why), "{why}: {}", refusal.message);
                assert!(refusal.message.chars().count() < 1000, "a long sentence");
                assert!(!refusal.message.contains(char::is_control));
            }
            (Err(refusal), _) if denied(refusal) => panic!("denied: {}", refusal.message),
            (_, Err(why)) => panic!("{operation} {params:?} was let through: {why}"),
            (Ok(_), Ok(then)) => *count = then,
            // What the store refused counts for nothing.
            (Err(_), Ok(_)) => {}
        }
        assert!(
            unchanged || self.policy.mode != Mode::ReadOnly,
            "{operation} changed something in read-only"
        );
        assert_eq!(self.guard.count(), *count, "it counts otherwise");
        for change in diff(&held, &look(&*self.inner)) {
            let place = place(&change);
            let mut named = S3.touches(operation, params).into_iter();
            let named = named.any(|touch| touch.access != Access::Read && touch.place == place);
            assert!(
                named,
                "{operation} {params:?} changed {place} and did not name it"
            );
        }
        for touch in S3.touches(operation, params) {
            for name in touch.place.segments() {
                judge::globs(&self.policy, |glob| check(glob, name));
            }
        }
        Ok(answer)
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    async fn state(&self, signer: &mut Signer) -> dialog2api::Result<()> {
        self.inner.state(signer).await
    }

    fn describe(&self) -> String {
        self.inner.describe()
    }
}

/// The longest prefix of a name that is compared, in characters.
const LONGEST_PREFIX: usize = 128;

/// Compares what a glob says of a name with what it should.
fn check(glob: &Glob, name: &str) {
    let text = glob.to_string();
    let means = glob.matches(name);
    assert_eq!(means, reference::matches(&text, name), "{text:?}, {name:?}");
    // Every prefix of a long name would take a time that is the square of its length.
    for (at, _) in name.char_indices().take(LONGEST_PREFIX) {
        let (prefix, _) = name.split_at(at);
        assert!(!means || glob.may_begin(prefix), "{text:?}, {prefix:?}");
        assert!(means || !glob.covers(prefix), "{text:?}, {prefix:?}");
    }
}

/// So long a name takes a matcher that tries again far longer than a linear one.
fn check_time(glob: &Glob, name: &str) {
    let name = name.repeat(16_384 / name.len().max(1));
    let start = Instant::now();
    glob.matches(&name);
    assert!(start.elapsed() < Duration::from_secs(2), "{glob} is slow");
}

fuzz_target!(|input: &[u8]| {
    let (text, rest) = inputs::split(input);
    let Ok(policy) = Policy::read(&text) else {
        return;
    };
    let shown = policy.to_string();
    assert_eq!(Policy::read(&shown).as_ref(), Ok(&policy), "{shown}");
    let name = String::from_utf8_lossy(&rest[..rest.len().min(16)]).into_owned();
    judge::globs(&policy, |glob| {
        check(glob, &name);
        // It takes its time, and one input in several is enough.
        if input.first().is_some_and(|kind| *kind >= 192) {
            check_time(glob, &name);
            check_time(glob, "a");
        }
    });
    let policy = Arc::new(policy);
    let inner = Arc::new(START.fork());
    let witness = Witness {
        guard: Guard::new(inner.clone(), &S3, policy.clone()),
        inner,
        policy,
        count: Mutex::default(),
    };
    send(Arc::new(witness), &requests::read(rest));
});
