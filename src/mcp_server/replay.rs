//! A recorded dialogue, run again. It has a world of its own in memory, and nothing of it is kept.

use super::Inner;
use super::arguments::OfReplay;
use super::results::looked_up;
use crate::dataset::{Dialogue, InitialWorlds, Replayer, files, play};
use crate::domain::counted;
use crate::error::{Error, Result};
use rmcp::model::CallToolResult;
use serde_json::Value as Json;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// How many dialogues are named to whoever asks for one that is not there.
const NAMED: usize = 5;

impl Inner {
    /// What `dialog2api replay` says of one dialogue.
    pub async fn replay(&self, it: OfReplay) -> Result<CallToolResult> {
        let file = found(&it)?;
        let dialogue = Dialogue::read(&file)?;
        let domain = &self.parts.domain;
        let world = InitialWorlds::new(domain).of(&dialogue)?;
        let replayer = Replayer::new(self.parts.host.sandbox().await?, domain);
        let played = play(domain, &replayer, &dialogue, world, ()).await?;
        let report = played.report(&dialogue);
        Ok(looked_up(text(&report), report))
    }
}

/// The file of a dialogue. Names are compared with those in the dataset, and lead nowhere else.
fn found(it: &OfReplay) -> Result<PathBuf> {
    let OfReplay { dataset, dialogue } = it;
    if !Path::new(dataset).is_dir() {
        return Err(Error::usage(format!(
            "there is no folder {dataset}: dataset is the path of a folder with dialogues, seen from \
             the folder where the server was started"
        )));
    }
    let files = files(Path::new(dataset))?;
    // Every path ends with no name at all.
    let is_named = !dialogue.is_empty();
    let named = |file: &&PathBuf| is_named && file.with_extension("").ends_with(dialogue);
    if let Some(file) = files.iter().find(named) {
        return Ok(file.clone());
    }
    let names = files.iter().filter_map(|file| file.file_stem()?.to_str());
    let names: Vec<&str> = names.take(NAMED).collect();
    let more = match files.len() - names.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Err(Error::usage(format!(
        "{dataset} has no dialogue {dialogue}; it has {}{more}",
        names.join(", ")
    )))
}

/// The report in words, with all that its JSON has of results.
fn text(report: &Json) -> String {
    let said = |of: &Json| of.as_str().unwrap_or_default().to_owned();
    let list = |of: &Json| of.as_array().cloned().unwrap_or_default();
    let differences = list(&report["differences"]);
    let count = report["programs"].as_u64().unwrap_or_default();
    let programs = counted(usize::try_from(count).unwrap_or_default(), "program");
    let all = match differences.len() {
        0 => "all as recorded".to_owned(),
        some => counted(some, "difference"),
    };
    let mut text = format!("{}: {programs}, {all}\n", said(&report["path"]));
    for difference in &differences {
        let _ = writeln!(text, "  {}", said(difference));
    }
    for (number, turn) in (1..).zip(list(&report["turns"])) {
        let _ = writeln!(text, "turn {number}: {}", said(&turn["user"]));
        for goal in list(&turn["goals"]) {
            for line in said(&goal["program"]).lines() {
                let _ = writeln!(text, "    {line}");
            }
            let now = &goal["now"];
            match (&now["error"], now.is_null()) {
                (_, true) => {}
                (Json::Null, _) => {
                    let _ = writeln!(text, "  result: {}", now["result"]);
                }
                (error, _) => {
                    let _ = writeln!(text, "  error: {error}");
                }
            }
        }
        for change in list(&turn["changes"]) {
            let _ = writeln!(text, "  changed: {change}");
        }
        if let Some(response) = turn["response"].as_str() {
            let _ = writeln!(text, "  {response}");
        }
    }
    text
}
