//! Recorded games: their form, and their replay in free order.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::declared;
use crate::game::{Decision, Game};
use crate::illegal::{Code, Illegal};
use crate::kinds::{Kinds, open};
use crate::points::Points;
use crate::rules::Rules;
use crate::table::{Play, Seen, Table, over};

/// One recorded game, a line of a file of games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Recorded {
    /// The kind of game.
    pub game: String,
    /// Its number in the published set.
    pub index: u32,
    /// The world.
    pub world: Value,
    /// What the parties did.
    pub turns: Vec<Turn>,
    /// What was recorded about each proposal: its turn, and figures in the form of
    /// [`Game::parts`]. Games that were played here have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<Value>,
    /// The final figures that were recorded.
    #[serde(default)]
    pub recorded: Option<Figures>,
}

/// The figures of a final decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// The score.
    pub score: i64,
    /// The greatest of the world.
    pub best: i64,
    /// What counts as 0.
    pub worst: i64,
    /// The scaled score.
    pub norm: f64,
    /// Its parts, in the form of [`Game::parts`].
    #[serde(flatten)]
    pub parts: Map<String, Value>,
}

/// One act of a party. Players are counted from 0, in the order of the seats.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Turn {
    /// It said something.
    Message {
        /// Who.
        player: usize,
        /// What.
        text: String,
        /// In which room, where one party mediates.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        room: Option<usize>,
    },
    /// It proposed.
    Proposal {
        /// Who.
        player: usize,
        /// The other fields of the record. One of them, [`Game::field`], has the decision.
        #[serde(flatten)]
        fields: Map<String, Value>,
    },
    /// It answered a proposal.
    Response {
        /// Who.
        player: usize,
        /// Whether it accepted.
        accept: bool,
    },
}

impl Turn {
    /// Who acted.
    pub fn player(&self) -> usize {
        match self {
            Turn::Message { player, .. }
            | Turn::Proposal { player, .. }
            | Turn::Response { player, .. } => *player,
        }
    }

    /// The decision that it proposes, if it is a proposal; null if the record lacks it.
    pub fn decision(&self, game: &dyn Game) -> Option<&Decision> {
        match self {
            Turn::Proposal { fields, .. } => Some(fields.get(game.field()).unwrap_or(&Value::Null)),
            _ => None,
        }
    }

    /// The words that it said: the parts between single blanks.
    pub fn words(&self) -> usize {
        match self {
            Turn::Message { text, .. } => text.split(' ').count(),
            _ => 0,
        }
    }
}

/// What the replay of a game found.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The worth of every full proposal, in order.
    pub proposals: Vec<Points>,
    /// The decision that all accepted.
    pub accepted: Option<Decision>,
    /// The worth of it.
    pub decision: Option<Points>,
    /// Answers that came after another party had rejected the proposal.
    pub late_answers: usize,
    /// Full proposals that a newer one replaced while they waited.
    pub replaced: usize,
    /// Proposals that left something open.
    pub partial: usize,
}

