//! `dialog2api dataset`.

use crate::cli::support::Home;
use expect_test::expect;

const GOOD: &str = include_str!("../dataset/good.xml");

/// A home with a dataset of one dialogue.
fn with_dialogue(text: &str) -> Home {
    let home = Home::new();
    for folder in ["set/train", "set/worlds"] {
        std::fs::create_dir_all(home.path(folder)).expect("a folder");
    }
    home.write("set/train/good.xml", text);
    home
}

#[test]
fn a_dataset_without_findings_has_figures_and_exit_code_0() {
    let home = with_dialogue(GOOD);
    home.check(home.ready("dataset check set"), "", expect![[r#"
                                          train
        dialogues                             1
        goals they are written for            1
        utterances a dialogue             13.00
        goals a dialogue                   5.00
        lines of code a program            1.50
        APIs a program                     1.00
        lines, over all programs           1.40
        APIs, over all programs            0.80
        APIs, per cent of call sites
          CopyObject                      25.00
          DeleteObject                    25.00
          GetObject                       25.00
          ListObjects                     25.00

        Conversational complexities       train
        missing information                   1
        revision                              0
        interruption                          0
        ambiguity                             0
        out of scope                          0
        over-specification                    0
        chitchat                              1
        FAQ                                   0
        error                                 1
        confirmation                          1
        ending                                0
        abandonment                           0

        Most alike (n-grams in common)
          utterances of train and test    – nothing to compare
          dialogues                       – nothing to compare
          5 utterances have at least 4 words; the others (1) are not compared, and 0 of them are said in both parts

          ok  form           every file is a dialogue in canonical form
          ok  identity       every dialogue has its file's name as uid, lies in train or test, and names a goal, and a world and operations that exist
          ok  completeness   the agent greets and answers every turn, and every final program has its outcome and signature
          ok  status         every update keeps the status rules, and goals are numbered 1, 2, 3 in order of creation
          ok  placeholders   placeholders are numbered from ?1 in order of first appearance, keep their number while others are filled in, and stand in no string or comment
          ok  python         every program is Python once its placeholders are filled in
          ok  keyword order  the keywords of a call with placeholders stand in the order of the API's definition
          ok  destruction    a program that destroys was drafted completely in an earlier turn, and is run as it was confirmed
          ok  overwriting    a program that overwrites something was drafted completely in an earlier turn, and is run as it was confirmed
          ok  run again      a program that the user was not asked about overwrites nothing when it runs once more
          ok  whole names    a program that lists what begins with the name of a thing, and deletes that, deletes nothing with a longer name
          ok  call limits    a listing is read by a paginator or asks for few items, and no call gets a list that may be longer than the API takes
          ok  questions      as long as a goal is drafting, the agent asks a question in every turn
          ok  outcomes       every final program, run in its turn from the initial world, gives the recorded result or error and signature
          ok  accidents      no program ends with an error of Python or at a limit unless it raises the error by name or the dialogue accepts it
          ok  clock          every final program gives the same at another time and with other random numbers
        skip  goals          no goal is in both parts, every dialogue's goal is in goals.toml, and every goal there has its dialogues
              there is no goals.toml, so only the first part of the rule was checked
        skip  duplicates     no utterance of the test part is like one of the training part, and no two dialogues paraphrase each other
              no utterances were compared: there is no test part; there is only one dialogue
        skip  figures        the figures are those that goals.toml asks for
              there is no goals.toml

        Nothing is wrong. 3 checks did not look at everything.
        -- exit 0 --
    "#]]);
}

#[test]
fn findings_stand_below_their_check_and_end_with_exit_code_3() {
    let home =
        with_dialogue(&GOOD.replace("<result>3</result>", "<result>\"\\u001b[2J\"</result>"));
    home.write("set/train/bad.xml", "<conversation>\u{1b}");
    home.write(
        "set/goals.toml",
        "[[goal]]\nid = \"move-one\"\nsplit = \"train\"\nutterance = \"move it\"\n\
         [targets]\nsource = \"paper\"\ndialogues = {train = 46}\n\
         utterances = {value = 10.5, within = 0.5}\n[targets.shares]\n\
         ListObjects = {value = 32, within = 3}\n[targets.complexities]\nchitchat = 1\n",
    );
    home.check(home.ready("dataset check set"), "", expect![[r#"
                                          train   paper
        dialogues                             1   train 46
        goals they are written for            1
        utterances a dialogue             13.00   10.5 ± 0.5
        goals a dialogue                   5.00
        lines of code a program            1.50
        APIs a program                     1.00
        lines, over all programs           1.40
        APIs, over all programs            0.80
        APIs, per cent of call sites
          ListObjects                     25.00   32 ± 3
          CopyObject                      25.00
          DeleteObject                    25.00
          GetObject                       25.00

        Conversational complexities       train   each part
        missing information                   1
        revision                              0
        interruption                          0
        ambiguity                             0
        out of scope                          0
        over-specification                    0
        chitchat                              1   ≥ 1
        FAQ                                   0
        error                                 1
        confirmation                          1
        ending                                0
        abandonment                           0

        Most alike (n-grams in common)
          utterances of train and test    – nothing to compare
          dialogues                       – nothing to compare
          5 utterances have at least 4 words; the others (1) are not compared, and 0 of them are said in both parts

           1  form           every file is a dialogue in canonical form
              train/bad.xml: is no dialogue: line 1, column 1: the conversation needs a uid="…"
          ok  identity       every dialogue has its file's name as uid, lies in train or test, and names a goal, and a world and operations that exist
          ok  completeness   the agent greets and answers every turn, and every final program has its outcome and signature
          ok  status         every update keeps the status rules, and goals are numbered 1, 2, 3 in order of creation
          ok  placeholders   placeholders are numbered from ?1 in order of first appearance, keep their number while others are filled in, and stand in no string or comment
          ok  python         every program is Python once its placeholders are filled in
          ok  keyword order  the keywords of a call with placeholders stand in the order of the API's definition
          ok  destruction    a program that destroys was drafted completely in an earlier turn, and is run as it was confirmed
          ok  overwriting    a program that overwrites something was drafted completely in an earlier turn, and is run as it was confirmed
          ok  run again      a program that the user was not asked about overwrites nothing when it runs once more
          ok  whole names    a program that lists what begins with the name of a thing, and deletes that, deletes nothing with a longer name
          ok  call limits    a listing is read by a paginator or asks for few items, and no call gets a list that may be longer than the API takes
          ok  questions      as long as a goal is drafting, the agent asks a question in every turn
           1  outcomes       every final program, run in its turn from the initial world, gives the recorded result or error and signature
              train/good.xml, turn 6, goal 4: its outcome is the result 3, recorded is the result "\u001b[2J"; find out why, or run `dialog2api dataset annotate --write` to record the new outcome
          ok  accidents      no program ends with an error of Python or at a limit unless it raises the error by name or the dialogue accepts it
          ok  clock          every final program gives the same at another time and with other random numbers
          ok  goals          no goal is in both parts, every dialogue's goal is in goals.toml, and every goal there has its dialogues
        skip  duplicates     no utterance of the test part is like one of the training part, and no two dialogues paraphrase each other
              no utterances were compared: there is no test part; there is only one dialogue
           4  figures        the figures are those that goals.toml asks for
              train has 1 dialogue; it is to have 46
              utterances a dialogue: 13.00; they are to be 10.5 ± 0.5
              ListObjects is 25.0 % of the APIs; it is to be 32 ± 3 %
              chitchat occurs 0 times in test; it is to occur 1 time

        6 findings. 1 check did not look at everything.
        -- exit 3 --
    "#]]);
    home.check(home.ready("dataset check set --json"), "", expect![[r#"
        {
          "statistics": {
            "train": {
              "dialogues": 1,
              "written_for": 1,
              "utterances": 13,
              "goals": 5,
              "programs": 4,
              "lines": 6,
              "lines_of_all": 7,
              "calls": {
                "CopyObject": 1,
                "DeleteObject": 1,
                "GetObject": 1,
                "ListObjects": 1
              },
              "complexities": {
                "missing information": 1,
                "revision": 0,
                "interruption": 0,
                "ambiguity": 0,
                "out of scope": 0,
                "over-specification": 0,
                "chitchat": 1,
                "FAQ": 0,
                "error": 1,
                "confirmation": 1,
                "ending": 0,
                "abandonment": 0
              }
            },
            "test": {
              "dialogues": 0,
              "written_for": 0,
              "utterances": 0,
              "goals": 0,
              "programs": 0,
              "lines": 0,
              "lines_of_all": 0,
              "calls": {},
              "complexities": {
                "missing information": 0,
                "revision": 0,
                "interruption": 0,
                "ambiguity": 0,
                "out of scope": 0,
                "over-specification": 0,
                "chitchat": 0,
                "FAQ": 0,
                "error": 0,
                "confirmation": 0,
                "ending": 0,
                "abandonment": 0
              }
            },
            "all": {
              "dialogues": 1,
              "written_for": 1,
              "utterances": 13,
              "goals": 5,
              "programs": 4,
              "lines": 6,
              "lines_of_all": 7,
              "calls": {
                "CopyObject": 1,
                "DeleteObject": 1,
                "GetObject": 1,
                "ListObjects": 1
              },
              "complexities": {
                "missing information": 1,
                "revision": 0,
                "interruption": 0,
                "ambiguity": 0,
                "out of scope": 0,
                "over-specification": 0,
                "chitchat": 1,
                "FAQ": 0,
                "error": 1,
                "confirmation": 1,
                "ending": 0,
                "abandonment": 0
              }
            }
          },
          "means": {
            "train": {
              "utterances": 13.0,
              "goals": 5.0,
              "lines": 1.5,
              "apis": 1.0
            },
            "test": null,
            "all": {
              "utterances": 13.0,
              "goals": 5.0,
              "lines": 1.5,
              "apis": 1.0
            }
          },
          "duplicates": {
            "compared": 5,
            "utterance_pairs": 0,
            "dialogue_pairs": 0,
            "short": 1,
            "short_in_both": 0,
            "utterances": [],
            "dialogues": []
          },
          "findings": [
            {
              "check": "form",
              "path": "train/bad.xml",
              "turn": null,
              "goal": null,
              "problem": "is no dialogue: line 1, column 1: the conversation needs a uid=\"…\""
            },
            {
              "check": "outcomes",
              "path": "train/good.xml",
              "turn": 6,
              "goal": 4,
              "problem": "its outcome is the result 3, recorded is the result \"\\u001b[2J\"; find out why, or run `dialog2api dataset annotate --write` to record the new outcome"
            },
            {
              "check": "figures",
              "path": null,
              "turn": null,
              "goal": null,
              "problem": "train has 1 dialogue; it is to have 46"
            },
            {
              "check": "figures",
              "path": null,
              "turn": null,
              "goal": null,
              "problem": "utterances a dialogue: 13.00; they are to be 10.5 ± 0.5"
            },
            {
              "check": "figures",
              "path": null,
              "turn": null,
              "goal": null,
              "problem": "ListObjects is 25.0 % of the APIs; it is to be 32 ± 3 %"
            },
            {
              "check": "figures",
              "path": null,
              "turn": null,
              "goal": null,
              "problem": "chitchat occurs 0 times in test; it is to occur 1 time"
            }
          ],
          "skipped": [
            {
              "check": "duplicates",
              "reason": "no utterances were compared: there is no test part; there is only one dialogue"
            }
          ]
        }
        -- exit 3 --
    "#]]);
}

#[test]
fn a_dataset_that_is_not_there() {
    let home = Home::new();
    home.check(
        home.ready("dataset check"),
        "",
        expect![[r#"
        -- stderr --
        error: cannot read datasets/s3: No such file or directory (os error 2)
        -- exit 1 --
    "#]],
    );
}

#[test]
fn a_dialogue_is_annotated_and_printed_or_written() {
    let bare = GOOD
        .replace("c8318598", "00000000")
        .replace("42ac7332", "00000000");
    let home = with_dialogue(&bare);
    let printed = home
        .ready("dataset annotate set/train/good.xml")
        .output()
        .expect("it starts");
    assert_eq!(String::from_utf8_lossy(&printed.stdout), GOOD);
    assert_eq!(home.read("set/train/good.xml"), bare);
    let write = "dataset annotate --write set/train/good.xml";
    home.check(
        home.ready(write),
        "",
        expect![[r#"
        -- stderr --
        set/train/good.xml: written
        -- exit 0 --
    "#]],
    );
    assert_eq!(home.read("set/train/good.xml"), GOOD);
    home.check(
        home.ready(write),
        "",
        expect![[r#"
        -- stderr --
        set/train/good.xml: unchanged
        -- exit 0 --
    "#]],
    );
    let files = std::fs::read_dir(home.path("set/train")).expect("a folder");
    assert_eq!(files.count(), 1, "what was written for a time is gone");
}

#[test]
fn a_dialogue_that_breaks_a_rule_is_not_written() {
    let broken = GOOD.replace("<goal uid=\"4\"", "<goal uid=\"3\"");
    let home = with_dialogue(&broken);
    home.check(
        home.ready("dataset annotate --write set/train/good.xml"),
        "",
        expect![[r#"
            -- stderr --
            error: set/train/good.xml: turn 6: goal 3 is final and can not change any more; for a new wish start a new goal, such as uid="6"
            -- exit 3 --
        "#]],
    );
    assert_eq!(home.read("set/train/good.xml"), broken);
}

#[test]
fn the_world_of_a_dialogue_is_its_own_that_of_its_dataset_or_the_one_given() {
    let home = with_dialogue(&GOOD.replace("\"zoology\"", "\"harbour\""));
    let annotate = "dataset annotate set/train/good.xml";
    home.check(home.ready(annotate), "", expect![[r#"
        -- stderr --
        error: set/train/good.xml: starts from a world "harbour", and there is none of that name: neither in set/worlds nor with the program (`dialog2api world list` names those)
        -- exit 1 --
    "#]]);
    let grep = |words: &str| {
        let output = home.ready(words).output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text
            .lines()
            .find(|line| line.starts_with("<initial_signature>"));
        line.unwrap_or_default().to_owned()
    };
    let harbour = "description = \"A harbour.\"\nclock = 2024-03-01T12:00:00Z\n[[bucket]]\nname = \"harbour-photos\"\n\
                   created = 2023-01-01T00:00:00Z\n";
    home.write("set/worlds/harbour.toml", harbour);
    expect!["<initial_signature>63a2857d</initial_signature>"].assert_eq(&grep(annotate));
    expect!["<initial_signature>e3b0c442</initial_signature>"]
        .assert_eq(&grep(&format!("{annotate} --world empty")));
}
