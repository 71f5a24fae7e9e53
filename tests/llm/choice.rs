//! Which model is chosen, and what is said when none is.

use dialog2api::llm::{ApiKey, Choice, ModelSpec};
use expect_test::{Expect, expect};
use std::os::unix::fs::PermissionsExt;

/// Resolves flags (`model base_url`, `-` for none), variables and a config file.
fn check(flags: [&str; 2], variables: &[(&str, &str)], config: &str, expected: Expect) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    std::fs::write(&file, config).expect("a config file");
    for (name, mode) in [("key", 0o600), ("open", 0o644)] {
        let key = folder.path().join(name);
        std::fs::write(&key, "sk-file\n").expect("a key file");
        std::fs::set_permissions(&key, PermissionsExt::from_mode(mode)).expect("its rights");
    }
    let [model, base_url] = flags.map(|flag| (flag != "-").then(|| flag.to_owned()));
    let spec = ModelSpec {
        model,
        base_url,
        config_file: Some(file.clone()),
    };
    let variable = |name: &str| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    let seen = match spec.resolve(&variable) {
        Ok(Choice::Replay(path)) => format!("replay {}", path.display()),
        Ok(Choice::Local(chosen)) => {
            let threads = chosen.threads;
            format!(
                "local {}, threads {threads:?}, idle {:?}",
                chosen.model, chosen.client.idle_timeout
            )
        }
        Ok(Choice::OpenAi(chosen)) => {
            let known = ["sk-file", "sk-ours", "sk-openai", "sk-other"];
            let key = known
                .into_iter()
                .find(|key| chosen.api_key == ApiKey::new(key));
            format!(
                "{} at {}, key {key:?}, idle {:?}, retries {}, extra {}",
                chosen.model,
                chosen.base_url,
                chosen.idle_timeout,
                chosen.backoff.max_retries,
                serde_json::Value::Object(chosen.extra)
            )
        }
        Ok(other) => format!("{other:?}"),
        Err(error) => format!("error: {error}"),
    };
    let folder = folder.path().display().to_string();
    expected.assert_eq(&seen.replace(&folder, "FOLDER"));
}

const FILE: &str = r#"
[model]
name = "openai:of-file"
base_url = "http://file.test/v1"
api_key_file = "key"
idle_timeout_s = 5
max_retries = 0
omit = ["seed"]
options = { top_k = 1 }

[s3]
region = "elsewhere"
"#;

