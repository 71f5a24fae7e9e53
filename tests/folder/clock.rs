//! The time that `world.py` has: that of its domain, or of the turn.

use super::lab::{Lab, cache};
use dialog2api::dialogue::Outcome;
use dialog2api::domain::{Domain, NamedWorld, Opening, World};
use dialog2api::exec::{Engine, Limits, Seed};
use dialog2api::plan::{Apply, Draft, Unrecorded};
use serde_json::{Value as Json, json};
use std::sync::Arc;

const NOW: &str = "2026-11-28T23:59:59Z";

/// A function that keeps the time at which it was called.
const STAMP: &str = "from datetime import datetime, timezone

def stamp(state):
    now = datetime.now(timezone.utc).isoformat(timespec='seconds')
    state['stamps'].append(now)
    return now
";

fn lab(definition: &str) -> Lab {
    let lab = Lab::of(STAMP, json!({"stamps": []}));
    lab.write("domain.toml", &format!("name = \"library\"\n{definition}"))
}

async fn opened(domain: &Domain, name: Option<&str>) -> Arc<dyn World> {
    let named = NamedWorld {
        name: name.map(str::to_owned),
        ..NamedWorld::default()
    };
    let opened = domain.worlds().unwrap();
    opened.open(&named, Opening::default()).await.unwrap().world
}

async fn run(domain: &Domain, world: &Arc<dyn World>, now: &str, program: &str) -> Json {
    let engine = Engine::prepare(&domain.api.client, &cache(), &mut |_| ()).await;
    let engine = engine.unwrap().with_setup(&domain.api.setup);
    let seed = Seed {
        now: now.parse().unwrap(),
        ..Seed::default()
    };
    let program = format!("from datetime import datetime, timezone\n{program}");
    let ran = engine.run(&program, world, &Limits::default(), &seed).await;
    match ran.unwrap().outcome {
        Outcome::Result(json) => json,
        Outcome::Error(error) => panic!("{}: {}", error.error, error.message),
    }
}

/// Two calls, and the program's time after them.
const TWO: &str = "return [library.stamp(), library.stamp(), \
                   datetime.now(timezone.utc).isoformat(timespec='seconds')]";

#[tokio::test]
async fn a_world_without_a_time_has_that_of_the_turn() {
    let lab = lab("");
    let domain = lab.domain();
    let file = lab.path().join("kept.json");
    std::fs::write(&file, r#"{"stamps": []}"#).unwrap();
    for name in [None, file.to_str()] {
        let world = opened(&domain, name).await;
        assert_eq!(world.own_time(), None);
        world.hold_time(NOW.parse().unwrap());
        assert_eq!(
            run(&domain, &world, NOW, TWO).await,
            json!([
                "2026-11-28T23:59:59+00:00",
                "2026-11-29T00:00:00+00:00",
                "2026-11-29T00:00:01+00:00"
            ])
        );
        // Within the turn it goes on, and the next turn has its own.
        world.hold_time(NOW.parse().unwrap());
        let one = run(&domain, &world, NOW, "return library.stamp()").await;
        assert_eq!(one, json!("2026-11-29T00:00:01+00:00"));
        world.hold_time("2027-01-01T00:00:00Z".parse().unwrap());
        let one = run(&domain, &world, NOW, "return library.stamp()").await;
        assert_eq!(one, json!("2027-01-01T00:00:00+00:00"));
    }
}

#[tokio::test]
async fn a_world_of_a_domain_with_a_time_keeps_it() {
    let lab = lab("now = \"2024-05-15T15:00:00-05:00\"\n");
    let domain = lab.domain();
    for world in [
        opened(&domain, None).await,
        domain.initial_world("start").unwrap(),
    ] {
        assert_eq!(
            world.own_time().unwrap().to_string(),
            "2024-05-15T20:00:00Z"
        );
        world.hold_time(NOW.parse().unwrap());
        assert_eq!(
            run(&domain, &world, "2024-01-01T00:00:00Z", TWO).await,
            json!([
                "2024-05-15T20:00:00+00:00",
                "2024-05-15T20:00:01+00:00",
                "2024-05-15T20:00:02+00:00"
            ])
        );
    }
}

#[tokio::test]
async fn what_was_rehearsed_is_what_is_done() {
    let lab = lab("");
    let domain = lab.domain();
    let world = opened(&domain, None).await;
    // Two programs of one turn.
    for stamps in [
        json!(["2026-11-28T23:59:59+00:00", "2026-11-29T00:00:00+00:00"]),
        json!([
            "2026-11-28T23:59:59+00:00",
            "2026-11-29T00:00:00+00:00",
            "2026-11-29T00:00:01+00:00",
            "2026-11-29T00:00:02+00:00"
        ]),
    ] {
        world.hold_time(NOW.parse().unwrap());
        let draft = Draft::of(&world, &domain).unwrap();
        draft.hold_time(NOW.parse().unwrap());
        let on: Arc<dyn World> = draft.clone();
        run(&domain, &on, NOW, TWO).await;
        let rehearsed = on.state_value().unwrap().to_json();
        let writes = draft.writes();
        let apply = Apply::new(
            domain.effects.planning.as_deref().unwrap(),
            &*world,
            &writes,
        );
        let applied = apply.run(&mut Unrecorded, &mut |_| ()).await;
        assert!(applied.is_whole(), "{:?}", applied.end);
        let done = world.state_value().unwrap().to_json();
        assert_eq!(done, rehearsed);
        assert_eq!(done["stamps"], stamps);
    }
}

#[tokio::test]
async fn in_an_evaluation_the_time_is_the_same_every_time() {
    let lab = lab("");
    let domain = lab.domain();
    for _ in 0..2 {
        let world = domain.initial_world("start").unwrap();
        let seed = Seed::default().now.to_string();
        let one = run(&domain, &world, &seed, "return library.stamp()").await;
        assert_eq!(one, json!("2024-01-01T00:00:00+00:00"));
    }
}

/// The first call prepares the sandbox of `world.py`, which takes up to a minute once. No program
/// pays for that with its own time.
#[tokio::test]
async fn a_program_does_not_pay_for_the_sandbox_of_its_world() {
    let lab = lab("");
    let domain = lab.domain();
    let world = opened(&domain, None).await;
    assert!(world.waits());
    let none = dialog2api::domain::Value::Map(Vec::new());
    world.call("stamp", &none).await.unwrap().unwrap();
    assert!(!world.waits());
    assert!(!world.fork().unwrap().waits());
}
