//! A long talk and a large world.

use crate::support::Served;
use crate::support::browser::Tab;
use serde_json::json;

/// Milliseconds that the page's thread works for this and for what it draws afterwards. Time in which
/// others have the processor does not count, so that a busy machine is no slow page.
fn took(tab: &Tab<'_>, script: &str) -> f64 {
    tab.call("Performance.enable", json!({"timeDomain": "threadTicks"}));
    let before = worked(tab);
    tab.eval(&format!(
        "(async () => {{ {script}; await new Promise((done) => requestAnimationFrame(() => setTimeout(done))); }})()"
    ));
    worked(tab) - before
}

/// Milliseconds that the page's thread has worked.
fn worked(tab: &Tab<'_>) -> f64 {
    let metrics = tab.call("Performance.getMetrics", json!({}));
    let mut metrics = metrics["metrics"].as_array().expect("metrics").iter();
    let duration = metrics.find(|it| it["name"] == "TaskDuration");
    1000.0
        * duration.expect("a duration")["value"]
            .as_f64()
            .expect("seconds")
}

#[test]
fn five_hundred_turns_are_smooth() {
    let browser = browser!("five_hundred_turns_are_smooth");
    let served = Served::new();
    served.tape.past(500);
    let tab = browser.open(&served.link().0);
    tab.wait("document.querySelectorAll('.turn').length === 500");
    let scroll = took(
        &tab,
        "const list = document.getElementById('turns'); for (let step = 0; step < 20; step += 1) { list.scrollTop = list.scrollHeight * step / 20; await new Promise((done) => requestAnimationFrame(done)); }",
    );
    tab.say("one more");
    tab.wait("document.querySelectorAll('.turn:not(.live)').length === 501");
    let more = tab.eval("document.getElementById('turns').lastElementChild.textContent.includes('You said: one more')");
    assert_eq!(more, true);
    assert!(
        scroll > 0.0 && scroll < 1500.0,
        "20 screens took {scroll} ms"
    );
    assert_eq!(tab.eval("document.querySelectorAll('.goal').length"), 50);
}

#[test]
fn a_hundred_thousand_keys_are_smooth() {
    let browser = browser!("a_hundred_thousand_keys_are_smooth");
    let served = Served::with(100_000);
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    tab.click("[data-part=world]");
    tab.eval("document.getElementById('path').value = 'zoo/big/'; document.querySelector('.places').requestSubmit()");
    tab.wait("document.querySelector('.told').textContent === '1,000 entries · 1 page read so far, 1,000 looked at · there is more'");
    tab.eval("[...document.querySelectorAll('.tools button')].find((it) => it.textContent === 'Next 1,000').click()");
    tab.wait("document.querySelector('.told').textContent.startsWith('2,000 entries · 2 pages')");
    tab.eval("[...document.querySelectorAll('.tools button')].find((it) => it.textContent === 'Read all').click()");
    tab.wait("document.querySelector('.told').textContent === '100,000 entries · 100 pages read so far, 100,000 looked at · that is all'");
    let rows = "document.querySelectorAll('.item').length";
    assert!(tab.eval(rows).as_u64().unwrap() < 100);
    let scroll = took(
        &tab,
        "const list = document.querySelector('.list'); for (let step = 1; step <= 20; step += 1) { list.scrollTop = list.scrollHeight * step / 20; await new Promise((done) => requestAnimationFrame(done)); }",
    );
    assert!(
        scroll > 0.0 && scroll < 1500.0,
        "20 screens took {scroll} ms"
    );
    tab.wait("[...document.querySelectorAll('.item .name')].at(-1).textContent === 'key-099999'");
    // Finding reads page by page, says how many, and can be stopped.
    tab.eval("(() => { const real = fetch; let count = 0; window.fetch = async (...it) => { if (String(it[0]).includes('browse') && ++count > 30) await new Promise((_, no) => it[1].signal.addEventListener('abort', () => no(it[1].signal.reason))); return real(...it); }; })()");
    tab.eval("document.getElementById('find').value = 'KEY-0299'; document.querySelector('.places').requestSubmit()");
    tab.wait("document.querySelector('.told').textContent === '100 found · 30 pages read so far, 30,000 looked at · reading on'");
    // What is told and what is listed are drawn one after the other.
    tab.wait(&format!("{rows} > 5"));
    tab.eval("[...document.querySelectorAll('.tools button')].find((it) => it.textContent === 'Stop').click()");
    tab.wait("document.querySelector('.told').textContent === '100 found · 30 pages read so far, 30,000 looked at · stopped; there is more'");
}

#[test]
fn the_way_to_the_latest_is_offered_where_the_latest_is_out_of_sight() {
    let browser = browser!("the_way_to_the_latest_is_offered_where_the_latest_is_out_of_sight");
    let served = Served::new();
    served.tape.past(30);
    let tab = browser.open(&served.link().0);
    tab.wait("document.querySelectorAll('.turn').length === 30");
    tab.eval("window.list = document.getElementById('turns')");
    let offered = "!document.getElementById('latest').hidden";
    let ended =
        format!("list.scrollHeight - list.scrollTop - list.clientHeight < 2 && !({offered})");
    tab.wait(&ended);
    tab.eval("list.scrollTop = 0");
    tab.wait(offered);
    tab.click("#latest");
    tab.wait(&ended);
    // What grows at the end is followed.
    tab.eval("list.lastElementChild.style.paddingBottom = '400px'");
    tab.wait(&ended);
    // Whoever reads above it stays there, until the end comes into sight without them.
    tab.eval("list.scrollTop -= 200");
    tab.wait(offered);
    tab.eval("list.lastElementChild.style.paddingBottom = '0px'");
    tab.wait(&ended);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_field_is_as_high_as_what_is_in_it() {
    let browser = browser!("the_field_is_as_high_as_what_is_in_it");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    tab.eval("window.say = document.getElementById('say'); say.focus()");
    let fits = "say.scrollHeight === say.clientHeight";
    for (width, height) in [(1280, 800), (390, 844)] {
        tab.size(width, height);
        tab.wait(&format!("innerWidth === {width} && {fits}"));
    }
    tab.eval("window.low = say.offsetHeight");
    tab.eval("say.value = 'one\\ntwo\\nthree'; say.dispatchEvent(new Event('input'))");
    tab.wait(&format!("say.offsetHeight > window.low && {fits}"));
}
