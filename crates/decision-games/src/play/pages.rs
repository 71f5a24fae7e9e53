//! Games on pages: a page shows a player the game, and sends the moves that the player makes.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::ending::Ending;
use super::suggested::{refused, suggested};
use super::{Course, Record, end_name};
use crate::board::Picks;
use crate::game::Game;
use crate::illegal::{Code, Illegal};
use crate::player::Player;
use crate::table::{End, Table};
use crate::text::{Heard, heard, line};
use crate::turn::Move;

/// What a person does at a page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "act", rename_all = "lowercase")]
pub enum Act {
    /// Says something. A mediator names the room.
    Message {
        /// The words.
        text: String,
        /// The room.
        #[serde(default)]
        to: Option<usize>,
    },
    /// Proposes, by picks or in text.
    Propose {
        /// The picks of its board.
        #[serde(default)]
        picks: Option<Picks>,
        /// The proposal as text.
        #[serde(default)]
        text: String,
    },
    /// Accepts the proposal that waits.
    Accept {
        /// Its number, as the page was told: proposals of others may have crossed the answer.
        #[serde(default)]
        proposal: Option<usize>,
    },
    /// Rejects it.
    Reject {
        /// Its number.
        #[serde(default)]
        proposal: Option<usize>,
        /// Words that go with it.
        #[serde(default)]
        text: String,
    },
    /// Asks a query.
    Search {
        /// The query.
        query: String,
    },
    /// Asks what picks come to, which is no move.
    About {
        /// The picks.
        picks: Picks,
    },
    /// Asks what the solver proposes, which is no move.
    Suggest,
}

/// A game whose people sit at pages. What each page is told is of its own seat alone.
pub struct Pages {
    course: Course<Table>,
    players: Vec<Option<Box<dyn Player>>>,
    suggest: bool,
    /// What each person has read.
    read: Vec<String>,
    /// How the game stood when each page was told last.
    told: BTreeMap<usize, Value>,
    broken: Option<String>,
}

impl Pages {
    /// A game from the start: a player, or none for a person, for each seat. With `suggest`, people
    /// may ask what the solver proposes.
    pub fn new(table: Table, players: Vec<Option<Box<dyn Player>>>, suggest: bool) -> Pages {
        let seats = table.game().seats().len();
        let mut pages = Pages {
            course: Course::new(table),
            players,
            suggest,
            read: vec![String::new(); seats],
            told: BTreeMap::new(),
            broken: None,
        };
        for seat in pages.people() {
            pages.read[seat] = pages.course.news(seat) + "\n";
        }
        pages
    }

    /// The seats of people.
    pub fn people(&self) -> Vec<usize> {
        let players = self.players.iter().enumerate();
        let people = players.filter(|(_, player)| player.is_none());
        people.map(|(seat, _)| seat).collect()
    }

    /// Where the game stands.
    pub fn table(&self) -> &Table {
        self.course.table()
    }

    /// The turns so far.
    pub fn record(&self) -> &Record {
        self.course.record()
    }

