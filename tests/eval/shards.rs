//! Parts of a run are joined to the bytes of one.

use crate::eval::lab::{Fake, Lab, REQUESTS, bytes, folder};
use dialog2api::eval::log::Shard;
use dialog2api::eval::merge::merge;
use expect_test::expect;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A shard of a run with this K, in a folder of its own.
async fn shard(home: &Path, index: u32, of: u32, k: u32, model: &Arc<Fake>) -> PathBuf {
    let mut lab = Lab::asking(model);
    lab.wanted.shard = Some(Shard { index, of });
    (lab.wanted.settings.k, lab.wanted.epochs) = (k, 2);
    let folder = home.join(format!("{index}-{of}-{k}-{}", model.fails_from.is_some()));
    lab.run(&folder, false).await.unwrap();
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn shards_joined_are_one_run() {
    let (home, whole) = folder();
    let model = Arc::new(Fake::default());
    let mut lab = Lab::asking(&model);
    lab.wanted.epochs = 2;
    lab.run(&whole, false).await.unwrap();
    for of in [1, 2, 3, 4] {
        let model = Arc::new(Fake::default());
        let mut shards = Vec::new();
        for index in (1..=of).rev() {
            shards.push(shard(home.path(), index, of, 2, &model).await);
        }
        assert_eq!(model.answers(), 2 * REQUESTS);
        let joined = home.path().join(format!("joined-{of}"));
        merge(&joined, &shards).unwrap();
        assert_eq!(bytes(&joined), bytes(&whole), "{of} shards");
        let timings = std::fs::read_to_string(joined.join("timings.jsonl")).unwrap();
        assert_eq!(timings.lines().count(), REQUESTS);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_one_run_is_not_joined() {
    let (home, whole) = folder();
    let model = Arc::new(Fake::default());
    Lab::asking(&model).run(&whole, false).await.unwrap();
    let home = home.path();
    let first = shard(home, 1, 3, 2, &model).await;
    let second = shard(home, 2, 3, 2, &model).await;
    let third = shard(home, 3, 3, 2, &model).await;
    let half = shard(home, 1, 2, 2, &model).await;
    let other = shard(home, 3, 3, 5, &model).await;
    let twin = home.join("twin");
    std::fs::create_dir(&twin).unwrap();
    for name in ["run.json", "log.jsonl"] {
        std::fs::copy(first.join(name), twin.join(name)).unwrap();
    }
    let cut = home.join("cut");
    std::fs::create_dir(&cut).unwrap();
    std::fs::copy(third.join("run.json"), cut.join("run.json")).unwrap();
    let log = std::fs::read(third.join("log.jsonl")).unwrap();
    std::fs::write(cut.join("log.jsonl"), &log[..log.len() - 9]).unwrap();

    let mut seen = String::new();
    for folders in [
        vec![],
        vec![&whole],
        vec![&first, &third],
        vec![&first],
        vec![&first, &second, &third, &twin],
        vec![&first, &half],
        vec![&first, &second, &other],
        vec![&first, &second, &cut],
        vec![&home.join("nowhere")],
    ] {
        let folders: Vec<PathBuf> = folders.into_iter().cloned().collect();
        let joined = home.join("joined");
        let error = merge(&joined, &folders).unwrap_err().to_string();
        seen.push_str(&error.replace(&home.display().to_string(), "HOME"));
        seen.push('\n');
        assert!(!joined.exists());
    }
    let error = merge(&whole, &[first, second, third])
        .unwrap_err()
        .to_string();
    seen.push_str(&error.replace(&home.display().to_string(), "HOME"));
    expect![[r#"
        name the folders of the shards
        HOME/run: is a whole run, and no shard of one
        of the 3 shards one is missing: 2/3
        of the 3 shards some are missing: 2/3, 3/3
        HOME/twin: is shard 1 of 3, as is HOME/1-3-2-false
        HOME/1-2-2-false: is not of the same run as HOME/1-3-2-false: shard.of is 3 there and 2 here
        HOME/3-3-5-false: is not of the same run as HOME/1-3-2-false: settings.k is 2 there and 5 here
        HOME/cut: did not come to its end: 1 of 2 dialogues are finished (3 turns are there); 1 was interrupted; line 4 of the log is cut off and was left out; `dialog2api eval … --resume` goes on
        HOME/nowhere: is no run: it has no run.json. `dialog2api eval --out DIR` makes one
        HOME/run has a run already; name another folder"#]].assert_eq(&seen);
}

#[tokio::test]
async fn a_shard_whose_provider_failed_is_joined_and_counted() {
    let (home, _) = folder();
    let model = Arc::new(Fake::default());
    let down = Arc::new(Fake {
        fails_from: Some(0),
        ..Fake::default()
    });
    let first = shard(home.path(), 1, 2, 2, &model).await;
    let second = shard(home.path(), 2, 2, 2, &down).await;
    let joined = home.path().join("joined");
    merge(&joined, &[first, second]).unwrap();
    let completeness = dialog2api::eval::read::read(&joined).unwrap().completeness;
    expect!["4 of 8 dialogues are finished (14 turns are there); 4 ended early because the provider or dialog2api failed; `dialog2api eval … --resume` goes on"].assert_eq(&completeness.to_string());
}