#[test]
fn nothing_is_configured() {
    check(
        ["-", "-"],
        &[("OPENAI_API_KEY", "sk-openai")],
        "",
        expect![[r#"
            error: no model is configured. Four ways to get one:

            1. A model on this machine that is set up for you, no key needed (0.5 GB for S3, once):
                 dialog2api chat --yes
            2. A model on this machine that you run. With llama.cpp:
                 llama-server -m MODEL.gguf --host 127.0.0.1 --port 8080 -c 16384
                 dialog2api chat --model openai:local --base-url http://127.0.0.1:8080/v1
               or with Ollama:
                 OLLAMA_HOST=127.0.0.1:11434 OLLAMA_CONTEXT_LENGTH=16384 ollama serve
                 ollama pull qwen2.5-coder:7b
                 dialog2api chat --model openai:qwen2.5-coder:7b --base-url http://127.0.0.1:11434/v1
            3. OpenAI, or a server with its protocol (then with --base-url):
                 export OPENAI_API_KEY=…
                 dialog2api chat --model openai:NAME
               or anthropic:NAME with ANTHROPIC_API_KEY, or bedrock:MODEL_ID with AWS credentials.
            4. A recorded dialogue, without any model:
                 dialog2api chat --model replay:FILE

            To keep the choice: dialog2api model use openai:NAME, or write to
            FOLDER/config.toml:
                 [model]
                 name = "openai:qwen2.5-coder:7b"
                 base_url = "http://127.0.0.1:11434/v1"
                 # api_key_env = "NAME_OF_A_VARIABLE"   or   api_key_file = "PATH""#]],
    );
}

#[test]
fn flags_come_before_the_environment_and_that_before_the_file() {
    let env = [
        ("DIALOG2API_MODEL", "openai:of-env"),
        ("OPENAI_BASE_URL", "http://env.test/v1"),
        ("OPENAI_API_KEY", "sk-openai"),
    ];
    check(
        ["openai:qwen:7b", "http://flag.test"],
        &env,
        FILE,
        expect![[
            r#"qwen:7b at http://flag.test, key Some("sk-openai"), idle 5s, retries 0, extra {"top_k":1,"seed":null}"#
        ]],
    );
    check(
        ["-", "-"],
        &env,
        FILE,
        expect![[
            r#"of-env at http://env.test/v1, key Some("sk-openai"), idle 5s, retries 0, extra {"top_k":1,"seed":null}"#
        ]],
    );
    check(
        ["-", "-"],
        &[("DIALOG2API_MODEL", " ")],
        FILE,
        expect![[
            r#"of-file at http://file.test/v1, key Some("sk-file"), idle 5s, retries 0, extra {"top_k":1,"seed":null}"#
        ]],
    );
    check(
        ["openai:m", "-"],
        &[],
        "",
        expect!["m at https://api.openai.com/v1, key None, idle 300s, retries 4, extra {}"],
    );
    check(
        ["replay:a:b.jsonl", "-"],
        &env,
        FILE,
        expect!["replay a:b.jsonl"],
    );
}

#[test]
fn a_key_goes_to_the_server_it_is_for() {
    let openai = ("OPENAI_API_KEY", "sk-openai");
    let other = ("OTHER_KEY", "sk-other");
    let named = FILE.replace("api_key_file = \"key\"", "api_key_env = \"OTHER_KEY\"");
    check(
        ["-", "-"],
        &[openai],
        FILE,
        expect![[
            r#"of-file at http://file.test/v1, key Some("sk-file"), idle 5s, retries 0, extra {"top_k":1,"seed":null}"#
        ]],
    );
    check(
        ["-", "-"],
        &[openai, other],
        &named,
        expect![[
            r#"of-file at http://file.test/v1, key Some("sk-other"), idle 5s, retries 0, extra {"top_k":1,"seed":null}"#
        ]],
    );
    check(
        ["-", "http://flag.test"],
        &[other],
        &named,
        expect![[
            r#"of-file at http://flag.test, key None, idle 5s, retries 0, extra {"top_k":1,"seed":null}"#
        ]],
    );
    check(
        ["-", "-"],
        &[openai, ("DIALOG2API_API_KEY", "sk-ours")],
        &named,
        expect![[
            r#"of-file at http://file.test/v1, key Some("sk-ours"), idle 5s, retries 0, extra {"top_k":1,"seed":null}"#
        ]],
    );
    check(
        ["-", "-"],
        &[openai],
        &named,
        expect![
            "error: the config file takes the API key from OTHER_KEY, which is not set: set it, or DIALOG2API_API_KEY"
        ],
    );
    let lost = FILE.replace("\"key\"", "\"lost\"");
    check(
        ["-", "-"],
        &[openai],
        &lost,
        expect![
            "error: cannot read the API key from FOLDER/lost: No such file or directory (os error 2)"
        ],
    );
}

const NAMED: &str = r#"
default = "work"

[model]
name = "openai:old"
base_url = "http://old.test/v1"
api_key_env = "OTHER_KEY"

[models.work]
provider = "openai"
model = "gpt"
base_url = "http://work.test/v1"
api_key_file = "key"
max_retries = 1

[models.bare]
provider = "openai"
model = "gpt"

[models.mine]
provider = "local"
model = "qwen2.5-coder-0.5b"
threads = 3
idle_timeout_s = 9

[models.played]
provider = "replay"
model = "some.jsonl"

[models.half]
provider = "openai"
"#;

#[test]
fn a_model_has_a_name_and_all_that_belongs_to_it() {
    let openai = ("OPENAI_API_KEY", "sk-openai");
    let ours = ("DIALOG2API_API_KEY", "sk-ours");
    let url = ("OPENAI_BASE_URL", "http://env.test/v1");
    // The default, with its own key before any other, and its own server.
    check(
        ["-", "-"],
        &[openai, ours, url],
        NAMED,
        expect![[
            r#"gpt at http://work.test/v1, key Some("sk-file"), idle 300s, retries 1, extra {}"#
        ]],
    );
    // Its key goes to no other server.
    check(
        ["work", "http://flag.test/v1"],
        &[openai],
        NAMED,
        expect!["gpt at http://flag.test/v1, key None, idle 300s, retries 1, extra {}"],
    );
    // Without a base URL of its own it is the provider's, or where the environment says.
    check(
        ["bare", "-"],
        &[openai],
        NAMED,
        expect![[
            r#"gpt at https://api.openai.com/v1, key Some("sk-openai"), idle 300s, retries 4, extra {}"#
        ]],
    );
    check(
        ["bare", "-"],
        &[openai, url],
        NAMED,
        expect![[
            r#"gpt at http://env.test/v1, key Some("sk-openai"), idle 300s, retries 4, extra {}"#
        ]],
    );
    check(
        ["mine", "-"],
        &[],
        NAMED,
        expect!["local qwen2.5-coder-0.5b, threads Some(3), idle 9s"],
    );
    check(["played", "-"], &[], NAMED, expect!["replay some.jsonl"]);
    check(
        ["-", "-"],
        &[("DIALOG2API_MODEL", "mine")],
        NAMED,
        expect!["local qwen2.5-coder-0.5b, threads Some(3), idle 9s"],
    );
    // What `[model]` says goes on to hold for its provider.
    check(
        ["openai:new", "-"],
        &[("OTHER_KEY", "sk-other")],
        NAMED,
        expect![[
            r#"new at http://old.test/v1, key Some("sk-other"), idle 300s, retries 4, extra {}"#
        ]],
    );
    check(
        ["local:x", "-"],
        &[],
        FILE,
        expect!["local x, threads None, idle 300s"],
    );
    check(
        ["half", "-"],
        &[],
        NAMED,
        expect![[
            r#"error: [models.half] of the config file needs both provider = "…" and model = "…""#
        ]],
    );
    check(
        ["away", "-"],
        &[],
        NAMED,
        expect![
            "error: `away` names no model (openai:away?). There are openai:NAME (an OpenAI-compatible server), anthropic:NAME, bedrock:MODEL_ID, local:NAME (run on this machine), replay:FILE (a recorded dialogue), script:FILE (answers in a file, in order), or a name of the config file: bare, half, mine, played, work"
        ],
    );
}

#[test]
fn a_key_file_is_its_users_alone() {
    let open = FILE.replace("\"key\"", "\"open\"");
    check(
        ["-", "-"],
        &[],
        &open,
        expect![
            "error: FOLDER/open: everybody on this machine can read the API key in it; `chmod 600 'FOLDER/open'` makes it yours"
        ],
    );
}

#[test]
fn what_means_nothing_is_explained() {
    check(
        ["qwen:7b", "-"],
        &[],
        "",
        expect![
            "error: `qwen:7b` names no model (openai:qwen:7b?). There are openai:NAME (an OpenAI-compatible server), anthropic:NAME, bedrock:MODEL_ID, local:NAME (run on this machine), replay:FILE (a recorded dialogue), script:FILE (answers in a file, in order)"
        ],
    );
    check(
        ["replay:", "-"],
        &[],
        "",
        expect![
            "error: `replay:` names no model (openai:replay:?). There are openai:NAME (an OpenAI-compatible server), anthropic:NAME, bedrock:MODEL_ID, local:NAME (run on this machine), replay:FILE (a recorded dialogue), script:FILE (answers in a file, in order)"
        ],
    );
    check(
        ["-", "http://x.test/v1"],
        &[],
        "",
        expect![
            "error: the base URL http://x.test/v1 is set, but no model: add --model openai:NAME with a name that this server knows"
        ],
    );
    check(
        ["-", "-"],
        &[],
        "[model]\napi_key = \"sk-file\"",
        expect![
            "error: FOLDER/config.toml: line 2: unknown field `api_key`, expected one of `name`, `provider`, `model`, `base_url`, `api_key_env`, `api_key_file`, `api_key_keyring`, `connect_timeout_s`, `idle_timeout_s`, `total_timeout_s`, `max_retries`, `threads`, `context`, `options`, `omit`"
        ],
    );
    check(
        ["-", "-"],
        &[],
        "[model]\nname = \n",
        expect![
            "error: FOLDER/config.toml: line 2: string values must be quoted, expected literal string"
        ],
    );
}

#[test]
fn a_config_file_that_was_named_must_exist() {
    let spec = ModelSpec {
        config_file: Some("no/such/file.toml".into()),
        ..ModelSpec::default()
    };
    let error = spec.resolve(&|_| None).expect_err("no such file");
    expect!["cannot read no/such/file.toml: No such file or directory (os error 2)"]
        .assert_eq(&error.to_string());
}
