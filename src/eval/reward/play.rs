//! Plays one unit, on a thread that may wait.

use super::log::{GameLine, GameMode, GameOutcome, GameRun, GameTurn};
use super::units::Unit;
use crate::error::{Error, Result};
use crate::exec::Engine;
use crate::games::{Acting, Asked, Asker, ModelReader, Programmer, Talker};
use decision_games::forced::{Cut, situations};
use decision_games::play::{Course, end_name};
use decision_games::{
    Extraction, Extractor, Game, Limits, Manner, Play, Player, Table, TalkCount, speaking,
};
use std::collections::BTreeMap;

/// With fewer words left than this, the mover makes its last proposal.
const LAST_WORDS: usize = 25;

/// A unit under way.
pub(super) struct Stage<'a> {
    pub unit: &'a Unit,
    pub run: &'a GameRun,
    /// The model that reads; none for the reader of words.
    pub asker: Option<Asker>,
    /// Where its programs run, if it writes any.
    pub engine: Option<&'a Engine>,
    /// Takes each line when it is there.
    pub write: &'a dyn Fn(&GameLine) -> Result<()>,
    /// Whether the run is to stop: a game ends between two turns then.
    pub stopped: &'a dyn Fn() -> bool,
}

/// What is counted while a unit is played.
#[derive(Default)]
struct Counts {
    turn: u32,
    refused: BTreeMap<String, u32>,
    asked: Vec<Asked>,
}

