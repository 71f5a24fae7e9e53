//! What the simulated user does in a turn. A move is a function; the list of them is [`MOVES`].

mod answer;
mod question;
mod stray;
mod task;

use super::draw::Draw;
use super::random::Random;
use crate::act::Act;
use crate::agenda::Ended;
use crate::desk::{Desk, Op};
use crate::sheets::{Field, FieldKind, Sheet, Type};
use crate::state::{Given, State, Status, Value};

/// A turn program in the making.
pub(super) struct Turn<'a, 's> {
    pub(super) draw: &'a Draw<'s>,
    pub(super) random: &'a mut Random,
    pub(super) before: &'a State,
    pub(super) desk: Desk<'s>,
    pub(super) ops: Vec<Op>,
    pub(super) ended: Ended,
}

/// A field of a record that is open.
#[derive(Clone)]
struct Spot<'s> {
    record: String,
    field: &'s Field,
}

/// A move: its name, how often it is drawn, and what it does. It gives false where there is
/// nothing for it to do.
type Move = (&'static str, u64, fn(&mut Turn<'_, '_>) -> bool);

/// Everything that the user may do.
const MOVES: &[Move] = &[
    ("answers", 40, answer::answers),
    ("volunteers", 10, answer::volunteers),
    ("answers something else", 6, answer::elsewhere),
    ("corrects", 8, answer::corrects),
    ("takes back", 2, answer::takes_back),
    ("refuses", 6, answer::refuses),
    ("says what does not fit", 5, answer::misfits),
    ("says yes, and changes something", 4, answer::yes_and),
    ("says no", 4, answer::says_no),
    ("asks", 5, question::asks),
    ("answers with a question", 4, question::stands_for),
    ("asks what is known", 2, question::shows),
    ("begins something", 4, task::begins),
    ("gives up a record", 2, task::gives_up),
    ("begins anew", 2, task::replaces),
    ("is silent", 4, stray::silent),
    ("asks to repeat", 2, stray::repeats),
    ("wants a human", 1, stray::hands_off),
    ("confirms unasked", 3, stray::confirms_unasked),
    ("speaks of what is closed", 2, stray::reopens),
    ("is misunderstood", 3, stray::misparsed),
    ("says goodbye", 1, stray::goodbye),
];

impl Turn<'_, '_> {
    /// Draws a move and makes it; its name. A patient user does whatever there is to do, one
    /// whose patience is over answers what is asked and leaves.
    pub(super) fn play(&mut self, patient: bool) -> &'static str {
        if !patient {
            return match answer::answers(self) {
                true => "answers",
                false => {
                    stray::goodbye(self);
                    "says goodbye"
                }
            };
        }
        let all = MOVES.iter().map(|(_, weight, _)| weight).sum();
        let mut at = self.random.below(all);
        for (name, weight, act) in MOVES {
            if at >= *weight {
                at -= weight;
            } else if act(self) {
                return name;
            } else {
                break;
            }
        }
        match answer::answers(self) {
            true => "answers",
            // Where nothing is asked there is something new to begin.
            false if self.random.chance(80) && task::begins(self) => "begins something",
            false => "is silent",
        }
    }
}

impl<'s> Turn<'_, 's> {
    /// Carries out an operation; one that is refused ends the program.
    fn apply(&mut self, op: Op) -> Option<String> {
        if self.ended != Ended::Kept {
            return None;
        }
        self.ops.push(op.clone());
        match self.desk.apply(&op) {
            Ok(made) => made,
            Err(refused) => {
                self.ended = Ended::by(refused.error);
                None
            }
        }
    }

    fn set(&mut self, record: &str, field: &str, value: Value, confirmed: bool) {
        let value = Given { value, confirmed };
        self.apply(Op::Set {
            record: record.to_owned(),
            field: field.to_owned(),
            value,
        });
    }

    /// The question of the turn before.
    fn asked(&self) -> Option<&Act> {
        self.before.acts.iter().find(|act| act.is_question())
    }

    /// The field that was asked for or put to the user.
    fn asked_spot(&self) -> Option<Spot<'s>> {
        match self.asked()? {
            Act::Ask(record, field) | Act::Confirm(record, field) => self.spot(record, field),
            _ => None,
        }
    }

    /// The sheet of a task record.
    fn sheet_of(&self, record: &str) -> Option<&'s Sheet> {
        let (_, task) = self.desk.state().task(record)?;
        self.draw.sheets.get(&task.sheet)
    }

    fn spot(&self, record: &str, field: &str) -> Option<Spot<'s>> {
        let sheet = self.sheet_of(record)?;
        let field = sheet.fields.get(sheet.field(field)?)?;
        let status = self.desk.state().get(record)?.status;
        (status == Status::Open).then(|| Spot {
            record: record.to_owned(),
            field,
        })
    }

    /// The user's fields of all open records, in order; confirm fields are none of them.
    fn spots(&self) -> Vec<Spot<'s>> {
        let mut out = Vec::new();
        for record in &self.desk.state().records {
            let sheet = record
                .task()
                .and_then(|task| self.draw.sheets.get(&task.sheet));
            if let (Some(sheet), Status::Open) = (sheet, record.status) {
                out.extend(inputs(sheet).map(|field| Spot {
                    record: record.var.clone(),
                    field,
                }));
            }
        }
        out
    }

    fn held(&self, spot: &Spot<'_>) -> Option<&Value> {
        let (_, task) = self.desk.state().task(&spot.record)?;
        task.fields.get(&spot.field.name)?.value.as_ref()
    }

    /// The task sheet whose records a field holds.
    fn nested(&self, field: &Field) -> Option<&'s Sheet> {
        match &field.ty {
            Type::Named(name) => self.draw.sheets.task(name),
            _ => None,
        }
    }

    /// Closed records and open ones alike, of tasks.
    fn records(&self, wanted: impl Fn(Status) -> bool) -> Vec<String> {
        let records = self.desk.state().records.iter();
        let tasks = records.filter(|record| record.task().is_some() && wanted(record.status));
        tasks.map(|record| record.var.clone()).collect()
    }
}

fn inputs(sheet: &Sheet) -> impl Iterator<Item = &Field> {
    let user = |field: &&Field| field.kind == FieldKind::Input && field.ty != Type::Confirm;
    sheet.fields.iter().filter(user)
}
