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
        // A workbook has no lines, so that only the cell says where to look.
        let cell = match (problem.line, problem.cell.as_str()) {
            (0, cell) if !cell.is_empty() => format!("cell {cell}"),
            _ => String::new(),
        };
        let mut said = vec![cell, problem.place, problem.message];
        said.retain(|part| !part.is_empty());
        Finding::at(&file, problem.line, said.join(": "))
    }));
    findings.extend(of_programs);
    Ok(())
}
