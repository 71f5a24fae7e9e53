//! A sandbox without an interpreter, whose programs are calls.

use crate::plan::lab::read;
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::agent::Sandbox;
use dialog2api::dialogue::{Outcome, ProgramError};
use dialog2api::domain::World;
use dialog2api::exec::{CallRecord, EndedBy, Execution, Limits, Seed};
use std::sync::Arc;
use std::time::Duration;

/// Runs `return JSON`, `raise NAME` and the calls of the lab of plans.
pub struct Calls;

#[async_trait]
impl Sandbox for Calls {
    async fn run(
        &self,
        program: &str,
        world: &Arc<dyn World>,
        _: &Limits,
        _: &Seed,
    ) -> Result<Execution> {
        let mut outcome = Outcome::Result(serde_json::Value::Null);
        let mut calls = Vec::new();
        for line in program.lines() {
            match line.split_once(' ') {
                Some(("return", json)) => {
                    outcome = Outcome::Result(serde_json::from_str(json).unwrap());
                }
                Some(("raise", name)) => {
                    outcome = Outcome::Error(ProgramError {
                        error: name.to_owned(),
                        message: "it was told to".to_owned(),
                        traceback: Some("line 1".to_owned()),
                    });
                }
                _ => {
                    let (operation, params) = read(line);
                    let answer = world.call(operation, &params).await?;
                    calls.push(CallRecord {
                        operation: operation.to_owned(),
                        error: answer.err().map(|refusal| refusal.code),
                    });
                }
            }
        }
        Ok(Execution {
            outcome,
            calls: calls.into(),
            output: String::new(),
            elapsed: Duration::from_micros(1234),
            ended_by: EndedBy::Program,
            unread: Vec::new(),
            touched: None,
        })
    }

    async fn check(&self, _: &str) -> Result<Option<ProgramError>> {
        Ok(None)
    }
}
