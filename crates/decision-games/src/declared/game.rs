//! The rules of a game of a user's own.

use serde_json::{Value, json};

use super::words::Words;
use super::world::{View, Wish, World};
use super::{board, forms, library, mind, player};
use crate::board::{Board, Picks};
use crate::extraction::{Extraction, FactCount};
use crate::game::{Decision, Game, Order, Seat};
use crate::illegal::{Code, Illegal};
use crate::mind::{Extractor, Solver};
use crate::names::{self, Miss};
use crate::player::{Manner, Player};
use crate::points::Points;
use crate::programs::Library;
use crate::reading::Forms;
use crate::text::as_said;

/// The most options that a refusal names.
const NAMED: usize = 20;

pub(super) struct Chosen {
    pub name: String,
    pub world: World,
    pub seats: [Seat; 2],
}

impl Chosen {
    fn find(&self, decision: &Decision) -> Option<usize> {
        let name = decision.as_str()?;
        let mut options = self.world.options.iter();
        options.position(|option| option.name == name)
    }

    /// The option with the greatest value, the first of equal ones.
    fn first_best(&self, value: impl Fn(usize) -> i64) -> Decision {
        let best = (0..self.world.options.len())
            .rev()
            .max_by_key(|option| value(*option));
        json!(best.map(|option| &self.world.options[option].name))
    }

    /// What a seat that proposes sees.
    fn proposer(&self, seat: usize) -> Option<View> {
        let proposes = self.seats.get(seat)?.may_propose;
        self.world.view(seat).filter(|_| proposes)
    }

    /// The text that the author of the game has for the seat. No line of it reads as a move.
    fn text(&self, seat: usize) -> Option<String> {
        let text = self.world.views.as_ref()?.get(seat)?;
        let said = as_said(&format!("\n{text}"));
        Some(said.trim_start_matches('\n').to_owned())
    }
}

impl Game for Chosen {
    fn name(&self) -> &str {
        &self.name
    }

    fn seats(&self) -> &[Seat] {
        &self.seats
    }

    fn order(&self) -> Order {
        Order::Turns
    }

    fn view(&self, seat: usize) -> String {
        if let Some(text) = self.text(seat) {
            return text;
        }
        let Some(view) = self.world.view(seat) else {
            return String::new();
        };
        let mut lines = vec!["Options:".to_owned()];
        lines.extend(view.options.iter().enumerate().map(|(place, option)| {
            let values = option.values.iter();
            let values = values.map(|(name, value)| format!("{name}: {value}"));
            let points = view.points.as_ref();
            let points = points.map(|points| format!("your points: {}", points[place]));
            let known: Vec<String> = values.chain(points).collect();
            format!("{} | {}", option.name, known.join(", "))
        }));
        let wishes: Vec<String> = view.told().map(Wish::to_string).collect();
        if view.points.is_none() || !wishes.is_empty() {
            lines.push("Your wishes:".to_owned());
        }
        lines.extend(wishes);
        lines.join("\n")
    }

    fn read(&self, text: &str) -> Result<Decision, Illegal> {
        let names: Vec<&str> = self
            .world
            .options
            .iter()
            .map(|option| option.name.as_str())
            .collect();
        match names::find(&names, text) {
            Ok(option) => Ok(json!(names[option])),
            Err(Miss::Ambiguous) => {
                Err(Code::AmbiguousName.because(format!("{text:?} could be several options.")))
            }
            Err(Miss::Unknown) => {
                let more = if names.len() > NAMED { ", …" } else { "" };
                let names = names[..names.len().min(NAMED)].join(", ");
                Err(Code::BadProposal.because(format!("Propose one of {names}{more}.")))
            }
        }
    }

    fn write(&self, decision: &Decision) -> String {
        decision.as_str().unwrap_or_default().to_owned()
    }

    fn check(&self, decision: &Decision) -> Result<Decision, Illegal> {
        let wrong = || Code::BadProposal.because("A proposal is the name of an option.");
        self.read(decision.as_str().ok_or_else(wrong)?)
    }

