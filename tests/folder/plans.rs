//! Plans, applies, undo and policies of a folder's worlds, with nothing written for them.

use super::lab::{Lab, cache};
use crate::support::value::value;
use dialog2api::domain::{Domain, NamedWorld, Opening, World, signature};
use dialog2api::exec::{Engine, Limits, Seed};
use dialog2api::plan::{Apply, Draft, Keeping, Plan, Unrecorded, undo};
use dialog2api::policy::{Guard, Policy};
use expect_test::{Expect, expect};
use serde_json::json;
use std::fmt::Write as _;
use std::future::poll_fn;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::task::Poll;

/// The plan of a program on the default world.
async fn plan(domain: &Arc<Domain>, world: &Arc<dyn World>, program: &str) -> Plan {
    let draft = Draft::of(world, domain).unwrap();
    let engine = Engine::prepare(&domain.api.client, &cache(), &mut |_| ())
        .await
        .unwrap();
    let engine = engine.with_setup(&domain.api.setup);
    let on: Arc<dyn World> = draft.clone();
    let ran = engine
        .run(program, &on, &Limits::default(), &Seed::default())
        .await
        .unwrap();
    Plan::new(
        domain.effects.planning.as_deref(),
        draft.writes(),
        ran.calls,
        ran.outcome,
        Keeping::default(),
    )
}

/// Plans a program, applies the plan and takes it back; shows the effects, and how the
/// state differs after each step.
async fn check(program: &str, expected: Expect) {
    let lab = Lab::new();
    let domain = lab.domain();
    let world = domain.initial_world("start").unwrap();
    let before = signature(&*world, []).await.unwrap();
    let planned = plan(&domain, &world, program).await;
    let mut seen = String::new();
    for effect in planned.effects.iter() {
        let _ = writeln!(seen, "{:?} {}", effect.effect, effect.place);
        for line in &effect.lines {
            let _ = writeln!(seen, "    {line}");
        }
    }
    assert_eq!(signature(&*world, []).await.unwrap(), before);
    let planning = domain.effects.planning.as_deref().unwrap();
    let contents = domain.contents().unwrap();
    let start = contents.summary(&*world).await.unwrap();
    let apply = Apply::new(planning, &*world, &planned.writes);
    let applied = apply.run(&mut Unrecorded, &mut |_| ()).await;
    assert!(applied.is_whole(), "{:?}", applied.end);
    let then = contents.summary(&*world).await.unwrap();
    for change in contents.changes(&start, &then).unwrap() {
        let _ = writeln!(seen, "applied: {change}");
    }
    let back = undo(
        planning,
        &planned.writes,
        &applied.steps,
        Keeping::default(),
    );
    assert_eq!(back.lost, []);
    let policy = Policy::read(domain.policy.as_deref().unwrap()).unwrap();
    let judged = policy.judge_all(&domain, &back.plan.writes);
    let denied = judged.err().map(|denied| denied.to_string());
    let _ = writeln!(seen, "undo: {}", denied.unwrap_or("allowed".to_owned()));
    let apply = Apply::new(planning, &*world, &back.plan.writes);
    let applied = apply.run(&mut Unrecorded, &mut |_| ()).await;
    assert!(applied.is_whole(), "{:?}", applied.end);
    let end = contents.summary(&*world).await.unwrap();
    assert_eq!(
        start.to_string(),
        end.to_string(),
        "undone, in the same order"
    );
    assert_eq!(signature(&*world, []).await.unwrap(), before);
    expected.assert_eq(&seen);
}

