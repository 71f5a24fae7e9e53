//! Statements of what was done, against the rows that came of it.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod rows;

use rows::judged;

/// The verdict on each name of a reply: `name verdict`.
fn verdicts(reply: &str) -> Vec<String> {
    let judged = judged("", reply);
    let lines = judged.lines().filter(|line| !line.is_empty());
    let verdicts = lines.map(|line| {
        let (said, rest) = line[1..].split_once('"').unwrap();
        let verdict = rest.rsplit_once(" (").unwrap().0;
        format!("{said} {}", verdict.rsplit_once(": ").unwrap().1)
    });
    verdicts.collect()
}

#[track_caller]
fn check(reply: &str, expected: &[&str]) {
    assert_eq!(verdicts(reply), expected, "{reply}\n{}", judged("", reply));
}

#[test]
fn what_was_made_is_there() {
    check(r#"The bucket "photos" has been created."#, &["photos true"]);
    check(r#"The bucket "fotos" has been created."#, &["fotos false"]);
    check(
        r#"The buckets "photos" and "fotos" have been created."#,
        &["photos true", "fotos false"],
    );
    check(
        r#"The object "cat.png" has been written to "photos"."#,
        &["cat.png true"],
    );
    check(
        r#"The object "dog.png" has been written to "photos"."#,
        &["dog.png false"],
    );
    check(
        r#"The object "cat.png" has been created in "web-logs"."#,
        &["cat.png false"],
    );
    check(
        r#"The bucket "photos" has been created, and "cat.png" has been saved in it."#,
        &["photos true", "cat.png true"],
    );
    check(
        r#"The note has been saved as "cat.png" in "photos"."#,
        &["cat.png true"],
    );
    check("I created cat.png in photos.", &["cat.png true"]);
}

#[test]
fn what_is_gone_is_not_there() {
    check(r#"The bucket "fotos" has been deleted."#, &["fotos true"]);
    check(
        r#"The bucket "photos" has been deleted."#,
        &["photos false"],
    );
    check(
        r#"The objects "dog.png" and "cat.png" have been deleted from "photos"."#,
        &["dog.png true", "cat.png false"],
    );
    check(
        "2 objects have been deleted from \"photos\":\n- dog.png\n- cat.png",
        &["dog.png true", "cat.png false"],
    );
    check(
        r#"All objects with the prefix "night/" have been deleted from "web-logs"."#,
        &["night/ true"],
    );
    check(
        r#"All objects with the prefix "day/" have been deleted from "web-logs"."#,
        &["day/ false"],
    );
    check(
        r#"All objects with the prefix "day/" except "day/1.log" and "day/2.log" have been deleted from "web-logs"."#,
        &["day/ true"],
    );
    check(
        r#"Sorry, the bucket "fotos" does not exist."#,
        &["fotos true"],
    );
    check(
        r#"Sorry, the bucket "photos" does not exist."#,
        &["photos false"],
    );
    check(
        r#"Sorry, the object "cat.png" does not exist in "web-logs"."#,
        &["cat.png true"],
    );
    check(
        r#"Sorry, the object "cat.png" does not exist in "photos"."#,
        &["cat.png false"],
    );
    check(
        r#"Sorry, the bucket "photos" is not empty, so it cannot be deleted."#,
        &["photos true"],
    );
    check(
        r#"Sorry, the bucket "empty-one" cannot be deleted because it is not empty."#,
        &["empty-one false"],
    );
    check(
        "These buckets are empty:\n- empty-one\n- photos",
        &["empty-one true", "photos false"],
    );
}

#[test]
fn what_was_moved_or_copied_is_at_its_place() {
    check(
        r#"The object "cat.png" has been copied from "web-logs" to "photos"."#,
        &["cat.png true"],
    );
    check(
        r#"The object "dog.png" has been copied from "web-logs" to "photos" as "cat.png"."#,
        &["cat.png true"],
    );
    check(
        r#"The object "a/dog.png" has been moved from "web-logs" to "photos" as "cat.png"."#,
        &["a/dog.png true", "cat.png true"],
    );
    check(
        r#"The object "cat.png" has been moved from "photos" to "web-logs"."#,
        &["cat.png false", "cat.png false"],
    );
    check(
        r#"In photos, "a.png" has been renamed to "cat.png" and "b.png" to "index.html"."#,
        &[
            "a.png true",
            "cat.png true",
            "b.png true",
            "index.html true",
        ],
    );
    check(
        "The objects have been copied to \"photos\". Here are their new keys:\n- cat.png\n- dog.png",
        &["cat.png true", "dog.png false"],
    );
}

#[test]
fn what_a_list_presents_is_there() {
    check(
        "Here are your largest files in \"web-logs\":\n- day/1.log 1000000 bytes\n- day/9.log 2 bytes",
        &["day/1.log true", "1000000 bytes true", "day/9.log false"],
    );
    check(
        "Here are your objects:\n- photos/cat.png\n- web-logs/index.html",
        &["photos/cat.png true", "web-logs/index.html true"],
    );
    check("There is one such bucket:\n- photos", &["photos true"]);
}

#[test]
fn what_is_not_so_yet_is_not_judged() {
    for reply in [
        r#"Can you confirm that you want to delete the bucket "fotos"?"#,
        r#"Should I create "fotos" without them?"#,
        r#"The bucket "fotos" could not be created."#,
        r#"The bucket "fotos" has not been created."#,
        r#"The bucket "photos" will be deleted."#,
        "These logs would be deleted:\n- cat.png",
        "These keys are missing in \"photos\":\n- dog.png",
        "Here are the last 2 lines of \"day/1.log\":\n- db/x.dump\n- day/7.log",
        "Here are the numbers of objects for each extension:\n- .txt: 10\n- .jpg: 1",
        r#"3 objects with the prefix "day/" have been deleted from "web-logs"."#,
        r#"All ".log" objects with the prefix "day/" have been deleted from "web-logs"."#,
        r#"All objects with the prefix "day/" except the newest have been deleted from "web-logs"."#,
        r#"The partitions "month=03" have been copied from "web-logs" to "photos"."#,
        r#"The bucket is in the region "us-east-1"."#,
        r#"I can copy "dog.png" to "photos"."#,
        r#"If "dog.png" has been written to "photos", read it."#,
    ] {
        assert_eq!(judged("", reply), "", "{reply}");
    }
}

#[test]
fn german_and_italian_deeds_are_judged_too() {
    check(r#"Der Bucket "photos" wurde erstellt."#, &["photos true"]);
    check(
        r#"Die Objekte "dog.png" und "cat.png" wurden aus "photos" gelöscht."#,
        &["dog.png true", "cat.png false"],
    );
    check(r#"Der Bucket "photos" kann nicht gelöscht werden."#, &[]);
    check(r#"Il bucket "fotos" è stato creato."#, &["fotos false"]);
    check(
        r#"L'oggetto "cat.png" è stato eliminato da "photos"."#,
        &["cat.png false"],
    );
}

#[test]
fn names_behind_that_of_their_bucket() {
    check(
        "Here are your objects:\n- photos/cat.png\n- web-logs/day/1.log\n- web-logs/day/9.log",
        &[
            "photos/cat.png true",
            "web-logs/day/1.log true",
            "web-logs/day/9.log false",
        ],
    );
    check(
        r#"The object "s3://photos/cat.png" has been deleted."#,
        &["s3://photos/cat.png false"],
    );
    check(
        r#"The object "photos/cat.png" has been copied to "web-logs"."#,
        &["photos/cat.png false"],
    );
}

#[test]
fn names_that_no_row_has_and_that_have_no_place() {
    check(
        r#"The bucket "photos" has been created. The page "catx.png" has been updated."#,
        &["photos true", "catx.png false"],
    );
    check(
        "Which one is it? The bucket is photos. The page has been renamed to \"new/cat.png\".",
        &["new/cat.png false"],
    );
    check(r#"The page "catx.png" has been updated."#, &[]);
    check("There is one such bucket:\n- photos-x", &["photos-x false"]);
    check("There is one such bucket:\n- photos", &["photos true"]);
    check(
        "Here are the latest logs in web-logs:\n- first: day/1.log\n- last: day/9.log",
        &["day/1.log true", "day/9.log false"],
    );
}
