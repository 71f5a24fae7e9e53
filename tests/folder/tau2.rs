//! Gold replay of tau2-bench: every recorded call answers as upstream's own code did, and
//! every task ends in the state that upstream's code reaches.

use super::lab::cache;
use dialog2api::folder;
use std::path::Path;

async fn check(name: &str, tasks: usize, actions: usize) {
    let path = Path::new("datasets").join(name);
    let findings = folder::check(&path, &cache()).await.unwrap();
    assert_eq!(findings, []);
    let folder = folder::open(&path, &cache()).unwrap();
    let replayed = folder::replay_gold(&folder, &|_, _| ()).await.unwrap();
    let calls: usize = replayed.iter().map(|it| it.calls).sum();
    assert_eq!((replayed.len(), calls), (tasks, actions));
    for one in replayed {
        assert_eq!(one.differences, Vec::<String>::new(), "{}", one.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn retail() {
    check("tau2-retail", 114, 550).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn airline() {
    check("tau2-airline", 50, 142).await;
}
