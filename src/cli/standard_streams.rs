//! Standard input and output for protocols.

use crate::error::{Error, Result};
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};

/// Handles of their own to standard input and output, which are read and written as it comes.
///
/// # Errors
/// One of them is closed.
pub fn standard_streams() -> Result<(tokio::fs::File, tokio::fs::File)> {
    let stdin = own(std::io::stdin().as_fd(), "standard input")?;
    let stdout = own(std::io::stdout().as_fd(), "standard output")?;
    Ok((stdin, stdout))
}

fn own(stream: BorrowedFd<'_>, name: &'static str) -> Result<tokio::fs::File> {
    let own = stream.try_clone_to_owned();
    let own = own.map_err(Error::file("cannot use", name))?;
    Ok(tokio::fs::File::from_std(File::from(own)))
}
