//! What is wrong between dialogues, and with the list of goals.

use super::{GOOD, findings, report, set};
use expect_test::{Expect, expect};

/// The findings of one check in a set of good dialogues with these paths and goals.
async fn check(about: &str, dialogues: &[(&str, &str)], goals: Option<&str>, expected: Expect) {
    let texts: Vec<(&str, String)> = (dialogues.iter())
        .map(|(path, goal)| (*path, GOOD.replacen("move-one", goal, 1)))
        .collect();
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let all = findings(&set(&files, goals)).await;
    let about = all.lines().filter(|line| line.starts_with(about));
    expected.assert_eq(&about.collect::<Vec<_>>().join("\n"));
}

#[tokio::test]
async fn a_goal_is_in_one_part() {
    check(
        "[goals]",
        &[
            ("train/a.xml", "one"),
            ("test/b.xml", "one"),
            ("test/c.xml", "two"),
        ],
        None,
        expect![[""]],
    )
    .await;
}

#[tokio::test]
async fn goals_and_dialogues_belong_together() {
    let goals = "goal = [\
        {id = \"one\", split = \"train\", utterance = \"do one\"},\
        {id = \"two\", split = \"train\", utterance = \"do two\"},\
        {id = \"three\", split = \"test\", utterance = \"\"},\
        {id = \"three\", split = \"test\", utterance = \"do three\"}]\n\
        [targets]\nsource = \"us\"\ndialogues_a_goal = 2";
    let dialogues = &[
        ("train/a.xml", "one"),
        ("train/b.xml", "one"),
        ("train/c.xml", "one"),
        ("test/d.xml", "two"),
        ("test/e.xml", "four"),
    ];
    check("[goals]", dialogues, Some(goals), expect![[""]]).await;
    check("[goals]", &[], Some("goals = 1"), expect![[""]]).await;
}

#[tokio::test]
async fn a_dialogue_lies_in_a_part_and_has_a_name_of_its_own() {
    check(
        "[identity]",
        &[("good.xml", "one"), ("test/good.xml", "two")],
        None,
        expect![[""]],
    )
    .await;
}

#[tokio::test]
async fn paraphrases_are_found() {
    let other = GOOD
        .replacen(
            "copy a file of mine under another name",
            "Copy a file of mine, under another name!",
            1,
        )
        .replacen(
            "how many are left in that folder, and what did the old one say?",
            "what is in that folder now, and what did the old one say",
            1,
        );
    let set = set(
        &[("train/good.xml", GOOD), ("test/other.xml", &other)],
        None,
    );
    let duplicates = report(&set).await.duplicates;
    let shown = format!(
        "compared {}, short {}, short in both {}",
        duplicates.compared, duplicates.short, duplicates.short_in_both
    );
    expect![[""]].assert_eq(&shown);
    let all = findings(&set).await;
    let about = all.lines().filter(|line| line.starts_with("[duplicates]"));
    expect![[""]].assert_eq(&about.collect::<Vec<_>>().join("\n"));
}

#[tokio::test]
async fn different_dialogues_have_a_figure_and_no_finding() {
    let other = "<conversation uid=\"other\" goal=\"x\" world=\"empty\">\n<turns>\n\
        <turn>User: please copy another file that is mine</turn>\n<turn>Agent: no</turn>\n\
        </turns>\n</conversation>\n";
    let set = set(&[("train/good.xml", GOOD), ("test/other.xml", other)], None);
    let utterances = report(&set).await.duplicates.utterances;
    let [alike] = utterances.as_slice() else {
        panic!("the most similar pair: {utterances:?}")
    };
    expect![[""]].assert_eq(&format!("{:.2} {:?}", alike.similarity, alike.texts));
}

#[tokio::test]
async fn figures_are_held_to_the_targets() {
    let targets = "[targets]\nsource = \"us\"\ndialogues = {train = 1, test = 1}\n\
        utterances = {value = 13, within = 0}\ngoals = {value = 2.7, within = 0.2}\n\
        lines = {value = 1, within = 0.33}\napis = {value = 1.4, within = 0.1}\n\
        [targets.shares]\nListObjects = {value = 32, within = 3}\nGetObject = {value = 22, within = 3}\n\
        [targets.complexities]\nchitchat = 1\nboredom = 1";
    check(
        "[figures]",
        &[("train/good.xml", "one")],
        Some(targets),
        expect![[""]],
    )
    .await;
}
