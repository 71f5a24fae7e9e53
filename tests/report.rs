//! Reports of runs: logs in; pages, tables and other programs' logs out.
//!
//! - `logs`: logs made of the dataset, with mistakes planted
//! - `page`: what is on the page, and that nothing of a log is markup
//! - `chromium`: the page as a browser shows it
//! - `states`: what differs in the worlds
//! - `tables`: JSON, CSV, Markdown
//! - `inspect`: what inspect_ai reads
//! - `ray`: shards as tasks of a Ray cluster
//! - `command`: what users see

mod chromium;
mod command;
mod inspect;
mod logs;
mod page;
mod ray;
mod states;
mod tables;

use dialog2api::eval::read::RunLog;
use dialog2api::eval::report::{DialogueKey, Report, ReportWorlds, StateDifference, differences};
use dialog2api::eval::score::Options;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A report of these logs; run 1 lies in the folder `run-1`.
fn report(logs: Vec<RunLog>) -> Report {
    let logs = logs.into_iter().enumerate();
    let logs = logs.map(|(index, log)| (PathBuf::from(format!("run-{}", index + 1)), log));
    Report::new(logs.collect(), &Options::default()).expect("a report")
}

/// A run without a mistake, one with many, and the same in another setting.
async fn three_runs() -> Report {
    report(vec![
        logs::log("ground-truth", 'c', logs::no_mistake).await,
        logs::log("openai:small", 'b', logs::mistakes).await,
        logs::log("openai:small", 'c', |dialogue, turn, it| {
            if dialogue % 2 == 1 {
                logs::mistakes(dialogue, turn, it);
            }
        })
        .await,
    ])
}

async fn differing(report: &Report) -> Result<BTreeMap<DialogueKey, StateDifference>, String> {
    let worlds = ReportWorlds {
        replayer: logs::replayer().await,
        dataset: logs::root(),
    };
    Ok(differences(report, &worlds).await.expect("it can be done"))
}
