//! Answers that a provider cut off, as users and evaluations meet them.

use super::support::{Home, goal, says};
use crate::support::scripted_http::{Answer, Server, stream};
use expect_test::expect;
use serde_json::json;

/// Half an answer, and why there is no more.
fn half(text: &str, reason: &str) -> Answer {
    let pieces = [
        json!({"choices": [{"index": 0, "delta": {"content": text}}]}),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}),
    ];
    stream(pieces.map(|piece| format!("data: {piece}\n\n")).concat())
}

/// Half of it is a program: the whole one was `return 5 - 2`.
const HALF: &str = "<goal uid=\"1\" status=\"final\">\n<program>\nreturn 5\n</program></goal>";

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_chat_says_what_to_do_and_asks_once() {
    let server = Server::start(vec![half(HALF, "length"), half(HALF, "content_filter")]).await;
    let home = Home::new();
    home.write("script.txt", "list this path: aaaa\ndelete it\n");
    let mut command = home.ready("chat --model openai:m --script script.txt --base-url");
    command.arg(server.base_url());
    home.check(command, "", expect![[r#"
        Agent: How can I help you?

        You: list this path: aaaa

        Agent: Sorry, the model's answer was cut off, so it was not used: it became too long (length). Nothing was changed; please ask for less at once, or use shorter names: the answer has to repeat them.

        You: delete it

        Agent: Sorry, the model's answer was cut off, so it was not used: a filter of the provider ended it (content_filter). Nothing was changed; please say it in other words, or use another model.

        -- exit 1 --
    "#]]);
    assert_eq!(server.requests().len(), 2);
}

/// A recording answers as its model did, cut off or not.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_recording_of_half_an_answer_is_half_an_answer() {
    let server = Server::start(vec![half(HALF, "content_filter")]).await;
    let home = Home::new();
    home.write("script.txt", "delete it\n");
    let chat = "chat --script script.txt --model";
    let mut command = home.ready(&format!("{chat} openai:m --record kept.jsonl --base-url"));
    command.arg(server.base_url());
    let first = command.output().expect("it starts");
    let again = home.command(&format!("{chat} replay:kept.jsonl"));
    let again = { again }.output().expect("it starts");
    let said = String::from_utf8_lossy(&first.stdout).into_owned();
    assert!(
        said.contains("a filter of the provider ended it (content_filter)"),
        "{said}"
    );
    assert_eq!(said, String::from_utf8_lossy(&again.stdout));
}

/// A dialogue of two turns; the truth of the first runs nothing.
const TWO: &str = "\
<conversation uid=\"two-1\" goal=\"two\" world=\"empty\">
<turns>
<turn>Agent: Hello.</turn>
<turn>User: two and something?</turn>
<goal uid=\"1\" status=\"drafting\">
<program>
return 2 + ?1
</program>
</goal>
<turn>Agent: And what?</turn>
<turn>User: three</turn>
<goal uid=\"1\" status=\"final\">
<program>
return 2 + 3
</program>
<result>5</result>
<error/>
<signature>bc35a5a2</signature>
</goal>
<turn>Agent: 5</turn>
</turns>
</conversation>
";

/// The lines of `score` that have these words.
fn scored(home: &Home, words: &[&str]) -> String {
    let score = home
        .command("score --partial out")
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&score.stdout).into_owned();
    let lines = said
        .lines()
        .filter(|line| words.iter().any(|word| line.contains(word)));
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n")
        .collect()
}

/// Doing nothing has the true signature in the first turn, so only the failure makes it wrong.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_evaluation_has_a_class_for_it_and_prints_what_score_prints() {
    for (first, class) in [
        (half(HALF, "content_filter"), "answer cut off 1 1"),
        (half(HALF, "length"), "answer cut off 1 1"),
        (says("nonsense"), "unparsable 1 1"),
    ] {
        let home = Home::new();
        std::fs::create_dir_all(home.path("set/test")).expect("a folder");
        home.write("set/test/two-1.xml", TWO);
        let cut = class.starts_with("answer");
        let mut script = vec![first];
        // What cannot be read is asked for again; what was cut off is not.
        script.extend((!cut).then(|| says("nonsense")));
        script.extend([
            says(&goal(1, "final", "return 5")),
            says("<turn>Agent: 5</turn>"),
        ]);
        let server = Server::start(script).await;
        let mut command = home.ready(
            "eval --model openai:m --dataset set --examples builtin --setting a --out out --base-url",
        );
        command.arg(server.base_url());
        let output = command.output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            said.contains("1 of 1 dialogue is finished, EMR 0.0 % (strict 0.0 %)."),
            "{said}"
        );
        let found = scored(&home, &["EMR, %", "cut off", "unparsable"]);
        assert!(found.contains(&format!("{class}\n")), "{found}");
        assert!(
            found.lines().any(|line| line.starts_with("EMR, % 0.0")),
            "{found}"
        );
        let log = home.read("out/log.jsonl");
        assert_eq!(log.contains("\"kind\":\"cut-off\""), cut, "{log}");
    }
}
