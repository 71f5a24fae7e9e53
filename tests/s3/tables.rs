//! The tables of S3's API: what they were made from.

use crate::support::tools::{BOTO3, needs};
use std::path::Path;

/// Writes the table and the client's tables again where the same botocore is at hand.
#[test]
fn the_tables_are_those_of_botocore() {
    needs!(BOTO3);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/s3-world/src");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(folder.path().join("client")).expect("a folder");
    std::fs::create_dir_all(folder.path().join("api")).expect("a folder");
    let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
    for script in ["operations.py", "generate_table.py", "generate_client.py"] {
        let text = read(&source.join("api").join(script));
        std::fs::write(folder.path().join("api").join(script), text).expect("a copy");
    }
    let committed = read(&source.join("api/s3.json"));
    for script in ["generate_table.py", "generate_client.py"] {
        let mut python = BOTO3.python();
        let ran = python.arg("-B").arg(folder.path().join("api").join(script));
        assert!(ran.status().expect("Python runs").success(), "{script}");
    }
    let made = read(&folder.path().join("api/s3.json"));
    let version = |table: &str| table.lines().next().map(str::to_owned);
    if version(&made) != version(&committed) {
        // Another botocore has another model.
        return;
    }
    for file in ["api/s3.json", "client/shapes.py", "client/tables.py"] {
        let (is, was) = (read(&folder.path().join(file)), read(&source.join(file)));
        assert!(is == was, "{file} is not what its script writes");
    }
}
