//! The cost of tokens, and models without a price.

use dialog2api::llm::{Cost, Prices, Usage};
use expect_test::{Expect, expect};

const USAGE: Usage = Usage {
    prompt_tokens: 1_000_000,
    cached_tokens: 400_000,
    completion_tokens: 100_000,
    cache_write_tokens: 200_000,
};

/// What a million tokens of each model cost, with this config file.
fn check(config: &str, models: &[&str], expected: Expect) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    std::fs::write(&file, config).expect("a config file");
    let own = "[models]\n\"openai:gpt-5\" = { input = 7, output = 0 }\n";
    std::fs::write(folder.path().join("own.toml"), own).expect("a price file");
    let seen = match Prices::of_user(Some(&file)) {
        Err(error) => format!("error: {error}"),
        Ok(prices) => models
            .iter()
            .map(|model| match prices.cost(model, USAGE) {
                Some(cost) => format!("{model}: {cost}\n"),
                None => format!("{model}: unknown\n"),
            })
            .collect(),
    };
    let folder = folder.path().display().to_string();
    expected.assert_eq(&seen.replace(&folder, "FOLDER"));
}

#[test]
fn what_is_not_in_the_list_is_unknown_and_not_free() {
    check(
        "",
        &[
            "anthropic:claude-haiku-4-5-20251001",
            "anthropic:claude-sonnet-4-5",
            "openai:gpt-5-mini",
            "openai:gpt-5-mini-of-mine",
            "openai:qwen2.5-coder:7b",
            "bedrock:us.amazon.nova-lite-v1:0",
            "replay:file.jsonl",
            "local:model.gguf",
        ],
        expect![[r#"
            anthropic:claude-haiku-4-5-20251001: $1.19
            anthropic:claude-sonnet-4-5: $3.57
            openai:gpt-5-mini: $0.36
            openai:gpt-5-mini-of-mine: unknown
            openai:qwen2.5-coder:7b: unknown
            bedrock:us.amazon.nova-lite-v1:0: $0.0660
            replay:file.jsonl: unknown
            local:model.gguf: nothing
        "#]],
    );
}

#[test]
fn own_prices_come_first() {
    let models = ["openai:gpt-5", "openai:qwen2.5-coder:7b", "openai:qwen3"];
    check(
        "[model]\nname = \"openai:x\"\n[prices]\n\"openai:gpt-5\" = { input = 1, cached = 0.5, output = 2 }\n\"openai:qwen*\" = \"free\"\n\"openai:qwen3*\" = { input = 0.1, output = 0.1 }\n",
        &models,
        expect![[r#"
            openai:gpt-5: $1.00
            openai:qwen2.5-coder:7b: nothing
            openai:qwen3: $0.11
        "#]],
    );
    check(
        "prices = \"own.toml\"\n",
        &models,
        expect![[r#"
        openai:gpt-5: $7.00
        openai:qwen2.5-coder:7b: unknown
        openai:qwen3: unknown
    "#]],
    );
    check(
        "prices = \"lost.toml\"\n",
        &models,
        expect![
            "error: cannot read the prices in FOLDER/lost.toml: No such file or directory (os error 2)"
        ],
    );
    check(
        "[prices]\n\"openai:gpt-5\" = \"cheap\"\n",
        &models,
        expect![[
            r#"error: FOLDER/config.toml: the price of `openai:gpt-5` is "free", or { input = 0.20, output = 0.60 } and perhaps `cached` and `cache_write`, each 0 or more"#
        ]],
    );
    check(
        "[prices]\n\"openai:gpt-5\" = { input = -1, output = 1 }\n",
        &models,
        expect![[
            r#"error: FOLDER/config.toml: the price of `openai:gpt-5` is "free", or { input = 0.20, output = 0.60 } and perhaps `cached` and `cache_write`, each 0 or more"#
        ]],
    );
}

#[test]
fn amounts_can_be_read() {
    let shown = [0.0, 0.000_001, 0.001_23, 0.25, 12.345].map(|cost| Cost(cost).to_string());
    assert_eq!(
        shown,
        ["nothing", "less than $0.0001", "$0.0012", "$0.25", "$12.35"]
    );
}

#[test]
fn without_counted_tokens_there_is_no_cost() {
    let prices = Prices::built_in().expect("prices");
    assert_eq!(prices.cost("openai:gpt-5", Usage::default()), None);
    assert!(!prices.date().is_empty());
}
