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
//! `"limits": false`, too. `"partners": {"user": "shy"}` names who plays a seat without a model: `agent`,
//! or a fixed party by its [`Manner`]. With `"language": "de"` fixed parties speak German. Partners make
//! their turns by themselves, as soon as they may. An answer with `error` means that the request was wrong; an
//! illegal turn is no error but data: `info.code`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::game::Game;
use crate::kinds::Kinds;
use crate::language::{Language, speaking};
use crate::play::{Record, end_name, tell};
use crate::player::{Manner, Player};
use crate::rules::Rules;
use crate::table::{Limits, Play, Table};

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
    /// What each seat has not read yet, for partners.
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

    /// Answers one request, given as text.
    pub fn answer(&mut self, line: &str) -> Value {
        let answer = match serde_json::from_str(line) {
            Ok(request) => self.request(&request),
            Err(error) => Err(format!("the request is no JSON: {error}")),
        };
        answer.unwrap_or_else(|error| json!({ "error": error }))
    }

    fn request(&mut self, request: &Value) -> Result<Value, String> {
        match request["op"].as_str() {
            Some("reset") => self.reset(request),
            Some("step") => {
                let seat = text(request, "seat")?;
                let turn = text(request, "text")?;
                self.find(request)?.1.step(seat, turn)
            }
            Some("fork") => {
                let state = self.find(request)?.1.state();
                let (copy, _) = self.begin(&state)?;
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

    fn keep(&mut self, served: Served) -> u64 {
        self.next += 1;
        self.games.insert(self.next, served);
        self.next
    }

    fn find(&mut self, request: &Value) -> Result<(u64, &mut Served), String> {
        let newest = self.games.keys().next_back().copied();
        let id = match request.get("id") {
            Some(id) => id.as_u64(),
            None => newest,
        };
        let id = id.ok_or("no game has begun: send reset first")?;
        let served = self
            .games
            .get_mut(&id)
            .ok_or_else(|| format!("there is no game {id}"))?;
        Ok((id, served))
    }

    fn reset(&mut self, request: &Value) -> Result<Value, String> {
        let setup = request.get("state").unwrap_or(request);
        let (served, seen) = self.begin(setup)?;
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

    /// A game from its setup, after all its turns; and what each seat read at the start.
    fn begin(&self, setup: &Value) -> Result<(Served, Vec<String>), String> {
        let game = text(setup, "game")?;
        let rules = match setup["rules"].as_str() {
            Some("released") => Rules::released(),
            _ => Rules::default(),
        };
        let world = match (setup.get("world"), setup["seed"].as_u64()) {
            (Some(world), _) => world.clone(),
            (None, Some(seed)) => self.kinds.generate(game, seed, rules)?,
            (None, None) => return Err("reset needs a seed, a world or a state".to_owned()),
        };
        let play = match setup["order"].as_str() {
            Some("free") => Play::Free,
            _ => Play::Strict,
        };
        let opened = self.kinds.open(game, &world, rules)?;
        let mut table = Table::new(opened.clone(), rules, play);
        if setup["limits"] != false {
            table = table.with_limits(Limits::usual(opened.as_ref()));
        }
        let mut kept = Map::new();
        for name in ["game", "rules", "order", "limits", "partners", "language"] {
            if let Some(value) = setup.get(name) {
                kept.insert(name.to_owned(), value.clone());
            }
        }
        // The world keeps its seed, so that a state has it, too.
        let seed = world["seed"].as_u64().or(setup["seed"].as_u64());
        let language = language(&setup["language"])?;
        let seed = seed.unwrap_or(0);
        let partners = partners(opened.as_ref(), &setup["partners"], seed, language)?;
        if play == Play::Free && partners.iter().any(Option::is_some) {
            return Err("partners wait for their turn: leave out \"order\": \"free\"".to_owned());
        }
        kept.insert("world".to_owned(), world);
        let seats = 0..opened.seats().len();
        let mut served = Served {
            partners,
            unread: seats.map(|seat| opened.view(seat)).collect(),
            table,
            setup: Value::Object(kept),
            turns: Vec::new(),
            record: Record::default(),
        };
        let mut seen = served.unread.clone();
        served.play_partners(&mut seen);
        for turn in setup["turns"].as_array().into_iter().flatten() {
            let part = |place: usize| turn[place].as_str().ok_or("a turn is a seat and a text");
            served.step(part(0)?, part(1)?)?;
        }
        Ok((served, seen))
    }
}

fn language(asked: &Value) -> Result<Language, String> {
    match asked {
        Value::Null => Ok(Language::default()),
        Value::String(code) => code.parse(),
        other => Err(format!("{other} is no language: name it as \"de\"")),
    }
}

/// The players of seats that are not played from outside.
fn partners(
    game: &dyn Game,
    asked: &Value,
    seed: u64,
    language: Language,
) -> Result<Vec<Option<Box<dyn Player>>>, String> {
    let mut partners: Vec<_> = game.seats().iter().map(|_| None).collect();
    for (seat, who) in asked.as_object().into_iter().flatten() {
        let place = game.seats().iter().position(|known| known.name == *seat);
        let place = place.ok_or_else(|| format!("there is no seat {seat:?}"))?;
        let player = match who.as_str() {
            Some("agent") => game.agent(place),
            Some(name) => {
                let manner = Manner::named(name);
                let manner = manner.ok_or_else(|| format!("there is no partner {name:?}"))?;
                let player = game.partner(place, manner, seed);
                player.map(|player| speaking(player, language))
            }
            None => None,
        };
        partners[place] = Some(player.ok_or_else(|| format!("{who} cannot be {seat}"))?);
    }
    Ok(partners)
}

fn text<'a>(request: &'a Value, name: &str) -> Result<&'a str, String> {
    request[name]
        .as_str()
        .ok_or_else(|| format!("the request needs {name}, a text"))
}

impl Served {
    fn step(&mut self, seat: &str, turn: &str) -> Result<Value, String> {
        let game = self.table.game().clone();
        let seats = game.seats();
        let who = seats.iter().position(|known| known.name == seat);
        let who = who.ok_or_else(|| format!("there is no seat {seat:?}"))?;
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
            }
        }
        info["moves"] = self.table.position().moves().into();
        info["words"] = self.record.words().into();
        if let Some(end) = self.table.position().ended() {
            info["end"] = end_name(end).into();
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
            let movers = self.table.movers().into_iter();
            let mut partners = movers.filter(|seat| self.partners[*seat].is_some());
            let Some(seat) = partners.next() else {
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
