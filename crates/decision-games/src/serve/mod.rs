//! Games step by step from outside: one JSON object is a request, one the answer.
//!
//! | request | answer |
//! |---|---|
//! | `{"op": "reset", "game": …, "seed" or "world" or "state": …}` | the id, seats, what each reads, who moves |
//! | `{"op": "step", "id": …, "seat": …, "text": …}` | what each seat reads, `done`, `info` |
//! | `{"op": "fork", "id": …}` | the id of a copy |
//! | `{"op": "state", "id": …}` | all of the game; `reset` with it gives the same game |
//! | `{"op": "close", "id": …}` | nothing |
//!
//! Without an id, the newest game is meant. `reset` takes `"rules": "released"`, `"order": "free"` and
//! `"limits": false`, too; what it does not know is an error. `"partners": {"user": "shy"}` names who
//! plays a seat without a model: `agent`, or a fixed party by its [`Manner`](crate::Manner). With
//! `"language": "de"` fixed parties speak German. Partners make their turns by themselves, as soon as
//! they may. An answer with `error` means that the request was wrong; an illegal turn is no error but
//! data: `info.code`.

mod setup;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::game::seat_named;
use crate::kinds::Kinds;
use crate::play::{Record, end_name, tell};
use crate::player::Player;
use crate::table::{Limits, Table};
use setup::{Setup, given, known};

/// Refused turns of partners in a row, before somebody else may move.
const REFUSED: usize = 3;

/// Games under way, by id.
#[derive(Default)]
pub struct Server {
    kinds: Kinds,
    games: BTreeMap<u64, Served>,
    next: u64,
}

struct Served {
    table: Table,
    /// The request that began it, with the world.
    setup: Value,
    /// Every turn from outside, refused ones too: applied again they give the same game.
    turns: Vec<(String, String)>,
    /// The legal turns, in which what was said is told from other moves.
    record: Record,
    /// The partners, by seat.
    partners: Vec<Option<Box<dyn Player>>>,
    /// What each seat has not read. A partner reads it, or whoever goes on from a state.
    unread: Vec<String>,
}

impl Server {
    /// Serves these kinds of games.
    pub fn of(kinds: Kinds) -> Server {
        Server {
            kinds,
            ..Server::default()
        }
    }

    /// Answers one request, given as the bytes of a line.
    pub fn answer_bytes(&mut self, line: &[u8]) -> Value {
        match std::str::from_utf8(line) {
            Ok(line) => self.answer(line),
            Err(error) => json!({ "error": format!("the request is no UTF-8: {error}") }),
        }
    }

    /// Answers one request, given as text.
    pub fn answer(&mut self, line: &str) -> Value {
        let answer = match serde_json::from_str(line) {
            Ok(request) => self.request(&request),
            Err(error) => Err(format!("the request is no JSON: {error}")),
        };
        answer.unwrap_or_else(|error| json!({ "error": error }))
    }

    fn request(&mut self, request: &Value) -> Result<Value, String> {
        let op = request["op"].as_str();
        match op {
            Some("step") => known(request, "step", &["op", "id", "seat", "text"])?,
            Some(op @ ("fork" | "state" | "close")) => known(request, op, &["op", "id"])?,
            _ => {}
        }
        match op {
            Some("reset") => self.reset(request),
            Some("step") => {
                let seat = text(request, "seat")?;
                let turn = text(request, "text")?;
                self.find(request)?.1.step(seat, turn)
            }
            Some("fork") => {
                let state = self.find(request)?.1.state();
                let (copy, _) = self.begin(&json!({ "state": state }))?;
                Ok(json!({ "id": self.keep(copy) }))
            }
            Some("state") => {
                let state = self.find(request)?.1.state();
                Ok(json!({ "state": state }))
            }
            Some("close") => {
                let id = self.find(request)?.0;
                self.games.remove(&id);
                Ok(json!({}))
            }
            _ => Err("op is one of reset, step, fork, state, close".to_owned()),
        }
    }

    /// The table of a state, and all that a seat has read there.
    ///
    /// # Errors
    /// A sentence says what is wrong with the state, or that a partner plays the seat.
    pub(crate) fn resumed(
        kinds: Kinds,
        state: &Value,
        seat: usize,
    ) -> Result<(Table, String), String> {
        let (mut served, _) = Server::of(kinds).begin(&json!({ "state": state }))?;
        if served.partners[seat].is_some() {
            let name = served.table.game().seats()[seat].name;
            return Err(format!(
                "a partner plays {name} in this state: choose another seat"
            ));
        }
        Ok((served.table, served.unread.swap_remove(seat)))
    }

    fn keep(&mut self, served: Served) -> u64 {
        self.next += 1;
        self.games.insert(self.next, served);
        self.next
    }

    fn find(&mut self, request: &Value) -> Result<(u64, &mut Served), String> {
        let newest = self.games.keys().next_back().copied();
        let id = match given(request, "id") {
            Some(id) => {
                let number = || format!("id is the number that reset gave, not {id}");
                Some(id.as_u64().ok_or_else(number)?)
            }
            None => newest,
        };
        let id = id.ok_or("no game has begun: send reset first")?;
        let served = self
            .games
            .get_mut(&id)
            .ok_or_else(|| format!("there is no game {id}: it was closed, or never begun"))?;
        Ok((id, served))
    }

