//! Answers that are not whole: nothing of them runs or is said, and they are not asked for again.

use crate::agent::fake::{agent_with, block_on, check, goal};
use dialog2api::agent::{Failure, Session, Settings, Unwatched};
use dialog2api::llm::CutOffKind;
use dialog2api::prompts::Form;
use expect_test::expect;

/// The reasons, in the words of many providers.
const REASONS: [(&str, CutOffKind); 16] = [
    ("length", CutOffKind::Length),
    ("max_tokens", CutOffKind::Length),
    ("MAX_TOKENS", CutOffKind::Length),
    ("model_context_window_exceeded", CutOffKind::Length),
    ("content_filter", CutOffKind::Filter),
    ("content_filtered", CutOffKind::Filter),
    ("guardrail_intervened", CutOffKind::Filter),
    ("SAFETY", CutOffKind::Filter),
    ("refusal", CutOffKind::Refusal),
    ("error", CutOffKind::BrokenOff),
    ("abort", CutOffKind::BrokenOff),
    ("tool_calls", CutOffKind::Other),
    ("tool_use", CutOffKind::Other),
    ("function_call", CutOffKind::Other),
    ("pause_turn", CutOffKind::Other),
    ("no_reason_that_anybody_knows", CutOffKind::Other),
];

/// Part of a program can be a program: the whole one was `return 3 - 1`.
#[test]
fn half_a_program_is_never_run_whatever_cut_it_off() {
    let whole = goal(1, "final", "return 3");
    for form in [Form::Chat, Form::Text, Form::Trained] {
        let whole = match form {
            Form::Trained => "1 final\nreturn 3",
            _ => &whole,
        };
        for (reason, kind) in REASONS {
            let settings = Settings {
                protocol: form.protocol(),
                ..Settings::default()
            };
            // There is no second answer: the script would panic.
            let agent = agent_with(&[&format!("CUT {reason} {whole}")], settings);
            let mut session = Session::new();
            let report = block_on(agent.turn(&mut session, "three less one", &mut Unwatched));
            match &report.failure {
                Some(Failure::CutOff { cut_off, .. }) => assert_eq!(cut_off.kind, kind, "{reason}"),
                other => panic!("{reason}: {other:?}"),
            }
            assert!(report.executed.is_empty() && report.updates.is_empty());
            assert!(session.stack().goals().is_empty());
            assert!(report.reply.contains(reason), "{}", report.reply);
        }
    }
}

#[test]
fn whole_answers_are_those_of_every_provider() {
    for reason in [
        "stop",
        "eos",
        "eos_token",
        "end_turn",
        "stop_sequence",
        "STOP",
        "COMPLETE",
    ] {
        let program = format!("CUT {reason} {}", goal(1, "final", "return 3"));
        let reply = format!("CUT {reason} <turn>Agent: Three.</turn>");
        let agent = agent_with(&[&program, &reply], Settings::default());
        let mut session = Session::new();
        let report = block_on(agent.turn(&mut session, "three", &mut Unwatched));
        assert_eq!(report.reply, "Three.");
    }
}

#[test]
fn the_user_hears_what_to_do() {
    check(
        &[
            "CUT length <goal uid=\"1\"",
            "CUT content_filter <goal uid",
            "CUT refusal I can",
        ],
        &["list a path of 6,000 letters", "delete it", "delete it"],
        expect![[r#"
            User: list a path of 6,000 letters
              asking for Program
              unusable: the answer was cut off: it became too long (length)
            Agent: Sorry, the model's answer was cut off, so it was not used: it became too long (length). Nothing was changed; please ask for less at once, or use shorter names: the answer has to repeat them.
            User: delete it
              asking for Program
              unusable: the answer was cut off: a filter of the provider ended it (content_filter)
            Agent: Sorry, the model's answer was cut off, so it was not used: a filter of the provider ended it (content_filter). Nothing was changed; please say it in other words, or use another model.
            User: delete it
              asking for Program
              unusable: the answer was cut off: the model refused (refusal)
            Agent: Sorry, the model's answer was cut off, so it was not used: the model refused (refusal). Nothing was changed; please say it in other words, or use another model.
            <stack>
            </stack>
            goes on from: How can I help you?
        "#]],
    );
}

#[test]
fn a_reply_that_is_not_whole_is_not_said() {
    let (_, reports) = check(
        &[
            &goal(1, "final", "return 3"),
            "CUT length <turn>Agent: There are three hundr",
        ],
        &["how many?"],
        expect![[r#"
            User: how many?
              asking for Program
              goal 1 runs
              goal 1 gave Result(Number(3))
              asking for Response
              unusable: the answer was cut off: it became too long (length)
            Agent: Done. The result is 3
            <stack>
            <goal uid="1" status="final">
            <program>
            return 3
            </program>
            <result>3</result>
            <error/>
            </goal>
            </stack>
            goes on from: Done. The result is 3
        "#]],
    );
    assert!(reports[0].plain);
}

/// An answer that breaks a rule is asked for again; the second one is cut off.
#[test]
fn a_repair_that_is_not_whole_is_the_last() {
    let (_, reports) = check(
        &["nonsense", "CUT length <goal uid=\"1\" status=\"final\">"],
        &["count"],
        expect![[r#"
            User: count
              asking for Program
              unusable: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `nonsense`
              asking for Program again
              unusable: the answer was cut off: it became too long (length)
            Agent: Sorry, the model's answer was cut off, so it was not used: it became too long (length). Nothing was changed; please ask for less at once, or use shorter names: the answer has to repeat them.
            <stack>
            </stack>
            goes on from: How can I help you?
        "#]],
    );
    assert_eq!(reports[0].exchanges.len(), 2);
}
