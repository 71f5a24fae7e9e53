//! `dialog2api eval` with servers that are not what a run needs.

use crate::cli::eval::{ONE, home};
use crate::cli::support::goal;
use crate::support::scripted_http::{Server, stream};
use expect_test::expect;

#[tokio::test(flavor = "multi_thread")]
async fn figures_of_prompts_that_the_server_cut_are_marked() {
    let home = home();
    let long = format!("two and three?{}", " or so".repeat(2000));
    home.write("set/test/one-1.xml", &ONE.replace("two and three?", &long));
    let cut = |text: &str| {
        let piece = serde_json::json!({
            "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 9},
        });
        stream(format!("data: {piece}\n\ndata: [DONE]\n\n"))
    };
    let program = cut(&goal(1, "final", "return 5"));
    let server = Server::start(vec![program, cut("<turn>Agent: 5</turn>")]).await;
    let url = server.base_url();
    let command = format!("eval -m openai:x --base-url {url} --dataset set --out out");
    home.check(home.ready(&command), "", expect![[r#"
        -- stderr --
        out: 1 of 1 dialogue is finished, EMR 100.0 % (strict 100.0 %).
        warning: in 1 turn the model's server read only a part of a prompt, without an error, so that these are figures of cut prompts: give the server a longer context (OLLAMA_CONTEXT_LENGTH=16384, `num_ctx`, llama-server -c 16384), or keep prompts shorter with --budget, and begin anew with another --out (and --cache)
        -- exit 0 --
    "#]]);
}

#[test]
fn a_server_that_is_gone_ends_the_run_after_some_dialogues() {
    let home = home();
    for uid in ["one-2", "one-3", "one-4", "one-5", "one-6", "one-7"] {
        home.write(&format!("set/test/{uid}.xml"), &ONE.replace("one-1", uid));
    }
    std::fs::create_dir_all(home.path(".config/dialog2api")).expect("a folder");
    home.write(
        ".config/dialog2api/config.toml",
        "[model]\nmax_retries = 0\n",
    );
    let command = "eval --model openai:x --base-url http://127.0.0.1:1/v1 --dataset set --out out";
    let command = format!("{command} --concurrency 1");
    let seen = home.seen(&home.ready(&command).output().expect("it starts"));
    let lines: Vec<&str> = seen.lines().collect();
    let warned = lines
        .iter()
        .filter(|line| line.starts_with("warning: one-"));
    assert_eq!(warned.count(), 5, "{seen}");
    let end = lines.split_at(lines.len().saturating_sub(3)).1.join("\n");
    expect![[r#"
        out: 0 of 7 dialogues are finished.
        error: the model's server did not answer in the last 5 dialogues, so the run has stopped: see that it answers (dialog2api doctor), and the same command with --resume goes on
        -- exit 1 --"#]].assert_eq(&end);
}
