//! Told deeds whose name or kind is not what was done, or of which only a part was done.

use super::deeds::{EARLIER, READ, Stopping, TWO, check, check_by};
use dialog2api::agent::Left;
use expect_test::{Expect, expect};
use std::sync::Arc;

#[test]
fn a_deed_is_asked_for_its_name_and_its_kind() {
    check(
        READ,
        "Delete n.txt and n.png.",
        "put zoology-bucket/n.txt\nreturn 1",
        &[
            "I deleted n.txt.",
            "The file n.txt was deleted.",
            "Deleted: n.txt",
            "| n.txt | deleted |",
            "n.txt is gone now.",
            "I wrote n.txt.",
            "I removed n.png from n.txt.",
            "I deleted all `*.tmp` files.",
            "I wrote `s3://zoology-bucket/n.txt`.",
            "I updated the read/write permissions.",
            "Ich habe n.txt gelöscht.",
            "Die Löschung von n.txt ist abgeschlossen.",
            "Ho eliminato n.txt.",
            "Eliminazione di n.txt completata.",
        ],
        expect![[r#"
            I deleted n.txt.
              Deed False "I deleted": no program of this turn removed n.txt
            The file n.txt was deleted.
              Deed False "The file n.txt was deleted": no program of this turn removed n.txt
            Deleted: n.txt
              Deed False "Deleted": no program of this turn removed n.txt
            | n.txt | deleted |
              Deed False "n.txt | deleted": no program of this turn removed n.txt
            n.txt is gone now.
              Deed False "n.txt is gone now": no program of this turn removed n.txt
            I wrote n.txt.
            I removed n.png from n.txt.
            I deleted all `*.tmp` files.
              Name Unsupported "*.tmp": no result has it, and nobody said it
            I wrote `s3://zoology-bucket/n.txt`.
              Name Unsupported "s3://zoology-bucket/n.txt": no result has it, and nobody said it
            I updated the read/write permissions.
            Ich habe n.txt gelöscht.
              Deed False "Ich habe n.txt gelöscht": no program of this turn removed n.txt
            Die Löschung von n.txt ist abgeschlossen.
              Deed False "Die Löschung von n.txt ist abgeschlossen": no program of this turn removed n.txt
            Ho eliminato n.txt.
              Deed False "Ho eliminato": no program of this turn removed n.txt
            Eliminazione di n.txt completata.
              Deed False "Eliminazione di n.txt completata": no program of this turn removed n.txt
        "#]],
    );
}

#[test]
fn names_below_a_deed_are_asked_for_too() {
    check(
        READ,
        "Delete otter.txt, and keep n.txt and n.png.",
        "delete zoology-bucket/sea_animals/otter.txt\nreturn 1",
        &[
            "I deleted these:\n- otter.txt",
            "I deleted these:\n- otter.txt\n- n.txt",
            "The following were removed:\n1. otter.txt\n2. n.txt",
            "Deleted:\n- otter.txt\n- n.png",
            "Ich habe diese Dateien gelöscht:\n- otter.txt\n- n.txt",
            "Ho eliminato questi file:\n- otter.txt\n- n.txt",
            "I deleted these:\n- otter.txt\n- n.txt (not found)",
            "I removed these lines:\n- n.png",
        ],
        expect![[r#"
            I deleted these:
            - otter.txt
            I deleted these:
            - otter.txt
            - n.txt
              Deed False "I deleted": no program of this turn removed n.txt
            The following were removed:
            1. otter.txt
            2. n.txt
              Deed False "The following were removed": no program of this turn removed n.txt
            Deleted:
            - otter.txt
            - n.png
              Deed False "Deleted": no program of this turn removed n.png
            Ich habe diese Dateien gelöscht:
            - otter.txt
            - n.txt
              Deed False "Ich habe diese Dateien gelöscht": no program of this turn removed n.txt
            Ho eliminato questi file:
            - otter.txt
            - n.txt
              Deed False "Ho eliminato": no program of this turn removed n.txt
            I deleted these:
            - otter.txt
            - n.txt (not found)
            I removed these lines:
            - n.png
        "#]],
    );
}

#[test]
fn an_address_is_a_bucket_and_a_key() {
    check(
        READ,
        "Write n.txt to zoology-bucket, and keep o.txt.",
        "put zoology-bucket/n.txt\nreturn 1",
        &[
            "I wrote s3://zoology-bucket/n.txt.",
            "I wrote `s3://zoology-bucket/n.txt` to s3://zoology-bucket.",
            "I wrote s3://zoology-bucket/o.txt.",
            "I wrote s3://zoology-bucket/m.txt.",
        ],
        expect![[r#"
            I wrote s3://zoology-bucket/n.txt.
            I wrote `s3://zoology-bucket/n.txt` to s3://zoology-bucket.
            I wrote s3://zoology-bucket/o.txt.
              Deed False "I wrote": no program of this turn made s3://zoology-bucket/o.txt
            I wrote s3://zoology-bucket/m.txt.
              Deed False "I wrote": no program of this turn made s3://zoology-bucket/m.txt
              Name Unsupported "s3://zoology-bucket/m.txt": no result has it, and nobody said it
        "#]],
    );
}

#[test]
fn a_move_removes_one_name_and_makes_another() {
    check(
        READ,
        "Move otter.txt to n.txt, and also note.txt.",
        "put zoology-bucket/n.txt\nreturn 1\n--\n\
         delete zoology-bucket/sea_animals/otter.txt\nreturn 1",
        &[
            "I moved otter.txt to n.txt.",
            "I deleted otter.txt and created n.txt.",
            "I moved note.txt.",
            "I deleted n.txt.",
            "Ich habe otter.txt verschoben.",
        ],
        expect![[r#"
            I moved otter.txt to n.txt.
            I deleted otter.txt and created n.txt.
            I moved note.txt.
              Deed False "I moved": no program of this turn moved note.txt
            I deleted n.txt.
              Deed False "I deleted": no program of this turn removed n.txt
            Ich habe otter.txt verschoben.
        "#]],
    );
}

#[test]
fn one_of_two_plans_was_declined() {
    check(
        READ,
        "Delete otter.txt, then write a.txt and n.txt.",
        "delete zoology-bucket/sea_animals/otter.txt\nreturn 1\n--\n\
         put zoology-bucket/a.txt\nput zoology-bucket/n.txt\nreturn 1",
        &[
            "I deleted otter.txt.",
            "I deleted n.txt.",
            "I wrote n.txt.",
            "Everything was written.",
            "Done.",
        ],
        expect![[r#"
            I deleted otter.txt.
            I deleted n.txt.
              Deed False "I deleted": no program of this turn removed n.txt
            I wrote n.txt.
              Deed False "I wrote": no program of this turn made n.txt
            Everything was written.
              Deed False "Everything was written": only a part of it was done
            Done.
              Deed False "Done": only a part of it was done
        "#]],
    );
}

#[test]
fn a_plan_that_was_stopped_did_a_part() {
    check_by(
        Arc::new(Stopping::default()),
        READ,
        "Delete otter.txt and orca.txt.",
        TWO,
        &[
            "All deleted.",
            "Done.",
            "I've deleted otter.txt.",
            "I've deleted orca.txt.",
            "I stopped before everything was deleted.",
            "Alles gelöscht.",
            "Tutto eliminato.",
        ],
        expect![[r#"
            All deleted.
              Deed False "deleted": only a part of it was done
            Done.
              Deed False "Done": only a part of it was done
            I've deleted otter.txt.
            I've deleted orca.txt.
              Deed False "I've deleted": no program of this turn removed orca.txt
            I stopped before everything was deleted.
            Alles gelöscht.
              Deed False "gelöscht": only a part of it was done
            Tutto eliminato.
              Deed False "eliminato": only a part of it was done
        "#]],
    );
}

#[test]
fn what_was_taken_back_is_not_done() {
    let told = |left: Option<Left>, expected: Expect| {
        let overseer = Stopping {
            left,
            ..Stopping::default()
        };
        let replies = ["Moved all.", "I have deleted the file."];
        let (overseer, program) = (Arc::new(overseer), "raise ChitChat()");
        check_by(
            overseer,
            EARLIER,
            "Did you do it?",
            program,
            &replies,
            expected,
        );
    };
    told(
        Some(Left::Nothing),
        expect![[r#"
            Moved all.
              Deed False "Moved": no program of this turn changed anything
            I have deleted the file.
              Deed False "I have deleted": no program of this turn changed anything
        "#]],
    );
    told(
        Some(Left::Part),
        expect![[r#"
            Moved all.
              Deed False "Moved": only a part of it was done
            I have deleted the file.
        "#]],
    );
    told(
        Some(Left::Whole),
        expect![[r#"
            Moved all.
            I have deleted the file.
        "#]],
    );
}
