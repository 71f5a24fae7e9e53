//! Programs that read objects which are larger than one call reads.

use super::support::Home;
use expect_test::{Expect, expect};
use std::io::{Seek, SeekFrom, Write};

/// 64 MiB and a bit more: lines at both ends, and zeros between.
const SIZE: u64 = (64 << 20) + 100;

/// A home with the folder `album`, in which there is one large file.
fn home() -> Home {
    let home = Home::new();
    std::fs::create_dir_all(home.path("world/album")).expect("a folder");
    let mut file = std::fs::File::create(home.path("world/album/film")).expect("a file");
    file.set_len(SIZE).expect("room");
    file.write_all(b"one\ntwo\n").expect("a start");
    file.seek(SeekFrom::Start(SIZE - 10)).expect("a place");
    file.write_all(b"\nthe end\n\n").expect("an end");
    home
}

/// What a program prints that reads the film.
fn check(program: &str, expected: Expect) {
    let home = home();
    home.check(
        home.ready("run - --world world"),
        &format!(
            "get = lambda **more: s3.get_object(Bucket='album', Key='film', **more)\n{program}"
        ),
        expected,
    );
}

#[test]
fn pieces_of_a_body_are_read_as_they_are_asked_for() {
    check(
        "answer = get()\n\
         print(answer['ContentLength'], answer['ResponseMetadata']['HTTPStatusCode'], answer.get('ContentRange'))\n\
         body = answer['Body']\n\
         print(body.read(6), body.tell(), body.readline(), body.read(3))",
        expect![[r#"
            output     67108964 200 None
                       b'one\ntw' 6 b'o\n' b'\x00\x00\x00'
            result     null
            calls      get_object → EntityTooLarge, get_object
            signature  8f863643
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
    check(
        "size, last = 0, b''\n\
         for chunk in get()['Body'].iter_chunks(1 << 20):\n    size, last = size + len(chunk), chunk\n\
         print(size, last[-10:])",
        expect![[r#"
            output     67108964 b'\nthe end\n\n'
            result     null
            calls      get_object → EntityTooLarge, get_object × 9
            signature  8f863643
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
}

#[test]
fn a_range_that_is_too_large_for_a_call_is_read_in_parts_too() {
    check(
        "for asked in ('bytes=4-', 'bytes=-67108870', 'bytes=1-67108890', 'bytes=3-5'):\n\
         \x20   answer = get(Range=asked)\n\
         \x20   print(asked, answer['ContentLength'], answer['ContentRange'], answer['Body'].read(4),\n\
         \x20         answer['ResponseMetadata']['HTTPStatusCode'])",
        expect![[r#"
            output     bytes=4- 67108960 bytes 4-67108963/67108964 b'two\n' 206
                       bytes=-67108870 67108870 bytes 94-67108963/67108964 b'\x00\x00\x00\x00' 206
                       bytes=1-67108890 67108890 bytes 1-67108890/67108964 b'ne\nt' 206
                       bytes=3-5 3 bytes 3-5/67108964 b'\ntw' 206
            result     null
            calls      get_object → EntityTooLarge, get_object, get_object → EntityTooLarge, get_object × 2, get_object → EntityTooLarge, get_object × 2
            signature  8f863643
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
}

#[test]
fn what_does_not_fit_into_memory_is_refused_with_the_way_out() {
    check(
        "body = get()['Body']\n\
         try:\n    body.read()\nexcept MemoryError as error:\n    print(error)\n\
         body.read(200)\n\
         print(len(body.read()), body.read())",
        expect![[r#"
            output     67108964 bytes are left of this object, and at most 67108864 can be read at once: read it in pieces, with read(amount), iter_chunks() or iter_lines()
                       67108764 b''
            result     null
            calls      get_object → EntityTooLarge, get_object × 9
            signature  8f863643
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
    check(
        "answer = get(IfMatch='\"other\"')",
        expect![[r#"
            error      PreconditionFailed (line 1): An error occurred (PreconditionFailed) when calling the GetObject operation: At least one of the pre-conditions you specified did not hold
            traceback  File "program.py", line 2, in program
                         answer = get(IfMatch='"other"')
                       File "program.py", line 1, in <lambda>
                         get = lambda **more: s3.get_object(Bucket='album', Key='film', **more)
            calls      get_object → PreconditionFailed
            signature  1542cf8c
            elapsed    TIME
            -- exit 3 --
        "#]],
    );
}

#[test]
fn an_object_that_changes_while_it_is_read_is_not_mixed() {
    check(
        "body = get()['Body']\n\
         body.read(10)\n\
         s3.put_object(Bucket='album', Key='film', Body=b'another')\n\
         for chunk in body.iter_chunks(1 << 20):\n    pass",
        expect![[r#"
            error      PreconditionFailed (line 5): An error occurred (PreconditionFailed) when calling the GetObject operation: At least one of the pre-conditions you specified did not hold
            traceback  File "program.py", line 5, in program
                         for chunk in body.iter_chunks(1 << 20):
            calls      get_object → EntityTooLarge, get_object, put_object, get_object → PreconditionFailed
            signature  89f064df
            elapsed    TIME
            -- stderr --
            The program made 1 write before it ended, and it stays.
            -- exit 3 --
        "#]],
    );
}
