//! The short notation in which a trained model writes goals: a line with uid and status, and
//! the program below it.
//!
//! ```text
//! 1 abandoned
//! 2 final
//! return len(s3.list_buckets()["Buckets"])
//! ```
//!
//! It takes a fifth of the tokens of the tags in the exchange format. A line of a program that
//! looks like the head of a goal gets a backslash in front, also if it begins with backslashes.

use crate::dialogue::{FormatError, Program, Status, Update};

/// The goals of a turn in the short notation, without a line break at the end.
pub fn write_goals(updates: &[Update]) -> String {
    let mut text = String::new();
    for update in updates {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("{} {}", update.uid, update.status));
        let code = update
            .program
            .iter()
            .flat_map(|program| program.code().trim_matches('\n').lines());
        for line in code {
            text.push('\n');
            if head(line.trim_start_matches('\\')).is_some() {
                text.push('\\');
            }
            text.push_str(line);
        }
    }
    text
}

/// The goals that a model wrote.
///
/// # Errors
/// The text does not begin with a goal.
pub fn read_goals(text: &str) -> Result<Vec<Update>, FormatError> {
    let mut goals: Vec<(u32, Status, Vec<&str>)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_end();
        match (head(line), goals.last_mut()) {
            (Some((uid, status)), _) => goals.push((uid, status, Vec::new())),
            (None, Some((_, _, code))) => code.push(unescaped(line)),
            (None, None) if line.is_empty() => {}
            (None, None) => {
                return Err(FormatError {
                    line: number + 1,
                    column: 1,
                    problem: "expected the uid and the status of a goal, as in `1 final`".into(),
                });
            }
        }
    }
    let update = |(uid, status, code): (u32, Status, Vec<&str>)| {
        let code = code.join("\n");
        Update {
            uid,
            status,
            program: (!code.trim().is_empty()).then(|| Program::new(&code)),
        }
    };
    Ok(goals.into_iter().map(update).collect())
}

/// The uid and the status of a goal, if this line is its head.
fn head(line: &str) -> Option<(u32, Status)> {
    let (uid, status) = line.split_once(' ')?;
    let is_number = uid.bytes().all(|byte| byte.is_ascii_digit()) && !uid.starts_with('0');
    let status = [Status::Drafting, Status::Final, Status::Abandoned]
        .into_iter()
        .find(|known| known.to_string() == status)?;
    Some((uid.parse().ok().filter(|_| is_number)?, status))
}

fn unescaped(line: &str) -> &str {
    match line.strip_prefix('\\') {
        Some(rest) if head(rest.trim_start_matches('\\')).is_some() => rest,
        _ => line,
    }
}
