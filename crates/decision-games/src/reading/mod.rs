//! Reading with a model: the questions that it is asked, and the facts in its answers. There is no
//! model and no I/O here.
//!
//! A model turns talk into facts, written as calls with literal arguments, one a line. Everything
//! else (names, priors, weights, search, legality) is the host's.
//!
//! ```
//! use decision_games::{Rules, generate, open, reading::Reading};
//!
//! let world = generate("planning", 7).unwrap();
//! let game = open("planning", &world, Rules::default()).unwrap();
//! let mut reading = Reading::of(game.as_ref(), 1).unwrap();
//!
//! let question = reading.ask("User: [message] Something for kids, below $60.").unwrap();
//! assert!(question.ends_with("User: Something for kids, below $60.\n\nThe new facts:"));
//!
//! let problems = reading.take("wish(budget=60)\nwish(feature=\"good for kids\", like=[True])");
//! assert!(problems.is_empty());
//! assert_eq!(reading.facts("")[0]["budget"], 60);
//! ```

mod call;
mod grammar;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::game::{Decision, Game};
use crate::illegal::Illegal;
use crate::mind::{Solver, Suggestion};
use crate::text::{Heard, counted, heard};
use call::{Call, literal};

/// A call in which facts are written.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Its name.
    pub name: &'static str,
    /// The fields of the fact that arguments without a name fill, in order.
    pub places: &'static [&'static str],
}

/// The facts of a game as a model writes them: by which calls, and how a call that is written
/// loosely is read.
pub trait Forms: Send + Sync {
    /// The instructions for a model: what to look for, the calls, and the names of this world. A line
    /// `Example` follows, then some talk, the line `The new facts:`, and the calls for that talk.
    /// The instructions hold no more of the world than the view of the seat.
    fn guide(&self) -> String;

    /// Names that facts can have and the view of the seat does not.
    fn names(&self) -> String {
        String::new()
    }

    /// The calls. The first one that has all its places in a fact writes it.
    fn calls(&self) -> &'static [Form];

    /// A fact as the solver takes it, from one as a model wrote it.
    ///
    /// # Errors
    /// The sentence goes back to the model.
    fn tidy(&self, fact: Value) -> Result<Value, Illegal> {
        Ok(fact)
    }

    /// The subject of a fact. Of several facts with one subject, the last one counts.
    fn topic(&self, fact: &Value) -> String;

    /// A fact in the place of an older one about the same.
    fn join(&self, _old: &Value, new: Value) -> Value {
        new
    }

    /// Facts that need no reading, such as what a proposal of the partner says about its wishes.
    fn given(&self, _read: &str) -> Vec<Value> {
        Vec::new()
    }

    /// Whether a message is read by the host, and not by the model.
    fn hides(&self, _heard: &Heard) -> bool {
        false
    }
}

/// Where the example begins in a guide.
const EXAMPLE: &str = "\nExample\n";

/// How a question ends.
const ASKS: &str = "The new facts:";

fn question(known: &str, talk: &str) -> String {
    format!("{known}The talk:\n{talk}\n\n{ASKS}")
}

/// The most of the talk that a model reads at once, in bytes. Older talk is left out.
const TALK: usize = 16_000;

/// The most facts that are taken from an answer: more are a model that repeats itself.
const FACTS: usize = 96;

/// How a question begins that asks again.
pub const AGAIN: &str = "Not all of this can be used";

/// The talk that a model has read for a seat, and the facts that it found there.
#[derive(Clone)]
pub struct Reading {
    forms: Arc<dyn Forms>,
    solver: Arc<dyn Solver>,
    /// All that it was asked about.
    read: String,
    /// What it is being asked about.
    asked: String,
    facts: Vec<Value>,
}

impl Reading {
    /// For a seat that has facts.
    pub fn of(game: &dyn Game, seat: usize) -> Option<Reading> {
        Some(Reading {
            forms: game.forms(seat)?.into(),
            solver: game.solver(seat)?.into(),
            read: String::new(),
            asked: String::new(),
            facts: Vec::new(),
        })
    }

