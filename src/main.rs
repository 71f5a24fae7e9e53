//! The command `dialog2api`: see `dialog2api --help` and [`dialog2api::cli`].

use clap::Parser;
use dialog2api::cli::{self, Cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli::execute(cli) {
        Ok(exit) => exit.into(),
        Err(error) => {
            cli::report(&error);
            cli::Exit::of(&error).into()
        }
    }
}
