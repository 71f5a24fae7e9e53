//! Whether `world.py` loads with every state.

use super::{Finding, relative};
use crate::domain::StateValue;
use crate::error::Result;
use crate::folder::assemble::WORLD;
use crate::folder::runtime::Runtime;
use crate::folder::{Folder, state_file};

/// Whether the worlds of a folder over another domain can be opened.
pub(super) fn described(folder: &Folder, findings: &mut Vec<Finding>) -> Result<()> {
    for (name, _) in &folder.worlds {
        if let Err(error) = folder.domain.initial_world(name) {
            findings.push(Finding::of(&folder.path, error)?);
        }
    }
    Ok(())
}

pub(super) async fn check(
    folder: &Folder,
    runtime: &Runtime,
    findings: &mut Vec<Finding>,
) -> Result<()> {
    if folder.worlds.is_empty() {
        findings.push(Finding::at(
            "worlds/",
            0,
            "has no state: add one as worlds/NAME.json",
        ));
        if let Err(refusal) = runtime.try_load(&StateValue::empty()).await? {
            findings.push(Finding::at(
                WORLD,
                line_in(&refusal.message),
                refusal.message,
            ));
        }
    }
    for (_, path) in &folder.worlds {
        let state = match state_file::read(path) {
            Ok(state) => state,
            Err(error) => {
                findings.push(Finding::of(&folder.path, error)?);
                continue;
            }
        };
        if let Err(refusal) = runtime.try_load(&state).await? {
            let line = line_in(&refusal.message);
            // Code that does not load with any state is at fault itself.
            let is_code = line > 0 || runtime.try_load(&StateValue::empty()).await?.is_err();
            let file = match is_code {
                true => WORLD.to_owned(),
                false => relative(&folder.path, path),
            };
            findings.push(Finding::at(&file, line, refusal.message));
            if is_code {
                break;
            }
        }
    }
    Ok(())
}

/// The line of `world.py` that a message names; 0 if it names none.
fn line_in(message: &str) -> usize {
    let after = message.split("world.py, line ").nth(1).unwrap_or_default();
    let digits = after.split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
