//! BFCL's dialogues: `datasets/bfcl/make.py` makes folders of the package that brings them.

use super::lab::cache;
use crate::support::tools::{BFCL, PYTHON, needs};
use dialog2api::dataset::Set;
use dialog2api::domain::Domain;
use dialog2api::folder;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;
use tempfile::TempDir;

/// What `make.py` writes.
fn made() -> &'static Path {
    static MADE: OnceLock<TempDir> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let place = tempfile::tempdir().unwrap();
        let made = PYTHON
            .python()
            .args(["-B", "datasets/bfcl/make.py", "--dialogues"])
            .args([BFCL.path().as_path(), place.path()])
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "{complaint}");
        place
    });
    made.path()
}

/// Every gold call answers as the package's own classes did.
#[tokio::test(flavor = "multi_thread")]
async fn all_800_dialogues() {
    needs!(PYTHON, BFCL);
    let folder = folder::open(&made().join("bfcl"), &cache()).unwrap();
    let replayed = folder::replay_gold(&folder, &|_, _| ()).await.unwrap();
    let calls: usize = replayed.iter().map(|it| it.calls).sum();
    assert_eq!((replayed.len(), calls), (800, 4_625));
    for one in replayed {
        assert_eq!(one.differences, Vec::<String>::new(), "{}", one.name);
    }
}

/// The functions that prompts describe for these operations.
fn described(domain: &Domain, offered: &BTreeSet<&str>) -> BTreeSet<String> {
    let document = domain.offering(offered).document("", &[]).into_owned();
    let stubs = document.split("\ndef ").skip(1);
    let names = stubs.filter_map(|stub| stub.split_once('('));
    names.map(|(name, _)| name.to_owned()).collect()
}

fn owned(names: &BTreeSet<&str>) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn functions_that_bfcl_holds_back_are_offered_later() {
    needs!(PYTHON, BFCL);
    let path = made().join("bfcl");
    let domain = folder::load(&path, &cache()).unwrap();
    let set = Set::read(&path.join("test"), &domain).unwrap();
    let (mut later, mut longest) = (0, 0);
    for dialogue in &set.dialogues {
        let transcript = &dialogue.transcript;
        let offer = transcript.offer();
        let in_turn = |turn| offer.in_turn(turn).unwrap();
        assert!(offer.names().all(|name| domain.operation(name).is_some()));
        let first = in_turn(1);
        longest = longest.max(first.len());
        let grows = (2..=transcript.turns.len()).find(|turn| in_turn(*turn) != first);
        let is_held_back = transcript.attribute("category") == Some("miss_func");
        assert_eq!(grows.is_some(), is_held_back, "{}", transcript.uid);
        let Some(turn) = grows.filter(|_| transcript.uid.ends_with("func_0")) else {
            later += usize::from(grows.is_some());
            continue;
        };
        later += 1;
        assert!(!first.contains("sort") && in_turn(turn).contains("sort"));
        assert_eq!(described(&domain, &first), owned(&first));
        assert_eq!(described(&domain, &in_turn(turn)), owned(&in_turn(turn)));
        let document = domain.offering(&first).document("", &[]).into_owned();
        assert!(document.contains("# TwitterAPI: ") && !document.contains("# TicketAPI: "));
    }
    assert_eq!((set.dialogues.len(), later), (800, 200));
    assert!(longest * 2 < domain.api.operations.len());
}

#[test]
fn each_case_of_irrelevance_offers_its_own_functions() {
    needs!(PYTHON, BFCL);
    let path = made().join("irrelevance");
    let domain = folder::load(&path, &cache()).unwrap();
    let set = Set::read(&path, &domain).unwrap();
    let mut all = BTreeSet::new();
    for dialogue in &set.dialogues {
        let offer = dialogue.transcript.offer();
        let offered = offer.in_turn(1).unwrap();
        assert_eq!(described(&domain, &offered), owned(&offered));
        all.extend(owned(&offered));
    }
    assert_eq!((set.dialogues.len(), set.unread.len()), (240, 0));
    // One function is that of two cases, and six names are those of two functions.
    assert_eq!((all.len(), domain.api.operations.len()), (239, 239));
    assert!(all.contains("calculate_bmi") && all.contains("calculate_bmi_2"));
}
