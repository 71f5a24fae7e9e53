//! A game turn by turn.

use super::{Played, Record, tell};
use crate::illegal::Illegal;
use crate::recorded::Recorded;
use crate::rules::Rules;
use crate::table::{ANSWER, Limits, Play, Table};
use std::borrow::BorrowMut;

/// A game under way in strict order: who moves, and what it has not read yet.
pub struct Course<T: BorrowMut<Table>> {
    table: T,
    news: Vec<String>,
    record: Record,
    refused: usize,
}

impl<T: BorrowMut<Table>> Course<T> {
    /// From the start.
    pub fn new(table: T) -> Course<T> {
        let game = table.borrow().game();
        Course {
            news: (0..game.seats().len())
                .map(|seat| game.view(seat))
                .collect(),
            record: Record::default(),
            refused: 0,
            table,
        }
    }

    /// Where the game stands.
    pub fn table(&self) -> &Table {
        self.table.borrow()
    }

    /// The turns so far.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The seat that moves next: of those that may, the first after the one that moved last. None
    /// once nobody may.
    pub fn mover(&self) -> Option<usize> {
        let (seats, movers) = (self.news.len(), self.table.borrow().movers());
        let after = self.record.last.map_or(0, |last| last + 1);
        let mut in_turn = (0..seats).map(|step| (after + step) % seats);
        in_turn.find(|seat| movers.contains(seat))
    }

    /// All that reached a seat since this was asked last.
    pub fn news(&mut self, seat: usize) -> String {
        std::mem::take(&mut self.news[seat])
    }

    /// Makes a turn, and tells all seats.
    ///
    /// # Errors
    /// The turn is illegal. Its mover reads why.
    pub fn make(&mut self, seat: usize, turn: &str) -> Result<(), Illegal> {
        let made = self.attempt(seat, turn);
        if let Err(illegal) = &made {
            self.refused += 1;
            // Behind what it has not read yet.
            let mut told = vec![String::new(); self.news.len()];
            told[seat] = illegal.to_string();
            tell(&mut self.news, told);
            self.record.last = Some(seat);
        }
        made
    }

    /// As [`Course::make`], for people, who are answered at once: a refusal is no news.
    pub(super) fn attempt(&mut self, seat: usize, turn: &str) -> Result<(), Illegal> {
        let table = self.table.borrow_mut();
        let seen = table.turn(seat, turn)?;
        self.record.add(table.game().as_ref(), seat, turn);
        tell(&mut self.news, seen);
        Ok(())
    }

    /// What became of the game.
    pub fn played(self) -> Played {
        let table = self.table.borrow();
        Played {
            norm: table.points().map(|points| points.norm()),
            end: table.position().ended().cloned(),
            record: self.record,
            refused: self.refused,
        }
    }
}

impl Course<Table> {
    /// From where people stood after the first `turns` turns, by these rules and with these limits.
    /// All seats have read what they read then.
    ///
    /// # Errors
    /// The world or a turn cannot be read.
    pub fn resumed(
        recorded: &Recorded,
        turns: usize,
        rules: Rules,
        limits: Limits,
    ) -> Result<Self, String> {
        let game = recorded.open(rules)?;
        // People were held to our free order.
        let mut table = Table::new(game.clone(), Rules::default(), Play::Free);
        let mut course_news: Vec<String> = (0..game.seats().len())
            .map(|seat| game.view(seat))
            .collect();
        let mut record = Record::default();
        for (place, turn) in recorded.turns.iter().take(turns).enumerate() {
            let seen = table
                .act(turn)
                .map_err(|illegal| illegal.at(place).to_string())?;
            tell(&mut course_news, seen);
            record.begin(turn);
        }
        let table = table.strictly(rules).with_limits(limits);
        for (seat, news) in course_news.iter_mut().enumerate() {
            // People were not told that they had to answer.
            if table.position().awaits(seat) {
                *news = format!("{news}\n{ANSWER}");
            }
        }
        Ok(Course {
            table,
            news: course_news,
            record,
            refused: 0,
        })
    }
}
