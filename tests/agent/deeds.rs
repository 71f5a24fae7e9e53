//! Replies that tell of what no program did.

use crate::agent::fake::{OneLine, block_on, goal, zoology_agent};
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::agent::{
    Assist, Decided, DecidedBy, Decision, Left, Overseer, Session, Settings, Unwatched,
};
use dialog2api::plan::{Plan, Record, Step, Stop};
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::sync::Arc;

/// Says yes to a plan of one write, and no to others.
struct Careful;

#[async_trait]
impl Overseer for Careful {
    async fn decide(&self, _: usize, _: u32, plan: &Plan) -> Result<Decided> {
        let decision = match plan.writes.len() {
            1 => Decision::Apply(Stop::default()),
            _ => Decision::Decline("The user said no.".to_owned()),
        };
        Ok(decision.by(DecidedBy::User))
    }
}

/// Says yes to every plan, and stops it after its first write. It knows what is left of what turns
/// before this one did.
#[derive(Default)]
pub(super) struct Stopping {
    pub(super) stop: Stop,
    pub(super) left: Option<Left>,
}

#[async_trait]
impl Overseer for Stopping {
    fn left(&self, _: usize, _: u32) -> Option<Left> {
        self.left
    }

    async fn decide(&self, _: usize, _: u32, _: &Plan) -> Result<Decided> {
        Ok(Decision::Apply(self.stop.clone()).by(DecidedBy::User))
    }

    fn record(&self) -> Box<dyn Record + '_> {
        Box::new(Stopper(&self.stop))
    }
}

struct Stopper<'a>(&'a Stop);

#[async_trait]
impl Record for Stopper<'_> {
    async fn intent(&mut self, _: usize, _: &Step) -> Result<()> {
        Ok(())
    }

    async fn done(&mut self, _: usize, _: &Step) -> Result<()> {
        self.0.stop();
        Ok(())
    }
}

/// What is marked in replies to a turn, each as the second of a dialogue whose first ran a program.
pub(super) fn check(before: &str, user: &str, program: &str, replies: &[&str], expected: Expect) {
    check_by(Arc::new(Careful), before, user, program, replies, expected);
}

/// The same with another overseer. `--` stands between the programs of several goals.
pub(super) fn check_by(
    overseer: Arc<dyn Overseer>,
    before: &str,
    user: &str,
    program: &str,
    replies: &[&str],
    expected: Expect,
) {
    let goals = program.split("\n--\n").zip(2..);
    let goals: Vec<String> = goals.map(|(code, uid)| goal(uid, "final", code)).collect();
    let mut seen = String::new();
    for reply in replies {
        let answers = [
            goal(1, "final", before),
            "<turn>Agent: Okay.</turn>".to_owned(),
            goals.join("\n"),
            // What is doubted is asked for once more.
            format!("<turn>Agent: {reply}</turn>"),
            format!("<turn>Agent: {reply}</turn>"),
        ];
        let settings = Settings {
            assist: "unsupported-claim".parse::<Assist>().unwrap(),
            ..Settings::default()
        };
        let agent = zoology_agent(answers, Arc::new(OneLine), settings);
        let agent = agent.overseen_by(overseer.clone());
        let mut session = Session::new();
        block_on(agent.turn(&mut session, "Hello", &mut Unwatched));
        let report = block_on(agent.turn(&mut session, user, &mut Unwatched));
        writeln!(seen, "{reply}").unwrap();
        for claim in &report.unsupported {
            let (text, kind, why) = (&claim.text, claim.kind, claim.reason());
            writeln!(seen, "  {kind:?} {:?} {text:?}: {why}", claim.verdict).unwrap();
        }
    }
    expected.assert_eq(&seen);
}

pub(super) const READ: &str = "call list_buckets\nreturn 1";
const ONE: &str = "delete zoology-bucket/sea_animals/otter.txt\nreturn 1";
pub(super) const TWO: &str = "delete zoology-bucket/sea_animals/otter.txt\n\
                   delete zoology-bucket/sea_animals/orca.txt\nreturn 1";
/// The box does nothing here, and who reads the program sees that it deletes something.
pub(super) const EARLIER: &str =
    "pass ; s3.delete_object(Bucket='zoology-bucket', Key='a.txt')\nreturn 1";
const PUT: &str = "put zoology-bucket/new.txt\nreturn 1";

