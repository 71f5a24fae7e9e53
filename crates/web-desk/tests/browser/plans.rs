//! Plans: shown whole, decided on by mouse and by keys, and undone.

use crate::support::Served;
use serde_json::{Value, json};

#[test]
fn a_plan_is_applied_by_mouse_and_undone_by_keys() {
    let browser = browser!("a_plan_is_applied_by_mouse_and_undone_by_keys");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    // What is pressed before the card can be read is no answer. It is pressed in the page, because a
    // slow machine would press it too late.
    tab.eval(
        "new MutationObserver((_, watch) => { const card = document.querySelector('#plan article'); if (!card) return; watch.disconnect(); window.early = card.querySelector('.apply').disabled; card.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', bubbles: true})); }).observe(document.getElementById('plan'), {childList: true, subtree: true})",
    );
    tab.say("tidy the logs");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    assert_eq!(tab.eval("window.early"), true);
    let card = tab.text("#plan");
    for part in [
        "The program of goal 1 would change this, for “tidy the logs”",
        "1 created, 1 overwritten, 2 deleted",
        "everybody on the internet can read zoo/public/ afterwards",
        "does not come back, because it is larger than what is kept for an undo",
        "comes back by our journal",
        "copied from zoo/logs/a.log",
        "An undo cannot bring back 1 place; 1 comes back by our journal.",
        "3 of the program's reads are not compared again before this is done.",
        "s3.delete_object",
    ] {
        assert!(card.contains(part), "{part}: {card}");
    }
    assert!(
        card.find("(policy)") < card.find("zoo/logs/a.log")
            && card.find("zoo/logs/a.log") < card.find("attic/"),
        "{card}"
    );
    assert_eq!(tab.text(".goal .stands"), "planned");
    assert_eq!(served.tape.heard(), ["say tidy the logs"]);
    tab.click("#plan .apply");
    tab.wait("document.querySelector('.goal .stands').textContent === 'run' && !document.querySelector('#plan article')");
    // The program is told before the turn that it was part of.
    tab.wait("document.getElementById('turns').innerText.includes('The world: 5 changes')");
    tab.wait("document.querySelector('.goal .row button:enabled')");
    tab.eval("document.querySelector('.goal .row button').focus()");
    tab.press("Enter", 0);
    tab.wait("document.querySelector('#plan .apply:enabled')");
    let card = tab.text("#plan");
    assert!(
        card.contains("Undoing the program of goal 1 (turn 1) would change this"),
        "{card}"
    );
    assert!(
        card.contains("zoo/logs/dump.tmp does not come back, because its content was not kept"),
        "{card}"
    );
    tab.press("p", 1);
    tab.press("a", 0);
    tab.wait("document.querySelector('.goal .stands').textContent === 'partly undone'");
    assert!(tab.text("#turns").contains("All but 1 place is as it was."));
    assert_eq!(
        served.tape.heard(),
        [
            "say tidy the logs",
            "decide 1 true",
            "undo Plan(1)",
            "decide 2 true"
        ]
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_plan_is_declined_by_key_and_a_costly_program_ended() {
    let browser = browser!("a_plan_is_declined_by_key_and_a_costly_program_ended");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.say("tidy");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    // The card takes no focus from somebody who writes on, and keys in a field are text.
    tab.press("d", 0);
    tab.press("p", 1);
    assert_eq!(
        tab.eval("document.activeElement.matches('#plan article')"),
        true
    );
    tab.press("d", 0);
    tab.wait("document.querySelector('.goal .stands').textContent === 'declined'");
    assert_eq!(tab.eval("document.getElementById('say').value"), "d");
    tab.eval("document.getElementById('say').value = ''");
    tab.say("something costly");
    tab.wait("document.querySelector('#plan .decline:enabled')");
    let card = tab.text("#plan");
    assert!(
        card.contains("It has sent 1,200 requests, listed 3,000 names and read 50.00 MiB, and would go on with list_objects on zoo/"),
        "{card}"
    );
    tab.click("#plan .decline");
    tab.wait("document.getElementById('turns').innerText.includes('It was ended.')");
    tab.say("something slow");
    tab.wait("document.getElementById('stop').checkVisibility()");
    tab.eval("document.getElementById('say').focus()");
    tab.press("Escape", 0);
    tab.wait(
        "document.getElementById('turns').innerText.includes('Stopped. Nothing was changed.')",
    );
    assert_eq!(
        served.tape.heard(),
        [
            "say tidy",
            "decide 1 false",
            "say something costly",
            "cost false",
            "say something slow",
            "cancel"
        ]
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_program_that_was_changed_is_another_plan() {
    let browser = browser!("a_program_that_was_changed_is_another_plan");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.say("tidy");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    tab.click("#plan details button");
    tab.eval("document.querySelector('#plan .edit').value = 'return 3'");
    tab.eval("document.querySelector('#plan .edit').dispatchEvent(new Event('input'))");
    assert_eq!(
        tab.eval("document.querySelector('#plan .apply').disabled"),
        true
    );
    tab.click("#plan details button");
    tab.wait("document.querySelector('#plan')?.innerText.includes('return 3')");
    assert_eq!(
        served.tape.heard(),
        [
            "say tidy",
            "decide 1 false",
            "Run the program as I changed it"
        ]
    );
}

#[test]
fn nothing_of_a_large_plan_is_hidden_without_a_count() {
    let browser = browser!("nothing_of_a_large_plan_is_hidden_without_a_count");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.say("change 10000 things");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    assert_eq!(tab.eval("document.querySelectorAll('.effect').length"), 120);
    assert!(
        tab.text(".more").starts_with(
            "9,880 more are not shown: - 3,214 deleted, ~ 3,333 changed, + 3,333 made."
        ),
        "{}",
        tab.text(".more")
    );
    tab.click(".more button");
    tab.wait("document.querySelectorAll('.effect').length === 620");
    assert!(tab.text(".more").starts_with("9,380 more"));
    assert!(tab.text(".filters").contains("- 3,334 deleted"));
    tab.click(".chip[data-only='+']");
    tab.wait("document.querySelectorAll('.effect').length === 120");
    assert_eq!(
        tab.eval(
            "[...document.querySelectorAll('.effect .sign')].every((it) => it.textContent === '+')"
        ),
        true
    );
}

#[test]
fn a_plan_that_waits_is_exported_and_goes_on_waiting() {
    let browser = browser!("a_plan_that_waits_is_exported_and_goes_on_waiting");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    tab.say("tidy the logs");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    tab.eval("window.saved = []; HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download); }");
    // The mouse would miss it where the card is still being laid out.
    tab.eval("document.querySelector('#plan .export').click()");
    tab.wait("window.saved.length === 1");
    assert_eq!(tab.eval("window.saved[0]"), "plan-1.zip");
    assert_eq!(served.tape.heard(), ["say tidy the logs", "export 1"]);
    assert_eq!(
        tab.eval("Boolean(document.querySelector('#plan .apply:enabled'))"),
        true
    );
}

#[test]
fn an_undo_is_not_offered_for_what_it_cannot_take_back() {
    let browser = browser!("an_undo_is_not_offered_for_what_it_cannot_take_back");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.say("hand out a link");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    let card = tab.text("#plan");
    for part in [
        "does not come back, because whoever has it can use it until it expires",
        "An undo cannot take this back.",
    ] {
        assert!(card.contains(part), "{part}: {card}");
    }
    tab.click("#plan .apply");
    tab.wait("document.querySelector('.goal .stands').textContent === 'run' && document.querySelectorAll('.turn:not(.live)').length === 1");
    assert_eq!(
        tab.eval("document.querySelectorAll('.goal .row button, #back:not([hidden])').length"),
        0
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_plan_that_was_cut_off_is_shown_before_it_is_finished() {
    let browser = browser!("a_plan_that_was_cut_off_is_shown_before_it_is_finished");
    let served = Served::new();
    let origin = json!({"program": {"turn": 1, "uid": 1}});
    let mark = json!({"tag": "a", "size": 2048});
    let (old, new) = ("old.txt", "new.txt");
    let place = |name: &str| json!({"container": "zoo", "name": name});
    let part = |effect: Value, sum: &str, lasting: Value| {
        let card =
            json!({"asks": "The program of goal 1 would change this", "sum": sum, "undoing": ""});
        json!({"plan": 1, "origin": origin, "effects": [effect], "totals": {}, "outcome": {"result": null}, "calls": [], "lasting": lasting, "card": card})
    };
    let done = part(
        json!({"effect": "delete", "place": place(old), "before": mark}),
        "1 deleted; 2.00 KiB destroyed",
        json!([[place(old), "its content was not kept"]]),
    );
    let left = part(
        json!({"effect": "create", "place": place(new), "after": mark}),
        "1 created; 2.00 KiB written",
        json!([]),
    );
    served.tape.log().push(json!({"event": "cut_off", "plan": 1, "origin": origin, "made": 1, "of": 2, "done": done, "left": left}));
    let tab = browser.open(&served.link().0);
    tab.wait("document.querySelector('#plan .decline:enabled')");
    let card = tab.text("#plan");
    for part in [
        "Finish it?",
        "An apply was cut off after 1 of 2 writes. Done so far: 1 deleted; 2.00 KiB destroyed. Nothing else is done before this is settled.",
        "The program of goal 1 would change this · plan 1",
        "1 created; 2.00 KiB written",
        "zoo/new.txt",
        "zoo/old.txt does not come back, because its content was not kept",
    ] {
        assert!(card.contains(part), "{part}: {card}");
    }
    tab.click("#plan .decline");
    tab.wait("!document.querySelector('#plan article')");
    assert_eq!(served.tape.heard(), ["settle false"]);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn on_a_telephone_the_talk_leads_to_the_plan_that_waits() {
    let browser = browser!("on_a_telephone_the_talk_leads_to_the_plan_that_waits");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.say("tidy");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    let way = "document.getElementById('to-card').checkVisibility()";
    // Where both are in sight, no way is needed.
    assert_eq!(tab.eval(way), false);
    tab.size(390, 844);
    tab.wait("innerWidth === 390");
    let click = |what: &str| tab.eval(&format!("document.querySelector({what:?}).click()"));
    click("[data-part=talk]");
    tab.wait(&format!(
        "{way} && !document.querySelector('#plan article').checkVisibility()"
    ));
    assert_eq!(tab.text("#to-card"), "To the plan that waits");
    click("#to-card");
    tab.wait("document.activeElement.matches('#plan article') && document.activeElement.checkVisibility()");
    click("#plan .decline");
    tab.wait("!document.querySelector('#plan article')");
    click("[data-part=talk]");
    tab.wait(&format!(
        "document.getElementById('turns').checkVisibility() && !{way}"
    ));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn what_a_plain_yes_agrees_to_is_answered_by_buttons_and_keys() {
    let browser = browser!("what_a_plain_yes_agrees_to_is_answered_by_buttons_and_keys");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    tab.say("ask first about a.log");
    tab.wait("document.querySelector('.proposed .apply:enabled')");
    let card = tab.text(".proposed");
    for part in [
        "If you say yes, this is done · plan 7",
        "zoo/logs/a.log",
        "Alt+P, then Y (Yes) or N (No)",
    ] {
        assert!(card.contains(part), "{part}: {card}");
    }
    tab.click(".proposed .apply");
    tab.wait("document.getElementById('turns').innerText.includes('You said: yes')");
    // Words that came later have other answers.
    assert_eq!(
        tab.eval("getComputedStyle(document.querySelector('.proposed .answers')).display"),
        "none"
    );
    tab.say("ask first again");
    tab.wait("document.querySelectorAll('.proposed').length === 2 && document.querySelector('.turn:last-child .proposed .apply:enabled')");
    tab.press("p", 1);
    tab.press("n", 0);
    tab.wait("document.getElementById('turns').innerText.includes('You said: no')");
    assert_eq!(
        served.tape.heard(),
        [
            "say ask first about a.log",
            "say yes",
            "say ask first again",
            "say no"
        ]
    );
}
