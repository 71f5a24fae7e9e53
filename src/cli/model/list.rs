//! `dialog2api model list`.

use super::offer::bytes;
use crate::cli::Exit;
use crate::cli::terminal::{self, BOLD, DIM, GOOD, Styled, clean};
use crate::domain::Domain;
use crate::error::Result;
use crate::llm::ModelSpec;
use crate::llm::local::{KeptServer, Ports, find};
use crate::weights;
use clap::Args;
use serde::Serialize;
use std::fmt::Write;

/// The command's options.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Print one JSON object: default, configured, files, running
    #[arg(long)]
    json: bool,
}

/// The lists that are printed.
#[derive(Serialize)]
struct Listed {
    /// The model that `chat` uses without `--model`.
    default: Option<String>,
    configured: Vec<Configured>,
    files: Vec<Files>,
    running: Vec<Running>,
}

#[derive(Serialize)]
struct Configured {
    /// Empty for the model under `[model]`.
    name: String,
    model: String,
    base_url: Option<String>,
    /// The place of the key.
    key_from: Option<String>,
}

#[derive(Serialize)]
struct Files {
    name: String,
    title: String,
    licence: String,
    /// In bytes.
    size: u64,
    /// The domain that the model has learned, with an adapter.
    adapter_for: Option<String>,
    folder: Option<String>,
}

#[derive(Serialize)]
struct Running {
    server: &'static str,
    base_url: String,
    models: Vec<String>,
}

/// Lists all models, and prints them.
pub async fn list(args: &ListArgs, domain: &Domain) -> Result<Exit> {
    let variable = |name: &str| std::env::var(name).ok();
    let (configured, default) = ModelSpec::default().configured(&variable)?;
    let listed = Listed {
        default,
        configured: configured
            .into_iter()
            .map(|model| Configured {
                name: model.name,
                model: model.model,
                base_url: model.base_url,
                key_from: model.key_from,
            })
            .collect(),
        files: files(domain)?,
        running: running().await?,
    };
    match args.json {
        true => terminal::print_json(&listed)?,
        false => terminal::print(listed.human())?,
    }
    Ok(Exit::Done)
}

fn files(domain: &Domain) -> Result<Vec<Files>> {
    let models = weights::models_folder()?;
    let has_adapter = |name: &str| domain.teaching.adapters.iter().any(|it| it.model == name);
    let each = weights::manifests()?.into_iter().map(|manifest| Files {
        folder: weights::kept(&manifest, &models).map(|folder| folder.display().to_string()),
        size: manifest.files.iter().map(|file| file.size).sum(),
        adapter_for: has_adapter(&manifest.name).then(|| domain.name.to_string()),
        name: manifest.name,
        title: manifest.title,
        licence: manifest.licence,
    });
    Ok(each.collect())
}

async fn running() -> Result<Vec<Running>> {
    let kept = KeptServer::find()?.map(|kept| Running {
        server: "model serve",
        models: vec![format!("local:{}", kept.model)],
        base_url: kept.base_url,
    });
    let others = find(Ports::of_environment()).await;
    let others = others.into_iter().map(|found| Running {
        server: found.kind.name(),
        base_url: found.base_url,
        models: found.models,
    });
    Ok(kept.into_iter().chain(others).collect())
}

impl Listed {
    fn human(&self) -> String {
        let mut text = String::new();
        let title = |text: &mut String, title: &str| {
            let _ = writeln!(text, "{}", Styled(BOLD, title));
        };
        title(&mut text, "configured");
        for model in &self.configured {
            let is_default = match model.name.as_str() {
                "" => self.default.as_ref() == Some(&model.model),
                name => self.default.as_deref() == Some(name),
            };
            let name = match model.name.as_str() {
                "" => "[model]",
                name => name,
            };
            let at = (model.base_url.as_ref()).map_or(String::new(), |url| format!(" at {url}"));
            let key =
                (model.key_from.as_ref()).map_or(String::new(), |key| format!(", key from {key}"));
            let line = format!("{name}  {}{at}{key}", model.model);
            let _ = writeln!(text, "{} {}", mark(is_default), clean(&line));
        }
        let named = self.configured.iter().any(|model| {
            let names = [&model.name, &model.model];
            self.default
                .as_ref()
                .is_some_and(|default| names.contains(&default))
        });
        match &self.default {
            Some(default) if !named => {
                let _ = writeln!(text, "{} {}", mark(true), clean(default));
            }
            Some(_) => {}
            None => {
                let none = "no default; `dialog2api model use MODEL` sets one";
                let _ = writeln!(text, "  {}", Styled(DIM, none));
            }
        }
        title(&mut text, "files");
        for files in &self.files {
            let state = match &files.folder {
                Some(folder) => clean(folder).into_owned(),
                None => format!("not here; dialog2api model pull {}", files.name),
            };
            let size = bytes(files.size);
            let adapter = match &files.adapter_for {
                Some(domain) => format!(", adapter for {}", clean(domain)),
                None => String::new(),
            };
            let _ = writeln!(
                text,
                "  {}  {}, {}, {size}{adapter}  {}",
                files.name,
                files.title,
                files.licence,
                Styled(DIM, state)
            );
        }
        title(&mut text, "running");
        for server in &self.running {
            let line = format!(
                "{} at {}  {}",
                server.server,
                server.base_url,
                server.models.join(", ")
            );
            let _ = writeln!(text, "  {}", clean(&line));
        }
        if self.running.is_empty() {
            let _ = writeln!(text, "  {}", Styled(DIM, "nothing on this machine"));
        }
        text
    }
}

/// The mark in front of the default.
fn mark(is_default: bool) -> Styled<&'static str> {
    match is_default {
        true => Styled(GOOD, "*"),
        false => Styled(DIM, " "),
    }
}
