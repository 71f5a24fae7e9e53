//! Faults at every position of an apply are survived.

use crate::faults::proxy::{Asked, Fault};
use crate::faults::run::{Planned, Run};
use crate::faults::server::Server;
use crate::support::tools::needs;
use std::sync::Arc;

/// What breaks at each of the 200 writes, one after the other: all but the last leave the
/// write to be made.
const RUNS: [&[Fault]; 5] = [
    &[Fault::Internal, Fault::SilenceAfter],
    &[Fault::SilenceBefore, Fault::Liar],
    &[Fault::Late, Fault::ResetAfter],
    &[Fault::SlowDown, Fault::HalfAnswer],
    &[Fault::ResetBefore, Fault::HalfRequest, Fault::Drip],
];

/// So often something is tried.
const ATTEMPTS: u32 = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_at_every_write_are_survived() {
    needs!(WEED);
    let server = Server::start().await;
    let planned = Planned::new(&server).await;
    let there = Arc::new((server, planned));
    let mut runs = Vec::new();
    for faults in RUNS {
        let there = there.clone();
        runs.push(tokio::spawn(async move {
            survive(&there.0, &there.1, faults).await
        }));
    }
    println!("fault            at writes  at looks  survived");
    let (mut all, mut again) = (0, 0);
    for run in runs {
        let figures = run.await.unwrap();
        again += figures.again;
        for (fault, (writes, looks)) in figures.injected {
            assert_eq!(writes, 200, "{fault:?}");
            let (fault, sum) = (format!("{fault:?}"), writes + looks);
            println!("{fault:15}  {writes:9}  {looks:8}  {sum:8}");
            all += sum;
        }
    }
    println!(
        "{all} faults were injected, and all survived: each of 1000 writes had its effect once;"
    );
    println!("those that leave the content as it is were made again {again} times");
}

struct Figures {
    injected: Vec<(Fault, (usize, usize))>,
    again: usize,
}

async fn survive(server: &Server, planned: &Planned, faults: &'static [Fault]) -> Figures {
    let name = format!("{:?}", faults[0]).to_lowercase();
    let run = Run::new(server, planned, &name, faults).await;
    let mut looks = 0;
    run.proxy.breaks(move |asked: &Asked| {
        if asked.writes {
            return faults.get(asked.before).copied();
        }
        looks += 1;
        let fault = faults[looks / 3 % faults.len()];
        // Looks run side by side. Without this, chance could break one of them as often
        // as it is tried.
        (looks % 3 == 0 && !asked.was_broken).then_some(fault)
    });
    let applied = run.apply(ATTEMPTS).await;
    assert!(applied.is_whole(), "{faults:?}: {:?}", applied.end);
    let again = run.check_whole(server).await;
    let injected = faults
        .iter()
        .map(|fault| (*fault, run.proxy.injected(*fault)));
    Figures {
        injected: injected.collect(),
        again,
    }
}