    fn complete(&self, _: &Decision) -> bool {
        true
    }

    fn show(&self, decision: &Decision, to: usize, _by: usize) -> String {
        let name = decision.as_str().unwrap_or_default();
        let own = self.find(decision).zip(self.world.view(to));
        own.map_or_else(
            || name.to_owned(),
            |(option, view)| format!("{name}\nYour points: {}", view.worth(option)),
        )
    }

    fn points(&self, decision: &Decision) -> Points {
        let scores = self.world.scores();
        let (best, worst) = (
            scores.iter().copied().max().unwrap_or(0),
            scores.iter().copied().min().unwrap_or(0),
        );
        let score = self.find(decision).map_or(worst, |option| scores[option]);
        Points { score, best, worst }
    }

    fn numbers(&self, seat: usize, proposals: &[Decision]) -> Vec<i64> {
        let Some(view) = self.world.view(seat) else {
            return Vec::new();
        };
        let proposed = proposals.iter().filter_map(|decision| self.find(decision));
        let worth = proposed.map(|option| view.worth(option));
        view.own
            .iter()
            .map(|wish| wish.points)
            .chain(worth)
            .collect()
    }

    fn best(&self) -> Decision {
        let scores = self.world.scores();
        self.first_best(|option| scores[option])
    }

    fn silent(&self, seat: usize) -> Decision {
        let view = self.world.view(seat);
        self.first_best(|option| view.as_ref().map_or(0, |view| view.worth(option)))
    }

    fn solver(&self, seat: usize) -> Option<Box<dyn Solver>> {
        Some(Box::new(mind::Solver(self.proposer(seat)?)))
    }

    fn judge(&self, seat: usize, facts: &[Value]) -> Extraction {
        let theirs = self.world.wishes.get(1 - seat.min(1));
        let theirs = theirs.map_or(&[][..], Vec::as_slice);
        let said = facts
            .iter()
            .filter_map(|fact| serde_json::from_value::<Wish>(fact.clone()).ok());
        let found = said.map(|said| {
            theirs.iter().position(|wish| {
                let about = (&wish.attribute, &wish.value) == (&said.attribute, &said.value);
                about && wish.points.signum() == said.points.signum()
            })
        });
        Extraction::new([("wishes", FactCount::of(found, theirs.len()))])
    }

    fn extractor(&self, seat: usize) -> Option<Box<dyn Extractor>> {
        Some(Box::new(Words::new(&self.proposer(seat)?)))
    }

    fn agent_by(&self, seat: usize, reader: Box<dyn Extractor>) -> Option<Box<dyn Player>> {
        let view = self.proposer(seat)?;
        let party = player::Party::new(view, Manner::Scripted, Some(self.view(seat)), reader);
        Some(Box::new(party))
    }

    fn forms(&self, seat: usize) -> Option<Box<dyn Forms>> {
        Some(forms::of(self.proposer(seat)?))
    }

    fn stub(&self, seat: usize) -> &'static str {
        library::stub(self.proposer(seat).is_some())
    }

    fn library(&self, seat: usize) -> Option<Box<dyn Library>> {
        Some(Box::new(library::Options(self.world.view(seat)?)))
    }

    /// None of them proposes, so the only seat that may has to be an agent.
    fn partner(&self, seat: usize, manner: Manner, _seed: u64) -> Option<Box<dyn Player>> {
        let view = self.world.view(seat)?;
        if !self.seats[1 - seat].may_propose {
            return None;
        }
        let reader = Box::new(Words::new(&view));
        Some(Box::new(player::Party::new(view, manner, None, reader)))
    }

    fn board(&self, seat: usize) -> Board {
        let view = self.world.view(seat);
        let (text, proposes) = (self.text(seat), self.proposer(seat).is_some());
        view.map_or_else(Board::default, |view| {
            board::of(&view, text.as_deref(), proposes)
        })
    }

    fn picked(&self, picks: &Picks) -> Decision {
        board::picked(&self.world.options, picks)
    }

    fn picks(&self, decision: &Decision) -> Picks {
        vec![self.find(decision)]
    }
}
