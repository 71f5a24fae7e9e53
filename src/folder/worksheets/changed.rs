//! Sheets that have changed since the last turn of a session.

use super::record::Kept;
use crate::domain::Slate;
use crate::error::{Error, Result};
use worksheets::{Act, Format, Sheets, migrate, write};

/// The digest of sheets, by which a session knows that they have changed.
pub fn digest(sheets: &Sheets) -> String {
    let text = write(sheets, Format::Toml).unwrap_or_else(|| sheets.spec().to_string());
    let digest = blake3::hash(text.as_bytes()).to_hex();
    digest.as_str().chars().take(16).collect()
}

/// Fits what a session keeps to sheets with this digest. What fits is kept, what does not is
/// asked again; the lines say so.
///
/// # Errors
/// An open form has no sheet any more: the sentence names it and the ways out.
pub fn resume((sheets, digest): (&Sheets, &str), slate: &Slate) -> Result<Vec<String>> {
    let mut kept = Kept::of(slate)?;
    if kept.sheets == digest || kept.state.records.is_empty() {
        return Ok(Vec::new());
    }
    let (state, changes) = migrate(&kept.state, sheets).map_err(|why| {
        Error::usage(format!(
            "the worksheets have changed since the last turn of this session: {why}"
        ))
    })?;
    kept.state = state;
    // Nobody says yes to what is not there any more: what is missing is asked for in the next turn.
    let stays = |act: &Act| is_known(sheets, act) && (changes.is_empty() || !act.is_question());
    kept.state.acts.retain(stays);
    kept.acts.retain(|performed| stays(&performed.act));
    let is_told = !kept.sheets.is_empty() || !changes.is_empty();
    digest.clone_into(&mut kept.sheets);
    slate.keep(kept.json());
    if !is_told {
        return Ok(Vec::new());
    }
    let head = match changes.is_empty() {
        true => "The worksheets have changed since the last turn. What is filled in still fits.",
        false => "The worksheets have changed since the last turn:",
    };
    let lines = changes.iter().map(ToString::to_string);
    Ok(std::iter::once(head.to_owned()).chain(lines).collect())
}

/// Whether the field that an act is about is there in any sheet.
fn is_known(sheets: &Sheets, act: &Act) -> bool {
    match act {
        Act::Ask(_, field) | Act::Confirm(_, field) if !field.contains('.') => {
            let mut all = sheets.all().iter();
            all.any(|sheet| sheet.field(field).is_some())
        }
        _ => true,
    }
}
