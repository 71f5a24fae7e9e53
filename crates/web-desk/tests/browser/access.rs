//! Who cannot see the page, or has no mouse, can use it: the rules of axe-core.

use crate::support::Served;
use crate::support::browser::Tab;
use crate::support::tools::axe;

/// What is serious or critical, one fault a line.
fn faults(tab: &Tab<'_>, rules: &str) -> String {
    tab.eval(rules);
    let found = tab.eval(
        "axe.run().then((it) => it.passes.length < 15 ? 'few rules ran' : it.violations
           .filter((it) => ['serious', 'critical'].includes(it.impact))
           .map((it) => `${it.id}: ${it.nodes.map((node) => node.target.join(' ') + ' ' + node.failureSummary).join('; ')}`)
           .join('\\n'))",
    );
    found.as_str().unwrap_or_default().to_owned()
}

#[test]
fn axe_finds_nothing_serious() {
    let browser = browser!("axe_finds_nothing_serious");
    let Some(rules) = axe(concat!(module_path!(), "::axe_finds_nothing_serious")) else {
        return;
    };
    let rules = std::fs::read_to_string(rules).expect("the rules");
    let served = Served::with(50);
    let tab = browser.open(&served.link().0);
    // The rules make markup of text, which the page's own policy forbids.
    tab.call("Page.setBypassCSP", serde_json::json!({"enabled": true}));
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    tab.reload();
    tab.say("hello");
    tab.wait("document.querySelectorAll('.turn').length === 1");
    tab.say("tidy");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    for look in ["light", "dark"] {
        for (width, height) in [(1280, 800), (390, 844)] {
            tab.look(look);
            tab.size(width, height);
            tab.wait(&format!("innerWidth === {width}"));
            for part in ["sessions", "talk", "stack", "world", "policy"] {
                tab.eval(&format!(
                    "document.querySelector('[data-part={part}]').click()"
                ));
                if part == "world" {
                    tab.eval("document.getElementById('path').value = 'zoo/'; document.querySelector('.places').requestSubmit()");
                    tab.wait("document.querySelectorAll('.item').length === 5");
                    tab.eval("[...document.querySelectorAll('.item')].find((it) => it.textContent.includes('index.csv')).click()");
                    tab.wait("document.querySelectorAll('.content td').length > 3");
                }
                assert_eq!(faults(&tab, &rules), "", "{part} {width} {look}");
                if part == "world" {
                    for button in ["Rename …", "Share …"] {
                        tab.eval(&format!("[...document.querySelectorAll('.preview button')].find((it) => it.textContent === {button:?}).click()"));
                        tab.wait("document.querySelector('dialog[open].question')");
                        assert_eq!(faults(&tab, &rules), "", "{button} {width} {look}");
                        tab.eval("document.querySelector('dialog[open]').close()");
                        tab.wait("!document.querySelector('dialog.question')");
                    }
                }
            }
        }
    }
    tab.size(1280, 800);
    tab.wait("innerWidth === 1280");
    tab.click("#plan .decline");
    tab.wait("!document.querySelector('#plan article')");
    tab.click("#new");
    tab.wait("document.querySelector('[data-part=forms]').checkVisibility()");
    for look in ["light", "dark"] {
        tab.look(look);
        tab.click("[data-part=forms]");
        tab.wait("document.querySelectorAll('.field').length === 4");
        assert_eq!(faults(&tab, &rules), "", "forms {look}");
    }
    tab.eval("document.getElementById('help').showModal()");
    assert_eq!(faults(&tab, &rules), "", "the list of keys");
}
