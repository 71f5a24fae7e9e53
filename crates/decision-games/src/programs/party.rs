//! One party of a table, as its programs see it.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Arguments, Library, unknown};
use crate::game::{Decision, Game};
use crate::illegal::{Code, Illegal};
use crate::mind::Suggestion;
use crate::reading::Reading;
use crate::table::Table;
use crate::text::{Heard, heard, line};

/// The most suggestions of one call.
const SUGGESTIONS: usize = 100;

/// What a program has done with the turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Made {
    /// It said something, and the reply says no more.
    Said(String),
    /// It proposed this; the text has its recipient and tag.
    Proposed(Decision, String),
    /// It accepted the proposal that waits.
    Accepted,
    /// It rejected it.
    Rejected,
}

/// A party at a table, for its programs: the facts that it has noted, and the move of its turn.
///
/// It has a copy of the table, and tries its move there. The others see the move when the caller
/// makes the whole [turn](Party::turn), which also has the words of the reply. A clone is a fork:
/// nobody sees what it does.
#[derive(Clone)]
pub struct Party {
    table: Table,
    seat: usize,
    /// All that it has read, without its view.
    read: String,
    reading: Option<Reading>,
    library: Option<Arc<dyn Library>>,
    made: Option<Made>,
}

impl Party {
    /// A party that has read nothing but its view.
    pub fn new(table: Table, seat: usize) -> Party {
        let game = table.game().clone();
        Party {
            reading: Reading::of(game.as_ref(), seat),
            library: game.library(seat).map(Arc::from),
            read: String::new(),
            made: None,
            table,
            seat,
        }
    }

    /// Begins a turn: the table as it stands now, and all that has reached the seat since its last
    /// turn. The view at the start of the news is left out.
    pub fn sit(&mut self, table: Table, news: &str) {
        let view = self.game().view(self.seat);
        let news = match self.read.is_empty() {
            true => news.strip_prefix(view.as_str()).unwrap_or(news),
            false => news,
        };
        for line in news.trim_matches('\n').lines() {
            self.read += line;
            self.read.push('\n');
        }
        (self.table, self.made) = (table, None);
    }

    /// The rules and the world.
    pub fn game(&self) -> &Arc<dyn Game> {
        self.table.game()
    }

