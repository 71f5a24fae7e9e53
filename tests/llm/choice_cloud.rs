//! Which model of Anthropic or Bedrock is chosen, and which key and address go with it.

use dialog2api::llm::{ApiKey, Choice, ModelSpec};
use expect_test::{Expect, expect};

/// Resolves `--model` and `--base-url` (`-` for none), variables and a config file.
fn check(flags: [&str; 2], variables: &[(&str, &str)], config: &str, expected: Expect) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    std::fs::write(&file, config).expect("a config file");
    let [model, base_url] = flags.map(|flag| (flag != "-").then(|| flag.to_owned()));
    let spec = ModelSpec {
        model,
        base_url,
        config_file: Some(file),
    };
    let variable = |name: &str| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    let seen = match spec.resolve(&variable).expect("a choice") {
        Choice::Anthropic(chosen) => {
            let known = ["sk-ant", "sk-ours", "sk-other"];
            let key = known
                .into_iter()
                .find(|key| chosen.api_key == ApiKey::new(key));
            format!(
                "anthropic {} at {}, key {key:?}, idle {:?}",
                chosen.model, chosen.base_url, chosen.idle_timeout
            )
        }
        Choice::Bedrock(chosen) => format!(
            "bedrock {} at {:?}, idle {:?}, extra {}",
            chosen.model,
            chosen.endpoint_url,
            chosen.idle_timeout,
            serde_json::Value::Object(chosen.extra)
        ),
        other => format!("{other:?}"),
    };
    expected.assert_eq(&seen);
}

const ENV: [(&str, &str); 3] = [
    ("ANTHROPIC_API_KEY", "sk-ant"),
    ("OPENAI_API_KEY", "sk-openai"),
    ("OPENAI_BASE_URL", "http://openai.test/v1"),
];

#[test]
fn anthropic_has_an_address_and_a_key_of_its_own() {
    let flags = ["anthropic:claude-x", "-"];
    check(
        flags,
        &ENV,
        "",
        expect![[
            r#"anthropic claude-x at https://api.anthropic.com, key Some("sk-ant"), idle 300s"#
        ]],
    );
    let other = ("ANTHROPIC_BASE_URL", "http://env.test");
    check(
        flags,
        &[ENV[0], other],
        "",
        expect![[r#"anthropic claude-x at http://env.test, key Some("sk-ant"), idle 300s"#]],
    );
    let ours = ("DIALOG2API_API_KEY", "sk-ours");
    check(
        ["anthropic:claude-x", "http://flag.test"],
        &[ENV[0], other, ours],
        "",
        expect![[r#"anthropic claude-x at http://flag.test, key Some("sk-ours"), idle 300s"#]],
    );
}

#[test]
fn what_the_file_says_of_one_provider_is_not_for_another() {
    let openai = "[model]\nname = \"openai:m\"\nbase_url = \"http://file.test/v1\"\nidle_timeout_s = 5\napi_key_env = \"OTHER\"\n";
    let env = [ENV[0], ("OTHER", "sk-other")];
    check(
        ["anthropic:claude-x", "-"],
        &env,
        openai,
        expect![[
            r#"anthropic claude-x at https://api.anthropic.com, key Some("sk-ant"), idle 300s"#
        ]],
    );
    check(
        ["bedrock:us.amazon.nova", "-"],
        &env,
        openai,
        expect!["bedrock us.amazon.nova at None, idle 300s, extra {}"],
    );
    let own = openai
        .replace("openai:m", "anthropic:of-file")
        .replace("/v1", "");
    check(
        ["-", "-"],
        &env,
        &own,
        expect![[r#"anthropic of-file at http://file.test, key Some("sk-other"), idle 5s"#]],
    );
}

#[test]
fn bedrock_takes_ids_with_colons_and_options() {
    let file = "[model]\nname = \"bedrock:amazon.nova-lite-v1:0\"\nomit = [\"temperature\"]\noptions = { top_k = 1 }\n";
    check(
        ["-", "-"],
        &ENV,
        file,
        expect![[
            r#"bedrock amazon.nova-lite-v1:0 at None, idle 300s, extra {"top_k":1,"temperature":null}"#
        ]],
    );
    check(
        [
            "bedrock:meta.llama3-1-8b-instruct-v1:0",
            "https://vpce.test",
        ],
        &ENV,
        "",
        expect![[
            r#"bedrock meta.llama3-1-8b-instruct-v1:0 at Some("https://vpce.test"), idle 300s, extra {}"#
        ]],
    );
}
