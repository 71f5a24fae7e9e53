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
    check("tree", expect![[r#"
        ls: ['alpha/a.txt', 'alpha/docs', 'alpha/with blank & umlaut ü.txt']
        detail: [('alpha/a.txt', 'file', 5), ('alpha/docs', 'directory', 0), ('alpha/with blank & umlaut ü.txt', 'file', 26)]
        find: ['alpha/docs/b.txt', 'alpha/docs/old/c.txt']
        walk: [('alpha', ['docs'], ['a.txt', 'with blank & umlaut ü.txt']), ('alpha/docs', ['old'], ['b.txt']), ('alpha/docs/old', [], ['c.txt'])]
        glob: ['alpha/a.txt', 'alpha/docs/b.txt', 'alpha/docs/old/c.txt', 'alpha/with blank & umlaut ü.txt']
        du: 55
        info: 5 FileNotFoundError: alpha/none
        exists: [True, True, False]
        cat: {'alpha/a.txt': b'a.txt', 'alpha/docs/b.txt': b'docs/b.txt'}
        range: b'b.t' b'txt'
        moved: ['alpha/docs/b.txt', 'alpha/docs/moved.txt', 'alpha/docs/old/c.txt', 'alpha/older/c.txt', 'alpha/with blank & umlaut ü.txt']
        removed: ['alpha/older/c.txt', 'alpha/with blank & umlaut ü.txt']
        full: OSError: [Errno 39] The bucket you tried to delete is not empty
        gone: [] FileNotFoundError: The specified bucket does not exist
    "#]]).await;
}

#[tokio::test]
async fn s3fs_writes_large_files_in_parts() {
    needs!(S3FS);
    check(
        "large",
        expect![[r#"
        written: 12582912 "19019d16dd0f439825c39a2c5b9178fd-3"
        read: c1c2c3c4 7000005
        same: True
        appended: 12582915 feff656e64
        merged: 25165830
        uploads: ['never']
        uploads: [] False
    "#]],
    )
    .await;
}

#[tokio::test]
async fn s3fs_reads_and_sets_what_is_known_of_an_object() {
    needs!(S3FS);
    check(
        "about",
        expect![[r#"
        type: text/plain {'who': 'me'}
        metadata: {'color': 'red', 'who': 'me'} red
        tags: {'team': 'finance', 'year': '2024'}
        empty: 0 True
        signed: b'one'
    "#]],
    )
    .await;
}

#[tokio::test]
async fn s3fs_reads_versions() {
    needs!(S3FS);
    check(
        "versions",
        expect![[r#"
        versions: [(5, True), (6, False), (5, False)]
        oldest: b'first'
        opened: b'first'
        opened before: b'third' b'fourth'
        removed: False b'first'
    "#]],
    )
    .await;
}

#[tokio::test]
async fn the_client_of_minio_puts_composes_and_removes() {
    needs!(S3FS);
    check(
        "minio",
        expect![[r#"
        buckets: ['alpha'] False
        put: 19019d16dd0f439825c39a2c5b9178fd-3
        stat: 12582912 19019d16dd0f439825c39a2c5b9178fd-3 application/octet-stream
        part: c1c2c3c4
        listed: [('large', 12582912, False), ('docs/', None, True)]
        composed: b4a21e28e5a45aa05054f93cbcdfda1a-2
        tags: {'team': 'finance'}
        errors: []
        left: ['both', 'large']
        none: S3Error: S3 operation failed; code: NoSuchKey
    "#]],
    )
    .await;
}
