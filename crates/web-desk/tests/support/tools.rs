//! What the tests need that Rust does not bring, and what is said where it is missing: as
//! `tests/support/tools.rs` of `dialog2api` says it, into the same list.

use std::env;
use std::fs::{OpenOptions, create_dir_all};
use std::io::Write;
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};

const CHROMIUM: &str = "needs Chromium 112: apt-get install chromium fonts-dejavu-core, and put \
     `chromium` on PATH or name it in DIALOG2API_TEST_CHROMIUM";
const AXE: &str = "needs axe.min.js of axe-core: npm install axe-core, in a folder of its own, \
     and name its place in DIALOG2API_TEST_AXE";

/// The browser; `None` where it is missing.
pub fn chromium(test: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut on_path = env::split_paths(&path).map(|folder| folder.join("chromium"));
    let named = env::var_os("DIALOG2API_TEST_CHROMIUM").map(PathBuf::from);
    let found = named.or_else(|| on_path.find(|it| it.is_file()));
    found.or_else(|| left_out(test, CHROMIUM))
}

/// The rules of accessibility; `None` where they are missing.
pub fn axe(test: &str) -> Option<PathBuf> {
    let named = env::var_os("DIALOG2API_TEST_AXE").map(PathBuf::from);
    named.or_else(|| left_out(test, AXE))
}

/// Says and writes down that a test is left out. With `DIALOG2API_TEST_REQUIRE_TOOLS=1` it fails
/// instead.
fn left_out(test: &str, advice: &str) -> Option<PathBuf> {
    let required = env::var_os("DIALOG2API_TEST_REQUIRE_TOOLS").is_some_and(|it| it == "1");
    assert!(!required, "{advice}");
    let test = test.split_once("::").map_or(test, |(_, test)| test);
    // The handle itself is not captured, so that this is seen of a test that passes.
    let _ = writeln!(std::io::stderr(), "left out {test}: {advice}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("left-out");
    create_dir_all(&folder).expect("the folder of the list");
    let list = folder.join(parent_id().to_string());
    let list = OpenOptions::new().create(true).append(true).open(list);
    let written = writeln!(list.expect("the list"), "{advice}\t{test}");
    written.expect("what is left out is written down");
    None
}
