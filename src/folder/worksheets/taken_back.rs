//! What is undone in the world is not done in the forms.

use super::record::{Kept, Record};
use crate::agent::TakenBack;
use crate::domain::Slate;
use crate::error::Result;
use worksheets::Sheets;

/// Why a form is open again after an undo.
const WHOLE: &str = "It was done, and then taken back by the user.";

/// How many places a sentence names.
const NAMED: usize = 5;

/// Opens the forms again whose calls were taken back, or a part of what they did.
///
/// # Errors
/// What is kept or was pending cannot be read.
pub fn mark(sheets: &Sheets, slate: &Slate, taken: &TakenBack) -> Result<()> {
    let mut kept = Kept::of(slate)?;
    let message = match taken.is_whole {
        true => WHOLE.to_owned(),
        false => format!(
            "It was done, and a part of it was then taken back by the user: {}. Not taken back: {}.",
            list(&taken.back),
            list(&taken.left)
        ),
    };
    for record in Record::read(&taken.noted["record"])?.wrote() {
        let state = &mut kept.state;
        match (taken.is_more, taken.is_whole) {
            (true, is_whole) => state.take_back_more(&record, is_whole, &message),
            (false, true) => state.take_back(sheets, &record, &message),
            (false, false) => state.take_back_in_part(sheets, &record, &message),
        }
    }
    slate.keep(kept.json());
    Ok(())
}

fn list(places: &[String]) -> String {
    let named = places.iter().take(NAMED).map(String::as_str);
    let named = named.collect::<Vec<_>>().join(", ");
    match places.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
