//! Downloads that continue where they were interrupted.

use crate::error::{Error, Result};
use crate::http::{self, cause};
use reqwest::header::{ACCEPT, CONTENT_TYPE, RANGE};
use reqwest::{Client, StatusCode, Url};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// The longest silence of a server.
const SILENCE: Duration = Duration::from_secs(60);

/// How often a download is retried that breaks off without progress.
const FRUITLESS: usize = 2;

/// The largest page that is read as text, in bytes.
const MAX_PAGE: usize = 32 << 20;

/// A client that downloads files and pages.
pub(super) struct Http(Client);

impl Http {
    /// A client for a URL and its redirects.
    pub(super) fn new(url: &Url) -> Result<Self> {
        let client = http::client(url)
            .connect_timeout(Duration::from_secs(20))
            .read_timeout(SILENCE)
            .build();
        (client.map(Http)).map_err(|error| Error::model(http::no_https(&error)))
    }

    /// Downloads a page: its text and its media type.
    pub(super) async fn page(&self, url: &Url, accept: &str) -> Result<(String, String)> {
        let failed = |error: reqwest::Error| failure(url, &cause(&error));
        let request = self.0.get(url.clone()).header(ACCEPT, accept);
        let mut answer = request.send().await.map_err(failed)?;
        if !answer.status().is_success() {
            return Err(failure(url, &answer.status().to_string()));
        }
        let kind = (answer.headers().get(CONTENT_TYPE))
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_owned();
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(failed)? {
            if bytes.len() + chunk.len() > MAX_PAGE {
                return Err(failure(url, "the page is larger than any page should be"));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok((String::from_utf8_lossy(&bytes).into_owned(), kind))
    }

    /// Downloads a file of this size, starting after the bytes that are already there.
    /// Reports the number of bytes to `seen`.
    pub(super) async fn download(
        &self,
        url: &Url,
        path: &Path,
        size: u64,
        seen: &mut (dyn FnMut(u64) + Send),
    ) -> Result<()> {
        let there = || std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let mut fruitless = 0;
        while there() < size {
            let before = there();
            let tried = self.go_on(url, path, before, size, seen).await;
            fruitless = if there() > before { 0 } else { fruitless + 1 };
            match tried {
                // Retrying helps neither with a full disk nor with a refusal.
                Err(Trouble::Lasting(error)) => return Err(error),
                Err(Trouble::Passing(error)) if fruitless > FRUITLESS => return Err(error),
                Ok(()) if fruitless > FRUITLESS => {
                    return Err(failure(url, "the server sends less than there should be"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Continues a download after `from` bytes.
    async fn go_on(
        &self,
        url: &Url,
        path: &Path,
        from: u64,
        size: u64,
        seen: &mut (dyn FnMut(u64) + Send),
    ) -> Result<(), Trouble> {
        let passing = |error: reqwest::Error| Trouble::Passing(failure(url, &cause(&error)));
        let mut request = self.0.get(url.clone());
        if from > 0 {
            request = request.header(RANGE, format!("bytes={from}-"));
        }
        let mut answer = request.send().await.map_err(passing)?;
        let mut there = match answer.status() {
            StatusCode::PARTIAL_CONTENT => from,
            status if status.is_success() => 0,
            status if status.is_server_error() => {
                return Err(Trouble::Passing(failure(url, &status.to_string())));
            }
            status => return Err(Trouble::Lasting(failure(url, &status.to_string()))),
        };
        let written = |error| Trouble::Lasting(Error::file("cannot write", path)(error));
        let mut file = (File::options().create(true).truncate(false).write(true))
            .open(path)
            .and_then(|mut file| {
                use std::io::{Seek, SeekFrom};
                file.set_len(there)?;
                file.seek(SeekFrom::End(0))?;
                Ok(file)
            })
            .map_err(written)?;
        while let Some(chunk) = answer.chunk().await.map_err(passing)? {
            there += chunk.len() as u64;
            if there > size {
                return Err(Trouble::Lasting(failure(
                    url,
                    "the file is larger than it should be",
                )));
            }
            file.write_all(&chunk).map_err(written)?;
            seen(there);
        }
        Ok(())
    }
}

/// A failure within a download.
enum Trouble {
    /// The next try may succeed.
    Passing(Error),
    /// The next try would fail as well.
    Lasting(Error),
}

/// An error that names the URL, without the parts that may be secret.
fn failure(url: &Url, reason: &str) -> Error {
    let mut shown = url.clone();
    shown.set_query(None);
    // This fails only for URLs that cannot hold them.
    let _ = shown.set_password(None);
    let _ = shown.set_username("");
    Error::model(format!("cannot download {shown}: {reason}"))
}