    /// The instructions, which are the same in all questions.
    pub fn guide(&self) -> String {
        let guide = self.forms.guide();
        let end = guide.find(EXAMPLE).unwrap_or(guide.len());
        guide[..end].trim_end().to_owned()
    }

    /// A question and its answer, to be shown before the first one.
    pub fn example(&self) -> Option<(String, String)> {
        let guide = self.forms.guide();
        let (_, example) = guide.split_once(EXAMPLE)?;
        let (talk, answer) = example.split_once(ASKS)?;
        Some((question("", talk.trim()), answer.trim().to_owned()))
    }

    /// A grammar in GBNF of the answers.
    pub fn grammar(&self) -> String {
        grammar::of(self.forms.calls())
    }

    /// The question about what the seat has read since the last one; none if nobody else has said
    /// anything since.
    pub fn ask(&mut self, read: &str) -> Option<String> {
        if !read.starts_with(&self.read) {
            (self.read, self.facts) = (String::new(), Vec::new());
        }
        let new = heard(&read[self.read.len()..]);
        let says = |heard: &&Heard| {
            heard.tag == "message" && !heard.from.starts_with("You") && !self.forms.hides(heard)
        };
        new.iter().find(says)?;
        read.clone_into(&mut self.asked);
        let lines: Vec<String> = new.iter().filter_map(|heard| self.line(heard)).collect();
        let mut talk = lines.join("\n");
        if talk.len() > TALK {
            let from = talk.ceil_char_boundary(talk.len() - TALK);
            let from = talk[from..].find('\n').map_or(from, |line| from + line + 1);
            talk = talk.split_off(from);
        }
        let known: String = (0..)
            .zip(&self.facts)
            .map(|(number, fact)| format!("{number}: {}\n", self.write(fact)))
            .collect();
        let known = match known.is_empty() {
            true => String::new(),
            false => format!("Facts so far:\n{known}\n"),
        };
        Some(question(&known, &talk))
    }

    /// One line of the talk.
    fn line(&self, heard: &Heard) -> Option<String> {
        let Heard { from, tag, content } = heard;
        match tag.as_str() {
            "message" if self.forms.hides(heard) => None,
            "message" => Some(format!("{from}: {}", content.replace('\n', " "))),
            "propose" => Some(format!("({from} proposed {})", content.replace('\n', " "))),
            "accept" | "reject" => Some(format!("({from}: {tag})")),
            _ => None,
        }
    }

    /// Takes an answer to the last question. Gives a sentence for each line that cannot be used,
    /// or one for an answer without any call.
    pub fn take(&mut self, answer: &str) -> Vec<String> {
        let (mut problems, mut calls) = (Vec::new(), 0);
        for line in answer.lines() {
            let Some(call) = call::read(line) else {
                continue;
            };
            calls += 1;
            if calls > FACTS {
                break;
            }
            match call.and_then(|call| self.apply(&call)) {
                Ok(()) => {}
                Err(problem) => problems.push(problem),
            }
        }
        if calls == 0 {
            problems.push("there is no call in the answer".to_owned());
        }
        self.facts.retain(|fact| !fact.is_null());
        self.read.clone_from(&self.asked);
        problems
    }

    fn apply(&mut self, call: &Call) -> Result<(), String> {
        match call.name.as_str() {
            "none" => return Ok(()),
            "forget" => {
                let number = call.places.first().and_then(Value::as_u64);
                let number = number.and_then(|number| usize::try_from(number).ok());
                let number = number.filter(|number| *number < self.facts.len());
                let number = number.ok_or("forget takes the number of a fact")?;
                // The others keep their numbers until the end of the answer.
                self.facts[number] = Value::Null;
                return Ok(());
            }
            _ => {}
        }
        let fact = self.fact(call)?;
        self.note(fact).map_err(|illegal| illegal.text)
    }

