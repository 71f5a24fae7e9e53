//! More clients that people have: s3fs, which is S3 as a file system in Python, and that of MinIO.

use super::clients::command_of;
use crate::serve::support::{serve, world};
use crate::support::tools::{S3FS, needs};
use expect_test::{Expect, expect};
use std::path::Path;

/// Runs a case of `filesystem.py`, and compares what it printed.
async fn check(case: &str, expected: Expect) {
    let server = serve(world()).await;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve/filesystem.py");
    let said = command_of(&S3FS.path(), &script, case, &server).await;
    expected.assert_eq(&said);
    server.stop().await;
}

#[tokio::test]
async fn s3fs_sees_a_tree() {
    needs!(S3FS);
    check("tree", expect![[r#""#]]).await;
}

#[tokio::test]
async fn s3fs_writes_large_files_in_parts() {
    needs!(S3FS);
    check("large", expect![[r#""#]]).await;
}

#[tokio::test]
async fn s3fs_reads_and_sets_what_is_known_of_an_object() {
    needs!(S3FS);
    check("about", expect![[r#""#]]).await;
}

#[tokio::test]
async fn s3fs_reads_versions() {
    needs!(S3FS);
    check("versions", expect![[r#""#]]).await;
}

#[tokio::test]
async fn the_client_of_minio_puts_composes_and_removes() {
    needs!(S3FS);
    check("minio", expect![[r#""#]]).await;
}
