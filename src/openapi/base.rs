//! Where the requests of an API go.

use super::Api;
use super::follow::origin;
use reqwest::Url;

impl Api {
    /// The base URL of requests. `given` is what a person named: an absolute URL, or
    /// nothing. `source` is where the document came from, which relative URLs start from.
    ///
    /// # Errors
    /// A sentence: neither the person nor the document names a server, or the URL is not one
    /// of `http` or `https`.
    pub fn base(&self, given: Option<&str>, source: Option<&str>) -> Result<String, String> {
        if let Some(given) = given {
            return checked(given);
        }
        let is_absolute = |url: &&String| url.starts_with("http://") || url.starts_with("https://");
        if let Some(url) = self.servers.iter().find(is_absolute) {
            return match url.contains('{') {
                true => Err(format!(
                    "the document names its server as {url:?}, and gives no value for what stands in \
                     braces: say the whole base URL"
                )),
                false => checked(url),
            };
        }
        let relative = self.servers.first().map_or("", String::as_str);
        match source.map(Url::parse) {
            Some(Ok(source)) => match source.join(if relative.is_empty() { "/" } else { relative })
            {
                Ok(url) => checked(url.as_str()),
                Err(_) => checked(relative),
            },
            _ if relative.is_empty() => {
                Err("the document names no server: say its base URL".to_owned())
            }
            _ if relative.starts_with("//") => checked(&format!("https:{relative}")),
            _ if relative.contains("://") => checked(relative),
            _ => Err(format!(
                "the document names its server only as {relative:?}: say the whole base URL"
            )),
        }
    }
}

impl Api {
    /// The servers to which the document sends single operations though they are not the one of
    /// `base`, as origins, each with the names of the operations.
    pub fn other_servers(&self, base: &str) -> Vec<(String, Vec<String>)> {
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        for operation in &self.operations {
            let Ok(url) = self.server(operation, base) else {
                continue;
            };
            let server = origin(&url);
            if server == origin(base) {
                continue;
            }
            match found.iter_mut().find(|(known, _)| *known == server) {
                Some((_, names)) => names.push(operation.name.clone()),
                None => found.push((server, vec![operation.name.clone()])),
            }
        }
        found
    }
}

/// A base URL without a slash at its end.
pub(super) fn checked(text: &str) -> Result<String, String> {
    let text = text.trim();
    let shown: String = text.chars().take(200).collect();
    let wrong = || {
        format!(
            "the base URL `{}` is not one of http or https, without a query; it looks like \
             https://api.example.com/v1",
            shown.escape_debug()
        )
    };
    let url = Url::parse(text).map_err(|_| wrong())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the base URL must not hold a password: name it in the environment".to_owned());
    }
    let is_http = matches!(url.scheme(), "http" | "https") && url.host_str().is_some();
    let is_plain = url.query().is_none() && url.fragment().is_none();
    match is_http && is_plain && !text.contains(['{', '}']) {
        true => Ok(url.as_str().trim_end_matches('/').to_owned()),
        false => Err(wrong()),
    }
}
