//! Statements that something was done, whatever it was done with: *I've deleted them*, *everything
//! is removed*, *Deletion completed*. No row decides these; the outcomes of programs do.

use std::ops::Range;

use super::Text;
use crate::clause::Clause;
use crate::deed::{Deed, Done, Voice};
use crate::lexicon::{Cue, List};
use crate::schema::Unit;
use crate::spans::{Reader, What as Span};
use crate::text::{Hit, Shape, Token};

/// The words for what was done.
const WORDS: [(Cue, Deed); 7] = [
    (Cue::MadeWord, Deed::Made),
    (Cue::GoneWord, Deed::Gone),
    (Cue::MovedWord, Deed::Moved),
    (Cue::CopiedWord, Deed::Copied),
    (Cue::ChangedWord, Deed::Changed),
    (Cue::SharedWord, Deed::Shared),
    (Cue::Vanished, Deed::Gone),
];

/// The most tokens between a verb and what a reply makes for itself: *made a short list*.
const OBJECT: usize = 4;

/// What a reply says was done.
pub(crate) fn told(reader: &Reader<'_>, reply: &str) -> Vec<Done> {
    let text = Text::of(reader, reply);
    let mut found = Vec::new();
    let mut listed = false;
    let planned = text.plans();
    for clause in &text.clauses {
        if !clause.item {
            listed = text.announces_deeds(clause);
        }
        if text.reading.low(clause.tokens.end) == "?" {
            continue;
        }
        found.extend(text.finished(clause).filter(|_| !clause.item));
        if clause.question {
            continue;
        }
        found.extend(text.completed(clause).filter(|_| !clause.item));
        let words = text.words(&clause.tokens);
        let mut before: Option<Told> = None;
        for (at, (deed, word)) in words.iter().enumerate() {
            let next = words.get(at + 1);
            let end = next.map_or(clause.tokens.end, |(_, next)| next.start);
            let last = at.checked_sub(1).and_then(|at| words.get(at));
            let last = last.map(|(_, word)| (word.end, before.as_ref()));
            let how = match clause.item && !listed {
                true => None,
                false => text.stated(clause, *deed, word, last),
            };
            let told = how
                .or_else(|| text.labelled(clause, *deed, word).filter(|_| !planned))
                .filter(|told| text.is_claimed(clause, *deed, told, word, end));
            if let Some(told) = &told {
                let (mut names, is_in_a_thing) = text.objects(*deed, told, word, end);
                if names.is_empty() && !is_in_a_thing && next.is_none() {
                    names = text.names_below(clause, told, word);
                }
                let piece = text.piece_start(clause, word.start)..text.piece_end(word.end, end);
                found.push(Done {
                    deed: *deed,
                    of_rows: !is_in_a_thing && text.of_rows(told, word, end),
                    whole: names.is_empty() && text.says_every(&piece),
                    names: text.places_of(&names),
                    voice: told.voice,
                    range: text.reading.bytes(&(told.start..word.end)),
                    word: text.reading.bytes(word),
                });
            }
            before = told;
        }
    }
    found.sort_by_key(|done| done.range.start);
    found
}

/// Whether a text has a word for what was done.
pub(crate) fn names_deeds(reader: &Reader<'_>, text: &str) -> bool {
    let text = Text::of(reader, text);
    !text.words(&(0..text.reading.tokens.len())).is_empty()
}

/// How it is said that something was done.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) voice: Voice,
    /// The first token of the statement, and the first one that says something.
    pub(super) from: usize,
    pub(super) start: usize,
    /// The verb before the word for what was done: *have*, *were*.
    pub(super) verb: Range<usize>,
}

/// The token behind the last word for a deed in a clause, and what was said with it.
type Last<'l> = (usize, Option<&'l Told>);

impl Text<'_, '_> {
    /// The words for deeds in tokens, by place; none of a name or a quote.
    pub(super) fn words(&self, range: &Range<usize>) -> Vec<(Deed, Range<usize>)> {
        let quotes: Vec<Range<usize>> = self
            .parts(range)
            .into_iter()
            .map(|part| part.tokens)
            .collect();
        let mut words: Vec<(Deed, Range<usize>)> = Vec::new();
        for (cue, deed) in WORDS {
            let hits = self.reading.within(cue, range).iter();
            let hits = hits.filter(|hit| {
                let quoted = quotes.iter().any(|quote| quote.contains(&hit.start));
                !quoted && !self.reading.owned(hit.start) && !self.names_a_file(hit.end)
            });
            words.extend(hits.map(|hit| (deed, hit.start..hit.end)));
        }
        words.sort_by_key(|(_, word)| word.start);
        words.dedup_by(|next, before| next.1.start < before.1.end);
        words
    }

