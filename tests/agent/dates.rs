//! The date, as models are told it: which day and weekday, in every form of prompt.

use crate::agent::fake::{agent_with, block_on, zoology_agent};
use crate::support::calls::Calls;
use dialog2api::agent::{Assist, Now, Session, Settings, Unwatched};
use dialog2api::llm::Request;
use dialog2api::prompts::{Form, PromptSetting};
use expect_test::{Expect, expect};
use std::sync::Arc;

const DRAFT: &str = "<goal uid=\"1\" status=\"drafting\"><program>return ?1</program></goal>";
const ASKS: &str = "<turn>Agent: Which one?</turn>";

/// The requests of a turn in which this is said at this time.
fn requests(settings: Settings, now: Now, user: &str) -> Vec<Request> {
    let answers: &[&str] = match settings.protocol.is_instructed() {
        false => &["1 drafting\nreturn ?1", "Which one?"],
        true => &[DRAFT, ASKS],
    };
    let agent = agent_with(answers, settings);
    let mut session = Session::new();
    session.set_now(now);
    let report = block_on(agent.turn(&mut session, user, &mut Unwatched));
    assert!(report.failure.is_none(), "{:?}", report.failure);
    let requests = report.exchanges.into_iter();
    requests.map(|exchange| exchange.request).collect()
}

fn saturday() -> Now {
    Now::At("2026-11-28T23:59:59.9Z".parse().unwrap())
}

/// The lines of a request that name the day, each with the one after it that is not empty.
fn told(request: &Request) -> String {
    let texts = request.messages.iter().map(|it| it.content.as_str());
    let texts: Vec<&str> = texts.collect();
    let text = texts.join("\n");
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let mut told = String::new();
    for (at, line) in lines.iter().enumerate() {
        if line.contains("Today is") {
            let next = lines.get(at + 1).copied().unwrap_or("-");
            told += &format!("{line} | {next}\n");
        }
    }
    told
}

/// Both requests of a turn name the day once, in the same place.
fn check(form: Form, prompt: PromptSetting, user: &str, expected: Expect) {
    let settings = Settings {
        protocol: form.protocol(),
        prompt,
        ..Settings::default()
    };
    let requests = requests(settings.clone(), saturday(), user);
    let told: Vec<String> = requests.iter().map(told).collect();
    assert_eq!(told.len(), 2);
    expected.assert_eq(&told[0]);
    assert_eq!(told[0].split('|').next(), told[1].split('|').next());
    // Where nobody knows the time, nobody is told one.
    for request in self::requests(settings, Now::Unknown, user) {
        assert_eq!(self::told(&request), "");
    }
}

#[test]
fn a_chat_and_a_text_name_the_day_before_the_turn() {
    for form in [Form::Chat, Form::Text] {
        for prompt in [
            PromptSetting::Api,
            PromptSetting::Examples,
            PromptSetting::Both,
        ] {
            let settings = Settings {
                protocol: form.protocol(),
                prompt,
                ..Settings::default()
            };
            let requests = requests(settings, saturday(), "list my buckets");
            for request in requests {
                let told = told(&request);
                let (day, turn) = told.split_once(" | ").unwrap();
                assert_eq!(day, "Today is Saturday, 2026-11-28 (UTC).");
                assert!(turn.starts_with("Dialogue "), "{turn}");
                assert_eq!(told.lines().count(), 1, "{told}");
            }
        }
    }
}

#[test]
fn a_trained_model_is_told_the_day_only_where_the_words_ask_for_it() {
    let says = |user: &str, expected| check(Form::Trained, PromptSetting::Both, user, expected);
    says(
        "delete what is older than 30 days in logs",
        expect![[r#"
            (Today is Saturday, 2026-11-28 (UTC).) | -
        "#]],
    );
    for user in [
        "what was uploaded yesterday?",
        "the uploads of LAST WEEK",
        "since monday",
        "everything from February",
        "the logs of 2 March",
        "what came in the past two weeks",
        "anything younger than 2h",
        "what's today's date?",
        "a 30-day limit",
    ] {
        let requests = requests(
            Settings {
                protocol: Form::Trained.protocol(),
                ..Settings::default()
            },
            saturday(),
            user,
        );
        assert!(!told(&requests[0]).is_empty(), "{user}");
    }
    for user in [
        "list my buckets",
        "please rename sea_animals/otter.txt to sea_animals/sea_otter.txt in zoology-bucket",
        "may I see logs/2024-03-01.txt",
        "rename old/today.txt to now-and-then in daily-backups",
        "sum it up by month, and keep it for 90 days",
        "show the one from the same month instead",
        "not today, that's it for today",
        "Thursday and march were touched, too; delete the older one",
        "the second one",
        "yes, go on",
    ] {
        says(user, expect![""]);
    }
}

#[test]
fn a_world_of_a_dataset_has_its_own_day() {
    let agent = zoology_agent([DRAFT, ASKS], Arc::new(Calls), Settings::default());
    let report = block_on(agent.turn(&mut Session::new(), "list them", &mut Unwatched));
    for exchange in report.exchanges {
        let told = told(&exchange.request);
        assert!(
            told.starts_with("Today is Wednesday, 2024-05-01 (UTC)."),
            "{told}"
        );
    }
}

#[test]
fn a_reply_may_name_the_day_that_the_model_was_told() {
    let goal = "<goal uid=\"1\" status=\"final\"><program>raise ChitChat()</program></goal>";
    let says = "<turn>Agent: It is Saturday, 2026-11-28.</turn>";
    let unsupported = |now| {
        let settings = Settings {
            assist: Assist::all(),
            ..Settings::default()
        };
        let agent = agent_with(&[goal, says, says], settings);
        let mut session = Session::new();
        session.set_now(now);
        let report = block_on(agent.turn(&mut session, "which day is it?", &mut Unwatched));
        let claims = report.unsupported.into_iter().map(|claim| claim.text);
        claims.collect::<Vec<_>>()
    };
    assert_eq!(unsupported(saturday()), Vec::<String>::new());
    assert_eq!(unsupported(Now::Unknown), ["2026-11-28"]);
}
