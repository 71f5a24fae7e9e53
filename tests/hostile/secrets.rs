//! What one program held never reaches a later one: thousands of runs over the pool, half
//! of which hold a secret in every way that leaves it in memory, and half look for one.

use crate::hostile::program::line;
use crate::hostile::world::zoo;
use crate::support::{is_whole, sandbox};
use dialog2api::domain::World;
use dialog2api::exec::{Engine, Limits, Seed};
use std::sync::Arc;
use std::time::Duration;

/// The number of programs that run.
fn runs() -> usize {
    if is_whole() { 10_000 } else { 1_000 }
}

/// The number that run at a time: each has instances of the pool to itself and passes them on.
const AT_ONCE: usize = 20;
/// The instances of the pool.
const INSTANCES: u32 = 32;

/// Leaves `SECRET` in memory, in the world too, and ends in the way that `{ENDING}` says.
const HOLD: &str = r#"
import builtins, json, sys, _runtime, _client
secret = "hunter2-SECRET"
builtins.secret = json.secret = _client.secret = secret
setattr(s3, "kept", secret.encode())
setattr(type(s3), secret, secret)
sys.modules[secret] = sys
_runtime._names[secret] = secret
kept = [secret[:8] + secret[8:] for _ in range(20)], {secret: {secret}}, bytearray(secret.encode() * SIZE)
print(secret)
{CALLS}
kept += json.dumps([secret]),
{ENDING}
"#;

/// How they call the world, one after the other: as programs do, and past the client, which
/// takes less than half of the time.
const CALLS: [&str; 2] = [
    r#"
s3.put_object(Bucket="zoo", Key=secret, Body=kept[2][:10_000], Metadata={secret: secret})
again = s3.get_object(Bucket="zoo", Key=secret)
kept += again["Body"].read(),
try:
    s3.get_object(Bucket=secret, Key=secret)
except Exception as e:
    builtins.error = e
"#,
    r#"
import _host
body, metadata = bytes(kept[2][:10_000]), {secret: secret}
_host.call("put_object", {"Bucket": "zoo", "Key": secret, "Body": body, "Metadata": metadata})
kept += _host.call("get_object", {"Bucket": "zoo", "Key": secret}),
"#,
];

/// The one that needs the error of a call.
const WITH_ERROR: usize = 2;
/// How programs end that hold a secret, one after the other, and what their outcomes begin
/// with.
const ENDINGS: [(&str, &str); 5] = [
    ("return secret", "result: "),
    ("raise ValueError(secret)", "ValueError: hunter2-"),
    ("raise builtins.error", "NoSuchBucket: "),
    ("[kept] * 10**9", "MemoryError: "),
    (
        "import _host\n_host.call('list_buckets', {'x': [secret] * 3000})",
        "CallTooLarge: ",
    ),
];

/// Looks for what another program left. Its own text has no secret that it could find.
const SEEK: &str = r#"
import builtins, gc, io, json, sys, _runtime, _client
found = []
def look(name, text):
    if not isinstance(text, str):
        text = text.decode("latin-1")
    for part in text.split("hunter2-")[1:]:
        if part[:16].isalnum() and part[15:16]:
            found.append(name)
{PLACE}
return found
"#;

