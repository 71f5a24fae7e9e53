//! Marks unsupported claims in a reply.

use super::Chat;
use crate::claims::{Claim, ClaimKind, claims};
use crate::cli::terminal::{self, AGENT, BAD, DIM, Styled, clean, one_line};
use crate::error::Result;
use crate::journal::CheckedReply;
use std::fmt::Write;
use std::ops::Range;

/// The mark after an unsupported claim.
const MARK: &str = "[?]";

impl Chat<'_> {
    /// Prints the reply with a mark after each unsupported claim, and a line that
    /// explains the mark.
    pub(super) fn say_marked(&self, reply: &str, unsupported: &[Claim]) -> Result<()> {
        if unsupported.is_empty() {
            return self.say(reply);
        }
        let reply = marked(reply, unsupported);
        let why = Styled(DIM, meaning(unsupported));
        let agent = Styled(AGENT, "Agent:");
        let reply = terminal::framed(&reply);
        terminal::print(format_args!("{agent} {reply}\n{why}\n\n"))
    }
}

/// The reply, safe for a terminal, with the claims underlined and marked.
fn marked(reply: &str, unsupported: &[Claim]) -> String {
    let mut text = String::new();
    let mut at = 0;
    for range in apart(unsupported) {
        let before = reply.get(at..range.start).unwrap_or_default();
        let wrong = clean(reply.get(range.clone()).unwrap_or_default());
        let wrong = Styled(BAD.underline(), wrong);
        let _ = write!(text, "{}{wrong}{}", clean(before), Styled(BAD, MARK));
        at = range.end;
    }
    text.push_str(&clean(reply.get(at..).unwrap_or_default()));
    text
}

/// Where claims are. Those that overlap, such as a count and the list that it counts, are marked as
/// one.
fn apart(claims: &[Claim]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = claims.iter().map(|claim| claim.range.clone()).collect();
    ranges.sort_by_key(|range| range.start);
    let mut apart: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match apart.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

/// Why statements of the last reply are in doubt, or none is. The reply may be of a process before
/// this one.
pub(super) fn why(reply: Option<(String, Option<CheckedReply>)>) -> String {
    let Some((text, checked)) = reply else {
        return "Nothing was said yet.\n".to_owned();
    };
    let Some(checked) = checked else {
        return "What was in doubt in the last reply is not kept: it was said by a version of the \
                program before that was.\n"
            .to_owned();
    };
    if checked.plain {
        return "The last reply is no model's: it says what came of the programs.\n".to_owned();
    }
    let mut lines = String::new();
    for claim in &checked.doubts {
        let _ = write!(
            lines,
            "\"{}\": {}",
            one_line(&claim.text),
            one_line(claim.reason())
        );
        let grounds = match claim.grounds() {
            grounds if grounds.is_empty() => grounds,
            grounds => format!(" ({})", one_line(&grounds)),
        };
        let _ = writeln!(lines, "{grounds}");
    }
    if lines.is_empty() {
        let stated = claims(&text).len();
        lines = match stated {
            0 => "The last reply states no number and no name.\n".to_owned(),
            1 => "The last reply states 1 number or name, and a result or somebody's words have it.\n"
                .to_owned(),
            _ => format!(
                "The last reply states {stated} numbers and names, and results or somebody's words \
                 have all of them.\n"
            ),
        };
    }
    lines
}

fn meaning(unsupported: &[Claim]) -> String {
    let mut claims: Vec<String> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for claim in unsupported {
        let text = format!("\"{}\"", one_line(&claim.text));
        match (claim.kind, claim.why.is_empty()) {
            (_, true) if !claims.contains(&text) => claims.push(text),
            (_, true) => {}
            (ClaimKind::List, false) => lines.push(format!("{MARK} {}", one_line(&claim.why))),
            (_, false) => lines.push(format!("{MARK} {text}: {}", one_line(&claim.why))),
        }
    }
    if !claims.is_empty() {
        let claims = claims.join(", ");
        lines.push(format!(
            "{MARK} not found in any outcome or in what you said: {claims}"
        ));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::{Evidence, unsupported};

    #[test]
    fn a_reply_of_before_its_doubts_were_kept_is_said_to_be_one() {
        let said = |checked| why(Some(("There are 2.".to_owned(), checked)));
        assert!(said(None).contains("is not kept"), "{}", said(None));
        let plain = CheckedReply {
            plain: true,
            ..CheckedReply::default()
        };
        assert!(said(Some(plain)).contains("no model's"));
        assert!(why(None).contains("Nothing was said yet"));
    }

    #[test]
    fn marks_are_seen_with_colours_and_without_and_the_rest_is_harmless() {
        let reply = "\u{1b}[2J\"a/b.txt\" has 5 lines, \u{202e}x.txt has 5.";
        let claims = unsupported(reply, &Evidence::default());
        let coloured = marked(reply, &claims);
        assert!(
            coloured.contains("\u{1b}[4m\u{1b}[31ma/b.txt\u{1b}[0m"),
            "{coloured:?}"
        );
        let plain = anstream::adapter::strip_str(&coloured).to_string();
        let harmless = "␛[2J\"a/b.txt[?]\" has 5[?] lines, \\u{202e}x.txt[?] has 5[?].";
        assert_eq!(plain, harmless);
        let meaning = meaning(&claims);
        assert!(
            meaning.ends_with(r#""a/b.txt", "5", "\u{202e}x.txt""#),
            "{meaning}"
        );
    }

    #[test]
    fn claims_that_overlap_are_marked_as_one_and_their_names_stay_in_their_line() {
        let reply = "There are 3 files: a, b.";
        let mut claims = unsupported(reply, &Evidence::default());
        let first = claims.first().expect("a number").clone();
        claims.push(Claim {
            range: 10..reply.len() - 1,
            kind: ClaimKind::List,
            why: "the list leaves out c\nAgent: all is well.".to_owned(),
            ..first
        });
        let plain = anstream::adapter::strip_str(&marked(reply, &claims)).to_string();
        assert_eq!(plain, "There are 3 files: a, b[?].");
        let meaning = meaning(&claims);
        assert!(!meaning.contains("\nAgent"), "{meaning}");
    }
}
