//! Files are dialogues in their canonical form.

use super::{Check, Checked, Found, Looked};
use crate::dialogue::write_transcript;
use crate::error::Result;
use async_trait::async_trait;

/// Every file parses, and writing it again gives the same bytes.
pub struct Form;

#[async_trait]
impl Check for Form {
    fn name(&self) -> &'static str {
        "form"
    }

    fn rule(&self) -> &'static str {
        "every file is a dialogue in canonical form"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let set = checked.set;
        for (path, problem) in &set.unread {
            found.on_file(set, path, format!("is no dialogue: {problem}"));
        }
        for dialogue in &set.dialogues {
            let written = write_transcript(&dialogue.transcript);
            if let Some((line, is, would)) = difference(&dialogue.text, &written) {
                let problem = format!(
                    "line {line} is {is:?} and would be written {would:?}; \
                     `dialog2api dataset annotate --write` writes it so"
                );
                found.on(set, dialogue, None, None, problem);
            }
        }
        found.end()
    }
}

/// The first line that differs, from 1, and what it is in each text.
fn difference<'a>(is: &'a str, would: &'a str) -> Option<(usize, &'a str, &'a str)> {
    if is == would {
        return None;
    }
    let (mut here, mut there) = (is.split_inclusive('\n'), would.split_inclusive('\n'));
    let mut number = 0;
    loop {
        number += 1;
        match (here.next(), there.next()) {
            (Some(one), Some(other)) if one == other => {}
            (None, None) => return None,
            (one, other) => return Some((number, one.unwrap_or(""), other.unwrap_or(""))),
        }
    }
}
