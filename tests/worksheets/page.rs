//! The page about a policy of one's own: its commands print what the page says.

use crate::support::page;
use expect_test::expect_file;

#[test]
fn every_command_of_the_page_prints_what_the_page_says() {
    page::check(
        include_str!("../../src/documentation/own_policy.md"),
        expect_file!["../../src/documentation/own_policy.md"],
    );
}
