//! Rows whose names are identifiers, and that hold others: what is judged, and what is not.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod rows;

use rows::judged;

#[track_caller]
fn check(user: &str, reply: &str, expected: &[&str]) {
    assert_eq!(
        judged(user, reply),
        expected.join("\n"),
        "\n{user}\n{reply}"
    );
}

/// Whether nothing is judged.
#[track_caller]
fn silent(user: &str, reply: &str) {
    check(user, reply, &[]);
}

#[test]
fn a_count_is_that_of_its_bucket() {
    let user = "How many objects are in web-logs?";
    let right = r#""3 objects" web-logs.objects = 3: true (Equal: web-logs)"#;
    for reply in [
        "There are 3 objects in web-logs.",
        "web-logs has 3 objects.",
        "There are 3 objects.",
    ] {
        check(user, reply, &[right]);
    }
    check(
        user,
        "3",
        &[r#""3" web-logs.objects = 3: true (Equal: web-logs)"#],
    );
    // The total of another bucket.
    let other = r#""2 objects" web-logs.objects = 2: false (Differs: web-logs)"#;
    check(user, "There are 2 objects in \"web-logs\".", &[other]);
    check(user, "There are 2 objects in total.", &[other]);
    check(
        user,
        "web-logs is empty.",
        &[r#""empty" web-logs.objects = 0: false (Differs: web-logs)"#],
    );
    check(
        "Anything in empty-one?",
        "There are no objects in empty-one.",
        &[r#""no objects" empty-one.objects = 0: true (Equal: empty-one)"#],
    );
}

#[test]
fn a_list_has_all_and_nothing_of_another_bucket() {
    let user = "Which objects are in photos?";
    check(
        user,
        "photos has cat.png and index.html.",
        &[
            r#""photos has cat.png and index.html" all: true (Complete: )"#,
            r#""cat.png" cat.png.bucket = photos: true (Equal: cat.png)"#,
            r#""index.html" index.html.bucket = photos: true (Equal: index.html)"#,
        ],
    );
    // One is left out.
    check(
        "Which objects are in web-logs?",
        "Here are the objects in web-logs:\n- day/1.log\n- index.html",
        &[
            r#""Here are the objects in web-logs:" all: incomplete (Incomplete: day/2.log)"#,
            r#""day/1.log" day/1.log.bucket = web-logs: true (Equal: day/1.log)"#,
            r#""index.html" index.html.bucket = web-logs: true (Equal: index.html)"#,
        ],
    );
    // One is of another bucket.
    check(
        user,
        "The objects are day/1.log, cat.png and index.html.",
        &[
            r#""The objects are day/1.log, cat.png and index.html" all: true (Complete: )"#,
            r#""day/1.log" day/1.log.bucket = photos: false (Differs: day/1.log)"#,
            r#""cat.png" cat.png.bucket = photos: true (Equal: cat.png)"#,
            r#""index.html" index.html.bucket = photos: true (Equal: index.html)"#,
        ],
    );
    check(
        "Which buckets do I have?",
        "You have 3 buckets:\n- web-logs\n- old-site\n- photos",
        &[
            r#""You have 3 buckets:" all: incomplete (Incomplete: empty-one)"#,
            r#""3 buckets" 3: false (Miscounted: web-logs, photos, old-site, empty-one)"#,
            r#""web-logs" entity: true (Named: web-logs)"#,
            r#""old-site" entity: true (Named: old-site)"#,
            r#""photos" entity: true (Named: photos)"#,
        ],
    );
}

#[test]
fn sizes_and_days_are_those_of_their_rows() {
    check(
        "",
        "cat.png has 1 KB, day/1.log 2 MB.",
        &[
            r#""1 KB" cat.png.size = 1 kb: true (Equal: cat.png)"#,
            r#""2 MB" day/1.log.size = 2 mb: false (Differs: day/1.log)"#,
        ],
    );
    check(
        "",
        "- cat.png: 1,001 bytes\n- day/1.log (1 MB)",
        &[
            r#""1,001 bytes" cat.png.size = 1001 bytes: false (Differs: cat.png)"#,
            r#""1 MB" day/1.log.size = 1 mb: true (Equal: day/1.log)"#,
        ],
    );
    check(
        "",
        "cat.png was last modified on 4 March 2024.",
        &[r#""March 2024" cat.png.modified = 2024-03-04: true (Equal: cat.png)"#],
    );
    check(
        "",
        "photos was created on 2024-02-03.",
        &[
            r#""photos" entity: true (Named: photos)"#,
            r#""2024-02-03" photos.created = 2024-02-03: false (Differs: photos)"#,
        ],
    );
    // Each has its own.
    check(
        "",
        "index.html in photos has 24 bytes.",
        &[
            r#""index.html" index.html.bucket = photos: true (Equal: index.html)"#,
            r#""24 bytes" index.html.size = 24 bytes: true (Equal: index.html)"#,
        ],
    );
    check(
        "How big is web-logs?",
        "web-logs has 3 objects and 1 KB in total.",
        &[
            r#""3 objects" web-logs.objects = 3: true (Equal: web-logs)"#,
            r#""1 KB" web-logs.size = 1 kb: false (Differs: web-logs)"#,
        ],
    );
    check(
        "",
        "web-logs has 2 objects and photos has 3 objects.",
        &[
            r#""2 objects" web-logs.objects = 2: false (Differs: web-logs)"#,
            r#""3 objects" photos.objects = 3: false (Differs: photos)"#,
        ],
    );
}

#[test]
fn what_is_said_of_a_part_is_not_judged() {
    let all = "How many objects are in web-logs?";
    for reply in [
        "web-logs has 2 log files.",
        "There are 2 objects over 1 MB in web-logs.",
        "There were 7 objects in web-logs.",
        "I deleted 7 objects from web-logs.",
        "web-logs has at least 2 objects.",
        "There are more than 2 objects in web-logs.",
        "2 of the objects in web-logs are new.",
        "Are there 2 objects in web-logs?",
        "web-logs has 2 objects under day/.",
        "old-site has 7 objects.",
    ] {
        let judged = judged(all, reply);
        assert!(!judged.contains("false"), "{reply}: {judged}");
    }
    // Words that name a bucket do not ask for what is in it.
    let moved = judged("photos", "It is now cat.png.");
    assert!(!moved.contains("false"), "{moved}");
    // The question leaves some out.
    silent(
        "How many png files are in photos?",
        "There are 5 files in photos.",
    );
    let some = judged(
        "Which of my buckets are in Ireland?",
        "You have 2 buckets:\n- photos\n- web-logs",
    );
    assert!(
        !some.contains("false") && !some.contains("incomplete"),
        "{some}"
    );
    let first = "The first objects in web-logs are day/1.log and day/2.log.";
    assert!(!judged(all, first).contains("incomplete"));
    let more = "web-logs has day/1.log, day/2.log...";
    assert!(!judged(all, more).contains("incomplete"));
    let asked = "Are day/1.log and day/2.log in web-logs?";
    assert!(!judged(asked, "Yes, web-logs has day/1.log and day/2.log.").contains("incomplete"));
    // One that no row is.
    let new = "The objects in web-logs are:\n- day/1.log\n- day/2.log\n- index.html\n- day/3.log";
    assert!(
        judged(all, new).ends_with(r#""day/3.log" day/3.log.bucket = web-logs: false (Differs: )"#)
    );
    // Where one is, is not what else is there.
    for one in [
        "index.html is in web-logs.",
        "index.html in web-logs has 2 MB.",
    ] {
        assert!(!judged(all, one).contains("incomplete"), "{one}");
    }
    // A list that goes on with what no row is.
    let folders = "Here are the objects in web-logs:\n- day/\n- index.html";
    assert!(!judged(all, folders).contains("incomplete"));
}

#[test]
fn german_and_italian_are_judged_too() {
    check(
        "Wie viele Objekte sind in web-logs?",
        "Es gibt 2 Objekte in web-logs.",
        &[r#""2 Objekte" web-logs.objects = 2: false (Differs: web-logs)"#],
    );
    check(
        "Welche Objekte sind in photos?",
        "In photos liegen cat.png.",
        &[
            r#""In photos liegen cat.png" all: incomplete (Incomplete: index.html)"#,
            r#""cat.png" cat.png.bucket = photos: true (Equal: cat.png)"#,
        ],
    );
    check(
        "Quanti oggetti ci sono in web-logs?",
        "Ci sono 2 oggetti in web-logs.",
        &[r#""2 oggetti" web-logs.objects = 2: false (Differs: web-logs)"#],
    );
    check(
        "Quanti bucket ho?",
        "Hai 5 bucket.",
        &[r#""5 bucket" 5: false (Miscounted: web-logs, photos, old-site, empty-one)"#],
    );
}
