//! The training dialogues teach what really happens: every recorded outcome is
//! what the sandbox gives in the dialogue's world.

use crate::support::sandbox;
use dialog2api::dialogue::{Outcome, Program, ProgramError, Status, read_conversation};
use dialog2api::domain::Domain;
use dialog2api::domain::s3::{self, S3};
use dialog2api::exec::{Limits, Seed};
use std::collections::BTreeMap;

#[tokio::test]
async fn recorded_outcomes_are_what_the_sandbox_gives() {
    for (name, text) in S3.examples() {
        let conversation = read_conversation(text).unwrap();
        let world = conversation
            .attributes
            .iter()
            .find(|(name, _)| name == "world");
        let world = s3::open(&world.unwrap().1).unwrap();
        let mut programs: BTreeMap<u32, Program> = BTreeMap::new();
        for goal in conversation.turns.iter().flat_map(|turn| &turn.goals) {
            if let Some(program) = &goal.program {
                programs.insert(goal.uid, program.clone());
            }
            if goal.status != Status::Final {
                continue;
            }
            let code = programs[&goal.uid].code();
            let ran = sandbox()
                .await
                .run(code, &world, &Limits::default(), &Seed::default())
                .await
                .unwrap();
            let outcome = match ran.outcome {
                Outcome::Error(error) => Outcome::Error(ProgramError {
                    traceback: None,
                    ..error
                }),
                result => result,
            };
            assert_eq!(Some(outcome), goal.outcome, "{name}, goal {}", goal.uid);
        }
    }
}
