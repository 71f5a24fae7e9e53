//! Decision games at pages: what a page is sent, and what a browser makes of it.

use super::{Page, start};
use crate::cli::support::Home;
use crate::support::tools::{CHROMIUM, needs};
use browser::{Browser, Tab};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Child;

#[path = "../../crates/web-desk/tests/support/browser.rs"]
#[allow(dead_code, reason = "made for another page, too")]
mod browser;

/// A game that is served until this is dropped.
struct Served(Child, Json);

impl Served {
    fn new(home: &Home, words: &str) -> Served {
        let words = format!("play {words} --web --no-open --json");
        let (child, printed) = start(home.command(&words));
        Served(child, printed["links"].clone())
    }

    fn link(&self, seat: &str) -> String {
        self.1[seat].as_str().expect("a link").to_owned()
    }

    async fn page(home: &Home, words: &str, seat: &str) -> Page {
        let words = format!("play {words} --web --no-open --json");
        let (child, printed) = start(home.command(&words));
        Page::enter(child, printed["links"][seat].as_str().expect("a link")).await
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Page {
    /// Does something at a seat; the status, and the answer.
    async fn act(&self, what: Json) -> (u16, Json) {
        let session = self.get("/api/hello").await["session"].clone();
        let request = self.client.post(format!("{}/api/act", self.base));
        let request = request
            .header("Cookie", &self.cookie)
            .header("Origin", &self.base)
            .header("Sec-Fetch-Site", "same-origin")
            .header("x-desk-key", &self.key)
            .json(&json!({"session": session, "what": what}));
        let answer = request.send().await.expect("an answer");
        let status = answer.status().as_u16();
        (status, answer.json().await.unwrap_or_default())
    }

    async fn text(&self, path: &str) -> String {
        let request = self.client.get(format!("{}{path}", self.base));
        let answer = request.header("Cookie", &self.cookie).send().await;
        answer.expect("an answer").text().await.expect("text")
    }

    /// All that this page can get of the server until it is its turn again: files, events, answers.
    async fn everything(&mut self, to: Json) -> String {
        let mut all = String::new();
        for path in [
            "/",
            "/api/hello",
            "/assets/seat.js",
            "/assets/board.js",
            "/api/sessions",
            "/api/forms",
        ] {
            all += &self.text(path).await;
        }
        all += &self.until("opened").await.to_string();
        all += &self.turn().await;
        for what in [
            json!({"act": "about", "picks": [0, 1, 2]}),
            json!({"act": "suggest"}),
            json!({"act": "accept"}),
            json!({"act": "propose", "picks": [99]}),
            json!({"act": "nonsense"}),
            json!({"act": "search", "query": "all"}),
            json!({"act": "message", "text": "Hello.", "to": to}),
        ] {
            all += &self.act(what).await.1.to_string();
        }
        all += &self.turn().await;
        all
    }

    /// What is told until it is the turn of the page.
    async fn turn(&mut self) -> String {
        let mut all = String::new();
        loop {
            let told = self.until("told").await;
            all += &told.to_string();
            if told["may"].as_array().is_some_and(|may| !may.is_empty()) {
                return all;
            }
        }
    }
}

/// The world of a seed.
fn world(home: &Home, game: &str) -> Json {
    let words = format!("game generate {game} --seed 7");
    let output = home.command(&words).output().expect("it starts");
    let line: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    line["world"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_another_seat_is_sent_to_a_page() {
    let home = Home::new();
    let of =
        |game: &str, seat: &str| format!("{game} --seed 7 --seat {seat} --partner shy --suggest");
    let mut page = Served::page(&home, &of("planning", "agent"), "agent").await;
    let sent = page.everything(Json::Null).await;
    assert!(
        sent.contains("BAMPFA") && sent.contains("bad-query"),
        "{sent}"
    );
    for wish in world(&home, "planning")["preferences"]
        .as_array()
        .expect("wishes")
    {
        let text = wish["text"].as_str().expect("a text");
        assert!(!sent.contains(text), "{text} is sent");
    }
    let mut page = Served::page(&home, &of("planning", "user"), "user").await;
    let sent = page.everything(Json::Null).await;
    assert!(sent.contains("minimize travel distance"), "{sent}");
    for secret in ["weight", "Hindenberg", "\"best\"", "37.86"] {
        assert!(!sent.contains(secret), "{secret} is sent");
    }
    let secrets = world(&home, "optimization");
    let scaled = |player: usize| -> BTreeSet<i64> {
        let mut seen = BTreeSet::new();
        for (row, known) in secrets["known"][player]
            .as_array()
            .expect("rows")
            .iter()
            .enumerate()
        {
            for (column, known) in known.as_array().expect("cells").iter().enumerate() {
                let value = secrets["table"][row][column].as_f64().expect("a number");
                let scale = secrets["scales"][player].as_f64().expect("a number");
                if known == 1 {
                    seen.insert((value * scale) as i64);
                }
            }
        }
        seen
    };
    let mut page = Served::page(&home, &of("optimization", "player-1"), "player-1").await;
    let sent = page.everything(Json::Null).await;
    let own = scaled(0);
    assert!(
        own.iter()
            .all(|value| sent.contains(&format!("\"{value}\""))),
        "{sent}"
    );
    for value in scaled(1).difference(&own) {
        assert!(!sent.contains(&format!("\"{value}\"")), "{value} is sent");
    }
    for scale in 0..2 {
        assert!(
            !sent.contains(&secrets["scales"][scale].to_string()),
            "{sent}"
        );
    }
    let mut page = Served::page(&home, &of("mediation", "agent"), "agent").await;
    let sent = page.everything(json!(0)).await;
    assert!(sent.contains("Flights of User 1"), "{sent}");
    for secret in [
        "importance\"",
        "\"weight\"",
        "price_weight",
        "mean_price",
        "\"private\":true",
    ] {
        assert!(!sent.contains(secret), "{secret} is sent");
    }
    let mut page = Served::page(&home, &of("mediation", "user0"), "user0").await;
    let sent = page.everything(Json::Null).await;
    assert!(
        sent.contains("Your flights") && !sent.contains("User 1"),
        "{sent}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_requests_are_refused_with_a_code_and_the_game_goes_on() {
    let home = Home::new();
    let page = Served::page(&home, "planning --seed 7 --seat agent", "agent").await;
    for (what, status, expected) in [
        (json!(null), 409, "No page does this"),
        (json!({"act": "fly"}), 409, "No page does this"),
        (
            json!({"act": "propose", "picks": "all"}),
            409,
            "No page does this",
        ),
        (
            json!({"act": "propose", "picks": [-1, 0, 1]}),
            409,
            "No page does this",
        ),
        (
            json!({"act": "propose", "picks": [0, 0, 1]}),
            409,
            "repeated-site",
        ),
        (
            json!({"act": "propose", "text": "[A, B]"}),
            409,
            "bad-proposal",
        ),
        (
            json!({"act": "search", "query": "all of it"}),
            409,
            "bad-query",
        ),
        (json!({"act": "reject"}), 409, "not-your-role"),
        (json!({"act": "suggest"}), 409, "not-your-role"),
        (json!({"act": "message", "text": "Hi!"}), 200, "{}"),
    ] {
        let (got, answer) = page.act(what.clone()).await;
        assert!(
            got == status && answer.to_string().contains(expected),
            "{what}: {got} {answer}"
        );
    }
    // Another browser, and another session.
    let client = &page.client;
    let url = format!("{}/api/act", page.base);
    let stranger = client
        .post(&url)
        .json(&json!({"session": "", "what": {}}))
        .send()
        .await;
    assert_eq!(stranger.expect("an answer").status(), 401);
    let other = page
        .post("/api/act", "planning 8", json!({"what": {"act": "accept"}}))
        .await;
    assert_eq!(other.0, 409);
}

/// Opens the page of the seat, and waits until the board stands.
fn visit<'a>(browser: &'a Browser, served: &Served, seat: &str) -> Tab<'a> {
    let tab = browser.open(&served.link(seat));
    tab.wait(
        "document.getElementById('line').dataset.how === 'open' && document.querySelector('.part')",
    );
    tab
}

const TURN: &str = "document.getElementById('turn').textContent.includes('your turn')";
const OVER: &str = "!document.getElementById('end').hidden";

fn replays(home: &Home) -> String {
    let output = home
        .command("replay games.jsonl")
        .output()
        .expect("it starts");
    home.seen(&output)
}

#[test]
fn a_person_plays_by_clicking_and_the_record_replays() {
    needs!(CHROMIUM);
    let home = Home::new();
    let browser = Browser::start(&CHROMIUM.path());
    let words = "planning --seat agent --seed 7 --suggest --record games.jsonl";
    let served = Served::new(&home, words);
    let tab = visit(&browser, &served, "agent");
    tab.wait(TURN);
    assert!(
        tab.text("#entries").contains("User"),
        "{}",
        tab.text("#entries")
    );
    // Three sites by the list and the map; what they come to is said.
    tab.click(".things tbody tr:nth-child(1) .name");
    tab.click(".things tbody tr:nth-child(2) .name");
    tab.eval("document.querySelectorAll('.site')[4].dispatchEvent(new MouseEvent('click', {bubbles: true}))");
    tab.wait("document.getElementById('about').textContent.includes('price of all: $')");
    assert_eq!(tab.eval("document.querySelectorAll('.choice').length"), 3);
    tab.click("#propose");
    tab.wait(&format!(
        "document.querySelectorAll('.reject').length === 1 && {TURN}"
    ));
    tab.eval("document.querySelector('[data-part=board]').click()");
    // A query, and words.
    tab.eval("document.getElementById('query').value = 'Search(fields=[name], limit=2)'; document.getElementById('search').requestSubmit()");
    tab.wait("document.getElementById('entries').innerText.includes('Search Results (2):')");
    tab.eval("document.getElementById('query').value = 'all'; document.getElementById('search').requestSubmit()");
    tab.wait("document.getElementById('alerts').innerText.includes('bad-query')");
    tab.eval("document.getElementById('say').focus()");
    tab.write("Is that <b>better</b>?");
    tab.press("Enter", 0);
    tab.wait(&format!(
        "document.querySelectorAll('.own.message').length === 1 && {TURN}"
    ));
    assert!(tab.text("#entries").contains("<b>better</b>"));
    // The user accepts the third one in any case.
    for count in 2..=3 {
        if tab.eval(OVER) == true {
            break;
        }
        // Those of the suggestion before would be taken for the new ones.
        tab.eval("document.getElementById('reasons').replaceChildren()");
        tab.click("#suggest");
        tab.wait("document.getElementById('reasons').innerText.includes('worth about')");
        tab.click("#propose");
        tab.wait(&format!(
            "document.querySelectorAll('.own.propose').length === {count} && ({OVER} || {TURN})"
        ));
    }
    tab.wait(OVER);
    let end = tab.text("#end");
    assert!(
        end.contains("points (worst") && end.contains("Without a word, agent"),
        "{end}"
    );
    // A page that is loaded again has it all.
    let before = tab.text("#entries");
    tab.reload();
    tab.wait(OVER);
    assert_eq!(tab.text("#entries"), before);
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let replayed = replays(&home);
    assert!(
        replayed.contains("1 game,") && replayed.contains("all match"),
        "{replayed}"
    );
}

#[test]
fn two_people_play_at_pages_of_their_own() {
    needs!(CHROMIUM);
    let home = Home::new();
    let browser = Browser::start(&CHROMIUM.path());
    let words = "optimization --partner person --record games.jsonl";
    let served = Served::new(&home, words);
    let first = visit(&browser, &served, "player-1");
    let second = visit(&browser, &served, "player-2");
    assert_ne!(first.text("#parts"), second.text("#parts"));
    let cell = |row: usize| {
        format!(
            ".cells tbody tr:nth-child({}) td:nth-of-type({}) .cell",
            row + 1,
            row + 1
        )
    };
    for row in 0..8 {
        first.click(&cell(row));
    }
    // A paper goes to one reviewer.
    first.click(".cells tbody tr:nth-child(1) td:nth-of-type(2) .cell");
    assert_eq!(first.eval("document.querySelectorAll('.choice').length"), 7);
    first.click("#propose");
    first.wait("document.getElementById('alerts').innerText.includes('incomplete-proposal')");
    first.click(".cells tbody tr:nth-child(2) td:nth-of-type(1) .cell");
    first.click("#propose");
    second.wait("document.querySelectorAll('.cell.theirs').length === 8");
    second.wait("!document.getElementById('answer').hidden");
    second.click("#reject");
    first.wait("document.querySelector('.other.reject')");
    second.click(&cell(0));
    first.click("#propose");
    second.wait("document.querySelectorAll('.other.propose').length === 2");
    second.click("#accept");
    for tab in [&first, &second] {
        tab.wait(OVER);
    }
    assert_eq!(first.text("#end .score"), second.text("#end .score"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let replayed = replays(&home);
    assert!(
        replayed.contains("2 full proposals, all match"),
        "{replayed}"
    );
}

/// With `WEB_DESK_PICTURES=FOLDER` there are pictures to look at.
#[test]
fn boards_fit_in_both_sizes_and_looks() {
    needs!(CHROMIUM);
    let home = Home::new();
    let browser = Browser::start(&CHROMIUM.path());
    let folder = std::env::var_os("WEB_DESK_PICTURES").map(PathBuf::from);
    let rules = std::env::var_os("DIALOG2API_TEST_AXE")
        .map(|path| std::fs::read_to_string(path).expect("the rules"));
    for (game, seat) in [
        ("optimization", "player-1"),
        ("planning", "user"),
        ("planning", "agent"),
        ("mediation", "user0"),
        ("mediation", "agent"),
    ] {
        let partner = if seat == "agent" { "scripted" } else { "agent" };
        let served = Served::new(
            &home,
            &format!("{game} --seat {seat} --partner {partner} --seed 7 --suggest"),
        );
        let tab = visit(&browser, &served, seat);
        if rules.is_some() {
            // The rules make markup of text, which the page's own policy forbids.
            tab.call("Page.setBypassCSP", json!({"enabled": true}));
            tab.reload();
            tab.wait("document.querySelector('.part')");
        }
        if tab.eval("document.getElementById('proposal').hidden") == false {
            tab.click("#suggest");
            tab.wait("document.querySelectorAll('.choice').length > 1");
        } else {
            tab.eval("document.querySelector('.things .name')?.click(); document.getElementById('say').value = 'What do you propose?'; document.getElementById('composer').requestSubmit()");
            tab.wait("document.querySelector('.other')");
        }
        for (width, height) in [(1280, 800), (390, 844)] {
            tab.size(width, height);
            for look in ["light", "dark"] {
                tab.look(look);
                tab.wait(&format!("innerWidth === {width}"));
                for part in ["board", "talk"] {
                    tab.eval(&format!(
                        "document.querySelector('[data-part={part}]').click()"
                    ));
                    let what = format!("{game}-{seat}-{part}-{width}-{look}");
                    let wide = tab.eval("document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth");
                    assert_eq!(wide, false, "{what} is too wide");
                    if let Some(folder) = &folder {
                        tab.picture(&folder.join(format!("{what}.png")));
                    }
                    if let Some(rules) = &rules {
                        assert_eq!(faults(&tab, rules), "", "{what}");
                    }
                }
            }
        }
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// What is serious or critical for those who cannot see the page, one fault a line.
fn faults(tab: &Tab<'_>, rules: &str) -> String {
    tab.eval(rules);
    let found = tab.eval(
        "axe.run().then((it) => it.violations.filter((it) => ['serious', 'critical'].includes(it.impact))
           .map((it) => `${it.id}: ${it.nodes.map((node) => node.target.join(' ') + ' ' + node.failureSummary).join('; ')}`)
           .join('\\n'))",
    );
    found.as_str().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_partner_that_cannot_be_asked_is_said_on_the_page() {
    let home = Home::new();
    home.write("answers", "none()\n");
    let words = "planning --seed 7 --partner agent --model script:answers";
    let mut page = Served::page(&home, words, "user").await;
    page.turn().await;
    for text in ["I like parks", "and museums", "and views"] {
        page.act(json!({"act": "message", "text": text})).await;
    }
    let failed = page.until("failed").await;
    let said = failed["said"].as_str().unwrap_or_default();
    assert!(said.contains("the script has no more answers"), "{said}");
    let (status, answer) = page.act(json!({"act": "message", "text": "hello?"})).await;
    assert!(
        status == 409 && answer.to_string().contains("game-over"),
        "{answer}"
    );
}
