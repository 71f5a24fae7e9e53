//! What code can say of a reply: whether it performs the acts (sections 5 and 13.3).

use crate::act::{Act, Performed};

/// What a reply lacks or has too much of, one sentence each, for the model that writes it
/// anew: texts that stand in it letter by letter, and a question if and only if one is asked.
///
/// ```
/// use worksheets::{Act, Performed, judge_reply};
///
/// let text = "Prices include VAT.".to_owned();
/// let act = Act::Say { text, verbatim: true };
/// let acts = [Performed { act, reason: None }];
/// assert!(judge_reply("By the way: Prices include VAT.", &acts).is_empty());
/// assert_eq!(
///     judge_reply("VAT is included.", &acts),
///     ["the reply lacks, letter by letter: Prices include VAT."],
/// );
/// ```
pub fn judge_reply(reply: &str, acts: &[Performed]) -> Vec<String> {
    let mut out = Vec::new();
    for performed in acts {
        if let Act::Say {
            text,
            verbatim: true,
        } = &performed.act
            && !reply.contains(text.as_str())
        {
            out.push(format!("the reply lacks, letter by letter: {text}"));
        }
    }
    let asks = acts.iter().any(|performed| performed.act.is_question());
    let question = reply.contains(['?', '\u{ff1f}', '\u{61f}', '\u{37e}']);
    if asks && !question {
        out.push("the reply asks no question, and one is to be asked".to_owned());
    }
    let hands_off = acts
        .iter()
        .any(|performed| matches!(performed.act, Act::Handoff(_)));
    if hands_off && question {
        out.push("the reply asks a question, and a human takes over".to_owned());
    }
    out
}
