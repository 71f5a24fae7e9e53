//! The page in a real browser.

#[path = "support/mod.rs"]
mod support;

/// Starts the browser, or ends the test where there is none.
macro_rules! browser {
    ($test:literal) => {
        match crate::support::tools::chromium(concat!(module_path!(), "::", $test)) {
            Some(program) => crate::support::browser::Browser::start(&program),
            None => return,
        }
    };
}

mod browser {
    mod access;
    mod app;
    mod large;
    mod pages;
    mod pictures;
    mod plans;
    mod world;
}
