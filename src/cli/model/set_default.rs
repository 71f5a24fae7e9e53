//! `dialog2api model use`.

use crate::cli::Exit;
use crate::cli::terminal::{self, clean};
use crate::error::{Error, Result};
use crate::llm::{ModelSpec, default_config_file, set_default};
use clap::Args;

/// The command's options.
#[derive(Debug, Args)]
pub struct UseArgs {
    /// A name in the config file ([models.NAME]), or a value of --model: local:NAME,
    /// openai:NAME …
    #[arg(value_name = "MODEL")]
    model: String,
}

/// Writes the default into the config file.
pub fn make_default(args: &UseArgs, quiet: bool) -> Result<Exit> {
    ModelSpec::default().known(&args.model)?;
    let path = default_config_file().ok_or_else(|| {
        Error::usage("there is no home folder to keep a config file in; set HOME")
    })?;
    set_default(&path, &args.model)?;
    if !quiet {
        let (model, path) = (clean(&args.model), path.display().to_string());
        terminal::print(format!(
            "{model} is the default now, in {}.\n",
            clean(&path)
        ))?;
    }
    let variable = std::env::var("DIALOG2API_MODEL").ok();
    if let Some(other) = variable.filter(|other| !other.trim().is_empty()) {
        terminal::complain(
            "note",
            &format!("DIALOG2API_MODEL is set to {other}, and comes before it"),
        );
    }
    Ok(Exit::Done)
}
