//! The page in a real browser.

#[path = "support/mod.rs"]
mod support;

mod browser {
    mod pictures;
}
