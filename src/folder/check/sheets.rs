//! Whether the sheets can be read, go together, and call what there is.

use super::Finding;
use crate::error::Result;
use crate::folder::worksheets;
use std::path::Path;

pub(super) fn check(path: &Path, findings: &mut Vec<Finding>) -> Result<()> {
    let Some(sheets) = worksheets::find(path) else {
        return Ok(());
    };
    let file = super::relative(path, &sheets);
    let (problems, of_programs) = match worksheets::read(&sheets)? {
        // What keeps a file with functions from being read is a finding by itself.
        Ok(sheets) => (
            worksheets::check_cells(path, &sheets).unwrap_or_default(),
            worksheets::check_programs(path, &sheets)?,
        ),
        Err(problems) => (problems, Vec::new()),
    };
    findings.extend(problems.into_iter().map(|problem| {
        let place = match problem.place.as_str() {
            "" => String::new(),
            place => format!("{place}: "),
        };
        Finding::at(&file, problem.line, format!("{place}{}", problem.message))
    }));
    findings.extend(of_programs);
    Ok(())
}
