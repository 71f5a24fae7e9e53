//! Forced proposals: after a part of a recorded game, a seat must propose at once.
//!
//! It measures how well a party understands talk and solves. The extractor, a model or a reader of words,
//! gives facts; the solver of the seat proposes by them; the world scores the proposal.

use std::sync::Arc;

use crate::extraction::Extraction;
use crate::game::{Decision, Game};
use crate::mind::{Extractor, Mind, Unread};
use crate::player::Player;
use crate::recorded::Recorded;
use crate::rows::proposers;
use crate::rules::Rules;
use crate::table::{Play, Table};
use crate::talk::TalkCount;

/// How much of a recorded game comes before the proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// This percentage of the words.
    Words(usize),
    /// All turns before the last proposal.
    End,
}

/// The cuts at which figures are given.
pub const CUTS: [Cut; 5] = [
    Cut::Words(0),
    Cut::Words(25),
    Cut::Words(50),
    Cut::Words(75),
    Cut::End,
];

impl Cut {
    /// The name in figures: a percentage, or `end`.
    pub fn name(&self) -> String {
        match self {
            Cut::Words(percent) => percent.to_string(),
            Cut::End => "end".to_owned(),
        }
    }

    /// The cut of this name, of those at which figures are given.
    pub fn named(name: &str) -> Option<Cut> {
        CUTS.into_iter().find(|cut| cut.name() == name)
    }

    /// How many turns come before it.
    pub fn turns(&self, recorded: &Recorded) -> usize {
        match self {
            Cut::Words(0) => 0,
            Cut::Words(percent) => recorded.cut(*percent),
            Cut::End => recorded.cut_at_last_proposal(),
        }
    }
}

/// A seat after a part of a recorded game.
pub struct Situation {
    /// The seat.
    pub seat: usize,
    /// What it knew at the start.
    pub view: String,
    /// All that it has read since.
    pub read: String,
    table: Table,
    talk: TalkCount,
}

/// A proposal that was forced, and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Forced {
    /// The proposal as the others get it; if there is none, the one that the seat would make without
    /// a word.
    pub decision: Decision,
    /// The scaled score of the proposal.
    pub norm: f64,
    /// Why the extractor failed, in which case the proposal is the silent one.
    pub failed: Option<String>,
    /// The scaled score of the silent proposal.
    pub silent: f64,
    /// How many facts were extracted, and how many of them the solver refused.
    pub facts: (usize, usize),
    /// The facts that the solver took, beside the truth of the world.
    pub extraction: Extraction,
}

/// The situations of a recorded game at a cut, by these rules: one for each seat that may propose.
///
/// # Errors
/// The world or a turn cannot be read.
pub fn situations(recorded: &Recorded, cut: Cut, rules: Rules) -> Result<Vec<Situation>, String> {
    let game = recorded.open(rules)?;
    let turns = cut.turns(recorded);
    let before = recorded.turns.get(..turns).unwrap_or(&recorded.turns);
    let talk = TalkCount::of(game.as_ref(), before);
    proposers(game.as_ref())
        .into_iter()
        .map(|seat| {
            let mut table = Table::new(Arc::clone(&game), Rules::default(), Play::Free);
            let read = recorded.read_by(&mut table, seat, turns);
            Ok(Situation {
                seat,
                view: game.view(seat),
                read: read.map_err(|illegal| illegal.to_string())?,
                table,
                talk,
            })
        })
        .collect()
}

impl Situation {
    /// The rules and the world.
    pub fn game(&self) -> &Arc<dyn Game> {
        self.table.game()
    }

    /// The table as it stands there. Any seat may move.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What people have said so far.
    pub fn talk(&self) -> TalkCount {
        self.talk
    }

    /// The extractor of this seat that needs no model.
    pub fn words(&self) -> Option<Box<dyn Extractor>> {
        self.game().extractor(self.seat)
    }

    /// Lets the extractor read, and proposes by its facts.
    ///
    /// # Errors
    /// The extractor could not be asked: there is no sample.
    pub fn propose(&self, extractor: &mut dyn Extractor) -> Result<Forced, String> {
        let silent = self.game().sent(&self.game().silent(self.seat));
        let worth = |decision: &Decision| self.game().points(decision).norm();
        let mut forced = Forced {
            norm: worth(&silent),
            silent: worth(&silent),
            decision: silent,
            failed: None,
            facts: (0, 0),
            extraction: self.game().judge(self.seat, &[]),
        };
        match self.decide(extractor, &mut forced) {
            Ok(decision) => {
                let sent = self.game().sent(&decision);
                (forced.norm, forced.decision) = (worth(&sent), sent);
            }
            Err(Unread::Unclear(reason)) => forced.failed = Some(reason),
            Err(Unread::Unreached(reason)) => return Err(reason),
        }
        Ok(forced)
    }

    /// Lets a player make the turn in which it must propose.
    ///
    /// # Errors
    /// The player could not be asked: there is no sample.
    pub fn propose_by(&self, player: &mut dyn Player) -> Result<Forced, String> {
        let silent = self.game().sent(&self.game().silent(self.seat));
        let worth = |decision: &Decision| self.game().points(decision).norm();
        player.sit(&self.table);
        let news = format!("{}\n{}", self.view, self.read);
        let turn = player.decide(&news)?;
        // A proposal that people made earlier does not count as one of the player.
        let mut table = self.table.clone().without_pending();
        let made = table.turn(self.seat, &turn);
        let pending = table.position().pending();
        let own = pending.filter(|pending| pending.by == self.seat);
        let (decision, failed) = match (made, player.lost(), own) {
            (Err(illegal), ..) => (silent.clone(), Some(illegal.to_string())),
            (_, Some(reason), _) => (silent.clone(), Some(reason)),
            (.., None) => (silent.clone(), Some("there is no proposal".to_owned())),
            (.., Some(own)) => (own.decision.clone(), None),
        };
        Ok(Forced {
            norm: worth(&decision),
            silent: worth(&silent),
            decision,
            failed,
            facts: (0, 0),
            extraction: Extraction::default(),
        })
    }

    fn decide(
        &self,
        extractor: &mut dyn Extractor,
        forced: &mut Forced,
    ) -> Result<Decision, Unread> {
        let solver = self
            .game()
            .solver(self.seat)
            .ok_or_else(|| unclear("the seat has no solver"))?;
        let mut mind = Mind::new(solver);
        for fact in extractor.facts(&self.view, &self.read)? {
            forced.facts.0 += 1;
            forced.facts.1 += usize::from(mind.learn(&fact).is_err());
        }
        forced.extraction = self.game().judge(self.seat, mind.facts());
        // A model that writes only what no solver can read has not answered.
        if forced.facts.0 > 0 && forced.facts.0 == forced.facts.1 {
            return Err(unclear("no fact can be read"));
        }
        let best = mind
            .suggest(1)
            .into_iter()
            .next()
            .ok_or_else(|| unclear("there is no proposal"))?;
        let checked = self.game().check(&best.decision);
        checked.map_err(|illegal| unclear(&illegal.to_string()))
    }
}

fn unclear(reason: &str) -> Unread {
    Unread::Unclear(reason.to_owned())
}