    /// How it is said in a sentence, or in an item of a list of deeds.
    fn stated(
        &self,
        clause: &Clause,
        deed: Deed,
        word: &Range<usize>,
        last: Option<Last<'_>>,
    ) -> Option<Told> {
        let with_verb = self.with_verb(clause, deed, word, last);
        // "All gone" says of nothing who did it.
        if self.has_vanished(word) {
            return with_verb;
        }
        with_verb
            .or_else(|| self.joined_to(clause, word, last))
            .or_else(|| self.alone(clause, deed, word))
            .or_else(|| self.verb_last(clause, word))
            .or_else(|| self.listed(clause, word))
    }

    fn has_vanished(&self, word: &Range<usize>) -> bool {
        self.reading.at(Cue::Vanished, word.start).is_some()
    }

    /// Whether a statement says that it was done: not denied, not open, not of another time.
    fn is_claimed(
        &self,
        clause: &Clause,
        deed: Deed,
        told: &Told,
        word: &Range<usize>,
        end: usize,
    ) -> bool {
        let said = told.from..word.start;
        let verb = told.verb.start;
        let reading = &self.reading;
        let denied = self.has_word(List::Negation, &said)
            || reading.any(Cue::Undone, &(told.from..self.piece_end(word.end, end)));
        let open = reading.any(Cue::Modal, &(told.from..word.end + 1))
            || reading.any(Cue::Condition, &said)
            || reading.any(Cue::Reserved, &said);
        let is_relative = self.is_relative(told.from, verb);
        let made = matches!(deed, Deed::Made | Deed::Changed | Deed::Shared);
        let near = word.end..end.min(word.end + OBJECT);
        let apart = reading.any(Cue::Apart, &near) || reading.any(Cue::Apart, &said);
        let whole = clause.tokens.clone();
        let then = [Cue::Reported, Cue::Yesterday, Cue::Ago];
        let then = then.iter().any(|cue| reading.any(*cue, &whole))
            || told.voice != Voice::Active && self.has_day(&(told.verb.end..clause.tokens.end));
        !(denied || open || is_relative || then || made && apart)
    }

    /// With *I have* or *were* before it.
    fn with_verb(
        &self,
        clause: &Clause,
        deed: Deed,
        word: &Range<usize>,
        last: Option<Last<'_>>,
    ) -> Option<Told> {
        let mut from = word.start;
        loop {
            let start = self.piece_start(clause, from);
            let range = start..word.start;
            let near = |cue: Cue| {
                let hits = self.reading.within(cue, &range).iter();
                hits.filter(|hit| hit.end <= word.start && self.adverbs(hit.end..word.start))
                    .max_by_key(|hit| (hit.start, hit.end))
            };
            let far = |cue: Cue| self.reading.within(cue, &range).last();
            let state = |hit: Option<&Hit>| hit.copied().filter(|_| deed == Deed::Gone);
            let verbs = [
                (near(Cue::DoerNear).copied(), Voice::Active),
                (far(Cue::Doer).copied(), Voice::Active),
                (near(Cue::DoneNear).copied(), Voice::Passive),
                (far(Cue::DoneTo).copied(), Voice::Passive),
                (state(near(Cue::StateNear)), Voice::State),
                (state(far(Cue::StateTo)), Voice::State),
            ];
            let is_state = self.has_vanished(word);
            let verbs = verbs.into_iter();
            let verbs = verbs.filter(|(_, voice)| !is_state || *voice == Voice::State);
            let verbs = verbs.filter_map(|(hit, voice)| Some((hit?, voice)));
            // The last one; of those that end at one place the first.
            let verb = verbs.rev().max_by_key(|(hit, _)| hit.end.min(word.start));
            if let Some((verb, voice)) = verb {
                let assured = self.reading.within(Cue::Assured, &(start..verb.start));
                let denied = |hit: &Hit| self.has_word(List::Negation, &(start..hit.start));
                let start = match assured.last() {
                    Some(hit) if denied(hit) => return None,
                    Some(hit) => hit.end.min(verb.start),
                    None => start,
                };
                // "Ich habe nichts verschoben oder gelöscht": the verb before is that of both.
                let start = match last {
                    Some((end, None)) if verb.start < end => return None,
                    Some((end, _)) => self.behind_and(end.max(start)..word.start),
                    None => start,
                };
                return Some(Told {
                    voice,
                    from: start,
                    start: self.solid(start..word.start).unwrap_or(word.start),
                    verb: verb.start..verb.end,
                });
            }
            // "I have, a and b, deleted" goes on, and "…, which he deleted" does not.
            if start <= clause.tokens.start || self.reading.at(Cue::Relative, start).is_some() {
                return None;
            }
            from = start - 1;
        }
    }

