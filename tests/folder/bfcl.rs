//! Gold replay of BFCL's multi-turn dialogues: `datasets/bfcl/make.py` makes a folder of the
//! package that brings them, and every call answers as the package's own classes did.

use super::lab::cache;
use crate::support::tools::{BFCL, PYTHON, needs};
use dialog2api::folder;
use std::process::Command;

#[tokio::test(flavor = "multi_thread")]
async fn all_800_dialogues() {
    needs!(PYTHON, BFCL);
    let place = tempfile::tempdir().unwrap();
    let made = Command::new(PYTHON.path())
        .args(["-B", "datasets/bfcl/make.py"])
        .args([BFCL.path().as_path(), place.path()])
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "{complaint}");
    let folder = folder::open(&place.path().join("bfcl"), &cache()).unwrap();
    let replayed = folder::replay_gold(&folder, &|_, _| ()).await.unwrap();
    let calls: usize = replayed.iter().map(|it| it.calls).sum();
    assert_eq!((replayed.len(), calls), (800, 4_625));
    for one in replayed {
        assert_eq!(one.differences, Vec::<String>::new(), "{}", one.name);
    }
}
