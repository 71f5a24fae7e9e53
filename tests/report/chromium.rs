//! The page as a browser shows it: Chromium without a window.

use super::page::hostile;
use super::{differing, report, three_runs};
use crate::support::tools::{AXE, CHROMIUM, PYTHON, needs};
use dialog2api::eval::report::page;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A page in a folder with a browser's profile.
struct Browser {
    folder: TempDir,
}

impl Browser {
    fn of(html: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("report.html"), html).expect("a file");
        Browser { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Opens the page at a place, with these options.
    fn open(&self, page: &str, place: &str, options: &[&str]) -> Output {
        let chromium = CHROMIUM.path();
        let output = Command::new(&chromium)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
            ])
            .args([
                "--no-first-run",
                "--disable-extensions",
                "--disable-background-networking",
            ])
            .args(["--enable-logging=stderr", "--v=0"])
            .arg(format!(
                "--user-data-dir={}",
                self.path("profile").display()
            ))
            .args(options)
            .arg(format!("file://{}{place}", self.path(page).display()))
            .output();
        let output = output.expect("Chromium starts");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{chromium:?}: {told}");
        // What the page's script says, and what its policy stopped. A frame without
        // scripts says so.
        let said: Vec<&str> = told
            .lines()
            .filter(|line| line.contains("CONSOLE") && !line.contains("frame is sandboxed"))
            .collect();
        assert!(said.is_empty(), "{said:#?}");
        output
    }

    /// The document after the script ran.
    fn document(&self, place: &str, options: &[&str]) -> String {
        let options = [options, &["--dump-dom"]].concat();
        String::from_utf8(self.open("report.html", place, &options).stdout).expect("text")
    }

    /// How many colours a picture of the page has, and the share of the most frequent.
    fn picture(&self, page: &str, width: u32, options: &[&str]) -> (usize, f64) {
        let (file, size) = (self.path("page.png"), format!("--window-size={width},400"));
        let shot = format!("--screenshot={}", file.display());
        self.open(page, "", &[options, &[&shot, &size]].concat());
        let output = PYTHON
            .python()
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report/colours.py"))
            .arg(file)
            .output()
            .expect("Python starts");
        let said = String::from_utf8_lossy(&output.stdout);
        let told = String::from_utf8_lossy(&output.stderr);
        let (colours, share) = said.trim().split_once(' ').expect(&told);
        (
            colours.parse().expect("a count"),
            share.parse().expect("a share"),
        )
    }
}

const SECTIONS: [&str; 7] = [
    "results",
    "emr",
    "positions",
    "errors",
    "operations",
    "dialogues",
    "runs",
];
/// Shows the page in a frame that runs no scripts.
const FRAME: &str = "<!DOCTYPE html><body style=\"margin: 0\"><iframe sandbox src=report.html \
                     style=\"border: 0; width: 100vw; height: 100vh\"></iframe>";

async fn browser() -> Browser {
    let report = three_runs().await;
    let states = differing(&report).await;
    Browser::of(&page(&report, &states).expect("a page"))
}

#[tokio::test]
async fn the_page_is_not_blank_at_any_width_in_the_light_and_in_the_dark() {
    needs!(CHROMIUM, PYTHON);
    let browser = browser().await;
    let dark = "--blink-settings=preferredColorScheme=0";
    for (width, options) in [(800, &[][..]), (400, &[][..]), (800, &[dark][..])] {
        let (colours, share) = browser.picture("report.html", width, options);
        assert!(
            colours > 100,
            "{colours} colours at {width} with {options:?}"
        );
        assert!(
            share < 0.95,
            "{share} of one colour at {width} with {options:?}"
        );
    }
}

#[tokio::test]
async fn the_script_runs_and_all_sections_are_there() {
    needs!(CHROMIUM);
    let browser = browser().await;
    let document = browser.document("", &[]);
    assert!(document.contains("data-ready=\"yes\""));
    assert!(
        document.contains("<form id=\"filter\">"),
        "the filter is hidden"
    );
    for id in SECTIONS {
        assert!(document.contains(&format!("<section id=\"{id}\"")), "{id}");
    }
}

/// A browser without scripts shows what is written.
#[tokio::test]
async fn without_a_script_everything_is_there_but_the_filter() {
    needs!(CHROMIUM, PYTHON);
    let report = three_runs().await;
    let html = page(&report, &differing(&report).await).expect("a page");
    assert!(html.contains("<form id=\"filter\" hidden>"));
    for id in SECTIONS {
        assert!(html.contains(&format!("<section id=\"{id}\"")), "{id}");
    }
    assert_eq!(hidden(&html), 0);
    let browser = Browser::of(&html);
    std::fs::write(browser.path("frame.html"), FRAME).expect("a file");
    let (colours, share) = browser.picture("frame.html", 800, &[]);
    assert!(
        colours > 100 && share < 0.95,
        "{colours} colours, {share} of one"
    );
}

