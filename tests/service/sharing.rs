//! Turns share what the turns before gave: nothing is copied that is large.

use crate::plan::lab::block_on;
use crate::service::lab::{Lab, goal};
use std::sync::Arc;

#[test]
fn the_outcome_of_a_turn_is_kept_once_however_many_turns_follow() {
    block_on(async {
        let lab = Lab::new();
        let large = format!("return \"{}\"", "x".repeat(100_000));
        let mut answers = vec![goal(1, "final", &large), "<turn>Agent: Long.</turn>".into()];
        for uid in 2..12 {
            answers.push(goal(uid, "drafting", "put a/late ?1"));
            answers.push("<turn>Agent: What is to be in it?</turn>".into());
        }
        let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
        let mut talk = lab.open(&answers).await;
        talk.say("the long text").await;
        let first = talk.conversation.stack().await.remove(0);
        for number in 0..10 {
            talk.say(&format!("prepare {number}")).await;
        }
        let last = talk.conversation.stack().await;
        assert_eq!(last.len(), 11);
        assert!(Arc::ptr_eq(&first, &last[0]), "the outcome was copied");
        // The stack, the ten that turns started from, and the two that are held here.
        assert_eq!(Arc::strong_count(&first), 1 + 10 + 2);
    });
}
