//! Claims of a reply that rows contradict, or that neither a result nor anybody's words support, and
//! those of what no program did.

use super::{Context, ReplyCheck};
use crate::claims::{Claim, Knowledge, Verdict, doubtful, undone};

pub(in crate::agent) const UNSUPPORTED_CLAIM: &str = "unsupported-claim";

/// The most claims that a model is told about.
const CLAIMS: usize = 10;
/// The most that it is told of one claim, in characters.
const CHARACTERS: usize = 100;

pub(super) struct UnsupportedClaim;

impl ReplyCheck for UnsupportedClaim {
    fn name(&self) -> &'static str {
        UNSUPPORTED_CLAIM
    }

    fn check(&self, reply: &str, context: &Context<'_>, known: Option<&Knowledge>) -> Vec<Claim> {
        let mut claims = doubtful(reply, &context.evidence, known, context.turns);
        let undone = undone(reply, known, context.turns, &context.doings);
        // What was not done has no number and no name either.
        claims.retain(|claim| {
            let mut undone = undone.iter().map(|claim| &claim.range);
            !undone.any(|range| range.start <= claim.range.start && claim.range.end <= range.end)
        });
        claims.extend(undone);
        claims.sort_by_key(|claim| (claim.range.start, claim.range.end));
        claims
    }

    fn finding(&self, claims: &[Claim]) -> String {
        let (mut unknown, mut wrong): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for claim in claims {
            let text: String = claim.text.chars().take(CHARACTERS).collect();
            let why: String = claim.why.chars().take(CHARACTERS).collect();
            let (list, said) = match claim.verdict {
                Verdict::Unsupported => (&mut unknown, format!("\"{text}\"")),
                Verdict::Incomplete => (&mut wrong, why),
                Verdict::False => (&mut wrong, format!("\"{text}\" is wrong: {why}")),
            };
            if list.len() < CLAIMS && !list.contains(&said) {
                list.push(said);
            }
        }
        let mut said = wrong;
        if !unknown.is_empty() {
            said.push(format!(
                "no result has and nobody said {}",
                unknown.join(", ")
            ));
        }
        format!(
            "{}; state only what the results and the user say",
            said.join("; ")
        )
    }
}
