//! The tables say which module knows which other, and who alone speaks to whom; the
//! invariants are those of `src/lib.rs`.

use crate::tidy::{File, files, mentions, none, rust};

/// What `cargo` cannot hold between crates is looked for in these, too.
const CORE: &str = "crates/dialog2api-core/src";
const S3: &str = "crates/s3-world/src";

/// Code of the library and binary outside these folders and files.
fn outside(allowed: &[&str]) -> Vec<File> {
    let mut found = rust(&["src", CORE, S3]);
    let all = found.len();
    found.retain(|file| !allowed.iter().any(|place| file.path.starts_with(place)));
    assert!(found.len() < all, "none of {allowed:?} exists any more");
    found
}

/// Folders, and the modules of the crate that they may import.
const IMPORTS: &[(&str, &[&str])] = &[
    // Invariant 1.
    ("crates/dialog2api-core/src/dialogue", &["dialogue"]),
    ("src/claims", &["dialogue"]),
    // Invariant 6.
    ("src/policy", &["policy", "domain", "error"]),
    (
        "src/journal",
        &[
            "journal", "dialogue", "claims", "domain", "exec", "plan", "llm", "agent", "error",
            "files", "lock",
        ],
    ),
];

#[test]
fn modules_import_only_what_is_below_them() {
    for (folder, known) in IMPORTS {
        let files = rust(&[folder]);
        let imports = files.iter().flat_map(|file| {
            file.code().filter_map(|(number, line)| {
                let (_, path) = line.split_once("crate::")?;
                let module = path
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .next()?;
                let found = !known.contains(&module);
                found.then(|| format!("{}:{number}: {}", file.path, line.trim()))
            })
        });
        none(&format!("{folder} knows only {known:?}"), imports);
    }
}

/// Rules, the places that they hold for, and words that are absent there.
const ABSENT: &[(&str, &[&str], &[&str])] = &[
    (
        "`dialogue` does no I/O (invariant 1)",
        &["crates/dialog2api-core/src/dialogue"],
        &[
            "std::fs",
            "std::net",
            "std::env",
            "std::process",
            "stdin",
            "tokio",
            "async ",
        ],
    ),
    (
        "`claims` is of no domain, and does no I/O (invariant 1)",
        &["src/claims"],
        &["bucket", "s3", "boto", "std::fs", "std::net", "async "],
    ),
    (
        "templates of dialogues serve every domain",
        &["src/dataset/generate"],
        &["bucket", "s3", "boto"],
    ),
    (
        "`exec` and the guest know no domain (invariant 2)",
        &["src/exec", "sandbox/src"],
        &["s3", "bucket", "boto"],
    ),
    (
        "a policy is around a world and not in it (invariant 6)",
        &["src/exec"],
        &["crate::policy"],
    ),
    (
        "an MCP server is no folder, and knows no Python engine",
        &["src/mcp"],
        &["crate::folder", "crate::exec", "wasmtime"],
    ),
    (
        "what is kept does not know the journal",
        &["src/exec", "src/plan", "src/llm", "src/agent"],
        &["crate::journal"],
    ),
    (
        "these serve every domain",
        &[
            "src/agent",
            "src/dataset",
            "src/eval",
            "src/journal",
            "src/llm",
            "src/mcp_server",
            "src/policy",
            "src/prompts",
            "src/service",
        ],
        &["domain::s3", "s3::", "s3_world"],
    ),
];

#[test]
fn modules_do_not_name_what_they_must_not_know() {
    for (rule, places, words) in ABSENT {
        let mut files = files(places);
        files.retain(|file| file.is(&["rs", "py"]));
        for file in &mut files {
            // The SDK's types for credentials, which Bedrock's client signs with.
            file.text = file.text.replace("aws_sdk_s3::config", "");
        }
        none(rule, mentions(&files, words));
    }
    let mut templates = files(&["src/prompts"]);
    templates.retain(|file| !file.is(&["rs"]));
    assert!(!templates.is_empty(), "the templates are gone");
    none(
        "templates serve every domain",
        mentions(&templates, &["bucket", "s3", "boto"]),
    );
}

