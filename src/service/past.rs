//! The turns of a session that goes on, as far as its dialogue has them.

use super::view::{ProgramRun, Reply, TurnEnd, TurnUsage, TurnView};
use crate::dialogue::{Goal, Program, Violation};
use crate::exec::EndedBy;
use crate::journal::SessionState;
use std::collections::HashMap;
use std::sync::Arc;

/// The turns that ended, as far as the journal has them.
pub(super) fn turns(state: &SessionState) -> Result<Vec<TurnView>, Vec<Violation>> {
    let dialogue = state.transcript("past")?;
    let mut programs: HashMap<u32, Program> = HashMap::new();
    let mut views = Vec::new();
    let mut checked = state.checked().into_iter();
    for (index, turn) in dialogue.turns.into_iter().enumerate() {
        let (mut goals, mut runs) = (Vec::new(), Vec::new());
        for goal in turn.goals {
            if goal.outcome.is_some() {
                runs.push(ProgramRun {
                    uid: goal.uid,
                    output: String::new(),
                    elapsed_us: 0,
                    calls: Arc::default(),
                    ended_by: EndedBy::Program,
                });
            }
            if let Some(program) = goal.program {
                programs.insert(goal.uid, program);
            }
            let program = programs.get(&goal.uid).cloned();
            goals.push(Goal {
                uid: goal.uid,
                status: goal.status,
                program: program.unwrap_or_else(|| Program::new("")),
                outcome: goal.outcome,
                signature: goal.signature,
            });
        }
        let checked = checked.next().flatten().unwrap_or_default();
        views.push(TurnView {
            turn: index + 1,
            user: turn.user,
            goals,
            runs,
            unasked: Vec::new(),
            proposed: None,
            changes: Arc::default(),
            end: TurnEnd::Replied(Reply {
                text: turn.response.unwrap_or_default(),
                unsupported: checked.doubts,
                plain: checked.plain,
                failure: None,
                ends_dialogue: false,
            }),
            notes: Vec::new(),
            usage: TurnUsage::default(),
        });
    }
    Ok(views)
}
