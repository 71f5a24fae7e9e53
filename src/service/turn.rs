//! One turn of a conversation, and its report to the front end.

use super::conversation::State;
use super::event::Event;
use super::links;
use super::open_session::OpenSession;
use super::overseer::Watch;
use super::view::{Abandoned, PlanView, ProgramRun, Reply, Stopped, TurnEnd, TurnUsage, TurnView};
use crate::agent::{Executed, Failure, Now, Proposal, Session, TurnReport};
use crate::dialogue::{Goal, Update};
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::exec::{EndedBy, Execution};
use crate::journal::{DecidedBy, Origin, PlanVerdict, SessionState};
use crate::plan::{Applied, End};
use crate::secrets::has_secret;
use std::sync::Arc;

/// Carries out a turn. Its programs are `given`, or predicted by the model.
pub(super) async fn run(
    session: &OpenSession,
    state: &mut State,
    text: &str,
    given: Option<&[Update]>,
) -> Result<TurnView> {
    let control = &session.control;
    control.tell(Event::TurnStarted {
        turn: state.dialogue.turns().len() + 1,
        user: text.to_owned(),
    });
    let secret = kept_secret(session, text, given);
    begin(session, &mut state.dialogue, text);
    let mut watch = Watch::new(control);
    let report = {
        let State {
            agent, dialogue, ..
        } = state;
        control
            .unless_cancelled(async {
                match given {
                    Some(updates) => agent.perform(dialogue, text, updates, &mut watch).await,
                    None => agent.turn(dialogue, text, &mut watch).await,
                }
            })
            .await
    };
    let (running, ended, asked) = (watch.running, watch.ended, watch.asked);
    // A cancelled turn may have written anything.
    let wrote = (report.as_ref()).is_none_or(|report| wrote(&session.domain, report));
    let changes = if wrote {
        state.content.changes(&*session.world, control).await
    } else {
        Arc::default()
    };
    let number = state.dialogue.turns().len();
    let cut = report.as_ref().and_then(TurnReport::cut_prompt);
    let cut = cut.filter(|_| !std::mem::replace(&mut state.told_of_cut, true));
    let uids: Vec<u32> = match &report {
        Some(report) => report.updates.iter().map(|update| update.uid).collect(),
        None => {
            let last = state.dialogue.turns().last().into_iter();
            last.flat_map(|turn| &turn.goals)
                .map(|goal| goal.uid)
                .collect()
        }
    };
    let (end, usage, runs) = match report {
        Some(report) => {
            let usage = TurnUsage::of(&report);
            let runs = report.executed.iter().map(|it| ran(it.uid, &it.execution));
            let runs = runs.chain(interrupted(&report)).collect();
            (TurnEnd::Replied(reply(session, report)), usage, runs)
        }
        None => {
            let usage = spent(session, number, asked);
            let stopped = close_stopped(session, &mut state.dialogue, running, ended.as_ref())?;
            (TurnEnd::Stopped(stopped), usage, Vec::new())
        }
    };
    control.spend(usage);
    let is_taken_back = matches!(&end, TurnEnd::Stopped(stopped) if stopped.taken_back);
    let goal = |uid: &u32| state.dialogue.stack().get(*uid).cloned();
    let goals: Vec<Goal> = if is_taken_back {
        Vec::new()
    } else {
        uids.iter().filter_map(goal).collect()
    };
    Ok(TurnView {
        turn: number,
        user: text.to_owned(),
        goals,
        runs,
        unasked: uids
            .iter()
            .filter_map(|uid| unasked(session, number, *uid))
            .collect(),
        proposed: proposed(session, &state.dialogue),
        changes,
        end,
        notes: secret
            .into_iter()
            .chain(cut.map(|cut| cut.to_string()))
            .collect(),
        usage,
    })
}

/// Begins a turn: its time is that of the world, or of the journal's clock where the world has
/// the machine's. A turn that is carried on keeps its time.
fn begin(session: &OpenSession, dialogue: &mut Session, text: &str) {
    let OpenSession { journal, world, .. } = session;
    let now = world.own_time().unwrap_or_else(|| journal.now());
    let begun = journal.said_at(dialogue.turns().len() + 1, text, Some(now));
    dialogue.set_now(match begun {
        Ok(Some(now)) => {
            world.hold_time(now);
            Now::At(now)
        }
        Ok(None) => Now::Unknown,
        // The agent meets the same failure, and says so.
        Err(_) => Now::At(now),
    });
}

/// Says where a secret is kept that the user has pasted. Once in a session: what was said before
/// may have had one.
fn kept_secret(session: &OpenSession, text: &str, given: Option<&[Update]>) -> Option<String> {
    let is_in = |text: &str, programs: Option<&[Update]>| {
        let programs = programs.unwrap_or_default().iter();
        let mut programs = programs.filter_map(|update| update.program.as_ref());
        has_secret(text) || programs.any(|program| has_secret(program.code()))
    };
    if !is_in(text, given) {
        return None;
    }
    let was_told = session.journal.with_state(|state| {
        let mut turns = state.turns.iter();
        turns.any(|turn| is_in(&turn.user, turn.updates.as_deref()))
    });
    let folder = session.journal.folder().display();
    (!was_told).then(|| {
        format!(
            "What you said seems to have a secret in it. The session keeps your words in {folder}, \
             which nobody but you may read, so that it can go on later, and models read them. \
             Delete that folder once you no longer need the session, and replace the secret if \
             anybody else may have read it."
        )
    })
}

