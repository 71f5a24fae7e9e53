//! The window of writes that are under way together.

use super::memory::{Asked, Going};
use super::pace::{Pace, Silence};
use super::progress::Progress;
use super::queue::{Looked, Queue};
use super::{Applied, Apply, End, Record, Step};
use crate::domain::{Mark, Write};
use crate::error::{Error, Result};
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many windows of writes are looked at, or wait to be begun, beside those under way. So there
/// is always one that can be begun when another comes to its end, and no look is old.
const AHEAD: usize = 2;

/// What comes of writes that are under way.
enum Came<'a> {
    /// The places of these writes were looked at together, so that they can be begun: all up to
    /// the first that cannot be.
    Looked {
        ready: Vec<(Going<'a>, Step)>,
        end: Option<End>,
        /// How many were to be looked at.
        of: usize,
        silence: Silence,
    },
    /// Writes came to their end.
    Ended(Vec<Result<Step, End>>),
}

impl Apply<'_> {
    /// Makes all writes that are not made yet.
    pub(super) async fn carry_on(
        &self,
        record: &mut dyn Record,
        watch: &mut (dyn FnMut(usize) + Send),
    ) -> Applied {
        let mut progress = Progress::of(self);
        match self.stop.is_stopped() {
            true => self.settle_begun(&mut progress, record).await,
            false => self.resume(&mut progress, record, watch).await,
        }
        let pace = Pace::new(self.window, self.widest);
        let mut under_way: FuturesUnordered<BoxFuture<'_, Came<'_>>> = FuturesUnordered::new();
        let mut queue = Queue::default();
        // How many calls that write are under way, how many writes are looked at, and in how many
        // lots.
        let (mut calls, mut looking, mut lots) = (0, 0, 0);
        loop {
            let most = pace.at_most();
            if !progress.ends.is_empty() || self.stop.is_stopped() {
                queue.clear();
            } else {
                // The next are looked at while those before them are made.
                while self.looks_ahead(most, calls, looking + queue.len())
                    && lots < AHEAD
                    && !queue.has_end()
                {
                    let is_idle = calls + looking + queue.len() == 0;
                    let lot = match queue.stale() {
                        Some(lot) => lot,
                        None => self.lot(&mut progress, most, is_idle, &pace),
                    };
                    if lot.is_empty() {
                        break;
                    }
                    looking += lot.len();
                    lots += 1;
                    let asked = progress.memory.asked.clone();
                    under_way.push(self.look_at(lot, asked).boxed());
                }
                let next = queue.next(most - calls.min(most), most, |going| {
                    let gathers = self.planning.gathers(&going.write);
                    gathers.filter(|_| !pace.is_alone())
                });
                let begun = self.begin(&mut progress, next.ready, record).await;
                progress.begun += begun.len();
                for together in self.together(begun, &pace) {
                    calls += 1;
                    under_way.push(self.make(together, &pace).boxed());
                }
                progress.ends.extend(next.end);
            }
            let came = tokio::select! {
                biased;
                came = under_way.next() => came,
                () = self.stop.abandoned() => {
                    let why = Error::world("its answer was not waited for");
                    progress.ends.push(match progress.begun {
                        0 => End::Failed(why),
                        _ => End::Unknown(why),
                    });
                    progress.begun = progress.begun.saturating_sub(1);
                    break;
                }
            };
            let Some(came) = came else {
                break;
            };
            let mut steps = Vec::new();
            let more = std::iter::from_fn(|| under_way.next().now_or_never().flatten());
            let all: Vec<Came<'_>> = [came].into_iter().chain(more).collect();
            for came in all {
                match came {
                    Came::Ended(ended) => {
                        calls -= 1;
                        progress.begun -= ended.len();
                        for ended in ended {
                            match ended {
                                Ok(step) => steps.push(step),
                                Err(end) => progress.ends.push(end),
                            }
                        }
                    }
                    Came::Looked {
                        ready,
                        end,
                        of,
                        silence,
                    } => {
                        looking -= of;
                        lots -= 1;
                        queue.extend(ready, &silence, end);
                    }
                }
            }
            self.note_done(&mut progress, steps, record, watch).await;
            // Lets other tasks stop the apply, even if the world answers at once.
            tokio::task::yield_now().await;
        }
        drop(under_way);
        progress.applied(self.writes.len())
    }

    /// Whether more writes are to be looked at, with so many calls under way and so many writes
    /// that wait. With a window of 1 each is looked at when the one before it is made.
    fn looks_ahead(&self, most: usize, calls: usize, waiting: usize) -> bool {
        match self.window {
            0 | 1 => calls + waiting == 0,
            _ => waiting < AHEAD * most,
        }
    }

    /// The next writes, at most so many: what each of them waits for is made, and what is to be
    /// kept of them all is no more than what may be kept of one. What goes together by one call
    /// waits until there is much of it, or nothing else is under way.
    fn lot(
        &self,
        progress: &mut Progress,
        most: usize,
        is_idle: bool,
        pace: &Pace,
    ) -> Vec<Going<'_>> {
        let gathers = |number: &usize| {
            let write = self.writes.get(*number).filter(|_| !pace.is_alone());
            write.is_some_and(|write| self.planning.gathers(write).is_some())
        };
        let ready: Vec<usize> = progress.order.ready().take(2 * most).collect();
        let numbers = match is_idle {
            true => ready,
            false => {
                let (together, alone): (Vec<usize>, Vec<usize>) =
                    ready.into_iter().partition(gathers);
                match together.len() >= most {
                    true => together,
                    false => alone,
                }
            }
        };
        let mut lot = Vec::new();
        let mut bytes = 0;
        for number in numbers.into_iter().take(most) {
            let touched = self.writes.get(number).map(|write| &write.touched);
            let destroyed = touched
                .into_iter()
                .flat_map(|it| it.iter())
                .filter(|it| it.destroys());
            let sizes = destroyed.filter_map(|it| Some(it.before.as_ref()?.size));
            bytes += sizes.sum::<u64>();
            if bytes > self.keeping.most_bytes && !lot.is_empty() {
                break;
            }
            progress.order.begun(number);
            lot.extend(progress.memory.going(self, number));
        }
        lot
    }

    async fn look_at<'w>(&'w self, lot: Vec<Going<'w>>, asked: Arc<Asked>) -> Came<'w> {
        let of = lot.len();
        let mut silence = self.silence();
        let looked = tokio::select! {
            biased;
            looked = self.looked(&lot, &asked) => looked,
            error = silence.over(self) => vec![Err(End::Failed(error))],
        };
        let (mut ready, mut end) = (Vec::new(), None);
        for (going, looked) in lot.into_iter().zip(looked) {
            match looked {
                Ok(step) => ready.push((going, step)),
                Err(why) => {
                    end = Some(why);
                    break;
                }
            }
        }
        Came::Looked {
            ready,
            end,
            of,
            silence,
        }
    }

    /// Records that writes are about to be made, and gives them back where they may be.
    async fn begin<'w>(
        &self,
        progress: &mut Progress,
        ready: Vec<Looked<'w>>,
        record: &mut dyn Record,
    ) -> Vec<Looked<'w>> {
        if ready.is_empty() || !progress.ends.is_empty() || self.stop.is_stopped() {
            return Vec::new();
        }
        let steps: Vec<&Step> = ready.iter().map(|it| &it.step).collect();
        match record.intents(&steps).await {
            Ok(()) => ready,
            Err(error) => {
                progress.ends.push(End::Failed(error));
                Vec::new()
            }
        }
    }

    /// Writes in groups that one call can make.
    fn together<'w>(&self, begun: Vec<Looked<'w>>, pace: &Pace) -> Vec<Vec<Looked<'w>>> {
        let mut alone = Vec::new();
        let mut groups: BTreeMap<String, Vec<Looked<'w>>> = BTreeMap::new();
        for looked in begun {
            let name = self.planning.gathers(&looked.going.write);
            match name.filter(|_| !pace.is_alone()) {
                Some(name) => groups.entry(name).or_default().push(looked),
                None => alone.push(vec![looked]),
            }
        }
        alone.extend(groups.into_values());
        alone
    }

    /// Makes one write, or several by one call.
    async fn make<'w>(&'w self, writes: Vec<Looked<'w>>, pace: &Pace) -> Came<'w> {
        let silence = writes.first().map(|first| first.silence.clone());
        let mut silence = silence.unwrap_or_else(|| self.silence());
        if self.stop.is_stopped() {
            return Came::Ended(writes.iter().map(|_| Err(End::Stopped)).collect());
        }
        let found = (writes.iter()).map(|it| (&*it.going.write, &*it.step.found));
        let found: Vec<(&Write, &[Option<Mark>])> = found.collect();
        let carry_out = async {
            if let Some(end) = self.changed_since(&found, pace).await {
                let others = found.iter().skip(1).map(|_| Err(End::Stopped));
                return [Err(end)].into_iter().chain(others).collect::<Vec<_>>();
            }
            match *found {
                [(write, found)] => vec![self.carry_out(write, found, pace, None).await],
                _ => self.carry_out_all(&found, pace).await,
            }
        };
        let made = tokio::select! {
            biased;
            made = carry_out => made,
            error = silence.over(self) => {
                let why = error.to_string();
                let unknown = |_| Err(End::Unknown(Error::world(why.clone())));
                writes.iter().map(unknown).collect()
            }
        };
        let ended = writes.into_iter().zip(made);
        let ended = ended.map(|(looked, made)| {
            let step = looked.step;
            made.map(|(left, ids)| Step { left, ids, ..step })
        });
        Came::Ended(ended.collect())
    }

    /// Records writes that were made.
    pub(super) async fn note_done(
        &self,
        progress: &mut Progress,
        steps: Vec<Step>,
        record: &mut dyn Record,
        watch: &mut (dyn FnMut(usize) + Send),
    ) {
        if steps.is_empty() {
            return;
        }
        let all: Vec<&Step> = steps.iter().collect();
        if let Err(error) = record.all_done(&all).await {
            return progress.ends.push(End::Failed(error));
        }
        for step in steps {
            progress.made(self, step);
            watch(progress.steps.len());
        }
    }
}
