//! Pages that are loaded again, that are two, that lose the server, and that show hostile text.

use crate::support::Served;
use crate::support::scenes::PROGRAM;
use serde_json::json;
use web_desk::Desk;

const SAID: &str = "document.querySelectorAll('.turn:not(.live)').length";

#[test]
fn a_page_that_is_loaded_again_in_a_turn_loses_nothing_and_applies_nothing_twice() {
    let browser =
        browser!("a_page_that_is_loaded_again_in_a_turn_loses_nothing_and_applies_nothing_twice");
    let served = Served::new();
    let (link, origin) = served.link();
    let tab = browser.open(&link);
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    // The token is gone from the address.
    assert_eq!(tab.eval("location.href"), format!("{origin}/"));
    assert_eq!(tab.eval("document.cookie"), "");
    tab.say("something slow");
    tab.wait("document.querySelector('.live .program')?.textContent.length > 5");
    tab.eval("document.getElementById('say').focus()");
    tab.write("what I was about to say");
    tab.reload();
    tab.wait("document.querySelector('.live .program')?.textContent.includes('hello')");
    tab.wait("document.getElementById('say').value === 'what I was about to say'");
    tab.click("#stop");
    tab.wait(&format!("{SAID} === 1"));
    tab.eval("document.getElementById('say').value = ''");
    tab.say("tidy");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    let before = tab.text("#plan");
    tab.reload();
    tab.wait("document.querySelector('#plan .apply:enabled')");
    assert_eq!(tab.text("#plan"), before);
    assert!(before.contains(PROGRAM.trim().lines().next().unwrap()));
    tab.click("#plan .apply");
    tab.wait(&format!("{SAID} === 2"));
    tab.reload();
    tab.wait(&format!("{SAID} === 2"));
    assert_eq!(
        tab.eval("document.querySelector('#plan article')"),
        serde_json::Value::Null
    );
    assert_eq!(
        served.tape.heard(),
        ["say something slow", "cancel", "say tidy", "decide 1 true"]
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_page_that_slept_goes_on_where_it_stopped() {
    let browser = browser!("a_page_that_slept_goes_on_where_it_stopped");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('line').dataset.how === 'open'");
    let kept = "const Real = EventSource; window.asked = []; window.EventSource = class extends Real { constructor(at) { super(at); window.stream = this; window.asked.push(at); } }";
    tab.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({"source": kept}),
    );
    tab.reload();
    tab.say("hello");
    tab.wait(&format!("window.stream && {SAID} === 1"));
    // The stream dies without a word, and a turn goes by.
    tab.eval("window.stream.close()");
    let said = served.tape.say("while you slept".to_owned());
    served.runtime.block_on(said).expect("a turn");
    assert_eq!(tab.eval(SAID), 1);
    tab.eval("document.dispatchEvent(new Event('visibilitychange'))");
    tab.wait(&format!("{SAID} === 2 && document.getElementById('turns').innerText.includes('You said: while you slept')"));
    // It asked for what came after the last event that it had.
    let asked = tab.eval("window.asked.map((at) => at.split('after=')[1].split('.')[1] ?? '')");
    assert_eq!(asked[0], "");
    let after: u64 = asked[1]
        .as_str()
        .expect("a number")
        .parse()
        .expect("a number");
    assert!(after >= 3, "{asked}");
}

#[test]
fn what_ran_before_the_page_knew_can_be_undone() {
    let browser = browser!("what_ran_before_the_page_knew_can_be_undone");
    let served = Served::new();
    served.tape.past(3);
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('back').checkVisibility()");
    assert_eq!(tab.text("#back"), "Undo the last program");
    tab.click("#back");
    // A refusal is shown.
    tab.wait(
        "document.getElementById('alerts').innerText.includes('The tape undoes plans alone.')",
    );
    assert_eq!(served.tape.heard(), ["undo Last"]);
}

#[test]
fn two_tabs_show_the_same_and_decide_once() {
    let browser = browser!("two_tabs_show_the_same_and_decide_once");
    let served = Served::new();
    let (link, origin) = served.link();
    let one = browser.open(&link);
    one.wait("document.getElementById('where').textContent.includes('monday')");
    let two = browser.open(&origin);
    one.say("tidy");
    one.wait("document.querySelector('#plan .apply:enabled')");
    two.wait("document.querySelector('#plan .apply:enabled')");
    // The second tab is behind: it hears of the decision only after its own.
    two.eval("(() => { const real = fetch; window.fetch = async (...it) => { await window.go; return real(...it); }; window.go = new Promise((done) => { window.let = done; }); document.querySelector('#plan .apply').click(); })()");
    one.click("#plan .decline");
    one.wait(&format!("{SAID} === 1"));
    two.eval("window.let()");
    two.wait("document.getElementById('alerts').innerText.includes('Plan 1 was decided already. Nothing more is done.')");
    two.wait(&format!("{SAID} === 1"));
    assert_eq!(served.tape.heard(), ["say tidy", "decide 1 false"]);
    two.click("#new");
    for tab in [&one, &two] {
        tab.wait(&format!(
            "document.getElementById('where').textContent.includes('another') && {SAID} === 0"
        ));
    }
}

#[test]
fn names_and_contents_are_text() {
    let browser = browser!("names_and_contents_are_text");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.say("hostile <img src=x onerror=window.hacked=1>");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    assert!(
        tab.text("#plan .place")
            .contains("\\u202egpj.exe\\u0000\\u000a"),
        "{}",
        tab.text("#plan .place")
    );
    tab.click("#plan .apply");
    tab.wait(&format!("{SAID} === 1"));
    tab.click("[data-part=world]");
    tab.eval("document.getElementById('path').value = 'zoo/hostile/'; document.querySelector('.places').requestSubmit()");
    tab.wait("document.querySelector('.item .name')?.textContent.includes('onerror')");
    tab.click(".item .name");
    tab.wait("document.querySelector('.content .text')?.textContent === 'plain'");
    tab.eval("document.getElementById('path').value = 'zoo/logs/'; document.querySelector('.places').requestSubmit()");
    tab.wait("document.querySelector('.item .name')?.textContent === 'a.log'");
    tab.click(".item .name");
    tab.wait("document.querySelector('.content .text')?.textContent.includes('<script>')");
    assert_eq!(tab.eval("[window.hacked === undefined, document.querySelectorAll('img, main script').length].join()"), "true,0");
    // Markup cannot be made of text at all, by whatever mistake.
    let made = tab.eval("(() => { try { document.body.innerHTML = '<b>x</b>'; return 'made'; } catch { return 'refused'; } })()");
    assert_eq!(made, "refused");
}

#[test]
fn links_can_be_followed_and_hostile_ones_are_text() {
    let browser = browser!("links_can_be_followed_and_hostile_ones_are_text");
    let served = Served::new();
    let log = served.tape.log();
    log.push(json!({"event": "note", "text": "One <b>link</b> is\u{202e} left out."}));
    log.push(json!({"event": "unseen", "what": "tags are not signed"}));
    let tab = browser.open(&served.link().0);
    tab.wait("document.querySelectorAll('#turns > .note').length === 2");
    let all = |which: &str, seen: &str| {
        let read =
            format!("[...document.querySelectorAll({which:?})].map((it) => {seen}).join('; ')");
        tab.eval(&read).as_str().expect("text").to_owned()
    };
    assert_eq!(
        all("#turns > .note", "it.textContent"),
        "One <b>link</b> is\\u202e left out.; note: tags are not signed"
    );
    tab.say("share it");
    for _ in 0..2 {
        tab.wait(&format!("{SAID} === 1"));
        let link = "https://zoo.example/a.txt?key=works&more=1 true noreferrer _blank";
        let seen = "[it.textContent, it.getAttribute('href') === it.textContent, it.rel, it.target].join(' ')";
        assert_eq!(all(".shared a, .agent a", seen), format!("{link}; {link}"));
        assert_eq!(
            all(".shared code", "it.textContent"),
            "javascript:window.hacked=1; https://zoo.example/\\u202etxt.exe; https://zoo.example/a.txt?key=writes"
        );
        let turn = tab.text(".turn");
        assert!(turn.contains("The request is a PUT."), "{turn}");
        assert!(turn.contains("One <b>object</b> is left out."), "{turn}");
        assert!(turn.contains("or https://elsewhere.example/."), "{turn}");
        assert_eq!(tab.eval("document.querySelectorAll('#turns b').length"), 0);
        // A page that is loaded again has them still.
        tab.reload();
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_page_without_its_server_says_so_and_a_stranger_is_told_the_way_in() {
    let browser = browser!("a_page_without_its_server_says_so_and_a_stranger_is_told_the_way_in");
    let mut served = Served::new();
    let (link, origin) = served.link();
    let stranger = browser.open(&origin);
    stranger.wait("document.body.innerText.includes('Open the link that it printed')");
    let tab = browser.open(&link);
    tab.wait("document.getElementById('line').dataset.how === 'open'");
    served.end();
    tab.wait("document.getElementById('line').dataset.how === 'lost'");
}

#[test]
fn a_report_opens_beside_the_page_and_reads_nothing_of_it() {
    let browser = browser!("a_report_opens_beside_the_page_and_reads_nothing_of_it");
    let served = Served::new();
    let (link, origin) = served.link();
    let tab = browser.open(&link);
    tab.wait("document.getElementById('report').checkVisibility()");
    assert_eq!(
        tab.eval("document.getElementById('report').href"),
        format!("{origin}/report")
    );
    let report = browser.open(&format!("{origin}/report"));
    report.wait("document.getElementById('told').textContent.includes(',')");
    assert_eq!(report.text("#told"), "it reads nothing, asks nothing");
}

#[test]
fn forms_are_shown_where_there_are_some_and_follow_the_turns() {
    let browser = browser!("forms_are_shown_where_there_are_some_and_follow_the_turns");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    tab.say("hello");
    tab.wait(&format!("{SAID} === 1"));
    let shown = "document.querySelector('[data-part=forms]').checkVisibility()";
    // A key leads nowhere where there is nothing.
    tab.press("4", 1);
    assert_eq!(tab.eval(shown), false);
    assert_eq!(tab.eval("document.body.dataset.view"), "talk");
    tab.click("#new");
    tab.click("[data-part=forms]");
    tab.wait(
        "document.getElementById('forms-text').innerText.startsWith('Booking, after 0 turns')",
    );
    let fields = tab.eval(
        "[...document.querySelectorAll('.form .field')].map((it) => `${it.className}: ${[...it.children].map((part) => part.textContent).join(' | ')}`).join('\\n')",
    );
    assert_eq!(
        fields
            .as_str()
            .unwrap_or_default()
            .lines()
            .collect::<Vec<_>>(),
        [
            "field has: day | Friday",
            "field refused: time | 25:00 was refused: it is no time",
            "field missing: guests | missing | asked now (stale): a change of an earlier field took the value away",
            "field missing: note | missing, optional",
        ]
    );
    assert_eq!(
        tab.text("#forms-text > p"),
        "note: the kitchen closes at 10"
    );
    tab.click("[data-part=talk]");
    tab.say("hello");
    tab.wait(&format!("{SAID} === 1"));
    tab.press("4", 1);
    tab.wait("document.getElementById('forms-text').innerText.startsWith('Booking, after 1 turns') && document.getElementById('forms-text').checkVisibility()");
    // Also on a page that is loaded while a turn goes on.
    tab.click("[data-part=talk]");
    tab.say("something slow");
    tab.wait("document.querySelector('.live')");
    tab.reload();
    tab.wait(&format!("document.querySelector('.live') && {shown}"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