    fn reset(&mut self, request: &Value) -> Result<Value, String> {
        let (served, seen) = self.begin(request)?;
        let seats: Vec<&str> = served
            .table
            .game()
            .seats()
            .iter()
            .map(|seat| seat.name)
            .collect();
        let mut answer = json!({
            "seats": seats,
            "observation": served.by_seat(&seen),
            "movers": served.movers(),
        });
        answer["id"] = self.keep(served).into();
        Ok(answer)
    }

    /// A game as it is asked for, after all its turns; and what each seat read at the start.
    fn begin(&self, request: &Value) -> Result<(Served, Vec<String>), String> {
        let setup = Setup::read(&self.kinds, request)?;
        let (game, turns) = (setup.game, setup.turns);
        let mut table = Table::new(game.clone(), setup.rules, setup.play);
        if setup.limited {
            table = table.with_limits(Limits::usual(game.as_ref()));
        }
        let seats = 0..game.seats().len();
        let mut served = Served {
            partners: setup.partners,
            unread: seats.map(|seat| game.view(seat)).collect(),
            table,
            setup: setup.kept,
            turns: Vec::new(),
            record: Record::default(),
        };
        let mut seen = served.unread.clone();
        served.play_partners(&mut seen);
        for (seat, turn) in &turns {
            served.step(seat, turn)?;
        }
        Ok((served, seen))
    }
}

/// What each seat reads at the end of a game that is not decided.
const UNDECIDED: &str = "The game has ended without a decision.";

fn text<'a>(request: &'a Value, name: &str) -> Result<&'a str, String> {
    request[name]
        .as_str()
        .ok_or_else(|| format!("the request needs {name}, a text"))
}

impl Served {
    fn step(&mut self, seat: &str, turn: &str) -> Result<Value, String> {
        let game = self.table.game().clone();
        let seats = game.seats();
        let who = seat_named(seats, seat)?;
        let was_open = self.table.position().ended().is_none();
        let result = self.table.turn(who, turn);
        self.turns.push((seat.to_owned(), turn.to_owned()));
        let mut info = json!({});
        let mut seen = vec![String::new(); seats.len()];
        match result {
            Ok(told) => {
                self.record.add(game.as_ref(), who, turn);
                tell(&mut self.unread, told.clone());
                tell(&mut seen, told);
                self.play_partners(&mut seen);
            }
            Err(illegal) => {
                info["code"] = illegal.code.name().into();
                seen[who] = illegal.text;
                tell(&mut self.unread, seen.clone());
            }
        }
        info["moves"] = self.table.position().moves().into();
        info["words"] = self.record.words().into();
        if let Some(end) = self.table.position().ended() {
            info["end"] = end_name(end).into();
            if was_open && self.table.points().is_none() {
                tell(&mut seen, vec![UNDECIDED.to_owned(); seats.len()]);
            }
        }
        if let Some(points) = self.table.points() {
            info["score"] = points.score.into();
            info["best"] = points.best.into();
            info["worst"] = points.worst.into();
            info["norm"] = points.norm().into();
        }
        Ok(json!({
            "observation": self.by_seat(&seen),
            "movers": self.movers(),
            "done": self.table.position().ended().is_some(),
            "info": info,
        }))
    }

    /// All of the game: [`Server::begin`] gives the same one.
    fn state(&self) -> Value {
        let mut state = self.setup.clone();
        state["turns"] = json!(self.turns);
        state
    }

    /// Lets the partners make their moves until none of them may move. What each seat sees of these
    /// moves is added to `seen`.
    fn play_partners(&mut self, seen: &mut [String]) {
        let mut refused = 0;
        while refused < REFUSED {
            // As released, who has accepted may answer once more, and would for ever.
            let waits = self.table.position().pending();
            let accepted = |seat: &usize| waits.is_some_and(|it| it.accepted.contains(seat));
            let movers = self.table.movers().into_iter();
            let mut partners = movers.filter(|seat| self.partners[*seat].is_some());
            let Some(seat) = partners.find(|seat| !accepted(seat)) else {
                return;
            };
            let news = std::mem::take(&mut self.unread[seat]);
            let turn = self.partners[seat].as_mut().map(|player| {
                player.sit(&self.table);
                player.turn(&news)
            });
            // Players without a model always answer.
            let turn = turn.and_then(Result::ok).unwrap_or_default();
            match self.table.turn(seat, &turn) {
                Ok(told) => {
                    self.record.add(self.table.game().as_ref(), seat, &turn);
                    tell(&mut self.unread, told.clone());
                    tell(seen, told);
                }
                Err(illegal) => {
                    refused += 1;
                    self.unread[seat] = illegal.text;
                }
            }
        }
    }

    fn movers(&self) -> Vec<&'static str> {
        let seats = self.table.movers();
        seats
            .into_iter()
            .map(|seat| self.table.game().seats()[seat].name)
            .collect()
    }

    fn by_seat(&self, texts: &[String]) -> Value {
        let seats = self.table.game().seats();
        let pairs = seats.iter().zip(texts);
        Value::Object(
            pairs
                .map(|(seat, text)| (seat.name.to_owned(), text.clone().into()))
                .collect(),
        )
    }
}