#[tokio::test]
async fn records_are_made_changed_and_removed_and_brought_back() {
    check(
        "library.add_item('pear')\nlibrary.set_count('apple', 9)\nlibrary.set_count('apple', 10)\n\
         library.remove_item('spare key')\nlibrary.add_item('nothing')\nlibrary.remove_item('nothing')",
        expect![[r#"
            Create items/pear
                {"count":1,"added":"2024-01-01T00:00:00.000001"}
            Overwrite items/apple
                count: 3 → 9
                count: 9 → 10
            Delete items/spare key
            applied: ~ items/apple  count: 3 → 10
            applied: + items/pear  {"count":1,"added":"2024-01-01T00:00:00.000001"}
            applied: - items/spare key
            undo: The policy does not allow this: rule "keep-the-spare-key" denies $set on items/spare key.
        "#]],
    )
    .await;
}

#[test]
fn the_folder_has_words_for_what_it_holds() {
    let words = |lab: Lab| {
        let words = lab.domain().words.clone();
        let list = [
            words.container,
            words.containers,
            words.record,
            words.records,
        ];
        list.join(" ")
    };
    let own = Lab::new().replace("domain.toml", "\"lists\"", "\"shelves\"");
    let seen = [
        words(own),
        words(Lab::of("def look(state):\n    return 1\n", json!({}))),
    ];
    expect![[r#"
        list shelves item items
        container containers record records"#]]
    .assert_eq(&seen.join("\n"));
    let wrong = Lab::new().replace("domain.toml", "containers =", "container_s =");
    expect![[r#"library/domain.toml: line 18: unknown field `container_s`, expected one of `container`, `containers`, `record`, `records`"#]]
        .assert_eq(&wrong.error());
}

#[tokio::test]
async fn what_changed_since_the_plan_is_not_written_over() {
    let lab = Lab::new();
    let domain = lab.domain();
    let world = domain.initial_world("start").unwrap();
    let planned = plan(&domain, &world, "library.set_count('apple', 9)").await;
    super::lab::run(&domain, &world, "library.set_count('apple', 5)").await;
    let planning = domain.effects.planning.as_deref().unwrap();
    let apply = Apply::new(planning, &*world, &planned.writes);
    let applied = apply.run(&mut Unrecorded, &mut |_| ()).await;
    let (_, why) = applied.failure(1).unwrap();
    expect!["Nothing was changed: items/apple has changed since this was planned."].assert_eq(&why);
}

#[tokio::test]
async fn the_policy_of_the_folder_holds() {
    let lab = Lab::new();
    let domain = lab.domain();
    let policy = Policy::read(domain.policy.as_deref().unwrap()).unwrap();
    policy.check(&domain).unwrap();
    let world = domain.initial_world("start").unwrap();
    let guarded: Arc<dyn World> = Arc::new(Guard::new(world, &domain, Arc::new(policy)));
    let mut seen = String::new();
    for program in [
        "library.remove_item('spare key')",
        "library.add_item('spare key', 1)",
        "library.remove_item('apple')",
        "import _host\n_host.call('$remove', {'path': ['items', 'spare key']})",
    ] {
        let ran = super::lab::run(&domain, &guarded, program).await;
        let _ = writeln!(seen, "{}", super::lab::outcome(&ran));
    }
    expect![[r#"
        AccessDenied: The policy does not allow this: rule "keep-the-spare-key" denies remove_item on items/spare key.
        AccessDenied: The policy does not allow this: rule "keep-the-spare-key" denies add_item on items/spare key.
        null
        AccessDenied: The policy does not allow this: rule "keep-the-spare-key" denies $remove on items/spare key.
    "#]].assert_eq(&seen);
}

/// A file with the state of the default world, and the world that keeps its state there.
fn file_of(lab: &Lab) -> (PathBuf, NamedWorld) {
    let file = lab.path().join("mine.json");
    std::fs::copy(lab.path().join("worlds/start.json"), &file).unwrap();
    let named = NamedWorld {
        name: Some(file.display().to_string()),
        ..NamedWorld::default()
    };
    (file, named)
}

/// A world in a file keeps what was done, and deals out new ids when it is opened again.
#[tokio::test]
async fn a_state_in_a_file_is_kept() {
    let lab = Lab::new();
    let domain = lab.domain();
    let (file, named) = file_of(&lab);
    for name in ["pear", "plum"] {
        let opened = domain
            .worlds()
            .unwrap()
            .open(&named, Default::default())
            .await;
        let program = format!("return library.add_item({name:?})['count']");
        let ran = super::lab::run(&domain, &opened.unwrap().world, &program).await;
        assert_eq!(super::lab::outcome(&ran), "1");
    }
    let kept: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let names: Vec<&String> = kept["items"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["apple", "spare key", "pear", "plum"]);
}

/// A write that waits for a thread is not made once nobody waits for it.
#[test]
fn a_call_that_is_given_up_before_its_write_begins_changes_nothing() {
    let lab = Lab::new();
    let domain = lab.domain();
    let (file, named) = file_of(&lab);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(1)
        .build()
        .unwrap();
    runtime.block_on(async {
        let worlds = domain.worlds().unwrap();
        let world = worlds.open(&named, Opening::default()).await.unwrap().world;
        let set = |name: &str| {
            let item = json!({"count": 1, "added": "2024-01-01T00:00:00"});
            value(&json!({"path": ["items", name], "value": item}))
        };
        let (let_go, wait) = mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || wait.recv());
        let params = set("pear");
        let mut call = world.call_once("$set", &params);
        let polled = poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
        assert!(polled.is_pending());
        drop(call);
        drop(let_go);
        // The next call comes after that write.
        let answer = world.call_once("$set", &set("plum")).await.unwrap();
        assert!(answer.is_ok(), "{answer:?}");
        let kept = std::fs::read_to_string(&file).unwrap();
        assert!(kept.contains("plum") && !kept.contains("pear"), "{kept}");
        assert!(busy.await.unwrap().is_err());
    });
}
