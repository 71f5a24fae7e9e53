//! What code can say of a reply: whether it performs the acts (sections 5 and 13.3).

mod act;
mod question;
mod said;

pub use said::is_said;

use crate::act::{Act, Performed};
use crate::sheets::Sheets;
use crate::state::State;
use question::is_offer;
pub(crate) use question::questions;

/// What a reply lacks or has too much of, one sentence each, for the model that writes it
/// anew: something of every act (texts that stand in it letter by letter, names and numbers of
/// the others, something of what is reported, what is to be confirmed or proposed), and a
/// question if and only if one is asked, or an offer of help. The state is that after the turn.
///
/// ```
/// use worksheets::{Act, Format, Performed, State, judge_reply, read};
///
/// let sheets = read("WS Name,Kind\nA,task\n".as_bytes(), Format::Csv).unwrap();
/// let text = "Prices include VAT.".to_owned();
/// let act = Act::Say { text, verbatim: true };
/// let acts = [Performed { act, reason: None }];
/// let judge = |reply: &str| judge_reply(reply, &sheets, &State::default(), &acts);
/// assert!(judge("By the way: Prices include VAT.").is_empty());
/// assert_eq!(judge("VAT is included."), ["the reply lacks, letter by letter: Prices include VAT."]);
/// assert_eq!(
///     judge("Prices include VAT. Shall I send a bill?"),
///     ["the reply asks a question, and none is to be asked: Shall I send a bill"],
/// );
/// ```
pub fn judge_reply(reply: &str, sheets: &Sheets, state: &State, acts: &[Performed]) -> Vec<String> {
    let acts = || acts.iter().map(|performed| &performed.act);
    let mut out: Vec<String> = acts()
        .filter_map(|act| act::lacking(reply, sheets, state, act))
        .collect();
    let asked = questions(reply);
    let hands_off = acts().any(|act| matches!(act, Act::Handoff(_)));
    // A text of the owner may be a question.
    let says = |act: &Act| matches!(act, Act::Say { text, .. } if !questions(text).is_empty());
    if acts().any(Act::is_question) {
        if asked.is_empty() {
            out.push("the reply asks no question, and one is to be asked".to_owned());
        }
    } else if hands_off && !asked.is_empty() {
        out.push("the reply asks a question, and a human takes over".to_owned());
    } else if let Some(asked) = asked.iter().find(|it| !is_offer(it))
        && !acts().any(says)
    {
        out.push(format!(
            "the reply asks a question, and none is to be asked: {asked}"
        ));
    }
    out
}
