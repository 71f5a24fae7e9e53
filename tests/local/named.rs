//! `model list`, `use` and `test` with models of the config file.

use crate::cli::support::{Home, says};
use crate::support::scripted_http::Server;
use expect_test::expect;

const CONFIG: &str = r#"# What I use.
[model]
name = "openai:old"  # from before

[models.work]
provider = "openai"
model = "gpt-4.1"
base_url = "http://127.0.0.1:1/v1"
api_key_env = "WORK_KEY"

[models.home]
provider = "local"
model = "qwen2.5-coder-0.5b"
threads = 1
"#;

fn configured(words: &str, home: &Home) -> std::process::Command {
    let mut command = home.command(words);
    command.env("DIALOG2API_LOCAL_PORTS", "1,1,1");
    command.env("WORK_KEY", "sk-very-secret");
    command
}

fn with_config() -> Home {
    let home = Home::new();
    std::fs::create_dir_all(home.path(".config/dialog2api")).expect("a folder");
    home.write(".config/dialog2api/config.toml", CONFIG);
    home
}

#[test]
fn a_default_is_written_and_all_else_stays() {
    let home = with_config();
    home.check(configured("model list", &home), "", expect![[r#"
        configured
          home  local:qwen2.5-coder-0.5b
          work  openai:gpt-4.1 at http://127.0.0.1:PORT/v1, key from WORK_KEY
        * [model]  openai:old
        files
          qwen2.5-coder-1.5b  Qwen2.5-Coder-1.5B-Instruct, 4 bits, Apache-2.0, 1.1 GB  not here; dialog2api model pull qwen2.5-coder-1.5b
          qwen2.5-coder-0.5b  Qwen2.5-Coder-0.5B-Instruct, 4 bits, Apache-2.0, 491 MB, adapter for s3  not here; dialog2api model pull qwen2.5-coder-0.5b
          minilm  all-MiniLM-L6-v2, sentence embeddings, Apache-2.0, 91 MB  not here; dialog2api model pull minilm
        running
          nothing on this machine
        -- exit 0 --
    "#]]);
    home.check(
        configured("model use work", &home),
        "",
        expect![[r#"
        work is the default now, in HOME/.config/dialog2api/config.toml.
        -- exit 0 --
    "#]],
    );
    expect![[r#"
        default = "work"
        # What I use.
        [model]
        name = "openai:old"  # from before

        [models.work]
        provider = "openai"
        model = "gpt-4.1"
        base_url = "http://127.0.0.1:1/v1"
        api_key_env = "WORK_KEY"

        [models.home]
        provider = "local"
        model = "qwen2.5-coder-0.5b"
        threads = 1
    "#]]
    .assert_eq(&home.read(".config/dialog2api/config.toml"));
    home.write(
        ".config/dialog2api/config.toml",
        &format!("default = \"work\" # at work\n{CONFIG}"),
    );
    let mut command = configured("model use home", &home);
    command.env("DIALOG2API_MODEL", "work");
    home.check(
        command,
        "",
        expect![[r#"
        home is the default now, in HOME/.config/dialog2api/config.toml.
        -- stderr --
        note: DIALOG2API_MODEL is set to work, and comes before it
        -- exit 0 --
    "#]],
    );
    let text = home.read(".config/dialog2api/config.toml");
    assert_eq!(text, format!("default = \"home\" # at work\n{CONFIG}"));
    home.check(
        configured("model list --json", &home),
        "",
        expect![[r#"
        {
          "default": "home",
          "configured": [
            {
              "name": "home",
              "model": "local:qwen2.5-coder-0.5b",
              "base_url": null,
              "key_from": null
            },
            {
              "name": "work",
              "model": "openai:gpt-4.1",
              "base_url": "http://127.0.0.1:PORT/v1",
              "key_from": "WORK_KEY"
            },
            {
              "name": "",
              "model": "openai:old",
              "base_url": null,
              "key_from": null
            }
          ],
          "files": [
            {
              "name": "qwen2.5-coder-1.5b",
              "title": "Qwen2.5-Coder-1.5B-Instruct, 4 bits",
              "licence": "Apache-2.0",
              "size": 1117320768,
              "adapter_for": null,
              "folder": null
            },
            {
              "name": "qwen2.5-coder-0.5b",
              "title": "Qwen2.5-Coder-0.5B-Instruct, 4 bits",
              "licence": "Apache-2.0",
              "size": 491400064,
              "adapter_for": "s3",
              "folder": null
            },
            {
              "name": "minilm",
              "title": "all-MiniLM-L6-v2, sentence embeddings",
              "licence": "Apache-2.0",
              "size": 91335235,
              "adapter_for": null,
              "folder": null
            }
          ],
          "running": []
        }
        -- exit 0 --
    "#]],
    );
    home.check(configured("model use away", &home), "", expect![[r#"
        -- stderr --
        error: `away` names no model (openai:away?). There are openai:NAME (an OpenAI-compatible server), anthropic:NAME, bedrock:MODEL_ID, local:NAME (run on this machine), replay:FILE (a recorded dialogue), script:FILE (answers in a file, in order), or a name of the config file: home, work
        -- exit 2 --
    "#]]);
}

#[test]
fn without_a_config_file_one_is_made() {
    let home = Home::new();
    home.check(
        configured("model use local:qwen2.5-coder-1.5b", &home),
        "",
        expect![[r#"
            local:qwen2.5-coder-1.5b is the default now, in HOME/.config/dialog2api/config.toml.
            -- exit 0 --
        "#]],
    );
    assert_eq!(
        home.read(".config/dialog2api/config.toml"),
        "default = \"local:qwen2.5-coder-1.5b\"\n"
    );
}

#[test]
fn a_server_that_is_not_there_is_a_sentence() {
    let home = with_config();
    let output = configured("model test work", &home)
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("cannot connect to http://127.0.0.1:1/v1"),
        "{said}"
    );
    assert!(!said.contains("very-secret"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_answers_is_timed() {
    let home = with_config();
    let server = Server::start(vec![says("one two three")]).await;
    let mut command = configured("model test work", &home);
    command.args(["--base-url", &server.base_url()]);
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.starts_with("openai:gpt-4.1 answers: the first word after "),
        "{said}"
    );
    let asked = server.requests();
    assert!(
        !asked[0].contains("very-secret"),
        "the key is for another server"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_may_be_in_the_keyring() {
    let home = with_config();
    let server = Server::start(vec![says("one two three")]).await;
    let config = format!(
        "[models.kept]\nprovider = \"openai\"\nmodel = \"gpt\"\napi_key_keyring = \"work\"\nbase_url = \"{}\"\n",
        server.base_url()
    );
    home.write(".config/dialog2api/config.toml", &config);
    // Stands in for libsecret's tool, which asks the system's keyring.
    std::fs::create_dir_all(home.path("bin")).expect("a folder");
    let check = |script: &str| {
        home.write("bin/secret-tool", &format!("#!/bin/sh\n{script}\n"));
        let rights = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        std::fs::set_permissions(home.path("bin/secret-tool"), rights).expect("its rights");
        let mut command = configured("model test kept", &home);
        command.env("PATH", home.path("bin"));
        command
    };
    let gives = "[ \"$*\" = 'lookup service dialog2api account work' ] && echo sk-kept";
    assert!(check(gives).output().expect("it starts").status.success());
    let asked = server.requests();
    assert!(asked[0].contains("Bearer sk-kept"), "{asked:?}");

    home.check(check("exit 1"), "", expect![[r#"
        -- stderr --
        error: the keyring has no API key "work"; `secret-tool store --label=dialog2api service dialog2api account work` puts it there; api_key_env and api_key_file take the API key from elsewhere
        -- exit 2 --
    "#]]);
    home.check(
        check("echo 'no keyring runs here' >&2; exit 1"),
        "",
        expect![[r#"
            -- stderr --
            error: the keyring does not give the API key "work": no keyring runs here; api_key_env and api_key_file take the API key from elsewhere
            -- exit 2 --
        "#]],
    );
    std::fs::remove_file(home.path("bin/secret-tool")).expect("no tool");
    let mut command = configured("model test kept", &home);
    command.env("PATH", home.path("bin"));
    home.check(command, "", expect![[r#"
        -- stderr --
        error: the API key "work" should come from the keyring, but `secret-tool`, which reads it, is not installed (Debian's package libsecret-tools); api_key_env and api_key_file take the API key from elsewhere
        -- exit 2 --
    "#]]);
}
