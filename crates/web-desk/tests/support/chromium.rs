//! Where Chromium is, and what is said where it is not: as `tests/support/tools.rs` of
//! `dialog2api` says it, into the same list.

use std::env;
use std::fs::{OpenOptions, create_dir_all};
use std::io::Write;
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};

const VARIABLE: &str = "DIALOG2API_TEST_CHROMIUM";
const ADVICE: &str = "needs Chromium 112: apt-get install chromium fonts-dejavu-core, and put \
     `chromium` on PATH or name it in DIALOG2API_TEST_CHROMIUM";

/// The program; `None` where it is missing, which is then said and written down. With
/// `DIALOG2API_TEST_REQUIRE_TOOLS=1` the test fails instead.
pub fn chromium(test: &str) -> Option<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE) {
        return Some(named.into());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path)
        .map(|folder| folder.join("chromium"))
        .find(|it| it.is_file());
    if found.is_none() {
        let required = env::var_os("DIALOG2API_TEST_REQUIRE_TOOLS").is_some_and(|it| it == "1");
        assert!(!required, "{ADVICE}");
        // The handle itself is not captured, so that this is seen of a test that passes.
        let _ = writeln!(std::io::stderr(), "left out {test}: {ADVICE}");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("left-out");
        create_dir_all(&folder).expect("the folder of the list");
        let list = OpenOptions::new()
            .create(true)
            .append(true)
            .open(folder.join(parent_id().to_string()));
        writeln!(list.expect("the list"), "{ADVICE}\t{test}")
            .expect("what is left out is written down");
    }
    found
}
