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
//! Without an id, the newest game is meant. `reset` takes `"rules": "released"`,
//! `"order": "free"` and `"limits": false`, too. An answer with `error` means that the request was
//! wrong; an illegal turn is no error but data: `info.code`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::kinds::Kinds;
use crate::rules::Rules;
use crate::table::{End, Limits, Play, Table};

/// Games under way, by id.
#[derive(Default)]
pub struct Server {
    kinds: Kinds,
    games: BTreeMap<u64, Served>,
    next: u64,
}

#[derive(Clone)]
struct Served {
    table: Table,
    /// The request that began it, with the world.
    setup: Value,
    /// Every turn, refused ones too: applied again they give the same game.
    turns: Vec<(String, String)>,
    words: usize,
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
                let copy = self.find(request)?.1.clone();
                Ok(json!({ "id": self.keep(copy) }))
            }
            Some("state") => {
                let served = self.find(request)?.1;
                let mut state = served.setup.clone();
                state["turns"] = json!(served.turns);
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
        for name in ["game", "rules", "order", "limits"] {
            if let Some(value) = setup.get(name) {
                kept.insert(name.to_owned(), value.clone());
            }
        }
        kept.insert("world".to_owned(), world);
        let mut served = Served {
            table,
            setup: Value::Object(kept),
            turns: Vec::new(),
            words: 0,
        };
        for turn in setup["turns"].as_array().into_iter().flatten() {
            let part = |place: usize| turn[place].as_str().ok_or("a turn is a seat and a text");
            served.step(part(0)?, part(1)?)?;
        }
        let seats: Vec<&str> = opened.seats().iter().map(|seat| seat.name).collect();
        let views = (0..seats.len())
            .map(|seat| opened.view(seat))
            .collect::<Vec<_>>();
        let answer = json!({
            "seats": seats,
            "observation": served.by_seat(&views),
            "movers": served.movers(),
        });
        let id = self.keep(served);
        let mut answer = answer;
        answer["id"] = id.into();
        Ok(answer)
    }
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
        let mut info = json!({ "moves": self.table.position().moves() });
        let seen = match result {
            Ok(seen) => {
                self.words += turn.split(' ').count();
                seen
            }
            Err(illegal) => {
                info["code"] = illegal.code.name().into();
                let mut seen = vec![String::new(); seats.len()];
                seen[who] = illegal.text;
                seen
            }
        };
        info["words"] = self.words.into();
        if let Some(end) = self.table.position().ended() {
            info["end"] = match end {
                End::Accepted(_) => "accepted",
                End::Limit => "limit",
                End::Stuck => "stuck",
            }
            .into();
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
