//! The URLs of wheels, from the index that pip uses (PEP 503, PEP 691).

use super::Wheel;
use super::http::Http;
use crate::error::{Error, Result};
use reqwest::Url;
use serde_json::Value;
use std::process::Command;

/// pip's default index.
const PYPI: &str = "https://pypi.org/simple";

const ACCEPT: &str = "application/vnd.pypi.simple.v1+json, text/html;q=0.5";

/// The index that pip uses: `PIP_INDEX_URL`, else the one of `pip config`, else PyPI.
pub(super) fn configured() -> String {
    let variable = std::env::var("PIP_INDEX_URL").ok();
    let asked = || {
        let output = Command::new("pip")
            .args(["config", "get", "global.index-url"])
            .env_remove("PYTHONPATH")
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok()
    };
    let is_named = |url: &String| !url.trim().is_empty();
    let url = variable
        .filter(is_named)
        .or_else(|| asked().filter(is_named));
    url.map_or_else(|| PYPI.to_owned(), |url| url.trim().to_owned())
}

/// The URL of a package's wheel.
pub(super) async fn wheel(index: &str, wheel: &Wheel) -> Result<Url> {
    let address = format!("{}/{}/", index.trim_end_matches('/'), wheel.package);
    let url = Url::parse(&address).map_err(|error| {
        Error::usage(format!(
            "pip's index is not a valid URL ({error}); set PIP_INDEX_URL, for example to {PYPI}"
        ))
    })?;
    let (page, kind) = Http::new(&url)?.page(&url, ACCEPT).await?;
    let found = match kind.contains("json") {
        true => in_json(&page, &wheel.name),
        false => in_html(&page, &wheel.name),
    };
    let missing = || {
        Error::model(format!(
            "the index of pip does not have {} in the package {}",
            wheel.name, wheel.package
        ))
    };
    let mut address = url
        .join(&found.ok_or_else(missing)?)
        .map_err(|_| missing())?;
    if address.host() == url.host() && address.username().is_empty() {
        // A private index has its files on the same host, so they need the same
        // credentials. These setters cannot fail here.
        let _ = address.set_username(url.username());
        let _ = address.set_password(url.password());
    }
    Ok(address)
}

fn in_json(page: &str, wheel: &str) -> Option<String> {
    let page: Value = serde_json::from_str(page).ok()?;
    let files = page.get("files")?.as_array()?.iter();
    let mut named = files.filter(|file| file.get("filename").is_some_and(|name| name == wheel));
    Some(named.next()?.get("url")?.as_str()?.to_owned())
}

/// The `href` of the link whose file has this name.
fn in_html(page: &str, wheel: &str) -> Option<String> {
    let links = page.split("href=").skip(1).filter_map(|rest| {
        let quote = rest.chars().next().filter(|c| ['"', '\''].contains(c))?;
        rest.get(1..)?.split(quote).next()
    });
    let mut named = links.filter(|link| {
        let path = link.split(['#', '?']).next().unwrap_or_default();
        path.rsplit('/').next() == Some(wheel)
    });
    Some(named.next()?.replace("&amp;", "&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_index_name_the_file() {
        let html =
            r#"<a href="../x/other-1.whl">o</a> <a class=a href='../x/a-1.whl#sha256=0'>a</a>"#;
        assert_eq!(
            in_html(html, "a-1.whl").as_deref(),
            Some("../x/a-1.whl#sha256=0")
        );
        assert_eq!(in_html(html, "b-1.whl"), None);
        let json = r#"{"files": [{"filename": "a-1.whl", "url": "https://x/a-1.whl"}]}"#;
        assert_eq!(
            in_json(json, "a-1.whl").as_deref(),
            Some("https://x/a-1.whl")
        );
        assert_eq!(in_json("[]", "a-1.whl"), None);
    }
}
