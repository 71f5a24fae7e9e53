//! Whether the sheets can be read, and go together.

use super::Finding;
use crate::error::Result;
use crate::folder::worksheets;
use std::path::Path;

pub(super) fn check(path: &Path, findings: &mut Vec<Finding>) -> Result<()> {
    let Some(sheets) = worksheets::find(path) else {
        return Ok(());
    };
    let file = super::relative(path, &sheets);
    let problems = worksheets::read(&sheets)?.err().unwrap_or_default();
    findings.extend(problems.into_iter().map(|problem| {
        let place = match problem.place.as_str() {
            "" => String::new(),
            place => format!("{place}: "),
        };
        Finding::at(&file, problem.line, format!("{place}{}", problem.message))
    }));
    Ok(())
}
