//! `dialog2api eval`.

use crate::cli::support::{Home, goal, model};
use crate::support::command::kill;
use crate::support::scripted_http::{Answer, Server};
use expect_test::expect;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

/// A dialogue of one turn.
pub const ONE: &str = "\
<conversation uid=\"one-1\" goal=\"one\" world=\"empty\">
<turns>
<turn>Agent: Hello.</turn>
<turn>User: two and three?</turn>
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

/// A home with a dataset of one dialogue to test on, and one to learn from.
pub fn home() -> Home {
    let home = Home::new();
    for (part, uid) in [("test", "one-1"), ("train", "two-1")] {
        std::fs::create_dir_all(home.path(&format!("set/{part}"))).expect("a folder");
        let text = ONE.replace("one-1", uid);
        let text = text.replace("goal=\"one\"", &format!("goal=\"{uid}\""));
        home.write(&format!("set/{part}/{uid}.xml"), &text);
    }
    home
}

#[test]
fn a_model_that_cannot_be_asked_ends_the_run_at_the_first_dialogue() {
    let home = home();
    let text = ONE.replace("one-1", "one-2");
    home.write("set/test/one-2.xml", &text);
    home.check(
        home.ready("eval --model local:none.gguf --dataset set --out out"),
        "",
        expect![[r#"
        -- stderr --
        error: there is no model file none.gguf
        -- exit 2 --
    "#]],
    );
}

#[test]
fn a_baseline_is_run_and_gone_on_with() {
    let home = home();
    let command = "eval --model ground-truth --dataset set --out out";
    home.check(
        home.ready(command),
        "",
        expect![[r#"
        -- stderr --
        out: 1 of 1 dialogue is finished, EMR 100.0 % (strict 100.0 %).
        -- exit 0 --
    "#]],
    );
    home.check(
        home.command(command),
        "",
        expect![[r#"
        -- stderr --
        error: out has a run already: --resume goes on with it, and another --out begins anew
        -- exit 2 --
    "#]],
    );
    // The long form is the same command.
    let command = "eval run --model ground-truth --dataset set --out out --resume";
    home.check(
        home.command(command),
        "",
        expect![[r#"
        -- stderr --
        out: 1 of 1 dialogue is finished, EMR 100.0 % (strict 100.0 %).
        -- exit 0 --
    "#]],
    );
    let quiet = "--quiet eval --model do-nothing --dataset set --out nothing";
    home.check(
        home.command(quiet),
        "",
        expect![[r#"
        -- exit 0 --
    "#]],
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_behind_a_server_is_asked_twice_a_turn() {
    let home = home();
    let server = model(&[&goal(1, "final", "return 5"), "<turn>Agent: 5</turn>"]).await;
    let command = |out: &str| {
        let url = server.base_url();
        let options = "--dataset set --cache answers.jsonl";
        home.ready(&format!(
            "eval -m openai:x --base-url {url} {options} --out {out}"
        ))
    };
    home.check(
        command("one"),
        "",
        expect![[r#"
        -- stderr --
        one: 1 of 1 dialogue is finished, EMR 100.0 % (strict 100.0 %).
        -- exit 0 --
    "#]],
    );
    // All answers are there.
    home.check(
        command("two"),
        "",
        expect![[r#"
        -- stderr --
        two: 1 of 1 dialogue is finished, EMR 100.0 % (strict 100.0 %).
        -- exit 0 --
    "#]],
    );
    assert_eq!(server.requests().len(), 2);
    assert_eq!(home.read("one/log.jsonl"), home.read("two/log.jsonl"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_is_a_dialogue_that_is_not_finished() {
    let home = home();
    let command = "eval --model openai:x --base-url http://127.0.0.1:1/v1 --dataset set --out out";
    std::fs::create_dir_all(home.path(".config/dialog2api")).expect("a folder");
    home.write(
        ".config/dialog2api/config.toml",
        "[model]\nmax_retries = 0\n",
    );
    home.check(home.ready(command), "", expect![[r#"
        -- stderr --
        warning: one-1, turn 1: the model did not answer: cannot connect to http://127.0.0.1:PORT/v1: Connection refused (os error 111). Start a server there (llama-server -m MODEL.gguf --host 127.0.0.1 --port 1), or name another with --base-url or OPENAI_BASE_URL
        out: 0 of 1 dialogue is finished.
        The same command with --resume tries the others once more.
        -- exit 1 --
    "#]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_waits_for_the_turn_and_a_second_one_does_not() {
    let home = home();
    let server = Server::start(vec![Answer::Silence(Vec::new())]).await;
    let url = server.base_url();
    let mut command = home.ready(&format!(
        "eval --model openai:x --base-url {url} --dataset set --out out"
    ));
    let mut running = command.stderr(Stdio::piped()).spawn().expect("it starts");
    while server.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    kill("-INT", running.id());
    let mut errors = BufReader::new(running.stderr.take().expect("a pipe"));
    let mut said = String::new();
    errors.read_line(&mut said).expect("text");
    kill("-INT", running.id());
    errors.read_to_string(&mut said).expect("text");
    let code = running.wait().expect("it ends").code();
    expect![[r#"
        Stopping after the turns under way. Ctrl-C again stops at once.
        Stopped at once. The same command with --resume goes on.
        -- exit Some(1) --
    "#]]
    .assert_eq(&format!("{said}-- exit {code:?} --\n"));
    // What was begun is gone on with.
    let server = model(&[&goal(1, "final", "return 5"), "<turn>Agent: 5</turn>"]).await;
    let url = server.base_url();
    let command = home.command(&format!(
        "eval --model openai:x --base-url {url} --dataset set --out out --resume"
    ));
    home.check(
        command,
        "",
        expect![[r#"
        -- stderr --
        out: 1 of 1 dialogue is finished, EMR 100.0 % (strict 100.0 %).
        -- exit 0 --
    "#]],
    );
}

#[test]
fn shards_are_joined() {
    let home = home();
    home.write("set/test/six-1.xml", &ONE.replace("one-1", "six-1"));
    let command = "eval --model ground-truth --dataset set --quiet";
    for (shard, out) in [("", "whole"), ("--shard 1/2", "a"), ("--shard 2/2", "b")] {
        let output = home
            .ready(&format!("{command} {shard} --out {out}"))
            .output();
        assert!(output.expect("it starts").status.success());
    }
    home.check(
        home.command("eval merge joined b a"),
        "",
        expect![[r#"
        -- stderr --
        joined: 2 shards joined; all 2 dialogues are finished (2 turns)
        -- exit 0 --
    "#]],
    );
    for name in ["run.json", "log.jsonl"] {
        let (joined, whole) = (format!("joined/{name}"), format!("whole/{name}"));
        assert_eq!(home.read(&joined), home.read(&whole));
    }
    home.check(
        home.command("eval merge again a a"),
        "",
        expect![[r#"
        -- stderr --
        error: a: is shard 1 of 2, as is a
        -- exit 1 --
    "#]],
    );
    home.check(
        home.command("eval merge again a whole"),
        "",
        expect![[r#"
        -- stderr --
        error: whole: is a whole run, and no shard of one
        -- exit 1 --
    "#]],
    );
}

#[test]
fn what_has_no_meaning_is_said_before_anything_runs() {
    let home = home();
    for (words, expected) in [
        (
            "eval --model ground-truth",
            expect![[r#"
            -- stderr --
            error: name a folder for the log: --out DIR
            -- exit 2 --
        "#]],
        ),
        (
            "eval --model ground-trooth --out out",
            expect![[r#"
                -- stderr --
                error: `ground-trooth` names no model (openai:ground-trooth?). There are openai:NAME (an OpenAI-compatible server), anthropic:NAME, bedrock:MODEL_ID, local:NAME (run on this machine), replay:FILE (a recorded dialogue), script:FILE (answers in a file, in order)
                Without any model there are ground-truth, do-nothing, nearest-example, random-example
                -- exit 2 --
            "#]],
        ),
        (
            "eval --model x --out out --shard 5/4",
            expect![[r#"
            -- stderr --
            error: invalid value '5/4' for '--shard <I/N>': a shard is its number and how many there are: 1/4 to 4/4

            For more information, try '--help'.
            -- exit 2 --
        "#]],
        ),
        (
            "eval --model x --out out --split tests",
            expect![[r#"
            -- stderr --
            error: invalid value 'tests' for '--split <PART>': a part is train, test or all

            For more information, try '--help'.
            -- exit 2 --
        "#]],
        ),
        (
            "eval --model ground-truth --out out --dataset nowhere",
            expect![[r#"
                -- stderr --
                error: cannot read nowhere: No such file or directory (os error 2)
                -- exit 1 --
            "#]],
        ),
        (
            "eval --model ground-truth --out out --dataset set --limit 0",
            expect![[r#"
                -- stderr --
                error: invalid value '0' for '--limit <N>': 0 is not in 1..=4294967295

                For more information, try '--help'.
                -- exit 2 --
            "#]],
        ),
        (
            "eval --model ground-truth --out out --dataset set --shard 2/2",
            expect![[r#"
                -- stderr --
                error: this shard has no dialogue, since there are only 1; use fewer shards
                -- exit 2 --
            "#]],
        ),
    ] {
        home.check(home.ready(words), "", expected);
    }
}

/// A home with a dataset that has a test part alone, and one with both parts.
fn without_training_part() -> Home {
    let home = home();
    std::fs::create_dir_all(home.path("own/test")).expect("a folder");
    home.write("own/test/one-1.xml", ONE);
    home
}

/// What `run.json` says of the dataset, without the digests.
fn dataset_of(home: &Home, out: &str) -> String {
    let run = home.read(&format!("{out}/run.json"));
    let run: serde_json::Value = serde_json::from_str(&run).expect("JSON");
    let dataset = &run["dataset"];
    format!("{} with {}", dataset["name"], dataset["examples"])
}

#[test]
fn a_dataset_without_a_training_part_has_the_examples_that_come_with_the_program() {
    let home = without_training_part();
    home.check(
        home.ready("eval --model nearest-example --dataset own --out a"),
        "",
        expect![[r#"
            -- stderr --
            note: own has no training part: the examples are those that come with the program (--examples builtin)
            a: 1 of 1 dialogue is finished, EMR 0.0 % (strict 0.0 %).
            -- exit 0 --
        "#]],
    );
    // These look at no example, so that nothing need be said of them.
    home.check(
        home.command("eval --model ground-truth --dataset own --out b"),
        "",
        expect![[r#"
            -- stderr --
            b: 1 of 1 dialogue is finished, EMR 100.0 % (strict 100.0 %).
            -- exit 0 --
        "#]],
    );
    // They have a name, also beside a training part.
    home.check(
        home.command("eval --model nearest-example --dataset set --examples builtin --out c"),
        "",
        expect![[r#"
            -- stderr --
            c: 1 of 1 dialogue is finished, EMR 0.0 % (strict 0.0 %).
            -- exit 0 --
        "#]],
    );
    let names: Vec<String> = ["a", "b", "c"]
        .iter()
        .map(|out| dataset_of(&home, out))
        .collect();
    expect![[r#"
        "own" with "builtin"
        "own" with null
        "set" with "builtin""#]]
    .assert_eq(&names.join("\n"));
}

#[test]
fn test_dialogues_are_no_examples() {
    let home = without_training_part();
    home.check(
        home.ready("eval --model nearest-example --dataset own --examples set --out a"),
        "",
        expect![[r#"
            -- stderr --
            note: 1 test dialogue of set is no example and was left out
            a: 1 of 1 dialogue is finished, EMR 100.0 % (strict 100.0 %).
            -- exit 0 --
        "#]],
    );
    expect![[r#""own" with "set/train""#]].assert_eq(&dataset_of(&home, "a"));
    for examples in ["own", "set/test", "set/test/one-1.xml"] {
        let command = format!("eval --model nearest-example --dataset set --examples {examples}");
        let output = home.command(&format!("{command} --out b")).output();
        let seen = home.seen(&output.expect("it starts"));
        let expected = expect![[r#"
            -- stderr --
            error: NAMED: has only test dialogues. A model must not be shown what it is scored on: name training dialogues or `builtin` (those that come with the program)
            -- exit 1 --
        "#]];
        expected.assert_eq(&seen.replace(&format!("{examples}:"), "NAMED:"));
    }
}

#[test]
fn a_score_names_the_dataset_and_the_examples_and_claims_nothing_else_of_them() {
    let home = home();
    let command = home
        .ready("--quiet eval --model ground-truth --dataset set --out out")
        .output();
    assert!(command.expect("it starts").status.success());
    let output = home.command("score out").output().expect("it starts");
    let seen = home.seen(&output);
    let head: Vec<&str> = seen.lines().take(9).collect();
    expect![[r#"
        ground-truth · end to end · setting (c), K 5, α 1, bm25 · test, 1 dialogue × 1 epoch
        dataset set (e80186a2) · examples set/train (e25ddb4f)
        1 of 1 dialogue finished and scored, 1 turn

                                             EMR %    BLEU  code edits
        this run (c)                         100.0     0.0           –
        paper: Codex Davinci (c)              33.0    29.5        13.2
        paper: Bloom 176B (c)                  4.4    10.9        27.6
        paper: GPT-NeoX 20B (c)                2.6    13.1        23.5"#]]
    .assert_eq(&head.join("\n"));
}

#[test]
fn a_run_goes_on_wherever_its_dataset_lies_now() {
    let home = home();
    let first = home
        .ready("--quiet eval --model ground-truth --dataset set --out out")
        .output();
    assert!(first.expect("it starts").status.success());
    std::fs::rename(home.path("set"), home.path("moved")).expect("it moves");
    home.check(
        home.command("eval --model ground-truth --dataset moved --out out --resume"),
        "",
        expect![[r#"
            -- stderr --
            out: 1 of 1 dialogue is finished, EMR 100.0 % (strict 100.0 %).
            -- exit 0 --
        "#]],
    );
}

#[test]
fn dialogues_of_worksheets_are_evaluated_as_others() {
    let home = Home::new();
    let sheets = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/worksheets-archive");
    let command = "eval --model ground-truth --assist none --out out --domain";
    home.check(
        home.ready(&format!("{command} {sheets}")),
        "",
        expect![[r#"
        -- stderr --
        out: 4 of 4 dialogues are finished, EMR 100.0 % (strict 100.0 %).
        -- exit 0 --
    "#]],
    );
    home.check(
        home.command(&format!("worksheet score {sheets} out")),
        "",
        expect![[r#"
            4 dialogues, 20 turns
                                                 all            95 %     turns dialogues
            parse precision                    100.0  100.0 to 100.0     100.0     100.0
            parse recall                       100.0  100.0 to 100.0     100.0     100.0
            parse F1                           100.0  100.0 to 100.0     100.0     100.0
            parse recall without values        100.0  100.0 to 100.0     100.0     100.0
            act recall                         100.0  100.0 to 100.0     100.0     100.0
            act F1                             100.0  100.0 to 100.0     100.0     100.0
            execution precision                100.0  100.0 to 100.0     100.0     100.0
            execution recall                   100.0  100.0 to 100.0     100.0     100.0
            parse exact                        100.0  100.0 to 100.0     100.0     100.0
            acts-only EMR                      100.0  100.0 to 100.0     100.0     100.0
            state-only EMR                     100.0  100.0 to 100.0     100.0     100.0
            EMR (state and acts)               100.0  100.0 to 100.0     100.0     100.0
            texts alike (token F1 ≥ 0.5)           -               -         -         -
            grounded replies                   100.0  100.0 to 100.0     100.0     100.0
            goal completion                           100.0 to 100.0               100.0
            -- exit 0 --
        "#]],
    );
    let others = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/worksheets-courses");
    home.check(
        home.command(&format!("worksheet score {others} out")),
        "",
        expect![[r#"
            -- stderr --
            error: out is a run about the domain worksheets-archive, and not about worksheets-courses
            -- exit 2 --
        "#]],
    );
    home.check(
        home.command(&format!("worksheet score {sheets} elsewhere")),
        "",
        expect![[r#"
            -- stderr --
            error: elsewhere: is no run: it has no run.json. `dialog2api eval --out DIR` makes one
            -- exit 1 --
        "#]],
    );
}
