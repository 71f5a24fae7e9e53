//! The clock that dates new buckets and objects.

use jiff::Timestamp;

/// The clock of a store. S3's times are whole seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// The time of the next write; each write advances it by one second. The same writes
    /// on the same world get the same times.
    Steps(Timestamp),
    /// Every write happens at this time. For comparisons with recordings that were made
    /// under a fixed clock.
    Stands(Timestamp),
    /// The system's clock.
    System,
    /// The system's clock, stopped at this time.
    Held(Timestamp),
}

impl Clock {
    /// The time as it is, without a write.
    pub fn now(&self) -> Timestamp {
        let mut copy = *self;
        copy.tick()
    }

    /// The time as it is, unless it is the system's.
    pub fn own(&self) -> Option<Timestamp> {
        match self {
            Clock::System | Clock::Held(_) => None,
            Clock::Steps(_) | Clock::Stands(_) => Some(self.now()),
        }
    }

    /// Stops the system's clock at this time. Other clocks go on.
    pub fn hold(&mut self, now: Timestamp) {
        if matches!(self, Clock::System | Clock::Held(_)) {
            *self = Clock::Held(now);
        }
    }

    /// The time that a write gets. A clock in steps moves on by a second, so that no two writes
    /// have one time.
    pub fn tick(&mut self) -> Timestamp {
        match self {
            Clock::System => whole_seconds(Timestamp::now()),
            Clock::Stands(time) | Clock::Held(time) => whole_seconds(*time),
            Clock::Steps(next) => {
                let now = *next;
                *next = now
                    .checked_add(jiff::SignedDuration::from_secs(1))
                    .unwrap_or(now);
                now
            }
        }
    }
}

/// `time` without its fraction of a second.
pub fn whole_seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}
