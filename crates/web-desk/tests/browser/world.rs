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
    go(&tab, "attic/");
    open(&tab, "animals.jsonl");
    tab.wait("document.querySelectorAll('.content tr').length === 3 && document.querySelector('.preview h3').innerText === 'animals.jsonl'");
    assert_eq!(
        tab.eval(
            "[...document.querySelectorAll('.content tr')].map((row) => [...row.cells].map((it) => it.textContent).join('|')).join('; ')"
        ),
        "name|legs|tags|__proto__; otter|4||; <b>orca</b>||[\"sea\",null]|1"
    );
    // What is no table is text.
    open(&tab, "broken.jsonl");
    tab.wait("document.querySelector('.content .text')?.textContent.includes('no JSON')");
    open(&tab, "animals.parquet");
    tab.wait("document.querySelector('.content')?.innerText.includes('3 rows in 1 group')");
    assert_eq!(
        tab.eval(
            "[...document.querySelectorAll('.content tbody tr')].map((row) => [...row.cells].map((it) => it.textContent).join('|')).join('; ')"
        ),
        "id|int64|required; name|string|optional; legs|uint8|optional; \
         seen|timestamp (ms, UTC)|optional; price|decimal(10, 2)|optional; tags|list|optional; \
         tags.list|group|repeated; tags.list.element|string|optional; at|group|optional; \
         at.x|double|optional; at.y|double|optional"
    );
    open(&tab, "cut.parquet");
    tab.wait("document.querySelector('.content .text')?.textContent.includes('no end')");
    go(&tab, "zoo/pictures/");
    open(&tab, "dot.png");
    tab.wait("document.querySelector('.content img')?.naturalWidth === 1");
    go(&tab, "zoo/logs/");
    open(&tab, "dump.tmp");
    tab.wait("document.querySelector('.content').innerText.includes('neither text nor a picture')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn what_was_deleted_is_found_and_brought_back_by_its_versions() {
    let browser = browser!("what_was_deleted_is_found_and_brought_back_by_its_versions");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    tab.click("[data-part=world]");
    names(&tab, "attic/ zoo/");
    assert_eq!(
        tab.eval("document.querySelector('.gone').checkVisibility()"),
        false
    );
    go(&tab, "zoo/");
    tab.click("#gone");
    names(&tab, "index.csv");
    open(&tab, "index.csv");
    tab.wait("document.querySelectorAll('.versions li').length === 2");
    let buttons = "[...document.querySelectorAll('.preview .head button, .preview .head a')].map((it) => it.textContent).join()";
    assert_eq!(tab.eval(buttons), "×");
    press(&tab, "Restore …");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    // Another bucket shows what is there.
    go(&tab, "attic/");
    assert_eq!(tab.eval("document.getElementById('gone').checked"), false);
    assert_eq!(served.tape.heard(), ["restore zoo/index.csv v1"]);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Presses the button of this text.
fn press(tab: &crate::support::browser::Tab<'_>, text: &str) {
    let button = format!(
        "[...document.querySelectorAll('#world button, dialog[open] button')].find((it) => it.textContent === {text:?} && it.checkVisibility() && !it.disabled)"
    );
    tab.wait(&button);
    tab.eval(&format!("{button}.click()"));
}

/// Answers the question that is open by keys alone: types over what is chosen in its field.
fn answer(tab: &crate::support::browser::Tab<'_>, text: &str) {
    tab.wait("document.querySelector('dialog[open] input') === document.activeElement");
    tab.write(text);
    tab.press("Enter", 0);
    tab.wait("document.querySelector('#plan .apply:enabled')");
}

fn names(tab: &crate::support::browser::Tab<'_>, expected: &str) {
    tab.wait(&format!("[...document.querySelectorAll('.item .name')].map((it) => it.textContent).join(' ') === {expected:?}"));
}

#[test]
fn what_is_made_moved_and_shared_is_a_plan_first() {
    let browser = browser!("what_is_made_moved_and_shared_is_a_plan_first");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    tab.click("[data-part=world]");
    names(&tab, "attic/ zoo/");
    press(&tab, "New bucket …");
    answer(&tab, "barn");
    names(&tab, "attic/ zoo/");
    tab.click("#plan .apply");
    names(&tab, "attic/ barn/ zoo/");

    go(&tab, "zoo/logs/");
    open(&tab, "a.log");
    press(&tab, "Rename …");
    // Only the last name is chosen.
    answer(&tab, "b.log");
    assert!(tab.text("#plan").contains("zoo/logs/b.log"));
    tab.click("#plan .apply");
    names(&tab, "b.log dump.tmp");
    // A folder, and several things, are one plan.
    go(&tab, "zoo/");
    tab.eval("[...document.querySelectorAll('.item')].find((it) => it.textContent.includes('logs/')).querySelector('.mark').click()");
    press(&tab, "Rename …");
    answer(&tab, "records");
    tab.click("#plan .apply");
    names(&tab, "hostile/ index.csv pictures/ records/");
    go(&tab, "zoo/records/");
    tab.eval("document.querySelectorAll('.item .mark')[0].click()");
    tab.eval("document.querySelectorAll('.item .mark')[1].click()");
    press(&tab, "Move 2 …");
    answer(&tab, "old");
    tab.click("#plan .decline");
    tab.wait("!document.querySelector('#plan article')");
    names(&tab, "b.log dump.tmp");

    open(&tab, "b.log");
    press(&tab, "Share …");
    tab.wait("document.querySelector('dialog[open]')");
    assert!(
        tab.text("dialog[open]")
            .contains("Anybody who has the link can read what lies at this path")
    );
    tab.eval("document.getElementById('seconds').value = '86400'");
    press(&tab, "Plan it");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    assert!(
        tab.text("#plan")
            .contains("link to read it for 86400 seconds")
    );
    tab.click("#plan .decline");
    tab.wait("!document.querySelector('#plan article')");
    // Who goes back asks for nothing.
    press(&tab, "Share …");
    press(&tab, "Cancel");
    tab.wait("!document.querySelector('dialog[open]')");
    assert_eq!(
        served.tape.heard(),
        [
            "make barn",
            "decide 1 true",
            "move zoo/logs/a.log to zoo/logs/b.log",
            "decide 2 true",
            "move zoo/logs/ to zoo/records/",
            "decide 3 true",
            "move zoo/records/b.log, zoo/records/dump.tmp to zoo/old/",
            "decide 4 false",
            "share zoo/records/b.log for 86400",
            "decide 5 false"
        ]
    );
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

#[test]
fn folders_and_large_files_are_sent_with_progress_and_are_one_plan() {
    let browser = browser!("folders_and_large_files_are_sent_with_progress_and_are_one_plan");
    let served = Served::new();
    let tab = browser.open(&served.link().0);
    tab.wait("document.getElementById('where').textContent.includes('monday')");
    tab.click("[data-part=world]");
    go(&tab, "zoo/logs/");
    let folder = tempfile::tempdir().expect("a folder");
    let trip = folder.path().join("trip");
    std::fs::create_dir_all(trip.join("day two")).expect("folders");
    std::fs::write(trip.join("large.bin"), vec![9; 20 << 20]).expect("a file");
    std::fs::write(trip.join("day two/note.txt"), "hello").expect("a file");
    // What the progress says is kept, because the server is near.
    tab.eval("window.said = []; new MutationObserver(() => window.said.push(document.querySelector('.sending').innerText)).observe(document.querySelector('.sending'), {subtree: true, childList: true, characterData: true})");
    drop_on(&tab, &trip);
    tab.wait("document.querySelector('#plan .apply:enabled')");
    let card = tab.text("#plan");
    for part in ["zoo/logs/trip/day two/note.txt", "zoo/logs/trip/large.bin"] {
        assert!(card.contains(part), "{part}: {card}");
    }
    tab.click("#plan .apply");
    names(&tab, "a.log dump.tmp trip/");
    let said = tab.eval("window.said.join('\\n')");
    let said = said.as_str().expect("a text");
    assert!(
        said.contains(" of 2 files, 20.00 MiB of 20.00 MiB sent"),
        "{said}"
    );
    assert_eq!(tab.eval("document.querySelector('.sending').hidden"), true);

    // More than there is room for is not sent at all.
    std::fs::write(trip.join("larger.bin"), vec![9; 45 << 20]).expect("a file");
    drop_on(&tab, &trip);
    tab.wait("document.getElementById('alerts').innerText.includes('Nothing was uploaded: these are 3 files, 65.00 MiB, and up to 100 files and 64.00 MiB go at once. Ask the agent for more.')");
    assert_eq!(served.tape.received(), 2);
    let heard = served.tape.heard();
    assert!(heard[0].starts_with("upload zoo/logs/trip/"), "{heard:?}");
    assert_eq!(heard[1..], ["decide 1 true"]);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Drops a file or folder of this machine, as a user's hand does.
fn drop_on(tab: &crate::support::browser::Tab<'_>, path: &std::path::Path) {
    for kind in ["dragEnter", "dragOver", "drop"] {
        let data = serde_json::json!({"items": [], "files": [path], "dragOperationsMask": 1});
        let event = serde_json::json!({"type": kind, "x": 500, "y": 500, "data": data});
        tab.call("Input.dispatchDragEvent", event);
    }
}