impl Stage<'_> {
    /// Plays the unit. None if it was stopped before its end.
    ///
    /// # Errors
    /// The game cannot be read, or the disk failed. A model that cannot be reached is no error: the
    /// outcome says so, and is no sample.
    pub fn play(&self) -> Result<Option<GameOutcome>> {
        let mut counts = Counts::default();
        let outcome = match self.run.mode {
            GameMode::Forced => self.forced(&mut counts)?,
            _ => match self.game(&mut counts)? {
                Some(outcome) => outcome,
                None => return Ok(None),
            },
        };
        let outcome = counted(outcome, &counts);
        (self.write)(&GameLine {
            unit: self.unit.place.clone(),
            turn: None,
            end: Some(outcome.clone()),
        })?;
        Ok(Some(outcome))
    }

    /// The outcome before anything happened.
    fn outcome(&self, game: &dyn Game) -> Result<GameOutcome> {
        let silent = game.silence(self.unit.seat);
        let people = self.unit.recorded.people(self.run.rules());
        Ok(GameOutcome {
            ended: String::new(),
            failed: None,
            ours: None,
            decision: None,
            score: None,
            best: silent.best,
            worst: silent.worst,
            norm: None,
            silent: silent.norm(),
            people: people.map_err(|problem| self.wrong(&problem))?,
            talk: TalkCount::default(),
            refused: BTreeMap::new(),
            requests: 0,
            repairs: 0,
            usage: crate::llm::Usage::default(),
            facts: None,
            extraction: Extraction::default(),
        })
    }

    fn reader(&self, game: &dyn Game, seat: usize) -> Result<Box<dyn Extractor>> {
        let reader = match &self.asker {
            Some(asker) => ModelReader::of(game, seat, asker.clone())
                .map(|reader| Box::new(reader) as Box<dyn Extractor>),
            None => game.extractor(seat),
        };
        reader.ok_or_else(|| self.wrong("the seat has nothing to read"))
    }

    fn forced(&self, counts: &mut Counts) -> Result<GameOutcome> {
        let recorded = &self.unit.recorded;
        let cut = self.unit.cut.ok_or_else(|| self.wrong("it has no cut"))?;
        let situations = situations(recorded, cut, self.run.rules());
        let situations = situations.map_err(|problem| self.wrong(&problem))?;
        let situation = situations.iter().find(|found| found.seat == self.unit.seat);
        let situation = situation.ok_or_else(|| self.wrong("the seat does not propose"))?;
        let game = situation.game().as_ref();
        let mut outcome = self.outcome(game)?;
        outcome.talk = situation.talk();
        let forced = match self.run.agent {
            Acting::Calls => situation.propose(self.reader(game, self.unit.seat)?.as_mut()),
            Acting::Programs => {
                let mut player = self.programmer(situation.table(), self.unit.seat)?;
                situation.propose_by(&mut player)
            }
        };
        let text = match &forced {
            Ok(forced) => game.show(&forced.decision, self.unit.seat, self.unit.seat),
            Err(_) => String::new(),
        };
        let who = game.seats()[self.unit.seat].name;
        self.turn(counts, who, format!("[propose] {text}"), None)?;
        match forced {
            Err(reason) => (outcome.ended, outcome.ours) = ("failed".to_owned(), Some(reason)),
            Ok(forced) => {
                outcome.ended = "proposed".to_owned();
                outcome.facts = Some(forced.facts);
                outcome.extraction = forced.extraction;
                if forced.failed.is_none() {
                    decided(&mut outcome, game, forced.decision);
                }
                outcome.failed = forced.failed;
            }
        }
        Ok(outcome)
    }

    /// Logs a turn with what a model was asked for it.
    fn turn(
        &self,
        counts: &mut Counts,
        seat: &str,
        text: String,
        refused: Option<&str>,
    ) -> Result<()> {
        counts.turn += 1;
        if let Some(code) = refused {
            *counts.refused.entry(code.to_owned()).or_default() += 1;
        }
        let asked = self.asker.as_ref().map(Asker::take).unwrap_or_default();
        counts.asked.extend(asked.iter().cloned());
        let turn = GameTurn {
            turn: counts.turn,
            seat: seat.to_owned(),
            text,
            refused: refused.map(str::to_owned),
            asked,
        };
        (self.write)(&GameLine {
            unit: self.unit.place.clone(),
            turn: Some(turn),
            end: None,
        })
    }

    /// A whole game, or the rest of one.
    fn game(&self, counts: &mut Counts) -> Result<Option<GameOutcome>> {
        let recorded = &self.unit.recorded;
        let rules = self.run.rules();
        let game = recorded.open(rules);
        let game = game.map_err(|problem| self.wrong(&problem))?;
        let limits = Limits::usual(game.as_ref());
        let (mut course, budget) = match self.unit.cut {
            None => {
                let table = Table::new(game.clone(), rules, Play::Strict);
                (Course::new(table.with_limits(limits)), None)
            }
            Some(cut) => {
                let course = Course::resumed(recorded, cut.turns(recorded), rules, limits);
                let course = course.map_err(|problem| self.wrong(&problem))?;
                (course, Some(recorded.words(recorded.turns.len())))
            }
        };
        let mut players = self.players(course.table())?;
        let (mut last_called, mut ours) = (false, None);
        while let Some(seat) = course.mover() {
            if (self.stopped)() {
                return Ok(None);
            }
            let news = course.news(seat);
            players[seat].sit(course.table());
            let waits = course.table().position().awaits(seat);
            // Where people made their last proposal, there is time for no more than another one.
            let hurry = self.unit.cut == Some(Cut::End)
                || budget.is_some_and(|words| course.record().words() + LAST_WORDS > words);
            let turn = match (
                waits && last_called,
                hurry && game.seats()[seat].may_propose,
            ) {
                (true, _) => Ok("[accept]".to_owned()),
                (_, true) => players[seat].decide(&news),
                _ => players[seat].turn(&news),
            };
            let turn = match turn {
                Ok(turn) => turn,
                Err(reason) => {
                    ours = Some(reason);
                    break;
                }
            };
            let refused = course.make(seat, &turn).err();
            let pending = course.table().position().pending();
            last_called |= hurry && pending.is_some_and(|pending| pending.by == seat);
            let code = refused.map(|illegal| illegal.code.name());
            self.turn(counts, game.seats()[seat].name, turn, code)?;
        }
        // What was asked in vain for a turn that was not made.
        counts
            .asked
            .extend(self.asker.as_ref().map(Asker::take).unwrap_or_default());
        let mut outcome = self.outcome(game.as_ref())?;
        outcome.talk = course
            .record()
            .talk(game.as_ref(), &self.readers(game.as_ref()));
        let decision = course.table().position().decision().cloned();
        let played = course.played();
        outcome.ended = match (&ours, &played.end) {
            (Some(_), _) => "failed",
            (None, Some(end)) => end_name(end),
            (None, None) => "stuck",
        }
        .to_owned();
        outcome.ours = ours;
        if let Some(decision) = decision {
            decided(&mut outcome, game.as_ref(), decision);
        }
        Ok(Some(outcome))
    }

    /// A player for each seat.
    fn players(&self, table: &Table) -> Result<Vec<Box<dyn Player>>> {
        let game = table.game().as_ref();
        let users = self.run.users.as_deref();
        let readers = self.readers(game);
        let player = |seat: usize| {
            let reads = readers.contains(&seat);
            if reads && self.run.agent == Acting::Programs {
                return Ok(Box::new(self.programmer(table, seat)?) as Box<dyn Player>);
            }
            if reads {
                let reader = self.reader(game, seat)?;
                return game
                    .agent_by(seat, reader)
                    .ok_or_else(|| self.wrong("the seat has no agent"));
            }
            if users == Some("model") {
                let asker = self.asker.clone();
                let asker = asker.ok_or_else(|| self.wrong("no model can talk for its users"))?;
                return Talker::of(game, seat, asker)
                    .map(|talker| Box::new(talker) as Box<dyn Player>)
                    .ok_or_else(|| self.wrong("the seat proposes"));
            }
            let manner = users.and_then(Manner::named).unwrap_or(Manner::Scripted);
            game.partner(seat, manner, u64::from(self.unit.recorded.index))
                .map(|player| speaking(player, self.run.language))
                .ok_or_else(|| self.wrong("the seat has no fixed party"))
        };
        (0..game.seats().len()).map(player).collect()
    }

    /// The seats for which the model reads.
    fn readers(&self, game: &dyn Game) -> Vec<usize> {
        if matches!(self.run.mode, GameMode::Scripted | GameMode::Shy) {
            return vec![self.unit.seat];
        }
        let seats = game.seats().iter().enumerate();
        let proposing = seats.filter(|(_, seat)| seat.may_propose);
        proposing.map(|(place, _)| place).collect()
    }

    /// A player of the seat by programs.
    fn programmer(&self, table: &Table, seat: usize) -> Result<Programmer> {
        let (asker, engine) = self
            .asker
            .clone()
            .zip(self.engine)
            .ok_or_else(|| self.wrong("programs need a model and a sandbox"))?;
        Programmer::new(table, seat, asker, engine)
    }

    fn wrong(&self, problem: &str) -> Error {
        Error::usage(format!("{}: {problem}", self.unit.place))
    }
}

fn decided(outcome: &mut GameOutcome, game: &dyn Game, decision: serde_json::Value) {
    let points = game.points(&decision);
    (outcome.score, outcome.norm) = (Some(points.score), Some(points.norm()));
    outcome.decision = Some(decision);
}

fn counted(mut outcome: GameOutcome, counts: &Counts) -> GameOutcome {
    outcome.refused.clone_from(&counts.refused);
    for asked in &counts.asked {
        outcome.requests += 1;
        outcome.usage += asked.usage;
    }
    let again = |asked: &&Asked| asked.question.starts_with(decision_games::reading::AGAIN);
    outcome.repairs = u32::try_from(counts.asked.iter().filter(again).count()).unwrap_or(u32::MAX);
    outcome
}
