//! The contents of the page, and that no text of a log becomes markup.

use super::{differing, logs, report, three_runs};
use dialog2api::eval::log::{FailureKind, Run, TurnFailure};
use dialog2api::eval::read::RunLog;
use dialog2api::eval::report::{Report, page};
use dialog2api::eval::score::{DATASETS_DIFFER, DEFINITIONS_VERSION};
use dialog2api::llm::Prices;
use std::collections::BTreeSet;

/// What someone would write who wants more than to be read.
pub const HOSTILE: &str = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>\
                           <!--]]>{{ 7*7 }}{% raw %}&lt;\u{202e}\u{2066}\u{1b}[31m\0\u{2028}";

/// The run with many mistakes, and hostile texts wherever there are texts.
pub async fn hostile() -> RunLog {
    let mut log = logs::log(HOSTILE, 'c', |dialogue, turn, it| {
        logs::mistakes(dialogue, turn, it);
        if dialogue == 1
            && let Some(goal) = it.goals.last_mut()
        {
            let line = format!("s3.put_object(Bucket='kilnhouse-web', Key={HOSTILE:?}, Body=b'')");
            let line = line.replace("\\u{", "\\u").replace("\\u1b}", "\\x1b");
            logs::prefix(goal, &line.replace(['}', '{'], ""));
        }
    })
    .await;
    log.run.settings.similarity = HOSTILE.to_owned();
    log.run.dataset.digest = HOSTILE.to_owned();
    log.run.revision = Some(HOSTILE.to_owned());
    for turn in &mut log.turns {
        let is_first = turn.truth.turn == 1;
        for goal in turn.programs.iter_mut().chain(&mut turn.stack) {
            goal.program = goal.program.take().map(|code| code + "# " + HOSTILE + "\n");
        }
        turn.response.push_str(HOSTILE);
        turn.truth.utterance.push_str(HOSTILE);
        turn.truth.goal = Some(HOSTILE.to_owned());
        for exchange in &mut turn.exchanges {
            exchange.text = Some(HOSTILE.to_owned());
            exchange.finding = Some(HOSTILE.to_owned());
        }
        for goal in &mut turn.programs {
            if goal.error.is_some() {
                goal.message = Some(HOSTILE.to_owned());
            }
        }
        if is_first && turn.truth.dialogue == "copy-album-1" {
            turn.failure = Some(TurnFailure {
                kind: FailureKind::Provider,
                message: HOSTILE.to_owned(),
            });
        }
    }
    log
}

/// The names of all tags, of those that close too.
fn tags(html: &str) -> BTreeSet<&str> {
    let starts = html
        .split('<')
        .skip(1)
        .map(|rest| rest.trim_start_matches('/'));
    let names = starts.map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric()).next());
    names.map(Option::unwrap_or_default).collect()
}

#[tokio::test]
async fn nothing_of_a_log_is_markup() {
    let report = report(vec![hostile().await]);
    let states = differing(&report).await;
    let html = page(&report, &states).expect("a page");
    // The only script is ours, and no tag is there that the templates do not have.
    assert_eq!(html.matches("<script").count(), 1);
    assert_eq!(html.matches("</script").count(), 1);
    let start = html.find("<body>").expect("a body");
    let end = html.find("<script>").expect("the script");
    let known = "\
        a b body caption circle code dd del details div dl dt em figcaption figure form h1 \
        h2 h3 h4 header i input ins label li main nav noscript option output p path polygon \
        polyline pre rect section select small span summary svg table tbody td text tfoot th \
        thead title tr ul";
    let known: Vec<&str> = known.split(' ').collect();
    let body = &html[start..end];
    let others: Vec<&str> = tags(body)
        .into_iter()
        .filter(|tag| !known.contains(tag))
        .collect();
    assert_eq!(others, [""; 0]);
    for hidden in ['\u{202e}', '\u{2066}', '\u{1b}', '\0', '\u{2028}'] {
        assert!(!html.contains(hidden), "{hidden:?} is there");
    }
    assert!(html.contains("\\u{202e}\\u{2066}␛[31m␀\\u{2028}"));
    // A template in a log is text.
    assert!(html.contains("{{ 7*7 }}{% raw %}&amp;lt;"));
}

/// What is between two tags of a section, as words.
fn words(html: &str) -> String {
    let mut text = String::new();
    for (index, piece) in html.split('<').enumerate() {
        let words = match index {
            0 => piece,
            _ => piece.split_once('>').map_or("", |(_, text)| text),
        };
        if !words.trim().is_empty() {
            text.push_str(words.trim());
            text.push(' ');
        }
    }
    let escapes = [
        ("&quot;", "\""),
        ("&#x27;", "'"),
        ("&#x2f;", "/"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ];
    escapes
        .iter()
        .fold(text, |text, (escape, c)| text.replace(escape, c))
}

fn section<'a>(html: &'a str, id: &str) -> &'a str {
    let (_, rest) = html
        .split_once(&format!("<section id=\"{id}\""))
        .expect("the section");
    let end = rest.find("\n<section id=").unwrap_or(rest.len());
    &rest[..end]
}

