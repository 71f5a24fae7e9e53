//! A model where none is configured: one that runs on this machine already, or one that is
//! set up after a yes.

use super::pull::{DEFAULT, SMALL, fetch};
use crate::cli::chat::lines::Lines;
use crate::cli::progress::Spinner;
use crate::error::{Error, Result};
use crate::llm::local::{Found, Kept, Local, LocalConfig, Ports, Program, find, install};
use crate::llm::{Choice, Model, ModelSpec, OpenAiConfig};
use crate::weights::{self, Manifest};

/// What may be done where nothing is configured.
pub struct Offer<'a> {
    /// Whatever it takes, without a question.
    pub yes: bool,
    /// The smaller model, where one is set up.
    pub small: bool,
    /// No notes.
    pub quiet: bool,
    /// Who is asked; nobody where no person sits there.
    pub lines: Option<&'a mut Lines>,
}

/// The model that is configured, or else one on this machine. Where nobody can be asked and
/// nothing was agreed to, a guide on how to get one is the error.
pub async fn choice(spec: &ModelSpec, mut offer: Offer<'_>) -> Result<Choice> {
    let variable = |name: &str| std::env::var(name).ok();
    if let Some(choice) = spec.choose(&variable)? {
        return Ok(choice);
    }
    let guide = || Error::Usage(spec.guide());
    if !offer.yes && offer.lines.is_none() {
        return Err(guide());
    }
    let spinner = Spinner::new(offer.quiet);
    if let Some(kept) = Kept::find()? {
        spinner.note(&format!(
            "No model is configured; {} runs at {}, kept by `model serve`.",
            kept.model, kept.base_url
        ));
        return Ok(Choice::Local(Box::new(LocalConfig::new(kept.model))));
    }
    spinner.say("looking for a model on this machine");
    let found = find(Ports::of_environment()).await;
    spinner.done();
    for server in &found {
        spinner.note(&describe(server));
    }
    let usable = found
        .iter()
        .find_map(|server| Some((server, server.best()?)));
    if let Some((server, model)) = usable {
        let question = format!("Use {model} of {}? [y/N] ", server.kind.name());
        if !offer.agrees(&question)? {
            return Err(guide());
        }
        spinner.note(&format!(
            "Using {model} of {}. To keep it: dialog2api chat --model openai:{model} --base-url {}",
            server.kind.name(),
            server.base_url
        ));
        let config = OpenAiConfig::new(&server.base_url, model);
        return Ok(Choice::OpenAi(Box::new(config)));
    }
    match set_up(None, &mut offer).await? {
        Some(config) => Ok(Choice::Local(Box::new(config))),
        None => Err(guide()),
    }
}

/// The model of a choice, ready to be asked. Where it is run on this machine its server
/// runs then.
pub async fn opened(choice: Choice, quiet: bool) -> Result<Box<dyn Model>> {
    let Choice::Local(config) = choice else {
        return choice.open();
    };
    let local = Local::new(*config);
    let spinner = Spinner::new(quiet);
    spinner.say(&format!("starting the server of {}", local.name()));
    local.start().await?;
    Ok(Box::new(local))
}

/// Brings a model to this machine, with a program that serves it, after a yes; what is here
/// already needs none. Nothing: there was no yes.
pub async fn set_up(named: Option<&str>, offer: &mut Offer<'_>) -> Result<Option<LocalConfig>> {
    let manifest = wanted(named, offer.small)?;
    let models = weights::models_folder()?;
    let is_here = weights::kept(&manifest, &models).is_some();
    let program = Program::find();
    let config = LocalConfig::new(&manifest.name);
    if is_here && program.is_some() {
        return Ok(Some(config));
    }
    let gigabytes = bytes(manifest.files.iter().map(|file| file.size).sum());
    let mut steps = Vec::new();
    if program.is_none() {
        steps.push("installs llama.cpp's server in a Python environment of its own (34 MB)");
    }
    let fetches = format!("fetches the model ({gigabytes})");
    if !is_here {
        steps.push(&fetches);
    }
    let what = format!(
        "{} ({}) can be run on this machine. That {}.",
        manifest.title,
        manifest.licence,
        steps.join(" and ")
    );
    let spinner = Spinner::new(offer.quiet);
    spinner.note(&what);
    if !offer.agrees("Set it up? [y/N] ")? {
        return Ok(None);
    }
    if program.is_none() {
        install_program(offer.quiet).await?;
    }
    if !is_here {
        fetch(&manifest, None, offer.quiet).await?;
    }
    spinner.note(&format!("{} is set up.", manifest.title));
    Ok(Some(config))
}

/// Brings a program that serves a model file, after a yes. Whether one is here then.
pub async fn set_up_program(offer: &mut Offer<'_>) -> Result<bool> {
    if Program::find().is_some() {
        return Ok(true);
    }
    let what =
        "The server of llama.cpp can be installed in a Python environment of its own (34 MB).";
    Spinner::new(offer.quiet).note(what);
    let agreed = offer.agrees("Install it? [y/N] ")?;
    if agreed {
        install_program(offer.quiet).await?;
    }
    Ok(agreed)
}

async fn install_program(quiet: bool) -> Result<()> {
    // In a thread of its own, so that what shows the progress goes on.
    let installing = tokio::task::spawn_blocking(move || {
        let spinner = Spinner::new(quiet);
        install(&mut |step| spinner.say(step)).map(|_| ())
    });
    installing
        .await
        .map_err(|error| Error::Model(format!("the installation broke off: {error}")))?
}

/// The model that is named; else the one whose files are here; else the usual one.
pub fn wanted(named: Option<&str>, small: bool) -> Result<Manifest> {
    if let Some(name) = named {
        return weights::manifest(name);
    }
    if small {
        return weights::manifest(SMALL);
    }
    let models = weights::models_folder()?;
    let usual = weights::manifest(DEFAULT)?;
    let other = weights::manifest(SMALL)?;
    let is_here = |manifest: &Manifest| weights::kept(manifest, &models).is_some();
    Ok(match !is_here(&usual) && is_here(&other) {
        true => other,
        false => usual,
    })
}

impl Offer<'_> {
    /// Whether someone agrees, or has agreed already.
    fn agrees(&mut self, question: &str) -> Result<bool> {
        match (self.yes, &mut self.lines) {
            (true, _) => Ok(true),
            (false, Some(lines)) => Ok(lines.answer(question)? == Some(true)),
            (false, None) => Ok(false),
        }
    }
}

fn describe(server: &Found) -> String {
    let name = server.kind.name();
    match server.models.as_slice() {
        [] => format!(
            "{name} runs at {}, and has no model to talk with.",
            server.base_url
        ),
        models => {
            let shown: Vec<&str> = models.iter().take(5).map(String::as_str).collect();
            let more = match models.len() > shown.len() {
                true => " …",
                false => "",
            };
            format!(
                "{name} runs at {} with {}{more}.",
                server.base_url,
                shown.join(", ")
            )
        }
    }
}

/// A size of files as their pages say it, in powers of ten.
pub fn bytes(size: u64) -> String {
    match size {
        0..1_000_000_000 => format!("{} MB", size / 1_000_000),
        _ => format!("{}.{} GB", size / 1_000_000_000, size / 100_000_000 % 10),
    }
}