    /// Why the game cannot go on: a player could not be asked.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    fn game(&self) -> &dyn Game {
        self.table().game().as_ref()
    }

    /// What a page shows before anything has happened.
    pub fn opening(&self, seat: usize) -> Value {
        let (game, seats) = (self.game(), self.game().seats());
        let others = (0..seats.len()).filter(|other| *other != seat);
        let others: Vec<&str> = others.map(|other| seats[other].name).collect();
        let (may, mediates) = (seats[seat], self.table().mediates(seat));
        json!({
            "game": game.name(),
            "seat": may.name,
            "others": others,
            "board": game.board(seat),
            "may_propose": may.may_propose,
            "may_query": may.may_query,
            "may_answer": may.may_answer,
            "rooms": if mediates { seats.len() - 1 } else { 0 },
            "suggests": refused(game, seat, self.suggest).is_none(),
        })
    }

    /// Lets the next player make its turn; false if a person moves next, or nobody.
    pub fn step(&mut self) -> bool {
        let Some(seat) = self.course.mover().filter(|_| self.broken.is_none()) else {
            return false;
        };
        let Some(player) = self.players.get_mut(seat).and_then(Option::as_mut) else {
            return false;
        };
        player.sit(self.course.table());
        match player.turn(&self.course.news(seat)) {
            // The reason of a refusal is news for its mover; too many end the game.
            Ok(turn) => drop(self.course.make(seat, &turn)),
            Err(reason) => self.broken = Some(reason),
        }
        true
    }

    /// Carries out what the person in a seat does; the answer has what it asked for.
    ///
    /// # Errors
    /// It is illegal, and nothing has changed.
    pub fn act(&mut self, seat: usize, act: &Act) -> Result<Value, Illegal> {
        if let Some(reason) = &self.broken {
            return Err(Code::GameOver.because(format!("The game cannot go on: {reason}")));
        }
        let to = if self.table().mediates(seat) {
            "all: "
        } else {
            ""
        };
        let turn = match act {
            Act::About { picks } => {
                return Ok(json!({"about": self.game().about(seat, picks)}));
            }
            Act::Suggest => return self.suggestion(seat),
            Act::Message { text, to } => {
                let room = to.map_or_else(String::new, |room| format!("{room}: "));
                format!("{room}[message] {}", line(text))
            }
            Act::Propose { picks: None, text } => format!("{to}[propose] {}", line(text)),
            Act::Propose {
                picks: Some(picks), ..
            } => {
                // Whose turn it is counts before what the proposal is.
                self.table().may_propose(seat)?;
                self.table().may(seat, &[Move::Propose(String::new())])?;
                let decision = self.game().check(&self.game().picked(picks))?;
                format!("{to}[propose] {}", self.game().write(&decision))
            }
            Act::Accept { proposal } => {
                self.answered(seat, *proposal)?;
                "[accept]".to_owned()
            }
            Act::Reject { proposal, text } => {
                self.answered(seat, *proposal)?;
                format!("[reject] {}", line(text))
            }
            Act::Search { query } => format!("[tool] {}", line(query)),
        };
        self.course.attempt(seat, &turn)?;
        Ok(json!({}))
    }

    /// Whether the proposal of this number is the one that waits for the seat's answer. Where none
    /// does, the table says so.
    fn answered(&self, seat: usize, number: Option<usize>) -> Result<(), Illegal> {
        match self.waiting(seat) {
            Some(waiting) if number != Some(waiting) => Err(Code::NothingToAnswer
                .because("Another proposal waits than the one that you answer: read it first.")),
            _ => Ok(()),
        }
    }

    /// The number of the proposal that waits for the seat's answer.
    fn waiting(&self, seat: usize) -> Option<usize> {
        let table = self.table();
        let pending = table.position().pending();
        let pending = pending.filter(|_| table.may_answer(seat));
        pending.map(|pending| pending.number)
    }

    fn suggestion(&self, seat: usize) -> Result<Value, Illegal> {
        let game = self.game();
        if let Some(reason) = refused(game, seat, self.suggest) {
            return Err(Code::NotYourRole.because(reason));
        }
        let found = suggested(game, seat, &self.read[seat]);
        let found = found.ok_or_else(|| Code::NotYourRole.because("The solver finds nothing."))?;
        let reasons = found.reasons.iter();
        let reasons = reasons.map(|reason| json!({"what": reason.what, "points": reason.points}));
        Ok(json!({
            "picks": game.picks(&found.decision),
            "value": found.value,
            "reasons": reasons.collect::<Vec<_>>(),
        }))
    }

    /// What is new for a page since this was asked last: what its seat has read, and whose turn it
    /// is.
    pub fn told(&mut self, seat: usize) -> Option<Value> {
        let news = self.course.news(seat);
        self.read[seat] += &news;
        self.read[seat].push('\n');
        let entries = entries(&news);
        let stands = self.stands(seat);
        if entries.is_empty() && self.told.get(&seat) == Some(&stands) {
            return None;
        }
        self.told.insert(seat, stands.clone());
        let mut told = stands;
        told["entries"] = entries.into();
        Some(told)
    }

    fn stands(&self, seat: usize) -> Value {
        let (table, game) = (self.table(), self.game());
        // Only who proposes sees all of a proposal.
        let waits = table.position().pending();
        let waits = waits.filter(|_| game.seats()[seat].may_propose);
        json!({
            "may": table.allowed(seat),
            "rooms": table.rooms(seat),
            "must_answer": table.position().awaits(seat),
            "proposal": self.waiting(seat),
            "picks": waits.map(|waits| game.picks(&waits.decision)),
            "mine": waits.is_some_and(|waits| waits.by == seat),
            "end": table.position().ended().map(|end| self.end(seat, end)),
        })
    }

    /// How the game ended.
    fn end(&self, seat: usize, end: &End) -> Value {
        let ending = Ending::of(self.game(), Some(seat));
        let points = self.table().points().map(|points| {
            json!({
                "score": points.score, "best": points.best, "worst": points.worst,
                "norm": points.norm(),
            })
        });
        json!({
            "how": end_name(end),
            "points": points,
            "best": ending.best,
            "silence": ending.silence,
        })
    }
}

/// Moves as a page lists them.
fn entries(news: &str) -> Vec<Value> {
    let entry = |heard: &Heard| {
        json!({
            "from": heard.from, "move": heard.tag, "text": heard.content.trim_end(),
        })
    };
    heard(news).iter().map(entry).collect()
}
