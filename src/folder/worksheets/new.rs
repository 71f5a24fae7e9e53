//! `domain new --worksheets`: makes a folder with small sheets that converse.

use crate::error::Result;
use crate::folder::new::make;
use std::path::Path;

/// The files of a new folder. `NAME` and `HANDLE` stand for its names.
const FILES: &[(&str, &str)] = &[
    ("domain.toml", include_str!("skeleton/domain.toml")),
    ("worksheets.csv", include_str!("skeleton/worksheets.csv")),
    ("api.pyi", include_str!("skeleton/api.pyi")),
    ("world.py", include_str!("skeleton/world.py")),
    ("guide.md", include_str!("skeleton/guide.md")),
    ("kb/house.md", include_str!("skeleton/kb/house.md")),
    (
        "worlds/start.json",
        include_str!("skeleton/worlds/start.json"),
    ),
    (
        "examples/order.xml",
        include_str!("skeleton/examples/order.xml"),
    ),
];

/// Makes a folder whose worksheets take orders, to be changed into one's own. Returns the files
/// that were made.
///
/// # Errors
/// Those of [`create`](crate::folder::create).
pub fn create(path: &Path) -> Result<Vec<&'static str>> {
    make(path, FILES)
}
