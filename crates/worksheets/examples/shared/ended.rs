//! How an example ends.

use std::process::ExitCode;

/// Says what went wrong, with the exit code 2.
pub fn ended(ran: Result<(), String>) -> ExitCode {
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}