impl Recorded {
    /// Reads a file of games, one a line.
    ///
    /// # Errors
    /// A sentence names the first line that is no game.
    pub fn read(text: &str) -> Result<Vec<Recorded>, String> {
        let lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty());
        let read = |(number, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))
        };
        lines.map(read).collect()
    }

    /// Prepares the game of this world.
    ///
    /// # Errors
    /// A sentence says what is wrong with it.
    pub fn open(&self, rules: Rules) -> Result<Arc<dyn Game>, String> {
        match Kinds::default().names().any(|name| name == self.game) {
            true => open(&self.game, &self.world, rules),
            // A game of a user's own: its world has all that it needs.
            false => declared::open(&self.game, &self.world),
        }
    }

    /// The table after the first `turns` turns.
    ///
    /// # Errors
    /// A turn is illegal even in free order.
    pub fn table(&self, game: Arc<dyn Game>, turns: usize) -> Result<Table, Illegal> {
        let mut table = Table::new(game, Rules::default(), Play::Free);
        for (place, turn) in self.turns.iter().take(turns).enumerate() {
            table.act(turn).map_err(|illegal| illegal.at(place))?;
        }
        Ok(table)
    }

    /// All that a seat read in the first `turns` turns.
    ///
    /// # Errors
    /// A turn is illegal even in free order.
    pub fn read_by(&self, table: &mut Table, seat: usize, turns: usize) -> Result<String, Illegal> {
        let mut lines = Vec::new();
        for (place, turn) in self.turns.iter().take(turns).enumerate() {
            let seen = table.act(turn).map_err(|illegal| illegal.at(place))?;
            lines.extend(seen.into_iter().nth(seat).filter(|text| !text.is_empty()));
        }
        Ok(lines.join("\n"))
    }

    /// Replays the whole game.
    ///
    /// # Errors
    /// A turn is illegal even in free order.
    pub fn replay(&self, game: Arc<dyn Game>) -> Result<Replay, Illegal> {
        let mut proposals = Vec::new();
        let table = self.table(Arc::clone(&game), self.turns.len())?;
        let made = self.turns.iter();
        for decision in made.filter_map(|turn| turn.decision(game.as_ref())) {
            let decision = game.recorded(decision)?;
            if game.complete(&decision) {
                proposals.push(game.points(&game.sent(&decision)));
            }
        }
        let position = table.position();
        let decision = position.decision();
        Ok(Replay {
            proposals,
            accepted: decision.cloned(),
            decision: decision.map(|decision| game.points(&game.sent(decision))),
            late_answers: position.late_answers(),
            replaced: position.replaced(),
            partial: position.partial(),
        })
    }

    /// The scaled score of what people agreed on: the recorded one, or by other rules than ours what
    /// their decision is worth there. None for a game that they did not finish.
    ///
    /// # Errors
    /// The world or a turn cannot be read.
    pub fn people(&self, rules: Rules) -> Result<Option<f64>, String> {
        let recorded = self.recorded.as_ref().map(|figures| figures.norm);
        if rules == Rules::default() || recorded.is_none() {
            return Ok(recorded);
        }
        let replay = self.replay(self.open(rules)?);
        let replay = replay.map_err(|illegal| illegal.to_string())?;
        Ok(replay.decision.map(|points| points.norm()))
    }

    /// The words of the first `turns` turns.
    pub fn words(&self, turns: usize) -> usize {
        self.turns.iter().take(turns).map(Turn::words).sum()
    }

    /// How many turns come before a cut at `percent` of the words: the least number whose words
    /// are nearest to it.
    pub fn cut(&self, percent: usize) -> usize {
        let wanted = percent * self.words(self.turns.len());
        let distance = |turns: &usize| (100 * self.words(*turns)).abs_diff(wanted);
        (0..self.turns.len()).min_by_key(distance).unwrap_or(0)
    }

    /// How many turns come before the last proposal.
    pub fn cut_at_last_proposal(&self) -> usize {
        let proposal = |turn: &Turn| matches!(turn, Turn::Proposal { .. });
        self.turns.iter().rposition(proposal).unwrap_or(0)
    }
}

impl Table {
    /// Applies a recorded act in free order, and gives what each seat read. People could propose
    /// what the text form refuses.
    pub(crate) fn act(&mut self, turn: &Turn) -> Result<Seen, Illegal> {
        let player = turn.player();
        let Some(seat) = self.game().seats().get(player).copied() else {
            return Err(Code::NotYourRole.because(format!("There is no player {player}.")));
        };
        match turn {
            Turn::Message { room, text, .. } => self.hear(player, *room, text),
            _ if self.position().ended().is_some() => Err(over()),
            Turn::Proposal { .. } => {
                self.may_propose(player)?;
                let decision = turn.decision(self.game().as_ref());
                let decision = self.game().recorded(decision.unwrap_or(&Value::Null))?;
                Ok(self.place(player, decision))
            }
            Turn::Response { .. } if !seat.may_answer => {
                Err(Code::NotYourRole.because("Your role answers no proposals."))
            }
            Turn::Response { accept, .. } => self.reply(player, *accept),
        }
    }
}
