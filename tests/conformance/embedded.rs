//! All cases on the embedded store.

use crate::conformance::cases::{Case, FULL, GIVEN, OWN, divergences, extra};
use crate::conformance::harness::{Backend, check, passed};
use async_trait::async_trait;
use dialog2api::domain::World;
use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::Store;
use std::collections::HashSet;
use std::sync::Arc;

/// The store in memory, its clock standing where the recorder's stood.
pub struct Embedded;

impl Embedded {
    /// An empty store at the endpoint of a region.
    pub fn world(region: &str) -> Memory {
        let time = "2024-01-01T00:00:00Z".parse().expect("a time");
        let mut store = Store::new(Clock::Stands(time));
        store.region = Arc::from(region);
        Memory::new("test", store)
    }
}

#[async_trait]
impl Backend for Embedded {
    fn name(&self) -> &str {
        "the embedded store"
    }

    async fn start(&self, region: &str) -> Arc<dyn World> {
        Arc::new(Embedded::world(region))
    }
}

#[tokio::test]
async fn the_given_cases() {
    let score = check(&Embedded, GIVEN).await;
    assert_eq!(score, "143 of 143 as recorded, 0 divergent");
}

#[tokio::test]
async fn our_own_cases() {
    check(&Embedded, OWN).await;
}

#[tokio::test]
async fn the_cases_of_all_operations() {
    let score = check(&Embedded, FULL).await;
    assert_eq!(score, "378 of 378 as recorded, 0 divergent");
}

/// Files of cases that are not the project's: says how many of them pass.
#[tokio::test]
#[expect(clippy::print_stdout, reason = "people read the figures")]
async fn the_cases_of_others() {
    for (name, file) in extra() {
        let (passed, all, report) = passed(&Embedded, &file).await;
        println!("{name}: {passed} of {all} cases pass\n{report}");
    }
}

#[test]
fn every_case_has_an_id_of_its_own_and_the_page_lists_only_cases() {
    let cases = [GIVEN, OWN, FULL].map(Case::read).concat();
    let ids: HashSet<&str> = cases.iter().map(|case| &*case.id).collect();
    assert_eq!(ids.len(), cases.len());
    for id in divergences() {
        assert!(
            ids.contains(id),
            "divergences.md lists {id}, which is no case"
        );
    }
}
