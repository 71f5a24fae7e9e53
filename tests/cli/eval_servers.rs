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
        out: 1 of 1 dialogues are finished, EMR 100.0 % (strict 100.0 %).
        warning: in 1 turn the model's server read only a part of a prompt, without an error, so that these are figures of cut prompts: give the server a longer context (OLLAMA_CONTEXT_LENGTH=16384, `num_ctx`, llama-server -c 16384), or keep prompts shorter with --budget, and begin anew with another --out (and --cache)
        -- exit 0 --
    "#]]);
}
