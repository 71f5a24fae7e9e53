//! `dialog2api session replay`, with the real sandbox and sessions of the real program.

use crate::journal::chats::{Home, goal, reply};
use dialog2api::dialogue::Program;
use dialog2api::domain::s3::{S3, world::memory};
use dialog2api::exec::{Cache, Engine, Limits, Seed};
use dialog2api::journal::{Entry, Replaying, SessionStore};
use dialog2api::policy::Policy;
use expect_test::expect;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

const WORLD: &str = r#"
description = "A desk and a safe."
clock = 2024-01-01T00:00:00Z

[[bucket]]
name = "desk"
created = 2023-12-01T00:00:00Z
object = [{ key = "pen", text = "blue" }]

[[bucket]]
name = "safe"
created = 2023-12-01T00:00:00Z
object = [{ key = "gold", size = 12 }]
"#;

/// What programs do in the order of the session: chance and the clock, a plan that is
/// declined, a policy that denies, a read, an error, an undo, another policy.
fn session(home: &Home) {
    let program = |uid, code: &str| goal(uid, "final", code);
    let answers = [
        program(
            1,
            "import random, time\n\
             s3.put_object(Bucket='desk', Key='dice', Body=str([random.random(), time.time()]))\n\
             return random.random()",
        ),
        reply("Done."),
        format!(
            "{}\n{}",
            program(2, "s3.delete_object(Bucket='desk', Key='dice')"),
            program(
                3,
                "return [o['Key'] for o in s3.list_objects(Bucket='desk')['Contents']]"
            )
        ),
        reply("They are listed."),
        program(4, "s3.delete_object(Bucket='safe', Key='gold')"),
        reply("That is not allowed."),
        program(
            5,
            "s3.put_object(Bucket='desk', Key='lost', Body='')\nraise KeyError('oh')",
        ),
        reply("That failed."),
        program(
            6,
            "s3.copy_object(Bucket='desk', Key='again', CopySource={'Bucket': 'desk', 'Key': 'pen'})\n\
             return s3.get_object(Bucket='desk', Key='again')['Body'].read().decode()",
        ),
        reply("Copied."),
        program(7, "s3.delete_object(Bucket='desk', Key='pen')"),
        reply("Read only."),
    ];
    home.write("world.toml", WORLD);
    home.write(
        "policy.toml",
        "version = 1\nprotected_buckets = [\"safe\"]\n[raise]\nmode = \"user\"\n",
    );
    let words = "--session it --world world.toml --policy policy.toml";
    let input = "put dice on my desk\nyes\nlook\nno\nsteal the gold in the safe\nmake a lost one\n/undo\nyes\ncopy the pen again\nyes\n\
                 /policy mode read-only\ndelete\n";
    let said = home.chat(words, &answers, input);
    assert!(said.ends_with("-- exit 0 --\n"), "{said}");
}

#[test]
fn a_session_replayed_in_the_sandbox_does_the_same() {
    let home = Home::new();
    session(&home);
    expect![[r#"
        turn 1, goal 1  the same
        turn 2, goal 2  not carried out then, and not run
        turn 2, goal 3  the same
        turn 3, goal 4  the same
        turn 4, goal 5  the same
        turn 5, goal 6  the same
        turn 6, goal 7  the same
        7 programs, all as in the session
        -- exit 0 --
    "#]]
    .assert_eq(&home.seen("session replay it", ""));
    expect![[r#"
        7 programs, all as in the session
        -- exit 0 --
    "#]]
    .assert_eq(&home.seen("session replay it --quiet", ""));
    // Another world: what differs is named, program by program.
    let other = WORLD.replace("blue", "red");
    assert_ne!(other, WORLD);
    home.write("world.toml", &other);
    expect![[r#"
        turn 1, goal 1  another: the signature
          then  0.4386167551757084
          now   0.4386167551757084
        turn 2, goal 2  not carried out then, and not run
        turn 2, goal 3  another: the signature
          then  ["dice", "pen"]
          now   ["dice", "pen"]
        turn 3, goal 4  another: the signature
          then  AccessDenied (line 1): An error occurred (AccessDenied) when calling the DeleteObject operation: The policy does not allow this: protected_buckets has "safe", which denies delete_object on safe/gold.
          now   AccessDenied (line 1): An error occurred (AccessDenied) when calling the DeleteObject operation: The policy does not allow this: protected_buckets has "safe", which denies delete_object on safe/gold.
        turn 4, goal 5  another: the signature
          then  KeyError (line 2): 'oh'
          now   KeyError (line 2): 'oh'
        turn 5, goal 6  another: the outcome, the signature
          then  "blue"
          now   "red"
        turn 6, goal 7  another: the signature
          then  AccessDenied (line 1): An error occurred (AccessDenied) when calling the DeleteObject operation: The policy does not allow this: the mode is read-only, which denies delete_object on desk/pen.
          now   AccessDenied (line 1): An error occurred (AccessDenied) when calling the DeleteObject operation: The policy does not allow this: the mode is read-only, which denies delete_object on desk/pen.
        7 programs, 6 differ
        -- exit 3 --
    "#]].assert_eq(&home.seen("session replay it", ""));
    // One in which a write cannot be made.
    home.write("world.toml", &WORLD.replace("desk", "table"));
    expect![[r#"
        error: the session made a write (delete_object) that world.toml (embedded S3, in memory) refuses with NoSuchBucket: it is not the world that the session started from
        -- exit 1 --
    "#]].assert_eq(&home.seen("session replay it", ""));
}

#[test]
fn a_program_that_was_changed_differs() {
    let home = Home::new();
    session(&home);
    let store = SessionStore::at(home.path("state/sessions"));
    let reading = store.read("it").unwrap();
    let mut lines = reading.lines;
    for line in &mut lines {
        if let Entry::Predicted { turn, updates } = &mut line.entry {
            for update in updates {
                let code = update
                    .program
                    .as_ref()
                    .map(Program::code)
                    .unwrap_or_default();
                let changed = match turn {
                    1 => code.replace("'dice'", "'card'"),
                    2 => code.replace("o['Key']", "len(o['Key'])"),
                    5 => code.replace(".decode()", ".decode().upper()"),
                    _ => code.to_owned(),
                };
                update.program = Some(Program::new(&changed));
            }
        }
    }
    let cache = Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox"));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let world = home.path("world.toml");
    let text = runtime.block_on(async {
        let engine = Engine::prepare(&S3.api.client, &cache, &mut |_| ())
            .await
            .unwrap();
        let replaying = Replaying {
            world: Arc::new(memory(world.to_str().unwrap()).unwrap()),
            domain: &S3,
            guard: &|policy, layers| {
                let policy = Policy::read(policy).unwrap();
                Ok(layers.held_to(Arc::new(policy)))
            },
            contents: &reading.contents,
            sandbox: &engine,
            limits: Limits::default(),
            seed: Seed::default(),
        };
        let mut text = String::new();
        for rerun in replaying.run(&lines).await.unwrap() {
            let (turn, uid) = (rerun.turn, rerun.was.uid);
            let _ = writeln!(text, "{turn} {uid} {:?}", rerun.differences());
        }
        text
    });
    expect![[r#"
        1 1 ["the signature"]
        2 2 []
        2 3 ["the outcome", "the signature"]
        3 4 ["the signature"]
        4 5 ["the signature"]
        5 6 ["the outcome", "the signature"]
        6 7 ["the signature"]
    "#]]
    .assert_eq(&text);
}