/// Rules, the only places that may have these words, and the words. Invariants 4 and 8.
const ONLY: &[(&str, &[&str], &[&str])] = &[
    (
        "only `llm`, `mcp`, `openapi` and `weights` speak HTTP, by clients of `http`",
        &[
            "src/http.rs",
            "src/llm/",
            "src/mcp/http",
            "src/openapi/",
            "src/weights/",
        ],
        &["reqwest"],
    ),
    (
        "only `http` sets up clients for HTTP",
        &["src/http.rs", "crates/s3-world/", "src/llm/bedrock/"],
        &["Client::builder", "install_default"],
    ),
    (
        "only `mcp` speaks to MCP servers, and only `mcp_server` is one",
        &["src/mcp/", "src/mcp_server/"],
        &["rmcp"],
    ),
    (
        "only `remote` speaks to S3, and only `llm` to Bedrock",
        &[
            "crates/s3-world/src/remote/",
            "src/llm/bedrock/",
            "crates/s3-world/src/aws.rs",
        ],
        &["aws_sdk", "aws_config"],
    ),
    (
        "only these and what stands in for their network know the SDK's parts",
        &[
            "crates/s3-world/src/remote/",
            "crates/s3-world/src/serve/direct.rs",
            "src/llm/bedrock/",
            "crates/s3-world/src/aws.rs",
        ],
        &["aws_smithy"],
    ),
    (
        "only the list of domains and `world serve` name S3",
        &["src/domain/", "src/cli/serve.rs", "crates/s3-world/"],
        &["domain::s3"],
    ),
    (
        "only `serve` answers S3's requests",
        &["crates/s3-world/src/serve/"],
        &["s3s::", "hyper"],
    ),
    (
        "only `exec` knows the engine",
        &["src/exec/"],
        &["wasmtime"],
    ),
    (
        "only `exec/link.rs` links host functions",
        &["src/exec/link.rs"],
        &["func_wrap", "func_new"],
    ),
    (
        "the library does not know the command line",
        &["src/cli", "src/main.rs"],
        &["crate::cli", "super::cli"],
    ),
    (
        "only `cli` prints; clippy finds the macros",
        &["src/cli", "src/main.rs"],
        &["stdout()", "stderr()"],
    ),
];

#[test]
fn each_outside_party_is_spoken_to_in_one_place() {
    for (rule, places, words) in ONLY {
        let mut files = outside(places);
        for file in &mut files {
            // Data types, which send nothing.
            file.text = file.text.replace("reqwest::Url", "");
            file.text = file.text.replace("reqwest::StatusCode", "");
        }
        none(rule, mentions(&files, words));
    }
}

/// The decision games; each has a folder of its name.
const GAMES: [&str; 3] = ["optimization", "planning", "mediation"];

#[test]
fn no_decision_game_is_named_outside_its_folder_and_the_list() {
    const CRATE: &str = "crates/decision-games/src";
    let all = ["src", CORE, CRATE];
    // Elsewhere the word planning is that of plans of writes.
    let of_games = [
        CRATE,
        "src/games",
        "src/eval/reward",
        "src/cli/game",
        "src/cli/play",
        "src/cli/replay",
        "src/web/seats.rs",
    ];
    let mut findings = Vec::new();
    // The list of games, and the page of the crate, whose modules they are.
    let list = ["kinds.rs", "lib.rs"].map(|file| format!("{CRATE}/{file}"));
    for game in GAMES {
        let files = match game {
            "planning" => rust(&of_games),
            _ => rust(&all),
        };
        let own = format!("{CRATE}/{game}/");
        assert!(
            files.iter().any(|file| file.path.starts_with(&own)),
            "{own} is gone"
        );
        let allowed = |path: &String| path.starts_with(&own) || list.contains(path);
        for file in files.iter().filter(|file| !allowed(&file.path)) {
            // Comments, too; only examples of documentation open a game.
            let lines = (1..).zip(file.text.lines().map(str::trim_start));
            let naming = lines.filter(|(_, line)| {
                let example = ["//! let ", "/// let "]
                    .iter()
                    .any(|it| line.starts_with(it));
                !example && line.to_lowercase().contains(game)
            });
            findings.extend(naming.map(|(number, line)| format!("{}:{number}: {line}", file.path)));
        }
    }
    none(
        "no decision game is named outside its folder and the list",
        findings,
    );
}
