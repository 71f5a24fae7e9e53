//! Clauses, and in which mode each is said.

use std::ops::Range;

use crate::lexicon::{Cue, List};
use crate::spans::{Reader, Reading};
use crate::text::Shape;

/// A part of a sentence.
#[derive(Debug, Clone)]
pub(crate) struct Clause {
    pub tokens: Range<usize>,
    pub question: bool,
    pub offer: bool,
    pub hypothesis: bool,
    pub echo: bool,
    /// It has a word of negation.
    pub denies: bool,
    /// It ends with a colon.
    pub announces: bool,
    /// It is, or is in, an item of a list.
    pub item: bool,
    /// It is the first of an item.
    pub item_start: bool,
}

impl Reader<'_> {
    /// The clauses of a text.
    pub fn clauses(&self, reading: &Reading<'_>) -> Vec<Clause> {
        let mut clauses = Vec::new();
        let mut start = 0;
        let mut first_of_line = true;
        let mut item = false;
        let cuts = self.cuts(reading);
        for at in 0..=reading.tokens.len() {
            let end = at == reading.tokens.len();
            let sentence = end || self.sentence_ends(reading, at);
            if !sentence && !cuts.get(at).is_some_and(|cut| *cut) {
                continue;
            }
            let tokens = start..at;
            let begins = tokens.clone().find(|at| {
                reading
                    .tokens
                    .get(*at)
                    .is_some_and(|token| token.shape != Shape::Break)
            });
            if let Some(begin) = begins {
                let starts = first_of_line && self.bullet(reading, begin);
                item = if first_of_line { starts } else { item };
                clauses.push(self.clause(reading, begin..at, sentence, item, starts));
                first_of_line = false;
            }
            if reading
                .tokens
                .get(at)
                .is_some_and(|token| token.shape == Shape::Break)
            {
                first_of_line = true;
            }
            start = if sentence { at + 1 } else { at };
        }
        clauses
    }

    fn sentence_ends(&self, reading: &Reading<'_>, at: usize) -> bool {
        if reading.owned(at) && !matches!(reading.low(at), "\n") {
            return false;
        }
        match reading.low(at) {
            "\n" => true,
            "?" | "!" => true,
            "." => reading.ends(at) && !self.abbreviated(reading, at),
            _ => false,
        }
    }

    fn abbreviated(&self, reading: &Reading<'_>, at: usize) -> bool {
        let Some(before) = at
            .checked_sub(1)
            .and_then(|before| reading.tokens.get(before))
        else {
            return false;
        };
        let glued = reading.tokens.get(at).is_some_and(|point| point.glued);
        let next = reading.tokens.get(at + 1).is_some_and(|next| next.solid());
        let number = before.shape == Shape::Number && (at < 2 || reading.low(at - 2) == "\n");
        let listed = self.has(List::Abbreviation, before);
        // "e.g. Polish": a letter, a point, a letter, a point.
        let letter = |at: usize| reading.low(at).chars().count() == 1;
        let letters = at >= 3 && letter(at - 1) && reading.low(at - 2) == "." && letter(at - 3);
        let goes_on = reading
            .tokens
            .get(at + 1)
            .is_some_and(|next| !next.capital());
        let word = !letter(at - 1) && goes_on && !self.has(List::Negation, before);
        glued && next && (number || (listed && (before.capital() || letters || word)))
    }

    /// Whether a clause begins at a token within a sentence.
    fn cuts(&self, reading: &Reading<'_>) -> Vec<bool> {
        let mut cuts = vec![false; reading.tokens.len()];
        for hit in reading.cues.all(Cue::Cut) {
            if let Some(cut) = cuts.get_mut(hit.start) {
                *cut = !reading.owned(hit.start);
            }
        }
        cuts
    }

    fn bullet(&self, reading: &Reading<'_>, at: usize) -> bool {
        let token = reading.tokens.get(at);
        // "**Deleted**" is bold, and "* **a.txt**" an item.
        let next = reading.tokens.get(at + 1);
        let is_bold = next.is_some_and(|next| next.is("*") && next.glued);
        let sign = matches!(reading.low(at), "-" | "•") || reading.low(at) == "*" && !is_bold;
        let number = token.is_some_and(|token| token.shape == Shape::Number)
            && matches!(reading.low(at + 1), "." | ")");
        sign || number
    }

    fn clause(
        &self,
        reading: &Reading<'_>,
        tokens: Range<usize>,
        last: bool,
        item: bool,
        item_start: bool,
    ) -> Clause {
        let mut begin = tokens.start;
        while begin < tokens.end
            && reading
                .tokens
                .get(begin)
                .is_some_and(|token| !token.solid() || self.has(List::Opener, token))
        {
            begin += 1;
        }
        let asks =
            (last && reading.low(tokens.end) == "?") || reading.at(Cue::Question, begin).is_some();
        let condition = reading.at(Cue::Condition, begin).is_some();
        let denies = tokens.clone().any(|at| {
            reading.tokens.get(at).is_some_and(|token| {
                self.has(List::Negation, token)
                    && !(at == tokens.start && reading.low(at + 1) == ",")
            })
        });
        let unable = reading.any(Cue::None, &tokens);
        Clause {
            question: asks,
            offer: reading.any(Cue::Offer, &tokens),
            hypothesis: condition || reading.any(Cue::Hypothesis, &tokens),
            echo: reading
                .within(Cue::Echo, &tokens)
                .iter()
                .any(|hit| hit.start <= begin + 1),
            denies: denies || unable,
            announces: tokens
                .clone()
                .rev()
                .find(|at| reading.low(*at) != "*")
                .is_some_and(|last| reading.low(last) == ":"),
            item,
            item_start,
            tokens,
        }
    }
}
