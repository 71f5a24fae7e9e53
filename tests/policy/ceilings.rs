//! How much one program may do.

use crate::policy::check;
use expect_test::expect;

#[test]
fn a_ceiling_is_reached_and_not_passed() {
    check(
        "[ceilings]\nobjects_written = 2\nobjects_deleted = 3\nbuckets_created = 1\n\
         buckets_deleted = 0\nbytes_written = \"10 B\"",
        r#"
            put_object {"Bucket": "a", "Key": "x", "Body": "123456"}
            put_object {"Bucket": "a", "Key": "y", "Body": "12345"}
            put_object {"Bucket": "a", "Key": "y", "Body": "1234"}
            copy_object {"Bucket": "a", "Key": "z", "CopySource": "a/x"}
            get_object {"Bucket": "a", "Key": "x"}
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "1"}, {"Key": "2"}]}}
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "1"}, {"Key": "2"}]}}
            delete_object {"Bucket": "a", "Key": "3"}
            delete_object {"Bucket": "a", "Key": "4"}
            create_bucket {"Bucket": "b"}
            create_bucket {"Bucket": "c"}
            delete_bucket {"Bucket": "b"}
        "#,
        expect![[r#"
            put_object {"Bucket": "a", "Key": "x", "Body": "123456"}
                allowed
            put_object {"Bucket": "a", "Key": "y", "Body": "12345"}
                with this put_object the program would come to 11 B, and the ceiling is bytes_written = 10 B of one program.
            put_object {"Bucket": "a", "Key": "y", "Body": "1234"}
                allowed
            copy_object {"Bucket": "a", "Key": "z", "CopySource": "a/x"}
                with this copy_object the program would come to 3, and the ceiling is objects_written = 2 of one program.
            get_object {"Bucket": "a", "Key": "x"}
                allowed
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "1"}, {"Key": "2"}]}}
                allowed
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "1"}, {"Key": "2"}]}}
                with this delete_objects the program would come to 4, and the ceiling is objects_deleted = 3 of one program.
            delete_object {"Bucket": "a", "Key": "3"}
                allowed
            delete_object {"Bucket": "a", "Key": "4"}
                with this delete_object the program would come to 4, and the ceiling is objects_deleted = 3 of one program.
            create_bucket {"Bucket": "b"}
                allowed
            create_bucket {"Bucket": "c"}
                with this create_bucket the program would come to 2, and the ceiling is buckets_created = 1 of one program.
            delete_bucket {"Bucket": "b"}
                with this delete_bucket the program would come to 1, and the ceiling is buckets_deleted = 0 of one program.
        "#]],
    );
}

#[test]
fn without_ceilings_a_program_goes_on() {
    let calls = r#"put_object {"Bucket": "a", "Key": "x"}"#;
    let calls = format!("{calls}\n").repeat(3);
    check(
        "[ceilings]\nobjects_written = \"unlimited\"",
        &calls,
        expect![[r#"
            put_object {"Bucket": "a", "Key": "x"}
                allowed
            put_object {"Bucket": "a", "Key": "x"}
                allowed
            put_object {"Bucket": "a", "Key": "x"}
                allowed
        "#]],
    );
}
