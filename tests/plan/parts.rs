//! What is lost when contents are copied into parts of uploads, which one object is made of.

use crate::plan::lab::block_on;
use crate::plan::renames::shown;
use crate::plan::undo_table::run;
use crate::policy::call;
use dialog2api::domain::World;
use dialog2api::domain::s3::S3;
use dialog2api::domain::s3::world::memory;
use dialog2api::plan::Draft;
use expect_test::{Expect, expect};
use std::sync::Arc;

const BEGIN: &str = r#"create_multipart_upload {"Bucket": "zoo", "Key": "m"}"#;

/// The bytes that a part has at least which is not the last one.
const LEAST: usize = 5 << 20;

/// A world with small objects, and a large one.
fn world() -> Arc<dyn World> {
    let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
    let large = format!(
        r#"put_object {{"Bucket": "zoo", "Key": "large", "Body": "{}"}}"#,
        "l".repeat(LEAST + 9)
    );
    for line in [
        r#"create_bucket {"Bucket": "zoo"}"#,
        r#"create_bucket {"Bucket": "ver"}"#,
        r#"put_bucket_versioning {"Bucket": "ver", "VersioningConfiguration": {"Status": "Enabled"}}"#,
        r#"put_object {"Bucket": "zoo", "Key": "k0", "Body": "of zero"}"#,
        r#"put_object {"Bucket": "zoo", "Key": "k1", "Body": "of one"}"#,
        &large,
    ] {
        let (operation, params) = call(line);
        block_on(world.call(operation, &params)).unwrap().unwrap();
    }
    world
}