/// Where they look, one after the other: in memory that they are given, in modules, in
/// what outlives a program in this one's own modules, in errors.
const PLACES: [&str; 4] = [
    r#"
def zero(name, buffer):
    if buffer != zeros[: len(buffer)]:
        found.append(name)
zeros = b"\0" * SIZE
for size in (16, 1000, SIZE // 2):
    zero("bytes", bytes(size))
    buffer = bytearray(size)
    zero("bytearray", buffer)
    buffer += bytes(size)
    zero("extended", buffer)
stream = io.BytesIO()
stream.seek(SIZE // 2)
stream.write(b"\0")
zero("stream", stream.getvalue())
"#,
    r#"
for thing in (builtins, json, sys, _client):
    look(thing.__name__, " ".join(vars(thing)))
    for name in ("secret", "error", "kept"):
        if hasattr(thing, name):
            found.append(name)
look("modules", " ".join(sys.modules))
"#,
    r#"
look("client", " ".join(dir(s3)) + repr(vars(s3)))
look("globals", repr([list(globals()), globals().get("secret")]))
look("runtime", repr([list(_runtime._names), vars(_runtime._output), list(vars(_runtime))]))
"#,
    r#"
for attempt in ("s3.kept", "s3.get_object(Bucket='zoo', Key='hunter2')", "json.loads('{')"):
    try:
        look(attempt, repr(eval(attempt)))
    except Exception as e:
        look(attempt, f"{e!r} {e.args} {vars(e)}")
"#,
];

/// What some of them do instead: walk all that they can reach.
const WALK: &str = r#"
try:
    todo = gc.get_objects()
except Exception:
    todo = []
seen, todo = set(), todo + [sys.modules, s3, globals()]
while todo:
    thing = todo.pop()
    if id(thing) in seen:
        continue
    seen.add(id(thing))
    if isinstance(thing, (str, bytes, bytearray)):
        look("reached", thing)
    elif isinstance(thing, dict):
        todo += thing.keys()
        todo += thing.values()
    elif isinstance(thing, (list, tuple, set, frozenset)):
        todo += thing
    else:
        for name in ("__dict__", "__globals__", "__closure__", "__defaults__", "__func__", "__code__", "co_consts", "co_names", "cell_contents"):
            value = getattr(thing, name, None)
            if value is not None:
                todo.append(dict(value) if name == "__dict__" else value)
if len(seen) < 5000:
    found.append("walked not far enough")
"#;

#[tokio::test(flavor = "multi_thread")]
async fn programs_leave_each_other_nothing() {
    let engine = sandbox().await;
    let mut snapshot = Vec::new();
    let first = &mut |memory: &[u8]| snapshot.extend_from_slice(memory);
    engine.fresh_memories(1, first).await.expect("one is free");
    assert!(snapshot.len() > 20 << 20, "{} bytes", snapshot.len());
    let tasks: Vec<_> = (0..AT_ONCE)
        .map(|task| tokio::spawn(hold_and_seek(engine.clone(), task)))
        .collect();
    let mut runs = 0;
    for task in tasks {
        runs += task.await.expect("nothing is found");
    }
    assert_eq!(runs, self::runs());
    // Byte for byte what the first had, before any program ran, also beyond its end.
    let mut looked = 0;
    let same = &mut |memory: &[u8]| {
        assert!(memory == snapshot, "instance {looked} has something left");
        looked += 1;
    };
    engine
        .fresh_memories(INSTANCES, same)
        .await
        .expect("all are free");
    assert_eq!(looked, INSTANCES);
}

#[tokio::test]
async fn who_looks_in_the_same_instance_finds_it() {
    let engine = sandbox().await;
    let hold = HOLD
        .replace("SECRET", "0123456789abcdef")
        .replace("SIZE", "10")
        .replace("{CALLS}", CALLS[0])
        .replace("{ENDING}", "");
    let [_, others @ ..] = PLACES;
    for place in others.into_iter().chain([WALK]) {
        let found = run(&engine, &(hold.clone() + &SEEK.replace("{PLACE}", place))).await;
        let found = found.strip_prefix("result: [\"").is_some();
        assert!(found, "nothing is found by {place}");
    }
}

/// One task's share of the runs; how many there were.
async fn hold_and_seek(engine: Engine, task: usize) -> usize {
    let (all, mut runs) = (runs(), 0);
    while runs < all / AT_ONCE {
        let number = task * all + runs;
        let secret = format!(
            "{:016x}",
            (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        );
        let (size, room) = match number % 500 {
            0 => ("400_000", "4_000_000"),
            _ => ("500", "20_000"),
        };
        let end = number / 2 % ENDINGS.len();
        let (ending, outcome) = ENDINGS[end];
        let calls = match end {
            WITH_ERROR => CALLS[0],
            _ => CALLS[number / 2 / ENDINGS.len() % CALLS.len()],
        };
        let hold = HOLD
            .replace("{CALLS}", calls)
            .replace("SECRET", &secret)
            .replace("SIZE", size)
            .replace("{ENDING}", ending);
        let held = run(&engine, &hold).await;
        assert!(held.starts_with(outcome), "run {number} held {held}");

        let place = match number % (4 * all) {
            0 => WALK,
            _ => PLACES[number / 2 % PLACES.len()],
        };
        let seek = SEEK.replace("{PLACE}", place).replace("SIZE", room);
        let found = run(&engine, &seek).await;
        assert!(
            found.starts_with("result: []"),
            "run {number} found {found}"
        );
        runs += 2;
    }
    runs
}

async fn run(engine: &Engine, program: &str) -> String {
    let world: Arc<dyn World> = zoo();
    let limits = Limits {
        call_values: 2_000,
        // Fuel is the same on every machine, and so many at once may wait for each other.
        deadline: Duration::from_secs(600),
        ..Limits::default()
    };
    let ran = engine.run(program, &world, &limits, &Seed::default()).await;
    line(&ran.expect("the sandbox works"))
}
