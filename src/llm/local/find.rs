//! The search for model servers that already run on this machine, at their usual ports.

use crate::http;
use reqwest::{Client, Url};
use serde_json::Value as Json;
use std::time::Duration;

/// A server on this machine that does not answer within this time is taken as absent.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest list of models that is read, in bytes.
const LONGEST: usize = 4 << 20;

/// A kind of server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerKind {
    /// Ollama.
    Ollama,
    /// llama.cpp's `llama-server`.
    LlamaCpp,
    /// LM Studio.
    LmStudio,
}

impl ServerKind {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            ServerKind::Ollama => "Ollama",
            ServerKind::LlamaCpp => "llama.cpp",
            ServerKind::LmStudio => "LM Studio",
        }
    }
}

/// The ports that are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ports {
    /// Ollama's port.
    pub ollama: u16,
    /// llama.cpp's port.
    pub llama_cpp: u16,
    /// LM Studio's port.
    pub lm_studio: u16,
}

impl Default for Ports {
    fn default() -> Self {
        Ports {
            ollama: 11434,
            llama_cpp: 8080,
            lm_studio: 1234,
        }
    }
}

impl Ports {
    /// The ports in `DIALOG2API_LOCAL_PORTS` (three numbers, separated by commas), or
    /// else the usual ones.
    pub fn of_environment() -> Self {
        let variable = std::env::var("DIALOG2API_LOCAL_PORTS").ok();
        variable
            .and_then(|text| Self::read(&text))
            .unwrap_or_default()
    }

    fn read(text: &str) -> Option<Self> {
        let numbers: Result<Vec<u16>, _> =
            text.split(',').map(|part| part.trim().parse()).collect();
        match numbers.ok()?.as_slice() {
            &[ollama, llama_cpp, lm_studio] => Some(Ports {
                ollama,
                llama_cpp,
                lm_studio,
            }),
            _ => None,
        }
    }
}

/// A server that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its kind.
    pub kind: ServerKind,
    /// Its base URL, as `--base-url` takes it.
    pub base_url: String,
    /// Its chat models.
    pub models: Vec<String>,
}

impl Found {
    /// The model that is probably best for writing programs, judged by its name: one for
    /// code, else one for instructions, else the first.
    pub fn best(&self) -> Option<&str> {
        let named = |word: &str| {
            let mut models = self.models.iter();
            models.find(|name| name.to_lowercase().contains(word))
        };
        let best = (named("code").or_else(|| named("instruct"))).or_else(|| self.models.first());
        best.map(String::as_str)
    }
}

/// Looks for servers on loopback, at all ports at once.
pub async fn find(ports: Ports) -> Vec<Found> {
    let here = Url::parse("http://127.0.0.1").ok();
    let client = here.map(|here| http::direct_client(&here).timeout(PATIENCE).build());
    let Some(Ok(client)) = client else {
        return Vec::new();
    };
    let (ollama, llama_cpp, lm_studio) = tokio::join!(
        look(&client, ServerKind::Ollama, ports.ollama),
        look(&client, ServerKind::LlamaCpp, ports.llama_cpp),
        look(&client, ServerKind::LmStudio, ports.lm_studio),
    );
    [ollama, llama_cpp, lm_studio]
        .into_iter()
        .flatten()
        .collect()
}

async fn look(client: &Client, kind: ServerKind, port: u16) -> Option<Found> {
    let models = match kind {
        ServerKind::Ollama => names(&get(client, port, "/api/tags").await?, "models", "name")?,
        ServerKind::LlamaCpp => {
            // Many programs use this port. Only llama.cpp reports its health in these words.
            let health = get(client, port, "/health").await?;
            (health.get("status")? == "ok").then_some(())?;
            names(&get(client, port, "/v1/models").await?, "data", "id")?
        }
        ServerKind::LmStudio => names(&get(client, port, "/v1/models").await?, "data", "id")?,
    };
    Some(Found {
        kind,
        base_url: format!("http://127.0.0.1:{port}/v1"),
        models: models
            .into_iter()
            .filter(|name| !name.to_lowercase().contains("embed"))
            .collect(),
    })
}

async fn get(client: &Client, port: u16, path: &str) -> Option<Json> {
    let url = Url::parse(&format!("http://127.0.0.1:{port}{path}")).ok()?;
    let mut response = client.get(url).send().await.ok()?;
    if !response.status().is_success() {
        return None;
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        body.extend_from_slice(&chunk);
        if body.len() > LONGEST {
            return None;
        }
    }
    serde_json::from_slice(&body).ok()
}

/// The names in `{LIST: [{FIELD: NAME}, …]}`.
fn names(json: &Json, list: &str, field: &str) -> Option<Vec<String>> {
    let models = json.get(list)?.as_array()?.iter();
    let name = |model: &Json| Some(model.get(field)?.as_str()?.to_owned());
    Some(models.filter_map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_three_numbers() {
        let ports = Ports::read("1, 2,3");
        assert_eq!(
            ports,
            Some(Ports {
                ollama: 1,
                llama_cpp: 2,
                lm_studio: 3
            })
        );
        for wrong in ["", "1,2", "1,2,3,4", "1,2,70000", "a,b,c"] {
            assert_eq!(Ports::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn models_for_code_are_taken_first() {
        let check = |models: &[&str], best: Option<&str>| {
            let models = models.iter().map(|name| (*name).to_owned()).collect();
            let found = Found {
                kind: ServerKind::Ollama,
                base_url: String::new(),
                models,
            };
            assert_eq!(found.best(), best);
        };
        check(
            &["llama3", "phi-Instruct", "qwen2.5-coder:7b"],
            Some("qwen2.5-coder:7b"),
        );
        check(&["llama3", "phi-Instruct"], Some("phi-Instruct"));
        check(&["llama3"], Some("llama3"));
        check(&[], None);
    }
}
