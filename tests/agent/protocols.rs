//! A protocol that is not of this crate: it asks in one line, and is answered in one.

use crate::agent::fake::{agent_with, block_on};
use dialog2api::Result;
use dialog2api::agent::{Session, Settings, TurnReport, Unwatched};
use dialog2api::dialogue::{FormatError, Program, Stack, Status, Update};
use dialog2api::domain::Domain;
use dialog2api::llm::{Message, Role};
use dialog2api::prompts::{Again, AskedTurn, PromptSetting, Prompts, Protocol};
use dialog2api::retrieval::Task;
use expect_test::{Expect, expect};
use std::sync::Arc;

#[derive(Debug)]
struct OneLine(Again);

impl Protocol for OneLine {
    fn name(&self) -> &'static str {
        "one-line"
    }

    fn again(&self) -> Again {
        self.0
    }

    fn instructions(&self, _: &Prompts, _: PromptSetting, _: &Domain) -> Result<Message> {
        Ok(Message::new(Role::System, ""))
    }

    fn ask_programs(&self, turn: &AskedTurn<'_>) -> Result<Vec<Message>> {
        Ok(vec![Message::new(
            Role::User,
            format!("{} >", turn.query.user),
        )])
    }

    fn ask_reply(
        &self,
        _: &AskedTurn<'_>,
        written: &[Update],
        after: &Stack,
    ) -> Result<[Message; 2]> {
        let goal = written.first().and_then(|update| after.get(update.uid));
        let outcome = goal.and_then(|goal| goal.outcome.as_ref());
        Ok([
            Message::new(Role::Assistant, self.write_updates(written)),
            Message::new(Role::User, format!("{outcome:?} <")),
        ])
    }

    fn repair(&self, _: &AskedTurn<'_>, _: Task, answer: &str, finding: &str) -> Result<String> {
        Ok(format!("not {answer:?}: {finding} >"))
    }

    fn stops(&self, _: Task) -> &'static [&'static str] {
        &["\n"]
    }

    fn write_updates(&self, updates: &[Update]) -> String {
        let programs = updates.iter().filter_map(|update| update.program.as_ref());
        programs.map(Program::code).collect()
    }

    fn read_updates(&self, text: &str) -> Result<Vec<Update>, FormatError> {
        Ok(vec![Update {
            uid: 1,
            status: Status::Final,
            program: Some(Program::new(text)),
        }])
    }

    fn read_reply(&self, text: &str) -> Result<String, FormatError> {
        Ok(text.to_owned())
    }
}

/// The requests of a turn, and its reply.
fn check(again: Again, answers: &[&str], expected: Expect) {
    let settings = Settings {
        protocol: Arc::new(OneLine(again)),
        ..Settings::default()
    };
    let agent = agent_with(answers, settings);
    let report = block_on(agent.turn(&mut Session::new(), "what is there?", &mut Unwatched));
    let mut text = String::new();
    for request in report.exchanges.iter().map(|exchange| &exchange.request) {
        let asked = request.messages.iter().map(|message| &*message.content);
        let asked: Vec<&str> = asked.collect();
        text += &format!(
            "{}  [{}, {:?}]\n",
            asked.join(" | "),
            request.temperature,
            request.stop
        );
    }
    let TurnReport { reply, .. } = report;
    expected.assert_eq(&format!("{text}{reply}\n"));
}

#[test]
fn a_model_is_asked_in_one_line() {
    check(
        Again::Told,
        &["call list()", "Nothing."],
        expect![[r#"
        what is there? >  [0, ["\n"]]
        what is there? > | call list() | Some(Result(Null)) <  [0, ["\n"]]
        Nothing.
    "#]],
    );
}

#[test]
fn what_is_rejected_is_told_or_drawn_again() {
    let answers = ["call list()", "", "Nothing."];
    check(
        Again::Told,
        &answers,
        expect![[r#"
        what is there? >  [0, ["\n"]]
        what is there? > | call list() | Some(Result(Null)) <  [0, ["\n"]]
        what is there? > | call list() | Some(Result(Null)) <

        not "": it says nothing >  [0, ["\n"]]
        Nothing.
    "#]],
    );
    check(
        Again::Drawn,
        &answers,
        expect![[r#"
        what is there? >  [0, ["\n"]]
        what is there? > | call list() | Some(Result(Null)) <  [0, ["\n"]]
        what is there? > | call list() | Some(Result(Null)) <  [0.7, ["\n"]]
        Nothing.
    "#]],
    );
}