    /// *I have moved them and deleted the rest.*
    fn joined_to(
        &self,
        clause: &Clause,
        word: &Range<usize>,
        last: Option<Last<'_>>,
    ) -> Option<Told> {
        let mut at = word.start;
        while at > clause.tokens.start && self.is_adverb(at - 1) {
            at -= 1;
        }
        let and = self.reading.tokens.get(at.checked_sub(1)?)?;
        if !self.reader.has(List::Conjunction, and) {
            return None;
        }
        if let Some((end, before)) = last {
            return Some(Told {
                from: end,
                start: word.start,
                ..before?.clone()
            });
        }
        let first = self.first(clause.tokens.clone())?;
        let doer = self.reading.at(Cue::DoerNear, first)?;
        Some(Told {
            voice: Voice::Active,
            // "I found 3 files and deleted them": "I" did both.
            from: at,
            start: first,
            verb: doer.start..doer.end,
        })
    }

    /// *I confirm that …*, in a language whose verb is then the last word.
    fn verb_last(&self, clause: &Clause, word: &Range<usize>) -> Option<Told> {
        let verbs = [
            (Cue::HaveLast, Cue::ThatDoer, Voice::Active),
            (Cue::WereLast, Cue::That, Voice::Passive),
        ];
        let mut verbs = verbs.into_iter();
        let (_, that, voice) =
            verbs.find(|(last, ..)| self.reading.at(*last, word.end).is_some())?;
        let whole = clause.tokens.start..word.start;
        let that = self.reading.within(that, &whole).last()?;
        let before = clause.tokens.start..that.start;
        let assured = self.reading.any(Cue::Assured, &before);
        let piece = self.piece_start(clause, word.start);
        let of_another = piece > that.start && self.reading.at(Cue::Relative, piece).is_some();
        if !assured || self.has_word(List::Negation, &before) || of_another {
            return None;
        }
        let from = that.start + 1;
        Some(Told {
            voice,
            from,
            start: self.solid(from..word.start).unwrap_or(word.start),
            verb: that.start..that.end,
        })
    }

    /// The first word of a statement: *Deleted all of them.*
    fn alone(&self, clause: &Clause, deed: Deed, word: &Range<usize>) -> Option<Told> {
        if self.first(clause.tokens.clone())? != word.start || clause.announces {
            return None;
        }
        let rest = word.end..clause.tokens.end;
        let other = self.has_verb(&rest)
            || self.noun_at(word.end).is_some()
            || self.colon_behind(word).is_some()
            || self.reading.low(clause.tokens.start) == "|"
            || self.has_day(&rest);
        let is_all = self.solid(rest).is_none();
        let is_word = matches!(deed, Deed::Changed | Deed::Shared);
        (!other && (!is_word || is_all)).then_some(Told {
            voice: Voice::Active,
            from: word.start,
            start: word.start,
            verb: word.clone(),
        })
    }

    /// Whether tokens have a verb of their own, so that the word before them is none.
    pub(super) fn has_verb(&self, tokens: &Range<usize>) -> bool {
        let verbs = [
            Cue::Predicate,
            Cue::DoneNear,
            Cue::StateNear,
            Cue::DoneTo,
            Cue::StateTo,
        ];
        verbs.iter().any(|cue| self.reading.any(*cue, tokens))
    }

    /// *Done.*
    pub(super) fn finished(&self, clause: &Clause) -> Option<Done> {
        let firsts = [
            self.solid(clause.tokens.clone()),
            self.first(clause.tokens.clone()),
        ];
        let mut hits = firsts.into_iter().flatten();
        let hit = hits.find_map(|first| self.reading.at(Cue::Finished, first))?;
        let stands = !self.reading.tokens.get(hit.end).is_some_and(|token| {
            token.shape == Shape::Word
                && !self.reader.has(List::Conjunction, token)
                && !self.reader.has(List::Adverb, token)
        });
        let said = hit.start..hit.end;
        stands.then(|| Done {
            deed: Deed::Finished,
            of_rows: false,
            whole: false,
            names: Vec::new(),
            voice: Voice::Active,
            range: self.reading.bytes(&said),
            word: self.reading.bytes(&said),
        })
    }