/// A copy of an object into a part of the upload that was begun last.
fn part(number: usize, from: &str, range: Option<[usize; 2]>) -> String {
    let range = range.map_or(String::new(), |[from, to]| {
        format!(r#", "CopySourceRange": "bytes={from}-{to}""#)
    });
    format!(
        r#"upload_part_copy {{"Bucket": "zoo", "Key": "m", "UploadId": "ID", "PartNumber": {number}, "CopySource": "zoo/{from}"{range}}}"#
    )
    .replace("ID", "{{UploadId}}")
}

/// A part that the program brings.
fn bytes(number: usize, text: &str) -> String {
    format!(
        r#"upload_part {{"Bucket": "zoo", "Key": "m", "UploadId": "ID", "PartNumber": {number}, "Body": "{text}"}}"#
    )
    .replace("ID", "{{UploadId}}")
}

/// Completes the upload that was begun last, of its last part alone.
fn complete(number: usize) -> String {
    format!(
        r#"complete_multipart_upload {{"Bucket": "zoo", "Key": "m", "UploadId": "ID", "MultipartUpload": {{"Parts": [{{"PartNumber": {number}, "ETag": "TAG"}}]}}}}"#
    )
    .replace("ID", "{{UploadId}}")
    .replace("TAG", "{{ETag}}")
}

/// Completes it of two parts, of which the first one has this ETag.
fn complete_both(first: &str) -> String {
    let both = format!(r#"[{{"PartNumber": 1, "ETag": "{first}"}}, "#);
    complete(2).replace("\"Parts\": [", &format!("\"Parts\": {both}"))
}

fn delete(key: &str) -> String {
    format!(r#"delete_object {{"Bucket": "zoo", "Key": "{key}"}}"#)
}

#[track_caller]
fn check(program: &[String], expected: Expect) {
    check_in("zoo", program, expected);
}

/// The effects of a program, whose uploads are to keys of this bucket.
#[track_caller]
fn check_in(bucket: &str, program: &[String], expected: Expect) {
    let draft = Draft::of(&world(), &S3).unwrap();
    let into = format!(r#""Bucket": "{bucket}", "Key": "m""#);
    let program: Vec<String> = (program.iter())
        .map(|line| line.replace(r#""Bucket": "zoo", "Key": "m""#, &into))
        .collect();
    let lines: Vec<&str> = program.iter().map(String::as_str).collect();
    run(&*draft, &lines).unwrap();
    // The id of an upload is another one every time.
    let shown = shown(&draft.writes());
    let plain = shown
        .lines()
        .map(|line| match line.split_once(" (upload ") {
            Some((place, _)) => format!("{place} (upload)\n"),
            None => format!("{line}\n"),
        });
    expected.assert_eq(&plain.collect::<String>());
}

#[test]
fn of_two_sources_of_one_part_the_first_is_lost() {
    check(
        &[
            BEGIN.to_owned(),
            part(1, "k0", None),
            part(1, "k1", None),
            complete(1),
            delete("k0"),
            delete("k1"),
        ],
        expect![[r#"
            Create zoo/m
            Delete zoo/k0, LOST
            Delete zoo/k1
        "#]],
    );
}

#[test]
fn of_two_uploads_to_one_key_the_first_is_lost() {
    let first = [BEGIN.to_owned(), part(1, "k0", None), complete(1)];
    let second = [BEGIN.to_owned(), part(1, "k1", None), complete(1)];
    let program = [&first[..], &second, &[delete("k0"), delete("k1")]].concat();
    check(
        &program,
        expect![[r#"
            Create zoo/m, 2 over one another
            Delete zoo/k0, LOST
            Delete zoo/k1
        "#]],
    );
    // What was complete stays as a version.
    check_in(
        "ver",
        &program,
        expect![[r#"
            Create ver/m
            Delete zoo/k0
            Delete zoo/k1
        "#]],
    );
}

#[test]
fn a_part_that_is_replaced_by_other_bytes_is_lost() {
    check(
        &[
            BEGIN.to_owned(),
            part(1, "k0", None),
            bytes(1, "something else"),
            complete(1),
            delete("k0"),
        ],
        expect![[r#"
            Create zoo/m
            Delete zoo/k0, LOST
        "#]],
    );
}

#[test]
fn bytes_that_were_read_are_followed_into_parts() {
    check(
        &[
            BEGIN.to_owned(),
            bytes(1, "of zero"),
            complete(1),
            delete("k0"),
        ],
        expect![[r#"
            Create zoo/m
            Delete zoo/k0
        "#]],
    );
    check(
        &[
            BEGIN.to_owned(),
            bytes(1, "of zero"),
            bytes(1, "of one"),
            complete(1),
            delete("k0"),
            delete("k1"),
        ],
        expect![[r#"
            Create zoo/m
            Delete zoo/k0, LOST
            Delete zoo/k1
        "#]],
    );
}

#[test]
fn what_a_completion_leaves_out_is_lost() {
    check(
        &[
            BEGIN.to_owned(),
            part(1, "k0", None),
            part(2, "k1", None),
            complete(2),
            delete("k0"),
            delete("k1"),
        ],
        expect![[r#"
            Create zoo/m
            Delete zoo/k0, LOST
            Delete zoo/k1
        "#]],
    );
}

#[test]
fn an_upload_that_is_aborted_keeps_nothing_and_one_that_is_open_does() {
    let abort =
        r#"abort_multipart_upload {"Bucket": "zoo", "Key": "m", "UploadId": "{{UploadId}}"}"#;
    let begun = [BEGIN.to_owned(), part(1, "k0", None), delete("k0")];
    check(
        &begun,
        expect![[r#"
            Create zoo/m (upload)
            Delete zoo/k0
        "#]],
    );
    check(
        &[&begun[..], &[abort.to_owned()]].concat(),
        expect![[r#"
            Delete zoo/k0, LOST
        "#]],
    );
}

#[test]
fn ranges_hold_a_source_if_they_leave_nothing_out() {
    // The ETag of the first part, which is the same every time.
    let tag = |range| {
        let draft = Draft::of(&world(), &S3).unwrap();
        let begin = call(BEGIN);
        let id = block_on(draft.call(begin.0, &begin.1)).unwrap().unwrap();
        let id = id.get("UploadId").unwrap().as_str().unwrap().to_owned();
        let copy = part(1, "large", range).replace("{{UploadId}}", &id);
        let (operation, params) = call(&copy);
        let answer = block_on(draft.call(operation, &params)).unwrap().unwrap();
        let made = answer.get("CopyPartResult").unwrap().get("ETag").unwrap();
        made.as_str().unwrap().replace('"', "\\\"")
    };
    let first = Some([0, LEAST - 1]);
    let tag = tag(first);
    let program = |from: usize| {
        [
            BEGIN.to_owned(),
            part(1, "large", first),
            part(2, "large", Some([from, LEAST + 8])),
            complete_both(&tag),
            delete("large"),
        ]
    };
    check(
        &program(LEAST),
        expect![[r#"
            Create zoo/m
            Delete zoo/large
        "#]],
    );
    check(
        &program(LEAST + 1),
        expect![[r#"
            Create zoo/m
            Delete zoo/large, LOST
        "#]],
    );
}

#[test]
fn a_chain_through_an_upload_is_followed() {
    let copy = r#"copy_object {"Bucket": "zoo", "Key": "k1", "CopySource": "zoo/m"}"#;
    check(
        &[
            BEGIN.to_owned(),
            part(1, "k0", None),
            complete(1),
            delete("k0"),
            copy.to_owned(),
            delete("m"),
        ],
        expect![[r#"
            Delete zoo/k0
            Overwrite zoo/k1 from zoo/k0, LOST
        "#]],
    );
}