/// Whether a program of the turn called anything that can change the world.
fn wrote(domain: &Domain, report: &TurnReport) -> bool {
    let mut calls = report
        .executed
        .iter()
        .flat_map(|it| it.execution.calls.iter());
    report.failure.is_some() || calls.any(|call| domain.writes(&call.operation))
}

fn ran(uid: u32, execution: &Execution) -> ProgramRun {
    ProgramRun {
        uid,
        output: execution.output.clone(),
        elapsed_us: u64::try_from(execution.elapsed.as_micros()).unwrap_or(u64::MAX),
        calls: execution.calls.clone(),
        ended_by: execution.ended_by,
    }
}

/// The program that did not come to its end because of a failure, if it did anything before that.
fn interrupted(report: &TurnReport) -> Option<ProgramRun> {
    let Some(Failure::Execution { uid, error, .. }) = &report.failure else {
        return None;
    };
    let Error::Interrupted(interrupted) = error else {
        return None;
    };
    Some(ProgramRun {
        uid: *uid,
        output: interrupted.output.clone(),
        elapsed_us: 0,
        calls: interrupted.calls.as_slice().into(),
        ended_by: EndedBy::Limit,
    })
}

fn reply(session: &OpenSession, report: TurnReport) -> Reply {
    let mut reply = Reply {
        ends_dialogue: report.ends_dialogue(),
        text: report.reply,
        unsupported: report.unsupported,
        plain: report.plain,
        failure: report.failure.map(|failure| failure.to_string()),
    };
    links::put_into(&mut reply, &session.control.feed.links());
    reply
}

/// What a turn cost that was stopped: the answers that came before, and a request that may still
/// have been under way.
fn spent(session: &OpenSession, turn: usize, asked: usize) -> TurnUsage {
    session.journal.with_state(|state| {
        let ended = (state.turns.len() == turn).then(|| state.turns.last());
        let known = state.unfinished.as_ref().or(ended.flatten());
        let answers = known.map_or(&[][..], |turn| &turn.asked);
        let mut usage = TurnUsage {
            requests: asked.max(answers.len()),
            answered: answers.len(),
            ..TurnUsage::default()
        };
        for answer in answers {
            usage.tokens += answer.completion.usage;
        }
        usage
    })
}

/// The part of a program's plan that was carried out without a question.
fn unasked(session: &OpenSession, turn: usize, uid: u32) -> Option<PlanView> {
    session.journal.with_state(|state| {
        let known = state.plan_of(turn, uid)?;
        let is_unasked = matches!(
            known.decided,
            Some((PlanVerdict::Apply {}, DecidedBy::Policy | DecidedBy::Words))
        );
        let is_done = is_unasked && !known.made.is_empty();
        let (words, contents) = (&session.domain.words, session.journal.contents());
        is_done.then(|| PlanView::done(known, words, contents))
    })
}

/// What a plain yes would agree to, with the number that its plan will have.
fn proposed(session: &OpenSession, dialogue: &Session) -> Option<Box<PlanView>> {
    let Proposal { uid, plan } = dialogue.proposal()?;
    let id = session.journal.with_state(SessionState::next_plan);
    let turn = dialogue.turns().len() + 1;
    let origin = Origin::Program { turn, uid: *uid };
    let view = PlanView::new(id, origin, plan, &session.domain.words);
    Some(Box::new(view.with_file(session.journal.folder())))
}

/// Ends a turn that was cancelled before its reply. Programs that ran stay, drafts go, and an
/// abandoned apply is closed with what is known of it.
fn close_stopped(
    session: &OpenSession,
    dialogue: &mut Session,
    running: Option<u32>,
    ended: Option<&Executed>,
) -> Result<Stopped> {
    let turn = dialogue.turns().len();
    let apply = running.map(|uid| close_apply(session, turn, uid));
    let apply = apply.transpose()?.flatten();
    if session.journal.unfinished().is_some() {
        // It is not in the journal yet if its signature was being read.
        if let Some(ended) = ended {
            session.journal.executed(turn, ended)?;
        }
        session.journal.replied(turn, "", None)?;
    }
    dialogue.withdraw_proposal();
    let taken_back = dialogue.undo_draft();
    if taken_back {
        session.journal.taken_back(turn)?;
    }
    Ok(Stopped {
        running,
        taken_back,
        apply,
    })
}

/// Closes the plan of a program whose turn was cancelled during the apply. Returns what all
/// plans of the program came to, also those whose apply had ended.
fn close_apply(session: &OpenSession, turn: usize, uid: u32) -> Result<Option<Abandoned>> {
    let (open, abandoned) = session.journal.with_state(|state| {
        let mut abandoned = Abandoned {
            made: 0,
            of: 0,
            in_doubt: 0,
        };
        for known in state.plans_of(turn, uid).filter(|known| known.has_effect()) {
            abandoned.made += known.made.len();
            abandoned.of += known.planned.writes.len();
            abandoned.in_doubt += known.begun.len();
        }
        let open = state.plan_of(turn, uid).filter(|known| known.is_open());
        let open = open.map(|known| (known.planned.id, known.begun.len()));
        (open, abandoned)
    });
    if let Some((id, in_doubt)) = open {
        let steps = session.journal.plan_and_steps(id)?.1.made;
        let end = match in_doubt {
            0 => End::Stopped,
            _ => End::Unknown(Error::world("its answer was not waited for")),
        };
        let applied = Applied {
            steps,
            end,
            in_doubt,
        };
        session.journal.applied(id, &applied)?;
    }
    let has_effect = abandoned.made > 0 || abandoned.in_doubt > 0;
    Ok(has_effect.then_some(abandoned))
}