    /// Whether what was done was done with what a noun for rows names, and with nothing of it.
    fn of_rows(&self, told: &Told, word: &Range<usize>, end: usize) -> bool {
        let before = told.start..word.start;
        let start = word.end.max(told.verb.end);
        let behind = start..self.piece_end(start, end);
        let is_label = told.verb.start == word.start;
        let ranges = match told.voice == Voice::Active || is_label {
            true => [behind, before],
            false => [before.clone(), before],
        };
        ranges.into_iter().any(|range| {
            let noun = range.clone().find(|at| self.noun_at(*at).is_some());
            noun.is_some_and(|noun| {
                let nouns = &self.reading.classes.nouns;
                let ends = nouns.get(noun).copied().unwrap_or(0).max(noun + 1);
                let led = (range.start..noun).all(|at| {
                    told.verb.contains(&at)
                        || self.is_open(&(at..at + 1))
                        || self.is_adverb(at)
                        || self.reading.numbers.get(at).copied().flatten().is_some()
                });
                let next = self.reading.tokens.get(ends);
                let is_head = next.is_none_or(|next| {
                    next.shape != Shape::Word
                        || ends == word.start
                        || self.is_adverb(ends)
                        || self.reading.owned(ends)
                        || self.spelt(ends, end).is_some()
                        || told.verb.contains(&ends)
                        || next.low != "'s" && self.is_open(&(ends..ends + 1))
                        || self.reading.at(Cue::From, ends).is_some()
                        || self.reading.at(Cue::Into, ends).is_some()
                });
                led && is_head
            })
        })
    }

    /// The first of tokens that says something.
    pub(super) fn first(&self, mut tokens: Range<usize>) -> Option<usize> {
        tokens.find(|at| {
            let token = self.reading.tokens.get(*at);
            token.is_some_and(|token| {
                token.solid() && !self.reader.has(List::Opener, token) && !self.is_adverb(*at)
            })
        })
    }

    pub(super) fn solid(&self, range: Range<usize>) -> Option<usize> {
        range.into_iter().find(|at| {
            let token = self.reading.tokens.get(*at);
            token.is_some_and(|token| token.solid() && !self.reader.has(List::Opener, token))
        })
    }

    /// Whether a name goes on behind a word: *deleted.txt*.
    fn names_a_file(&self, end: usize) -> bool {
        let token = |at: usize| self.reading.tokens.get(at).filter(|token| token.glued);
        let joins = token(end).is_some_and(|token| matches!(token.low.as_str(), "." | "_"));
        joins && token(end + 1).is_some_and(Token::solid)
    }

    pub(super) fn is_adverb(&self, at: usize) -> bool {
        let token = self.reading.tokens.get(at);
        token.is_some_and(|token| self.reader.has(List::Adverb, token))
    }

    fn adverbs(&self, range: Range<usize>) -> bool {
        range.into_iter().all(|at| self.is_adverb(at))
    }

    /// Where a statement begins behind *and*, or at once.
    fn behind_and(&self, range: Range<usize>) -> usize {
        let mut places = range.clone();
        let and = places.find(|at| {
            let token = self.reading.tokens.get(*at);
            token.is_some_and(|token| self.reader.has(List::Conjunction, token))
        });
        and.map_or(range.start, |at| at + 1)
    }

    /// Where the piece of a clause begins that ends before a token: behind a comma or a dash.
    fn piece_start(&self, clause: &Clause, before: usize) -> usize {
        let mut places = (clause.tokens.start..before).rev();
        let mark = places.find(|at| self.parts_pieces(*at));
        mark.map_or(clause.tokens.start, |at| at + 1)
    }

    pub(super) fn piece_end(&self, from: usize, end: usize) -> usize {
        let mut places = from..end;
        places.find(|at| self.parts_pieces(*at)).unwrap_or(end)
    }

    pub(super) fn parts_pieces(&self, at: usize) -> bool {
        let token = self.reading.tokens.get(at);
        token.is_some_and(|token| {
            let parts = matches!(token.low.as_str(), "," | ";" | ":");
            parts && !self.is_scheme_before(at) || token.low == "-" && !token.glued
        })
    }

    /// *Which were deleted*, *the files that I deleted*. *That was deleted* is of something else.
    fn is_relative(&self, start: usize, verb: usize) -> bool {
        let before = verb.checked_sub(1).filter(|at| *at >= start);
        before.is_some_and(|at| {
            let stands_for = at == start && self.reading.at(Cue::Pronoun, at).is_some();
            self.reading.at(Cue::Relative, at).is_some() && !stands_for
        })
    }

    /// Whether a day or a month stands in tokens.
    pub(super) fn has_day(&self, range: &Range<usize>) -> bool {
        let mut spans = self.reading.spans_in(range).iter();
        self.reading.any(Cue::Month, range)
            || spans.any(
                |span| matches!(&span.what, Span::Quantity(quantity) if quantity.unit == Unit::Date),
            )
    }
}
