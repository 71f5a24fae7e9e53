//! Turns share what the turns before gave: nothing is copied that is large.

use crate::agent::fake::{agent, block_on, goal};
use dialog2api::agent::{Session, Unwatched};
use std::sync::Arc;

#[test]
fn the_outcome_of_a_turn_is_kept_once_however_many_turns_follow() {
    let large = format!("return \"{}\"", "x".repeat(100_000));
    let mut answers = vec![goal(1, "final", &large), "<turn>Agent: Long.</turn>".into()];
    for uid in 2..12 {
        answers.push(goal(uid, "drafting", "put a/late ?1"));
        answers.push("<turn>Agent: What is to be in it?</turn>".into());
    }
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    let agent = agent(&answers);
    let mut session = Session::new();
    block_on(agent.turn(&mut session, "the long text", &mut Unwatched));
    let first = session.stack().goals()[0].clone();
    for number in 0..10 {
        let text = format!("prepare {number}");
        block_on(agent.turn(&mut session, &text, &mut Unwatched));
    }
    let last = session.stack().goals();
    assert_eq!(last.len(), 11);
    assert!(Arc::ptr_eq(&first, &last[0]), "the outcome was copied");
    // The stack, the ten that turns started from, and the one that is held here.
    assert_eq!(Arc::strong_count(&first), 1 + 10 + 1);
}
