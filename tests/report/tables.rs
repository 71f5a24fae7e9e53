//! The figures for other programs.

use super::{logs, report, three_runs};
use dialog2api::domain::Domain;
use dialog2api::domain::s3::S3;
use dialog2api::eval::report::{Format, Report, table};
use dialog2api::eval::score::Options;
use expect_test::expect;
use serde_json::Value as Json;
use std::path::PathBuf;
use std::sync::Arc;

#[tokio::test]
async fn markdown_stands_beside_the_paper() {
    let text = table(&three_runs().await, Format::Markdown).expect("a table");
    expect![[r#"
        | model | setting | EMR, % | dialogues with EMR = 1, % | turn match, % | state-only EMR, % | EMR over executing turns, % | BLEU of responses | code edit distance |
        |---|---|---:|---:|---:|---:|---:|---:|---:|
        | ground-truth | (c) | 100.0 (100.0 – 100.0) | 100.0 (100.0 – 100.0) | 100.0 (100.0 – 100.0) | 100.0 (100.0 – 100.0) | 100.0 (100.0 – 100.0) | 100.0 (100.0 – 100.0) | – |
        | openai:small | (b) | 55.5 (38.4 – 72.9) | 25.0 (0.0 – 50.0) | 56.4 (40.0 – 74.0) | 69.9 (50.2 – 88.3) | 41.7 (20.8 – 63.9) | 98.1 (97.5 – 98.5) | – |
        | openai:small | (c) | 75.5 (56.7 – 92.2) | 58.3 (33.3 – 83.3) | 74.5 (53.6 – 93.9) | 81.6 (62.0 – 100.0) | 68.1 (44.4 – 88.9) | 99.0 (98.4 – 99.6) | – |
        | *Codex Davinci* (paper) | (a) | 8.4 | – | – | – | – | – | – |
        | *Codex Davinci* (paper) | (b) | 30.0 | – | – | – | – | – | – |
        | *Codex Davinci* (paper) | (c) | 33.0 | 22.0 | – | – | – | 29.5 | 13.2 |
        | *Bloom 176B* (paper) | (a) | 0.9 | – | – | – | – | – | – |
        | *Bloom 176B* (paper) | (b) | 7.7 | – | – | – | – | – | – |
        | *Bloom 176B* (paper) | (c) | 4.4 | – | – | – | – | 10.9 | 27.6 |
        | *GPT-NeoX 20B* (paper) | (a) | 3.6 | – | – | – | – | – | – |
        | *GPT-NeoX 20B* (paper) | (b) | 7.5 | – | – | – | – | – | – |
        | *GPT-NeoX 20B* (paper) | (c) | 2.6 | – | – | – | – | 13.1 | 23.5 |

        The paper's figures are of a dataset of its own, which was never found in public. In brackets: 95 % intervals (bootstrap by dialogue).
    "#]].assert_eq(&text);
}

#[tokio::test]
async fn csv_has_a_line_for_each_run_and_row_of_the_paper() {
    let mut log = logs::log("a, \"b\"", 'c', logs::no_mistake).await;
    log.run.model = "a, \"b\"".to_owned();
    let text = table(&report(vec![log]), Format::Csv).expect("a table");
    let shown: Vec<&str> = text.lines().take(5).collect();
    expect![[r#"
        source,model,setting,mode,dialogues,expected,turns,emr,emr_low,emr_high,complete,complete_low,complete_high,turn_match,turn_match_low,turn_match_high,state_emr,state_emr_low,state_emr_high,executing_emr,executing_emr_low,executing_emr_high,bleu,bleu_low,bleu_high,code_edits,code_edits_low,code_edits_high
        run,"a, ""b""",c,end-to-end,12,12,55,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,100.00000000000004,100.00000000000004,100.00000000000004,,,
        paper,Codex Davinci,a,end-to-end,,,,0.084,,,,,,,,,,,,,,,,,,,,
        paper,Codex Davinci,b,end-to-end,,,,0.3,,,,,,,,,,,,,,,,,,,,
        paper,Codex Davinci,c,end-to-end,,,,0.33,,,0.22,,,,,,,,,,,,29.5,,,13.2,,"#]].assert_eq(&shown.join("\n"));
    assert_eq!(text.lines().count(), 1 + 1 + 9);
}

#[tokio::test]
async fn json_has_every_figure_of_every_run() {
    let text = table(&three_runs().await, Format::Json).expect("JSON");
    let json: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["runs"][0]["label"], "ground-truth (c)");
    assert_eq!(json["runs"][0]["emr"], 1.0);
    assert_eq!(json["runs"][1]["coverage"]["scored"], logs::DIALOGUES);
    assert_eq!(json["paper"][2]["emr"], 0.33);
    assert!(json["datasets_differ"].is_string());
}

/// Two runs with the same model and setting are told apart by their folders.
#[tokio::test]
async fn labels_tell_runs_apart() {
    let log = logs::log("m", 'c', logs::no_mistake).await;
    let other = logs::log("m", 'b', logs::no_mistake).await;
    let report = report(vec![log.clone(), other, log]);
    let labels: Vec<&str> = report.runs.iter().map(|run| run.label.as_str()).collect();
    assert_eq!(labels, ["m (c) · run-1", "m (b)", "m (c) · run-3"]);
}

/// What of a log is markup in Markdown is escaped.
#[tokio::test]
async fn a_model_may_have_any_name() {
    let log = logs::log("<b>|`x`\n", 'c', logs::no_mistake).await;
    let text = table(&report(vec![log]), Format::Markdown).expect("a table");
    assert!(
        text.contains("| \\<b\\>\\|\\`x\\`  | (c) | 100.0"),
        "{text}"
    );
}

/// The paper's dialogues are about S3, so its rows stand beside no other domain.
#[tokio::test]
async fn another_domain_stands_alone() {
    let mut log = logs::log("ground-truth", 'c', logs::no_mistake).await;
    log.run.domain = "library".to_owned();
    let library = Domain {
        name: "library".into(),
        ..Domain::clone(&S3)
    };
    let options = Options {
        domain: Some(Arc::new(library)),
        ..Options::default()
    };
    let report = Report::new(vec![(PathBuf::from("run"), log)], &options).unwrap();
    for format in [Format::Json, Format::Csv, Format::Markdown] {
        let text = table(&report, format).unwrap();
        assert!(
            !text.contains("Codex") && !text.contains("The paper"),
            "{text}"
        );
    }
}
