//! Turns and their effects.

use super::position::{End, Holder, Pending};
use super::{Play, Seen, Table, over};
use crate::game::{Decision, Order};
use crate::illegal::{Code, Illegal};
use crate::text::as_said;
use crate::turn::{Move, Recipient};

/// What the receiver of a full proposal reads behind it.
pub(crate) const ANSWER: &str = "You must answer: [accept] or [reject]";

/// What a party reads whose proposal another one has rejected.
pub(crate) const WITHDRAWN: &str = "The proposal was withdrawn.";

impl Table {
    pub(super) fn apply(&mut self, seat: usize, moves: &[Move]) -> Result<Seen, Illegal> {
        self.may(seat, moves)?;
        let mut seen: Vec<Vec<String>> = vec![Vec::new(); self.game.seats().len()];
        let mut speaks = false;
        let attached = moves.iter().any(|made| match made {
            // As released, only a message passes the turn.
            Move::Propose(_) => !self.rules.proposer_keeps_turn,
            made => matches!(made, Move::Accept),
        });
        for made in moves {
            match made {
                Move::Think(text) => seen[seat].push(format!("You: [think] {text}")),
                Move::Tool(text) => {
                    seen[seat].push(format!("You: [tool] {text}"));
                    seen[seat].push(self.game.query(text)?);
                }
                Move::Message(to, text) => {
                    speaks = true;
                    self.say(seat, *to, text, !attached, &mut seen)?;
                }
                Move::Propose(text) => {
                    speaks = true;
                    let decision = self.game.read(text)?;
                    self.put_proposal(seat, decision, &mut seen);
                }
                Move::Accept | Move::Reject => {
                    speaks = true;
                    self.answer(seat, matches!(made, Move::Accept), &mut seen)?;
                }
            }
        }
        Ok(self.finish(seat, speaks, seen))
    }

    /// Counts the turn, reminds those who must answer, and gives what each seat reads.
    pub(super) fn finish(&mut self, seat: usize, speaks: bool, mut seen: Vec<Vec<String>>) -> Seen {
        let position = &mut self.position;
        match speaks {
            true => (position.moves, position.silent) = (position.moves + 1, 0),
            false if self.people.contains(&seat) => {}
            false => position.silent += 1,
        }
        for (other, lines) in seen.iter_mut().enumerate() {
            let new = lines.iter().any(|line| line.contains("[propose]"));
            if other != seat && new && position.must_answer(other) {
                lines.push(ANSWER.to_owned());
            }
        }
        if position.ended.is_none() {
            if position.moves >= self.limits.moves {
                position.ended = Some(End::Limit);
            } else if position.silent >= self.limits.silent {
                position.ended = Some(End::Stuck);
            }
        }
        seen.into_iter().map(|lines| lines.join("\n")).collect()
    }

    /// Whether the seat may make a turn of these moves now.
    pub(crate) fn may(&self, seat: usize, moves: &[Move]) -> Result<(), Illegal> {
        let position = &self.position;
        if position.ended.is_some() {
            return Err(over());
        }
        if self.play == Play::Free {
            return Ok(());
        }
        let proposes = moves.iter().any(|made| matches!(made, Move::Propose(_)));
        let mediator = self.mediates(seat);
        let may_interrupt = mediator && proposes;
        if !position.holds(seat) && !may_interrupt {
            return Err(Code::NotYourTurn.because("Another party has the turn."));
        }
        let others =
            |made: &Move| matches!(made, Move::Tool(_) | Move::Message(..) | Move::Propose(_));
        let answers = |made: &Move| matches!(made, Move::Accept | Move::Reject);
        let first = moves.iter().find(|made| !matches!(made, Move::Think(_)));
        let thinks = self.rules.proposer_keeps_turn
            && moves.iter().any(|made| matches!(made, Move::Think(_)));
        if self.may_answer(seat) && (thinks || first.is_some_and(others)) {
            return Err(Code::MustAnswer.because(ANSWER));
        }
        if self.deadlocked(seat) && first.is_some() {
            return Err(Code::MustAnswer.because("A partial proposal waits."));
        }
        if first.is_some_and(answers) && !self.may_answer(seat) {
            return Err(Code::NothingToAnswer.because("No proposal waits for your answer."));
        }
        if mediator && !proposes {
            for made in moves {
                if let Move::Message(Recipient::Room(room), _) = made
                    && position.holders[*room] != Holder::Seat(seat)
                {
                    let text = format!("User {room} has the turn in its room.");
                    return Err(Code::NotYourTurn.because(text));
                }
            }
        }
        Ok(())
    }

