//! Compares many dialogues with their records, without showing them.

use super::{ReplaySetup, Tally};
use crate::cli::progress::Bar;
use crate::cli::terminal::{self, one_line};
use crate::dataset::{Dialogue, Difference, Verification};
use crate::error::{Error, Result};
use futures_util::{StreamExt, stream};
use std::sync::Arc;

/// How many dialogues run at the same time: one for each core, and one more that starts
/// while the result of another is processed. On a server, only one.
pub fn at_once(setup: &ReplaySetup) -> usize {
    match &setup.server {
        Some(_) => 1,
        None => std::thread::available_parallelism().map_or(1, |cores| cores.get() + 1),
    }
}

/// Runs `work` for every dialogue concurrently, and passes on the results in the order of
/// the dialogues.
pub async fn each<T: Send + 'static, W: Future<Output = Result<T>> + Send + 'static>(
    setup: &Arc<ReplaySetup>,
    dialogues: Vec<Dialogue>,
    work: impl Fn(Arc<ReplaySetup>, Arc<Dialogue>) -> W,
    mut done: impl FnMut(&Dialogue, Result<T>, &Bar) -> Result<()>,
) -> Result<()> {
    let bar = Bar::new(dialogues.len());
    bar.say("dialogues");
    let at_once = at_once(setup);
    let tasks = dialogues.into_iter().map(|dialogue| {
        let dialogue = Arc::new(dialogue);
        let task = work(setup.clone(), dialogue.clone());
        // Work on a server must end when its future is dropped. A separate task would go
        // on.
        let apart = setup.server.is_none();
        async move {
            let came = if apart {
                tokio::spawn(task).await.unwrap_or_else(|lost| {
                    let name = dialogue.path.display();
                    Err(Error::lost(lost).map_text(|text| format!("{name}: {text}")))
                })
            } else {
                task.await
            };
            (dialogue, came)
        }
    });
    let mut tasks = stream::iter(tasks).buffered(at_once);
    while let Some((dialogue, came)) = tasks.next().await {
        bar.step();
        done(&dialogue, came, &bar)?;
    }
    Ok(())
}

/// Verifies all dialogues, and prints a line for each dialogue that differs.
pub async fn all(
    setup: &Arc<ReplaySetup>,
    dialogues: Vec<Dialogue>,
    tally: &mut Tally,
) -> Result<()> {
    let work = |setup: Arc<ReplaySetup>, dialogue: Arc<Dialogue>| async move {
        let world = setup.world(&dialogue).await?;
        setup.replayer.verify(&dialogue.transcript, world).await
    };
    each(setup, dialogues, work, |dialogue, came, bar| match came {
        Ok(verdict) => {
            tally.count(verdict.programs, &verdict.differences);
            bar.aside(|| print(dialogue, &verdict))
        }
        Err(error) => {
            bar.aside(|| tally.fail(&error));
            Ok(())
        }
    })
    .await
}

fn print(dialogue: &Dialogue, verdict: &Verification) -> Result<()> {
    let differences = &verdict.differences;
    let counts = differences.iter().find(|difference| difference.counts());
    // One line per dialogue: a difference that counts is preferred, even if it comes
    // later.
    match counts.or(differences.first()) {
        None => Ok(()),
        Some(difference) => {
            let line = format!("{}: {difference}", dialogue.path.display());
            let line = one_line(&line);
            terminal::print(format_args!("{line}\n"))
        }
    }
}

impl Tally {
    /// Counts a replayed dialogue.
    pub fn count(&mut self, programs: usize, differences: &[Difference]) {
        self.dialogues += 1;
        self.programs += programs;
        if differences.iter().any(Difference::counts) {
            self.differ += 1;
        } else {
            self.messages += usize::from(!differences.is_empty());
        }
    }
}
