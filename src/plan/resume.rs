//! Going on with an apply that was interrupted, or closing it.

use super::progress::Progress;
use super::{Applied, Apply, End, Record};
use crate::error::Error;

impl Apply<'_> {
    /// Finds out whether the writes that an interrupted apply had begun were made. Makes no
    /// write: the apply ends here, and can be taken back. A write of several things counts
    /// as made if one of them was.
    pub async fn settle(&self, record: &mut dyn Record) -> Applied {
        let mut progress = Progress::of(self);
        self.settle_begun(&mut progress, record).await;
        progress.applied(self.writes.len())
    }

    pub(super) async fn settle_begun(&self, progress: &mut Progress, record: &mut dyn Record) {
        for step in &self.earlier.begun {
            let Some(write) = self.writes.get(step.number) else {
                continue;
            };
            let write = progress.memory.named(write);
            match self.settled(&write, step.clone(), record).await {
                Ok(made) => made.into_iter().for_each(|step| progress.made(self, step)),
                Err(end) => progress.ends.push(end),
            }
        }
    }

    /// Notes the writes that an interrupted apply had begun and that were made. The others are
    /// still to be made.
    pub(super) async fn resume(
        &self,
        progress: &mut Progress,
        record: &mut dyn Record,
        watch: &mut (dyn FnMut(usize) + Send),
    ) {
        for (at, step) in self.earlier.begun.iter().enumerate() {
            let Some(write) = self.writes.get(step.number) else {
                continue;
            };
            let write = progress.memory.named(write);
            let mut silence = self.silence();
            let why = tokio::select! {
                biased;
                seen = self.was_made(&write, step.clone()) => match seen {
                    Ok(made) => {
                        let made = made.into_iter().collect();
                        self.note_done(progress, made, record, watch).await;
                        continue;
                    }
                    Err(error) => return progress.ends.push(End::Failed(error)),
                },
                () = self.stop.abandoned() => {
                    Error::world("its answer was not waited for")
                }
                error = silence.over(self) => error,
            };
            progress.begun = self.earlier.begun.len() - at - 1;
            progress.ends.push(End::Unknown(why));
            return;
        }
    }
}
