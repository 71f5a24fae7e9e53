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
        lines of code a program            1.25
        APIs a program                     1.00
        lines, over all programs           1.20
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
          5 utterances of at least 4 words; of 1 shorter ones, which are not compared, 0 are said in both parts

          ok  form           every file is a dialogue and is written again byte for byte
          ok  identity       every dialogue has its file's name as uid, lies in train or test, and names a goal and a world that there is
          ok  completeness   the agent greets and answers every turn, and every final program has its outcome and signature
          ok  status         every update keeps the status rules, and goals are numbered 1, 2, 3 in order of creation
          ok  placeholders   placeholders are numbered from ?1 in order of first appearance, keep their number while others are filled in, and stand in no string or comment
          ok  python         every program is Python once its placeholders are filled in
          ok  keyword order  the keywords of a call with placeholders stand in the order of the API's definition
          ok  destruction    a program that destroys was drafted completely in an earlier turn, and is run as it was confirmed
          ok  outcomes       every final program, run in its turn from the initial world, gives the recorded result or error and signature
          ok  accidents      no program ends with an error of Python, or at a limit, TIME
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
                                          train     test      all   paper
        dialogues                             1        0        1   train 46
        goals they are written for            1        0        1
        utterances a dialogue             13.00     0.00    13.00   10.5 ± 0.5
        goals a dialogue                   5.00     0.00     5.00
        lines of code a program            1.25     0.00     1.25
        APIs a program                     1.00     0.00     1.00
        lines, over all programs           1.20     0.00     1.20
        APIs, over all programs            0.80     0.00     0.80
        APIs, per cent of call sites
          ListObjects                     25.00     0.00    25.00   32 ± 3
          CopyObject                      25.00     0.00    25.00
          DeleteObject                    25.00     0.00    25.00
          GetObject                       25.00     0.00    25.00

        Conversational complexities       train     test      all   each part
        missing information                   1        0        1
        revision                              0        0        0
        interruption                          0        0        0
        ambiguity                             0        0        0
        out of scope                          0        0        0
        over-specification                    0        0        0
        chitchat                              1        0        1   ≥ 1
        FAQ                                   0        0        0
        error                                 1        0        1
        confirmation                          1        0        1
        ending                                0        0        0
        abandonment                           0        0        0

        Most alike (n-grams in common)
          utterances of train and test 0.00 (limit 0.50)
          dialogues                    0.00 (limit 0.20)
          5 utterances compared; 1 have fewer than 4 words, 0 of these are said in both parts

           1  form           every file is a dialogue and is written again byte for byte
              train/bad.xml: is no dialogue: line 1, column 1: the conversation needs a uid="…"
          ok  identity       every dialogue has its file's name as uid, lies in train or test, and names a goal and a world that there is
          ok  completeness   the agent greets and answers every turn, and every final program has its outcome and signature
          ok  status         every update keeps the status rules, and goals are numbered 1, 2, 3 in order of creation
          ok  placeholders   placeholders are numbered from ?1 in order of first appearance, keep their number while others are filled in, and stand in no string or comment
          ok  python         every program is Python once its placeholders are filled in
          ok  keyword order  the keywords of a call with placeholders stand in the order of the API's definition
          ok  destruction    a program that destroys was drafted completely in an earlier turn, and is run as it was confirmed
           1  outcomes       every final program, run in its turn from the initial world, gives the recorded result or error and signature
              train/good.xml, turn 6, goal 4: its outcome is the result 3, recorded is the result "\u001b[2J"; look why, or `dialog2api dataset annotate --write` records it
          ok  clock          every final program gives the same at another time and with other random numbers
          ok  goals          no goal is in both parts, every dialogue's goal is in goals.toml, and every goal there has its dialogues
          ok  duplicates     no utterance of the test part is like one of the training part, and no two dialogues paraphrase each other
           4  figures        the figures are those that goals.toml asks for
              train has 1 dialogues; it is to have 46
              utterances a dialogue: 13.00; they are to be 10.5 ± 0.5
              ListObjects is 25.0 % of the APIs; it is to be 32 ± 3 %
              chitchat occurs 0 times in test; it is to occur 1 times

        6 findings.
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
              "lines": 5,
              "lines_of_all": 6,
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
              "lines": 5,
              "lines_of_all": 6,
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
              "lines": 1.25,
              "apis": 1.0
            },
            "test": {
              "utterances": 0.0,
              "goals": 0.0,
              "lines": 0.0,
              "apis": 0.0
            },
            "all": {
              "utterances": 13.0,
              "goals": 5.0,
              "lines": 1.25,
              "apis": 1.0
            }
          },
          "duplicates": {
            "compared": 5,
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
              "problem": "its outcome is the result 3, recorded is the result \"\\u001b[2J\"; look why, or `dialog2api dataset annotate --write` records it"
            },
            {
              "check": "figures",
              "path": null,
              "turn": null,
              "goal": null,
              "problem": "train has 1 dialogues; it is to have 46"
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
              "problem": "chitchat occurs 0 times in test; it is to occur 1 times"
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

/// A home with a set of one dialogue in `part`, which starts from a world of its own.
fn own(part: &str, program: &str, world: &str) -> Home {
    let home = Home::new();
    for folder in [&format!("own/{part}"), "own/worlds"] {
        std::fs::create_dir_all(home.path(folder)).expect("a folder");
    }
    home.write("own/worlds/practice.toml", world);
    let text = format!(
        "<conversation uid=\"ask-1\" goal=\"ask\" world=\"practice\">\n<turns>\n\
         <turn>Agent: Hello.</turn>\n<turn>User: what is in my bucket of scans?</turn>\n\
         <goal uid=\"1\" status=\"final\">\n<program>\n{program}\n</program>\n</goal>\n\
         <turn>Agent: A million.</turn>\n</turns>\n</conversation>\n"
    );
    home.write(&format!("own/{part}/ask-1.xml"), &text);
    home
}

const WORLD: &str = "clock = 2025-03-03T09:00:00Z\n\n[[bucket]]\nname = \"scans\"\n\n\
                     [[bucket.object]]\nkey = \"0417.dcm\"\nsize = 40\n";

/// The lines of a check from the first check on.
fn checks(home: &Home, words: &str) -> String {
    let output = home.ready(words).output().expect("it starts");
    let seen = home.seen(&output);
    let from = seen.find("Most alike").unwrap_or_default();
    seen.get(from..).unwrap_or_default().to_owned()
}

#[test]
fn an_accident_is_not_recorded_as_the_truth_unless_it_is_accepted() {
    let date = "return s3.head_object(Bucket=\"scans\", Key=\"0417.dcm\")[\"LastModified\"]";
    let home = own("test", date, WORLD);
    let before = home.read("own/test/ask-1.xml");
    home.check(
        home.ready("dataset annotate --write own"),
        "",
        expect![[r#"
            -- stderr --
            error: own/test/ask-1.xml: turn 1, goal 1: the program ends with TypeError (Object of type datetime is not JSON serializable); mend it, or record that with --accept-errors if it is meant
            -- exit 3 --
        "#]],
    );
    assert_eq!(home.read("own/test/ask-1.xml"), before);
    home.check(
        home.ready("dataset annotate --write --accept-errors own"),
        "",
        expect![[r#"
            -- stderr --
            own/test/ask-1.xml: written
            -- exit 0 --
        "#]],
    );
    let accepted = home.read("own/test/ask-1.xml");
    assert!(
        accepted.contains("world=\"practice\" accepts=\"TypeError\">"),
        "{accepted}"
    );
    let seen = checks(&home, "dataset check own");
    assert!(seen.contains("  ok  accidents "), "{seen}");
    // The dialogue goes on accepting it, and a check finds what is not accepted.
    home.check(
        home.ready("dataset annotate --write own"),
        "",
        expect![[r#"
            -- stderr --
            own/test/ask-1.xml: unchanged
            -- exit 0 --
        "#]],
    );
    home.write(
        "own/test/ask-1.xml",
        &accepted.replace(" accepts=\"TypeError\"", ""),
    );
    let seen = checks(&home, "dataset check own");
    let found = seen.lines().skip_while(|line| !line.contains("accidents"));
    let found: Vec<&str> = found.take(2).collect();
    expect![[r#""#]].assert_eq(&found.join("\n"));
}

#[test]
fn errors_of_the_environment_and_errors_raised_by_name_are_no_accidents() {
    for program in [
        "return s3.get_object(Bucket=\"scans\", Key=\"0418.dcm\")[\"ETag\"]",
        "raise OutOfScopeRequestError()",
        "if not s3.list_buckets()[\"Buckets\"][1:]:\n    raise ValueError(\"only one bucket\")",
    ] {
        let home = own("train", program, WORLD);
        home.check(
            home.ready("dataset annotate --write own"),
            "",
            expect![[r#"
                -- stderr --
                own/train/ask-1.xml: written
                -- exit 0 --
            "#]],
        );
    }
    for (program, error) in [
        ("return one + 2", "NameError"),
        ("return (1", "SyntaxError"),
        ("raise  # KeyError", "RuntimeError"),
    ] {
        let home = own("train", program, WORLD);
        let output = home
            .ready("dataset annotate own")
            .output()
            .expect("it starts");
        let seen = home.seen(&output);
        assert!(seen.contains(&format!("ends with {error} (")), "{seen}");
    }
}

#[test]
fn a_mistake_in_a_world_is_blamed_on_the_world_and_what_did_not_run_is_skipped() {
    let home = own("test", "return 1", &WORLD.replace("40", "\"40\""));
    home.write(
        "own/goals.toml",
        "[[goal]]\nid = \"ask\"\nsplit = \"test\"\nutterance = \"ask it\"\n",
    );
    home.check(home.ready("dataset annotate own"), "", expect![[r#""#]]);
    expect![[r#""#]].assert_eq(&checks(&home, "dataset check own"));
}

#[test]
fn a_test_part_alone_is_compared_with_the_examples_that_are_named() {
    let home = own("test", "return 1", WORLD);
    let annotate = home.ready("dataset annotate --write own").output();
    assert!(annotate.expect("it starts").status.success());
    home.check(home.ready("dataset check own"), "", expect![[r#""#]]);
    std::fs::create_dir_all(home.path("other/train")).expect("a folder");
    let test = home.read("own/test/ask-1.xml");
    home.write("other/train/tell-1.xml", &test.replace("ask-1", "tell-1"));
    expect![[r#""#]].assert_eq(&checks(&home, "dataset check own --examples other"));
    let seen = checks(&home, "dataset check own --examples builtin");
    assert!(seen.contains("  ok  duplicates "), "{seen}");
}
