//! Carrying out a plan: exactly its writes, each only while every place it touches is as the
//! plan saw it. Writes that have nothing to do with each other are under way together.

use super::{Applied, Keeping, Reads, Stop};
use crate::domain::{Ids, Image, Mark, Place, Planning, World, Write};
use crate::error::Result;
use async_trait::async_trait;
use std::time::Duration;

/// How many writes are under way together on a server at the beginning, and at most.
const WINDOW: usize = 64;
const WIDEST: usize = 256;

/// Records an apply, so that its state is known whenever it is cut off.
#[async_trait]
pub trait Record: Send {
    /// The write with this number is about to be made. `step` has the contents that it
    /// destroys, but not yet its results. The write is made when this returns.
    async fn intent(&mut self, number: usize, step: &Step) -> Result<()>;

    /// The write was made. Of writes that are under way together, any may be the next.
    async fn done(&mut self, number: usize, step: &Step) -> Result<()>;

    /// These writes are about to be made together, each with the number in its step: an
    /// [`intent`](Self::intent) of each. None of them is made where this fails.
    async fn intents(&mut self, steps: &[&Step]) -> Result<()> {
        for step in steps {
            self.intent(step.number, step).await?;
        }
        Ok(())
    }

    /// All these writes were made: [`done`](Self::done) for each.
    async fn all_done(&mut self, steps: &[&Step]) -> Result<()> {
        for step in steps {
            self.done(step.number, step).await?;
        }
        Ok(())
    }
}

/// A record that keeps nothing.
pub struct Unrecorded;

#[async_trait]
impl Record for Unrecorded {
    async fn intent(&mut self, _: usize, _: &Step) -> Result<()> {
        Ok(())
    }
    async fn done(&mut self, _: usize, _: &Step) -> Result<()> {
        Ok(())
    }
}

/// One write of a plan, as it was carried out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Step {
    /// Which write of the plan it is, from 0.
    pub number: usize,
    /// The mark of each place before the write, in the order of [`Write::touched`].
    pub found: Vec<Option<Mark>>,
    /// Images of the places that the plan had not changed before.
    pub images: Vec<(Place, Image)>,
    /// The mark of each place after the write; empty until it is made.
    pub left: Vec<Option<Mark>>,
    /// The ids that the world gave to what the write made.
    pub ids: Ids,
}

/// How long an apply waits for a world that does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// The number of tries of a write or a read.
    pub attempts: u32,
    /// The wait before the second try; it doubles from there.
    pub first_wait: Duration,
    /// The longest silence of one write, with its looks, its tries and the waits between
    /// them. Only a transfer that moves bytes breaks it ([`World::moved`]): every other write
    /// has no more time than this. Whether more was moved is looked at when the time is over,
    /// so a transfer that stands still is waited for at most twice as long. Then the apply
    /// ends: as [`Unknown`](super::End::Unknown) where the write had been begun, as
    /// [`Failed`](super::End::Failed) where it had not.
    pub deadline: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            attempts: 5,
            first_wait: Duration::from_millis(500),
            deadline: Duration::from_secs(300),
        }
    }
}

/// An apply, ready to go.
pub struct Apply<'a> {
    /// How the domain plans.
    pub planning: &'a dyn Planning,
    /// The world that is changed.
    pub world: &'a dyn World,
    /// The plan's writes.
    pub writes: &'a [Write],
    /// The limits on kept contents.
    pub keeping: Keeping,
    /// The time to wait for answers.
    pub patience: Patience,
    /// How many writes are under way together at the beginning: 64 on a server, and 1 in a world
    /// that answers at once, where nobody says otherwise. With 1 each is made after the one before
    /// it in the plan. With more, that holds for writes that have to do with each other: where
    /// one changes a place, the other waits if it touches the same place, a setting of it, or
    /// something around or within it. What is not [local](Planning::is_local) is always made
    /// alone.
    pub window: usize,
    /// How many it becomes where that makes an apply faster: 256 on a server. A window of 1 stays.
    pub widest: usize,
    /// The handle that ends it early.
    pub stop: Stop,
    /// How far an interrupted apply of the same writes had come.
    pub earlier: Earlier,
    /// What the program read, which is compared before the first write.
    pub reads: Reads,
}

/// How far an interrupted apply had come.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Earlier {
    /// The writes that are known to have been made, in the order of the plan. Between them may
    /// be others that were not.
    pub made: Vec<Step>,
    /// The steps of the writes that had been begun: whether they were made is not known.
    pub begun: Vec<Step>,
}

impl<'a> Apply<'a> {
    /// An apply of all these writes with the default patience, window and keeping.
    pub fn new(planning: &'a dyn Planning, world: &'a dyn World, writes: &'a [Write]) -> Apply<'a> {
        Apply {
            planning,
            world,
            writes,
            keeping: Keeping::default(),
            patience: Patience::default(),
            window: world.spent().map_or(1, |_| WINDOW),
            widest: world.spent().map_or(1, |_| WIDEST),
            stop: Stop::default(),
            earlier: Earlier::default(),
            reads: Reads::default(),
        }
    }

    /// Makes the writes. `watch` is told how many are made after each.
    ///
    /// When one of them is not made, or the apply is stopped, those that are under way come to
    /// their end, and no other is begun.
    pub async fn run(
        &self,
        record: &mut dyn Record,
        watch: &mut (dyn FnMut(usize) + Send),
    ) -> Applied {
        let _applying = self.stop.applying();
        if self.earlier == Earlier::default()
            && let Err(end) = (self.reads)
                .compare(self.planning, self.world, &self.reads())
                .await
        {
            return Applied::new(Vec::new(), end);
        }
        self.carry_on(record, watch).await
    }
}
