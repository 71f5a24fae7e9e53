//! Whether recorded calls can be read, and call existing operations.

use super::Finding;
use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::folder::assemble::API;
use crate::folder::gold::{FILE, recordings};
use crate::folder::stub::Stub;

pub(super) fn check(folder: &Folder, api: &Stub, findings: &mut Vec<Finding>) -> Result<()> {
    let path = folder.path.join(FILE);
    if !path.exists() {
        return Ok(());
    }
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            let error = Error::file("cannot read", &path)(error);
            findings.push(Finding::of(&folder.path, error)?);
            return Ok(());
        }
    };
    for (line, read) in recordings(&text) {
        let mut found = |problem| findings.push(Finding::at(FILE, line, problem));
        let recording = match read {
            Ok(recording) => recording,
            Err(problem) => {
                found(problem);
                continue;
            }
        };
        let worlds = || folder.worlds.iter().map(|(name, _)| name.as_str());
        if let Some(name) = recording
            .world()
            .filter(|name| worlds().all(|it| it != *name))
        {
            found(format!("there is no world {name:?}"));
        }
        for (number, (operation, params, raises)) in (1..).zip(recording.calls()) {
            let Some(function) = api.function(operation) else {
                found(format!(
                    "call {number} is of {operation}, which {API} does not have"
                ));
                continue;
            };
            // A recording may have what the API says to a wrong call.
            if raises || function.takes_more {
                continue;
            }
            let unknown = params.keys().find(|key| {
                let mut known = function.parameters.iter();
                !known.any(|parameter| parameter.name == **key)
            });
            if let Some(unknown) = unknown {
                found(format!(
                    "call {number} is of {operation} with {unknown}, which it does not have in {API}"
                ));
            }
        }
    }
    Ok(())
}
