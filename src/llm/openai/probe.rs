//! A cheap request that shows whether a server answers.

use super::OpenAi;
use crate::error::{Error, Result};
use crate::http::cause;
use reqwest::header;
use serde_json::Value as Json;
use std::time::Duration;

/// The longest list of models that is read, in bytes.
const LONGEST_LIST: usize = 4 << 20;

impl OpenAi {
    /// Asks the server once for the names of its models (`GET /models`). `None` if it answers
    /// without a list.
    ///
    /// # Errors
    /// [`Error::model`] if there is no answer within `patience`, or the key is refused.
    pub async fn models(&self, patience: Duration) -> Result<Option<Vec<String>>> {
        let asking = self.ask_for_models();
        match tokio::time::timeout(patience, asking).await {
            Ok(answer) => answer,
            Err(_) => Err(Error::model(format!(
                "{} does not answer within {patience:?}",
                self.server.shown
            ))),
        }
    }

    async fn ask_for_models(&self) -> Result<Option<Vec<String>>> {
        let mut url = self.server.endpoint.clone();
        let path = url.path().trim_end_matches("/chat/completions");
        let path = format!("{path}/models");
        url.set_path(&path);
        let get = self
            .server
            .client
            .get(url)
            .headers(self.server.headers.clone())
            .header(header::ACCEPT, "application/json");
        let sent = get.send().await.map_err(|error| {
            let cause = cause(&error);
            Error::unanswered(format!("{} cannot be reached: {cause}", self.server.shown))
        });
        let mut response = sent?;
        match response.status().as_u16() {
            200 => {}
            status @ (401 | 403) => {
                let problem = match self.config.api_key {
                    Some(_) => "refuses the key",
                    None => "wants a key",
                };
                return Err(Error::model(format!(
                    "{} {problem} ({status})",
                    self.server.shown
                )));
            }
            _ => return Ok(None),
        }
        let mut body = Vec::new();
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() > LONGEST_LIST {
                return Ok(None);
            }
        }
        Ok(names(&body))
    }
}

/// The names in `{"data": [{"id": NAME}, …]}`.
fn names(body: &[u8]) -> Option<Vec<String>> {
    let json: Json = serde_json::from_slice(body).ok()?;
    let models = json.get("data")?.as_array()?.iter();
    let name = |model: &Json| Some(model.get("id")?.as_str()?.to_owned());
    Some(models.filter_map(name).collect())
}