/// How many dialogues are hidden.
fn hidden(document: &str) -> usize {
    let entries = document.split("<details class=\"entry\"").skip(1);
    let starts = entries.filter_map(|entry| entry.split('>').next());
    starts.filter(|start| start.contains(" hidden")).count()
}

#[tokio::test]
async fn dialogues_are_chosen_by_run_mistake_complexity_and_text() {
    needs!(CHROMIUM);
    let browser = browser().await;
    let all = 3 * super::logs::DIALOGUES;
    let chosen = |query: &str| all - hidden(&browser.document(query, &[]));
    assert_eq!(chosen(""), all);
    assert_eq!(chosen("#?run=0"), super::logs::DIALOGUES);
    assert_eq!(chosen("#?run=0&wrong=on"), 0);
    let wrong = chosen("#?wrong=on");
    assert!(0 < wrong && wrong < all);
    let first = chosen("#?class=exception");
    assert!(0 < first && first < wrong);
    let kind = chosen("#?kind=FAQ");
    assert!(0 < kind && kind < all);
    assert_eq!(chosen("#?text=STRAY.txt+assets-by-type-2&run=1"), 1);
    let document = browser.document("#d2", &[]);
    let open = document
        .split("<details class=\"entry\" id=\"d2\"")
        .nth(1)
        .expect("it");
    assert!(open.split('>').next().expect("a tag").contains("open="));
}

/// A copy of the page with a script of ours, which its policy would stop: what that makes of the title.
fn titled(html: &str, script: &str, options: &[&str]) -> String {
    let policy = html.find("<meta http-equiv=\"Content-Security-Policy\"");
    let policy = policy.expect("a policy");
    let end = policy + html[policy..].find('>').expect("its end") + 1;
    let ours = format!("<script>{script}</script></body>");
    let html = format!("{}{}", &html[..policy], &html[end..]).replace("</body>", &ours);
    let document = Browser::of(&html).document("", options);
    let title = document.split("<title>").nth(1).expect("a title");
    title
        .split("</title>")
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[tokio::test]
async fn keys_lead_to_the_next_and_the_previous_turn() {
    needs!(CHROMIUM);
    let report = three_runs().await;
    let html = page(&report, &differing(&report).await).expect("a page");
    let presses = "
        const seen = [...'nnpp'].map((key) => {
          dispatchEvent(new KeyboardEvent('keydown', {key}));
          return document.activeElement.querySelector('h4').textContent.match(/Turn \\d+/)[0];
        });
        const open = document.querySelectorAll('details.entry[open]').length;
        document.title = `${seen.join(', ')}; ${open} open`;";
    assert_eq!(
        titled(&html, presses, &[]),
        "Turn 1, Turn 2, Turn 1, Turn 1; 1 open"
    );
}

#[tokio::test]
async fn axe_finds_nothing_serious_in_a_dialogue_beside_the_truth() {
    needs!(CHROMIUM, AXE);
    let report = three_runs().await;
    let html = page(&report, &differing(&report).await).expect("a page");
    let rules = std::fs::read_to_string(AXE.path()).expect("the rules");
    let check = "
        document.querySelectorAll('details.entry').forEach((it, at) => { it.open = at < 2; });
        axe.run().then((it) => {
          const grave = it.violations.filter((it) => ['serious', 'critical'].includes(it.impact));
          const faults = grave.map((it) => `${it.id} ${it.nodes[0].target} ${it.nodes[0].failureSummary}`);
          document.title = `${it.passes.length > 15}: ${faults.join('; ')}`;
        });";
    // Text of a script ends at this, wherever it stands.
    let rules = rules.replace("</script", "<\\/script");
    let dark = "--blink-settings=preferredColorScheme=0";
    for look in [&[][..], &[dark][..]] {
        for width in ["--window-size=1280,800", "--window-size=390,844"] {
            let options = [look, &[width, "--virtual-time-budget=60000"]].concat();
            let found = titled(&html, &format!("{rules}\n{check}"), &options);
            assert_eq!(found, "true: ", "{options:?}");
        }
    }
}

#[tokio::test]
async fn a_hostile_log_runs_nothing() {
    needs!(CHROMIUM);
    let report = report(vec![hostile().await]);
    let states = differing(&report).await;
    let browser = Browser::of(&page(&report, &states).expect("a page"));
    // The policy would tell on the console of a script that it stopped, which fails.
    let document = browser.document("", &[]);
    assert!(document.contains("data-ready=\"yes\""));
    assert_eq!(document.matches("<img").count(), 0);
    assert_eq!(document.matches("<script").count(), 1);
}
