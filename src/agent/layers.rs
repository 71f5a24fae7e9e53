//! The layers between a program and its world.

use super::observe::{Seen, Watched};
use super::time::{MachineTime, Timeless};
use super::unread::WatchedListings;
use crate::domain::{Domain, Offered, Witness, World};
use crate::policy::{Allowance, AskAbove, Guard, Policy};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;

/// The world as one program finds it, for a turn, `run`, and every replay.
///
/// From the program to the world these are the layers, as far as they are asked for. Nobody
/// chooses their order:
///
/// 1. its calls are told while it runs;
/// 2. listings that it does not read to the end are noted ([`WatchedListings`]);
/// 3. only the operations that are offered are there ([`Offered`]);
/// 4. the policy judges its calls ([`Guard`]);
/// 5. it has a time ([`ProgramTime`]);
/// 6. what it costs is counted ([`Allowance`]);
/// 7. what reaches the world is noted ([`Witness`]).
///
/// Below them is what the program runs on: a draft, an overlay, or the world itself.
///
/// ```
/// use dialog2api::agent::Layers;
/// use dialog2api::domain::Value;
/// use dialog2api::domain::s3::{S3, open};
/// use dialog2api::policy::Policy;
/// use std::sync::Arc;
///
/// # #[tokio::main]
/// # async fn main() -> dialog2api::Result<()> {
/// let policy = Arc::new(Policy::read("version = 1\nmode = \"read-only\"").unwrap());
/// let seen = Layers::over(&open("empty")?.world, &S3).held_to(policy).build();
/// let bucket = Value::Map(vec![("Bucket".into(), "attic".into())]);
/// let refusal = seen.world.call("create_bucket", &bucket).await?.unwrap_err();
/// assert_eq!(refusal.code, "AccessDenied");
/// # Ok(())
/// # }
/// ```
#[must_use = "`build` makes the world"]
pub struct Layers {
    world: Arc<dyn World>,
    domain: Arc<Domain>,
    told: Option<UnboundedSender<Seen>>,
    notes_listings: bool,
    is_restricted: bool,
    offered: Option<Vec<String>>,
    policy: Option<Arc<Policy>>,
    time: ProgramTime,
    within: Option<(AskAbove, bool)>,
    is_witnessed: bool,
}

/// The time that a program has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProgramTime {
    /// That of its world.
    #[default]
    OfWorld,
    /// That of the machine, which goes on while it runs.
    OfMachine,
    /// That of its seed alone.
    OfSeed,
}

/// A world with its layers, and those that are asked afterwards.
pub struct Layered {
    /// The world for the program.
    pub world: Arc<dyn World>,
    /// The listings, where they are noted.
    pub listings: Option<Arc<WatchedListings>>,
    /// The cost, where it is counted and the world has one.
    pub allowance: Option<Arc<Allowance>>,
    /// What reached the world, where it is noted.
    pub witness: Option<Arc<Witness>>,
}

impl Layers {
    /// No layers yet, over a world of this domain.
    pub fn over(world: &Arc<dyn World>, domain: &Arc<Domain>) -> Layers {
        Layers {
            world: world.clone(),
            domain: domain.clone(),
            told: None,
            notes_listings: false,
            is_restricted: false,
            offered: None,
            policy: None,
            time: ProgramTime::default(),
            within: None,
            is_witnessed: false,
        }
    }

    /// Those of every program of a turn, under this policy. The turn adds a time, and a limit on
    /// cost where there is one.
    pub fn of_turn(
        world: &Arc<dyn World>,
        domain: &Arc<Domain>,
        policy: impl Into<Option<Arc<Policy>>>,
    ) -> Layers {
        Layers::over(world, domain)
            .noting_listings()
            .witnessed()
            .restricted()
            .held_to(policy)
    }

    /// Its calls are told here.
    pub(super) fn told(mut self, seen: UnboundedSender<Seen>) -> Layers {
        self.told = Some(seen);
        self
    }

    /// Listings that the program does not read to the end are noted.
    pub fn noting_listings(mut self) -> Layers {
        self.notes_listings = true;
        self
    }

    /// Only the operations that the domain offers are there.
    pub fn restricted(mut self) -> Layers {
        self.is_restricted = true;
        self
    }

    /// Only these operations are there.
    pub fn offering<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Layers {
        self.offered = Some(names.into_iter().map(str::to_owned).collect());
        self
    }

    /// This policy judges its calls. Without one every call is allowed.
    pub fn held_to(mut self, policy: impl Into<Option<Arc<Policy>>>) -> Layers {
        self.policy = policy.into();
        self
    }

    /// It has this time.
    pub fn timed(mut self, time: ProgramTime) -> Layers {
        self.time = time;
        self
    }

    /// It is stopped at this cost: see [`Allowance::of`].
    pub fn within(mut self, most: AskAbove, is_draft: bool) -> Layers {
        self.within = Some((most, is_draft));
        self
    }

    /// What reaches the world is noted.
    pub fn witnessed(mut self) -> Layers {
        self.is_witnessed = true;
        self
    }

    /// The world for one program.
    pub fn build(self) -> Layered {
        let Layers {
            mut world, domain, ..
        } = self;
        let witness = self
            .is_witnessed
            .then(|| Arc::new(Witness::around(world.clone(), &domain)));
        if let Some(witness) = &witness {
            world = witness.clone();
        }
        let allowance = self
            .within
            .and_then(|(most, is_draft)| Allowance::of(&world, &domain, most, is_draft));
        if let Some(allowance) = &allowance {
            world = allowance.clone();
        }
        world = match self.time {
            ProgramTime::OfWorld => world,
            ProgramTime::OfMachine => Arc::new(MachineTime(world)),
            ProgramTime::OfSeed => Arc::new(Timeless(world)),
        };
        if let Some(policy) = self.policy {
            world = Arc::new(Guard::new(world, &domain, policy));
        }
        if let Some(names) = &self.offered {
            world = Offered::around(world, names.iter().map(String::as_str));
        }
        if self.is_restricted {
            world = domain.restricted(world);
        }
        let listings = self
            .notes_listings
            .then(|| Arc::new(WatchedListings::around(world.clone(), &domain)));
        if let Some(listings) = &listings {
            world = listings.clone();
        }
        if let Some(seen) = self.told {
            world = Watched::around(world, seen);
        }
        Layered {
            world,
            listings,
            allowance,
            witness,
        }
    }
}
