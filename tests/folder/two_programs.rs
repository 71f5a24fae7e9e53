//! Two programs on one file: neither loses what the other has written.

use super::lab::{Lab, outcome, run};
use dialog2api::domain::{Domain, NamedWorld, Opening, World};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;

async fn opened(domain: &Domain, file: &Path) -> Arc<dyn World> {
    let named = NamedWorld {
        name: Some(file.display().to_string()),
        ..NamedWorld::default()
    };
    let worlds = domain.worlds().unwrap();
    worlds.open(&named, Opening::default()).await.unwrap().world
}

fn lab() -> (Lab, std::path::PathBuf) {
    let world = "import random\n\ndef add(state, name):\n    state[name] = random.random()\n\n\
                 def make(state):\n    state[str(random.random())] = 1\n\n\
                 def names(state):\n    return list(state)\n";
    let lab = Lab::of(world, json!({}));
    let lab = lab.write("domain.toml", "name = \"library\"\nreads = [\"names\"]\n");
    let file = lab.path().join("state.json");
    std::fs::write(&file, "{}").unwrap();
    (lab, file)
}

fn kept(file: &Path) -> Json {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writes_of_two_programs_are_both_kept() {
    let (lab, file) = lab();
    let (one, other) = (lab.domain(), lab.domain());
    let worlds = (opened(&one, &file).await, opened(&other, &file).await);
    let add = |letter: &str| format!("for i in range(30):\n    library.add(f'{letter}{{i}}')");
    let programs = (add("a"), add("b"));
    let ran = tokio::join!(
        run(&one, &worlds.0, &programs.0),
        run(&other, &worlds.1, &programs.1)
    );
    assert_eq!(
        (outcome(&ran.0).as_str(), outcome(&ran.1).as_str()),
        ("null", "null")
    );
    assert_eq!(kept(&file).as_object().unwrap().len(), 60);
    // Each sees what the other has done.
    for (domain, world) in [(&one, &worlds.0), (&other, &worlds.1)] {
        assert_eq!(
            outcome(&run(domain, world, "return len(library.names())").await),
            "60"
        );
        assert_eq!(world.state_value().unwrap().pairs().unwrap().len(), 60);
    }
}

/// Ids that both make up are not the same.
#[tokio::test]
async fn two_programs_do_not_deal_out_the_same_ids() {
    let (lab, file) = lab();
    let domain = lab.domain();
    let worlds = [opened(&domain, &file).await, opened(&domain, &file).await];
    for world in [&worlds[0], &worlds[1], &worlds[0], &worlds[1]] {
        assert_eq!(
            outcome(&run(&domain, world, "library.make()").await),
            "null"
        );
    }
    assert_eq!(kept(&file).as_object().unwrap().len(), 4);
}

/// What a person changes is seen at the next call, and what a person breaks is said.
#[tokio::test]
async fn a_file_that_is_changed_by_hand_is_read_again() {
    let (lab, file) = lab();
    let domain = lab.domain();
    let world = opened(&domain, &file).await;
    std::fs::write(&file, r#"{"by": "hand"}"#).unwrap();
    assert_eq!(
        outcome(&run(&domain, &world, "return library.names()").await),
        r#"["by"]"#
    );
    std::fs::write(&file, "{").unwrap();
    let params = dialog2api::domain::Value::Map(Vec::new());
    let error = world.call("make", &params).await.unwrap_err().to_string();
    assert!(
        error.contains("state.json") && error.contains("is not JSON"),
        "{error}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{");
}