#[test]
fn after_a_no_nothing_was_done() {
    check(
        READ,
        "Delete them.",
        TWO,
        &[
            "I've deleted them.",
            "Done, everything is removed.",
            "All 2 objects have been deleted.",
            "Your bucket was created.",
            "Ich habe alles gelöscht.",
            "Ho cancellato tutti i file.",
            "I haven't deleted anything, as you said no.",
            "Shall I delete only one of them?",
            "They would be deleted.",
            "As I said, the others were deleted before.",
        ],
        expect![[r#"
            I've deleted them.
              Deed False "I've deleted": the user said no, and nothing was changed
            Done, everything is removed.
              Deed False "Done": the user said no, and nothing was changed
              Deed False "everything is removed": the user said no, and nothing was changed
            All 2 objects have been deleted.
              Deed False "All 2 objects have been deleted": the user said no, and nothing was changed
            Your bucket was created.
              Deed False "Your bucket was created": the user said no, and nothing was changed
            Ich habe alles gelöscht.
              Deed False "Ich habe alles gelöscht": the user said no, and nothing was changed
            Ho cancellato tutti i file.
              Deed False "Ho cancellato": the user said no, and nothing was changed
            I haven't deleted anything, as you said no.
            Shall I delete only one of them?
            They would be deleted.
            As I said, the others were deleted before.
        "#]],
    );
}

#[test]
fn after_a_failure_nothing_was_done() {
    check(
        READ,
        "Delete them.",
        "delete zoology-bucket/sea_animals/otter.txt\nraise KeyError",
        &["They have been deleted.", "The files could not be deleted."],
        expect![[r#"
            They have been deleted.
              Deed False "They have been deleted": the program failed, and nothing was changed
            The files could not be deleted.
        "#]],
    );
}

#[test]
fn a_program_that_only_read_did_nothing() {
    check(
        READ,
        "Delete them.",
        READ,
        &[
            "I have deleted them.",
            "The files have been deleted.",
            "Done.",
        ],
        expect![[r#"
            I have deleted them.
              Deed False "I have deleted": no program of this turn changed anything
            The files have been deleted.
              Deed False "The files have been deleted": no program of this turn changed anything
            Done.
        "#]],
    );
    check(
        READ,
        "Which files were deleted?",
        READ,
        &["The files were deleted.", "It was deleted."],
        expect![[r#"
            The files were deleted.
            It was deleted.
        "#]],
    );
}

#[test]
fn what_was_done_may_be_told() {
    check(
        READ,
        "Delete it.",
        ONE,
        &[
            "I've deleted it.",
            "Done, it is removed.",
            "The file was created.",
        ],
        expect![[r#"
            I've deleted it.
            Done, it is removed.
            The file was created.
              Deed False "The file was created": no program of this turn made anything
        "#]],
    );
    check(
        READ,
        "Write it.",
        PUT,
        &[
            "I've written it.",
            "I've moved it.",
            "Your bucket was deleted.",
        ],
        expect![[r#"
            I've written it.
            I've moved it.
            Your bucket was deleted.
              Deed False "Your bucket was deleted": no program of this turn removed anything
        "#]],
    );
}

#[test]
fn what_rows_have_was_there_before() {
    let asked = "Copy sea_animals/otter.txt to zoology-bucket.";
    let reply = "The object \"sea_animals/otter.txt\" has been copied to \"zoology-bucket\".";
    check(
        READ,
        asked,
        TWO,
        &[reply],
        expect![[r#"
            The object "sea_animals/otter.txt" has been copied to "zoology-bucket".
              Deed False "The object \"sea_animals/otter.txt\" has been copied": the user said no, and nothing was changed
        "#]],
    );
    check(
        READ,
        asked,
        READ,
        &[
            reply,
            "I have copied \"sea_animals/otter.txt\" to \"zoology-bucket\".",
        ],
        expect![[r#"
            The object "sea_animals/otter.txt" has been copied to "zoology-bucket".
            I have copied "sea_animals/otter.txt" to "zoology-bucket".
              Deed False "I have copied": no program of this turn changed anything
        "#]],
    );
}

#[test]
fn changes_in_passive_are_marked_where_they_were_asked_for() {
    check(
        READ,
        "Update the file, then restore the copy.",
        READ,
        &[
            "The file has been updated, and the copy has been restored.",
            "The file was last updated in March, and it can be restored.",
            "Nothing was overwritten.",
        ],
        expect![[r#"
            The file has been updated, and the copy has been restored.
              Deed False "The file has been updated": no program of this turn changed anything
              Deed False "the copy has been restored": no program of this turn changed anything
            The file was last updated in March, and it can be restored.
            Nothing was overwritten.
        "#]],
    );
    check(
        READ,
        "What about the file?",
        READ,
        &["The file has been updated.", "I have updated the file."],
        expect![[r#"
            The file has been updated.
            I have updated the file.
              Deed False "I have updated": no program of this turn changed anything
        "#]],
    );
}

#[test]
fn deeds_of_lists_and_of_other_clauses() {
    check(
        READ,
        "Delete a.txt and copy b.txt.",
        READ,
        &[
            "Done:\n- deleted a.txt\n- copied b.txt",
            "These steps remain:\n- deleted files are purged",
            "I can delete a.txt if you want it deleted.",
            "Ich bestätige, dass ich die Datei gelöscht habe.",
            "Le confermo di aver cancellato il file.",
        ],
        expect![[r#"
            Done:
            - deleted a.txt
            - copied b.txt
              Deed False "deleted": no program of this turn changed anything
              Deed False "copied": no program of this turn changed anything
            These steps remain:
            - deleted files are purged
            I can delete a.txt if you want it deleted.
            Ich bestätige, dass ich die Datei gelöscht habe.
              Deed False "ich die Datei gelöscht": no program of this turn changed anything
            Le confermo di aver cancellato il file.
              Deed False "Le confermo di aver cancellato": no program of this turn changed anything
        "#]],
    );
}

#[test]
fn what_an_earlier_turn_did_may_be_told() {
    check(
        EARLIER,
        "Thanks! What did you do?",
        "raise ChitChat()",
        &["I have deleted the file."],
        expect![[r#"
            I have deleted the file.
        "#]],
    );
    check(
        EARLIER,
        "Delete the others.",
        READ,
        &["I have deleted the others."],
        expect![[r#"
            I have deleted the others.
              Deed False "I have deleted": no program of this turn changed anything
        "#]],
    );
}
