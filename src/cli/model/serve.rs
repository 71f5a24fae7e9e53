//! `dialog2api model serve` and `stop`.

use super::offer::{Offer, set_up, set_up_program, wanted};
use crate::cli::Exit;
use crate::cli::chat::lines::Lines;
use crate::cli::options::AdapterOption;
use crate::cli::progress::Spinner;
use crate::cli::stop::Signals;
use crate::cli::terminal::{self, clean};
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::llm::Choice;
use crate::llm::local::{KeptServer, LocalConfig, ModelServer};
use clap::Args;

/// The command's options.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The model: qwen2.5-coder-1.5b, qwen2.5-coder-0.5b, or a file (FILE.gguf) [default: the
    /// one on this machine, else the smaller if it has learned the domain, else the larger]
    #[arg(value_name = "MODEL", conflicts_with = "small")]
    model: Option<String>,

    /// Choose the smaller model: qwen2.5-coder-0.5b
    #[arg(long)]
    small: bool,

    /// Set the model up without asking, if necessary
    #[arg(long)]
    yes: bool,

    /// Threads of the server [default: DIALOG2API_THREADS, or the machine's cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    threads: Option<u32>,

    /// Tokens of its context [default: what fits the machine]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(512..))]
    context: Option<u32>,

    #[command(flatten)]
    adapter: AdapterOption,
}

/// Starts a server that outlives the command, and prints its address.
pub async fn serve(args: &ServeArgs, domain: &Domain, quiet: bool) -> Result<Exit> {
    let mut lines = Lines::of_person()?;
    let mut offer = Offer {
        yes: args.yes,
        small: args.small,
        domain,
        quiet,
        lines: lines.as_mut(),
    };
    let file = args.model.as_ref().filter(|name| name.ends_with(".gguf"));
    let model = match file {
        Some(file) => {
            let path = std::path::absolute(file).map_err(Error::file("cannot read", file))?;
            path.to_string_lossy().into_owned()
        }
        None => wanted(args.model.as_deref(), args.small, domain)?.name,
    };
    let config = LocalConfig {
        threads: args.threads,
        context: args.context,
        ..LocalConfig::new(&model)
    };
    let choice = Choice::Local(Box::new(config));
    let Choice::Local(config) = args.adapter.applied(choice, domain)? else {
        return Err(Error::usage("only a model on this machine can be served"));
    };
    if let Some(kept) = KeptServer::find()? {
        if kept.serves(&config) {
            say(&kept, "is served already")?;
            return Ok(Exit::Done);
        }
        return Err(Error::usage(format!(
            "{} is served; `dialog2api model stop` ends it",
            kept.model
        )));
    }
    let is_ready = match file {
        Some(_) => set_up_program(&mut offer).await?,
        None => set_up(Some(&model), &mut offer).await?.is_some(),
    };
    if !is_ready {
        return Err(Error::usage(
            "nothing was set up; --yes sets it up without a question",
        ));
    }
    let spinner = Spinner::new(quiet);
    spinner.say(&format!("starting the server of {}", config.model));
    let mut signals = Signals::new()?;
    let kept = tokio::select! {
        kept = ModelServer::keep(&config) => kept?,
        () = signals.wait() => {
            // Dropping the unfinished start has ended the server.
            return Err(Error::model(format!(
                "the start of the server of {} was interrupted; nothing runs",
                config.model
            )));
        }
    };
    spinner.done();
    say(&kept, "is served")?;
    Ok(Exit::Done)
}

fn say(kept: &KeptServer, word: &str) -> Result<()> {
    terminal::print(format!(
        "{} {word} at {} until `dialog2api model stop`.\n\
         `dialog2api chat --model local:{}` uses it; for other programs its key is in {}.\n",
        clean(&kept.model),
        kept.base_url,
        clean(&kept.model),
        clean(&KeptServer::path()?.display().to_string())
    ))
}

/// Ends the kept server.
pub async fn stop(quiet: bool) -> Result<Exit> {
    let said = match KeptServer::find()? {
        Some(kept) => {
            let model = kept.model.clone();
            kept.stop().await?;
            format!("{} is no longer served.\n", clean(&model))
        }
        None => "No model is served.\n".to_owned(),
    };
    if !quiet {
        terminal::print(said)?;
    }
    Ok(Exit::Done)
}
