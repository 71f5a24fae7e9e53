//! Mistakes across dialogues, and in the list of goals.

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
        expect![[r#"[goals] the goal "one" is in both parts (train/a.xml, test/b.xml); move its dialogues to one"#]],
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
    check(
        "[goals]",
        dialogues,
        Some(goals),
        expect![[r#"
            [goals] dialogues of the goal "one": 3; there are to be 2
            [goals] dialogues of the goal "two": 1; there are to be 2
            [goals] goals.toml has no utterance for "three"; write the goal in one sentence
            [goals] the goal "three" has no dialogue; write one, or take it out of goals.toml
            [goals] goals.toml has "three" twice; remove one
            [goals] the goal "three" has no dialogue; write one, or take it out of goals.toml
            [goals] test/e.xml: its goal "four" is not in goals.toml; add it there
            [goals] test/d.xml: goals.toml has its goal "two" in train; move it there"#]],
    )
    .await;
    check(
        "[goals]",
        &[],
        Some("goals = 1"),
        expect!["[goals] goals.toml is no list of goals: line 1: unknown field `goals`, expected one of `goal`, `paraphrases`, `names`, `targets`"],
    )
    .await;
}

#[tokio::test]
async fn a_dialogue_lies_in_a_part_and_has_a_name_of_its_own() {
    check(
        "[identity]",
        &[("good.xml", "one"), ("test/good.xml", "two")],
        None,
        expect![[r#"
            [identity] good.xml: is in no part; move it to a folder `train` or `test`
            [identity] test/good.xml: good.xml has the uid "good" too; rename one of them"#]],
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
    expect!["compared 10, short 2, short in both 1"].assert_eq(&shown);
    let all = findings(&set).await;
    let about = all.lines().filter(|line| line.starts_with("[duplicates]"));
    expect![[r#"
        [duplicates] test/other.xml, turn 1: "Copy a file of mine, under another name!" is like "copy a file of mine under another name" in train/good.xml, turn 1: 1.00; it must be below 0.5; reword it
        [duplicates] test/other.xml, turn 2: "zoology-bucket. Cold today, isn't it?" is like "zoology-bucket. Cold today, isn't it?" in train/good.xml, turn 2: 1.00; it must be below 0.5; reword it
        [duplicates] test/other.xml, turn 3: "sea_animals/otter.txt, and call it river/otter.txt" is like "sea_animals/otter.txt, and call it river/otter.txt" in train/good.xml, turn 3: 1.00; it must be below 0.5; reword it
        [duplicates] test/other.xml, turn 4: "get rid of the old one" is like "get rid of the old one" in train/good.xml, turn 4: 1.00; it must be below 0.5; reword it
        [duplicates] test/other.xml, turn 6: "what is in that folder now, and what did the old one say" is like "how many are left in that folder, and what did the old one say?" in train/good.xml, turn 6: 0.56; it must be below 0.5; reword it
        [duplicates] test/other.xml: paraphrases train/good.xml: 0.72, and less than 0.2 is wanted; give it words and a flow of its own"#]].assert_eq(&about.collect::<Vec<_>>().join("\n"));
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
    expect![[r#"0.25 Some(["copy a file of mine under another name", "please copy another file that is mine"])"#]].assert_eq(&format!("{:.2} {:?}", alike.similarity, alike.texts));
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
        expect![[r#"
            [figures] test has 0 dialogues; it is to have 1
            [figures] goals a dialogue: 5.00; they are to be 2.7 ± 0.2
            [figures] lines of code a program: 1.50; they are to be 1 ± 0.33
            [figures] APIs a program: 1.00; they are to be 1.4 ± 0.1
            [figures] ListObjects is 25.0 % of the APIs; it is to be 32 ± 3 %
            [figures] goals.toml asks for the complexity "boredom", which does not exist; use one of missing information, revision, interruption, ambiguity, out of scope, over-specification, chitchat, FAQ, error, confirmation, ending, abandonment
            [figures] chitchat occurs 0 times in test; it is to occur 1 time"#]],
    )
    .await;
}
