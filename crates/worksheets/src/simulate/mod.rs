//! A user without a model (section 13.6): dialogues that are played through the sheets from a
//! seed, with rules that hold after every turn.

mod action;
mod asked;
mod draw;
mod host;
mod invariant;
mod program;
mod random;
mod user;
mod words;

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value as Json};

pub use host::Step;
pub use invariant::{INVARIANTS, Invariant};
pub(crate) use program::written;

use crate::agenda::{Agenda, Ended, Next, Settings, Turned, follow};
use crate::coverage::Coverage;
use crate::desk::{Desk, Op};
use crate::sheets::Sheets;
use crate::state::State;
use crate::text::counted;
use draw::Draw;
use host::Drawn;
use random::Random;
use user::Turn;

/// The most turns of a dialogue. The user's patience ends long before.
pub const LONGEST: usize = 300;
/// After how many turns at least, and how many more at most, the user only answers.
const PATIENCE: (u64, u64) = (6, 30);

/// A turn as it was played.
#[derive(Clone, Debug)]
pub struct SimulatedTurn {
    /// The state before the turn.
    pub before: State,
    /// What the user did, for reports.
    pub did: &'static str,
    /// The operations of the turn program, up to the one that was refused.
    pub ops: Vec<Op>,
    /// How the program ended.
    pub ended: Ended,
    /// What left the agenda, and what it came to.
    pub steps: Vec<Step>,
    /// What came of the turn.
    pub turned: Turned,
}

/// A dialogue as it was played.
#[derive(Clone, Debug)]
pub struct SimulatedDialogue {
    /// The seed that plays it again.
    pub seed: u64,
    /// Its turns.
    pub turns: Vec<SimulatedTurn>,
    /// Whether it came to an end within [`LONGEST`] turns.
    pub ended: bool,
}

impl SimulatedDialogue {
    /// The dialogue turn by turn: what the user did, the operations, what was needed and came
    /// of it, and the acts.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (at, played) in self.turns.iter().enumerate() {
            let (did, ended) = (played.did, &played.ended);
            out.push_str(&format!("{}. the user {did} ({ended:?})\n", at + 1));
            for op in &played.ops {
                out.push_str(&format!("   {op:?}\n"));
            }
            for step in &played.steps {
                out.push_str(&format!("   {:?} -> {:?}\n", step.next, step.effect));
            }
            for performed in &played.turned.acts {
                out.push_str(&format!("   => {performed}\n"));
            }
        }
        out
    }
}

/// An invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The seed of the dialogue.
    pub seed: u64,
    /// The turn, counted from 1.
    pub turn: usize,
    /// The invariant.
    pub invariant: &'static str,
    /// What is wrong.
    pub why: String,
}

/// What came of many dialogues.
#[derive(Clone, Debug)]
pub struct Simulated<'s> {
    /// How many dialogues there were.
    pub dialogues: u64,
    /// How many turns.
    pub turns: u64,
    /// What the users did, and how often.
    pub moves: BTreeMap<&'static str, u64>,
    /// The invariants that did not hold.
    pub broken: Vec<Broken>,
    /// Which cells were reached.
    pub coverage: Coverage<'s>,
}

impl Simulated<'_> {
    /// The figures as text: dialogues, turns, what broke with the seed that shows it again,
    /// and the cells that were reached.
    pub fn text(&self) -> String {
        let (dialogues, turns, kinds) = (self.dialogues, self.turns, INVARIANTS.len() + 1);
        let mut out = format!(
            "{}, {}, {kinds} invariants, {} broken\n",
            counted(dialogues, "dialogue"),
            counted(turns, "turn"),
            counted(self.broken.len(), "time")
        );
        for broken in self.broken.iter().take(SHOWN) {
            let (seed, turn, why) = (broken.seed, broken.turn, &broken.why);
            let invariant = broken.invariant;
            out.push_str(&format!(
                "seed {seed}, turn {turn}: not so: {invariant}: {why}\n"
            ));
        }
        let moves: Vec<String> = self
            .moves
            .iter()
            .map(|(did, count)| format!("{did} {count}"))
            .collect();
        out.push_str(&format!("the user {}\n", moves.join(", ")));
        out.push_str(&self.coverage.text());
        out
    }
}

/// How many broken invariants a text shows.
const SHOWN: usize = 20;

