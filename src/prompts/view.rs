//! The part of a stack that a prompt shows.
//!
//! A dialogue grows with every turn, and a prompt must not. Closed goals (final or
//! abandoned) give way, oldest first, in three stages: first their outcomes, then their
//! programs, then the goals themselves. Each stage leaves a short note of what is missing.
//! The goal that was closed last stays whole. So do open goals, up to a number of them:
//! beyond it, those that matter least are left out as well.
//!
//! Which closed goals are shortened depends on them and the limits alone. Closed goals
//! never change and new ones come after them, so what has been left out once stays left out
//! under the same limits. It happens in steps: when the goals exceed their limit, they are cut
//! to half of it. Between two steps the beginning of the stack is the same text in every
//! prompt, which model servers have in their caches.

use super::drafts;
use super::shown::{brief_outcome, cut_program, shown_outcome};
use crate::dialogue::{Goal, Stack, Status, write_stack};

/// How much a prompt shows of the turn at hand, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewLimits {
    /// The most of one outcome.
    pub outcome: usize,
    /// The most of all closed goals together.
    pub closed: usize,
    /// The most open goals. This is a number of goals.
    pub drafts: usize,
    /// The most of one program.
    pub program: usize,
    /// The most of what the agent said last.
    pub said: usize,
    /// The most of a rejected answer that a repair quotes.
    pub answer: usize,
}

impl ViewLimits {
    /// A limit for each outcome, and none for the rest of the turn.
    pub const fn of_outcomes(outcome: usize) -> Self {
        ViewLimits {
            outcome,
            closed: usize::MAX,
            drafts: usize::MAX,
            program: usize::MAX,
            said: usize::MAX,
            answer: 4000,
        }
    }
}

/// A stack as a prompt shows it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StackView {
    /// The goals that are shown.
    pub stack: Stack,
    /// Shown goals whose outcome is left out.
    pub without_outcome: usize,
    /// Of these, goals whose program is left out as well.
    pub without_program: usize,
    /// Closed goals that are not shown at all.
    pub hidden: usize,
    /// The highest uid among the hidden goals.
    pub highest_hidden: u32,
    /// Open goals that are not shown at all.
    pub hidden_drafts: usize,
    /// The highest uid among the hidden open goals.
    pub highest_hidden_draft: u32,
}

/// The three ways to show a closed goal: whole, without its outcome, and without its
/// program as well.
struct Stages {
    goals: [Goal; 3],
    /// The bytes of each, and of a hidden goal.
    sizes: [usize; 4],
}

impl Stages {
    fn of(goal: &Goal, limits: &ViewLimits) -> Self {
        let whole = shown_goal(goal, limits);
        // The note describes the outcome itself, not the part that would be shown of it.
        let brief = Goal {
            outcome: goal.outcome.as_ref().map(brief_outcome),
            ..whole.clone()
        };
        let brief = shorter(brief, &whole);
        let bare = Goal {
            program: cut_program(&goal.program, 0),
            ..brief.clone()
        };
        let bare = shorter(bare, &brief);
        let sizes = [size(&whole), size(&brief), size(&bare), 0];
        Stages {
            goals: [whole, brief, bare],
            sizes,
        }
    }
}

fn shown_goal(goal: &Goal, limits: &ViewLimits) -> Goal {
    Goal {
        uid: goal.uid,
        status: goal.status,
        program: cut_program(&goal.program, limits.program),
        outcome: (goal.outcome.as_ref()).map(|outcome| shown_outcome(outcome, limits.outcome)),
        signature: goal.signature.clone(),
    }
}

/// A note may be longer than what it stands for.
fn shorter(goal: Goal, than: &Goal) -> Goal {
    if size(&goal) < size(than) {
        goal
    } else {
        than.clone()
    }
}

fn size(goal: &Goal) -> usize {
    const AROUND: usize = "<stack></stack>".len();
    let alone = Stack::from_goals(vec![goal.clone()]).unwrap_or_default();
    write_stack(&alone).len().saturating_sub(AROUND)
}

/// For each stage the number of goals, from the oldest, that have reached it.
///
/// Goes through the goals as they were closed, so that a longer dialogue repeats every
/// decision of a shorter one.
fn reached(stages: &[Stages], limit: usize) -> [usize; 3] {
    let mut reached = [0; 3];
    let mut total = 0usize;
    for (newest, stage) in stages.iter().enumerate() {
        total += stage.sizes[0];
        for kind in 0..3 {
            if total <= limit {
                break;
            }
            while total > limit / 2 && reached[kind] < newest {
                let sizes = stages[reached[kind]].sizes;
                total -= sizes[kind] - sizes[kind + 1];
                reached[kind] += 1;
            }
        }
    }
    reached
}

impl StackView {
    /// The part of a stack that fits these limits.
    pub fn new(stack: &Stack, limits: &ViewLimits) -> Self {
        StackView::after(stack, "", limits)
    }

    /// The part of a stack that fits these limits, after this was said. Open goals that are
    /// named in it give way later than others.
    pub fn after(stack: &Stack, said: &str, limits: &ViewLimits) -> Self {
        let goals = stack.goals().iter();
        let open = goals.rev().filter(|goal| !is_closed(goal));
        let open = open.map(|goal| (goal.uid, Some(&goal.program)));
        let kept = (limits.drafts < usize::MAX).then(|| drafts::kept(open, said, limits.drafts));
        let is_hidden_draft = |goal: &Goal| {
            let is_kept = kept.as_ref().is_none_or(|kept| kept.contains(&goal.uid));
            !is_closed(goal) && !is_kept
        };
        let hidden_drafts = stack.goals().iter().filter(|goal| is_hidden_draft(goal));
        let view = StackView {
            hidden_drafts: hidden_drafts.clone().count(),
            highest_hidden_draft: hidden_drafts.map(|goal| goal.uid).max().unwrap_or_default(),
            ..StackView::default()
        };
        if limits.closed == usize::MAX {
            let goals = stack.goals().iter().filter(|goal| !is_hidden_draft(goal));
            return StackView {
                stack: of_goals(goals.map(|goal| shown_goal(goal, limits)).collect()),
                ..view
            };
        }
        let closed = stack.goals().iter().filter(|goal| is_closed(goal));
        let stages: Vec<Stages> = closed.map(|goal| Stages::of(goal, limits)).collect();
        let [without_outcome, without_program, hidden] = reached(&stages, limits.closed);
        let highest_hidden = (stages.iter().take(hidden))
            .map(|stage| stage.goals[0].uid)
            .max();
        let mut closed = stages.into_iter().enumerate();
        let goals = stack.goals().iter().filter_map(|goal| {
            if !is_closed(goal) {
                return (!is_hidden_draft(goal)).then(|| shown_goal(goal, limits));
            }
            let (place, stages) = closed.next()?;
            let [whole, brief, bare] = stages.goals;
            if place < hidden {
                None
            } else if place < without_program {
                Some(bare)
            } else if place < without_outcome {
                Some(brief)
            } else {
                Some(whole)
            }
        });
        StackView {
            stack: of_goals(goals.collect()),
            without_outcome: without_outcome - hidden,
            without_program: without_program - hidden,
            hidden,
            highest_hidden: highest_hidden.unwrap_or_default(),
            ..view
        }
    }
}

fn is_closed(goal: &Goal) -> bool {
    goal.status != Status::Drafting
}

/// The uids of a stack are distinct, so the goals of one always make another.
fn of_goals(goals: Vec<Goal>) -> Stack {
    Stack::from_goals(goals).unwrap_or_default()
}
