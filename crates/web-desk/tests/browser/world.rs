//! The world: what is seen of it, and that every button is a plan.

use crate::support::Served;

fn go(tab: &crate::support::browser::Tab<'_>, path: &str) {
    tab.eval(&format!("document.getElementById('path').value = {path:?}; document.querySelector('.places').requestSubmit()"));
    tab.wait(&format!("document.querySelector('.way').innerText.replaceAll(' / ', '/').includes({:?}) && document.querySelectorAll('.item').length", path.trim_end_matches('/')));
}

fn open(tab: &crate::support::browser::Tab<'_>, name: &str) {
    tab.eval(&format!("[...document.querySelectorAll('.item')].find((it) => it.querySelector('.name').textContent === {name:?}).click()"));
}

#[test]
fn things_are_shown_as_text_picture_and_table() {
    let browser = browser!("things_are_shown_as_text_picture_and_table");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    // By keys alone: to the world, into the last folder.
    tab.press("2", 1);
    tab.wait("document.querySelectorAll('.item').length === 2");
    tab.eval("document.querySelector('.list').focus()");
    tab.press("ArrowDown", 0);
    tab.press("Enter", 0);
    tab.wait("document.querySelector('.way').innerText.includes('zoo') && document.querySelectorAll('.item').length === 4");
    open(&tab, "index.csv");
    tab.wait("document.querySelectorAll('.content tr').length === 3");
    assert_eq!(
        tab.eval(
            "[...document.querySelectorAll('.content td')].map((it) => it.textContent).join('|')"
        ),
        "a.log|2048|lines, many|say \"hi\"|7|<b>x</b>"
    );
    assert_eq!(
        tab.eval("document.querySelector('.preview a').download"),
        "index.csv"
    );
    go(&tab, "zoo/pictures/");
    open(&tab, "dot.png");
    tab.wait("document.querySelector('.content img')?.naturalWidth === 1");
    go(&tab, "zoo/logs/");
    open(&tab, "dump.tmp");
    tab.wait("document.querySelector('.content').innerText.includes('no text and no picture')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn every_button_that_changes_the_world_is_a_plan() {
    let browser = browser!("every_button_that_changes_the_world_is_a_plan");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    tab.click("[data-part=world]");
    go(&tab, "zoo/logs/");
    // Marked by keys, removed by the button.
    tab.eval("document.querySelector('.list').focus()");
    tab.press(" ", 0);
    tab.press("ArrowDown", 0);
    tab.press(" ", 0);
    tab.eval("[...document.querySelectorAll('.tools button')].find((it) => it.textContent === 'Delete 2 …').click()");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    assert_eq!(
        tab.eval("document.querySelectorAll('#plan .effect.grave-1').length"),
        2
    );
    assert_eq!(tab.eval("document.querySelectorAll('.item').length"), 2);
    tab.click("#plan .decline");
    tab.wait("!document.querySelector('#plan article')");
    // A file that is dropped.
    tab.wait("document.querySelectorAll('.item').length === 2");
    tab.eval("(() => { const bag = new DataTransfer(); bag.items.add(new File(['dropped'], 'new.txt', {type: 'text/plain'})); document.getElementById('world').dispatchEvent(new DragEvent('drop', {dataTransfer: bag, cancelable: true, bubbles: true})); })()");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    assert!(tab.text("#plan").contains("zoo/logs/new.txt"));
    tab.click("#plan .apply");
    tab.wait(
        "[...document.querySelectorAll('.item .name')].some((it) => it.textContent === 'new.txt')",
    );
    open(&tab, "new.txt");
    tab.wait("document.querySelector('.content .text')?.textContent === 'dropped'");
    go(&tab, "zoo/");
    open(&tab, "index.csv");
    tab.wait("[...document.querySelectorAll('.preview button')].some((it) => it.textContent === 'Versions')");
    tab.eval("[...document.querySelectorAll('.preview button')].find((it) => it.textContent === 'Versions').click()");
    tab.wait("document.querySelectorAll('.versions li').length === 2");
    tab.eval("[...document.querySelectorAll('.versions button')].find((it) => it.textContent === 'Restore …').click()");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    assert_eq!(
        served.tape.heard(),
        [
            "delete zoo/logs/a.log, zoo/logs/dump.tmp",
            "decide 1 false",
            "upload zoo/logs/new.txt",
            "decide 2 true",
            "restore zoo/index.csv v1"
        ]
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