/// Plays dialogues from the seeds `seed`, `seed + 1` and so on, and looks at every turn.
///
/// ```
/// use worksheets::{Format, Settings, read, simulate};
///
/// let csv = "WS Name,Kind,Type,Name,Required\nOrder,task,,,\n,input,int,count,TRUE\n";
/// let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
/// let simulated = simulate::run(&sheets, Settings::default(), 1, 20);
/// assert_eq!((simulated.dialogues, simulated.broken), (20, vec![]));
/// assert!(simulated.coverage.gaps().is_empty());
/// ```
pub fn run(sheets: &Sheets, settings: Settings, seed: u64, count: u64) -> Simulated<'_> {
    let mut out = Simulated {
        dialogues: count,
        turns: 0,
        moves: BTreeMap::new(),
        broken: Vec::new(),
        coverage: Coverage::new(sheets),
    };
    let draw = Draw::new(sheets);
    for at in 0..count {
        let dialogue = play(&draw, settings, seed.wrapping_add(at));
        for (turn, played) in dialogue.turns.iter().enumerate() {
            out.turns += 1;
            *out.moves.entry(played.did).or_default() += 1;
            let needed: Vec<Next> = played.steps.iter().map(|step| step.next.clone()).collect();
            out.coverage.turn(&played.before, &needed, &played.turned);
            out.broken
                .extend(broken(sheets, settings, dialogue.seed, turn + 1, played));
        }
        if !dialogue.ended {
            out.broken.push(Broken {
                seed: dialogue.seed,
                turn: LONGEST,
                invariant: "a dialogue ends",
                why: format!("it goes on after {LONGEST} turns"),
            });
        }
    }
    out
}

fn broken(
    sheets: &Sheets,
    settings: Settings,
    seed: u64,
    turn: usize,
    played: &SimulatedTurn,
) -> Vec<Broken> {
    let wrong = |(invariant, holds): &(&'static str, Invariant)| {
        holds(sheets, settings, played).err().map(|why| Broken {
            seed,
            turn,
            invariant,
            why,
        })
    };
    INVARIANTS.iter().filter_map(wrong).collect()
}

/// Plays one dialogue. The same sheets, settings and seed give the same dialogue.
pub fn dialogue(sheets: &Sheets, settings: Settings, seed: u64) -> SimulatedDialogue {
    play(&Draw::new(sheets), settings, seed)
}

/// The rows of tables by the names of their sheets.
pub type Tables = HashMap<String, Vec<Map<String, Json>>>;

/// Plays one dialogue about the rows of these tables: the user asks for them by their values, and is
/// answered with those that have them. Of a table that has none, rows are drawn.
pub fn dialogue_about(
    sheets: &Sheets,
    settings: Settings,
    seed: u64,
    tables: &Tables,
) -> SimulatedDialogue {
    play(&Draw::about(sheets, tables), settings, seed)
}

fn play(draw: &Draw<'_>, settings: Settings, seed: u64) -> SimulatedDialogue {
    let sheets = draw.sheets;
    let mut random = Random::new(seed);
    let mut host = random.split();
    let patience = PATIENCE.0 + random.below(PATIENCE.1);
    let mut state = State::default();
    let mut turns: Vec<SimulatedTurn> = Vec::new();
    let mut ended = false;
    while !ended && turns.len() < LONGEST {
        let mut turn = Turn {
            draw,
            random: &mut random,
            before: &state,
            desk: Desk::open(sheets, &state),
            ops: Vec::new(),
            ended: Ended::Kept,
        };
        // Nobody says anything before the agent's first words.
        let did = match turns.is_empty() && turn.random.chance(50) {
            true => "is silent",
            false => turn.play(state.turn < patience || state.turn == 0),
        };
        let (desk, ops, end) = (turn.desk, turn.ops, turn.ended);
        let mut world = Drawn {
            draw,
            random: host.split(),
            steps: Vec::new(),
        };
        let agenda = Agenda::begin(desk, &state, end.clone(), settings);
        let turned = match follow(agenda, &mut world) {
            Ok(turned) => turned,
            Err(never) => match never {},
        };
        ended = end == Ended::EndDialog;
        let after = turned.state.clone();
        turns.push(SimulatedTurn {
            before: std::mem::replace(&mut state, after),
            did,
            ops,
            ended: end,
            steps: world.steps,
            turned,
        });
    }
    SimulatedDialogue { seed, turns, ended }
}
