use super::calls::chooses;
use super::{Settings, Sheets, SimulatedTurn, hold};
use crate::act::{Act, Performed, Reason};
use crate::agenda::Ended;
use crate::fit;
use crate::judge::{OPTIONAL_ASKS, STUCK};
use crate::predicate::View;
use crate::sheets::{Field, FieldKind, Type};
use crate::state::{Slot, Status, Value};

pub(super) fn one_question(_: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    let acts = &played.turned.acts;
    let questions = acts
        .iter()
        .filter(|performed| performed.act.is_question())
        .count();
    let last = acts
        .last()
        .is_some_and(|performed| performed.act.is_question());
    let handed = acts
        .iter()
        .any(|performed| matches!(performed.act, Act::Handoff(_)));
    hold(questions == 0 || questions == 1 && last && !handed, || {
        listed(acts)
    })
}

pub(super) fn nothing_at_the_end(
    _: &Sheets,
    _: Settings,
    played: &SimulatedTurn,
) -> Result<(), String> {
    let asks = |performed: &Performed| matches!(performed.act, Act::Ask(..) | Act::Confirm(..));
    let acts = &played.turned.acts;
    hold(
        played.ended != Ended::EndDialog || !acts.iter().any(asks),
        || listed(acts),
    )
}

fn listed(acts: &[Performed]) -> String {
    let acts: Vec<String> = acts.iter().map(ToString::to_string).collect();
    acts.join(", ")
}

/// The field that is asked for or put to the user, with its slot and the reason.
fn asked<'p>(
    sheets: &'p Sheets,
    played: &'p SimulatedTurn,
) -> Option<(&'p Performed, &'p Field, Option<&'p Slot>)> {
    let question = played
        .turned
        .acts
        .iter()
        .find(|performed| performed.act.is_question())?;
    let (Act::Ask(record, name) | Act::Confirm(record, name)) = &question.act else {
        return None;
    };
    let (_, task) = played.turned.state.task(record)?;
    let sheet = sheets.get(&task.sheet)?;
    let field = sheet.fields.get(sheet.field(name)?)?;
    Some((question, field, task.fields.get(name)))
}

/// A question is for an active input field of a record that is open and awake, and never for
/// one that is not to be asked, unless its value was refused.
pub(super) fn wanted(sheets: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    let Some((question, field, slot)) = asked(sheets, played) else {
        return Ok(());
    };
    let state = &played.turned.state;
    let view = View::new(sheets, state);
    let at = question.act.record().and_then(|record| view.place(record));
    let fine = at.is_some_and(|at| {
        let place = view.sheet(at).and_then(|sheet| sheet.field(&field.name));
        state.records[at].status == Status::Open
            && view.awake(at)
            && place.is_some_and(|place| view.active(at, place))
    });
    let invalid = slot.is_some_and(|slot| slot.invalid.is_some());
    let confirms = matches!(question.act, Act::Confirm(..));
    let may = field.kind == FieldKind::Input && (!field.dont_ask || invalid || confirms);
    hold(fine && may, || question.to_string())
}

/// Nothing is asked of which there is a value that counts.
pub(super) fn unknown(sheets: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    let Some((question, field, Some(slot))) = asked(sheets, played) else {
        return Ok(());
    };
    let Some(value) = &slot.value else {
        return Ok(());
    };
    let waits = fit::waits(&played.turned.state, field, value);
    let fine = match &question.act {
        Act::Confirm(..) => !slot.confirmed && !waits,
        _ => slot.invalid.is_some() || waits,
    };
    hold(fine, || format!("{question} of {}", value.json()))
}

pub(super) fn optional(sheets: &Sheets, _: Settings, played: &SimulatedTurn) -> Result<(), String> {
    let Some((question, field, Some(slot))) = asked(sheets, played) else {
        return Ok(());
    };
    let counts = matches!(question.act, Act::Ask(..))
        && !field.is_required()
        && field.ty != Type::Confirm
        && slot.invalid.is_none()
        && slot.value.is_none();
    hold(!counts || slot.asked <= OPTIONAL_ASKS, || {
        format!("{question}, {} times", slot.asked)
    })
}

/// Who is asked the same again and again without getting on is told so, or gets to a person.
pub(super) fn stuck(
    sheets: &Sheets,
    settings: Settings,
    played: &SimulatedTurn,
) -> Result<(), String> {
    let Some((question, _, Some(slot))) = asked(sheets, played) else {
        return Ok(());
    };
    let again = played.before.acts.contains(&question.act);
    if !matches!(question.act, Act::Ask(..)) || !again || played.turned.productive {
        return Ok(());
    }
    let quiet = matches!(
        question.reason,
        None | Some(Reason::Again | Reason::Refused | Reason::Resume)
    );
    hold(slot.asked <= STUCK || !quiet, || {
        format!("{question}, {} times", slot.asked)
    })?;
    let endless = question.reason == Some(Reason::Stuck) && settings.hands_off;
    hold(!endless || slot.asked <= STUCK + 2, || {
        format!("{question}, {} times, and nobody takes over", slot.asked)
    })?;
    let value: Option<&Value> = slot.value.as_ref();
    hold(
        question.reason != Some(Reason::Choose) || chooses(value),
        || format!("{question} of nothing"),
    )
}