    /// As released: a partial proposal can be neither answered nor passed over.
    fn deadlocked(&self, seat: usize) -> bool {
        let partial =
            |pending: &Pending| pending.by != seat && !self.game.complete(&pending.decision);
        self.rules.partial_deadlock && self.position.pending.as_ref().is_some_and(partial)
    }

    /// A recorded message.
    pub(crate) fn hear(
        &mut self,
        seat: usize,
        room: Option<usize>,
        text: &str,
    ) -> Result<Seen, Illegal> {
        let to = match room {
            Some(room) if self.mediates(seat) => Recipient::Room(room),
            Some(room) if self.game.order() == Order::Rooms && room != seat => {
                let name = self.game.seats()[seat].name;
                return Err(Code::BadRecipient.because(format!("{name} is not in room {room}.")));
            }
            _ => Recipient::Partner,
        };
        self.recorded(|table, seen| table.say(seat, to, text, true, seen))
    }

    /// A recorded proposal.
    pub(crate) fn place(&mut self, seat: usize, decision: Decision) -> Seen {
        let mut seen = vec![Vec::new(); self.game.seats().len()];
        self.put_proposal(seat, decision, &mut seen);
        seen.into_iter().map(|lines| lines.join("\n")).collect()
    }

    /// A recorded answer.
    pub(crate) fn reply(&mut self, seat: usize, accepts: bool) -> Result<Seen, Illegal> {
        self.recorded(|table, seen| table.answer(seat, accepts, seen))
    }

    fn recorded(
        &mut self,
        act: impl FnOnce(&mut Table, &mut [Vec<String>]) -> Result<(), Illegal>,
    ) -> Result<Seen, Illegal> {
        let mut seen = vec![Vec::new(); self.game.seats().len()];
        act(self, &mut seen)?;
        Ok(seen.into_iter().map(|lines| lines.join("\n")).collect())
    }

    pub(crate) fn mediates(&self, seat: usize) -> bool {
        self.game.order().mediates(seat, self.game.seats().len())
    }

    fn say(
        &mut self,
        seat: usize,
        to: Recipient,
        text: &str,
        passes: bool,
        seen: &mut [Vec<String>],
    ) -> Result<(), Illegal> {
        let from = self.game.seats()[seat].shown_as;
        let room = match (self.game.order(), to) {
            (Order::Turns, _) => 0,
            (Order::Rooms, Recipient::Room(room)) if self.mediates(seat) && room < seat => room,
            (Order::Rooms, _) if !self.mediates(seat) => seat,
            _ => return Err(Code::BadRecipient.because("Name a recipient that there is.")),
        };
        let readers = match self.mediates(seat) {
            true => vec![room],
            false => self.readers(seat),
        };
        let text = as_said(text);
        for reader in &readers {
            seen[*reader].push(format!("{from}: [message] {text}"));
        }
        seen[seat].push(match self.mediates(seat) {
            true => format!("You to {room}: [message] {text}"),
            false => format!("You: [message] {text}"),
        });
        // An answered room stays closed until there is something new.
        if passes && self.position.holders[room] != Holder::Nobody {
            let next = match self.game.order() {
                Order::Turns => self.after(seat),
                Order::Rooms if self.mediates(seat) => room,
                Order::Rooms => self.game.seats().len() - 1,
            };
            self.position.holders[room] = Holder::Seat(next);
        }
        Ok(())
    }

