//! An API that is longer than a prompt: whether the operations that prompts show are those that
//! the turns of conversations need.

use super::lab::cache;
use crate::support::tools::{GITHUB_API, needs};
use dialog2api::folder;
use dialog2api::prompts::coverage;
use dialog2api::retrieval::{ExamplePool, Selection, dialogues_in};
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::path::Path;

/// Writes each conversation to a file: user's utterance, program, reply, by turns.
fn write_dialogues(folder: &Path, conversations: &str) {
    std::fs::create_dir_all(folder).unwrap();
    for (number, text) in conversations.split("\n\n").enumerate() {
        let mut turns = String::from("<turn>Agent: How can I help you?</turn>\n");
        let mut lines = text.lines().peekable();
        for uid in 1.. {
            let Some(user) = lines.next() else { break };
            let mut program = String::new();
            while let Some(line) = lines.next_if(|line| line.starts_with("  ")) {
                writeln!(program, "{}", &line[2..]).unwrap();
            }
            let agent = lines.next().unwrap();
            write!(
                turns,
                "<turn>User: {user}</turn>\n<goal uid=\"{uid}\" status=\"final\">\n<program>\n\
                 {program}</program>\n</goal>\n<turn>Agent: {agent}</turn>\n"
            )
            .unwrap();
        }
        let text =
            format!("<conversation uid=\"{number}\">\n<turns>\n{turns}</turns>\n</conversation>\n");
        std::fs::write(folder.join(format!("{number:02}.xml")), text).unwrap();
    }
}

/// The turns whose prompts show every operation that the right program calls, and what the
/// others lack.
async fn check(conversations: &str, expected: Expect) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("github");
    let document = GITHUB_API.path();
    folder::create_openapi(&path, document.to_str().unwrap())
        .await
        .unwrap();
    let examples = path.join("examples");
    write_dialogues(&examples, conversations);
    assert_eq!(folder::check(&path, &cache()).await.unwrap(), []);

    let domain = folder::load(&path, &cache()).unwrap();
    let turns = ExamplePool::new(&dialogues_in(&examples).unwrap(), &domain).unwrap();
    let none = ExamplePool::new(&[], &domain).unwrap();
    let found = coverage(&domain, &none, turns.examples(), &Selection::default()).unwrap();
    let mut said = format!(
        "{} of {} turns; of {} bytes {} to {} are shown\n",
        found.covered,
        found.turns,
        domain.api.document.len(),
        found.bytes.first().unwrap(),
        found.bytes.last().unwrap()
    );
    for (dialogue, turn, missing) in &found.missed {
        let missing = missing.join(", ");
        writeln!(said, "  conversation {dialogue}, turn {turn}: {missing}").unwrap();
    }
    expected.assert_eq(&said);
}

/// The search was made while looking at the first of these conversations.
#[tokio::test]
async fn prompts_show_what_turns_need() {
    needs!(GITHUB_API);
    check(
        include_str!("github.txt"),
        expect![[r#"
            46 of 57 turns; of 1100572 bytes 24464 to 24664 are shown
              conversation 2, turn 1: repos_get_latest_release
              conversation 2, turn 3: repos_list_releases
              conversation 3, turn 2: repos_add_collaborator
              conversation 5, turn 1: actions_list_workflow_runs_for_repo
              conversation 7, turn 1: orgs_list_members
              conversation 7, turn 4: orgs_remove_member
              conversation 8, turn 3: repos_compare_commits
              conversation 9, turn 4: repos_list_contributors
              conversation 10, turn 1: activity_list_notifications_for_authenticated_user
              conversation 10, turn 3: activity_delete_repo_subscription
              conversation 13, turn 3: git_get_ref
        "#]],
    )
    .await;
}

/// These were written before the search was changed for conversations, and no rule of it was
/// chosen by them.
#[tokio::test]
async fn prompts_show_what_turns_need_that_nobody_looked_at() {
    needs!(GITHUB_API);
    check(
        include_str!("github-held-out.txt"),
        expect![[r#"
            23 of 28 turns; of 1100572 bytes 24462 to 24656 are shown
              conversation 2, turn 1: repos_create_release
              conversation 2, turn 3: repos_get_release_by_tag
              conversation 4, turn 3: repos_get_combined_status_for_ref
              conversation 6, turn 1: packages_list_packages_for_organization
              conversation 7, turn 4: repos_transfer
        "#]],
    )
    .await;
}