    /// The name of its seat.
    pub fn name(&self) -> &'static str {
        self.game().seats()[self.seat].name
    }

    /// Its move in this turn, if it has made one.
    pub fn made(&self) -> Option<&Made> {
        self.made.as_ref()
    }

    /// All that it has read, without its view.
    pub fn read(&self) -> &str {
        &self.read
    }

    /// The facts that it has noted.
    pub fn facts(&self) -> Vec<Value> {
        let reading = self.reading.as_ref();
        reading.map_or_else(Vec::new, |reading| reading.facts(&self.read))
    }

    /// Names that facts can have and the view does not; empty for most games.
    pub fn names(&self) -> String {
        let reading = self.reading.as_ref();
        reading.map_or_else(String::new, Reading::names)
    }

    /// Whether it has to answer a proposal.
    pub fn must_answer(&self) -> bool {
        self.table.position().awaits(self.seat)
    }

    /// Makes a call of a program.
    ///
    /// # Errors
    /// The call is refused, and nothing has changed. The program reads why.
    pub fn call(&mut self, name: &str, given: &Value) -> Result<Value, Illegal> {
        let arguments = Arguments::of(name, given);
        match name {
            "view" => Ok(self.game().view(self.seat).into()),
            "history" => Ok(heard(&self.read).iter().map(told).collect()),
            "say" => {
                let text = arguments.text("text", "a text")?;
                let text = line(text);
                let to = match self.mediates() {
                    true => format!("{}: ", arguments.below("to", 2, "0 or 1")?),
                    false => String::new(),
                };
                self.make(Made::Said(format!("{to}[message] {text}")))
            }
            "accept" => self.make(Made::Accepted),
            "reject" => self.make(Made::Rejected),
            "propose" => {
                self.table.may_propose(self.seat)?;
                let decision = self.decision(&arguments)?;
                let to = if self.mediates() { "all: " } else { "" };
                let text = format!("{to}[propose] {}", self.game().write(&decision));
                self.make(Made::Proposed(decision, text))
            }
            "suggest" => {
                self.table.may_propose(self.seat)?;
                let count = match arguments.get("k") {
                    Some(_) => arguments.below("k", SUGGESTIONS + 1, "a number from 0 to 100")?,
                    None => 3,
                };
                let reading = self.reading.as_ref();
                let found = reading.map(|reading| reading.suggest(&self.read, count));
                let found = found.unwrap_or_default();
                Ok(found.iter().map(|found| self.shown(found)).collect())
            }
            "weigh" => {
                self.table.may_propose(self.seat)?;
                let decision = self.decision(&arguments)?;
                let reading = self.reading.as_ref();
                let worth = reading.and_then(|reading| reading.weigh(&self.read, &decision));
                let open =
                    || Code::IncompleteProposal.because("Only a whole decision has a value.");
                worth.map(|worth| self.shown(&worth)).ok_or_else(open)
            }
            _ => self.note_or_ask(name, given),
        }
    }

    /// The calls of one kind of game.
    fn note_or_ask(&mut self, name: &str, given: &Value) -> Result<Value, Illegal> {
        if let Some(reading) = &mut self.reading {
            match name {
                "wishes" | "claims" | "facts" => return Ok(reading.facts(&self.read).into()),
                "forget" => {
                    let arguments = Arguments::of(name, given);
                    let given = reading.given(&self.read);
                    let expected = "the number of a fact that was noted";
                    let place = arguments.below("n", usize::MAX, expected)?;
                    let forgot = place.checked_sub(given).map(|place| reading.forget(place));
                    return match forgot {
                        Some(true) => Ok(Value::Null),
                        _ => Err(arguments.wrong("n", expected)),
                    };
                }
                _ if reading.notes(name) => {
                    let mut fact = given.clone();
                    if let Some(fields) = fact.as_object_mut() {
                        fields.retain(|_, value| !value.is_null());
                    }
                    return reading.note(fact).map(|()| Value::Null);
                }
                _ => {}
            }
        }
        match &self.library {
            Some(library) => library.answer(name, given),
            None => Err(unknown(name)),
        }
    }

    /// The decision of a call: in JSON, as text, or in an item of `suggest()`.
    fn decision(&self, arguments: &Arguments<'_>) -> Result<Decision, Illegal> {
        let given = arguments.value("decision", "a decision, or an item of suggest()")?;
        let given = given.get("decision").unwrap_or(given);
        let checked = self.game().check(given);
        match (checked, given.as_str()) {
            (Err(_), Some(text)) => self.game().read(text),
            (checked, _) => checked,
        }
    }

    fn shown(&self, found: &Suggestion) -> Value {
        let reasons = found.reasons.iter();
        let rounded = |points: f64| (points * 100.0).round() / 100.0;
        let reasons: Vec<Value> = reasons
            .map(|part| json!({"what": part.what, "points": rounded(part.points)}))
            .collect();
        json!({
            "decision": found.decision,
            "text": self.game().write(&found.decision),
            "value": rounded(found.value),
            "reasons": reasons,
        })
    }

    /// Tries a move. It is the only one of the turn.
    fn make(&mut self, made: Made) -> Result<Value, Illegal> {
        if self.made.is_some() {
            let text =
                "You have made your move in this turn. The others answer before your next one.";
            return Err(Code::NotYourTurn.because(text));
        }
        let mut tried = self.table.clone();
        tried.turn(self.seat, written(&made))?;
        (self.table, self.made) = (tried, Some(made));
        Ok(Value::Null)
    }

    fn mediates(&self) -> bool {
        self.table.mediates(self.seat)
    }

    /// The text of the whole turn: the move, and the words of the reply. Without a move the reply is
    /// the message.
    pub fn turn(&self, reply: &str) -> String {
        let reply = line(reply);
        let to = match self.room() {
            Some(room) => format!("{room}: "),
            None => String::new(),
        };
        match &self.made {
            None => format!("{to}[message] {reply}"),
            Some(made @ Made::Said(_)) => written(made).to_owned(),
            Some(made) if reply.is_empty() => written(made).to_owned(),
            Some(made) => format!("{}\n{to}[message] {reply}", written(made)),
        }
    }

    /// The room that a mediator answers: that of the user who spoke last, if it may speak there.
    fn room(&self) -> Option<usize> {
        if !self.mediates() {
            return None;
        }
        let rooms = self.table.position().rooms_of(self.seat);
        let spoke = heard(&self.read).into_iter().rev();
        let spoke = spoke.filter_map(|heard| heard.from.strip_prefix("User ")?.parse().ok());
        let last: Vec<usize> = spoke.collect();
        // A proposal gives all rooms away, and has words for the one who spoke last all the same.
        let held = |room: &&usize| rooms.is_empty() || rooms.contains(room);
        let found = last.iter().find(held).or(rooms.first());
        Some(found.copied().unwrap_or_default())
    }

    /// What the party knows and has done, as one value: nothing of it is hidden from its seat.
    pub fn state(&self) -> Value {
        let made = self.made.as_ref().map(written);
        json!({
            "game": self.game().name(), "seat": self.name(), "view": self.game().view(self.seat),
            "history": heard(&self.read).iter().map(told).collect::<Value>(), "move": made,
        })
    }
}

/// A move in text form.
fn written(made: &Made) -> &str {
    match made {
        Made::Said(text) | Made::Proposed(_, text) => text,
        Made::Accepted => "[accept]",
        Made::Rejected => "[reject]",
    }
}

fn told(heard: &Heard) -> Value {
    json!({"from": heard.from, "move": heard.tag, "text": heard.content})
}