    /// The seat that has the turn after this one.
    fn after(&self, seat: usize) -> usize {
        (seat + 1) % self.game.seats().len()
    }

    /// Who reads what a seat says that has nobody to choose.
    fn readers(&self, seat: usize) -> Vec<usize> {
        let seats = self.game.seats().len();
        match self.game.order() {
            Order::Turns => (0..seats).filter(|other| *other != seat).collect(),
            Order::Rooms => vec![seats - 1],
        }
    }

    pub(super) fn put_proposal(
        &mut self,
        seat: usize,
        decision: Decision,
        seen: &mut [Vec<String>],
    ) {
        let from = self.game.seats()[seat].shown_as;
        for (other, lines) in seen.iter_mut().enumerate() {
            let shown = self.game.show(&decision, other, seat);
            lines.push(match (other == seat, self.mediates(seat)) {
                (true, true) => format!("You to all: [propose] {shown}"),
                (true, false) => format!("You: [propose] {shown}"),
                (false, _) => format!("{from}: [propose] {shown}"),
            });
        }
        let complete = self.game.complete(&decision);
        let next = self.after(seat);
        let position = &mut self.position;
        if complete || self.rules.partial_deadlock {
            position.replaced += usize::from(position.pending.is_some());
            position.withdrawn = false;
            position.proposed += 1;
            position.pending = Some(Pending {
                by: seat,
                decision,
                accepted: Vec::new(),
                number: position.proposed,
            });
        }
        position.partial += usize::from(!complete);
        match self.game.order() {
            Order::Turns if self.rules.proposer_keeps_turn => {}
            Order::Turns => position.holders[0] = Holder::Seat(next),
            Order::Rooms => {
                for (room, holder) in position.holders.iter_mut().enumerate() {
                    *holder = Holder::Seat(room);
                }
            }
        }
    }

    fn answer(
        &mut self,
        seat: usize,
        accepts: bool,
        seen: &mut [Vec<String>],
    ) -> Result<(), Illegal> {
        let from = self.game.seats()[seat].shown_as;
        let seats = self.game.seats().len();
        let answerers = |by: usize| (0..seats).filter(move |other| *other != by);
        let (order, readers, next) = (self.game.order(), self.readers(seat), self.after(seat));
        let keeps = self.rules.repeated_answers && order == Order::Rooms;
        let waits = self.may_answer(seat);
        let position = &mut self.position;
        if !waits && !position.withdrawn {
            return Err(Code::NothingToAnswer.because("No proposal waits for your answer."));
        }
        let tag = if accepts { "[accept]" } else { "[reject]" };
        seen[seat].push(format!("You: {tag}"));
        for reader in readers {
            seen[reader].push(format!("{from}: {tag}"));
        }
        if !waits {
            position.late += 1;
            return Ok(());
        }
        let Some(mut pending) = position.pending.take() else {
            return Ok(());
        };
        let room = if position.holders.len() > 1 { seat } else { 0 };
        if !accepts {
            // The rejecter keeps its turn. People in other rooms may still answer, too late.
            position.withdrawn = order == Order::Rooms;
            if order == Order::Rooms {
                for other in answerers(pending.by).filter(|other| *other != seat) {
                    seen[other].push(WITHDRAWN.to_owned());
                    if !keeps {
                        position.holders[other] = Holder::Seat(seats - 1);
                    }
                }
            }
            position.holders[room] = Holder::Seat(seat);
            return Ok(());
        }
        if !pending.accepted.contains(&seat) {
            pending.accepted.push(seat);
        }
        if answerers(pending.by).all(|other| pending.accepted.contains(&other)) {
            position.ended = Some(End::Accepted(pending.decision));
            return Ok(());
        }
        position.holders[room] = match order {
            // The proposer has nothing to answer.
            Order::Turns if next == pending.by => Holder::Seat((next + 1) % seats),
            Order::Turns => Holder::Seat(next),
            Order::Rooms if keeps => Holder::Seat(seat),
            Order::Rooms => Holder::Nobody,
        };
        position.pending = Some(pending);
        Ok(())
    }
}