    /// Notes a fact as a model wrote it. It takes the place of an older one about the same.
    ///
    /// # Errors
    /// The fact cannot be used; nothing changes.
    pub fn note(&mut self, fact: Value) -> Result<(), Illegal> {
        let fact = self.solver.check(&self.forms.tidy(fact)?)?;
        let topic = self.forms.topic(&fact);
        let known = self.facts.iter_mut();
        match known
            .into_iter()
            .find(|known| self.forms.topic(known) == topic)
        {
            Some(known) => *known = self.forms.join(known, fact),
            None => self.facts.push(fact),
        }
        Ok(())
    }

    /// The fields of a call, by their names.
    fn fact(&self, call: &Call) -> Result<Value, String> {
        let calls = self.forms.calls();
        let form = calls.iter().find(|form| form.name == call.name);
        let form = form.ok_or_else(|| {
            let names: Vec<&str> = calls.iter().map(|form| form.name).collect();
            format!(
                "there is no call {}; there are {}",
                call.name,
                names.join(", ")
            )
        })?;
        if call.places.len() > form.places.len() {
            return Err(format!(
                "{} takes {} without a name",
                form.name,
                counted(form.places.len(), "argument")
            ));
        }
        let places = form.places.iter().map(|name| (*name).to_owned());
        let mut fact: Map<String, Value> = places.zip(call.places.iter().cloned()).collect();
        fact.extend(call.named.clone());
        fact.retain(|_, value| !value.is_null());
        Ok(fact.into())
    }

    /// A fact as a call.
    fn write(&self, fact: &Value) -> String {
        let has = |form: &&Form| {
            !form.places.is_empty() && form.places.iter().all(|name| !fact[*name].is_null())
        };
        let calls = self.forms.calls();
        let form = calls.iter().find(has).or_else(|| calls.first());
        let (name, places) = form.map_or(("fact", &[] as &[&str]), |form| (form.name, form.places));
        let whole = places.iter().all(|name| !fact[*name].is_null());
        let fields = fact.as_object().into_iter().flatten();
        let shown = fields.filter(|(_, value)| !value.is_null() && **value != json!([]));
        let arguments: Vec<String> = match whole && !places.is_empty() {
            true => places.iter().map(|name| literal(&fact[*name])).collect(),
            false => shown
                .map(|(name, value)| format!("{name}={}", literal(value)))
                .collect(),
        };
        format!("{name}({})", arguments.join(", "))
    }

    /// All facts of a seat that has read this: those that need no reading, then those of the model.
    pub fn facts(&self, read: &str) -> Vec<Value> {
        let mut facts = self.forms.given(read);
        facts.extend(self.facts.iter().cloned());
        facts
    }

    /// Whether a call of this name notes a fact.
    pub(crate) fn notes(&self, name: &str) -> bool {
        self.forms.calls().iter().any(|form| form.name == name)
    }

    /// How many facts need no reading: they come first.
    pub(crate) fn given(&self, read: &str) -> usize {
        self.forms.given(read).len()
    }

    /// Forgets the fact with this number, of those that were noted. False if there are fewer.
    pub(crate) fn forget(&mut self, number: usize) -> bool {
        let known = number < self.facts.len();
        if known {
            self.facts.remove(number);
        }
        known
    }

    /// Names that facts can have and the view does not.
    pub(crate) fn names(&self) -> String {
        self.forms.names()
    }

    /// The best proposals by the facts, the best first.
    pub(crate) fn suggest(&self, read: &str, count: usize) -> Vec<Suggestion> {
        self.solver.suggest(&self.facts(read), count)
    }

    /// A decision as it is worth under the facts.
    pub(crate) fn weigh(&self, read: &str, decision: &Decision) -> Option<Suggestion> {
        self.solver.weigh(&self.facts(read), decision)
    }

    /// Whether the model has found a fact.
    pub fn found(&self) -> bool {
        !self.facts.is_empty()
    }

    /// Asks again for what could not be used.
    pub fn repair(problems: &[String]) -> String {
        let some: Vec<&str> = problems.iter().take(5).map(String::as_str).collect();
        format!(
            "{AGAIN}: {}. Write only the corrected calls, one on each line, or none().",
            some.join("; ")
        )
    }
}
