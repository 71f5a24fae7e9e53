//! The worksheets of `datasets` as folder domains: `world.py` answers in the sandbox as the
//! calls of the recorded dialogues say. How the dialogues play is tested beside the crate.

use super::lab::cache;
use dialog2api::folder;
use std::path::Path;

async fn check(name: &str, calls: usize) {
    let path = Path::new("datasets").join(name);
    let findings = folder::check(&path, &cache()).await.unwrap();
    assert_eq!(findings, []);
    let folder = folder::open(&path, &cache()).unwrap();
    let replayed = folder::replay_gold(&folder, &|_, _| ()).await.unwrap();
    let made: usize = replayed.iter().map(|it| it.calls).sum();
    assert_eq!((replayed.len(), made), (24, calls));
    for one in replayed {
        assert_eq!(one.differences, Vec::<String>::new(), "{}", one.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tables() {
    check("worksheets-restaurant", 35).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tickets() {
    check("worksheets-tickets", 27).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn courses() {
    check("worksheets-courses", 27).await;
}
