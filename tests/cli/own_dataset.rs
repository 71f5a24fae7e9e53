//! `dialog2api dataset` with a dataset of the user's own: accidents, mistakes in worlds, and
//! a test part alone.

use crate::cli::support::Home;
use expect_test::expect;

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
            error: own/test/ask-1.xml: turn 1, goal 1: the program ends with TypeError (Object of type datetime is not JSON serializable; return value.isoformat()); mend it, or record that with --accept-errors if it is meant
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
    let found: Vec<&str> = found.take(2).map(str::trim).collect();
    expect![[r#"
        1  accidents      no program ends with an error of Python or at a limit unless it raises the error by name or the dialogue accepts it
        test/ask-1.xml, turn 1, goal 1: ends with TypeError (Object of type datetime is not JSON serializable; return value.isoformat()), which is recorded as the truth; mend the program, or write accepts="TypeError" into <conversation …>"#]].assert_eq(&found.join("\n"));
}

#[test]
fn errors_of_the_environment_and_errors_raised_by_name_are_no_accidents() {
    for program in [
        "return s3.get_object(Bucket=\"scans\", Key=\"0418.dcm\")[\"ETag\"]",
        "return s3.head_object(Bucket=\"my scans\", Key=\"0417.dcm\")[\"ETag\"]",
        "return s3.head_object(Bucket=\"scans\", Key=\"\")[\"ETag\"]",
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
        (
            "s3.head_object(Bucket=\"scans\", Key=\"0417.dcm\", Version=\"1\")",
            "ParamValidationError",
        ),
        ("s3.head_object(Bucket=\"scans\")", "ParamValidationError"),
        (
            "s3.head_object(Bucket=\"scans\", Key=417)",
            "ParamValidationError",
        ),
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
    home.check(
        home.ready("dataset annotate own"),
        "",
        expect![[r#"
        -- stderr --
        error: own/worlds/practice.toml: line 8, column 8: invalid type: string "40", expected usize
        -- exit 1 --
    "#]],
    );
    expect![[r#"
        Most alike (n-grams in common)
          utterances of train and test    – nothing to compare
          dialogues                       – nothing to compare
          1 utterance has at least 4 words; the others (0) are not compared, and 0 of them are said in both parts

          ok  form           every file is a dialogue in canonical form
           1  identity       every dialogue has its file's name as uid, lies in train or test, and names a goal, and a world and operations that exist
              worlds/practice.toml: is no world: line 8, column 8: invalid type: string "40", expected usize
           3  completeness   the agent greets and answers every turn, and every final program has its outcome and signature
              test/ask-1.xml: has no initial signature; `dialog2api dataset annotate --write` fills it in
              test/ask-1.xml, turn 1, goal 1: has no outcome; `dialog2api dataset annotate --write` fills it in
              test/ask-1.xml, turn 1, goal 1: has no signature; `dialog2api dataset annotate --write` fills it in
          ok  status         every update keeps the status rules, and goals are numbered 1, 2, 3 in order of creation
          ok  placeholders   placeholders are numbered from ?1 in order of first appearance, keep their number while others are filled in, and stand in no string or comment
          ok  python         every program is Python once its placeholders are filled in
          ok  keyword order  the keywords of a call with placeholders stand in the order of the API's definition
          ok  destruction    a program that destroys was drafted completely in an earlier turn, and is run as it was confirmed
        skip  overwriting    a program that overwrites something was drafted completely in an earlier turn, and is run as it was confirmed
              did not run 1 of 1 dialogue, whose world cannot be opened (see identity)
        skip  run again      a program that the user was not asked about overwrites nothing when it runs once more
              did not run 1 of 1 dialogue, whose world cannot be opened (see identity)
        skip  whole names    a program that lists what begins with the name of a thing, and deletes that, deletes nothing with a longer name
              did not run 1 of 1 dialogue, whose world cannot be opened (see identity)
          ok  call limits    a listing is read by a paginator or asks for few items, and no call gets a list that may be longer than the API takes
          ok  questions      as long as a goal is drafting, the agent asks a question in every turn
        skip  outcomes       every final program, run in its turn from the initial world, gives the recorded result or error and signature
              did not run 1 of 1 dialogue, whose world cannot be opened (see identity)
        skip  accidents      no program ends with an error of Python or at a limit unless it raises the error by name or the dialogue accepts it
              did not look at 1 program without an outcome (see completeness)
        skip  clock          every final program gives the same at another time and with other random numbers
              did not run 1 of 1 dialogue, whose world cannot be opened (see identity)
          ok  goals          no goal is in both parts, every dialogue's goal is in goals.toml, and every goal there has its dialogues
        skip  duplicates     no utterance of the test part is like one of the training part, and no two dialogues paraphrase each other
              no utterances were compared: there is no training part; `--examples builtin` (or DIR) compares the test part with the examples of a prompt; there is only one dialogue
        skip  figures        the figures are those that goals.toml asks for
              goals.toml has no [targets]

        4 findings. 8 checks did not look at everything.
        -- exit 3 --
    "#]].assert_eq(&checks(&home, "dataset check own"));
}

#[test]
fn a_test_part_alone_is_compared_with_the_examples_that_are_named() {
    let home = own("test", "return 1", WORLD);
    let annotate = home.ready("dataset annotate --write own").output();
    assert!(annotate.expect("it starts").status.success());
    home.check(home.ready("dataset check own"), "", expect![[r#"
                                           test
        dialogues                             1
        goals they are written for            1
        utterances a dialogue              3.00
        goals a dialogue                   1.00
        lines of code a program            0.00
        APIs a program                     0.00
        lines, over all programs           1.00
        APIs, over all programs            0.00

        Conversational complexities        test
        missing information                   0
        revision                              0
        interruption                          0
        ambiguity                             0
        out of scope                          0
        over-specification                    0
        chitchat                              0
        FAQ                                   0
        error                                 0
        confirmation                          0
        ending                                0
        abandonment                           0

        Most alike (n-grams in common)
          utterances of train and test    – nothing to compare
          dialogues                       – nothing to compare
          1 utterance has at least 4 words; the others (0) are not compared, and 0 of them are said in both parts

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
              no utterances were compared: there is no training part; `--examples builtin` (or DIR) compares the test part with the examples of a prompt; there is only one dialogue
        skip  figures        the figures are those that goals.toml asks for
              there is no goals.toml

        Nothing is wrong. 3 checks did not look at everything.
        -- exit 0 --
    "#]]);
    std::fs::create_dir_all(home.path("other/train")).expect("a folder");
    let test = home.read("own/test/ask-1.xml");
    home.write("other/train/tell-1.xml", &test.replace("ask-1", "tell-1"));
    expect![[r#"
        Most alike (n-grams in common)
          utterances of train and test 1.00 (limit 0.50)  other/train/tell-1.xml, turn 1 and test/ask-1.xml, turn 1
          dialogues                    1.00 (limit 0.20)  other/train/tell-1.xml and test/ask-1.xml
          1 utterance has at least 4 words; the others (0) are not compared, and 0 of them are said in both parts

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
           2  duplicates     no utterance of the test part is like one of the training part, and no two dialogues paraphrase each other
              test/ask-1.xml, turn 1: "what is in my bucket of scans?" is like "what is in my bucket of scans?" in other/train/tell-1.xml, turn 1: 1.00; it must be below 0.5; reword it
              test/ask-1.xml: paraphrases other/train/tell-1.xml: 1.00, and less than 0.2 is wanted; give it words and a flow of its own
        skip  figures        the figures are those that goals.toml asks for
              there is no goals.toml

        2 findings. 2 checks did not look at everything.
        -- exit 3 --
    "#]].assert_eq(&checks(&home, "dataset check own --examples other"));
    let seen = checks(&home, "dataset check own --examples builtin");
    assert!(seen.contains("  ok  duplicates "), "{seen}");
}