#[tokio::test]
async fn the_table_stands_beside_the_paper_and_says_that_the_datasets_differ() {
    let report = three_runs().await;
    let html = page(&report, &Err("No worlds here.".to_owned())).expect("a page");
    let table = words(section(&html, "results"));
    assert!(table.contains(DATASETS_DIFFER), "{table}");
    assert!(
        table.contains("ground-truth (c) 100.0 100.0 – 100.0 100.0"),
        "{table}"
    );
    assert!(
        table.contains("Codex Davinci (c) 33.0 22.0 – – – 29.5 13.2"),
        "{table}"
    );
    assert!(words(section(&html, "dialogues")).contains("No worlds here."));
}

#[tokio::test]
async fn every_figure_is_explained_and_so_is_what_is_not_as_in_the_paper() {
    let mut runs = report(vec![
        logs::log("m", 'b', logs::mistakes).await,
        logs::log("m", 'c', logs::mistakes).await,
    ]);
    let shown = |report: &Report| {
        let html = page(report, &Err(String::new())).expect("a page");
        (words(section(&html, "results")), html)
    };
    let (results, html) = shown(&runs);
    let (_, meanings) = results.split_once("What the figures mean").expect("them");
    for figure in &runs.runs[0].score.metrics {
        assert!(meanings.contains(&figure.title), "{}", figure.title);
    }
    assert!(meanings.contains(&format!("version {DEFINITIONS_VERSION};")));
    assert!(results.contains("not by sentence embeddings as the paper does it: in all runs"));
    // Three of twelve dialogues have no mistake.
    assert!(words(section(&html, "errors")).contains("every turn right 3 3"));

    let change = |report: &mut Report, run: usize, change: fn(&mut Run)| {
        change(&mut report.runs[run].log.run);
    };
    change(&mut runs, 0, |run| {
        run.settings.similarity = "minilm".to_owned()
    });
    assert!(
        shown(&runs)
            .0
            .contains("as the paper does it: m (c) (bm25).")
    );
    // What needs no example looks for none.
    change(&mut runs, 1, |run| run.settings.setting = 'a');
    assert!(!shown(&runs).0.contains("sentence embeddings"));
}

#[tokio::test]
async fn a_dialogue_shows_what_differs() {
    let report = three_runs().await;
    let states = differing(&report).await;
    let html = page(&report, &states).expect("a page");
    let entries: Vec<&str> = html.split("<details class=\"entry\"").skip(1).collect();
    assert_eq!(entries.len(), 3 * logs::DIALOGUES);
    let of = |uid: &str, label: &str| {
        let found = entries.iter().find(|entry| {
            entry.contains(&format!("<h3>{uid}</h3>")) && entry.contains(&format!(">{label}<"))
        });
        words(found.unwrap_or_else(|| panic!("no {uid} of {label}")))
    };
    let stray = of("assets-by-type-2", "openai:small (b)");
    for part in [
        "✓ ✗ ✗ ✗ assets-by-type-2 openai:small (b) EMR 25.0 %",
        "Turn 2 wrong: wrong state",
        "From the true world to the predicted one + kilnhouse-flyers/stray.txt (1 byte)",
        "the state alone is wrong",
        "Stack before: 1 goal",
    ] {
        assert!(stray.contains(part), "{part} is not in\n{stray}");
    }
    let right = of("assets-by-type-2", "ground-truth (c)");
    assert!(
        right.contains("EMR 100.0 %") && !right.contains("wrong"),
        "{right}"
    );
}

#[tokio::test]
async fn a_cost_stands_where_the_price_is_known_and_unknown_is_not_nothing() {
    let mut runs = report(vec![
        logs::log("anthropic:claude-haiku-4-5", 'c', logs::no_mistake).await,
        logs::log("openai:small", 'c', logs::no_mistake).await,
    ]);
    let without = Err("No worlds here.".to_owned());
    let html = page(&runs, &without).expect("a page");
    assert!(!html.contains("cost (prices of)"));
    runs.price(&Prices::built_in().expect("prices"));
    let text = words(&page(&runs, &without).expect("a page"));
    assert!(text.contains("cost (prices of)"), "{text}");
    let [known, unknown] = [&runs.runs[0], &runs.runs[1]].map(|run| run.cost.clone());
    let known = known.expect("the price of a model in the list");
    assert!(known.starts_with('$') && text.contains(&known), "{known}");
    assert!(
        unknown.is_none() && text.contains(" unknown "),
        "{unknown:?}"
    );
}
