//! The page in both sizes and both looks, with `WEB_DESK_PICTURES=FOLDER` as pictures to look at.

use crate::support::Served;
use std::path::PathBuf;

const SIZES: [(u32, u32); 2] = [(1280, 800), (390, 844)];

#[test]
fn the_page_fits_in_both_sizes_and_looks() {
    let browser = browser!("the_page_fits_in_both_sizes_and_looks");
    let served = Served::with(3000);
    let tab = browser.open(&served.link().0);
    let folder = std::env::var_os("WEB_DESK_PICTURES").map(PathBuf::from);
    let shoot = |what: &str| {
        for (width, height) in SIZES {
            tab.size(width, height);
            for look in ["light", "dark"] {
                tab.look(look);
                tab.wait(&format!("innerWidth === {width}"));
                let wide = tab.eval("document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth");
                assert_eq!(wide, false, "{what} is wider than {width}");
                if let Some(folder) = &folder {
                    tab.picture(&folder.join(format!("{what}-{width}-{look}.png")));
                }
            }
        }
        tab.size(1280, 800);
    };
    tab.say("hello");
    tab.wait("document.querySelectorAll('.turn').length === 1");
    tab.say("tidy the logs of the zoo, and let the public see what is left of them");
    tab.wait("document.querySelector('#plan .apply:enabled')");
    shoot("plan-talk");
    tab.eval("document.querySelector('[data-part=stack]').click()");
    shoot("plan");
    tab.eval("document.querySelector('[data-part=talk]').click()");
    tab.click("#plan .apply");
    tab.wait("document.querySelectorAll('.turn').length === 2 && !document.querySelector('#plan article')");
    shoot("done");
    tab.eval("document.querySelector('[data-part=world]').click()");
    tab.wait("document.querySelectorAll('.item').length === 2");
    tab.eval("document.getElementById('path').value = 'zoo/'; document.querySelector('.places').requestSubmit()");
    tab.wait("[...document.querySelectorAll('.item .name')].some((it) => it.textContent === 'index.csv')");
    tab.eval("[...document.querySelectorAll('.item')].find((it) => it.textContent.includes('index.csv')).click()");
    tab.wait("document.querySelectorAll('.content td').length > 3");
    shoot("world");
    tab.eval("[...document.querySelectorAll('.preview button')].find((it) => it.textContent === 'Share …').click()");
    tab.wait("document.querySelector('dialog[open] select')");
    shoot("share");
    tab.eval("document.querySelector('dialog[open]').close()");
    tab.eval("document.querySelector('[data-part=policy]').click()");
    tab.wait("document.getElementById('policy-text').textContent.includes('mode')");
    shoot("policy");
    tab.eval("document.querySelector('[data-part=sessions]').click()");
    tab.wait("document.querySelectorAll('.session').length === 3");
    shoot("sessions");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
