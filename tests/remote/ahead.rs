//! Reads in the order of a listing, which are made before the program asks for them.

use crate::support;
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::s3::{AheadLimits, Overlay, ReadingAhead, S3};
use dialog2api::domain::{Answer, Layer, Onward, Value, World};
use dialog2api::exec::{Limits, Seed};
use dialog2api::plan::{Draft, Keeping, Plan};
use dialog2api::policy::{Guard, Policy};
use expect_test::{Expect, expect};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::oneshot;

/// A world that is far away: it keeps what it is asked about objects until it is told to answer.
#[derive(Clone)]
struct Far {
    world: Arc<dyn World>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    held: Vec<oneshot::Sender<()>>,
    /// The keys that were asked for, with the operation unless it is `get_object`.
    asked: Vec<String>,
    /// From this many held reads on, they and all later ones are answered; `None`: when told.
    opens_at: Option<usize>,
    /// So many are answered at once.
    free: usize,
}

impl Far {
    /// A bucket `far` with these objects, each with its key as its content.
    async fn with(keys: impl IntoIterator<Item = String>) -> Far {
        let world = memory("empty").expect("a world");
        let bucket = vec![("Bucket".into(), "far".into())];
        let made = world.call("create_bucket", &Value::Map(bucket)).await;
        made.expect("an answer").expect("a bucket");
        for key in keys {
            let mut put = params(&key);
            put.push(("Body".into(), Value::Bytes(key.into())));
            let made = world.call("put_object", &Value::Map(put)).await;
            made.expect("an answer").expect("an object");
        }
        Far {
            world: Arc::new(world),
            state: Arc::default(),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("no test failed")
    }

    fn shared(&self) -> Arc<dyn World> {
        Arc::new(self.clone())
    }

    /// For one program without a plan.
    fn direct(&self, limits: AheadLimits) -> ReadingAhead {
        ReadingAhead::around(self.shared(), limits)
    }

    /// The keys that were asked for since the last time.
    fn asked(&self) -> String {
        std::mem::take(&mut self.state().asked).join(" ")
    }

    /// Makes reads one after the other, as a program does: how many were under way together,
    /// each time that all that could be asked was asked.
    async fn lots(&self, world: &dyn World, reads: &str) -> String {
        let mut program = pin!(async {
            for read in reads.split_whitespace() {
                call(world, read).await;
            }
        });
        let mut lots = Vec::new();
        loop {
            for _ in 0..50 {
                tokio::select! {
                    biased;
                    () = &mut program => return lots.join(" "),
                    () = tokio::task::yield_now() => {}
                }
            }
            let held = std::mem::take(&mut self.state().held);
            lots.push(held.len().to_string());
            held.into_iter()
                .for_each(|it| it.send(()).unwrap_or_default());
        }
    }
}

#[async_trait]
impl Layer for Far {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    fn split(&self) -> Option<Arc<dyn World>> {
        let (region, limits) = ("us-east-1", AheadLimits::default());
        let over = Overlay::for_program(self.shared(), Clock::System, region, limits);
        Some(Arc::new(over))
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let is_of_object = operation == "head_object" || operation.starts_with("get_object");
        if let (true, Some(key)) = (is_of_object, params.get("Key").and_then(Value::as_str)) {
            let told = {
                let mut state = self.state();
                state.asked.push(match operation {
                    "get_object" => key.to_owned(),
                    other => format!("{other}:{key}"),
                });
                let (tell, told) = oneshot::channel();
                state.held.push(tell);
                let is_free = state.free > 0;
                state.free = state.free.saturating_sub(1);
                let opens = state.opens_at.is_some_and(|many| state.held.len() >= many);
                if opens {
                    state.opens_at = Some(0);
                }
                if is_free || opens {
                    state
                        .held
                        .drain(..)
                        .for_each(|it| it.send(()).unwrap_or_default());
                }
                told
            };
            let _ = told.await;
        }
        onward.call(operation, params).await
    }
}

fn params(key: &str) -> Vec<(std::borrow::Cow<'static, str>, Value)> {
    vec![("Bucket".into(), "far".into()), ("Key".into(), key.into())]
}

/// Makes a call and tells the world of it, as the sandbox does: `KEY`, `head:KEY`, `tags:KEY`,
/// `put:KEY` or `list:PREFIX`.
async fn call(world: &dyn World, words: &str) {
    let (operation, params) = match words.split_once(':') {
        None => ("get_object", params(words)),
        Some(("head", key)) => ("head_object", params(key)),
        Some(("tags", key)) => ("get_object_tagging", params(key)),
        Some(("put", key)) => ("put_object", params(key)),
        Some((_, prefix)) => {
            let bucket = ("Bucket".into(), "far".into());
            let prefix = ("Prefix".into(), prefix.into());
            ("list_objects_v2", vec![bucket, prefix])
        }
    };
    let params = Value::Map(params);
    let answer = world.call(operation, &params).await.expect("an answer");
    if let Ok(answer) = answer {
        world.follow(operation, &params, &answer, &|_, _| true);
    }
}

fn keys(folder: &str, many: usize) -> impl Iterator<Item = String> {
    (0..many).map(move |number| format!("{folder}/{number:03}"))
}

fn words(keys: impl Iterator<Item = String>) -> String {
    keys.collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn reads_in_the_order_of_a_listing_are_made_ahead() {
    let far = Far::with(keys("in", 200).chain(keys("out", 9))).await;
    let reads = format!("list:in/ {}", words(keys("in", 200)));
    let fork = far.split().expect("a fork");
    let direct = far.direct(AheadLimits::default());
    let none = far.direct(AheadLimits::NONE);
    let worlds: [(&dyn World, bool); 3] = [(&*fork, true), (&direct, true), (&none, false)];
    for (world, is_ahead) in worlds {
        let lots = far.lots(world, &reads).await;
        let mut asked: Vec<String> = far.asked().split(' ').map(str::to_owned).collect();
        asked.sort();
        // Each once, and nothing beyond what was listed.
        assert_eq!(asked.join(" "), words(keys("in", 200)));
        match is_ahead {
            true => expect!["1 1 2 8 32 32 32 32 32 28"].assert_eq(&lots),
            false => assert_eq!(lots, ["1"; 200].join(" ")),
        }
    }
}

/// What is asked of a server, in order, and how many reads were under way together.
async fn check(keys: impl IntoIterator<Item = String>, reads: &str, expected: Expect) {
    let far = Far::with(keys).await;
    let fork = far.split().expect("a fork");
    let lots = far.lots(&*fork, reads).await;
    expected.assert_eq(&format!("{lots}\n{}\n", far.asked()));
}

#[tokio::test]
async fn the_first_read_out_of_order_ends_it() {
    check(
        keys("in", 99),
        "list:in/ in/000 in/001 in/050 in/052",
        expect![[r#"
            1 1 3 1
            in/000 in/001 in/050 in/002 in/003 in/052
        "#]],
    )
    .await;
    // What was read ahead is not read again, and the order may be taken up later.
    check(
        keys("in", 99),
        "list:in/ in/000 in/001 in/003 in/002 in/090 in/091 in/092",
        expect![[r#"
            1 1 2 1 1 2
            in/000 in/001 in/002 in/003 in/090 in/091 in/092 in/093
        "#]],
    )
    .await;
    // One read says nothing, nor do two of the same.
    check(
        keys("in", 99),
        "list:in/ in/000 in/000",
        expect![[r#"
        1
        in/000
    "#]],
    )
    .await;
    // Without a listing nothing is known.
    check(
        keys("in", 99),
        "in/000 in/001 in/002",
        expect![[r#"
        1 1 1
        in/000 in/001 in/002
    "#]],
    )
    .await;
}

#[tokio::test]
async fn keys_that_a_program_passes_over_are_not_read() {
    let mixed = [
        "a.txt", "b.csv", "c.txt", "d.csv", "d.jpg", "e.txt", "f.txt", "g.csv", "h.txt",
    ];
    let mixed = mixed.map(|name| format!("in/{name}"));
    let reads = "list:in/ in/a.txt in/c.txt in/e.txt in/f.txt in/h.txt";
    check(
        mixed,
        reads,
        expect![[r#"
        1 1 2 1
        in/a.txt in/c.txt in/e.txt in/f.txt in/h.txt
    "#]],
    )
    .await;
}

#[tokio::test]
async fn several_questions_about_each_object_are_each_read_ahead() {
    let each = keys("in", 6).map(|key| format!("head:{key} {key} tags:{key}"));
    let reads = format!("list:in/ {}", words(each));
    check(keys("in", 6), &reads, expect![[r#"
        1 1 1 1 3 3 6 2
        head_object:in/000 in/000 get_object_tagging:in/000 head_object:in/001 in/001 head_object:in/002 head_object:in/003 get_object_tagging:in/001 in/002 in/003 get_object_tagging:in/002 get_object_tagging:in/003 head_object:in/004 head_object:in/005 in/004 in/005 get_object_tagging:in/004 get_object_tagging:in/005
    "#]]).await;
}

#[tokio::test]
async fn what_the_program_has_written_is_not_read_from_the_server() {
    let reads = "list:in/ put:in/003 in/000 in/001 in/002 in/003 in/004 in/005";
    check(
        keys("in", 6),
        reads,
        expect![[r#"
        1 1 2 1
        in/000 in/001 in/002 in/004 in/005
    "#]],
    )
    .await;
    // Without an overlay, a write ends it: what was read is not what it was.
    let far = Far::with(keys("in", 9)).await;
    let direct = far.direct(AheadLimits::default());
    let lots = far
        .lots(&direct, "list:in/ in/000 in/001 put:in/002 in/002")
        .await;
    expect![[r#"
        1 1 1
        in/000 in/001 in/002
    "#]]
    .assert_eq(&format!("{lots}\n{}\n", far.asked()));
}

#[tokio::test]
async fn limits_hold_for_what_is_read_ahead() {
    let far = Far::with(keys("in", 40)).await;
    // An answer counts as a KiB and its content.
    let limits = AheadLimits {
        reads: 32,
        bytes: 5 << 10,
    };
    let reads = format!("list:in/ {}", words(keys("in", 40)));
    let lots = far.lots(&far.direct(limits), &reads).await;
    expect!["1 1 2 4 4 4 4 4 4 4 4 4"].assert_eq(&lots);
}

/// Runs a program on a draft of a server that answers reads only while 16 of them are under way,
/// after the first eight. Returns its result and its plan's reads.
async fn run(far: &Far, policy: &str, program: &str) -> String {
    {
        let mut state = far.state();
        state.opens_at = Some(16);
        state.free = 8;
    }
    let draft = Draft::of(&far.shared(), &S3).expect("a draft");
    let policy = Arc::new(Policy::read(policy).expect("a policy"));
    let guarded: Arc<dyn World> = Arc::new(Guard::new(draft.clone(), &S3, policy));
    let engine = support::sandbox().await;
    let (limits, seed) = (Limits::default(), Seed::default());
    let running = engine.run(program, &guarded, &limits, &seed);
    // Where it reads one after the other, it waits for ever.
    let ran = tokio::time::timeout(Duration::from_secs(60), running).await;
    let ran = ran.expect("16 were under way").expect("the sandbox works");
    let plan = Plan {
        reads: draft.reads(),
        ..Plan::new(
            None,
            draft.writes(),
            Vec::new(),
            ran.outcome,
            Keeping::default(),
        )
    };
    format!("{:?}", plan.outcome)
}

const LOOP: &str = "
n = 0
for o in s3.list_objects_v2(Bucket='far')['Contents']:
    n += len(s3.get_object(Bucket='far', Key=o['Key'])['Body'].read())
return n
";

const POOL: &str = "
from concurrent.futures import ThreadPoolExecutor
keys = [o['Key'] for o in s3.list_objects_v2(Bucket='far')['Contents']]
with ThreadPoolExecutor(16) as pool:
    return sum(pool.map(lambda k: len(s3.get_object(Bucket='far', Key=k)['Body'].read()), keys))
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plain_loop_and_a_pool_of_threads_read_many_at_a_time() {
    for program in [LOOP, POOL] {
        let far = Far::with(keys("in", 60)).await;
        assert_eq!(
            run(&far, "version = 1", program).await,
            "Result(Number(360))"
        );
        assert_eq!(far.state().asked.len(), 60);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_policy_denies_is_not_read_ahead() {
    let far = Far::with(keys("in", 60).chain(keys("secret", 9))).await;
    let policy = "
version = 1
[[rule]]
name = 'secret'
effect = 'deny'
operations = ['get_object']
names = ['secret/**']
";
    let said = run(&far, policy, LOOP).await;
    assert!(said.contains("AccessDenied"), "{said}");
    let asked = far.asked();
    assert!(!asked.contains("secret"), "{asked}");
}
