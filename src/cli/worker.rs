//! `dialog2api worker`: serves another program by JSON Lines.

use super::plan::{Extent, plain};
use super::standard_streams::standard_streams;
use super::{Exit, named_domain};
use crate::error::Result;
use crate::worker::{WorkerHost, serve};
use tokio::io::BufReader;

/// Serves until standard input ends.
pub async fn worker() -> Result<Exit> {
    let (stdin, stdout) = standard_streams()?;
    let host = WorkerHost {
        domain: |name| named_domain(name, true),
        plan: |view| plain(view, Extent::Whole),
    };
    serve(host, BufReader::new(stdin), stdout).await?;
    Ok(Exit::Done)
}
