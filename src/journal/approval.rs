//! Approvals of plans that wait, given by a person outside of the process that writes the
//! session.
//!
//! A plan is named by what it does, not by its place in the journal: when a turn is carried on
//! after an interruption and comes to the same plan, that has the same name, and an approval of
//! it still holds. Any other plan has another name.

use super::contents::{make_private, sync_folder};
use super::entry::{Origin, Planned};
use super::recorder::Journal;
use super::state::{PlanState, SessionState};
use super::store::SessionStore;
use crate::dialogue::Program;
use crate::error::{Error, Result};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of a session's approvals: an empty file for each plan.
const APPROVED: &str = "approved";
/// How many hex digits of the SHA-256 a name has.
const DIGITS: usize = 16;

/// The part of a plan that a person agrees to.
#[derive(Serialize)]
struct Agreed<'a> {
    session: &'a str,
    origin: &'a Origin,
    writes: Vec<serde_json::Value>,
}

/// The name of a plan of a session: `SESSION:DIGITS`. It depends on the writes of the plan, on
/// the state of their places before them, and on the turn or the plan that it comes from.
pub fn plan_id(session: &str, planned: &Planned) -> String {
    let writes = planned.writes.iter().map(|write| {
        let places = write.touched.iter();
        let places: Vec<_> = places
            .map(|it| serde_json::json!([it.place, it.before, it.changed, it.shares]))
            .collect();
        serde_json::json!([write.operation, write.params, places])
    });
    let agreed = Agreed {
        session,
        origin: &planned.origin,
        writes: writes.collect(),
    };
    // Names, numbers and texts can always be written as JSON.
    let json = serde_json::to_vec(&agreed).unwrap_or_default();
    let digest: String = const_hex::encode(Sha256::digest(&json));
    let digits = digest.get(..DIGITS).unwrap_or_default();
    format!("{session}:{digits}")
}

/// The session and the digits of a plan's name.
///
/// # Errors
/// [`Error::usage`]: it names no plan.
pub fn read_plan_id(id: &str) -> Result<(&str, &str)> {
    let is_digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    let parts = id.split_once(':');
    let parts = parts.filter(|(_, digits)| digits.len() == DIGITS && digits.bytes().all(is_digit));
    parts.ok_or_else(|| {
        Error::usage(format!(
            "{id:?} names no plan: its name is that of its session, a colon and {DIGITS} digits"
        ))
    })
}

impl SessionState {
    /// The program of a plan: the last of its goal, up to its turn. An undo has none.
    pub fn program_of(&self, origin: Origin) -> Option<&Program> {
        let Origin::Program { turn, uid } = origin else {
            return None;
        };
        let turns = self.turns.iter().chain(&self.unfinished).take(turn);
        let updates = turns.flat_map(|it| it.updates.iter().flatten());
        let of_goal = updates.filter(|update| update.uid == uid);
        of_goal.filter_map(|it| it.program.as_ref()).last()
    }

    /// The newest plan with this name in the session of this name.
    pub fn plan_named(&self, session: &str, id: &str) -> Option<&PlanState> {
        let mut plans = self.plans.iter().rev();
        plans.find(|known| plan_id(session, &known.planned) == id)
    }
}

impl SessionStore {
    /// Keeps the approval of a plan, which a person has given.
    ///
    /// # Errors
    /// [`Error::usage`] if no plan has this name or there is no such session,
    /// [`Error::File`] if the disk failed.
    pub fn approve(&self, id: &str) -> Result<()> {
        let (session, digits) = read_plan_id(id)?;
        let folder = self.known(session)?.join(APPROVED);
        make_private(&folder)?;
        let path = folder.join(digits);
        fs::write(&path, "").map_err(Error::file("cannot write", &path))?;
        sync_folder(&folder)
    }
}

impl Journal {
    /// Whether a person has approved the plan with this name. An approval counts once: it is
    /// gone when this returns.
    ///
    /// # Errors
    /// [`Error::usage`] if no plan has this name, [`Error::File`] if the disk failed.
    pub fn take_approval(&self, id: &str) -> Result<bool> {
        let path = approval(self.folder(), id)?;
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Error::file("cannot remove", &path)(error)),
        }
    }
}

fn approval(session: &Path, id: &str) -> Result<PathBuf> {
    let (_, digits) = read_plan_id(id)?;
    Ok(session.join(APPROVED).join(digits))
}
