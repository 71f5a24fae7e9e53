//! Execute and vote: several answers are drawn to the same question, their programs are
//! rehearsed, and the answer is taken whose outcome most of them share.
//!
//! A program runs on a copy of the world in milliseconds. Two programs with the same outcome
//! are the same answer, however they are written.

use super::question::Question;
use super::rehearsal::Rehearsed;
use super::{Agent, Aided, Observer, Prediction, Session, TurnReport};
use crate::retrieval::Task;

/// The name in logs of a vote that took another answer than the first one.
const VOTES: &str = "votes";

/// A prediction, and how many draws came to the same.
struct Ballot {
    prediction: Prediction,
    /// The aids that changed it.
    aided: Vec<Aided>,
    votes: u32,
}

impl Agent {
    /// Draws further answers, up to [`Settings::votes`](super::Settings::votes) in all, and
    /// returns the prediction that most of them share. On a tie the earlier one wins, so the
    /// first one if all differ. Answers that break a rule or end by accident have no vote.
    pub(super) async fn voted(
        &self,
        session: &Session,
        question: &mut Question<'_>,
        first: Prediction,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Prediction {
        let votes = self.settings.votes;
        if votes < 2 {
            return first;
        }
        let before = report.aided.clone();
        let mut ballots = vec![self.ballot(session, first.clone(), &before).await];
        for draw in 1..votes {
            let Ok(answer) = self.draw(draw, question, report, observer).await else {
                break;
            };
            let checked = self.check(session, &answer, report).await;
            let aided = std::mem::replace(&mut report.aided, before.clone());
            let Ok(Ok(prediction)) = checked else {
                continue;
            };
            if self.accident(session, &prediction).await.is_some() {
                continue;
            }
            let ballot = self.ballot(session, prediction, &aided).await;
            match ballots.iter_mut().find(|known| known.agrees(&ballot)) {
                Some(known) => known.votes += 1,
                None => ballots.push(ballot),
            }
            if ballots.iter().any(|ballot| ballot.votes > votes / 2) {
                break;
            }
        }
        // Of equal counts `max_by_key` gives the last.
        let numbered = ballots.into_iter().enumerate().rev();
        let most = numbered.max_by_key(|(_, ballot)| ballot.votes);
        most.map_or(first, |(number, ballot)| {
            report.aided = ballot.aided;
            if number > 0 {
                report.note_aid(VOTES, Task::Program);
            }
            ballot.prediction
        })
    }

    async fn ballot(&self, session: &Session, prediction: Prediction, aided: &[Aided]) -> Ballot {
        self.rehearse(session, &prediction).await;
        Ballot {
            prediction,
            aided: aided.to_vec(),
            votes: 1,
        }
    }
}

impl Ballot {
    /// The outcomes and changes of the complete programs.
    fn rehearsed(&self) -> &[Rehearsed] {
        self.prediction.rehearsed.get().map_or(&[], Vec::as_slice)
    }

    /// Whether both have the same statuses, and the same outcomes and changes of their complete
    /// programs. A program that lacks a value, or that was not rehearsed, counts as it is written.
    fn agrees(&self, other: &Ballot) -> bool {
        let updates = |ballot: &Ballot| {
            let updates = ballot.prediction.updates.iter().map(|update| {
                let mut rehearsed = ballot.rehearsed().iter();
                let ran = rehearsed.any(|ran| ran.uid == update.uid);
                let written = update.program.as_ref().filter(|_| !ran);
                let code = written.map(|it| it.code().trim().to_owned());
                (update.uid, update.status, code)
            });
            updates.collect::<Vec<_>>()
        };
        self.rehearsed() == other.rehearsed() && updates(self) == updates(other)
    }
}
