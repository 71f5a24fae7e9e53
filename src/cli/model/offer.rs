//! The choice of a model if none is configured: one that already runs on this machine, or
//! one that is set up with the user's consent.

use super::pull::{SMALL, fetch, for_dialogues};
use crate::cli::chat::lines::Lines;
use crate::cli::progress::Spinner;
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::llm::local::{
    Found, KeptServer, Local, LocalConfig, Ports, ServerProgram, find, install,
};
use crate::llm::{Choice, Model, ModelSpec, OpenAiConfig};
use crate::weights::{self, Manifest};

/// The options for the case that no model is configured.
pub struct Offer<'a> {
    /// Set a model up without asking.
    pub yes: bool,
    /// Set up the smaller model.
    pub small: bool,
    /// The domain that the model is for.
    pub domain: &'a Domain,
    /// Print no notes.
    pub quiet: bool,
    /// The terminal for questions; `None` without a person.
    pub lines: Option<&'a mut Lines>,
}

/// What a chat uses where no model is configured, as a clause; `None` if there is nothing on this
/// machine. The order is that of [`choice`].
///
/// # Errors
/// The user has no home folder.
pub async fn unconfigured(domain: &Domain) -> Result<Option<String>> {
    if let Some(kept) = KeptServer::find()? {
        let (model, url) = (&kept.model, &kept.base_url);
        return Ok(Some(format!(
            "local:{model}, which runs at {url}, kept by `model serve`"
        )));
    }
    let found = find(Ports::of_environment()).await;
    let mut usable = found
        .iter()
        .filter_map(|server| Some((server, server.best()?)));
    if let Some((server, model)) = usable.next() {
        let name = server.kind.name();
        return Ok(Some(format!(
            "{model} of {name}, which runs at {}",
            server.base_url
        )));
    }
    let manifest = wanted(None, false, domain)?;
    let is_set_up = has_files(&manifest)? && ServerProgram::find().is_some();
    Ok(is_set_up.then(|| format!("local:{}, which is set up", manifest.name)))
}

/// The configured model, or else one on this machine.
///
/// # Errors
/// [`Error::usage`] with a guide on how to get a model, if there is none and setting one up
/// was not agreed to.
pub async fn choice(spec: &ModelSpec, mut offer: Offer<'_>) -> Result<Choice> {
    let variable = |name: &str| std::env::var(name).ok();
    if let Some(choice) = spec.choose(&variable)? {
        return Ok(choice);
    }
    let guide = || Error::usage(spec.guide());
    if !offer.yes && offer.lines.is_none() {
        return Err(guide());
    }
    let spinner = Spinner::new(offer.quiet);
    if let Some(kept) = KeptServer::find()? {
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

/// Opens a chosen model. If it is local, waits until its server answers.
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

/// Downloads a model and installs a program that serves it, with the user's consent. Asks
/// nothing if both are present. `None` if the user declined.
pub async fn set_up(named: Option<&str>, offer: &mut Offer<'_>) -> Result<Option<LocalConfig>> {
    let manifest = wanted(named, offer.small, offer.domain)?;
    let (is_here, program) = (has_files(&manifest)?, ServerProgram::find());
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
    if !is_here {
        spinner.note(&manifest.origin());
    }
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

/// Installs a program that serves model files, with the user's consent. Returns whether
/// one is present afterwards.
pub async fn set_up_program(offer: &mut Offer<'_>) -> Result<bool> {
    if ServerProgram::find().is_some() {
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
    // On another thread, so that the spinner keeps turning.
    let installing = tokio::task::spawn_blocking(move || {
        let spinner = Spinner::new(quiet);
        install(&mut |step| spinner.say(step)).map(|_| ())
    });
    installing
        .await
        .map_err(|error| Error::model(format!("the installation broke off: {error}")))?
}

/// Whether the files of a model are here.
fn has_files(manifest: &Manifest) -> Result<bool> {
    Ok(weights::kept(manifest, &weights::models_folder()?).is_some())
}

/// The named model, or one whose files are present, or the default model.
pub fn wanted(named: Option<&str>, small: bool, domain: &Domain) -> Result<Manifest> {
    if let Some(name) = named {
        return weights::manifest(name);
    }
    if small {
        return weights::manifest(SMALL);
    }
    let models = weights::models_folder()?;
    let [usual, other] = for_dialogues(domain);
    let (usual, other) = (weights::manifest(usual)?, weights::manifest(other)?);
    let is_here = |manifest: &Manifest| weights::kept(manifest, &models).is_some();
    let other_alone = !is_here(&usual) && is_here(&other);
    Ok(if other_alone { other } else { usual })
}

impl Offer<'_> {
    /// Whether the user agrees, now or with `--yes`.
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
            let more = if models.len() > shown.len() {
                " …"
            } else {
                ""
            };
            format!(
                "{name} runs at {} with {}{more}.",
                server.base_url,
                shown.join(", ")
            )
        }
    }
}

/// A file size in powers of ten, as download pages show it.
pub fn bytes(size: u64) -> String {
    match size {
        0..1_000_000_000 => format!("{} MB", size / 1_000_000),
        _ => format!("{}.{} GB", size / 1_000_000_000, size / 100_000_000 % 10),
    }
}
