//! What the user had to be asked, and was not.

use super::{GOOD, findings, set};
use expect_test::{Expect, expect};

/// The draft of the good dialogue that waits for a yes.
const DELETION: &str = "s3.delete_object(Bucket=\"zoology-bucket\", Key=\"sea_animals/otter.txt\")";

/// The end of a program of its last turn, which was never a draft.
const COUNT: &str = "return len(objects)";

/// A program that writes one object.
fn write(key: &str) -> String {
    format!("s3.put_object(Bucket=\"zoology-bucket\", Key=\"{key}\", Body=b\"Big.\")")
}

/// What one check finds in the good dialogue after these changes.
async fn check(name: &str, changes: &[(&str, &str)], expected: Expect) {
    let mut text = GOOD.to_owned();
    for (sound, defect) in changes {
        assert!(text.contains(sound), "{sound:?} is not in the dialogue");
        text = text.replacen(sound, defect, 1);
    }
    let findings = findings(&set(&[("train/good.xml", &text)], None)).await;
    let begin = format!("[{name}]");
    let about = findings.lines().filter(|line| line.starts_with(&begin));
    expected.assert_eq(&about.collect::<Vec<_>>().join("\n"));
}

#[tokio::test]
async fn what_overwrites_is_drafted_first() {
    // An object of the world, and one that the dialogue has made itself.
    let over = write("sea_animals/orca.txt");
    check("overwriting", &[(COUNT, &over)], expect!["[overwriting] train/good.xml, turn 6, goal 4: overwrites zoology-bucket/sea_animals/orca.txt without a draft in an earlier turn; draft it, and let the agent ask for confirmation"]).await;
    let again = write("river/otter.txt");
    check("overwriting", &[(COUNT, &again)], expect!["[overwriting] train/good.xml, turn 6, goal 4: overwrites zoology-bucket/river/otter.txt without a draft in an earlier turn; draft it, and let the agent ask for confirmation"]).await;
    // Whoever gives a missing value has not said yes.
    let filled = [(
        "Key=\"river/otter.txt\", IfNoneMatch=\"*\"",
        "Key=\"sea_animals/orca.txt\"",
    )];
    check("overwriting", &filled, expect!["[overwriting] train/good.xml, turn 3, goal 1: overwrites zoology-bucket/sea_animals/orca.txt, and the draft before it was not complete; draft it with all values, and let the agent ask for confirmation"]).await;
    // A yes to another program.
    let end = "<goal uid=\"3\" status=\"final\">\n";
    let other = format!(
        "{end}<program>\n{}\n</program>\n",
        write("photos/otter.jpg")
    );
    let changed = [(DELETION, &*over), (end, &*other)];
    check("overwriting", &changed, expect![[r#"[overwriting] train/good.xml, turn 5, goal 3: overwrites zoology-bucket/photos/otter.jpg with other code than was confirmed; write status="final" without a program, or draft the new code and ask again"#]]).await;
}

#[tokio::test]
async fn the_program_that_overwrites_is_named() {
    let new = write("sea_animals/whale.txt");
    let read = "return s3.get_object(Bucket=\"zoology-bucket\", \
                Key=\"sea_animals/otter.txt\")[\"Body\"].read().decode()";
    let over = write("sea_animals/orca.txt");
    check("overwriting", &[(COUNT, &new), (read, &over)], expect!["[overwriting] train/good.xml, turn 6, goal 5: overwrites zoology-bucket/sea_animals/orca.txt without a draft in an earlier turn; draft it, and let the agent ask for confirmation"]).await;
}

#[tokio::test]
async fn what_was_confirmed_and_what_is_new_is_written_at_once() {
    let confirmed = write("sea_animals/orca.txt");
    check("overwriting", &[(DELETION, &confirmed)], expect![[""]]).await;
    let new = write("sea_animals/whale.txt");
    check("overwriting", &[(COUNT, &new)], expect![[""]]).await;
    let tags = "s3.put_object_tagging(Bucket=\"zoology-bucket\", Key=\"sea_animals/orca.txt\", \
                Tagging={\"TagSet\": [{\"Key\": \"size\", \"Value\": \"big\"}]})";
    check("overwriting", &[(COUNT, tags)], expect![[""]]).await;
}

#[tokio::test]
async fn a_draft_is_asked_about_in_every_turn() {
    let asked = "I do not feel the cold. What is the key of the object?";
    check("questions", &[(asked, "I do not feel the cold.")], expect!["[questions] train/good.xml, turn 2, goal 1: is drafting, and the agent asks nothing; let it ask for the missing value or for confirmation, after an answer to something else as well"]).await;
    check("questions", &[(asked, "物件的鍵是什麼？")], expect![[""]]).await;
}
