//! `dialog2api chat`.
use super::Exit;
use crate::error::Result;
use clap::Args;
#[derive(Debug, Args)]
pub struct ChatArgs {}
pub fn chat(_: &ChatArgs, _: bool, _: &tokio::runtime::Runtime) -> Result<Exit> {
    Ok(Exit::Done)
}
