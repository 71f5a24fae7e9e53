//! The evaluations that the page reports on.

use crate::cli::eval;
use crate::domain::Domain;
use crate::error::Result;
use crate::eval::{folder, reward};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use tokio::sync::Mutex;

/// Runs, and the last report on them.
pub struct Reports {
    /// The folders of the runs.
    pub folders: Vec<PathBuf>,
    made: Mutex<Option<(Vec<Written>, String)>>,
}

/// The size of a log, and when it was written last.
type Written = Option<(u64, SystemTime)>;

impl Reports {
    /// The evaluations in these folders.
    ///
    /// # Errors
    /// One of them is no run.
    pub fn of(folders: &[PathBuf]) -> Result<Reports> {
        for path in folders.iter().filter(|path| !reward::is_run(path)) {
            folder::read_run(path)?;
        }
        Ok(Reports {
            folders: folders.to_owned(),
            made: Mutex::default(),
        })
    }

    /// The report. It runs programs again, so it is made anew only when a log has grown.
    ///
    /// # Errors
    /// A folder is not a run, or its log is damaged.
    pub async fn page(&self, domain: &Arc<Domain>) -> Result<String> {
        let written: Vec<Written> = self.folders.iter().map(|folder| written(folder)).collect();
        let mut made = self.made.lock().await;
        if let Some((at, page)) = &*made
            && *at == written
        {
            return Ok(page.clone());
        }
        let page = eval::page_of(&self.folders, domain).await?;
        *made = Some((written, page.clone()));
        Ok(page)
    }
}

fn written(folder: &Path) -> Written {
    let log = fs::metadata(folder.join("log.jsonl")).ok()?;
    Some((log.len(), log.modified().ok()?))
}
